//! Who may know whom: crates by their manifests, the server's rooms by their imports (ARCHITECTURE.md, "Arrows").

use super::Finding;
use crate::tree::{File, Tree};

const RULE: &str = "ARCHITECTURE.md, Arrows: an import goes only where an arrow goes; move the code, or draw the arrow there first.";

/// Our crates, and which of them each may depend on.
static CRATES: &[(&str, &[&str])] = &[
    ("accounting", &[]),
    ("api", &[]),
    ("migrations", &[]),
    ("seed", &[]),
    ("frontend", &["accounting", "api"]),
    ("backend", &["accounting", "api", "migrations", "seed"]),
    ("xtask", &["seed"]),
];

/// Rooms of the server, and which rooms each may import. `clock`, `config` and `embedded` are no rooms: they know none.
static ROOMS: &[(&str, &[&str])] = &[
    ("facts", &["store"]),
    ("store", &[]),
    ("tasks", &["facts", "store"]),
    ("report", &["store"]),
    ("serve", &["store", "facts", "tasks", "report"]),
    ("command", &["store", "facts", "tasks", "report", "serve"]),
    ("clock", &[]),
    ("config", &[]),
    ("embedded", &[]),
];

pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, allowed) in CRATES {
        for file in tree
            .files
            .iter()
            .filter(|file| file.path == format!("{name}/Cargo.toml"))
        {
            crate_arrows(file, name, allowed, &mut findings);
        }
    }
    for file in tree.below("backend/src/") {
        let Some((room, allowed)) = ROOMS.iter().find(|(room, _)| is_in_room(&file.path, room))
        else {
            continue;
        };
        for (line, import) in imports(&file.text) {
            let known = ROOMS.iter().any(|(name, _)| *name == import);
            let is_room = known && !matches!(import.as_str(), "clock" | "config" | "embedded");
            if is_room && import != *room && !allowed.contains(&import.as_str()) {
                findings.push(found(file, line, format!("{room} imports {import}")));
            }
        }
    }
    findings
}

fn crate_arrows(file: &File, name: &str, allowed: &[&str], findings: &mut Vec<Finding>) {
    let mut is_for_tests = false;
    for (line, text) in (1..).zip(file.text.lines()) {
        if text.starts_with('[') {
            is_for_tests = text.starts_with("[dev-dependencies");
        }
        let dependency: String = text
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
            .collect();
        let is_ours = CRATES.iter().any(|(ours, _)| *ours == dependency);
        let is_dependency = text.contains("workspace = true") || text.contains("path =");
        if is_ours && is_dependency && !is_for_tests && !allowed.contains(&dependency.as_str()) {
            findings.push(found(file, line, format!("{name} depends on {dependency}")));
        }
    }
}

fn found(file: &File, line: usize, what: String) -> Finding {
    Finding {
        path: file.path.clone(),
        line: Some(line),
        what,
        rule: RULE,
    }
}

fn is_in_room(path: &str, room: &str) -> bool {
    path.strip_prefix("backend/src/")
        .and_then(|rest| rest.strip_prefix(room))
        .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// The first segment of everything reached through `crate::`, with its line; `use crate::{a, b::c}` gives both.
fn imports(text: &str) -> Vec<(usize, String)> {
    let code: String = text
        .lines()
        .take_while(|line| !line.trim_start().starts_with("#[cfg(test)]"))
        .map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n")
        .collect();
    let mut found = Vec::new();
    let mut line = 1;
    let mut pieces = code.split("crate::");
    line += pieces
        .next()
        .map_or(0, |before| before.matches('\n').count());
    for piece in pieces {
        let names = match piece.strip_prefix('{') {
            Some(group) => top_level_names(group),
            None => vec![first_name(piece)],
        };
        found.extend(names.into_iter().map(|name| (line, name)));
        line += piece.matches('\n').count();
    }
    found
}

fn first_name(text: &str) -> String {
    text.trim_start()
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect()
}

/// `a::{x, y}, b}` gives `a` and `b`.
fn top_level_names(group: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 1;
    let mut item = String::new();
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(first_name(&std::mem::take(&mut item))),
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if !(c == ',' && depth == 1) {
            item.push(c);
        }
    }
    names.push(first_name(&item));
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::{check, imports};
    use crate::tree::Tree;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)]))
            .into_iter()
            .map(|finding| format!("{}: {}", finding.line.unwrap_or_default(), finding.what))
            .collect()
    }

    #[test]
    fn a_core_that_knows_a_crate_of_ours_is_found() {
        let manifest = "[dependencies]\nchrono.workspace = true\napi.workspace = true\n";
        assert_eq!(
            complaints("accounting/Cargo.toml", manifest),
            ["3: accounting depends on api"]
        );
        let tests_may = "[dev-dependencies]\napi.workspace = true\n";
        assert!(complaints("accounting/Cargo.toml", tests_may).is_empty());
        let table = "[dependencies]\nbackend = { path = \"../backend\" }\n";
        assert_eq!(
            complaints("frontend/Cargo.toml", table),
            ["2: frontend depends on backend"]
        );
    }

    #[test]
    fn a_room_that_reaches_against_the_arrows_is_found() {
        assert_eq!(
            complaints(
                "backend/src/store/days.rs",
                "use crate::config::X;\nuse crate::tasks::Y;\n"
            ),
            ["2: store imports tasks"]
        );
        assert_eq!(
            complaints(
                "backend/src/facts/mod.rs",
                "use crate::{\n    serve::{A, B},\n    store,\n};\n"
            ),
            ["1: facts imports serve"]
        );
        assert_eq!(
            complaints("backend/src/report.rs", "fn f() { crate::command::g() }\n"),
            ["1: report imports command"]
        );
    }

    #[test]
    fn arrows_that_exist_and_comments_are_left_alone() {
        let text = "//! see crate::serve\nuse crate::store::Scope;\n#[cfg(test)]\nmod tests { use crate::serve; }\n";
        assert!(complaints("backend/src/facts/mod.rs", text).is_empty());
    }

    #[test]
    fn groups_give_every_first_name() {
        let names: Vec<String> = imports("use crate::{a, b::{c, d}, e::f};")
            .into_iter()
            .map(|(_, name)| name)
            .collect();
        assert_eq!(names, ["a", "b", "e"]);
    }
}
