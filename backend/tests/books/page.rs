//! What the first page adds to the sums: days set against their like, energy, and names.

use std::collections::BTreeMap;

use api::Yuan;
use api::overview::{NotCompared, Overview};
use api::query::{Filter, Grain, Query, Value};
use backend::store::query::Books;
use backend::store::query::overview::{Compare, OverviewQuestion};
use backend::store::query::question::{Key, Question};
use backend::store::query::waste::WasteQuestion;
use backend::store::scope::Scope;

use super::{WHOLE, accounted, answer, day, example, query};
use crate::facts::Company;

const ALL: Scope = Scope::Company;

async fn overview(company: &Company, scope: &Scope, question: OverviewQuestion) -> Overview {
    let books = Books::of(company.app());
    books.overview(scope, &question).await.unwrap()
}

fn asked(from: &str, to: &str, compare: Compare) -> OverviewQuestion {
    OverviewQuestion {
        from: day(from),
        to: day(to),
        compare,
        grain: Grain::Day,
        filters: Vec::new(),
    }
}

/// The total of a question about some days.
async fn total(company: &Company, scope: &Scope, query: &Query) -> Option<Value> {
    let answer = answer(company, scope, query).await;
    answer.rows.last().unwrap().value.clone()
}

async fn cost(company: &Company, from: &str, to: &str) -> Yuan {
    let query = Query {
        from: from.to_owned(),
        to: to.to_owned(),
        ..query("cost", &[])
    };
    match total(company, &ALL, &query).await {
        Some(Value::Money(yuan)) => yuan,
        other => panic!("cost is money: {other:?}"),
    }
}

/// Books of 19–21 October, 8–17 and 19–21 November.
async fn with_a_gap() -> Company {
    let company = example().await;
    accounted(&company, Some(("2026-11-19", "2026-11-22"))).await;
    company
}

#[tokio::test]
async fn a_month_with_books_in_part_is_compared_in_that_part() {
    let company = with_a_gap().await;
    let question = asked("2026-11-19", "2026-12-01", Compare::LastMonth);
    let found = overview(&company, &ALL, question).await;
    let text = |day: &Option<String>| day.clone().unwrap();
    assert_eq!(text(&found.covered_from), "2026-11-19");
    assert_eq!(text(&found.covered_to), "2026-11-22");
    assert_eq!(text(&found.compare_from), "2026-10-19");
    assert_eq!(text(&found.compare_to), "2026-10-22");
    assert_eq!(found.not_compared, None);
    let before = cost(&company, "2026-10-19", "2026-10-22").await;
    assert_eq!(found.cost.compare, Some(before));
    // A project's move is against its own cost of the same days.
    let mut movers = found.movers.iter();
    let is_project = |id: &str| id != "unattributed" && !id.contains(':');
    let mover = movers.find(|one| is_project(&one.project)).unwrap();
    let own = Query {
        from: "2026-10-19".to_owned(),
        to: "2026-10-22".to_owned(),
        filters: vec![Filter {
            key: "project".to_owned(),
            value: mover.project.clone(),
        }],
        ..query("cost", &[])
    };
    let own = total(&company, &ALL, &own).await;
    assert_eq!(own, Some(Value::Money(mover.compare.clone())));
}

#[tokio::test]
async fn days_without_books_are_compared_with_nothing() {
    let company = with_a_gap().await;
    let check = async |from, to, compare, why| {
        let found = overview(&company, &ALL, asked(from, to, compare)).await;
        assert_eq!(found.not_compared, Some(why), "{from} {to}");
        assert!(found.compare_from.is_some() && found.compare_to.is_some());
        assert_eq!((found.cost.compare, found.movers.len()), (None, 0));
        let figures = [found.pue, found.allocated_share, found.useful_share];
        for figure in figures.into_iter().flatten() {
            assert_eq!(figure.compare, None);
        }
        assert!(found.categories.iter().all(|one| one.compare.is_none()));
    };
    // The 8th to the 17th of October have no books; within November the 18th has none.
    let month = Compare::LastMonth;
    check("2026-11-08", "2026-11-18", month, NotCompared::NoBooks).await;
    check("2026-11-01", "2026-12-01", month, NotCompared::Gap).await;
    let before = Compare::Previous;
    check("2026-11-19", "2026-11-22", before, NotCompared::NoBooks).await;
    let none = overview(
        &company,
        &ALL,
        asked("2026-11-01", "2026-12-01", Compare::None),
    )
    .await;
    assert_eq!((none.compare_from, none.not_compared), (None, None));
}

