//! How compound facts are written in one column: seasons, days, slots, conditions, weights, labels, lists.
//!
//! The importer reads them to check a row, the loader to use it. An error is a reason to be shown beside the cell.

use accounting::category::Pool;
use accounting::facts::{Applies, Condition, DayKind, Nodes, Season};
use accounting::ids::Id;
use accounting::quantity::{NumberError, Rational, decimal};
use api::Reason;
use api::reason::Expected;
use chrono::NaiveDate;

/// The nearest of `known` to `text`, when it is near enough to be what was meant.
#[must_use]
pub fn nearest<'a>(text: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(text, name), name))
        .min()
        .filter(|(distance, name)| *distance <= 3.max(name.chars().count() / 2))
        .map(|(_, name)| name)
}

/// A text that is not of the form it should have.
#[must_use]
pub fn malformed(text: &str, expected: Expected) -> Reason {
    Reason::Malformed {
        given: short(text),
        expected,
    }
}

/// A text that is no number, or none that can be kept; `expected` is what it should have been.
#[must_use]
pub fn no_number(error: NumberError, text: &str, expected: Expected) -> Reason {
    match error {
        NumberError::TooManyDigits(_) => Reason::TooManyDigits { given: short(text) },
        NumberError::NotADecimal(_) | NumberError::OutOfRange(..) => malformed(text, expected),
    }
}

/// A text that is not in a closed list, with the nearest that is.
#[must_use]
pub fn not_one_of(text: &str, known: &[&str]) -> Reason {
    Reason::NotOneOf {
        given: short(text),
        known: owned(known),
        nearest: nearest(text, known.iter().copied()).map(ToOwned::to_owned),
    }
}

/// Names, to be kept in a reason.
#[must_use]
pub fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A text cut to what fits in a message.
#[must_use]
pub fn short(text: &str) -> String {
    if text.chars().count() <= 60 {
        return text.to_owned();
    }
    let head: String = text.chars().take(57).collect();
    format!("{head}...")
}

/// The parts of a `;` list, trimmed, without empty ones.
pub fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// `;` list of node names, or `*` for all of the site; missing is nobody.
#[must_use]
pub fn nodes(text: Option<&str>) -> Nodes {
    match text {
        None => Nodes::None,
        Some("*") => Nodes::All,
        Some(text) => Nodes::Some(list(text).map(Id::from).collect()),
    }
}

/// `1-12`, `11-2`, `7` or `MM-DD..MM-DD`.
///
/// # Errors
/// When it is none of these.
pub fn season(text: &str) -> Result<Season, Reason> {
    let bad = || malformed(text, Expected::Season);
    if let Some((from, to)) = text.split_once("..") {
        return Ok(Season::Days {
            from: month_day(from).ok_or_else(bad)?,
            to: month_day(to).ok_or_else(bad)?,
        });
    }
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    Ok(Season::Months {
        from: number(from, 1, 12).ok_or_else(bad)?,
        to: number(to, 1, 12).ok_or_else(bad)?,
    })
}

fn month_day(text: &str) -> Option<(u32, u32)> {
    let (month, day) = text.trim().split_once('-')?;
    let (month, day) = (number(month, 1, 12)?, number(day, 1, 31)?);
    // A leap year, so that 29 February can be named.
    NaiveDate::from_ymd_opt(2000, month, day).map(|_| (month, day))
}

fn number(text: &str, least: u32, most: u32) -> Option<u32> {
    let text = text.trim();
    let value: u32 = text.parse().ok()?;
    (text.len() <= 2 && (least..=most).contains(&value)).then_some(value)
}

/// `all`, `workday`, `weekend`, `holiday` or a `;` list of dates.
///
/// # Errors
/// When it is none of these.
pub fn days(text: &str) -> Result<DayKind, Reason> {
    match text {
        "all" => return Ok(DayKind::All),
        "workday" => return Ok(DayKind::Workday),
        "weekend" => return Ok(DayKind::Weekend),
        "holiday" => return Ok(DayKind::Holiday),
        _ => {}
    }
    let dates: Option<Vec<NaiveDate>> = list(text).map(|part| part.parse().ok()).collect();
    dates
        .filter(|dates| !dates.is_empty())
        .map(DayKind::Dates)
        .ok_or_else(|| malformed(text, Expected::Days))
}

