//! Imports: every file that came in, what became of its rows, and why any was rejected.

use api::imports::{Import, ImportList};
use api::{Language, reason};
use leptos::prelude::*;

use crate::api::ask;
use crate::format;
use crate::frame::Frame;
use crate::texts::{self, Locale, fill, t};
use crate::widgets::amount::minute;
use crate::widgets::state::{FailureOf, command, skeleton};

#[component]
pub fn Imports() -> impl IntoView {
    let frame = Frame::here();
    let earlier = RwSignal::new(Vec::<Import>::new());
    let cursor = RwSignal::new(None::<String>);
    let answer = ask::<ImportList>(move || {
        Some(match cursor.get() {
            Some(cursor) => format!("/api/v1/imports?limit=50&cursor={cursor}"),
            None => "/api/v1/imports?limit=50".to_owned(),
        })
    });
    let body = move || match answer.value.get() {
        Some(list) => {
            let mut shown = earlier.get();
            shown.extend(list.imports.iter().cloned());
            figures(frame.locale.get(), &shown).into_any()
        }
        None if answer.failed.get().is_some() => ().into_any(),
        None => skeleton(480).into_any(),
    };
    let more = move || {
        let list = answer.value.get()?;
        let next = list.next_cursor.clone()?;
        let show = move |_| {
            earlier.update(|shown| shown.extend(list.imports.iter().cloned()));
            answer.value.set(None);
            cursor.set(Some(next.clone()));
        };
        Some(view! {
            <button class="button" on:click=show>
                {t!(frame.locale.get(), imports.more)}
            </button>
        })
    };
    view! {
        <FailureOf answer=answer />
        <div class="page imports">
            <h1 class="headline">{move || t!(frame.locale.get(), imports.title)}</h1>
            <p class="muted lead">{move || t!(frame.locale.get(), imports.lead)}</p>
            {body}
            {more}
        </div>
    }
}

fn figures(locale: Locale, imports: &[Import]) -> impl IntoView + use<> {
    if imports.is_empty() {
        return view! {
            <section class="notice empty">
                <h2>{t!(locale, imports.empty_title)}</h2>
                <p>{t!(locale, imports.empty_body)}</p>
                {command(t!(locale, overview.empty.import_comment), "suanzhang import ./facts")}
            </section>
        }
        .into_any();
    }
    let rows: Vec<_> = imports.iter().map(|import| row(locale, import)).collect();
    view! {
        <section class="card">
            <div class="scroll">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{t!(locale, imports.file)}</th>
                            <th scope="col">{t!(locale, imports.kind)}</th>
                            <th scope="col">{t!(locale, imports.outcome)}</th>
                            <th scope="col" class="figure">{t!(locale, imports.read)}</th>
                            <th scope="col" class="figure">{t!(locale, imports.new)}</th>
                            <th scope="col" class="figure">{t!(locale, imports.replaced)}</th>
                            <th scope="col" class="figure">{t!(locale, imports.unchanged)}</th>
                            <th scope="col" class="figure">{t!(locale, imports.rejected)}</th>
                            <th scope="col">{t!(locale, imports.at)}</th>
                            <th scope="col">{t!(locale, imports.by)}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}

fn row(locale: Locale, import: &Import) -> impl IntoView + use<> {
    let kind = if import.kind.is_empty() {
        t!(locale, imports.unrecognised).to_owned()
    } else {
        import.kind.clone()
    };
    let outcome = texts::or_name(texts::outcome(locale, &import.outcome), &import.outcome);
    let rejected = import.rows_rejected;
    view! {
        <tr>
            <th scope="row">{file(locale, import)}</th>
            <td>{kind}</td>
            <td>
                <span class=format!("badge outcome-{}", import.outcome)>{outcome}</span>
            </td>
            <td class="figure">{format::count(import.rows_read)}</td>
            <td class="figure">{format::count(import.rows_new)}</td>
            <td class="figure">{format::count(import.rows_replaced)}</td>
            <td class="figure">{format::count(import.rows_unchanged)}</td>
            <td class="figure" class:bad=rejected != 0>
                {format::count(rejected)}
            </td>
            <td class="figure">{minute(&import.at)}</td>
            <td>{by(locale, &import.by)}</td>
        </tr>
    }
}

/// Who brought it in: somebody by name, or one of our own doors.
fn by(locale: Locale, by: &str) -> String {
    match by {
        "command line" => t!(locale, imports.command_line).to_owned(),
        "example" => t!(locale, imports.example).to_owned(),
        name => name.to_owned(),
    }
}

/// The language of reasons, which both ends put into words.
fn language(locale: Locale) -> Language {
    match locale {
        Locale::zh => Language::Chinese,
        Locale::en => Language::English,
    }
}

/// The file's name; opened, its messages, rejected rows, dropped values and checksum.
fn file(locale: Locale, import: &Import) -> impl IntoView + use<> {
    let shown = i64::try_from(import.rejections.len()).unwrap_or(i64::MAX);
    let rest = import.rows_rejected.saturating_sub(shown);
    let language = language(locale);
    let messages: Vec<_> = import
        .messages
        .iter()
        .map(|said| view! { <p>{said.reason.placed(said.line, "", language)}</p> })
        .collect();
    let items: Vec<_> = import
        .rejections
        .iter()
        .map(|one| {
            let place = reason::place(Some(one.line), &one.column, language);
            view! {
                <li>
                    <span class="muted">{place}</span>
                    " "
                    {one.reason.text(language)}
                </li>
            }
        })
        .collect();
    let rejections = (!items.is_empty()).then(|| {
        let more = (rest > 0).then(|| {
            let count = format::count(rest);
            let text = fill(t!(locale, imports.more_rejections), &[("count", &count)]);
            view! { <li class="muted">{text}</li> }
        });
        view! {
            <dt>{t!(locale, imports.rejections)}</dt>
            <dd>
                <ul>{items} {more}</ul>
            </dd>
        }
    });
    view! {
        <details class="explained" open=import.outcome == "rejected">
            <summary>{import.file.clone()}</summary>
            {messages}
            <dl>
                {rejections} {dropped(locale, import)} <dt>{t!(locale, imports.checksum)}</dt>
                <dd>
                    <code>{import.sha256.clone()}</code>
                </dd>
            </dl>
        </details>
    }
}

/// The values that were dropped, where there are any.
fn dropped(locale: Locale, import: &Import) -> Option<impl IntoView + use<>> {
    let items: Vec<_> = import
        .dropped
        .iter()
        .map(|one| {
            let count = format::count(one.values);
            let what = fill(
                t!(locale, imports.dropped_values),
                &[("column", &one.column), ("count", &count)],
            );
            view! {
                <li>
                    <span class="muted">{what}</span>
                    " "
                    {one.reason.text(language(locale))}
                </li>
            }
        })
        .collect();
    (!items.is_empty()).then(|| {
        view! {
            <dt>{t!(locale, imports.dropped)}</dt>
            <dd>
                <ul>{items}</ul>
            </dd>
        }
    })
}