#[tokio::test]
async fn waste_is_compared_with_as_many_days_that_have_books() {
    let company = with_a_gap().await;
    let books = Books::of(company.app());
    let ask = async |from: &str, to: &str| {
        let question = WasteQuestion {
            from: day(from),
            to: day(to),
            filters: Vec::new(),
        };
        books.waste(&ALL, &question).await.unwrap()
    };
    let found = ask("2026-11-13", "2026-11-18").await;
    assert_eq!(found.compare_from.as_deref(), Some("2026-11-08"));
    assert_eq!(found.compare_to.as_deref(), Some("2026-11-13"));
    assert!(found.entries.iter().all(|entry| entry.previous.is_some()));
    let before = ask("2026-11-08", "2026-11-13").await;
    let first = found.entries.first().unwrap();
    let same = before.entries.iter().find(|entry| {
        (&entry.category, &entry.reason, &entry.scope)
            == (&first.category, &first.reason, &first.scope)
    });
    assert_eq!(first.previous, same.map(|entry| entry.yuan.clone()));

    let found = ask("2026-11-19", "2026-12-01").await;
    assert_eq!(found.compare_from.as_deref(), Some("2026-11-16"));
    assert_eq!(found.not_compared, Some(NotCompared::NoBooks));
    assert!(found.entries.iter().all(|entry| entry.previous.is_none()));
}

#[tokio::test]
async fn energy_is_the_querys_and_costs_the_component_electricity() {
    let company = example().await;
    let projects = Scope::Projects(vec!["chat".to_owned()]);
    let site = (Key::Site, "site", "bj");
    for (scope, filter) in [(ALL, None), (ALL, Some(site)), (projects, None)] {
        let question = OverviewQuestion {
            filters: filter
                .map(|(key, _, id)| (key, vec![id.to_owned()]))
                .into_iter()
                .collect(),
            ..asked(WHOLE.0, WHOLE.1, Compare::None)
        };
        let energy = overview(&company, &scope, question).await.energy.unwrap();
        let filters = |component: Option<&str>| -> Vec<Filter> {
            let component = component.map(|name| ("component", name));
            let of_scope = filter.map(|(_, key, id)| (key, id));
            let both = component.into_iter().chain(of_scope);
            both.map(|(key, value)| Filter {
                key: key.to_owned(),
                value: value.to_owned(),
            })
            .collect()
        };
        let kwh = Query {
            filters: filters(None),
            ..query("kwh", &[])
        };
        let yuan = Query {
            filters: filters(Some("electricity")),
            ..query("cost", &[])
        };
        assert_eq!(
            total(&company, &scope, &kwh).await,
            Some(Value::Number(energy.kwh))
        );
        assert_eq!(
            total(&company, &scope, &yuan).await,
            energy.yuan.map(Value::Money)
        );
    }
}

#[tokio::test]
async fn an_answer_names_the_ids_it_has_and_no_others() {
    let company = example().await;
    let books = Books::of(company.app());
    let groups = ["project", "team", "site", "person", "workload"];
    let named = async |scope: &Scope| {
        let query = query("cost", &groups);
        let question = Question::parse(&query).unwrap();
        let answer = books.query(scope, &query, &question).await.unwrap();
        books.named(&question, answer).await.unwrap()
    };
    let own = named(&Scope::Projects(vec!["chat".to_owned()])).await;
    let names = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        let own = |(id, name): &(&str, &str)| ((*id).to_owned(), (*name).to_owned());
        pairs.iter().map(own).collect()
    };
    assert_eq!(own.names["project"], names(&[("chat", "对话服务")]));
    assert_eq!(
        own.names["team"],
        names(&[("app", "示例·应用组 (example)")])
    );
    assert_eq!(own.names["workload"].len(), 1);

    let all = named(&ALL).await;
    assert_eq!(all.names["project"].len(), 4);
    assert_eq!(all.names["site"]["bj"], "示例·北京机房 (example)");
    assert_eq!(all.names["person"]["zhangsan"], "张三");
    // Nobody's cost has no id to name.
    assert!(!all.names["project"].contains_key("unattributed"));
    let waste = WasteQuestion {
        from: day(WHOLE.0),
        to: day(WHOLE.1),
        filters: Vec::new(),
    };
    let waste = books.waste(&ALL, &waste).await.unwrap();
    let at = |kind: &str, scope: &str| {
        let mut found = waste.entries.iter();
        let found = found.find(|entry| (&*entry.scope_kind, &*entry.scope) == (kind, scope));
        found.unwrap().scope_name.clone()
    };
    assert_eq!(at("site", "bj"), "示例·北京机房 (example)");
    assert_eq!(at("project", "chat"), "对话服务");
}
