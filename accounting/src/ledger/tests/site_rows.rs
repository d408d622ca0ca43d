//! A site whose rows follow one another in time.

use super::node_meter::metered;
use super::*;
use crate::books::Row;
use crate::category::Component;

/// An owned, metered node whose site has two rows: PUE `first` until the instant, `then` from it on.
fn split(at: Ms, first: &str, then: &str) -> Facts {
    let mut facts = metered("100.6");
    let row = |pue, from, to| Site {
        pue_default: Some(decimal(pue).unwrap()),
        valid: Validity { from, to },
        ..facts.sites[0].clone()
    };
    let rows = vec![row(first, None, Some(at)), row(then, Some(at), None)];
    facts.sites = rows;
    facts
}

fn day(facts: &Facts, day: &str) -> Day {
    let day = Engine::new(facts, settings()).day(date(day));
    assert_eq!(audit(facts, &settings(), &day), []);
    day
}

#[test]
fn a_row_that_changes_nothing_changes_no_figure() {
    let whole = split(Ms::MAX, "1.35", "1.35");
    let hour = start("2026-07-01") + 11 * HOUR_MS;
    for at in [
        start("2026-07-01"),
        hour - 40 * MINUTE_MS,
        hour,
        start("2026-07-02"),
    ] {
        let split = split(at, "1.35", "1.35");
        for name in ["2026-06-30", "2026-07-01", "2026-07-02"] {
            assert_eq!(
                day(&split, name).rows,
                day(&whole, name).rows,
                "{at} {name}"
            );
        }
    }
}

#[test]
fn each_hour_has_the_pue_of_its_own_row() {
    let electricity = |facts: &Facts, name: &str| -> i64 {
        let rows = day(facts, name).rows;
        let of = |row: &Row| row.components[Component::Electricity.index()];
        rows.iter().map(of).sum()
    };
    let hour = start("2026-07-01") + 10 * HOUR_MS;
    let before = electricity(&split(hour + HOUR_MS, "1.5", "3"), "2026-07-01");
    let after = electricity(&split(hour, "1.5", "3"), "2026-07-01");
    // 0.6 kWh were metered in that hour, at 1 yuan.
    assert_eq!(after - before, 900_000);
}
