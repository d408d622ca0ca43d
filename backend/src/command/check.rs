//! `suanzhang check`: what is configured and where each value came from, whether the database answers, and what is the
//! matter with the data, with the yuan it concerns. Exits with 1 when something needs a person.

use std::io::{self, Write};

use api::Language::{self, Chinese, English};
use api::health::Health;
use clap::Args;

use super::{Failure, count};
use crate::app::{App, Opened};
use crate::config::{Config, KEYS};
use crate::embedded::Purpose;
use crate::store::pool;
use crate::store::scope::Scope;
use crate::tasks::health;

/// Show the configuration and the state of the data; exit 1 when something needs a person
#[derive(Debug, Args)]
pub struct Arguments {}

/// Doubts that say how a figure came about and ask nobody to do anything.
const FOR_INFORMATION: &[&str] = &[
    "last_known_price",
    "last_known_rate",
    "slice_energy_ignored",
    "residual_limited",
];

pub async fn run(config: Config, _arguments: Arguments) -> Result<(), Failure> {
    print_configuration(&config)?;
    let opened = Opened::open(config, Purpose::Command("check".to_owned())).await?;
    let checked = check(&opened.app).await;
    opened.close().await;
    match checked? {
        0 => Ok(()),
        1 => Err(Failure::new(
            "有 1 件事需要人处理，见上面标 ! 的行",
            "1 thing needs a person, marked ! above",
        )),
        things => Err(Failure::new(
            format!("有 {things} 件事需要人处理，见上面标 ! 的行"),
            format!("{things} things need a person, marked ! above"),
        )),
    }
}

fn print_configuration(config: &Config) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let language = config.language;
    writeln!(out, "{}", language.choose("配置", "configuration"))?;
    for key in KEYS {
        let value = (key.show)(config);
        let source = config
            .sources
            .get(key.name)
            .map(|source| source.text(language))
            .unwrap_or_default();
        let source = match language {
            Chinese => format!("（{source}）"),
            English => format!("  ({source})"),
        };
        writeln!(out, "    {} = {value}{source}", key.name)?;
    }
    Ok(())
}

/// How many things need a person.
async fn check(app: &App) -> Result<usize, Failure> {
    let (_, version) = pool::version(&app.db).await?;
    let (health, rejected_files) = health::health(app, &Scope::operator())
        .await?
        .unwrap_or_default();
    let language = app.config.language;
    let mut told = Told {
        out: io::stdout().lock(),
        language,
        things: 0,
    };
    writeln!(told.out, "{}", language.choose("数据库", "database"))?;
    told.line(
        false,
        &format!("PostgreSQL {version}，表结构为最新"),
        &format!("PostgreSQL {version}, schema up to date"),
    )?;
    writeln!(told.out, "{}", language.choose("数据", "data"))?;
    facts(&mut told, &health, rejected_files)?;
    books(&mut told, &health)?;
    doubts(&mut told, &health)?;
    Ok(told.things)
}

struct Told<W> {
    out: W,
    language: Language,
    things: usize,
}

impl<W: Write> Told<W> {
    fn line(&mut self, needs_a_person: bool, chinese: &str, english: &str) -> io::Result<()> {
        let mark = if needs_a_person { '!' } else { ' ' };
        self.things += usize::from(needs_a_person);
        let text = self.language.choose(chinese, english);
        writeln!(self.out, "  {mark} {text}")
    }
}

fn facts<W: Write>(told: &mut Told<W>, health: &Health, rejected_files: i64) -> io::Result<()> {
    match &health.last_import {
        None => told.line(
            false,
            "还没有导入过文件：`suanzhang import PATH`",
            "no file was imported yet: `suanzhang import PATH`",
        )?,
        Some(at) => told.line(
            false,
            &format!("最近导入 {at}"),
            &format!("last import {at}"),
        )?,
    }
    if rejected_files > 0 {
        told.line(
            true,
            &format!(
                "{rejected_files} 个文件被整份拒收，原因见 GET /api/v1/imports 或“导入记录”页"
            ),
            &format!(
                "{} rejected as a whole; GET /api/v1/imports and the page Imports say why",
                count(rejected_files, "file")
            ),
        )?;
    }
    if health.rejected_rows > 0 {
        let rows = health.rejected_rows;
        told.line(
            true,
            &format!("{rows} 行被拒收，原因见 GET /api/v1/imports 或“导入记录”页"),
            &format!("{rows} rows were rejected; GET /api/v1/imports and the page Imports say why"),
        )?;
    }
    Ok(())
}

fn books<W: Write>(told: &mut Told<W>, health: &Health) -> io::Result<()> {
    match (&health.books_from, &health.books_to, &health.accounted_at) {
        (Some(from), Some(to), Some(at)) => told.line(
            false,
            &format!("账本覆盖 {from} 至 {to}，记账于 {at}"),
            &format!("books {from} to {to}, accounted {at}"),
        )?,
        _ => told.line(false, "还没有账本", "no books yet")?,
    }
    if health.days_waiting > 0 {
        let days = health.days_waiting;
        told.line(
            true,
            &format!("{days} 天的事实比账本新：`suanzhang account`"),
            &format!("{days} days have facts newer than their books: `suanzhang account`"),
        )?;
    }
    for difference in &health.audit_differences {
        told.line(
            true,
            &format!("审计：{difference}"),
            &format!("audit: {difference}"),
        )?;
    }
    if health.books_from.is_some() && health.audit_differences.is_empty() {
        told.line(false, "审计：没有差异", "audit: no difference")?;
    }
    Ok(())
}

fn doubts<W: Write>(told: &mut Told<W>, health: &Health) -> io::Result<()> {
    for doubt in &health.doubts {
        let amount = doubt
            .yuan
            .as_ref()
            .map(|yuan| format!("{} {}", yuan.0, health.currency));
        let needs_a_person = !FOR_INFORMATION.contains(&doubt.kind.as_str());
        let (times, kind) = (doubt.count, &doubt.kind);
        told.line(
            needs_a_person,
            &format!(
                "{kind} {times} 次：{}",
                amount.as_deref().unwrap_or("金额未知")
            ),
            &format!(
                "{times} × {kind}: {}",
                amount.as_deref().unwrap_or("yuan not known")
            ),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use api::Yuan;
    use api::overview::DoubtCount;

    use super::*;

    #[test]
    fn what_needs_a_person_is_marked_and_counted() {
        let doubt = |kind: &str, micro: Option<i64>| DoubtCount {
            kind: kind.to_owned(),
            count: 2,
            yuan: micro.map(Yuan::from_micro),
        };
        let health = Health {
            currency: "CNY".to_owned(),
            doubts: vec![
                doubt("unattributed", Some(1_500_000)),
                doubt("last_known_price", None),
            ],
            ..Health::default()
        };
        let tell = |language| {
            let mut told = Told {
                out: Vec::new(),
                language,
                things: 0,
            };
            doubts(&mut told, &health).unwrap();
            assert_eq!(told.things, 1);
            String::from_utf8(told.out).unwrap()
        };
        assert_eq!(
            tell(English),
            "  ! 2 × unattributed: 1.500000 CNY\n    2 × last_known_price: yuan not known\n"
        );
        assert_eq!(
            tell(Chinese),
            "  ! unattributed 2 次：1.500000 CNY\n    last_known_price 2 次：金额未知\n"
        );
    }
}
