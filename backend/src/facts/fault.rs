//! Why a whole file is refused: one sentence, with the line where there is one.

use std::io;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct FileFault {
    pub line: Option<u64>,
    pub reason: String,
}

impl FileFault {
    #[must_use]
    pub fn file(reason: impl Into<String>) -> Self {
        Self {
            line: None,
            reason: reason.into(),
        }
    }

    #[must_use]
    pub fn at(line: u64, reason: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            reason: reason.into(),
        }
    }
}

impl From<io::Error> for FileFault {
    fn from(error: io::Error) -> Self {
        Self::file(format!("cannot be read: {error}"))
    }
}
