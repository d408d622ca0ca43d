//! What changed: the projects whose cost moved most against the comparison, with the reason where one is known.

use api::overview::{Mover, Overview};
use leptos::prelude::*;

use crate::format::{self, Change};
use crate::frame::Frame;
use crate::texts::{self, t};
use crate::url_state::{Scope, ViewState};
use crate::widgets::compared::Compared;

pub fn section(frame: Frame, overview: &Overview) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let currency = overview.about.currency.as_str();
    let rows: Vec<_> = overview
        .movers
        .iter()
        .map(|mover| row(frame, currency, mover))
        .collect();
    let compared = Compared::of_overview(locale, &frame.view.get(), overview);
    let body = if !rows.is_empty() {
        view! { <ol class="movers">{rows}</ol> }.into_any()
    } else if compared.against.is_some() {
        view! { <p class="muted">{t!(locale, overview.movers.none)}</p> }.into_any()
    } else {
        view! { <p class="muted">{compared.hint.clone()}</p> }.into_any()
    };
    let against = compared.against.map(|text| {
        view! {
            <span class="muted small" title=compared.hint>
                {text}
            </span>
        }
    });
    view! {
        <section class="card narrow">
            <header>
                <h2>{t!(locale, overview.movers.title)}</h2>
                {against}
            </header>
            {body}
        </section>
    }
}

fn row(frame: Frame, currency: &str, mover: &Mover) -> Option<impl IntoView + use<>> {
    let locale = frame.locale.get();
    let now = mover.value.micro()?;
    let before = mover.compare.micro()?;
    let change = Change::between(i128::from(now), i128::from(before));
    let moved = now.saturating_sub(before);
    let reason = mover
        .reason
        .as_deref()
        .map(|reason| texts::or_name(texts::mover(locale, reason), reason));
    let name = texts::payer(locale, &mover.project, &mover.name);
    let exact = format!("{} → {}", format::exact(before), format::exact(now));
    Some(view! {
        <li>
            {payer_link(frame, &mover.project, name)}
            <span class="figure moved" title=exact>
                {format::yuan_signed(locale, currency, moved)}
            </span>
            <span class="muted reason">{reason}</span>
            <span class="muted figure">{change.percent()}</span>
        </li>
    })
}

/// A project's name that narrows the page to it; pools and the like are names only.
pub fn payer_link(frame: Frame, id: &str, name: String) -> AnyView {
    match project_scope(id) {
        Some(scope) => {
            let view = ViewState {
                scope,
                ..frame.view.get()
            };
            view! {
                <a href=view.href("/") title=id.to_owned()>
                    {name}
                </a>
            }
            .into_any()
        }
        None => view! { <span>{name}</span> }.into_any(),
    }
}

/// The scope of a payer that is a project.
pub fn project_scope(id: &str) -> Option<Scope> {
    let project = id != "unattributed" && id != "others" && !id.starts_with("pool:");
    project.then(|| Scope::Project(id.to_owned()))
}
