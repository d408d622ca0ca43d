//! Time-of-use tariffs: which price level an instant has at a site, and what a kilowatt-hour costs then.
//!
//! Of the rows that match an instant the most specific day kind wins (dates, holiday, weekend or workday, all), then
//! the later `from`. A row's day and month are those of the instant in the site's zone, so a slot past midnight is two
//! slots. Time no row covers is flat; a month without price takes the last known price of its level.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "minutes of a day and days of a year"
)]

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{Datelike, NaiveDate, NaiveDateTime, Weekday};

use crate::books::{Doubt, DoubtKind};
use crate::facts::{DayKind, Facts, Level, Season, TariffRow};
use crate::ids::Id;
use crate::quantity::Rational;
use crate::time::{Month, Ms, Zone, local_at, minute_of_day};

/// The level of an instant and its price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub level: Level,
    /// Yuan per kWh in a currency, and the month it was given for; `None` when the level never had a price.
    pub price: Option<(Rational, Id, Month)>,
    /// The price was given for an earlier month.
    pub last_known: bool,
}

type Prices<'f> = BTreeMap<Month, (Rational, &'f Id)>;

/// Every tariff of the facts, ready to be asked.
pub struct Tariffs<'f> {
    rows: HashMap<&'f str, Vec<&'f TariffRow>>,
    prices: HashMap<(&'f str, Level), Prices<'f>>,
    /// (date, region or every region): a make-up working day or a holiday.
    holidays: HashMap<(NaiveDate, Option<&'f str>), bool>,
}

/// What kind of day a local date is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Day {
    Workday,
    Weekend,
    Holiday,
}

impl<'f> Tariffs<'f> {
    /// Compiles the facts; two rows of equal rank that give one instant different levels are a doubt.
    #[must_use]
    pub fn new(facts: &'f Facts) -> (Self, Vec<Doubt>) {
        let mut rows: HashMap<&str, Vec<&TariffRow>> = HashMap::new();
        for row in &facts.tariffs {
            rows.entry(&*row.tariff).or_default().push(row);
        }
        for list in rows.values_mut() {
            // Best first; the level only makes the order of equals independent of the file's.
            list.sort_by_key(|row| {
                (
                    std::cmp::Reverse((rank(&row.days), row.valid.from)),
                    row.level,
                )
            });
        }
        let mut prices: HashMap<(&str, Level), Prices<'_>> = HashMap::new();
        for price in &facts.tariff_prices {
            let months = prices.entry((&*price.tariff, price.level)).or_default();
            months.insert(price.month, (price.price_per_kwh, &price.currency));
        }
        let holidays = facts
            .holidays
            .iter()
            .map(|row| ((row.date, row.region.as_deref()), row.workday))
            .collect();
        let mut doubts: Vec<Doubt> = rows
            .iter()
            .filter_map(|(name, list)| conflict(name, list))
            .collect();
        doubts.sort_by(|a, b| a.subject.cmp(&b.subject));
        (
            Self {
                rows,
                prices,
                holidays,
            },
            doubts,
        )
    }

    /// Level and price of `instant` at a site; `None` when there is no such tariff.
    #[must_use]
    pub fn at(&self, tariff: &str, zone: Zone, region: Option<&Id>, instant: Ms) -> Option<Slot> {
        if !self.rows.contains_key(tariff) && !self.prices.keys().any(|(name, _)| *name == tariff) {
            return None;
        }
        let local = local_at(zone, instant)?;
        let day = self.day(local.date(), region.map(|r| &**r));
        let rows = self.rows.get(tariff).map(Vec::as_slice).unwrap_or_default();
        let matching = rows
            .iter()
            .find(|row| row.valid.contains(instant) && covers(row, local, day));
        let level = matching.map_or(Level::Flat, |row| row.level);
        let month = Month {
            year: local.year(),
            month: local.month(),
        };
        let months = self.prices.get(&(tariff, level));
        let found = months.and_then(|months| months.range(..=month).next_back());
        Some(Slot {
            level,
            price: found.map(|(month, (price, currency))| (*price, (*currency).clone(), *month)),
            last_known: found.is_some_and(|(known, _)| *known != month),
        })
    }

