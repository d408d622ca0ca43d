//! Files that are not what they should be: one clear error each, nothing half-written, memory bounded.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use backend::facts::Options;

use super::folder::{Folder, company};
use super::{Company, counts, refusals, told};

/// The message of the one file of `folder`, which must be refused.
async fn refused(company: &Company, folder: &Folder) -> String {
    let report = company.import(folder).await;
    assert_eq!(report.files.len(), 1, "{:?}", report.files);
    assert_eq!(report.files[0].outcome, "rejected", "{:?}", report.files);
    told(&report.files[0]).remove(0)
}

#[tokio::test]
async fn a_wrong_header_refuses_the_file_and_no_other() {
    let store = Company::new().await;
    let folder = company().file("devices.csv", "device,node,slot,modle\nd1,n1,0,H100\n");
    let report = store.import(&folder).await;
    assert_eq!(report.rejected_files(), 1);
    let entry = report
        .files
        .iter()
        .find(|f| f.file.ends_with("devices.csv"))
        .unwrap();
    assert_eq!(
        told(entry),
        ["line 1: unknown column `modle` for devices; did you mean `model`?"]
    );
    assert_eq!(store.count("devices").await, 0);
    assert_eq!(store.count("nodes").await, 1);
    // The file put right finishes the job.
    let report = store.import(&company()).await;
    assert_eq!(report.rejected_files(), 0);
    assert_eq!(store.count("devices").await, 2);
}

#[tokio::test]
async fn an_empty_file_has_not_even_a_header() {
    let store = Company::new().await;
    let message = refused(&store, &Folder::new().file("teams.csv", "")).await;
    assert_eq!(message, "is empty: not even a header");
    let entry = store.import_text("teams.csv", "team,name\n").await;
    assert_eq!(
        (entry.outcome, counts(&entry)),
        ("imported", (0, 0, 0, 0, 0))
    );
}

#[tokio::test]
async fn gbk_is_read_and_a_byte_order_mark_is_skipped() {
    let store = Company::new().await;
    let (gbk, _, _) = encoding_rs::GBK.encode("team,name\nt1,大模型组\n");
    store.import_text("teams.csv", gbk).await;
    store
        .import_text("projects.csv", "\u{feff}project,name,team\np1,视觉,t1\n")
        .await;
    let facts = store.facts().await;
    assert_eq!(facts.teams[0].name, "大模型组");
    assert_eq!(facts.projects[0].name, "视觉");
}

#[tokio::test]
async fn gbk_and_utf8_over_many_chunks_are_the_same() {
    let store = Company::new().await;
    let mut text = "team,name\n".to_owned();
    for team in 0..20_000 {
        text.push_str(&format!("t{team},算力平台第{team}组\n"));
    }
    let (gbk, _, _) = encoding_rs::GBK.encode(&text);
    let entry = store.import_text("teams.csv", gbk).await;
    assert_eq!(counts(&entry), (20_000, 20_000, 0, 0, 0));
    let entry = store.import_text("teams.csv", &text).await;
    assert_eq!(counts(&entry), (20_000, 0, 0, 20_000, 0));
    assert!(
        store
            .facts()
            .await
            .teams
            .iter()
            .all(|team| team.name.starts_with("算力平台第"))
    );
}

#[tokio::test]
async fn other_encodings_are_refused_with_their_line() {
    let store = Company::new().await;
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("team,name\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let message = refused(&store, &Folder::new().file("teams.csv", utf16)).await;
    assert!(
        message.starts_with("is UTF-16; save it as UTF-8"),
        "{message}"
    );
    let bare: Vec<u8> = "team,name\n"
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    let message = refused(&store, &Folder::new().file("teams.csv", bare)).await;
    assert!(message.starts_with("line 1: holds a NUL byte"), "{message}");
    let message = refused(
        &store,
        &Folder::new().file("teams.csv", "team,name\nt1,a\nt2,b\0\n"),
    )
    .await;
    assert!(message.starts_with("line 3: holds a NUL byte"), "{message}");
    let message = refused(
        &store,
        &Folder::new().file("teams.csv", b"team,name\nt1,a\nt2,\xff\xff\n"),
    )
    .await;
    assert_eq!(
        message,
        "line 3: is neither UTF-8 nor GBK; save it as UTF-8"
    );
    assert_eq!(store.count("teams").await, 0);
}

#[tokio::test]
async fn a_line_of_200_megabytes_is_one_error_in_little_memory() {
    let store = Company::new().await;
    let folder = Folder::new().file("teams.csv", "");
    let mut file = BufWriter::new(File::create(folder.path().join("teams.csv")).unwrap());
    file.write_all(b"team,name\nt1,ok\nt2,").unwrap();
    let block = vec![b'a'; 1 << 20];
    for _ in 0..200 {
        file.write_all(&block).unwrap();
    }
    file.write_all(b"\nt3,ok\n").unwrap();
    file.flush().unwrap();
    let message = refused(&store, &folder).await;
    assert!(
        message.starts_with("line 3: the record that begins here is longer than 1 MiB"),
        "{message}"
    );
    assert_eq!(store.count("teams").await, 0);
    assert!(peak_mib() < 200, "{} MiB", peak_mib());
}

/// What this process had in memory at most.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        / 1024
}

