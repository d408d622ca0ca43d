//! The schema is what `migrations/schema.sql` shows, and every migration can be taken back.
//!
//! `UPDATE_SCHEMA=1 cargo nextest run -p backend schema` writes the file anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use migrations::Migrator;
use sea_orm_migration::MigratorTrait as _;

use crate::support;

/// The newest installed `pg_dump`.
fn pg_dump() -> PathBuf {
    let mut found: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .unwrap()
        .map(|entry| entry.unwrap().path().join("bin/pg_dump"))
        .filter(|path| path.exists())
        .collect();
    found.sort();
    found
        .pop()
        .expect("pg_dump comes with the package postgresql")
}

/// The schema as SQL, without what differs between versions of the program that writes it.
fn dump(url: &str) -> String {
    let made = Command::new(pg_dump())
        .args(["--schema-only", "--no-owner", "--no-privileges", url])
        .output()
        .unwrap();
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let text = String::from_utf8(made.stdout).unwrap();
    let is_ours = |line: &&str| {
        let passing = ["--", "SET ", "SELECT pg_catalog.set_config", "\\"];
        !line.is_empty() && !passing.iter().any(|start| line.starts_with(start))
    };
    let lines: Vec<&str> = text.lines().filter(is_ours).collect();
    lines.join("\n") + "\n"
}

#[tokio::test]
async fn the_kept_schema_is_the_sum_of_the_migrations() {
    let database = support::database().await;
    let schema = dump(&database.url);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations/schema.sql");
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&path, &schema).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(
        kept == schema,
        "migrations/schema.sql is not what the migrations make; look at the difference after \
         UPDATE_SCHEMA=1 cargo nextest run -p backend schema"
    );
}

#[tokio::test]
async fn migrations_go_down_and_up_again() {
    let database = support::database().await;
    let db = &database.app.db;
    let before = dump(&database.url);
    Migrator::down(db, None).await.unwrap();
    let left: Vec<String> = sqlx::query_scalar(
        "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')",
    )
    .fetch_all(db.get_postgres_connection_pool())
    .await
    .unwrap();
    assert_eq!(left, ["seaql_migrations"]);
    Migrator::up(db, None).await.unwrap();
    assert_eq!(dump(&database.url), before);
}
