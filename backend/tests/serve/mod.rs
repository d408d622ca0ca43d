//! The API over the whole stack of middleware, by topic.

mod authorisation;
mod headers;
mod health;
mod imports;
mod lock_out;
mod openapi;
mod outage;
mod page;
mod problems;
mod sessions;

use actix_web::http::header::{HeaderMap, SET_COOKIE};
use actix_web::http::{Method, StatusCode};
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::web::Data;
use api::Problem;
use api::session::{Role, Session};
use backend::app::App;
use backend::password;
use backend::serve::application;
use backend::store::users::{self, User};
use serde::de::DeserializeOwned;
use serde_json::json;

pub const PASSWORD: &str = "a long enough pass phrase";

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The problem, after checking what holds for every problem.
    pub fn problem(&self) -> Problem {
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem: Problem = self.json();
        assert_eq!(problem.status, self.status.as_u16());
        assert_eq!(problem.request_id, self.header("x-request-id"));
        assert_eq!(problem.request_id.len(), 16);
        problem
    }
}

pub async fn ask(app: &App, request: TestRequest) -> Answer {
    let service = init_service(application(Data::new(app.clone()))).await;
    let response = call_service(&service, request.to_request()).await;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = read_body(response).await.to_vec();
    Answer {
        status,
        headers,
        body,
    }
}

pub async fn get(app: &App, path: &str) -> Answer {
    ask(app, TestRequest::get().uri(path)).await
}

/// Somebody who may sign in with [`PASSWORD`].
pub async fn add_user(app: &App, name: &str, role: Role) {
    let user = User {
        name: name.to_owned(),
        role,
        team: (role == Role::Lead).then(|| "nlp".to_owned()),
        projects: Vec::new(),
        created_at: app.clock.now(),
        disabled_at: None,
    };
    let hash = password::hash(PASSWORD).unwrap();
    assert!(users::add(&app.db, &user, &hash).await.unwrap());
}

pub fn attempt(name: &str, password: &str) -> TestRequest {
    TestRequest::post()
        .uri("/api/v1/session")
        .peer_addr("10.0.0.1:4000".parse().unwrap())
        .set_json(json!({ "name": name, "password": password }))
}

/// Somebody who is signed in.
pub struct Visitor {
    pub cookie: String,
    pub session: Session,
}

impl Visitor {
    /// A new user of that role, signed in.
    pub async fn new(app: &App, role: Role) -> Self {
        let name = format!("{role:?}");
        add_user(app, &name, role).await;
        Self::sign_in(app, &name).await
    }

    pub async fn sign_in(app: &App, name: &str) -> Self {
        let answer = ask(app, attempt(name, PASSWORD)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let set = answer.headers.get(SET_COOKIE).unwrap().to_str().unwrap();
        Self {
            cookie: set.split(';').next().unwrap().to_owned(),
            session: answer.json(),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> TestRequest {
        TestRequest::with_uri(path)
            .method(method)
            .insert_header(("cookie", self.cookie.clone()))
    }

    pub async fn get(&self, app: &App, path: &str) -> Answer {
        ask(app, self.request(Method::GET, path)).await
    }
}
