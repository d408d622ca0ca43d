//! `suanzhang check`: what is configured and where each value came from, whether the database answers, and what is the
//! matter with the data, with the yuan it concerns. Exits with 1 when something needs a person.

use std::io::{self, Write};

use api::health::Health;
use clap::Args;

use super::Failure;
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
        1 => Err(Failure::new("1 thing needs a person, marked ! above")),
        things => Err(Failure::new(format!(
            "{things} things need a person, marked ! above"
        ))),
    }
}

fn print_configuration(config: &Config) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "configuration")?;
    for key in KEYS {
        let value = (key.show)(config);
        let source = config
            .sources
            .get(key.name)
            .map(ToString::to_string)
            .unwrap_or_default();
        writeln!(out, "    {} = {value}  ({source})", key.name)?;
    }
    Ok(())
}

/// How many things need a person.
async fn check(app: &App) -> Result<usize, Failure> {
    let (_, version) = pool::version(&app.db).await?;
    let (health, rejected_files) = health::health(app, &Scope::operator())
        .await?
        .unwrap_or_default();
    let mut told = Told {
        out: io::stdout().lock(),
        things: 0,
    };
    writeln!(told.out, "database")?;
    told.line(false, &format!("PostgreSQL {version}, schema up to date"))?;
    writeln!(told.out, "data")?;
    facts(&mut told, &health, rejected_files)?;
    books(&mut told, &health)?;
    doubts(&mut told, &health)?;
    Ok(told.things)
}

struct Told<W> {
    out: W,
    things: usize,
}

impl<W: Write> Told<W> {
    fn line(&mut self, needs_a_person: bool, text: &str) -> io::Result<()> {
        let mark = if needs_a_person { '!' } else { ' ' };
        self.things += usize::from(needs_a_person);
        writeln!(self.out, "  {mark} {text}")
    }
}

fn facts<W: Write>(told: &mut Told<W>, health: &Health, rejected_files: i64) -> io::Result<()> {
    match &health.last_import {
        None => told.line(false, "no file was imported yet: `suanzhang import PATH`")?,
        Some(at) => told.line(false, &format!("last import {at}"))?,
    }
    if rejected_files > 0 {
        told.line(true, &format!("{rejected_files} files were rejected as a whole; GET /api/v1/imports and the page Imports say why"))?;
    }
    if health.rejected_rows > 0 {
        let rows = health.rejected_rows;
        told.line(
            true,
            &format!("{rows} rows were rejected; GET /api/v1/imports and the page Imports say why"),
        )?;
    }
    Ok(())
}

fn books<W: Write>(told: &mut Told<W>, health: &Health) -> io::Result<()> {
    match (&health.books_from, &health.books_to, &health.accounted_at) {
        (Some(from), Some(to), Some(at)) => {
            told.line(false, &format!("books {from} to {to}, accounted {at}"))?;
        }
        _ => told.line(false, "no books yet")?,
    }
    if health.days_waiting > 0 {
        let days = health.days_waiting;
        told.line(
            true,
            &format!("{days} days have facts newer than their books: `suanzhang account`"),
        )?;
    }
    for difference in &health.audit_differences {
        told.line(true, &format!("audit: {difference}"))?;
    }
    if health.books_from.is_some() && health.audit_differences.is_empty() {
        told.line(false, "audit: no difference")?;
    }
    Ok(())
}

fn doubts<W: Write>(told: &mut Told<W>, health: &Health) -> io::Result<()> {
    for doubt in &health.doubts {
        let yuan = match &doubt.yuan {
            Some(yuan) => format!("{} {}", yuan.0, health.currency),
            None => "yuan not known".to_owned(),
        };
        let needs_a_person = !FOR_INFORMATION.contains(&doubt.kind.as_str());
        told.line(
            needs_a_person,
            &format!("{} × {}: {yuan}", doubt.count, doubt.kind),
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
        let mut told = Told {
            out: Vec::new(),
            things: 0,
        };
        doubts(&mut told, &health).unwrap();
        assert_eq!(told.things, 1);
        assert_eq!(
            String::from_utf8(told.out).unwrap(),
            "  ! 2 × unattributed: 1.500000 CNY\n    2 × last_known_price: yuan not known\n"
        );
    }
}
