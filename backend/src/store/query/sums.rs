//! Sums of the books by any keys: the one place where a question becomes SQL.
//!
//! Pages and questions of their grain read the day-level sums; a workload or person reads them by workload, a node the
//! ledger itself. What a row's payer does not bear (pools) has no project, team, person or workload here: it is shown
//! under its pool, for everybody alike.

use api::query::Grain;
use chrono::NaiveDate;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Postgres, QueryBuilder, Row as _};

use accounting::category::Component;
use accounting::efficiency::{TOKEN_KINDS, TokenKind};

use super::owners::Owners;
use super::question::Key;
use crate::store::scope::Scope;

/// Whose rows, of which days, split how.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    pub scope: &'a Scope,
    pub owners: &'a Owners,
    pub from: NaiveDate,
    /// Exclusive.
    pub to: NaiveDate,
    pub groups: &'a [Key],
    pub filters: &'a [(Key, Vec<String>)],
    pub grain: Option<Grain>,
}

/// One group of one period.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line<T> {
    /// First day of the period, clipped to the range; `None` without a grain.
    pub period: Option<NaiveDate>,
    pub groups: Vec<String>,
    pub quality: Quality,
    pub sum: T,
}

/// How firm a sum is; amounts in micro-yuan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// The part whose status is estimated.
    pub estimated: i64,
    /// Device cost in evidence mode M2 or better.
    pub covered: i64,
    /// Device cost, which `covered` is a part of.
    pub judged: i64,
    pub any_estimated: bool,
    pub any_provisional: bool,
    pub rows: i64,
}

/// Sums of whole rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookSum {
    pub yuan: i64,
    pub energy_mwh: Option<i64>,
    pub device_ms: i64,
    /// The part of `device_ms` that a workload held.
    pub held_ms: i64,
    pub unpriced_ms: i64,
}

/// Sums of cells (category and reason).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellSum {
    pub time: i64,
    pub electricity: i64,
    pub ms: i64,
    pub useful: i64,
    /// Without `non_device`.
    pub device: i64,
    /// The part of `ms` that a sensor of use judged (evidence mode M3 or better).
    pub judged_ms: i64,
    /// The part of `ms` of which no sensor says whether it was of use.
    pub unjudged_ms: i64,
}

/// Work done, and the direct cost of the workloads that report it (arrays by [`TokenKind`]).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkSum {
    pub tokens: [Option<i64>; TOKEN_KINDS],
    pub cost: [i64; TOKEN_KINDS],
    pub any_cost: i64,
    pub model_flops: Option<f64>,
    /// Energy of the workloads that report FLOPs: devices and their hosts' share.
    pub energy_mwh: Option<i64>,
    /// The same times the PUE of its site's day; only what has one.
    pub facility_mwh: Option<i64>,
    /// FLOPs and device time x peak of the lines whose peak is known.
    pub peaked_flops: Option<f64>,
    pub possible_flops: Option<f64>,
    pub unpriced_ms: i64,
}

/// Energy of the hours whose PUE is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PueSum {
    pub facility_mwh: i64,
    pub it_mwh: i64,
}

/// A payer's rows: device rows of a workload, and lines (bought tokens) of no pool.
const PAID: &str = "coalesce(b.bearer, b.pool, 'payer') = 'payer'";

