//! Electricity: prices and PUE of a site's hour, the estimate of what nobody measured, and what an hour cost.
//!
//! Rules E3, E5, E7 and E8; a device-hour's yuan are rounded once. What the devices drew is in `node_hour`.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "milli-joules of an hour stay below 2^43 and rated powers below 2^40, so products fit 128 bits"
)]

use std::collections::{BTreeMap, HashMap};

use super::index::{DeviceEntry, NodeEntry};
use super::money::Rates;
use super::node_hour::Drawn;
use crate::books::{Doubt, DoubtKind, PueQuality};
use crate::energy::{MeterLine, Meters, pue};
use crate::facts::{Facts, Level, Meter, MeterReading, MeterRole, Ownership, Site};
use crate::ids::Id;
use crate::money::Micro;
use crate::quantity::Rational;
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
    pub tariff: Option<Id>,
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

pub(crate) fn paid(node: &NodeEntry<'_>, site: &SitePower) -> Paid {
    match (node.fact.ownership, site.tariff.as_deref()) {
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
            tariff: site.tariff.clone(),
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
        site: Some(node.site.clone()),
        amount: None,
        ms,
        detail: String::new(),
    }
}
