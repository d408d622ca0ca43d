//! Two rows of a tariff that say different levels for the same instant with the same right to it.
//!
//! The more specific day kind wins, then the later `from`; rows of one (tariff, from) and one day kind must therefore
//! not overlap with different levels. They come together in a batch, so only the batch is looked at.

use accounting::facts::{DayKind, Season, TariffRow};

/// Pairs of indices into `rows` that clash.
#[must_use]
pub fn clashes(rows: &[(i64, TariffRow)]) -> Vec<(i64, i64)> {
    let mut found = Vec::new();
    for (index, (line, row)) in rows.iter().enumerate() {
        for (other_line, other) in rows.iter().take(index) {
            let same_right = row.tariff == other.tariff && row.valid.from == other.valid.from;
            if same_right
                && row.level != other.level
                && days_meet(&row.days, &other.days)
                && seasons_meet(row.season, other.season)
                && slots_meet(row.slot, other.slot)
            {
                found.push((*other_line, *line));
            }
        }
    }
    found
}

fn days_meet(a: &DayKind, b: &DayKind) -> bool {
    match (a, b) {
        (DayKind::Dates(a), DayKind::Dates(b)) => a.iter().any(|date| b.contains(date)),
        (a, b) => a == b,
    }
}

/// Days of a leap year, as (month, day) in order.
fn seasons_meet(a: Season, b: Season) -> bool {
    (1..=12).any(|month| (1..=31).any(|day| is_in(a, (month, day)) && is_in(b, (month, day))))
}

fn is_in(season: Season, day: (u32, u32)) -> bool {
    match season {
        Season::Months { from, to } => between(from, to, day.0),
        Season::Days { from, to } => between(from, to, day),
    }
}

fn between<T: PartialOrd>(from: T, to: T, at: T) -> bool {
    if from <= to {
        from <= at && at <= to
    } else {
        at >= from || at <= to
    }
}

fn slots_meet(a: (u32, u32), b: (u32, u32)) -> bool {
    pieces(a)
        .iter()
        .any(|a| pieces(b).iter().any(|b| a.0.max(b.0) < a.1.min(b.1)))
}

/// A slot past midnight is two slots.
fn pieces((start, end): (u32, u32)) -> [(u32, u32); 2] {
    if end > start {
        [(start, end), (0, 0)]
    } else {
        [(start, 1440), (0, end)]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;
    use crate::store::written::{days, season, slot};
    use accounting::facts::{Level, Validity};
    use accounting::ids::Id;

    fn row(months: &str, day: &str, at: &str, level: Level) -> TariffRow {
        TariffRow {
            tariff: Id::from("t"),
            valid: Validity::default(),
            season: season(months).unwrap(),
            days: days(day).unwrap(),
            slot: slot(at).unwrap(),
            level,
        }
    }

    #[test]
    fn only_rows_of_one_right_and_two_levels_clash() {
        let peak = row("1-12", "all", "08:00-12:00", Level::Peak);
        let check = |other: TariffRow| clashes(&[(2, peak.clone()), (3, other)]).len();
        assert_eq!(check(row("7-8", "all", "11:00-13:00", Level::Valley)), 1);
        assert_eq!(check(row("11-2", "all", "22:00-08:30", Level::Valley)), 1);
        assert_eq!(
            check(row("06-15..07-02", "all", "11:59-12:00", Level::Flat)),
            1
        );
        assert_eq!(check(row("1-12", "all", "12:00-14:00", Level::Valley)), 0);
        assert_eq!(
            check(row("1-12", "weekend", "08:00-12:00", Level::Valley)),
            0
        );
        assert_eq!(check(row("1-12", "all", "08:00-12:00", Level::Peak)), 0);
    }
}
