//! The keys: `?` shows them, `g` and a letter goes to a page.

use leptos::ev;
use leptos::html::Dialog;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::app::PAGES;
use crate::frame::{Frame, follow};
use crate::texts::{fill, t};
use crate::url_state::ViewState;

pub fn listen_to_keys(frame: Frame, shown: RwSignal<bool>) {
    let go = follow();
    let after_g = StoredValue::new(false);
    let listener = window_event_listener(ev::keydown, move |event| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || writing(&event) {
            return;
        }
        let key = event.key();
        if key == "?" {
            shown.set(true);
            return;
        }
        let page = PAGES.iter().find(|page| page.key == key);
        match page.filter(|_| after_g.get_value()) {
            Some(page) => {
                let view = ViewState {
                    category: None,
                    ..frame.view.get_untracked()
                };
                go(&view.href(page.path));
                after_g.set_value(false);
            }
            None => after_g.set_value(key == "g"),
        }
    });
    on_cleanup(move || listener.remove());
}

/// Keys typed into a field are text.
fn writing(event: &ev::KeyboardEvent) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .is_some_and(|element| {
            element
                .closest("input, textarea, select, [contenteditable]")
                .ok()
                .flatten()
                .is_some()
        })
}

#[component]
pub fn KeysDialog(shown: RwSignal<bool>) -> impl IntoView {
    let frame = Frame::here();
    let node = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        if let (true, Some(dialog)) = (shown.get(), node.get())
            && !dialog.open()
        {
            dialog.show_modal().ok();
        }
    });
    let rows = move || {
        let locale = frame.locale.get();
        PAGES
            .iter()
            .map(|page| {
                let text = fill(t!(locale, shell.keys.go), &[("page", (page.title)(locale))]);
                view! {
                    <dt>
                        <kbd>"g"</kbd>
                        " "
                        <kbd>{page.key}</kbd>
                    </dt>
                    <dd>{text}</dd>
                }
            })
            .collect_view()
    };
    view! {
        <dialog
            class="keys"
            node_ref=node
            aria-labelledby="keys-title"
            on:close=move |_| shown.set(false)
        >
            <h2 id="keys-title">{move || t!(frame.locale.get(), shell.keys.title)}</h2>
            <dl>
                <dt>
                    <kbd>"?"</kbd>
                </dt>
                <dd>{move || t!(frame.locale.get(), shell.keys.help)}</dd>
                {rows}
            </dl>
            <form method="dialog">
                <button class="button">{move || t!(frame.locale.get(), shell.keys.close)}</button>
            </form>
        </dialog>
    }
}
