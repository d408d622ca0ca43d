//! Signing in and out. Attempts are counted by account and by address before the password is looked at, and an unknown
//! name costs the same work as a known one.

use std::net::IpAddr;

use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use api::Problem;
use api::session::{Session, SignIn};
use chrono::{Duration, SecondsFormat};
use tokio::sync::Semaphore;

use super::auth::{self, SignedIn};
use super::error::Fault;
use crate::app::App;
use crate::password;
use crate::store::query::Books;
use crate::store::sessions::{self, Subject};
use crate::store::settings::{self, Example};
use crate::store::users;

/// Argon2id takes 19 MiB and a core for a moment; more at once would let a flood of attempts starve everybody.
static HASHING: Semaphore = Semaphore::const_new(2);

/// Who is signed in
#[utoipa::path(
    get,
    path = "/api/v1/session",
    tag = "session",
    responses((status = 200, body = Session), (status = 401, body = Problem))
)]
#[get("/api/v1/session")]
pub async fn who(app: web::Data<App>, signed_in: SignedIn) -> Result<web::Json<Session>, Fault> {
    Ok(web::Json(describe(&app, &signed_in).await?))
}

/// Sign in; the answer sets the session's cookie
#[utoipa::path(
    post,
    path = "/api/v1/session",
    tag = "session",
    request_body = SignIn,
    responses(
        (status = 200, body = Session),
        (status = 401, body = Problem),
        (status = 403, body = Problem),
        (status = 429, body = Problem)
    ),
    security(())
)]
#[post("/api/v1/session")]
pub async fn sign_in(
    app: web::Data<App>,
    request: HttpRequest,
    attempt: web::Json<SignIn>,
) -> Result<HttpResponse, Fault> {
    refuse_other_sites(&request)?;
    let SignIn { name, password } = attempt.into_inner();
    if name.contains('\0') {
        return Err(Fault::input("name", "has a NUL character"));
    }
    let now = app.clock.now();
    let address = address(&request);
    let subjects = Subject::of(&name, address);
    for subject in &subjects {
        if let Some(until) = sessions::attempt(&app.db, subject, now).await? {
            let retry_after_s = (until - now).num_seconds().max(0) + 1;
            tracing::warn!(?subject, retry_after_s, "too many attempts to sign in");
            return Err(Fault::LockedOut { retry_after_s });
        }
    }
    let known = users::password_hash(&app.db, &name).await?;
    if !fits(password, known).await? {
        return Err(Fault::WrongCredentials);
    }
    sessions::forgive(&app.db, &subjects).await?;
    let token = password::token().map_err(Fault::internal)?;
    let hours = app.config.session.hours;
    let expires_at = now + Duration::hours(i64::from(hours));
    let hash = password::token_hash(&token);
    sessions::open(&app.db, &hash, &name, now, expires_at).await?;
    // Read back: somebody may have disabled the user meanwhile.
    let (user, expires_at) = sessions::find(&app.db, &hash, now)
        .await?
        .ok_or(Fault::WrongCredentials)?;
    let cookie = auth::cookie(&token, hours, app.config.session.https);
    let signed_in = SignedIn {
        user,
        expires_at,
        token,
    };
    let session = describe(&app, &signed_in).await?;
    Ok(HttpResponse::Ok().cookie(cookie).json(session))
}

/// Sign out
#[utoipa::path(
    delete,
    path = "/api/v1/session",
    tag = "session",
    params(("x-csrf-token" = String, Header, description = "The session's csrf_token")),
    responses((status = 204), (status = 401, body = Problem), (status = 403, body = Problem))
)]
#[delete("/api/v1/session")]
pub async fn sign_out(app: web::Data<App>, signed_in: SignedIn) -> Result<HttpResponse, Fault> {
    sessions::close(&app.db, &password::token_hash(&signed_in.token)).await?;
    let cookie = auth::no_cookie(app.config.session.https);
    Ok(HttpResponse::NoContent().cookie(cookie).finish())
}

async fn describe(app: &App, signed_in: &SignedIn) -> Result<Session, Fault> {
    let SignedIn {
        user,
        expires_at,
        token,
    } = signed_in;
    let zone = app.config.ledger.zone;
    let extent = Books::of(app).extent().await?;
    Ok(Session {
        name: user.name.clone(),
        role: user.role,
        csrf_token: password::csrf_token(token),
        expires: expires_at
            .with_timezone(&zone)
            .to_rfc3339_opts(SecondsFormat::Secs, false),
        company: app.config.company.clone(),
        example_data: settings::example(&app.db).await? != Example::No,
        zone: zone.name().to_owned(),
        currency: app.config.ledger.currency.to_string(),
        today: app.clock.today(zone).to_string(),
        books_from: extent.map(|(first, _)| first.to_string()),
        books_to: extent.map(|(_, last)| last.to_string()),
    })
}

async fn fits(password: String, known: Option<String>) -> Result<bool, Fault> {
    let _turn = HASHING.acquire().await.map_err(Fault::internal)?;
    web::block(move || password::verify(&password, known.as_deref()))
        .await
        .map_err(Fault::internal)
}

/// There is no session yet whose token could be asked for, but a browser says when another site's page is asking. The
/// body's JSON type keeps plain forms out besides.
fn refuse_other_sites(request: &HttpRequest) -> Result<(), Fault> {
    let site = request.headers().get("sec-fetch-site");
    match site.map(|value| value.as_bytes()) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(Fault::CsrfMismatch),
    }
}

/// Where the request came from. A proxy on this machine names its client last in `x-forwarded-for`; from elsewhere the
/// header says nothing that could be believed.
fn address(request: &HttpRequest) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip();
    if !peer.is_loopback() {
        return Some(peer);
    }
    let forwarded = request.headers().get_all("x-forwarded-for").last();
    let client = forwarded
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.rsplit(',').next())
        .and_then(|value| value.trim().parse().ok());
    Some(client.unwrap_or(peer))
}
