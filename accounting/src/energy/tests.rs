#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may")]
use super::*;
use crate::facts::MeterRole;
use crate::quantity::decimal;
use crate::time::MINUTE_MS;
use proptest::prelude::*;

/// One kilowatt-hour times the multiplier of the test meters.
const HUNDRED_KWH: i64 = 360_000_000_000;

fn meter(name: &str, parent: Option<&str>) -> Meter {
    Meter {
        meter: Id::from(name),
        site: Id::from("s"),
        node: None,
        role: MeterRole::Facility,
        multiplier: Rational::whole(100),
        parent: parent.map(Id::from),
        valid: Validity::default(),
    }
}

fn kwh(minutes: i64, kwh: &str) -> MeterReading {
    MeterReading {
        meter: Id::from("m"),
        time: minutes * MINUTE_MS,
        kwh: Some(decimal(kwh).unwrap()),
        kw: None,
    }
}

fn kw(minutes: i64, kw: &str) -> MeterReading {
    MeterReading {
        kwh: None,
        kw: Some(decimal(kw).unwrap()),
        ..kwh(minutes, "0")
    }
}

fn compile(rows: &[Meter], readings: &[MeterReading]) -> (MeterLine, Vec<DoubtKind>) {
    let rows: Vec<&Meter> = rows.iter().collect();
    let readings: Vec<&MeterReading> = readings.iter().collect();
    let mut found = MeterLine::by_place(&rows, &readings);
    assert_eq!(found.len(), 1);
    let (_, line, doubts) = found.remove(0);
    (line, doubts.iter().map(|doubt| doubt.kind).collect())
}

fn hourly(name: &str, parent: Option<&str>, readings: &[(i64, &str)]) -> MeterLine {
    let readings: Vec<MeterReading> = readings.iter().map(|(h, v)| kwh(h * 60, v)).collect();
    compile(&[meter(name, parent)], &readings).0
}

fn meters(lines: Vec<MeterLine>) -> Meters {
    Meters { lines }
}

fn hour(k: i64) -> Span {
    Span::new(k * HOUR_MS, (k + 1) * HOUR_MS)
}

fn minutes(from: i64, to: i64) -> Span {
    Span::new(from * MINUTE_MS, to * MINUTE_MS)
}

#[test]
fn e5_counters_have_epochs_dips_and_flagged_gaps() {
    let readings = [
        (0, "10"),
        (1, "11"),
        (2, "3"),
        (3, "13"),
        (4, "0.5"),
        (5, "1.5"),
        (9, "5.5"),
    ];
    let readings: Vec<MeterReading> = readings.iter().map(|(h, v)| kwh(h * 60, v)).collect();
    let (line, doubts) = compile(&[meter("m", None)], &readings);
    // 3 is a dip, 0.5 begins a new epoch, the last four hours are even.
    for (k, expected) in [
        (0, true),
        (1, true),
        (2, true),
        (3, false),
        (4, true),
        (7, true),
    ] {
        assert_eq!(
            line.energy_mj(hour(k)),
            expected.then_some(HUNDRED_KWH),
            "{k}"
        );
    }
    assert_eq!(
        line.energy_mj(hour(9)),
        None,
        "nothing after the last reading"
    );
    assert_eq!(doubts, [DoubtKind::MeterGap]);
    // Two hours apart is still linear without a flag.
    let (_, doubts) = compile(&[meter("m", None)], &[kwh(0, "1"), kwh(120, "2")]);
    assert_eq!(doubts, []);
}

#[test]
fn e6_minutes_sum_to_their_stretch() {
    let line = hourly("m", None, &[(0, "0"), (1, "0.0000000123")]);
    let sum: i64 = (0..60)
        .map(|k| line.energy_mj(minutes(k, k + 1)).unwrap())
        .sum();
    assert_eq!((Some(sum), sum), (line.energy_mj(hour(0)), 4428));
}

