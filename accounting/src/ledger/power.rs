//! Electricity: what a device drew in each minute of an hour, and what the hour cost.
//!
//! Rules E1–E3 and E5–E8: measured energy first, then the node meter's remainder, then the configured overhead and
//! the model's mean or rated power. Derived energy starts its running total anew each ledger hour; a device-hour's
//! yuan are rounded once.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "milli-joules of an hour stay below 2^43 and rated powers below 2^40, so products fit 128 bits"
)]

use std::collections::{BTreeMap, HashMap};

use super::index::{DeviceEntry, Index, NodeEntry};
use super::money::Rates;
use super::timeline::Piece;
use crate::books::{Doubt, DoubtKind, PueQuality};
use crate::energy::{MeterLine, Meters, pue};
use crate::facts::{Facts, Level, Meter, MeterReading, MeterRole, Ownership, Site};
use crate::ids::Id;
use crate::money::Micro;
use crate::quantity::Rational;
use crate::split::equal_part;
use crate::tariff::Tariffs;
use crate::time::{MINUTE_MS, Month, Ms, Span, Zone, day_of, local_at, minute_of_day};

/// A stretch of an hour with one price.
#[derive(Clone, Debug)]
pub(crate) struct Priced {
    pub span: Span,
    pub level: Option<Level>,
    /// Micro-yuan of the ledger currency per milli-joule, before PUE; `None` when there is no price.
    pub price: Option<Rational>,
    pub month: Option<Month>,
    pub last_known: bool,
}

/// One site's prices and PUE in one hour.
#[derive(Clone, Debug)]
pub(crate) struct SitePower {
    pub priced: Vec<Priced>,
    pub pue: Option<Rational>,
    pub quality: PueQuality,
}

/// How a node's electricity is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paid {
    /// By the site's tariff.
    Tariff,
    /// In the rent: 0 yuan, energy shown.
    InRent,
    /// Not by us: `cloud` nodes, and leased ones without a tariff (rule E11).
    NotOurs,
    /// By us, but nobody said at what price.
    Unknown,
}

/// A tariff of this name says that power is in the rent.
pub(crate) const INCLUDED: &str = "included";

pub(crate) fn paid(node: &NodeEntry<'_>) -> Paid {
    match (node.fact.ownership, node.site.tariff.as_deref()) {
        (Ownership::Cloud, _) | (Ownership::Leased, None) => Paid::NotOurs,
        (_, Some(INCLUDED)) => Paid::InRent,
        (_, Some(_)) => Paid::Tariff,
        (Ownership::Owned, None) => Paid::Unknown,
    }
}

/// Meters compiled once, and the power rule E3 falls back to.
pub(crate) struct Power<'f> {
    tariffs: Tariffs<'f>,
    facility: HashMap<&'f str, Meters>,
    it: HashMap<&'f str, Meters>,
    node: HashMap<&'f str, Meters>,
    /// (site, model, month, held) to mean measured power, milli-joules per millisecond (watts).
    measured: HashMap<(&'f str, &'f str, Month, bool), Rational>,
}

impl<'f> Power<'f> {
    pub fn new(facts: &'f Facts, doubts: &mut Vec<Doubt>) -> Self {
        let (tariffs, found) = Tariffs::new(facts);
        doubts.extend(found);
        let mut power = Self {
            tariffs,
            facility: HashMap::new(),
            it: HashMap::new(),
            node: HashMap::new(),
            measured: HashMap::new(),
        };
        power.read_meters(facts, doubts);
        for row in &facts.measured_power {
            if let Some(mean) = Rational::new(i128::from(row.energy_mj), i128::from(row.time_ms)) {
                power
                    .measured
                    .insert((&*row.site, &*row.model, row.month, row.held), mean);
            }
        }
        power
    }

