//! The second opinion: the totals of a day another way, from sources down instead of from rows up.
//!
//! Every identity of docs/accounting.md is checked on every row, and each asset's, charge's and price-book row's yuan
//! of the day are computed again by the plainest means. A difference is named, never corrected.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "sums of a day's micro-yuan in 128 bits"
)]

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::books::{Day, Row, SourceKind};
use crate::category::{CATEGORIES, Category, Component};
use crate::depreciation::schedule;
use crate::facts::{Asset, ChargeComponent, Facts, Nodes, Recurring};
use crate::ids::Id;
use crate::ledger::Settings;
use crate::money::{MICRO_PER_FEN, Micro};
use crate::quantity::Rational;
use crate::split::apportion_small;
use crate::time::{Month, Ms, Span, day_span, day_start, hours_of_month};

/// Something that does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which identity, e.g. `components = categories`.
    pub rule: &'static str,
    /// Where: a row, a source, a device.
    pub place: String,
    pub expected: i128,
    pub found: i128,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rule,
            place,
            expected,
            found,
        } = self;
        write!(f, "{rule}: {place}: expected {expected}, found {found}")
    }
}

/// Facts prepared once for auditing many days.
pub struct Auditor<'f> {
    facts: &'f Facts,
    settings: Settings,
    /// Validity of the top-level devices by node and by site.
    by_node: HashMap<&'f str, Vec<Span>>,
    by_site: HashMap<&'f str, Vec<Span>>,
    /// Validity by device id, slices too.
    by_device: HashMap<&'f str, Vec<Span>>,
    assets: BTreeMap<&'f str, Vec<&'f Asset>>,
}

/// Audits one day. To audit many, make an [`Auditor`] once.
#[must_use]
pub fn audit(facts: &Facts, settings: &Settings, day: &Day) -> Vec<Difference> {
    Auditor::new(facts, settings.clone()).day(day)
}

impl<'f> Auditor<'f> {
    #[must_use]
    pub fn new(facts: &'f Facts, settings: Settings) -> Self {
        let mut this = Self {
            facts,
            settings,
            by_node: HashMap::new(),
            by_site: HashMap::new(),
            by_device: HashMap::new(),
            assets: BTreeMap::new(),
        };
        for device in &facts.devices {
            for node in facts.nodes.iter().filter(|node| node.node == device.node) {
                for site in facts.sites.iter().filter(|site| site.site == node.site) {
                    let parts = [device.valid, node.valid, site.valid];
                    let whole = Span::new(Ms::MIN, Ms::MAX);
                    let Some(valid) = parts.iter().try_fold(whole, |span, part| part.cut(span))
                    else {
                        continue;
                    };
                    let spans = this.by_device.entry(&device.device);
                    spans.or_default().push(valid);
                    if device.parent.is_none() {
                        this.by_node.entry(&node.node).or_default().push(valid);
                        this.by_site.entry(&node.site).or_default().push(valid);
                    }
                }
            }
        }
        for row in &facts.assets {
            this.assets.entry(&row.asset).or_default().push(row);
        }
        for rows in this.assets.values_mut() {
            rows.sort_by_key(|row| row.valid_from_month);
        }
        this
    }

    /// Every difference of the day; empty is what it should be.
    #[must_use]
    pub fn day(&self, day: &Day) -> Vec<Difference> {
        let mut found = Vec::new();
        for row in &day.rows {
            identities(row, &mut found);
        }
        totals(day, &mut found);
        self.time(day, &mut found);
        self.sources(day, &mut found);
        found
    }

    /// A device-day's milliseconds sum to the valid part of the ledger day (invariant 6).
    fn time(&self, day: &Day, found: &mut Vec<Difference>) {
        let span = day_span(self.settings.zone, day.day);
        let mut booked: HashMap<&str, Ms> = HashMap::new();
        for row in &day.rows {
            if let Some(device) = &row.device {
                *booked.entry(device).or_default() += row.ms.iter().sum::<Ms>();
            }
        }
        for (device, valid) in &self.by_device {
            let expected: Ms = valid
                .iter()
                .filter_map(|v| v.cut(span))
                .map(Span::len)
                .sum();
            let sum = booked.remove(device).unwrap_or(0);
            differ(found, "milliseconds = valid time", device, expected, sum);
        }
        for (device, sum) in booked {
            differ(found, "milliseconds = valid time", device, 0, sum);
        }
    }

