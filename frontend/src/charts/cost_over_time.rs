//! Stacked bars: cost by period and payer, the estimated part hatched, the total on hover.
//!
//! Heights are whole micro-yuan (a picture needs no more), every written figure comes from the same integers. Colours are
//! custom properties of the style sheet, resolved when drawn, so that the figure is the same in both themes.

use api::overview::{CostOverTime, ProjectSeries};
use serde_json::{Value, json};

use super::payers;
use crate::format;
use crate::texts::{self, Locale, t};

/// What plotly.js draws, and the unit its vertical axis counts in.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// `data` and `layout`.
    pub figure: Value,
    /// E.g. `万元`, `¥ M`.
    pub unit: String,
    /// The payer of each trace, in the order of `data`; `None` for the total.
    pub traces: Vec<Option<String>>,
}

pub fn chart(locale: Locale, currency: &str, course: &CostOverTime) -> Chart {
    let labels = labels(course);
    let totals = totals(course);
    let top = totals.iter().flatten().copied().max().unwrap_or(0).max(0);
    let bottom = deepest(course);
    let scale = Scale::of(locale, currency, top.max(-bottom));
    let ids: Vec<&str> = course
        .series
        .iter()
        .map(|one| one.project.as_str())
        .collect();
    let mut data = vec![total_trace(locale, currency, &labels, &totals)];
    let mut traces = vec![None];
    for (series, colour) in course.series.iter().zip(payers::colours(&ids)) {
        let name = texts::payer(locale, &series.project, &series.name);
        let words = Words {
            locale,
            currency,
            name: &name,
        };
        for trace in words.traces(&labels, series, &colour) {
            data.push(trace);
            traces.push(Some(series.project.clone()));
        }
    }
    let ticks = ticks(bottom, top);
    let tick_texts: Vec<String> = ticks.iter().map(|tick| scale.text(*tick)).collect();
    Chart {
        figure: json!({ "data": data, "layout": layout(&ticks, &tick_texts) }),
        unit: scale.label,
        traces,
    }
}

struct Words<'a> {
    locale: Locale,
    currency: &'a str,
    name: &'a str,
}

impl Words<'_> {
    /// The firm part, and above it the estimated part where there is one.
    fn traces(&self, labels: &[String], series: &ProjectSeries, colour: &str) -> Vec<Value> {
        let whole = amounts(&series.values);
        let estimated = amounts(&series.estimated);
        let part = |index: usize| estimated.get(index).copied().flatten().unwrap_or(0);
        let firm: Vec<Option<i64>> = whole
            .iter()
            .enumerate()
            // Nothing of a payer in a period is not drawn, so that hovering does not list it.
            .map(|(index, value)| Some(value.filter(|value| *value != 0)? - part(index)))
            .collect();
        let hover: Vec<Option<String>> = whole
            .iter()
            .enumerate()
            .map(|(index, value)| {
                let value = value.filter(|value| *value != 0)?;
                let about = if part(index) == 0 { "" } else { "≈ " };
                let amount = format::yuan(self.locale, self.currency, value);
                Some(format!("{} {about}{amount}", self.name))
            })
            .collect();
        let color = format!("var({colour})");
        let mut traces = vec![json!({
            "type": "bar", "name": self.name, "x": labels, "y": firm,
            "marker": { "color": color }, "customdata": hover,
            "hovertemplate": "%{customdata}<extra></extra>",
        })];
        if estimated.iter().flatten().any(|value| *value != 0) {
            traces.push(json!({
                "type": "bar", "name": self.name, "x": labels, "y": estimated, "hoverinfo": "skip",
                "marker": { "color": color, "pattern": {
                    "shape": "/", "size": 5, "solidity": 0.35, "bgcolor": color, "fgcolor": "var(--surface)",
                } },
            }));
        }
        traces
    }
}

/// An invisible line that puts the total on top of what hovering shows.
fn total_trace(locale: Locale, currency: &str, labels: &[String], totals: &[Option<i64>]) -> Value {
    let name = t!(locale, overview.course.total);
    let hover: Vec<Option<String>> = totals
        .iter()
        .map(|total| {
            Some(format!(
                "{name} {}",
                format::yuan(locale, currency, (*total)?)
            ))
        })
        .collect();
    json!({
        "type": "scatter", "mode": "markers", "name": name, "x": labels, "y": totals,
        "marker": { "opacity": 0 }, "customdata": hover,
        "hovertemplate": "<b>%{customdata}</b><extra></extra>",
    })
}