/// `HH:MM-HH:MM` as minutes since midnight, end excluded; an end at or before the start passes midnight.
///
/// # Errors
/// When it is no slot, or an empty one.
pub fn slot(text: &str) -> Result<(u32, u32), Reason> {
    let bad = || malformed(text, Expected::Slot);
    let (start, end) = text.split_once('-').ok_or_else(bad)?;
    let (start, end) = (clock(start).ok_or_else(bad)?, clock(end).ok_or_else(bad)?);
    if start == end || start == 1440 {
        return Err(bad());
    }
    Ok((start, end))
}

fn clock(text: &str) -> Option<u32> {
    let (hour, minute) = text.trim().split_once(':')?;
    let minutes = number(hour, 0, 24)? * 60 + number(minute, 0, 59)?;
    (minutes <= 1440).then_some(minutes)
}

const WORKLOAD_KEYS: &[&str] = &[
    "source",
    "kind",
    "name",
    "user",
    "queue",
    "namespace",
    "account",
    "workload",
];
const BILL_KEYS: &[&str] = &[
    "provider",
    "service",
    "sub_account",
    "resource",
    "region",
    "charge_category",
];

/// `key=value;key~glob;…` of a rule.
///
/// # Errors
/// When a part has no operator, or its key is not one the rule's kind of row has (the nearest is named).
pub fn conditions(text: &str, applies: Applies) -> Result<Vec<Condition>, Reason> {
    let conditions: Vec<Condition> = list(text)
        .map(|part| condition(part, applies))
        .collect::<Result<_, _>>()?;
    if conditions.is_empty() {
        return Err(malformed(text, Expected::Condition));
    }
    Ok(conditions)
}

fn condition(part: &str, applies: Applies) -> Result<Condition, Reason> {
    let at = part
        .find(['=', '~'])
        .ok_or_else(|| malformed(part, Expected::Condition))?;
    let (key, rest) = part.split_at(at);
    let key = key.trim();
    let value = rest.get(1..).unwrap_or_default().trim();
    let plain = match applies {
        Applies::Workload => WORKLOAD_KEYS,
        Applies::BillLine => BILL_KEYS,
    };
    let prefixes: &[&str] = match applies {
        Applies::Workload => &["label.", "tag."],
        Applies::BillLine => &["tag."],
    };
    let prefixed = prefixes
        .iter()
        .any(|prefix| key.strip_prefix(prefix).is_some_and(|k| !k.is_empty()));
    if !plain.contains(&key) && !prefixed {
        let mut known: Vec<&str> = plain.to_vec();
        known.extend(prefixes);
        return Err(unknown_key(key, &known));
    }
    Ok(Condition {
        key: key.to_owned(),
        glob: rest.starts_with('~'),
        value: value.to_owned(),
    })
}

fn unknown_key(key: &str, known: &[&str]) -> Reason {
    // A match key always names one: the nearest, however far.
    let near = known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(key, name), *name))
        .min()
        .map(|(_, name)| name)
        .unwrap_or_default();
    Reason::UnknownMatchKey {
        given: short(key),
        known: owned(known),
        nearest: near.to_owned(),
    }
}

/// `project:n;…` of a policy, percents; at most 100 together.
///
/// # Errors
/// When a part is not `project:number`, negative, named twice, or the sum is above 100.
pub fn weights(text: &str) -> Result<Vec<(Id, Rational)>, Reason> {
    let mut weights: Vec<(Id, Rational)> = Vec::new();
    let mut sum = Rational::ZERO;
    for part in list(text) {
        let bad = || malformed(part, Expected::Weight);
        let (project, percent) = part.rsplit_once(':').ok_or_else(bad)?;
        let percent =
            decimal(percent.trim()).map_err(|error| no_number(error, part, Expected::Weight))?;
        if percent.is_negative() {
            return Err(bad());
        }
        let project = Id::from(project.trim());
        if weights.iter().any(|(known, _)| *known == project) {
            return Err(Reason::ProjectTwice {
                project: short(&project),
            });
        }
        // A sum too long to be kept is no whole either.
        sum = sum.plus(percent).ok_or(Reason::PercentsAboveWhole)?;
        weights.push((project, percent));
    }
    if sum
        .compare(Rational::whole(100))
        .is_none_or(std::cmp::Ordering::is_gt)
    {
        return Err(Reason::PercentsAboveWhole);
    }
    Ok(weights)
}

