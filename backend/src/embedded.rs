//! The private PostgreSQL for people who have none: the system's own server binaries on a cluster in the data folder,
//! reached through a Unix socket only, started and stopped with us.
//!
//! Three things are guarded. One program at a time owns the folder ([`lock`]). The server is a child that ends when we
//! end, even by `kill -9` ([`server`]). It never runs as root ([`account`]). Everything here blocks: call it from a
//! blocking thread.

mod account;
mod binaries;
mod cluster;
mod error;
mod lock;
mod server;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use account::Account;
pub use error::EmbeddedError;
pub use lock::Purpose;

use lock::{Holder, Lock};
use server::Server;

/// How long a command waits for the server that owns the folder to be ready.
const READY_WAIT: Duration = Duration::from_secs(60);

/// A PostgreSQL that is ready: our own child, or that of the server which owns the data folder.
#[derive(Debug)]
pub struct Embedded {
    socket_dir: PathBuf,
    /// Our child and our lock; `None` when we only visit another's. The lock is the last to go.
    own: Option<(Server, Lock)>,
}

/// Whether the PostgreSQL of the folder lately ran out of disk: where it cannot even write its journal it ends, and
/// who was connected hears of nothing but a connection cut off.
#[must_use]
pub fn ran_out_of_disk(data_dir: &Path) -> bool {
    server::last_words(data_dir).contains("No space left on device")
}

/// Settings beyond the usual ones, `name=value` each.
pub type Extra = &'static [&'static str];

impl Embedded {
    /// Opens the PostgreSQL of a data folder, creating folder and cluster when they are not there. A command joins the
    /// server that owns the folder, waits for another command to finish, or else starts a PostgreSQL of its own.
    ///
    /// # Errors
    /// See [`EmbeddedError`].
    pub fn open(data_dir: &Path, purpose: Purpose) -> Result<Self, EmbeddedError> {
        Self::open_with(data_dir, purpose, &[])
    }

    /// As [`Embedded::open`], with extra server settings.
    ///
    /// # Errors
    /// See [`EmbeddedError`].
    pub fn open_with(
        data_dir: &Path,
        purpose: Purpose,
        extra: Extra,
    ) -> Result<Self, EmbeddedError> {
        let account = Account::of_server()?;
        let folder = cluster::data_folder(data_dir, &account)?;
        match Lock::take(&folder, &purpose)? {
            Holder::Us(lock) => {
                let server = Server::start(&folder, account, extra)?;
                Ok(Self {
                    socket_dir: server.socket_dir().to_owned(),
                    own: Some((server, lock)),
                })
            }
            Holder::Server { pid } => Ok(Self {
                socket_dir: cluster::wait_ready(&folder, pid, READY_WAIT)?,
                own: None,
            }),
        }
    }

    /// The URL of its database.
    #[must_use]
    pub fn url(&self) -> String {
        let host = percent_encoded(&self.socket_dir);
        format!(
            "postgres://{0}@localhost/{0}?host={host}",
            cluster::DATABASE
        )
    }

    /// Stops our own PostgreSQL and waits until it has ended; a visited one is left running.
    pub fn stop(self) {
        if let Some((server, lock)) = self.own {
            server.stop();
            drop(lock);
        }
    }
}

/// A path as a value of a URL's query.
fn percent_encoded(path: &Path) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;
    let mut text = String::new();
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(byte) {
            text.push(char::from(*byte));
        } else {
            // Writing into a text cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::percent_encoded;
    use std::path::Path;

    #[test]
    fn a_path_survives_the_url() {
        assert_eq!(
            percent_encoded(Path::new("/a b/数+?")),
            "/a%20b/%E6%95%B0%2B%3F"
        );
    }
}
