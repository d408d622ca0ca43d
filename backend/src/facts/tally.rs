//! What the reading of one file found besides its rows: refusals, dropped values, the times and places it names.

use std::collections::{BTreeMap, BTreeSet};

use accounting::time::{Ms, Span};

use super::cell::{Unusable, Value};
use super::row::Row;
use crate::store::imports::Rejected;

/// Rejected rows told one by one; further ones are only counted.
pub const TOLD: usize = 100;

#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub rows_read: i64,
    pub rejected: i64,
    /// The first of the rejected.
    pub rejections: Vec<Rejected>,
    /// Values dropped, by column and fault.
    pub dropped: BTreeMap<(&'static str, Unusable), i64>,
    /// From the first to the last instant named.
    pub times: Option<Span>,
    /// Sites of `sites.csv`.
    pub sites: BTreeSet<String>,
    /// Devices of placements and nodes of node states, by which sites are found where no `sites.csv` names them.
    pub devices: BTreeSet<String>,
    pub nodes: BTreeSet<String>,
}

impl Tally {
    pub fn reject(&mut self, rejection: Rejected) {
        self.rejected += 1;
        if self.rejections.len() < TOLD {
            self.rejections.push(rejection);
        }
    }

    pub fn name_times(&mut self, values: &[Value<'_>]) {
        for value in values {
            if let Value::Ms(at) = value {
                self.times = Some(widen(self.times, Span::new(*at, *at)));
            }
        }
    }

    /// Remembers the places a row names, `most` at most.
    pub fn name_places(&mut self, row: &Row<'_>, most: usize) {
        let (column, names) = match row.kind.name {
            "sites" => ("site", &mut self.sites),
            "placements" => ("device", &mut self.devices),
            "node_states" => ("node", &mut self.nodes),
            _ => return,
        };
        if let Some(name) = row.text(column)
            && names.len() < most
            && !names.contains(name)
        {
            names.insert(name.to_owned());
        }
    }
}

/// The span over both.
#[must_use]
pub fn widen(span: Option<Span>, other: Span) -> Span {
    span.map_or(other, |span| Span {
        start: Ms::min(span.start, other.start),
        end: Ms::max(span.end, other.end),
    })
}
