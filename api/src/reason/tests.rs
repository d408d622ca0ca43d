#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::too_many_lines,
    reason = "tests may"
)]

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Expected, Reason};
use crate::Language::{Chinese, English};

/// Every reason, with arguments that stand in no text by themselves. Those with optional arguments come in both forms.
fn every() -> Vec<Reason> {
    let text = |text: &str| text.to_owned();
    let given = || text("α1");
    let names = |names: &[&str]| names.iter().map(|name| text(name)).collect::<Vec<_>>();
    let mut reasons: Vec<Reason> = expected()
        .into_iter()
        .map(|expected| Reason::Malformed {
            given: given(),
            expected,
        })
        .collect();
    reasons.extend([
        Reason::TooManyDigits { given: given() },
        Reason::NotInRange {
            given: given(),
            least: 7001,
            most: Some(7002),
        },
        Reason::NotInRange {
            given: given(),
            least: 7001,
            most: None,
        },
        Reason::NotWhole {
            given: given(),
            least: Some(7001),
        },
        Reason::NotWhole {
            given: given(),
            least: None,
        },
        Reason::NotAboveZero,
        Reason::YearOutOfRange { given: given() },
        Reason::NoOffset { given: given() },
        Reason::TooLong { bytes: 7003 },
        Reason::ReservedName { given: given() },
        Reason::NotOneOf {
            given: given(),
            known: names(&["β1", "β2"]),
            nearest: Some(text("β2")),
        },
        Reason::NotOneOf {
            given: given(),
            known: names(&["β1", "β2"]),
            nearest: None,
        },
        Reason::UnknownMatchKey {
            given: given(),
            known: names(&["β1", "β2"]),
            nearest: text("β3"),
        },
        Reason::ProjectTwice { project: given() },
        Reason::PercentsAboveWhole,
        Reason::Missing,
        Reason::CellCount {
            cells: 7004,
            header: 7005,
        },
        Reason::NotText,
        Reason::Before { other: given() },
        Reason::NotAfter { other: given() },
        Reason::OneOfTwo {
            one: given(),
            other: text("γ1"),
        },
        Reason::NeitherGiven {
            one: given(),
            other: text("γ1"),
        },
        Reason::WeightsNeeded { policy: given() },
        Reason::WeightsNotTaken { policy: given() },
        Reason::DifferentValues {
            key: given(),
            lines: vec![7006, 7007],
        },
        Reason::LevelClash { line: 7008 },
        Reason::OutsideFraction,
        Reason::Negative,
        Reason::AbovePossible,
        Reason::NoReading,
        Reason::NotFinite,
        Reason::AbovePower,
        Reason::EmptyFile,
        Reason::HeaderNotText,
        Reason::RecordTooLong,
        Reason::NoRegularFile,
        Reason::ChangedWhileRead,
        Reason::QuoteNotClosed,
        Reason::SeveralLines,
        Reason::CannotBeRead { cause: given() },
        Reason::Utf16,
        Reason::NulByte,
        Reason::UnknownEncoding,
        Reason::ColumnTwice { column: given() },
        Reason::UnknownColumn {
            column: given(),
            kind: text("κ1"),
            nearest: Some(text("β1")),
            known: Vec::new(),
        },
        Reason::UnknownColumn {
            column: given(),
            kind: text("κ1"),
            nearest: None,
            known: names(&["β1", "β2"]),
        },
        Reason::MissingColumns {
            kind: text("κ1"),
            columns: names(&["β1"]),
        },
        Reason::MissingColumns {
            kind: text("κ1"),
            columns: names(&["β1", "β2"]),
        },
        Reason::HeaderOfSeveral {
            kinds: names(&["κ1", "κ2"]),
        },
        Reason::HeaderNearly {
            kind: text("κ1"),
            unknown: names(&["α1"]),
            missing: names(&["β1", "β2"]),
        },
        Reason::HeaderNearly {
            kind: text("κ1"),
            unknown: Vec::new(),
            missing: names(&["β1"]),
        },
        Reason::HeaderOfNothing { first: given() },
        Reason::NestedArchive,
        Reason::UnfoldsTooFar { times: 7009 },
        Reason::NotToml { cause: given() },
        Reason::UnknownSetting { key: given() },
        Reason::FolderUnread,
        Reason::ImportedBefore,
        Reason::NotYetRead,
        Reason::RowsRemoved { rows: 7010 },
        Reason::RowsRemoved { rows: 1 },
        Reason::CountsAsRead {
            sites: names(&["σ1", "σ2"]),
            from: text("φ1"),
            to: text("φ2"),
        },
    ]);
    reasons
}