impl Ask<'_> {
    fn uses(&self, key: Key) -> bool {
        self.groups.contains(&key) || self.filters.iter().any(|(filtered, _)| *filtered == key)
    }

    fn needs_owners(&self) -> bool {
        self.uses(Key::Team) || self.uses(Key::CostCenter) || matches!(self.scope, Scope::Team(_))
    }

    /// Costs, energy and device time.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn books(&self, pool: &PgPool) -> Result<Vec<Line<BookSum>>, sqlx::Error> {
        let (table, device_ms) = if self.uses(Key::Node) {
            (LEDGER, "(SELECT sum(ms) FROM unnest(b.cell_ms) AS ms)")
        } else if self.uses(Key::Workload) || self.uses(Key::Person) {
            (BY_WORKLOAD, "b.device_ms")
        } else {
            ("book_days b", "b.device_ms")
        };
        let yuan = self.component_yuan();
        let mut sql = self.select(&yuan);
        sql.push(format!(
            ", sum(b.energy_mwh)::bigint, coalesce(sum({device_ms}), 0)::bigint,
             coalesce(sum({device_ms}) FILTER (WHERE b.kind IS NOT NULL), 0)::bigint, sum(b.unpriced_ms)::bigint
             FROM {table}"
        ));
        if self.groups.contains(&Key::Component) {
            let values: Vec<String> = Component::ALL
                .iter()
                .map(|component| format!("('{0}', b.{0})", component.name()))
                .collect();
            sql.push(format!(
                " CROSS JOIN LATERAL (VALUES {}) AS k (component, amount)",
                values.join(", ")
            ));
        }
        self.conditions(&mut sql);
        if self.groups.contains(&Key::Component) {
            sql.push(" AND k.amount <> 0");
        }
        self.fetch(pool, sql, |row, at| {
            Ok(BookSum {
                yuan: row.try_get(at)?,
                energy_mwh: row.try_get(at + 1)?,
                device_ms: row.try_get(at + 2)?,
                held_ms: row.try_get(at + 3)?,
                unpriced_ms: row.try_get(at + 4)?,
            })
        })
        .await
    }

    /// Categories and reasons. A component can only be filtered to electricity, which the question has checked.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cells(&self, pool: &PgPool) -> Result<Vec<Line<CellSum>>, sqlx::Error> {
        let fine = [Key::Node, Key::Workload, Key::Person]
            .into_iter()
            .any(|key| self.uses(key));
        let (time, both) = if self.uses(Key::Component) {
            ("0", "b.cell_energy")
        } else {
            ("b.cell_time", "(b.cell_time + b.cell_energy)")
        };
        let mut sql = self.select(both);
        sql.push(format!(
            ", sum({time})::bigint, sum(b.cell_energy)::bigint, sum(b.cell_ms)::bigint,
             coalesce(sum({both}) FILTER (WHERE c.category = 'useful'), 0)::bigint,
             coalesce(sum({both}) FILTER (WHERE c.category <> 'non_device'), 0)::bigint,
             coalesce(sum(b.cell_ms) FILTER (WHERE c.category = 'useful' OR b.mode >= 'M3'), 0)::bigint,
             coalesce(sum(b.cell_ms) FILTER (WHERE c.category IN ('unknown_alloc', 'unknown_activity', 'busy_unrated')
                                             AND coalesce(b.mode, '') < 'M3'), 0)::bigint
             FROM {} JOIN cell_codes c USING (cell)",
            if fine { LEDGER_CELLS } else { "cell_days b" }
        ));
        self.conditions(&mut sql);
        self.fetch(pool, sql, |row, at| {
            Ok(CellSum {
                time: row.try_get(at + 1)?,
                electricity: row.try_get(at + 2)?,
                ms: row.try_get(at + 3)?,
                useful: row.try_get(at + 4)?,
                device: row.try_get(at + 5)?,
                judged_ms: row.try_get(at + 6)?,
                unjudged_ms: row.try_get(at + 7)?,
            })
        })
        .await
    }

    /// Work of the workloads that report some, with what they cost their payers. Facility energy is rounded row by row,
    /// so that it sums to the same whatever it is split by.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn work(&self, pool: &PgPool) -> Result<Vec<Line<WorkSum>>, sqlx::Error> {
        let mut sql = self.select("b.total");
        for kind in TokenKind::ALL.map(TokenKind::name) {
            sql.push(format!(
                ", sum(b.tokens_{kind})::bigint, coalesce(sum(b.total) FILTER (WHERE r.{kind}), 0)::bigint"
            ));
        }
        sql.push(
            ", coalesce(sum(b.total) FILTER (WHERE r.trained OR r.prompt OR r.cached OR r.generated), 0)::bigint,
             sum(b.model_flops), sum(b.energy_mwh) FILTER (WHERE r.flops)::bigint,
             sum(b.model_flops) FILTER (WHERE b.peak_flops IS NOT NULL),
             sum(b.peak_flops) FILTER (WHERE r.flops), sum(b.unpriced_ms)::bigint,
             sum(round(b.energy_mwh * p.pue)) FILTER (WHERE r.flops)::bigint
             FROM (SELECT *, NULL::text AS pool FROM workload_days WHERE bearer = 'payer') b
             JOIN reporting_workloads r USING (workload)
             LEFT JOIN (SELECT day, site, sum(facility_mwh)::float8 / sum(energy_mwh) AS pue FROM site_hours
                        WHERE facility_mwh IS NOT NULL AND day >= ",
        );
        sql.push_bind(self.from);
        sql.push(" AND day < ");
        sql.push_bind(self.to);
        sql.push(
            " GROUP BY day, site HAVING sum(energy_mwh) > 0) p ON p.day = b.day AND p.site = b.site",
        );
        self.conditions(&mut sql);
        self.fetch(pool, sql, |row, at| {
            let mut sum = WorkSum::default();
            for (index, (tokens, cost)) in sum.tokens.iter_mut().zip(&mut sum.cost).enumerate() {
                *tokens = row.try_get(at + 1 + 2 * index)?;
                *cost = row.try_get(at + 2 + 2 * index)?;
            }
            sum.any_cost = row.try_get(at + 9)?;
            sum.model_flops = row.try_get(at + 10)?;
            sum.energy_mwh = row.try_get(at + 11)?;
            sum.peaked_flops = row.try_get(at + 12)?;
            sum.possible_flops = row.try_get(at + 13)?;
            sum.unpriced_ms = row.try_get(at + 14)?;
            sum.facility_mwh = row.try_get(at + 15)?;
            Ok(sum)
        })
        .await
    }

    /// Facility and IT energy of the hours whose PUE is known. It belongs to sites, so that only who may see everything
    /// is told.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn pue(&self, pool: &PgPool) -> Result<Vec<Line<PueSum>>, sqlx::Error> {
        if *self.scope != Scope::Company {
            return Ok(Vec::new());
        }
        let mut sql = QueryBuilder::new("SELECT ");
        self.push_groups(&mut sql);
        sql.push(
            ", 0::bigint, 0::bigint, 0::bigint, bool_or(b.quality = 'default'), bool_or(b.quality = 'metered'), count(*),
             sum(b.facility_mwh)::bigint, sum(b.energy_mwh)::bigint
             FROM site_hours b WHERE b.facility_mwh IS NOT NULL AND b.day >= ",
        );
        sql.push_bind(self.from);
        sql.push(" AND b.day < ");
        sql.push_bind(self.to);
        for (_, sites) in self.filters.iter().filter(|(key, _)| *key == Key::Site) {
            sql.push(" AND b.site = ANY(");
            sql.push_bind(sites.clone());
            sql.push(")");
        }
        self.fetch(pool, sql, |row, at| {
            Ok(PueSum {
                facility_mwh: row.try_get(at)?,
                it_mwh: row.try_get(at + 1)?,
            })
        })
        .await
    }

    /// The yuan of a row, or of the components filtered to.
    fn component_yuan(&self) -> String {
        if self.groups.contains(&Key::Component) {
            return "k.amount".to_owned();
        }
        match self.filters.iter().find(|(key, _)| *key == Key::Component) {
            None if self.uses(Key::Node) => {
                "(b.depreciation + b.recurring + b.electricity + b.cloud + b.tokens + b.other)"
                    .to_owned()
            }
            None => "b.total".to_owned(),
            Some((_, values)) => {
                let columns: Vec<String> = Component::ALL
                    .iter()
                    .map(|component| component.name())
                    .filter(|name| values.iter().any(|value| value == name))
                    .map(|name| format!("b.{name}"))
                    .collect();
                format!("({})", columns.join(" + "))
            }
        }
    }

    /// Period, groups and quality; the yuan itself comes right after them.
    fn select(&self, yuan: &str) -> QueryBuilder<Postgres> {
        let mut sql = QueryBuilder::new("");
        if self.needs_owners() {
            sql.push("WITH ");
            self.owners.push_cte(&mut sql);
            sql.push(" ");
        }
        sql.push("SELECT ");
        self.push_groups(&mut sql);
        sql.push(format!(
            ", coalesce(sum({yuan}) FILTER (WHERE b.status = 'estimated'), 0)::bigint,
             coalesce(sum({yuan}) FILTER (WHERE b.mode >= 'M2'), 0)::bigint,
             coalesce(sum({yuan}) FILTER (WHERE b.mode IS NOT NULL), 0)::bigint,
             bool_or(b.status = 'estimated'), bool_or(b.status = 'provisional'), count(*), sum({yuan})::bigint"
        ));
        sql
    }

    fn push_groups(&self, sql: &mut QueryBuilder<Postgres>) {
        match self.grain {
            None => {
                sql.push("NULL::date");
            }
            Some(grain) => push_period(sql, grain, self.from),
        }
        for key in self.groups {
            sql.push(", ");
            match key {
                Key::Day => {
                    sql.push("b.day::text");
                }
                Key::Week => {
                    push_period(sql, Grain::Week, self.from);
                    sql.push("::text");
                }
                Key::Month => {
                    sql.push("to_char(b.day, 'YYYY-MM')");
                }
                _ => {
                    sql.push(expression(*key));
                }
            }
        }
    }

    fn conditions(&self, sql: &mut QueryBuilder<Postgres>) {
        if self.needs_owners() {
            sql.push(format!(
                " LEFT JOIN owners o ON o.project = b.project AND {PAID} AND o.first <= b.day AND b.day < o.after"
            ));
        }
        sql.push(" WHERE b.day >= ");
        sql.push_bind(self.from);
        sql.push(" AND b.day < ");
        sql.push_bind(self.to);
        match self.scope {
            Scope::Company => {}
            Scope::Team(team) => {
                sql.push(" AND o.team = ");
                sql.push_bind(team.clone());
            }
            Scope::Projects(projects) => {
                sql.push(format!(" AND {PAID} AND b.project = ANY("));
                sql.push_bind(projects.clone());
                sql.push(")");
            }
        }
        for (key, values) in self.filters {
            match key {
                // Taken care of where the yuan are chosen.
                Key::Component if !self.groups.contains(key) => continue,
                _ => {}
            }
            sql.push(format!(" AND {} = ANY(", expression(*key)));
            sql.push_bind(values.clone());
            sql.push(")");
        }
    }

    async fn fetch<T>(
        &self,
        pool: &PgPool,
        mut sql: QueryBuilder<Postgres>,
        read: impl Fn(&PgRow, usize) -> Result<T, sqlx::Error>,
    ) -> Result<Vec<Line<T>>, sqlx::Error> {
        let columns: Vec<String> = (1..=self.groups.len() + 1).map(|n| n.to_string()).collect();
        let columns = columns.join(", ");
        sql.push(format!(" GROUP BY {columns} ORDER BY {columns}"));
        let rows = sql.build().fetch_all(pool).await?;
        rows.iter()
            .map(|row| {
                let at = self.groups.len() + 1;
                Ok(Line {
                    period: row.try_get(0)?,
                    groups: (1..at)
                        .map(|index| row.try_get(index))
                        .collect::<Result<_, _>>()?,
                    quality: Quality {
                        estimated: row.try_get(at)?,
                        covered: row.try_get(at + 1)?,
                        judged: row.try_get(at + 2)?,
                        any_estimated: row.try_get(at + 3)?,
                        any_provisional: row.try_get(at + 4)?,
                        rows: row.try_get(at + 5)?,
                    },
                    sum: read(row, at + 6)?,
                })
            })
            .collect()
    }
}

