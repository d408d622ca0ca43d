//! The rail of pages: at the left, folded to its icons when asked, along the bottom on phones.

use leptos::prelude::*;

use crate::app::PAGES;
use crate::browser;
use crate::frame::Frame;
use crate::texts::t;
use crate::url_state::ViewState;

const FOLDED: &str = "suanzhang.rail";

#[component]
pub fn Rail() -> impl IntoView {
    let frame = Frame::here();
    let folded = RwSignal::new(browser::stored(FOLDED).as_deref() == Some("folded"));
    let fold = move |_| {
        folded.update(|folded| *folded = !*folded);
        let word = if folded.get_untracked() {
            "folded"
        } else {
            "open"
        };
        browser::store(FOLDED, word);
    };
    let links = move || {
        let locale = frame.locale.get();
        let view = ViewState {
            category: None,
            ..frame.view.get()
        };
        let here = frame.path.get();
        let role = frame.session().map(|session| session.role);
        PAGES
            .iter()
            .filter(|page| role.is_none_or(|role| page.is_for(role)))
            .map(|page| {
                let current = (page.path == here).then_some("page");
                view! {
                    <a href=view.href(page.path) aria-current=current title=(page.title)(locale)>
                        <svg viewBox="0 0 24 24" aria-hidden="true">
                            <path d=page.icon></path>
                        </svg>
                        <span>{(page.title)(locale)}</span>
                    </a>
                }
            })
            .collect_view()
    };
    let fold_label = move || {
        let locale = frame.locale.get();
        if folded.get() {
            t!(locale, shell.rail.expand)
        } else {
            t!(locale, shell.rail.collapse)
        }
    };
    view! {
        <nav
            class="rail"
            class:folded=move || folded.get()
            aria-label=move || t!(frame.locale.get(), shell.navigation)
        >
            <p class="brand">
                <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d="M4 5h16M4 19h16M8 5v14M16 5v14M4 12h16"></path>
                </svg>
                <span>{move || t!(frame.locale.get(), shell.product)}</span>
            </p>
            <div class="rail-links">{links}</div>
            <button class="fold" on:click=fold aria-label=fold_label title=fold_label>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d="M14 6l-6 6 6 6"></path>
                </svg>
            </button>
        </nav>
    }
}
