//! The database goes away and comes back while the server runs.

use std::time::Duration;

use api::ErrorCode;
use api::session::Role;
use backend::app::App;
use backend::embedded::{Embedded, Purpose};
use backend::store::pool;

use super::{Visitor, get};
use crate::support;

async fn start(folder: &std::path::Path) -> Embedded {
    let folder = folder.to_owned();
    let open = move || Embedded::open(&folder, Purpose::Command("test".to_owned()));
    tokio::task::spawn_blocking(open).await.unwrap().unwrap()
}

async fn stop(server: Embedded) {
    tokio::task::spawn_blocking(|| server.stop()).await.unwrap();
}

#[tokio::test]
async fn requests_are_told_so_and_answered_again_afterwards() {
    let folder = support::folder();
    let server = start(folder.path()).await;
    let app = App {
        db: pool::connect(&server.url()).await.unwrap(),
        config: backend::config::Config::default(),
        clock: backend::clock::Clock::system(),
    };
    pool::migrate(&app.db).await.unwrap();
    let visitor = Visitor::new(&app, Role::Viewer).await;
    assert_eq!(visitor.get(&app, "/api/v1/imports").await.status, 200);

    stop(server).await;
    for path in [
        "/api/v1/session",
        "/api/v1/imports",
        "/api/v1/health",
        "/readyz",
    ] {
        let asked = tokio::time::timeout(Duration::from_secs(20), visitor.get(&app, path));
        let answer = asked.await.unwrap();
        assert_eq!(answer.header("retry-after"), "5", "{path}");
        let problem = answer.problem();
        let expected = (503, ErrorCode::DatabaseUnavailable);
        assert_eq!((problem.status, problem.code), expected, "{path}");
    }
    assert_eq!(get(&app, "/healthz").await.status, 200);

    let server = start(folder.path()).await;
    assert_eq!(visitor.get(&app, "/api/v1/imports").await.status, 200);
    assert_eq!(get(&app, "/readyz").await.status, 200);
    app.db.close().await.unwrap();
    stop(server).await;
}
