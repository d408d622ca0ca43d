//! `suanzhang account`: computes the books of the days whose facts changed, or of the days asked for.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Instant;

use accounting::ledger::Settings;
use api::Language::{self, Chinese, English};
use api::Yuan;
use chrono::NaiveDate;
use clap::Args;

use super::{Failure, count};
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
    if let (Some(from), Some(to)) = (arguments.from, arguments.to)
        && to <= from
    {
        return Err(Failure::new(
            "--to 必须晚于 --from；--to 当天不包括在内",
            "--to must be after --from; the day of --to is not included",
        ));
    }
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
    let language = app.config.language;
    let mut told = Instant::now();
    let done = account(pool, &request, &mut |done, total| {
        if shows && told.elapsed().as_millis() >= 500 {
            told = Instant::now();
            eprintln!("{}", progress(done, total, language));
        }
    })
    .await?;
    let seconds = started.elapsed().as_secs_f64();
    tell(&done, &request.settings.currency, seconds, language)
}

fn progress(done: usize, total: usize, language: Language) -> String {
    match language {
        Chinese => format!("记账：{done} / {total} 天"),
        English => format!("account: {done} of {total} days"),
    }
}

fn tell(done: &Accounted, currency: &str, seconds: f64, language: Language) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for line in lines(done, currency, seconds, language) {
        writeln!(out, "{line}")?;
    }
    let differences = done.differences.len();
    if differences == 0 {
        return Ok(());
    }
    Err(Failure::new(
        format!("审计发现 {differences} 处差异"),
        format!("the audit found {}", count(differences, "difference")),
    )
    .advise(
        "账本保持计算结果不变，`suanzhang check` 列出全部差异",
        "the books stand as computed; `suanzhang check` lists every difference",
    ))
}

/// What was computed, and the first of what the audit found.
fn lines(done: &Accounted, currency: &str, seconds: f64, language: Language) -> Vec<String> {
    let (Some(first), Some(last)) = (done.first, done.last) else {
        let nothing = (
            "无需记账：账本与事实一样新，或这些日期没有事实",
            "nothing to account: the books are as new as their facts, or these days have none",
        );
        return vec![language.choose(nothing.0, nothing.1).to_owned()];
    };
    let (days, rows, total) = (done.days, done.rows, Yuan::from_micro(done.total).0);
    let mut lines = vec![match language {
        Chinese => {
            format!("{first} 至 {last}：{days} 天，{rows} 行，{total} {currency}，{seconds:.1} 秒")
        }
        English => format!(
            "{first} to {last}: {}, {}, {total} {currency}, {seconds:.1} s",
            count(days, "day"),
            count(rows, "row")
        ),
    }];
    let audit = language.choose("审计：", "audit: ");
    if done.differences.is_empty() {
        lines.push(format!(
            "{audit}{}",
            language.choose("没有差异", "no difference")
        ));
    }
    if let Some(beyond) = done.beyond {
        lines.push(match language {
            Chinese => format!("事实最远到 {beyond}，一年以后的日期不记账：请检查日期是否写错"),
            English => format!(
                "facts reach to {beyond}; days more than a year ahead are not accounted: is a date wrong?"
            ),
        });
    }
    let told = done.differences.iter().take(TOLD);
    let colon = language.choose("：", ": ");
    lines.extend(told.map(|(day, difference)| format!("{audit}{day}{colon}{difference}")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_computed_is_told_in_either_language() {
        let day = NaiveDate::from_ymd_opt(2026, 7, 1);
        let done = Accounted {
            first: day,
            last: day,
            days: 1,
            rows: 3,
            total: 18_000_000,
            beyond: None,
            differences: Vec::new(),
        };
        assert_eq!(
            lines(&done, "CNY", 0.25, English),
            [
                "2026-07-01 to 2026-07-01: 1 day, 3 rows, 18.000000 CNY, 0.2 s",
                "audit: no difference"
            ]
        );
        assert_eq!(
            lines(&done, "CNY", 0.25, Chinese),
            [
                "2026-07-01 至 2026-07-01：1 天，3 行，18.000000 CNY，0.2 秒",
                "审计：没有差异"
            ]
        );
    }
}
