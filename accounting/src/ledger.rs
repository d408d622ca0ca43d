//! What the product is about: facts and rules in, the books of a ledger day out.
//!
//! A day is a pure function of facts: days computed alone equal days computed together, in any order. Every yuan of a
//! source reaches exactly one cell of one row, and what cannot be known stays beside the books as a doubt.

mod attribution;
mod cells;
mod cost;
mod day;
mod device;
mod doubts;
mod hour_cost;
mod index;
mod lost_devices;
mod measured;
mod money;
mod node_hour;
mod power;
mod rows;
mod sharing;
mod slices;
mod timeline;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::NaiveDate;

pub use attribution::glob;
pub use measured::MeasuredSums;

use crate::activity::lost_work::{Lost, lost};
use crate::books::{Day, Doubt};
use crate::facts::{Facts, MeasuredPower};
use crate::ids::Id;
use crate::time::{Month, Span, Zone, day_span};
use attribution::Attribution;
use cost::{MonthCosts, Standing};
use index::Index;
use money::Rates;
use power::Power;

/// In which zone days are cut and in which currency the books are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub zone: Zone,
    /// ISO 4217.
    pub currency: Id,
}

/// Facts with everything resolved that does not change from day to day.
pub struct Engine<'f> {
    settings: Settings,
    index: Index<'f>,
    rates: Rates<'f>,
    power: Power<'f>,
    standing: Standing<'f>,
    attribution: Attribution<'f>,
    /// Lost spans by workload.
    lost: Vec<Vec<Lost>>,
    facts: &'f Facts,
    months: Mutex<BTreeMap<Month, Arc<MonthCosts>>>,
    doubts: Vec<Doubt>,
}

impl<'f> Engine<'f> {
    #[must_use]
    pub fn new(facts: &'f Facts, settings: Settings) -> Self {
        let mut doubts = Vec::new();
        let index = Index::new(facts, &mut doubts);
        let rates = Rates::new(facts, settings.currency.clone());
        let power = Power::new(facts, &mut doubts);
        let standing = Standing::new(facts, &index, &rates, settings.zone, &mut doubts);
        let lost = index
            .workloads
            .iter()
            .map(|entry| {
                entry
                    .fact
                    .map(|fact| lost(fact, &entry.work))
                    .unwrap_or_default()
            })
            .collect();
        Self {
            settings,
            index,
            rates,
            power,
            standing,
            attribution: Attribution::new(facts),
            lost,
            facts,
            months: Mutex::new(BTreeMap::new()),
            doubts,
        }
    }

    /// Doubts of the facts as such, whatever the day.
    #[must_use]
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// The books of one ledger day.
    #[must_use]
    pub fn day(&self, day: NaiveDate) -> Day {
        day::Builder::new(self, day).build()
    }

    /// Measured energy of the day by (site, model, held), for rule E3 of the month after.
    #[must_use]
    pub fn measured_power(&self, day: NaiveDate) -> Vec<MeasuredPower> {
        measured::measured_power(self, day)
    }

    pub(crate) fn month(&self, month: Month) -> Arc<MonthCosts> {
        let mut months = self.months.lock().unwrap_or_else(PoisonError::into_inner);
        // One month before is kept, so that days computed in parallel over a month's end do not compute it twice.
        while months.len() > 2 {
            months.pop_first();
        }
        months
            .entry(month)
            .or_insert_with(|| Arc::new(self.standing.month(&self.index, &self.rates, month)))
            .clone()
    }

    pub(crate) fn day_span(&self, day: NaiveDate) -> Span {
        day_span(self.settings.zone, day)
    }
}

#[cfg(test)]
mod tests;
