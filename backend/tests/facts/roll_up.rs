//! Samples into device-hours: the same rows whatever the order, the pieces and the repetition.

use super::folder::{Folder, company};
use super::{Company, counts};

const HEADER: &str = "device,time,interval_s,g,power_w,energy_j\n";

/// A sample a minute for `hours` hours from midnight UTC, with a counter every other minute and a gap.
fn samples(device: &str, hours: u32) -> Vec<String> {
    let mut counter = 1000;
    (0..hours * 60)
        .filter(|minute| !(100..130).contains(minute))
        .map(|minute| {
            counter += 17 * i64::from(minute % 7);
            let energy = if minute % 2 == 0 {
                counter.to_string()
            } else {
                String::new()
            };
            format!(
                "{device},2026-07-01T{:02}:{:02}:00Z,60,0.{:02},{},{energy}\n",
                minute / 60,
                minute % 60,
                minute % 90,
                300 + minute % 50
            )
        })
        .collect()
}

async fn minutes(store: &Company) -> String {
    format!("{:?}", store.facts().await.minutes)
}

#[tokio::test]
async fn order_pieces_and_repetition_give_the_same_minutes() {
    let rows: Vec<String> = [samples("d1", 6), samples("d2", 6)].concat();
    let whole = Company::new().await;
    whole.import(&company()).await;
    let text = format!("{HEADER}{}", rows.concat());
    let entry = whole.import_text("samples.csv", &text).await;
    assert_eq!(entry.rows_new, 660);
    assert_eq!(whole.roll_up().await, 12);
    let expected = minutes(&whole).await;

    let pieces = Company::new().await;
    // Every third row first, the last of them in between, models after samples, and everything twice.
    for part in [1, 0, 2, 1] {
        let some: Vec<&str> = rows
            .iter()
            .skip(part)
            .step_by(3)
            .rev()
            .map(String::as_str)
            .collect();
        pieces
            .import_text("samples.csv", format!("{HEADER}{}", some.concat()))
            .await;
        pieces.roll_up().await;
    }
    pieces.import(&company()).await;
    pieces.roll_up().await;
    assert_eq!(minutes(&pieces).await, expected);
    assert_eq!(pieces.roll_up().await, 0);
    let entry = pieces.import_text("samples.csv", &text).await;
    assert_eq!(counts(&entry), (660, 0, 0, 660, 0));
}

#[tokio::test]
async fn a_late_sample_lays_only_what_it_reaches() {
    let rows = samples("d1", 6);
    let (late, early): (Vec<String>, Vec<String>) =
        rows.iter().cloned().partition(|row| row.contains("T03:3"));
    let store = Company::new().await;
    store.import(&company()).await;
    store
        .import_text("samples.csv", format!("{HEADER}{}", early.concat()))
        .await;
    store.roll_up().await;
    store
        .import_text("samples.csv", format!("{HEADER}{}", late.concat()))
        .await;
    assert_eq!(store.roll_up().await, 1);
    let whole = Company::new().await;
    whole.import(&company()).await;
    whole
        .import_text("samples.csv", format!("{HEADER}{}", rows.concat()))
        .await;
    whole.roll_up().await;
    assert_eq!(minutes(&store).await, minutes(&whole).await);
}

#[tokio::test]
async fn a_corrected_model_lays_power_again() {
    let store = Company::new().await;
    let text = format!("{HEADER}d1,2026-07-01T00:00:00Z,3600,0.5,1000,\n");
    store.import(&company()).await;
    store.import_text("samples.csv", text).await;
    store.roll_up().await;
    assert_eq!(energy_mj(&store).await, 3_600_000_000);
    let small = "model,vendor,tdp_w,source,confidence\nH100,nvidia,350,datasheet,A\n";
    store.import_text("device_models.csv", small).await;
    assert_eq!(store.roll_up().await, 1);
    assert_eq!(energy_mj(&store).await, 0);
}

async fn energy_mj(store: &Company) -> i64 {
    sqlx::query_scalar("SELECT sum(energy_mj)::bigint FROM device_hours")
        .fetch_one(store.db())
        .await
        .unwrap()
}

#[tokio::test]
async fn changed_facts_mark_their_days() {
    let store = Company::new().await;
    store
        .import_text(
            "placements.csv",
            "workload,device,start,end,seq\nw1,d1,2026-07-05T00:30:00+08:00,2026-07-06T12:00:00+08:00,1\n",
        )
        .await;
    let dirty = backend::store::dirty::pending(store.db()).await.unwrap();
    let day = |text: &str| text.parse().unwrap();
    // 60 minutes before half past midnight are the day before.
    let is_marked: Vec<bool> = [
        "2026-07-03",
        "2026-07-04",
        "2026-07-05",
        "2026-07-06",
        "2026-07-07",
    ]
    .map(|text| dirty.contains(day(text)))
    .into();
    assert_eq!(is_marked, [false, true, true, true, false]);

    let mut db = store.db().acquire().await.unwrap();
    backend::store::dirty::settle(&mut db, dirty.upto, day("2026-07-05"), day("2026-07-06"))
        .await
        .unwrap();
    let left = backend::store::dirty::pending(store.db()).await.unwrap();
    assert!(
        left.contains(day("2026-07-04"))
            && !left.contains(day("2026-07-05"))
            && left.contains(day("2026-07-06"))
    );

    // The end moves: the days it had and those it gets.
    store.import(&Folder::new().file("placements.csv", "workload,device,start,end,seq\nw1,d1,2026-07-05T00:30:00+08:00,2026-07-08T12:00:00+08:00,1\n")).await;
    let dirty = backend::store::dirty::pending(store.db()).await.unwrap();
    assert!(dirty.contains(day("2026-07-05")) && dirty.contains(day("2026-07-08")));
    // A price without end has no last day.
    store
        .import_text("fx.csv", "month,currency,rate\n2026-07,USD,7.1\n")
        .await;
    let dirty = backend::store::dirty::pending(store.db()).await.unwrap();
    assert!(dirty.contains(day("2099-01-01")) && !dirty.contains(day("2026-06-29")));
}
