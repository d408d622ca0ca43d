//! How a command fails: a line of what and where, a line of what to do, and the exit code.
//!
//! A failure is made in both languages and told in the reader's, so that none can be written in one alone.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use api::Language;

use crate::language::Bilingual;

/// What went wrong, for the person at the terminal. `?` makes one of any error of ours.
#[derive(Debug)]
pub struct Failure {
    chinese: Text,
    english: Text,
    code: u8,
}

#[derive(Debug)]
struct Text {
    what: String,
    advice: Option<String>,
}

impl Text {
    /// An error's text says what to do behind the first `between`.
    fn split(text: &str, between: &str) -> Self {
        match text.split_once(between) {
            Some((what, advice)) => Self {
                what: what.to_owned(),
                advice: Some(advice.to_owned()),
            },
            None => Self {
                what: text.to_owned(),
                advice: None,
            },
        }
    }
}

/// The reader of our output went away (`suanzhang ledger | head`), which is no failure to speak of.
const QUIET: u8 = 141;
/// As a shell reports a program ended by Ctrl-C.
const INTERRUPTED: u8 = 130;

impl Failure {
    #[must_use]
    pub fn new(chinese: impl Into<String>, english: impl Into<String>) -> Self {
        let text = |what| Text { what, advice: None };
        Self {
            chinese: text(chinese.into()),
            english: text(english.into()),
            code: 1,
        }
    }

    /// Adds the line that says what to do.
    #[must_use]
    pub fn advise(mut self, chinese: impl Into<String>, english: impl Into<String>) -> Self {
        self.chinese.advice = Some(chinese.into());
        self.english.advice = Some(english.into());
        self
    }

    /// Somebody pressed Ctrl-C.
    #[must_use]
    pub fn interrupted() -> Self {
        Self {
            code: INTERRUPTED,
            ..Self::new("已中断", "interrupted")
        }
    }

    /// Tells it on stderr.
    pub(super) fn tell(self, language: Language) -> ExitCode {
        if self.code != QUIET {
            for line in self.lines(language) {
                eprintln!("{line}");
            }
        }
        ExitCode::from(self.code)
    }

    fn lines(&self, language: Language) -> Vec<String> {
        let text = language.choose(&self.chinese, &self.english);
        let mut lines = vec![format!("suanzhang: {}", text.what)];
        lines.extend(text.advice.iter().map(|advice| format!("  {advice}")));
        lines
    }
}

impl<E: Bilingual + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let dynamic: &(dyn Error + 'static) = &error;
        let is_quiet = dynamic
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        Self {
            chinese: Text::split(&error.chinese(), "；"),
            english: Text::split(&error.to_string(), "; "),
            code: if is_quiet { QUIET } else { 1 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, QUIET};
    use crate::embedded::EmbeddedError;
    use api::Language::{Chinese, English};
    use std::io;

    #[test]
    fn advice_stands_on_its_own_line_in_either_language() {
        let failure = Failure::from(EmbeddedError::Foreign {
            folder: "/d".into(),
        });
        assert_eq!(
            failure.lines(English),
            [
                "suanzhang: /d belongs to somebody else",
                "  remove it, or choose another --data-dir"
            ]
        );
        assert_eq!(
            failure.lines(Chinese),
            [
                "suanzhang: /d 属于其他用户",
                "  请移走它，或用 --data-dir 另选文件夹"
            ]
        );
    }

    #[test]
    fn a_closed_pipe_is_quiet() {
        let closed = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(closed.code, QUIET);
    }
}