fn layout(ticks: &[i64], tick_texts: &[String]) -> Value {
    json!({
        "barmode": "relative", "bargap": 0.25, "showlegend": false, "dragmode": false,
        "autosize": true, "margin": { "l": 48, "r": 4, "t": 6, "b": 24 },
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "font": { "family": "var(--font)", "size": 12, "color": "var(--muted)" },
        "hovermode": "x unified",
        "hoverlabel": {
            "bgcolor": "var(--surface)", "bordercolor": "var(--hairline)",
            "font": { "color": "var(--text)" },
        },
        "xaxis": {
            "type": "category", "tickangle": 0, "nticks": 8, "showgrid": false,
            "fixedrange": true, "linecolor": "var(--hairline)", "tickcolor": "var(--hairline)",
        },
        "yaxis": {
            "tickmode": "array", "tickvals": ticks, "ticktext": tick_texts, "rangemode": "tozero",
            "fixedrange": true, "gridcolor": "var(--hairline)", "zerolinecolor": "var(--muted)",
        },
    })
}

/// `11-01` for days of one year, the whole day across years, `2026-11` for months.
pub fn labels(course: &CostOverTime) -> Vec<String> {
    let year = |period: &String| period.split('-').next().map(str::to_owned);
    let first = course.periods.first().and_then(year);
    let one_year = course.periods.iter().all(|period| year(period) == first);
    let cut = |period: &String| -> String {
        match (course.grain.as_str(), one_year) {
            ("month", _) => period.chars().take(7).collect(),
            (_, true) => period.chars().skip(5).collect(),
            _ => period.clone(),
        }
    };
    course.periods.iter().map(cut).collect()
}

/// The sum of each period; `None` where no series has books.
pub fn totals(course: &CostOverTime) -> Vec<Option<i64>> {
    let columns: Vec<Vec<Option<i64>>> = course
        .series
        .iter()
        .map(|one| amounts(&one.values))
        .collect();
    (0..course.periods.len())
        .map(|index| {
            let known = columns
                .iter()
                .filter_map(|column| column.get(index).copied().flatten());
            known.fold(None, |sum: Option<i64>, value| {
                Some(sum.unwrap_or(0).saturating_add(value))
            })
        })
        .collect()
}

pub fn amounts(values: &[Option<api::Yuan>]) -> Vec<Option<i64>> {
    values
        .iter()
        .map(|value| value.as_ref().and_then(api::Yuan::micro))
        .collect()
}

/// The lowest stack of negative amounts, 0 when there is none.
fn deepest(course: &CostOverTime) -> i64 {
    let columns: Vec<Vec<Option<i64>>> = course
        .series
        .iter()
        .map(|one| amounts(&one.values))
        .collect();
    (0..course.periods.len())
        .map(|index| {
            let values = columns
                .iter()
                .filter_map(|column| column.get(index).copied().flatten());
            values.filter(|value| *value < 0).sum::<i64>()
        })
        .min()
        .unwrap_or(0)
}

/// Round values from `bottom` to at least `top`, about four steps apart by 1, 2 or 5 × a power of ten.
fn ticks(bottom: i64, top: i64) -> Vec<i64> {
    let wanted = (top.saturating_sub(bottom) / 4).max(1);
    let mut step = 1_i64;
    for factor in [2, 5, 10].into_iter().cycle() {
        if step >= wanted {
            break;
        }
        let decade = step / leading(step);
        let Some(next) = decade.checked_mul(factor) else {
            break;
        };
        step = next;
    }
    let mut tick = bottom.div_euclid(step).saturating_mul(step);
    let mut list = vec![tick];
    while tick < top && list.len() < 12 {
        tick = tick.saturating_add(step);
        list.push(tick);
    }
    list
}

/// The leading digit of 1, 2 or 5 × a power of ten.
fn leading(step: i64) -> i64 {
    let mut digit = step;
    while digit >= 10 {
        digit /= 10;
    }
    digit
}

