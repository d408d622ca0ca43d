//! The name a request has in its answer and in the log.

use std::fmt::Write as _;

use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::header::HeaderValue;

use super::error::REQUEST_ID;

/// Sixteen hexadecimal digits, new for each request.
#[derive(Clone, Debug)]
pub struct RequestId(String);

impl RequestId {
    #[must_use]
    pub fn new() -> Self {
        let mut bytes = [0_u8; 8];
        // Without randomness the id is all zeros; the request itself must not fail for it.
        let _ = getrandom::fill(&mut bytes);
        let mut text = String::with_capacity(16);
        for byte in bytes {
            // Writing into a text cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Self(text)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn written_into(
        &self,
        mut response: ServiceResponse<BoxBody>,
    ) -> ServiceResponse<BoxBody> {
        if let Ok(value) = HeaderValue::from_str(&self.0) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        response
    }
}

impl Default for RequestId {
    fn default() -> Self {
        Self::new()
    }
}
