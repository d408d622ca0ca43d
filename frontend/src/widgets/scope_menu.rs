//! Whose cost is shown: the company, or one of the sites, teams and projects that have cost in the range.

use api::query::NamedAnswer;
use leptos::prelude::*;

use crate::api::{Answer, ask};
use crate::frame::Frame;
use crate::texts::{self, Locale, t};
use crate::url_state::{Scope, ViewState};
use crate::widgets::menu::Menu;
use crate::widgets::state::FailureOf;

#[component]
pub fn ScopeMenu() -> impl IntoView {
    let frame = Frame::here();
    let label = Signal::derive(move || t!(frame.locale.get(), shell.scope.label).to_owned());
    let path = Memo::new(move |_| frame.view.get().scope_named());
    let named = ask::<NamedAnswer>(move || path.get());
    view! {
        <Menu
            label=label
            class="scope"
            button=move || {
                let id = move || frame.view.get().scope.id().map(str::to_owned);
                view! {
                    <span class="value" title=id>
                        {move || title(frame, named)}
                    </span>
                }
            }
        >
            <Choices />
        </Menu>
    }
}

/// What is chosen, by its name; by its id until the name is there, and where it has no cost in the range.
fn title(frame: Frame, named: Answer<NamedAnswer>) -> String {
    let locale = frame.locale.get();
    match frame.view.get().scope {
        Scope::Company => frame
            .session()
            .map(|session| session.company)
            .filter(|company| !company.is_empty())
            .unwrap_or_else(|| t!(locale, shell.scope.company).to_owned()),
        Scope::Site(id) | Scope::Team(id) | Scope::Project(id) => {
            let name = named.value.get().and_then(|answer| {
                let mut kinds = answer.names.values();
                kinds.find_map(|names| names.get(&id).cloned())
            });
            texts::payer(locale, &id, &name.unwrap_or_default())
        }
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
            let answer = ask::<NamedAnswer>(move || frame.view.get().cost_by(group));
            view! {
                <section>
                    <h3>{move || heading(frame.locale.get())}</h3>
                    <FailureOf answer=answer />
                    {move || choices(frame, answer, group, *scope, &wanted.get())}
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
    answer: Answer<NamedAnswer>,
    group: &str,
    scope: fn(String) -> Scope,
    wanted: &str,
) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let Some(named) = answer.value.get() else {
        return view! { <p class="muted">{t!(locale, shell.loading)}</p> }.into_any();
    };
    let wanted = wanted.to_lowercase();
    let chosen = frame.view.get().scope;
    let links: Vec<_> = found(locale, &named, group, &wanted)
        .into_iter()
        .map(|(id, name)| {
            let current = (chosen == scope(id.clone())).then_some("true");
            let href = with_scope(frame, scope(id.clone()));
            view! {
                <a href=href aria-current=current title=id>
                    {name}
                </a>
            }
        })
        .collect();
    if links.is_empty() {
        return view! { <p class="muted">{t!(locale, shell.scope.none)}</p> }.into_any();
    }
    links.into_any()
}

/// Ids and names of an answer's rows whose id or name has the text wanted (in small letters).
fn found(locale: Locale, answer: &NamedAnswer, group: &str, wanted: &str) -> Vec<(String, String)> {
    let names = answer.names.get(group);
    let ids = answer.answer.rows.iter();
    ids.filter_map(|row| row.groups.first().cloned().flatten())
        .filter(|id| !id.is_empty())
        .map(|id| {
            let name = names.and_then(|names| names.get(&id));
            let name = texts::payer(locale, &id, name.map_or("", String::as_str));
            (id, name)
        })
        .filter(|(id, name)| {
            id.to_lowercase().contains(wanted) || name.to_lowercase().contains(wanted)
        })
        .collect()
}

fn with_scope(frame: Frame, scope: Scope) -> String {
    let view = ViewState {
        scope,
        ..frame.view.get()
    };
    view.href(&frame.path.get())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may")]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_found_by_its_name_and_by_its_id() {
        let answer = r#"{"query": {"metric": "cost", "group_by": ["project"], "from": "2026-11-01", "to": "2026-12-01",
            "filters": [], "grain": null}, "unit": "yuan", "about": {"currency": "CNY", "zone": "Asia/Shanghai",
            "as_of": null, "status": null, "coverage": null}, "names": {"project": {"chat": "对话服务"}}, "rows": [
            {"period": null, "groups": [""], "value": null, "status": null, "coverage": null},
            {"period": null, "groups": ["chat"], "value": null, "status": null, "coverage": null},
            {"period": null, "groups": ["Search"], "value": null, "status": null, "coverage": null},
            {"period": null, "groups": ["unattributed"], "value": null, "status": null, "coverage": null},
            {"period": null, "groups": [null], "value": null, "status": null, "coverage": null}]}"#;
        let answer: NamedAnswer = serde_json::from_str(answer).unwrap();
        let check = |wanted: &str, expected: &[&str]| {
            let names: Vec<String> = found(Locale::zh, &answer, "project", wanted)
                .into_iter()
                .map(|(_, name)| name)
                .collect();
            assert_eq!(names, expected, "{wanted}");
        };
        check("", &["对话服务", "Search", "待归属"]);
        check("对话", &["对话服务"]);
        check("chat", &["对话服务"]);
        check("search", &["Search"]);
        check("归属", &["待归属"]);
        check("x", &[]);
    }
}
