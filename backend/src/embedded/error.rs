//! Why there is no embedded PostgreSQL, in both languages. Each says what and where, then what to do.

use std::io;
use std::path::{Path, PathBuf};

use api::Language;

use crate::language::Bilingual;

#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    #[error(
        "no PostgreSQL server binaries were found in /usr/lib/postgresql/*/bin or PATH; install the package `postgresql`, or set DATABASE_URL"
    )]
    NoBinaries,
    #[error(
        "{folder} was made by PostgreSQL {made_by}, but only version {found} is installed; install postgresql-{made_by}, or choose another --data-dir"
    )]
    Version {
        folder: PathBuf,
        made_by: String,
        found: String,
    },
    #[error(
        "a server (process {pid}) already uses {folder}; stop it, or choose another --data-dir"
    )]
    AlreadyServing { folder: PathBuf, pid: u32 },
    #[error(
        "`suanzhang {command}` (process {pid}) still uses {folder}; try again when it has finished"
    )]
    Busy {
        folder: PathBuf,
        command: String,
        pid: u32,
    },
    #[error(
        "neither user postgres nor nobody exists, and PostgreSQL must not run as root; create user postgres, or set DATABASE_URL"
    )]
    NoAccount,
    #[error(
        "user {user}, as whom PostgreSQL runs, cannot pass {folder}; choose a --data-dir elsewhere, or `chmod o+x {folder}`"
    )]
    NotPassable { folder: PathBuf, user: String },
    #[error("{folder} belongs to somebody else; remove it, or choose another --data-dir")]
    Foreign { folder: PathBuf },
    #[error("cannot {} {path}: {source}", what.text(Language::English))]
    Io {
        what: Act,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{program} failed: {output}")]
    Program {
        program: &'static str,
        output: String,
    },
    #[error("PostgreSQL did not start: {}{said}; its log is {log}", why.text(Language::English))]
    NotStarted {
        why: NotStarted,
        /// The last thing its log complains about, after a colon; or nothing.
        said: String,
        log: PathBuf,
    },
    #[error(
        "the server in {folder} (process {pid}) did not become ready within 60 s; look at its log"
    )]
    NotReady { folder: PathBuf, pid: u32 },
}

/// What the system did not let us do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Create,
    Find,
    HandOver,
    Lock,
    Move,
    Open,
    OpenUp,
    Read,
    Remove,
    Run,
    StartThread,
    Write,
}

impl Act {
    fn text(self, language: Language) -> &'static str {
        let (chinese, english) = match self {
            Self::Create => ("创建", "create"),
            Self::Find => ("找到", "find"),
            Self::HandOver => ("移交", "hand over"),
            Self::Lock => ("锁定", "lock"),
            Self::Move => ("移动", "move"),
            Self::Open => ("打开", "open"),
            Self::OpenUp => ("开放访问", "open up"),
            Self::Read => ("读取", "read"),
            Self::Remove => ("删除", "remove"),
            Self::Run => ("运行", "run"),
            Self::StartThread => ("启动线程运行", "start a thread for"),
            Self::Write => ("写入", "write"),
        };
        language.choose(chinese, english)
    }
}

/// Why PostgreSQL is not there although it was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotStarted {
    ThreadEnded,
    /// With the status it ended with.
    EndedAtOnce(String),
    Late {
        seconds: u64,
    },
    /// Processes of an earlier one that do not go.
    StillRunning(Vec<u32>),
}

impl NotStarted {
    fn text(&self, language: Language) -> String {
        let (chinese, english) = match self {
            Self::ThreadEnded => (
                "负责启动的线程已结束".to_owned(),
                "the thread that starts it ended".to_owned(),
            ),
            Self::EndedAtOnce(status) => (
                format!("刚启动就退出了（{status}）"),
                format!("it ended at once ({status})"),
            ),
            Self::Late { seconds } => (
                format!("{seconds} 秒内没有就绪"),
                format!("it was not ready within {seconds} s"),
            ),
            Self::StillRunning(processes) => (
                format!("进程 {processes:?} 仍在使用该文件夹"),
                format!("processes {processes:?} still run on the folder"),
            ),
        };
        language.choose(chinese, english)
    }
}

impl EmbeddedError {
    pub(super) fn io(what: Act, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what, path, source }
    }
}

