//! The page list (route and navigation side by side), the gate, and the shell around every page.

use api::session::Role;
use leptos::ev;
use leptos::prelude::*;
use leptos_router::components::{FlatRoutes, Route, Router};
use leptos_router::path;

use crate::api::Failed;
use crate::browser;
use crate::calendar::Day;
use crate::frame::{Frame, replace};
use crate::pages;
use crate::pages::keys::{KeysDialog, listen_to_keys};
use crate::session::{Gate, books, check};
use crate::texts::{Locale, t};
use crate::url_state::{ViewState, opening_range};
use crate::widgets::rail::Rail;
use crate::widgets::state::failure;
use crate::widgets::top_bar::TopBar;

/// A page: where it is, what it is called, what it draws.
pub struct Page {
    pub path: &'static str,
    /// `g` and this key go there.
    pub key: &'static str,
    pub title: fn(Locale) -> &'static str,
    /// Strokes in a 24 × 24 box.
    pub icon: &'static str,
    /// The choices of the top bar that change what it shows; it offers no others.
    pub uses: Uses,
    /// It tells of everybody's data, which leads and members may not see.
    pub is_company_wide: bool,
    view: fn() -> AnyView,
}

impl Page {
    /// Whether the page is offered to a role; the server refuses it all the same.
    #[must_use]
    pub fn is_for(&self, role: Role) -> bool {
        !self.is_company_wide || matches!(role, Role::Admin | Role::Finance | Role::Viewer)
    }
}

/// What of the view a page's figures depend on. The address keeps the rest for the pages that do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    pub scope: bool,
    pub range: bool,
    pub compare: bool,
}

impl Uses {
    const NOTHING: Self = Self {
        scope: false,
        range: false,
        compare: false,
    };
}

/// The page at a path.
pub fn page_at(path: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.path == path)
}

/// Every page that exists, in the rail's order.
pub static PAGES: [Page; 4] = [
    Page {
        path: "/",
        key: "o",
        title: |locale| t!(locale, shell.page.overview),
        icon: "M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z",
        uses: Uses {
            scope: true,
            range: true,
            compare: true,
        },
        is_company_wide: false,
        view: || pages::overview::Overview().into_any(),
    },
    Page {
        path: "/waste",
        key: "w",
        title: |locale| t!(locale, shell.page.waste),
        icon: "M4 6h16M6 11h12M8 16h8M10 21h4",
        // Its trend is always against the days right before.
        uses: Uses {
            scope: true,
            range: true,
            compare: false,
        },
        is_company_wide: false,
        view: || pages::waste::Waste().into_any(),
    },
    Page {
        path: "/imports",
        key: "i",
        title: |locale| t!(locale, shell.page.imports),
        icon: "M12 3v12M7 10l5 5 5-5M4 20h16",
        uses: Uses::NOTHING,
        is_company_wide: true,
        view: || pages::imports::Imports().into_any(),
    },
    Page {
        path: "/health",
        key: "h",
        title: |locale| t!(locale, shell.page.health),
        icon: "M3 12h4l3-8 4 16 3-8h4",
        uses: Uses::NOTHING,
        is_company_wide: true,
        view: || pages::health::Health().into_any(),
    },
];

