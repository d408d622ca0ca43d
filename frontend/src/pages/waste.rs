//! Waste: the ranking in yuan with rule and advice, and beside it the cost nobody can judge.

use api::waste::{UnknownCost, WasteAnswer, WasteEntry};
use leptos::prelude::*;

use crate::api::ask;
use crate::format::{self, Change};
use crate::frame::{Frame, Shown};
use crate::session::books;
use crate::texts::{self, Locale, fill, t};
use crate::url_state::ViewState;
use crate::widgets::amount::{Welcome, amount, cell, change, missing};
use crate::widgets::compared::Compared;
use crate::widgets::no_cost::no_cost;
use crate::widgets::state::{FailureOf, skeleton};

#[component]
pub fn Waste() -> impl IntoView {
    let frame = Frame::here();
    // The category filter is ours: changing it must not ask again.
    let question = Memo::new(move |_| frame.view.get().waste());
    let answer = ask::<WasteAnswer>(move || question.get());
    Effect::new(move |_| {
        if let Some(waste) = answer.value.get() {
            frame.shown.set(Some(Shown {
                about: waste.about.clone(),
                estimated: None,
            }));
        }
    });
    let body = move || match answer.value.get() {
        Some(waste) => figures(frame, &waste),
        None if answer.failed.get().is_some() => ().into_any(),
        None => view! {
            <div class="headline-skeleton">{skeleton(28)}</div>
            <div class="columns">{skeleton(480)} {skeleton(240)}</div>
        }
        .into_any(),
    };
    view! {
        <FailureOf answer=answer />
        <div class="page waste" class:busy=move || answer.busy.get() aria-busy=move || answer.busy.get().to_string()>
            {body}
        </div>
    }
}

fn figures(frame: Frame, waste: &WasteAnswer) -> AnyView {
    let locale = frame.locale.get();
    if waste.total.micro() == Some(0) && waste.entries.is_empty() && waste.unknown.is_empty() {
        let books = frame
            .session()
            .and_then(|session| books(&session.books_from, &session.books_to));
        return no_cost(frame, books, "/waste");
    }
    let wanted = frame.view.get().category;
    let chosen: Vec<&WasteEntry> = waste
        .entries
        .iter()
        .filter(|entry| {
            wanted
                .as_ref()
                .is_none_or(|wanted| entry.category == *wanted)
        })
        .collect();
    let ranking = if chosen.is_empty() {
        wanted.map_or_else(
            || view! { <p class="muted">{t!(locale, overview.wastes.none)}</p> }.into_any(),
            |category| nothing_of(frame, &category).into_any(),
        )
    } else {
        table(locale, waste, &chosen).into_any()
    };
    view! {
        <h1 class="headline">{headline(locale, waste)}</h1>
        {(!waste.entries.is_empty()).then(|| filters(frame, waste))}
        <div class="columns">
            <section class="card wide">
                <h2>{t!(locale, waste.ranking)}</h2>
                {ranking}
            </section>
            {unknown(locale, waste)}
        </div>
    }
    .into_any()
}

fn sum<'a>(yuan: impl Iterator<Item = &'a api::Yuan>) -> i64 {
    yuan.filter_map(api::Yuan::micro)
        .fold(0, i64::saturating_add)
}

fn headline(locale: Locale, waste: &WasteAnswer) -> String {
    let currency = waste.about.currency.as_str();
    let total = waste.total.micro().unwrap_or(0);
    let share = |micro: i64| {
        format::ratio(i128::from(micro), i128::from(total))
            .map_or(format::MISSING.to_owned(), format::percent)
    };
    let wasted = sum(waste.entries.iter().map(|entry| &entry.yuan));
    let unknown = sum(waste.unknown.iter().map(|one| &one.yuan));
    let mut text = if waste.entries.is_empty() {
        t!(locale, waste.headline_none).to_owned()
    } else {
        let yuan = format::yuan(locale, currency, wasted);
        fill(
            t!(locale, waste.headline),
            &[("waste", &yuan), ("share", &share(wasted))],
        )
    };
    if unknown != 0 {
        let yuan = format::yuan(locale, currency, unknown);
        text.push_str(&fill(
            t!(locale, waste.headline_unknown),
            &[("unknown", &yuan), ("share", &share(unknown))],
        ));
    }
    text.push_str(t!(locale, waste.end));
    text
}

