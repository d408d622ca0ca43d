//! The writer: one transaction a day, and the partitions and cell numbers it needs first.

use accounting::books::Doubt;
use accounting::category::{Category, Reason};
use accounting::time::{Month, Zone};
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{AssertSqlSafe, PgConnection, PgPool, Row as _};

use super::BooksError;
use super::sheet::{CellCodes, Sheet, standing_doubts};
use crate::store::dirty;

/// Tables with a column `day` that a day is taken out of before it is written anew.
const TABLES: [&str; 9] = [
    "ledger",
    "sources",
    "site_hours",
    "doubts",
    "measured_power",
    "book_days",
    "cell_days",
    "workload_days",
    "audit_differences",
];

/// Makes sure that the months have their partitions. Attached rather than created in place, so that readers go on.
///
/// # Errors
/// When the database refuses.
pub async fn partitions(
    pool: &PgPool,
    months: impl IntoIterator<Item = Month>,
) -> Result<(), BooksError> {
    for month in months {
        let (Some(first), Some(next)) = (month.first_day(), month.plus(1).first_day()) else {
            continue;
        };
        for table in ["ledger", "sources"] {
            let name = format!("{table}_{:04}_{:02}", month.year, month.month);
            let there: bool = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
                .bind(&name)
                .fetch_one(pool)
                .await?;
            if there {
                continue;
            }
            let mut transaction = pool.begin().await?;
            for statement in [
                format!("CREATE TABLE {name} (LIKE {table} INCLUDING ALL)"),
                format!(
                    "ALTER TABLE {table} ATTACH PARTITION {name} FOR VALUES FROM ('{first}') TO ('{next}')"
                ),
            ] {
                sqlx::query(AssertSqlSafe(statement))
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await?;
        }
    }
    Ok(())
}

impl CellCodes {
    /// Reads the numbers of cells, giving one to every pair that has none yet.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn read(pool: &PgPool) -> Result<Self, BooksError> {
        let pairs: Vec<(Category, Reason)> = Category::ALL
            .into_iter()
            .flat_map(|category| {
                Reason::ALL
                    .into_iter()
                    .map(move |reason| (category, reason))
            })
            .collect();
        let (categories, reasons): (Vec<&str>, Vec<&str>) = pairs
            .iter()
            .map(|(category, reason)| (category.name(), reason.name()))
            .unzip();
        let mut transaction = pool.begin().await?;
        sqlx::query("LOCK TABLE cell_codes IN SHARE ROW EXCLUSIVE MODE")
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO cell_codes (cell, category, reason)
             SELECT coalesce((SELECT max(cell) + 1 FROM cell_codes), 0) + row_number() OVER (ORDER BY place) - 1,
                    category, reason
             FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS new (category, reason, place)
             WHERE NOT EXISTS (SELECT FROM cell_codes old
                               WHERE old.category = new.category AND old.reason = new.reason)",
        )
        .bind(&categories)
        .bind(&reasons)
        .execute(&mut *transaction)
        .await?;
        let rows = sqlx::query("SELECT category, reason, cell FROM cell_codes")
            .fetch_all(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let mut codes = Self::default();
        for row in rows {
            let (category, reason): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            let known = Category::parse(&category)
                .zip(Reason::ALL.into_iter().find(|known| known.name() == reason));
            if let Some((category, reason)) = known {
                codes.insert(category, reason, row.try_get(2)?);
            }
        }
        Ok(codes)
    }
}

/// Writes days for one run, all stamped with the same instant.
#[derive(Clone)]
pub struct Writer {
    pub pool: PgPool,
    pub zone: Zone,
    pub currency: String,
    pub at: DateTime<Utc>,
}

