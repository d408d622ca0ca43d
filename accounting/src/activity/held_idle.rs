//! Rung 5, held idle: at least ten consecutive covered minutes of one placement, each with G below 1 % and link
//! traffic below 1 MB/s or unknown.
//!
//! Runs cross hours and days, so they are found over the day and sixty minutes around it: enough to tell a run of
//! more than sixty minutes (`abandoned`) from a shorter one, whichever day is computed. A missing minute or a change
//! of workload ends a run.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "instants and lengths of minutes, far from the limits of i64"
)]

use crate::category::Reason;
use crate::facts::WorkloadKind;
use crate::minutes::Minute;
use crate::time::{MINUTE_MS, Ms, Span};

/// Consecutive minutes that make a run idle.
pub const LEAST_MINUTES: i64 = 10;
/// G below this is idle: 1 %.
const IDLE_BELOW: i64 = 100;
/// Link traffic below this is none: 1 MB/s.
const LINK_BELOW_BYTES_S: i64 = 1_000_000;
/// The first run after the start of a placement, up to this long, is its start-up.
const STARTUP_MOST_MINUTES: i64 = 30;
/// A run longer than this is abandoned.
const ABANDONED_ABOVE_MINUTES: i64 = 60;

/// One run of idle minutes, whole minutes, and which kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleRun {
    pub span: Span,
    pub reason: Reason,
}

/// Idle runs of one placement (`held` spans in order, of one workload on one device) within `window`.
///
/// `minute(t)` is the reading of the minute that starts at `t`, `None` without one. `tokens(span)` tells whether
/// tokens were served in the span.
pub fn runs<'m>(
    held: &[Span],
    window: Span,
    kind: Option<WorkloadKind>,
    minute: impl Fn(Ms) -> Option<&'m Minute>,
    tokens: impl Fn(Span) -> bool,
) -> Vec<IdleRun> {
    let mut found = Vec::new();
    let mut open: Option<Span> = None;
    let mut covered_before = false;
    let close = |open: &mut Option<Span>, first: bool, found: &mut Vec<IdleRun>| {
        if let Some(span) = open.take().filter(|s| s.len() >= LEAST_MINUTES * MINUTE_MS) {
            let reason = judge(span, first, kind, &tokens);
            found.push(IdleRun { span, reason });
        }
    };
    let mut first = false;
    for span in held {
        let Some(cut) = span.cut(window) else {
            continue;
        };
        let mut at = cut.start.div_euclid(MINUTE_MS) * MINUTE_MS;
        let continues = open.is_some_and(|run| run.end >= at);
        if !continues {
            close(&mut open, first, &mut found);
            // The placement's own beginning, not the window's edge.
            covered_before = cut.start > span.start;
        }
        while at < cut.end {
            let reading = minute(at).filter(|m| m.covered > 0 && m.g.is_some());
            match reading {
                Some(m) if is_idle(m) => match &mut open {
                    Some(run) => run.end = run.end.max(at + MINUTE_MS),
                    None => {
                        first = !covered_before;
                        open = Some(Span::new(at, at + MINUTE_MS));
                    }
                },
                _ => close(&mut open, first, &mut found),
            }
            covered_before |= reading.is_some();
            at += MINUTE_MS;
        }
    }
    close(&mut open, first, &mut found);
    found
}

fn is_idle(minute: &Minute) -> bool {
    minute.g.is_some_and(|g| g < IDLE_BELOW)
        && minute.link_bytes_s.is_none_or(|b| b < LINK_BELOW_BYTES_S)
}

fn judge(
    span: Span,
    first: bool,
    kind: Option<WorkloadKind>,
    tokens: &impl Fn(Span) -> bool,
) -> Reason {
    let minutes = span.len() / MINUTE_MS;
    match kind {
        _ if first && minutes <= STARTUP_MOST_MINUTES => Reason::Startup,
        Some(WorkloadKind::Inference) if !tokens(span) => Reason::ServingStandby,
        Some(WorkloadKind::Interactive) => Reason::Interactive,
        _ if minutes > ABANDONED_ABOVE_MINUTES => Reason::Abandoned,
        _ => Reason::Plain,
    }
}
