//! One cell of a fact file: text in, an exact value or a reason out.
//!
//! Times need an offset unless the folder gives a zone, and years are 2000 to 2100: a garbled clock must not cost yuan.

use accounting::quantity::{NumberError, Rational, decimal, fraction};
use accounting::time::{Month, Ms, Zone, day_start, instant};
use api::Reason;
use api::reason::Expected;
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime};

use super::kind::Form;
use crate::store::written::{malformed, no_number, short};

/// What a cell says.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    Missing,
    /// Out of range: stored as missing, counted under this fault.
    Dropped(Unusable),
    Text(&'a str),
    Ms(Ms),
    Date(NaiveDate),
    Month(Month),
    /// As written, and its value.
    Number(&'a str, Rational),
    Whole(i64),
    Float(f64),
}

/// Why a number is dropped. One a cell, so it is small; a [`Reason`] is made of it when it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unusable {
    OutsideFraction,
    Negative,
    AbovePossible,
    NoReading,
    NotFinite,
}

impl Unusable {
    #[must_use]
    pub const fn reason(self) -> Reason {
        match self {
            Self::OutsideFraction => Reason::OutsideFraction,
            Self::Negative => Reason::Negative,
            Self::AbovePossible => Reason::AbovePossible,
            Self::NoReading => Reason::NoReading,
            Self::NotFinite => Reason::NotFinite,
        }
    }
}

/// What a cell cannot know by itself.
#[derive(Clone, Copy, Debug)]
pub struct Zones {
    /// Where dates have their midnight.
    pub ledger: Zone,
    /// What times without offset are in; missing: they are rejected.
    pub folder: Option<Zone>,
}

/// Longest name kept.
const TEXT_BYTES: usize = 4000;

/// Reads a trimmed cell; the empty one is missing.
///
/// # Errors
/// The reason why the row is rejected.
pub fn read(text: &str, form: Form, zones: Zones) -> Result<Value<'_>, Reason> {
    if text.is_empty() {
        return Ok(Value::Missing);
    }
    match form {
        Form::Text => name(text),
        Form::Word(check) | Form::Checked(check) => check(text).and_then(|()| name(text)),
        Form::Instant => at(text, zones).map(Value::Ms),
        Form::Bound => match text.parse::<NaiveDate>() {
            Ok(date) => Ok(Value::Ms(day_start(zones.ledger, in_range(date)?))),
            Err(_) => at(text, zones).map(Value::Ms),
        },
        Form::Currency => currency(text),
        Form::Date => text
            .parse::<NaiveDate>()
            .map_err(|_| malformed(text, Expected::Date))
            .and_then(in_range)
            .map(Value::Date),
        Form::Month => month(text),
        Form::Decimal { least, most } => number(text, least, most),
        Form::Whole { least } => whole(text, least),
        Form::Float => float(text),
        Form::Seconds => seconds(text),
        Form::Fraction => match fraction(text) {
            Ok(value) => Ok(Value::Whole(value)),
            Err(error) => out_of_range(text, error, Unusable::OutsideFraction),
        },
        Form::Reading { places, below } => reading(text, places, below),
    }
}

fn name(text: &str) -> Result<Value<'_>, Reason> {
    if text.len() > TEXT_BYTES {
        return Err(Reason::TooLong {
            bytes: i64::try_from(TEXT_BYTES).unwrap_or(i64::MAX),
        });
    }
    Ok(Value::Text(text))
}

fn currency(text: &str) -> Result<Value<'_>, Reason> {
    if text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase()) {
        return Ok(Value::Text(text));
    }
    Err(malformed(text, Expected::Currency))
}

fn in_range(date: NaiveDate) -> Result<NaiveDate, Reason> {
    if (2000..2100).contains(&date.year()) {
        return Ok(date);
    }
    Err(Reason::YearOutOfRange {
        given: date.to_string(),
    })
}

fn at(text: &str, zones: Zones) -> Result<Ms, Reason> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        in_range(time.naive_local().date())?;
        return Ok(time.timestamp_millis());
    }
    let Some(local) = local(text) else {
        return Err(malformed(text, Expected::Time));
    };
    let Some(zone) = zones.folder else {
        return Err(Reason::NoOffset { given: short(text) });
    };
    in_range(local.date())?;
    Ok(instant(zone, local))
}

