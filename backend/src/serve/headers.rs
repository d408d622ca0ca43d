//! What every answer tells the browser to refuse: foreign scripts, frames, guessed types, kept answers; and what every
//! request is held to.

use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web;

use super::error::Fault;
use crate::app::App;

/// Everything is ours; WASM may be compiled; charts set styles and draw into blobs.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; \
    object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

const EVERYWHERE: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CROSS_ORIGIN_OPENER_POLICY, "same-origin"),
    (header::CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
    (
        header::PERMISSIONS_POLICY,
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Adds them to every answer.
///
/// # Errors
/// None of its own.
pub async fn secure<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let is_api = request.path().starts_with("/api/");
    let is_https = request
        .app_data::<web::Data<App>>()
        .is_some_and(|app| app.config.session.https);
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    for (name, value) in EVERYWHERE {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_https {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
    if is_api && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(response)
}

/// A body gets so long to come; without one a request is answered however long the figures take.
const BODY_WAIT: Duration = Duration::from_secs(30);

/// Ends a request whose body does not come.
///
/// # Errors
/// After [`BODY_WAIT`].
pub async fn await_body<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    if request.method().is_safe() {
        return next.call(request).await;
    }
    tokio::time::timeout(BODY_WAIT, next.call(request))
        .await
        .unwrap_or_else(|_| Err(Fault::TooSlow.into()))
}

/// Whoever asks for the head of an answer is answered as if they had asked for the whole; the server leaves the body
/// out.
///
/// # Errors
/// None of its own.
pub async fn answer_head<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    if *request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
    }
    next.call(request).await
}
