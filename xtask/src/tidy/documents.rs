//! A path that a document names exists: in `README.md`, `ARCHITECTURE.md`, `CONTRIBUTING.md` and `docs/`.
//!
//! Paths are read from `code spans` and from links. A span counts as a path when it has a `/`, no space or wildcard,
//! and begins with something that exists at the top of the repository or ends like a file of ours.

use super::Finding;
use crate::tree::{File, Tree};

const RULE: &str =
    "CONTRIBUTING.md, Style: documents describe what exists; a path that moved moves in them too.";

/// What is made, not tracked.
static MADE: &[&str] = &["dist", "data", "target", "node_modules"];

pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| is_document(&file.path)) {
        for (line, path) in named_paths(file) {
            if looks_like_ours(tree, &path) && !exists(tree, &file.path, &path) {
                findings.push(Finding {
                    path: file.path.clone(),
                    line: Some(line),
                    what: format!("there is no `{path}`"),
                    rule: RULE,
                });
            }
        }
    }
    findings
}

fn is_document(path: &str) -> bool {
    let at_the_top = matches!(path, "README.md" | "ARCHITECTURE.md" | "CONTRIBUTING.md");
    at_the_top || (path.starts_with("docs/") && path.ends_with(".md"))
}

/// Code spans outside fenced blocks, and the targets of links.
fn named_paths(file: &File) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut is_fenced = false;
    for (line, text) in (1..).zip(file.text.lines()) {
        if text.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
            continue;
        }
        if is_fenced {
            continue;
        }
        let spans = text.split('`').skip(1).step_by(2);
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', '#']).next());
        found.extend(spans.chain(links).map(|path| (line, path.to_owned())));
    }
    found
}

fn looks_like_ours(tree: &Tree, path: &str) -> bool {
    let is_plain = path
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'));
    let is_relative = !path.starts_with(['/', '.']);
    let Some((top, _)) = path.split_once('/') else {
        return false;
    };
    let ends_like_a_file = [".rs", ".md", ".sh", ".toml", ".mjs", ".csv", ".yml"]
        .iter()
        .any(|ending| path.ends_with(ending));
    is_plain && is_relative && !MADE.contains(&top) && (tree.has(top) || ends_like_a_file)
}

/// From the root, from the document's own folder, or from a crate's sources.
fn exists(tree: &Tree, document: &str, path: &str) -> bool {
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    tree.has(path)
        || tree.has(&format!("{folder}/{path}"))
        || [
            "accounting",
            "api",
            "backend",
            "frontend",
            "migrations",
            "seed",
            "xtask",
        ]
        .iter()
        .any(|name| tree.has(&format!("{name}/src/{path}")))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tree::Tree;

    fn missing(text: &str) -> Vec<String> {
        let tree = Tree::of(&[
            ("docs/accounting.md", ""),
            ("backend/src/store/days.rs", ""),
            ("docs/notes.md", text),
        ]);
        check(&tree)
            .into_iter()
            .map(|finding| finding.what)
            .collect()
    }

    #[test]
    fn a_path_that_is_not_there_is_found() {
        assert_eq!(
            missing("see `backend/src/gone.rs`"),
            ["there is no `backend/src/gone.rs`"]
        );
        assert_eq!(
            missing("see [it](decisions/gone.md#x)"),
            ["there is no `decisions/gone.md`"]
        );
        assert_eq!(
            missing("a folder `backend/lost/`"),
            ["there is no `backend/lost/`"]
        );
    }

    #[test]
    fn what_is_there_and_what_is_no_path_is_left_alone() {
        for fine in [
            "`backend/src/store/days.rs`, `backend/src/store/`, `store/days.rs`, [a](accounting.md)",
            "shares `k/n`, `GET /api/v1/query`, `/healthz`, `./data`, `dist/assets/page.js`, `a/*.rs`",
            "```\nbackend/src/gone.rs\n```",
        ] {
            assert!(missing(fine).is_empty(), "{fine}");
        }
    }
}
