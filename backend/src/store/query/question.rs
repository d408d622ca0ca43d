//! The query object, read and checked: what may be asked, and in which combinations the books can answer.

use accounting::category::Component;
use accounting::efficiency::TokenKind;
use api::query::{Filter, Grain, Query};
use chrono::{Datelike, NaiveDate};

pub use super::key::Key;
pub use super::refusal::{QuestionError, Why};

/// A question that the books can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub metric: Metric,
    pub groups: Vec<Key>,
    pub from: NaiveDate,
    /// Exclusive.
    pub to: NaiveDate,
    /// Alternatives of the same key; different keys must all hold.
    pub filters: Vec<(Key, Vec<String>)>,
    pub grain: Option<Grain>,
}

/// Where energy is counted for FLOP/J.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// Devices and their hosts' share.
    Server,
    /// The same times the hour's PUE.
    Facility,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    Cost,
    FullCost,
    Kwh,
    DeviceHours,
    /// Without a kind: all four together.
    Tokens(Option<TokenKind>),
    TokensPerYuan(Option<TokenKind>),
    FullTokensPerYuan(Option<TokenKind>),
    FlopPerJoule(Boundary),
    Mfu,
    Pue,
    UsefulShare,
    AllocatedShare,
}

/// Every metric by its name, with its unit.
pub static METRICS: &[(&str, Metric, &str)] = &[
    ("cost", Metric::Cost, "yuan"),
    ("full_cost", Metric::FullCost, "yuan"),
    ("kwh", Metric::Kwh, "kWh"),
    ("device_hours", Metric::DeviceHours, "device_hours"),
    ("tokens", Metric::Tokens(None), "tokens"),
    (
        "tokens.trained",
        Metric::Tokens(Some(TokenKind::Trained)),
        "tokens",
    ),
    (
        "tokens.prompt",
        Metric::Tokens(Some(TokenKind::Prompt)),
        "tokens",
    ),
    (
        "tokens.cached",
        Metric::Tokens(Some(TokenKind::Cached)),
        "tokens",
    ),
    (
        "tokens.generated",
        Metric::Tokens(Some(TokenKind::Generated)),
        "tokens",
    ),
    (
        "tokens_per_yuan",
        Metric::TokensPerYuan(None),
        "tokens/yuan",
    ),
    (
        "tokens_per_yuan.trained",
        Metric::TokensPerYuan(Some(TokenKind::Trained)),
        "tokens/yuan",
    ),
    (
        "tokens_per_yuan.prompt",
        Metric::TokensPerYuan(Some(TokenKind::Prompt)),
        "tokens/yuan",
    ),
    (
        "tokens_per_yuan.cached",
        Metric::TokensPerYuan(Some(TokenKind::Cached)),
        "tokens/yuan",
    ),
    (
        "tokens_per_yuan.generated",
        Metric::TokensPerYuan(Some(TokenKind::Generated)),
        "tokens/yuan",
    ),
    (
        "full_tokens_per_yuan",
        Metric::FullTokensPerYuan(None),
        "tokens/yuan",
    ),
    (
        "full_tokens_per_yuan.trained",
        Metric::FullTokensPerYuan(Some(TokenKind::Trained)),
        "tokens/yuan",
    ),
    (
        "full_tokens_per_yuan.prompt",
        Metric::FullTokensPerYuan(Some(TokenKind::Prompt)),
        "tokens/yuan",
    ),
    (
        "full_tokens_per_yuan.cached",
        Metric::FullTokensPerYuan(Some(TokenKind::Cached)),
        "tokens/yuan",
    ),
    (
        "full_tokens_per_yuan.generated",
        Metric::FullTokensPerYuan(Some(TokenKind::Generated)),
        "tokens/yuan",
    ),
    (
        "flop_per_joule.server",
        Metric::FlopPerJoule(Boundary::Server),
        "FLOP/J",
    ),
    (
        "flop_per_joule.facility",
        Metric::FlopPerJoule(Boundary::Facility),
        "FLOP/J",
    ),
    ("mfu", Metric::Mfu, "ratio"),
    ("pue", Metric::Pue, "ratio"),
    ("useful_share", Metric::UsefulShare, "ratio"),
    ("allocated_share", Metric::AllocatedShare, "ratio"),
];