fn expected() -> Vec<Expected> {
    let names = refused_codes::<Expected>("\"\"");
    names
        .iter()
        .map(|name| serde_json::from_str(&format!("\"{name}\"")).unwrap())
        .collect()
}

/// The names a type knows, as it says itself when it is given one it does not.
fn refused_codes<T: serde::de::DeserializeOwned>(wrong: &str) -> BTreeSet<String> {
    let Err(error) = serde_json::from_str::<T>(wrong) else {
        panic!("`{wrong}` was taken");
    };
    let said = error.to_string();
    let (_, known) = said.split_once("expected one of").unwrap();
    let names: Vec<&str> = known.split('`').collect();
    names
        .chunks_exact(2)
        .map(|pair| pair[1].to_owned())
        .collect()
}

/// The arguments of a reason as they are to be found in its text.
fn arguments(reason: &Reason) -> Vec<String> {
    let Value::Object(fields) = serde_json::to_value(reason).unwrap() else {
        panic!("{reason:?} is no object");
    };
    let mut found = Vec::new();
    for (name, value) in fields {
        // `expected` is not shown itself, it chooses what is shown.
        if name == "code" || name == "expected" {
            continue;
        }
        let values = match value {
            Value::Array(values) => values,
            value => vec![value],
        };
        found.extend(values.into_iter().map(|value| match value {
            Value::String(text) => text,
            value => value.to_string(),
        }));
    }
    found
}

#[test]
fn every_code_is_tried() {
    let tried: BTreeSet<String> = every()
        .iter()
        .map(|reason| {
            serde_json::to_value(reason).unwrap()["code"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(tried, refused_codes::<Reason>(r#"{"code":""}"#));
}

#[test]
fn both_texts_hold_every_argument() {
    for reason in every() {
        for language in [Chinese, English] {
            let text = reason.text(language);
            for argument in arguments(&reason) {
                assert!(text.contains(&argument), "{text}: no {argument}");
            }
            assert!(!text.ends_with(['.', '。']), "{text}");
            assert!(!text.contains(['!', '！']), "{text}");
        }
    }
}

#[test]
fn no_two_reasons_say_the_same() {
    for language in [Chinese, English] {
        let mut texts = BTreeSet::new();
        for reason in every() {
            assert!(texts.insert(reason.text(language)), "{reason:?}");
        }
    }
}

fn is_chinese(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

/// Names that are the same in Chinese.
const NAMES: &[&str] = &[
    "CSV", "GBK", "MiB", "NUL", "NaN", "TDP", "TOML", "UTF", "all", "coverage", "csv", "facts",
    "format", "holiday", "kW", "toml", "weekend", "workday",
];

#[test]
fn the_chinese_is_chinese() {
    for reason in every() {
        let text = reason.text(Chinese);
        assert!(text.contains(is_chinese), "{text}");
        // What is quoted is to be written as it stands.
        let outside: String = text.split('`').step_by(2).collect();
        let foreign = outside
            .split(|c: char| !c.is_ascii_alphabetic())
            .find(|word| !word.is_empty() && !NAMES.contains(word));
        assert_eq!(foreign, None, "{text}");
    }
}

#[test]
fn chinese_and_latin_stand_apart() {
    let is_latin = |c: char| c.is_ascii_alphanumeric() || c == '`';
    for reason in every() {
        let text: Vec<char> = reason.text(Chinese).chars().collect();
        for pair in text.windows(2) {
            let touch = (is_chinese(pair[0]) && is_latin(pair[1]))
                || (is_latin(pair[0]) && is_chinese(pair[1]));
            assert!(!touch, "{}", reason.text(Chinese));
        }
    }
}

#[test]
fn a_reason_is_kept_as_code_and_arguments() {
    for reason in every() {
        let kept = serde_json::to_string(&reason).unwrap();
        assert_eq!(serde_json::from_str::<Reason>(&kept).unwrap(), reason);
    }
    let reason = Reason::NotOneOf {
        given: "trainig".to_owned(),
        known: vec!["training".to_owned()],
        nearest: None,
    };
    assert_eq!(
        serde_json::to_string(&reason).unwrap(),
        r#"{"code":"not_one_of","given":"trainig","known":["training"]}"#
    );
}

#[test]
fn the_place_stands_before_the_reason() {
    let check = |line, column, language| Reason::Missing.placed(line, column, language);
    assert_eq!(check(Some(3), "g", English), "line 3, g: is missing");
    assert_eq!(check(Some(3), "g", Chinese), "第 3 行，列 g：没有填写");
    assert_eq!(check(Some(3), "", English), "line 3: is missing");
    assert_eq!(check(None, "", Chinese), "没有填写");
}
