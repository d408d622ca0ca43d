//! What becomes of rows: new, replaced, unchanged, rejected with line, column and reason.

use std::path::Path;

use accounting::quantity::Rational;
use backend::facts::Options;
use backend::store::links;
use backend::tasks::roll_up::roll_up;

use super::folder::{Folder, company};
use super::{Company, counts, refusals, told};

#[tokio::test]
async fn importing_again_changes_nothing() {
    let company = Company::new().await;
    let example = example();
    let (path, options) = (example.path(), Options::default());
    let first = company.try_import(path.clone(), &options).await.unwrap();
    assert!(
        first
            .files
            .iter()
            .all(|f| f.rows_new == f.rows_read && f.rows_read > 0)
    );
    assert!(first.files.iter().all(|f| f.outcome == "imported"));
    company.roll_up().await;
    let (facts, days) = (company.facts().await, company.count("dirty_days").await);

    let again = company.try_import(path, &options).await.unwrap();
    assert!(again.files.iter().all(|f| f.rows_unchanged == f.rows_read));
    assert!(again.files.iter().all(|f| f.outcome == "unchanged"));
    assert_eq!(company.roll_up().await, 0);
    assert_eq!(format!("{:?}", company.facts().await), format!("{facts:?}"));
    assert_eq!(company.count("dirty_days").await, days);
}

/// The example company, with the first days of its samples.
fn example() -> Folder {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../seed/example/facts");
    let mut example = Folder::new();
    for file in std::fs::read_dir(path).unwrap() {
        let file = file.unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        let some: Vec<&str> = text.lines().take(2000).collect();
        example = example.file(file.file_name().to_str().unwrap(), some.join("\n"));
    }
    example
}

