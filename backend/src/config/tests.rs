#![allow(clippy::unwrap_used, reason = "tests may")]

use super::*;

fn environment(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn with_file(text: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).unwrap();
    let overrides = Overrides {
        config: Some(path.clone()),
        ..Overrides::default()
    };
    Config::assemble(&overrides, &environment(variables)).map_err(|error| {
        error
            .to_string()
            .replace(&path.display().to_string(), "s.toml")
    })
}

#[test]
fn later_sources_win_and_every_value_names_its_own() {
    let text =
        "company = \"Four Cards\"\n\n[ledger]\nzone = \"America/New_York\"\ncurrency = \"USD\"\n";
    let config = with_file(text, &[("SUANZHANG_LEDGER_ZONE", "Europe/Paris")]).unwrap();
    assert_eq!(config.ledger.zone, Zone::Europe__Paris);
    assert_eq!(&*config.ledger.currency, "USD");
    assert_eq!(config.company, "Four Cards");
    let source = |key: &str| config.sources.get(key).unwrap().to_string();
    assert_eq!(source("ledger.zone"), "variable SUANZHANG_LEDGER_ZONE");
    assert!(source("ledger.currency").ends_with("s.toml:5"));
    assert_eq!(source("listen"), "default");
}

#[test]
fn the_command_line_wins_over_everything() {
    let overrides = Overrides {
        data_dir: Some("elsewhere".to_owned()),
        database_url: Some("postgres://a/b".to_owned()),
        ..Overrides::default()
    };
    let variables = environment(&[
        ("SUANZHANG_DATA_DIR", "here"),
        ("DATABASE_URL", "postgres://c/d"),
    ]);
    let config = Config::assemble(&overrides, &variables).unwrap();
    assert_eq!(config.data_dir, PathBuf::from("elsewhere"));
    assert_eq!(config.database_url.unwrap().reveal(), "postgres://a/b");
}

#[test]
fn our_own_name_of_the_database_wins_and_an_empty_one_counts_as_unset() {
    let url = |pairs: &[(&str, &str)]| {
        let config = Config::assemble(&Overrides::default(), &environment(pairs)).unwrap();
        config.database_url.map(|url| url.reveal().to_owned())
    };
    let both = [
        ("DATABASE_URL", "postgres://a"),
        ("SUANZHANG_DATABASE_URL", "postgres://b"),
    ];
    assert_eq!(url(&both).as_deref(), Some("postgres://b"));
    assert_eq!(url(&[("DATABASE_URL", "")]), None);
}

#[test]
fn what_is_unknown_or_malformed_is_refused_with_its_place() {
    for (text, expected) in [
        (
            "[ledger]\nzome = \"UTC\"",
            "s.toml:2: unknown key `ledger.zome`; did you mean `ledger.zone`?",
        ),
        ("xyzzy = 1", "s.toml:1: unknown key `xyzzy`"),
        (
            "[ledger]\nzone = \"Beijing\"",
            "s.toml:2: `ledger.zone` must be a zone of the tz database, e.g. Asia/Shanghai, not `Beijing`",
        ),
        (
            "listen = 1.5",
            "s.toml:1: `listen` must be a text, a whole number or true/false, not a float",
        ),
        (
            "listen = \"8080\"",
            "s.toml:1: `listen` must be address:port, e.g. 127.0.0.1:8080, not `8080`",
        ),
    ] {
        assert_eq!(with_file(text, &[]).unwrap_err(), expected);
    }
    assert!(
        with_file("a = \n", &[])
            .unwrap_err()
            .starts_with("s.toml:1: ")
    );
    assert_eq!(
        with_file("", &[("SUANZHANG_LEDGER_ZON", "UTC")]).unwrap_err(),
        "environment: unknown key `SUANZHANG_LEDGER_ZON`; did you mean `SUANZHANG_LEDGER_ZONE`?"
    );
}

#[test]
fn a_secret_comes_from_a_file_and_never_prints() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("url");
    std::fs::write(&path, "postgres://u:hunter2@db/x\n").unwrap();
    let path = path.display().to_string();
    let config = with_file("", &[("SUANZHANG_DATABASE_URL_FILE", &path)]).unwrap();
    assert_eq!(
        config.database_url.as_ref().unwrap().reveal(),
        "postgres://u:hunter2@db/x"
    );
    assert!(!format!("{config:?}").contains("hunter2"));
    let shown: Vec<String> = KEYS.iter().map(|key| (key.show)(&config)).collect();
    assert!(shown.iter().all(|text| !text.contains("hunter2")));
    let missing = with_file("database_url_file = \"absent\"", &[]).unwrap_err();
    assert!(
        missing.starts_with("s.toml:1: `database_url_file` names absent, which cannot be read"),
        "{missing}"
    );
}

#[test]
fn the_list_tells_the_true_defaults() {
    let config = Config::default();
    for key in KEYS {
        let mut changed = config.clone();
        if !key.default.is_empty() && key.name != "language" {
            (key.set)(&mut changed, key.default).unwrap();
        }
        assert_eq!((key.show)(&changed), (key.show)(&config), "{}", key.name);
    }
}

#[test]
fn the_documentation_lists_every_key() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    let text = std::fs::read_to_string(path).unwrap();
    for key in KEYS {
        let default = match key.default {
            "" => String::new(),
            default => format!("`{default}`"),
        };
        let (name, variable) = (key.name, key.variable());
        let row = format!("| `{name}` | `{variable}` | {default} | {} |", key.about);
        assert!(text.contains(&row), "docs/configuration.md lacks: {row}");
    }
}

#[test]
fn what_is_wrong_is_told_in_chinese_too() {
    use crate::language::Bilingual as _;
    let told = |text: &str| {
        let path = PathBuf::from("s.toml");
        let (key, value, place) = file::settings(&path, text).unwrap().remove(0);
        let error = Config::default().set(&key, &value, place).unwrap_err();
        error.chinese()
    };
    assert_eq!(
        told("[ledger]\nzome = \"UTC\""),
        "s.toml:2：没有 `ledger.zome` 这个键；是否应为 `ledger.zone`？"
    );
    assert_eq!(
        told("listen = \"8080\""),
        "s.toml:1：`listen` 须为 地址:端口，例如 127.0.0.1:8080，不能是 `8080`"
    );
}

#[test]
fn the_language_asked_for_holds_before_the_file_is_read() {
    let asked = |flag: Option<&str>, variables: &[(&str, &str)]| {
        let overrides = Overrides {
            language: flag.map(ToOwned::to_owned),
            ..Overrides::default()
        };
        source::language_asked(&overrides, &environment(variables))
    };
    let chinese = [("LANG", "zh_CN.UTF-8")];
    assert_eq!(asked(None, &[]), Language::English);
    assert_eq!(asked(None, &chinese), Language::Chinese);
    assert_eq!(asked(Some("en"), &chinese), Language::English);
    assert_eq!(asked(Some("klingon"), &chinese), Language::Chinese);
    let variable = [("LANG", "zh_CN.UTF-8"), ("SUANZHANG_LANGUAGE", "en")];
    assert_eq!(asked(None, &variable), Language::English);
    assert_eq!(asked(Some("zh"), &variable), Language::Chinese);
}
