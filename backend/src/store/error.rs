//! The room's one error: the database could not be reached, or it refused.
//!
//! `?` takes it from sqlx and sea-orm alike; [`StoreError::is_gone`] tells an outage from a fault of ours.

use std::sync::Arc;

use sea_orm::{DbErr, RuntimeErr};

use crate::language::Bilingual;

#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database cannot be reached: {}", cause(.0))]
    Gone(Arc<sqlx::Error>),
    #[error("the database refused: {}", cause(.0))]
    Refused(Arc<sqlx::Error>),
    #[error("the database refused: {0}")]
    Orm(Arc<DbErr>),
    /// What is stored cannot be read back; names the row.
    #[error("stored data cannot be read: {0}")]
    Unreadable(String),
}

impl StoreError {
    /// Is the database away, so that trying again later may help?
    #[must_use]
    pub const fn is_gone(&self) -> bool {
        matches!(self, Self::Gone(_))
    }
}

impl Bilingual for StoreError {
    fn chinese(&self) -> String {
        match self {
            Self::Gone(error) => format!("数据库无法访问：{}", cause(error)),
            Self::Refused(error) => format!("数据库拒绝了操作：{}", cause(error)),
            Self::Orm(error) => format!("数据库拒绝了操作：{error}"),
            Self::Unreadable(what) => format!("已存数据无法读取：{what}"),
        }
    }
}

/// What PostgreSQL or the system says, without what sqlx adds: the line of PostgreSQL's own source, a preamble.
#[must_use]
pub fn cause(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(answer) => answer.message().to_owned(),
        sqlx::Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::from(Arc::new(error))
    }
}

impl From<Arc<sqlx::Error>> for StoreError {
    fn from(error: Arc<sqlx::Error>) -> Self {
        if is_outage(&error) {
            Self::Gone(error)
        } else {
            Self::Refused(error)
        }
    }
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        match error {
            DbErr::Conn(RuntimeErr::SqlxError(inner))
            | DbErr::Exec(RuntimeErr::SqlxError(inner))
            | DbErr::Query(RuntimeErr::SqlxError(inner)) => Self::from(inner),
            DbErr::ConnectionAcquire(_) => Self::Gone(Arc::new(sqlx::Error::PoolTimedOut)),
            other => Self::Orm(Arc::new(other)),
        }
    }
}

/// Connection failures, and the states in which PostgreSQL is starting, stopping, full or cut off: class 08
/// (connection), 57P (shutdown, crash, starting up), 53 (no connections, no memory, disk full).
fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(answer) => answer.code().is_some_and(|code| {
            code.starts_with("08") || code.starts_with("57P") || code.starts_with("53")
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{DbErr, RuntimeErr, StoreError};

    #[test]
    fn an_outage_is_told_from_a_refusal() {
        let cut = || sqlx::Error::Io(std::io::Error::other("cut"));
        assert!(StoreError::from(cut()).is_gone());
        assert!(StoreError::from(DbErr::Query(RuntimeErr::SqlxError(cut().into()))).is_gone());
        assert!(StoreError::from(sqlx::Error::PoolTimedOut).is_gone());
        assert!(!StoreError::from(sqlx::Error::RowNotFound).is_gone());
        assert!(!StoreError::from(DbErr::RecordNotFound(String::new())).is_gone());
    }
}
