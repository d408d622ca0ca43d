//! What the page asks of the browser besides drawing: storage, language, theme, focus, a clock for messages.
//!
//! Every function does nothing, or answers `None`, where the browser refuses (private windows, blocked storage).

use js_sys::{Date, Object, Reflect};
use leptos::prelude::document;
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

pub fn stored(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?
}

/// Kept for the next visit where the browser lets us; a refusal costs no more than that.
pub fn store(key: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        storage.set_item(key, value).ok();
    }
}

/// The reader's first language, e.g. `zh-CN`.
pub fn language() -> Option<String> {
    window().navigator().language()
}

/// An attribute of the root element, where theme and language are told to the style sheet and to screen readers.
pub fn root_attribute(name: &str) -> Option<String> {
    document().document_element()?.get_attribute(name)
}

pub fn set_root_attribute(name: &str, value: &str) {
    if let Some(root) = document().document_element() {
        root.set_attribute(name, value).ok();
    }
}

pub fn set_title(title: &str) {
    document().set_title(title);
}

pub fn focus(id: &str) {
    let element = document()
        .get_element_by_id(id)
        .and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(element) = element {
        element.focus().ok();
    }
}

/// Hour and minute now, in the ledger zone when it is known, else where the reader is.
pub fn time_of_day(zone: Option<&str>) -> String {
    let options = Object::new();
    let set = |name: &str, value: &str| {
        Reflect::set(
            &options,
            &JsValue::from_str(name),
            &JsValue::from_str(value),
        )
        .ok();
    };
    set("hour", "2-digit");
    set("minute", "2-digit");
    if let Some(zone) = zone {
        set("timeZone", zone);
    }
    Date::new_0()
        .to_locale_time_string_with_options("en-GB", &options)
        .into()
}
