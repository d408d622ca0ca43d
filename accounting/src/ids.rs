//! Identities as their source gave them: shared text, compared bytewise.

use std::sync::Arc;

/// A name from a fact file. Cheap to clone; order is bytewise, which ties are broken by.
pub type Id = Arc<str>;

/// `None` for the empty text, which in fact files means "missing".
#[must_use]
pub fn optional(text: &str) -> Option<Id> {
    if text.is_empty() {
        None
    } else {
        Some(Id::from(text))
    }
}
