//! `suanzhang user add|list|disable|password`: who may sign in. A password comes from a file, a prompt or standard
//! input, never from the command line, where every process could read it.

use std::fs::File;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use api::Language;
use clap::{Args, Subcommand};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::Failure;
use crate::app::App;
use crate::config::Secret;
use crate::password;
use crate::store::users::{self, ROLES, User};

/// Add, list and disable the people who may sign in
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add a user; the password is asked for, or read from standard input
    Add {
        name: String,
        /// admin, finance, viewer, lead or member
        #[arg(long)]
        role: String,
        /// The team a lead sees
        #[arg(long)]
        team: Option<String>,
        /// A project a member sees; may be repeated
        #[arg(long = "project", value_name = "PROJECT")]
        projects: Vec<String>,
        /// File whose first line is the password
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
    },
    /// List everybody, with role and state
    List,
    /// Shut a user out, also where they are signed in
    Disable { name: String },
    /// Give a user a new password; lets a disabled or locked out user in again
    Password {
        name: String,
        /// File whose first line is the password
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
    },
}

/// A line of a password file or of standard input is not read further than this.
const LONGEST_LINE: u64 = 4096;

pub async fn run(app: &App, arguments: Arguments) -> Result<(), Failure> {
    match arguments.action {
        Action::Add {
            name,
            role,
            team,
            projects,
            password_file,
        } => {
            let user = new_user(app, name, &role, team, projects)?;
            add(app, user, password_file).await
        }
        Action::List => list(app).await,
        Action::Disable { name } => {
            if users::is_last_admin(&app.db, &name).await? {
                return Err(Failure::new(
                    format!("`{name}` 是最后一个 admin"),
                    format!("`{name}` is the last admin"),
                )
                .advise(
                    "请先用 `suanzhang user add` 添加另一个 admin",
                    "add another by `suanzhang user add` first",
                ));
            }
            let found = users::disable(&app.db, &name, app.clock.now()).await?;
            done(
                found,
                &name,
                app.config.language.choose("已停用", "disabled"),
            )
        }
        Action::Password {
            name,
            password_file,
        } => {
            let hash = hash(password_file, app.config.language).await?;
            let found = users::set_password(&app.db, &name, &hash).await?;
            let what = app
                .config
                .language
                .choose("已设新密码", "has a new password");
            done(found, &name, what)
        }
    }
}

fn new_user(
    app: &App,
    name: String,
    role: &str,
    team: Option<String>,
    projects: Vec<String>,
) -> Result<User, Failure> {
    if name.trim() != name || name.is_empty() || name.chars().count() > 100 {
        return Err(Failure::new(
            "用户名为 1 到 100 个字符，首尾不能是空格",
            "a user's name has 1 to 100 characters, none of them a space at its ends",
        ));
    }
    let Some(role_found) = users::role_named(role) else {
        let known: Vec<&str> = ROLES.iter().map(|(name, _)| *name).collect();
        return Err(Failure::new(
            format!("没有角色 `{role}`"),
            format!("there is no role `{role}`"),
        )
        .advise(
            format!("可选：{}", known.join("、")),
            format!("choose one of {}", known.join(", ")),
        ));
    };
    let fits = match role {
        "lead" => team.is_some() && projects.is_empty(),
        "member" => team.is_none(),
        _ => team.is_none() && projects.is_empty(),
    };
    if !fits {
        return Err(Failure::new(
            format!("角色 `{role}` 与所给的可见范围不符"),
            format!("role `{role}` and what it should see do not fit"),
        )
        .advise(
            "lead 需要 --team TEAM，member 可以有 --project PROJECT，其他角色可见全部",
            "a lead needs --team TEAM, a member may have --project PROJECT, others see everything",
        ));
    }
    Ok(User {
        name,
        role: role_found,
        team,
        projects,
        created_at: app.clock.now(),
        disabled_at: None,
    })
}

