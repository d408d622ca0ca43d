//! Who is signed in: the gate that everything but the sign-in form stands behind.

use api::session::{Session, SignIn};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{self as fetch, Failure};
use crate::calendar::{Day, Range};

const PATH: &str = "/api/v1/session";

/// What the page knows about the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The first question is on its way.
    Checking,
    /// Nobody is signed in; `ended` when somebody was.
    SignedOut {
        ended: bool,
    },
    /// The session cannot be asked for.
    Failed(Failure),
    SignedIn(Session),
}

/// Asks who is signed in.
pub fn check(gate: RwSignal<Gate>) {
    gate.set(Gate::Checking);
    spawn_local(async move {
        gate.set(match fetch::get::<Session>(PATH).await {
            Ok(session) => Gate::SignedIn(session),
            Err(failure) if failure.code() == Some(api::ErrorCode::SignInRequired) => {
                Gate::SignedOut { ended: false }
            }
            Err(failure) => Gate::Failed(failure),
        });
    });
}

/// Opens the gate, or says why not.
pub async fn sign_in(gate: RwSignal<Gate>, name: String, password: String) -> Result<(), Failure> {
    let session = fetch::post::<_, Session>(PATH, &SignIn { name, password }, None).await?;
    gate.set(Gate::SignedIn(session));
    Ok(())
}

/// Shuts the gate; a session the server has already forgotten is as good as signed out.
pub fn sign_out(gate: RwSignal<Gate>) {
    let Gate::SignedIn(session) = gate.get_untracked() else {
        return;
    };
    spawn_local(async move {
        match fetch::delete(PATH, &session.csrf_token).await {
            Ok(()) => gate.set(Gate::SignedOut { ended: false }),
            Err(failure) if failure.code() == Some(api::ErrorCode::SignInRequired) => {
                gate.set(Gate::SignedOut { ended: false });
            }
            Err(failure) => gate.set(Gate::Failed(failure)),
        }
    });
}

/// The days that have books, half-open, from the first and last of an answer.
pub fn books(first: &Option<String>, last: &Option<String>) -> Option<Range> {
    let first = Day::parse(first.as_deref()?)?;
    let last = Day::parse(last.as_deref()?)?;
    Range::new(first, last.plus(1))
}
