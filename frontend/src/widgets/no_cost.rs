//! No cost to show: the books are elsewhere, the scope has none, or there are none yet; each with the way out.

use leptos::prelude::*;

use crate::calendar::Range;
use crate::frame::Frame;
use crate::texts::{fill, t};
use crate::url_state::{Scope, ViewState};
use crate::widgets::state::command;

/// `books`: the days that have any; `path` is the page's own, to which the way out leads back.
pub fn no_cost(frame: Frame, books: Option<Range>, path: &'static str) -> AnyView {
    let locale = frame.locale.get();
    let Some(books) = books else {
        return view! {
            <section class="notice empty">
                <h1>{t!(locale, overview.empty.no_books_title)}</h1>
                <p>{t!(locale, overview.empty.no_books_body)}</p>
                {command(t!(locale, overview.empty.import_comment), "suanzhang import ./facts")}
                {command(t!(locale, overview.empty.account_comment), "suanzhang account")}
                <p class="muted">{t!(locale, overview.empty.format)}</p>
                <a class="button" href=frame.view.get().href("/imports")>
                    {t!(locale, shell.page.imports)}
                </a>
            </section>
        }
        .into_any();
    };
    let view = frame.view.get();
    if let (Some(id), Some(range)) = (view.scope.id(), view.range)
        && range.from < books.to
        && books.from < range.to
    {
        return no_cost_in_scope(frame, id, range, path).into_any();
    }
    let month = Range::month_of(books.last());
    let covered = fill(
        t!(locale, overview.empty.no_range_body),
        &[("range", &books.label())],
    );
    let show = fill(
        t!(locale, overview.empty.show_last),
        &[("range", &month.label())],
    );
    let target = ViewState {
        range: Some(month),
        ..frame.view.get()
    };
    view! {
        <section class="notice empty">
            <h1>{t!(locale, overview.empty.no_range_title)}</h1>
            <p>{covered}</p>
            <a class="button primary" href=target.href(path)>
                {show}
            </a>
        </section>
    }
    .into_any()
}

/// There are books in the range, but no cost in the scope.
fn no_cost_in_scope(
    frame: Frame,
    id: &str,
    range: Range,
    path: &'static str,
) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let body = fill(
        t!(locale, overview.empty.no_scope_body),
        &[("scope", id), ("range", &range.label())],
    );
    let company = ViewState {
        scope: Scope::Company,
        ..frame.view.get()
    };
    view! {
        <section class="notice empty">
            <h1>{t!(locale, overview.empty.no_scope_title)}</h1>
            <p>{body}</p>
            <a class="button primary" href=company.href(path)>
                {t!(locale, overview.empty.show_company)}
            </a>
        </section>
    }
}
