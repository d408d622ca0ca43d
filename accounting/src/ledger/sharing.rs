//! A day's hours of monthly amounts, shared among the devices valid in each hour.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "sums of hourly parts stay below the month's amount, an i64"
)]

use super::cost::{MonthCosts, Target};
use super::index::Index;
use crate::category::Component;
use crate::facts::ShareKey;
use crate::money::Micro;
use crate::split::{apportion_small, equal_part};
use crate::time::Span;

/// Hourly amounts of every device on one day, and each source's part of it.
pub(crate) struct DayCosts {
    /// Hours of the day.
    pub hours: Vec<Span>,
    /// By device index, then hour: depreciation and recurring.
    depreciation: Vec<Micro>,
    recurring: Vec<Micro>,
    /// (driver index, device index or none, micro-yuan of the day).
    pub parts: Vec<(usize, Option<usize>, Micro)>,
    /// The same of devices without rated power in what is shared by it.
    pub blind: Vec<(usize, usize, Micro)>,
}

impl DayCosts {
    pub fn new(index: &Index<'_>, month: &MonthCosts, day: Span) -> Self {
        let first = month.hours.partition_point(|hour| hour.end <= day.start);
        let last = month.hours.partition_point(|hour| hour.start < day.end);
        let hours: Vec<Span> = month.hours.get(first..last).unwrap_or(&[]).to_vec();
        let count = index.devices.len() * hours.len();
        let mut costs = Self {
            hours,
            depreciation: vec![0; count],
            recurring: vec![0; count],
            parts: Vec::new(),
            blind: Vec::new(),
        };
        for (number, driver) in month.drivers.iter().enumerate() {
            let amounts = driver.hours.get(first..last).unwrap_or(&[]);
            if amounts.iter().all(|amount| *amount == 0) {
                continue;
            }
            match &driver.target {
                Target::Pool { .. } => costs.parts.push((number, None, amounts.iter().sum())),
                Target::Devices { devices, key } => {
                    costs.give(index, number, driver.component, devices, *key, amounts);
                }
            }
        }
        costs
    }

    fn give(
        &mut self,
        index: &Index<'_>,
        number: usize,
        component: Component,
        devices: &[usize],
        key: ShareKey,
        amounts: &[Micro],
    ) {
        let mut totals: Vec<Micro> = vec![0; devices.len()];
        let mut sharers: Sharers = Sharers::default();
        let hours = self.hours.clone();
        for (h, (hour, amount)) in hours.iter().zip(amounts).enumerate() {
            if *amount == 0 {
                continue;
            }
            sharers.refresh(index, devices, key, *hour);
            for rank in 0..sharers.valid.len() {
                let part = sharers.part(*amount, rank);
                let Some(place) = sharers.valid.get(rank) else {
                    continue;
                };
                let Some(device) = devices.get(*place) else {
                    continue;
                };
                if let Some(total) = totals.get_mut(*place) {
                    *total += part;
                }
                let cell = device * hours.len() + h;
                let book = match component {
                    Component::Depreciation => &mut self.depreciation,
                    _ => &mut self.recurring,
                };
                if let Some(slot) = book.get_mut(cell) {
                    *slot += part;
                }
            }
        }
        for (place, total) in totals.into_iter().enumerate() {
            let device = devices.get(place).copied();
            if total != 0 {
                self.parts.push((number, device, total));
            }
            if let Some(device) = device.filter(|_| key == ShareKey::Power && total != 0)
                && rated_mw(index, device).is_none()
            {
                self.blind.push((number, device, total));
            }
        }
    }

    pub fn depreciation(&self, device: usize, hour: usize) -> Micro {
        self.depreciation
            .get(device * self.hours.len() + hour)
            .copied()
            .unwrap_or(0)
    }

    pub fn recurring(&self, device: usize, hour: usize) -> Micro {
        self.recurring
            .get(device * self.hours.len() + hour)
            .copied()
            .unwrap_or(0)
    }
}

/// The devices valid in an hour, kept from hour to hour while nothing changes.
#[derive(Default)]
struct Sharers {
    /// Places in the driver's device list.
    valid: Vec<usize>,
    /// Until when the list holds.
    until: Option<Span>,
    weights: Option<Vec<u64>>,
    parts: Option<(Micro, Vec<Micro>)>,
}

impl Sharers {
    fn refresh(&mut self, index: &Index<'_>, devices: &[usize], key: ShareKey, hour: Span) {
        if self
            .until
            .is_some_and(|until| until.start <= hour.start && hour.end <= until.end)
        {
            return;
        }
        self.valid.clear();
        self.parts = None;
        // The list holds while no validity begins or ends.
        let mut same = Span::new(i64::MIN, i64::MAX);
        for (place, device) in devices.iter().enumerate() {
            let Some(entry) = index.devices.get(*device) else {
                continue;
            };
            if entry.valid.cut(hour).is_some() {
                self.valid.push(place);
                same = Span::new(
                    same.start.max(entry.valid.start),
                    same.end.min(entry.valid.end),
                );
            } else if entry.valid.start >= hour.end {
                same.end = same.end.min(entry.valid.start);
            } else {
                same.start = same.start.max(entry.valid.end);
            }
        }
        self.until = Some(same);
        self.weights = match key {
            ShareKey::Equal => None,
            ShareKey::Power => Some(power_weights(index, devices, &self.valid)),
        };
    }

    fn part(&mut self, amount: Micro, rank: usize) -> Micro {
        let Some(weights) = &self.weights else {
            return equal_part(amount, self.valid.len(), rank);
        };
        if self.parts.as_ref().is_none_or(|(of, _)| *of != amount) {
            let parts = apportion_small(amount, weights).unwrap_or_else(|| {
                (0..self.valid.len())
                    .map(|place| equal_part(amount, self.valid.len(), place))
                    .collect()
            });
            self.parts = Some((amount, parts));
        }
        self.parts
            .as_ref()
            .and_then(|(_, parts)| parts.get(rank))
            .copied()
            .unwrap_or(0)
    }
}

/// Rated power of a device; `None` when its model is unknown or names none.
fn rated_mw(index: &Index<'_>, device: usize) -> Option<u64> {
    let tdp = index.devices.get(device)?.model?.tdp_w?;
    u64::try_from(tdp.scaled(3)?).ok().filter(|tdp| *tdp > 0)
}

/// Rated power in milli-watts times the number of known ones; an unknown one weighs their mean, exactly.
fn power_weights(index: &Index<'_>, devices: &[usize], valid: &[usize]) -> Vec<u64> {
    let known: Vec<Option<u64>> = valid
        .iter()
        .map(|place| rated_mw(index, *devices.get(*place)?))
        .collect();
    let count = u64::try_from(known.iter().flatten().count()).unwrap_or(0);
    let sum: u64 = known.iter().flatten().sum();
    if count == 0 {
        return vec![1; valid.len()];
    }
    known
        .into_iter()
        .map(|tdp| tdp.map_or(sum, |tdp| tdp * count))
        .collect()
}
