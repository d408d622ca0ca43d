//! Whose cost is shown: the company, or one of the sites, teams and projects that have cost in the range.

use api::query::QueryAnswer;
use leptos::prelude::*;

use crate::api::{Answer, ask};
use crate::frame::Frame;
use crate::texts::{Locale, t};
use crate::url_state::{Scope, ViewState};
use crate::widgets::menu::Menu;
use crate::widgets::state::FailureOf;

#[component]
pub fn ScopeMenu() -> impl IntoView {
    let frame = Frame::here();
    let label = Signal::derive(move || t!(frame.locale.get(), shell.scope.label).to_owned());
    view! {
        <Menu
            label=label
            class="scope"
            button=move || view! { <span class="value">{move || title(frame)}</span> }
        >
            <Choices />
        </Menu>
    }
}

fn title(frame: Frame) -> String {
    let locale = frame.locale.get();
    match frame.view.get().scope {
        Scope::Company => frame
            .session()
            .map(|session| session.company)
            .filter(|company| !company.is_empty())
            .unwrap_or_else(|| t!(locale, shell.scope.company).to_owned()),
        Scope::Site(id) | Scope::Team(id) | Scope::Project(id) => id,
    }
}

/// One of the three lists: the group's name for the question, its heading, and the scope a choice means.
type Kind = (
    &'static str,
    fn(Locale) -> &'static str,
    fn(String) -> Scope,
);

static KINDS: [Kind; 3] = [
    ("site", |locale| t!(locale, shell.scope.site), Scope::Site),
    ("team", |locale| t!(locale, shell.scope.team), Scope::Team),
    (
        "project",
        |locale| t!(locale, shell.scope.project),
        Scope::Project,
    ),
];

#[component]
fn Choices() -> impl IntoView {
    let frame = Frame::here();
    let wanted = RwSignal::new(String::new());
    let lists = KINDS
        .iter()
        .map(|(group, heading, scope)| {
            let answer = ask::<QueryAnswer>(move || frame.view.get().cost_by(group));
            view! {
                <section>
                    <h3>{move || heading(frame.locale.get())}</h3>
                    <FailureOf answer=answer />
                    {move || choices(frame, answer, *scope, &wanted.get())}
                </section>
            }
        })
        .collect_view();
    let company = move || {
        let view = with_scope(frame, Scope::Company);
        let current = (frame.view.get().scope == Scope::Company).then_some("true");
        view! {
            <a href=view aria-current=current>
                {t!(frame.locale.get(), shell.scope.company)}
            </a>
        }
    };
    view! {
        {company}
        <input
            type="search"
            placeholder=move || t!(frame.locale.get(), shell.scope.search)
            aria-label=move || t!(frame.locale.get(), shell.scope.search)
            on:input=move |event| wanted.set(event_target_value(&event))
        />
        {lists}
    }
}

fn choices(
    frame: Frame,
    answer: Answer<QueryAnswer>,
    scope: fn(String) -> Scope,
    wanted: &str,
) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let Some(rows) = answer.value.get() else {
        return view! { <p class="muted">{t!(locale, shell.loading)}</p> }.into_any();
    };
    let wanted = wanted.to_lowercase();
    let links: Vec<_> = rows
        .rows
        .iter()
        .filter_map(|row| row.groups.first().cloned().flatten())
        .filter(|id| !id.is_empty() && id.to_lowercase().contains(&wanted))
        .map(|id| {
            let current = (frame.view.get().scope == scope(id.clone())).then_some("true");
            let href = with_scope(frame, scope(id.clone()));
            view! {
                <a href=href aria-current=current>
                    {id}
                </a>
            }
        })
        .collect();
    if links.is_empty() {
        return view! { <p class="muted">{t!(locale, shell.scope.none)}</p> }.into_any();
    }
    links.into_any()
}

fn with_scope(frame: Frame, scope: Scope) -> String {
    let view = ViewState {
        scope,
        ..frame.view.get()
    };
    view.href(&frame.path.get())
}
