//! The day-level sums that pages read, made from a day's rows before they are written, so that both land together.

use std::collections::HashMap;

use accounting::books::{Doubt, DoubtKind, Row};
use accounting::category::{COMPONENTS, Mode};
use accounting::efficiency::{Done, mfu, plus_flops};
use accounting::ids::Id;
use accounting::money::Micro;
use accounting::time::Ms;
use chrono::NaiveDate;

use super::catalog::Catalog;
use super::sheet::CellCodes;

/// The grain of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key<'a> {
    pub site: &'a str,
    pub project: Option<&'a str>,
    pub kind: Option<&'a str>,
    pub model: Option<&'a str>,
    pub bearer: Option<&'a str>,
    pub pool: Option<&'a str>,
    pub mode: Option<&'a str>,
    pub status: &'a str,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    pub components: [Micro; COMPONENTS],
    pub total: Micro,
    pub energy_mwh: Option<i64>,
    pub measured_mwh: i64,
    pub device_ms: Ms,
    pub unpriced_ms: Ms,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellCosts {
    pub time: Micro,
    pub energy: Micro,
    pub ms: Ms,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkloadCosts {
    pub costs: Costs,
    pub work: Done,
    /// What the devices could do in the time they were held, where their peak is known.
    pub possible_flops: Option<f64>,
    pub unpeaked_ms: Ms,
}

/// Workload, person, and the page's grain.
pub type WorkloadKey<'a> = (&'a str, Option<&'a str>, Key<'a>);

