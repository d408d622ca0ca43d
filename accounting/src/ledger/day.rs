//! One ledger day: prices and amounts of its hours, node by node and device by device, then the pools.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "sums of a day's micro-yuan and milliseconds, far below 2^63; indices within their vectors"
)]

use std::collections::BTreeMap;

use chrono::NaiveDate;
use ethnum::U256;

use super::Engine;
use super::cells::{By, HourCells};
use super::cost::{DayCosts, Line, MonthCosts, Target, needs_price_book};
use super::device::{DeviceDay, MinuteWeights};
use super::index::NodeEntry;
use super::power::{Drawn, NodeHour, Paid, SitePower, conflict, cost, minute_weights, paid};
use super::rows::{self, Found};
use crate::books::{Day, Doubt, DoubtKind, Flags, PueQuality, SiteHour, Source, SourceKind};
use crate::category::{Bearer, Component, Status};
use crate::facts::{Level, MeasuredPower, State};
use crate::ids::Id;
use crate::money::Micro;
use crate::quantity::Rational;
use crate::split::{apportion, apportion_small};
use crate::time::{HOUR_MS, MINUTE_MS, Month, Ms, Span};

/// What one top-level device costs in one hour.
#[derive(Clone, Debug, Default)]
struct HourCost {
    depreciation: Micro,
    recurring: Micro,
    cloud: Micro,
    electricity: Micro,
    drawn_mj: i64,
    measured_mj: i64,
    estimated: bool,
    flags: Flags,
    unpriced: bool,
    energy_known: bool,
}

/// Milli-joules and yuan by (site, hour of the day, level).
type SiteHours = BTreeMap<(Id, usize, Option<Level>), (i64, Option<Micro>)>;

pub(crate) struct Builder<'a, 'f> {
    engine: &'a Engine<'f>,
    day: NaiveDate,
    span: Span,
    month: Month,
    costs: DayCosts,
    month_costs: std::sync::Arc<MonthCosts>,
    /// By site, then hour of the day.
    sites: BTreeMap<&'a str, Vec<SitePower>>,
    site_hours: SiteHours,
    sources: BTreeMap<(SourceKind, Id, Id, Option<usize>), Source>,
    doubts: Doubts,
    found: Found,
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

