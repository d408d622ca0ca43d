//! Whether the stored data can be trusted: what came in last, what was refused, when it was accounted, and what the
//! audit found.

use sqlx::{PgPool, Row as _};

use super::instants::Instant;
use super::scope::Scope;

/// Differences told; a wrong engine would find one a day for years.
const MOST_DIFFERENCES: i64 = 100;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// `None`: nothing has been accounted, or imported, yet.
    pub accounted_at: Option<Instant>,
    pub last_import: Option<Instant>,
    /// Rows refused when their file last came in.
    pub rejected_rows: i64,
    /// Files refused as a whole when they last came in.
    pub rejected_files: i64,
    /// `day: difference`, newest day first.
    pub differences: Vec<String>,
}

/// The condition of everybody's data; a scope that is not the whole company has none.
///
/// # Errors
/// When the database cannot be read.
pub async fn condition(db: &PgPool, scope: &Scope) -> Result<Option<Condition>, sqlx::Error> {
    if *scope != Scope::Company {
        return Ok(None);
    }
    let row = sqlx::query(
        "WITH newest AS (SELECT DISTINCT ON (file, kind) outcome, rows_rejected FROM imports ORDER BY file, kind, id DESC)
         SELECT (SELECT max(computed_at) FROM accounted_days) AS accounted_at,
                (SELECT max(at) FROM imports) AS last_import,
                coalesce(sum(rows_rejected), 0)::bigint AS rejected_rows,
                count(*) FILTER (WHERE outcome = 'rejected') AS rejected_files
         FROM newest",
    )
    .fetch_one(db)
    .await?;
    let differences = sqlx::query_scalar(
        "SELECT day || ': ' || difference FROM audit_differences ORDER BY day DESC, difference LIMIT $1",
    )
    .bind(MOST_DIFFERENCES)
    .fetch_all(db)
    .await?;
    Ok(Some(Condition {
        accounted_at: row.try_get("accounted_at")?,
        last_import: row.try_get("last_import")?,
        rejected_rows: row.try_get("rejected_rows")?,
        rejected_files: row.try_get("rejected_files")?,
        differences,
    }))
}
