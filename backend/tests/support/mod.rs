//! What every integration test stands on: [`database`] gives an app on a fresh, migrated database of its own.
//!
//! One PostgreSQL serves a test process. Its cluster is a copy of a template that is made once and migrated once, kept
//! in the temporary folder under the hash of the migrations. Server and copy end with the last database, also when a
//! test panics; when a whole process is killed, the kernel ends the server and the next process removes the folder.

mod server;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use backend::app::App;
use backend::clock::Clock;
use backend::config::Config;
use backend::store::pool;

use server::Server;

/// An app on its own database, and what keeps that alive. The app comes first: it is dropped before the server.
pub struct TestDatabase {
    pub app: App,
    /// For tests that run the binary: `--database-url`.
    pub url: String,
    _server: Arc<Server>,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A fresh, migrated database.
pub async fn database() -> TestDatabase {
    let server = tokio::task::spawn_blocking(Server::acquire).await.unwrap();
    let name = format!("t{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let url = server.create_database(&name).await;
    let db = pool::connect(&url).await.unwrap();
    let app = App {
        config: Config::default(),
        db,
        clock: Clock::system(),
    };
    TestDatabase {
        app,
        url,
        _server: server,
    }
}

/// A folder for a cluster of the test's own: passable for the server's account, and below 100 bytes of socket path.
pub fn folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::Builder::new().prefix("sz-").tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
    folder
}
