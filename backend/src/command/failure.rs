//! How a command fails: a line of what and where, a line of what to do, and the exit code.

use std::error::Error;
use std::io;
use std::process::ExitCode;

/// What went wrong, for the person at the terminal. `?` makes one of any error.
#[derive(Debug)]
pub struct Failure {
    what: String,
    advice: Option<String>,
    code: u8,
}

/// The reader of our output went away (`suanzhang ledger | head`), which is no failure to speak of.
const QUIET: u8 = 141;
/// As a shell reports a program ended by Ctrl-C.
const INTERRUPTED: u8 = 130;

impl Failure {
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            advice: None,
            code: 1,
        }
    }

    /// Adds the line that says what to do.
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Somebody pressed Ctrl-C.
    #[must_use]
    pub fn interrupted() -> Self {
        Self {
            code: INTERRUPTED,
            ..Self::new("interrupted")
        }
    }

    /// Tells it on stderr.
    pub(super) fn tell(self) -> ExitCode {
        if self.code != QUIET {
            eprintln!("suanzhang: {}", self.what);
            if let Some(advice) = self.advice {
                eprintln!("  {advice}");
            }
        }
        ExitCode::from(self.code)
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let dynamic: &(dyn Error + 'static) = &error;
        let is_quiet = dynamic
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        let message = error.to_string();
        let (what, advice) = match message.split_once("; ") {
            Some((what, advice)) => (what.to_owned(), Some(advice.to_owned())),
            None => (message, None),
        };
        Self {
            what,
            advice,
            code: if is_quiet { QUIET } else { 1 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, QUIET};
    use std::io;

    #[test]
    fn advice_stands_on_its_own_line_and_a_closed_pipe_is_quiet() {
        let failure = Failure::from(io::Error::other("x is full; make room"));
        assert_eq!(failure.what, "x is full");
        assert_eq!(failure.advice.as_deref(), Some("make room"));
        let closed = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(closed.code, QUIET);
    }
}
