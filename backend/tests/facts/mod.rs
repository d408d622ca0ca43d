//! Fact files into the database and back, by topic.

mod bad_input;
mod coverage;
pub mod folder;
mod outage;
pub mod real;
mod roll_up;
mod rows;

use std::path::PathBuf;

use accounting::facts::Facts;
use accounting::ids::Id;
use accounting::time::{Span, Zone};
use api::Language;
use backend::app::App;
use backend::facts::{ImportError, Options, Report, Settings, import};
use backend::store::imports::Entry;
use backend::store::load;
use backend::tasks::roll_up::roll_up;
use sqlx::PgPool;

use crate::support::{self, TestDatabase};
use folder::Folder;

pub fn settings() -> Settings {
    Settings {
        zone: Zone::Asia__Shanghai,
        currency: Id::from("CNY"),
        by: "test".to_owned(),
    }
}

pub struct Company {
    database: TestDatabase,
}

impl Company {
    pub async fn new() -> Self {
        Self {
            database: support::database().await,
        }
    }

    pub fn app(&self) -> &App {
        &self.database.app
    }

    /// For the binary's `--database-url`.
    pub fn url(&self) -> &str {
        &self.database.url
    }

    pub fn db(&self) -> &PgPool {
        self.database.app.db.get_postgres_connection_pool()
    }

    pub async fn try_import(
        &self,
        path: PathBuf,
        options: &Options,
    ) -> Result<Report, ImportError> {
        import(self.db(), &settings(), &[path], options, &mut |_| {}).await
    }

    pub async fn import(&self, folder: &Folder) -> Report {
        self.try_import(folder.path(), &Options::default())
            .await
            .unwrap()
    }

    /// One file with that text.
    pub async fn import_text(&self, name: &str, text: impl AsRef<[u8]>) -> Entry {
        let folder = Folder::new().file(name, text);
        let mut report = self.import(&folder).await;
        assert_eq!(report.files.len(), 1, "{:?}", report.files);
        report.files.remove(0)
    }

    pub async fn roll_up(&self) -> usize {
        roll_up(self.db(), &mut |_, _| {})
            .await
            .unwrap()
            .device_hours
    }

    /// Everything that accounting would be given.
    pub async fn facts(&self) -> Facts {
        let mut facts = load::standing(self.db()).await.unwrap();
        if let Some(extent) = load::extent(self.db()).await.unwrap() {
            let window: Span = extent.widened(3_600_000);
            load::activity(self.db(), &mut facts, window).await.unwrap();
        }
        facts
    }

    pub async fn count(&self, table: &str) -> i64 {
        let statement = format!("SELECT count(*) FROM {table}");
        sqlx::query_scalar(sqlx::AssertSqlSafe(statement))
            .fetch_one(self.db())
            .await
            .unwrap()
    }
}

/// (read, new, replaced, unchanged, rejected) of a file.
pub fn counts(entry: &Entry) -> (i64, i64, i64, i64, i64) {
    (
        entry.rows_read,
        entry.rows_new,
        entry.rows_replaced,
        entry.rows_unchanged,
        entry.rows_rejected,
    )
}

/// What is told of a file as a whole.
pub fn told(entry: &Entry) -> Vec<String> {
    entry
        .messages
        .iter()
        .map(|said| said.reason.placed(said.line, "", Language::English))
        .collect()
}

/// `line, column: reason` of each rejected row.
pub fn refusals(entry: &Entry) -> Vec<String> {
    entry
        .rejections
        .iter()
        .map(|r| format!("{}, {}: {}", r.line, r.column, r.reason))
        .collect()
}
