//! `suanzhang account`: computes the books of the days whose facts changed, or of the days asked for.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Instant;

use accounting::ledger::Settings;
use api::Yuan;
use chrono::NaiveDate;
use clap::Args;

use super::Failure;
use crate::app::App;
use crate::tasks::account::{Accounted, Request, account};
use crate::tasks::roll_up::roll_up;

/// Compute the ledger: the days whose facts are newer than their books, or the days given
#[derive(Debug, Args)]
pub struct Arguments {
    /// First day
    #[arg(long, value_name = "DAY")]
    from: Option<NaiveDate>,
    /// The day after the last
    #[arg(long, value_name = "DAY")]
    to: Option<NaiveDate>,
}

/// Audit differences told here; `suanzhang check` has all of them.
const TOLD: usize = 10;

pub async fn run(app: &App, arguments: Arguments) -> Result<(), Failure> {
    let started = Instant::now();
    let pool = app.db.get_postgres_connection_pool();
    roll_up(pool, &mut |_, _| {}).await?;
    let request = Request {
        from: arguments.from,
        to: arguments.to,
        settings: Settings {
            zone: app.config.ledger.zone,
            currency: app.config.ledger.currency.clone(),
        },
        now: app.clock.now(),
    };
    let shows = io::stderr().is_terminal();
    let mut told = Instant::now();
    let done = account(pool, &request, &mut |done, total| {
        if shows && told.elapsed().as_millis() >= 500 {
            told = Instant::now();
            eprintln!("account: {done} of {total} days");
        }
    })
    .await?;
    tell(&done, &request.settings, started)
}

fn tell(done: &Accounted, settings: &Settings, started: Instant) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let seconds = started.elapsed().as_secs_f64();
    let (Some(first), Some(last)) = (done.first, done.last) else {
        writeln!(
            out,
            "nothing to account: the books are as new as their facts"
        )?;
        return Ok(());
    };
    writeln!(
        out,
        "{first} to {last}: {} days, {} rows, {} {}, {seconds:.1} s",
        done.days,
        done.rows,
        Yuan::from_micro(done.total).0,
        settings.currency
    )?;
    if done.differences.is_empty() {
        writeln!(out, "audit: no difference")?;
        return Ok(());
    }
    for (day, difference) in done.differences.iter().take(TOLD) {
        writeln!(out, "audit: {day}: {difference}")?;
    }
    Err(Failure::new(format!(
        "the audit found {} differences",
        done.differences.len()
    ))
    .advise("the books stand as computed; `suanzhang check` lists every difference"))
}
