//! What one kind alone asks of its staged rows, and where a folder's devices stand.

use accounting::facts::TariffRow;
use sqlx::postgres::PgConnection;

use super::StoreError;
use super::load::tariff_row;

/// Staged tariff rows with their lines.
///
/// # Errors
/// When the database cannot be reached.
pub async fn tariffs(db: &mut PgConnection) -> Result<Vec<(i64, TariffRow)>, StoreError> {
    let rows = sqlx::query("SELECT * FROM stage ORDER BY line")
        .fetch_all(db)
        .await?;
    rows.iter().map(tariff_row).collect()
}

/// Takes rows out of the staging table by their lines.
///
/// # Errors
/// When the database cannot be reached.
pub async fn refuse(db: &mut PgConnection, lines: &[i64]) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM stage WHERE line = ANY($1)")
        .bind(lines)
        .execute(db)
        .await?;
    Ok(())
}

/// The sites of these devices and nodes, in order.
///
/// # Errors
/// When the database cannot be reached.
pub async fn sites_of(
    db: &mut PgConnection,
    devices: &[String],
    nodes: &[String],
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT n.site FROM devices d JOIN nodes n ON n.node = d.node WHERE d.device = ANY($1) \
         UNION SELECT site FROM nodes WHERE node = ANY($2) ORDER BY 1",
    )
    .bind(devices)
    .bind(nodes)
    .fetch_all(db)
    .await
}
