//! What counts as read by the scheduler where no `coverage.csv` says it.

use super::folder::{Folder, company};
use super::{Company, counts, told};

const WORKLOADS: &str = "workload,source,kind,name,submitted,started,ended,state\n\
    w1,k8s,training,w,2026-06-30T23:00:00+08:00,2026-07-01T00:00:00+08:00,2026-07-02T00:00:00+08:00,completed\n";
const PLACEMENTS: &str =
    "workload,device,start,end\nw1,d1,2026-07-01T00:00:00+08:00,2026-07-02T00:00:00+08:00\n";

#[tokio::test]
async fn a_folder_covers_its_sites_from_the_first_to_the_last_time() {
    let store = Company::new().await;
    let folder = company()
        .file("workloads.csv", WORKLOADS)
        .file("placements.csv", PLACEMENTS)
        .file(
            "samples.csv",
            "device,time,interval_s,g\nd1,2026-07-03T00:00:00+08:00,60,0.5\n",
        );
    let report = store.import(&folder).await;
    let entry = report.files.iter().find(|f| f.kind == "coverage").unwrap();
    assert_eq!(counts(entry), (1, 1, 0, 0, 0));
    assert_eq!(
        told(entry),
        [
            "no coverage.csv: the scheduler counts as read at s1 from 2026-06-30T23:00:00+08:00 to 2026-07-03T00:00:00+08:00"
        ]
    );
    // Again, with the samples not read again: the same.
    let report = store.import(&folder).await;
    let entry = report.files.iter().find(|f| f.kind == "coverage").unwrap();
    assert_eq!(counts(entry), (1, 0, 0, 1, 0));
    let coverage = store.facts().await.coverage;
    assert_eq!((coverage.len(), &*coverage[0].name), (1, "s1"));
}

#[tokio::test]
async fn sites_are_found_by_the_devices_where_no_file_names_them() {
    let store = Company::new().await;
    store
        .import(&company().file(
            "sites.csv",
            "site,name,kind,zone\ns1,Room,owned,Asia/Shanghai\ns2,Other,owned,Asia/Shanghai\n",
        ))
        .await;
    store
        .import(&Folder::new().file("placements.csv", PLACEMENTS))
        .await;
    let coverage = store.facts().await.coverage;
    assert_eq!(
        coverage.iter().map(|c| &*c.name).collect::<Vec<_>>(),
        ["s1"]
    );
}

#[tokio::test]
async fn a_folder_that_says_it_itself_or_a_single_file_covers_nothing_more() {
    let store = Company::new().await;
    let folder = company().file("placements.csv", PLACEMENTS).file(
        "coverage.csv",
        "source,scope,name,kind,start,end\nk8s,site,s1,scheduler,2026-07-01T00:00:00Z,2026-07-01T01:00:00Z\n",
    );
    store.import(&folder).await;
    assert_eq!(store.count("coverage").await, 1);
    let single = Folder::new().file("placements.csv", PLACEMENTS);
    let options = backend::facts::Options::default();
    store
        .try_import(single.path().join("placements.csv"), &options)
        .await
        .unwrap();
    assert_eq!(store.count("coverage").await, 1);
    // Without placements or node states nobody looked at the scheduler.
    store.import(&company()).await;
    assert_eq!(store.count("coverage").await, 1);
}
