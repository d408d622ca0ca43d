//! The states a page can be in besides showing figures: loading, failed, empty.

use api::{ErrorCode, Problem};
use leptos::prelude::*;

use crate::api::{Answer, Failed, Failure};
use crate::frame::Frame;
use crate::texts::{self, Locale, fill, t};

/// A block that keeps the place of what will come, `height` in pixels.
pub fn skeleton(height: u32) -> impl IntoView {
    view! { <div class="skeleton" style=format!("height:{height}px")></div> }
}

/// The failure of a question, above the last good answer when there is one.
#[component]
pub fn FailureOf<T: Send + Sync + 'static>(answer: Answer<T>) -> impl IntoView {
    let frame = Frame::here();
    move || {
        let failed = answer.failed.get()?;
        let stale = answer.value.with(Option::is_some);
        let read_at = answer.read_at.get().filter(|_| stale);
        let again = move || answer.again();
        Some(failure(frame.locale.get(), &failed, read_at, again))
    }
}

/// What went wrong, since when, what still works, and the request id.
pub fn failure<F: Fn() + 'static>(
    locale: Locale,
    failed: &Failed,
    read_at: Option<String>,
    again: F,
) -> impl IntoView + use<F> {
    let what = explain(locale, &failed.failure);
    let stale = read_at.is_some();
    let since = fill(t!(locale, shell.error.since), &[("time", &failed.at)]);
    let (detail, request) = match &failed.failure {
        Failure::Problem(problem) => {
            let field = problem
                .field
                .as_ref()
                .map(|field| fill(t!(locale, shell.error.field), &[("field", field)]));
            let parts = [field, detail(problem)];
            let detail = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
            let request = fill(
                t!(locale, shell.error.request),
                &[("id", &problem.request_id)],
            );
            (Some(detail).filter(|text| !text.is_empty()), Some(request))
        }
        Failure::Unreachable | Failure::Unreadable => (None, None),
    };
    let works = match read_at {
        Some(time) => Some(fill(t!(locale, shell.error.stale), &[("time", &time)])),
        None if spares_others(&failed.failure) => {
            Some(t!(locale, shell.error.still_works).to_owned())
        }
        None => None,
    };
    // Above figures of before it is a notice, alone it is what the page says.
    let heading = if stale {
        view! { <h2>{t!(locale, shell.error.title)}</h2> }.into_any()
    } else {
        view! { <h1>{t!(locale, shell.error.title)}</h1> }.into_any()
    };
    view! {
        <section class="notice failure" role="alert">
            {heading}
            <p>{what}</p>
            {detail.map(|text| view! { <p class="muted">{text}</p> })}
            {works.map(|text| view! { <p class="muted">{text}</p> })}
            <p class="muted">
                {since} {request.map(|id| view! { " · " <code>{id}</code> })}
            </p>
            <button class="button" on:click=move |_| again()>
                {t!(locale, shell.error.retry)}
            </button>
        </section>
    }
}

/// What the server says of this request. Of its own troubles it says no more than the sentence for the code does, and that
/// in English only.
fn detail(problem: &Problem) -> Option<String> {
    let own = matches!(
        problem.code,
        ErrorCode::DatabaseUnavailable | ErrorCode::Internal
    );
    problem.detail.clone().filter(|_| !own)
}

/// Whether other questions can have answers all the same.
fn spares_others(failure: &Failure) -> bool {
    match failure {
        Failure::Unreachable => false,
        Failure::Unreadable => true,
        Failure::Problem(problem) => problem.code != ErrorCode::DatabaseUnavailable,
    }
}

/// The sentence for a failure.
pub fn explain(locale: Locale, failure: &Failure) -> &'static str {
    match failure {
        Failure::Unreachable => t!(locale, shell.error.unreachable),
        Failure::Unreadable => t!(locale, shell.error.unreadable),
        Failure::Problem(problem) => texts::error(locale, problem.code),
    }
}

/// A command to type, with a line that says what it does.
pub fn command(comment: &'static str, line: &'static str) -> impl IntoView {
    view! {
        <p class="command">
            <span class="muted">"# "{comment}</span>
            <code>{line}</code>
        </p>
    }
}
