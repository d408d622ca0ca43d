//! The one door to plotly.js: loads it when the first chart is drawn, hands it figures, hands back clicks and pictures.
//!
//! The library is served by our own server. A figure names colours and fonts as `var(--name)`; they are resolved here
//! from the style sheet, so that a change of theme is a redraw.

use js_sys::{Array, Function, JSON, Object, Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, HtmlScriptElement};

use crate::frame::Frame;

const LIBRARY: &str = "/assets/plotly.min.js";
const SCRIPT: &str = "plotly";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Plotly, js_name = react, catch)]
    fn react(
        element: &Element,
        data: &JsValue,
        layout: &JsValue,
        config: &JsValue,
    ) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = Plotly, js_name = purge, catch)]
    fn purge(element: &Element) -> Result<(), JsValue>;

    #[wasm_bindgen(js_namespace = Plotly, js_name = downloadImage, catch)]
    fn download_image(element: &Element, options: &JsValue) -> Result<Promise, JsValue>;

    /// An element plotly.js has drawn in.
    type Drawn;

    #[wasm_bindgen(method, js_name = on, catch)]
    fn on(this: &Drawn, event: &str, handler: &Function) -> Result<(), JsValue>;
}

/// A chart with the figure's `data` and `layout`; `on_trace` gets the index of the trace clicked.
#[component]
pub fn Plot(
    #[prop(into)] figure: Signal<Value>,
    #[prop(into)] on_trace: Callback<usize>,
    /// For the download buttons to find it.
    id: &'static str,
) -> impl IntoView {
    let node = NodeRef::<leptos::html::Div>::new();
    let frame = Frame::here();
    let ready = RwSignal::new(false);
    spawn_local(async move {
        if load().await.is_ok() {
            ready.try_set(true);
        }
    });
    let listening = StoredValue::new(false);
    Effect::new(move |_| {
        frame.theme.track();
        let (true, Some(div)) = (ready.get(), node.get()) else {
            return;
        };
        let element: &Element = div.as_ref();
        let mut figure = figure.get();
        resolve(&mut figure, &|name| property(name));
        if draw(element, &figure).is_ok() && !listening.get_value() {
            listening.set_value(true);
            listen(element, on_trace);
        }
    });
    on_cleanup(move || {
        if let Some(div) = node.get_untracked() {
            purge(div.as_ref()).ok();
        }
    });
    view! { <div class="plot" id=id node_ref=node aria-hidden="true"></div> }
}

/// Saves the chart as a picture, `png` or `svg`.
pub fn save(id: &str, format: &str, file_name: &str) {
    let Some(element) = document().get_element_by_id(id) else {
        return;
    };
    let options = Object::new();
    let set =
        |name: &str, value: JsValue| Reflect::set(&options, &JsValue::from_str(name), &value).ok();
    set("format", JsValue::from_str(format));
    set("filename", JsValue::from_str(file_name));
    set("width", JsValue::from(1_200));
    set("height", JsValue::from(480));
    if let Ok(promise) = download_image(&element, &options) {
        spawn_local(async move {
            JsFuture::from(promise).await.ok();
        });
    }
}

fn draw(element: &Element, figure: &Value) -> Result<(), JsValue> {
    let parsed = JSON::parse(&figure.to_string())?;
    let part = |name: &str| Reflect::get(&parsed, &JsValue::from_str(name));
    let config = JSON::parse(r#"{"responsive":true,"displayModeBar":false,"displaylogo":false}"#)?;
    let drawing = react(element, &part("data")?, &part("layout")?, &config)?;
    spawn_local(async move {
        JsFuture::from(drawing).await.ok();
    });
    Ok(())
}

fn listen(element: &Element, on_trace: Callback<usize>) {
    let handler = Closure::<dyn Fn(JsValue)>::new(move |event: JsValue| {
        let clicked = Reflect::get(&event, &JsValue::from_str("points"))
            .ok()
            .and_then(|points| points.dyn_into::<Array>().ok())
            .map(|points| points.get(0))
            .and_then(|point| Reflect::get(&point, &JsValue::from_str("curveNumber")).ok())
            .and_then(|number| number.as_f64())
            .and_then(|number| format!("{number:.0}").parse::<usize>().ok());
        if let Some(trace) = clicked {
            on_trace.run(trace);
        }
    });
    let drawn: &Drawn = element.unchecked_ref();
    drawn
        .on("plotly_click", handler.as_ref().unchecked_ref())
        .ok();
    // The listener lives as long as the chart, which plotly.js owns from here on.
    handler.forget();
}

/// Resolves once `window.Plotly` is there.
async fn load() -> Result<(), JsValue> {
    if Reflect::has(&window(), &JsValue::from_str("Plotly"))? {
        return Ok(());
    }
    let script = match document().get_element_by_id(SCRIPT) {
        Some(script) => script,
        None => {
            let script: HtmlScriptElement = document().create_element("script")?.unchecked_into();
            script.set_id(SCRIPT);
            script.set_src(LIBRARY);
            document()
                .body()
                .ok_or(JsValue::NULL)?
                .append_child(&script)?;
            script.unchecked_into()
        }
    };
    let loaded = Promise::new(&mut |resolve, reject| {
        script
            .add_event_listener_with_callback("load", &resolve)
            .ok();
        script
            .add_event_listener_with_callback("error", &reject)
            .ok();
    });
    JsFuture::from(loaded).await.map(|_| ())
}

/// A custom property of the style sheet as it stands in the present theme.
fn property(name: &str) -> String {
    document()
        .document_element()
        .and_then(|root| window().get_computed_style(&root).ok().flatten())
        .and_then(|style| style.get_property_value(name).ok())
        .map(|value| value.trim().to_owned())
        .unwrap_or_default()
}

/// Replaces every text `var(--name)` in a figure by what `look_up` says of `--name`.
fn resolve(value: &mut Value, look_up: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => {
            let name = text
                .strip_prefix("var(")
                .and_then(|rest| rest.strip_suffix(')'));
            if let Some(name) = name {
                *text = look_up(name);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|item| resolve(item, look_up)),
        Value::Object(map) => map.values_mut().for_each(|item| resolve(item, look_up)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::resolve;

    #[test]
    fn colours_are_resolved_wherever_they_stand() {
        let mut figure = json!({"a": ["var(--x)", {"b": "var(--y)", "c": "text", "d": 1}]});
        resolve(&mut figure, &|name| name.to_uppercase());
        assert_eq!(
            figure,
            json!({"a": ["--X", {"b": "--Y", "c": "text", "d": 1}]})
        );
    }
}
