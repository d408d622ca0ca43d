//! One PostgreSQL a test process, on a copy of the migrated template.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, SystemTime};

use backend::embedded::{Account, Embedded, Purpose};
use backend::store::pool;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// Speed instead of durability: a test's database is thrown away.
const EXTRA: &[&str] = &[
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "shared_buffers=32MB",
    "autovacuum=off",
];
/// Templates of other migrations are removed when they are older than this.
const STALE: Duration = Duration::from_secs(24 * 3600);

pub struct Server {
    url: String,
    /// Taken when dropped.
    embedded: Option<Embedded>,
    folder: PathBuf,
}

impl Server {
    /// The server of this process, started when none is running. Blocks.
    pub fn acquire() -> Arc<Self> {
        static RUNNING: Mutex<Weak<Server>> = Mutex::new(Weak::new());
        let mut running = RUNNING.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(server) = running.upgrade() {
            return server;
        }
        let server = Arc::new(Self::start());
        *running = Arc::downgrade(&server);
        server
    }

    fn start() -> Self {
        let home = home();
        sweep(&home);
        let template = template(&home);
        let folder = home.join(format!("run-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        create(&folder);
        copy(&template.join("postgres"), &folder.join("postgres"));
        let purpose = Purpose::Command("test".to_owned());
        let embedded = Embedded::open_with(&folder, purpose, EXTRA).unwrap();
        Self {
            url: embedded.url(),
            embedded: Some(embedded),
            folder,
        }
    }

    /// Clones the template under a new name; gives its URL.
    pub async fn create_database(&self, name: &str) -> String {
        let (role, host) = self.url.split_once("/suanzhang?").unwrap();
        let mut maintenance = PgConnection::connect(&format!("{role}/postgres?{host}"))
            .await
            .unwrap();
        let create = format!("CREATE DATABASE {name} TEMPLATE suanzhang");
        sqlx::query(AssertSqlSafe(create))
            .execute(&mut maintenance)
            .await
            .unwrap();
        maintenance.close().await.unwrap();
        format!("{role}/{name}?{host}")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(embedded) = self.embedded.take() {
            embedded.stop();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of all test clusters of this user, passable for the server's account.
fn home() -> PathBuf {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| {
        let account = Account::of_server().unwrap();
        let home = std::env::temp_dir().join(format!("suanzhang-test-{}", account.uid));
        create(&home);
        home
    })
    .clone()
}

fn create(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::create_dir_all(folder).unwrap();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o711)).unwrap();
}

/// Removes what killed processes and other migrations left.
fn sweep(home: &Path) {
    for entry in fs::read_dir(home).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap_or_default();
        let is_abandoned = match name.strip_prefix("run-") {
            Some(pid) => !Path::new("/proc").join(pid).exists(),
            None => entry
                .metadata()
                .and_then(|about| about.modified())
                .is_ok_and(|at| {
                    SystemTime::now()
                        .duration_since(at)
                        .is_ok_and(|age| age > STALE)
                }),
        };
        if is_abandoned && entry.path().is_dir() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The migrated cluster to copy from, made by the first process that needs it.
fn template(home: &Path) -> PathBuf {
    let folder = home.join(format!("template-{}", migrations_hash()));
    let lock = File::create(home.join("template.lock")).unwrap();
    lock.lock().unwrap();
    if folder.exists() {
        return folder;
    }
    let making = home.join("template-making");
    let _ = fs::remove_dir_all(&making);
    let purpose = Purpose::Command("test".to_owned());
    let embedded = Embedded::open_with(&making, purpose, EXTRA).unwrap();
    let url = embedded.url();
    let migrated = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let db = pool::connect(&url).await.unwrap();
            pool::migrate(&db).await.unwrap();
            db.close().await.unwrap();
        });
    });
    migrated.join().unwrap();
    embedded.stop();
    fs::rename(&making, &folder).unwrap();
    folder
}

fn migrations_hash() -> String {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations/src");
    let mut files: Vec<PathBuf> = fs::read_dir(sources)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(fs::read(file).unwrap());
    }
    let digest = hash.finalize();
    digest.iter().take(8).map(|b| format!("{b:02x}")).collect()
}

/// `cp` keeps owner and times, and shares blocks where the file system can.
fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp")
        .args(["-a", "--reflink=auto"])
        .arg(from)
        .arg(to)
        .status()
        .unwrap();
    assert!(done.success(), "cp {} failed", from.display());
}
