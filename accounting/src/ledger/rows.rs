//! Closing a device's day into ledger rows, and the lines without device.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "sums of a day's micro-yuan, milliseconds and milli-joules"
)]

use std::collections::BTreeMap;

use super::Engine;
use super::attribution::Owner;
use super::cells::DayCell;
use super::device::DeviceDay;
use super::doubts::Doubts;
use super::index::NodeEntry;
use crate::books::{Doubt, DoubtKind, Flags, ReasonPart, Row};
use crate::category::{
    Bearer, CATEGORIES, COMPONENTS, Category, Component, MODES, Pool, Reason, Status,
};
use crate::ids::Id;
use crate::money::{Micro, round_half_away};
use crate::split::apportion_small;
use crate::time::Ms;

/// Inside this module only: the row holds an estimate. Cleared before the row leaves.
pub(crate) const ESTIMATED: Flags = Flags(1 << 30);

/// A cell with its milliseconds.
type Timed = (DayCell, Ms);

/// Rows of the day so far.
#[derive(Default)]
pub(crate) struct Found {
    pub rows: Vec<Row>,
    pools: BTreeMap<(Pool, Id), usize>,
    owners: BTreeMap<usize, Owner>,
    oversold: Vec<(Id, Ms)>,
}

impl Found {
    /// Adds to the line of a pool.
    pub fn pool(
        &mut self,
        pool: Pool,
        site: &Id,
        component: Component,
        amount: Micro,
        status: Status,
    ) {
        let at = match self.pools.get(&(pool, site.clone())) {
            Some(at) => *at,
            None => {
                self.pools.insert((pool, site.clone()), self.rows.len());
                self.rows.push(Row {
                    pool: Some(pool),
                    ..empty(site.clone(), status)
                });
                self.rows.len() - 1
            }
        };
        let Some(row) = self.rows.get_mut(at) else {
            return;
        };
        row.status = row.status.min(status);
        add(&mut row.components, component.index(), amount);
        let (time, energy) = match component {
            Component::Electricity => (0, amount),
            _ => (amount, 0),
        };
        add(&mut row.time, Category::NonDevice.index(), time);
        add(&mut row.energy, Category::NonDevice.index(), energy);
        row_reason(row, Category::NonDevice, Reason::Plain, time, energy, 0);
    }
}

fn add(list: &mut [i64], index: usize, amount: i64) {
    if let Some(slot) = list.get_mut(index) {
        *slot += amount;
    }
}

fn empty(site: Id, status: Status) -> Row {
    Row {
        site,
        node: None,
        device: None,
        workload: None,
        bearer: None,
        pool: None,
        project: None,
        person: None,
        components: [0; COMPONENTS],
        time: [0; CATEGORIES],
        energy: [0; CATEGORIES],
        ms: [0; CATEGORIES],
        energy_mwh: None,
        measured_mwh: 0,
        mode_ms: [0; MODES],
        unpriced_ms: 0,
        flags: Flags::default(),
        status,
        reasons: Vec::new(),
    }
}

fn row_reason(
    row: &mut Row,
    category: Category,
    reason: Reason,
    time: Micro,
    energy: Micro,
    ms: Ms,
) {
    match row
        .reasons
        .iter_mut()
        .find(|part| part.category == category && part.reason == reason)
    {
        Some(part) => {
            part.time += time;
            part.energy += energy;
            part.ms += ms;
        }
        None => row.reasons.push(ReasonPart {
            category,
            reason,
            time,
            energy,
            ms,
        }),
    }
}

/// The device's cells as rows, one for each (workload, bearer).
pub(crate) fn close<'f>(
    engine: &Engine<'f>,
    node: &NodeEntry<'f>,
    mut device: DeviceDay<'_, 'f>,
    day_start: Ms,
    found: &mut Found,
) {
    let milliseconds = device.cells.milliseconds(device.span.len());
    let cells = std::mem::take(&mut device.cells.cells);
    let mut groups: BTreeMap<(Option<usize>, Bearer), Vec<Timed>> = BTreeMap::new();
    for (cell, ms) in cells.into_iter().zip(milliseconds) {
        let (workload, category, _) = cell.key;
        groups
            .entry((workload, Bearer::of(category)))
            .or_default()
            .push((cell, ms));
    }
    let lengths: Vec<u64> = groups
        .values()
        .map(|cells| cells.iter().map(|(_, ms)| ms.unsigned_abs()).sum())
        .collect();
    let unpriced =
        apportion_small(device.unpriced_ms, &lengths).unwrap_or_else(|| vec![0; groups.len()]);
    for (((workload, bearer), cells), unpriced_ms) in groups.into_iter().zip(unpriced) {
        let mut row = row(&device, node, bearer, &cells);
        row.unpriced_ms = unpriced_ms;
        row.mode_ms = modes(&device, workload, bearer, row.ms.iter().sum());
        let flags = device
            .flags
            .iter()
            .filter(|(w, b, _)| *w == workload && *b == bearer);
        row.flags = flags.fold(Flags::default(), |all, (_, _, flag)| all.with(*flag));
        row.status = if row.flags.has(ESTIMATED) {
            Status::Estimated
        } else {
            Status::Provisional
        };
        row.flags = Flags(row.flags.0 & !ESTIMATED.0);
        if let Some(index) = workload {
            let owner = found
                .owners
                .entry(index)
                .or_insert_with(|| owner(engine, index, day_start));
            row.project.clone_from(&owner.project);
            row.person.clone_from(&owner.person);
            row.workload = engine
                .index
                .workloads
                .get(index)
                .map(|entry| entry.id.clone());
        }
        found.rows.push(row);
    }
    if device.oversold_ms > 0 {
        found
            .oversold
            .push((device.entry.fact.device.clone(), device.oversold_ms));
    }
}

