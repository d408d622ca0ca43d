//! Which days a range is set against. Only like is compared with like: of a range that has books in part, that part is
//! taken, and a day without books on either side means that nothing is compared.

use api::overview::NotCompared;
use chrono::{Datelike as _, Months, NaiveDate};

use super::Books;

/// What the figures are set against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// The days before, as many.
    Previous,
    /// The same days a month before.
    LastMonth,
    LastYear,
    None,
}

impl Compare {
    /// The days it sets against some days. Whole months are set against whole months, whatever their length; a day that
    /// the other month does not have is its last.
    fn against(self, days: Days) -> Option<Days> {
        let back = |months: u32| {
            let before = |day: NaiveDate| day.checked_sub_months(Months::new(months));
            let from = before(days.from)?;
            let to = if days.from.day() == 1 && days.to.day() == 1 {
                before(days.to)?
            } else {
                before(days.to.pred_opt()?)?.succ_opt()?
            };
            Some(Days { from, to })
        };
        match self {
            Self::Previous => {
                let from = days.from.checked_sub_signed(days.to - days.from)?;
                Some(Days {
                    from,
                    to: days.from,
                })
            }
            Self::LastMonth => back(1),
            Self::LastYear => back(12),
            Self::None => None,
        }
    }
}

/// Days `from` to `to`, which is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days {
    pub from: NaiveDate,
    pub to: NaiveDate,
}

impl Days {
    /// From the first to the last of some days in order; `None` of none.
    fn spanning(days: &[NaiveDate]) -> Option<Self> {
        Some(Self {
            from: *days.first()?,
            to: days.last()?.succ_opt()?,
        })
    }

    /// Whether some different days of it are all of it.
    fn are_all(self, days: &[NaiveDate]) -> bool {
        i64::try_from(days.len()) == Ok((self.to - self.from).num_days())
    }
}

/// What is set against what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// From the first to the last day of the range that has books.
    pub covered: Option<Days>,
    /// The days the rule sets against these.
    pub against: Option<Days>,
    /// Why there is nothing to compare with, though it was asked for.
    pub missing: Option<NotCompared>,
}

impl Comparison {
    /// The days to compare with, when they and the range have books throughout.
    #[must_use]
    pub fn usable(&self) -> Option<Days> {
        self.against.filter(|_| self.missing.is_none())
    }

    /// `own` and `theirs`: the days that have books, of the range and of what it is set against.
    fn of(rule: Compare, own: &[NaiveDate], theirs: impl FnOnce(Days) -> Vec<NaiveDate>) -> Self {
        let covered = Days::spanning(own);
        let against = covered.and_then(|days| rule.against(days));
        let missing = covered.zip(against).and_then(|(covered, against)| {
            if !covered.are_all(own) {
                Some(NotCompared::Gap)
            } else if !against.are_all(&theirs(against)) {
                Some(NotCompared::NoBooks)
            } else {
                None
            }
        });
        Self {
            covered,
            against,
            missing,
        }
    }
}

