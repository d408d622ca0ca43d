//! "Where each yuan went": one bar of the whole by group and category, labels beside it, a table on demand.

use api::overview::{CategoryCost, Overview};
use leptos::prelude::*;

use crate::charts::where_went::{Group, Segment, groups};
use crate::format;
use crate::frame::Frame;
use crate::texts::{self, Locale, fill, t};
use crate::url_state::ViewState;
use crate::widgets::amount::{amount, cell, missing};

pub fn section(frame: Frame, overview: &Overview) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let currency = overview.about.currency.as_str();
    let total = overview.cost.value.micro().unwrap_or(0);
    let found = groups(&overview.categories, total);
    let title = fill(
        t!(locale, overview.went.title),
        &[("unit", texts::unit(locale, currency))],
    );
    let bar: Vec<_> = found.iter().map(|group| bar_group(frame, group)).collect();
    let labels: Vec<_> = found
        .iter()
        .map(|group| label_group(frame, currency, group))
        .collect();
    let negative = found
        .iter()
        .flat_map(|group| &group.segments)
        .any(|segment| segment.width.is_none())
        .then(|| view! { <p class="muted small">{t!(locale, overview.went.negative)}</p> });
    view! {
        <figure class="card wide where">
            <figcaption>
                <h2>{title}</h2>
                <p class="sr-only">{summary(locale, currency, total, &found)}</p>
            </figcaption>
            <div class="bar" aria-hidden="true">{bar}</div>
            // Few groups stand side by side over the whole width; many fill columns.
            <div class="bar-labels" class:few=found.len() <= 3>
                {labels}
            </div>
            {negative}
            <details class="table-on-demand">
                <summary>{t!(locale, shell.table)}</summary>
                {table(locale, overview, total)}
            </details>
        </figure>
    }
}

fn bar_group(frame: Frame, group: &Group) -> impl IntoView + use<> {
    let parts: Vec<_> = group
        .segments
        .iter()
        .filter_map(|segment| {
            let width = segment.width.clone()?;
            Some(view! {
                <a
                    class=format!("segment {}", segment.category)
                    style=format!("flex-basis:{width}")
                    href=target(frame, segment)
                    title=hint(frame.locale.get(), segment)
                    tabindex="-1"
                ></a>
            })
        })
        .collect();
    parts.into_any()
}

/// A group's sum and, where it has several, its categories; each with its share of the whole cost.
fn label_group(frame: Frame, currency: &str, group: &Group) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let name = texts::or_name(texts::group(locale, group.group), group.group);
    let (alone, rows) = match group.segments.as_slice() {
        [only] => (Some(swatch(&only.category)), Vec::new()),
        several => {
            let row = |segment: &Segment| label(frame, currency, segment).into_any();
            (None, several.iter().map(row).collect())
        }
    };
    let heading = match group.segments.as_slice() {
        [only] => view! {
            <a href=target(frame, only) title=hint(locale, only)>
                {name}
            </a>
        }
        .into_any(),
        _ => name.into_any(),
    };
    view! {
        <section class="bar-group">
            <h3>
                {alone} <span class="name">{heading}</span>
                <span class="figure">{amount(locale, currency, group.micro)}</span>
                <span class="figure share">{format::percent(group.share)}</span>
            </h3>
            <ul>{rows}</ul>
        </section>
    }
}

fn label(frame: Frame, currency: &str, segment: &Segment) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let name = texts::or_name(
        texts::category(locale, &segment.category),
        &segment.category,
    );
    view! {
        <li>
            <a href=target(frame, segment) title=hint(locale, segment)>
                {swatch(&segment.category)} <span class="name">{name}</span>
                <span class="figure">{amount(locale, currency, segment.micro)}</span>
                <span class="figure share muted">{format::percent(segment.share)}</span>
            </a>
        </li>
    }
}

fn swatch(category: &str) -> impl IntoView + use<> {
    view! { <span class=format!("swatch {category}")></span> }
}

/// The category's waste. Useful and non-device cost is none, and leads nowhere.
fn target(frame: Frame, segment: &Segment) -> Option<String> {
    if ["useful", "non_device"].contains(&segment.category.as_str()) {
        return None;
    }
    let view = ViewState {
        category: Some(segment.category.clone()),
        ..frame.view.get()
    };
    Some(view.href("/waste"))
}

