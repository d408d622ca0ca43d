//! `suanzhang query`: the explorer's question, as the API and the page ask it.

use std::io::{self, Write as _};

use api::query::{Filter, Grain, Query};
use chrono::NaiveDate;
use clap::{Args, ValueEnum};

use super::Failure;
use crate::app::App;
use crate::report::{Format, query as render};
use crate::store::query::Books;
use crate::store::query::question::Question;
use crate::store::scope::Scope;

/// Ask the books: a metric by groups over days, the total last
#[derive(Debug, Args)]
pub struct Arguments {
    /// cost, full_cost, kwh, device_hours, tokens, tokens_per_yuan, flop_per_joule.server, mfu, pue, useful_share, …
    #[arg(long, value_name = "METRIC", default_value = "cost")]
    metric: String,
    /// project, team, cost_center, person, workload, kind, model, site, node, component, category, reason, pool, day,
    /// week, month
    #[arg(long, value_name = "GROUP", value_delimiter = ',')]
    group_by: Vec<String>,
    /// First day
    #[arg(long, value_name = "DAY")]
    from: NaiveDate,
    /// The day after the last
    #[arg(long, value_name = "DAY")]
    to: NaiveDate,
    /// key=value; the same key twice means either
    #[arg(long, value_name = "KEY=VALUE")]
    filter: Vec<String>,
    #[arg(long, value_enum)]
    grain: Option<GrainName>,
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GrainName {
    Day,
    Week,
    Month,
}

pub async fn run(app: &App, arguments: Arguments) -> Result<(), Failure> {
    let filters = arguments.filter.iter().map(|text| {
        let (key, value) = text.split_once('=').ok_or_else(|| {
            Failure::new(
                format!("filter：`{text}` 不是 KEY=VALUE"),
                format!("filter: `{text}` is no KEY=VALUE"),
            )
            .advise("例如 --filter site=bj", "for example --filter site=bj")
        })?;
        Ok::<_, Failure>(Filter {
            key: key.to_owned(),
            value: value.to_owned(),
        })
    });
    let query = Query {
        metric: arguments.metric,
        group_by: arguments.group_by,
        from: arguments.from.to_string(),
        to: arguments.to.to_string(),
        filters: filters.collect::<Result<_, _>>()?,
        grain: arguments.grain.map(|grain| match grain {
            GrainName::Day => Grain::Day,
            GrainName::Week => Grain::Week,
            GrainName::Month => Grain::Month,
        }),
    };
    let question = Question::parse(&query)?;
    let books = Books::of(app);
    let answer = books.query(&Scope::operator(), &query, &question).await?;
    let mut out = io::stdout().lock();
    match arguments.format {
        Format::Table => render::table(&answer).text(&mut out, app.config.language)?,
        Format::Csv => render::table(&answer).csv(&mut out, false)?,
        Format::Json => {
            let answer = books.named(&question, answer).await?;
            writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
        }
    }
    Ok(())
}
