//! Configuration: one typed tree, filled from defaults, `suanzhang.toml`, `SUANZHANG_…` variables and the command
//! line, in this order. Every value remembers where it came from, unknown keys are refused, secrets never print.
//!
//! The keys stand in one list ([`keys::KEYS`]): file, variables, `suanzhang check` and the manual read it.

mod error;
mod file;
mod keys;
mod secret;
mod source;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use accounting::ids::Id;
use accounting::time::Zone;
use api::Language;

pub use error::{ConfigError, Wrong};
pub use keys::{KEYS, Key};
pub use secret::Secret;
pub use source::{Overrides, Source};

/// Everything that can be configured. Paths may be relative to the working folder.
#[derive(Clone, Debug)]
pub struct Config {
    /// The company's name in the page's top bar; empty when none is given.
    pub company: String,
    /// Where the embedded PostgreSQL lives.
    pub data_dir: PathBuf,
    /// The PostgreSQL to use; `None` means the embedded one.
    pub database_url: Option<Secret>,
    pub listen: SocketAddr,
    /// The built page.
    pub page_dir: PathBuf,
    /// The fact folder `serve --demo` fills an empty database with.
    pub example_dir: PathBuf,
    pub ledger: Ledger,
    pub session: SessionConfig,
    /// Of the command line's tables and messages.
    pub language: Language,
    /// Where the value of each key came from, by the key's name.
    pub sources: BTreeMap<&'static str, Source>,
}

/// In which zone a day is a day, and in which currency the books are kept.
#[derive(Clone, Debug)]
pub struct Ledger {
    pub zone: Zone,
    /// ISO 4217.
    pub currency: Id,
}

#[derive(Clone, Copy, Debug)]
pub struct SessionConfig {
    /// A sign-in lasts so long.
    pub hours: u32,
    /// Is the page reached through https? Then the cookie travels by https only.
    pub https: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            company: String::new(),
            data_dir: PathBuf::from("./data"),
            database_url: None,
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            page_dir: PathBuf::from("./dist"),
            example_dir: PathBuf::from("./seed/example"),
            ledger: Ledger {
                zone: Zone::Asia__Shanghai,
                currency: Id::from("CNY"),
            },
            session: SessionConfig {
                hours: 12,
                https: false,
            },
            language: Language::English,
            sources: KEYS.iter().map(|key| (key.name, Source::Default)).collect(),
        }
    }
}

impl Config {
    /// Reads everything: file, environment and command line of this process.
    ///
    /// # Errors
    /// The file cannot be read, a key is unknown, or a value is malformed.
    pub fn load(overrides: &Overrides) -> Result<Self, ConfigError> {
        Self::assemble(overrides, &environment())
    }

    /// The language to say in what is wrong with the configuration itself: that of the command line, the variable or
    /// the locale, whatever the file says.
    #[must_use]
    pub fn language_asked(overrides: &Overrides) -> Language {
        source::language_asked(overrides, &environment())
    }

    /// As [`Config::load`], from a given environment.
    fn assemble(
        overrides: &Overrides,
        environment: &BTreeMap<String, String>,
    ) -> Result<Self, ConfigError> {
        let mut config = Self {
            language: source::language(environment),
            ..Self::default()
        };
        if let Some((path, text)) = file::read(overrides.config.as_deref(), environment)? {
            for (key, value, place) in file::settings(&path, &text)? {
                config.set(&key, &value, place)?;
            }
        }
        for (key, value, place) in source::variables(environment)? {
            config.set(&key, &value, place)?;
        }
        for (key, value) in overrides.settings() {
            config.set(key, &value, Source::CommandLine)?;
        }
        Ok(config)
    }

    /// Sets one key from text; a key ending in `_file` sets the secret before it to that file's content.
    fn set(&mut self, name: &str, value: &str, source: Source) -> Result<(), ConfigError> {
        let of_file = name
            .strip_suffix("_file")
            .and_then(|secret| KEYS.iter().find(|key| key.name == secret && key.is_secret));
        if let Some(key) = of_file {
            let content = std::fs::read_to_string(value).map_err(|error| ConfigError::Value {
                place: source.clone(),
                key: name.to_owned(),
                wrong: Wrong::FileUnreadable {
                    path: value.to_owned(),
                    cause: error.to_string(),
                },
            })?;
            return self.set(key.name, content.trim_end(), source);
        }
        let Some(key) = KEYS.iter().find(|key| key.name == name) else {
            return Err(ConfigError::Unknown {
                place: source,
                key: name.to_owned(),
                near: keys::nearest(name),
            });
        };
        (key.set)(self, value).map_err(|wrong| ConfigError::Value {
            place: source.clone(),
            key: name.to_owned(),
            wrong,
        })?;
        self.sources.insert(key.name, source);
        Ok(())
    }
}

fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The folders programs are looked for in (`PATH`).
#[must_use]
pub fn program_folders() -> Vec<PathBuf> {
    std::env::var_os("PATH")
        .map(|path| std::env::split_paths(&path).collect())
        .unwrap_or_default()
}

/// The level of the log on stderr, from `RUST_LOG`; `info` of our own when it is not set.
#[must_use]
pub fn log_filter() -> String {
    std::env::var("RUST_LOG")
        .ok()
        .filter(|filter| !filter.is_empty())
        .unwrap_or_else(|| "warn,backend=info,suanzhang=info".to_owned())
}

/// May the log be coloured? Not when the reader asked for none (`NO_COLOR`).
#[must_use]
pub fn may_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

impl Config {
    /// The path as people should read it: absolute where that can be told.
    #[must_use]
    pub fn shown(path: &Path) -> String {
        std::path::absolute(path)
            .unwrap_or_else(|_| path.to_owned())
            .display()
            .to_string()
    }
}

#[cfg(test)]
mod tests;
