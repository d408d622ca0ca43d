//! One ledger day: prices and amounts of its hours, node by node and device by device, then the pools.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "sums of a day's micro-yuan and milliseconds, far below 2^63; indices within their vectors"
)]

use std::collections::BTreeMap;

use chrono::NaiveDate;
use ethnum::U256;

use super::Engine;
use super::cost::{Line, MonthCosts, Target};
use super::device::DeviceDay;
use super::doubts::Doubts;
use super::index::NodeEntry;
use super::node_hour::{Drawn, NodeHour};
use super::power::{Paid, SitePower, conflict, paid};
use super::rows::{self, Found};
use super::sharing::DayCosts;
use crate::books::{Day, Doubt, DoubtKind, PueQuality, SiteHour, Source, SourceKind};
use crate::category::{Component, Status};
use crate::facts::Level;
use crate::ids::Id;
use crate::money::Micro;
use crate::quantity::Rational;
use crate::split::apportion;
use crate::time::{Month, Span};

/// Milli-joules and yuan by (site, hour of the day, level).
type SiteHours = BTreeMap<(Id, usize, Option<Level>), (i64, Option<Micro>)>;

pub(crate) struct Builder<'a, 'f> {
    pub(super) engine: &'a Engine<'f>,
    pub(super) day: NaiveDate,
    pub(super) span: Span,
    pub(super) month: Month,
    pub(super) costs: DayCosts,
    pub(super) month_costs: std::sync::Arc<MonthCosts>,
    /// By site, then hour of the day.
    pub(super) sites: BTreeMap<&'a str, Vec<SitePower>>,
    pub(super) site_hours: SiteHours,
    pub(super) sources: BTreeMap<(SourceKind, Id, Id, Option<usize>), Source>,
    pub(super) doubts: Doubts,
    pub(super) found: Found,
}

impl<'a, 'f> Builder<'a, 'f> {
    pub fn new(engine: &'a Engine<'f>, day: NaiveDate) -> Self {
        let span = engine.day_span(day);
        let month = Month::of(day);
        let month_costs = engine.month(month);
        let costs = DayCosts::new(&engine.index, &month_costs, span);
        Self {
            engine,
            day,
            span,
            month,
            costs,
            month_costs,
            sites: BTreeMap::new(),
            site_hours: BTreeMap::new(),
            sources: BTreeMap::new(),
            doubts: Doubts::default(),
            found: Found::default(),
        }
    }

    pub fn build(mut self) -> Day {
        self.month_costs
            .doubts
            .iter()
            .for_each(|doubt| self.doubts.add(doubt.clone()));
        self.shared_blindly();
        self.unplaced();
        self.price_sites();
        let engine = self.engine;
        for node in &engine.index.nodes {
            self.node(node);
        }
        self.driver_sources();
        let lines: Vec<Line> = self
            .month_costs
            .lines
            .iter()
            .filter(|line| line.day == self.day)
            .cloned()
            .collect();
        for line in lines {
            self.line(&line);
        }
        let site_hours = self.site_hours();
        rows::doubts(&self.found, &mut self.doubts);
        let mut rows = self.found.rows;
        rows::sort(&mut rows);
        Day {
            day: self.day,
            rows,
            sources: self
                .sources
                .into_values()
                .filter(|source| source.amount != 0)
                .collect(),
            site_hours,
            doubts: self.doubts.into_list(),
        }
    }

    /// What devices without rated power were given of amounts shared by it.
    fn shared_blindly(&mut self) {
        for (driver, device, amount) in std::mem::take(&mut self.costs.blind) {
            let (Some(driver), Some(device)) = (
                self.month_costs.drivers.get(driver),
                self.engine.index.devices.get(device),
            ) else {
                continue;
            };
            self.doubts.add(Doubt {
                kind: DoubtKind::UnknownTdp,
                subject: device.fact.model.clone(),
                site: Some(driver.site.clone()),
                amount: Some(amount),
                ms: 0,
                detail: driver.source.to_string(),
            });
        }
    }

