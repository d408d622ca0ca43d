//! What the installation remembers about itself.

use sea_orm::DatabaseConnection;

use super::StoreError;

/// `true` while the data is that of the example company.
const EXAMPLE: &str = "example_data";

/// Is the data that of the example company, which every page then says?
///
/// # Errors
/// The database fails.
pub async fn is_example(db: &DatabaseConnection) -> Result<bool, StoreError> {
    let value: Option<String> = sqlx::query_scalar("SELECT value FROM settings WHERE key = $1")
        .bind(EXAMPLE)
        .fetch_optional(db.get_postgres_connection_pool())
        .await?;
    Ok(value.as_deref() == Some("true"))
}

/// Remembers that the data is that of the example company.
///
/// # Errors
/// The database fails.
pub async fn mark_example(db: &DatabaseConnection) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO settings (key, value) VALUES ($1, 'true')
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )
    .bind(EXAMPLE)
    .execute(db.get_postgres_connection_pool())
    .await?;
    Ok(())
}
