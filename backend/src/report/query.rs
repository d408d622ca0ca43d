//! The answer to a query as a table: period, one column for each group, value, unit, currency, status, coverage; the
//! total last, its groups empty.

use api::query::{QueryAnswer, Status, Value};

use super::table::{Column, Table};

#[must_use]
pub fn table(answer: &QueryAnswer) -> Table {
    let text = |name: &str| Column {
        name: name.to_owned(),
        is_figure: false,
    };
    let figure = |name: &str| Column {
        name: name.to_owned(),
        is_figure: true,
    };
    let mut columns = vec![text("period")];
    columns.extend(answer.query.group_by.iter().map(|group| text(group)));
    columns.extend([
        figure("value"),
        text("unit"),
        text("currency"),
        text("status"),
        figure("coverage"),
    ]);
    let rows = answer.rows.iter().map(|row| {
        let mut cells = vec![row.period.clone().unwrap_or_default()];
        cells.extend(
            row.groups
                .iter()
                .map(|group| group.clone().unwrap_or_default()),
        );
        cells.push(match &row.value {
            Some(Value::Money(yuan)) => yuan.0.clone(),
            Some(Value::Number(number)) => number.clone(),
            None => String::new(),
        });
        cells.extend([answer.unit.clone(), answer.about.currency.clone()]);
        cells.push(row.status.map_or("", status).to_owned());
        cells.push(row.coverage.map(share).unwrap_or_default());
        cells
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

/// The status as the answer's JSON has it.
#[must_use]
pub const fn status(status: Status) -> &'static str {
    match status {
        Status::Estimated => "estimated",
        Status::Provisional => "provisional",
        Status::Closed => "closed",
    }
}

/// 1e-4 as a decimal: 8125 is `0.8125`.
#[must_use]
pub fn share(ten_thousandths: i64) -> String {
    let sign = if ten_thousandths < 0 { "-" } else { "" };
    let magnitude = ten_thousandths.unsigned_abs();
    format!("{sign}{}.{:04}", magnitude / 10_000, magnitude % 10_000)
}
