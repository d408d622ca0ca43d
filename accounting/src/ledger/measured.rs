//! What was measured on a day, held and unheld apart: the evidence rule E3 estimates the next month by.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "sums of a day's milli-joules and milliseconds"
)]

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::Engine;
use crate::facts::MeasuredPower;
use crate::ids::Id;
use crate::split::apportion_small;
use crate::time::{HOUR_MS, MINUTE_MS, Month, Ms, Span};

/// Measured energy and its time by (site, model, held).
#[derive(Clone, Debug, Default)]
pub struct MeasuredSums(BTreeMap<(Id, Id, bool), (i64, Ms)>);

impl MeasuredSums {
    pub fn add(&mut self, site: &Id, model: &Id, held: bool, energy_mj: i64, time_ms: Ms) {
        let key = (site.clone(), model.clone(), held);
        let (energy, time) = self.0.entry(key).or_default();
        *energy = energy.saturating_add(energy_mj);
        *time = time.saturating_add(time_ms);
    }

    /// One line for each, in order.
    #[must_use]
    pub fn of_month(self, month: Month) -> Vec<MeasuredPower> {
        let line = |((site, model, held), (energy_mj, time_ms))| MeasuredPower {
            site,
            model,
            month,
            held,
            energy_mj,
            time_ms,
        };
        self.0.into_iter().map(line).collect()
    }
}

/// Measured energy of top-level devices on `day`, held and unheld apart, minute by minute.
pub(crate) fn measured_power(engine: &Engine<'_>, day: NaiveDate) -> Vec<MeasuredPower> {
    let span = engine.day_span(day);
    let month = Month::of(day);
    let mut sums = MeasuredSums::default();
    for device in &engine.index.devices {
        let (Some(model), Some(node)) = (device.model, engine.index.nodes.get(device.node)) else {
            continue;
        };
        let Some(valid) = device.valid.cut(span).filter(|_| device.parent.is_none()) else {
            continue;
        };
        let first = device
            .hours
            .partition_point(|hour| hour.hour + HOUR_MS <= valid.start);
        for hour in device
            .hours
            .iter()
            .skip(first)
            .take_while(|hour| hour.hour < valid.end)
        {
            for (k, minute) in hour
                .minutes
                .iter()
                .enumerate()
                .filter(|(_, m)| m.energy_ms > 0)
            {
                let start = hour.hour + i64::try_from(k).unwrap_or(0) * MINUTE_MS;
                let Some(alive) = Span::new(start, start + MINUTE_MS).cut(valid) else {
                    continue;
                };
                let held: Ms = device
                    .occupied
                    .iter()
                    .filter_map(|h| h.cut(alive))
                    .map(Span::len)
                    .sum();
                let unheld = alive.len() - held;
                let weights = [held.unsigned_abs(), unheld.unsigned_abs()];
                let ms = apportion_small(minute.energy_ms.min(alive.len()), &weights)
                    .unwrap_or_default();
                let mj = apportion_small(minute.energy_mj, &weights).unwrap_or_default();
                for (held, (ms, mj)) in [true, false].into_iter().zip(ms.into_iter().zip(mj)) {
                    if ms > 0 {
                        sums.add(node.site, &model.model, held, mj, ms);
                    }
                }
            }
        }
    }
    sums.of_month(month)
}
