//! Names that facts point to and nobody has described: a device of no node, a placement of no workload.
//!
//! Files may come in any order, so nothing is refused for it; but what points nowhere is told.

use sqlx::postgres::PgPool;
use sqlx::{AssertSqlSafe, Row as _};

/// Rows of `table` whose `column` names something that `of` does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub table: &'static str,
    pub column: &'static str,
    pub of: &'static str,
    pub rows: i64,
    /// The first such name.
    pub example: String,
}

/// Table, column, the table that describes it, and its column there.
const LINKS: &[(&str, &str, &str, &str)] = &[
    ("nodes", "site", "sites", "site"),
    ("devices", "node", "nodes", "node"),
    ("devices", "parent", "devices", "device"),
    ("assets", "site", "sites", "site"),
    ("recurring", "site", "sites", "site"),
    ("price_book", "site", "sites", "site"),
    ("projects", "team", "teams", "team"),
    ("people", "team", "teams", "team"),
    ("rules", "project", "projects", "project"),
    ("workloads", "project", "projects", "project"),
    ("placements", "workload", "workloads", "workload"),
    ("placements", "device", "devices", "device"),
    ("node_states", "node", "nodes", "node"),
    ("meters", "site", "sites", "site"),
    ("meters", "node", "nodes", "node"),
    ("meter_readings", "meter", "meters", "meter"),
    ("work", "workload", "workloads", "workload"),
];

/// What points nowhere, in the order of the files.
///
/// # Errors
/// When the database cannot be reached.
pub async fn broken(db: &PgPool) -> Result<Vec<Broken>, sqlx::Error> {
    let mut found = Vec::new();
    for (table, column, of, name) in LINKS {
        let row = sqlx::query(AssertSqlSafe(format!(
            "SELECT count(*) AS rows, min(\"{column}\" COLLATE \"C\") AS example FROM {table} t \
             WHERE \"{column}\" IS NOT NULL AND NOT EXISTS (SELECT FROM {of} o WHERE o.\"{name}\" = t.\"{column}\")"
        )))
        .fetch_one(db)
        .await?;
        let rows: i64 = row.try_get("rows")?;
        if let Some(example) = row.try_get::<Option<String>, _>("example")? {
            found.push(Broken {
                table,
                column,
                of,
                rows,
                example,
            });
        }
    }
    Ok(found)
}
