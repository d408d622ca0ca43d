//! One hour of a device brought to its cells, and before that split over the slices that live on it.
//!
//! Slices get `slice_weight` × valid time of everything, electricity by the minutes they are valid in; the rest stays
//! with the device they are slices of.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "weights of an hour in 256 bits, micro-yuan of an hour in 64"
)]

use ethnum::U256;

use super::Engine;
use super::cells::{By, HourCells};
use super::day::Builder;
use super::device::{DeviceDay, MinuteWeights};
use super::hour_cost::HourCost;
use super::index::NodeEntry;
use super::node_hour::Drawn;
use super::power::{SitePower, minute_weights};
use super::rows;
use crate::books::{Doubt, DoubtKind, Flags};
use crate::category::Bearer;
use crate::split::apportion;
use crate::time::{HOUR_MS, Span};

impl<'a, 'f> Builder<'a, 'f> {
    /// Brings one hour of a device, and of its slices, to their cells.
    pub(super) fn hour(
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

    pub(super) fn note_slice_energy(&mut self, device: &DeviceDay<'a, 'f>, node: &NodeEntry<'f>) {
        let measured = |hour: &crate::minutes::MinuteHour| {
            hour.hour < self.span.end
                && hour.hour + HOUR_MS > self.span.start
                && hour.minutes.iter().any(|minute| minute.energy_ms > 0)
        };
        if device.entry.parent.is_some() && device.entry.hours.iter().any(measured) {
            self.doubts.add(Doubt {
                kind: DoubtKind::SliceEnergyIgnored,
                subject: device.entry.fact.device.clone(),
                site: Some(node.site.clone()),
                amount: None,
                ms: 0,
                detail: String::new(),
            });
        }
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
