//! The folders of the embedded PostgreSQL: `DATA/postgres` (the cluster), `DATA/run` (the socket), and what
//! `postmaster.pid` tells about the server that runs on them.

use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use super::account::Account;
use super::binaries::Binaries;
use super::error::Act;
use super::{EmbeddedError, server};

/// Both the role and the database.
pub const DATABASE: &str = "suanzhang";
/// A Unix socket's path holds 107 bytes; its name takes 16 of them, a temporary suffix a few.
const LONGEST_SOCKET_DIR: usize = 80;

/// The data folder, absolute and existing, with every folder above it open to the server's account.
pub fn data_folder(path: &Path, account: &Account) -> Result<PathBuf, EmbeddedError> {
    if !path.exists() {
        std::fs::create_dir_all(path).map_err(EmbeddedError::io(Act::Create, path))?;
        if account.is_other {
            let open = std::fs::Permissions::from_mode(0o711);
            std::fs::set_permissions(path, open).map_err(EmbeddedError::io(Act::OpenUp, path))?;
        }
    }
    let folder = path
        .canonicalize()
        .map_err(EmbeddedError::io(Act::Find, path))?;
    account.can_pass(&folder)?;
    Ok(folder)
}

/// The cluster's folder of a data folder.
pub fn cluster_folder(data: &Path) -> PathBuf {
    data.join("postgres")
}

/// A folder only the server's account can enter; one that is there already must be its own.
fn private_folder(path: &Path, account: &Account) -> Result<(), EmbeddedError> {
    match std::fs::DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => account.own(path),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let about =
                std::fs::symlink_metadata(path).map_err(EmbeddedError::io(Act::Read, path))?;
            if about.is_dir() && about.uid() == account.uid && about.mode() & 0o077 == 0 {
                return Ok(());
            }
            Err(EmbeddedError::Foreign {
                folder: path.to_owned(),
            })
        }
        Err(error) => Err(EmbeddedError::io(Act::Create, path)(error)),
    }
}

/// The socket's folder: `DATA/run`, or a short one in /tmp when its path were too long for a socket or had letters
/// that a list of folders cannot hold.
pub fn socket_folder(data: &Path, account: &Account) -> Result<PathBuf, EmbeddedError> {
    let near = data.join("run");
    let name = near.as_os_str().as_bytes();
    let fits = name.len() <= LONGEST_SOCKET_DIR
        && !name.iter().any(|byte| matches!(byte, b',' | b'"' | b'\''));
    let folder = if fits {
        near
    } else {
        let digest = Sha256::digest(data.as_os_str().as_bytes());
        let short: String = digest.iter().take(6).map(|b| format!("{b:02x}")).collect();
        PathBuf::from(format!("/tmp/suanzhang-{short}"))
    };
    private_folder(&folder, account)?;
    Ok(folder)
}

/// Makes the cluster when there is none. It is made aside and moved into place when complete, so that an interrupted
/// first start leaves nothing half-made.
pub fn create(data: &Path, account: &Account, binaries: &Binaries) -> Result<(), EmbeddedError> {
    let cluster = cluster_folder(data);
    if cluster.join("PG_VERSION").exists() {
        return hand_over(&cluster, account);
    }
    tracing::info!(folder = %cluster.display(), version = %binaries.version, "creating the embedded PostgreSQL");
    let aside = data.join("postgres.new");
    if aside.exists() {
        std::fs::remove_dir_all(&aside).map_err(EmbeddedError::io(Act::Remove, &aside))?;
    }
    private_folder(&aside, account)?;
    let mut initdb = server::command(&binaries.program("initdb"), account);
    initdb
        .args(["-U", DATABASE, "-A", "trust", "-E", "UTF8"])
        .args(["--locale=C.UTF-8", "-D"])
        .arg(&aside)
        .stdin(Stdio::null());
    let made = initdb
        .output()
        .map_err(EmbeddedError::io(Act::Run, &binaries.program("initdb")))?;
    checked("initdb", &made)?;
    create_database(&aside, account, binaries)?;
    std::fs::rename(&aside, &cluster).map_err(EmbeddedError::io(Act::Move, &aside))
}

