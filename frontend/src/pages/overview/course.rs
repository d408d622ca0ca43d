//! Cost over time by project: stacked bars, a legend that names and sums, a table, pictures to save.

use std::sync::Arc;

use api::overview::{CostOverTime, Overview};
use api::query::Grain;
use leptos::prelude::*;

use super::movers::{payer_link, project_scope};
use crate::charts::cost_over_time::{amounts, chart, labels, totals};
use crate::charts::payers;
use crate::charts::plot::{Plot, save};
use crate::frame::{Frame, follow};
use crate::texts::{self, Locale, fill, t};
use crate::url_state::ViewState;
use crate::widgets::amount::{amount, cell, missing};

const CHART: &str = "cost-over-time";

pub fn section(frame: Frame, overview: &Overview) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let course = Arc::new(overview.cost_over_time.clone());
    let currency = overview.about.currency.as_str();
    let drawn = chart(locale, currency, &course);
    let title = if course.grain == "month" {
        t!(locale, overview.course.by_month)
    } else {
        t!(locale, overview.course.by_day)
    };
    let unit = fill(t!(locale, overview.course.unit), &[("unit", &drawn.unit)]);
    let has_estimates = course.series.iter().any(|series| {
        amounts(&series.estimated)
            .iter()
            .flatten()
            .any(|micro| *micro != 0)
    });
    let hatched = has_estimates.then(
        || view! { <span class="hatched-mark">{t!(locale, overview.course.estimated)}</span> },
    );
    let traces = StoredValue::new(drawn.traces);
    let go = follow();
    let on_trace = Callback::new(move |trace: usize| {
        let clicked = traces.with_value(|traces| traces.get(trace).cloned().flatten());
        if let Some(scope) = clicked.as_deref().and_then(project_scope) {
            let view = ViewState {
                scope,
                ..frame.view.get_untracked()
            };
            go(&view.href("/"));
        }
    });
    let figure = drawn.figure;
    view! {
        <figure class="card wide course">
            <figcaption>
                <h2>
                    {title} <span class="muted unit">{unit}</span> {hatched}
                </h2>
                <span class="acts">{csv(frame)} {grains(frame)}</span>
                <p class="sr-only">{summary(locale, currency, &course)}</p>
            </figcaption>
            <Plot figure=Signal::stored(figure) on_trace=on_trace id=CHART />
            {legend(frame, currency, &course)}
            <details class="table-on-demand">
                <summary>{t!(locale, shell.table)}</summary>
                {table(locale, currency, &course)}
                <p class="saves">{picture(locale, "png")} {picture(locale, "svg")}</p>
            </details>
        </figure>
    }
}

fn picture(locale: Locale, format: &'static str) -> impl IntoView {
    let text = if format == "png" {
        t!(locale, shell.save_png)
    } else {
        t!(locale, shell.save_svg)
    };
    view! {
        <button
            class="button"
            title=t!(locale, shell.save_hint)
            on:click=move |_| save(CHART, format, "suanzhang-cost")
        >
            {text}
        </button>
    }
}

/// Exactly what is shown, as a file.
fn csv(frame: Frame) -> Option<impl IntoView> {
    let href = frame.view.get().csv_href()?;
    let text = t!(frame.locale.get(), shell.download_csv);
    Some(view! {
        <a class="small" href=href download="suanzhang-cost.csv" rel="external">
            {text}
        </a>
    })
}

fn grains(frame: Frame) -> impl IntoView {
    let locale = frame.locale.get();
    let view = frame.view.get();
    let chosen = view.range.map(|range| view.grain_or_default(range));
    let link = |grain: Grain, text: &'static str| {
        let target = ViewState {
            grain: Some(grain),
            ..view.clone()
        };
        let current = (chosen == Some(grain)).then_some("true");
        view! {
            <a href=target.href("/") aria-current=current>
                {text}
            </a>
        }
    };
    view! {
        <div class="segmented" role="group" aria-label=t!(locale, overview.course.grain)>
            {link(Grain::Day, t!(locale, overview.course.day))}
            {link(Grain::Month, t!(locale, overview.course.month))}
        </div>
    }
}

fn legend(frame: Frame, currency: &str, course: &CostOverTime) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let ids: Vec<&str> = course
        .series
        .iter()
        .map(|one| one.project.as_str())
        .collect();
    let items: Vec<_> = course
        .series
        .iter()
        .zip(payers::colours(&ids))
        .map(|(series, colour)| {
            let name = texts::payer(locale, &series.project, &series.name);
            view! {
                <li>
                    <span class="swatch" style=format!("background:var({colour})")></span>
                    {payer_link(frame, &series.project, name)}
                    <span class="figure muted">
                        {series.total.micro().map(|micro| amount(locale, currency, micro))}
                    </span>
                </li>
            }
        })
        .collect();
    view! { <ul class="legend">{items}</ul> }
}

fn summary(locale: Locale, currency: &str, course: &CostOverTime) -> String {
    let total = totals(course)
        .into_iter()
        .flatten()
        .fold(0_i64, i64::saturating_add);
    let largest = course
        .series
        .iter()
        .max_by_key(|series| series.total.micro())
        .map(|series| {
            (
                texts::payer(locale, &series.project, &series.name),
                series.total.micro().unwrap_or(0),
            )
        })
        .unwrap_or_default();
    fill(
        t!(locale, overview.course.summary),
        &[
            ("periods", &course.periods.len().to_string()),
            ("total", &crate::format::yuan(locale, currency, total)),
            ("name", &largest.0),
            ("yuan", &crate::format::yuan(locale, currency, largest.1)),
        ],
    )
}

fn table(locale: Locale, currency: &str, course: &CostOverTime) -> impl IntoView + use<> {
    let heads: Vec<_> = course
        .series
        .iter()
        .map(|series| {
            view! {
                <th scope="col" class="figure">
                    {texts::payer(locale, &series.project, &series.name)}
                </th>
            }
        })
        .collect();
    let columns: Vec<Vec<Option<i64>>> = course
        .series
        .iter()
        .map(|series| amounts(&series.values))
        .collect();
    let shown = move |micro: Option<i64>| {
        micro.map_or_else(
            || missing(t!(locale, shell.missing.no_data)).into_any(),
            |micro| cell(micro).into_any(),
        )
    };
    let rows: Vec<_> = labels(course)
        .into_iter()
        .zip(totals(course))
        .enumerate()
        .map(|(index, (label, total))| {
            let cells: Vec<_> = columns
                .iter()
                .map(|column| {
                    let value = column.get(index).copied().flatten();
                    view! { <td class="figure">{shown(value)}</td> }
                })
                .collect();
            view! {
                <tr>
                    <th scope="row" class="figure">
                        {label}
                    </th>
                    {cells}
                    <td class="figure">{shown(total)}</td>
                </tr>
            }
        })
        .collect();
    let unit = texts::unit(locale, currency);
    let period = format!("{} ({unit})", t!(locale, overview.course.period));
    let sums: Vec<_> = course
        .series
        .iter()
        .map(|series| view! { <td class="figure">{series.total.micro().map(cell)}</td> })
        .collect();
    let total = totals(course)
        .into_iter()
        .flatten()
        .fold(0_i64, i64::saturating_add);
    view! {
        <div class="scroll">
            <table>
                <thead>
                    <tr>
                        <th scope="col">{period}</th>
                        {heads}
                        <th scope="col" class="figure">
                            {t!(locale, overview.course.total)}
                        </th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{t!(locale, overview.course.total)}</th>
                        {sums}
                        <td class="figure">{cell(total)}</td>
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}
