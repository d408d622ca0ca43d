//! A file that grew beyond 600 lines holds more than one noun, unless its first lines say why not.

use super::Finding;
use crate::tree::Tree;

const LIMIT: usize = 600;
const REASON: &str = "Longer than 600 lines because";
const RULE: &str = "CONTRIBUTING.md, Style: about 400 lines is large; beyond 600 the first lines say \"Longer than 600 lines because …\".";

pub fn check(tree: &Tree) -> Vec<Finding> {
    tree.files
        .iter()
        .filter(|file| file.has_extension(&["rs", "mjs", "js", "css", "sh"]))
        .filter_map(|file| {
            let lines = file.text.lines().count();
            let explained = file.text.lines().take(12).any(|line| line.contains(REASON));
            (lines > LIMIT && !explained).then(|| Finding {
                path: file.path.clone(),
                line: None,
                what: format!("{lines} lines"),
                rule: RULE,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tree::Tree;

    #[test]
    fn a_long_file_without_reason_is_found() {
        let long = "let x = 1;\n".repeat(601);
        let explained = format!("//! Longer than 600 lines because it is a table.\n{long}");
        let tree = Tree::of(&[
            ("a.rs", long.as_str()),
            ("b.rs", explained.as_str()),
            ("c.csv", long.as_str()),
            ("d.rs", "short"),
        ]);
        let found: Vec<String> = check(&tree)
            .into_iter()
            .map(|finding| finding.path)
            .collect();
        assert_eq!(found, ["a.rs"]);
    }
}
