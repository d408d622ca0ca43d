//! Instants in UTC milliseconds, half-open spans, and the ledger's days, months and hours in its zone.
//!
//! Days and months are cut in the ledger zone; tariff times and tariff months in the site's zone. An hour of a day
//! is counted from the day's first instant, so that 23- and 25-hour days have 23 and 25 of them.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "instants are within ±2^53 ms, checked when they are read; sums of a few of them fit i64"
)]

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime, Offset, TimeZone, Timelike, Utc};
pub use chrono_tz::Tz as Zone;
use std::fmt;

/// Milliseconds since 1970-01-01T00:00:00Z.
pub type Ms = i64;

pub const MINUTE_MS: Ms = 60_000;
pub const HOUR_MS: Ms = 3_600_000;

/// Half-open `[start, end)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: Ms,
    pub end: Ms,
}

impl Span {
    #[must_use]
    pub const fn new(start: Ms, end: Ms) -> Self {
        Self { start, end }
    }

    /// Length in milliseconds; 0 when empty or inverted.
    #[must_use]
    pub fn len(self) -> Ms {
        (self.end - self.start).max(0)
    }

    #[must_use]
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The common part, `None` when there is none.
    #[must_use]
    pub fn cut(self, other: Self) -> Option<Self> {
        let both = Self {
            start: self.start.max(other.start),
            end: self.end.min(other.end),
        };
        if both.is_empty() { None } else { Some(both) }
    }

    #[must_use]
    pub fn contains(self, instant: Ms) -> bool {
        self.start <= instant && instant < self.end
    }

    /// The parts outside `others`, which are sorted and disjoint.
    #[must_use]
    pub fn without(self, others: &[Self]) -> Vec<Self> {
        let mut free = Vec::new();
        let mut at = self.start;
        for other in others.iter().take_while(|other| other.start < self.end) {
            if other.start > at {
                free.push(Self::new(at, other.start));
            }
            at = at.max(other.end);
        }
        if at < self.end {
            free.push(Self::new(at, self.end));
        }
        free
    }

    /// The span wider by `margin` on both sides.
    #[must_use]
    pub fn widened(self, margin: Ms) -> Self {
        Self {
            start: self.start - margin,
            end: self.end + margin,
        }
    }

    /// Pieces of this span cut at every multiple of `step` counted from `origin`.
    pub fn pieces(self, origin: Ms, step: Ms) -> impl Iterator<Item = Self> {
        let mut at = self.start;
        std::iter::from_fn(move || {
            if at >= self.end {
                return None;
            }
            let next = origin + ((at - origin).div_euclid(step) + 1) * step;
            let piece = Self {
                start: at,
                end: next.min(self.end),
            };
            at = piece.end;
            Some(piece)
        })
    }
}

/// A calendar month, e.g. 2026-07.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Month {
    pub year: i32,
    /// 1–12
    pub month: u32,
}

impl Month {
    #[must_use]
    pub fn of(day: NaiveDate) -> Self {
        Self {
            year: day.year(),
            month: day.month(),
        }
    }

    /// Reads `YYYY-MM`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-')?;
        if year.len() != 4 || month.len() != 2 {
            return None;
        }
        let parsed = Self {
            year: year.parse().ok()?,
            month: month.parse().ok()?,
        };
        parsed.first_day().map(|_| parsed)
    }

    #[must_use]
    pub fn first_day(self) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(self.year, self.month, 1)
    }

    /// Months since year 0, for differences.
    #[must_use]
    pub fn index(self) -> i64 {
        i64::from(self.year) * 12 + i64::from(self.month) - 1
    }

    #[must_use]
    pub fn from_index(index: i64) -> Self {
        let year = i32::try_from(index.div_euclid(12)).unwrap_or(i32::MAX);
        let month = u32::try_from(index.rem_euclid(12)).unwrap_or(0) + 1;
        Self { year, month }
    }

    #[must_use]
    pub fn plus(self, months: i64) -> Self {
        Self::from_index(self.index() + months)
    }

    #[must_use]
    pub fn days(self) -> u32 {
        match (self.first_day(), self.plus(1).first_day()) {
            (Some(first), Some(next)) => u32::try_from((next - first).num_days()).unwrap_or(0),
            _ => 0,
        }
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// The first instant of `day` in `zone`: midnight, or what follows it where the clock skips midnight.
#[must_use]
pub fn day_start(zone: Zone, day: NaiveDate) -> Ms {
    let midnight = day.and_hms_opt(0, 0, 0).unwrap_or_default();
    instant(zone, midnight)
}

/// A local date and time of `zone` as an instant: the earlier of two, the first that exists after a gap.
#[must_use]
pub fn instant(zone: Zone, local: NaiveDateTime) -> Ms {
    if let Some(at) = zone.from_local_datetime(&local).earliest() {
        return at.timestamp_millis();
    }
    // In a gap: the same wall time by the offset before it is the instant at which the clock jumped or later.
    let before = local - chrono::Duration::hours(4);
    let offset = zone
        .offset_from_local_datetime(&before)
        .earliest()
        .map_or(0, |o| o.fix().local_minus_utc());
    let naive = local.and_utc().timestamp_millis() - i64::from(offset) * 1000;
    // Walk back to the jump itself: the first instant whose local date is this one.
    let mut first = naive;
    while first > naive - 4 * HOUR_MS
        && local_at(zone, first - MINUTE_MS).is_some_and(|l| l >= local)
    {
        first -= MINUTE_MS;
    }
    first
}

/// Wall time of an instant in a zone.
#[must_use]
pub fn local_at(zone: Zone, at: Ms) -> Option<NaiveDateTime> {
    DateTime::<Utc>::from_timestamp_millis(at).map(|utc| utc.with_timezone(&zone).naive_local())
}

/// The ledger day an instant lies in.
#[must_use]
pub fn day_of(zone: Zone, at: Ms) -> NaiveDate {
    local_at(zone, at)
        .map(|local| local.date())
        .unwrap_or_default()
}

/// `[first instant, first instant of the next day)`.
#[must_use]
pub fn day_span(zone: Zone, day: NaiveDate) -> Span {
    let next = day.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX);
    Span {
        start: day_start(zone, day),
        end: day_start(zone, next),
    }
}

