//! The top bar: whose cost, which days, compared with what; how fresh and how firm; language, theme, user.

use api::query::Status;
use leptos::prelude::*;

use crate::app::{Uses, page_at};
use crate::format;
use crate::frame::{Frame, Theme};
use crate::session::sign_out;
use crate::texts::{self, Locale, fill, t};
use crate::url_state::ViewState;
use crate::widgets::menu::Menu;
use crate::widgets::scope_menu::ScopeMenu;
use crate::widgets::time_menus::{CompareMenu, RangeMenu};

#[component]
pub fn TopBar(show_keys: Callback<()>) -> impl IntoView {
    let frame = Frame::here();
    let uses = Memo::new(move |_| {
        page_at(&frame.path.read()).map_or_else(Uses::default, |page| page.uses)
    });
    // Each on its own, so that a menu outlives a change of page that keeps it.
    let scope = Memo::new(move |_| uses.get().scope);
    let range = Memo::new(move |_| uses.get().range);
    let compare = Memo::new(move |_| uses.get().compare);
    view! {
        <header class="top-bar">
            <div class="choose">
                {move || scope.get().then(|| view! { <ScopeMenu /> })}
                {move || range.get().then(|| view! { <RangeMenu /> })}
                {move || compare.get().then(|| view! { <CompareMenu /> })}
            </div>
            <div class="about">
                {move || example(frame)}
                <span class="freshness muted figure">
                    {move || as_of(frame)} {move || zone(frame)} {move || firmness(frame)}
                </span> <LanguageLink /> <ThemeButton />
                <UserMenu show_keys=show_keys />
            </div>
        </header>
    }
}

fn zone(frame: Frame) -> Option<impl IntoView> {
    let locale = frame.locale.get();
    let name = frame.session()?.zone;
    let text = if name == "Asia/Shanghai" {
        t!(locale, shell.beijing_time).to_owned()
    } else {
        name
    };
    Some(view! {
        <span class="zone" title=t!(locale, shell.zone)>
            {text}
        </span>
    })
}

fn example(frame: Frame) -> Option<impl IntoView> {
    let locale = frame.locale.get();
    frame.session()?.example_data.then(|| {
        view! {
            <span class="badge example" title=t!(locale, shell.example_data_hint)>
                {t!(locale, shell.example_data)}
            </span>
        }
    })
}

/// When the books behind the figures shown were computed.
fn as_of(frame: Frame) -> Option<impl IntoView> {
    let locale = frame.locale.get();
    let about = frame.shown.get()?.about;
    let text = about.as_of.as_deref().map_or_else(
        || t!(locale, shell.as_of_never).to_owned(),
        |time| fill(t!(locale, shell.as_of), &[("time", &format::minute(time))]),
    );
    Some(view! { <span>{text}</span> })
}

/// How firm the figures shown are: their status, how much is estimated, how much is judged on evidence.
fn firmness(frame: Frame) -> Option<impl IntoView> {
    let locale = frame.locale.get();
    let shown = frame.shown.get()?;
    let about = shown.about;
    let estimated = shown
        .estimated
        .and_then(|(cost, part)| estimated(locale, &about.currency, cost, part));
    // Where the estimated share is said, "estimated" beside it would say it twice.
    let said = estimated.is_some() && about.status == Some(Status::Estimated);
    let status = about.status.filter(|_| !said).map(|status| {
        view! { <span class="badge">{texts::status(locale, status)}</span> }
    });
    let coverage = about.coverage.map(|share| {
        let share = format::percent(i128::from(share) * 100);
        view! {
            <span class="coverage" title=t!(locale, shell.coverage_hint)>
                {fill(t!(locale, shell.coverage), &[("share", &share)])}
            </span>
        }
    });
    Some((status, estimated, coverage))
}

fn estimated(
    locale: Locale,
    currency: &str,
    cost: i64,
    part: i64,
) -> Option<impl IntoView + use<>> {
    let share = format::percent(format::ratio(i128::from(part), i128::from(cost))?);
    let yuan = format::yuan(locale, currency, part);
    let hint = fill(
        t!(locale, shell.estimated_hint),
        &[("share", &share), ("yuan", &yuan)],
    );
    (part != 0).then(|| {
        view! {
            <span class="hatched-mark" title=hint>
                {fill(t!(locale, shell.estimated), &[("share", &share)])}
            </span>
        }
    })
}

#[component]
fn LanguageLink() -> impl IntoView {
    let frame = Frame::here();
    move || {
        let locale = frame.locale.get();
        let (other, tag) = match locale {
            Locale::zh => (Locale::en, "en"),
            Locale::en => (Locale::zh, "zh-CN"),
        };
        let view = ViewState {
            locale: Some(other),
            ..frame.view.get()
        };
        view! {
            <a
                class="icon-button"
                id="language"
                href=view.href(&frame.path.get())
                lang=tag
                hreflang=tag
                title=t!(locale, shell.other_language_hint)
            >
                {t!(locale, shell.other_language)}
            </a>
        }
    }
}

#[component]
fn ThemeButton() -> impl IntoView {
    let frame = Frame::here();
    let label = move || {
        let locale = frame.locale.get();
        match frame.theme.get() {
            Theme::Light => t!(locale, shell.theme.to_dark),
            Theme::Dark => t!(locale, shell.theme.to_light),
        }
    };
    view! {
        <button
            class="icon-button"
            id="theme"
            aria-label=label
            title=label
            on:click=move |_| frame.switch_theme()
        >
            <svg viewBox="0 0 24 24" aria-hidden="true">
                <circle cx="12" cy="12" r="8"></circle>
                <path class="solid" d="M12 4a8 8 0 0 1 0 16z"></path>
            </svg>
        </button>
    }
}

#[component]
fn UserMenu(show_keys: Callback<()>) -> impl IntoView {
    let frame = Frame::here();
    let label = Signal::derive(move || t!(frame.locale.get(), shell.user.label).to_owned());
    let who = move || frame.session().map(|session| session.name);
    let about = move || {
        let session = frame.session()?;
        let role = texts::role(frame.locale.get(), session.role);
        Some(view! {
            <p class="who">
                <strong>{session.name}</strong>
                <span class="muted">{role}</span>
                <span class="muted">{session.company}</span>
            </p>
        })
    };
    view! {
        <Menu
            label=label
            class="user"
            button=move || view! { <span class="value">{who}</span> }
        >
            {about}
            <button data-close on:click=move |_| show_keys.run(())>
                {move || t!(frame.locale.get(), shell.user.keys)}
                <kbd>"?"</kbd>
            </button>
            <button data-close on:click=move |_| sign_out(frame.gate)>
                {move || t!(frame.locale.get(), shell.user.sign_out)}
            </button>
        </Menu>
    }
}
