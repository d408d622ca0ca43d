//! What one top-level device costs in one hour: its shares of monthly amounts, the price book, its electricity.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "micro-yuan and milliseconds of one hour, far below 2^63"
)]

use std::collections::BTreeMap;

use super::cost::needs_price_book;
use super::day::Builder;
use super::device::DeviceDay;
use super::index::NodeEntry;
use super::node_hour::Drawn;
use super::power::{Paid, SitePower, cost, paid};
use crate::books::{Flags, Source, SourceKind};
use crate::category::Component;
use crate::facts::State;
use crate::ids::Id;
use crate::money::Micro;
use crate::quantity::Rational;
use crate::time::Span;

/// What one top-level device costs in one hour.
#[derive(Clone, Debug, Default)]
pub(super) struct HourCost {
    pub depreciation: Micro,
    pub recurring: Micro,
    pub cloud: Micro,
    pub electricity: Micro,
    pub drawn_mj: i64,
    pub measured_mj: i64,
    pub estimated: bool,
    pub flags: Flags,
    pub unpriced: bool,
    pub energy_known: bool,
}

impl<'a, 'f> Builder<'a, 'f> {
    pub(super) fn hour_cost(
        &mut self,
        node: &NodeEntry<'f>,
        site: &SitePower,
        h: usize,
        hour: Span,
        top: &DeviceDay<'a, 'f>,
        drawn: &Drawn,
    ) -> HourCost {
        let mut out = HourCost {
            depreciation: self.costs.depreciation(top.device, h),
            recurring: self.costs.recurring(top.device, h),
            drawn_mj: drawn.total_mj,
            measured_mj: drawn.measured_mj,
            energy_known: !drawn.unknown
                && (drawn.measured_mj != 0
                    || paid(node, site) != Paid::NotOurs
                    || drawn.total_mj != 0),
            ..HourCost::default()
        };
        if self.month_costs.undepreciated.contains(&top.device) {
            out.flags = out.flags.with(Flags::NO_DEPRECIATION);
        }
        let rented = self.engine.standing.rented.contains(&*node.fact.node);
        if needs_price_book(node.fact.ownership, rented) {
            match self.price_book(node, hour, top) {
                Some(amount) => (out.cloud, out.estimated) = (amount, true),
                None => out.unpriced = true,
            }
        } else if !self
            .engine
            .standing
            .priced
            .get(top.device)
            .copied()
            .unwrap_or(false)
        {
            out.unpriced = true;
            let what = format!("device cost of {}", top.entry.fact.model);
            self.doubts.unpriced(node, &what, hour.len());
        }
        self.electricity(node, site, hour, top, drawn, &mut out);
        if drawn.estimated {
            out.flags = out.flags.with(Flags::ENERGY_ESTIMATED);
        }
        out
    }

    fn electricity(
        &mut self,
        node: &NodeEntry<'f>,
        site: &SitePower,
        hour: Span,
        top: &DeviceDay<'a, 'f>,
        drawn: &Drawn,
        out: &mut HourCost,
    ) {
        match paid(node, site) {
            Paid::NotOurs => {}
            Paid::InRent => out.flags = out.flags.with(Flags::IN_RENT),
            Paid::Unknown => {
                out.unpriced = true;
                self.doubts
                    .unpriced(node, "electricity: the site has no tariff", hour.len());
            }
            Paid::Tariff => match cost(drawn, site).filter(|_| !drawn.unknown) {
                Some(amount) => {
                    out.electricity = amount;
                    out.estimated |= drawn.estimated;
                    if site.priced.iter().any(|p| p.last_known) {
                        out.flags = out.flags.with(Flags::LAST_KNOWN_PRICE);
                        out.estimated = true;
                        self.doubts
                            .last_known(node, site.tariff.as_ref(), hour.len());
                    }
                    self.tariff_source(node, site, top, amount);
                }
                None => {
                    out.unpriced = true;
                    let what = match (site.pue, drawn.unknown) {
                        (_, true) => format!(
                            "energy of {}: no measurement and no rated power",
                            top.entry.fact.model
                        ),
                        (None, _) => "electricity: neither meters nor a default PUE".to_owned(),
                        _ => "electricity: the tariff has no price".to_owned(),
                    };
                    self.doubts.unpriced(node, &what, hour.len());
                }
            },
        }
        if out.unpriced {
            out.flags = out.flags.with(Flags::UNPRICED);
        }
    }

