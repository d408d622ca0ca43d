//! Why a task stopped: one sentence for the person who called it.

use std::fmt;
use std::path::Path;

#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// For `map_err` on file work: which file, and what the system said.
    pub fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |error| Self(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
