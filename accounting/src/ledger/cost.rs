//! Monthly amounts brought to hours and devices: depreciation and recurring charges.
//!
//! A month's amount is apportioned over the hours of the month in which a covered device is valid, each hour's over
//! the devices valid in it. Amounts without devices go to a pool, over all hours of the month. A month is computed
//! once and shared by its days.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "sums of hourly parts stay below the month's amount, an i64"
)]

use std::collections::{BTreeMap, HashSet};

use chrono::NaiveDate;

use super::index::Index;
use super::money::Rates;
use crate::books::{Doubt, DoubtKind, SourceKind};
use crate::category::{Component, Pool};
use crate::depreciation::{Schedule, schedule};
use crate::facts::{Asset, ChargeComponent, Facts, Nodes, Ownership, Recurring, ShareKey};
use crate::ids::Id;
use crate::money::{MICRO_PER_FEN, Micro};
use crate::quantity::Rational;
use crate::split::apportion_small;
use crate::time::{Month, Span, Zone, day_start, hours_of_month};

/// Where an amount goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Indices of top-level devices, in id order, and how an hour is divided among those valid in it.
    Devices {
        devices: Vec<usize>,
        key: ShareKey,
    },
    Pool {
        pool: Pool,
        site: Id,
    },
}

/// One source's amounts in one month, hour by hour.
#[derive(Clone, Debug)]
pub(crate) struct Driver {
    pub kind: SourceKind,
    pub source: Id,
    pub site: Id,
    pub rule: &'static str,
    pub version: Id,
    pub component: Component,
    pub target: Target,
    /// Micro-yuan by hour of the month.
    pub hours: Vec<Micro>,
}

/// A month's drivers.
pub(crate) struct MonthCosts {
    pub hours: Vec<Span>,
    pub drivers: Vec<Driver>,
    /// Lines booked on one day, not spread: disposals.
    pub lines: Vec<Line>,
    /// Devices covered by an asset that does not (yet, or any longer) depreciate this month.
    pub undepreciated: HashSet<usize>,
    pub doubts: Vec<Doubt>,
}

#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub day: NaiveDate,
    pub pool: Pool,
    pub site: Id,
    pub source: Id,
    pub amount: Micro,
}

/// What does not change from month to month: schedules, and which devices a cost covers.
pub(crate) struct Standing<'f> {
    assets: Vec<(Schedule, &'f Asset, Nodes)>,
    charges: Vec<&'f Recurring>,
    /// Nodes that a recurring charge names itself: their price is not in the price book.
    pub rented: HashSet<&'f str>,
    /// By device index: some asset or charge covers it.
    pub priced: Vec<bool>,
    zone: Zone,
}

impl<'f> Standing<'f> {
    pub fn new(
        facts: &'f Facts,
        index: &Index<'f>,
        rates: &Rates<'f>,
        zone: Zone,
        doubts: &mut Vec<Doubt>,
    ) -> Self {
        let mut by_asset: BTreeMap<&str, Vec<&Asset>> = BTreeMap::new();
        for row in &facts.assets {
            by_asset.entry(&row.asset).or_default().push(row);
        }
        let mut assets = Vec::with_capacity(by_asset.len());
        for rows in by_asset.values_mut() {
            rows.sort_by_key(|row| row.valid_from_month);
            let Some(first) = rows.first().copied() else {
                continue;
            };
            let month = Month::of(first.in_service);
            let Some(rate) = rates.at(&first.currency, month).rate else {
                doubts.push(doubt(
                    DoubtKind::NoFxRate,
                    &first.asset,
                    &first.site,
                    first.currency.to_string(),
                ));
                continue;
            };
            let price = Rational::whole(first.price_fen)
                .times(rate)
                .and_then(Rational::round);
            let Some((plan, found)) = price.and_then(|price| schedule(rows, price)) else {
                doubts.push(doubt(
                    DoubtKind::Overflow,
                    &first.asset,
                    &first.site,
                    String::new(),
                ));
                continue;
            };
            doubts.extend(found);
            assets.push((plan, first, first.nodes.clone()));
        }
        let mut charges: Vec<&Recurring> = facts.recurring.iter().collect();
        charges.sort_by(|a, b| (&a.charge, a.from_month).cmp(&(&b.charge, b.from_month)));
        let rented = charges
            .iter()
            .filter_map(|charge| match &charge.nodes {
                Nodes::Some(nodes) => Some(nodes.iter().map(|node| &**node)),
                _ => None,
            })
            .flatten()
            .collect();
        let mut standing = Self {
            assets,
            charges,
            rented,
            priced: vec![false; index.devices.len()],
            zone,
        };
        for (_, asset, nodes) in &standing.assets {
            mark(&mut standing.priced, &covered(index, &asset.site, nodes));
        }
        for charge in &standing.charges {
            if let Target::Devices { devices, .. } = charge_target(index, charge) {
                mark(&mut standing.priced, &devices);
            }
        }
        standing
    }

