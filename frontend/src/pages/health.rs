//! Data health: whether the books can be trusted, and what needs a person, with the yuan attached.

use api::health::Health as HealthAnswer;
use leptos::prelude::*;

use crate::api::ask;
use crate::calendar::{Day, Range};
use crate::format;
use crate::frame::Frame;
use crate::texts::{self, Locale, fill, t};
use crate::widgets::amount::{cell, minute, missing};
use crate::widgets::state::{FailureOf, skeleton};

#[component]
pub fn Health() -> impl IntoView {
    let frame = Frame::here();
    let answer = ask::<HealthAnswer>(|| Some("/api/v1/health".to_owned()));
    let body = move || match answer.value.get() {
        Some(health) => figures(frame.locale.get(), &health).into_any(),
        None if answer.failed.get().is_some() => ().into_any(),
        None => view! {
            <div class="headline-skeleton">{skeleton(28)}</div>
            <div class="columns">{skeleton(320)} {skeleton(320)}</div>
        }
        .into_any(),
    };
    view! {
        <FailureOf answer=answer />
        <div class="page health">{body}</div>
    }
}

fn figures(locale: Locale, health: &HealthAnswer) -> impl IntoView + use<> {
    let differences = (!health.audit_differences.is_empty()).then(|| {
        let items: Vec<_> = health
            .audit_differences
            .iter()
            .map(|text| view! { <li>{text.clone()}</li> })
            .collect();
        view! {
            <section class="card">
                <h2>{t!(locale, health.differences)}</h2>
                <ul>{items}</ul>
            </section>
        }
    });
    view! {
        <h1 class="headline">{headline(locale, health)}</h1>
        {differences}
        <div class="columns">
            <section class="card wide">
                <h2>{t!(locale, health.doubts)}</h2>
                {doubts(locale, health)}
            </section>
            <section class="card narrow">
                <h2>{t!(locale, health.state)}</h2>
                {state(locale, health)}
            </section>
        </div>
    }
}

fn headline(locale: Locale, health: &HealthAnswer) -> String {
    let differences = health.audit_differences.len();
    let mut parts = Vec::new();
    if health.books_from.is_none() {
        parts.push(t!(locale, health.no_books).to_owned());
    } else if differences > 0 {
        let count = differences.to_string();
        parts.push(fill(t!(locale, health.audit_bad), &[("count", &count)]));
    }
    if health.days_waiting > 0 {
        let count = format::count(health.days_waiting);
        parts.push(fill(t!(locale, health.waiting), &[("count", &count)]));
    }
    if parts.is_empty() {
        parts.push(t!(locale, health.good).to_owned());
    }
    if !health.doubts.is_empty() {
        let count = health.doubts.len().to_string();
        parts.push(fill(t!(locale, health.doubts_lead), &[("count", &count)]));
    }
    let space = match locale {
        Locale::zh => "",
        Locale::en => " ",
    };
    parts.join(space)
}

fn state(locale: Locale, health: &HealthAnswer) -> impl IntoView + use<> {
    let time = |time: &Option<String>| {
        time.as_deref().map_or_else(
            || t!(locale, health.never).into_any(),
            |time| minute(time).into_any(),
        )
    };
    let first = health.books_from.as_deref().and_then(Day::parse);
    let last = health.books_to.as_deref().and_then(Day::parse);
    let books = first
        .zip(last)
        .and_then(|(first, last)| Range::new(first, last.plus(1)));
    let books = books.map_or_else(|| t!(locale, health.none).to_owned(), Range::label);
    let database = if health.database == "ok" {
        t!(locale, health.database_ok).to_owned()
    } else {
        health.database.clone()
    };
    let differences = health.audit_differences.len();
    view! {
        <dl class="state">
            <dt>{t!(locale, health.books)}</dt>
            <dd class="figure">{books}</dd>
            <dt>{t!(locale, health.accounted)}</dt>
            <dd class="figure">{time(&health.accounted_at)}</dd>
            <dt>{t!(locale, health.days_waiting)}</dt>
            <dd class="figure" class:bad=health.days_waiting != 0>
                {format::count(health.days_waiting)}
            </dd>
            <dt>{t!(locale, health.audit)}</dt>
            <dd class="figure" class:bad=differences != 0>
                {differences}
            </dd>
            <dt>{t!(locale, health.last_import)}</dt>
            <dd class="figure">{time(&health.last_import)}</dd>
            <dt>{t!(locale, health.rejected_rows)}</dt>
            <dd class="figure">{format::count(health.rejected_rows)}</dd>
            <dt>{t!(locale, health.database)}</dt>
            <dd class:bad=health.database != "ok">{database}</dd>
            <dt>{t!(locale, health.version)}</dt>
            <dd class="figure">{health.version.clone()}</dd>
        </dl>
    }
}

fn doubts(locale: Locale, health: &HealthAnswer) -> impl IntoView + use<> {
    if health.doubts.is_empty() {
        return view! { <p class="muted">{t!(locale, health.no_doubts)}</p> }.into_any();
    }
    let rows: Vec<_> = health
        .doubts
        .iter()
        .map(|doubt| {
            let yuan = doubt.yuan.as_ref().and_then(api::Yuan::micro);
            let yuan = yuan.map_or_else(
                || missing(t!(locale, health.unknown_yuan)).into_any(),
                |micro| cell(micro).into_any(),
            );
            view! {
                <tr>
                    <th scope="row">
                        {texts::or_name(texts::doubt(locale, &doubt.kind), &doubt.kind)}
                        <p class="muted small">{texts::doubt_hint(locale, &doubt.kind)}</p>
                    </th>
                    <td class="figure">{format::count(doubt.count)}</td>
                    <td class="figure">{yuan}</td>
                </tr>
            }
        })
        .collect();
    let unit = fill(
        t!(locale, health.yuan),
        &[("unit", texts::unit(locale, &health.currency))],
    );
    view! {
        <div class="scroll">
            <table>
                <thead>
                    <tr>
                        <th scope="col">{t!(locale, health.doubt)}</th>
                        <th scope="col" class="figure">{t!(locale, health.count)}</th>
                        <th scope="col" class="figure">{unit}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