/// In single-user mode, which needs no server and no connection.
fn create_database(
    cluster: &Path,
    account: &Account,
    binaries: &Binaries,
) -> Result<(), EmbeddedError> {
    let program = binaries.program("postgres");
    let failed = || EmbeddedError::io(Act::Run, &program);
    let mut single = server::command(&program, account);
    let mut child = single
        .args(["--single", "-j", "-D"])
        .arg(cluster)
        .arg("postgres")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed())?;
    if let Some(mut input) = child.stdin.take() {
        input
            .write_all(format!("CREATE DATABASE {DATABASE};\n\n").as_bytes())
            .map_err(failed())?;
    }
    let made = child.wait_with_output().map_err(failed())?;
    checked("postgres --single", &made)?;
    if String::from_utf8_lossy(&made.stderr).contains("ERROR:") {
        return Err(program_error("postgres --single", &made));
    }
    Ok(())
}

fn checked(program: &'static str, output: &std::process::Output) -> Result<(), EmbeddedError> {
    if output.status.success() {
        return Ok(());
    }
    Err(program_error(program, output))
}

/// Its last lines are where it says what was wrong.
fn program_error(program: &'static str, output: &std::process::Output) -> EmbeddedError {
    let said = String::from_utf8_lossy(&output.stderr);
    let mut lines: Vec<&str> = said.lines().rev().take(3).collect();
    lines.reverse();
    EmbeddedError::Program {
        program,
        output: format!("{} ({})", lines.join(" / "), output.status),
    }
}

/// A cluster made by another account (the program was run as somebody else before) is given to this one; only root can.
fn hand_over(cluster: &Path, account: &Account) -> Result<(), EmbeddedError> {
    let about = std::fs::metadata(cluster).map_err(EmbeddedError::io(Act::Read, cluster))?;
    if about.uid() == account.uid {
        return Ok(());
    }
    if !account.is_other {
        return Err(EmbeddedError::Foreign {
            folder: cluster.to_owned(),
        });
    }
    let mut folders = vec![cluster.to_owned()];
    while let Some(folder) = folders.pop() {
        account.own(&folder)?;
        let entries = std::fs::read_dir(&folder).map_err(EmbeddedError::io(Act::Read, &folder))?;
        for entry in entries {
            let entry = entry.map_err(EmbeddedError::io(Act::Read, &folder))?;
            let kind = entry
                .file_type()
                .map_err(EmbeddedError::io(Act::Read, &entry.path()))?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                account.own(&entry.path())?;
            }
        }
    }
    Ok(())
}

/// What a running server writes into `postmaster.pid`.
#[derive(Debug, PartialEq, Eq)]
pub struct Postmaster {
    pub pid: u32,
    pub socket_dir: PathBuf,
    pub is_ready: bool,
}

impl Postmaster {
    /// `None` when there is no such file, or it is not complete yet.
    pub fn read(data: &Path) -> Option<Self> {
        let path = cluster_folder(data).join("postmaster.pid");
        Self::parse(&std::fs::read_to_string(path).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let pid = lines.next()?.trim().parse().ok()?;
        let socket_dir = PathBuf::from(lines.nth(3).unwrap_or_default());
        let status = lines.nth(2).unwrap_or_default();
        Some(Self {
            pid,
            socket_dir,
            is_ready: status.trim() == "ready",
        })
    }
}

/// Waits until the server that owns the folder has a PostgreSQL that is ready; gives its socket's folder.
pub fn wait_ready(data: &Path, pid: u32, wait: Duration) -> Result<PathBuf, EmbeddedError> {
    let begun = Instant::now();
    while begun.elapsed() < wait {
        if let Some(found) = Postmaster::read(data).filter(|found| found.is_ready) {
            return Ok(found.socket_dir);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(EmbeddedError::NotReady {
        folder: data.to_owned(),
        pid,
    })
}

#[cfg(test)]
mod tests {
    use super::Postmaster;

    #[test]
    fn the_postmasters_file_is_read_line_by_line() {
        let text = "4711\n/d/postgres\n1764554400\n5432\n/d/run\n\n  1234  5\nready   \n";
        let expected = Postmaster {
            pid: 4711,
            socket_dir: "/d/run".into(),
            is_ready: true,
        };
        assert_eq!(Postmaster::parse(text), Some(expected));
        let starting = Postmaster::parse("4711\n/d/postgres\n1764554400\n5432\n/d/run\n");
        assert_eq!(starting.map(|found| found.is_ready), Some(false));
        assert_eq!(Postmaster::parse(""), None);
    }
}
