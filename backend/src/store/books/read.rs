//! Ledger rows, their reasons and their sources, a day at a time, so that reading a year needs no more than a day.

use accounting::category::{CATEGORIES, COMPONENTS, Category};
use accounting::money::Micro;
use accounting::time::Ms;
use chrono::NaiveDate;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row as _};

use super::BooksError;
use crate::store::query::owners::Owners;
use crate::store::scope::Scope;

/// A ledger row as it stands; see `accounting::books::Row` for units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerRow {
    pub day: NaiveDate,
    pub site: String,
    pub node: Option<String>,
    pub device: Option<String>,
    pub workload: Option<String>,
    pub bearer: Option<String>,
    pub pool: Option<String>,
    pub project: Option<String>,
    pub person: Option<String>,
    pub components: [Micro; COMPONENTS],
    pub time: [Micro; CATEGORIES],
    pub energy: [Micro; CATEGORIES],
    pub ms: [Ms; CATEGORIES],
    pub energy_mwh: Option<i64>,
    pub mode: Option<String>,
    pub status: String,
    pub reasons: Vec<Reason>,
}

/// A part of a row: its category by sub-reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub category: Category,
    /// Empty: the category says it all.
    pub reason: String,
    pub time: Micro,
    pub energy: Micro,
    pub ms: Ms,
}

/// Where a component came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRow {
    pub day: NaiveDate,
    pub kind: String,
    pub source: String,
    pub version: String,
    pub site: String,
    pub device: Option<String>,
    pub pool: Option<String>,
    pub rule: String,
    pub component: String,
    pub amount: Micro,
}

/// Ledger rows of one day in the order (site, device, workload, bearer), lines without device last.
///
/// # Errors
/// When the database cannot be read.
pub async fn ledger(
    pool: &PgPool,
    scope: &Scope,
    owners: &Owners,
    day: NaiveDate,
) -> Result<Vec<LedgerRow>, BooksError> {
    let projects = match scope {
        Scope::Company => None,
        Scope::Projects(projects) => Some(projects.clone()),
        Scope::Team(team) => Some(owners.projects_of(team, day)),
    };
    let rows = sqlx::query(
        "SELECT day, site, node, device, workload, bearer, pool, project, person, energy_mwh, mode, status,
                depreciation, recurring, electricity, cloud, tokens, other,
                ARRAY(SELECT category FROM unnest(cells) WITH ORDINALITY AS u (cell, place)
                      JOIN cell_codes USING (cell) ORDER BY place),
                ARRAY(SELECT reason FROM unnest(cells) WITH ORDINALITY AS u (cell, place)
                      JOIN cell_codes USING (cell) ORDER BY place),
                cell_time, cell_energy, cell_ms
         FROM ledger
         WHERE day = $1
           AND ($2::text[] IS NULL
                OR (coalesce(bearer, pool, 'payer') = 'payer' AND project = ANY($2)))
         ORDER BY (device IS NULL), site COLLATE \"C\", device COLLATE \"C\", workload COLLATE \"C\" NULLS FIRST,
                  array_position(ARRAY['payer', 'unallocated', 'out_of_service', 'unknown_alloc'], bearer),
                  pool COLLATE \"C\", project COLLATE \"C\"",
    )
    .bind(day)
    .bind(projects)
    .fetch_all(pool)
    .await?;
    rows.iter().map(read).collect()
}

fn read(row: &PgRow) -> Result<LedgerRow, BooksError> {
    let (categories, names): (Vec<String>, Vec<String>) = (row.try_get(18)?, row.try_get(19)?);
    let (time, energy, ms): (Vec<i64>, Vec<i64>, Vec<i64>) =
        (row.try_get(20)?, row.try_get(21)?, row.try_get(22)?);
    let mut out = LedgerRow {
        day: row.try_get(0)?,
        site: row.try_get(1)?,
        node: row.try_get(2)?,
        device: row.try_get(3)?,
        workload: row.try_get(4)?,
        bearer: row.try_get(5)?,
        pool: row.try_get(6)?,
        project: row.try_get(7)?,
        person: row.try_get(8)?,
        components: [0; COMPONENTS],
        time: [0; CATEGORIES],
        energy: [0; CATEGORIES],
        ms: [0; CATEGORIES],
        energy_mwh: row.try_get(9)?,
        mode: row.try_get(10)?,
        status: row.try_get(11)?,
        reasons: Vec::with_capacity(categories.len()),
    };
    for (index, component) in out.components.iter_mut().enumerate() {
        *component = row.try_get(12usize.saturating_add(index))?;
    }
    let cells = categories.into_iter().zip(names);
    for ((category, reason), ((time, energy), ms)) in
        cells.zip(time.into_iter().zip(energy).zip(ms))
    {
        let Some(category) = Category::parse(&category) else {
            continue;
        };
        let at = category.index();
        for (sums, part) in [
            (&mut out.time, time),
            (&mut out.energy, energy),
            (&mut out.ms, ms),
        ] {
            if let Some(sum) = sums.get_mut(at) {
                *sum = sum.saturating_add(part);
            }
        }
        out.reasons.push(Reason {
            category,
            reason,
            time,
            energy,
            ms,
        });
    }
    Ok(out)
}

/// Sources of one day. They belong to devices and pools, not to payers: only who may see everything is told.
///
/// # Errors
/// When the database cannot be read.
pub async fn sources(
    pool: &PgPool,
    scope: &Scope,
    day: NaiveDate,
) -> Result<Vec<SourceRow>, BooksError> {
    if *scope != Scope::Company {
        return Ok(Vec::new());
    }
    let rows = sqlx::query(
        "SELECT s.day, s.kind, s.source, s.version, s.site, u.device, s.pool, s.rule, s.component, u.amount
         FROM sources s, unnest(s.devices, s.amounts) WITH ORDINALITY AS u (device, amount, place)
         WHERE s.day = $1
         ORDER BY s.kind, s.source COLLATE \"C\", s.version COLLATE \"C\", s.site COLLATE \"C\", s.pool NULLS FIRST,
                  s.rule, s.component, u.device IS NULL, u.place",
    )
    .bind(day)
    .fetch_all(pool)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(SourceRow {
                day: row.try_get(0)?,
                kind: row.try_get(1)?,
                source: row.try_get(2)?,
                version: row.try_get(3)?,
                site: row.try_get(4)?,
                device: row.try_get(5)?,
                pool: row.try_get(6)?,
                rule: row.try_get(7)?,
                component: row.try_get(8)?,
                amount: row.try_get(9)?,
            })
        })
        .collect()
}
