//! Who asks. A handler that takes [`SignedIn`] (or a [`Scope`]) is reached only by somebody who is signed in, and, when
//! the request changes something, only with the session's CSRF token.

use std::future::Future;
use std::pin::Pin;

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use chrono::{DateTime, Utc};

use super::error::Fault;
use crate::app::App;
use crate::password;
use crate::store::scope::Scope;
use crate::store::sessions;
use crate::store::users::User;

pub const CSRF_HEADER: &str = "x-csrf-token";
const COOKIE: &str = "suanzhang_session";

/// The user of the request's session.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub user: User,
    pub expires_at: DateTime<Utc>,
    /// The session's token as the cookie has it.
    pub(super) token: String,
}

impl SignedIn {
    /// Whose rows they may see.
    #[must_use]
    pub fn scope(&self) -> Scope {
        Scope::of(&self.user)
    }

    async fn of(request: HttpRequest) -> Result<Self, Fault> {
        let app = app(&request)?;
        let token = request
            .cookie(COOKIE)
            .map(|cookie| cookie.value().to_owned())
            .filter(|token| !token.is_empty())
            .ok_or(Fault::SignInRequired)?;
        let found = sessions::find(&app.db, &password::token_hash(&token), app.clock.now()).await?;
        let (user, expires_at) = found.ok_or(Fault::SignInRequired)?;
        if !request.method().is_safe() {
            check_csrf(&request, &token)?;
        }
        Ok(Self {
            user,
            expires_at,
            token,
        })
    }
}

fn check_csrf(request: &HttpRequest, token: &str) -> Result<(), Fault> {
    let sent = request
        .headers()
        .get(CSRF_HEADER)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if password::is_same(sent, &password::csrf_token(token)) {
        Ok(())
    } else {
        Err(Fault::CsrfMismatch)
    }
}

fn app(request: &HttpRequest) -> Result<web::Data<App>, Fault> {
    request
        .app_data::<web::Data<App>>()
        .cloned()
        .ok_or_else(|| Fault::internal("the routes have no app"))
}

type Extracted<T> = Pin<Box<dyn Future<Output = Result<T, Fault>>>>;

impl FromRequest for SignedIn {
    type Error = Fault;
    type Future = Extracted<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        Box::pin(Self::of(request.clone()))
    }
}

impl FromRequest for Scope {
    type Error = Fault;
    type Future = Extracted<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Ok(SignedIn::of(request).await?.scope()) })
    }
}

/// The cookie of a session that lasts `hours`. It is out of reach for scripts and is not sent by foreign forms; links
/// from an e-mail work, because reading changes nothing.
pub fn cookie(token: &str, hours: u32, https: bool) -> Cookie<'static> {
    Cookie::build(COOKIE, token.to_owned())
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(https)
        .max_age(CookieDuration::hours(i64::from(hours)))
        .finish()
}

/// The cookie that makes a browser forget its session.
pub fn no_cookie(https: bool) -> Cookie<'static> {
    let mut cookie = cookie("", 0, https);
    cookie.make_removal();
    cookie
}