#[tokio::test]
async fn a_quote_that_is_not_closed_is_told_by_its_line() {
    let store = Company::new().await;
    let mut text = "team,name\nt1,ok\nt2,\"open\n".to_owned();
    for team in 3..200_000 {
        text.push_str(&format!("t{team},name\n"));
    }
    let message = refused(&store, &Folder::new().file("teams.csv", text)).await;
    assert!(
        message.starts_with("line 3: the record that begins here"),
        "{message}"
    );
    assert_eq!(store.count("teams").await, 0);
}

#[tokio::test]
async fn a_file_that_ends_in_an_open_quote_loses_no_row_in_silence() {
    let store = Company::new().await;
    let open = "team,name\nt1,\"abc\nt2,b\nt3,c\n";
    let message = refused(&store, &Folder::new().file("teams.csv", open)).await;
    assert_eq!(
        message,
        "line 2: the file ends inside a quoted cell that begins here: close the quote"
    );
    // A later quote closes it by chance: the row is refused, and says why.
    let closed = "team,name\nt1,\"abc\nt2,b\"\nt3,c\n";
    let entry = store.import_text("teams.csv", closed).await;
    assert_eq!(counts(&entry), (2, 1, 0, 0, 1));
    assert!(
        refusals(&entry)[0].starts_with("2, : a quoted cell goes on over several lines"),
        "{:?}",
        refusals(&entry)
    );
    let quoted = "team,name\nt4,\"a, \"\"b\"\"\"\n";
    assert_eq!(store.import_text("teams.csv", quoted).await.rows_new, 1);
}

#[tokio::test]
async fn lines_count_alike_whatever_ends_them() {
    let store = Company::new().await;
    for end in ["\n", "\r\n", "\r"] {
        let text = ["team,name", "t1,T", ",no id", "t2,T", ""].join(end);
        let entry = store.import_text("teams.csv", text).await;
        assert_eq!(entry.rows_read, 3, "{end:?}");
        assert_eq!(refusals(&entry), ["3, team: is missing"], "{end:?}");
    }
}

#[tokio::test]
async fn what_the_database_cannot_keep_is_refused_by_its_cell() {
    let store = Company::new().await;
    let mut check = Vec::new();
    for (name, text, expected) in [
        (
            "assets.csv",
            "asset,name,site,price,in_service,life_months,residual_rate,method,start_rule\n\
             a,A,s1,100000000000000000,2026-01-01,36,0,straight_line,next_month\n",
            "2, price: `100000000000000000` is not from 0 to 1000000000000",
        ),
        (
            "nodes.csv",
            "node,site,ownership,host_overhead_w\nn,s,owned,100000000000000000\n",
            "2, host_overhead_w: `100000000000000000` is not from 0 to 1000000",
        ),
        (
            "sites.csv",
            "site,name,kind,zone,pue_default\ns,S,owned,Asia/Shanghai,0.9\n",
            "2, pue_default: `0.9` is not from 1 to 10",
        ),
        (
            "projects.csv",
            "project,name,team\nunattributed,P,t1\n",
            "2, project: `unattributed` is kept for what no project bears; give the project another name",
        ),
    ] {
        check.push((
            refusals(&store.import_text(name, text).await),
            vec![expected.to_owned()],
        ));
    }
    let long = format!("team,name\n{},T\n", "x".repeat(513));
    check.push((
        refusals(&store.import_text("teams.csv", long).await),
        vec!["2, team: is longer than 512 bytes".to_owned()],
    ));
    for (found, expected) in check {
        assert_eq!(found, expected);
    }
    let longest = format!("team,name\n{},{}\n", "x".repeat(512), "y".repeat(4000));
    assert_eq!(store.import_text("teams.csv", longest).await.rows_new, 1);
}

#[tokio::test]
async fn a_pipe_is_not_waited_for() {
    let store = Company::new().await;
    let folder = Folder::new();
    let pipe = folder.path().join("teams.csv");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    assert_eq!(refused(&store, &folder).await, "is no regular file");
}

