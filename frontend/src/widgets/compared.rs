//! Which days figures are set against, said in words where a change is shown; or why nothing is compared.

use api::overview::{NotCompared, Overview};
use api::waste::WasteAnswer;

use crate::calendar::{Day, Range};
use crate::days;
use crate::texts::{self, Locale, fill, t};
use crate::url_state::{Compare, ViewState};

/// A comparison in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// `against 1–20 Sep`; `None` where nothing is compared.
    pub against: Option<String>,
    /// The rule with both sides and their days, or why there is no comparison.
    pub hint: String,
}

impl Compared {
    pub fn of_overview(locale: Locale, view: &ViewState, overview: &Overview) -> Self {
        let rule = view
            .range
            .map_or(Compare::None, |range| view.compare_or_default(range));
        let days = Sides {
            own: range(&overview.covered_from, &overview.covered_to),
            other: range(&overview.compare_from, &overview.compare_to),
            why: overview.not_compared,
        };
        days.words(locale, rule)
    }

    pub fn of_waste(locale: Locale, waste: &WasteAnswer) -> Self {
        let days = Sides {
            own: range(&Some(waste.from.clone()), &Some(waste.to.clone())),
            other: range(&waste.compare_from, &waste.compare_to),
            why: waste.not_compared,
        };
        days.words(locale, Compare::Previous)
    }
}

/// Half-open days of an answer.
pub fn range(from: &Option<String>, to: &Option<String>) -> Option<Range> {
    Range::new(Day::parse(from.as_deref()?)?, Day::parse(to.as_deref()?)?)
}

struct Sides {
    own: Option<Range>,
    other: Option<Range>,
    why: Option<NotCompared>,
}

impl Sides {
    fn words(&self, locale: Locale, rule: Compare) -> Compared {
        let none = |hint: String| Compared {
            against: None,
            hint,
        };
        let (Some(own), Some(other)) = (self.own, self.other) else {
            return none(t!(locale, shell.compared.not_asked).to_owned());
        };
        let year = own.last().civil().0;
        let own_days = days::words(locale, own, None);
        let other_days = days::words(locale, other, Some(year));
        match self.why {
            Some(NotCompared::NoBooks) => none(fill(
                t!(locale, shell.compared.no_books),
                &[("days", &other_days)],
            )),
            Some(NotCompared::Gap) => {
                none(fill(t!(locale, shell.compared.gap), &[("days", &own_days)]))
            }
            None => Compared {
                against: Some(fill(
                    t!(locale, shell.compared.against),
                    &[("days", &other_days)],
                )),
                hint: fill(
                    t!(locale, shell.compared.hint),
                    &[
                        (
                            "rule",
                            &texts::or_name(texts::compare(locale, rule.name()), rule.name()),
                        ),
                        ("own", &own.label()),
                        ("own_days", &own.days().to_string()),
                        ("other", &other.label()),
                        ("other_days", &other.days().to_string()),
                    ],
                ),
            },
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may")]
mod tests {
    use super::*;

    fn sides(own: (&str, &str), other: (&str, &str), why: Option<NotCompared>) -> Sides {
        let days = |(from, to): (&str, &str)| {
            Range::new(Day::parse(from).unwrap(), Day::parse(to).unwrap())
        };
        Sides {
            own: days(own),
            other: days(other),
            why,
        }
    }

    const OCTOBER: (&str, &str) = ("2025-10-01", "2025-10-21");
    const SEPTEMBER: (&str, &str) = ("2025-09-01", "2025-09-21");

    #[test]
    fn the_days_compared_are_named() {
        let found = sides(OCTOBER, SEPTEMBER, None).words(Locale::zh, Compare::LastMonth);
        assert_eq!(
            found.against.as_deref(),
            Some("与 9\u{a0}月\u{a0}1–20\u{a0}日比")
        );
        assert_eq!(
            found.hint,
            "上月同期：2025-10-01 – 10-20（20 天）与 2025-09-01 – 09-20（20 天）相比"
        );
        let found = sides(OCTOBER, SEPTEMBER, None).words(Locale::en, Compare::LastMonth);
        assert_eq!(found.against.as_deref(), Some("against 1–20\u{a0}Sep"));
    }

    #[test]
    fn a_missing_comparison_says_why() {
        let check = |why, expected: &str| {
            let found = sides(OCTOBER, SEPTEMBER, Some(why)).words(Locale::en, Compare::LastMonth);
            assert_eq!((found.against, found.hint.as_str()), (None, expected));
        };
        check(
            NotCompared::NoBooks,
            "Not every day of 1–20\u{a0}Sep has books, so nothing is compared",
        );
        check(
            NotCompared::Gap,
            "Not every day of 1–20\u{a0}Oct\u{a0}2025 has books, so nothing is compared",
        );
    }
}