/// One chip a category that has entries, with its yuan.
fn filters(frame: Frame, waste: &WasteAnswer) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let view = frame.view.get();
    let mut categories: Vec<&str> = Vec::new();
    for entry in &waste.entries {
        if !categories.contains(&entry.category.as_str()) {
            categories.push(&entry.category);
        }
    }
    let chip = |category: Option<&str>, text: String, micro: i64| {
        let current = (view.category.as_deref() == category).then_some("true");
        let target = ViewState {
            category: category.map(str::to_owned),
            ..view.clone()
        };
        let swatch = category.map(|name| view! { <span class=format!("swatch {name}")></span> });
        view! {
            <a class="chip" href=target.href("/waste") aria-current=current>
                {swatch}
                {text}
                " "
                <span class="figure muted">{amount(locale, &waste.about.currency, micro)}</span>
            </a>
        }
    };
    let all = sum(waste.entries.iter().map(|entry| &entry.yuan));
    let chips: Vec<_> = categories
        .into_iter()
        .map(|category| {
            let of_it = waste
                .entries
                .iter()
                .filter(|entry| entry.category == category);
            let name = texts::or_name(texts::category(locale, category), category);
            chip(Some(category), name, sum(of_it.map(|entry| &entry.yuan)))
        })
        .collect();
    view! {
        <nav class="chips" aria-label=t!(locale, waste.filter)>
            {chip(None, t!(locale, waste.all).to_owned(), all)}
            {chips}
        </nav>
    }
}

fn nothing_of(frame: Frame, category: &str) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let name = texts::or_name(texts::category(locale, category), category);
    let text = fill(t!(locale, waste.empty_filter), &[("category", &name)]);
    let all = ViewState {
        category: None,
        ..frame.view.get()
    };
    view! {
        <p>{text}</p>
        <p class="muted">{texts::rule(locale, category)}</p>
        <a class="button" href=all.href("/waste")>
            {t!(locale, waste.show_all)}
        </a>
    }
}