    fn day(&self, date: NaiveDate, region: Option<&str>) -> Day {
        let regional = region.and_then(|region| self.holidays.get(&(date, Some(region))));
        match regional.or_else(|| self.holidays.get(&(date, None))) {
            Some(true) => Day::Workday,
            Some(false) => Day::Holiday,
            None if matches!(date.weekday(), Weekday::Sat | Weekday::Sun) => Day::Weekend,
            None => Day::Workday,
        }
    }
}

fn rank(days: &DayKind) -> u8 {
    match days {
        DayKind::All => 0,
        DayKind::Workday | DayKind::Weekend => 1,
        DayKind::Holiday => 2,
        DayKind::Dates(_) => 3,
    }
}

fn covers(row: &TariffRow, local: NaiveDateTime, day: Day) -> bool {
    let kind = match &row.days {
        DayKind::All => true,
        DayKind::Workday => day == Day::Workday,
        DayKind::Weekend => day == Day::Weekend,
        DayKind::Holiday => day == Day::Holiday,
        DayKind::Dates(dates) => dates.contains(&local.date()),
    };
    kind && in_season(row.season, local.month(), local.day())
        && in_slot(row.slot, minute_of_day(local))
}

fn in_season(season: Season, month: u32, day: u32) -> bool {
    match season {
        Season::Months { from, to } => between(from, month, to),
        Season::Days { from, to } => between(from, (month, day), to),
    }
}

/// Inclusive; `from > to` passes the year's end.
fn between<T: PartialOrd>(from: T, value: T, to: T) -> bool {
    if from <= to {
        from <= value && value <= to
    } else {
        value >= from || value <= to
    }
}

fn in_slot((start, end): (u32, u32), minute: u32) -> bool {
    if start < end {
        start <= minute && minute < end
    } else {
        minute >= start || minute < end
    }
}

/// Two rows of equal rank and `from` that meet somewhere with different levels.
fn conflict(name: &str, rows: &[&TariffRow]) -> Option<Doubt> {
    for (place, a) in rows.iter().enumerate() {
        for b in rows.iter().skip(place + 1) {
            let equal = rank(&a.days) == rank(&b.days)
                && a.valid.from == b.valid.from
                && a.level != b.level;
            if equal && meet(a, b) {
                return Some(Doubt {
                    kind: DoubtKind::TariffConflict,
                    subject: Id::from(name),
                    site: None,
                    amount: None,
                    ms: 0,
                    detail: format!(
                        "{:?} and {:?} at {}",
                        a.level,
                        b.level,
                        clock(a.slot.0.max(b.slot.0))
                    ),
                });
            }
        }
    }
    None
}

/// Whether two rows of a tariff share an instant of the year.
#[must_use]
pub fn meet(a: &TariffRow, b: &TariffRow) -> bool {
    let days = match (&a.days, &b.days) {
        (DayKind::Workday, DayKind::Weekend) | (DayKind::Weekend, DayKind::Workday) => false,
        (DayKind::Dates(a), DayKind::Dates(b)) => {
            let known: HashSet<&NaiveDate> = a.iter().collect();
            b.iter().any(|date| known.contains(date))
        }
        _ => true,
    };
    // A leap year has every (month, day).
    let year = NaiveDate::from_ymd_opt(2024, 1, 1)
        .into_iter()
        .flat_map(|first| first.iter_days().take(366));
    let mut dates = year.map(|date| (date.month(), date.day()));
    let slots = (0..1440).any(|minute| in_slot(a.slot, minute) && in_slot(b.slot, minute));
    days && slots && dates.any(|(m, d)| in_season(a.season, m, d) && in_season(b.season, m, d))
}

