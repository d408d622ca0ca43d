//! A device that is lost stays out of service over days that hear nothing of it.

use super::*;
use crate::minutes::LostDevice;

/// The worked example's device, valid for good: a healthy minute at 10:00, lost at 12:00, nothing since.
fn lost() -> Facts {
    let zero = start("2026-07-01");
    let sample = |hour, fault: Option<&str>| Sample {
        time: zero + hour * HOUR_MS,
        interval_ms: MINUTE_MS,
        g: Some(5000),
        fault: fault.map(Id::from),
        ..Sample::default()
    };
    let samples = [sample(10, None), sample(12, Some("79"))];
    let class = |code: &str| (code == "79").then_some(FaultClass::DeviceLost);
    let mut facts = worked_example();
    facts.nodes[0].valid = Validity::default();
    facts.placements[0].start = zero;
    facts.placements[0].end = Some(zero + 96 * HOUR_MS);
    facts.coverage[0].span.end = zero + 240 * HOUR_MS;
    facts.minutes[0].hours = lay(&samples, &class, Span::new(zero, zero + 24 * HOUR_MS));
    facts
}

fn out_of_service(facts: &Facts, day: &str) -> Ms {
    let engine = Engine::new(facts, settings());
    let rows = engine.day(date(day)).rows;
    rows.iter()
        .map(|row| row.ms[Category::OutOfService.index()])
        .sum()
}

#[test]
fn days_without_samples_are_still_lost() {
    let facts = lost();
    assert_eq!(out_of_service(&facts, "2026-07-01"), 12 * HOUR_MS);
    assert_eq!(out_of_service(&facts, "2026-07-02"), 24 * HOUR_MS);
    assert_eq!(out_of_service(&facts, "2026-07-31"), 24 * HOUR_MS);
}

#[test]
fn a_node_that_comes_up_ends_it() {
    let zero = start("2026-07-01");
    let mut facts = lost();
    facts.node_states = vec![NodeState {
        node: Id::from("n1"),
        start: zero + 30 * HOUR_MS,
        end: Some(zero + 31 * HOUR_MS),
        state: State::Up,
    }];
    assert_eq!(out_of_service(&facts, "2026-07-02"), 6 * HOUR_MS);
    assert_eq!(out_of_service(&facts, "2026-07-03"), 0);
}

#[test]
fn a_window_that_begins_later_gives_the_same_day() {
    let whole = lost();
    let mut part = whole.clone();
    part.minutes.clear();
    part.lost_before = vec![LostDevice {
        device: Id::from("d1"),
        at: start("2026-07-01") + 12 * HOUR_MS,
    }];
    let day = date("2026-07-03");
    let books = |facts: &Facts| Engine::new(facts, settings()).day(day);
    assert_eq!(books(&part), books(&whole));
    part.lost_before.clear();
    assert_ne!(books(&part), books(&whole));
}
