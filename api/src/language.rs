//! The two languages everything is said in.

/// Of what a person reads; what programs read (codes, column names, CSV heads) is the same in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Chinese,
    English,
}

impl Language {
    /// The one of the two that fits.
    #[must_use]
    pub fn choose<T>(self, chinese: T, english: T) -> T {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }
}
