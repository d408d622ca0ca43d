//! The command line says in Chinese what it says in English, and the import ledger keeps neither.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::facts::Company;
use crate::facts::folder::{Folder, company};

/// A row, a value and a file that cannot be taken, and a node of no site.
fn bad_files() -> Folder {
    company()
        .file("nodes.csv", "node,site,ownership\nn1,s9,owned\n")
        .file("teams.csv", "team,name\nt1,T\n,no id\n")
        .file("people.csv", "person,nmae\np1,P\n")
        .file(
            "samples.csv",
            "device,time,interval_s,g\nd1,2026-07-01T00:00:00Z,60,1.2\nd1,2026-07-01T00:01:00,60,0.5\n",
        )
}

/// Runs the program away from any configuration of the machine.
fn run(store: &Company, home: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_suanzhang"))
        .args(arguments)
        .args(["--database-url", store.url()])
        .current_dir(home)
        .env_remove("DATABASE_URL")
        .env_remove("SUANZHANG_LANGUAGE")
        .env("LC_ALL", "C")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The lines that say something of these files, without those of files that came in whole.
fn of_interest(output: &Output) -> String {
    let said = text(&output.stdout);
    let kept = said.lines().filter(|line| {
        ![
            "sites.csv",
            "devices.csv [",
            "device_models.csv",
            "projects.csv",
        ]
        .iter()
        .any(|name| line.contains(name) && line.contains("facts/"))
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// A folder of a known name, since it is told.
fn import(store: &Company, files: &Folder, more: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    let facts = home.path().join("facts");
    std::os::unix::fs::symlink(files.path(), &facts).unwrap();
    let mut arguments = vec!["import", "facts"];
    arguments.extend(more);
    run(store, home.path(), &arguments)
}

#[tokio::test]
async fn a_bad_file_is_told_in_the_language_asked_for() {
    let store = Company::new().await;
    let output = import(&store, &bad_files(), &["--lang", "zh"]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(of_interest(&output), @r#"
    facts/nodes.csv [nodes]：读取 1 行，新增 1，替换 0，未变 0，拒收 0
    facts/teams.csv [teams]：读取 2 行，新增 1，替换 0，未变 0，拒收 1
      第 3 行，列 team：没有填写
    facts/samples.csv [samples]：读取 2 行，新增 1，替换 0，未变 0，拒收 1
      列 g 丢弃 1 个值：不在 0 至 1.0050 之间
      第 3 行，列 time：`2026-07-01T00:01:00` 没有时区偏移：请在其后写 `+08:00`，或在同一文件夹的 facts.toml 中写 `zone = "Asia/Shanghai"`
    facts/people.csv [?]：整份拒收
      第 1 行：people 没有 `nmae` 这一列；是否应为 `name`？
    已整理 1 张卡的分钟数据，共 0 卡时
    nodes：有 1 行的 site 没有在 sites.csv 中说明，例如 `s9`
    "#);
    insta::assert_snapshot!(text(&output.stderr), @"
    suanzhang: 8 个文件中有 1 个被拒收
      请按上面的说明改正后重新导入，其余文件不受影响
    ");
    let output = import(&store, &bad_files(), &["--lang", "en"]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(of_interest(&output), @r#"
    facts/nodes.csv [nodes]: 1 read, 0 new, 0 replaced, 1 unchanged, 0 rejected
    facts/teams.csv [teams]: 2 read, 0 new, 0 replaced, 1 unchanged, 1 rejected
      line 3, team: is missing
    facts/samples.csv [samples]: 2 read, 0 new, 0 replaced, 1 unchanged, 1 rejected
      dropped 1 of g: outside 0 to 1.0050
      line 3, time: `2026-07-01T00:01:00` has no offset: write `+08:00` behind it, or `zone = "Asia/Shanghai"` in facts.toml beside the file
    facts/people.csv [?]: rejected
      line 1: unknown column `nmae` for people; did you mean `name`?
    nodes: 1 row with a site that no sites.csv describes, for example `s9`
    "#);
    insta::assert_snapshot!(text(&output.stderr), @"
    suanzhang: 1 file rejected (of 8)
      put right what is said above and import again; the other files are not touched by it
    ");
}

#[tokio::test]
async fn trials_and_strictness_are_told_in_chinese_too() {
    let store = Company::new().await;
    let rows = company().file("teams.csv", "team,name\nt1,T\n,no id\n");
    let dry = import(&store, &rows, &["--lang", "zh", "--dry-run"]);
    assert_eq!(dry.status.code(), Some(0));
    assert!(text(&dry.stdout).ends_with("试运行：没有改动任何数据\n"));
    let strict = import(&store, &rows, &["--lang", "zh", "--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    insta::assert_snapshot!(text(&strict.stderr), @"
    suanzhang: 没有导入任何内容：0 个文件、1 行不合格
      请改正后再导入，或去掉 --strict，只略去它们
    ");
    assert_eq!(store.count("imports").await, 0);
}

#[tokio::test]
async fn what_stops_a_command_is_told_in_chinese_too() {
    let store = Company::new().await;
    let home = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| {
        let mut all = arguments.to_vec();
        all.extend(["--lang", "zh"]);
        let output = run(&store, home.path(), &all);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        text(&output.stderr)
    };
    let absent = said(&["import", "nowhere.csv"]);
    assert!(
        absent.starts_with("suanzhang: nowhere.csv：无法读取："),
        "{absent}"
    );
    let unknown = said(&["import", ".", "--format", "team"]);
    assert!(
        unknown.starts_with("suanzhang: --format：`team` 不在可选值（sites、"),
        "{unknown}"
    );
    assert!(
        unknown.ends_with("）之列\n  最接近的是 `teams`\n"),
        "{unknown}"
    );
    insta::assert_snapshot!(said(&["user", "disable", "nobody"]), @"
    suanzhang: 没有用户 `nobody`
      `suanzhang user list` 列出所有用户
    ");
    insta::assert_snapshot!(said(&["waste", "--from", "2026-07-02", "--to", "2026-07-01"]), @"
    suanzhang: --to 须晚于 --from
      时间段不含 --to 当天，--to 写最后一天的次日
    ");
    let absent = said(&["account", "--config", "nowhere.toml"]);
    assert!(
        absent.starts_with("suanzhang: nowhere.toml：无法读取："),
        "{absent}"
    );
}

#[tokio::test]
async fn a_table_has_the_readers_heads_and_csv_has_its_own() {
    let store = Company::new().await;
    let home = tempfile::tempdir().unwrap();
    let heads = |command: &[&str], format: &str, language: &str| {
        let mut all = command.to_vec();
        all.extend(["--format", format, "--lang", language]);
        let output = run(&store, home.path(), &all);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        let first = said.lines().next().unwrap_or_default();
        first
            .split([' ', ','])
            .filter(|head| !head.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let query = [
        "query",
        "--group-by",
        "project",
        "--from",
        "2026-07-01",
        "--to",
        "2026-07-02",
    ];
    let names = "period project value unit currency status coverage";
    assert_eq!(
        heads(&query, "table", "zh"),
        "时段 项目 数值 单位 货币 状态 数据覆盖"
    );
    assert_eq!(heads(&query, "table", "en"), names);
    assert_eq!(heads(&query, "csv", "zh"), names);
    let waste = ["waste", "--from", "2026-07-01", "--to", "2026-07-02"];
    let in_chinese = heads(&waste, "table", "zh");
    assert!(in_chinese.starts_with("类别 原因 "), "{in_chinese}");
    assert!(heads(&waste, "csv", "zh").starts_with("category reason "));
}

#[tokio::test]
async fn a_check_is_told_in_either_language() {
    let store = Company::new().await;
    store.import(&bad_files()).await;
    let home = tempfile::tempdir().unwrap();
    let check = |language: &str| {
        let output = run(&store, home.path(), &["check", "--lang", language]);
        assert_eq!(output.status.code(), Some(1));
        (text(&output.stdout), text(&output.stderr))
    };
    let (said, failed) = check("zh");
    for line in [
        "配置\n",
        "    language = zh（命令行）\n",
        "    listen = 127.0.0.1:8080（默认）\n",
        "  ! 1 个文件被整份拒收，",
        "  ! 2 行被拒收，",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert!(failed.starts_with("suanzhang: 有 "), "{failed}");
    let (said, failed) = check("en");
    for line in [
        "configuration\n",
        "    language = en  (command line)\n",
        "  ! 1 file rejected as a whole; ",
        "  ! 2 rows were rejected; ",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert!(
        failed.ends_with(" need a person, marked ! above\n"),
        "{failed}"
    );
}

#[tokio::test]
async fn the_ledger_keeps_codes_and_arguments() {
    let store = Company::new().await;
    store.import(&bad_files()).await;
    let kept = |column: &'static str, kind: &'static str| {
        let db = store.db().clone();
        async move {
            let statement = format!("SELECT {column} FROM imports WHERE kind = '{kind}'");
            sqlx::query_scalar::<_, Value>(sqlx::AssertSqlSafe(statement))
                .fetch_one(&db)
                .await
                .unwrap()
        }
    };
    assert_eq!(
        kept("rejections", "teams").await,
        json!([{ "line": 3, "column": "team", "reason": { "code": "missing" } }])
    );
    assert_eq!(
        kept("dropped", "samples").await,
        json!([{ "column": "g", "values": 1, "reason": { "code": "outside_fraction" } }])
    );
    assert_eq!(
        kept("messages", "").await,
        json!([{ "line": 1, "reason": {
            "code": "unknown_column", "column": "nmae", "kind": "people", "nearest": "name"
        } }])
    );
}
