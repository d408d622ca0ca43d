//! Data health: what needs a person, with the yuan attached.

use serde::{Deserialize, Serialize};

use crate::overview::DoubtCount;

/// `GET /api/v1/health`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Health {
    pub version: String,
    /// Ledger currency of the yuan below, ISO 4217.
    pub currency: String,
    /// `ok`, or the sentence that says what is wrong.
    pub database: String,
    /// First and last day (inclusive) with books.
    pub books_from: Option<String>,
    pub books_to: Option<String>,
    pub accounted_at: Option<String>,
    /// Days with facts newer than their books.
    pub days_waiting: i64,
    /// Differences the audit found, newest day first; empty is good.
    pub audit_differences: Vec<String>,
    pub doubts: Vec<DoubtCount>,
    pub last_import: Option<String>,
    pub rejected_rows: i64,
}
