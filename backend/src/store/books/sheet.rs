//! A day of books as the bytes that go to PostgreSQL: pure, so that it can be made beside the engine, off the writer.

use std::collections::{BTreeMap, HashMap};

use accounting::books::{Day, Doubt, Row, Source};
use accounting::category::{CATEGORIES, Category, Reason};
use accounting::facts::MeasuredPower;
use accounting::money::Micro;
use accounting::quantity::Rational;
use accounting::time::Ms;
use chrono::NaiveDate;

use super::BooksError;
use super::catalog::Catalog;
use super::copy::Rows;
use super::sums::{
    CellCosts, Costs, Key, Sums, WorkloadCosts, WorkloadKey, above_peak, shown_mode,
};

/// The numbers of (category, sub-reason) pairs, as the database has them.
#[derive(Clone, Debug, Default)]
pub struct CellCodes {
    codes: HashMap<(Category, Reason), i16>,
}

impl CellCodes {
    pub(super) fn insert(&mut self, category: Category, reason: Reason, code: i16) {
        self.codes.insert((category, reason), code);
    }

    /// Every pair has a number from the moment the codes are read.
    #[must_use]
    pub fn code(&self, category: Category, reason: Reason) -> i16 {
        self.codes.get(&(category, reason)).copied().unwrap_or(-1)
    }
}