fn local(text: &str) -> Option<NaiveDateTime> {
    const FORMS: [&str; 6] = [
        "%Y-%m-%dT%H:%M:%S%.f",
        "%Y-%m-%d %H:%M:%S%.f",
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%d %H:%M",
        "%Y/%m/%d %H:%M:%S",
        "%Y/%m/%d %H:%M",
    ];
    if let Ok(date) = text.parse::<NaiveDate>() {
        return date.and_hms_opt(0, 0, 0);
    }
    FORMS
        .iter()
        .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())
}

fn month(text: &str) -> Result<Value<'_>, Reason> {
    let month = Month::parse(text).ok_or_else(|| malformed(text, Expected::Month))?;
    in_range(month.first_day().unwrap_or_default())?;
    Ok(Value::Month(month))
}

fn exact(text: &str) -> Result<Rational, Reason> {
    decimal(text).map_err(|error| no_number(error, text, Expected::Decimal))
}

fn number(text: &str, least: i64, most: i64) -> Result<Value<'_>, Reason> {
    let value = exact(text)?;
    let below = value
        .compare(Rational::whole(least))
        .is_none_or(|o| o.is_lt());
    let above = value
        .compare(Rational::whole(most))
        .is_none_or(|o| o.is_gt());
    if below || above {
        return Err(Reason::NotInRange {
            given: short(text),
            least,
            most: Some(most),
        });
    }
    Ok(Value::Number(text, value))
}

fn whole(text: &str, least: i64) -> Result<Value<'_>, Reason> {
    // `1000000000`, and what spreadsheets make of it: `1E9`, `1000000000.0`.
    let value = exact(text)?;
    match i64::try_from(value.num) {
        Ok(number) if value.den == 1 && number >= least => Ok(Value::Whole(number)),
        _ => Err(Reason::NotWhole {
            given: short(text),
            least: (least != i64::MIN).then_some(least),
        }),
    }
}

fn float(text: &str) -> Result<Value<'_>, Reason> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(Value::Float(value)),
        _ => Err(Reason::NotInRange {
            given: short(text),
            least: 0,
            most: None,
        }),
    }
}

fn seconds(text: &str) -> Result<Value<'_>, Reason> {
    let value = exact(text)?;
    match value.scaled(3) {
        Some(ms) if ms > 0 && ms <= 86_400_000 => Ok(Value::Whole(ms)),
        _ => Err(malformed(text, Expected::Seconds)),
    }
}

fn reading(text: &str, places: u32, below: i64) -> Result<Value<'_>, Reason> {
    let value = match decimal(text) {
        Ok(value) => value,
        Err(error) => return out_of_range(text, error, Unusable::NoReading),
    };
    if value.is_negative() {
        return Ok(Value::Dropped(Unusable::Negative));
    }
    if value
        .compare(Rational::whole(below))
        .is_none_or(|order| order.is_ge())
    {
        return Ok(Value::Dropped(Unusable::AbovePossible));
    }
    Ok(value
        .scaled(places)
        .map_or(Value::Dropped(Unusable::AbovePossible), Value::Whole))
}

