//! `facts.toml` beside fact files: the zone of their times without offset.

use std::io::Read as _;

use accounting::time::Zone;
use api::Reason;
use api::reason::Expected;

use super::fault::FileFault;
use super::source::Source;
use crate::store::written::{malformed, short};

/// More than this is no settings file.
const MOST_BYTES: u64 = 64 << 10;

/// The zone that `facts.toml` gives.
///
/// # Errors
/// When it cannot be read, or holds something else than `zone`.
pub fn zone(source: &Source) -> Result<Option<Zone>, FileFault> {
    let text = source.read(|reader| {
        let mut text = String::new();
        reader.take(MOST_BYTES).read_to_string(&mut text)?;
        Ok::<_, FileFault>(text)
    })?;
    let table: toml::Table = toml::from_str(&text).map_err(|error| {
        FileFault::file(Reason::NotToml {
            cause: error.message().to_owned(),
        })
    })?;
    let mut zone = None;
    for (key, value) in &table {
        if key != "zone" {
            return Err(FileFault::file(Reason::UnknownSetting { key: short(key) }));
        }
        let text = value.as_str().unwrap_or_default();
        let found = text.parse::<Zone>();
        zone = Some(found.map_err(|_| FileFault::file(malformed(text, Expected::Zone)))?);
    }
    Ok(zone)
}