fn hint(locale: Locale, segment: &Segment) -> String {
    let name = texts::or_name(
        texts::category(locale, &segment.category),
        &segment.category,
    );
    let rule = texts::rule(locale, &segment.category).unwrap_or_default();
    format!("{name}: {rule}")
}

fn summary(locale: Locale, currency: &str, total: i64, groups: &[Group]) -> String {
    let items: Vec<String> = groups
        .iter()
        .flat_map(|group| &group.segments)
        .map(|segment| {
            let name = texts::or_name(
                texts::category(locale, &segment.category),
                &segment.category,
            );
            fill(
                t!(locale, overview.went.item),
                &[
                    ("name", &name),
                    ("yuan", &format::yuan(locale, currency, segment.micro)),
                    ("share", &format::percent(segment.share)),
                ],
            )
        })
        .collect();
    fill(
        t!(locale, overview.went.summary),
        &[
            ("total", &format::yuan(locale, currency, total)),
            ("list", &items.join("; ")),
        ],
    )
}

fn table(locale: Locale, overview: &Overview, total: i64) -> impl IntoView + use<> {
    let unit = texts::unit(locale, &overview.about.currency);
    let compared = overview.cost.compare.is_some();
    let head = |text: &str| format!("{text} ({unit})");
    let rows: Vec<_> = overview
        .categories
        .iter()
        .map(|one| table_row(locale, one, total, compared))
        .collect();
    let sum = |pick: fn(&CategoryCost) -> Option<i64>| {
        overview
            .categories
            .iter()
            .filter_map(pick)
            .fold(0_i64, i64::saturating_add)
    };
    let before = compared.then(|| {
        let before = overview.cost.compare.as_ref().and_then(api::Yuan::micro);
        view! { <td class="figure">{before.map(cell)}</td> }
    });
    view! {
        <div class="scroll">
            <table>
                <thead>
                    <tr>
                        <th scope="col">{t!(locale, overview.went.category)}</th>
                        <th scope="col">{t!(locale, overview.went.group)}</th>
                        <th scope="col" class="figure">
                            {head(t!(locale, overview.went.time))}
                        </th>
                        <th scope="col" class="figure">
                            {head(t!(locale, overview.went.electricity))}
                        </th>
                        <th scope="col" class="figure">
                            {head(t!(locale, overview.went.total))}
                        </th>
                        <th scope="col" class="figure">
                            {t!(locale, overview.went.of_cost)}
                        </th>
                        {compared
                            .then(|| {
                                view! {
                                    <th scope="col" class="figure">
                                        {head(t!(locale, overview.went.before))}
                                    </th>
                                }
                            })}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{t!(locale, overview.went.total)}</th>
                        <td></td>
                        <td class="figure">{cell(sum(|one| one.time.micro()))}</td>
                        <td class="figure">{cell(sum(|one| one.electricity.micro()))}</td>
                        <td class="figure">{cell(total)}</td>
                        <td class="figure">{format::percent(1_000_000)}</td>
                        {before}
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}

fn table_row(
    locale: Locale,
    one: &CategoryCost,
    total: i64,
    compared: bool,
) -> impl IntoView + use<> {
    let micro = one.total.micro().unwrap_or(0);
    let share = format::ratio(i128::from(micro), i128::from(total)).map(format::percent);
    let before = compared.then(|| {
        let before = one.compare.as_ref().and_then(api::Yuan::micro);
        let shown = before.map_or_else(
            || missing(t!(locale, shell.missing.no_base)).into_any(),
            |micro| cell(micro).into_any(),
        );
        view! { <td class="figure">{shown}</td> }
    });
    view! {
        <tr>
            <th scope="row">
                <span class=format!("swatch {}", one.category)></span>
                {texts::or_name(texts::category(locale, &one.category), &one.category)}
            </th>
            <td>{texts::or_name(texts::group(locale, &one.group), &one.group)}</td>
            <td class="figure">{one.time.micro().map(cell)}</td>
            <td class="figure">{one.electricity.micro().map(cell)}</td>
            <td class="figure">{cell(micro)}</td>
            <td class="figure">{share}</td>
            {before}
        </tr>
    }
}