    /// Each asset's and charge's yuan of the day, from its own facts.
    fn sources(&self, day: &Day, found: &mut Vec<Difference>) {
        let mut booked: BTreeMap<(SourceKind, &str), i128> = BTreeMap::new();
        for source in &day.sources {
            *booked.entry((source.kind, &*source.source)).or_default() += i128::from(source.amount);
        }
        let month = Month::of(day.day);
        let hours = hours_of_month(self.settings.zone, month);
        let span = day_span(self.settings.zone, day.day);
        for (name, rows) in &self.assets {
            if let Some(expected) = self.asset(rows, day, &hours, span) {
                let sum = booked.remove(&(SourceKind::Asset, *name)).unwrap_or(0);
                differ(found, "asset", name, expected, sum);
            }
        }
        let mut charges: BTreeMap<&str, Option<i128>> = BTreeMap::new();
        for charge in &self.facts.recurring {
            let amount = self.charge(charge, month, &hours, span);
            let slot = charges.entry(&charge.charge).or_insert(Some(0));
            *slot = slot.zip(amount).map(|(a, b)| a + i128::from(b));
        }
        for (name, expected) in charges {
            let sum = booked.remove(&(SourceKind::Charge, name)).unwrap_or(0);
            if let Some(expected) = expected {
                differ(found, "charge", name, expected, sum);
            }
        }
    }

    /// `None` when the asset's price has no rate.
    fn asset(&self, rows: &[&Asset], day: &Day, hours: &[Span], span: Span) -> Option<i128> {
        let first = rows.first()?;
        let rate = self.rate(&first.currency, Month::of(first.in_service))?;
        let price = Rational::whole(first.price_fen).times(rate)?.round()?;
        let (plan, _) = schedule(rows, price)?;
        let disposal = plan
            .disposal
            .filter(|(at, _)| *at == day.day)
            .map_or(0, |(_, fen)| fen * MICRO_PER_FEN);
        let month = Month::of(day.day);
        let fen: i64 = plan
            .months
            .iter()
            .filter(|charge| charge.month == month)
            .map(|charge| charge.fen)
            .sum();
        let borne = Span::new(
            day_start(self.settings.zone, plan.first_day),
            plan.last_day_exclusive
                .map_or(Ms::MAX, |last| day_start(self.settings.zone, last)),
        );
        let valid = self.valid(&first.nodes, &first.site);
        let hourly = self.hourly(fen * MICRO_PER_FEN, hours, valid.as_deref(), borne);
        Some(i128::from(disposal) + within(hours, &hourly, span))
    }

    fn charge(&self, charge: &Recurring, month: Month, hours: &[Span], span: Span) -> Option<i64> {
        if month < charge.from_month || charge.to_month.is_some_and(|last| month > last) {
            return Some(0);
        }
        let rate = self.rate(&charge.currency, month)?;
        let amount = Rational::whole(charge.amount_micro).times(rate)?.round()?;
        let pooled = matches!(
            charge.component,
            ChargeComponent::DemandCharge | ChargeComponent::PowerFactor
        );
        let nodes = match (&charge.nodes, charge.component) {
            (Nodes::None, ChargeComponent::Rent) => Nodes::All,
            (nodes, _) if !pooled => nodes.clone(),
            _ => Nodes::None,
        };
        let valid = self.valid(&nodes, &charge.site);
        let hourly = self.hourly(amount, hours, valid.as_deref(), Span::new(Ms::MIN, Ms::MAX));
        i64::try_from(within(hours, &hourly, span)).ok()
    }

    /// Validity of the devices that bear a cost; `None` when no device does.
    fn valid(&self, nodes: &Nodes, site: &str) -> Option<Vec<Span>> {
        match nodes {
            Nodes::None => None,
            Nodes::All => Some(self.by_site.get(site).cloned().unwrap_or_default()),
            Nodes::Some(names) => Some(
                names
                    .iter()
                    .filter_map(|name| self.by_node.get(&**name))
                    .flatten()
                    .copied()
                    .collect(),
            ),
        }
    }