fn owner(engine: &Engine<'_>, workload: usize, day_start: Ms) -> Owner {
    let fact = engine
        .index
        .workloads
        .get(workload)
        .and_then(|entry| entry.fact);
    fact.map(|fact| engine.attribution.owner(fact, day_start))
        .unwrap_or_default()
}

fn row(
    device: &DeviceDay<'_, '_>,
    node: &NodeEntry<'_>,
    bearer: Bearer,
    cells: &[(DayCell, Ms)],
) -> Row {
    let mut row = Row {
        node: Some(node.fact.node.clone()),
        device: Some(device.entry.fact.device.clone()),
        bearer: Some(bearer),
        ..empty(node.site.clone(), Status::Provisional)
    };
    let (mut drawn_mj, mut measured_mj) = (0, 0);
    for (cell, ms) in cells {
        let (_, category, reason) = cell.key;
        let time = cell.depreciation + cell.recurring + cell.cloud;
        add(
            &mut row.components,
            Component::Depreciation.index(),
            cell.depreciation,
        );
        add(
            &mut row.components,
            Component::Recurring.index(),
            cell.recurring,
        );
        add(&mut row.components, Component::Cloud.index(), cell.cloud);
        add(
            &mut row.components,
            Component::Electricity.index(),
            cell.electricity,
        );
        add(&mut row.time, category.index(), time);
        add(&mut row.energy, category.index(), cell.electricity);
        add(&mut row.ms, category.index(), *ms);
        row_reason(&mut row, category, reason, time, cell.electricity, *ms);
        drawn_mj += cell.drawn_mj;
        measured_mj += cell.measured_mj;
    }
    let mwh = |mj: i64| round_half_away(i128::from(mj), 3600).unwrap_or(0);
    row.energy_mwh = device.energy_known.then(|| mwh(drawn_mj));
    row.measured_mwh = mwh(measured_mj);
    row
}

/// The row's milliseconds by evidence mode.
fn modes(
    device: &DeviceDay<'_, '_>,
    workload: Option<usize>,
    bearer: Bearer,
    ms: Ms,
) -> [Ms; MODES] {
    let mut weights = [0u64; MODES];
    for seen in device
        .seen
        .iter()
        .filter(|s| s.workload == workload && s.bearer == bearer)
    {
        if let Some(weight) = weights.get_mut(seen.mode.index()) {
            *weight += seen.weight;
        }
    }
    let mut modes = [0; MODES];
    for (slot, part) in modes
        .iter_mut()
        .zip(apportion_small(ms, &weights).unwrap_or_default())
    {
        *slot = part;
    }
    modes
}

/// (site, device, workload, bearer), lines without device last.
pub(crate) fn sort(rows: &mut [Row]) {
    rows.sort_by(|a, b| {
        let key = |row: &Row| {
            (
                row.device.is_none(),
                row.site.clone(),
                row.device.clone(),
                row.workload.clone(),
            )
        };
        key(a)
            .cmp(&key(b))
            .then_with(|| (a.bearer, a.pool).cmp(&(b.bearer, b.pool)))
    });
}

/// What the rows themselves show: unattributed workloads, activity nobody placed, oversold devices.
pub(crate) fn doubts(found: &Found, doubts: &mut Doubts) {
    let line = |kind, subject: &Id, site: Option<Id>, amount, ms| Doubt {
        kind,
        subject: subject.clone(),
        site,
        amount,
        ms,
        detail: String::new(),
    };
    for row in &found.rows {
        let total: Micro = row.components.iter().sum();
        let site = Some(row.site.clone());
        let is_borne = row.bearer == Some(Bearer::Payer) && row.project.is_none();
        // Time out of service inside a placement is the pool's, whoever held the device.
        if let Some(workload) = row.workload.as_ref().filter(|_| is_borne) {
            let ms = row.ms.iter().sum();
            doubts.add(line(
                DoubtKind::Unattributed,
                workload,
                site.clone(),
                Some(total),
                ms,
            ));
        }
        let active = row
            .reasons
            .iter()
            .filter(|part| part.reason == Reason::ActivityWithoutPlacement);
        if let (Some(device), true) = (&row.device, row.bearer == Some(Bearer::UnknownAlloc)) {
            for part in active {
                let amount = Some(part.time + part.energy);
                doubts.add(line(
                    DoubtKind::ActivityWithoutPlacement,
                    device,
                    site.clone(),
                    amount,
                    part.ms,
                ));
            }
        }
    }
    for (device, ms) in &found.oversold {
        doubts.add(line(DoubtKind::Oversold, device, None, None, *ms));
    }
}