#[test]
fn kilowatts_are_the_mean_since_the_reading_before() {
    let (line, doubts) = compile(&[meter("m", None)], &[kw(0, "7"), kw(30, "1"), kw(60, "3")]);
    assert_eq!(line.energy_mj(minutes(0, 30)), Some(HUNDRED_KWH / 2));
    assert_eq!(line.energy_mj(minutes(30, 60)), Some(HUNDRED_KWH / 2 * 3));
    assert_eq!(line.energy_mj(minutes(-30, 0)), None);
    assert_eq!(doubts, []);
}

#[test]
fn the_counter_comes_first_and_kilowatts_fill_the_rest() {
    let both = MeterReading {
        kw: decimal("9").ok(),
        ..kwh(90, "2")
    };
    let (line, _) = compile(
        &[meter("m", None)],
        &[kwh(30, "1"), kw(60, "5"), both, kw(150, "2")],
    );
    assert_eq!(line.energy_mj(minutes(30, 90)), Some(HUNDRED_KWH));
    assert_eq!(line.energy_mj(minutes(90, 150)), Some(HUNDRED_KWH * 2));
}

#[test]
fn e5_multipliers_are_effective_dated_even_between_readings() {
    // From minute 30 the transformer counts half; the row before it was never ended.
    let mut later = meter("m", None);
    later.multiplier = Rational::whole(50);
    later.valid.from = Some(30 * MINUTE_MS);
    let rows = [later, meter("m", None)];
    let (line, _) = compile(&rows, &[kwh(0, "0"), kwh(60, "2"), kwh(120, "3")]);
    assert_eq!(line.energy_mj(minutes(0, 30)), Some(HUNDRED_KWH));
    assert_eq!(line.energy_mj(minutes(30, 60)), Some(HUNDRED_KWH / 2));
    assert_eq!(line.energy_mj(hour(0)), Some(HUNDRED_KWH / 2 * 3));
    assert_eq!(meters(vec![line]).energy_mj(hour(1)), Some(HUNDRED_KWH / 2));
}

#[test]
fn a_meter_that_is_moved_has_a_line_in_each_place() {
    let at = |node: &str, from: Option<Ms>| Meter {
        node: Some(node.into()),
        valid: Validity { from, to: None },
        ..meter("m", None)
    };
    let rows = [at("h1", None), at("h2", Some(HOUR_MS))];
    let readings = [kwh(0, "0"), kwh(60, "1"), kwh(120, "3")];
    let found = MeterLine::by_place(
        &rows.iter().collect::<Vec<_>>(),
        &readings.iter().collect::<Vec<_>>(),
    );
    let energy = |place: usize, k| found[place].1.energy_mj(hour(k));
    assert_eq!((energy(0, 0), energy(0, 1)), (Some(HUNDRED_KWH), None));
    assert_eq!((energy(1, 0), energy(1, 1)), (None, Some(HUNDRED_KWH * 2)));
}

#[test]
fn e7_pue_is_a_ratio_of_sums_over_one_cut() {
    let default = Some(decimal("1.4").unwrap());
    let facility = meters(vec![
        hourly("f", None, &[(0, "0"), (1, "3.9")]),
        hourly("g", Some("f"), &[(0, "0"), (1, "2")]),
    ]);
    let it = meters(vec![hourly("i", Some("f"), &[(0, "0"), (1, "3")])]);
    // The sub-meter of the same role does not count twice; a parent of another role does not matter.
    let measured = (decimal("1.3").ok(), PueQuality::Metered, None);
    assert_eq!(pue(&facility, &it, hour(0), default), measured);
    let configured = (default, PueQuality::Default, None);
    assert_eq!(pue(&facility, &it, hour(1), default), configured);
    let below = (None, PueQuality::Unknown, Some(DoubtKind::PueBelowOne));
    assert_eq!(pue(&it, &facility, hour(0), None), below);
    let nothing = (None, PueQuality::Unknown, None);
    assert_eq!(pue(&Meters::default(), &it, hour(0), None), nothing);
    assert_eq!(
        pue(&it, &it, hour(0), None),
        (Some(Rational::ONE), PueQuality::Metered, None)
    );
    let idle = meters(vec![hourly("i", None, &[(0, "3"), (1, "3")])]);
    assert_eq!(pue(&facility, &idle, hour(0), default), configured);
}

