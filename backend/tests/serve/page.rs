//! The page's files: what is a file is served as one, every other address is the page's own.

use std::fs;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use backend::app::App;

use super::{ask, get};
use crate::support;

fn with_page(app: &App) -> (App, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("dist");
    fs::create_dir_all(page.join("assets")).unwrap();
    fs::write(
        page.join("index.html"),
        "<!doctype html><title>page</title>",
    )
    .unwrap();
    fs::write(page.join("assets/page_bg.wasm"), b"\0asm").unwrap();
    fs::write(page.join(".built"), "small").unwrap();
    fs::write(folder.path().join("secret"), "secret").unwrap();
    let mut app = app.clone();
    app.config.page_dir = page;
    (app, folder)
}

#[tokio::test]
async fn files_have_their_type_and_other_addresses_are_the_page() {
    let database = support::database().await;
    let (app, _folder) = with_page(&database.app);
    let wasm = get(&app, "/assets/page_bg.wasm").await;
    assert_eq!(wasm.header("content-type"), "application/wasm");
    for path in ["/", "/waste", "/costs/a/b?from=2026-01-01"] {
        let answer = get(&app, path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.header("content-type").starts_with("text/html"));
        assert!(answer.text().contains("<title>page</title>"), "{path}");
    }
    for path in [
        "/assets/missing.js",
        "/../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
        "/.built",
    ] {
        let answer = get(&app, path).await;
        assert!(!answer.text().contains("secret"), "{path}");
        assert!(!answer.text().contains("small"), "{path}");
    }
    assert_eq!(get(&app, "/assets/missing.js").await.status, 404);
    // A monitor must not take the page for its figures.
    assert_eq!(get(&app, "/metrics").await.status, 404);
}

#[tokio::test]
async fn heads_are_answered_like_the_whole() {
    let database = support::database().await;
    let (app, _folder) = with_page(&database.app);
    for (path, status) in [
        ("/", 200),
        ("/healthz", 200),
        ("/api/v1/session", 401),
        ("/api/v1/x", 404),
    ] {
        let request = TestRequest::default().method(Method::HEAD).uri(path);
        assert_eq!(ask(&app, request).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let database = support::database().await;
    let (app, _folder) = with_page(&database.app);
    let first = get(&app, "/").await;
    let tag = first.header("etag");
    assert!(!tag.is_empty());
    assert_eq!(first.header("cache-control"), "no-cache");
    let again = TestRequest::get()
        .uri("/")
        .insert_header(("if-none-match", tag));
    let answer = ask(&app, again).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0));
}

#[tokio::test]
async fn a_page_that_is_not_built_is_said_to_be() {
    let database = support::database().await;
    let mut app = database.app.clone();
    app.config.page_dir = "/nowhere".into();
    let answer = get(&app, "/").await;
    assert!(answer.text().contains("cargo xtask page"));
}
