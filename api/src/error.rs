//! Errors as RFC 9457 problem details with a stable code from a closed list.

use serde::{Deserialize, Serialize};

/// Every code an answer can carry. A client may match on these; a new one is a new version of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A parameter or body field is missing, malformed or out of range; `field` names it.
    InvalidInput,
    /// No session or token, or it has expired.
    SignInRequired,
    /// Name or password is wrong (which of the two is not said).
    WrongCredentials,
    /// Too many failed attempts; `retry_after_s` in the detail.
    LockedOut,
    /// The session's CSRF token is missing or wrong.
    CsrfMismatch,
    /// Signed in, but not allowed.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// The method does not exist at this address.
    MethodNotAllowed,
    /// The same thing exists already, is being changed by somebody else, or is kept in another way than configured.
    Conflict,
    /// The body or a file is larger than the limit.
    TooLarge,
    /// The body did not come in time.
    TooSlow,
    /// PostgreSQL cannot be reached; what is shown may be old.
    DatabaseUnavailable,
    /// Our fault; the log has the cause under the request id.
    Internal,
}

/// An RFC 9457 problem: `application/problem+json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// Always `about:blank`: the code says what it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// One line for people.
    pub title: String,
    /// The HTTP status again.
    pub status: u16,
    pub code: ErrorCode,
    /// What exactly, and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The parameter or field concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Under this the server's log has the rest.
    pub request_id: String,
}
