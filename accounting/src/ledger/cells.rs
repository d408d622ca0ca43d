//! Cells of a device-hour and of a device-day: (workload or none, category, sub-reason), and how amounts reach them.
//!
//! A component of a device-hour is apportioned over (workload, category) by weight, then inside each over its
//! sub-reasons; the order of cells is part of the result: no workload first, then workloads bytewise, then the ladder.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "weights of a device-day are below 2^113 in time and 2^200 in energy; amounts sum below 2^63"
)]

use ethnum::U256;

use crate::activity::{Parts, WHOLE_WEIGHT};
use crate::category::{Category, Reason};
use crate::money::Micro;
use crate::split::{apportion, apportion_small};
use crate::time::Ms;

/// What a cell is: workload index, category, sub-reason.
pub(crate) type Key = (Option<usize>, Category, Reason);

/// One cell of an hour, with its weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HourCell {
    pub key: Key,
    /// Milliseconds × share units × activity weight.
    pub time: u128,
    /// The same without the seconds in which a cloud node was stopped.
    pub cloud: u128,
    /// `time` of each minute × what the minute cost ÷ how much of it is valid.
    pub cost: U256,
    /// Likewise × what the minute drew.
    pub drawn: U256,
}

/// Which weight an amount goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Time,
    Cloud,
    Cost,
    Drawn,
}

/// The cells of one hour.
#[derive(Clone, Debug, Default)]
pub(crate) struct HourCells {
    pub cells: Vec<HourCell>,
}

/// One addition to a cell: a stretch of equal minutes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub ms: Ms,
    /// Whether a price-book price runs (not while the node is stopped).
    pub charged: bool,
    /// Σ over the minutes of (milliseconds in this stretch × minute cost ÷ valid part), over the hour's common scale.
    pub cost: U256,
    pub drawn: U256,
}

impl HourCells {
    pub fn clear(&mut self) {
        self.cells.clear();
    }

    pub fn add(&mut self, workload: Option<usize>, units: i64, parts: &Parts, stretch: Stretch) {
        let units = u128::from(units.unsigned_abs());
        for (category, reason, weight) in parts.iter() {
            let each = weight * units;
            let time = each * u128::from(stretch.ms.unsigned_abs());
            let key = (workload, *category, *reason);
            let add = |cell: &mut HourCell| {
                cell.time += time;
                cell.cloud += if stretch.charged { time } else { 0 };
                cell.cost += U256::from(each) * stretch.cost;
                cell.drawn += U256::from(each) * stretch.drawn;
            };
            match self.cells.iter_mut().find(|cell| cell.key == key) {
                Some(cell) => add(cell),
                None => {
                    let mut cell = HourCell {
                        key,
                        time: 0,
                        cloud: 0,
                        cost: U256::ZERO,
                        drawn: U256::ZERO,
                    };
                    add(&mut cell);
                    self.cells.push(cell);
                }
            }
        }
    }

    /// Puts the cells into their order; call once, before [`HourCells::split`].
    pub fn sort(&mut self) {
        self.cells.sort_unstable_by_key(|cell| cell.key);
    }

    /// Parts of `amount` for the cells, in their order. By time when every weight asked for is 0.
    pub fn split(&self, amount: i64, by: By) -> Vec<i64> {
        if self.cells.len() <= 1 {
            return vec![amount; self.cells.len()];
        }
        let weights: Vec<U256> = self.cells.iter().map(|cell| cell.weight(by)).collect();
        if by != By::Time && weights.iter().all(|weight| *weight == U256::ZERO) {
            return self.split(amount, By::Time);
        }
        let mut groups: Vec<(Option<usize>, Category, U256, usize)> =
            Vec::with_capacity(self.cells.len());
        for (cell, weight) in self.cells.iter().zip(&weights) {
            let (workload, category, _) = cell.key;
            match groups.last_mut() {
                Some((w, c, sum, count)) if *w == workload && *c == category => {
                    *sum += *weight;
                    *count += 1;
                }
                _ => groups.push((workload, category, *weight, 1)),
            }
        }
        let sums: Vec<U256> = groups.iter().map(|(_, _, sum, _)| *sum).collect();
        let shares = exact(amount, &sums);
        let mut parts = Vec::with_capacity(self.cells.len());
        let mut rest = weights.as_slice();
        for ((_, _, _, count), share) in groups.iter().zip(shares) {
            let (mine, others) = rest.split_at_checked(*count).unwrap_or((rest, &[]));
            rest = others;
            match mine {
                [_] => parts.push(share),
                mine => parts.extend(exact(share, mine)),
            }
        }
        parts
    }
}

impl HourCell {
    fn weight(&self, by: By) -> U256 {
        match by {
            By::Time => U256::from(self.time),
            By::Cloud => U256::from(self.cloud),
            By::Cost => self.cost,
            By::Drawn => self.drawn,
        }
    }
}

/// [`apportion`] of weights of which one is above 0, in 128 bits where every weight is a multiple of whole minutes'.
fn exact(amount: i64, weights: &[U256]) -> Vec<i64> {
    let unit = U256::from(WHOLE_WEIGHT);
    let small: Option<Vec<u64>> = weights
        .iter()
        .map(|weight| {
            if *weight % unit == U256::ZERO {
                u64::try_from(*weight / unit).ok()
            } else {
                None
            }
        })
        .collect();
    let parts = match small {
        Some(small) => apportion_small(amount, &small),
        None => apportion(amount, weights),
    };
    // Nothing weighs anything only where nothing is to be split: then the first cell keeps the amount.
    parts.unwrap_or_else(|| {
        let mut parts = vec![0; weights.len()];
        if let Some(first) = parts.first_mut() {
            *first = amount;
        }
        parts
    })
}

/// A cell of the day, summed over its hours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DayCell {
    pub key: Key,
    pub time_weight: u128,
    pub depreciation: Micro,
    pub recurring: Micro,
    pub cloud: Micro,
    pub electricity: Micro,
    pub drawn_mj: i64,
    pub measured_mj: i64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct DayCells {
    pub cells: Vec<DayCell>,
}

impl DayCells {
    pub fn cell(&mut self, key: Key) -> Option<&mut DayCell> {
        let at = match self.cells.iter().position(|cell| cell.key == key) {
            Some(at) => at,
            None => {
                self.cells.push(DayCell {
                    key,
                    time_weight: 0,
                    depreciation: 0,
                    recurring: 0,
                    cloud: 0,
                    electricity: 0,
                    drawn_mj: 0,
                    measured_mj: 0,
                });
                self.cells.len() - 1
            }
        };
        self.cells.get_mut(at)
    }

    /// Milliseconds of each cell: the valid part of the day, apportioned once over (workload, category), then over
    /// sub-reasons.
    pub fn milliseconds(&mut self, valid: Ms) -> Vec<Ms> {
        self.cells.sort_unstable_by_key(|cell| cell.key);
        let hours = HourCells {
            cells: self
                .cells
                .iter()
                .map(|cell| HourCell {
                    key: cell.key,
                    time: cell.time_weight,
                    cloud: 0,
                    cost: U256::ZERO,
                    drawn: U256::ZERO,
                })
                .collect(),
        };
        hours.split(valid, By::Time)
    }
}