/// One day, ready to be written.
pub struct Sheet {
    pub day: NaiveDate,
    pub rows: u64,
    pub total: Micro,
    /// `COPY` statement and its bytes; tables without rows are left out.
    pub tables: Vec<(&'static str, Vec<u8>)>,
}

const LEDGER: &str = "COPY ledger (day, site, node, device, workload, bearer, pool, project, person, kind, model, \
    depreciation, recurring, electricity, cloud, tokens, other, energy_mwh, measured_mwh, unpriced_ms, flags, mode, \
    status, mode_ms, cells, cell_time, cell_energy, cell_ms) FROM STDIN (FORMAT binary)";
const SOURCES: &str = "COPY sources (day, kind, source, version, site, pool, rule, component, total, devices, amounts) \
    FROM STDIN (FORMAT binary)";
const SITE_HOURS: &str = "COPY site_hours (day, site, hour_start, hour_end, level, energy_mwh, facility_mwh, amount, \
    pue, quality) FROM STDIN (FORMAT binary)";
const DOUBTS: &str =
    "COPY doubts (day, kind, subject, site, amount, lasted_ms, detail) FROM STDIN (FORMAT binary)";
const MEASURED: &str =
    "COPY measured_power (day, site, model, held, energy_mj, time_ms) FROM STDIN (FORMAT binary)";
const BOOK_DAYS: &str = "COPY book_days (day, site, project, kind, model, bearer, pool, mode, status, depreciation, \
    recurring, electricity, cloud, tokens, other, total, energy_mwh, measured_mwh, device_ms, unpriced_ms) \
    FROM STDIN (FORMAT binary)";
const CELL_DAYS: &str = "COPY cell_days (day, site, project, kind, model, bearer, pool, mode, status, cell, cell_time, \
    cell_energy, cell_ms) FROM STDIN (FORMAT binary)";
const WORKLOAD_DAYS: &str = "COPY workload_days (day, site, workload, project, person, kind, model, bearer, mode, \
    status, depreciation, recurring, electricity, cloud, tokens, other, total, energy_mwh, measured_mwh, device_ms, \
    unpriced_ms, tokens_trained, tokens_prompt, tokens_cached, tokens_generated, model_flops, peak_flops, \
    unpeaked_ms) FROM STDIN (FORMAT binary)";

impl Sheet {
    /// Lays out a day.
    ///
    /// # Errors
    /// When a row's reasons do not sum to its categories: the books keep the reasons only, so that would lose money.
    pub fn new(
        day: &Day,
        measured: &[MeasuredPower],
        catalog: &Catalog<'_>,
        codes: &CellCodes,
    ) -> Result<Self, BooksError> {
        for row in &day.rows {
            check(row, day.day)?;
        }
        let keys: Vec<Key<'_>> = day
            .rows
            .iter()
            .map(|row| Key::of(row, day.day, catalog))
            .collect();
        let sums = Sums::of(&day.rows, &keys, day.day, catalog, codes);
        let mut found = day.doubts.clone();
        found.extend(above_peak(&sums.workloads));
        let tables = [
            (LEDGER, ledger(day, &keys, codes)),
            (SOURCES, sources(day)),
            (SITE_HOURS, site_hours(day)),
            (DOUBTS, doubts(Some(day.day), &found)),
            (MEASURED, measured_power(day.day, measured)),
            (BOOK_DAYS, book_days(day.day, &sums.books)),
            (CELL_DAYS, cell_days(day.day, &sums.cells)),
            (WORKLOAD_DAYS, workload_days(day.day, &sums.workloads)),
        ];
        Ok(Self {
            day: day.day,
            rows: u64::try_from(day.rows.len()).unwrap_or(u64::MAX),
            total: sums
                .books
                .iter()
                .fold(0, |sum: Micro, (_, costs)| sum.saturating_add(costs.total)),
            tables: tables
                .into_iter()
                .filter(|(_, rows)| !rows.is_empty())
                .map(|(statement, rows)| (statement, rows.finish()))
                .collect(),
        })
    }
}

/// Doubts of the facts as such, which belong to no day.
pub(super) fn standing_doubts(found: &[Doubt]) -> (&'static str, Vec<u8>) {
    (DOUBTS, doubts(None, found).finish())
}

fn check(row: &Row, day: NaiveDate) -> Result<(), BooksError> {
    let mut left = [(0, 0, 0); CATEGORIES];
    for (cell, ((time, energy), ms)) in left
        .iter_mut()
        .zip(row.time.iter().zip(&row.energy).zip(&row.ms))
    {
        *cell = (*time, *energy, *ms);
    }
    for part in &row.reasons {
        if let Some((time, energy, ms)) = left.get_mut(part.category.index()) {
            *time = time.wrapping_sub(part.time);
            *energy = energy.wrapping_sub(part.energy);
            *ms = ms.wrapping_sub(part.ms);
        }
    }
    match Category::ALL
        .into_iter()
        .zip(left)
        .find(|(_, left)| *left != (0, 0, 0))
    {
        None => Ok(()),
        Some((category, _)) => Err(BooksError::ReasonsDiffer {
            day,
            device: row.device.as_deref().unwrap_or("").to_owned(),
            workload: row.workload.as_deref().unwrap_or("").to_owned(),
            category: category.name(),
        }),
    }
}

fn ledger(day: &Day, keys: &[Key<'_>], codes: &CellCodes) -> Rows {
    let mut out = Rows::new(28);
    let mut cells: Vec<i16> = Vec::new();
    let (mut time, mut energy, mut ms): (Vec<Micro>, Vec<Micro>, Vec<Ms>) = Default::default();
    for (row, key) in day.rows.iter().zip(keys) {
        cells.clear();
        time.clear();
        energy.clear();
        ms.clear();
        for part in &row.reasons {
            cells.push(codes.code(part.category, part.reason));
            time.push(part.time);
            energy.push(part.energy);
            ms.push(part.ms);
        }
        let modes = row.mode_ms.iter().rposition(|ms| *ms != 0);
        let mode_ms = modes.and_then(|last| row.mode_ms.get(..=last));
        out.row()
            .date(day.day)
            .text(&row.site)
            .optional_text(row.node.as_deref())
            .optional_text(row.device.as_deref())
            .optional_text(row.workload.as_deref())
            .optional_text(key.bearer)
            .optional_text(key.pool)
            .optional_text(row.project.as_deref())
            .optional_text(row.person.as_deref())
            .optional_text(key.kind)
            .optional_text(key.model);
        for component in row.components {
            out.int8(component);
        }
        out.optional_int8(row.energy_mwh)
            .int8(row.measured_mwh)
            .int8(row.unpriced_ms)
            .int4(row.flags.0)
            .optional_text(shown_mode(row).map(accounting::category::Mode::name))
            .text(key.status)
            .int8s(mode_ms.unwrap_or_default())
            .int2s(&cells)
            .int8s(&time)
            .int8s(&energy)
            .int8s(&ms);
    }
    out
}

/// Devices of the same source, rule and component share a line.
fn sources(day: &Day) -> Rows {
    type Line<'a> = (
        &'static str,
        &'a str,
        &'a str,
        &'a str,
        Option<&'static str>,
        &'static str,
        &'static str,
        bool,
    );
    let mut lines: BTreeMap<Line<'_>, (Micro, Vec<&str>, Vec<Micro>)> = BTreeMap::new();
    for source in &day.sources {
        let Source {
            kind,
            source,
            site,
            device,
            pool,
            rule,
            version,
            component,
            amount,
        } = source;
        let (total, devices, amounts) = lines
            .entry((
                kind.name(),
                source,
                version,
                site,
                pool.map(accounting::category::Pool::name),
                rule,
                component.name(),
                device.is_some(),
            ))
            .or_default();
        *total = total.saturating_add(*amount);
        devices.extend(device.as_deref());
        amounts.push(*amount);
    }
    let mut out = Rows::new(11);
    for ((kind, source, version, site, pool, rule, component, _), (total, devices, amounts)) in
        lines
    {
        out.row()
            .date(day.day)
            .text(kind)
            .text(source)
            .text(version)
            .text(site)
            .optional_text(pool)
            .text(rule)
            .text(component)
            .int8(total)
            .texts(&devices)
            .int8s(&amounts);
    }
    out
}

#[allow(
    clippy::as_conversions,
    reason = "a PUE as pages show it; energy and yuan are computed with the exact one"
)]
fn float(value: Rational) -> f64 {
    value.num as f64 / value.den as f64
}