    /// Placements of the day that hold nothing.
    fn unplaced(&mut self) {
        for unplaced in &self.engine.index.unplaced {
            if let Some(span) = unplaced.span.cut(self.span) {
                self.doubts.add(Doubt {
                    kind: unplaced.kind,
                    subject: Id::from(unplaced.device),
                    site: unplaced.site.clone(),
                    amount: None,
                    ms: span.len(),
                    detail: String::new(),
                });
            }
        }
    }

    fn price_sites(&mut self) {
        let mut doubts = Vec::new();
        for (name, rows) in &self.engine.index.sites {
            let hours = self.costs.hours.iter();
            // The row at the hour's start; the first one where the site begins later.
            let priced = hours.filter_map(|hour| {
                let past = rows
                    .iter()
                    .rev()
                    .find(|s| s.valid.from.is_none_or(|from| from <= hour.start));
                let site = past.or_else(|| rows.first())?;
                let power = &self.engine.power;
                Some(power.site(site, *hour, &self.engine.rates, &mut doubts))
            });
            self.sites.insert(*name, priced.collect());
        }
        doubts.into_iter().for_each(|doubt| self.doubts.add(doubt));
    }

    fn node(&mut self, node: &'a NodeEntry<'f>) {
        let engine = self.engine;
        let mut tops: Vec<DeviceDay<'a, 'f>> = node
            .tops
            .iter()
            .filter_map(|d| DeviceDay::new(engine, *d, node, self.span))
            .collect();
        if tops.is_empty() {
            return;
        }
        let mut slices: Vec<Vec<DeviceDay<'a, 'f>>> = tops
            .iter()
            .map(|top| {
                top.entry
                    .slices
                    .iter()
                    .filter_map(|s| DeviceDay::new(engine, *s, node, self.span))
                    .collect()
            })
            .collect();
        let hours = self.costs.hours.clone();
        for (h, hour) in hours.iter().enumerate() {
            self.node_hour(node, h, *hour, &mut tops, &mut slices);
        }
        for (top, slices) in tops.into_iter().zip(slices) {
            for device in std::iter::once(top).chain(slices) {
                self.note_slice_energy(&device, node);
                rows::close(engine, node, device, self.span.start, &mut self.found);
            }
        }
    }

    fn node_hour(
        &mut self,
        node: &'a NodeEntry<'f>,
        h: usize,
        hour: Span,
        tops: &mut [DeviceDay<'a, 'f>],
        slices: &mut [Vec<DeviceDay<'a, 'f>>],
    ) {
        let engine = self.engine;
        let live: Vec<usize> = (0..tops.len())
            .filter(|t| tops.get(*t).is_some_and(|top| top.span.cut(hour).is_some()))
            .collect();
        let devices: Vec<usize> = live
            .iter()
            .filter_map(|t| tops.get(*t))
            .map(|top| top.device)
            .collect();
        let pieces: Vec<_> = live
            .iter()
            .filter_map(|t| tops.get(*t))
            .map(|top| top.pieces_in(hour))
            .collect();
        let Some(site) = self
            .sites
            .get(&**node.site)
            .and_then(|hours| hours.get(h))
            .cloned()
        else {
            return;
        };
        let drawn = NodeHour {
            index: &engine.index,
            power: &engine.power,
            node,
            site: &site,
            hour,
            month: self.month,
        }
        .drawn(&devices, &pieces);
        if drawn.iter().any(|d| d.conflict) {
            self.doubts.add(conflict(node, hour.len()));
        }
        for (t, drawn) in live.into_iter().zip(drawn) {
            let (Some(top), Some(slices)) = (tops.get_mut(t), slices.get_mut(t)) else {
                continue;
            };
            let cost = self.hour_cost(node, &site, h, hour, top, &drawn);
            self.book_site_hour(node, &site, h, &drawn, cost.electricity);
            self.hour(&site, hour, top, slices, cost, &drawn);
        }
    }