impl Books {
    /// What the days `from` to `to` (exclusive) can be set against.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn comparison(
        &self,
        rule: Compare,
        from: NaiveDate,
        to: NaiveDate,
    ) -> Result<Comparison, sqlx::Error> {
        let own = self.days(from, to).await?;
        let against = Days::spanning(&own).and_then(|days| rule.against(days));
        let theirs = match against {
            Some(days) => self.days(days.from, days.to).await?,
            None => Vec::new(),
        };
        Ok(Comparison::of(rule, &own, |_| theirs))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// The days of a range, both ends included.
    fn days(first: &str, last: &str) -> Vec<NaiveDate> {
        day(first)
            .iter_days()
            .take_while(|one| *one <= day(last))
            .collect()
    }

    fn text(days: Option<Days>) -> Option<(String, String)> {
        days.map(|days| (days.from.to_string(), days.to.to_string()))
    }

    fn pair(days: Option<(&str, &str)>) -> Option<(String, String)> {
        days.map(|(from, to)| (from.to_owned(), to.to_owned()))
    }

    #[test]
    fn ranges_compare_with_their_like() {
        let check = |from, to, rule: Compare, expected: Option<(&str, &str)>| {
            let days = Days {
                from: day(from),
                to: day(to),
            };
            assert_eq!(text(rule.against(days)), pair(expected), "{from} {to}");
        };
        let month = |from, to, expected| check(from, to, Compare::LastMonth, Some(expected));
        month("2026-07-01", "2026-08-01", ("2026-06-01", "2026-07-01"));
        month("2026-07-01", "2026-07-11", ("2026-06-01", "2026-06-11"));
        month("2026-03-01", "2026-04-01", ("2026-02-01", "2026-03-01"));
        // The other month is shorter: its last day stands for those it does not have.
        month("2026-03-30", "2026-04-01", ("2026-02-28", "2026-03-01"));
        month("2026-03-01", "2026-03-31", ("2026-02-01", "2026-03-01"));
        month("2026-01-05", "2026-01-09", ("2025-12-05", "2025-12-09"));
        check(
            "2026-07-01",
            "2026-07-08",
            Compare::Previous,
            Some(("2026-06-24", "2026-07-01")),
        );
        check(
            "2024-02-01",
            "2024-03-01",
            Compare::LastYear,
            Some(("2023-02-01", "2023-03-01")),
        );
        check(
            "2024-02-20",
            "2024-03-01",
            Compare::LastYear,
            Some(("2023-02-20", "2023-03-01")),
        );
        check("2026-07-01", "2026-08-01", Compare::None, None);
    }

    /// Books from the 10th of August to the 20th of October, seen from October.
    fn october(rule: Compare) -> Comparison {
        let books = days("2026-08-10", "2026-10-20");
        let within = |from: NaiveDate, to: NaiveDate| -> Vec<NaiveDate> {
            let inside = books.iter().filter(|day| from <= **day && **day < to);
            inside.copied().collect()
        };
        let own = within(day("2026-10-01"), day("2026-11-01"));
        Comparison::of(rule, &own, |days| within(days.from, days.to))
    }

    #[test]
    fn of_a_range_with_books_in_part_that_part_is_compared() {
        let covered = pair(Some(("2026-10-01", "2026-10-21")));
        for (rule, against) in [
            (Compare::LastMonth, Some(("2026-09-01", "2026-09-21"))),
            (Compare::Previous, Some(("2026-09-11", "2026-10-01"))),
            (Compare::None, None),
        ] {
            let found = october(rule);
            assert_eq!(text(found.covered), covered);
            assert_eq!(text(found.usable()), pair(against), "{rule:?}");
            assert_eq!(found.missing, None);
        }
    }

    #[test]
    fn a_day_without_books_on_either_side_leaves_nothing_to_compare() {
        let found = october(Compare::LastYear);
        assert_eq!(
            text(found.against),
            pair(Some(("2025-10-01", "2025-10-21")))
        );
        assert_eq!(found.missing, Some(NotCompared::NoBooks));
        assert_eq!(found.usable(), None);

        let whole = days("2026-06-01", "2026-07-31");
        let one_short = |rule, without: &str| {
            let books: Vec<NaiveDate> = whole
                .iter()
                .copied()
                .filter(|one| *one != day(without))
                .collect();
            let of = |from: NaiveDate, to: NaiveDate| -> Vec<NaiveDate> {
                let inside = books.iter().filter(|day| from <= **day && **day < to);
                inside.copied().collect()
            };
            let own = of(day("2026-07-01"), day("2026-08-01"));
            Comparison::of(rule, &own, |days| of(days.from, days.to)).missing
        };
        assert_eq!(one_short(Compare::LastMonth, "2026-08-01"), None);
        let june = one_short(Compare::LastMonth, "2026-06-17");
        assert_eq!(june, Some(NotCompared::NoBooks));
        let july = one_short(Compare::LastMonth, "2026-07-17");
        assert_eq!(july, Some(NotCompared::Gap));
        // What is not asked for is not missing.
        assert_eq!(one_short(Compare::None, "2026-07-17"), None);
    }

    #[test]
    fn a_range_without_books_has_nothing_to_compare() {
        let found = Comparison::of(Compare::Previous, &[], |_| Vec::new());
        assert_eq!(found, Comparison::default());
    }
}
