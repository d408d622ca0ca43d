//! Where a value came from: the command line, a variable, a line of the file, or the default.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use api::Language;

use super::keys::{self, KEYS};
use super::{ConfigError, Key};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Default,
    /// Path and line.
    File(PathBuf, usize),
    Variable(String),
    CommandLine,
}

impl Source {
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::Default => language.choose("默认", "default").to_owned(),
            Self::File(path, line) => format!("{}:{line}", path.display()),
            Self::Variable(name) => format!("{} {name}", language.choose("变量", "variable")),
            Self::CommandLine => language.choose("命令行", "command line").to_owned(),
        }
    }
}

/// In English.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

/// What the command line may override.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `--config`
    pub config: Option<PathBuf>,
    /// `--data-dir`
    pub data_dir: Option<String>,
    /// `--database-url`
    pub database_url: Option<String>,
    /// `--lang`
    pub language: Option<String>,
}

impl Overrides {
    /// The keys overridden, with their text.
    pub(super) fn settings(&self) -> impl Iterator<Item = (&'static str, String)> {
        [
            ("data_dir", &self.data_dir),
            ("database_url", &self.database_url),
            ("language", &self.language),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value.clone()?)))
    }
}

const PREFIX: &str = "SUANZHANG_";
/// Variables with our prefix that set no key: the file to read, and where tests find real facts.
const OTHERS: &[&str] = &["SUANZHANG_CONFIG", "SUANZHANG_REAL_DATA"];

/// The settings among the variables. An empty variable counts as not set, as compose files write it.
pub(super) fn variables(
    environment: &BTreeMap<String, String>,
) -> Result<Vec<(String, String, Source)>, ConfigError> {
    let mut found = Vec::new();
    let set = environment.iter().filter(|(_, value)| !value.is_empty());
    for (name, value) in set {
        if name == "DATABASE_URL" {
            // Our own name for it is read after this one and so wins.
            found.insert(0, setting("database_url", value, name));
        }
        if !name.starts_with(PREFIX) || OTHERS.contains(&name.as_str()) {
            continue;
        }
        let key = KEYS.iter().find_map(|key| key_of(key, name));
        match key {
            Some(key) => found.push(setting(&key, value, name)),
            None => {
                return Err(ConfigError::UnknownVariable {
                    name: name.clone(),
                    near: keys::nearest_of(name, KEYS.iter().map(variable)),
                });
            }
        }
    }
    Ok(found)
}

fn setting(key: &str, value: &str, variable: &str) -> (String, String, Source) {
    let source = Source::Variable(variable.to_owned());
    (key.to_owned(), value.to_owned(), source)
}

/// The key (or its `_file` form) this variable sets.
fn key_of(key: &Key, name: &str) -> Option<String> {
    let variable = variable(key);
    if name == variable {
        Some(key.name.to_owned())
    } else if key.is_secret && name == format!("{variable}_FILE") {
        Some(format!("{}_file", key.name))
    } else {
        None
    }
}

/// `ledger.zone` is set by `SUANZHANG_LEDGER_ZONE`.
pub(super) fn variable(key: &Key) -> String {
    format!("{PREFIX}{}", key.name.replace('.', "_").to_uppercase())
}

/// The language asked for outside the file; a word that is none counts as not said.
pub(super) fn language_asked(
    overrides: &Overrides,
    environment: &BTreeMap<String, String>,
) -> Language {
    let variable = environment.get("SUANZHANG_LANGUAGE");
    let asked = overrides.language.as_ref().or(variable);
    asked
        .and_then(|word| keys::language(word).ok())
        .unwrap_or_else(|| language(environment))
}

/// The language of the reader's locale.
pub(super) fn language(environment: &BTreeMap<String, String>) -> Language {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| environment.get(*name).filter(|value| !value.is_empty()));
    match locale {
        Some(locale) if locale.starts_with("zh") => Language::Chinese,
        _ => Language::English,
    }
}
