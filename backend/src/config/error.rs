//! What is wrong with the configuration, in both languages: the place and the key, then what to do.

use api::Language;

use super::Source;
use crate::language::Bilingual;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("{path}: cannot be read: {cause}")]
    Unreadable { path: String, cause: String },
    /// `place` is path and line; the cause is in TOML's own words.
    #[error("{place}: {cause}")]
    Malformed { place: String, cause: String },
    #[error("{place}: unknown key `{key}`{}", nearest(.near.as_deref(), Language::English))]
    Unknown {
        place: Source,
        key: String,
        near: Option<String>,
    },
    #[error("environment: unknown key `{name}`{}", nearest(.near.as_deref(), Language::English))]
    UnknownVariable { name: String, near: Option<String> },
    #[error("{place}: `{key}` {}", .wrong.text(Language::English))]
    Value {
        place: Source,
        key: String,
        wrong: Wrong,
    },
}

/// What is wrong with a value; it is given where it would show what is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    Empty,
    NotPostgres,
    NotAddress(String),
    NotZone(String),
    NotCurrency(String),
    NotHours(String),
    NotTruth(String),
    NotLanguage(String),
    /// Of this type of TOML.
    NotPlain(&'static str),
    FileUnreadable {
        path: String,
        cause: String,
    },
}

impl Wrong {
    /// What follows the key.
    fn text(&self, language: Language) -> String {
        let (chinese, english) = match self {
            Self::Empty => ("不能为空".to_owned(), "must not be empty".to_owned()),
            Self::NotPostgres => (
                "须以 postgres:// 开头".to_owned(),
                "must begin with postgres://".to_owned(),
            ),
            Self::NotAddress(given) => (
                format!("须为 地址:端口，例如 127.0.0.1:8080，不能是 `{given}`"),
                format!("must be address:port, e.g. 127.0.0.1:8080, not `{given}`"),
            ),
            Self::NotZone(given) => (
                format!("须为 tz 数据库中的时区，例如 Asia/Shanghai，不能是 `{given}`"),
                format!("must be a zone of the tz database, e.g. Asia/Shanghai, not `{given}`"),
            ),
            Self::NotCurrency(given) => (
                format!("须为 ISO 4217 的三个大写字母，例如 CNY，不能是 `{given}`"),
                format!("must be three capital letters of ISO 4217, e.g. CNY, not `{given}`"),
            ),
            Self::NotHours(given) => (
                format!("须为 1 到 720 的整数，不能是 `{given}`"),
                format!("must be a whole number from 1 to 720, not `{given}`"),
            ),
            Self::NotTruth(given) => (
                format!("须为 true 或 false，不能是 `{given}`"),
                format!("must be true or false, not `{given}`"),
            ),
            Self::NotLanguage(given) => (
                format!("须为 zh 或 en，不能是 `{given}`"),
                format!("must be zh or en, not `{given}`"),
            ),
            Self::NotPlain(kind) => (
                format!("须为文本、整数或 true/false，不能是 {kind}"),
                format!("must be a text, a whole number or true/false, not a {kind}"),
            ),
            Self::FileUnreadable { path, cause } => (
                format!("指向 {path}，它无法读取：{cause}"),
                format!("names {path}, which cannot be read: {cause}"),
            ),
        };
        language.choose(chinese, english)
    }
}

fn nearest(near: Option<&str>, language: Language) -> String {
    near.map(|near| {
        language.choose(
            format!("；是否应为 `{near}`？"),
            format!("; did you mean `{near}`?"),
        )
    })
    .unwrap_or_default()
}

impl Bilingual for ConfigError {
    fn chinese(&self) -> String {
        let nearest = |near: &Option<String>| nearest(near.as_deref(), Language::Chinese);
        match self {
            Self::Unreadable { path, cause } => format!("{path}：无法读取：{cause}"),
            Self::Malformed { place, cause } => format!("{place}：{cause}"),
            Self::Unknown { place, key, near } => format!(
                "{}：没有 `{key}` 这个键{}",
                place.text(Language::Chinese),
                nearest(near)
            ),
            Self::UnknownVariable { name, near } => {
                format!("环境变量：没有 `{name}` 这个键{}", nearest(near))
            }
            Self::Value { place, key, wrong } => format!(
                "{}：`{key}` {}",
                place.text(Language::Chinese),
                wrong.text(Language::Chinese)
            ),
        }
    }
}