    /// Everything the days of one month need.
    pub fn month(&self, index: &Index<'f>, rates: &Rates<'f>, month: Month) -> MonthCosts {
        let mut costs = MonthCosts {
            hours: hours_of_month(self.zone, month),
            drivers: Vec::new(),
            lines: Vec::new(),
            undepreciated: HashSet::new(),
            doubts: Vec::new(),
        };
        for (plan, asset, nodes) in &self.assets {
            self.depreciation(index, plan, asset, nodes, month, &mut costs);
        }
        for charge in &self.charges {
            self.charge(index, rates, charge, month, &mut costs);
        }
        costs
    }

    fn depreciation(
        &self,
        index: &Index<'f>,
        plan: &Schedule,
        asset: &Asset,
        nodes: &Nodes,
        month: Month,
        costs: &mut MonthCosts,
    ) {
        if let Some((day, fen)) = plan
            .disposal
            .filter(|(day, fen)| Month::of(*day) == month && *fen != 0)
        {
            let amount = fen.saturating_mul(MICRO_PER_FEN);
            let site = asset.site.clone();
            costs.lines.push(Line {
                day,
                pool: Pool::Disposal,
                site,
                source: asset.asset.clone(),
                amount,
            });
        }
        let devices = covered(index, &asset.site, nodes);
        let Some(charge) = plan.charge(month).filter(|charge| charge.fen != 0) else {
            costs.undepreciated.extend(devices);
            return;
        };
        let target = match nodes {
            Nodes::None => Target::Pool {
                pool: Pool::Shared,
                site: asset.site.clone(),
            },
            _ => Target::Devices {
                devices,
                key: asset.share_key,
            },
        };
        let borne = Span {
            start: day_start(self.zone, plan.first_day),
            end: plan
                .last_day_exclusive
                .map_or(i64::MAX, |day| day_start(self.zone, day)),
        };
        let amount = charge.fen.saturating_mul(MICRO_PER_FEN);
        let whole = matches!(nodes, Nodes::None);
        let (hours, target) = spread(
            index,
            costs,
            amount,
            target,
            (!whole).then_some(borne),
            &asset.site,
        );
        costs.drivers.push(Driver {
            kind: SourceKind::Asset,
            source: asset.asset.clone(),
            site: asset.site.clone(),
            rule: method_name(charge.method),
            version: charge.version.clone(),
            component: Component::Depreciation,
            target,
            hours,
        });
    }

    fn charge(
        &self,
        index: &Index<'f>,
        rates: &Rates<'f>,
        charge: &Recurring,
        month: Month,
        costs: &mut MonthCosts,
    ) {
        if month < charge.from_month || charge.to_month.is_some_and(|last| month > last) {
            return;
        }
        let found = rates.at(&charge.currency, month);
        let Some(rate) = found.rate else {
            let what = charge.currency.to_string();
            costs.doubts.push(doubt(
                DoubtKind::NoFxRate,
                &charge.charge,
                &charge.site,
                what,
            ));
            return;
        };
        if found.last_known {
            let what = charge.currency.to_string();
            costs.doubts.push(doubt(
                DoubtKind::LastKnownRate,
                &charge.charge,
                &charge.site,
                what,
            ));
        }
        let amount = Rational::whole(charge.amount_micro)
            .times(rate)
            .and_then(Rational::round);
        let Some(amount) = amount else {
            costs.doubts.push(doubt(
                DoubtKind::Overflow,
                &charge.charge,
                &charge.site,
                String::new(),
            ));
            return;
        };
        let target = charge_target(index, charge);
        let (hours, target) = spread(index, costs, amount, target, None, &charge.site);
        let electric = matches!(
            charge.component,
            ChargeComponent::DemandCharge | ChargeComponent::PowerFactor
        );
        costs.drivers.push(Driver {
            kind: SourceKind::Charge,
            source: charge.charge.clone(),
            site: charge.site.clone(),
            rule: "monthly",
            version: Id::from(charge.from_month.to_string()),
            component: if electric {
                Component::Electricity
            } else {
                Component::Recurring
            },
            target,
            hours,
        });
    }
}

