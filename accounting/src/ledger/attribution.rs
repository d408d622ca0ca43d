//! Who a workload belongs to on a ledger day: its explicit project, else the first rule that matches.
//!
//! Rules are those valid at the day's first instant, in their order; a person is the rule's, else the one people.csv
//! names by the user. No match is unattributed: a visible line, never a default project.

use std::collections::HashMap;

use crate::facts::{Applies, Condition, Facts, Person, Rule, Workload};
use crate::ids::Id;
use crate::time::Ms;

/// The payer and person of a workload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Owner {
    pub project: Option<Id>,
    pub person: Option<Id>,
}

pub(crate) struct Attribution<'f> {
    rules: Vec<&'f Rule>,
    people: HashMap<&'f str, Vec<&'f Person>>,
}

impl<'f> Attribution<'f> {
    pub fn new(facts: &'f Facts) -> Self {
        let mut rules: Vec<&Rule> = facts
            .rules
            .iter()
            .filter(|rule| rule.applies == Applies::Workload)
            .collect();
        rules.sort_by(|a, b| {
            (a.order, &a.rule, a.valid.from).cmp(&(b.order, &b.rule, b.valid.from))
        });
        let mut people: HashMap<&str, Vec<&Person>> = HashMap::new();
        for person in &facts.people {
            people.entry(&*person.person).or_default().push(person);
        }
        Self { rules, people }
    }

    pub fn owner(&self, workload: &Workload, day_start: Ms) -> Owner {
        let rule = self
            .rules
            .iter()
            .filter(|rule| rule.valid.contains(day_start))
            .find(|rule| {
                rule.conditions
                    .iter()
                    .all(|condition| holds(condition, workload))
            });
        let project = workload
            .project
            .clone()
            .or_else(|| rule.and_then(|rule| rule.project.clone()));
        let by_user = workload.user.as_ref().filter(|user| {
            self.people
                .get(&***user)
                .is_some_and(|rows| rows.iter().any(|row| row.valid.contains(day_start)))
        });
        // An explicit project leaves no rule to name the person.
        let named = rule
            .filter(|_| workload.project.is_none())
            .and_then(|rule| rule.person.clone());
        Owner {
            project,
            person: named.or_else(|| by_user.cloned()),
        }
    }
}

fn holds(condition: &Condition, workload: &Workload) -> bool {
    let value: Option<&str> = match condition.key.as_str() {
        "source" => Some(&workload.source),
        "kind" => Some(workload.kind.name()),
        "name" => Some(&workload.name),
        "user" => workload.user.as_deref(),
        "queue" => workload.queue.as_deref(),
        "namespace" => workload.namespace.as_deref(),
        "account" => workload.account.as_deref(),
        "workload" => Some(&workload.workload),
        key => key
            .strip_prefix("label.")
            .and_then(|name| workload.labels.iter().find(|(k, _)| k == name))
            .map(|(_, value)| value.as_str()),
    };
    value.is_some_and(|value| {
        if condition.glob {
            glob(&condition.value, value)
        } else {
            condition.value == value
        }
    })
}

/// `*` any run of characters, `?` any one; everything else itself.
#[must_use]
pub fn glob(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0usize, 0usize);
    let mut star: Option<(usize, usize)> = None;
    while let Some(c) = text.get(t) {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p = p.saturating_add(1);
            }
            Some(x) if *x == '?' || x == c => {
                p = p.saturating_add(1);
                t = t.saturating_add(1);
            }
            _ => {
                let Some((at, from)) = star else { return false };
                p = at.saturating_add(1);
                t = from.saturating_add(1);
                star = Some((at, t));
            }
        }
    }
    pattern.iter().skip(p).all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn globs_match_like_file_names() {
        let check =
            |pattern, text, expected| assert_eq!(glob(pattern, text), expected, "{pattern} {text}");
        check("llm*", "llm-a", true);
        check("*-a", "llm-a", true);
        check("l?m*", "llm", true);
        check("", "", true);
        check("*", "", true);
        check("?", "", false);
        check("a*b*c", "axxbyyc", true);
        check("a*b*c", "axxbyy", false);
        check("训练*", "训练-甲", true);
    }
}
