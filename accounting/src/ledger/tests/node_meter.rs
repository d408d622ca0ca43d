//! Rule E2: what a node meter counts beside its devices is shared evenly, over devices and over time.

use super::*;
use crate::category::Component;

/// A card that draws 100 W for half an hour under one job and 700 W for the other half under another, on a node whose
/// meter is read once an hour; 1 yuan a kWh, PUE 1.
pub(super) fn metered(kwh: &str) -> Facts {
    let from = start("2026-07-01") + 10 * HOUR_MS;
    let sample = |minute: i64, watts: i64| Sample {
        time: from + minute * MINUTE_MS,
        interval_ms: MINUTE_MS,
        g: Some(5000),
        power_uw: Some(watts * 1_000_000),
        ..Sample::default()
    };
    let samples: Vec<Sample> = (0..60)
        .map(|minute| sample(minute, if minute < 30 { 100 } else { 700 }))
        .collect();
    let reading = |hours: i64, kwh: &str| MeterReading {
        meter: Id::from("m"),
        time: from + hours * HOUR_MS,
        kwh: Some(decimal(kwh).unwrap()),
        kw: None,
    };
    let half = 30 * MINUTE_MS;
    let mut facts = worked_example();
    facts.sites[0].tariff = Some(Id::from("t"));
    facts.sites[0].pue_default = Some(Rational::ONE);
    facts.nodes[0] = node("n1", "s1", Ownership::Owned);
    facts.tariffs = vec![tariff_row((0, 1440), Level::Flat)];
    facts.tariff_prices = vec![price(Level::Flat, "1")];
    facts.workloads = ["a", "b"]
        .map(|name| workload(name, from, WorkloadKind::Training))
        .to_vec();
    facts.placements = [("a", 0), ("b", half)]
        .map(|(name, at)| Placement {
            workload: Id::from(name),
            device: Id::from("d1"),
            start: from + at,
            end: Some(from + at + half),
            share: Share::WHOLE,
            seq: None,
        })
        .to_vec();
    facts.minutes[0].hours = lay(&samples, &|_| None, Span::new(from, from + HOUR_MS));
    facts.meters = vec![Meter {
        meter: Id::from("m"),
        site: Id::from("s1"),
        node: Some(Id::from("n1")),
        role: MeterRole::Node,
        multiplier: Rational::ONE,
        parent: None,
        valid: Validity::default(),
    }];
    facts.meter_readings = vec![reading(0, "100"), reading(1, kwh)];
    facts
}

/// Electricity of both jobs, and whether the meter is in doubt.
fn electricity(facts: &Facts) -> (i64, i64, bool) {
    let engine = Engine::new(facts, settings());
    let day = engine.day(date("2026-07-01"));
    assert_eq!(audit(facts, &settings(), &day), []);
    let of = |name: &str| -> i64 {
        day.rows
            .iter()
            .filter(|row| row.workload.as_deref() == Some(name))
            .map(|row| row.components[Component::Electricity.index()])
            .sum()
    };
    let is_doubted = day
        .doubts
        .iter()
        .any(|doubt| doubt.kind == crate::books::DoubtKind::MeterConflict);
    (of("a"), of("b"), is_doubted)
}

#[test]
fn the_remainder_is_even_in_time_and_the_devices_draw_is_their_own() {
    // 0.05 and 0.35 kWh measured, 0.2 kWh of the host: a tenth of a kWh each.
    assert_eq!(electricity(&metered("100.6")), (150_000, 450_000, false));
}

#[test]
fn a_negative_remainder_is_kept_and_doubted() {
    // The meter says 0.38 kWh of the 0.4 that the card measured: 0.01 less for each half.
    assert_eq!(electricity(&metered("100.38")), (40_000, 340_000, true));
}
