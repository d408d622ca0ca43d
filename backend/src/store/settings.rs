//! What the installation remembers about itself.

use sea_orm::DatabaseConnection;

use super::StoreError;

const EXAMPLE: &str = "example_data";

/// Is the data that of the example company, which every page then says?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    No,
    /// It is coming in; a start that was broken off goes on from here.
    Filling,
    Filled,
}

impl Example {
    const fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Filling => "filling",
            Self::Filled => "filled",
        }
    }
}

/// # Errors
/// The database fails.
pub async fn example(db: &DatabaseConnection) -> Result<Example, StoreError> {
    let value: Option<String> = sqlx::query_scalar("SELECT value FROM settings WHERE key = $1")
        .bind(EXAMPLE)
        .fetch_optional(db.get_postgres_connection_pool())
        .await?;
    Ok(match value.as_deref() {
        Some("filling") => Example::Filling,
        Some("filled") => Example::Filled,
        _ => Example::No,
    })
}

/// # Errors
/// The database fails.
pub async fn set_example(db: &DatabaseConnection, example: Example) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO settings (key, value) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )
    .bind(EXAMPLE)
    .bind(example.name())
    .execute(db.get_postgres_connection_pool())
    .await?;
    Ok(())
}
