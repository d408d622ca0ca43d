//! Why a whole file is refused: the reason, with the line where there is one.

use std::io;

use api::Reason;

/// Shown in English where it is not told to anybody.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .reason.placed(*.line, "", api::Language::English))]
pub struct FileFault {
    pub line: Option<i64>,
    pub reason: Reason,
}

/// A reason on its way through readers that know only errors of input.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Carried(Reason);

/// The error by which a reader refuses what it reads; [`FileFault`] takes the reason out again.
#[must_use]
pub fn refusal(reason: Reason) -> io::Error {
    io::Error::other(Carried(reason))
}

impl FileFault {
    #[must_use]
    pub const fn file(reason: Reason) -> Self {
        Self { line: None, reason }
    }

    #[must_use]
    pub fn at(line: u64, reason: Reason) -> Self {
        Self {
            line: Some(i64::try_from(line).unwrap_or(i64::MAX)),
            reason,
        }
    }
}

impl From<io::Error> for FileFault {
    fn from(error: io::Error) -> Self {
        Self::file(reason(error))
    }
}

/// Why a reader failed: its own reason, or what the system said.
#[must_use]
pub fn reason(error: io::Error) -> Reason {
    match error.downcast::<Carried>() {
        Ok(Carried(reason)) => reason,
        Err(error) => Reason::CannotBeRead {
            cause: error.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_comes_through_a_reader_as_it_was() {
        let fault = FileFault::from(refusal(Reason::NestedArchive));
        assert_eq!(fault, FileFault::file(Reason::NestedArchive));
        let fault = FileFault::from(io::Error::other("no such device"));
        assert_eq!(fault.to_string(), "cannot be read: no such device");
        assert_eq!(
            FileFault::at(3, Reason::Utf16)
                .to_string()
                .split(':')
                .next(),
            Some("line 3")
        );
    }
}