    fn price_sites(&mut self) {
        let mut doubts = Vec::new();
        for (name, site) in &self.engine.index.sites {
            let hours = self.costs.hours.iter();
            let priced = hours.map(|hour| {
                self.engine
                    .power
                    .site(site, *hour, &self.engine.rates, &mut doubts)
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
            .get(&*node.site.site)
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

    fn hour_cost(
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
                && (drawn.measured_mj != 0 || paid(node) != Paid::NotOurs || drawn.total_mj != 0),
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
        match paid(node) {
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
                        self.doubts.last_known(node, hour.len());
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
        let Some(tariff) = node.site.tariff.clone() else {
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
            site: node.site.site.clone(),
            device: Some(top.entry.fact.device.clone()),
            pool: None,
            rule: "E8",
            version,
            component: Component::Electricity,
            amount,
        };
        self.book_source(source, Some(top.device));
    }

    fn book_source(&mut self, source: Source, device: Option<usize>) {
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
            .filter(|row| row.site == node.site.site && row.ownership == node.fact.ownership)
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

    fn book_site_hour(
        &mut self,
        node: &NodeEntry<'f>,
        site: &SitePower,
        h: usize,
        drawn: &Drawn,
        amount: Micro,
    ) {
        // What is not ours costs nothing; what is ours without a price is unknown, which is not 0.
        let known = match paid(node) {
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
            let key = (node.site.site.clone(), h, stretch.level);
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

    /// Brings one hour of a device, and of its slices, to their cells.
    fn hour(
        &mut self,
        site: &SitePower,
        hour: Span,
        top: &mut DeviceDay<'a, 'f>,
        slices: &mut [DeviceDay<'a, 'f>],
        cost: HourCost,
        drawn: &Drawn,
    ) {
        let alive = top
            .span
            .cut(hour)
            .unwrap_or(Span::new(hour.start, hour.start));
        let weights = (!drawn.minutes.is_empty()).then(|| {
            MinuteWeights::new(
                hour,
                alive,
                &minute_weights(drawn, site, hour),
                &drawn.minutes,
            )
        });
        let live: Vec<usize> = (0..slices.len())
            .filter(|s| slices.get(*s).is_some_and(|x| x.span.cut(hour).is_some()))
            .collect();
        if live.is_empty() {
            book(self.engine, top, hour, &cost, weights.as_ref());
            return;
        }
        let shares = self.slice_shares(hour, alive, top, slices, &live, weights.as_ref());
        let parts = split_cost(&cost, &shares);
        for (at, part) in live.iter().zip(&parts) {
            if let Some(slice) = slices.get_mut(*at) {
                let mut part = part.clone();
                part.flags = part.flags.with(Flags::SLICE_ESTIMATED);
                part.estimated |= part.electricity != 0;
                book(self.engine, slice, hour, &part, weights.as_ref());
            }
        }
        if let Some(rest) = parts.last() {
            book(self.engine, top, hour, rest, weights.as_ref());
        }
    }

    /// Weights of the slices, in order, and of the rest: `slice_weight` × valid time, × minute cost for energy.
    fn slice_shares(
        &mut self,
        hour: Span,
        alive: Span,
        top: &DeviceDay<'a, 'f>,
        slices: &[DeviceDay<'a, 'f>],
        live: &[usize],
        weights: Option<&MinuteWeights>,
    ) -> Shares {
        let chosen: Vec<&DeviceDay<'a, 'f>> =
            live.iter().filter_map(|at| slices.get(*at)).collect();
        let common = chosen
            .iter()
            .fold(1i64, |c, s| lcm(c, s.entry.weight.den.max(1)));
        let mut shares = Shares::default();
        let whole = |span: Span| {
            let by_minute = weights.map_or((U256::ZERO, U256::ZERO), |w| w.of(span));
            (
                U256::from(span.len().unsigned_abs()),
                by_minute.0,
                by_minute.1,
            )
        };
        let factor = U256::from(common.unsigned_abs());
        let (time, cost, drawn) = whole(alive);
        let mut rest = (time * factor, cost * factor, drawn * factor);
        let mut exceeded = false;
        for slice in chosen {
            let weight = slice.entry.weight;
            let each = U256::from((common / weight.den.max(1) * weight.num.max(0)).unsigned_abs());
            let (time, cost, drawn) = slice
                .span
                .cut(hour)
                .map_or((U256::ZERO, U256::ZERO, U256::ZERO), whole);
            let mine = (time * each, cost * each, drawn * each);
            exceeded |= mine.0 > rest.0;
            rest = (
                less(rest.0, mine.0),
                less(rest.1, mine.1),
                less(rest.2, mine.2),
            );
            shares.add(mine);
        }
        shares.add(rest);
        if exceeded {
            self.doubts.add(Doubt {
                kind: DoubtKind::SlicesExceedParent,
                subject: top.entry.fact.device.clone(),
                site: None,
                amount: None,
                ms: hour.len(),
                detail: String::new(),
            });
        }
        shares
    }

    fn note_slice_energy(&mut self, device: &DeviceDay<'a, 'f>, node: &NodeEntry<'f>) {
        let measured = |hour: &crate::minutes::MinuteHour| {
            hour.hour < self.span.end
                && hour.hour + HOUR_MS > self.span.start
                && hour.minutes.iter().any(|minute| minute.energy_ms > 0)
        };
        if device.entry.parent.is_some() && device.entry.hours.iter().any(measured) {
            self.doubts.add(Doubt {
                kind: DoubtKind::SliceEnergyIgnored,
                subject: device.entry.fact.device.clone(),
                site: Some(node.site.site.clone()),
                amount: None,
                ms: 0,
                detail: String::new(),
            });
        }
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

/// Apportions an hour's amounts over the device's cells of that hour.
fn book<'f>(
    engine: &Engine<'f>,
    device: &mut DeviceDay<'_, 'f>,
    hour: Span,
    cost: &HourCost,
    weights: Option<&MinuteWeights>,
) {
    let cells = device.judge(engine, hour, weights);
    let parts = |amount: i64, by: By| {
        if amount == 0 {
            Vec::new()
        } else {
            cells.split(amount, by)
        }
    };
    let depreciation = parts(cost.depreciation, By::Time);
    let recurring = parts(cost.recurring, By::Time);
    let cloud = parts(cost.cloud, By::Cloud);
    let electricity = parts(cost.electricity, By::Cost);
    let drawn = parts(cost.drawn_mj, By::Drawn);
    let measured = parts(cost.measured_mj, By::Drawn);
    let at = |list: &[i64], k: usize| list.get(k).copied().unwrap_or(0);
    for (k, hour_cell) in cells.cells.iter().enumerate() {
        let (workload, category, _) = hour_cell.key;
        device.flag(
            workload,
            Bearer::of(category),
            cost.flags,
            cost.flags != Flags::default(),
        );
        device.flag(
            workload,
            Bearer::of(category),
            rows::ESTIMATED,
            cost.estimated,
        );
        let Some(cell) = device.cells.cell(hour_cell.key) else {
            continue;
        };
        cell.time_weight += hour_cell.time;
        cell.depreciation += at(&depreciation, k);
        cell.recurring += at(&recurring, k);
        cell.cloud += at(&cloud, k);
        cell.electricity += at(&electricity, k);
        cell.drawn_mj += at(&drawn, k);
        cell.measured_mj += at(&measured, k);
    }
    device.energy_known |= cost.energy_known;
    if cost.unpriced {
        device.unpriced_ms += device.span.cut(hour).map_or(0, Span::len);
    }
    let cells: HourCells = cells;
    device.recycle(cells);
}

/// Weights of slices and rest by time, cost and energy.
#[derive(Default)]
struct Shares {
    time: Vec<U256>,
    cost: Vec<U256>,
    drawn: Vec<U256>,
}

impl Shares {
    fn add(&mut self, (time, cost, drawn): (U256, U256, U256)) {
        self.time.push(time);
        self.cost.push(cost);
        self.drawn.push(drawn);
    }
}

fn split_cost(cost: &HourCost, shares: &Shares) -> Vec<HourCost> {
    let by = |amount: i64, weights: &[U256]| {
        apportion(amount, weights)
            .or_else(|| apportion(amount, &shares.time))
            .unwrap_or_else(|| vec![0; shares.time.len()])
    };
    let depreciation = by(cost.depreciation, &shares.time);
    let recurring = by(cost.recurring, &shares.time);
    let cloud = by(cost.cloud, &shares.time);
    let electricity = by(cost.electricity, &shares.cost);
    let drawn = by(cost.drawn_mj, &shares.drawn);
    let measured = by(cost.measured_mj, &shares.drawn);
    let at = |list: &[i64], k: usize| list.get(k).copied().unwrap_or(0);
    (0..shares.time.len())
        .map(|k| HourCost {
            depreciation: at(&depreciation, k),
            recurring: at(&recurring, k),
            cloud: at(&cloud, k),
            electricity: at(&electricity, k),
            drawn_mj: at(&drawn, k),
            measured_mj: at(&measured, k),
            ..cost.clone()
        })
        .collect()
}

fn less(from: U256, amount: U256) -> U256 {
    if amount > from {
        U256::ZERO
    } else {
        from - amount
    }
}

fn lcm(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a.max(1), b.max(1));
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).saturating_mul(b)
}

fn ownership_name(node: &NodeEntry<'_>) -> &'static str {
    match node.fact.ownership {
        crate::facts::Ownership::Owned => "owned",
        crate::facts::Ownership::Leased => "leased",
        crate::facts::Ownership::Cloud => "cloud",
    }
}

/// Doubts of a day, one line for each kind and subject.
#[derive(Default)]
pub(crate) struct Doubts(BTreeMap<(DoubtKind, Id, Option<Id>, String), Doubt>);

impl Doubts {
    pub fn add(&mut self, doubt: Doubt) {
        let key = (
            doubt.kind,
            doubt.subject.clone(),
            doubt.site.clone(),
            doubt.detail.clone(),
        );
        match self.0.get_mut(&key) {
            Some(known) => {
                known.ms += doubt.ms;
                known.amount = match (known.amount, doubt.amount) {
                    (Some(a), Some(b)) => Some(a + b),
                    (a, b) => a.or(b),
                };
            }
            None => drop(self.0.insert(key, doubt)),
        }
    }

    fn unpriced(&mut self, node: &NodeEntry<'_>, what: &str, ms: Ms) {
        self.add(Doubt {
            kind: DoubtKind::Unpriced,
            subject: node.site.site.clone(),
            site: Some(node.site.site.clone()),
            amount: None,
            ms,
            detail: what.to_owned(),
        });
    }

    fn last_known(&mut self, node: &NodeEntry<'_>, ms: Ms) {
        self.add(Doubt {
            kind: DoubtKind::LastKnownPrice,
            subject: node
                .site
                .tariff
                .clone()
                .unwrap_or_else(|| node.site.site.clone()),
            site: Some(node.site.site.clone()),
            amount: None,
            ms,
            detail: String::new(),
        });
    }

    fn into_list(self) -> Vec<Doubt> {
        self.0.into_values().collect()
    }
}

/// Measured energy of top-level devices on `day`, held and unheld apart, minute by minute.
pub(crate) fn measured_power(engine: &Engine<'_>, day: NaiveDate) -> Vec<MeasuredPower> {
    let span = engine.day_span(day);
    let month = Month::of(day);
    let mut sums: BTreeMap<(Id, Id, bool), (i64, Ms)> = BTreeMap::new();
    for device in &engine.index.devices {
        let (Some(model), Some(node)) = (device.model, engine.index.nodes.get(device.node)) else {
            continue;
        };
        let Some(valid) = device.valid.cut(span).filter(|_| device.parent.is_none()) else {
            continue;
        };
        let first = device
            .hours
            .partition_point(|hour| hour.hour + HOUR_MS <= valid.start);
        for hour in device
            .hours
            .iter()
            .skip(first)
            .take_while(|hour| hour.hour < valid.end)
        {
            for (k, minute) in hour
                .minutes
                .iter()
                .enumerate()
                .filter(|(_, m)| m.energy_ms > 0)
            {
                let start = hour.hour + i64::try_from(k).unwrap_or(0) * MINUTE_MS;
                let Some(alive) = Span::new(start, start + MINUTE_MS).cut(valid) else {
                    continue;
                };
                let held: Ms = device
                    .occupied
                    .iter()
                    .filter_map(|h| h.cut(alive))
                    .map(Span::len)
                    .sum();
                let unheld = alive.len() - held;
                let weights = [held.unsigned_abs(), unheld.unsigned_abs()];
                let ms = apportion_small(minute.energy_ms.min(alive.len()), &weights)
                    .unwrap_or_default();
                let mj = apportion_small(minute.energy_mj, &weights).unwrap_or_default();
                for (held, (ms, mj)) in [true, false].into_iter().zip(ms.into_iter().zip(mj)) {
                    if ms > 0 {
                        let key = (node.site.site.clone(), model.model.clone(), held);
                        let (energy, time) = sums.entry(key).or_insert((0, 0));
                        *energy += mj;
                        *time += ms;
                    }
                }
            }
        }
    }
    sums.into_iter()
        .map(
            |((site, model, held), (energy_mj, time_ms))| MeasuredPower {
                site,
                model,
                month,
                held,
                energy_mj,
                time_ms,
            },
        )
        .collect()
}
