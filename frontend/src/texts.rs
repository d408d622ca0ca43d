//! Every word a person reads, in Chinese and English, from `locales/{zh,en}/*.json`.
//!
//! Keys of the page are checked when it compiles ([`t`]). Names that come over the wire (categories, reasons, doubts …)
//! are looked up here; one without a text is shown as it came, so that a newer server stays readable.
//! Placeholders are `{name}` and filled by [`fill`].

#[allow(
    deprecated,
    reason = "its successor is a build script that compiles all of ICU"
)]
mod loaded {
    leptos_i18n::load_locales!();
}

pub use leptos_i18n::td_string as t;
pub use loaded::i18n::Locale;

pub use crate::template::{Part, fill, joined, parts};

/// A lookup by the wire's name in one group of texts.
macro_rules! lookup {
    ($(#[$doc:meta])* $function:ident, $file:ident . $group:ident: $($key:ident)+) => {
        $(#[$doc])*
        pub fn $function(locale: Locale, name: &str) -> Option<&'static str> {
            match name {
                $(stringify!($key) => Some(t!(locale, $file.$group.$key)),)+
                _ => None,
            }
        }
    };
}

lookup! {
    category, names.category:
    unknown_alloc out_of_service unallocated lost_work unknown_activity held_idle data_or_host_stall
    stall_unattributed communication_wait low_sm throttled low_intensity busy_unrated useful non_device
}
lookup! {
    group, names.group:
    useful waiting weak idle lost unknown non_device
}
lookup! {
    /// A sub-reason.
    reason, names.reason:
    reserved_unused fragmentation stopped demand_unknown down maintenance drain device_lost no_coverage
    activity_without_placement replayed failed_launch no_telemetry startup serving_standby interactive abandoned
    comm_unknown sm_unknown intensity_unknown
}
lookup! {
    pool, names.pool:
    unallocated out_of_service unknown_alloc shared no_device power_variance disposal support tax credits
}
lookup! {
    /// Who can fix a waste.
    who, names.who:
    platform scheduler project facility operations
}
lookup! {
    mode, names.mode:
    M0 M1 M2 M3 M4 M5
}
lookup! {
    scope, names.scope:
    project site
}
lookup! {
    outcome, names.outcome:
    imported unchanged not_yet_read rejected
}
lookup! {
    doubt, names.doubt:
    activity_without_placement unpriced unattributed unknown_model unknown_tdp no_fx_rate last_known_price
    last_known_rate meter_conflict meter_gap pue_below_one oversold slice_energy_ignored slices_exceed_parent
    placement_outside_validity placement_of_unknown_device tariff_conflict no_valid_device residual_limited
    negative_payer conflicting_states mfu_above_one overflow
}
lookup! {
    /// What a doubt means and what to do.
    doubt_hint, health.hint:
    activity_without_placement unpriced unattributed unknown_model unknown_tdp no_fx_rate last_known_price
    last_known_rate meter_conflict meter_gap pue_below_one oversold slice_energy_ignored slices_exceed_parent
    placement_outside_validity placement_of_unknown_device tariff_conflict no_valid_device residual_limited
    negative_payer conflicting_states mfu_above_one overflow
}
lookup! {
    /// Why a project's cost moved.
    mover, names.mover:
    new ended volume price
}
lookup! {
    /// The rule behind a category, in words.
    rule, advice.rule:
    unknown_alloc out_of_service unallocated lost_work unknown_activity held_idle data_or_host_stall
    stall_unattributed communication_wait low_sm throttled low_intensity busy_unrated useful non_device
}
lookup! {
    /// What to do about a category or sub-reason.
    advice, advice.advice:
    out_of_service unallocated reserved_unused fragmentation stopped lost_work held_idle startup serving_standby
    interactive abandoned data_or_host_stall stall_unattributed communication_wait low_sm throttled low_intensity
}
lookup! {
    /// What would resolve an unknown cost.
    sensor, advice.sensor:
    unknown_alloc unknown_activity busy_unrated
}
lookup! {
    preset, shell.range:
    this_month last_month last_7_days last_30_days this_quarter this_year last_month_with_books all_books
}
lookup! {
    compare, shell.compare:
    previous last_month last_year none
}
lookup! {
    month_by_key, names.month:
    jan feb mar apr may jun jul aug sep oct nov dec
}

/// A month, 1–12, by its short name.
pub fn month(locale: Locale, month: i32) -> String {
    const KEYS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let key = usize::try_from(month - 1).ok().and_then(|at| KEYS.get(at));
    key.and_then(|key| month_by_key(locale, key))
        .map_or_else(|| month.to_string(), str::to_owned)
}

/// A text for a wire name, or the name itself.
pub fn or_name(text: Option<&'static str>, name: &str) -> String {
    text.map_or_else(|| name.to_owned(), str::to_owned)
}

/// The name of whoever bears a cost: a project's own name, or ours for the unattributed, the others and the pools.
pub fn payer(locale: Locale, id: &str, name: &str) -> String {
    match id {
        "unattributed" => t!(locale, names.payer.unattributed).to_owned(),
        "others" => t!(locale, names.payer.others).to_owned(),
        _ => match id.strip_prefix("pool:") {
            Some(pool_name) => or_name(pool(locale, pool_name), pool_name),
            None if name.is_empty() => id.to_owned(),
            None => name.to_owned(),
        },
    }
}

/// Where a waste is: the payer, or the site.
pub fn place(locale: Locale, entry: &api::waste::WasteEntry) -> String {
    if entry.scope_kind == "project" {
        payer(locale, &entry.scope, &entry.scope_name)
    } else {
        entry.scope_name.clone()
    }
}

/// The currency as a unit in running text and column heads: 元, yuan, or its code.
pub fn unit(locale: Locale, currency: &str) -> &str {
    match (locale, currency) {
        (Locale::zh, "CNY") => "元",
        (Locale::en, "CNY") => "yuan",
        (_, other) => other,
    }
}

pub fn status(locale: Locale, status: api::query::Status) -> &'static str {
    use api::query::Status;
    match status {
        Status::Estimated => t!(locale, names.status.estimated),
        Status::Provisional => t!(locale, names.status.provisional),
        Status::Closed => t!(locale, names.status.closed),
    }
}

