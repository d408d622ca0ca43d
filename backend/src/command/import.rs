//! `suanzhang import`: fact files into the database, and their samples into device-hours.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::Failure;
use crate::app::App;
use crate::facts::{self, Options, Report, Settings};
use crate::store::imports::Entry;
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

/// Rejected rows told by file; the import ledger keeps more.
const TOLD: usize = 10;

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
    let db = app.db.get_postgres_connection_pool();
    let mut told: io::Result<()> = Ok(());
    let report = facts::import(db, &settings, &arguments.paths, &options, &mut |entry| {
        if told.is_ok() {
            told = tell(entry);
        }
    })
    .await?;
    told?;
    if !options.dry_run && !report.is_refused {
        lay_minutes(app).await?;
        tell_broken_links(app).await?;
    }
    finish(&report, options.dry_run)
}

/// Also what an earlier import left: it may have been broken off.
async fn lay_minutes(app: &App) -> Result<(), Failure> {
    let shows = io::stderr().is_terminal();
    let mut told = Instant::now();
    let pool = app.db.get_postgres_connection_pool();
    let rolled = roll_up(pool, &mut |done, all| {
        if shows && told.elapsed().as_millis() >= 500 {
            told = Instant::now();
            eprintln!("minutes: {done} of {all} devices");
        }
    })
    .await?;
    let mut out = io::stdout().lock();
    if rolled.devices > 0 {
        writeln!(
            out,
            "minutes of {} laid, {} device-hours",
            count(rolled.devices, "device"),
            rolled.device_hours
        )?;
    }
    if let Some(example) = rolled.unknown.first() {
        writeln!(
            out,
            "samples: {} described by no devices.csv, for example `{example}`",
            count(rolled.unknown.len(), "device")
        )?;
    }
    Ok(())
}

/// What points nowhere is not wrong yet, since files may come in any order.
async fn tell_broken_links(app: &App) -> Result<(), Failure> {
    let broken = links::broken(app.db.get_postgres_connection_pool()).await?;
    let mut out = io::stdout().lock();
    for link in broken {
        writeln!(
            out,
            "{}: {} with a {} that no {}.csv describes, for example `{}`",
            link.table,
            count(usize::try_from(link.rows).unwrap_or(usize::MAX), "row"),
            link.column,
            link.of,
            link.example
        )?;
    }
    Ok(())
}

fn tell(entry: &Entry) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let kind = if entry.kind.is_empty() {
        "?"
    } else {
        &entry.kind
    };
    let what = match entry.outcome {
        "rejected" => "rejected".to_owned(),
        "not_yet_read" => format!("not yet read, {} rows", entry.rows_read),
        _ => format!(
            "{} read, {} new, {} replaced, {} unchanged, {} rejected",
            entry.rows_read,
            entry.rows_new,
            entry.rows_replaced,
            entry.rows_unchanged,
            entry.rows_rejected
        ),
    };
    writeln!(out, "{} [{kind}]: {what}", entry.file)?;
    if let Some(message) = &entry.message {
        writeln!(out, "  {message}")?;
    }
    for (currency, amount) in &entry.amounts {
        writeln!(out, "  amount as written: {amount} {currency}")?;
    }
    for dropped in &entry.dropped {
        writeln!(
            out,
            "  dropped {} of {}: {}",
            dropped.values, dropped.column, dropped.reason
        )?;
    }
    for rejection in entry.rejections.iter().take(TOLD) {
        let column = match rejection.column.as_str() {
            "" => String::new(),
            column => format!(", {column}"),
        };
        writeln!(
            out,
            "  line {}{column}: {}",
            rejection.line, rejection.reason
        )?;
    }
    let told = i64::try_from(entry.rejections.len().min(TOLD)).unwrap_or(0);
    if entry.rows_rejected > told {
        writeln!(
            out,
            "  … and {} more rejected rows",
            entry.rows_rejected - told
        )?;
    }
    Ok(())
}

fn finish(report: &Report, is_dry_run: bool) -> Result<(), Failure> {
    let files = report.rejected_files();
    let rows = report.rejected_rows();
    if report.is_refused {
        return Err(Failure::new(format!(
            "nothing was imported: {} and {} rejected",
            count(files, "file"),
            count(usize::try_from(rows).unwrap_or(usize::MAX), "row")
        ))
        .advise("put them right, or import without --strict to leave them out"));
    }
    if is_dry_run {
        writeln!(io::stdout(), "dry run: nothing was changed")?;
    }
    if files > 0 {
        return Err(Failure::new(format!(
            "{} rejected (of {})",
            count(files, "file"),
            report.files.len()
        ))
        .advise(
            "put right what is said above and import again; the other files are not touched by it",
        ));
    }
    Ok(())
}

fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
