//! What every part of the page shares: language, view, theme, the gate, and what the figures shown say of themselves.

use api::query::About;
use api::session::Session;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_query_map};

use crate::browser;
use crate::session::Gate;
use crate::texts::Locale;
use crate::url_state::{ViewState, locale_name, parse_locale};

const LANGUAGE: &str = "suanzhang.lang";
const THEME: &str = "suanzhang.theme";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

impl Theme {
    fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub fn other(self) -> Self {
        match self {
            Self::Light => Self::Dark,
            Self::Dark => Self::Light,
        }
    }
}

/// What the figures on the page say of themselves, for the top bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub about: About,
    /// Cost and the estimated part of it, in micro-yuan, where the page knows them.
    pub estimated: Option<(i64, i64)>,
}

#[derive(Clone, Copy)]
pub struct Frame {
    pub locale: Memo<Locale>,
    /// The address's view as it stands.
    pub view: Memo<ViewState>,
    pub path: Memo<String>,
    pub theme: RwSignal<Theme>,
    pub gate: RwSignal<Gate>,
    pub shown: RwSignal<Option<Shown>>,
}

impl Frame {
    /// Builds and provides it; inside the router.
    pub fn provide(gate: RwSignal<Gate>) -> Self {
        let parameters = use_query_map();
        let view = Memo::new(move |_| ViewState::read(|name| parameters.read().get(name)));
        let fallback = stored_language();
        let frame = Self {
            locale: Memo::new(move |last: Option<&Locale>| {
                let said = view.read().locale;
                said.or(last.copied()).unwrap_or(fallback)
            }),
            view,
            path: use_location().pathname,
            theme: RwSignal::new(current_theme()),
            gate,
            shown: RwSignal::new(None),
        };
        provide_context(frame);
        Effect::new(move |_| {
            let name = locale_name(frame.locale.get());
            browser::set_root_attribute("lang", if name == "zh" { "zh-CN" } else { name });
            browser::store(LANGUAGE, name);
        });
        frame
    }

    /// The one provided above; everything is drawn inside it.
    pub fn here() -> Self {
        expect_context()
    }

    pub fn session(self) -> Option<Session> {
        match self.gate.get() {
            Gate::SignedIn(session) => Some(session),
            _ => None,
        }
    }

    /// The ledger zone, of which every time shown is.
    pub fn zone(self) -> Option<String> {
        match self.gate.try_get_untracked() {
            Some(Gate::SignedIn(session)) => Some(session.zone),
            _ => None,
        }
    }

    pub fn switch_theme(self) {
        let theme = self.theme.get_untracked().other();
        browser::set_root_attribute("data-theme", theme.name());
        browser::store(THEME, theme.name());
        self.theme.set(theme);
    }
}

/// Follows an address of ours, as a click on a link would.
pub fn follow() -> impl Fn(&str) + Clone {
    let navigate = use_navigate();
    move |address: &str| navigate(address, NavigateOptions::default())
}

/// Puts an address in place of the present one, so that "back" does not come here again.
pub fn replace() -> impl Fn(&str) + Clone {
    let navigate = use_navigate();
    move |address: &str| {
        let options = NavigateOptions {
            replace: true,
            scroll: false,
            ..NavigateOptions::default()
        };
        navigate(address, options);
    }
}

/// The boot script has set the attribute before the first paint.
fn current_theme() -> Theme {
    match browser::root_attribute("data-theme").as_deref() {
        Some("dark") => Theme::Dark,
        _ => Theme::Light,
    }
}

/// What was chosen last, else the browser's language, else Chinese.
fn stored_language() -> Locale {
    let chosen = browser::stored(LANGUAGE).as_deref().and_then(parse_locale);
    chosen.unwrap_or_else(|| match browser::language() {
        Some(language) if !language.starts_with("zh") => Locale::en,
        _ => Locale::zh,
    })
}
