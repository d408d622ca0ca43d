//! What one wrong date or setting must not do to the books.

use accounting::ids::Id;
use accounting::ledger::Settings;
use api::query::Grain;
use backend::store::query::overview::{Compare, OverviewQuestion};
use backend::store::query::{Books, BooksReadError};
use backend::store::scope::Scope;
use backend::tasks::account::{Request, account};

use super::{accounted, day};
use crate::facts::Company;
use crate::facts::folder::{Folder, company};

fn facts() -> Folder {
    company()
        .file(
            "price_book.csv",
            "site,model,ownership,price_per_device_hour,from\ns1,H100,cloud,18.00,2026-01-01\n",
        )
        .file("nodes.csv", "node,site,ownership\nn1,s1,cloud\n")
        .file(
            "coverage.csv",
            "source,scope,name,kind,start,end
slurm,site,s1,scheduler,2026-07-01T00:00:00+08:00,2026-07-03T00:00:00+08:00
",
        )
}

#[tokio::test]
async fn one_date_of_a_far_year_makes_no_books_of_decades() {
    let store = Company::new().await;
    let far = "node,start,end,state\nn1,2099-07-01T00:00:00+08:00,,up\n";
    store.import(&facts().file("node_states.csv", far)).await;
    let done = accounted(&store, None).await;
    assert_eq!(done.first, Some(day("2026-07-01")));
    assert!(done.days < 1_000, "{}", done.days);
    assert_eq!(done.beyond, Some(day("2099-06-30")));
}

#[tokio::test]
async fn days_asked_for_are_cut_to_those_that_can_cost() {
    let store = Company::new().await;
    store.import(&facts()).await;
    assert_eq!(
        accounted(&store, Some(("0001-01-01", "2026-07-02")))
            .await
            .days,
        1
    );
    assert_eq!(
        accounted(&store, Some(("2020-01-01", "2020-02-01")))
            .await
            .days,
        0
    );
    assert_eq!(store.count("accounted_days").await, 1);
}

#[tokio::test]
async fn books_of_another_currency_or_zone_are_not_shown_as_ours() {
    let store = Company::new().await;
    store.import(&facts()).await;
    accounted(&store, None).await;
    let mut books = Books::of(store.app());
    assert!(books.check().await.is_ok());
    books.currency = "USD".to_owned();
    let error = books.check().await.unwrap_err();
    assert!(matches!(error, BooksReadError::Foreign { .. }));
    assert!(error.to_string().contains("CNY"), "{error}");
    let zone = books.zone;
    books.currency = "CNY".to_owned();
    books.zone = accounting::time::Zone::America__New_York;
    assert!(books.check().await.is_err());
    // Accounting in the configured ones computes them anew.
    let request = Request {
        from: None,
        to: None,
        settings: Settings {
            zone: books.zone,
            currency: Id::from("CNY"),
        },
        now: store.app().clock.now(),
    };
    assert_ne!(books.zone, zone);
    account(store.db(), &request, &mut |_, _| {}).await.unwrap();
    assert!(books.check().await.is_ok());
}

#[tokio::test]
async fn an_overview_says_that_its_books_are_older_than_their_facts() {
    let store = Company::new().await;
    store.import(&facts()).await;
    accounted(&store, None).await;
    let waiting = async || {
        let question = OverviewQuestion {
            from: day("2026-07-01"),
            to: day("2026-07-03"),
            compare: Compare::None,
            grain: Grain::Day,
            filters: Vec::new(),
        };
        let books = Books::of(store.app());
        let overview = books.overview(&Scope::Company, &question).await.unwrap();
        overview.data_health.days_waiting
    };
    assert_eq!(waiting().await, 0);
    let dearer =
        "site,model,ownership,price_per_device_hour,from\ns1,H100,cloud,20.00,2026-07-02\n";
    store.import_text("price_book.csv", dearer).await;
    // A changed price reaches an hour into the day before.
    assert_eq!(waiting().await, 2);
    accounted(&store, None).await;
    assert_eq!(waiting().await, 0);
}
