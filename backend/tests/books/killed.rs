//! A run that is killed leaves whole days, and the next one finishes the books as if nothing had happened.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{accounted, assert_same, everything};
use crate::facts::Company;
use crate::facts::folder::{Folder, company as small};

/// Two cards for a year: long enough to be interrupted, small enough to be computed twice.
const DAYS: i64 = 365;

fn a_year() -> Folder {
    small()
        .file("nodes.csv", "node,site,ownership\nn1,s1,cloud\n")
        .file(
            "price_book.csv",
            "site,model,ownership,price_per_device_hour,from\ns1,H100,cloud,18.00,2020-01-01\n",
        )
        .file(
            "coverage.csv",
            "source,scope,name,kind,start,end\nslurm,site,s1,scheduler,2025-01-01T00:00:00+08:00,2026-01-01T00:00:00+08:00\n",
        )
        .file(
            "placements.csv",
            "workload,device,start,end,seq\nw1,d1,2025-01-01T00:00:00+08:00,2026-01-01T00:00:00+08:00,1\n",
        )
}

fn account(company: &Company, home: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_suanzhang"));
    command
        .args(["account", "--database-url", company.url()])
        .current_dir(home.path())
        .env_remove("DATABASE_URL")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits until a count is at least that; a minute is more than any machine needs.
async fn until(company: &Company, what: &str, least: i64) -> i64 {
    let started = Instant::now();
    loop {
        let count = company.count(what).await;
        if count >= least {
            return count;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_killed_run_leaves_whole_days_and_the_next_finishes() {
    let whole = Company::new().await;
    whole.import(&a_year()).await;
    let done = accounted(&whole, None).await;
    assert_eq!(i64::try_from(done.days).unwrap(), DAYS);

    let company = Company::new().await;
    company.import(&a_year()).await;
    let home = Folder::new();
    let mut running = account(&company, &home).spawn().unwrap();
    until(&company, "accounted_days", 5).await;
    running.kill().unwrap();
    running.wait().unwrap();
    // The server notices that its client is gone, and lets go of what it held.
    until(
        &company,
        "(SELECT WHERE NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory')) AS free",
        1,
    )
    .await;
    let left = company.count("accounted_days").await;
    assert!((5..DAYS).contains(&left), "{left} days were written");
    for torn in [
        "accounted_days a WHERE rows <> (SELECT count(*) FROM ledger l WHERE l.day = a.day)
            OR total <> (SELECT sum(total) FROM book_days b WHERE b.day = a.day)",
        "ledger WHERE day NOT IN (SELECT day FROM accounted_days)",
        "sources WHERE day NOT IN (SELECT day FROM accounted_days)",
        "cell_days WHERE day NOT IN (SELECT day FROM accounted_days)",
    ] {
        assert_eq!(company.count(torn).await, 0, "{torn}");
    }

    let again = account(&company, &home).output().unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success(), "{again:?}");
    assert!(
        said.contains(&format!("{} days", DAYS - left)),
        "only what was missing is computed: {said}"
    );
    assert_same(&everything(&company).await, &everything(&whole).await);
}
