//! Doubts of a day: one line for each kind, subject and detail, with the time and yuan of all of them.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "sums of a day's milliseconds and micro-yuan"
)]

use std::collections::BTreeMap;

use super::index::NodeEntry;
use crate::books::{Doubt, DoubtKind};
use crate::ids::Id;
use crate::time::Ms;

/// Doubts of a day, one line for each kind and subject.
#[derive(Default)]
pub(crate) struct Doubts(BTreeMap<(DoubtKind, Id, Option<Id>, String), Doubt>);

impl Doubts {
    pub fn add(&mut self, doubt: Doubt) {
        let key = (
            doubt.kind,
            doubt.subject.clone(),
            doubt.site.clone(),
            doubt.detail.clone(),
        );
        match self.0.get_mut(&key) {
            Some(known) => {
                known.ms += doubt.ms;
                known.amount = match (known.amount, doubt.amount) {
                    (Some(a), Some(b)) => Some(a + b),
                    (a, b) => a.or(b),
                };
            }
            None => drop(self.0.insert(key, doubt)),
        }
    }

    pub fn unpriced(&mut self, node: &NodeEntry<'_>, what: &str, ms: Ms) {
        self.add(Doubt {
            kind: DoubtKind::Unpriced,
            subject: node.site.clone(),
            site: Some(node.site.clone()),
            amount: None,
            ms,
            detail: what.to_owned(),
        });
    }

    pub fn last_known(&mut self, node: &NodeEntry<'_>, tariff: Option<&Id>, ms: Ms) {
        self.add(Doubt {
            kind: DoubtKind::LastKnownPrice,
            subject: tariff.unwrap_or(node.site).clone(),
            site: Some(node.site.clone()),
            amount: None,
            ms,
            detail: String::new(),
        });
    }

    pub fn into_list(self) -> Vec<Doubt> {
        self.0.into_values().collect()
    }
}
