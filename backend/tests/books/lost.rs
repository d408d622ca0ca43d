//! A device lost and never heard of again is out of service on every day that follows, whatever is imported when.

use super::{accounted, assert_same, day, everything};
use crate::facts::Company;
use crate::facts::folder::{Folder, company};

const SAMPLES: &str = "device,time,interval_s,g,fault
d1,2026-07-01T10:00:00+08:00,60,0.5,
d2,2026-07-01T10:00:00+08:00,60,0.5,
d1,2026-07-01T12:00:00+08:00,60,0.5,79
";

const BACK: &str = "device,time,interval_s,g
d1,2026-07-04T06:00:00+08:00,60,0.5
";

const UP: &str = "node,start,end,state
n1,2026-07-02T03:00:00+08:00,2026-07-02T04:00:00+08:00,up
";

const COVERAGE: &str = "source,scope,name,kind,start,end
slurm,site,s1,scheduler,2026-07-01T00:00:00+08:00,2026-07-07T00:00:00+08:00
";

fn facts() -> Folder {
    company()
        .file(
            "price_book.csv",
            "site,model,ownership,price_per_device_hour,from\ns1,H100,cloud,18.00,2026-01-01\n",
        )
        .file("nodes.csv", "node,site,ownership\nn1,s1,cloud\n")
        .file("coverage.csv", COVERAGE)
        .file("samples.csv", SAMPLES)
}

/// Hours out of service by day of July.
async fn out_of_service(company: &Company) -> Vec<(u32, i64)> {
    let rows: Vec<(chrono::NaiveDate, i64)> = sqlx::query_as(
        "SELECT day, (sum(cell_ms) / 3600000)::bigint FROM cell_days JOIN cell_codes USING (cell) \
         WHERE category = 'out_of_service' GROUP BY day HAVING sum(cell_ms) > 0 ORDER BY day",
    )
    .fetch_all(company.db())
    .await
    .unwrap();
    let first = day("2026-07-01");
    rows.into_iter()
        .map(|(day, hours)| {
            let number = (day - first).num_days() + 1;
            (u32::try_from(number).unwrap(), hours)
        })
        .collect()
}

#[tokio::test]
async fn a_loss_lasts_over_days_without_samples() {
    let store = Company::new().await;
    store.import(&facts()).await;
    accounted(&store, None).await;
    let lasting = [(1, 12), (2, 24), (3, 24), (4, 24), (5, 24), (6, 24)];
    assert_eq!(out_of_service(&store).await, lasting);
    let books = everything(&store).await;
    // A day alone knows what came before it.
    accounted(&store, Some(("2026-07-05", "2026-07-06"))).await;
    assert_same(&everything(&store).await, &books);
}

#[tokio::test]
async fn a_late_healthy_sample_ends_it_on_the_days_after() {
    let store = Company::new().await;
    store.import(&facts()).await;
    accounted(&store, None).await;
    store.import_text("samples.csv", BACK).await;
    accounted(&store, None).await;
    assert_eq!(
        out_of_service(&store).await,
        [(1, 12), (2, 24), (3, 24), (4, 6)]
    );

    // In the other order, and in one go, the books are the same.
    let other = Company::new().await;
    other.import_text("samples.csv", BACK).await;
    other.import(&facts()).await;
    accounted(&other, None).await;
    assert_same(&everything(&other).await, &everything(&store).await);
}

#[tokio::test]
async fn a_late_fault_is_carried_into_books_already_made() {
    let store = Company::new().await;
    let well = SAMPLES.replace("79", "");
    store.import(&facts().file("samples.csv", &well)).await;
    accounted(&store, None).await;
    assert_eq!(out_of_service(&store).await, []);
    store.import_text("samples.csv", SAMPLES).await;
    accounted(&store, None).await;
    assert_eq!(out_of_service(&store).await.len(), 6);
}

#[tokio::test]
async fn a_node_that_came_up_ends_it_for_good() {
    let store = Company::new().await;
    store.import(&facts()).await;
    accounted(&store, None).await;
    let states = Folder::new()
        .file("node_states.csv", UP)
        .file("coverage.csv", COVERAGE);
    store.import(&states).await;
    accounted(&store, None).await;
    assert_eq!(out_of_service(&store).await, [(1, 12), (2, 3)]);
    let books = everything(&store).await;
    accounted(&store, Some(("2026-07-06", "2026-07-07"))).await;
    assert_same(&everything(&store).await, &books);
}
