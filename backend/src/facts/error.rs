//! Why an import stopped, in both languages. What was told before it is kept.

use api::{Language, Reason};

use super::source::SourceError;
use super::staging;
use crate::language::Bilingual;
use crate::store::StoreError;
use crate::store::error::cause;

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("--format: {0}")]
    Format(Reason),
    #[error("{0}: no fact files in it; name a .csv, a folder of them or an archive")]
    Nothing(String),
    #[error("{}: {}; nothing of this file is kept, import again when the database is well", file, outage(.error, Language::English))]
    Store { file: String, error: StoreError },
    #[error("the reading of {0} was broken off; import again")]
    BrokenOff(String),
}

/// A full disk is told as such; everything else tells itself.
fn outage(error: &StoreError, language: Language) -> String {
    match error {
        StoreError::Gone(error) if staging::is_full(error) => language.choose(
            format!("数据库所在磁盘已满（{}）", cause(error)),
            format!("the disk of the database is full ({})", cause(error)),
        ),
        other => other.text(language),
    }
}

impl Bilingual for ImportError {
    fn chinese(&self) -> String {
        match self {
            Self::Source(error) => error.chinese(),
            Self::Format(reason) => format!("--format：{}", reason.text(Language::Chinese)),
            Self::Nothing(path) => {
                format!("{path}：其中没有事实文件；请指定 .csv、存放它们的文件夹或压缩包")
            }
            Self::Store { file, error } => format!(
                "{file}：{}；这个文件没有留下任何数据，请在数据库恢复后重新导入",
                outage(error, Language::Chinese)
            ),
            Self::BrokenOff(file) => format!("{file} 的读取被中断；请重新导入"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use super::*;
    use crate::language::tests::speaks_both;

    #[test]
    fn every_stop_is_told_in_both_languages() {
        let path = || "a/b.csv".to_owned();
        let format = Reason::NotOneOf {
            given: "x1".to_owned(),
            known: vec!["teams".to_owned()],
            nearest: Some("teams".to_owned()),
        };
        speaks_both(&ImportError::Format(format), &["--format", "`x1`", "teams"]);
        for error in [
            ImportError::Nothing(path()),
            ImportError::BrokenOff(path()),
            ImportError::Source(SourceError::Unknown(path())),
            ImportError::Source(SourceError::Large(path())),
            ImportError::Store {
                file: path(),
                error: StoreError::Gone(Arc::new(sqlx::Error::PoolClosed)),
            },
        ] {
            speaks_both(&error, &["a/b.csv"]);
        }
        // The system's and the archive's own words are the cause.
        for error in [
            SourceError::Io(path(), io::Error::other("cause1")),
            SourceError::Archive(path(), "cause1".to_owned()),
        ] {
            speaks_both(&ImportError::Source(error), &["a/b.csv", "cause1"]);
        }
    }
}
