//! One total, whoever asks and however it is split: query, CSV, ledger, sources, overview and waste.

use std::collections::BTreeMap;

use accounting::category::{Category, Component};
use api::Yuan;
use api::query::{Grain, Value};
use backend::report;
use backend::store::books::read::{self, LedgerRow};
use backend::store::query::Books;
use backend::store::query::overview::{Compare, OverviewQuestion};
use backend::store::query::owners::Owners;
use backend::store::query::question::{Key, METRICS};
use backend::store::query::waste::WasteQuestion;
use backend::store::scope::Scope;
use chrono::{Datelike as _, NaiveDate};

use super::{WHOLE, answer, day, example, groups, ledger, micro, query};
use crate::facts::Company;

const ALL: Scope = Scope::Company;

/// The yuan of a row under each value of a key, as the design says it and not as the store sums it; `None` for keys
/// that a ledger row does not name.
fn split(row: &LedgerRow, key: Key, owners: &Owners) -> Option<Vec<(String, i64)>> {
    let bearer = row.bearer.as_deref().or(row.pool.as_deref());
    let pool = bearer.filter(|bearer| *bearer != "payer");
    let paid = |text: Option<&str>| {
        let text = if pool.is_some() { None } else { text };
        text.unwrap_or_default().to_owned()
    };
    let project = paid(Some(row.project.as_deref().unwrap_or("unattributed")));
    let (team, cost_center) = owners.of(&project, row.day);
    let yuan: i64 = row.components.iter().sum();
    let one = |value: String| Some(vec![(value, yuan)]);
    match key {
        Key::Project => one(project),
        Key::Team => one(team.to_owned()),
        Key::CostCenter => one(cost_center.to_owned()),
        Key::Person => one(paid(row.person.as_deref())),
        Key::Workload => one(paid(row.workload.as_deref())),
        Key::Site => one(row.site.clone()),
        Key::Node => one(row.node.clone().unwrap_or_default()),
        Key::Pool => one(pool.unwrap_or_default().to_owned()),
        Key::Day => one(row.day.to_string()),
        Key::Week => {
            let monday = row.day.week(chrono::Weekday::Mon).first_day();
            one(monday.max(day(WHOLE.0)).to_string())
        }
        Key::Month => one(format!("{}-{:02}", row.day.year(), row.day.month())),
        Key::Component => Some(
            Component::ALL
                .iter()
                .zip(row.components)
                .filter(|(_, yuan)| *yuan != 0)
                .map(|(component, yuan)| (component.name().to_owned(), yuan))
                .collect(),
        ),
        Key::Category => Some(
            Category::ALL
                .iter()
                .map(|category| {
                    let at = category.index();
                    (category.name().to_owned(), row.time[at] + row.energy[at])
                })
                .collect(),
        ),
        Key::Reason => Some(
            row.reasons
                .iter()
                .map(|part| (part.reason.clone(), part.time + part.energy))
                .collect(),
        ),
        Key::Kind | Key::Model | Key::Mode => None,
    }
}

async fn sources(company: &Company) -> i64 {
    let books = Books::of(company.app());
    let mut sum = 0;
    for day in books.days(day(WHOLE.0), day(WHOLE.1)).await.unwrap() {
        let rows = read::sources(company.db(), &ALL, day).await.unwrap();
        sum += rows.iter().map(|row| row.amount).sum::<i64>();
    }
    sum
}

#[tokio::test]
async fn whoever_asks_is_told_the_ledgers_total() {
    let company = example().await;
    let rows = ledger(&company, &ALL).await;
    every_split_of_cost_is_the_ledgers(&company, &rows).await;
    parts_of_every_sum_are_its_total_and_csv_says_the_same(&company).await;
    waste_has_the_ledgers_total(&company, &rows).await;
    overview_has_the_ledgers_total(&company, &rows).await;
}

async fn every_split_of_cost_is_the_ledgers(company: &Company, rows: &[LedgerRow]) {
    let owners = Books::of(company.app()).owners().await.unwrap();
    let total: i64 = rows.iter().flat_map(|row| row.components).sum();
    assert!(total > 0);
    assert_eq!(sources(company).await, total);
    for key in Key::ALL {
        let found = answer(company, &ALL, &query("cost", &[key.name()])).await;
        let (last, lines) = found.rows.split_last().unwrap();
        assert_eq!(micro(last.value.as_ref()), Some(total), "{}", key.name());
        assert_eq!(last.groups, [None]);
        let found: BTreeMap<String, i64> = lines
            .iter()
            .map(|line| {
                let name = line.groups[0].clone().unwrap();
                (name, micro(line.value.as_ref()).unwrap())
            })
            .filter(|(_, yuan)| *yuan != 0)
            .collect();
        assert_eq!(found.values().sum::<i64>(), total, "{}", key.name());
        let mut expected: Option<BTreeMap<String, i64>> = Some(BTreeMap::new());
        for row in rows {
            match (split(row, *key, &owners), &mut expected) {
                (Some(parts), Some(sums)) => {
                    for (name, yuan) in parts {
                        *sums.entry(name).or_default() += yuan;
                    }
                }
                _ => expected = None,
            }
        }
        if let Some(mut expected) = expected {
            expected.retain(|_, yuan| *yuan != 0);
            assert_eq!(found, expected, "{}", key.name());
            assert!(found.len() > 1, "{} does not split anything", key.name());
        }
    }
}

