//! The import ledger: every file that came in, what became of its rows, and why some were refused.
//!
//! Reasons are kept as code and arguments, so that everybody reads them in a language of their own.

use accounting::time::{Span, Zone};
use api::Reason;
use api::imports::{self, Import, ImportList, Message, Rejection};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgPool, PgRow};

use super::instants::{Instant, at, ms};

/// One file, as it is entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub file: String,
    pub kind: String,
    pub outcome: &'static str,
    pub rows_read: i64,
    pub rows_new: i64,
    pub rows_replaced: i64,
    pub rows_unchanged: i64,
    pub rows_rejected: i64,
    /// The first of them.
    pub rejections: Vec<Rejected>,
    pub dropped: Vec<Dropped>,
    /// Currency and sum as written.
    pub amounts: Vec<(String, String)>,
    /// First and last instant named.
    pub times: Option<Span>,
    pub by: String,
    pub sha256: String,
    /// What times without offset were read in.
    pub zone: Option<String>,
    /// What is told of the file as a whole.
    pub messages: Vec<Said>,
}

/// A row that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    pub line: i64,
    /// Empty when it is the row as a whole.
    pub column: String,
    pub reason: Reason,
}

/// Values that cannot be, dropped from rows that were kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    pub column: String,
    pub reason: Reason,
    pub values: i64,
}

/// One thing told of a file, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub line: Option<i64>,
    pub reason: Reason,
}

impl Said {
    /// Of no line of it.
    #[must_use]
    pub const fn file(reason: Reason) -> Self {
        Self { line: None, reason }
    }
}

/// The number of an import that begins; [`enter`] gives it its row.
///
/// # Errors
/// When the database cannot be reached.
pub async fn begin(db: &mut PgConnection) -> Result<i64, sqlx::Error> {
    // One import at a time: two at once would compare with what the other is about to change.
    sqlx::query("SELECT pg_advisory_xact_lock(hashtext('suanzhang.import'))")
        .execute(&mut *db)
        .await?;
    sqlx::query_scalar("SELECT nextval(pg_get_serial_sequence('imports', 'id'))")
        .fetch_one(db)
        .await
}

/// Enters a file.
///
/// # Errors
/// When the database cannot be reached or is full.
pub async fn enter(db: &mut PgConnection, id: i64, entry: &Entry) -> Result<(), sqlx::Error> {
    let json = |value: Result<serde_json::Value, serde_json::Error>| {
        value.map_err(|error| sqlx::Error::Encode(error.into()))
    };
    sqlx::query(
        "INSERT INTO imports (id, file, kind, outcome, rows_read, rows_new, rows_replaced, rows_unchanged, \
         rows_rejected, rejections, dropped, amounts, first_at, last_at, by, sha256, zone, messages) \
         OVERRIDING SYSTEM VALUE \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
    )
    .bind(id)
    .bind(&entry.file)
    .bind(&entry.kind)
    .bind(entry.outcome)
    .bind(entry.rows_read)
    .bind(entry.rows_new)
    .bind(entry.rows_replaced)
    .bind(entry.rows_unchanged)
    .bind(entry.rows_rejected)
    .bind(json(serde_json::to_value(&entry.rejections))?)
    .bind(json(serde_json::to_value(&entry.dropped))?)
    .bind(json(serde_json::to_value(&entry.amounts))?)
    .bind(entry.times.map(|span| at(span.start)))
    .bind(entry.times.map(|span| at(span.end)))
    .bind(&entry.by)
    .bind(&entry.sha256)
    .bind(&entry.zone)
    .bind(json(serde_json::to_value(&entry.messages))?)
    .execute(db)
    .await?;
    Ok(())
}