/// `name` or `name:site` of a pool.
///
/// # Errors
/// When there is no pool of that name.
pub fn pool(text: &str) -> Result<(Pool, Option<Id>), Reason> {
    let (name, site) = match text.split_once(':') {
        Some((name, site)) => (name, Some(Id::from(site))),
        None => (text, None),
    };
    let names: Vec<&str> = Pool::ALL.into_iter().map(Pool::name).collect();
    let pool = Pool::parse(name).ok_or_else(|| not_one_of(name, &names))?;
    Ok((pool, site))
}

/// `k=v;…` of a workload.
///
/// # Errors
/// When a part has no `=`.
pub fn labels(text: &str) -> Result<Vec<(String, String)>, Reason> {
    list(text)
        .map(|part| {
            part.split_once('=')
                .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
                .ok_or_else(|| malformed(part, Expected::Label))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    #[test]
    fn seasons() {
        assert_eq!(season("11-2"), Ok(Season::Months { from: 11, to: 2 }));
        assert_eq!(season("7"), Ok(Season::Months { from: 7, to: 7 }));
        assert_eq!(
            season("06-15..09-15"),
            Ok(Season::Days {
                from: (6, 15),
                to: (9, 15)
            })
        );
        for bad in ["", "0-12", "1-13", "02-30..03-01", "1..2", "summer"] {
            assert!(season(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn slots() {
        assert_eq!(slot("00:00-24:00"), Ok((0, 1440)));
        assert_eq!(slot("22:00-06:30"), Ok((1320, 390)));
        for bad in [
            "",
            "08:00",
            "24:00-08:00",
            "8-9",
            "08:00-08:00",
            "08:00-24:01",
        ] {
            assert!(slot(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn day_kinds() {
        assert_eq!(days("weekend"), Ok(DayKind::Weekend));
        assert_eq!(
            days("2026-10-01;2026-10-02"),
            Ok(DayKind::Dates(vec![
                "2026-10-01".parse().unwrap(),
                "2026-10-02".parse().unwrap()
            ]))
        );
        assert!(days("monday").is_err());
    }

    #[test]
    fn conditions_name_the_nearest_key() {
        let read = conditions("queue=vision;label.team~llm*", Applies::Workload).unwrap();
        assert_eq!(read.len(), 2);
        for (text, key, near) in [("qos=LS", "qos", "kind"), ("quue=LS", "quue", "queue")] {
            let error = conditions(text, Applies::Workload).unwrap_err();
            assert!(
                matches!(&error, Reason::UnknownMatchKey { given, nearest, .. }
                    if given == key && nearest == near),
                "{error}"
            );
        }
        assert!(conditions("provider=x", Applies::Workload).is_err());
        assert!(conditions("provider=x;tag.team=a", Applies::BillLine).is_ok());
        assert!(conditions("label.=x", Applies::Workload).is_err());
        assert!(conditions("", Applies::Workload).is_err());
    }

    #[test]
    fn weights_stay_below_a_whole() {
        assert_eq!(weights("p1:60;p2:30").unwrap().len(), 2);
        assert!(weights("p1:60;p2:40.01").is_err());
        assert!(weights("p1:60;p1:10").is_err());
        assert!(weights("p1").is_err());
        assert!(weights("p1:-1").is_err());
    }

    #[test]
    fn pools() {
        assert_eq!(pool("shared:bj"), Ok((Pool::Shared, Some(Id::from("bj")))));
        let error = pool("shard").unwrap_err();
        assert!(
            matches!(&error, Reason::NotOneOf { nearest: Some(near), .. } if near == "shared"),
            "{error}"
        );
    }
}
