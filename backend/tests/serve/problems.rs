//! Failures are problem details with a stable code, and tell nothing of our insides.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use api::ErrorCode;
use api::session::Role;

use super::{Visitor, ask, get};
use crate::support;

#[tokio::test]
async fn each_has_its_code_and_names_the_field() {
    let database = support::database().await;
    let app = &database.app;
    let visitor = Visitor::new(app, Role::Viewer).await;
    let post = |body: &str| {
        TestRequest::post()
            .uri("/api/v1/session")
            .insert_header(("content-type", "application/json"))
            .set_payload(body.to_owned())
    };
    let large = format!("{{\"name\":\"{}\"}}", "x".repeat(300 * 1024));
    let read = |path: &str| visitor.request(Method::GET, path);
    for (request, code, field) in [
        (read("/api/v1/nothing"), ErrorCode::NotFound, None),
        (read("/api/"), ErrorCode::NotFound, None),
        (
            TestRequest::put().uri("/api/v1/session"),
            ErrorCode::MethodNotAllowed,
            None,
        ),
        (
            TestRequest::post().uri("/"),
            ErrorCode::MethodNotAllowed,
            None,
        ),
        (post("{"), ErrorCode::InvalidInput, None),
        (
            post("{\"name\":\"ada\"}"),
            ErrorCode::InvalidInput,
            Some("password"),
        ),
        (post(&large), ErrorCode::TooLarge, None),
        (
            post("{\"name\":\"a\\u0000\",\"password\":\"x\"}"),
            ErrorCode::InvalidInput,
            Some("name"),
        ),
        (
            read("/api/v1/query?metric=cost&from=2026-07-01&to=2026-08-01&filter=project:a%00"),
            ErrorCode::InvalidInput,
            Some("filter"),
        ),
        (
            read("/api/v1/overview?from=2026-07-01&to=2026-08-01&site=%00"),
            ErrorCode::InvalidInput,
            Some("site"),
        ),
        (
            read("/api/v1/waste?from=2026-07-01&to=2026-08-01&from=2026-06-01"),
            ErrorCode::InvalidInput,
            Some("from"),
        ),
        (
            read("/api/v1/imports?limit=0"),
            ErrorCode::InvalidInput,
            Some("limit"),
        ),
        (
            read("/api/v1/imports?limit=many"),
            ErrorCode::InvalidInput,
            Some("limit"),
        ),
        (
            read("/api/v1/imports?cursor=x"),
            ErrorCode::InvalidInput,
            Some("cursor"),
        ),
        (
            read("/api/v1/imports?curser=1"),
            ErrorCode::InvalidInput,
            Some("curser"),
        ),
        (
            read("/api/v1/query?metric=gold&from=2026-01-01&to=2026-02-01"),
            ErrorCode::InvalidInput,
            Some("metric"),
        ),
        (
            read("/api/v1/query?metric=cost&from=soon&to=2026-02-01"),
            ErrorCode::InvalidInput,
            Some("from"),
        ),
    ] {
        let answer = ask(app, request).await;
        let problem = answer.problem();
        assert_eq!(
            (problem.code, problem.field.as_deref()),
            (code, field),
            "{}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn a_fault_of_ours_hides_its_cause() {
    let database = support::database().await;
    let app = &database.app;
    let visitor = Visitor::new(app, Role::Viewer).await;
    sqlx::query("ALTER TABLE imports RENAME TO elsewhere")
        .execute(app.db.get_postgres_connection_pool())
        .await
        .unwrap();
    let answer = visitor.get(app, "/api/v1/imports").await;
    assert_eq!(answer.problem().code, ErrorCode::Internal);
    assert!(!answer.text().contains("imports"), "{}", answer.text());
    assert_eq!(get(app, "/readyz").await.status, 200);
}