    /// Compiles every meter where it stands: a meter that is moved has a line in each place.
    fn read_meters(&mut self, facts: &'f Facts, doubts: &mut Vec<Doubt>) {
        let mut readings: HashMap<&str, Vec<&MeterReading>> = HashMap::new();
        for reading in &facts.meter_readings {
            readings.entry(&*reading.meter).or_default().push(reading);
        }
        let mut meters: BTreeMap<&str, Vec<&Meter>> = BTreeMap::new();
        for meter in &facts.meters {
            meters.entry(&*meter.meter).or_default().push(meter);
        }
        for (name, rows) in meters {
            let mine = readings.remove(name).unwrap_or_default();
            for (place, line, found) in MeterLine::by_place(&rows, &mine) {
                doubts.extend(found);
                let meters = match (place.role, &place.node) {
                    (MeterRole::Facility, _) => self.facility.entry(&*place.site).or_default(),
                    (MeterRole::It, _) => self.it.entry(&*place.site).or_default(),
                    (MeterRole::Node, Some(node)) => self.node.entry(&**node).or_default(),
                    (MeterRole::Node, None) | (MeterRole::Pdu, _) => continue,
                };
                meters.lines.push(line);
            }
        }
    }

    /// Prices of `hour` by half hours of the site's zone, and its PUE.
    pub fn site(
        &self,
        site: &Site,
        hour: Span,
        rates: &Rates<'f>,
        doubts: &mut Vec<Doubt>,
    ) -> SitePower {
        let mut priced = Vec::with_capacity(2);
        let mut at = hour.start;
        while at < hour.end {
            let next = half_hour_end(site.zone, at).min(hour.end);
            priced.push(self.price(site, Span::new(at, next), rates));
            at = next;
        }
        let none = Meters::default();
        let facility = self.facility.get(&*site.site).unwrap_or(&none);
        let it = self.it.get(&*site.site).unwrap_or(&none);
        let (ratio, quality, doubt) = pue(facility, it, hour, site.pue_default);
        if let Some(kind) = doubt {
            doubts.push(Doubt {
                kind,
                subject: site.site.clone(),
                site: Some(site.site.clone()),
                amount: None,
                ms: hour.len(),
                detail: String::new(),
            });
        }
        SitePower {
            priced,
            pue: ratio,
            quality,
        }
    }

    fn price(&self, site: &Site, span: Span, rates: &Rates<'f>) -> Priced {
        let slot = site
            .tariff
            .as_ref()
            .filter(|tariff| &***tariff != INCLUDED)
            .and_then(|tariff| {
                self.tariffs
                    .at(tariff, site.zone, site.region.as_ref(), span.start)
            });
        let Some(slot) = slot else {
            return Priced {
                span,
                level: None,
                price: None,
                month: None,
                last_known: false,
            };
        };
        let month = Month::of(day_of(site.zone, span.start));
        let mut last_known = slot.last_known;
        let price = slot.price.as_ref().and_then(|(price, currency, _)| {
            let rate = rates.at(currency, month);
            last_known |= rate.last_known;
            // Yuan per kWh are 10^6 micro-yuan per 3.6·10^9 milli-joules.
            price
                .times(rate.rate?)?
                .times(Rational { num: 1, den: 3600 })
        });
        let month = slot.price.as_ref().map(|(_, _, month)| *month);
        Priced {
            span,
            level: Some(slot.level),
            price,
            month,
            last_known,
        }
    }

    /// Rule E3: the mean of the month before, else rated power × 0.60 held, × 0.15 unheld; watts.
    pub fn estimate(
        &self,
        site: &Id,
        device: &DeviceEntry<'_>,
        month: Month,
        held: bool,
    ) -> Option<Rational> {
        let model = device.model?;
        let mean = self
            .measured
            .get(&(&**site, &*model.model, month.plus(-1), held));
        let share = if held {
            Rational { num: 3, den: 5 }
        } else {
            Rational { num: 3, den: 20 }
        };
        mean.copied().or_else(|| model.tdp_w?.times(share))
    }

