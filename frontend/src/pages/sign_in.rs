//! The sign-in form. It stands at whatever address was asked for, so that signing in shows that very view.

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::Failure;
use crate::frame::Frame;
use crate::session::{Gate, sign_in};
use crate::texts::{Locale, t};
use crate::url_state::ViewState;
use crate::widgets::state::explain;

#[component]
pub fn SignInPage() -> impl IntoView {
    let frame = Frame::here();
    let name = RwSignal::new(String::new());
    let password = RwSignal::new(String::new());
    let visible = RwSignal::new(false);
    let failed = RwSignal::new(None::<Failure>);
    let busy = RwSignal::new(false);
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        failed.set(None);
        let (name, password) = (name.get_untracked(), password.get_untracked());
        spawn_local(async move {
            if let Err(failure) = sign_in(frame.gate, name, password).await {
                failed.try_set(Some(failure));
            }
            busy.try_set(false);
        });
    };
    let message = move || {
        let locale = frame.locale.get();
        let failure = failed.get()?;
        let detail = match &failure {
            Failure::Problem(problem) => problem.detail.clone(),
            Failure::Unreachable | Failure::Unreadable => None,
        };
        Some(view! {
            <p class="error" role="alert">
                {explain(locale, &failure)}
                {detail.map(|text| view! { <span class="muted">" "{text}</span> })}
            </p>
        })
    };
    let ended = move || {
        let ended = frame.gate.get() == Gate::SignedOut { ended: true };
        ended.then(|| view! { <p class="muted">{t!(frame.locale.get(), shell.sign_in.ended)}</p> })
    };
    let kind = move || if visible.get() { "text" } else { "password" };
    view! {
        <main class="gate">
            <form class="sign-in" on:submit=submit>
                <p class="brand">{move || t!(frame.locale.get(), shell.product)}</p>
                <h1>{move || t!(frame.locale.get(), shell.sign_in.title)}</h1>
                <p class="muted">{move || t!(frame.locale.get(), shell.sign_in.lead)}</p>
                {ended}
                <label>
                    <span>{move || t!(frame.locale.get(), shell.sign_in.name)}</span>
                    <input
                        name="name"
                        autocomplete="username"
                        autocapitalize="none"
                        required
                        autofocus
                        on:input=move |event| name.set(event_target_value(&event))
                    />
                </label>
                <label>
                    <span>{move || t!(frame.locale.get(), shell.sign_in.password)}</span>
                    <input
                        name="password"
                        type=kind
                        autocomplete="current-password"
                        required
                        on:input=move |event| password.set(event_target_value(&event))
                    />
                </label>
                <label class="check">
                    <input
                        type="checkbox"
                        on:change=move |event| visible.set(event_target_checked(&event))
                    />
                    <span>{move || t!(frame.locale.get(), shell.sign_in.show)}</span>
                </label>
                {message}
                <button class="button primary" type="submit" disabled=busy>
                    {move || {
                        let locale = frame.locale.get();
                        if busy.get() {
                            t!(locale, shell.sign_in.working)
                        } else {
                            t!(locale, shell.sign_in.submit)
                        }
                    }}
                </button>
                <p class="muted small">{move || t!(frame.locale.get(), shell.sign_in.first)}</p>
                {move || other_language(frame)}
            </form>
        </main>
    }
}

fn other_language(frame: Frame) -> impl IntoView {
    let locale = frame.locale.get();
    let other = match locale {
        Locale::zh => Locale::en,
        Locale::en => Locale::zh,
    };
    let view = ViewState {
        locale: Some(other),
        ..frame.view.get()
    };
    view! {
        <a class="small" href=view.href(&frame.path.get())>
            {t!(locale, shell.other_language_hint)}
        </a>
    }
}
