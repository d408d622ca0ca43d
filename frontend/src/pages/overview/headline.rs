//! The headline: one sentence from the figures, in both languages.

use api::overview::{Overview, TokensPerYuan};

use crate::calendar::{Day, Range};
use crate::days;
use crate::format::{self, Change, Direction};
use crate::texts::{self, Locale, Part, fill, t};
use crate::url_state::ViewState;
use crate::widgets::compared::{self, Compared};

/// A part of the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Plain(String),
    /// A figure.
    Strong(String),
    /// Words with more to say on hover.
    Noted {
        text: String,
        note: String,
    },
    /// A figure with a page behind it.
    Link {
        text: String,
        href: String,
    },
}

impl Piece {
    /// What is read of it.
    fn text(&self) -> &str {
        match self {
            Self::Plain(text)
            | Self::Strong(text)
            | Self::Noted { text, .. }
            | Self::Link { text, .. } => text,
        }
    }
}

/// The sentence for an answer; `today` is the ledger's.
pub fn headline(
    locale: Locale,
    view: &ViewState,
    overview: &Overview,
    today: Option<Day>,
) -> Vec<Piece> {
    let mut pieces = cost(locale, view, overview, today);
    for tokens in &overview.tokens_per_yuan {
        pieces.extend(tokens_per_yuan(locale, overview, tokens));
    }
    pieces.extend(largest_waste(locale, view, overview));
    pieces.push(Piece::Plain(t!(locale, overview.headline.end).to_owned()));
    pieces
}

fn cost(locale: Locale, view: &ViewState, overview: &Overview, today: Option<Day>) -> Vec<Piece> {
    let Some(now) = overview.cost.value.micro() else {
        return Vec::new();
    };
    let currency = &overview.about.currency;
    let period = view
        .range
        .map(|range| period(locale, range, overview, today));
    let mut pieces = assemble(
        t!(locale, overview.headline.cost),
        vec![
            ("period", Piece::Plain(period.unwrap_or_default())),
            ("cost", Piece::Strong(format::yuan(locale, currency, now))),
        ],
    );
    let before = overview.cost.compare.as_ref().and_then(api::Yuan::micro);
    let compared = Compared::of_overview(locale, view, overview);
    if let (Some(before), Some(against)) = (before, compared.against) {
        let change = Change::between(i128::from(now), i128::from(before));
        pieces.extend(assemble(
            t!(locale, overview.headline.change),
            vec![
                (
                    "against",
                    Piece::Noted {
                        text: against,
                        note: compared.hint,
                    },
                ),
                ("change", Piece::Strong(change.percent())),
            ],
        ));
    }
    pieces
}

fn tokens_per_yuan(locale: Locale, overview: &Overview, tokens: &TokensPerYuan) -> Vec<Piece> {
    let template = match tokens.kind.as_str() {
        "trained" => t!(locale, overview.headline.trained),
        "generated" => t!(locale, overview.headline.generated),
        _ => return Vec::new(),
    };
    let Some(number) = format::number(locale, &tokens.direct.value) else {
        return Vec::new();
    };
    let unit = texts::unit(locale, &overview.about.currency);
    let mut pieces = assemble(
        template,
        vec![
            ("unit", Piece::Plain(unit.to_owned())),
            ("tokens", Piece::Strong(number)),
        ],
    );
    let now = format::micro(&tokens.direct.value);
    let before = tokens.direct.compare.as_deref().and_then(format::micro);
    if let (Some(now), Some(before)) = (now, before) {
        let change = Change::between(now, before);
        let change = match change.direction {
            Direction::Same => t!(locale, overview.tile.same).to_owned(),
            _ => change.percent(),
        };
        let aside = fill(t!(locale, overview.headline.aside), &[("change", &change)]);
        pieces.push(Piece::Plain(aside));
    }
    pieces
}