/// A number that cannot be is dropped; what is no number at all rejects the row.
fn out_of_range(
    text: &str,
    error: NumberError,
    dropped: Unusable,
) -> Result<Value<'static>, Reason> {
    const NO_NUMBER: [&str; 4] = ["nan", "inf", "+inf", "-inf"];
    match error {
        NumberError::NotADecimal(_) if !NO_NUMBER.contains(&text.to_ascii_lowercase().as_str()) => {
            Err(malformed(text, Expected::Decimal))
        }
        NumberError::NotADecimal(_) => Ok(Value::Dropped(Unusable::NotFinite)),
        NumberError::TooManyDigits(_) | NumberError::OutOfRange(..) => Ok(Value::Dropped(dropped)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;
    use crate::facts::kind::{SENTINEL, UNIT_PRICE};
    use proptest::prelude::*;

    const SHANGHAI: Zones = Zones {
        ledger: Zone::Asia__Shanghai,
        folder: None,
    };

    #[test]
    fn times_need_an_offset() {
        fn check(text: &str) -> Result<Value<'_>, Reason> {
            read(text, Form::Instant, SHANGHAI)
        }
        assert_eq!(
            check("2026-07-01T08:00:00+08:00"),
            Ok(Value::Ms(1_782_864_000_000))
        );
        assert_eq!(
            check("2026-07-01T00:00:00Z"),
            Ok(Value::Ms(1_782_864_000_000))
        );
        for bare in ["2026-07-01T08:00:00", "2026-07-01"] {
            let given = bare.to_owned();
            assert_eq!(check(bare), Err(Reason::NoOffset { given }));
        }
        assert_eq!(
            check("yesterday"),
            Err(malformed("yesterday", Expected::Time))
        );
        let given = "1970-01-01".to_owned();
        assert_eq!(
            check("1970-01-01T00:00:00Z"),
            Err(Reason::YearOutOfRange { given })
        );
        let zoned = Zones {
            folder: Some(Zone::America__New_York),
            ..SHANGHAI
        };
        assert_eq!(
            read("2026-07-01 08:00:00", Form::Instant, zoned),
            read("2026-07-01T08:00:00-04:00", Form::Instant, zoned)
        );
    }

    #[test]
    fn dates_are_midnight_of_the_ledger_zone() {
        assert_eq!(
            read("2026-07-01", Form::Bound, SHANGHAI),
            read("2026-07-01T00:00:00+08:00", Form::Bound, SHANGHAI)
        );
        assert!(read("9999-12-31", Form::Bound, SHANGHAI).is_err());
        assert!(read("2026-02-30", Form::Date, SHANGHAI).is_err());
    }

    #[test]
    fn readings_out_of_range_are_dropped() {
        fn check(text: &str) -> Result<Value<'_>, Reason> {
            read(text, Form::Fraction, SHANGHAI)
        }
        assert_eq!(check("0.372"), Ok(Value::Whole(3720)));
        assert_eq!(check(""), Ok(Value::Missing));
        for dropped in [
            "1.2",
            "-0.1",
            "140737488355328",
            "9223372036854775794",
            "NaN",
        ] {
            assert!(matches!(check(dropped), Ok(Value::Dropped(_))), "{dropped}");
        }
        assert!(check("n/a").is_err());
        let energy = Form::Reading {
            places: 3,
            below: SENTINEL,
        };
        assert_eq!(
            read("1450000.5", energy, SHANGHAI),
            Ok(Value::Whole(1_450_000_500))
        );
        for dropped in ["-1", "140737488355328", "inf"] {
            assert!(
                matches!(read(dropped, energy, SHANGHAI), Ok(Value::Dropped(_))),
                "{dropped}"
            );
        }
    }

    #[test]
    fn numbers_are_exact_and_bounded() {
        assert!(matches!(
            read("9300.00", UNIT_PRICE, SHANGHAI),
            Ok(Value::Number("9300.00", _))
        ));
        assert!(read("-1", UNIT_PRICE, SHANGHAI).is_err());
        assert_eq!(
            read("1E9", Form::Whole { least: 0 }, SHANGHAI),
            Ok(Value::Whole(1_000_000_000))
        );
        assert!(read("1.5", Form::Whole { least: 0 }, SHANGHAI).is_err());
        assert_eq!(
            read("60", Form::Seconds, SHANGHAI),
            Ok(Value::Whole(60_000))
        );
        assert!(read("0", Form::Seconds, SHANGHAI).is_err());
        assert_eq!(
            read("1.2e24", Form::Float, SHANGHAI),
            Ok(Value::Float(1.2e24))
        );
    }

    /// What monitors and people write into number cells, and anything else.
    fn raw() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<f64>().prop_map(|value| value.to_string()),
            any::<i128>().prop_map(|value| value.to_string()),
            "-?[0-9]{0,20}\\.?[0-9]{0,20}([eE]-?[0-9]{1,11})?",
            ".{0,20}",
        ]
    }

    proptest! {
        #[test]
        fn whatever_is_written_a_reading_is_in_range_or_none(text in raw()) {
            let energy = Form::Reading { places: 3, below: SENTINEL };
            for (form, most) in [(Form::Fraction, 10_000), (energy, SENTINEL * 1000), (Form::Seconds, 86_400_000)] {
                if let Ok(Value::Whole(value)) = read(&text, form, SHANGHAI) {
                    prop_assert!((0..=most).contains(&value), "{value}");
                }
            }
        }

        #[test]
        fn whatever_is_written_no_form_fails_otherwise_than_by_a_reason(text in raw()) {
            let zoned = Zones { folder: Some(Zone::America__New_York), ..SHANGHAI };
            for form in [Form::Instant, Form::Bound, Form::Date, Form::Month, Form::Currency, Form::Float, UNIT_PRICE] {
                if let Ok(Value::Ms(at)) = read(&text, form, zoned) {
                    // 2000 to 2100, and a day of any zone.
                    prop_assert!((946_598_400_000..4_102_531_200_000).contains(&at), "{at}");
                }
            }
        }
    }
}
