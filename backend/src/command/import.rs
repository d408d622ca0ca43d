//! `suanzhang import`: fact files into the database, and their samples into device-hours.

mod say;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Instant;

use api::Language;
use clap::Args;

use super::{Failure, count};
use crate::app::App;
use crate::embedded;
use crate::facts::{self, ImportError, Options, Report, Settings};
use crate::store::links;
use crate::tasks::roll_up::roll_up;

/// Import fact files: a CSV, a folder of them, a .gz or .zip; what is in the database already changes nothing
#[derive(Debug, Args)]
pub struct Arguments {
    /// Fact files, folders or archives
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What the files are (samples, workloads, …), whatever their names and headers say
    #[arg(long, value_name = "KIND")]
    format: Option<String>,
    /// Say what would happen and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Import nothing when a single row is rejected
    #[arg(long)]
    strict: bool,
}

pub async fn run(app: &App, arguments: Arguments) -> Result<(), Failure> {
    let settings = Settings {
        zone: app.config.ledger.zone,
        currency: app.config.ledger.currency.clone(),
        by: "command line".to_owned(),
    };
    let options = Options {
        format: arguments.format,
        dry_run: arguments.dry_run,
        strict: arguments.strict,
    };
    let language = app.config.language;
    let db = app.db.get_postgres_connection_pool();
    let mut told: io::Result<()> = Ok(());
    let report = facts::import(db, &settings, &arguments.paths, &options, &mut |entry| {
        if told.is_ok() {
            told = tell(&say::file(entry, language));
        }
    })
    .await
    .map_err(|error| failure(app, error))?;
    told?;
    if !options.dry_run && !report.is_refused {
        lay_minutes(app).await?;
        tell_broken_links(app).await?;
    }
    finish(&report, options.dry_run, language)
}

/// A disk so full that the database ended is told as such, not as a connection cut off.
fn failure(app: &App, error: ImportError) -> Failure {
    let is_cut_off = matches!(&error, ImportError::Store { error, .. } if error.is_gone());
    let is_ours = app.config.database_url.is_none();
    if is_cut_off && is_ours && embedded::ran_out_of_disk(&app.config.data_dir) {
        return Failure::new("数据库所在磁盘已满", "the disk of the database is full").advise(
            "这个文件没有留下任何数据；请腾出空间后重新导入",
            "nothing of this file is kept; make room and import again",
        );
    }
    error.into()
}

fn tell(lines: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Also what an earlier import left: it may have been broken off.
async fn lay_minutes(app: &App) -> Result<(), Failure> {
    let shows = io::stderr().is_terminal();
    let language = app.config.language;
    let mut told = Instant::now();
    let pool = app.db.get_postgres_connection_pool();
    let rolled = roll_up(pool, &mut |done, all| {
        if shows && told.elapsed().as_millis() >= 500 {
            told = Instant::now();
            eprintln!("{}", say::progress(done, all, language));
        }
    })
    .await?;
    Ok(tell(&say::minutes(&rolled, language))?)
}

/// What points nowhere is not wrong yet, since files may come in any order.
async fn tell_broken_links(app: &App) -> Result<(), Failure> {
    let broken = links::broken(app.db.get_postgres_connection_pool()).await?;
    let language = app.config.language;
    let lines: Vec<String> = broken
        .iter()
        .map(|link| say::broken_link(link, language))
        .collect();
    Ok(tell(&lines)?)
}

fn finish(report: &Report, is_dry_run: bool, language: Language) -> Result<(), Failure> {
    let files = report.rejected_files();
    let rows = report.rejected_rows();
    if report.is_refused {
        return Err(Failure::new(
            format!("没有导入任何内容：{files} 个文件、{rows} 行不合格"),
            format!(
                "nothing was imported: {} and {} rejected",
                count(files, "file"),
                count(rows, "row")
            ),
        )
        .advise(
            "请改正后再导入，或去掉 --strict，只略去它们",
            "put them right, or import without --strict to leave them out",
        ));
    }
    if is_dry_run {
        writeln!(io::stdout(), "{}", say::dry_run(language))?;
    }
    if files > 0 {
        let all = report.files.len();
        return Err(Failure::new(
            format!("{all} 个文件中有 {files} 个被拒收"),
            format!("{} rejected (of {all})", count(files, "file")),
        )
        .advise(
            "请按上面的说明改正后重新导入，其余文件不受影响",
            "put right what is said above and import again; the other files are not touched by it",
        ));
    }
    Ok(())
}
