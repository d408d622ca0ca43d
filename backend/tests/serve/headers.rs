//! What every answer carries, whatever it is.

use actix_web::test::TestRequest;

use super::{ask, get};
use crate::support;

#[tokio::test]
async fn every_answer_is_guarded() {
    let database = support::database().await;
    let app = &database.app;
    for path in [
        "/healthz",
        "/",
        "/api/v1/session",
        "/api/nothing",
        "/api/docs/",
    ] {
        let answer = get(app, path).await;
        let policy = answer.header("content-security-policy");
        for part in [
            "default-src 'self'",
            "script-src 'self' 'wasm-unsafe-eval';",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(answer.header("x-request-id").len(), 16, "{path}");
        assert_eq!(answer.header("strict-transport-security"), "", "{path}");
    }
    assert_eq!(
        get(app, "/api/v1/session").await.header("cache-control"),
        "no-store"
    );
}

#[tokio::test]
async fn behind_https_the_browser_stays_there() {
    let database = support::database().await;
    let mut app = database.app.clone();
    app.config.session.https = true;
    let answer = get(&app, "/healthz").await;
    assert_eq!(
        answer.header("strict-transport-security"),
        "max-age=31536000"
    );
}

#[tokio::test]
async fn large_answers_travel_compressed() {
    let database = support::database().await;
    let app = &database.app;
    let plain = get(app, "/api/openapi.json").await;
    for encoding in ["gzip", "br"] {
        let request = TestRequest::get()
            .uri("/api/openapi.json")
            .insert_header(("accept-encoding", encoding));
        let answer = ask(app, request).await;
        assert_eq!(answer.header("content-encoding"), encoding);
        assert!(answer.body.len() * 3 < plain.body.len());
    }
}
