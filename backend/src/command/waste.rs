//! `suanzhang waste`: where money leaks, largest first.

use std::io::{self, Write as _};

use chrono::NaiveDate;
use clap::Args;

use super::Failure;
use crate::app::App;
use crate::report::{Format, waste as render};
use crate::store::query::Books;
use crate::store::query::waste::WasteQuestion;
use crate::store::scope::Scope;

/// Rank waste by yuan: category, reason, where it is, who can fix it
#[derive(Debug, Args)]
pub struct Arguments {
    /// First day [default: the first with books]
    #[arg(long, value_name = "DAY")]
    from: Option<NaiveDate>,
    /// The day after the last [default: after the last with books]
    #[arg(long, value_name = "DAY")]
    to: Option<NaiveDate>,
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

pub async fn run(app: &App, arguments: Arguments) -> Result<(), Failure> {
    let books = Books::of(app);
    let (first, last) = books.extent().await?.unwrap_or_default();
    let from = arguments.from.unwrap_or(first);
    let to = arguments.to.unwrap_or(last.succ_opt().unwrap_or(last));
    if to <= from {
        return Err(
            Failure::new("--to 须晚于 --from", "to: must be after from").advise(
                "时间段不含 --to 当天，--to 写最后一天的次日",
                "the range is half-open: --to is the day after",
            ),
        );
    }
    let question = WasteQuestion {
        from,
        to,
        filters: Vec::new(),
    };
    let answer = books.waste(&Scope::operator(), &question).await?;
    let mut out = io::stdout().lock();
    match arguments.format {
        Format::Table => render::table(&answer).text(&mut out, app.config.language)?,
        Format::Csv => render::table(&answer).csv(&mut out, false)?,
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?,
    }
    Ok(())
}
