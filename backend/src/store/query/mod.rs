//! Reading the books: the query object, the overview and the waste ranking, all over the same sums.

pub mod answer;
pub mod compare;
mod course;
pub mod full;
mod key;
mod names;
pub mod overview;
pub mod owners;
pub mod question;
mod refusal;
pub mod sums;
pub mod waste;

use accounting::time::{Ms, Zone};
use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use sqlx::PgPool;
use thiserror::Error;

use crate::app::App;
use owners::Owners;

/// The books of a database, and in which zone and currency they are kept.
#[derive(Clone, Debug)]
pub struct Books {
    pub pool: PgPool,
    pub zone: Zone,
    pub currency: String,
}

/// Why the books could not be read.
#[derive(Debug, Error)]
pub enum BooksReadError {
    #[error("the books cannot be read: {0}")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    /// Figures of one zone or currency must not be shown as those of another.
    #[error(
        "the books are kept in {kept}, the configuration says {asked}; set it back, or run `suanzhang account`, which computes them anew"
    )]
    Foreign { kept: String, asked: String },
}

impl Books {
    #[must_use]
    pub fn of(app: &App) -> Self {
        Self {
            pool: app.db.get_postgres_connection_pool().clone(),
            zone: app.config.ledger.zone,
            currency: app.config.ledger.currency.to_string(),
        }
    }

    /// Whose projects are.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owners(&self) -> Result<Owners, sqlx::Error> {
        Owners::read(&self.pool, self.zone).await
    }

    /// When the books of the range were last computed, with the offset of the ledger zone.
    async fn as_of(&self, from: NaiveDate, to: NaiveDate) -> Result<Option<String>, sqlx::Error> {
        let at: Option<DateTime<Utc>> = sqlx::query_scalar(
            "SELECT max(computed_at) FROM accounted_days WHERE day >= $1 AND day < $2",
        )
        .bind(from)
        .bind(to)
        .fetch_one(&self.pool)
        .await?;
        Ok(at.map(|at| self.instant(at)))
    }

    /// [`Books::check`], and whose projects are.
    async fn checked_owners(&self) -> Result<Owners, BooksReadError> {
        self.check().await?;
        Ok(self.owners().await?)
    }

    /// Refuses books that are kept in another zone or currency than the configuration says.
    ///
    /// # Errors
    /// When they are, or the database cannot be read.
    pub async fn check(&self) -> Result<(), BooksReadError> {
        let other: Option<(String, String)> = sqlx::query_as(
            "SELECT zone, currency FROM accounted_days WHERE zone <> $1 OR currency <> $2 LIMIT 1",
        )
        .bind(self.zone.name())
        .bind(&self.currency)
        .fetch_optional(&self.pool)
        .await?;
        match other {
            None => Ok(()),
            Some((zone, currency)) => Err(BooksReadError::Foreign {
                kept: format!("{currency}, {zone}"),
                asked: format!("{}, {}", self.currency, self.zone.name()),
            }),
        }
    }

    /// First and last day that have books.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn extent(&self) -> Result<Option<(NaiveDate, NaiveDate)>, sqlx::Error> {
        let (first, last): (Option<NaiveDate>, Option<NaiveDate>) =
            sqlx::query_as("SELECT min(day), max(day) FROM accounted_days")
                .fetch_one(&self.pool)
                .await?;
        Ok(first.zip(last))
    }

    /// The days of the range that have books, in order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn days(
        &self,
        from: NaiveDate,
        to: NaiveDate,
    ) -> Result<Vec<NaiveDate>, sqlx::Error> {
        sqlx::query_scalar(
            "SELECT day FROM accounted_days WHERE day >= $1 AND day < $2 ORDER BY day",
        )
        .bind(from)
        .bind(to)
        .fetch_all(&self.pool)
        .await
    }

    /// RFC 3339 with the ledger zone's offset.
    fn instant(&self, at: DateTime<Utc>) -> String {
        at.with_timezone(&self.zone)
            .to_rfc3339_opts(SecondsFormat::Secs, true)
    }
}

/// UTC milliseconds as PostgreSQL's instants are read.
#[must_use]
pub fn utc(at: Ms) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at).unwrap_or_default()
}