#[component]
pub fn App() -> impl IntoView {
    let gate = RwSignal::new(Gate::Checking);
    check(gate);
    view! {
        <Router>
            <Gated gate=gate />
        </Router>
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    Checking,
    SignIn,
    Failed,
    Open,
}

#[component]
fn Gated(gate: RwSignal<Gate>) -> impl IntoView {
    let frame = Frame::provide(gate);
    // A renewed session must not rebuild the page, so only the kind of gate decides what is drawn.
    let door = Memo::new(move |_| {
        gate.with(|gate| match gate {
            Gate::Checking => Door::Checking,
            Gate::SignedOut { .. } => Door::SignIn,
            Gate::Failed(_) => Door::Failed,
            Gate::SignedIn(_) => Door::Open,
        })
    });
    move || match door.get() {
        Door::Checking => {
            let loading = move || t!(frame.locale.get(), shell.loading);
            view! {
                <p class="checking muted" role="status">
                    {loading}
                </p>
            }
            .into_any()
        }
        Door::SignIn => pages::sign_in::SignInPage().into_any(),
        Door::Failed => {
            view! { <main class="gate">{move || gate_failure(frame)}</main> }.into_any()
        }
        Door::Open => Shell().into_any(),
    }
}

fn gate_failure(frame: Frame) -> Option<impl IntoView> {
    let Gate::Failed(met) = frame.gate.get() else {
        return None;
    };
    let failed = Failed {
        failure: met,
        at: browser::time_of_day(None),
    };
    Some(failure(frame.locale.get(), &failed, None, move || {
        check(frame.gate);
    }))
}

#[component]
fn Shell() -> impl IntoView {
    let frame = Frame::here();
    open_where_books_are(frame);
    let keys_shown = RwSignal::new(false);
    listen_to_keys(frame, keys_shown);
    Effect::new(move |_| {
        let locale = frame.locale.get();
        let path = frame.path.get();
        let product = t!(locale, shell.product);
        browser::set_title(&page_at(&path).map_or_else(
            || product.to_owned(),
            |page| format!("{} · {product}", (page.title)(locale)),
        ));
    });
    let skip = move |event: ev::MouseEvent| {
        event.prevent_default();
        browser::focus("main");
    };
    view! {
        <a class="skip" href="#main" on:click=skip>
            {move || t!(frame.locale.get(), shell.skip)}
        </a>
        <div class="shell">
            <Rail />
            <TopBar show_keys=Callback::new(move |()| keys_shown.set(true)) />
            <main id="main" tabindex="-1">
                <FlatRoutes fallback=|| ()>
                    <Route path=path!("/*any") view=Body />
                </FlatRoutes>
            </main>
        </div>
        <KeysDialog shown=keys_shown />
    }
}

/// The page of the present path.
#[component]
fn Body() -> impl IntoView {
    let frame = Frame::here();
    move || {
        let path = frame.path.get();
        frame.shown.set(None);
        page_at(&path).map_or_else(|| NotFound().into_any(), |page| (page.view)())
    }
}

#[component]
fn NotFound() -> impl IntoView {
    let frame = Frame::here();
    move || {
        let locale = frame.locale.get();
        view! {
            <section class="notice empty">
                <h1>{t!(locale, shell.error.not_found_title)}</h1>
                <p>{t!(locale, shell.error.not_found_body)}</p>
                <a class="button" href=frame.view.get().href("/")>
                    {t!(locale, shell.error.home)}
                </a>
            </section>
        }
    }
}

/// An address without a range gets the one the page opens with, so that what is seen can be passed on.
fn open_where_books_are(frame: Frame) {
    let replace = replace();
    Effect::new(move |_| {
        let view = frame.view.get();
        let session = frame.session();
        let (None, Some(session)) = (view.range, session) else {
            return;
        };
        let opening = Day::parse(&session.today)
            .and_then(|today| opening_range(today, books(&session.books_from, &session.books_to)));
        if opening.is_some() {
            let view = ViewState {
                range: opening,
                ..view
            };
            replace(&view.href(&frame.path.get()));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{PAGES, Role};

    #[test]
    fn pages_of_everybodys_data_are_not_offered_to_members() {
        let offered = |role| {
            let pages = PAGES.iter().filter(|page| page.is_for(role));
            pages.map(|page| page.path).collect::<Vec<_>>()
        };
        assert_eq!(offered(Role::Member), ["/", "/waste"]);
        assert_eq!(offered(Role::Lead), ["/", "/waste"]);
        assert_eq!(
            offered(Role::Viewer),
            ["/", "/waste", "/imports", "/health"]
        );
    }
}
