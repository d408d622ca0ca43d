//! Data health: the stored condition, the days that wait, and the doubts with their yuan, for page and command line.

use api::health::Health;
use chrono::{DateTime, Days, SecondsFormat, Utc};

use super::account::{AccountError, Request, waiting};
use crate::app::App;
use crate::language::Bilingual;
use crate::store::health::condition;
use crate::store::query::{Books, BooksReadError};
use crate::store::scope::Scope;

#[derive(Debug, thiserror::Error)]
pub enum HealthError {
    #[error("the condition of the data cannot be read: {0}")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error(transparent)]
    Books(#[from] BooksReadError),
}

impl Bilingual for HealthError {
    fn chinese(&self) -> String {
        match self {
            Self::Database(error) => format!("无法读取数据状况：{error}"),
            Self::Account(error) => error.chinese(),
            Self::Books(error) => error.chinese(),
        }
    }
}

/// What is known of everybody's data, and the files refused as a whole; `None` for a scope that is not the company.
///
/// # Errors
/// The database fails.
pub async fn health(app: &App, scope: &Scope) -> Result<Option<(Health, i64)>, HealthError> {
    let pool = app.db.get_postgres_connection_pool();
    let Some(condition) = condition(pool, scope).await? else {
        return Ok(None);
    };
    let ledger = &app.config.ledger;
    let books = Books::of(app);
    books.check().await?;
    let extent = books.extent().await?;
    let doubts = match extent {
        Some((first, last)) => {
            let after = last.checked_add_days(Days::new(1)).unwrap_or(last);
            books.doubts(first, after).await?
        }
        None => Vec::new(),
    };
    let request = Request {
        from: None,
        to: None,
        settings: accounting::ledger::Settings {
            zone: ledger.zone,
            currency: ledger.currency.clone(),
        },
        now: app.clock.now(),
    };
    let days = waiting(pool, &request).await?;
    let instant = |at: DateTime<Utc>| {
        at.with_timezone(&ledger.zone)
            .to_rfc3339_opts(SecondsFormat::Secs, true)
    };
    let health = Health {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        currency: ledger.currency.to_string(),
        database: "ok".to_owned(),
        books_from: extent.map(|(first, _)| first.to_string()),
        books_to: extent.map(|(_, last)| last.to_string()),
        accounted_at: condition.accounted_at.map(instant),
        days_waiting: i64::try_from(days).unwrap_or(i64::MAX),
        audit_differences: condition.differences,
        doubts,
        last_import: condition.last_import.map(instant),
        rejected_rows: condition.rejected_rows,
    };
    Ok(Some((health, condition.rejected_files)))
}
