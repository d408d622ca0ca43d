//! The database goes away or is full while a file comes in: one clear error, nothing half-written, the next run
//! finishes the job.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use backend::embedded::{Account, Embedded, Purpose};
use backend::facts::{ImportError, Options, Report, import};
use backend::store::pool;
use sqlx::{Connection as _, PgConnection, PgPool};

use super::folder::Folder;
use super::settings;

const ROWS: usize = 100_000;

/// Enough samples to be in the middle of.
fn many_samples() -> Folder {
    let mut text = "device,time,interval_s,g,s,t,d,power_w\n".to_owned();
    for row in 0..ROWS {
        let (device, minute) = (row / 1440, row % 1440);
        writeln!(
            text,
            "GPU-{device:036},2026-07-01T{:02}:{:02}:00Z,60,0.9,0.8,0.7,0.6,612.5",
            minute / 60,
            minute % 60
        )
        .unwrap();
    }
    Folder::new()
        .file("teams.csv", "team,name\nt1,T\n")
        .file("samples.csv", text)
}

/// A PostgreSQL of its own in `folder`.
async fn start(folder: &Path) -> Embedded {
    let folder = folder.to_owned();
    tokio::task::spawn_blocking(move || {
        let purpose = Purpose::Command("test".to_owned());
        Embedded::open_with(
            &folder,
            purpose,
            &["max_wal_size=64MB", "min_wal_size=32MB"],
        )
        .unwrap()
    })
    .await
    .unwrap()
}

async fn stop(server: Embedded) {
    tokio::task::spawn_blocking(|| server.stop()).await.unwrap();
}

async fn connect(server: &Embedded) -> PgPool {
    let db = pool::connect(&server.url()).await.unwrap();
    pool::migrate(&db).await.unwrap();
    db.get_postgres_connection_pool().clone()
}

async fn bring_in(db: &PgPool, path: PathBuf) -> Result<Report, ImportError> {
    import(db, &settings(), &[path], &Options::default(), &mut |_| {}).await
}

/// Everything came in, once.
async fn assert_finished(db: &PgPool, path: PathBuf) {
    let report = bring_in(db, path).await.unwrap();
    let samples = report.files.iter().find(|f| f.kind == "samples").unwrap();
    assert_eq!(samples.rows_new, i64::try_from(ROWS).unwrap());
    assert_eq!(count(db, "samples").await, i64::try_from(ROWS).unwrap());
    assert_eq!(count(db, "imports WHERE kind = 'samples'").await, 1);
}

async fn count(db: &PgPool, table: &str) -> i64 {
    sqlx::query_scalar(sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}")))
        .fetch_one(db)
        .await
        .unwrap()
}

/// A folder the server's account can pass to, below 100 bytes of socket path.
fn home(name: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let account = Account::of_server().unwrap();
    let home =
        std::env::temp_dir().join(format!("sz-{name}-{}-{}", account.uid, std::process::id()));
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    fs::set_permissions(&home, fs::Permissions::from_mode(0o711)).unwrap();
    home
}

/// Waits until the samples are on their way into the staging table.
async fn wait_for_copy(url: &str) {
    let mut watch = PgConnection::connect(url).await.unwrap();
    for _ in 0..600 {
        let copying: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT FROM pg_stat_progress_copy WHERE tuples_processed > 1000)",
        )
        .fetch_one(&mut watch)
        .await
        .unwrap();
        if copying {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the import was not seen copying");
}

#[tokio::test]
async fn a_database_killed_in_mid_import_loses_nothing() {
    let home = home("kill");
    let server = start(&home.join("data")).await;
    let db = connect(&server).await;
    let samples = many_samples();
    let path = samples.path();
    let running = tokio::spawn({
        let (db, path) = (db.clone(), path.clone());
        async move { bring_in(&db, path).await }
    });
    wait_for_copy(&server.url()).await;
    let pid = fs::read_to_string(home.join("data/postgres/postmaster.pid")).unwrap();
    let pid = pid.lines().next().unwrap().to_owned();
    assert!(
        Command::new("kill")
            .args(["-9", &pid])
            .status()
            .unwrap()
            .success()
    );
    let error = running.await.unwrap().unwrap_err().to_string();
    assert!(
        error.contains("samples.csv: the database cannot be reached"),
        "{error}"
    );
    assert!(error.contains("nothing of this file is kept"), "{error}");
    db.close().await;
    stop(server).await;

    let server = start(&home.join("data")).await;
    let db = connect(&server).await;
    assert_eq!(count(&db, "samples").await, 0);
    assert_eq!(count(&db, "teams").await, 1);
    assert_finished(&db, path).await;
    db.close().await;
    stop(server).await;
    fs::remove_dir_all(home).unwrap();
}

/// A file system in memory, unmounted when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: PathBuf, size: &str) -> Option<Self> {
        let size = format!("size={size}");
        let done = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(&at)
            .output();
        done.is_ok_and(|done| done.status.success())
            .then_some(Self(at))
    }

    fn grow(&self, size: &str) {
        let size = format!("remount,size={size}");
        let done = Command::new("mount")
            .args(["-o", &size])
            .arg(&self.0)
            .status()
            .unwrap();
        assert!(done.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[tokio::test]
async fn a_full_disk_is_told_and_the_next_run_finishes() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = home("full");
    let Some(disk) = SmallDisk::mount(home.clone(), "1g") else {
        eprintln!("skipped: only root may mount the small disk this needs");
        fs::remove_dir_all(home).unwrap();
        return;
    };
    fs::set_permissions(&home, fs::Permissions::from_mode(0o711)).unwrap();
    let server = start(&home.join("data")).await;
    let db = connect(&server).await;
    // A little more than what is used: the samples do not fit.
    let used = Command::new("du").arg("-sm").arg(&home).output().unwrap();
    let used = String::from_utf8(used.stdout).unwrap();
    let used: u64 = used.split_whitespace().next().unwrap().parse().unwrap();
    disk.grow(&format!("{}m", used + 12));
    let samples = many_samples();
    let path = samples.path();
    let error = bring_in(&db, path.clone()).await.unwrap_err().to_string();
    assert!(error.contains("samples.csv: "), "{error}");
    assert!(
        error.contains("the disk of the database is full") || error.contains("cannot be reached"),
        "{error}"
    );
    disk.grow("1g");
    db.close().await;
    stop(server).await;

    let server = start(&home.join("data")).await;
    let db = connect(&server).await;
    assert_eq!(count(&db, "samples").await, 0);
    assert_finished(&db, path).await;
    db.close().await;
    stop(server).await;
    drop(disk);
    fs::remove_dir_all(home).unwrap();
}
