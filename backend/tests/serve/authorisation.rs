//! Every operation of the API's description is asked without a session and as each role. An operation that is not in
//! the list below fails, so that none is added without a thought about who may use it.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use api::ErrorCode;
use api::session::Role;
use backend::serve::description;

use super::{Visitor, ask};
use crate::support;

/// Operations for everybody, for whoever is signed in, and for who sees the whole company.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Everybody,
    SignedIn,
    Company,
}

const CASES: &[(&str, &str, Who)] = &[
    ("post", "/api/v1/session", Who::Everybody),
    ("get", "/api/v1/session", Who::SignedIn),
    ("delete", "/api/v1/session", Who::SignedIn),
    ("get", "/api/v1/imports", Who::Company),
    ("get", "/api/v1/health", Who::Company),
    ("get", "/api/v1/query", Who::SignedIn),
    ("get", "/api/v1/overview", Who::SignedIn),
    ("get", "/api/v1/waste", Who::SignedIn),
];

fn operations() -> Vec<(String, String)> {
    let description: serde_json::Value = serde_json::from_str(&description()).unwrap();
    let paths = description["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(move |method| (method.clone(), path.clone()))
        })
        .collect()
}

fn method(name: &str) -> Method {
    name.to_uppercase().parse().unwrap()
}

#[test]
fn every_operation_has_a_case_and_every_case_an_operation() {
    let mut described = operations();
    let mut cases: Vec<_> = CASES
        .iter()
        .map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned()))
        .collect();
    described.sort();
    cases.sort();
    assert_eq!(described, cases);
}

#[tokio::test]
async fn without_a_session_nothing_is_answered() {
    let database = support::database().await;
    for (name, path, who) in CASES.iter().filter(|case| case.2 != Who::Everybody) {
        for cookie in [
            "",
            "suanzhang_session=",
            "suanzhang_session=0123456789abcdef",
        ] {
            let request = TestRequest::with_uri(path)
                .method(method(name))
                .insert_header(("cookie", cookie));
            let problem = ask(&database.app, request).await.problem();
            let expected = (401, ErrorCode::SignInRequired);
            assert_eq!((problem.status, problem.code), expected, "{name} {path}");
        }
        assert!(*who != Who::Everybody);
    }
}

#[tokio::test]
async fn who_sees_a_part_is_not_told_of_the_whole() {
    let database = support::database().await;
    let app = &database.app;
    for role in [
        Role::Admin,
        Role::Finance,
        Role::Viewer,
        Role::Lead,
        Role::Member,
    ] {
        let visitor = Visitor::new(app, role).await;
        let sees_all = !matches!(role, Role::Lead | Role::Member);
        for (_, path, _) in CASES.iter().filter(|case| case.2 == Who::Company) {
            let answer = visitor.get(app, path).await;
            if sees_all {
                assert_eq!(answer.status, 200, "{role:?} {path} {}", answer.text());
            } else {
                assert_eq!(answer.problem().code, ErrorCode::Forbidden, "{path}");
            }
        }
    }
}
