//! Signing in, being signed in, and no longer being it.

use actix_web::http::Method;
use api::ErrorCode;
use api::session::{Role, Session};
use backend::clock::Clock;
use backend::password;
use backend::store::users;
use chrono::Duration;

use super::{PASSWORD, Visitor, add_user, ask, attempt, get};
use crate::support;

#[tokio::test]
async fn who_signs_in_is_known_until_they_sign_out() {
    let database = support::database().await;
    let app = &database.app;
    let visitor = Visitor::new(app, Role::Viewer).await;
    let session: Session = visitor.get(app, "/api/v1/session").await.json();
    assert_eq!(session, visitor.session);
    assert_eq!(
        (session.name.as_str(), session.role),
        ("Viewer", Role::Viewer)
    );
    assert_eq!((session.books_from, session.example_data), (None, false));
    assert_eq!(
        (session.zone.as_str(), session.currency.as_str()),
        ("Asia/Shanghai", "CNY")
    );

    let leave = visitor
        .request(Method::DELETE, "/api/v1/session")
        .insert_header(("x-csrf-token", session.csrf_token));
    let answer = ask(app, leave).await;
    assert_eq!(answer.status, 204);
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    // The old cookie is worth nothing, whoever still has it.
    let answer = visitor.get(app, "/api/v1/session").await;
    assert_eq!(answer.problem().code, ErrorCode::SignInRequired);
}

#[tokio::test]
async fn the_cookie_is_out_of_reach_and_the_database_cannot_sign_in() {
    let database = support::database().await;
    let mut app = database.app.clone();
    app.config.session.https = true;
    add_user(&app, "ada", Role::Admin).await;
    let answer = ask(&app, attempt("ada", PASSWORD)).await;
    let cookie = answer.header("set-cookie");
    for part in [
        "HttpOnly",
        "SameSite=Lax",
        "Secure",
        "Path=/",
        "Max-Age=43200",
    ] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let token = cookie.split(['=', ';']).nth(1).unwrap();
    let pool = app.db.get_postgres_connection_pool();
    let stored: Vec<u8> = sqlx::query_scalar("SELECT token_hash FROM sessions")
        .fetch_one(pool)
        .await
        .unwrap();
    assert_eq!(stored, password::token_hash(token));
    let hash: String = sqlx::query_scalar("SELECT password_hash FROM users")
        .fetch_one(pool)
        .await
        .unwrap();
    assert!(hash.starts_with("$argon2id$") && !hash.contains(PASSWORD));
}

#[tokio::test]
async fn a_session_ends_with_its_time_its_user_and_its_password() {
    let database = support::database().await;
    let app = &database.app;
    let visitor = Visitor::new(app, Role::Viewer).await;
    let mut later = app.clone();
    later.clock = Clock::fixed(app.clock.now() + Duration::hours(13));
    assert_eq!(visitor.get(&later, "/api/v1/session").await.status, 401);
    assert_eq!(visitor.get(app, "/api/v1/session").await.status, 200);

    let hash = password::hash("another long pass phrase").unwrap();
    assert!(users::set_password(&app.db, "Viewer", &hash).await.unwrap());
    assert_eq!(visitor.get(app, "/api/v1/session").await.status, 401);
    assert_eq!(ask(app, attempt("Viewer", PASSWORD)).await.status, 401);

    add_user(app, "bob", Role::Finance).await;
    let bob = Visitor::sign_in(app, "bob").await;
    assert!(
        users::disable(&app.db, "bob", app.clock.now())
            .await
            .unwrap()
    );
    assert_eq!(bob.get(app, "/api/v1/session").await.status, 401);
    assert_eq!(ask(app, attempt("bob", PASSWORD)).await.status, 401);
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_are_told_alike() {
    let database = support::database().await;
    let app = &database.app;
    add_user(app, "ada", Role::Admin).await;
    let known = ask(app, attempt("ada", "not the pass phrase"))
        .await
        .problem();
    let unknown = ask(app, attempt("eve", "not the pass phrase"))
        .await
        .problem();
    assert_eq!(known.code, ErrorCode::WrongCredentials);
    assert_eq!(
        (known.status, known.title, known.detail),
        (unknown.status, unknown.title, unknown.detail)
    );
    assert_eq!(get(app, "/api/v1/session").await.status, 401);
}

#[tokio::test]
async fn a_change_needs_the_sessions_own_token() {
    let database = support::database().await;
    let app = &database.app;
    let ada = Visitor::new(app, Role::Admin).await;
    let bob = Visitor::new(app, Role::Viewer).await;
    let leave = || ada.request(Method::DELETE, "/api/v1/session");
    for request in [
        leave(),
        leave().insert_header(("x-csrf-token", "")),
        leave().insert_header(("x-csrf-token", bob.session.csrf_token.clone())),
    ] {
        let answer = ask(app, request).await;
        assert_eq!(answer.problem().code, ErrorCode::CsrfMismatch);
    }
    assert_eq!(ada.get(app, "/api/v1/session").await.status, 200);
}

#[tokio::test]
async fn another_sites_page_cannot_sign_anybody_in() {
    let database = support::database().await;
    let app = &database.app;
    add_user(app, "ada", Role::Admin).await;
    let foreign = attempt("ada", PASSWORD).insert_header(("sec-fetch-site", "cross-site"));
    let answer = ask(app, foreign).await;
    assert_eq!(answer.problem().code, ErrorCode::CsrfMismatch);
    // What a form of another site can send without asking is not JSON.
    let form = attempt("ada", PASSWORD).insert_header(("content-type", "text/plain"));
    assert_eq!(ask(app, form).await.problem().code, ErrorCode::InvalidInput);
    let own = attempt("ada", PASSWORD).insert_header(("sec-fetch-site", "same-origin"));
    assert_eq!(ask(app, own).await.status, 200);
}
