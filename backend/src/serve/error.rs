//! How a request fails, and the only place that knows HTTP statuses. A handler returns `Result<_, Fault>` and uses `?`;
//! [`problems`] turns every failure into an RFC 9457 problem with a stable code and the request's id.
//!
//! What is our own fault is logged once, with its cause; the client is told the request id and nothing else.

use std::error::Error;
use std::fmt;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{HttpMessage as _, HttpResponse, ResponseError};
use api::{ErrorCode, Problem};

use super::request_id::RequestId;
use crate::store::StoreError;
use crate::store::query::BooksReadError;

/// Why a request has no answer.
#[derive(Debug)]
pub enum Fault {
    /// A parameter or a field of the body is missing, malformed or out of range.
    Input {
        /// Empty when it is the body as a whole.
        field: String,
        why: String,
    },
    SignInRequired,
    WrongCredentials,
    LockedOut {
        retry_after_s: i64,
    },
    CsrfMismatch,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Conflict(String),
    TooLarge(String),
    /// The body did not come in time.
    TooSlow,
    /// The database is away.
    Unavailable(Box<dyn Error + Send + Sync>),
    /// Ours. The cause is for the log.
    Internal(Box<dyn Error + Send + Sync>),
}

impl Fault {
    /// A parameter or field that cannot be taken.
    pub fn input(field: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Input {
            field: field.into(),
            why: why.into(),
        }
    }

    /// Our own fault.
    pub fn internal(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// Status, code and title.
    const fn kind(&self) -> (StatusCode, ErrorCode, &'static str) {
        match self {
            Self::Input { .. } => (
                StatusCode::BAD_REQUEST,
                ErrorCode::InvalidInput,
                "The request cannot be understood",
            ),
            Self::SignInRequired => (
                StatusCode::UNAUTHORIZED,
                ErrorCode::SignInRequired,
                "Sign in first",
            ),
            Self::WrongCredentials => (
                StatusCode::UNAUTHORIZED,
                ErrorCode::WrongCredentials,
                "Name or password is wrong",
            ),
            Self::LockedOut { .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                ErrorCode::LockedOut,
                "Too many attempts to sign in",
            ),
            Self::CsrfMismatch => (
                StatusCode::FORBIDDEN,
                ErrorCode::CsrfMismatch,
                "The request did not come from the page",
            ),
            Self::Forbidden => (
                StatusCode::FORBIDDEN,
                ErrorCode::Forbidden,
                "Your role may not do this",
            ),
            Self::NotFound => (
                StatusCode::NOT_FOUND,
                ErrorCode::NotFound,
                "There is no such thing",
            ),
            Self::MethodNotAllowed => (
                StatusCode::METHOD_NOT_ALLOWED,
                ErrorCode::MethodNotAllowed,
                "This address does not take this method",
            ),
            Self::Conflict(_) => (
                StatusCode::CONFLICT,
                ErrorCode::Conflict,
                "What is there does not agree with this",
            ),
            Self::TooLarge(_) => (
                StatusCode::PAYLOAD_TOO_LARGE,
                ErrorCode::TooLarge,
                "The body is too large",
            ),
            Self::TooSlow => (
                StatusCode::REQUEST_TIMEOUT,
                ErrorCode::TooSlow,
                "The body did not come in time",
            ),
            Self::Unavailable(_) => (
                StatusCode::SERVICE_UNAVAILABLE,
                ErrorCode::DatabaseUnavailable,
                "The database cannot be reached",
            ),
            Self::Internal(_) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                ErrorCode::Internal,
                "Something went wrong here",
            ),
        }
    }

    /// What exactly, and what to do; nothing of our insides.
    fn detail(&self) -> Option<String> {
        match self {
            Self::Input { why, .. } | Self::Conflict(why) | Self::TooLarge(why) => {
                Some(why.clone())
            }
            Self::LockedOut { retry_after_s } => Some(format!("retry_after_s={retry_after_s}")),
            Self::CsrfMismatch => Some(
                "Send the csrf_token of GET /api/v1/session in the header x-csrf-token.".to_owned(),
            ),
            Self::Unavailable(_) => Some("Try again in a moment.".to_owned()),
            Self::Internal(_) => Some("The log has the cause under the request id.".to_owned()),
            _ => None,
        }
    }

    fn problem(&self, request_id: &str) -> Problem {
        let (status, code, title) = self.kind();
        Problem {
            kind: "about:blank".to_owned(),
            title: title.to_owned(),
            status: status.as_u16(),
            code,
            detail: self.detail(),
            field: match self {
                Self::Input { field, .. } if !field.is_empty() => Some(field.clone()),
                _ => None,
            },
            request_id: request_id.to_owned(),
        }
    }

