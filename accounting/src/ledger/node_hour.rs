//! What the devices of a node drew in an hour, minute by minute: rules E1 to E3, E6.
//!
//! Measured energy first, then the node meter's remainder, then the configured overhead and the model's mean or rated
//! power. Derived energy starts its running total anew each ledger hour.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "milli-joules of an hour stay below 2^43 and rated powers below 2^40, so products fit 128 bits"
)]

use super::index::{Index, NodeEntry};
use super::power::{Power, SitePower};
use super::timeline::Piece;
use crate::facts::Ownership;
use crate::quantity::Rational;
use crate::split::equal_part;
use crate::time::{MINUTE_MS, Month, Ms, Span};

/// What one top-level device drew in an hour, its share of the host included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    /// Milli-joules by minute of the hour; empty when `uniform` says it all.
    pub minutes: Vec<i64>,
    /// Milli-joules by priced stretch.
    pub stretches: Vec<i64>,
    pub total_mj: i64,
    pub measured_mj: i64,
    /// Some of it is estimated: rule E3, or a configured overhead.
    pub estimated: bool,
    /// Some of the time has neither measurement nor estimate.
    pub unknown: bool,
    /// A node meter read less than its devices (rule E4).
    pub conflict: bool,
}

/// Everything an hour of one node needs to know.
pub(crate) struct NodeHour<'a, 'f> {
    pub index: &'a Index<'f>,
    pub power: &'a Power<'f>,
    pub node: &'a NodeEntry<'f>,
    pub site: &'a SitePower,
    pub hour: Span,
    pub month: Month,
}

