//! What came in: the import ledger.

use serde::{Deserialize, Serialize};

use crate::{Language, Reason};

/// `GET /api/v1/imports?cursor=C&limit=N`: newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportList {
    pub imports: Vec<Import>,
    /// Pass as `cursor` for the next page; `null` at the end.
    pub next_cursor: Option<String>,
}

/// One file of one import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Import {
    pub id: i64,
    /// File name within its folder or archive.
    pub file: String,
    /// The kind recognised, e.g. `samples`; empty when none was.
    pub kind: String,
    /// `imported`, `unchanged` (same bytes as before), `not_yet_read`, or `rejected` (the whole file).
    pub outcome: String,
    pub rows_read: i64,
    pub rows_new: i64,
    pub rows_replaced: i64,
    pub rows_unchanged: i64,
    pub rows_rejected: i64,
    /// The first rejected rows, each with line, column and reason.
    pub rejections: Vec<Rejection>,
    /// Values that cannot be, dropped from rows that were kept.
    pub dropped: Vec<Dropped>,
    /// What is told of the file as a whole: why it was rejected, or what else became of it.
    pub messages: Vec<Message>,
    /// RFC 3339, with the ledger zone's offset.
    pub at: String,
    pub by: String,
    pub sha256: String,
}

/// A row that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rejection {
    pub line: i64,
    /// Empty when it is the row as a whole.
    pub column: String,
    pub reason: Reason,
    /// The reason in English.
    pub text: String,
}

/// Values of a column that were dropped for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Dropped {
    pub column: String,
    pub values: i64,
    pub reason: Reason,
    /// The reason in English.
    pub text: String,
}

/// One thing told of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Message {
    /// Where in the file, when it is somewhere.
    pub line: Option<i64>,
    pub reason: Reason,
    /// Line and reason in English.
    pub text: String,
}

impl Rejection {
    #[must_use]
    pub fn new(line: i64, column: String, reason: Reason) -> Self {
        let text = reason.text(Language::English);
        Self {
            line,
            column,
            reason,
            text,
        }
    }
}

impl Dropped {
    #[must_use]
    pub fn new(column: String, values: i64, reason: Reason) -> Self {
        let text = reason.text(Language::English);
        Self {
            column,
            values,
            reason,
            text,
        }
    }
}

impl Message {
    #[must_use]
    pub fn new(line: Option<i64>, reason: Reason) -> Self {
        let text = reason.placed(line, "", Language::English);
        Self { line, reason, text }
    }
}
