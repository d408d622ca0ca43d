//! Days in words, as short as they stay plain: `9 月 1–20 日`, `1–20 Sep`; the year only where it is not the reader's.

use crate::calendar::{Day, Range};
use crate::texts::{self, Locale, fill, t};

/// The days of a range; `year` is the one the reader has in mind.
pub fn words(locale: Locale, range: Range, year: Option<i32>) -> String {
    let (first, last) = (range.from, range.last());
    let ((first_year, first_month, _), (last_year, last_month, _)) = (first.civil(), last.civil());
    let whole_months = first == first.first_of_month() && range.to == range.to.first_of_month();
    let end = |day: Day| {
        let (_, month, of_month) = day.civil();
        if whole_months {
            texts::month(locale, month)
        } else {
            let values = [
                ("month", &*texts::month(locale, month)),
                ("day", &of_month.to_string()),
            ];
            fill(t!(locale, shell.days.day), &values)
        }
    };
    if first_year != last_year {
        let with_year = |day: Day| of_year(locale, &end(day), day.civil().0);
        return format!("{}–{}", with_year(first), with_year(last));
    }
    let text = if first == last || (whole_months && first_month == last_month) {
        end(first)
    } else if first_month == last_month {
        let values = [
            ("month", &*texts::month(locale, first_month)),
            ("first", &first.civil().2.to_string()),
            ("last", &last.civil().2.to_string()),
        ];
        fill(t!(locale, shell.days.within_month), &values)
    } else {
        format!("{}–{}", end(first), end(last))
    };
    if year == Some(first_year) {
        text
    } else {
        of_year(locale, &text, first_year)
    }
}

fn of_year(locale: Locale, text: &str, year: i32) -> String {
    let values = [("days", text), ("year", &*year.to_string())];
    fill(t!(locale, shell.days.of_year), &values)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may")]
mod tests {
    use super::*;

    #[test]
    fn days_are_said_shortly() {
        let check = |from: &str, to: &str, chinese: &str, english: &str| {
            let range = Range::new(Day::parse(from).unwrap(), Day::parse(to).unwrap()).unwrap();
            let plain = |locale| words(locale, range, Some(2026)).replace('\u{a0}', " ");
            assert_eq!(plain(Locale::zh), chinese);
            assert_eq!(plain(Locale::en), english);
        };
        check("2026-09-01", "2026-09-21", "9 月 1–20 日", "1–20 Sep");
        check("2026-09-05", "2026-09-06", "9 月 5 日", "5 Sep");
        check("2026-09-01", "2026-10-01", "9 月", "Sep");
        check("2026-07-01", "2026-10-01", "7 月–9 月", "Jul–Sep");
        check(
            "2026-09-11",
            "2026-10-02",
            "9 月 11 日–10 月 1 日",
            "11 Sep–1 Oct",
        );
        check(
            "2025-09-01",
            "2025-09-21",
            "2025 年 9 月 1–20 日",
            "1–20 Sep 2025",
        );
        check("2025-12-01", "2026-01-01", "2025 年 12 月", "Dec 2025");
        check(
            "2025-12-20",
            "2026-01-05",
            "2025 年 12 月 20 日–2026 年 1 月 4 日",
            "20 Dec 2025–4 Jan 2026",
        );
    }
}