fn largest_waste(locale: Locale, view: &ViewState, overview: &Overview) -> Vec<Piece> {
    let Some(waste) = overview.largest_wastes.first() else {
        let text = t!(locale, overview.headline.no_waste);
        return vec![Piece::Plain(text.to_owned())];
    };
    let Some(micro) = waste.yuan.micro() else {
        return Vec::new();
    };
    let of_category = overview
        .categories
        .iter()
        .find(|one| one.category == waste.category)
        .and_then(|one| one.total.micro())
        .and_then(|total| format::ratio(i128::from(micro), i128::from(total)));
    let category = texts::or_name(texts::category(locale, &waste.category), &waste.category);
    let what = match texts::reason(locale, &waste.reason) {
        Some(reason) => format!("{category} · {reason}"),
        None => category.clone(),
    };
    let target = ViewState {
        category: Some(waste.category.clone()),
        ..view.clone()
    };
    assemble(
        t!(locale, overview.headline.waste),
        vec![
            (
                "where",
                Piece::Noted {
                    text: texts::place(locale, waste),
                    note: waste.scope.clone(),
                },
            ),
            ("what", Piece::Plain(what)),
            (
                "yuan",
                Piece::Link {
                    text: format::yuan(locale, &overview.about.currency, micro),
                    href: target.href("/waste"),
                },
            ),
            ("category", Piece::Plain(category)),
            (
                "share",
                Piece::Strong(of_category.map_or(format::MISSING.to_owned(), format::percent)),
            ),
        ],
    )
}

/// "This month so far", a month by name, or the days; of a range with books in part, that part.
fn period(locale: Locale, range: Range, overview: &Overview, today: Option<Day>) -> String {
    let from_first = range.from == range.from.first_of_month();
    if from_first
        && today.is_some_and(|today| range.to == today.plus(1))
        && range.within_one_month()
    {
        return t!(locale, overview.period.this_month).to_owned();
    }
    let covered = compared::range(&overview.covered_from, &overview.covered_to);
    let range = covered.unwrap_or(range);
    let days = [("days", &*days::words(locale, range, None))];
    if range == Range::month_of(range.from) {
        return fill(t!(locale, overview.period.month), &days);
    }
    fill(t!(locale, overview.period.days), &days)
}

/// A template with pieces in place of its `{name}`s; an unknown name stays out.
fn assemble(template: &str, values: Vec<(&str, Piece)>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for part in texts::parts(template) {
        match part {
            Part::Text(text) => {
                let before = pieces.last().map_or("", Piece::text);
                pieces.push(Piece::Plain(texts::joined(before, text).to_owned()));
            }
            Part::Name(name) => {
                let value = values.iter().find(|(one, _)| *one == name);
                pieces.extend(value.map(|(_, piece)| piece.clone()));
            }
        }
    }
    pieces
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may")]
mod tests {
    use super::*;

    const ANSWER: &str = include_str!("../../../tests/overview.json");

    fn check(locale: Locale, view: &str, today: &str, expected: &str) {
        let overview: Overview = serde_json::from_str(ANSWER).unwrap();
        let view = ViewState::read(|name| {
            let mut pairs = view.split('&').filter_map(|pair| pair.split_once('='));
            pairs
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
        });
        let text: String = headline(locale, &view, &overview, Day::parse(today))
            .into_iter()
            .map(|piece| piece.text().to_owned())
            .collect();
        assert_eq!(text.replace('\u{a0}', " "), expected);
    }

    #[test]
    fn chinese() {
        check(
            Locale::zh,
            "from=2026-11-01&to=2026-12-01",
            "2026-11-30",
            "本月至今花费 1,235 万元，与 10 月 1–30 日比 +8.2 %；训练每元 1.84 万 token（−3.1 %）；推理每元 9,200 生成 token。\
             最大浪费：nlp-research 占而不用 · 长时间无活动 58.7 万元，占全部“占而不用”的 61 %。",
        );
    }

    #[test]
    fn english() {
        check(
            Locale::en,
            "from=2026-11-01&to=2026-12-01&compare=previous",
            "2026-12-05",
            "¥12.3 M spent in Nov 2026, +8.2 % against 1–30 Oct; training got 18.4 K tokens per yuan (−3.1 %); \
             serving generated 9.20 K tokens per yuan. Largest waste: held idle · long without activity at nlp-research, \
             ¥587.0 K, 61 % of all \"held idle\".",
        );
    }

    #[test]
    fn without_comparison_and_with_books_of_some_days() {
        let days = "from=2026-11-03&to=2026-11-10&compare=none";
        let view = ViewState::read(|name| {
            let mut pairs = days.split('&').filter_map(|pair| pair.split_once('='));
            pairs
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
        });
        let overview: Overview = serde_json::from_str(ANSWER).unwrap();
        let overview = Overview {
            cost: api::overview::Money {
                compare: None,
                ..overview.cost
            },
            covered_from: Some("2026-11-03".into()),
            covered_to: Some("2026-11-08".into()),
            ..overview
        };
        let pieces = cost(Locale::en, &view, &overview, None);
        assert_eq!(
            pieces.last(),
            Some(&Piece::Plain("over 3–7\u{a0}Nov\u{a0}2026".into()))
        );
    }
}