fn site_hours(day: &Day) -> Rows {
    let mut out = Rows::new(10);
    for hour in &day.site_hours {
        let facility = hour.pue.and_then(|pue| {
            pue.times(Rational::whole(hour.energy_mwh))
                .and_then(Rational::round)
        });
        out.row()
            .date(day.day)
            .text(&hour.site)
            .instant(hour.hour.start)
            .instant(hour.hour.end)
            .optional_text(hour.level.map(level))
            .int8(hour.energy_mwh)
            .optional_int8(facility)
            .optional_int8(hour.amount)
            .optional_float8(hour.pue.map(float))
            .text(hour.quality.name());
    }
    out
}

const fn level(level: accounting::facts::Level) -> &'static str {
    use accounting::facts::Level;
    match level {
        Level::Critical => "critical",
        Level::Peak => "peak",
        Level::Flat => "flat",
        Level::Valley => "valley",
        Level::DeepValley => "deep_valley",
    }
}

fn doubts(day: Option<NaiveDate>, found: &[Doubt]) -> Rows {
    let mut out = Rows::new(7);
    for doubt in found {
        out.row();
        match day {
            Some(day) => out.date(day),
            None => out.null(),
        };
        out.text(doubt.kind.name())
            .text(&doubt.subject)
            .optional_text(doubt.site.as_deref())
            .optional_int8(doubt.amount)
            .int8(doubt.ms)
            .text(&doubt.detail);
    }
    out
}

fn measured_power(day: NaiveDate, measured: &[MeasuredPower]) -> Rows {
    let mut out = Rows::new(6);
    for power in measured {
        out.row()
            .date(day)
            .text(&power.site)
            .text(&power.model)
            .boolean(power.held)
            .int8(power.energy_mj)
            .int8(power.time_ms);
    }
    out
}

fn costs(out: &mut Rows, costs: &Costs) {
    for component in costs.components {
        out.int8(component);
    }
    out.int8(costs.total)
        .optional_int8(costs.energy_mwh)
        .int8(costs.measured_mwh)
        .int8(costs.device_ms)
        .int8(costs.unpriced_ms);
}

fn book_days(day: NaiveDate, books: &[(Key<'_>, Costs)]) -> Rows {
    let mut out = Rows::new(20);
    for (key, sum) in books {
        page_key(out.row(), day, key);
        costs(&mut out, sum);
    }
    out
}

fn cell_days(day: NaiveDate, cells: &[(Key<'_>, i16, CellCosts)]) -> Rows {
    let mut out = Rows::new(13);
    for (key, cell, sum) in cells {
        page_key(out.row(), day, key);
        out.int2(*cell).int8(sum.time).int8(sum.energy).int8(sum.ms);
    }
    out
}

fn page_key(out: &mut Rows, day: NaiveDate, key: &Key<'_>) {
    out.date(day)
        .text(key.site)
        .optional_text(key.project)
        .optional_text(key.kind)
        .optional_text(key.model)
        .optional_text(key.bearer)
        .optional_text(key.pool)
        .optional_text(key.mode)
        .text(key.status);
}

fn workload_days(day: NaiveDate, workloads: &[(WorkloadKey<'_>, WorkloadCosts)]) -> Rows {
    let mut out = Rows::new(28);
    for ((workload, person, key), sum) in workloads {
        out.row()
            .date(day)
            .text(key.site)
            .text(workload)
            .optional_text(key.project)
            .optional_text(*person)
            .optional_text(key.kind)
            .optional_text(key.model)
            .optional_text(key.bearer)
            .optional_text(key.mode)
            .text(key.status);
        costs(&mut out, &sum.costs);
        for tokens in sum.work.tokens {
            out.optional_int8(tokens);
        }
        out.optional_float8(sum.work.model_flops)
            .optional_float8(sum.possible_flops)
            .int8(sum.unpeaked_ms);
    }
    out
}
