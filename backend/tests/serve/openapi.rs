//! The description in docs/openapi.json is the one the server gives, and its page works without anything from outside.
//!
//! `UPDATE_OPENAPI=1 cargo nextest run -p backend openapi` writes it anew.

use std::path::Path;

use super::get;
use crate::support;
use backend::serve::description;

#[test]
fn the_kept_description_is_the_true_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let now = format!("{}\n", description());
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == now,
        "the API has changed: a change of what is there is a new version, something new is written into \
         docs/openapi.json by UPDATE_OPENAPI=1 cargo nextest run -p backend openapi"
    );
}

#[tokio::test]
async fn the_page_loads_only_from_us_and_runs_no_inline_script() {
    let database = support::database().await;
    let app = &database.app;
    let described = get(app, "/api/openapi.json").await;
    let described: serde_json::Value = described.json();
    assert!(described["openapi"].as_str().unwrap().starts_with("3.1"));

    assert_eq!(get(app, "/api/docs").await.header("location"), "/api/docs/");
    let page = get(app, "/api/docs/").await;
    assert_eq!(page.status, 200);
    let html = page.text();
    assert!(!html.contains("http://") && !html.contains("https://"));
    for script in html.split("<script").skip(1) {
        let (attributes, content) = script.split_once('>').unwrap();
        assert!(attributes.contains("src="), "{script}");
        assert!(content.starts_with("</script>") || content.trim_start().starts_with("</script>"));
        let source = attributes
            .split('"')
            .find(|part| part.ends_with(".js"))
            .unwrap();
        let path = format!("/api/docs/{}", source.trim_start_matches("./"));
        assert_eq!(get(app, &path).await.status, 200, "{path}");
    }
    let start = get(app, "/api/docs/swagger-initializer.js").await;
    assert!(start.text().contains("/api/openapi.json"));
}
