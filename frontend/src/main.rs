//! The page: sign-in, the shell, and one file a page, all over the JSON API and nothing else.
//!
//! `app.rs` has the list of pages, `api.rs` is the only fetcher, `charts/plot.rs` the only door to plotly.js. What can
//! be computed without a browser (formats, address, figures, texts) is pure and tested on the host.

mod api;
mod app;
mod browser;
mod calendar;
mod charts;
mod days;
mod format;
mod frame;
mod pages;
mod session;
mod template;
mod texts;
mod url_state;
mod widgets;

fn main() {
    leptos::mount::mount_to_body(app::App);
}