#[test]
fn e5_a_meter_counts_only_while_it_is_valid() {
    let until = |mut meter: Meter, to: Ms| {
        meter.valid.to = Some(to);
        meter
    };
    let readings = [kwh(0, "0"), kwh(60, "1"), kwh(120, "2"), kwh(180, "3")];
    let old = compile(&[until(meter("old", None), HOUR_MS)], &readings).0;
    let kept = compile(&[meter("kept", Some("old"))], &readings).0;
    let site = meters(vec![old, kept]);
    // While its parent is there only the parent counts; afterwards the child does.
    assert_eq!(site.energy_mj(hour(0)), Some(HUNDRED_KWH));
    assert_eq!(site.energy_mj(hour(1)), Some(HUNDRED_KWH));
    assert_eq!(site.lines[0].energy_mj(hour(1)), None);
    // A meter that is there and not read leaves the whole unmetered.
    let silent = compile(&[meter("silent", None)], &[]).0;
    let site = meters(vec![silent, site.lines[1].clone()]);
    assert_eq!(site.energy_mj(hour(0)), None);
    // Two that hang under each other count neither.
    let ring = |a: &str, b: &str| compile(&[meter(a, Some(b))], &readings).0;
    assert_eq!(
        meters(vec![ring("a", "b"), ring("b", "a")]).energy_mj(hour(0)),
        None
    );
}

#[test]
fn numbers_too_large_are_a_doubt() {
    let huge = |time, num| MeterReading {
        kwh: Some(Rational { num, den: 1 }),
        ..kwh(time, "0")
    };
    let (line, doubts) = compile(
        &[meter("m", None)],
        &[
            huge(0, 0),
            huge(60, i128::from(i64::MAX)),
            huge(120, i128::MAX),
        ],
    );
    assert_eq!(doubts, [DoubtKind::Overflow]);
    assert_eq!(line.energy_mj(hour(0)), None);
    assert!(MeterLine::by_place(&[], &[]).is_empty());
}

proptest! {
    // E6 and invariant 3: any cut of the covered time into spans sums to the readings' difference, in any order.
    #[test]
    fn cuts_sum_to_the_difference(
        steps in prop::collection::vec((1i64..200, 0i64..1_000_000), 1..20),
        cuts in prop::collection::vec(0i64..4000, 0..20),
        multiplier in 1i64..1000,
    ) {
        let (mut time, mut value) = (0, 0);
        let mut readings = vec![kwh(0, "0")];
        for (minutes, more) in steps {
            time += minutes;
            value += more;
            readings.push(MeterReading {
                kwh: Rational::new(i128::from(value), 10_000),
                ..kwh(time, "0")
            });
        }
        let row = Meter { multiplier: Rational::whole(multiplier), ..meter("m", None) };
        let (line, _) = compile(std::slice::from_ref(&row), &readings);
        readings.reverse();
        prop_assert_eq!(&compile(&[row], &readings).0, &line);
        let mut at: Vec<i64> = cuts.into_iter().filter(|cut| *cut < time).chain([0, time]).collect();
        at.sort_unstable();
        at.dedup();
        let parts = at.windows(2).map(|pair| line.energy_mj(minutes(pair[0], pair[1])).unwrap());
        prop_assert_eq!(parts.sum::<i64>(), value * multiplier * 360_000);
        prop_assert_eq!(line.energy_mj(minutes(0, time + 1)), None);
    }
}
