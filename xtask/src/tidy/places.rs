//! Things that have one place in the house: SQL, the clock, the environment, HTTP status, fetching, plotly.js, and
//! everything the accounting core does without.

use super::Finding;
use crate::tree::{File, Tree};

/// Words that may stand only in certain files of a folder. A place ends in `/`, `.rs`, or is a prefix of both.
struct Place {
    folder: &'static str,
    words: &'static [&'static str],
    may: &'static [&'static str],
    rule: &'static str,
}

static PLACES: &[Place] = &[
    Place {
        folder: "backend/src/",
        words: &[
            "\"SELECT ",
            "\"INSERT INTO ",
            "\"UPDATE ",
            "\"DELETE FROM ",
            "\"WITH ",
            "\"COPY ",
            "\"CREATE TABLE ",
            "\"ALTER TABLE ",
            "\"TRUNCATE ",
            "sqlx::query",
            "Statement::from_",
        ],
        may: &["backend/src/store/"],
        rule: "ARCHITECTURE.md, Arrows: SQL stands only in backend/src/store/ and migrations/, where Scope is enforced.",
    },
    Place {
        folder: "backend/src/",
        words: &["Utc::now", "Local::now", "SystemTime::now"],
        may: &["backend/src/clock.rs"],
        rule: "ARCHITECTURE.md, Arrows: the clock is read only in backend/src/clock.rs, so that tests can set it.",
    },
    Place {
        folder: "backend/src/",
        words: &["env::var", "env::vars", "env::set_var"],
        may: &["backend/src/config.rs", "backend/src/config/"],
        rule: "ARCHITECTURE.md, Arrows: the environment is read only in backend/src/config, so that check can say where a value came from.",
    },
    Place {
        folder: "backend/src/",
        words: &["StatusCode::"],
        may: &["backend/src/serve/error.rs"],
        rule: "ARCHITECTURE.md, Arrows: HTTP status stands only in backend/src/serve/error.rs; return an error of the closed list.",
    },
    Place {
        folder: "frontend/src/",
        words: &["gloo_net::", "fetch_with_"],
        may: &["frontend/src/api.rs"],
        rule: "ARCHITECTURE.md, the house: frontend/src/api.rs is the only fetcher.",
    },
    Place {
        folder: "frontend/src/",
        words: &["Plotly"],
        may: &["frontend/src/charts/plot.rs"],
        rule: "ARCHITECTURE.md, the house: frontend/src/charts/plot.rs is the only door to plotly.js.",
    },
    Place {
        folder: "accounting/src/",
        words: &[
            "std::fs",
            "std::net",
            "std::env",
            "std::io",
            "std::process",
            "std::thread",
            "SystemTime",
            "Instant::now",
            "Utc::now",
            "Local::now",
        ],
        may: &[],
        rule: "ARCHITECTURE.md, the house: accounting has no I/O, no clock and no randomness.",
    },
];

pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for place in PLACES {
        let elsewhere = tree
            .below(place.folder)
            .filter(|file| file.has_extension(&["rs"]))
            .filter(|file| !place.may.iter().any(|may| file.path.starts_with(may)));
        for file in elsewhere {
            findings.extend(misplaced(file, place));
        }
    }
    findings
}

fn misplaced(file: &File, place: &Place) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, text) in file.code_lines() {
        if let Some(word) = place.words.iter().find(|word| text.contains(**word)) {
            findings.push(Finding {
                path: file.path.clone(),
                line: Some(line),
                what: format!("`{}` is out of its place", word.trim_matches(['"', ' '])),
                rule: place.rule,
            });
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tree::Tree;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&Tree::of(&[(path, text)]))
            .into_iter()
            .filter_map(|finding| finding.line)
            .collect()
    }

    #[test]
    fn what_is_out_of_its_place_is_found() {
        for (path, bad) in [
            ("backend/src/serve/query.rs", "let q = \"SELECT 1\";"),
            ("backend/src/command/import.rs", "sqlx::query(text)"),
            ("backend/src/tasks/mod.rs", "let now = Utc::now();"),
            ("backend/src/main.rs", "std::env::var(\"HOME\")"),
            ("backend/src/serve/query.rs", "StatusCode::NOT_FOUND"),
            ("frontend/src/pages/costs.rs", "use gloo_net::http;"),
            ("accounting/src/ledger.rs", "let t = std::fs::read(path);"),
        ] {
            assert_eq!(
                lines(path, &format!("// first\n{bad}\n")),
                [2],
                "{path}: {bad}"
            );
        }
    }

    #[test]
    fn the_right_place_comments_and_tests_are_left_alone() {
        assert!(lines("backend/src/store/days.rs", "let q = \"SELECT 1\";").is_empty());
        assert!(lines("backend/src/config/file.rs", "std::env::var(\"A\")").is_empty());
        assert!(
            lines(
                "backend/src/app.rs",
                "// not Utc::now\n#[cfg(test)]\nUtc::now()"
            )
            .is_empty()
        );
        assert!(lines("accounting/tests/ledger.rs", "use std::fs;").is_empty());
    }
}