    fn hourly(
        &self,
        amount: Micro,
        hours: &[Span],
        valid: Option<&[Span]>,
        borne: Span,
    ) -> Vec<Micro> {
        let all = |hour: &Span| hour.len().unsigned_abs();
        let borne = |hour: &Span| borne.cut(*hour).is_some();
        let lives =
            |hour: &Span| valid.is_some_and(|v| v.iter().any(|span| span.cut(*hour).is_some()));
        let weights: Vec<u64> = hours
            .iter()
            .map(|hour| {
                if borne(hour) && lives(hour) {
                    all(hour)
                } else {
                    0
                }
            })
            .collect();
        let some = valid.and_then(|_| apportion_small(amount, &weights));
        let whole: Vec<u64> = hours.iter().map(all).collect();
        some.or_else(|| apportion_small(amount, &whole))
            .unwrap_or_default()
    }

    fn rate(&self, currency: &Id, month: Month) -> Option<Rational> {
        if currency.is_empty() || *currency == self.settings.currency {
            return Some(Rational::ONE);
        }
        let rows = self
            .facts
            .fx
            .iter()
            .filter(|row| row.currency == *currency && row.month <= month);
        rows.max_by_key(|row| row.month).map(|row| row.rate)
    }
}

fn within(hours: &[Span], amounts: &[Micro], span: Span) -> i128 {
    let inside = hours
        .iter()
        .zip(amounts)
        .filter(|(hour, _)| hour.cut(span).is_some());
    inside.map(|(_, amount)| i128::from(*amount)).sum()
}

/// Σ components = Σ categories = Σ reasons, row by row; electricity stands in its own vector.
fn identities(row: &Row, found: &mut Vec<Difference>) {
    let place = || {
        let text = |id: &Option<Id>| id.as_deref().unwrap_or("-").to_owned();
        format!("{} {} {}", row.site, text(&row.device), text(&row.workload))
    };
    let sum = |list: &[i64]| list.iter().map(|x| i128::from(*x)).sum::<i128>();
    let electricity = row
        .components
        .get(Component::Electricity.index())
        .copied()
        .unwrap_or(0);
    let mut check = |rule, expected: i128, value: i128| {
        if expected != value {
            found.push(Difference {
                rule,
                place: place(),
                expected,
                found: value,
            });
        }
    };
    check(
        "components = categories",
        sum(&row.components),
        sum(&row.time) + sum(&row.energy),
    );
    check(
        "electricity = its categories",
        i128::from(electricity),
        sum(&row.energy),
    );
    check(
        "milliseconds = modes",
        if row.device.is_some() {
            sum(&row.ms)
        } else {
            0
        },
        sum(&row.mode_ms),
    );
    for category in Category::ALL {
        let at =
            |list: &[i64; CATEGORIES]| i128::from(list.get(category.index()).copied().unwrap_or(0));
        let parts = row.reasons.iter().filter(|part| part.category == category);
        let (mut time, mut energy, mut ms) = (0, 0, 0);
        for part in parts {
            time += i128::from(part.time);
            energy += i128::from(part.energy);
            ms += i128::from(part.ms);
        }
        check("category time = reasons", at(&row.time), time);
        check("category electricity = reasons", at(&row.energy), energy);
        check("category milliseconds = reasons", at(&row.ms), ms);
    }
}

/// Σ rows = Σ sources, component by component; site hours sum to the devices' electricity.
fn totals(day: &Day, found: &mut Vec<Difference>) {
    for component in Component::ALL {
        let rows = day
            .rows
            .iter()
            .filter_map(|row| row.components.get(component.index()));
        let sources = day
            .sources
            .iter()
            .filter(|source| source.component == component);
        let sum: i128 = rows.map(|x| i128::from(*x)).sum();
        let from: i128 = sources.map(|source| i128::from(source.amount)).sum();
        differ(found, "rows = sources", component.name(), from, sum);
    }
    let devices = day.rows.iter().filter(|row| row.device.is_some());
    let electricity: i128 = devices
        .flat_map(|row| row.energy.iter())
        .map(|x| i128::from(*x))
        .sum();
    let hours: i128 = day
        .site_hours
        .iter()
        .filter_map(|hour| hour.amount)
        .map(i128::from)
        .sum();
    differ(
        found,
        "site hours = electricity",
        "devices",
        electricity,
        hours,
    );
}

fn differ(
    found: &mut Vec<Difference>,
    rule: &'static str,
    place: &str,
    expected: impl Into<i128>,
    value: impl Into<i128>,
) {
    let (expected, value) = (expected.into(), value.into());
    if expected != value {
        found.push(Difference {
            rule,
            place: place.to_owned(),
            expected,
            found: value,
        });
    }
}