fn push_period(sql: &mut QueryBuilder<Postgres>, grain: Grain, from: NaiveDate) {
    match grain {
        Grain::Day => {
            sql.push("b.day");
        }
        Grain::Week => {
            sql.push(format!(
                "greatest(date_trunc('week', b.day)::date, '{from}'::date)"
            ));
        }
        Grain::Month => {
            sql.push(format!(
                "greatest(date_trunc('month', b.day)::date, '{from}'::date)"
            ));
        }
    }
}

fn expression(key: Key) -> String {
    let paid = |column: &str, none: &str| {
        format!("CASE WHEN {PAID} THEN coalesce({column}, '{none}') ELSE '' END")
    };
    match key {
        Key::Project => paid("b.project", "unattributed"),
        Key::Team => "coalesce(o.team, '')".to_owned(),
        Key::CostCenter => "coalesce(o.cost_center, '')".to_owned(),
        Key::Person => paid("b.person", ""),
        Key::Workload => paid("b.workload", ""),
        Key::Kind => "coalesce(b.kind, '')".to_owned(),
        Key::Model => "coalesce(b.model, '')".to_owned(),
        Key::Site => "b.site".to_owned(),
        Key::Node => "coalesce(b.node, '')".to_owned(),
        Key::Component => "k.component".to_owned(),
        Key::Category => "c.category".to_owned(),
        Key::Reason => "c.reason".to_owned(),
        Key::Pool => "coalesce(nullif(coalesce(b.pool, b.bearer), 'payer'), '')".to_owned(),
        Key::Day => "b.day::text".to_owned(),
        Key::Week => "date_trunc('week', b.day)::date::text".to_owned(),
        Key::Month => "to_char(b.day, 'YYYY-MM')".to_owned(),
        Key::Mode => "coalesce(b.mode, '')".to_owned(),
    }
}

const LEDGER: &str = "ledger b";

const LEDGER_CELLS: &str =
    "(SELECT l.day, l.site, l.node, l.workload, l.bearer, l.pool, l.project, l.person, l.kind, l.model, l.mode, l.status,
             u.cell, u.cell_time, u.cell_energy, u.cell_ms
      FROM ledger l, unnest(l.cells, l.cell_time, l.cell_energy, l.cell_ms) AS u (cell, cell_time, cell_energy, cell_ms)) b";

/// Rows with a workload by workload, and the rest as the pages have it.
const BY_WORKLOAD: &str =
    "(SELECT day, site, workload, project, person, kind, model, bearer, NULL AS pool, mode, status, depreciation, recurring,
             electricity, cloud, tokens, other, total, energy_mwh, device_ms, unpriced_ms FROM workload_days
      UNION ALL
      SELECT day, site, NULL, project, NULL, kind, model, bearer, pool, mode, status, depreciation, recurring,
             electricity, cloud, tokens, other, total, energy_mwh, device_ms, unpriced_ms FROM book_days
      WHERE kind IS NULL) b";