/// The sums of one day, each in the order of its key.
pub struct Sums<'a> {
    pub books: Vec<(Key<'a>, Costs)>,
    pub cells: Vec<(Key<'a>, i16, CellCosts)>,
    pub workloads: Vec<(WorkloadKey<'a>, WorkloadCosts)>,
}

/// The evidence mode shown: the one with most time, the weaker of two equal ones; none without a device.
#[must_use]
pub fn shown_mode(row: &Row) -> Option<Mode> {
    row.device.as_ref()?;
    let mut shown = Mode::M0;
    let mut most = 0;
    for mode in Mode::ALL {
        let ms = row.mode_ms.get(mode.index()).copied().unwrap_or(0);
        if ms > most {
            (shown, most) = (mode, ms);
        }
    }
    Some(shown)
}

impl<'a> Key<'a> {
    pub fn of(row: &'a Row, day: NaiveDate, catalog: &Catalog<'a>) -> Self {
        Self {
            site: &row.site,
            project: row.project.as_deref(),
            kind: row
                .workload
                .as_deref()
                .map(|workload| catalog.kind(workload)),
            model: row
                .device
                .as_deref()
                .and_then(|device| catalog.model(device, day)),
            bearer: row.bearer.map(accounting::category::Bearer::name),
            pool: row.pool.map(accounting::category::Pool::name),
            mode: shown_mode(row).map(Mode::name),
            status: row.status.name(),
        }
    }
}

impl Costs {
    fn add(&mut self, row: &Row) {
        for (sum, part) in self.components.iter_mut().zip(row.components) {
            *sum = sum.saturating_add(part);
            self.total = self.total.saturating_add(part);
        }
        if let Some(energy) = row.energy_mwh {
            self.energy_mwh = Some(self.energy_mwh.unwrap_or(0).saturating_add(energy));
        }
        self.measured_mwh = self.measured_mwh.saturating_add(row.measured_mwh);
        self.device_ms = self.device_ms.saturating_add(device_ms(row));
        self.unpriced_ms = self.unpriced_ms.saturating_add(row.unpriced_ms);
    }
}

/// Device time of a row: its milliseconds over the 14 categories.
#[must_use]
pub fn device_ms(row: &Row) -> Ms {
    row.ms.iter().fold(0, |sum: Ms, ms| sum.saturating_add(*ms))
}

impl<'a> Sums<'a> {
    #[must_use]
    pub fn of(
        rows: &'a [Row],
        keys: &[Key<'a>],
        day: NaiveDate,
        catalog: &Catalog<'a>,
        codes: &CellCodes,
    ) -> Self {
        let mut books: HashMap<Key<'a>, Costs> = HashMap::new();
        let mut cells: HashMap<(Key<'a>, i16), CellCosts> = HashMap::new();
        let mut workloads: HashMap<WorkloadKey<'a>, WorkloadCosts> = HashMap::new();
        for (row, key) in rows.iter().zip(keys) {
            books.entry(*key).or_default().add(row);
            for part in &row.reasons {
                let cell = cells
                    .entry((*key, codes.code(part.category, part.reason)))
                    .or_default();
                cell.time = cell.time.saturating_add(part.time);
                cell.energy = cell.energy.saturating_add(part.energy);
                cell.ms = cell.ms.saturating_add(part.ms);
            }
            if let Some(workload) = row.workload.as_deref() {
                let sum = workloads
                    .entry((workload, row.person.as_deref(), *key))
                    .or_default();
                sum.costs.add(row);
                sum.add_peak(row, workload, day, catalog);
            }
        }
        let mut books: Vec<_> = books.into_iter().collect();
        books.sort_unstable_by_key(|(key, _)| *key);
        let mut cells: Vec<_> = cells
            .into_iter()
            .map(|((key, cell), costs)| (key, cell, costs))
            .collect();
        cells.sort_unstable_by_key(|(key, cell, _)| (*key, *cell));
        let mut workloads: Vec<_> = workloads.into_iter().collect();
        workloads.sort_unstable_by_key(|(key, _)| *key);
        add_work(&mut workloads, catalog.work_of(day));
        Self {
            books,
            cells,
            workloads,
        }
    }
}

impl WorkloadCosts {
    fn add_peak(&mut self, row: &Row, workload: &str, day: NaiveDate, catalog: &Catalog<'_>) {
        if row.bearer != Some(accounting::category::Bearer::Payer) {
            return;
        }
        let ms = device_ms(row);
        match row
            .device
            .as_deref()
            .and_then(|device| catalog.possible_flops(device, workload, day, ms))
        {
            Some(flops) => self.possible_flops = Some(plus_flops(self.possible_flops, flops)),
            None => self.unpeaked_ms = self.unpeaked_ms.saturating_add(ms),
        }
    }
}

/// Spreads each workload's work over its lines that a payer bears, by device time; a workload without such a line that
/// day gets a line of its own without cost, so that no token is lost.
fn add_work<'a>(
    workloads: &mut Vec<(WorkloadKey<'a>, WorkloadCosts)>,
    work: HashMap<&'a str, Done>,
) {
    let mut work: Vec<(&str, Done)> = work.into_iter().collect();
    work.sort_unstable_by_key(|(workload, _)| *workload);
    let placed = workloads.len();
    for (workload, done) in work {
        let sorted = workloads.get(..placed).unwrap_or_default();
        let first = sorted.partition_point(|((id, ..), _)| *id < workload);
        let lines: Vec<usize> = sorted
            .iter()
            .enumerate()
            .skip(first)
            .take_while(|(_, ((id, ..), _))| *id == workload)
            .filter(|(_, ((_, _, key), _))| key.bearer == Some("payer"))
            .map(|(index, _)| index)
            .collect();
        let weights: Vec<u64> = lines
            .iter()
            .filter_map(|index| workloads.get(*index))
            .map(|(_, sum)| u64::try_from(sum.costs.device_ms).unwrap_or(0))
            .collect();
        let Some(parts) = done.divided(&weights) else {
            workloads.push((
                unplaced(workload),
                WorkloadCosts {
                    work: done,
                    ..WorkloadCosts::default()
                },
            ));
            continue;
        };
        for (line, part) in lines.iter().zip(parts) {
            if let Some((_, sum)) = workloads.get_mut(*line) {
                sum.work = part;
            }
        }
    }
}

/// Workloads that report more model FLOPs on the day than their devices could do: FLOPs, precision or placements are
/// wrong. Nothing is said of those that held a device without a known peak.
#[must_use]
pub fn above_peak(workloads: &[(WorkloadKey<'_>, WorkloadCosts)]) -> Vec<Doubt> {
    workloads
        .chunk_by(|((one, ..), _), ((next, ..), _)| one == next)
        .filter_map(|lines| {
            let ((workload, _, key), _) = lines.first()?;
            let (mut flops, mut possible, mut cost) = (None, None, 0);
            for (_, sum) in lines {
                if sum.unpeaked_ms > 0 {
                    return None;
                }
                for (sum, part) in [
                    (&mut flops, sum.work.model_flops),
                    (&mut possible, sum.possible_flops),
                ] {
                    *sum = part.map(|part| plus_flops(*sum, part)).or(*sum);
                }
                cost = Micro::saturating_add(cost, sum.costs.total);
            }
            let mfu = mfu(flops?, possible?).filter(|mfu| *mfu > 1.0)?;
            Some(Doubt {
                kind: DoubtKind::MfuAboveOne,
                subject: Id::from(*workload),
                site: (!key.site.is_empty()).then(|| Id::from(key.site)),
                amount: Some(cost),
                ms: 0,
                detail: format!("MFU {mfu:.2}"),
            })
        })
        .collect()
}

fn unplaced(workload: &str) -> WorkloadKey<'_> {
    let key = Key {
        site: "",
        project: None,
        kind: None,
        model: None,
        bearer: Some("payer"),
        pool: None,
        mode: None,
        status: accounting::category::Status::Provisional.name(),
    };
    (workload, None, key)
}
