//! Both languages say the same things, and say nothing that no page asks for.
//!
//! Texts stand in `frontend/locales/LANGUAGE/…json`; a key counts as used when its last part stands in the page's
//! sources or its whole path is built there.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Finding;
use crate::tree::{File, Tree};

const RULE: &str = "CONTRIBUTING.md, Texts: Chinese and English are both complete, and a text that no page uses is removed.";
const FOLDER: &str = "frontend/locales/";

pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    // file name without language -> language -> its file and keys
    let mut texts: BTreeMap<String, BTreeMap<String, (&File, Vec<String>)>> = BTreeMap::new();
    let mut languages: Vec<String> = Vec::new();
    for file in tree
        .below(FOLDER)
        .filter(|file| file.has_extension(&["json"]))
    {
        let Some((language, name)) = split(&file.path) else {
            continue;
        };
        match serde_json::from_str::<Value>(&file.text) {
            Ok(value) => {
                let mut keys = Vec::new();
                collect_keys(&value, String::new(), &mut keys);
                if !languages.contains(&language) {
                    languages.push(language.clone());
                }
                texts
                    .entry(name)
                    .or_default()
                    .insert(language, (file, keys));
            }
            Err(error) => findings.push(finding(&file.path, format!("is no JSON: {error}"))),
        }
    }
    let sources: String = tree
        .below("frontend/src/")
        .map(|file| file.text.as_str())
        .collect();
    for (name, by_language) in &texts {
        for language in &languages {
            missing(name, language, by_language, &mut findings);
        }
        if let Some((file, keys)) = by_language.values().next() {
            let unused = keys.iter().filter(|key| !is_used(key, &sources));
            findings.extend(unused.map(|key| finding(&file.path, format!("no page uses `{key}`"))));
        }
    }
    findings
}

/// `frontend/locales/zh/overview.json` → (`zh`, `overview.json`); `frontend/locales/zh.json` → (`zh`, ``).
fn split(path: &str) -> Option<(String, String)> {
    let rest = path.strip_prefix(FOLDER)?;
    let (language, name) = rest
        .split_once('/')
        .unwrap_or((rest.strip_suffix(".json")?, ""));
    Some((language.to_owned(), name.to_owned()))
}

fn collect_keys(value: &Value, prefix: String, keys: &mut Vec<String>) {
    match value.as_object() {
        Some(map) => {
            for (name, below) in map {
                let path = if prefix.is_empty() {
                    name.clone()
                } else {
                    format!("{prefix}.{name}")
                };
                collect_keys(below, path, keys);
            }
        }
        None => keys.push(prefix),
    }
}

fn missing(
    name: &str,
    language: &str,
    by_language: &BTreeMap<String, (&File, Vec<String>)>,
    findings: &mut Vec<Finding>,
) {
    let Some((file, keys)) = by_language.get(language) else {
        findings.push(finding(
            &format!("{FOLDER}{language}/{name}"),
            "is missing".to_owned(),
        ));
        return;
    };
    for (other, (_, wanted)) in by_language {
        // Plural forms differ between languages by nature.
        let lacking = wanted
            .iter()
            .filter(|key| !keys.iter().any(|own| base(own) == base(key)));
        findings.extend(
            lacking.map(|key| finding(&file.path, format!("lacks `{key}`, which {other} has"))),
        );
    }
}

/// The key without its plural form (`days_one`, `days_other` are `days`).
fn base(key: &str) -> &str {
    ["_zero", "_one", "_two", "_few", "_many", "_other"]
        .iter()
        .find_map(|form| key.strip_suffix(form))
        .unwrap_or(key)
}

fn is_used(key: &str, sources: &str) -> bool {
    [key, base(key)]
        .iter()
        .any(|key| has_word(sources, key.rsplit('.').next().unwrap_or(key)))
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text
            .get(at + word.len()..)
            .and_then(|text| text.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

fn finding(path: &str, what: String) -> Finding {
    Finding {
        path: path.to_owned(),
        line: None,
        what,
        rule: RULE,
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tree::Tree;

    fn complaints(zh: &str, en: &str, source: &str) -> Vec<String> {
        check(&Tree::of(&[
            ("frontend/locales/en/page.json", en),
            ("frontend/locales/zh/page.json", zh),
            ("frontend/src/main.rs", source),
        ]))
        .into_iter()
        .map(|finding| finding.what)
        .collect()
    }

    #[test]
    fn a_text_that_one_language_lacks_is_found() {
        assert_eq!(
            complaints(
                r#"{"a":{"cost":"成本"}}"#,
                r#"{"a":{}}"#,
                "t!(i18n, page.a.cost)"
            ),
            ["lacks `a.cost`, which zh has"]
        );
    }

    #[test]
    fn a_text_that_no_page_uses_is_found() {
        assert_eq!(
            complaints(
                r#"{"cost":"成本","old":"旧"}"#,
                r#"{"cost":"Cost","old":"Old"}"#,
                "t!(i18n, page.cost, older)"
            ),
            ["no page uses `old`"]
        );
    }

    #[test]
    fn a_name_that_ends_like_a_plural_form_is_used_as_it_stands() {
        let text = r#"{"pue_below_one":"PUE"}"#;
        assert!(complaints(text, text, "pue_below_one").is_empty());
    }

    #[test]
    fn plural_forms_may_differ_and_complete_texts_pass() {
        let found = complaints(
            r#"{"days_other":"{{ count }} 天"}"#,
            r#"{"days_one":"1 day","days_other":"{{ count }} days"}"#,
            "t!(i18n, page.days, count = n)",
        );
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_file_of_one_language_alone_is_found() {
        let tree = Tree::of(&[
            ("frontend/locales/zh/a.json", "{}"),
            ("frontend/locales/en/a.json", "{}"),
            ("frontend/locales/zh/b.json", "{}"),
        ]);
        let found: Vec<String> = check(&tree)
            .into_iter()
            .map(|finding| finding.path)
            .collect();
        assert_eq!(found, ["frontend/locales/en/b.json"]);
    }
}
