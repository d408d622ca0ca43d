//! The API gives the same totals as the books, as JSON and as CSV, and each user the rows of their scope.

use actix_web::cookie::Cookie;
use actix_web::http::StatusCode;
use actix_web::{App, test, web};
use api::overview::Overview;
use api::query::NamedAnswer;
use api::session::Role;
use api::waste::WasteAnswer;
use backend::password;
use backend::store::query::question::{Key, METRICS};
use backend::store::scope::Scope;
use backend::store::sessions;
use backend::store::users::{self, User};

use super::{WHOLE, answer, example, query};
use crate::facts::Company;

/// A user with a session; gives its cookie.
async fn signed_in(company: &Company, user: &User) -> Cookie<'static> {
    let app = company.app();
    assert!(users::add(&app.db, user, "no password fits").await.unwrap());
    let token = password::token().unwrap();
    let now = app.clock.now();
    let hash = password::token_hash(&token);
    sessions::open(
        &app.db,
        &hash,
        &user.name,
        now,
        now + chrono::Duration::hours(1),
    )
    .await
    .unwrap();
    Cookie::new("suanzhang_session", token)
}

fn user(name: &str, role: Role, projects: &[&str]) -> User {
    User {
        name: name.to_owned(),
        role,
        team: None,
        projects: projects.iter().map(|p| (*p).to_owned()).collect(),
        created_at: chrono::DateTime::UNIX_EPOCH,
        disabled_at: None,
    }
}

/// Status and body of a GET.
async fn get(
    company: &Company,
    cookie: Option<&Cookie<'static>>,
    path: &str,
) -> (StatusCode, String) {
    let app = App::new()
        .app_data(web::Data::new(company.app().clone()))
        .configure(backend::serve::routes);
    let service = test::init_service(app).await;
    let mut request = test::TestRequest::get().uri(path);
    if let Some(cookie) = cookie {
        request = request.cookie(cookie.clone());
    }
    let response = test::call_service(&service, request.to_request()).await;
    let status = response.status();
    let body = test::read_body(response).await;
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[actix_web::test]
async fn query_answers_what_the_books_answer() {
    let company = example().await;
    let people = [
        user("viewer", Role::Viewer, &[]),
        user("member", Role::Member, &["chat"]),
    ];
    for user in people {
        let cookie = signed_in(&company, &user).await;
        let scope = Scope::of(&user);
        for (metric, known, _) in METRICS {
            // How a metric is split is the store's affair; that the API passes it on, one split shows for most.
            let most = if *metric == "cost" { usize::MAX } else { 1 };
            for key in known.keys().iter().take(most) {
                let path = format!(
                    "/api/v1/query?metric={metric}&group_by={}&from={}&to={}",
                    key.name(),
                    WHOLE.0,
                    WHOLE.1
                );
                let expected = answer(&company, &scope, &query(metric, &[key.name()])).await;
                let (status, body) = get(&company, Some(&cookie), &path).await;
                assert_eq!(status, StatusCode::OK, "{path}: {body}");
                let found: NamedAnswer = serde_json::from_str(&body).unwrap();
                assert_eq!(found.answer, expected, "{path}");
                if *key == Key::Project {
                    assert_eq!(found.names["project"]["chat"], "对话服务", "{path}");
                }
                let mut csv = Vec::new();
                backend::report::query::table(&expected)
                    .csv(&mut csv, false)
                    .unwrap();
                let (status, body) =
                    get(&company, Some(&cookie), &format!("{path}&format=csv&bom=0")).await;
                assert_eq!(status, StatusCode::OK);
                assert_eq!(body, String::from_utf8(csv).unwrap(), "{path}");
            }
        }
    }
}

#[actix_web::test]
async fn the_pages_figures_have_the_querys_total() {
    let company = example().await;
    let cookie = signed_in(&company, &user("member", Role::Member, &["chat"])).await;
    let own = Scope::Projects(vec!["chat".to_owned()]);
    let range = format!("from={}&to={}", WHOLE.0, WHOLE.1);
    let expected = answer(&company, &own, &query("cost", &[Key::Site.name()])).await;
    let Some(api::query::Value::Money(total)) = expected.rows.last().unwrap().value.clone() else {
        panic!("cost is money: {expected:?}");
    };
    let (_, body) = get(
        &company,
        Some(&cookie),
        &format!("/api/v1/overview?{range}&grain=month"),
    )
    .await;
    let overview: Overview = serde_json::from_str(&body).unwrap();
    assert_eq!(overview.cost.value, total);
    let (_, body) = get(&company, Some(&cookie), &format!("/api/v1/waste?{range}")).await;
    let waste: WasteAnswer = serde_json::from_str(&body).unwrap();
    assert_eq!(waste.total, total);
    assert!(waste.entries.iter().all(|entry| entry.scope == "chat"));
}

#[actix_web::test]
async fn figures_are_for_those_who_signed_in() {
    let company = Company::new().await;
    for noun in ["query?metric=cost&", "overview?", "waste?"] {
        let path = format!("/api/v1/{noun}from=2026-10-01&to=2026-12-01");
        let (status, body) = get(&company, None, &path).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}: {body}");
    }
}
