//! What the books cannot place or know is said beside them, with its time or yuan.

use super::*;
use crate::books::DoubtKind;
use crate::category::Component;

/// (subject, ms, amount) of a day's doubts of one kind.
fn found(facts: &Facts, day: &str, kind: DoubtKind) -> Vec<(String, Ms, Option<i64>)> {
    let engine = Engine::new(facts, settings());
    let doubts = engine.day(date(day)).doubts;
    let of_kind = doubts.into_iter().filter(|doubt| doubt.kind == kind);
    of_kind
        .map(|doubt| (doubt.subject.to_string(), doubt.ms, doubt.amount))
        .collect()
}

fn placement(device: &str, start: Ms, end: Option<Ms>) -> Placement {
    Placement {
        workload: Id::from("w1"),
        device: Id::from(device),
        start,
        end,
        share: Share::WHOLE,
        seq: None,
    }
}

#[test]
fn a_placement_outside_its_device_s_validity_is_named_day_by_day() {
    let zero = start("2026-07-01");
    let mut facts = worked_example();
    facts.nodes[0].valid = Validity::default();
    // The card is moved: valid from noon of the first day to the midnight after it, then again for a day.
    let lives = [(12, 24), (48, 72)];
    facts.devices = lives
        .iter()
        .map(|(from, to)| {
            let mut device = device("d1", "n1");
            device.valid = Validity {
                from: Some(zero + from * HOUR_MS),
                to: Some(zero + to * HOUR_MS),
            };
            device
        })
        .collect();
    let outside = |facts: &Facts, day| found(facts, day, DoubtKind::PlacementOutsideValidity);
    let hours = |hours| vec![("d1".to_owned(), hours * HOUR_MS, None)];
    facts.placements = vec![
        placement("d1", zero + 6 * HOUR_MS, Some(zero + 30 * HOUR_MS)),
        // The same time twice is one gap.
        placement("d1", zero + 7 * HOUR_MS, Some(zero + 26 * HOUR_MS)),
    ];
    assert_eq!(outside(&facts, "2026-07-01"), hours(6));
    assert_eq!(outside(&facts, "2026-07-02"), hours(6));
    assert_eq!(outside(&facts, "2026-07-03"), []);

    // An open placement ends with its device by rule, which is no doubt; before it begins is.
    facts.placements = vec![placement("d1", zero + 11 * HOUR_MS, None)];
    facts.coverage[0].span.end = zero + 240 * HOUR_MS;
    assert_eq!(outside(&facts, "2026-07-01"), hours(1));
    assert_eq!(outside(&facts, "2026-07-02"), hours(24));
    assert_eq!(outside(&facts, "2026-07-04"), []);
}

#[test]
fn a_placement_on_a_device_nobody_names_is_counted_in_time() {
    let zero = start("2026-07-01");
    let mut facts = worked_example();
    facts.placements.push(placement(
        "ghost",
        zero + 20 * HOUR_MS,
        Some(zero + 25 * HOUR_MS),
    ));
    let unknown = |day| found(&facts, day, DoubtKind::PlacementOfUnknownDevice);
    assert_eq!(
        unknown("2026-07-01"),
        [("ghost".to_owned(), 4 * HOUR_MS, None)]
    );
    assert_eq!(unknown("2026-07-02"), [("ghost".to_owned(), HOUR_MS, None)]);
    assert_eq!(unknown("2026-07-03"), []);
}

#[test]
fn an_amount_shared_by_unknown_power_is_named_with_its_yuan() {
    let mut facts = worked_example();
    facts.nodes[0] = node("n1", "s1", Ownership::Owned);
    facts.devices.push(device("d2", "n1"));
    facts.devices.push(device("d3", "n1"));
    facts.devices[1].model = Id::from("A2");
    facts.devices[2].model = Id::from("A2");
    facts.models.push(DeviceModel {
        model: Id::from("A2"),
        tdp_w: None,
        ..model()
    });
    facts.assets = vec![asset(
        "a1",
        Nodes::All,
        37_000_000,
        StartRule::NextMonth,
        ShareKey::Power,
    )];
    let engine = Engine::new(&facts, settings());
    let day = engine.day(date("2026-07-10"));
    let given: i64 = day
        .rows
        .iter()
        .filter(|row| row.device.as_deref() != Some("d1"))
        .map(|row| row.components[Component::Depreciation.index()])
        .sum();
    let unknown = |facts: &Facts| found(facts, "2026-07-10", DoubtKind::UnknownTdp);
    assert!(given > 0);
    assert_eq!(unknown(&facts), [("A2".to_owned(), 0, Some(given))]);
    facts.assets[0].share_key = ShareKey::Equal;
    assert_eq!(unknown(&facts), []);
}

#[test]
fn what_nobody_is_charged_for_is_the_payers_part_only() {
    let zero = start("2026-07-01");
    let mut facts = worked_example();
    facts.workloads[0].project = None;
    facts.node_states = vec![NodeState {
        node: Id::from("n1"),
        start: zero + 23 * HOUR_MS + 30 * MINUTE_MS,
        end: Some(zero + 23 * HOUR_MS + 40 * MINUTE_MS),
        state: State::Down,
    }];
    // Of the hour, 54 minutes are held and 10 of them out of service: 44 minutes at 18 yuan an hour.
    let expected = ("w1".to_owned(), 44 * MINUTE_MS, Some(13_200_000));
    assert_eq!(
        found(&facts, "2026-07-01", DoubtKind::Unattributed),
        [expected]
    );
}
