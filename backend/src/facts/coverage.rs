//! The coverage of a folder that has placements or node states and no `coverage.csv`: all its sites, from the first to
//! the last time it names.

use std::collections::BTreeSet;

use accounting::time::Span;

use super::tally::{Tally, widen};
use crate::store::copy::Lines;

/// What the files of one folder said together.
#[derive(Debug, Default)]
pub struct Covered {
    has_activity: bool,
    has_coverage: bool,
    pub times: Option<Span>,
    pub sites: BTreeSet<String>,
    pub devices: BTreeSet<String>,
    pub nodes: BTreeSet<String>,
}

impl Covered {
    /// The folder has a file of this kind.
    pub fn see(&mut self, kind: &str) {
        self.has_activity |= matches!(kind, "placements" | "node_states");
        self.has_coverage |= kind == "coverage";
    }

    pub fn add(&mut self, tally: Tally) {
        self.name_times(tally.times);
        self.sites.extend(tally.sites);
        self.devices.extend(tally.devices);
        self.nodes.extend(tally.nodes);
    }

    pub fn name_times(&mut self, times: Option<Span>) {
        if let Some(times) = times {
            self.times = Some(widen(self.times, times));
        }
    }

    /// The time that counts as read by the scheduler, when the folder does not say it itself.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.times
            .filter(|span| self.has_activity && !self.has_coverage && !span.is_empty())
    }
}

/// Rows of `coverage` for the staging table, one a site.
#[must_use]
pub fn rows(folder: &str, sites: &[String], span: Span) -> Vec<u8> {
    let mut lines = Lines::default();
    for (line, site) in (1..).zip(sites) {
        lines.number(line);
        lines.text(folder);
        lines.text("site");
        lines.text(site);
        lines.text("scheduler");
        lines.instant(span.start);
        lines.instant(span.end);
        lines.end();
    }
    lines.take()
}
