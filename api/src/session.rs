//! Who is signed in.

use serde::{Deserialize, Serialize};

/// What a user may do. Enforced by the server's `Scope`; the page only hides what would be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Admin,
    Finance,
    Viewer,
    Lead,
    Member,
}

/// `POST /api/v1/session`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignIn {
    pub name: String,
    pub password: String,
}

/// `GET /api/v1/session`, and the answer to a sign-in. `DELETE /api/v1/session` signs out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Session {
    pub name: String,
    pub role: Role,
    /// Sent back in the header `x-csrf-token` with every request that changes something.
    pub csrf_token: String,
    /// RFC 3339.
    pub expires: String,
    /// The company's name for the page's top bar; empty when none is configured.
    pub company: String,
    /// True when the data is the example company, which every page then says.
    pub example_data: bool,
    /// IANA name of the ledger zone, e.g. `Asia/Shanghai`: every day and time shown is of it.
    pub zone: String,
    /// Ledger currency, ISO 4217.
    pub currency: String,
    /// Today in the ledger zone, `YYYY-MM-DD`: presets such as "this month" count from it, never from the browser's day.
    pub today: String,
    /// First and last day (inclusive) that have books; the page opens on the last month that has any.
    pub books_from: Option<String>,
    pub books_to: Option<String>,
}
