//! Words that do not belong into a repository others clone: folders of one machine, hosts of package registries.

use super::Finding;
use crate::tree::Tree;

const MACHINE_RULE: &str =
    "CONTRIBUTING.md, Style: no path of one machine stands in a tracked file.";
const HOST_RULE: &str = "CONTRIBUTING.md, Style: registries are reached through their own clients, and no file names their hosts.";

/// Put together here, so that this file keeps its own rule.
fn hosts() -> Vec<String> {
    [
        ("crates", "io"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("debian", "org"),
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("rust-lang", "org"),
        ("unpkg", "com"),
        ("jsdelivr", "net"),
    ]
    .iter()
    .map(|(name, ending)| format!("{name}.{ending}"))
    .collect()
}

fn folders() -> Vec<String> {
    ["work", "root", "home"]
        .iter()
        .map(|name| format!("/{name}/"))
        .collect()
}

pub fn check(tree: &Tree) -> Vec<Finding> {
    let (hosts, folders) = (hosts(), folders());
    let mut findings = Vec::new();
    for file in &tree.files {
        if file.has_extension(&["lock", "svg"]) || file.path.ends_with("-lock.json") {
            continue;
        }
        for (line, text) in (1..).zip(file.text.lines()) {
            let host = hosts.iter().find(|host| text.contains(host.as_str()));
            let folder = folders.iter().find(|folder| begins_with(text, folder));
            let breaks = [(host, HOST_RULE), (folder, MACHINE_RULE)];
            for (word, rule) in breaks
                .into_iter()
                .filter_map(|(word, rule)| Some((word?, rule)))
            {
                findings.push(Finding {
                    path: file.path.clone(),
                    line: Some(line),
                    what: format!("names {word}"),
                    rule,
                });
            }
        }
    }
    findings
}

/// Does a path in this line begin with the folder? `api/work/` does not.
fn begins_with(text: &str, folder: &str) -> bool {
    text.match_indices(folder).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| {
            !c.is_alphanumeric() && !matches!(c, '.' | '_' | '-' | '}' | '*' | '/' | '~')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{begins_with, check, folders, hosts};
    use crate::tree::Tree;

    #[test]
    fn hosts_and_machine_paths_are_found() {
        for word in hosts().into_iter().chain(folders()) {
            let text = format!("one\nsee \"{word}x\"\n");
            let found = check(&Tree::of(&[("a.rs", text.as_str())]));
            assert_eq!(found.len(), 1, "{word}");
            assert_eq!(found.first().and_then(|finding| finding.line), Some(2));
            assert!(check(&Tree::of(&[("Cargo.lock", text.as_str())])).is_empty());
        }
    }

    #[test]
    fn a_folder_inside_a_relative_path_is_no_machine_path() {
        let folder = format!("/{}/", "work");
        assert!(!begins_with(&format!("api{folder}x"), &folder));
        assert!(begins_with(&format!("cd {folder}x"), &folder));
    }
}
