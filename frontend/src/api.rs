//! The only fetcher: questions to `/api/v1`, answers as signals, failures as something the page can explain.
//!
//! An answer keeps its last value while a newer one is on the way or has failed, and an overtaken reply is dropped. A
//! 401 shuts the gate: the sign-in form appears at the same address, so that signing in comes back to the link.

use std::sync::Arc;

use api::{ErrorCode, Problem};
use gloo_net::http::{Request, RequestBuilder, Response};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::browser;
use crate::frame::Frame;
use crate::session::Gate;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No reply at all.
    Unreachable,
    /// A reply that is neither the answer nor a problem.
    Unreadable,
    /// The server says what is wrong.
    Problem(Problem),
}

impl Failure {
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Problem(problem) => Some(problem.code),
            Self::Unreachable | Self::Unreadable => None,
        }
    }
}

pub async fn get<T: DeserializeOwned>(path: &str) -> Result<T, Failure> {
    let reply = Request::get(path)
        .header("accept", "application/json")
        .send()
        .await
        .map_err(|_| Failure::Unreachable)?;
    read(reply).await
}

/// Sends a change; `csrf` is the session's token, or `None` before there is a session.
pub async fn post<B: Serialize, T: DeserializeOwned>(
    path: &str,
    body: &B,
    csrf: Option<&str>,
) -> Result<T, Failure> {
    let request = with_token(Request::post(path), csrf)
        .json(body)
        .map_err(|_| Failure::Unreadable)?;
    read(request.send().await.map_err(|_| Failure::Unreachable)?).await
}

pub async fn delete(path: &str, csrf: &str) -> Result<(), Failure> {
    let reply = with_token(Request::delete(path), Some(csrf))
        .send()
        .await
        .map_err(|_| Failure::Unreachable)?;
    if reply.ok() {
        Ok(())
    } else {
        Err(problem(reply).await)
    }
}

fn with_token(request: RequestBuilder, csrf: Option<&str>) -> RequestBuilder {
    match csrf {
        Some(token) => request.header("x-csrf-token", token),
        None => request,
    }
}

async fn read<T: DeserializeOwned>(reply: Response) -> Result<T, Failure> {
    if reply.ok() {
        reply.json().await.map_err(|_| Failure::Unreadable)
    } else {
        Err(problem(reply).await)
    }
}

async fn problem(reply: Response) -> Failure {
    reply
        .json()
        .await
        .map_or(Failure::Unreadable, Failure::Problem)
}

/// A failure and the minute it was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    pub failure: Failure,
    pub at: String,
}

/// One question's answer over time.
pub struct Answer<T: Send + Sync + 'static> {
    /// The last good answer.
    pub value: RwSignal<Option<Arc<T>>>,
    /// When that was read.
    pub read_at: RwSignal<Option<String>>,
    /// Why the newest question has no answer.
    pub failed: RwSignal<Option<Failed>>,
    pub busy: RwSignal<bool>,
    turn: RwSignal<u32>,
}

impl<T: Send + Sync + 'static> Clone for Answer<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Answer<T> {}

impl<T: Send + Sync + 'static> Answer<T> {
    /// Asks the same question again.
    pub fn again(self) {
        self.turn.update(|turn| *turn += 1);
    }
}

/// Asks whenever the path changes; while there is none, nothing is asked.
pub fn ask<T>(path: impl Fn() -> Option<String> + 'static) -> Answer<T>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let frame = Frame::here();
    let answer = Answer {
        value: RwSignal::new(None),
        read_at: RwSignal::new(None),
        failed: RwSignal::new(None),
        busy: RwSignal::new(true),
        turn: RwSignal::new(0),
    };
    let newest = StoredValue::new(0_u32);
    Effect::new(move |_| {
        answer.turn.track();
        let Some(path) = path() else { return };
        newest.update_value(|count| *count += 1);
        let mine = newest.get_value();
        answer.busy.set(true);
        spawn_local(async move {
            let result = get::<T>(&path).await;
            // Overtaken by a newer question, or the page that asked is gone.
            if newest.try_get_value() != Some(mine) {
                return;
            }
            settle(answer, frame, result);
        });
    });
    answer
}

fn settle<T: Send + Sync + 'static>(answer: Answer<T>, frame: Frame, result: Result<T, Failure>) {
    let now = browser::time_of_day(frame.zone().as_deref());
    match result {
        Ok(value) => {
            answer.failed.try_set(None);
            answer.read_at.try_set(Some(now));
            answer.value.try_set(Some(Arc::new(value)));
        }
        Err(failure) if failure.code() == Some(ErrorCode::SignInRequired) => {
            frame.gate.try_set(Gate::SignedOut { ended: true });
        }
        Err(failure) => {
            answer.failed.try_set(Some(Failed { failure, at: now }));
        }
    }
    answer.busy.try_set(false);
}