pub fn role(locale: Locale, role: api::session::Role) -> &'static str {
    use api::session::Role;
    match role {
        Role::Admin => t!(locale, names.role.admin),
        Role::Finance => t!(locale, names.role.finance),
        Role::Viewer => t!(locale, names.role.viewer),
        Role::Lead => t!(locale, names.role.lead),
        Role::Member => t!(locale, names.role.member),
    }
}

pub fn error(locale: Locale, code: api::ErrorCode) -> &'static str {
    use api::ErrorCode;
    match code {
        ErrorCode::InvalidInput => t!(locale, shell.code.invalid_input),
        ErrorCode::SignInRequired => t!(locale, shell.code.sign_in_required),
        ErrorCode::WrongCredentials => t!(locale, shell.code.wrong_credentials),
        ErrorCode::LockedOut => t!(locale, shell.code.locked_out),
        ErrorCode::CsrfMismatch => t!(locale, shell.code.csrf_mismatch),
        ErrorCode::Forbidden => t!(locale, shell.code.forbidden),
        ErrorCode::NotFound => t!(locale, shell.code.not_found),
        ErrorCode::TooSlow => t!(locale, shell.code.too_slow),
        ErrorCode::MethodNotAllowed => t!(locale, shell.code.method_not_allowed),
        ErrorCode::Conflict => t!(locale, shell.code.conflict),
        ErrorCode::TooLarge => t!(locale, shell.code.too_large),
        ErrorCode::DatabaseUnavailable => t!(locale, shell.code.database_unavailable),
        ErrorCode::Internal => t!(locale, shell.code.internal),
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may"
)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::Path;

    use accounting::books::DoubtKind;
    use accounting::category::{Category, Mode, Pool, Reason};
    use serde_json::Value;

    use super::*;

    const FILES: [&str; 7] = [
        "names", "advice", "shell", "overview", "waste", "imports", "health",
    ];

    type Lookup = fn(Locale, &str) -> Option<&'static str>;

    /// Every text of a language by its full key.
    fn texts(language: &str) -> BTreeMap<String, String> {
        fn collect(prefix: &str, value: &Value, into: &mut BTreeMap<String, String>) {
            match value {
                Value::Object(map) => {
                    for (key, value) in map {
                        collect(&format!("{prefix}.{key}"), value, into);
                    }
                }
                Value::String(text) => {
                    into.insert(prefix.to_owned(), text.clone());
                }
                other => panic!("{prefix} is not a text: {other}"),
            }
        }
        let mut found = BTreeMap::new();
        for file in FILES {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("locales")
                .join(language)
                .join(format!("{file}.json"));
            let value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
            collect(file, &value, &mut found);
        }
        found
    }

    fn placeholders(text: &str) -> BTreeSet<&str> {
        text.split('{')
            .skip(1)
            .map(|rest| rest.split('}').next().unwrap())
            .collect()
    }

    #[test]
    fn both_languages_have_the_same_keys_and_placeholders() {
        let (chinese, english) = (texts("zh"), texts("en"));
        let keys = |map: &BTreeMap<String, String>| map.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(keys(&chinese), keys(&english));
        for (key, text) in &chinese {
            assert!(!text.trim().is_empty(), "{key} is empty");
            assert_eq!(placeholders(text), placeholders(&english[key]), "{key}");
        }
    }

    #[test]
    fn every_text_is_used() {
        fn sources(folder: &Path, into: &mut String) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    sources(&path, into);
                } else {
                    into.push_str(&fs::read_to_string(path).unwrap());
                }
            }
        }
        let mut source = String::new();
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
            &mut source,
        );
        let looked_up: [(&str, Lookup); 16] = [
            ("names.category.", category),
            ("names.group.", group),
            ("names.reason.", reason),
            ("names.pool.", pool),
            ("names.who.", who),
            ("names.mode.", mode),
            ("names.scope.", scope),
            ("names.outcome.", outcome),
            ("names.doubt.", doubt),
            ("names.mover.", mover),
            ("health.hint.", doubt_hint),
            ("advice.rule.", rule),
            ("advice.advice.", advice),
            ("advice.sensor.", sensor),
            ("names.month.", month_by_key),
            ("shell.compare.", compare),
        ];
        let unused: Vec<String> = texts("zh")
            .into_keys()
            .filter(|key| {
                let by_name = looked_up.iter().any(|(prefix, lookup)| {
                    key.strip_prefix(prefix)
                        .is_some_and(|name| lookup(Locale::en, name).is_some())
                });
                let by_range = key
                    .strip_prefix("shell.range.")
                    .is_some_and(|name| preset(Locale::zh, name).is_some());
                let ends =
                    |next: Option<char>| next.is_none_or(|c| !c.is_alphanumeric() && c != '_');
                let written = source
                    .match_indices(key.as_str())
                    .any(|(at, _)| ends(source[at + key.len()..].chars().next()));
                !by_name && !by_range && !written
            })
            .collect();
        assert!(unused.is_empty(), "texts nobody shows: {unused:?}");
    }

    #[test]
    fn every_name_of_the_books_has_a_text() {
        for language in [Locale::zh, Locale::en] {
            for one in Category::ALL {
                assert!(category(language, one.name()).is_some(), "{}", one.name());
                assert!(rule(language, one.name()).is_some(), "{}", one.name());
                assert!(group(language, one.group()).is_some(), "{}", one.group());
            }
            for one in Reason::ALL.into_iter().filter(|one| *one != Reason::Plain) {
                assert!(reason(language, one.name()).is_some(), "{}", one.name());
            }
            for one in Pool::ALL {
                assert!(pool(language, one.name()).is_some(), "{}", one.name());
            }
            for one in Mode::ALL {
                assert!(mode(language, one.name()).is_some(), "{}", one.name());
            }
        }
    }

    #[test]
    fn doubts_have_a_name_and_say_what_to_do() {
        let check = |kind: DoubtKind| {
            for language in [Locale::zh, Locale::en] {
                assert!(doubt(language, kind.name()).is_some(), "{}", kind.name());
                assert!(
                    doubt_hint(language, kind.name()).is_some(),
                    "{}",
                    kind.name()
                );
            }
        };
        check(DoubtKind::ActivityWithoutPlacement);
        check(DoubtKind::Overflow);
    }

    #[test]
    fn payers_are_named() {
        assert_eq!(payer(Locale::zh, "unattributed", ""), "待归属");
        assert_eq!(payer(Locale::en, "pool:tax", ""), "Tax (pool)");
        assert_eq!(payer(Locale::en, "p1", "Speech"), "Speech");
        assert_eq!(payer(Locale::en, "p1", ""), "p1");
    }
}
