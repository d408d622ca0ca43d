//! The list of keys: name, default, meaning, and how its text becomes a value of the tree.

use accounting::ids::Id;
use accounting::time::Zone;

use api::Language;

use super::{Config, Secret, Wrong, source};

/// One key of `suanzhang.toml`.
pub struct Key {
    /// Dotted, as in the file: `ledger.zone` is `zone` of the table `[ledger]`.
    pub name: &'static str,
    pub default: &'static str,
    pub about: &'static str,
    /// Is it a secret? Then `…_file` may name a file instead, and it is never shown.
    pub is_secret: bool,
    pub(super) set: fn(&mut Config, &str) -> Result<(), Wrong>,
    /// The value as `suanzhang check` shows it.
    pub show: fn(&Config) -> String,
}

impl Key {
    /// The variable that sets this key.
    #[must_use]
    pub fn variable(&self) -> String {
        source::variable(self)
    }
}

pub static KEYS: &[Key] = &[
    Key {
        name: "company",
        default: "",
        about: "the company's name in the page's top bar",
        is_secret: false,
        set: |config, text| {
            text.clone_into(&mut config.company);
            Ok(())
        },
        show: |config| config.company.clone(),
    },
    Key {
        name: "data_dir",
        default: "./data",
        about: "the folder of the embedded PostgreSQL",
        is_secret: false,
        set: |config, text| put(&mut config.data_dir, filled(text)?),
        show: |config| Config::shown(&config.data_dir),
    },
    Key {
        name: "database_url",
        default: "",
        about: "the PostgreSQL to use (postgres://…); without it the embedded one. DATABASE_URL sets it too",
        is_secret: true,
        set: |config, text| {
            config.database_url = Some(Secret::new(postgres_url(text)?));
            Ok(())
        },
        show: |config| match &config.database_url {
            Some(url) => url.to_string(),
            None => {
                let embedded = ("内置 PostgreSQL", "embedded PostgreSQL");
                config.language.choose(embedded.0, embedded.1).to_owned()
            }
        },
    },
    Key {
        name: "listen",
        default: "127.0.0.1:8080",
        about: "address and port of the page and the API",
        is_secret: false,
        set: |config, text| put(&mut config.listen, address(text)?),
        show: |config| config.listen.to_string(),
    },
    Key {
        name: "page_dir",
        default: "./dist",
        about: "the folder of the built page",
        is_secret: false,
        set: |config, text| put(&mut config.page_dir, filled(text)?),
        show: |config| Config::shown(&config.page_dir),
    },
    Key {
        name: "example_dir",
        default: "./seed/example",
        about: "the fact folder `serve --demo` fills an empty database with",
        is_secret: false,
        set: |config, text| put(&mut config.example_dir, filled(text)?),
        show: |config| Config::shown(&config.example_dir),
    },
    Key {
        name: "ledger.zone",
        default: "Asia/Shanghai",
        about: "the zone in which a day is a day",
        is_secret: false,
        set: |config, text| put(&mut config.ledger.zone, zone(text)?),
        show: |config| config.ledger.zone.to_string(),
    },
    Key {
        name: "ledger.currency",
        default: "CNY",
        about: "the currency of the books, ISO 4217",
        is_secret: false,
        set: |config, text| put(&mut config.ledger.currency, currency(text)?),
        show: |config| config.ledger.currency.to_string(),
    },
    Key {
        name: "session.hours",
        default: "12",
        about: "a sign-in lasts so many hours, 1 to 720",
        is_secret: false,
        set: |config, text| put(&mut config.session.hours, hours(text)?),
        show: |config| config.session.hours.to_string(),
    },
    Key {
        name: "session.https",
        default: "false",
        about: "true when the page is reached through https: the cookie then travels by https only",
        is_secret: false,
        set: |config, text| put(&mut config.session.https, truth(text)?),
        show: |config| config.session.https.to_string(),
    },
    Key {
        name: "language",
        default: "by locale",
        about: "zh or en, of messages and tables on the command line",
        is_secret: false,
        set: |config, text| put(&mut config.language, language(text)?),
        show: |config| config.language.choose("zh", "en").to_owned(),
    },
];

fn put<T>(place: &mut T, value: impl Into<T>) -> Result<(), Wrong> {
    *place = value.into();
    Ok(())
}

fn filled(text: &str) -> Result<&str, Wrong> {
    if text.is_empty() {
        return Err(Wrong::Empty);
    }
    Ok(text)
}

fn postgres_url(text: &str) -> Result<String, Wrong> {
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        return Ok(text.to_owned());
    }
    Err(Wrong::NotPostgres)
}

fn address(text: &str) -> Result<std::net::SocketAddr, Wrong> {
    text.parse().map_err(|_| Wrong::NotAddress(text.to_owned()))
}

fn zone(text: &str) -> Result<Zone, Wrong> {
    text.parse().map_err(|_| Wrong::NotZone(text.to_owned()))
}

fn currency(text: &str) -> Result<Id, Wrong> {
    if text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase()) {
        return Ok(Id::from(text));
    }
    Err(Wrong::NotCurrency(text.to_owned()))
}

fn hours(text: &str) -> Result<u32, Wrong> {
    text.parse()
        .ok()
        .filter(|hours| (1..=720).contains(hours))
        .ok_or_else(|| Wrong::NotHours(text.to_owned()))
}

fn truth(text: &str) -> Result<bool, Wrong> {
    text.parse().map_err(|_| Wrong::NotTruth(text.to_owned()))
}

pub(super) fn language(text: &str) -> Result<Language, Wrong> {
    match text {
        "zh" => Ok(Language::Chinese),
        "en" => Ok(Language::English),
        _ => Err(Wrong::NotLanguage(text.to_owned())),
    }
}

/// The known key most like `name`, unless nothing is.
pub(super) fn nearest(name: &str) -> Option<String> {
    nearest_of(name, KEYS.iter().map(|key| key.name.to_owned()))
}

pub(super) fn nearest_of(name: &str, known: impl Iterator<Item = String>) -> Option<String> {
    known
        .map(|known| (strsim::jaro_winkler(name, &known), known))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}
