//! Guessing passwords: bounded by account and by address, for a while, and for unknown names alike.

use actix_web::test::TestRequest;
use api::ErrorCode;
use api::session::Role;
use backend::app::App;
use backend::clock::Clock;
use backend::store::sessions::WINDOW;
use backend::store::users;
use chrono::Duration;

use super::{PASSWORD, add_user, ask, attempt};
use crate::support;

async fn code(app: &App, request: TestRequest) -> ErrorCode {
    ask(app, request).await.problem().code
}

#[tokio::test]
async fn ten_wrong_guesses_lock_an_account_for_a_quarter_of_an_hour() {
    let database = support::database().await;
    let mut app = database.app.clone();
    let begun = app.clock.now();
    app.clock = Clock::fixed(begun);
    add_user(&app, "ada", Role::Admin).await;
    // A name nobody has is locked like one that somebody has.
    for name in ["ada", "nobody"] {
        for _ in 0..10 {
            let guess = attempt(name, "not the pass phrase");
            assert_eq!(code(&app, guess).await, ErrorCode::WrongCredentials);
        }
        // From now on the right password is refused too, or guessing would go on.
        let answer = ask(&app, attempt(name, PASSWORD)).await;
        assert_eq!(answer.header("retry-after"), "901");
        let problem = answer.problem();
        assert_eq!(problem.code, ErrorCode::LockedOut);
        assert_eq!(problem.detail.as_deref(), Some("retry_after_s=901"));
    }
    app.clock = Clock::fixed(begun + WINDOW + Duration::seconds(1));
    assert_eq!(ask(&app, attempt("ada", PASSWORD)).await.status, 200);
}

#[tokio::test]
async fn who_signs_in_is_forgiven_their_own_mistakes() {
    let database = support::database().await;
    let app = &database.app;
    add_user(app, "ada", Role::Admin).await;
    for _ in 0..2 {
        for _ in 0..9 {
            assert_eq!(ask(app, attempt("ada", "wrong")).await.status, 401);
        }
        assert_eq!(ask(app, attempt("ada", PASSWORD)).await.status, 200);
    }
}

#[tokio::test]
async fn an_address_that_tries_many_names_is_locked_and_others_are_not() {
    let database = support::database().await;
    let app = &database.app;
    add_user(app, "ada", Role::Admin).await;
    let pool = app.db.get_postgres_connection_pool();
    sqlx::query("INSERT INTO sign_in_attempts VALUES ('address:10.0.0.1', 100, $1)")
        .bind(app.clock.now())
        .execute(pool)
        .await
        .unwrap();
    assert_eq!(
        code(app, attempt("ada", PASSWORD)).await,
        ErrorCode::LockedOut
    );
    let elsewhere = attempt("ada", PASSWORD).peer_addr("10.0.0.2:1".parse().unwrap());
    assert_eq!(ask(app, elsewhere).await.status, 200);
    // A client behind the proxy of this machine is known by what the proxy says last…
    let local = || attempt("ada", PASSWORD).peer_addr("127.0.0.1:1".parse().unwrap());
    let proxied = local().insert_header(("x-forwarded-for", "1.2.3.4, 10.0.0.1"));
    assert_eq!(code(app, proxied).await, ErrorCode::LockedOut);
    // …and nobody gets round by saying so themselves.
    let claimed = attempt("ada", PASSWORD).insert_header(("x-forwarded-for", "1.2.3.4"));
    assert_eq!(code(app, claimed).await, ErrorCode::LockedOut);
}

#[tokio::test]
async fn a_stranger_does_not_lock_the_owner_out() {
    let database = support::database().await;
    let app = &database.app;
    add_user(app, "ada", Role::Admin).await;
    let from = |address: &str, password| {
        attempt("ada", password).peer_addr(format!("{address}:1").parse().unwrap())
    };
    for _ in 0..10 {
        let guess = from("10.0.0.9", "wrong");
        assert_eq!(code(app, guess).await, ErrorCode::WrongCredentials);
    }
    assert_eq!(
        code(app, from("10.0.0.9", PASSWORD)).await,
        ErrorCode::LockedOut
    );
    assert_eq!(ask(app, from("10.0.0.2", PASSWORD)).await.status, 200);
    // From many addresses an account can still not be guessed at for ever.
    let pool = app.db.get_postgres_connection_pool();
    sqlx::query("INSERT INTO sign_in_attempts VALUES ('name:ada', 100, $1)")
        .bind(app.clock.now())
        .execute(pool)
        .await
        .unwrap();
    assert_eq!(
        code(app, from("10.0.0.3", PASSWORD)).await,
        ErrorCode::LockedOut
    );
}

#[tokio::test]
async fn a_new_password_lets_a_locked_out_user_in_again() {
    let database = support::database().await;
    let app = &database.app;
    add_user(app, "ada", Role::Admin).await;
    for _ in 0..11 {
        ask(app, attempt("ada", "wrong")).await;
    }
    assert_eq!(
        code(app, attempt("ada", PASSWORD)).await,
        ErrorCode::LockedOut
    );
    let hash = backend::password::hash("another long pass phrase").unwrap();
    assert!(users::set_password(&app.db, "ada", &hash).await.unwrap());
    let answer = ask(app, attempt("ada", "another long pass phrase")).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn signing_in_often_is_no_guessing() {
    let database = support::database().await;
    let app = &database.app;
    add_user(app, "ada", Role::Admin).await;
    let pool = app.db.get_postgres_connection_pool();
    sqlx::query("INSERT INTO sign_in_attempts VALUES ('address:10.0.0.1', 98, $1)")
        .bind(app.clock.now())
        .execute(pool)
        .await
        .unwrap();
    for _ in 0..4 {
        assert_eq!(ask(app, attempt("ada", PASSWORD)).await.status, 200);
    }
}