impl NodeHour<'_, '_> {
    /// What each top-level device of the node drew; `pieces` are each device's own, in the same order.
    pub fn drawn(&self, tops: &[usize], pieces: &[Vec<Piece<'_>>]) -> Vec<Drawn> {
        let meter = self.power.node_meter(&self.node.fact.node);
        let plain = meter.is_none()
            && tops.iter().zip(pieces).all(|(device, pieces)| {
                let quiet = self
                    .index
                    .devices
                    .get(*device)
                    .is_some_and(|d| !d.has_minutes(self.hour));
                quiet && matches!(pieces.as_slice(), [one] if one.span == self.hour)
            });
        if plain {
            self.uniform(tops, pieces)
        } else {
            self.by_minute(tops, pieces)
        }
    }

    /// Nothing changes and nothing is measured: closed form over the priced stretches.
    fn uniform(&self, tops: &[usize], pieces: &[Vec<Piece<'_>>]) -> Vec<Drawn> {
        let count = tops.len();
        let draw = |(rank, (device, pieces)): (usize, (&usize, &Vec<Piece<'_>>))| {
            let off = pieces.first().is_none_or(Piece::is_off);
            let held = pieces.first().is_some_and(|piece| piece.occupied);
            let watts = self.watts(*device, held, off);
            let overhead = self.overhead_w(off);
            let mut drawn = Drawn {
                unknown: watts.is_none() && self.estimates(),
                ..Drawn::default()
            };
            let (mut before, mut host_before) = (0, 0);
            for stretch in &self.site.priced {
                let elapsed = stretch.span.end - self.hour.start;
                let total = watts.map_or(0, |watts| energy(watts, elapsed));
                let host = equal_part(energy(overhead, elapsed), count, rank);
                drawn.stretches.push(total - before + host - host_before);
                (before, host_before) = (total, host);
            }
            drawn.total_mj = drawn.stretches.iter().sum();
            drawn.estimated = drawn.total_mj != 0 || (!off && watts.is_some());
            drawn
        };
        tops.iter().zip(pieces).enumerate().map(draw).collect()
    }

    fn by_minute(&self, tops: &[usize], pieces: &[Vec<Piece<'_>>]) -> Vec<Drawn> {
        let starts: Vec<Ms> = (0..)
            .map(|k| self.hour.start + k * MINUTE_MS)
            .take_while(|at| *at < self.hour.end)
            .collect();
        let mut drawn: Vec<Drawn> = Vec::with_capacity(tops.len());
        let mut valid: Vec<Vec<Ms>> = Vec::with_capacity(tops.len());
        let metered: Vec<Option<i64>> = {
            let meter = self.power.node_meter(&self.node.fact.node);
            starts
                .iter()
                .map(|at| meter.and_then(|m| m.energy_mj(Span::new(*at, at + MINUTE_MS))))
                .collect()
        };
        for (device, pieces) in tops.iter().zip(pieces) {
            let (own, lives) = self.device_minutes(*device, pieces, &starts, &metered);
            drawn.push(own);
            valid.push(lives);
        }
        self.add_host(&mut drawn, &valid, &starts, &metered);
        for own in &mut drawn {
            own.total_mj = own.minutes.iter().sum();
            own.stretches = self
                .site
                .priced
                .iter()
                .map(|stretch| {
                    let within = starts
                        .iter()
                        .zip(&own.minutes)
                        .filter(|(at, _)| stretch.span.contains(**at));
                    within.map(|(_, mj)| mj).sum()
                })
                .collect();
        }
        drawn
    }

    /// A device's own energy: measured, and where no node meter stands for it the estimate of rule E3.
    fn device_minutes(
        &self,
        device: usize,
        pieces: &[Piece<'_>],
        starts: &[Ms],
        metered: &[Option<i64>],
    ) -> (Drawn, Vec<Ms>) {
        let mut drawn = Drawn {
            minutes: Vec::with_capacity(starts.len()),
            ..Drawn::default()
        };
        let mut lives = Vec::with_capacity(starts.len());
        let entry = self.index.devices.get(device);
        let mut running = Running::default();
        for (at, meter) in starts.iter().zip(metered) {
            let minute = Span::new(*at, at + MINUTE_MS);
            let parts: Vec<(Ms, &Piece<'_>)> = pieces
                .iter()
                .filter_map(|piece| piece.span.cut(minute).map(|cut| (cut.len(), piece)))
                .collect();
            let alive: Ms = parts.iter().map(|(ms, _)| ms).sum();
            lives.push(alive);
            let reading = entry
                .and_then(|entry| entry.minute(*at))
                .filter(|_| alive > 0);
            let measured_ms = reading
                .map_or(0, |m| m.energy_ms.clamp(0, MINUTE_MS))
                .min(alive);
            // A minute the device is valid in only partly gets the measured part of its validity.
            let measured = reading
                .filter(|_| measured_ms > 0)
                .map_or(0, |m| match m.energy_ms {
                    whole if whole <= alive => m.energy_mj,
                    whole => crate::money::round_half_away(
                        i128::from(m.energy_mj) * i128::from(alive),
                        i128::from(whole),
                    )
                    .unwrap_or(0),
                });
            drawn.measured_mj += measured;
            let open = alive - measured_ms;
            let mut own = measured;
            if open > 0 && meter.is_none() && self.estimates() {
                for (ms, piece) in &parts {
                    let watts = self.watts(device, piece.occupied, piece.is_off());
                    match watts {
                        Some(watts) => running.add(watts, *ms, open, alive),
                        None => drawn.unknown = true,
                    }
                }
                drawn.estimated = true;
            }
            own += running.step();
            drawn.minutes.push(own);
        }
        (drawn, lives)
    }

    /// The host's share: the node meter's remainder (E2), else the configured overhead, evenly over the devices.
    fn add_host(
        &self,
        drawn: &mut [Drawn],
        valid: &[Vec<Ms>],
        starts: &[Ms],
        metered: &[Option<i64>],
    ) {
        let everyone = valid.iter().all(|lives| lives.iter().all(|ms| *ms > 0));
        let count = drawn.len();
        let mut host = 0i64;
        let mut given: Vec<i64> = vec![0; count];
        let mut running = Running::default();
        let (remainder, conflict) = remainders(drawn, valid, metered);
        for (k, (at, metered)) in starts.iter().zip(&remainder).enumerate() {
            let minute = Span::new(*at, at + MINUTE_MS);
            let alive: Vec<usize> = (0..count)
                .filter(|d| {
                    valid
                        .get(*d)
                        .and_then(|v| v.get(k))
                        .is_some_and(|ms| *ms > 0)
                })
                .collect();
            let this = match metered {
                Some(remainder) => *remainder,
                None => {
                    running.add(self.overhead_w(false), self.node.on_ms(minute), 1, 1);
                    running.step()
                }
            };
            host += this;
            for (rank, d) in alive.iter().enumerate() {
                // By running total while everybody shares; minute by minute while devices come and go.
                let part = if everyone {
                    let cumulative = equal_part(host, count, rank);
                    let before = given.get(*d).copied().unwrap_or(0);
                    if let Some(slot) = given.get_mut(*d) {
                        *slot = cumulative;
                    }
                    cumulative - before
                } else {
                    equal_part(this, alive.len(), rank)
                };
                let Some(own) = drawn.get_mut(*d) else {
                    continue;
                };
                if let Some(slot) = own.minutes.get_mut(k) {
                    *slot += part;
                }
                match metered {
                    Some(_) => {
                        own.measured_mj += part;
                        own.conflict |= conflict;
                    }
                    None => own.estimated |= part != 0,
                }
            }
        }
    }

    /// Whether uncovered time is estimated: not on `cloud` nodes, whose power is not ours.
    fn estimates(&self) -> bool {
        self.node.fact.ownership != Ownership::Cloud
    }

    fn watts(&self, device: usize, held: bool, off: bool) -> Option<Rational> {
        if off || !self.estimates() {
            return Some(Rational::ZERO);
        }
        let entry = self.index.devices.get(device)?;
        self.power.estimate(self.node.site, entry, self.month, held)
    }

    fn overhead_w(&self, off: bool) -> Rational {
        if off || !self.estimates() {
            Rational::ZERO
        } else {
            self.node.fact.host_overhead_w.unwrap_or(Rational::ZERO)
        }
    }
}

/// The node meter's remainder of the hour by minute (E2): evenly in time over the minutes that have a meter and a
/// device, by running total (E6); and whether it is negative (E4). A meter that is read once an hour says nothing of the
/// minutes within, and what the devices draw in them is theirs.
fn remainders(
    drawn: &[Drawn],
    valid: &[Vec<Ms>],
    metered: &[Option<i64>],
) -> (Vec<Option<i64>>, bool) {
    let is_alive = |k: usize| {
        valid
            .iter()
            .any(|lives| lives.get(k).is_some_and(|ms| *ms > 0))
    };
    let shared: Vec<Option<i64>> = metered
        .iter()
        .enumerate()
        .map(|(k, total)| total.filter(|_| is_alive(k)))
        .collect();
    let devices = |k: usize| -> i64 { drawn.iter().filter_map(|d| d.minutes.get(k)).sum() };
    let rest: i64 = shared
        .iter()
        .enumerate()
        .filter_map(|(k, total)| total.map(|total| total - devices(k)))
        .sum();
    let count = i128::try_from(shared.iter().flatten().count()).unwrap_or(1);
    let (mut passed, mut before) = (0i128, 0i64);
    let by_minute = shared
        .iter()
        .zip(metered)
        .map(|(shared, metered)| match (shared, metered) {
            (Some(_), _) => {
                passed += 1;
                let so_far = i128::from(rest) * passed;
                let now = crate::money::round_half_away(so_far, count).unwrap_or(before);
                let part = now - before;
                before = now;
                Some(part)
            }
            (None, Some(_)) => Some(0),
            (None, None) => None,
        })
        .collect();
    (by_minute, rest < 0)
}

/// Derived energy of an hour by running total: watts × milliseconds are milli-joules.
#[derive(Default)]
struct Running {
    exact: Option<Rational>,
    whole: i64,
}

impl Running {
    /// Adds `watts` over `ms · open / alive`.
    fn add(&mut self, watts: Rational, ms: Ms, open: Ms, alive: Ms) {
        let part = Rational::new(i128::from(ms) * i128::from(open), i128::from(alive.max(1)));
        let more = part.and_then(|part| watts.times(part));
        let sum = more.and_then(|more| self.exact.unwrap_or(Rational::ZERO).plus(more));
        self.exact = sum.or(self.exact);
    }

    /// What the running total grew by since the last step, in whole milli-joules.
    fn step(&mut self) -> i64 {
        let now = self.exact.and_then(Rational::round).unwrap_or(self.whole);
        let grown = now - self.whole;
        self.whole = now;
        grown
    }
}

fn energy(watts: Rational, ms: Ms) -> i64 {
    watts
        .times(Rational::whole(ms))
        .and_then(Rational::round)
        .unwrap_or(0)
}
