//! What `suanzhang import` says, in both languages.

use api::Language::{self, Chinese, English};

use crate::command::count;
use crate::store::imports::Entry;
use crate::store::links::Broken;
use crate::tasks::roll_up::RolledUp;

/// Rejected rows told by file; the import ledger keeps more.
const TOLD: usize = 10;

/// What became of a file: a line of counts, then one for everything there is to say.
pub fn file(entry: &Entry, language: Language) -> Vec<String> {
    let kind = match entry.kind.as_str() {
        "" => "?",
        kind => kind,
    };
    let colon = language.choose("：", ": ");
    let mut lines = vec![format!(
        "{} [{kind}]{colon}{}",
        entry.file,
        outcome(entry, language)
    )];
    let mut add = |line: String| lines.push(format!("  {line}"));
    for said in &entry.messages {
        add(said.reason.placed(said.line, "", language));
    }
    for (currency, amount) in &entry.amounts {
        let what = language.choose("所写金额", "amount as written");
        add(format!("{what}{colon}{amount} {currency}"));
    }
    for dropped in &entry.dropped {
        let (values, column) = (dropped.values, &dropped.column);
        let what = match language {
            Chinese => format!("列 {column} 丢弃 {values} 个值"),
            English => format!("dropped {values} of {column}"),
        };
        add(format!("{what}{colon}{}", dropped.reason.text(language)));
    }
    for row in entry.rejections.iter().take(TOLD) {
        add(row.reason.placed(Some(row.line), &row.column, language));
    }
    let told = i64::try_from(entry.rejections.len().min(TOLD)).unwrap_or(0);
    let more = entry.rows_rejected - told;
    if more > 0 {
        add(match language {
            Chinese => format!("……另有 {more} 行拒收"),
            English => format!("… and {}", count(more, "more rejected row")),
        });
    }
    lines
}

fn outcome(entry: &Entry, language: Language) -> String {
    let (read, new, replaced) = (entry.rows_read, entry.rows_new, entry.rows_replaced);
    let (unchanged, rejected) = (entry.rows_unchanged, entry.rows_rejected);
    match (entry.outcome, language) {
        ("rejected", Chinese) => "整份拒收".to_owned(),
        ("rejected", English) => "rejected".to_owned(),
        ("not_yet_read", Chinese) => format!("暂不读取，共 {read} 行"),
        ("not_yet_read", English) => format!("not yet read, {}", count(read, "row")),
        (_, Chinese) => format!(
            "读取 {read} 行，新增 {new}，替换 {replaced}，未变 {unchanged}，拒收 {rejected}"
        ),
        (_, English) => format!(
            "{read} read, {new} new, {replaced} replaced, {unchanged} unchanged, {rejected} rejected"
        ),
    }
}

pub fn progress(done: usize, all: usize, language: Language) -> String {
    match language {
        Chinese => format!("分钟数据：{done} / {all} 张卡"),
        English => format!("minutes: {done} of {all} devices"),
    }
}

/// The minutes that were laid, and the devices among them that nobody describes.
pub fn minutes(rolled: &RolledUp, language: Language) -> Vec<String> {
    let mut lines = Vec::new();
    let (devices, hours) = (rolled.devices, rolled.device_hours);
    if devices > 0 {
        lines.push(match language {
            Chinese => format!("已整理 {devices} 张卡的分钟数据，共 {hours} 卡时"),
            English => format!(
                "minutes of {} laid, {hours} device-hours",
                count(devices, "device")
            ),
        });
    }
    if let Some(example) = rolled.unknown.first() {
        let devices = rolled.unknown.len();
        lines.push(match language {
            Chinese => {
                format!("samples：有 {devices} 张卡没有在 devices.csv 中说明，例如 `{example}`")
            }
            English => format!(
                "samples: {} described by no devices.csv, for example `{example}`",
                count(devices, "device")
            ),
        });
    }
    lines
}

pub fn broken_link(link: &Broken, language: Language) -> String {
    let Broken {
        table,
        column,
        of,
        rows,
        example,
    } = link;
    match language {
        Chinese => {
            format!("{table}：有 {rows} 行的 {column} 没有在 {of}.csv 中说明，例如 `{example}`")
        }
        English => format!(
            "{table}: {} with a {column} that no {of}.csv describes, for example `{example}`",
            count(*rows, "row")
        ),
    }
}

pub const fn dry_run(language: Language) -> &'static str {
    match language {
        Chinese => "试运行：没有改动任何数据",
        English => "dry run: nothing was changed",
    }
}

#[cfg(test)]
mod tests {
    use api::Reason;
    use api::reason::Expected;

    use super::*;
    use crate::store::imports::{Dropped, Rejected, Said};

    fn entry() -> Entry {
        let missing = |line| Rejected {
            line,
            column: "g".to_owned(),
            reason: Reason::Missing,
        };
        Entry {
            file: "a/samples.csv".to_owned(),
            kind: "samples".to_owned(),
            outcome: "imported",
            rows_read: 40,
            rows_new: 25,
            rows_rejected: 15,
            messages: vec![Said::file(Reason::RowsRemoved { rows: 2 })],
            amounts: vec![("CNY".to_owned(), "1.50".to_owned())],
            dropped: vec![Dropped {
                column: "power_w".to_owned(),
                reason: Reason::Negative,
                values: 3,
            }],
            rejections: (2..14).map(missing).collect(),
            ..Entry::default()
        }
    }

    #[test]
    fn a_file_is_told_in_either_language() {
        let english = file(&entry(), English);
        assert_eq!(english.len(), 1 + 1 + 1 + 1 + TOLD + 1);
        insta::assert_snapshot!(shortened(&english), @"
        a/samples.csv [samples]: 40 read, 25 new, 0 replaced, 0 unchanged, 15 rejected
          2 stored rows that are no longer named were removed
          amount as written: 1.50 CNY
          dropped 3 of power_w: negative
          line 2, g: is missing
          … and 5 more rejected rows
        ");
        let chinese = file(&entry(), Chinese);
        assert_eq!(chinese.len(), english.len());
        insta::assert_snapshot!(shortened(&chinese), @"
        a/samples.csv [samples]：读取 40 行，新增 25，替换 0，未变 0，拒收 15
          删除了 2 行不再列出的已存数据
          所写金额：1.50 CNY
          列 power_w 丢弃 3 个值：为负数
          第 2 行，列 g：没有填写
          ……另有 5 行拒收
        ");
    }

    /// Without all but the first of the rejected rows.
    fn shortened(lines: &[String]) -> String {
        let kept = lines.iter().enumerate();
        let kept = kept.filter(|(index, _)| *index < 5 || index + 1 == lines.len());
        let kept: Vec<&str> = kept.map(|(_, line)| line.as_str()).collect();
        kept.join("\n")
    }

    #[test]
    fn a_refused_file_says_where_it_is_wrong() {
        let refused = Entry {
            kind: String::new(),
            outcome: "rejected",
            messages: vec![Said {
                line: Some(1),
                reason: Reason::Malformed {
                    given: "x".to_owned(),
                    expected: Expected::Zone,
                },
            }],
            ..Entry::default()
        };
        let lines = file(&refused, Chinese);
        assert_eq!(lines.first().map(String::as_str), Some(" [?]：整份拒收"));
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("  第 1 行：`x` 不是时区")),
            "{lines:?}"
        );
    }
}
