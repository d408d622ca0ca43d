//! The running PostgreSQL: a child in its own process group (so that Ctrl-C reaches us first), asked by the kernel to
//! shut down when we die, started again when it dies.
//!
//! One thread owns the child from start to end, because the kernel ties "when the parent dies" to the thread that
//! started the child, not to the process.

use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::account::Account;
use super::binaries::Binaries;
use super::cluster::{self, Postmaster};
use super::error::{Act, NotStarted};
use super::{EmbeddedError, Extra};

const START_WAIT: Duration = Duration::from_secs(120);
/// A fast shutdown writes a checkpoint first.
const STOP_WAIT: Duration = Duration::from_secs(60);
const QUIT_WAIT: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(20);
const LONGEST_LOG: u64 = 16 * 1024 * 1024;

/// For two cores and a few GiB shared with the accounting itself. Commits are durable: `fsync` and
/// `synchronous_commit` stay on.
const SETTINGS: &[&str] = &[
    "listen_addresses=",
    "unix_socket_permissions=0700",
    "max_connections=60",
    "shared_buffers=192MB",
    "effective_cache_size=1GB",
    "work_mem=16MB",
    "maintenance_work_mem=128MB",
    "max_wal_size=2GB",
    "min_wal_size=128MB",
    "wal_compression=on",
    "checkpoint_timeout=15min",
    "random_page_cost=1.1",
    "max_parallel_workers_per_gather=1",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    "log_min_messages=warning",
    "log_line_prefix=%m [%p] ",
];

#[derive(Debug)]
pub struct Server {
    socket_dir: PathBuf,
    stop: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts PostgreSQL on a data folder that is ours, and waits until it is ready.
    pub fn start(data: &Path, account: Account, extra: Extra) -> Result<Self, EmbeddedError> {
        let (stop, stopped) = mpsc::channel();
        let (ready, readied) = mpsc::channel();
        let data = data.to_owned();
        let spawned = std::thread::Builder::new()
            .name("postgresql".to_owned())
            .spawn(move || run(&data, &account, extra, &ready, &stopped));
        let thread = spawned.map_err(EmbeddedError::io(Act::StartThread, Path::new("postgres")))?;
        match readied.recv() {
            Ok(Ok(socket_dir)) => Ok(Self {
                socket_dir,
                stop,
                thread: Some(thread),
            }),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(EmbeddedError::NotStarted {
                why: NotStarted::ThreadEnded,
                said: String::new(),
                log: PathBuf::from("missing"),
            }),
        }
    }

    pub fn socket_dir(&self) -> &Path {
        &self.socket_dir
    }

    /// Asks for a fast shutdown and waits for the end of it.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        // The thread may have ended before; then there is nobody to tell, and nothing to wait for.
        let _ = self.stop.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// A program run as the server's account, in its own process group, that is told to stop when this thread ends.
pub fn command(program: &Path, account: &Account) -> Command {
    let mut command = Command::new(program);
    command.current_dir("/").process_group(0);
    if account.is_other {
        command.uid(account.uid).gid(account.gid);
    }
    let parent = std::process::id();
    let before_it_runs = move || {
        // A change of user clears this, so it comes after; SIGINT is PostgreSQL's fast shutdown.
        rustix::process::set_parent_process_death_signal(Some(Signal::INT))?;
        let is_ours = rustix::process::getppid()
            .is_some_and(|pid| u32::try_from(pid.as_raw_nonzero().get()) == Ok(parent));
        if is_ours {
            return Ok(());
        }
        // The parent died before the kernel knew whom to tell.
        Err(std::io::Error::from(std::io::ErrorKind::Interrupted))
    };
    #[allow(
        unsafe_code,
        reason = "between fork and exec only two system calls run, which are safe there"
    )]
    // SAFETY: the closure makes two plain system calls and neither allocates nor locks.
    unsafe {
        command.pre_exec(before_it_runs);
    }
    command
}

type Ready = Sender<Result<PathBuf, EmbeddedError>>;

/// The thread's whole life: start, wait, start again when it died, stop when told.
fn run(data: &Path, account: &Account, extra: Extra, ready: &Ready, stopped: &Receiver<()>) {
    let (mut child, socket_dir, binaries) = match first_start(data, account, extra) {
        Ok(started) => started,
        Err(error) => {
            let _ = ready.send(Err(error));
            return;
        }
    };
    if ready.send(Ok(socket_dir.clone())).is_err() {
        stop(&mut child);
        return;
    }
    let mut pause = Duration::from_secs(1);
    loop {
        match stopped.recv_timeout(PAUSE) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => {
                stop(&mut child);
                return;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let Ok(Some(status)) = child.try_wait() else {
            continue;
        };
        tracing::error!(%status, log = %log_path(data).display(), "PostgreSQL ended; it is started again");
        match stopped.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
        }
        match start(data, account, &binaries, &socket_dir, extra) {
            Ok(started) => {
                child = started;
                pause = Duration::from_secs(1);
            }
            Err(error) => {
                tracing::error!(%error, "PostgreSQL cannot be started again yet");
                pause = (pause * 2).min(Duration::from_secs(30));
            }
        }
    }
}

fn first_start(
    data: &Path,
    account: &Account,
    extra: Extra,
) -> Result<(Child, PathBuf, Binaries), EmbeddedError> {
    let binaries = Binaries::find(&cluster::cluster_folder(data))?;
    cluster::create(data, account, &binaries)?;
    let socket_dir = cluster::socket_folder(data, account)?;
    let child = start(data, account, &binaries, &socket_dir, extra)?;
    Ok((child, socket_dir, binaries))
}