#[must_use]
pub fn month_span(zone: Zone, month: Month) -> Span {
    let start = month.first_day().unwrap_or_default();
    let end = month.plus(1).first_day().unwrap_or_default();
    Span {
        start: day_start(zone, start),
        end: day_start(zone, end),
    }
}

/// The hours of a day, counted from its first instant.
pub fn hours_of_day(zone: Zone, day: NaiveDate) -> impl Iterator<Item = Span> {
    let span = day_span(zone, day);
    span.pieces(span.start, HOUR_MS)
}

/// The hours of a month, day by day; their index is what monthly amounts are apportioned by.
#[must_use]
pub fn hours_of_month(zone: Zone, month: Month) -> Vec<Span> {
    let mut hours = Vec::with_capacity(745);
    let mut day = month.first_day();
    while let Some(current) = day.filter(|d| Month::of(*d) == month) {
        hours.extend(hours_of_day(zone, current));
        day = current.checked_add_days(Days::new(1));
    }
    hours
}

/// Every day from `from` up to, and without, `to`.
pub fn days(from: NaiveDate, to: NaiveDate) -> impl Iterator<Item = NaiveDate> {
    from.iter_days().take_while(move |day| *day < to)
}

/// Minutes since local midnight by the wall clock, 0–1439.
#[must_use]
pub fn minute_of_day(local: NaiveDateTime) -> u32 {
    local.hour() * 60 + local.minute()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn days_have_the_hours_their_zone_gives_them() {
        let check = |zone: Zone, text, hours| {
            assert_eq!(
                hours_of_day(zone, day(text)).count(),
                hours,
                "{zone} {text}"
            )
        };
        check(Zone::Asia__Shanghai, "2026-07-01", 24);
        check(Zone::America__New_York, "2024-03-10", 23);
        check(Zone::America__New_York, "2024-11-03", 25);
        check(Zone::Asia__Kathmandu, "2026-07-01", 24);
        check(Zone::America__Sao_Paulo, "2018-11-04", 23);
        assert_eq!(
            day_span(Zone::Australia__Lord_Howe, day("2026-10-04")).len(),
            23 * HOUR_MS + HOUR_MS / 2
        );
    }

    #[test]
    fn a_day_without_midnight_starts_at_the_jump() {
        let span = day_span(Zone::America__Sao_Paulo, day("2018-11-04"));
        assert_eq!(
            local_at(Zone::America__Sao_Paulo, span.start)
                .unwrap()
                .to_string(),
            "2018-11-04 01:00:00"
        );
        assert_eq!(
            day_span(Zone::America__Sao_Paulo, day("2018-11-03")).end,
            span.start
        );
    }

    #[test]
    fn months_count_and_read() {
        assert_eq!(
            Month::parse("2026-07").unwrap().plus(6).to_string(),
            "2027-01"
        );
        assert_eq!(Month::parse("2024-02").unwrap().days(), 29);
        for bad in ["2026-13", "2026-7", "26-07", "2026", "2026-07-01"] {
            assert_eq!(Month::parse(bad), None, "{bad}");
        }
        let june = Month::parse("2026-06").unwrap();
        assert_eq!(hours_of_month(Zone::Asia__Shanghai, june).len(), 720);
    }

    #[test]
    fn what_is_outside_others_is_left() {
        let check = |others: &[(Ms, Ms)], expected: &[(Ms, Ms)]| {
            let others: Vec<Span> = others.iter().map(|(a, b)| Span::new(*a, *b)).collect();
            let left = Span::new(10, 20).without(&others);
            let left: Vec<(Ms, Ms)> = left.iter().map(|s| (s.start, s.end)).collect();
            assert_eq!(left, expected);
        };
        check(&[], &[(10, 20)]);
        check(
            &[(0, 5), (12, 14), (14, 15), (30, 40)],
            &[(10, 12), (15, 20)],
        );
        check(&[(5, 11), (19, 25)], &[(11, 19)]);
        check(&[(0, 30)], &[]);
    }

    #[test]
    fn pieces_cover_a_span() {
        let pieces: Vec<Span> = Span::new(50, 250).pieces(0, 100).collect();
        assert_eq!(
            pieces,
            [Span::new(50, 100), Span::new(100, 200), Span::new(200, 250)]
        );
    }
}
