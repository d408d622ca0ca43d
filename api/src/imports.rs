//! What came in: the import ledger.

use serde::{Deserialize, Serialize};

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
    /// RFC 3339.
    pub at: String,
    pub by: String,
    pub sha256: String,
    pub message: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rejection {
    pub line: i64,
    pub column: String,
    pub reason: String,
}