    pub(super) fn book_source(&mut self, source: Source, device: Option<usize>) {
        let key = (
            source.kind,
            source.source.clone(),
            source.version.clone(),
            device,
        );
        match self.sources.get_mut(&key) {
            Some(known) if known.component == source.component => known.amount += source.amount,
            _ => drop(self.sources.insert(key, source)),
        }
    }

    fn book_site_hour(
        &mut self,
        node: &NodeEntry<'f>,
        site: &SitePower,
        h: usize,
        drawn: &Drawn,
        amount: Micro,
    ) {
        // What is not ours costs nothing; what is ours without a price is unknown, which is not 0.
        let known = match paid(node, site) {
            Paid::Tariff => site.pue.is_some(),
            Paid::NotOurs | Paid::InRent => true,
            Paid::Unknown => false,
        };
        let weights: Vec<u128> = site
            .priced
            .iter()
            .zip(&drawn.stretches)
            .map(|(p, mj)| {
                let cost = p.price.and_then(|price| price.times(Rational::whole(*mj)));
                let nano = cost.and_then(|cost| cost.scaled(6)).unwrap_or(0);
                u128::from(nano.max(0).unsigned_abs())
            })
            .collect();
        let wide: Vec<U256> = weights.iter().map(|w| U256::from(*w)).collect();
        let mut parts = apportion(amount, &wide).unwrap_or_else(|| vec![0; site.priced.len()]);
        if weights.iter().all(|w| *w == 0)
            && let Some(first) = parts.first_mut()
        {
            *first = amount;
        }
        for ((stretch, mj), part) in site.priced.iter().zip(&drawn.stretches).zip(parts) {
            let key = (node.site.clone(), h, stretch.level);
            let (energy, yuan) = self.site_hours.entry(key).or_insert((0, None));
            *energy += mj;
            if known {
                *yuan = Some(yuan.unwrap_or(0) + part);
            }
        }
    }

    fn site_hours(&mut self) -> Vec<SiteHour> {
        let booked = std::mem::take(&mut self.site_hours);
        booked
            .into_iter()
            .filter_map(|((site, h, level), (mj, amount))| {
                let hour = *self.costs.hours.get(h)?;
                let power = self.sites.get(&*site).and_then(|hours| hours.get(h));
                Some(SiteHour {
                    hour,
                    level,
                    energy_mwh: crate::money::round_half_away(i128::from(mj), 3600).unwrap_or(0),
                    amount,
                    pue: power.and_then(|p| p.pue),
                    quality: power.map_or(PueQuality::Unknown, |p| p.quality),
                    site,
                })
            })
            .collect()
    }

    /// Assets and charges of the day: their sources, and a line for each pool.
    fn driver_sources(&mut self) {
        let month = self.month_costs.clone();
        for (number, device, amount) in std::mem::take(&mut self.costs.parts) {
            let Some(driver) = month.drivers.get(number) else {
                continue;
            };
            let (pool, site) = match &driver.target {
                Target::Pool { pool, site } => (Some(*pool), site.clone()),
                Target::Devices { .. } => (None, driver.site.clone()),
            };
            if let Some(pool) = pool {
                self.found
                    .pool(pool, &site, driver.component, amount, Status::Provisional);
            }
            let source = Source {
                kind: driver.kind,
                source: driver.source.clone(),
                site,
                device: device
                    .and_then(|d| self.engine.index.devices.get(d))
                    .map(|d| d.fact.device.clone()),
                pool,
                rule: driver.rule,
                version: driver.version.clone(),
                component: driver.component,
                amount,
            };
            self.book_source(source, device);
        }
    }

    fn line(&mut self, line: &Line) {
        self.found.pool(
            line.pool,
            &line.site,
            Component::Depreciation,
            line.amount,
            Status::Provisional,
        );
        let source = Source {
            kind: SourceKind::Asset,
            source: line.source.clone(),
            site: line.site.clone(),
            device: None,
            pool: Some(line.pool),
            rule: "disposal",
            version: Id::from("disposal"),
            component: Component::Depreciation,
            amount: line.amount,
        };
        self.book_source(source, None);
    }
}
