//! The embedded PostgreSQL and the process around it: it starts, keeps its data, is shared with commands, and ends with
//! us however we end.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use backend::embedded::{Embedded, EmbeddedError, Purpose};
use rustix::process::{Pid, Signal, kill_process};

use crate::support;

const START_WAIT: Duration = Duration::from_secs(60);
const END_WAIT: Duration = Duration::from_secs(20);

fn suanzhang(data: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_suanzhang"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SUANZHANG_")) {
        command.env_remove(name);
    }
    command
        .args(words)
        .env_remove("DATABASE_URL")
        .env("SUANZHANG_DATA_DIR", data)
        .env("SUANZHANG_LISTEN", "127.0.0.1:0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(data: &Path, words: &[&str]) -> Output {
    suanzhang(data, words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `suanzhang serve`, killed when dropped.
struct Served {
    child: Child,
    /// What it printed up to the line that tells how to stop it.
    said: String,
}

impl Served {
    fn start(data: &Path) -> Self {
        let mut command = suanzhang(data, &["serve"]);
        let mut child = command.process_group(0).spawn().unwrap();
        let output = child.stdout.take().unwrap();
        let (line, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for text in BufReader::new(output).lines().map_while(Result::ok) {
                if line.send(text).is_err() {
                    break;
                }
            }
        });
        let mut served = Self {
            child,
            said: String::new(),
        };
        while !served.said.contains("Ctrl-C") {
            let line = lines.recv_timeout(START_WAIT).unwrap();
            served.said.push_str(&line);
            served.said.push('\n');
        }
        served
    }

    fn address(&self) -> &str {
        let (_, after) = self.said.split_once("http://").unwrap();
        after.split_whitespace().next().unwrap()
    }

    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    /// The exit code; `None` when it was killed.
    fn wait(&mut self) -> Option<i32> {
        let begun = Instant::now();
        while begun.elapsed() < END_WAIT {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server did not end");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processes of the cluster in a data folder.
fn servers(data: &Path) -> Vec<PathBuf> {
    let cluster = data.canonicalize().unwrap().join("postgres");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == cluster))
        .map(|entry| entry.path())
        .collect()
}

fn wait_until_gone(data: &Path) {
    let begun = Instant::now();
    while !servers(data).is_empty() {
        assert!(begun.elapsed() < END_WAIT, "PostgreSQL still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn answers(address: &str, path: &str) -> String {
    use std::io::Read as _;
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[tokio::test]
async fn each_test_has_a_migrated_database_of_its_own() {
    let (one, other) = (support::database().await, support::database().await);
    assert_ne!(one.url, other.url);
    let pool = one.app.db.get_postgres_connection_pool();
    let applied: i64 = sqlx::query_scalar("SELECT count(*) FROM seaql_migrations")
        .fetch_one(pool)
        .await
        .unwrap();
    assert!(applied >= 3);
}

#[test]
fn a_server_tells_the_first_sign_in_once_and_ends_in_order() {
    let folder = support::folder();
    let data = folder.path().join("data");
    let mut served = Served::start(&data);
    assert!(served.said.contains("sign in: admin"), "{}", served.said);
    assert!(answers(served.address(), "/readyz").starts_with("HTTP/1.1 200"));
    assert!(!servers(&data).is_empty());
    served.signal(Signal::INT);
    assert_eq!(served.wait(), Some(0));
    assert_eq!(servers(&data), Vec::<PathBuf>::new());

    let mut again = Served::start(&data);
    assert!(!again.said.contains("sign in: admin"), "{}", again.said);
    assert!(again.said.contains("suanzhang user password"));
    again.signal(Signal::TERM);
    assert_eq!(again.wait(), Some(0));
    assert_eq!(servers(&data), Vec::<PathBuf>::new());
}

#[test]
fn a_running_server_keeps_the_folder_and_lets_commands_in() {
    let folder = support::folder();
    let data = folder.path().join("data");
    let served = Served::start(&data);
    let second = run(&data, &["serve"]);
    assert_eq!(second.status.code(), Some(1));
    let told = text(&second.stderr);
    let expected = format!("a server (process {}) already uses", served.child.id());
    assert!(told.contains(&expected), "{told}");
    let listed = run(&data, &["user", "list"]);
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    assert_eq!(text(&listed.stdout), "admin admin\n");
    assert!(answers(served.address(), "/readyz").starts_with("HTTP/1.1 200"));
}

#[test]
fn a_killed_server_takes_its_postgresql_with_it_and_keeps_the_data() {
    let folder = support::folder();
    let data = folder.path().join("data");
    let mut served = Served::start(&data);
    served.signal(Signal::KILL);
    assert_eq!(served.wait(), None);
    wait_until_gone(&data);
    // A crash of both leaves this behind; it could name anybody by now.
    let left = data.join("postgres/postmaster.pid");
    fs::write(&left, "1\n/nowhere\n0\n5432\n\n*\n").unwrap();
    let listed = run(&data, &["user", "list"]);
    assert_eq!(
        text(&listed.stdout),
        "admin admin\n",
        "{}",
        text(&listed.stderr)
    );
}

#[test]
fn a_postgresql_that_dies_is_started_again() {
    let folder = support::folder();
    let data = folder.path().join("data");
    let served = Served::start(&data);
    let pid_file = fs::read_to_string(data.join("postgres/postmaster.pid")).unwrap();
    let pid: i32 = pid_file.lines().next().unwrap().parse().unwrap();
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    let begun = Instant::now();
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let changed = fs::read_to_string(data.join("postgres/postmaster.pid"))
            .is_ok_and(|now| now.lines().next() != pid_file.lines().next());
        if changed && answers(served.address(), "/readyz").starts_with("HTTP/1.1 200") {
            break;
        }
        assert!(begun.elapsed() < START_WAIT, "it did not come back");
    }
}

#[test]
fn a_folder_of_another_version_is_named_with_both() {
    let folder = support::folder();
    let data = folder.path().join("data");
    let open = || Embedded::open(&data, Purpose::Command("test".to_owned()));
    open().unwrap().stop();
    let version = data.join("postgres/PG_VERSION");
    let true_one = fs::read_to_string(&version).unwrap();
    fs::write(&version, "99\n").unwrap();
    match open() {
        Err(EmbeddedError::Version { made_by, found, .. }) => {
            assert_eq!(made_by, "99");
            assert!(found.contains(true_one.trim()), "{found}");
        }
        other => panic!("{other:?}"),
    }
    let told = text(&run(&data, &["user", "list"]).stderr);
    assert!(told.contains("install postgresql-99"), "{told}");
    fs::write(&version, true_one).unwrap();
    open().unwrap().stop();
}

#[test]
fn check_says_what_needs_a_person() {
    let folder = support::folder();
    let data = folder.path().join("data");
    let clean = run(&data, &["check"]);
    let said = text(&clean.stdout);
    assert!(clean.status.success(), "{said}{}", text(&clean.stderr));
    assert!(said.contains("data_dir = "), "{said}");
    assert!(said.contains("(variable SUANZHANG_DATA_DIR)"), "{said}");
    assert!(said.contains("PostgreSQL "), "{said}");

    let teams = folder.path().join("teams.csv");
    fs::write(&teams, "team,name,valid_from\nt1,T,never\n").unwrap();
    let imported = run(&data, &["import", &teams.display().to_string()]);
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    let checked = run(&data, &["check"]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(text(&checked.stdout).contains("! 1 rows were rejected"));
}

#[test]
fn a_password_comes_by_standard_input_and_never_as_an_argument() {
    let folder = support::folder();
    let data = folder.path().join("data");
    let add = |name: &str, password: &str| {
        let mut command = suanzhang(&data, &["user", "add", name, "--role", "viewer"]);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        writeln!(child.stdin.take().unwrap(), "{password}").unwrap();
        child.wait_with_output().unwrap()
    };
    let added = add("cto", "a long enough pass phrase");
    assert_eq!(text(&added.stdout), "cto added as viewer\n");
    let short = add("bob", "short");
    assert_eq!(short.status.code(), Some(1));
    assert!(text(&short.stderr).contains("at least 10 characters"));
    let twice = add("cto", "a long enough pass phrase");
    assert!(text(&twice.stderr).contains("there is a user `cto` already"));

    let argument = ["user", "add", "eve", "--role", "viewer", "--password", "x"];
    assert_eq!(run(&data, &argument).status.code(), Some(2));
    let unknown = run(&data, &["user", "add", "eve", "--role", "boss"]);
    assert!(text(&unknown.stderr).contains("choose one of admin, finance"));
    let gone = run(&data, &["user", "disable", "nobody"]);
    assert!(text(&gone.stderr).contains("there is no user `nobody`"));

    assert!(run(&data, &["user", "disable", "cto"]).status.success());
    let listed = text(&run(&data, &["user", "list"]).stdout);
    assert!(listed.starts_with("cto viewer disabled since "), "{listed}");
}
