//! More model FLOPs than the devices could do is a doubt with its yuan, never a figure above 100 % without a word.

use super::accounted;
use crate::facts::Company;
use crate::facts::folder::{Folder, company};

/// One card for two hours at 18 yuan: at 1,000 TFLOP/s it can do 7.2e18.
fn facts(model_flops: &str, precision: &str) -> Folder {
    company()
        .file(
            "price_book.csv",
            "site,model,ownership,price_per_device_hour,from\ns1,H100,cloud,18.00,2026-01-01\n",
        )
        .file("nodes.csv", "node,site,ownership\nn1,s1,cloud\n")
        .file(
            "device_models.csv",
            "model,vendor,tdp_w,peak_bf16_tflops,source,confidence\nH100,nvidia,700,1000,test,A\n",
        )
        .file(
            "workloads.csv",
            format!(
                "workload,source,kind,name,project,started,ended,state,precision
w1,slurm,training,run,p1,2026-07-01T00:00:00+08:00,2026-07-01T02:00:00+08:00,completed,{precision}
"
            ),
        )
        .file(
            "placements.csv",
            "workload,device,start,end,seq
w1,d1,2026-07-01T00:00:00+08:00,2026-07-01T02:00:00+08:00,1
",
        )
        .file(
            "work.csv",
            format!(
                "workload,start,end,model_flops
w1,2026-07-01T00:00:00+08:00,2026-07-01T02:00:00+08:00,{model_flops}
"
            ),
        )
}

async fn doubts(facts: &Folder) -> Vec<(String, Option<i64>, String)> {
    let store = Company::new().await;
    store.import(facts).await;
    accounted(&store, Some(("2026-07-01", "2026-07-02"))).await;
    sqlx::query_as("SELECT subject, amount, detail FROM doubts WHERE kind = 'mfu_above_one'")
        .fetch_all(store.db())
        .await
        .unwrap()
}

#[tokio::test]
async fn more_flops_than_the_peak_allows_is_a_doubt() {
    let found = doubts(&facts("9e18", "bf16")).await;
    let expected = ("w1".to_owned(), Some(36_000_000), "MFU 1.25".to_owned());
    assert_eq!(found, [expected]);
}

#[tokio::test]
async fn nothing_is_said_below_the_peak_or_without_one() {
    assert_eq!(doubts(&facts("7.2e18", "bf16")).await, []);
    assert_eq!(doubts(&facts("9e18", "fp8")).await, []);
}
