//! Which days have books, and the measured power they left for the month after.

use accounting::facts::MeasuredPower;
use accounting::ids::Id;
use accounting::time::{Month, Span};
use chrono::NaiveDate;
use sqlx::{PgPool, Row as _};

use super::BooksError;

/// A run of accounting on a database that others may also want to account on: given back by [`Exclusive::release`], at
/// the latest when the connection ends.
pub struct Exclusive {
    connection: sqlx::pool::PoolConnection<sqlx::Postgres>,
}

const ACCOUNT_LOCK: i64 = 0x7375_616e_7a62;

impl Exclusive {
    /// `None` when another run has it.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn take(pool: &PgPool) -> Result<Option<Self>, BooksError> {
        // A connection of its own, closed afterwards: the lock ends with it, however the run ends.
        let mut connection = pool.acquire().await?;
        let taken: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)")
            .bind(ACCOUNT_LOCK)
            .fetch_one(&mut *connection)
            .await?;
        connection.close_on_drop();
        Ok(taken.then_some(Self { connection }))
    }

    /// Gives the lock back at once: a connection that is only dropped closes in its own time, and a run that follows
    /// closely would find the lock still taken.
    ///
    /// # Errors
    /// When the database refuses; the lock then ends with the connection.
    pub async fn release(mut self) -> Result<(), BooksError> {
        sqlx::query("SELECT pg_advisory_unlock($1)")
            .bind(ACCOUNT_LOCK)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }
}

/// Days of the range that have books in this zone and currency.
///
/// # Errors
/// When the database cannot be read.
pub async fn accounted(
    pool: &PgPool,
    from: NaiveDate,
    to: NaiveDate,
    zone: &str,
    currency: &str,
) -> Result<Vec<NaiveDate>, BooksError> {
    Ok(sqlx::query_scalar(
        "SELECT day FROM accounted_days WHERE day >= $1 AND day < $2 AND zone = $3 AND currency = $4 ORDER BY day",
    )
    .bind(from)
    .bind(to)
    .bind(zone)
    .bind(currency)
    .fetch_all(pool)
    .await?)
}

/// Days whose books are kept in another zone or currency: they cannot stand beside the others.
///
/// # Errors
/// When the database refuses.
pub async fn foreign(
    pool: &PgPool,
    zone: &str,
    currency: &str,
) -> Result<Vec<NaiveDate>, BooksError> {
    Ok(sqlx::query_scalar(
        "SELECT day FROM accounted_days WHERE zone <> $1 OR currency <> $2 ORDER BY day",
    )
    .bind(zone)
    .bind(currency)
    .fetch_all(pool)
    .await?)
}

/// Measured power of the days given, summed: what rule E3 estimates the next month by.
///
/// # Errors
/// When the database cannot be read.
pub async fn measured_power(
    pool: &PgPool,
    month: Month,
    days: &[NaiveDate],
) -> Result<Vec<MeasuredPower>, BooksError> {
    let rows = sqlx::query(
        "SELECT site, model, held, sum(energy_mj)::bigint, sum(time_ms)::bigint FROM measured_power
         WHERE day = ANY($1) GROUP BY site, model, held ORDER BY site, model, held",
    )
    .bind(days)
    .fetch_all(pool)
    .await?;
    rows.into_iter()
        .map(|row| {
            let (site, model): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            Ok(MeasuredPower {
                site: Id::from(site),
                model: Id::from(model),
                month,
                held: row.try_get(2)?,
                energy_mj: row.try_get(3)?,
                time_ms: row.try_get(4)?,
            })
        })
        .collect()
}

/// How many device-hours of minutes a span has.
///
/// # Errors
/// When the database cannot be read.
pub async fn device_hours(pool: &PgPool, span: Span) -> Result<i64, BooksError> {
    Ok(
        sqlx::query_scalar("SELECT count(*) FROM device_hours WHERE hour >= $1 AND hour < $2")
            .bind(crate::store::query::utc(span.start))
            .bind(crate::store::query::utc(span.end))
            .fetch_one(pool)
            .await?,
    )
}
