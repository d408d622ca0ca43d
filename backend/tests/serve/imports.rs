//! What came in, as the API tells it: each reason by code and arguments, and in English for whoever reads it by hand.

use api::imports::ImportList;
use api::session::Role;
use api::{Language, Reason};
use serde_json::{Value, json};

use super::Visitor;
use crate::facts::Company;
use crate::facts::folder::Folder;

async fn imported() -> (Company, Visitor) {
    let store = Company::new().await;
    let files = Folder::new()
        .file(
            "samples.csv",
            "device,time,interval_s,g\nd1,2026-07-01T00:00:00Z,60,-1\nd1,2026-07-01 00:01,60,0.5\n",
        )
        .file("people.csv", "person,nmae\np1,P\n");
    store.import(&files).await;
    let visitor = Visitor::new(store.app(), Role::Admin).await;
    (store, visitor)
}

#[tokio::test]
async fn a_bad_file_is_told_by_code_and_in_english() {
    let (store, visitor) = imported().await;
    let answer = visitor.get(store.app(), "/api/v1/imports").await;
    let list: Value = answer.json();
    let [people, samples] = ["", "samples"].map(|kind| {
        let imports = list["imports"].as_array().unwrap();
        let found = imports.iter().find(|import| import["kind"] == kind);
        found.unwrap().clone()
    });
    assert_eq!(
        samples["rejections"],
        json!([{
            "line": 3,
            "column": "time",
            "reason": { "code": "no_offset", "given": "2026-07-01 00:01" },
            "text": "`2026-07-01 00:01` has no offset: write `+08:00` behind it, or `zone = \"Asia/Shanghai\"` in facts.toml beside the file"
        }])
    );
    assert_eq!(
        samples["dropped"],
        json!([{ "column": "g", "values": 1, "reason": { "code": "outside_fraction" }, "text": "outside 0 to 1.0050" }])
    );
    assert_eq!(
        people["messages"],
        json!([{
            "line": 1,
            "reason": { "code": "unknown_column", "column": "nmae", "kind": "people", "nearest": "name" },
            "text": "line 1: unknown column `nmae` for people; did you mean `name`?"
        }])
    );
}

#[tokio::test]
async fn the_page_can_tell_it_in_chinese() {
    let (store, visitor) = imported().await;
    let answer = visitor.get(store.app(), "/api/v1/imports").await;
    let list: ImportList = answer.json();
    let samples = list.imports.iter().find(|import| import.kind == "samples");
    let rejection = &samples.unwrap().rejections[0];
    assert_eq!(
        rejection.reason,
        Reason::NoOffset {
            given: "2026-07-01 00:01".to_owned()
        }
    );
    assert!(
        rejection
            .reason
            .text(Language::Chinese)
            .starts_with("`2026-07-01 00:01` 没有时区偏移"),
        "{rejection:?}"
    );
}