async fn add(app: &App, user: User, password_file: Option<PathBuf>) -> Result<(), Failure> {
    let hash = hash(password_file, app.config.language).await?;
    if !users::add(&app.db, &user, &hash).await? {
        return Err(Failure::new(
            format!("用户 `{}` 已存在", user.name),
            format!("there is a user `{}` already", user.name),
        )
        .advise(
            "`suanzhang user password NAME` 可另设密码",
            "`suanzhang user password NAME` gives a new password",
        ));
    }
    let role = users::name_of(user.role);
    let language = app.config.language;
    let what = language.choose("已添加，角色", "added as");
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} {what} {role}", user.name)?;
    for unknown in users::unknown_scope(&app.db, &user).await? {
        let note = language.choose(
            "还没有事实提到它，暂时看不到任何数据",
            "no fact names it yet, so that nothing of it is seen",
        );
        writeln!(out, "  `{unknown}`{}{note}", language.choose("：", ": "))?;
    }
    Ok(())
}

async fn list(app: &App) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for user in users::list(&app.db).await? {
        let (team_is, projects_are) = app
            .config
            .language
            .choose(("团队=", "项目="), ("team=", "projects="));
        let sees = match &user.team {
            Some(team) => format!(" {team_is}{team}"),
            None if user.projects.is_empty() => String::new(),
            None => format!(" {projects_are}{}", user.projects.join(",")),
        };
        let state = match user.disabled_at {
            Some(at) => format!(
                " {} {}",
                app.config.language.choose("停用于", "disabled since"),
                at.to_rfc3339()
            ),
            None => String::new(),
        };
        writeln!(
            out,
            "{} {}{sees}{state}",
            user.name,
            users::name_of(user.role)
        )?;
    }
    Ok(())
}

fn done(found: bool, name: &str, what: &str) -> Result<(), Failure> {
    if !found {
        return Err(Failure::new(
            format!("没有用户 `{name}`"),
            format!("there is no user `{name}`"),
        )
        .advise(
            "`suanzhang user list` 列出所有用户",
            "`suanzhang user list` shows who there is",
        ));
    }
    writeln!(std::io::stdout(), "{name} {what}")?;
    Ok(())
}

/// Reads the password and hashes it, away from the async threads.
async fn hash(file: Option<PathBuf>, language: Language) -> Result<String, Failure> {
    let work = move || -> Result<String, Failure> {
        let password = read(file.as_deref(), language)?;
        Ok(password::hash(password.reveal())?)
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Failure::new("读取密码时被中断", "reading the password was interrupted"))?
}

fn read(file: Option<&Path>, language: Language) -> Result<Secret, Failure> {
    if let Some(path) = file {
        let file = File::open(path).map_err(|error| {
            let path = path.display();
            Failure::new(
                format!("{path}：无法读取：{error}"),
                format!("{path}: cannot be read: {error}"),
            )
        })?;
        return first_line(file);
    }
    if !std::io::stdin().is_terminal() {
        return first_line(std::io::stdin());
    }
    let password = prompt(language.choose("密码：", "Password: "))?;
    if password != prompt(language.choose("再输一次：", "Again: "))? {
        return Err(Failure::new(
            "两次输入的密码不同",
            "the two passwords differ",
        ));
    }
    Ok(password)
}

fn first_line(source: impl std::io::Read) -> Result<Secret, Failure> {
    let mut line = String::new();
    std::io::BufReader::new(source.take(LONGEST_LINE)).read_line(&mut line)?;
    Ok(Secret::new(line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// Asks at the terminal without showing what is typed.
fn prompt(question: &str) -> Result<Secret, Failure> {
    let input = std::io::stdin();
    eprint!("{question}");
    let shown = tcgetattr(&input)?;
    let mut hidden = shown.clone();
    hidden.local_modes.remove(LocalModes::ECHO);
    tcsetattr(&input, OptionalActions::Flush, &hidden)?;
    let mut line = String::new();
    let read = input.read_line(&mut line);
    tcsetattr(&input, OptionalActions::Flush, &shown)?;
    eprintln!();
    read?;
    Ok(Secret::new(line.trim_end_matches(['\r', '\n']).to_owned()))
}