/// The times of an import of these very bytes that is still true: read in the same zone, no row refused, and no later
/// file of the kind replaced a row.
///
/// # Errors
/// When the database cannot be reached.
pub async fn still_true(
    db: &PgPool,
    sha256: &str,
    kind: &str,
    zone: Option<&str>,
) -> Result<Option<(i64, Option<Span>)>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT rows_read, first_at, last_at FROM imports i \
         WHERE sha256 = $1 AND kind = $2 AND zone IS NOT DISTINCT FROM $3 AND rows_rejected = 0 \
         AND outcome IN ('imported', 'unchanged') AND NOT EXISTS (SELECT FROM imports later \
             WHERE later.kind = i.kind AND later.id > i.id AND later.rows_replaced > 0) \
         ORDER BY id DESC LIMIT 1",
    )
    .bind(sha256)
    .bind(kind)
    .bind(zone)
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        let times = match (
            row.try_get::<Option<Instant>, _>("first_at")?,
            row.try_get::<Option<Instant>, _>("last_at")?,
        ) {
            (Some(first), Some(last)) => Some(Span::new(ms(first), ms(last))),
            _ => None,
        };
        Ok((row.try_get("rows_read")?, times))
    })
    .transpose()
}

/// Was no file ever imported?
///
/// # Errors
/// When the database cannot be reached.
pub async fn is_empty(db: &PgPool) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("SELECT NOT EXISTS (SELECT FROM imports)")
        .fetch_one(db)
        .await
}

/// A page of the ledger, newest first: `cursor` is the number after which the page begins.
///
/// # Errors
/// When the database cannot be reached.
pub async fn page(
    db: &PgPool,
    zone: Zone,
    cursor: Option<i64>,
    limit: i64,
) -> Result<ImportList, sqlx::Error> {
    let rows = sqlx::query("SELECT * FROM imports WHERE id < $1 ORDER BY id DESC LIMIT $2")
        .bind(cursor.unwrap_or(i64::MAX))
        .bind(limit + 1)
        .fetch_all(db)
        .await?;
    let mut imports = rows
        .iter()
        .map(|row| import(row, zone))
        .collect::<Result<Vec<_>, _>>()?;
    let more = i64::try_from(imports.len()).unwrap_or(i64::MAX) > limit;
    if more {
        imports.pop();
    }
    let next_cursor = imports
        .last()
        .filter(|_| more)
        .map(|import| import.id.to_string());
    Ok(ImportList {
        imports,
        next_cursor,
    })
}

fn import(row: &PgRow, zone: Zone) -> Result<Import, sqlx::Error> {
    let rejected: Vec<Rejected> = list(row, "rejections")?;
    let dropped: Vec<Dropped> = list(row, "dropped")?;
    let messages: Vec<Said> = list(row, "messages")?;
    Ok(Import {
        id: row.try_get("id")?,
        file: row.try_get("file")?,
        kind: row.try_get("kind")?,
        outcome: row.try_get("outcome")?,
        rows_read: row.try_get("rows_read")?,
        rows_new: row.try_get("rows_new")?,
        rows_replaced: row.try_get("rows_replaced")?,
        rows_unchanged: row.try_get("rows_unchanged")?,
        rows_rejected: row.try_get("rows_rejected")?,
        rejections: rejected
            .into_iter()
            .map(|row| Rejection::new(row.line, row.column, row.reason))
            .collect(),
        dropped: dropped
            .into_iter()
            .map(|values| imports::Dropped::new(values.column, values.values, values.reason))
            .collect(),
        messages: messages
            .into_iter()
            .map(|said| Message::new(said.line, said.reason))
            .collect(),
        at: row
            .try_get::<DateTime<Utc>, _>("at")?
            .with_timezone(&zone)
            .to_rfc3339_opts(SecondsFormat::Secs, false),
        by: row.try_get("by")?,
        sha256: row.try_get("sha256")?,
    })
}

/// A column that holds a list as JSON.
fn list<T: DeserializeOwned>(row: &PgRow, column: &str) -> Result<Vec<T>, sqlx::Error> {
    serde_json::from_value(row.try_get(column)?).map_err(|error| sqlx::Error::Decode(error.into()))
}
