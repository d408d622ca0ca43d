//! Reaching PostgreSQL and bringing its schema up to date.

use std::time::Duration;

use migrations::Migrator;
use sea_orm::{DatabaseConnection, DbErr, SqlxPostgresConnector};
use sea_orm_migration::MigratorTrait as _;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _};

use super::StoreError;
use super::error::cause;
use crate::language::Bilingual;

/// PostgreSQL before this has no `MERGE`; Debian 12 has 15.
const OLDEST_VERSION: i32 = 150_000;
/// Held while the schema is changed, so that two servers starting at once do not both change it.
const MIGRATION_LOCK: i64 = 0x7375_616e_7a68;
const CONNECT_WAIT: Duration = Duration::from_secs(10);
const MAX_CONNECTIONS: u32 = 16;

#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    #[error("the database URL is malformed: {0}")]
    Url(#[source] sqlx::Error),
    #[error(
        "PostgreSQL at {place} cannot be used: {cause}; is it running, and is the database URL right?"
    )]
    Connect { place: String, cause: String },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("PostgreSQL {0} is too old; version 15 or newer is needed")]
    TooOld(String),
    #[error("the schema of the database cannot be brought up to date: {0}")]
    Migration(#[source] DbErr),
}

impl Bilingual for PoolError {
    fn chinese(&self) -> String {
        match self {
            Self::Url(error) => format!("数据库 URL 格式不对：{error}"),
            Self::Connect { place, cause } => {
                format!(
                    "无法使用位于 {place} 的 PostgreSQL：{cause}；它在运行吗？数据库 URL 是否正确？"
                )
            }
            Self::Store(error) => error.chinese(),
            Self::TooOld(version) => format!("PostgreSQL {version} 太旧；需要 15 或更新的版本"),
            Self::Migration(error) => format!("数据库表结构无法更新：{error}"),
        }
    }
}

/// A pool of at most 16 connections to `url`, one of which has been tried.
///
/// # Errors
/// The server cannot be reached, refuses us, or is older than PostgreSQL 15.
pub async fn connect(url: &str) -> Result<DatabaseConnection, PoolError> {
    let options: PgConnectOptions = url.parse().map_err(PoolError::Url)?;
    let options = options
        .application_name("suanzhang")
        .disable_statement_logging();
    try_once(&options).await?;
    let pool = PgPoolOptions::new()
        .max_connections(MAX_CONNECTIONS)
        .acquire_timeout(CONNECT_WAIT)
        .connect_with(options)
        .await
        .map_err(StoreError::from)?;
    let db = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
    let (number, name) = version(&db).await?;
    if number < OLDEST_VERSION {
        return Err(PoolError::TooOld(name));
    }
    Ok(db)
}

/// A pool only says that it waited in vain; a single connection says why.
async fn try_once(options: &PgConnectOptions) -> Result<(), PoolError> {
    let failed = |cause: String| PoolError::Connect {
        place: match options.get_socket() {
            Some(folder) => folder.display().to_string(),
            None => format!("{}:{}", options.get_host(), options.get_port()),
        },
        cause,
    };
    match tokio::time::timeout(CONNECT_WAIT, options.connect()).await {
        Err(_) => Err(failed(format!("no answer within {CONNECT_WAIT:?}"))),
        Ok(Err(error)) => Err(failed(cause(&error))),
        Ok(Ok(connection)) => {
            // What goes wrong now is of no connection that anybody uses.
            connection.close().await.unwrap_or_default();
            Ok(())
        }
    }
}

/// The server's version as a number (150014) and as text (15.14).
///
/// # Errors
/// The server cannot be reached.
pub async fn version(db: &DatabaseConnection) -> Result<(i32, String), StoreError> {
    let pool = db.get_postgres_connection_pool();
    let found = sqlx::query_as(
        "SELECT current_setting('server_version_num')::int, current_setting('server_version')",
    );
    Ok(found.fetch_one(pool).await?)
}

/// Applies what is missing of the schema, once, however many servers start together.
///
/// # Errors
/// A migration fails, or the database was migrated by a newer version of this program.
pub async fn migrate(db: &DatabaseConnection) -> Result<(), PoolError> {
    let pool = db.get_postgres_connection_pool();
    let mut guard = pool.acquire().await.map_err(StoreError::from)?;
    sqlx::query("SELECT pg_advisory_lock($1)")
        .bind(MIGRATION_LOCK)
        .execute(&mut *guard)
        .await
        .map_err(StoreError::from)?;
    let applied = Migrator::up(db, None).await;
    sqlx::query("SELECT pg_advisory_unlock($1)")
        .bind(MIGRATION_LOCK)
        .execute(&mut *guard)
        .await
        .map_err(StoreError::from)?;
    applied.map_err(PoolError::Migration)
}
