//! What every command and every request works with: the configuration, the database and the clock.
//!
//! [`Opened`] is an [`App`] together with the database server it may have had to start, and to stop again.

use std::time::Duration;

use sea_orm::DatabaseConnection;

use crate::clock::Clock;
use crate::config::Config;
use crate::embedded::{Embedded, EmbeddedError, Purpose};
use crate::language::Bilingual;
use crate::store::pool::{self, PoolError};

#[derive(Clone, Debug)]
pub struct App {
    pub config: Config,
    pub db: DatabaseConnection,
    pub clock: Clock,
}

/// An app whose database is reachable and migrated. Close it: a database server it started is then stopped.
#[derive(Debug)]
pub struct Opened {
    pub app: App,
    embedded: Option<Embedded>,
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("the start of the embedded PostgreSQL was interrupted")]
    Interrupted,
}

impl Bilingual for OpenError {
    fn chinese(&self) -> String {
        match self {
            Self::Embedded(error) => error.chinese(),
            Self::Pool(error) => error.chinese(),
            Self::Interrupted => "内置 PostgreSQL 的启动被中断".to_owned(),
        }
    }
}

impl Opened {
    /// Reaches the database: the configured one, else the embedded PostgreSQL of the data folder (the running
    /// server's, or one of our own), and brings its schema up to date.
    ///
    /// # Errors
    /// The database cannot be started, reached or migrated.
    pub async fn open(config: Config, purpose: Purpose) -> Result<Self, OpenError> {
        let (url, embedded) = match &config.database_url {
            Some(url) => (url.reveal().to_owned(), None),
            None => {
                let folder = config.data_dir.clone();
                let start = move || Embedded::open(&folder, purpose);
                let embedded = tokio::task::spawn_blocking(start)
                    .await
                    .map_err(|_| OpenError::Interrupted)??;
                (embedded.url(), Some(embedded))
            }
        };
        let db = pool::connect(&url).await?;
        pool::migrate(&db).await?;
        let app = App {
            config,
            db,
            clock: Clock::system(),
        };
        Ok(Self { app, embedded })
    }

    /// Closes the connections, then stops the PostgreSQL that was started here, if one was.
    pub async fn close(self) {
        let Self { app, embedded } = self;
        // Work that was broken off may still hold a connection; a fast shutdown ends it.
        let closed = tokio::time::timeout(Duration::from_secs(3), app.db.close()).await;
        if let Ok(Err(error)) = closed {
            tracing::warn!(%error, "the database connections did not close cleanly");
        }
        if let Some(embedded) = embedded {
            let stopped = tokio::task::spawn_blocking(move || embedded.stop()).await;
            if stopped.is_err() {
                tracing::warn!("the embedded PostgreSQL could not be waited for");
            }
        }
    }
}
