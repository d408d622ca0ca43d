//! `suanzhang.toml`: its values as dotted keys with the line each stands on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{ConfigError, Source, Wrong};

const NAME: &str = "suanzhang.toml";

/// The file named by `--config` or `SUANZHANG_CONFIG`, which must exist; else `suanzhang.toml` here, if there is one.
pub(super) fn read(
    named: Option<&Path>,
    environment: &BTreeMap<String, String>,
) -> Result<Option<(PathBuf, String)>, ConfigError> {
    let variable = environment
        .get("SUANZHANG_CONFIG")
        .filter(|value| !value.is_empty());
    let (path, must_exist) = match (named, variable) {
        (Some(path), _) => (path.to_owned(), true),
        (None, Some(path)) => (PathBuf::from(path), true),
        (None, None) => (PathBuf::from(NAME), false),
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must_exist => Ok(None),
        Err(error) => Err(ConfigError::Unreadable {
            path: path.display().to_string(),
            cause: error.to_string(),
        }),
    }
}

/// Every value of the file as (dotted key, text, place), in the file's order of keys.
pub(super) fn settings(
    path: &Path,
    text: &str,
) -> Result<Vec<(String, String, Source)>, ConfigError> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        ConfigError::Malformed {
            place: format!("{}:{line}", path.display()),
            cause: error.message().to_owned(),
        }
    })?;
    let mut found = Vec::new();
    flatten(path, text, "", &table, &mut found)?;
    Ok(found)
}

fn flatten(
    path: &Path,
    text: &str,
    prefix: &str,
    table: &toml::Table,
    found: &mut Vec<(String, String, Source)>,
) -> Result<(), ConfigError> {
    for (key, value) in table {
        let name = format!("{prefix}{key}");
        let value = match value {
            toml::Value::Table(inner) => {
                flatten(path, text, &format!("{name}."), inner, found)?;
                continue;
            }
            toml::Value::String(value) => value.clone(),
            toml::Value::Integer(value) => value.to_string(),
            toml::Value::Boolean(value) => value.to_string(),
            other => {
                return Err(ConfigError::Value {
                    place: Source::File(path.to_owned(), line_of_key(text, &name)),
                    key: name,
                    wrong: Wrong::NotPlain(other.type_str()),
                });
            }
        };
        let source = Source::File(path.to_owned(), line_of_key(text, &name));
        found.push((name, value, source));
    }
    Ok(())
}

fn line_of(text: &str, at: usize) -> usize {
    text.get(..at)
        .map_or(1, |before| before.matches('\n').count() + 1)
}

/// The line on which a key is set: the parser keeps no places for values, and a config file is short.
fn line_of_key(text: &str, name: &str) -> usize {
    let (table, key) = name.rsplit_once('.').unwrap_or(("", name));
    let mut within = "";
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if let Some(header) = content.strip_prefix('[') {
            within = header.split(']').next().unwrap_or_default().trim();
            continue;
        }
        let set = content.split('=').next().unwrap_or_default().trim();
        if (within == table && set == key) || (within.is_empty() && set == name) {
            return line;
        }
    }
    1
}
