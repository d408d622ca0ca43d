//! The ladder: what one device-minute was used for, as exact weights over the ordered categories.
//!
//! Stick-breaking: at each rung a category takes a fraction of what is left and the rest goes on, so that the
//! weights are never negative and always sum to the whole, for any reading (EFFICIENCY, sections 1.1 to 1.5).
//! [`free`] judges the share of a device nobody holds, [`held`] the share a workload holds.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "every factor is a fraction of at most 10^4, so a weight is at most 372·10^16"
)]

mod busy;
pub mod free;
pub mod held_idle;
pub mod lost_work;

use crate::category::{Category, Mode, Reason};
use crate::minutes::Minute;
use crate::quantity::{Fraction, WHOLE};

/// The weight of a whole device-minute: covered share × replayed share × two activity factors × 372.
///
/// 372 is the common denominator of T/0.93 = 400·T/372 and D/0.80 = 465·D/372.
pub const WHOLE_WEIGHT: u128 = 372 * 10_u128.pow(16);

/// Weights of one minute by (category, sub-reason), in ladder order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    items: [(Category, Reason, u128); Self::MOST],
    len: usize,
}

impl Parts {
    const MOST: usize = 12;

    #[must_use]
    pub const fn new() -> Self {
        Self {
            items: [(Category::UnknownAlloc, Reason::Plain, 0); Self::MOST],
            len: 0,
        }
    }

    /// The whole minute in one category.
    #[must_use]
    pub fn whole(category: Category, reason: Reason) -> Self {
        let mut parts = Self::new();
        parts.add(category, reason, WHOLE_WEIGHT);
        parts
    }

    pub(crate) fn add(&mut self, category: Category, reason: Reason, weight: u128) {
        if weight == 0 {
            return;
        }
        if let Some(slot) = self.items.get_mut(self.len) {
            *slot = (category, reason, weight);
            self.len += 1;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &(Category, Reason, u128)> {
        self.items.iter().take(self.len)
    }

    #[must_use]
    pub fn sum(&self) -> u128 {
        self.iter().map(|(_, _, weight)| weight).sum()
    }
}

impl Default for Parts {
    fn default() -> Self {
        Self::new()
    }
}

/// What is known of a held minute besides its readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Share of the minute's work that was replayed or never counted (rung 3), and why.
    pub lost: Option<(Fraction, Reason)>,
    /// The minute lies in a held-idle window (rung 5), and which.
    pub idle: Option<Reason>,
    /// The workload's kind is `hpc`: FP32 and FP64 count as effective.
    pub hpc: bool,
}

/// Rungs 3 to 13 for the share a workload holds; `None` is a minute without telemetry.
#[must_use]
pub fn held(minute: Option<&Minute>, context: Held) -> Parts {
    let mut parts = Parts::new();
    let (lost, why) = context.lost.unwrap_or((0, Reason::Plain));
    let lost = lost.clamp(0, WHOLE);
    parts.add(
        Category::LostWork,
        why,
        weight(&[lost, WHOLE, WHOLE, WHOLE]),
    );
    let left = WHOLE - lost;
    let covered = minute
        .filter(|m| m.g.is_some())
        .map_or(0, |m| m.covered.clamp(0, WHOLE));
    parts.add(
        Category::UnknownActivity,
        Reason::NoTelemetry,
        weight(&[left, WHOLE - covered, WHOLE, WHOLE]),
    );
    let Some(minute) = minute.filter(|_| covered > 0) else {
        return parts;
    };
    if let Some(reason) = context.idle {
        parts.add(
            Category::HeldIdle,
            reason,
            weight(&[left, covered, WHOLE, WHOLE]),
        );
        return parts;
    }
    busy::rungs(
        minute,
        context.hpc,
        unsigned(left) * unsigned(covered),
        &mut parts,
    );
    parts
}

/// The evidence mode of a minute: what its readings could show, whatever they showed.
#[must_use]
pub fn mode(minute: Option<&Minute>, scheduled: bool, worked: bool) -> Mode {
    match minute.filter(|m| m.covered > 0 && m.g.is_some()) {
        Some(m) if m.s.is_some() && (m.t.is_some() || m.d.is_some()) => {
            if worked {
                Mode::M4
            } else {
                Mode::M3
            }
        }
        Some(_) => Mode::M2,
        None if scheduled => Mode::M1,
        None => Mode::M0,
    }
}

/// 372 × the product of four fractions.
fn weight(fractions: &[Fraction; 4]) -> u128 {
    fractions
        .iter()
        .fold(372, |product, fraction| product * unsigned(*fraction))
}

fn unsigned(fraction: Fraction) -> u128 {
    u128::from(fraction.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests;