impl Metric {
    #[must_use]
    pub fn unit(self) -> &'static str {
        METRICS
            .iter()
            .find(|(_, metric, _)| *metric == self)
            .map_or("", |(_, _, unit)| unit)
    }

    /// The keys a question about the metric may group and filter by.
    #[must_use]
    pub fn keys(self) -> &'static [Key] {
        use Key::{
            Category, Component, CostCenter, Day, Kind, Model, Month, Node, Person, Pool, Project,
            Reason, Site, Team, Week, Workload,
        };
        match self {
            Self::Cost => Key::ALL,
            Self::FullCost => &[Project, Team, CostCenter, Site, Pool, Month],
            Self::Kwh | Self::AllocatedShare => &[
                Project, Team, CostCenter, Person, Workload, Kind, Model, Site, Node, Pool, Day,
                Week, Month,
            ],
            Self::DeviceHours => &[
                Project, Team, CostCenter, Person, Workload, Kind, Model, Site, Node, Category,
                Reason, Pool, Day, Week, Month,
            ],
            Self::UsefulShare => &[
                Project, Team, CostCenter, Person, Workload, Kind, Model, Site, Node, Component,
                Pool, Day, Week, Month,
            ],
            Self::Tokens(_) | Self::TokensPerYuan(_) | Self::FlopPerJoule(_) | Self::Mfu => &[
                Project, Team, CostCenter, Person, Workload, Kind, Model, Site, Day, Week, Month,
            ],
            Self::FullTokensPerYuan(_) => &[
                Project, Team, CostCenter, Person, Workload, Kind, Model, Site, Month,
            ],
            Self::Pue => &[Site, Day, Week, Month],
        }
    }

    /// Whether the metric is a ratio of sums, so that parts do not add up to the total.
    #[must_use]
    pub const fn is_ratio(self) -> bool {
        !matches!(
            self,
            Self::Cost | Self::FullCost | Self::Kwh | Self::DeviceHours | Self::Tokens(_)
        )
    }

    /// Full cost is allocated month by month.
    #[must_use]
    pub const fn whole_months(self) -> bool {
        matches!(self, Self::FullCost | Self::FullTokensPerYuan(_))
    }
}

pub(super) fn refused(field: &'static str, why: Why) -> QuestionError {
    QuestionError { field, why }
}

impl Question {
    /// Reads and checks a query object.
    ///
    /// # Errors
    /// Names the parameter at fault and what would be right.
    pub fn parse(query: &Query) -> Result<Self, QuestionError> {
        let metric = metric(&query.metric)?;
        let from = day("from", &query.from)?;
        let to = day("to", &query.to)?;
        if to <= from {
            return Err(refused("to", Why::EmptyRange));
        }
        let mut groups = Vec::new();
        for name in query.group_by.iter().filter(|name| !name.is_empty()) {
            let key = Key::parse(name, "group_by")?;
            if !groups.contains(&key) {
                groups.push(key);
            }
        }
        let mut filters: Vec<(Key, Vec<String>)> = Vec::new();
        for Filter { key, value } in &query.filters {
            let key = Key::parse(key, "filter")?;
            key.check(value)?;
            match filters.iter_mut().find(|(known, _)| *known == key) {
                Some((_, values)) => values.push(value.clone()),
                None => filters.push((key, vec![value.clone()])),
            }
        }
        let question = Self {
            metric,
            groups,
            from,
            to,
            filters,
            grain: query.grain,
        };
        question.check(&query.metric)?;
        Ok(question)
    }

    /// Whether a key is grouped or filtered by.
    #[must_use]
    pub fn uses(&self, key: Key) -> bool {
        self.groups.contains(&key) || self.filters.iter().any(|(filtered, _)| *filtered == key)
    }

    fn check(&self, name: &str) -> Result<(), QuestionError> {
        let allowed = self.metric.keys();
        let filtered = self.filters.iter().map(|(key, _)| ("filter", *key));
        let grouped = self.groups.iter().map(|key| ("group_by", *key));
        if let Some((field, key)) = grouped
            .chain(filtered)
            .find(|(_, key)| !allowed.contains(key))
        {
            let names: Vec<&'static str> = allowed.iter().map(|key| key.name()).collect();
            let why = Why::NotBy {
                metric: name.to_owned(),
                key: key.name(),
                keys: names,
            };
            return Err(refused(field, why));
        }
        let cells = Key::ALL.iter().any(|key| key.of_cells() && self.uses(*key))
            || self.metric == Metric::UsefulShare;
        if cells && self.uses(Key::Component) && !self.only_electricity() {
            return Err(refused("filter", Why::OnlyElectricity));
        }
        if self.metric.whole_months() {
            for (field, day) in [("from", self.from), ("to", self.to)] {
                if day.day() != 1 {
                    return Err(refused(field, Why::WholeMonths(name.to_owned())));
                }
            }
            if matches!(self.grain, Some(Grain::Day | Grain::Week)) {
                return Err(refused("grain", Why::GrainOfMonths(name.to_owned())));
            }
        }
        Ok(())
    }