impl Bilingual for EmbeddedError {
    fn chinese(&self) -> String {
        match self {
            Self::NoBinaries => "在 /usr/lib/postgresql/*/bin 和 PATH 中都没有找到 PostgreSQL 服务端程序；请安装软件包 `postgresql`，或设置 DATABASE_URL".to_owned(),
            Self::Version { folder, made_by, found } => format!(
                "{} 由 PostgreSQL {made_by} 创建，而本机只有版本 {found}；请安装 postgresql-{made_by}，或用 --data-dir 另选文件夹",
                folder.display()
            ),
            Self::AlreadyServing { folder, pid } => format!(
                "已有服务（进程 {pid}）在使用 {}；请先停止它，或用 --data-dir 另选文件夹",
                folder.display()
            ),
            Self::Busy { folder, command, pid } => format!(
                "`suanzhang {command}`（进程 {pid}）仍在使用 {}；请等它结束后再试",
                folder.display()
            ),
            Self::NoAccount => "没有用户 postgres，也没有 nobody，而 PostgreSQL 不能以 root 运行；请创建用户 postgres，或设置 DATABASE_URL".to_owned(),
            Self::NotPassable { folder, user } => format!(
                "运行 PostgreSQL 的用户 {user} 无法进入 {0}；请用 --data-dir 另选文件夹，或执行 `chmod o+x {0}`",
                folder.display()
            ),
            Self::Foreign { folder } => format!(
                "{} 属于其他用户；请移走它，或用 --data-dir 另选文件夹",
                folder.display()
            ),
            Self::Io { what, path, source } => {
                format!("无法{} {}：{source}", what.text(Language::Chinese), path.display())
            }
            Self::Program { program, output } => format!("{program} 运行失败：{output}"),
            Self::NotStarted { why, said, log } => format!(
                "PostgreSQL 没有启动：{}{said}；日志在 {}",
                why.text(Language::Chinese),
                log.display()
            ),
            Self::NotReady { folder, pid } => format!(
                "{} 的服务（进程 {pid}）60 秒内没有就绪；请查看它的日志",
                folder.display()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::tests::speaks_both;

    #[test]
    fn every_failure_is_told_in_both_languages() {
        let folder = || PathBuf::from("/d1");
        let here = |error: EmbeddedError, shown: &[&str]| {
            speaks_both(&error, &["/d1"]);
            speaks_both(&error, shown);
        };
        speaks_both(
            &EmbeddedError::NoBinaries,
            &["`postgresql`", "DATABASE_URL"],
        );
        speaks_both(&EmbeddedError::NoAccount, &["postgres", "DATABASE_URL"]);
        let version = EmbeddedError::Version {
            folder: folder(),
            made_by: "14".to_owned(),
            found: "15, 17".to_owned(),
        };
        here(version, &["postgresql-14", "15, 17", "--data-dir"]);
        let serving = EmbeddedError::AlreadyServing {
            folder: folder(),
            pid: 7001,
        };
        here(serving, &["7001"]);
        let busy = EmbeddedError::Busy {
            folder: folder(),
            command: "import".to_owned(),
            pid: 7001,
        };
        here(busy, &["`suanzhang import`", "7001"]);
        let closed = EmbeddedError::NotPassable {
            folder: folder(),
            user: "u1".to_owned(),
        };
        here(closed, &["u1", "`chmod o+x /d1`"]);
        let foreign = EmbeddedError::Foreign { folder: folder() };
        here(foreign, &["--data-dir"]);
        let late = EmbeddedError::NotReady {
            folder: folder(),
            pid: 7001,
        };
        here(late, &["7001", "60"]);
        let program = EmbeddedError::Program {
            program: "initdb",
            output: "said1".to_owned(),
        };
        speaks_both(&program, &["initdb", "said1"]);
    }

    #[test]
    fn what_the_system_refused_is_told_in_both_languages() {
        let acts = [
            Act::Create,
            Act::Find,
            Act::HandOver,
            Act::Lock,
            Act::Move,
            Act::Open,
            Act::OpenUp,
            Act::Read,
            Act::Remove,
            Act::Run,
            Act::StartThread,
            Act::Write,
        ];
        for act in acts {
            let error = EmbeddedError::io(act, Path::new("/d1"))(io::Error::other("cause1"));
            speaks_both(&error, &["/d1", "cause1"]);
        }
        let whys = [
            (NotStarted::ThreadEnded, "/log1"),
            (NotStarted::EndedAtOnce("status1".to_owned()), "status1"),
            (NotStarted::Late { seconds: 120 }, "120"),
            (NotStarted::StillRunning(vec![7001, 7002]), "7002"),
        ];
        for (why, shown) in whys {
            let error = EmbeddedError::NotStarted {
                why,
                said: ": FATAL".to_owned(),
                log: "/log1".into(),
            };
            speaks_both(&error, &[shown, "FATAL", "/log1"]);
        }
    }
}
