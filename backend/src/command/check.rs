//! `suanzhang check`: what is configured and where each value came from, and whether the database answers.
//! Exits with 1 when something needs a person.

use std::io::Write as _;

use clap::Args;

use super::Failure;
use crate::app::Opened;
use crate::config::{Config, KEYS};
use crate::embedded::Purpose;
use crate::store::pool;

/// Show the configuration and the state of the data; exit 1 when something needs a person
#[derive(Debug, Args)]
pub struct Arguments {}

pub async fn run(config: Config, _arguments: Arguments) -> Result<(), Failure> {
    print_configuration(&config)?;
    let opened = Opened::open(config, Purpose::Command("check".to_owned())).await?;
    let version = pool::version(&opened.app.db).await;
    opened.close().await;
    let (_, version) = version?;
    writeln!(
        std::io::stdout(),
        "database: PostgreSQL {version}, schema up to date"
    )?;
    Ok(())
}

fn print_configuration(config: &Config) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for key in KEYS {
        let value = (key.show)(config);
        let source = config
            .sources
            .get(key.name)
            .map(ToString::to_string)
            .unwrap_or_default();
        writeln!(out, "{} = {value}  ({source})", key.name)?;
    }
    Ok(())
}
