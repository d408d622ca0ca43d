//! The view in the address: range, comparison, grain, scope, filter and language, so that a link reproduces the page.
//!
//! Pure: parameters in, parameters out. What is malformed is as if it were not there; what is left at its default is
//! not written.

use api::query::Grain;

use crate::calendar::{Day, Range};
use crate::texts::Locale;

/// What a figure is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Previous,
    LastMonth,
    LastYear,
    None,
}

impl Compare {
    pub const ALL: [Self; 4] = [Self::Previous, Self::LastMonth, Self::LastYear, Self::None];

    pub fn name(self) -> &'static str {
        match self {
            Self::Previous => "previous",
            Self::LastMonth => "last_month",
            Self::LastYear => "last_year",
            Self::None => "none",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// Whose cost is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    #[default]
    Company,
    Site(String),
    Team(String),
    Project(String),
}

impl Scope {
    /// What is chosen; `None` for the whole company.
    pub fn id(&self) -> Option<&str> {
        self.parameter().map(|(_, id)| id)
    }

    /// The parameter's name and value; none for the whole company.
    fn parameter(&self) -> Option<(&'static str, &str)> {
        match self {
            Self::Company => None,
            Self::Site(id) => Some(("site", id)),
            Self::Team(id) => Some(("team", id)),
            Self::Project(id) => Some(("project", id)),
        }
    }
}

/// The view as the address says it; `None` is "not said".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewState {
    pub range: Option<Range>,
    pub compare: Option<Compare>,
    pub grain: Option<Grain>,
    pub scope: Scope,
    pub category: Option<String>,
    pub locale: Option<Locale>,
}

impl ViewState {
    /// Reads the parameters by name.
    pub fn read(parameter: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| parameter(name).filter(|value| !value.is_empty());
        let day = |name: &str| text(name).as_deref().and_then(Day::parse);
        let range = match (day("from"), day("to")) {
            (Some(from), Some(to)) => Range::new(from, to),
            _ => None,
        };
        let scope = if let Some(id) = text("project") {
            Scope::Project(id)
        } else if let Some(id) = text("team") {
            Scope::Team(id)
        } else if let Some(id) = text("site") {
            Scope::Site(id)
        } else {
            Scope::Company
        };
        Self {
            range,
            compare: text("compare").as_deref().and_then(Compare::parse),
            grain: match text("grain").as_deref() {
                Some("day") => Some(Grain::Day),
                Some("month") => Some(Grain::Month),
                _ => None,
            },
            scope,
            category: text("category"),
            locale: text("lang").as_deref().and_then(parse_locale),
        }
    }

    /// The address of a page with this view.
    pub fn href(&self, path: &str) -> String {
        let mut parameters = self.range_and_scope();
        if let Some(compare) = self.compare {
            parameters.push(("compare", compare.name().to_owned()));
        }
        if let Some(grain) = self.grain {
            parameters.push(("grain", grain_name(grain).to_owned()));
        }
        if let Some(category) = &self.category {
            parameters.push(("category", category.clone()));
        }
        if let Some(locale) = self.locale {
            parameters.push(("lang", locale_name(locale).to_owned()));
        }
        address(path, &parameters)
    }

    /// `GET /api/v1/overview`; `None` until the range is known.
    pub fn overview(&self) -> Option<String> {
        let range = self.range?;
        let mut parameters = self.range_and_scope();
        parameters.push(("compare", self.compare_or_default(range).name().to_owned()));
        parameters.push(("grain", grain_name(self.grain_or_default(range)).to_owned()));
        Some(address("/api/v1/overview", &parameters))
    }

    /// `GET /api/v1/waste`; `None` until the range is known.
    pub fn waste(&self) -> Option<String> {
        self.range?;
        Some(address("/api/v1/waste", &self.range_and_scope()))
    }

    /// The same cost by project and period as a file; `None` until the range is known.
    pub fn csv_href(&self) -> Option<String> {
        let range = self.range?;
        let mut parameters = vec![
            ("metric", "cost".to_owned()),
            ("group_by", "project".to_owned()),
            ("from", range.from.to_string()),
            ("to", range.to.to_string()),
            ("grain", grain_name(self.grain_or_default(range)).to_owned()),
        ];
        if let Some((key, value)) = self.scope.parameter() {
            parameters.push(("filter", format!("{key}:{value}")));
        }
        parameters.push(("format", "csv".to_owned()));
        Some(address("/api/v1/query", &parameters))
    }

