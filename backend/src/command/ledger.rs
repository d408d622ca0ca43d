//! `suanzhang ledger`: the ledger rows themselves, a day at a time, so that a year needs no more memory than a day.

use std::io::{self, BufWriter, Write as _};

use chrono::NaiveDate;
use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

use super::Failure;
use crate::app::App;
use crate::report::ledger as render;
use crate::report::table::Table;
use crate::store::books::read;
use crate::store::query::Books;
use crate::store::scope::Scope;

/// Print ledger rows: money in whole micro-yuan, one row for each (day, device, workload, bearer)
#[derive(Debug, Args)]
pub struct Arguments {
    /// First day [default: the first with books]
    #[arg(long, value_name = "DAY")]
    from: Option<NaiveDate>,
    /// The day after the last [default: after the last with books]
    #[arg(long, value_name = "DAY")]
    to: Option<NaiveDate>,
    /// A detail book instead of the rows
    #[arg(long, value_enum)]
    detail: Option<Detail>,
    #[arg(long, value_enum, default_value = "csv")]
    format: LedgerFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Detail {
    Reasons,
    Sources,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LedgerFormat {
    Csv,
    Json,
}

pub async fn run(app: &App, arguments: Arguments) -> Result<(), Failure> {
    let pool = app.db.get_postgres_connection_pool();
    let scope = Scope::operator();
    let books = Books::of(app);
    books.check().await?;
    let owners = books.owners().await?;
    let (first, last) = books.extent().await?.unwrap_or_default();
    let (from, to) = (
        arguments.from.unwrap_or(first),
        arguments.to.unwrap_or(last.succ_opt().unwrap_or(last)),
    );
    let mut out = BufWriter::new(io::stdout().lock());
    let mut is_first = true;
    for day in books.days(from, to).await? {
        let table = match arguments.detail {
            Some(Detail::Sources) => render::sources(&read::sources(pool, &scope, day).await?),
            Some(Detail::Reasons) => {
                render::reasons(&read::ledger(pool, &scope, &owners, day).await?)
            }
            None => render::ledger(&read::ledger(pool, &scope, &owners, day).await?),
        };
        write(&mut out, table, arguments.format, is_first)?;
        is_first = false;
    }
    if is_first && arguments.format == LedgerFormat::Csv {
        let empty = match arguments.detail {
            Some(Detail::Sources) => render::sources(&[]),
            Some(Detail::Reasons) => render::reasons(&[]),
            None => render::ledger(&[]),
        };
        empty.csv(&mut out, false)?;
    }
    out.flush()?;
    Ok(())
}

/// A header once, then rows; JSON is one object a line.
fn write(
    out: &mut impl io::Write,
    table: Table,
    format: LedgerFormat,
    is_first: bool,
) -> io::Result<()> {
    match format {
        LedgerFormat::Csv if is_first => table.csv(out, false),
        LedgerFormat::Csv => table.csv_rows(out),
        LedgerFormat::Json => {
            for row in &table.rows {
                let cells = table.columns.iter().zip(row).map(|(column, cell)| {
                    let value = match (column.is_figure, cell.is_empty()) {
                        (_, true) => Value::Null,
                        (true, false) => cell.parse::<i64>().map_or(Value::Null, Value::from),
                        (false, false) => Value::from(cell.as_str()),
                    };
                    (column.name.clone(), value)
                });
                writeln!(out, "{}", Value::Object(cells.collect::<Map<_, _>>()))?;
            }
            Ok(())
        }
    }
}