impl Writer {
    /// Writes a day, whole or not at all; what stood there before is gone, and so are the marks of changed facts up to
    /// `upto`, which it was computed from.
    ///
    /// # Errors
    /// When the database refuses; the day then stands as it did.
    pub async fn write(
        &self,
        sheet: Sheet,
        differences: &[String],
        upto: i64,
    ) -> Result<(), BooksError> {
        let mut transaction = self.pool.begin().await?;
        take_out(&mut transaction, sheet.day).await?;
        for (statement, bytes) in sheet.tables {
            copy(&mut transaction, statement, &bytes).await?;
        }
        for difference in differences {
            sqlx::query("INSERT INTO audit_differences (day, difference) VALUES ($1, $2)")
                .bind(sheet.day)
                .bind(difference)
                .execute(&mut *transaction)
                .await?;
        }
        sqlx::query(
            "INSERT INTO accounted_days (day, computed_at, zone, currency, rows, total, differences)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(sheet.day)
        .bind(self.at)
        .bind(self.zone.name())
        .bind(&self.currency)
        .bind(i64::try_from(sheet.rows).unwrap_or(i64::MAX))
        .bind(sheet.total)
        .bind(i32::try_from(differences.len()).unwrap_or(i32::MAX))
        .execute(&mut *transaction)
        .await?;
        let after = sheet.day.succ_opt().unwrap_or(sheet.day);
        dirty::settle(&mut transaction, upto, sheet.day, after).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Takes a day's books out.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn remove(&self, day: NaiveDate) -> Result<(), BooksError> {
        let mut transaction = self.pool.begin().await?;
        take_out(&mut transaction, day).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Notes which work the workloads of a window report, before their days are written.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn reporting(&self, workloads: &[String]) -> Result<(), BooksError> {
        if workloads.is_empty() {
            return Ok(());
        }
        sqlx::query(
            "INSERT INTO reporting_workloads (workload, trained, prompt, cached, generated, flops)
             SELECT workload, bool_or(tokens_trained IS NOT NULL), bool_or(tokens_prompt IS NOT NULL),
                bool_or(tokens_cached IS NOT NULL), bool_or(tokens_generated IS NOT NULL),
                bool_or(model_flops IS NOT NULL)
             FROM work WHERE workload = ANY($1) GROUP BY workload
             ON CONFLICT (workload) DO UPDATE SET trained = excluded.trained, prompt = excluded.prompt,
                cached = excluded.cached, generated = excluded.generated, flops = excluded.flops",
        )
        .bind(workloads)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Replaces the doubts that belong to no day.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn standing_doubts(&self, doubts: &[Doubt]) -> Result<(), BooksError> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query("DELETE FROM doubts WHERE day IS NULL")
            .execute(&mut *transaction)
            .await?;
        if !doubts.is_empty() {
            let (statement, bytes) = standing_doubts(doubts);
            copy(&mut transaction, statement, &bytes).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Lets the planner know what a long run has brought.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn analyze(&self) -> Result<(), BooksError> {
        for table in [
            "book_days",
            "cell_days",
            "workload_days",
            "site_hours",
            "doubts",
        ] {
            sqlx::query(AssertSqlSafe(format!("ANALYZE {table}")))
                .execute(&self.pool)
                .await?;
        }
        for table in ["ledger", "sources"] {
            sqlx::query(AssertSqlSafe(format!(
                "SELECT brin_summarize_new_values(inhrelid) FROM pg_index
                 JOIN pg_inherits ON inhparent = '{table}_day'::regclass AND inhrelid = indexrelid"
            )))
            .execute(&self.pool)
            .await?;
        }
        Ok(())
    }
}

/// Nothing is looked for where the day does not stand: a first run would search every page it has just written.
async fn take_out(connection: &mut PgConnection, day: NaiveDate) -> Result<(), BooksError> {
    let stood = sqlx::query("DELETE FROM accounted_days WHERE day = $1")
        .bind(day)
        .execute(&mut *connection)
        .await?
        .rows_affected();
    if stood == 0 {
        return Ok(());
    }
    for table in TABLES {
        sqlx::query(AssertSqlSafe(format!("DELETE FROM {table} WHERE day = $1")))
            .bind(day)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn copy(
    connection: &mut PgConnection,
    statement: &'static str,
    bytes: &[u8],
) -> Result<(), BooksError> {
    let mut sink = connection.copy_in_raw(statement).await?;
    for chunk in bytes.chunks(1 << 20) {
        sink.send(chunk).await?;
    }
    sink.finish().await?;
    Ok(())
}