    /// `GET /api/v1/query` for the cost by one group, over the whole company; `None` until the range is known.
    pub fn cost_by(&self, group: &str) -> Option<String> {
        let range = self.range?;
        let parameters = [
            ("metric", "cost".to_owned()),
            ("group_by", group.to_owned()),
            ("from", range.from.to_string()),
            ("to", range.to.to_string()),
        ];
        Some(address("/api/v1/query", &parameters))
    }

    /// `GET /api/v1/query` for the chosen scope alone, whose answer has its name; `None` for the whole company.
    pub fn scope_named(&self) -> Option<String> {
        let (key, id) = self.scope.parameter()?;
        let mut path = self.cost_by(key)?;
        path.push_str("&filter=");
        encode(&format!("{key}:{id}"), &mut path);
        Some(path)
    }

    /// The same days last month for a range within a month, else the days before.
    pub fn compare_or_default(&self, range: Range) -> Compare {
        self.compare.unwrap_or(if range.within_one_month() {
            Compare::LastMonth
        } else {
            Compare::Previous
        })
    }

    /// Days up to two months, else months.
    pub fn grain_or_default(&self, range: Range) -> Grain {
        self.grain.unwrap_or(if range.days() <= 62 {
            Grain::Day
        } else {
            Grain::Month
        })
    }

    fn range_and_scope(&self) -> Vec<(&'static str, String)> {
        let mut parameters = Vec::new();
        if let Some(range) = self.range {
            parameters.push(("from", range.from.to_string()));
            parameters.push(("to", range.to.to_string()));
        }
        if let Some((name, id)) = self.scope.parameter() {
            parameters.push((name, id.to_owned()));
        }
        parameters
    }
}

/// The presets of the range menu that hold any day, by name.
pub fn presets(today: Day, books: Option<Range>) -> Vec<(&'static str, Range)> {
    let month = today.first_of_month();
    let (year, month_of_year, _) = today.civil();
    let quarter = month.first_of_month_after(-((month_of_year - 1) % 3));
    let tomorrow = today.plus(1);
    let mut list = vec![
        ("this_month", (month, tomorrow)),
        ("last_month", (month.first_of_month_after(-1), month)),
        ("last_7_days", (today.plus(-6), tomorrow)),
        ("last_30_days", (today.plus(-29), tomorrow)),
        ("this_quarter", (quarter, tomorrow)),
        ("this_year", (Day::of(year, 1, 1), tomorrow)),
    ];
    if let Some(books) = books {
        let last = Range::month_of(books.last());
        let with_books = (last.from, last.to.min(tomorrow));
        if list.iter().all(|(_, range)| *range != with_books) {
            list.push(("last_month_with_books", with_books));
        }
        list.push(("all_books", (books.from, books.to)));
    }
    list.into_iter()
        .filter_map(|(name, (from, to))| Some((name, Range::new(from, to)?)))
        .collect()
}

/// Where the page opens: this month so far, or the last month that has books when this one has none.
pub fn opening_range(today: Day, books: Option<Range>) -> Option<Range> {
    let tomorrow = today.plus(1);
    let this_month = Range::new(today.first_of_month(), tomorrow);
    match books {
        Some(books) if books.last() < today.first_of_month() => Some(Range::month_of(books.last())),
        _ => this_month,
    }
}

pub fn locale_name(locale: Locale) -> &'static str {
    match locale {
        Locale::zh => "zh",
        Locale::en => "en",
    }
}

pub fn parse_locale(name: &str) -> Option<Locale> {
    match name {
        "zh" => Some(Locale::zh),
        "en" => Some(Locale::en),
        _ => None,
    }
}

pub fn grain_name(grain: Grain) -> &'static str {
    match grain {
        Grain::Day => "day",
        Grain::Week => "week",
        Grain::Month => "month",
    }
}

fn address(path: &str, parameters: &[(&str, String)]) -> String {
    let mut text = path.to_owned();
    for (index, (name, value)) in parameters.iter().enumerate() {
        text.push(if index == 0 { '?' } else { '&' });
        text.push_str(name);
        text.push('=');
        encode(value, &mut text);
    }
    text
}

