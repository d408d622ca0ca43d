//! Rungs 6 to 13: what a held, running device did, from the metrics' own definitions.
//!
//! No kernel resident (1−G) is the host's; a kernel resident but SMs empty (G−S) is communication or small kernels;
//! what runs is throttled, low in intensity, or useful by its bottleneck E = max(T/0.93, D/0.80).
#![allow(
    clippy::arithmetic_side_effects,
    reason = "factors are fractions of at most 10^4; see the parent"
)]

use super::{Parts, unsigned};
use crate::category::{Category, Reason};
use crate::minutes::Minute;
use crate::quantity::WHOLE;

/// `scale` is what is left of the minute, in 1e-8.
pub(super) fn rungs(minute: &Minute, hpc: bool, scale: u128, parts: &mut Parts) {
    let Some(g) = minute.g.map(|g| g.clamp(0, WHOLE)) else {
        return;
    };
    let of = |a: i64, b: i64| 372 * unsigned(a) * unsigned(b) * scale;
    match minute.host_evidence {
        Some(e) => {
            let e = e.clamp(0, WHOLE);
            parts.add(Category::DataOrHostStall, Reason::Plain, of(WHOLE - g, e));
            parts.add(
                Category::StallUnattributed,
                Reason::Plain,
                of(WHOLE - g, WHOLE - e),
            );
        }
        None => parts.add(
            Category::StallUnattributed,
            Reason::Plain,
            of(WHOLE - g, WHOLE),
        ),
    }
    let Some(s) = minute.s.map(|s| s.clamp(0, g)) else {
        parts.add(Category::BusyUnrated, Reason::SmUnknown, of(g, WHOLE));
        return;
    };
    let empty = g - s;
    match minute.comm {
        Some(comm) => {
            let comm = comm.clamp(0, empty);
            parts.add(Category::CommunicationWait, Reason::Plain, of(comm, WHOLE));
            parts.add(Category::LowSm, Reason::Plain, of(empty - comm, WHOLE));
        }
        None => parts.add(Category::LowSm, Reason::CommUnknown, of(empty, WHOLE)),
    }
    let throttle = minute.throttle.map_or(0, |t| t.clamp(0, WHOLE));
    parts.add(Category::Throttled, Reason::Plain, of(s, throttle));
    // In 1/372 of 1e-4, so that T/0.93 and D/0.80 need no division.
    let running = 372 * unsigned(s);
    let effective = effective(minute, hpc).min(running);
    let clear = unsigned(WHOLE - throttle) * scale;
    let rest = (running - effective) * clear;
    if minute.t.is_some() && minute.d.is_some() {
        parts.add(Category::LowIntensity, Reason::Plain, rest);
    } else {
        parts.add(Category::BusyUnrated, Reason::IntensityUnknown, rest);
    }
    parts.add(Category::Useful, Reason::Plain, effective * clear);
}

/// E × 372: the bottleneck among tensor pipe, memory and, for `hpc`, FP32 and FP64.
fn effective(minute: &Minute, hpc: bool) -> u128 {
    let t = minute.t.map_or(0, |t| 400 * unsigned(t));
    let d = minute.d.map_or(0, |d| 465 * unsigned(d));
    let scalar = [minute.fp32, minute.fp64]
        .into_iter()
        .flatten()
        .map(|f| 372 * unsigned(f))
        .max();
    t.max(d).max(scalar.filter(|_| hpc).unwrap_or(0))
}
