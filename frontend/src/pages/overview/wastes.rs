//! The five largest wastes: yuan, what, where, who can fix it, and the way to the evidence.

use api::overview::Overview;
use api::waste::WasteEntry;
use leptos::prelude::*;

use crate::format;
use crate::frame::Frame;
use crate::texts::{self, Locale, fill, t};
use crate::url_state::ViewState;
use crate::widgets::amount::amount;

pub fn section(frame: Frame, overview: &Overview) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let currency = overview.about.currency.as_str();
    let rows: Vec<_> = overview
        .largest_wastes
        .iter()
        .map(|entry| row(frame, currency, entry))
        .collect();
    let all = ViewState {
        category: None,
        ..frame.view.get()
    };
    let body = if rows.is_empty() {
        view! { <p class="muted">{t!(locale, overview.wastes.none)}</p> }.into_any()
    } else {
        view! { <ol class="wastes">{rows}</ol> }.into_any()
    };
    view! {
        <section class="card narrow">
            <header>
                <h2>{t!(locale, overview.wastes.title)}</h2>
                <a href=all.href("/waste")>{t!(locale, overview.wastes.all)}</a>
            </header>
            {body}
        </section>
    }
}

fn row(frame: Frame, currency: &str, entry: &WasteEntry) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let target = ViewState {
        category: Some(entry.category.clone()),
        ..frame.view.get()
    };
    let who = texts::or_name(texts::who(locale, &entry.who_can_fix), &entry.who_can_fix);
    let fix = fill(t!(locale, overview.wastes.fix), &[("who", &who)]);
    let share = entry.share.map(|share| {
        let share = format::percent(i128::from(share) * 100);
        let text = fill(t!(locale, overview.wastes.of_scope), &[("share", &share)]);
        format!("{text} · ")
    });
    view! {
        <li>
            <a href=target.href("/waste") title=t!(locale, overview.wastes.open)>
                <span class=format!("swatch {}", entry.category)></span>
                <span class="what">{what(locale, entry)}</span>
                <span class="figure yuan">
                    {entry.yuan.micro().map(|micro| amount(locale, currency, micro))}
                </span>
                <span class="place" title=entry.scope.clone()>
                    {texts::place(locale, entry)}
                </span>
                <span class="fix muted">{share} {fix}</span>
            </a>
        </li>
    }
}

/// Category and sub-reason.
pub fn what(locale: Locale, entry: &WasteEntry) -> String {
    let category = texts::or_name(texts::category(locale, &entry.category), &entry.category);
    if entry.reason.is_empty() {
        return category;
    }
    let reason = texts::or_name(texts::reason(locale, &entry.reason), &entry.reason);
    format!("{category} · {reason}")
}