#[tokio::test]
async fn an_archive_that_names_a_file_twice_is_not_read_in_part() {
    let store = Company::new().await;
    // The zip writer refuses such names itself, so that two of equal length are made one afterwards.
    let folder = Folder::new().zip(
        "org.zip",
        &[
            ("teams.csv", b"team,name\nt1,T\n"),
            ("teamz.csv", b"team,name\nt2,T\n"),
        ],
    );
    let path = folder.path().join("org.zip");
    let packed = std::fs::read(&path).unwrap();
    let text: Vec<u8> = packed
        .iter()
        .enumerate()
        .map(|(at, byte)| match packed.get(at.saturating_sub(4)..at) {
            Some(b"team") if *byte == b'z' => b's',
            _ => *byte,
        })
        .collect();
    std::fs::write(&path, text).unwrap();
    let error = store
        .try_import(folder.path(), &Options::default())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("two files of one name"),
        "{error}"
    );

    let windows = Folder::new().zip("w.zip", &[("facts\\teams.csv", b"team,name\nt1,T\n")]);
    let report = store.import(&windows).await;
    assert_eq!(counts(&report.files[0]), (1, 1, 0, 0, 0));
}

#[tokio::test]
async fn archives_are_read_without_unpacking() {
    let store = Company::new().await;
    let folder = Folder::new()
        .gzip("teams.csv.gz", b"team,name\nt1,T\n")
        .zip(
            "org.zip",
            &[
                ("a/projects.csv", b"project,name,team\np1,P,t1\n"),
                ("a/facts.toml", b"zone = \"Asia/Shanghai\"\n"),
                ("a/workloads.csv", b"workload,source,kind,name,started,state\nw1,k8s,other,w,2026-07-01 08:00,running\n"),
                ("../../evil.csv", b"person,name\nx,X\n"),
                ("readme.txt", b"not a fact file"),
            ],
        );
    let report = store.import(&folder).await;
    assert_eq!(report.rejected_files(), 0, "{:?}", report.files);
    for (table, rows) in [
        ("teams", 1),
        ("projects", 1),
        ("workloads", 1),
        ("people", 1),
    ] {
        assert_eq!(store.count(table).await, rows, "{table}");
    }
    assert_eq!(store.facts().await.workloads[0].started, 1_782_864_000_000);
}

#[tokio::test]
async fn an_archive_inside_an_archive_is_named() {
    let store = Company::new().await;
    let folder = Folder::new().zip(
        "all.zip",
        &[
            ("teams.csv", b"team,name\nt1,T\n"),
            ("samples.csv.gz", b"x"),
        ],
    );
    let report = store.import(&folder).await;
    assert_eq!((report.files.len(), report.rejected_files()), (2, 1));
    let refused = report
        .files
        .iter()
        .find(|f| f.outcome == "rejected")
        .unwrap();
    assert!(
        refused.file.ends_with("all.zip/samples.csv.gz"),
        "{}",
        refused.file
    );
    assert_eq!(store.count("teams").await, 1);
}

#[tokio::test]
async fn a_zip_bomb_is_refused() {
    let store = Company::new().await;
    let bomb = vec![b'\n'; 90 << 20];
    let folder = Folder::new().zip("bomb.zip", &[("teams.csv", &bomb)]);
    let packed = std::fs::metadata(folder.path().join("bomb.zip"))
        .unwrap()
        .len();
    assert!(packed < 1 << 20);
    let message = refused(&store, &folder).await;
    assert!(message.contains("unfolds to more than"), "{message}");
    let folder = Folder::new().gzip("teams.csv.gz", &bomb);
    let message = refused(&store, &folder).await;
    assert!(message.contains("unfolds to more than"), "{message}");
    assert_eq!(store.count("teams").await, 0);
}

#[tokio::test]
async fn a_damaged_archive_is_refused() {
    let store = Company::new().await;
    let folder = Folder::new().gzip("teams.csv.gz", b"team,name\nt1,T\n");
    let path = folder.path().join("teams.csv.gz");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 6]).unwrap();
    let message = refused(&store, &folder).await;
    assert!(message.starts_with("cannot be read"), "{message}");
    let folder = Folder::new().file("x.zip", "no zip");
    let options = Options::default();
    let error = store.try_import(folder.path(), &options).await.unwrap_err();
    assert!(error.to_string().contains("x.zip"), "{error}");
}

#[tokio::test]
async fn settings_that_cannot_be_read_stop_their_folder() {
    let store = Company::new().await;
    let folder = company().file("facts.toml", "zon = \"Asia/Shanghai\"\n");
    let report = store.import(&folder).await;
    assert_eq!(report.files.len(), 1);
    assert_eq!(
        told(&report.files[0]),
        [
            "unknown key `zon`; did you mean `zone`?",
            "nothing beside it is read"
        ]
    );
    assert_eq!(store.count("sites").await, 0);
}

#[tokio::test]
async fn what_is_no_fact_file_is_told() {
    let store = Company::new().await;
    let options = Options::default();
    let empty = Folder::new();
    let error = store.try_import(empty.path(), &options).await.unwrap_err();
    assert!(error.to_string().contains("no fact files"), "{error}");
    let missing = empty.path().join("nowhere");
    let error = store.try_import(missing, &options).await.unwrap_err();
    assert!(error.to_string().contains("No such file"), "{error}");
    let other = Folder::new().file("x.pdf", "x");
    let error = store
        .try_import(other.path().join("x.pdf"), &options)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("x.pdf"), "{error}");
}