fn clock(minute: u32) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;
    use crate::facts::{Holiday, TariffPrice, Validity};
    use crate::quantity::decimal;
    use crate::time::{MINUTE_MS, instant};

    const ZONE: Zone = Zone::Asia__Shanghai;

    fn row(season: Season, days: DayKind, slot: (u32, u32), level: Level) -> TariffRow {
        TariffRow {
            tariff: Id::from("t"),
            valid: Validity::default(),
            season,
            days,
            slot,
            level,
        }
    }

    fn at(zone: Zone, text: &str) -> Ms {
        instant(
            zone,
            NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").unwrap(),
        )
    }

    fn beijing() -> Facts {
        let all = Season::Months { from: 1, to: 12 };
        let price = |month: &str, level, yuan: &str| TariffPrice {
            tariff: Id::from("t"),
            month: Month::parse(month).unwrap(),
            level,
            price_per_kwh: decimal(yuan).unwrap(),
            currency: Id::from("CNY"),
        };
        Facts {
            tariffs: vec![
                row(all, DayKind::All, (600, 780), Level::Peak),
                row(all, DayKind::All, (23 * 60, 7 * 60), Level::Valley),
                row(
                    Season::Months { from: 7, to: 8 },
                    DayKind::Dates(vec!["2026-07-31".parse().unwrap()]),
                    (660, 780),
                    Level::Critical,
                ),
                row(all, DayKind::Holiday, (0, 360), Level::DeepValley),
                row(
                    Season::Days {
                        from: (12, 15),
                        to: (1, 31),
                    },
                    DayKind::Weekend,
                    (19 * 60 + 30, 21 * 60 + 30),
                    Level::Critical,
                ),
            ],
            tariff_prices: vec![
                price("2026-07", Level::Peak, "1.1755"),
                price("2026-07", Level::Flat, "0.7342"),
            ],
            holidays: vec![
                Holiday {
                    date: "2026-08-01".parse().unwrap(),
                    workday: false,
                    region: None,
                },
                Holiday {
                    date: "2026-12-19".parse().unwrap(),
                    workday: true,
                    region: None,
                },
            ],
            ..Facts::default()
        }
    }

    #[test]
    fn the_most_specific_row_wins() {
        let facts = beijing();
        let (tariffs, doubts) = Tariffs::new(&facts);
        assert_eq!(doubts, []);
        let check = |time, level| {
            assert_eq!(
                tariffs.at("t", ZONE, None, at(ZONE, time)).unwrap().level,
                level,
                "{time}"
            );
        };
        check("2026-07-30 11:30", Level::Peak);
        check("2026-07-31 11:30", Level::Critical);
        check("2026-07-31 12:59", Level::Critical);
        check("2026-07-31 13:00", Level::Flat);
        check("2026-07-31 23:00", Level::Valley);
        check("2026-08-01 00:00", Level::DeepValley);
        check("2026-08-01 06:00", Level::Valley);
        check("2026-08-01 07:00", Level::Flat);
        // A make-up working Saturday is no weekend; the season passes the year's end.
        check("2026-12-19 19:30", Level::Flat);
        check("2026-12-20 19:29", Level::Flat);
        check("2026-12-20 19:30", Level::Critical);
        check("2027-01-30 21:29", Level::Critical);
        check("2027-02-06 19:30", Level::Flat);
        assert_eq!(tariffs.at("other", ZONE, None, 0), None);
    }

    #[test]
    fn a_month_without_price_takes_the_last_known() {
        let facts = beijing();
        let (tariffs, _) = Tariffs::new(&facts);
        let july = tariffs
            .at("t", ZONE, None, at(ZONE, "2026-07-10 14:00"))
            .unwrap();
        assert_eq!(
            (july.price.unwrap().0, july.last_known),
            (decimal("0.7342").unwrap(), false)
        );
        let august = tariffs
            .at("t", ZONE, None, at(ZONE, "2026-08-10 14:00"))
            .unwrap();
        assert_eq!(
            (august.price.unwrap().0, august.last_known),
            (decimal("0.7342").unwrap(), true)
        );
        let june = tariffs
            .at("t", ZONE, None, at(ZONE, "2026-06-10 14:00"))
            .unwrap();
        assert_eq!(june.price, None);
    }

    #[test]
    fn slots_follow_the_wall_clock_over_a_clock_change() {
        let facts = beijing();
        let (tariffs, _) = Tariffs::new(&facts);
        let zone = Zone::America__New_York;
        let before = at(zone, "2024-03-10 01:59");
        let jump = |minutes: i64| {
            tariffs
                .at("t", zone, None, before + minutes * MINUTE_MS)
                .unwrap()
                .level
        };
        assert_eq!(
            (jump(0), jump(1), jump(4 * 60), jump(4 * 60 + 1)),
            (Level::Valley, Level::Valley, Level::Valley, Level::Flat)
        );
    }

    #[test]
    fn equal_rows_of_different_level_are_a_doubt() {
        let mut facts = beijing();
        facts.tariffs.push(row(
            Season::Months { from: 11, to: 2 },
            DayKind::All,
            (690, 700),
            Level::Valley,
        ));
        let (_, doubts) = Tariffs::new(&facts);
        assert_eq!(
            doubts.iter().map(|d| d.kind).collect::<Vec<_>>(),
            [DoubtKind::TariffConflict]
        );
    }
}
