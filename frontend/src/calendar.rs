//! Civil days of the ledger zone: the page counts presets and comparisons in them.
//!
//! A day is a number, so that ranges are plain arithmetic; "today" comes from the server, never from the browser.

use std::fmt;

/// Days since 1970-01-01 of the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

impl Day {
    /// From `YYYY-MM-DD`; `None` for anything else, the 30th of February included.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-');
        let mut number = |digits: usize| {
            let part = parts.next()?;
            let plain = part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| part.parse::<i32>().ok())?
        };
        let (year, month, day) = (number(4)?, number(2)?, number(2)?);
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let found = Self::of(year, month, day);
        (found.civil() == (year, month, day)).then_some(found)
    }

    /// The day of a year, a month 1–12 and a day of the month. (H. Hinnant, `days_from_civil`.)
    pub fn of(year: i32, month: i32, day: i32) -> Self {
        let shifted = if month <= 2 { year - 1 } else { year };
        let era = shifted.div_euclid(400);
        let year_of_era = shifted.rem_euclid(400);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Self(era * 146_097 + day_of_era - 719_468)
    }

    /// Year, month 1–12, day of the month. (H. Hinnant, `civil_from_days`.)
    pub fn civil(self) -> (i32, i32, i32) {
        let shifted = self.0 + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 {
            month_from_march + 3
        } else {
            month_from_march - 9
        };
        let year = year_of_era + era * 400 + i32::from(month <= 2);
        (year, month, day)
    }

    pub fn plus(self, days: i32) -> Self {
        Self(self.0 + days)
    }

    /// Days from `earlier` to this one.
    pub fn since(self, earlier: Self) -> i32 {
        self.0 - earlier.0
    }

    pub fn first_of_month(self) -> Self {
        let (year, month, _) = self.civil();
        Self::of(year, month, 1)
    }

    /// The first day of the month `months` later (earlier when negative).
    pub fn first_of_month_after(self, months: i32) -> Self {
        let (year, month, _) = self.civil();
        let counted = year * 12 + month - 1 + months;
        Self::of(counted.div_euclid(12), counted.rem_euclid(12) + 1, 1)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// Days `from` (in it) to `to` (not in it).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub from: Day,
    pub to: Day,
}

impl Range {
    /// `None` when it would hold no day.
    pub fn new(from: Day, to: Day) -> Option<Self> {
        (from < to).then_some(Self { from, to })
    }

    /// The whole month a day lies in.
    pub fn month_of(day: Day) -> Self {
        Self {
            from: day.first_of_month(),
            to: day.first_of_month_after(1),
        }
    }

    pub fn last(self) -> Day {
        self.to.plus(-1)
    }

    pub fn days(self) -> i32 {
        self.to.since(self.from)
    }

    /// Both ends lie in one month.
    pub fn within_one_month(self) -> bool {
        self.from.first_of_month() == self.last().first_of_month()
    }

    /// `2026-11-01 – 11-30`: the last day is in it, and what it shares with the first is left out.
    pub fn label(self) -> String {
        let (first, last) = (self.from.to_string(), self.last().to_string());
        if first == last {
            return first;
        }
        match (first.split_once('-'), last.split_once('-')) {
            (Some((first_year, _)), Some((last_year, rest))) if first_year == last_year => {
                format!("{first} – {rest}")
            }
            _ => format!("{first} – {last}"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may")]
mod tests {
    use super::{Day, Range};

    fn check(text: &str, expected: Option<(i32, i32, i32)>) {
        assert_eq!(Day::parse(text).map(Day::civil), expected, "{text}");
    }

    #[test]
    fn parses_only_real_days() {
        check("1970-01-01", Some((1970, 1, 1)));
        check("2024-02-29", Some((2024, 2, 29)));
        check("2023-02-29", None);
        check("2026-13-01", None);
        check("2026-1-1", None);
        check("2026-01-01T00", None);
        check("", None);
    }

    #[test]
    fn every_day_of_eight_centuries_round_trips() {
        let mut day = Day::of(1600, 1, 1);
        while day < Day::of(2400, 1, 1) {
            assert_eq!(Day::parse(&day.to_string()), Some(day));
            day = day.plus(1);
        }
    }

    #[test]
    fn months_are_counted_across_years() {
        let day = Day::of(2026, 1, 31);
        assert_eq!(day.first_of_month_after(-1), Day::of(2025, 12, 1));
        assert_eq!(day.first_of_month_after(12), Day::of(2027, 1, 1));
        assert_eq!(Range::month_of(Day::of(2024, 2, 10)).days(), 29);
    }

    #[test]
    fn labels_leave_out_what_both_ends_share() {
        let label = |from: &str, to: &str| {
            Range::new(Day::parse(from).unwrap(), Day::parse(to).unwrap())
                .unwrap()
                .label()
        };
        assert_eq!(label("2026-11-01", "2026-12-01"), "2026-11-01 – 11-30");
        assert_eq!(label("2025-12-01", "2026-02-01"), "2025-12-01 – 2026-01-31");
        assert_eq!(label("2026-11-05", "2026-11-06"), "2026-11-05");
    }
}
