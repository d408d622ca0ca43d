//! The same facts give the same books: computed again, in another order, in pieces, and after a late fact only its days.

use super::{PARTS, accounted, assert_same, day, everything, example, example_files};
use crate::facts::Company;
use crate::facts::folder::Folder;

#[tokio::test]
async fn recomputing_changes_nothing() {
    let company = example().await;
    let first = everything(&company).await;
    assert!(first.iter().any(|line| line.starts_with("ledger ")));
    for part in PARTS {
        let done = accounted(&company, Some(part)).await;
        assert!(done.days >= 3);
    }
    assert_same(&everything(&company).await, &first);
    // A day alone is the day among others.
    accounted(&company, Some(("2026-11-10", "2026-11-11"))).await;
    assert_same(&everything(&company).await, &first);
}

#[tokio::test]
async fn the_order_of_import_changes_nothing() {
    let expected = everything(&example().await).await;
    let company = Company::new().await;
    let mut files = example_files();
    // Workloads before the people they name, samples before their devices, assets and coverage last.
    files.reverse();
    let half = files.len() / 2;
    for (index, (name, text)) in files.iter().enumerate() {
        for piece in pieces(name, text) {
            let report = company.import(&Folder::new().file(name, piece)).await;
            assert_eq!((report.rejected_rows(), report.rejected_files()), (0, 0));
        }
        // Books of half the facts are replaced, not added to.
        if index == half {
            accounted(&company, Some(PARTS[1])).await;
        }
    }
    for part in PARTS.into_iter().rev() {
        accounted(&company, Some(part)).await;
    }
    assert_same(&everything(&company).await, &expected);
}

/// A large file comes in three pieces, later rows first; a batch names all placements of its workloads, so that the
/// others come whole.
fn pieces(name: &str, text: &str) -> Vec<String> {
    if name != "samples.csv" && name != "meter_readings.csv" {
        return vec![text.to_owned()];
    }
    let mut lines: Vec<&str> = text.lines().collect();
    let header = lines.remove(0);
    lines.reverse();
    lines
        .chunks(lines.len() / 3 + 1)
        .map(|piece| format!("{header}\n{}\n", piece.join("\n")))
        .collect()
}

const TASKS: &str = "workload,device,start,end,seq
w1,d1,2026-07-01T00:00:00+08:00,2026-07-02T12:00:00+08:00,1
w1,d2,2026-07-03T00:00:00+08:00,2026-07-05T00:00:00+08:00,1
";

const COVERAGE: &str = "source,scope,name,kind,start,end
slurm,site,s1,scheduler,2026-07-01T00:00:00+08:00,2026-07-05T00:00:00+08:00
";

fn tasks(text: &str) -> Folder {
    Folder::new()
        .file("coverage.csv", COVERAGE)
        .file("placements.csv", text)
}

#[tokio::test]
async fn only_days_with_newer_facts_are_computed_again() {
    let company = Company::new().await;
    let facts = crate::facts::folder::company()
        .file(
            "price_book.csv",
            "site,model,ownership,price_per_device_hour,from\ns1,H100,cloud,18.00,2026-01-01\n",
        )
        .file("nodes.csv", "node,site,ownership\nn1,s1,cloud\n")
        .file("coverage.csv", COVERAGE)
        .file("placements.csv", TASKS);
    company.import(&facts).await;
    let done = accounted(&company, None).await;
    assert_eq!(done.days, 4);
    // Two cards, four days, 18 yuan an hour.
    assert_eq!(done.total, 2 * 4 * 24 * 18_000_000);
    let before = everything(&company).await;
    assert_eq!(accounted(&company, None).await.days, 0);
    assert_same(&everything(&company).await, &before);

    let longer = TASKS.replace("2026-07-02T12:00", "2026-07-02T18:00");
    company.import(&tasks(&longer)).await;
    let done = accounted(&company, None).await;
    assert!(done.days < 4, "{done:?}");
    assert_eq!(done.first, Some(day("2026-07-01")));
    let held: i64 = sqlx::query_scalar(
        "SELECT sum(total)::bigint FROM book_days WHERE day = '2026-07-02' AND bearer = 'payer'",
    )
    .fetch_one(company.db())
    .await
    .unwrap();
    assert_eq!(held, 18 * 18_000_000);

    // The same file again changes nothing, and back again gives the first books.
    company.import(&tasks(TASKS)).await;
    accounted(&company, None).await;
    assert_same(&everything(&company).await, &before);
}