fn mark(flags: &mut [bool], devices: &[usize]) {
    for device in devices {
        if let Some(flag) = flags.get_mut(*device) {
            *flag = true;
        }
    }
}

fn doubt(kind: DoubtKind, subject: &Id, site: &Id, detail: String) -> Doubt {
    Doubt {
        kind,
        subject: subject.clone(),
        site: Some(site.clone()),
        amount: None,
        ms: 0,
        detail,
    }
}

fn method_name(method: crate::facts::Method) -> &'static str {
    match method {
        crate::facts::Method::StraightLine => "straight_line",
        crate::facts::Method::DoubleDeclining => "double_declining",
        crate::facts::Method::SumOfYears => "sum_of_years",
    }
}

/// Demand charge and power factor belong to the site's electricity (rule E10); rent without nodes to all devices;
/// support to the company; any other charge without nodes is shared.
fn charge_target(index: &Index<'_>, charge: &Recurring) -> Target {
    let pool = |pool| Target::Pool {
        pool,
        site: charge.site.clone(),
    };
    match (&charge.nodes, charge.component) {
        (_, ChargeComponent::DemandCharge | ChargeComponent::PowerFactor) => {
            pool(Pool::PowerVariance)
        }
        (Nodes::None, ChargeComponent::Rent) => Target::Devices {
            devices: covered(index, &charge.site, &Nodes::All),
            key: ShareKey::Equal,
        },
        (Nodes::None, ChargeComponent::Support) => Target::Pool {
            pool: Pool::Support,
            site: Id::from(""),
        },
        (Nodes::None, _) => pool(Pool::Shared),
        (nodes, _) => Target::Devices {
            devices: covered(index, &charge.site, nodes),
            key: ShareKey::Equal,
        },
    }
}

/// Top-level devices of the named nodes, in id order.
fn covered(index: &Index<'_>, site: &str, nodes: &Nodes) -> Vec<usize> {
    let mut devices: Vec<usize> = match nodes {
        Nodes::None => Vec::new(),
        Nodes::All => index
            .nodes_of_site(site)
            .flat_map(|node| node.tops.iter().copied())
            .collect(),
        Nodes::Some(names) => names
            .iter()
            .flat_map(|name| index.nodes_named(name))
            .flat_map(|node| node.tops.iter().copied())
            .collect(),
    };
    devices.sort_unstable();
    devices.dedup();
    devices
}

/// A month's amount over its hours; without any valid device in the month it goes to `no_device`.
fn spread(
    index: &Index<'_>,
    costs: &mut MonthCosts,
    amount: Micro,
    target: Target,
    borne: Option<Span>,
    site: &Id,
) -> (Vec<Micro>, Target) {
    let all = |span: &Span| u64::try_from(span.len()).unwrap_or(0);
    let within = |span: &Span| borne.is_none_or(|b| b.cut(*span).is_some());
    if let Target::Devices { devices, .. } = &target {
        let valid = super::timeline::merged(
            devices
                .iter()
                .filter_map(|d| index.devices.get(*d))
                .map(|d| d.valid)
                .collect(),
        );
        let lives = |span: &Span| {
            let first = valid.partition_point(|v| v.end <= span.start);
            valid.get(first).is_some_and(|v| v.start < span.end)
        };
        let weights: Vec<u64> = costs
            .hours
            .iter()
            .map(|span| {
                if within(span) && lives(span) {
                    all(span)
                } else {
                    0
                }
            })
            .collect();
        if let Some(hours) = apportion_small(amount, &weights) {
            return (hours, target);
        }
        costs.doubts.push(Doubt {
            kind: DoubtKind::NoValidDevice,
            subject: site.clone(),
            site: Some(site.clone()),
            amount: Some(amount),
            ms: 0,
            detail: String::new(),
        });
    }
    let target = match target {
        Target::Devices { .. } => Target::Pool {
            pool: Pool::NoDevice,
            site: site.clone(),
        },
        pool @ Target::Pool { .. } => pool,
    };
    let weights: Vec<u64> = costs.hours.iter().map(all).collect();
    (
        apportion_small(amount, &weights).unwrap_or_default(),
        target,
    )
}

/// Whether the owner of the node pays electricity and how the device is priced.
pub(crate) fn needs_price_book(ownership: Ownership, rented: bool) -> bool {
    match ownership {
        Ownership::Cloud => true,
        Ownership::Leased => !rented,
        Ownership::Owned => false,
    }
}