#[tokio::test]
async fn a_bad_row_is_told_and_the_others_are_kept() {
    let company = Company::new().await;
    let entry = company
        .import_text(
            "workloads.csv",
            "workload,source,kind,name,started,ended,state,labels\n\
             w1,slurm,training,ok,2026-07-01T00:00:00+08:00,,running,a=b\n\
             w2,slurm,training,no zone,2026-07-01T00:00:00,,running,\n\
             w3,slurm,trainig,kind,2026-07-01T00:00:00Z,,running,\n\
             w4,slurm,training,\"two\nlines\",2026-07-02T00:00:00Z,2026-07-01T00:00:00Z,running,\n\
             w5,slurm,training,short,2026-07-01T00:00:00Z\n\
             ,slurm,training,no id,2026-07-01T00:00:00Z,,running,\n\
             w7,slurm,training,label,2026-07-01T00:00:00Z,,running,nope\n\
             w8,slurm,training,year,0026-07-01T00:00:00Z,,running,\n\
             w9,slurm,training,order,2026-07-02T00:00:00Z,2026-07-01T00:00:00Z,running,\n",
        )
        .await;
    assert_eq!(counts(&entry), (9, 1, 0, 0, 8));
    insta::assert_snapshot!(refusals(&entry).join("\n"), @r#"
    3, started: `2026-07-01T00:00:00` has no offset: write `+08:00` behind it, or `zone = "Asia/Shanghai"` in facts.toml beside the file
    4, kind: `trainig` is not one of training, fine_tune, inference, interactive, evaluation, hpc, other; the nearest is `training`
    5, : a quoted cell goes on over several lines: is a quote before it not closed?
    7, : has 5 cells, the header has 8
    8, workload: is missing
    9, labels: `nope` is not `key=value`
    10, started: `0026-07-01` is outside the years 2000 to 2099 (leave the cell empty for an open end)
    11, ended: is before `started`
    "#);
}

#[tokio::test]
async fn placements_in_several_files_of_a_folder_are_one_batch() {
    let head = "workload,device,start,end\n";
    let first = format!("{head}w1,d1,2026-07-01T00:00:00Z,2026-07-01T01:00:00Z\n");
    let second = format!("{head}w1,d1,2026-07-01T02:00:00Z,2026-07-01T03:00:00Z\n");
    let folder = |first: &str, second: &str| {
        Folder::new()
            .file("placements-2026-06.csv", first)
            .file("placements-2026-07.csv", second)
            .file("coverage.csv", "source,scope,name,kind,start,end\n")
    };
    let company = Company::new().await;
    // Twice: what stands already stays, whichever file brought it.
    for _ in 0..2 {
        company.import(&folder(&first, &second)).await;
        assert_eq!(company.count("placements").await, 2);
    }
    let days = company.count("dirty_days").await;
    company.import(&folder(&first, &second)).await;
    assert_eq!(company.count("dirty_days").await, days);
    // A batch without the first hour takes it away.
    let third = format!("{head}w1,d1,2026-07-01T04:00:00Z,2026-07-01T05:00:00Z\n");
    company.import(&folder(&second, &third)).await;
    assert_eq!(company.count("placements").await, 2);
    let starts: Vec<String> =
        sqlx::query_scalar("SELECT \"start\"::text FROM placements ORDER BY 1")
            .fetch_all(company.db())
            .await
            .unwrap();
    assert!(
        starts[0].starts_with("2026-07-01 02") && starts[1].starts_with("2026-07-01 04"),
        "{starts:?}"
    );
}

#[tokio::test]
async fn one_key_with_two_values_is_rejected_in_both_lines() {
    let company = Company::new().await;
    let entry = company
        .import_text("teams.csv", "team,name\nt1,A\nt2,B\nt1,C\nt3,D\nt3,D\n")
        .await;
    assert_eq!(counts(&entry), (5, 2, 0, 1, 2));
    assert_eq!(
        refusals(&entry),
        [
            "2, : `t1` stands with different values in lines 2, 4",
            "4, : `t1` stands with different values in lines 2, 4"
        ]
    );
    // Across files the later one wins.
    let entry = company
        .import_text("teams.csv", "team,name\nt2,New\nt3,D\nt4,E\n")
        .await;
    assert_eq!(counts(&entry), (3, 1, 1, 1, 0));
    let names: Vec<String> = company
        .facts()
        .await
        .teams
        .into_iter()
        .map(|t| t.name)
        .collect();
    assert_eq!(names, ["New", "D", "E"]);
}

#[tokio::test]
async fn placements_without_sequence_replace_those_of_their_workloads() {
    let company = Company::new().await;
    let header = "workload,device,start,end,share\n";
    let first = format!(
        "{header}w1,d1,2026-07-01T00:00:00Z,,1\nw1,d2,2026-07-01T00:00:00Z,,1\nw2,d3,2026-07-01T00:00:00Z,,1/7\n"
    );
    let entry = company.import_text("placements.csv", first).await;
    assert_eq!(counts(&entry), (3, 3, 0, 0, 0));
    let later = format!("{header}w1,d1,2026-07-01T00:00:00Z,2026-07-01T05:00:00Z,1\n");
    let entry = company.import_text("placements.csv", later).await;
    assert_eq!(counts(&entry), (1, 0, 1, 0, 0));
    assert_eq!(
        told(&entry),
        ["1 stored row that is no longer named was removed"]
    );
    assert_eq!(company.count("placements").await, 2);

    // With a sequence only that row.
    let header = "workload,device,start,end,share,seq\n";
    let text =
        format!("{header}w2,d3,2026-07-02T00:00:00Z,,1,1\nw2,d3,2026-07-03T00:00:00Z,,1,2\n");
    let entry = company.import_text("placements.csv", text).await;
    assert_eq!(counts(&entry), (2, 2, 0, 0, 0));
    let text = format!("{header}w2,d3,2026-07-03T00:00:00Z,2026-07-04T00:00:00Z,1,2\n");
    let entry = company.import_text("placements.csv", text).await;
    assert_eq!(counts(&entry), (1, 0, 1, 0, 0));
    assert_eq!(company.count("placements WHERE workload = 'w2'").await, 3);
    let text =
        format!("{header}w2,d3,2026-07-03T00:00:00Z,,1,2\nw2,d3,2026-07-03T00:00:00Z,,1/2,2\n");
    let entry = company.import_text("placements.csv", text).await;
    assert_eq!(counts(&entry), (2, 0, 0, 0, 2));
}

#[tokio::test]
async fn tariff_rows_that_leave_two_levels_are_rejected() {
    let company = Company::new().await;
    let header = "tariff,from,months,days,slot,level\n";
    let text = format!(
        "{header}t,2026-01-01,1-12,all,08:00-12:00,peak\nt,2026-01-01,7-8,all,11:00-13:00,valley\n\
         t,2026-01-01,1-12,weekend,08:00-12:00,valley\n"
    );
    let entry = company.import_text("tariffs.csv", text).await;
    assert_eq!(counts(&entry), (3, 1, 0, 0, 2));
    assert!(
        refusals(&entry)[0].contains("line 3"),
        "{:?}",
        refusals(&entry)
    );
    // The corrected tariff replaces all of it.
    let text = format!("{header}t,2026-01-01,1-12,all,08:00-12:00,peak\n");
    let entry = company.import_text("tariffs.csv", text).await;
    assert_eq!(counts(&entry), (1, 0, 1, 0, 0));
    assert_eq!(company.facts().await.tariffs.len(), 1);
}

#[tokio::test]
async fn vat_is_taken_off_exactly() {
    let company = Company::new().await;
    let folder = company_with_prices();
    let report = company.import(&folder).await;
    assert_eq!(report.rejected_rows(), 0, "{:?}", report.files);
    let facts = company.facts().await;
    assert_eq!(facts.assets[0].price_fen, 60_000_000);
    assert_eq!(facts.recurring[0].amount_micro, 88_495_575);
    assert_eq!(
        facts.tariff_prices[0].price_per_kwh,
        Rational {
            num: 2821,
            den: 2260
        }
    );
    assert_eq!(&*facts.tariff_prices[0].currency, "CNY");
    let assets = report.files.iter().find(|f| f.kind == "assets").unwrap();
    assert_eq!(assets.amounts, [("CNY".to_owned(), "678000.00".to_owned())]);
}

fn company_with_prices() -> Folder {
    company()
        .file(
            "assets.csv",
            "asset,name,site,nodes,price,vat_rate,in_service,life_months,residual_rate,method,start_rule\n\
             a,A,s1,n1,678000.00,0.13,2025-03-10,60,0.05,straight_line,next_month\n",
        )
        .file(
            "recurring.csv",
            "charge,name,site,component,amount,vat_rate,from_month\nr,R,s1,rent,100.00,0.13,2026-01\n",
        )
        .file(
            "tariff_prices.csv",
            "tariff,month,level,price_per_kwh,vat_rate\nt,2026-07,peak,1.4105,0.13\n",
        )
}

#[tokio::test]
async fn a_later_row_of_a_charge_or_relation_ends_the_earlier_one() {
    let company = Company::new().await;
    let later = Folder::new()
        .file(
            "projects.csv",
            "project,name,team,valid_from\np1,P,t2,2026-07-01\n",
        )
        .file(
            "recurring.csv",
            "charge,name,site,component,amount,from_month\nr,R,s1,rent,20,2026-07\n",
        );
    let earlier = Folder::new()
        .file("projects.csv", "project,name,team\np1,P,t1\n")
        .file(
            "recurring.csv",
            "charge,name,site,component,amount,from_month\nr,R,s1,rent,10,2026-01\n",
        );
    // In whichever order they come.
    company.import(&later).await;
    company.import(&earlier).await;
    let facts = company.facts().await;
    assert_eq!(facts.projects[0].valid.to, facts.projects[1].valid.from);
    assert_eq!(facts.recurring[0].to_month.unwrap().to_string(), "2026-06");
    assert_eq!(facts.recurring[1].to_month, None);
}

#[tokio::test]
async fn rules_and_policies_are_checked() {
    let company = Company::new().await;
    let entry = company
        .import_text(
            "rules.csv",
            "order,rule,applies,match,project,pool\n1,a,,queue=x,p1,\n2,b,,qos=LS,p1,\n3,c,,queue=x,p1,shared\n\
             4,d,,queue=x,,\n5,e,bill_line,provider=aliyun,,shared:s1\n6,f,,provider=aliyun,p1,\n7,g,,queue=x,,shard\n",
        )
        .await;
    assert_eq!(counts(&entry), (7, 2, 0, 0, 5));
    insta::assert_snapshot!(refusals(&entry).join("\n"), @r#"
    3, match: `qos` is no key to match by; the nearest is `kind` (known: source, kind, name, user, queue, namespace, account, workload, label., tag.)
    4, project: exactly one of `project` and `pool` is needed
    5, project: exactly one of `project` and `pool` is needed
    7, match: `provider` is no key to match by; the nearest is `source` (known: source, kind, name, user, queue, namespace, account, workload, label., tag.)
    8, pool: `shard` is not one of unallocated, out_of_service, unknown_alloc, shared, no_device, power_variance, disposal, support, tax, credits; the nearest is `shared`
    "#);
    let entry = company
        .import_text(
            "policies.csv",
            "pool,policy,weights,from_month\nshared,fixed,p1:60;p2:41,2026-07\nshared:s1,fixed,p1:60;p2:30,2026-07\n\
             support,by_cost,p1:1,2026-07\nidle,keep,,2026-07\nunallocated,fixed,,2026-07\n",
        )
        .await;
    assert_eq!(counts(&entry), (5, 1, 0, 0, 4));
    insta::assert_snapshot!(refusals(&entry).join("\n"), @r#"
    2, weights: the percents sum to more than 100
    4, weights: only policy `fixed` has weights
    5, pool: `idle` is not one of unallocated, out_of_service, unknown_alloc, shared, no_device, power_variance, disposal, support, tax, credits
    6, weights: policy `fixed` needs `project:percent;…`
    "#);
}

#[tokio::test]
async fn values_out_of_range_are_dropped_and_counted() {
    let company = Company::new().await;
    company.import(&company_folder()).await;
    let entry = company
        .import_text(
            "samples.csv",
            "device,time,interval_s,g,power_w,energy_j\n\
             d1,2026-07-01T00:00:00Z,60,0.5,300,1000\n\
             d1,2026-07-01T00:01:00Z,60,1.0050,1400.01,140737488355328\n\
             d1,2026-07-01T00:02:00Z,60,1.2,-1,nan\n\
             dx,2026-07-01T00:00:00Z,60,0.5,2999,\n\
             dx,2026-07-01T00:01:00Z,60,0.5,3001,\n\
             d1,2026-07-01T00:03:00Z,0,0.5,300,1000\n",
        )
        .await;
    assert_eq!(counts(&entry), (6, 5, 0, 0, 1));
    let told: Vec<String> = entry
        .dropped
        .iter()
        .map(|d| format!("{} {}: {}", d.values, d.column, d.reason))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    1 energy_j: above what such a value can be
    1 energy_j: not a number (NaN or infinite)
    1 g: outside 0 to 1.0050
    1 power_w: negative
    2 power_w: above twice the model's TDP (3 kW when that is unknown), not used
    "#);
}

fn company_folder() -> Folder {
    company()
}

#[tokio::test]
async fn strict_and_dry_run_change_nothing() {
    let company = Company::new().await;
    let folder = company_folder().file("teams.csv", "team,name\nt1,T\n,no id\n");
    let dry = Options {
        dry_run: true,
        ..Options::default()
    };
    let report = company.try_import(folder.path(), &dry).await.unwrap();
    assert!(
        report
            .files
            .iter()
            .any(|f| f.kind == "teams" && counts(f) == (2, 1, 0, 0, 1))
    );
    assert!(!report.is_refused);
    let strict = Options {
        strict: true,
        ..Options::default()
    };
    let report = company.try_import(folder.path(), &strict).await.unwrap();
    assert!(report.is_refused);
    for table in ["teams", "sites", "imports", "dirty_days"] {
        assert_eq!(company.count(table).await, 0, "{table}");
    }
    let folder = folder.file("teams.csv", "team,name\nt1,T\n");
    let report = company.try_import(folder.path(), &strict).await.unwrap();
    assert!(!report.is_refused);
    assert_eq!(company.count("teams").await, 1);
}

#[tokio::test]
async fn files_of_later_rules_are_named_and_counted() {
    let company = Company::new().await;
    let entry = company
        .import_text(
            "quotas.csv",
            "project,site,devices,valid_from\np1,s1,4,2026-01-01\np2,s1,4,2026-01-01\n",
        )
        .await;
    assert_eq!((entry.outcome, entry.rows_read), ("not_yet_read", 2));
}

#[tokio::test]
async fn the_format_given_overrides_the_name() {
    let company = Company::new().await;
    let folder = Folder::new().file("people.csv", "team,name\nt1,T\n");
    let forced = |name: &str| Options {
        format: Some(name.to_owned()),
        ..Options::default()
    };
    let report = company
        .try_import(folder.path(), &forced("teams"))
        .await
        .unwrap();
    assert_eq!(report.files[0].kind, "teams");
    let error = company
        .try_import(folder.path(), &forced("team"))
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("the nearest is `teams`"),
        "{error}"
    );
}

#[tokio::test]
async fn names_that_nobody_describes_are_told() {
    let company = Company::new().await;
    company
        .import_text(
            "devices.csv",
            "device,node,slot,model\nd1,n1,0,H100\nd2,n1,1,H100\n",
        )
        .await;
    company
        .import_text(
            "samples.csv",
            "device,time,interval_s,g\nd9,2026-07-01T00:00:00Z,60,1\n",
        )
        .await;
    let rolled = roll_up(company.db(), &mut |_, _| {}).await.unwrap();
    assert_eq!(rolled.unknown, ["d9"]);
    let broken = links::broken(company.db()).await.unwrap();
    assert_eq!(broken.len(), 1);
    assert_eq!(
        (
            broken[0].table,
            broken[0].of,
            broken[0].rows,
            &*broken[0].example
        ),
        ("devices", "nodes", 2, "n1")
    );
    company
        .import_text("nodes.csv", "node,site,ownership\nn1,s1,owned\n")
        .await;
    company
        .import_text(
            "sites.csv",
            "site,name,kind,zone\ns1,S,owned,Asia/Shanghai\n",
        )
        .await;
    assert_eq!(links::broken(company.db()).await.unwrap(), []);
}
