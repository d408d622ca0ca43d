//! The range menu (presets and own days) and the comparison menu.

use leptos::prelude::*;

use crate::calendar::{Day, Range};
use crate::frame::{Frame, follow};
use crate::session::books;
use crate::texts::{self, Locale, t};
use crate::url_state::{Compare, ViewState, presets};
use crate::widgets::menu::Menu;

#[component]
pub fn RangeMenu() -> impl IntoView {
    let frame = Frame::here();
    let label = Signal::derive(move || t!(frame.locale.get(), shell.range.label).to_owned());
    let shown = move || frame.view.get().range.map(Range::label);
    view! {
        <Menu
            label=label
            class="range"
            button=move || view! { <span class="value figure">{shown}</span> }
        >
            {move || preset_links(frame)}
            <OwnDays />
        </Menu>
    }
}

fn preset_links(frame: Frame) -> Option<impl IntoView> {
    let session = frame.session()?;
    let today = Day::parse(&session.today)?;
    let locale = frame.locale.get();
    let view = frame.view.get();
    let links = presets(today, books(&session.books_from, &session.books_to))
        .into_iter()
        .map(|(name, range)| {
            let current = (view.range == Some(range)).then_some("true");
            let target = ViewState {
                range: Some(range),
                grain: None,
                compare: None,
                ..view.clone()
            };
            view! {
                <a href=target.href(&frame.path.get()) aria-current=current>
                    <span>{texts::or_name(texts::preset(locale, name), name)}</span>
                    <span class="muted figure">{range.label()}</span>
                </a>
            }
        });
    Some(links.collect_view())
}

/// First and last day as the reader likes; the last is included.
#[component]
fn OwnDays() -> impl IntoView {
    let frame = Frame::here();
    let text = move |pick: fn(Range) -> Day| {
        let range = frame.view.get_untracked().range;
        range
            .map(|range| pick(range).to_string())
            .unwrap_or_default()
    };
    let from = RwSignal::new(text(|range| range.from));
    let to = RwSignal::new(text(Range::last));
    Effect::new(move |_| {
        if let Some(range) = frame.view.get().range {
            from.set(range.from.to_string());
            to.set(range.last().to_string());
        }
    });
    let chosen = move || {
        let first = Day::parse(&from.get())?;
        let last = Day::parse(&to.get())?;
        Range::new(first, last.plus(1))
    };
    let go = follow();
    let apply = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if let Some(range) = chosen() {
            let view = ViewState {
                range: Some(range),
                grain: None,
                ..frame.view.get_untracked()
            };
            go(&view.href(&frame.path.get_untracked()));
        }
    };
    view! {
        <form class="days" on:submit=apply>
            <label>
                <span>{move || t!(frame.locale.get(), shell.range.from)}</span>
                <input
                    type="date"
                    prop:value=from
                    on:input=move |event| from.set(event_target_value(&event))
                />
            </label>
            <label>
                <span>{move || t!(frame.locale.get(), shell.range.to)}</span>
                <input
                    type="date"
                    prop:value=to
                    on:input=move |event| to.set(event_target_value(&event))
                />
            </label>
            <button class="button" type="submit" disabled=move || chosen().is_none()>
                {move || t!(frame.locale.get(), shell.range.apply)}
            </button>
            <p class="muted" role="status">
                {move || {
                    chosen().is_none().then(|| t!(frame.locale.get(), shell.range.invalid))
                }}
            </p>
        </form>
    }
}

#[component]
pub fn CompareMenu() -> impl IntoView {
    let frame = Frame::here();
    let label = Signal::derive(move || t!(frame.locale.get(), shell.compare.label).to_owned());
    let chosen = move || {
        let view = frame.view.get();
        view.range.map(|range| view.compare_or_default(range))
    };
    let shown = move || chosen().map(|compare| compare_name(frame.locale.get(), compare));
    let links = move || {
        let view = frame.view.get();
        Compare::ALL
            .into_iter()
            .map(|compare| {
                let current = (chosen() == Some(compare)).then_some("true");
                let target = ViewState {
                    compare: Some(compare),
                    ..view.clone()
                };
                view! {
                    <a href=target.href(&frame.path.get()) aria-current=current>
                        {compare_name(frame.locale.get(), compare)}
                    </a>
                }
            })
            .collect_view()
    };
    view! {
        <Menu
            label=label
            class="compare"
            button=move || view! { <span class="value">{shown}</span> }
        >
            {links}
        </Menu>
    }
}

fn compare_name(locale: Locale, compare: Compare) -> String {
    texts::or_name(texts::compare(locale, compare.name()), compare.name())
}
