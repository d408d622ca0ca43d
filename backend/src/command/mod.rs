//! One file a command: the same doors as the page.
//!
//! A command is a file with `Arguments` and `run`, and two lines here: its name in one of the two lists, and its call.

mod account;
mod check;
mod failure;
mod import;
mod ledger;
mod query;
mod serve;
mod user;
mod waste;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use api::Language;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::app::{App, Opened};
use crate::config::{self, Config, Overrides};
use crate::embedded::Purpose;

pub use failure::Failure;

/// 算账 Suanzhang keeps the accounts of AI compute: what every card, hour, token and watt costs, whose it is, and how
/// much of it did useful work.
#[derive(Debug, Parser)]
#[command(name = "suanzhang", version, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command, before or after its name.
#[derive(Debug, Args)]
struct Global {
    /// Folder of the embedded PostgreSQL [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<String>,
    /// Configuration file [default: suanzhang.toml, where there is one]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The PostgreSQL to use instead of the embedded one; the variable DATABASE_URL does the same and keeps its
    /// password out of the list of processes
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,
    /// Language of messages and tables: zh or en [default: by locale]
    #[arg(long, global = true, value_name = "LANG")]
    lang: Option<String>,
}

/// Commands that open the database themselves, or need none.
#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Arguments),
    Serve(serve::Arguments),
    #[command(flatten)]
    OnDatabase(OnDatabase),
}

/// Commands that are given an open database.
#[derive(Debug, Subcommand)]
enum OnDatabase {
    Import(import::Arguments),
    User(user::Arguments),
    Account(account::Arguments),
    Ledger(ledger::Arguments),
    Query(query::Arguments),
    Waste(waste::Arguments),
}

impl Command {
    async fn run(self, config: Config, name: &str) -> Result<(), Failure> {
        match self {
            Self::Check(arguments) => check::run(config, arguments).await,
            Self::Serve(arguments) => serve::run(config, arguments).await,
            Self::OnDatabase(command) => {
                let opened = Opened::open(config, Purpose::Command(name.to_owned())).await?;
                let done = tokio::select! {
                    done = command.run(&opened.app) => done,
                    _ = tokio::signal::ctrl_c() => Err(Failure::interrupted()),
                };
                opened.close().await;
                done
            }
        }
    }
}

impl OnDatabase {
    async fn run(self, app: &App) -> Result<(), Failure> {
        match self {
            Self::Import(arguments) => import::run(app, arguments).await,
            Self::User(arguments) => user::run(app, arguments).await,
            Self::Account(arguments) => account::run(app, arguments).await,
            Self::Ledger(arguments) => ledger::run(app, arguments).await,
            Self::Query(arguments) => query::run(app, arguments).await,
            Self::Waste(arguments) => waste::run(app, arguments).await,
        }
    }
}

/// Reads the command line of this process and runs what it says.
#[must_use]
pub fn main() -> ExitCode {
    let matches = Cli::command().get_matches();
    let name = matches.subcommand_name().unwrap_or_default().to_owned();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    log_to_stderr();
    match start(cli, &name) {
        Ok(()) => ExitCode::SUCCESS,
        Err((failure, language)) => failure.tell(language),
    }
}

/// A failure comes with the language to tell it in.
fn start(cli: Cli, name: &str) -> Result<(), (Failure, Language)> {
    let overrides = Overrides {
        config: cli.global.config,
        data_dir: cli.global.data_dir,
        database_url: cli.global.database_url,
        language: cli.global.lang,
    };
    let config = Config::load(&overrides)
        .map_err(|error| (error.into(), Config::language_asked(&overrides)))?;
    let language = config.language;
    run(cli.command, config, name).map_err(|failure| (failure, language))
}

fn run(command: Command, config: Config, name: &str) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let done = runtime.block_on(command.run(config, name));
    // Work on the blocking pool that was broken off is not waited for.
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

/// `1 row`, `2 rows`.
fn count<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

fn log_to_stderr() {
    use std::io::IsTerminal as _;
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(config::log_filter()))
        .with_ansi(config::may_colour() && std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .with_target(false)
        .init();
}