    /// Says in the log what the client is not told, once.
    fn log(&self, request_id: &str, method: &str, path: &str) {
        match self {
            Self::Internal(cause) => {
                tracing::error!(request_id, method, path, cause = %chain(cause.as_ref()), "a request failed");
            }
            Self::Unavailable(cause) => {
                tracing::warn!(request_id, method, path, cause = %chain(cause.as_ref()), "the database is away");
            }
            _ => {}
        }
    }
}

/// An error and what caused it, in one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, _, title) = self.kind();
        f.write_str(title)
    }
}

impl ResponseError for Fault {
    fn status_code(&self) -> StatusCode {
        self.kind().0
    }

    /// The body is written by [`problems`], which knows the request.
    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        if error.is_gone() {
            Self::Unavailable(error.into())
        } else {
            Self::Internal(error.into())
        }
    }
}

impl From<BooksReadError> for Fault {
    fn from(error: BooksReadError) -> Self {
        match error {
            BooksReadError::Database(error) => error.into(),
            BooksReadError::Store(error) => error.into(),
            BooksReadError::Foreign { .. } => Self::Conflict(error.to_string()),
        }
    }
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::from(StoreError::from(error))
    }
}

/// What actix's own extractors and routes complain about, in our words.
fn fault_of(error: &actix_web::Error) -> Fault {
    let status = error.as_response_error().status_code();
    let why = error.to_string();
    match status {
        StatusCode::NOT_FOUND => Fault::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Fault::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => Fault::TooLarge(why),
        status if status.is_client_error() => Fault::input("", why),
        _ => Fault::internal(why),
    }
}

/// Gives every failed answer its problem, and every answer the request's id.
///
/// # Errors
/// Of a middleware further in; handlers' failures become answers here.
pub async fn problems(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse, actix_web::Error> {
    let id = RequestId::new();
    request.extensions_mut().insert(id.clone());
    let method = request.method().clone();
    let response = next.call(request).await?.map_into_boxed_body();
    let path = response.request().path().to_owned();
    let told = match response.response().error() {
        Some(error) => match error.as_error::<Fault>() {
            Some(fault) => tell(fault, &id, method.as_str(), &path),
            None => tell(&fault_of(error), &id, method.as_str(), &path),
        },
        // The address exists, but not for this method.
        None if response.status() == StatusCode::METHOD_NOT_ALLOWED => {
            tell(&Fault::MethodNotAllowed, &id, method.as_str(), &path)
        }
        None => return Ok(id.written_into(response)),
    };
    let (request, _) = response.into_parts();
    Ok(id.written_into(ServiceResponse::new(request, told)))
}

fn tell(fault: &Fault, id: &RequestId, method: &str, path: &str) -> HttpResponse {
    fault.log(id.as_str(), method, path);
    let problem = fault.problem(id.as_str());
    let body = serde_json::to_string(&problem).unwrap_or_default();
    let mut answer = HttpResponse::build(fault.status_code());
    answer.insert_header((
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/problem+json"),
    ));
    if let Fault::LockedOut { retry_after_s } = fault {
        answer.insert_header((header::RETRY_AFTER, retry_after_s.to_string()));
    }
    if matches!(fault, Fault::Unavailable(_)) {
        answer.insert_header((header::RETRY_AFTER, "5"));
    }
    answer.body(body)
}

/// The name of the header that carries the request's id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_of_ours_stays_in_the_log() {
        let fault = Fault::internal("relation ledger does not exist");
        let problem = fault.problem("r1");
        assert_eq!((problem.status, problem.code), (500, ErrorCode::Internal));
        let told = format!("{problem:?}");
        assert!(!told.contains("ledger"), "{told}");
    }

    #[test]
    fn a_database_that_is_away_is_told_from_one_that_refuses() {
        let cut = sqlx::Error::Io(std::io::Error::other("cut"));
        assert_eq!(Fault::from(cut).problem("").status, 503);
        assert_eq!(
            Fault::from(sqlx::Error::RowNotFound).problem("").status,
            500
        );
    }

    #[test]
    fn a_field_is_named_and_a_body_as_a_whole_is_not() {
        let named = Fault::input("from", "is no day").problem("");
        assert_eq!(named.field.as_deref(), Some("from"));
        assert_eq!(named.detail.as_deref(), Some("is no day"));
        assert_eq!(Fault::input("", "is no JSON").problem("").field, None);
    }
}