/// The unit of the vertical axis.
struct Scale {
    micro: i64,
    label: String,
}

impl Scale {
    fn of(locale: Locale, currency: &str, largest: i64) -> Self {
        let units: &[(i64, &str)] = match locale {
            Locale::zh => &[(100_000_000, "亿"), (10_000, "万"), (1, "")],
            Locale::en => &[
                (1_000_000_000, "B"),
                (1_000_000, "M"),
                (1_000, "K"),
                (1, ""),
            ],
        };
        let yuan = largest / 1_000_000;
        let (size, name) = units
            .iter()
            .find(|(size, _)| yuan >= *size)
            .copied()
            .unwrap_or((1, ""));
        let unit = texts::unit(locale, currency);
        let label = match locale {
            Locale::zh => format!("{name}{unit}"),
            Locale::en if name.is_empty() => unit.to_owned(),
            Locale::en => format!("{name} {unit}"),
        };
        Self {
            micro: size * 1_000_000,
            label,
        }
    }

    /// A tick in the unit, with as many places as it needs (ticks are round).
    fn text(&self, tick: i64) -> String {
        let magnitude = i128::from(tick).abs();
        let unit = i128::from(self.micro);
        let millionths = magnitude % unit * 1_000_000 / unit;
        let fraction = format!("{millionths:06}");
        let fraction = fraction.trim_end_matches('0');
        let sign = if tick < 0 { "−" } else { "" };
        let whole = i64::try_from(magnitude / unit).map_or_else(|_| String::new(), format::count);
        if fraction.is_empty() {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}.{fraction}")
        }
    }
}

#[cfg(test)]
mod tests {
    use api::Yuan;
    use api::overview::{CostOverTime, ProjectSeries};

    use super::{Scale, chart, ticks};
    use crate::texts::Locale;

    fn series(project: &str, values: &[Option<i64>], estimated: &[Option<i64>]) -> ProjectSeries {
        let yuan = |list: &[Option<i64>]| {
            list.iter()
                .map(|value| value.map(Yuan::from_micro))
                .collect::<Vec<_>>()
        };
        ProjectSeries {
            project: project.into(),
            name: String::new(),
            total: Yuan::from_micro(values.iter().flatten().sum()),
            values: yuan(values),
            estimated: yuan(estimated),
        }
    }

    fn course() -> CostOverTime {
        CostOverTime {
            periods: vec![
                "2026-11-01".into(),
                "2026-11-02".into(),
                "2026-11-03".into(),
            ],
            grain: "day".into(),
            series: vec![
                series(
                    "nlp",
                    &[Some(18_000_000_000), Some(21_500_000_000), None],
                    &[Some(0), Some(1_500_000_000), None],
                ),
                series("pool:credits", &[Some(-500_000_000), None, None], &[]),
            ],
        }
    }

    #[test]
    fn the_figure_in_both_languages() {
        for (name, locale) in [("zh", Locale::zh), ("en", Locale::en)] {
            let chart = chart(locale, "CNY", &course());
            let text = serde_json::to_string_pretty(&chart.figure).unwrap_or_default();
            insta::assert_snapshot!(
                format!("cost_over_time_{name}"),
                format!("unit {}\n{text}", chart.unit)
            );
        }
    }

    #[test]
    fn ticks_are_round_and_cover_the_bars() {
        let check = |bottom, top, expected: &[i64]| assert_eq!(ticks(bottom, top), expected);
        check(0, 21_500, &[0, 10_000, 20_000, 30_000]);
        check(0, 8, &[0, 2, 4, 6, 8]);
        check(-500, 1_500, &[-500, 0, 500, 1_000, 1_500]);
        check(0, 0, &[0]);
    }

    #[test]
    fn tick_texts_have_the_places_they_need() {
        let scale = Scale::of(Locale::zh, "CNY", 21_500_000_000);
        assert_eq!(scale.label, "万元");
        assert_eq!(scale.text(5_000_000_000), "0.5");
        assert_eq!(scale.text(-20_000_000_000), "−2");
        assert_eq!(Scale::of(Locale::en, "CNY", 21_500_000_000).label, "K yuan");
    }
}