    /// Filtered to electricity, and not grouped by component.
    #[must_use]
    pub fn only_electricity(&self) -> bool {
        !self.groups.contains(&Key::Component)
            && self.filters.iter().all(|(key, values)| {
                *key != Key::Component
                    || values
                        .iter()
                        .all(|value| value == Component::Electricity.name())
            })
    }
}

fn metric(name: &str) -> Result<Metric, QuestionError> {
    if let Some((_, metric, _)) = METRICS.iter().find(|(known, ..)| *known == name) {
        return Ok(*metric);
    }
    let given = name.to_owned();
    let why = match name.split('.').next() {
        Some("hfu") => Why::NeedsRecomputed(given),
        Some("yuan_per_mtok") => Why::NeedsPhases(given),
        Some("tokens_per_joule") => Why::NotAccounted(given),
        Some("flop_per_joule") => Why::HostIncluded(given),
        _ => Why::unknown("metric", name, METRICS.iter().map(|(known, ..)| *known)),
    };
    Err(refused("metric", why))
}

/// Reads `YYYY-MM-DD`, within years PostgreSQL and the calendar agree on.
pub(crate) fn day(field: &'static str, text: &str) -> Result<NaiveDate, QuestionError> {
    text.parse::<NaiveDate>()
        .ok()
        .filter(|day| text.len() == 10 && (1970..=9998).contains(&day.year()))
        .ok_or_else(|| refused(field, Why::NoDay(text.to_owned())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may")]
    use super::*;
    use crate::language::Bilingual as _;

    fn query(metric: &str, groups: &[&str], filters: &[(&str, &str)]) -> Query {
        Query {
            metric: metric.into(),
            group_by: groups.iter().map(|group| (*group).into()).collect(),
            from: "2026-07-01".into(),
            to: "2026-08-01".into(),
            filters: filters
                .iter()
                .map(|(key, value)| Filter {
                    key: (*key).into(),
                    value: (*value).into(),
                })
                .collect(),
            grain: None,
        }
    }

    #[test]
    fn mistakes_are_named() {
        let check =
            |metric: &str, groups: &[&str], filters: &[(&str, &str)], field: &str, says: &str| {
                let error = Question::parse(&query(metric, groups, filters)).unwrap_err();
                assert_eq!(error.field, field, "{error}");
                assert!(error.to_string().contains(says), "{error}");
                assert!(!error.why.chinese().is_ascii(), "{error}");
            };
        check("costs", &[], &[], "metric", "did you mean `cost`");
        check("hfu", &[], &[], "metric", "not available");
        check(
            "cost",
            &["projct"],
            &[],
            "group_by",
            "did you mean `project`",
        );
        check("cost", &["provider"], &[], "group_by", "not available yet");
        check(
            "cost",
            &["component", "category"],
            &[],
            "filter",
            "electricity",
        );
        check(
            "pue",
            &["project"],
            &[],
            "group_by",
            "site, day, week, month",
        );
        check(
            "cost",
            &[],
            &[("category", "usefull")],
            "filter",
            "did you mean `useful`",
        );
        check(
            "cost",
            &[],
            &[("day", "2026-07-01")],
            "filter",
            "from and to",
        );
        check(
            "kwh",
            &["category"],
            &[],
            "group_by",
            "not known by `category`",
        );
    }

    #[test]
    fn ranges_are_days_in_order_and_whole_months_where_allocated() {
        let mut asked = query("full_cost", &["project"], &[]);
        assert!(Question::parse(&asked).is_ok());
        asked.from = "2026-07-02".into();
        assert_eq!(Question::parse(&asked).unwrap_err().field, "from");
        for bad in [
            "2026-7-1",
            "2026-07-01T00:00:00",
            "",
            "0001-01-01",
            "99999-01-01",
        ] {
            asked.from = bad.into();
            assert_eq!(Question::parse(&asked).unwrap_err().field, "from", "{bad}");
        }
        let mut inverted = query("cost", &[], &[]);
        inverted.to = inverted.from.clone();
        assert_eq!(Question::parse(&inverted).unwrap_err().field, "to");
    }

    #[test]
    fn same_keys_are_alternatives() {
        let question = Question::parse(&query(
            "cost",
            &["site", "site"],
            &[("site", "a"), ("project", "p"), ("site", "b")],
        ))
        .unwrap();
        assert_eq!(question.groups, [Key::Site]);
        assert_eq!(
            question.filters[0],
            (Key::Site, vec!["a".into(), "b".into()])
        );
        assert_eq!(question.filters[1], (Key::Project, vec!["p".into()]));
    }
}