/// Starts the server and waits until `postmaster.pid` names our child and says that it is ready.
fn start(
    data: &Path,
    account: &Account,
    binaries: &Binaries,
    socket_dir: &Path,
    extra: Extra,
) -> Result<Child, EmbeddedError> {
    end_orphan(data)?;
    let log = log_path(data);
    let program = binaries.program("postgres");
    let mut postgres = command(&program, account);
    postgres
        .arg("-D")
        .arg(cluster::cluster_folder(data))
        .arg("-k")
        .arg(socket_dir);
    for setting in SETTINGS.iter().chain(extra) {
        postgres.arg("-c").arg(setting);
    }
    let output = open_log(&log).map_err(EmbeddedError::io(Act::Write, &log))?;
    let copy = output
        .try_clone()
        .map_err(EmbeddedError::io(Act::Write, &log))?;
    let mut child = postgres
        .stdin(Stdio::null())
        .stdout(copy)
        .stderr(output)
        .spawn()
        .map_err(EmbeddedError::io(Act::Run, &program))?;
    match wait_ready(data, &mut child) {
        Ok(()) => Ok(child),
        Err(why) => {
            stop(&mut child);
            let said = last_line(&log);
            Err(EmbeddedError::NotStarted { why, said, log })
        }
    }
}

fn wait_ready(data: &Path, child: &mut Child) -> Result<(), NotStarted> {
    let begun = Instant::now();
    while begun.elapsed() < START_WAIT {
        if let Ok(Some(status)) = child.try_wait() {
            return Err(NotStarted::EndedAtOnce(status.to_string()));
        }
        let ready = Postmaster::read(data);
        if ready.is_some_and(|found| found.is_ready && found.pid == child.id()) {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
    }
    Err(NotStarted::Late {
        seconds: START_WAIT.as_secs(),
    })
}

/// Fast shutdown; immediate shutdown when that takes too long; at last the end.
fn stop(child: &mut Child) {
    for (signal, wait) in [
        (Signal::INT, STOP_WAIT),
        (Signal::QUIT, QUIT_WAIT),
        (Signal::KILL, QUIT_WAIT),
    ] {
        let begun = Instant::now();
        if let Some(pid) = pid_of(child.id()) {
            let _ = kill_process(pid, signal);
        }
        while begun.elapsed() < wait {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(PAUSE);
        }
        tracing::warn!(?signal, "PostgreSQL has not stopped yet");
    }
}

/// The folder is ours, so processes of a server that still work in it have lost their owner: they are about to end, or
/// are told to. Only then is a `postmaster.pid` that a crash left over removed, which could name anybody by now.
fn end_orphan(data: &Path) -> Result<(), EmbeddedError> {
    let cluster = cluster::cluster_folder(data);
    let Some(found) = Postmaster::read(data) else {
        return Ok(());
    };
    let begun = Instant::now();
    let mut reminders = [(1, Signal::INT), (10, Signal::QUIT)]
        .into_iter()
        .peekable();
    loop {
        let workers = workers_in(&cluster, found.pid);
        if workers.is_empty() {
            break;
        }
        let due = reminders.next_if(|(after_s, _)| begun.elapsed().as_secs() >= *after_s);
        if let Some((_, signal)) = due {
            tracing::warn!(
                ?workers,
                "an earlier PostgreSQL still runs here; it is stopped"
            );
            for pid in workers.iter().filter_map(|pid| pid_of(*pid)) {
                let _ = kill_process(pid, signal);
            }
        }
        if begun.elapsed() > STOP_WAIT {
            return Err(EmbeddedError::NotStarted {
                why: NotStarted::StillRunning(workers),
                said: String::new(),
                log: log_path(data),
            });
        }
        std::thread::sleep(PAUSE);
    }
    let path = cluster.join("postmaster.pid");
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(EmbeddedError::io(Act::Remove, &path)(error))
        }
        _ => Ok(()),
    }
}

/// The processes that work in a cluster's folder, as every PostgreSQL process does. Where their folders may not be
/// read, the one named in `postmaster.pid` counts by its command line.
fn workers_in(cluster: &Path, named: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| match std::fs::read_link(format!("/proc/{pid}/cwd")) {
        Ok(folder) => folder == cluster,
        Err(_) => *pid == named && was_started_on(*pid, cluster),
    })
    .collect()
}

fn was_started_on(pid: u32, cluster: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt as _;
    std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| {
        line.split(|b| *b == 0)
            .any(|word| word == cluster.as_os_str().as_bytes())
    })
}

fn pid_of(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().and_then(Pid::from_raw)
}

fn log_path(data: &Path) -> PathBuf {
    data.join("postgres.log")
}

/// The log goes on where it ended; one that has grown large is kept aside once.
fn open_log(path: &Path) -> std::io::Result<std::fs::File> {
    if std::fs::metadata(path).is_ok_and(|about| about.len() > LONGEST_LOG) {
        std::fs::rename(path, path.with_extension("log.1"))?;
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// The end of the server's log.
pub(super) fn last_words(data: &Path) -> String {
    const LENGTH: u64 = 16 << 10;
    let read = || -> std::io::Result<Vec<u8>> {
        let mut log = std::fs::File::open(log_path(data))?;
        let size = log.metadata()?.len();
        log.seek(SeekFrom::Start(size.saturating_sub(LENGTH)))?;
        let mut end = Vec::new();
        log.read_to_end(&mut end)?;
        Ok(end)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
}

fn last_line(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines()
        .rev()
        .find(|line| line.contains("FATAL") || line.contains("ERROR"))
        .map(|line| format!(": {line}"))
        .unwrap_or_default()
}