async fn parts_of_every_sum_are_its_total_and_csv_says_the_same(company: &Company) {
    for (name, metric, _) in METRICS {
        let mut totals = Vec::new();
        let singles = groups(*metric).into_iter().map(|key| vec![key]);
        let pair = vec![vec!["site", "month"]];
        for groups in std::iter::once(Vec::new()).chain(singles).chain(pair) {
            let mut asked = query(name, &groups);
            if groups.is_empty() {
                asked.grain = Some(Grain::Month);
            }
            let found = answer(company, &ALL, &asked).await;
            let (last, lines) = found.rows.split_last().unwrap();
            let total = micro(last.value.as_ref());
            if !metric.is_ratio() {
                let parts: Option<i64> = lines
                    .iter()
                    .filter_map(|line| micro(line.value.as_ref()))
                    .reduce(|sum, part| sum + part);
                assert_eq!(parts, total, "{name} by {groups:?}");
            }
            totals.push((groups, total));
            same_in_csv(&found);
        }
        // The total is the same whatever it was split by.
        for (groups, total) in &totals {
            assert_eq!(*total, totals[0].1, "{name} by {groups:?}");
        }
        assert!(
            totals[0].1.is_some(),
            "{name}: the example has no figure for it"
        );
    }
}

fn same_in_csv(answer: &api::query::QueryAnswer) {
    let mut bytes = Vec::new();
    report::query::table(answer).csv(&mut bytes, true).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let mut csv = csv::Reader::from_reader(text.strip_prefix('\u{feff}').unwrap().as_bytes());
    let at = answer.query.group_by.len() + 1;
    let head = csv.headers().unwrap().clone();
    assert_eq!(&head[at], "value");
    let rows: Vec<csv::StringRecord> = csv.records().map(|row| row.unwrap()).collect();
    assert_eq!(rows.len(), answer.rows.len());
    for (line, row) in rows.iter().zip(&answer.rows) {
        let value = match &row.value {
            Some(Value::Money(yuan)) => &yuan.0,
            Some(Value::Number(number)) => number,
            None => "",
        };
        assert_eq!(&line[at], value);
        assert_eq!((&line[at + 1], &line[at + 2]), (&*answer.unit, "CNY"));
    }
}

async fn waste_has_the_ledgers_total(company: &Company, rows: &[LedgerRow]) {
    let total: i64 = rows.iter().flat_map(|row| row.components).sum();
    let books = Books::of(company.app());
    let (from, to): (NaiveDate, NaiveDate) = (day(WHOLE.0), day(WHOLE.1));
    let question = WasteQuestion {
        from,
        to,
        filters: Vec::new(),
    };
    let waste = books.waste(&ALL, &question).await.unwrap();
    assert_eq!(waste.total, Yuan::from_micro(total));
    let of = |category: Category| -> i64 {
        let at = category.index();
        rows.iter().map(|row| row.time[at] + row.energy[at]).sum()
    };
    for category in Category::ALL {
        let ranked = waste
            .entries
            .iter()
            .filter(|entry| entry.category == category.name())
            .map(|entry| yuan(&entry.yuan));
        let beside = waste
            .unknown
            .iter()
            .filter(|entry| entry.category == category.name())
            .map(|entry| yuan(&entry.yuan));
        let found: i64 = ranked.chain(beside).sum();
        let is_useful = matches!(category, Category::Useful | Category::NonDevice);
        let expected = if is_useful { 0 } else { of(category) };
        assert_eq!(found, expected, "{}", category.name());
    }
}

async fn overview_has_the_ledgers_total(company: &Company, rows: &[LedgerRow]) {
    let total: i64 = rows.iter().flat_map(|row| row.components).sum();
    let books = Books::of(company.app());
    let (from, to): (NaiveDate, NaiveDate) = (day(WHOLE.0), day(WHOLE.1));
    for grain in [Grain::Day, Grain::Week, Grain::Month] {
        let question = OverviewQuestion {
            from,
            to,
            compare: Compare::None,
            grain,
            filters: Vec::new(),
        };
        let overview = books.overview(&ALL, &question).await.unwrap();
        assert_eq!(overview.cost.value, Yuan::from_micro(total));
        let categories: i64 = overview
            .categories
            .iter()
            .map(|part| yuan(&part.total))
            .sum();
        assert_eq!(categories, total);
        let trend: i64 = overview.cost.trend.iter().flatten().map(yuan).sum();
        assert_eq!(trend, total);
        assert_eq!(overview.data_health.audited, Some(true));
        assert_eq!(overview.data_health.days_waiting, 0);
    }
}

fn yuan(yuan: &Yuan) -> i64 {
    micro(Some(&Value::Money(yuan.clone()))).unwrap()
}
