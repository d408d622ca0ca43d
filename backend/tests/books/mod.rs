//! Books out of facts, by topic: totals, repetition, scopes, the worked example, a run that is killed.

mod above_peak;
mod again;
mod golden;
mod http;
mod killed;
mod limits;
mod lost;
mod page;
mod scope;
mod totals;

use std::fs;
use std::path::{Path, PathBuf};

use accounting::ledger::Settings;
use accounting::quantity::decimal;
use api::query::{Query, QueryAnswer, Value};
use backend::store::books::read::{self, LedgerRow};
use backend::store::query::Books;
use backend::store::query::question::{Key, Metric, Question};
use backend::store::scope::Scope;
use backend::tasks::account::{Accounted, Request, account};
use chrono::NaiveDate;
use sqlx::AssertSqlSafe;

use crate::facts::folder::Folder;
use crate::facts::{Company, settings};

pub fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// A path of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Lays samples and computes the days; without bounds those whose facts are newer than their books.
pub async fn accounted(company: &Company, days: Option<(&str, &str)>) -> Accounted {
    company.roll_up().await;
    let ledger = settings();
    let request = Request {
        from: days.map(|(from, _)| day(from)),
        to: days.map(|(_, to)| day(to)),
        settings: Settings {
            zone: ledger.zone,
            currency: ledger.currency,
        },
        now: company.app().clock.now(),
    };
    let done = account(company.db(), &request, &mut |_, _| {})
        .await
        .unwrap();
    assert_eq!(done.differences, [], "the audit has another opinion");
    done
}

/// Days of the example company with every kind of row: maintenance, lost work, an unattributed job, half a card, two
/// months.
pub const PARTS: [(&str, &str); 2] = [("2026-10-19", "2026-10-22"), ("2026-11-08", "2026-11-18")];
pub const WHOLE: (&str, &str) = ("2026-10-01", "2026-12-01");

/// The example company's files, measurements only of the days of [`PARTS`] and around them.
pub fn example_files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(repository("seed/example/facts")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut text = fs::read_to_string(&path).unwrap();
        if ["samples.csv", "meter_readings.csv"].contains(&name.as_str()) {
            let near = |line: &&str| {
                let date = line.split(',').nth(1).unwrap_or_default();
                date == "time"
                    || ("2026-10-18".."2026-10-23").contains(&date)
                    || ("2026-11-07".."2026-11-19").contains(&date)
            };
            text = text
                .lines()
                .filter(near)
                .map(|line| format!("{line}\n"))
                .collect();
        }
        files.push((name, text));
    }
    files.sort();
    files
}

/// The example company with the books of [`PARTS`].
pub async fn example() -> Company {
    let company = Company::new().await;
    let folder = example_files()
        .into_iter()
        .fold(Folder::new(), |folder, (name, text)| {
            folder.file(&name, text)
        });
    let report = company.import(&folder).await;
    assert_eq!((report.rejected_rows(), report.rejected_files()), (0, 0));
    for part in PARTS {
        accounted(&company, Some(part)).await;
    }
    company
}

/// The keys that a metric may be grouped by.
pub fn groups(metric: Metric) -> Vec<&'static str> {
    metric
        .keys()
        .iter()
        .filter(|key| (metric, **key) != (Metric::UsefulShare, Key::Component))
        .map(|key| key.name())
        .collect()
}

pub fn query(metric: &str, groups: &[&str]) -> Query {
    Query {
        metric: metric.to_owned(),
        group_by: groups.iter().map(|group| (*group).to_owned()).collect(),
        from: WHOLE.0.to_owned(),
        to: WHOLE.1.to_owned(),
        filters: Vec::new(),
        grain: None,
    }
}

pub async fn answer(company: &Company, scope: &Scope, query: &Query) -> QueryAnswer {
    let question = Question::parse(query).unwrap();
    Books::of(company.app())
        .query(scope, query, &question)
        .await
        .unwrap()
}

/// A value in its unit's millionths; `None` is "not available".
pub fn micro(value: Option<&Value>) -> Option<i64> {
    let text = match value? {
        Value::Money(yuan) => &yuan.0,
        Value::Number(number) => number,
    };
    Some(decimal(text).unwrap().scaled(6).unwrap())
}

/// Ledger rows of every day with books.
pub async fn ledger(company: &Company, scope: &Scope) -> Vec<LedgerRow> {
    let books = Books::of(company.app());
    let owners = books.owners().await.unwrap();
    let mut rows = Vec::new();
    for day in books.days(day(WHOLE.0), day(WHOLE.1)).await.unwrap() {
        rows.extend(
            read::ledger(company.db(), scope, &owners, day)
                .await
                .unwrap(),
        );
    }
    rows
}

/// Tables that hold books.
const TABLES: [&str; 11] = [
    "accounted_days",
    "audit_differences",
    "book_days",
    "cell_days",
    "doubts",
    "ledger",
    "measured_power",
    "reporting_workloads",
    "site_hours",
    "sources",
    "workload_days",
];

/// Everything the books say, in an order of its own; when they were computed is left out.
pub async fn everything(company: &Company) -> Vec<String> {
    let mut all = Vec::new();
    for table in TABLES {
        let statement = format!(
            "SELECT '{table} ' || (to_jsonb(t) - 'computed_at')::text AS line FROM {table} t ORDER BY 1"
        );
        let lines: Vec<String> = sqlx::query_scalar(AssertSqlSafe(statement))
            .fetch_all(company.db())
            .await
            .unwrap();
        all.extend(lines);
    }
    all
}

/// Equal books; the first line that differs is told, not all of them.
pub fn assert_same(found: &[String], expected: &[String]) {
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "line {index}");
    }
    assert_eq!(found.len(), expected.len());
}
