//! The house rules that a compiler cannot see, read from the tracked files. Every failure names the place and prints
//! the sentence of the rule, which is where to read why.
//!
//! A rule is one file: a `check` from the tree to findings, with bad examples in its tests.

mod arrows;
mod documents;
mod locales;
mod places;
mod sizes;
mod words;

use std::path::Path;

use crate::failure::Failure;
use crate::tree::Tree;

/// A place that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Finding {
    pub path: String,
    /// From 1; `None` when it is about the whole file.
    pub line: Option<usize>,
    pub what: String,
    /// The rule, in the words of the document that states it.
    pub rule: &'static str,
}

type Rule = fn(&Tree) -> Vec<Finding>;

static RULES: &[(&str, Rule)] = &[
    ("arrows", arrows::check),
    ("places", places::check),
    ("sizes", sizes::check),
    ("locales", locales::check),
    ("documents", documents::check),
    ("words", words::check),
];

pub fn run(root: &Path) -> Result<(), Failure> {
    let tree = Tree::read(root)?;
    let mut broken = 0;
    for (_, rule) in RULES {
        for finding in rule(&tree) {
            broken += 1;
            let line = finding.line.map(|n| format!(":{n}")).unwrap_or_default();
            println!(
                "{}{line}: {}\n    {}",
                finding.path, finding.what, finding.rule
            );
        }
    }
    let names: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
    if broken > 0 {
        return Err(Failure::new(format!("tidy: {broken} places break a rule")));
    }
    println!(
        "tidy: {} files keep the rules ({})",
        tree.files.len(),
        names.join(", ")
    );
    Ok(())
}
