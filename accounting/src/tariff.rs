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
            // Best first; level and slot only make the order of equals independent of the file's.
            list.sort_by_key(|row| {
                (
                    std::cmp::Reverse((rank(&row.days), row.valid.from)),
                    row.level,
                    row.slot,
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

/// Whether two rows of a tariff share an instant. Day kinds of equal rank meet where both are named.
fn meet(a: &TariffRow, b: &TariffRow) -> bool {
    let in_both = |date: NaiveDate| {
        let (month, day) = (date.month(), date.day());
        in_season(a.season, month, day) && in_season(b.season, month, day)
    };
    let days = match (&a.days, &b.days) {
        (DayKind::Workday, DayKind::Weekend) | (DayKind::Weekend, DayKind::Workday) => false,
        (DayKind::Dates(a), DayKind::Dates(b)) => {
            let known: HashSet<&NaiveDate> = a.iter().collect();
            b.iter().any(|date| known.contains(date) && in_both(*date))
        }
        // A leap year has every (month, day).
        _ => NaiveDate::from_ymd_opt(2024, 1, 1)
            .into_iter()
            .flat_map(|first| first.iter_days().take(366))
            .any(in_both),
    };
    let from = a.valid.from.max(b.valid.from);
    let valid = [a.valid.to, b.valid.to]
        .into_iter()
        .flatten()
        .all(|to| from.is_none_or(|from| from < to));
    days && valid && (0..1440).any(|minute| in_slot(a.slot, minute) && in_slot(b.slot, minute))
}

fn clock(minute: u32) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests;
