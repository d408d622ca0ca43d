//! Whoever may see some projects sees their rows and no others, whatever they ask.

use std::collections::BTreeSet;

use api::Yuan;
use backend::store::query::Books;
use backend::store::query::overview::{Compare, OverviewQuestion};
use backend::store::query::question::{Key, METRICS};
use backend::store::query::waste::WasteQuestion;
use backend::store::scope::Scope;

use super::{WHOLE, answer, day, example, groups, ledger, micro, query};
use crate::facts::Company;

fn projects(names: &[&str]) -> Scope {
    Scope::Projects(names.iter().map(|name| (*name).to_owned()).collect())
}

/// The company's figure for a project or team.
async fn of_company(company: &Company, metric: &str, key: &str, name: &str) -> Option<i64> {
    let all = answer(company, &Scope::Company, &query(metric, &[key])).await;
    let line = all
        .rows
        .iter()
        .find(|row| row.groups[0].as_deref() == Some(name))?;
    micro(line.value.as_ref())
}

async fn own_total(company: &Company, scope: &Scope, metric: &str, groups: &[&str]) -> Option<i64> {
    let own = answer(company, scope, &query(metric, groups)).await;
    micro(own.rows.last().unwrap().value.as_ref())
}

#[tokio::test]
async fn a_scope_sees_its_rows_and_no_others() {
    let company = example().await;
    every_figure_is_of_the_scopes_rows_only(&company).await;
    rows_names_and_rankings_end_at_the_scope(&company).await;
    a_scope_without_projects_sees_nothing(&company).await;
}

async fn every_figure_is_of_the_scopes_rows_only(company: &Company) {
    for (scope, key, name) in [
        (projects(&["chat"]), "project", "chat"),
        (Scope::Team("fm".to_owned()), "team", "fm"),
    ] {
        for (metric, known, _) in METRICS
            .iter()
            .filter(|(_, known, _)| known.keys().contains(&Key::Project))
        {
            let expected = of_company(company, metric, key, name).await;
            for group in groups(*known) {
                let own = own_total(company, &scope, metric, &[group]).await;
                assert_eq!(own, expected, "{metric} by {group} of {name}");
            }
        }
        // What belongs to sites is not told.
        assert_eq!(own_total(company, &scope, "pue", &["site"]).await, None);
    }
}

async fn rows_names_and_rankings_end_at_the_scope(company: &Company) {
    let own = projects(&["chat", "nothing-of-this-name"]);
    let rows = ledger(company, &own).await;
    assert!(!rows.is_empty());
    for row in &rows {
        assert_eq!(row.project.as_deref(), Some("chat"), "{row:?}");
        assert_ne!(row.bearer.as_deref(), Some("out_of_service"), "{row:?}");
    }
    let total: i64 = rows.iter().flat_map(|row| row.components).sum();
    assert_eq!(
        own_total(company, &own, "cost", &["workload"]).await,
        Some(total)
    );

    let workloads = answer(company, &own, &query("cost", &["project", "workload"])).await;
    let names: BTreeSet<_> = workloads
        .rows
        .iter()
        .flat_map(|row| row.groups.clone())
        .flatten()
        .collect();
    assert_eq!(
        names,
        BTreeSet::from(["chat", "chat-serve"].map(str::to_owned))
    );

    let books = Books::of(company.app());
    let (from, to) = (day(WHOLE.0), day(WHOLE.1));
    let question = WasteQuestion {
        from,
        to,
        filters: Vec::new(),
    };
    let waste = books.waste(&own, &question).await.unwrap();
    assert_eq!(waste.total, Yuan::from_micro(total));
    for entry in &waste.entries {
        assert_eq!((&*entry.scope_kind, &*entry.scope), ("project", "chat"));
    }
    let question = OverviewQuestion {
        from,
        to,
        compare: Compare::None,
        grain: api::query::Grain::Month,
        filters: Vec::new(),
    };
    let overview = books.overview(&own, &question).await.unwrap();
    assert_eq!(overview.cost.value, Yuan::from_micro(total));
    assert_eq!(overview.pue, None);
    let first = books.days(from, to).await.unwrap()[0];
    let sources = backend::store::books::read::sources(company.db(), &own, first)
        .await
        .unwrap();
    assert_eq!(sources, []);
}

async fn a_scope_without_projects_sees_nothing(company: &Company) {
    let none = projects(&[]);
    assert_eq!(ledger(company, &none).await, []);
    for (metric, _, _) in METRICS {
        let found = answer(company, &none, &query(metric, &[])).await;
        let values: Vec<_> = found.rows.iter().map(|row| &row.value).collect();
        assert_eq!(values, [&None], "{metric}");
    }
}