/// Percent-encodes everything but RFC 3986's unreserved characters.
fn encode(value: &str, into: &mut String) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            into.push(char::from(byte));
        } else {
            into.push_str(&format!("%{byte:02X}"));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may")]
mod tests {
    use super::*;

    /// Reads an address back as the browser would hand it over.
    fn read(address: &str) -> ViewState {
        let query = address.split_once('?').map_or("", |(_, query)| query);
        ViewState::read(|name| {
            query
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
        })
    }

    fn range(from: &str, to: &str) -> Range {
        Range::new(Day::parse(from).unwrap(), Day::parse(to).unwrap()).unwrap()
    }

    fn check(address: &str, expected: &str) {
        assert_eq!(read(address).href("/"), expected, "{address}");
    }

    #[test]
    fn what_is_said_round_trips_and_what_is_malformed_is_left_out() {
        check("/", "/");
        check(
            "/?from=2026-11-01&to=2026-12-01&site=bj&compare=last_year&grain=month&category=held_idle&lang=en",
            "/?from=2026-11-01&to=2026-12-01&site=bj&compare=last_year&grain=month&category=held_idle&lang=en",
        );
        check("/?from=2026-12-01&to=2026-11-01", "/");
        check(
            "/?from=2026-11-01&to=yesterday&compare=x&lang=fr&grain=hour",
            "/",
        );
        check("/?site=&project=p1", "/?project=p1");
    }

    #[test]
    fn values_are_percent_encoded() {
        let view = ViewState {
            scope: Scope::Project("语言 a&b".into()),
            ..ViewState::default()
        };
        assert_eq!(
            view.href("/waste"),
            "/waste?project=%E8%AF%AD%E8%A8%80%20a%26b"
        );
    }

    #[test]
    fn questions_carry_the_defaults_of_the_range() {
        let month = read("/?from=2026-11-01&to=2026-12-01");
        assert_eq!(
            month.overview().unwrap(),
            "/api/v1/overview?from=2026-11-01&to=2026-12-01&compare=last_month&grain=day"
        );
        let year = read("/?from=2026-01-01&to=2026-12-01&team=nlp");
        assert_eq!(
            year.overview().unwrap(),
            "/api/v1/overview?from=2026-01-01&to=2026-12-01&team=nlp&compare=previous&grain=month"
        );
        assert_eq!(
            year.scope_named().unwrap(),
            "/api/v1/query?metric=cost&group_by=team&from=2026-01-01&to=2026-12-01&filter=team%3Anlp"
        );
        assert_eq!((read("/").waste(), month.scope_named()), (None, None));
    }

    #[test]
    fn the_page_opens_where_there_are_books() {
        let today = Day::parse("2026-11-15").unwrap();
        let opening = |books| opening_range(today, books).unwrap();
        assert_eq!(opening(None), range("2026-11-01", "2026-11-16"));
        assert_eq!(
            opening(Some(range("2026-01-01", "2026-11-10"))),
            range("2026-11-01", "2026-11-16")
        );
        assert_eq!(
            opening(Some(range("2023-01-01", "2023-06-15"))),
            range("2023-06-01", "2023-07-01")
        );
    }

    #[test]
    fn presets_count_from_the_ledger_day() {
        let today = Day::parse("2026-11-15").unwrap();
        let list = presets(today, None);
        let named = |name: &str| list.iter().find(|(one, _)| *one == name).unwrap().1;
        assert_eq!(named("this_month"), range("2026-11-01", "2026-11-16"));
        assert_eq!(named("last_month"), range("2026-10-01", "2026-11-01"));
        assert_eq!(named("last_7_days").days(), 7);
        assert_eq!(named("this_quarter"), range("2026-10-01", "2026-11-16"));
        assert_eq!(named("this_year"), range("2026-01-01", "2026-11-16"));
        assert_eq!(list.len(), 6);
        let old = presets(today, Some(range("2025-01-01", "2026-01-01")));
        assert_eq!(old.len(), 8);
        // The last month with books is last month: once is enough.
        let fresh = presets(today, Some(range("2025-01-01", "2026-11-01")));
        assert_eq!(fresh.len(), 7);
    }
}