    pub fn node_meter(&self, node: &str) -> Option<&Meters> {
        self.node.get(node)
    }
}

fn half_hour_end(zone: Zone, at: Ms) -> Ms {
    let minute = local_at(zone, at).map_or(0, minute_of_day);
    let left = 30 - i64::from(minute % 30);
    at.div_euclid(MINUTE_MS) * MINUTE_MS + left * MINUTE_MS
}

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
        for (k, (at, meter)) in starts.iter().zip(metered).enumerate() {
            let minute = Span::new(*at, at + MINUTE_MS);
            let alive: Vec<usize> = (0..count)
                .filter(|d| {
                    valid
                        .get(*d)
                        .and_then(|v| v.get(k))
                        .is_some_and(|ms| *ms > 0)
                })
                .collect();
            let this = match meter {
                Some(total) => {
                    let devices: i64 = drawn.iter().filter_map(|d| d.minutes.get(k)).sum();
                    total - devices
                }
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
                match meter {
                    Some(_) => {
                        own.measured_mj += part;
                        own.conflict |= this < 0;
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
        self.power
            .estimate(&self.node.site.site, entry, self.month, held)
    }

    fn overhead_w(&self, off: bool) -> Rational {
        if off || !self.estimates() {
            Rational::ZERO
        } else {
            self.node.fact.host_overhead_w.unwrap_or(Rational::ZERO)
        }
    }
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

/// The yuan of an hour's stretches: Σ energy × price, × PUE, rounded once (E8). `None` when a price or PUE is missing.
pub(crate) fn cost(drawn: &Drawn, site: &SitePower) -> Option<Micro> {
    let mut sum = Rational::ZERO;
    for (mj, stretch) in drawn.stretches.iter().zip(&site.priced) {
        sum = sum.plus(stretch.price?.times(Rational::whole(*mj))?)?;
    }
    sum.times(site.pue?)?.round()
}

/// Weights of the minutes by their cost: energy × price over a common denominator; plain energy without prices.
/// Minutes of negative cost weigh 0 (E4).
pub(crate) fn minute_weights(drawn: &Drawn, site: &SitePower, hour: Span) -> Vec<u128> {
    let prices: Vec<Rational> = site
        .priced
        .iter()
        .map(|p| p.price)
        .collect::<Option<Vec<_>>>()
        .unwrap_or_else(|| vec![Rational::ONE; site.priced.len()]);
    let same = prices.iter().all(|price| Some(price) == prices.first());
    let common = if same {
        1
    } else {
        prices.iter().fold(1i128, |c, p| lcm(c, p.den))
    };
    let scale: Vec<u128> = prices
        .iter()
        .map(|p| {
            if same {
                1
            } else {
                (p.num.max(0) * (common / p.den.max(1))).unsigned_abs()
            }
        })
        .collect();
    let weight = |(k, mj): (usize, &i64)| {
        let at = hour.start + i64::try_from(k).unwrap_or(0) * MINUTE_MS;
        let stretch = site
            .priced
            .iter()
            .position(|p| p.span.contains(at))
            .unwrap_or(0);
        u128::from(mj.max(&0).unsigned_abs()) * scale.get(stretch).copied().unwrap_or(1)
    };
    drawn.minutes.iter().enumerate().map(weight).collect()
}

fn lcm(a: i128, b: i128) -> i128 {
    let (mut x, mut y) = (a.max(1), b.max(1));
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).saturating_mul(b)
}

/// The doubt of a node meter that reads less than its devices.
pub(crate) fn conflict(node: &NodeEntry<'_>, ms: Ms) -> Doubt {
    Doubt {
        kind: DoubtKind::MeterConflict,
        subject: node.fact.node.clone(),
        site: Some(node.site.site.clone()),
        amount: None,
        ms,
        detail: String::new(),
    }
}
