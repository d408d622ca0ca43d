//! A button with a body that opens below it; Escape, a click elsewhere, a choice and a sent form close it.

use leptos::ev;
use leptos::html::{Button, Div};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Node};

/// `label` says what the button is for, `button` what is chosen; `children` are drawn while it is open.
#[component]
pub fn Menu(
    #[prop(into)] label: Signal<String>,
    #[prop(into)] button: ViewFn,
    class: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<Div>::new();
    let knob = NodeRef::<Button>::new();
    let open = RwSignal::new(false);
    let elsewhere = window_event_listener(ev::click, move |event| {
        if !open.get_untracked() {
            return;
        }
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Node>().ok());
        let inside = node
            .get_untracked()
            .is_some_and(|menu| menu.contains(target.as_ref()));
        if !inside || chose(target.as_ref()) {
            open.set(false);
        }
    });
    on_cleanup(move || elsewhere.remove());
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && open.get_untracked() {
            open.set(false);
            if let Some(knob) = knob.get_untracked() {
                knob.focus().ok();
            }
        }
    };
    view! {
        <div
            class=format!("menu {class}")
            node_ref=node
            on:keydown=on_key
            // The form must still be there when its button sends it.
            on:submit=move |_| open.set(false)
        >
            <button
                type="button"
                class="knob"
                node_ref=knob
                aria-expanded=move || open.get().to_string()
                title=label
                on:click=move |_| open.update(|open| *open = !*open)
            >
                <span class="sr-only">{move || format!("{}: ", label.get())}</span>
                {button.run()}
            </button>
            {move || open.get().then(|| view! { <div class="menu-body">{children()}</div> })}
        </div>
    }
}

/// A click on a link, or on a button that says it finishes the menu.
fn chose(target: Option<&Node>) -> bool {
    let element = target.and_then(|node| node.dyn_ref::<Element>());
    element.is_some_and(|element| element.closest("a, [data-close]").ok().flatten().is_some())
}