fn table(locale: Locale, waste: &WasteAnswer, chosen: &[&WasteEntry]) -> impl IntoView + use<> {
    let unit = texts::unit(locale, &waste.about.currency);
    let yuan = fill(t!(locale, waste.yuan), &[("unit", unit)]);
    let compared = Compared::of_waste(locale, waste);
    let total = sum(chosen.iter().map(|entry| &entry.yuan));
    let rows: Vec<_> = chosen
        .iter()
        .enumerate()
        .map(|(index, entry)| row(locale, index + 1, entry, &compared))
        .collect();
    let against = compared
        .against
        .unwrap_or_else(|| t!(locale, waste.trend).to_owned());
    view! {
        <div class="scroll">
            <table class="ranking">
                <thead>
                    <tr>
                        <th scope="col" class="figure">{t!(locale, waste.rank)}</th>
                        <th scope="col">{t!(locale, waste.what)}</th>
                        <th scope="col">{t!(locale, waste.place)}</th>
                        <th scope="col" class="figure">{yuan}</th>
                        <th scope="col" class="figure">{t!(locale, waste.share)}</th>
                        <th scope="col" class="figure against" title=compared.hint>
                            {against}
                        </th>
                        <th scope="col" class="figure">{t!(locale, waste.hours)}</th>
                        <th scope="col">{t!(locale, waste.who)}</th>
                        <th scope="col">{t!(locale, waste.mode)}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
                <tfoot>
                    <tr>
                        <td></td>
                        <th scope="row" colspan="2">{t!(locale, waste.total)}</th>
                        <td class="figure">{cell(total)}</td>
                        <td colspan="5"></td>
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}

fn row(
    locale: Locale,
    rank: usize,
    entry: &WasteEntry,
    compared: &Compared,
) -> impl IntoView + use<> {
    let micro = entry.yuan.micro();
    let share = entry
        .share
        .map(|share| format::percent(i128::from(share) * 100));
    let share = share.map_or_else(
        || missing(t!(locale, shell.missing.no_data)).into_any(),
        IntoAny::into_any,
    );
    let before = entry.previous.as_ref().and_then(api::Yuan::micro);
    let trend = match (micro, before) {
        (Some(now), Some(before)) => {
            let moved = Change::between(i128::from(now), i128::from(before));
            let hint = compared.hint.clone();
            change(locale, moved, Welcome::Fall, None, hint).into_any()
        }
        _ => missing(compared.hint.as_str()).into_any(),
    };
    let scope = texts::or_name(texts::scope(locale, &entry.scope_kind), &entry.scope_kind);
    let mode = entry.mode.clone();
    let mode_hint = texts::or_name(texts::mode(locale, &mode), &mode);
    view! {
        <tr>
            <td class="figure muted">{rank}</td>
            <th scope="row">{explained(locale, entry)}</th>
            <td title=entry.scope.clone()>
                {texts::place(locale, entry)} " " <span class="muted small">{scope}</span>
            </td>
            <td class="figure">{micro.map(cell)}</td>
            <td class="figure">{share}</td>
            <td class="figure">{trend}</td>
            <td class="figure">{format::number(locale, &entry.device_hours)}</td>
            <td>{texts::or_name(texts::who(locale, &entry.who_can_fix), &entry.who_can_fix)}</td>
            <td>
                <abbr title=mode_hint>{mode}</abbr>
            </td>
        </tr>
    }
}

/// Category and sub-reason; opened, the rule with its numbers and what to do.
fn explained(locale: Locale, entry: &WasteEntry) -> impl IntoView + use<> {
    let key = |text: &str| -> String {
        let plain = text.rsplit('.').next().unwrap_or(text);
        plain.to_owned()
    };
    let rule = texts::rule(locale, &key(&entry.rule)).or(texts::rule(locale, &entry.category));
    let advice = texts::advice(locale, &key(&entry.advice))
        .or(texts::advice(locale, &entry.reason))
        .or(texts::advice(locale, &entry.category));
    let numbers = (!entry.rule_numbers.is_empty()).then(|| {
        let list: Vec<String> = entry
            .rule_numbers
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        view! {
            <dt>{t!(locale, waste.numbers)}</dt>
            <dd class="figure">{list.join(" · ")}</dd>
        }
    });
    view! {
        <details class="explained">
            <summary>
                <span class=format!("swatch {}", entry.category)></span>
                {super::overview::wastes::what(locale, entry)}
            </summary>
            <dl>
                <dt>{t!(locale, waste.rule)}</dt>
                <dd>{rule}</dd>
                {numbers}
                <dt>{t!(locale, waste.advice)}</dt>
                <dd>{advice}</dd>
            </dl>
        </details>
    }
}

fn unknown(locale: Locale, waste: &WasteAnswer) -> impl IntoView + use<> {
    let currency = waste.about.currency.clone();
    let total = waste.total.micro().unwrap_or(0);
    let body = if waste.unknown.is_empty() {
        view! { <p class="muted">{t!(locale, waste.unknown_none)}</p> }.into_any()
    } else {
        let rows: Vec<_> = waste
            .unknown
            .iter()
            .map(|one| unknown_row(locale, &currency, total, one))
            .collect();
        view! {
            <p class="muted">{t!(locale, waste.unknown_lead)}</p>
            <ul class="unknown">{rows}</ul>
        }
        .into_any()
    };
    view! {
        <section class="card narrow">
            <h2>{t!(locale, waste.unknown_title)}</h2>
            {body}
        </section>
    }
}

fn unknown_row(
    locale: Locale,
    currency: &str,
    total: i64,
    one: &UnknownCost,
) -> impl IntoView + use<> {
    let micro = one.yuan.micro().unwrap_or(0);
    let share = format::ratio(i128::from(micro), i128::from(total)).map(|share| {
        fill(
            t!(locale, waste.of_cost),
            &[("share", &format::percent(share))],
        )
    });
    let key = one.resolved_by.rsplit('.').next().unwrap_or_default();
    let sensor = texts::sensor(locale, key).or(texts::sensor(locale, &one.category));
    view! {
        <li>
            <span class=format!("swatch {}", one.category)></span>
            <strong>{texts::or_name(texts::category(locale, &one.category), &one.category)}</strong>
            <span class="figure yuan">{amount(locale, currency, micro)}</span>
            <span class="muted">{share}</span>
            <p>{sensor}</p>
        </li>
    }
}
