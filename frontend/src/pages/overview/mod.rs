//! Overview: the whole answer to "where did the money go" on one screen.

mod course;
mod headline;
mod movers;
mod tiles;
pub mod wastes;
mod where_went;

use api::overview::Overview as OverviewAnswer;
use leptos::prelude::*;

use crate::api::ask;
use crate::calendar::Day;
use crate::format;
use crate::frame::{Frame, Shown};
use crate::session::books;
use crate::texts::{fill, t};
use crate::widgets::no_cost::no_cost;
use crate::widgets::state::{FailureOf, skeleton};
use headline::{Piece, headline};

#[component]
pub fn Overview() -> impl IntoView {
    let frame = Frame::here();
    let answer = ask::<OverviewAnswer>(move || frame.view.get().overview());
    Effect::new(move |_| {
        if let Some(overview) = answer.value.get() {
            let parts = (overview.cost.value.micro(), overview.cost.estimated.micro());
            frame.shown.set(Some(Shown {
                about: overview.about.clone(),
                estimated: parts.0.zip(parts.1),
            }));
        }
    });
    let body = move || match answer.value.get() {
        Some(overview) => figures(frame, &overview),
        None if answer.failed.get().is_some() => ().into_any(),
        None => loading(frame).into_any(),
    };
    view! {
        <FailureOf answer=answer />
        <div class="page overview" class:busy=move || answer.busy.get() aria-busy=move || answer.busy.get().to_string()>
            {body}
        </div>
    }
}

/// Blocks in the places and sizes of the figures to come.
fn loading(frame: Frame) -> impl IntoView {
    let tiles = (0..6).map(|_| skeleton(132)).collect_view();
    view! {
        <p class="sr-only" role="status">
            {t!(frame.locale.get(), shell.loading)}
        </p>
        <div class="headline-skeleton">{skeleton(28)}</div>
        <div class="tiles">{tiles}</div>
        <div class="columns">{skeleton(290)} {skeleton(290)} {skeleton(320)} {skeleton(320)}</div>
    }
}

fn figures(frame: Frame, overview: &OverviewAnswer) -> AnyView {
    let locale = frame.locale.get();
    let nothing = overview.cost.value.micro() == Some(0)
        && overview.categories.is_empty()
        && overview.cost_over_time.series.is_empty();
    if nothing {
        return no_cost(frame, books(&overview.books_from, &overview.books_to), "/");
    }
    let today = frame
        .session()
        .and_then(|session| Day::parse(&session.today));
    let sentence = headline(locale, &frame.view.get(), overview, today);
    let sentence = sentence
        .into_iter()
        .map(|piece| match piece {
            Piece::Plain(text) => text.into_any(),
            Piece::Strong(text) => view! { <strong>{text}</strong> }.into_any(),
            Piece::Noted { text, note } => view! { <abbr title=note>{text}</abbr> }.into_any(),
            Piece::Link { text, href } => view! { <a href=href>{text}</a> }.into_any(),
        })
        .collect_view();
    view! {
        <h1 class="headline">{sentence}</h1>
        {partial(frame, overview)}
        {tiles::tiles(frame, overview)}
        <div class="columns">
            {where_went::section(frame, overview)} {wastes::section(frame, overview)}
            {course::section(frame, overview)} {movers::section(frame, overview)}
        </div>
    }
    .into_any()
}

/// What is not in the total.
fn partial(frame: Frame, overview: &OverviewAnswer) -> Option<impl IntoView + use<>> {
    let locale = frame.locale.get();
    let hours = &overview.data_health.unpriced_device_hours;
    format::micro(hours).filter(|hours| *hours > 0)?;
    let hours = format::number(locale, hours)?;
    let text = fill(t!(locale, overview.partial), &[("hours", &hours)]);
    Some(view! {
        <p class="notice partial">
            <a href=frame.view.get().href("/health")>{text}</a>
        </p>
    })
}