    fn tariff_source(
        &mut self,
        node: &NodeEntry<'f>,
        site: &SitePower,
        top: &DeviceDay<'a, 'f>,
        amount: Micro,
    ) {
        let Some(tariff) = site.tariff.clone() else {
            return;
        };
        let version = site
            .priced
            .iter()
            .find_map(|p| p.month)
            .map(|m| Id::from(m.to_string()));
        let version = version.unwrap_or_else(|| Id::from(""));
        let source = Source {
            kind: SourceKind::Tariff,
            source: tariff,
            site: node.site.clone(),
            device: Some(top.entry.fact.device.clone()),
            pool: None,
            rule: "E8",
            version,
            component: Component::Electricity,
            amount,
        };
        self.book_source(source, Some(top.device));
    }

    /// The price book's yuan of the hour: price × every valid second but the stopped ones, rounded once.
    fn price_book(
        &mut self,
        node: &NodeEntry<'f>,
        hour: Span,
        top: &DeviceDay<'a, 'f>,
    ) -> Option<Micro> {
        let engine = self.engine;
        let model = top
            .entry
            .model
            .map_or(&*top.entry.fact.model, |model| &*model.model);
        let resolve = |name: &Id| {
            engine
                .index
                .models
                .get(&**name)
                .map_or(&**name, |m| &*m.model)
                .to_owned()
        };
        let mut rows: Vec<_> = engine
            .facts
            .price_book
            .iter()
            .filter(|row| row.site == *node.site && row.ownership == node.fact.ownership)
            .filter(|row| *resolve(&row.model) == *model)
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.valid.from));
        let (mut exact, mut booked, mut open) = (Rational::ZERO, 0, 0);
        let mut parts: BTreeMap<usize, Rational> = BTreeMap::new();
        for piece in top
            .pieces_in(hour)
            .iter()
            .filter(|piece| piece.state != Some(State::Stopped))
        {
            let mut cuts = vec![piece.span.start, piece.span.end];
            let edges = rows
                .iter()
                .flat_map(|row| [row.valid.from, row.valid.to])
                .flatten();
            cuts.extend(edges.filter(|at| piece.span.contains(*at)));
            cuts.sort_unstable();
            cuts.dedup();
            for pair in cuts.windows(2) {
                let [start, end] = pair else { continue };
                let priced = rows.iter().position(|row| row.valid.contains(*start));
                let rate = priced.and_then(|at| rows.get(at)).and_then(|row| {
                    let rate = engine.rates.at(&row.currency, self.month);
                    row.price_per_device_hour.times(rate.rate?)
                });
                match (priced, rate) {
                    (Some(at), Some(rate)) => {
                        // Yuan per hour × milliseconds: 10^6 micro-yuan per 3.6·10^6 ms.
                        let part = rate.times(Rational {
                            num: i128::from(end - start) * 10,
                            den: 36,
                        })?;
                        let sum = parts
                            .get(&at)
                            .copied()
                            .unwrap_or(Rational::ZERO)
                            .plus(part)?;
                        parts.insert(at, sum);
                    }
                    _ => open += end - start,
                }
            }
        }
        if open > 0 {
            let what = format!("price of {model} ({})", ownership_name(node));
            self.doubts.unpriced(node, &what, open);
        }
        if parts.is_empty() && open > 0 {
            return None;
        }
        for (at, part) in parts {
            exact = exact.plus(part)?;
            let until = exact.round()?;
            let Some(row) = rows.get(at) else { continue };
            let from = row
                .valid
                .from
                .map(|at| crate::time::day_of(engine.settings.zone, at).to_string());
            let source = Source {
                kind: SourceKind::PriceBook,
                source: Id::from(format!("{}/{}", row.site, row.model)),
                site: row.site.clone(),
                device: Some(top.entry.fact.device.clone()),
                pool: None,
                rule: "price_book",
                version: Id::from(from.unwrap_or_default()),
                component: Component::Cloud,
                amount: until - booked,
            };
            self.book_source(source, Some(top.device));
            booked = until;
        }
        Some(booked)
    }
}

fn ownership_name(node: &NodeEntry<'_>) -> &'static str {
    match node.fact.ownership {
        crate::facts::Ownership::Owned => "owned",
        crate::facts::Ownership::Leased => "leased",
        crate::facts::Ownership::Cloud => "cloud",
    }
}
