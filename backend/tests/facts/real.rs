//! The fact folders of real clusters, where they are at hand: no row is lost without a reason.

use std::path::PathBuf;

use backend::facts::Options;

use super::Company;

/// `$SUANZHANG_REAL_DATA`, else the folder `shared` beside the repository; `None` is told.
pub fn real(folder: &str) -> Option<PathBuf> {
    let home = std::env::var_os("SUANZHANG_REAL_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        PathBuf::from,
    );
    let path = home.join(folder);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!(
        "skipped: there is no {} (set SUANZHANG_REAL_DATA)",
        path.display()
    );
    None
}

#[tokio::test]
async fn openb_comes_in_whole() {
    let Some(path) = real("data/facts/openb") else {
        return;
    };
    let company = Company::new().await;
    let report = company.try_import(path, &Options::default()).await.unwrap();
    assert_eq!((report.rejected_rows(), report.rejected_files()), (0, 0));
    for (table, rows) in [
        ("devices", 6212),
        ("workloads", 6203),
        ("placements", 6571),
        ("coverage", 1),
    ] {
        assert_eq!(company.count(table).await, rows, "{table}");
    }
    let facts = company.facts().await;
    assert_eq!(
        (facts.placements.len(), facts.workloads.len()),
        (6571, 6203)
    );
}

#[tokio::test]
async fn biohpc_comes_in_whole() {
    let Some(path) = real("data/facts/biohpc-h100") else {
        return;
    };
    let company = Company::new().await;
    let report = company.try_import(path, &Options::default()).await.unwrap();
    assert_eq!((report.rejected_rows(), report.rejected_files()), (0, 0));
    assert_eq!(company.count("samples").await, 15_277);
    assert!(company.roll_up().await >= 15_277);
    // The mean of an hourly row times an hour, summed: nothing is lost on the way; bridged gaps add a little.
    let kwh: f64 = sqlx::query_scalar("SELECT (sum(energy_mj) / 3.6e9)::float8 FROM device_hours")
        .fetch_one(company.db())
        .await
        .unwrap();
    assert!((2257.3..2262.0).contains(&kwh), "{kwh}");
}

#[tokio::test]
async fn the_golden_companies_come_in() {
    let company = Company::new().await;
    for (case, rejected) in [("golden/a/facts", 0), ("golden/b/facts", 1)] {
        let Some(path) = real(case) else {
            return;
        };
        let report = company.try_import(path, &Options::default()).await.unwrap();
        assert_eq!(
            (report.rejected_rows(), report.rejected_files()),
            (rejected, 0),
            "{case}"
        );
    }
}
