//! A menu that opens below its button: a `details` that also closes on Escape, on a click elsewhere and after a choice.

use leptos::ev;
use leptos::html::Details;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};

/// `label` is what the button is for; `children` are drawn when it is opened first.
#[component]
pub fn Menu(
    #[prop(into)] label: Signal<String>,
    /// What the button shows.
    #[prop(into)]
    button: ViewFn,
    #[prop(optional)] class: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<Details>::new();
    let opened = RwSignal::new(false);
    let close = move || {
        if let Some(details) = node.get_untracked() {
            details.set_open(false);
        }
    };
    let elsewhere = window_event_listener(ev::click, move |event| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Node>().ok());
        let inside = node
            .get_untracked()
            .is_some_and(|details| details.contains(target.as_ref()));
        if !inside || chose(target.as_ref()) {
            close();
        }
    });
    on_cleanup(move || elsewhere.remove());
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            close();
            let summary = node
                .get_untracked()
                .and_then(|details| details.query_selector("summary").ok().flatten())
                .and_then(|element| element.dyn_into::<HtmlElement>().ok());
            if let Some(summary) = summary {
                summary.focus().ok();
            }
        }
    };
    view! {
        <details
            class=format!("menu {class}")
            node_ref=node
            on:keydown=on_key
            on:toggle=move |_| {
                if node.get_untracked().is_some_and(|details| details.open()) {
                    opened.set(true);
                }
            }
        >
            <summary aria-label=move || label.get() title=move || label.get()>
                {button.run()}
            </summary>
            <div class="menu-body">{move || opened.get().then(|| children())}</div>
        </details>
    }
}

/// A click on a link, or on a button that says it finishes the menu.
fn chose(target: Option<&Node>) -> bool {
    target
        .and_then(|node| node.dyn_ref::<Element>())
        .is_some_and(|element| element.closest("a, [data-close]").ok().flatten().is_some())
}
