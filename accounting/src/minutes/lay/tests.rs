#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "tests may"
)]
use super::*;
use proptest::prelude::*;

const SECOND: Ms = 1000;

fn no_faults(_: &str) -> Option<FaultClass> {
    None
}

fn lost_79(code: &str) -> Option<FaultClass> {
    Some(if code == "79" {
        FaultClass::DeviceLost
    } else {
        FaultClass::Info
    })
}

fn sample(start_s: Ms, interval_s: Ms) -> Sample {
    Sample {
        time: start_s * SECOND,
        interval_ms: interval_s * SECOND,
        ..Sample::default()
    }
}

fn with_g(start_s: Ms, interval_s: Ms, g: i64) -> Sample {
    Sample {
        g: Some(g),
        ..sample(start_s, interval_s)
    }
}

fn hours(count: Ms) -> Span {
    Span::new(0, count * HOUR_MS)
}

fn first_hour(samples: &[Sample]) -> Vec<Minute> {
    let laid = lay(samples, &lost_79, hours(1));
    assert_eq!(laid.len(), 1);
    laid[0].minutes.clone()
}

#[test]
fn a_constant_hour_gives_sixty_equal_minutes() {
    let hour = Sample {
        g: Some(9000),
        s: Some(6000),
        link_bytes_s: Some(1_000_001),
        power_uw: Some(700_000_000),
        ..sample(0, 3600)
    };
    let minutes = first_hour(&[hour]);
    let expected = Minute {
        covered: WHOLE,
        g: Some(9000),
        s: Some(6000),
        link_bytes_s: Some(1_000_001),
        energy_mj: 42_000_000,
        energy_ms: MINUTE_MS,
        healthy: true,
        ..Minute::default()
    };
    assert_eq!(minutes, vec![expected; 60]);
}

#[test]
fn the_shorter_interval_wins_then_the_later_start() {
    // Several at an instant, and one that overlaps with the same interval from a later start.
    let minutes = first_hour(&[
        with_g(0, 60, 2000),
        with_g(0, 3600, 1000),
        with_g(30, 60, 4000),
    ]);
    assert_eq!(minutes[0].g, Some(3000));
    assert_eq!(minutes[1].g, Some(2500));
    assert_eq!(minutes[2].g, Some(1000));
}

#[test]
fn a_mean_is_weighted_by_time_and_rounded_half_up() {
    let minutes = first_hour(&[with_g(0, 15, 1), with_g(15, 15, 2)]);
    assert_eq!((minutes[0].g, minutes[0].covered), (Some(2), 5000));
    let minutes = first_hour(&[with_g(0, 20, 1), with_g(20, 10, 2)]);
    assert_eq!(minutes[0].g, Some(1));
}

#[test]
fn gaps_are_bridged_up_to_the_interval_or_five_minutes_and_never_after_the_last() {
    // 60 s samples: a gap of exactly 5 minutes is bridged, a longer one is not.
    let minutes = first_hour(&[
        with_g(0, 60, 1000),
        with_g(360, 60, 2000),
        with_g(721, 60, 3000),
    ]);
    assert_eq!(minutes[5].g, Some(1000));
    assert_eq!(minutes[6].g, Some(2000));
    assert_eq!(minutes[7], Minute::default());
    assert_eq!((minutes[12].g, minutes[12].covered), (Some(3000), 9833));
    assert_eq!((minutes[13].g, minutes[13].covered), (Some(3000), 167));
    assert_eq!(minutes[14], Minute::default());
    // A 15 minute sample bridges 15 minutes.
    let minutes = first_hour(&[with_g(0, 900, 1000), with_g(1800, 900, 2000)]);
    assert_eq!(minutes[29].g, Some(1000));
}

#[test]
fn a_gap_is_bridged_by_the_shorter_of_those_that_end_at_it_with_all_it_has() {
    let long = Sample {
        s: Some(7000),
        power_uw: Some(1_000_000),
        ..with_g(0, 120, 1000)
    };
    let short = Sample {
        power_uw: Some(2_000_000),
        ..with_g(60, 60, 3000)
    };
    let minutes = first_hour(&[long, short, with_g(240, 60, 5000)]);
    assert_eq!((minutes[1].g, minutes[1].s), (Some(3000), Some(7000)));
    assert_eq!((minutes[2].g, minutes[2].s), (Some(3000), None));
    assert_eq!(
        (minutes[3].energy_mj, minutes[3].energy_ms),
        (120_000, MINUTE_MS)
    );
}

#[test]
fn a_gap_of_one_quantity_under_another_sample_is_none() {
    // G ends, S goes on: the time is covered by a sample, so nothing is bridged.
    let busy = Sample {
        s: Some(5000),
        ..sample(0, 600)
    };
    let minutes = first_hour(&[with_g(0, 60, 1000), busy, with_g(120, 60, 2000)]);
    assert_eq!(minutes[1].g, None);
    assert_eq!(minutes[1].covered, 0);
    assert_eq!(
        minutes[1].s, None,
        "without G nothing is known of the minute"
    );
    assert_eq!(minutes[2].s, Some(5000));
}

#[test]
fn a_quantity_that_covers_less_than_g_is_missing() {
    let part = Sample {
        s: Some(5000),
        ..with_g(0, 30, 4000)
    };
    let minutes = first_hour(&[part, with_g(30, 30, 8000)]);
    assert_eq!((minutes[0].g, minutes[0].s), (Some(6000), None));
}

fn counter(start_s: Ms, interval_s: Ms, joules: i64) -> Sample {
    Sample {
        energy_mj: Some(joules * 1000),
        ..sample(start_s, interval_s)
    }
}

#[test]
fn e1_counter_first_then_power() {
    // The counter stands at the end of its sample: at 60 s and 180 s. Power covers 0–240 s.
    let powered = Sample {
        power_uw: Some(100_000_000),
        ..sample(0, 240)
    };
    let minutes = first_hour(&[powered, counter(0, 60, 500), counter(120, 60, 800)]);
    let energy: Vec<(i64, Ms)> = minutes[..5]
        .iter()
        .map(|m| (m.energy_mj, m.energy_ms))
        .collect();
    assert_eq!(
        energy,
        [
            (6_000_000, 60_000),
            (150_000, 60_000),
            (150_000, 60_000),
            (6_000_000, 60_000),
            (0, 0),
        ]
    );
}

#[test]
fn e5_a_restart_measures_nothing_and_a_dip_is_passed_over() {
    let minutes = first_hour(&[
        counter(0, 60, 500),
        counter(60, 60, 10),
        counter(120, 60, 40),
    ]);
    assert_eq!(minutes[1].energy_ms, 0);
    assert_eq!(
        (minutes[2].energy_mj, minutes[2].energy_ms),
        (30_000, 60_000)
    );
    let minutes = first_hour(&[
        counter(0, 60, 500),
        counter(60, 60, 10),
        counter(120, 60, 620),
    ]);
    assert_eq!(
        (minutes[1].energy_mj, minutes[2].energy_mj),
        (60_000, 60_000)
    );
}

#[test]
fn a_counter_piece_longer_than_two_hours_counts_evenly() {
    let laid = lay(
        &[counter(-60, 60, 0), counter(10 * 3600 - 60, 60, 36)],
        &no_faults,
        hours(10),
    );
    assert_eq!(laid.len(), 10);
    for hour in &laid {
        assert!(
            hour.minutes
                .iter()
                .all(|m| m.energy_mj == 60 && m.energy_ms == MINUTE_MS)
        );
    }
}

#[test]
fn faults_and_recoveries_keep_their_order_inside_a_minute() {
    let fault = |start, interval, code: &str| Sample {
        fault: Some(code.into()),
        ..with_g(start, interval, 0)
    };
    let minutes = first_hour(&[
        fault(0, 15, "79"),
        with_g(15, 45, 100),
        with_g(60, 15, 100),
        fault(75, 45, "79"),
        fault(120, 60, "13"),
        sample(180, 60),
    ]);
    let seen: Vec<(bool, bool)> = minutes[..4].iter().map(|m| (m.lost, m.healthy)).collect();
    assert_eq!(
        seen,
        [(true, true), (true, false), (false, false), (false, false)]
    );
}

#[test]
fn hostile_values_neither_panic_nor_count() {
    let laid = lay(
        &[
            Sample {
                time: Ms::MAX,
                interval_ms: Ms::MAX,
                g: Some(1),
                ..Sample::default()
            },
            Sample {
                time: Ms::MIN,
                interval_ms: -1,
                ..Sample::default()
            },
            Sample {
                g: Some(i64::MAX),
                s: Some(i64::MIN),
                link_bytes_s: Some(i64::MAX),
                power_uw: Some(i64::MAX),
                energy_mj: Some(i64::MAX),
                ..sample(0, 3600)
            },
            Sample {
                mem_used_bytes: Some(-5),
                energy_mj: Some(0),
                ..sample(-3600, 3600)
            },
        ],
        &no_faults,
        hours(1),
    );
    assert_eq!(laid[0].minutes[0].g, Some(WHOLE));
    assert_eq!(laid[0].minutes[0].link_bytes_s, Some(i64::MAX));
    assert!(lay(&[], &no_faults, hours(1)).is_empty());
    assert!(
        lay(
            &[with_g(0, 60, 1)],
            &no_faults,
            Span::new(Ms::MAX - 5, Ms::MAX)
        )
        .is_empty()
    );
}

/// Samples of about three hours, on whole seconds, with holes, overlaps and restarts.
fn any_samples() -> impl Strategy<Value = Vec<Sample>> {
    let value = || prop::option::weighted(0.8, 0..=WHOLE);
    let one = (
        -1200i64..12_000,
        prop::sample::select(vec![7i64, 15, 30, 60, 90, 300, 900, 3600]),
        (value(), value()),
        prop::option::weighted(0.7, 0..700_000_000i64),
        prop::option::weighted(0.7, 0..1_000_000i64),
        prop::option::weighted(0.1, prop::sample::select(vec!["79", "13"])),
    );
    prop::collection::vec(one, 1..40).prop_map(|rows| {
        let mut samples: Vec<Sample> = rows
            .into_iter()
            .map(
                |(start, interval, (g, s), power_uw, energy_mj, fault)| Sample {
                    g,
                    s,
                    power_uw,
                    energy_mj,
                    fault: fault.map(Into::into),
                    ..sample(start, interval)
                },
            )
            .collect();
        samples.sort_by_key(|s| (s.time, s.interval_ms));
        samples.dedup_by_key(|s| (s.time, s.interval_ms));
        samples
    })
}

/// The rules again, second by second: (G of the second, power sample of the second).
fn by_the_second(samples: &[Sample], second: i64) -> (Option<i64>, Option<usize>) {
    let at = second * SECOND;
    let end = |s: &Sample| s.time + s.interval_ms;
    let mut covering: Vec<usize> = (0..samples.len())
        .filter(|i| samples[*i].time <= at && at < end(&samples[*i]))
        .collect();
    if covering.is_empty() {
        let before = samples.iter().map(end).filter(|e| *e <= at).max();
        let after = samples.iter().map(|s| s.time).filter(|t| *t > at).min();
        let (Some(before), Some(after)) = (before, after) else {
            return (None, None);
        };
        let bridge = (0..samples.len())
            .filter(|i| end(&samples[*i]) == before)
            .min_by_key(|i| (samples[*i].interval_ms, -samples[*i].time))
            .unwrap();
        if after - before > samples[bridge].interval_ms.max(BRIDGE_MS) {
            return (None, None);
        }
        covering.push(bridge);
    }
    covering.sort_by_key(|i| (samples[*i].interval_ms, -samples[*i].time));
    (
        covering.iter().find_map(|i| samples[*i].g),
        covering
            .iter()
            .copied()
            .find(|i| samples[*i].power_uw.is_some()),
    )
}

fn minute_at(laid: &[MinuteHour], index: i64) -> Minute {
    let hour = index.div_euclid(60) * HOUR_MS;
    laid.iter()
        .find(|h| h.hour == hour)
        .map_or_else(Minute::default, |h| {
            h.minutes[index.rem_euclid(60) as usize]
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn agrees_with_the_rules_second_by_second(samples in any_samples(), minute in 0i64..180) {
        let samples: Vec<Sample> = samples
            .into_iter()
            .map(|s| Sample { energy_mj: None, ..s })
            .collect();
        let found = minute_at(&lay(&samples, &lost_79, hours(3)), minute);
        let (mut sum, mut seconds, mut powered) = (0i64, 0i64, 0i64);
        let mut energy: Vec<(usize, i64)> = Vec::new();
        for second in minute * 60..minute * 60 + 60 {
            let (g, power) = by_the_second(&samples, second);
            sum += g.unwrap_or(0);
            seconds += i64::from(g.is_some());
            if let Some(index) = power {
                let until = |at: i64| {
                    let ms = i128::from(at * SECOND - samples[index].time);
                    (i128::from(samples[index].power_uw.unwrap()) * ms * 2 + 1_000_000) / 2_000_000
                };
                powered += 1;
                energy.push((index, i64::try_from(until(second + 1) - until(second)).unwrap()));
            }
        }
        let mean = (seconds > 0).then(|| (2 * sum + seconds) / (2 * seconds.max(1)));
        prop_assert_eq!(found.g, mean);
        prop_assert_eq!(found.covered, (seconds * WHOLE * 2 + 60) / 120);
        prop_assert_eq!(found.energy_ms, powered * SECOND);
        prop_assert_eq!(found.energy_mj, energy.iter().map(|(_, mj)| mj).sum::<i64>());
    }

    // Invariant 3: order and chunking change nothing.
    #[test]
    fn order_and_chunks_change_nothing(samples in any_samples()) {
        let together = lay(&samples, &lost_79, hours(3));
        let mut backwards = samples.clone();
        backwards.reverse();
        prop_assert_eq!(&lay(&backwards, &lost_79, hours(3)), &together);
        let mut apart = Vec::new();
        for hour in hours(3).pieces(0, HOUR_MS) {
            apart.extend(lay(&samples, &lost_79, hour));
        }
        prop_assert_eq!(&apart, &together);
    }

    // E6: what the minutes of a counter piece sum to is its difference, exactly.
    #[test]
    fn a_counter_piece_sums_to_its_difference(
        start in -4000i64..4000, length in 1i64..9000, before in 0i64..1 << 47, more in 0i64..10_000_000_000,
    ) {
        let first = Sample { energy_mj: Some(before), ..sample(start - 30, 30) };
        let last = Sample { energy_mj: Some(before + more), ..sample(start + length - 30, 30) };
        let laid = lay(&[first, last], &no_faults, Span::new(-4 * HOUR_MS, 8 * HOUR_MS));
        let minutes = || laid.iter().flat_map(|h| &h.minutes);
        prop_assert_eq!(minutes().map(|m| m.energy_mj).sum::<i64>(), more);
        prop_assert_eq!(minutes().map(|m| m.energy_ms).sum::<i64>(), length * SECOND);
    }

    // E6: a sample's power sums to its energy along itself, bridge included.
    #[test]
    fn a_powered_sample_sums_to_its_energy(start in 0i64..5000, gap in 0i64..300, power in 0i64..3_000_000_000) {
        let powered = Sample { power_uw: Some(power), ..sample(start, 60) };
        let laid = lay(&[powered, with_g(start + 60 + gap, 60, 0)], &no_faults, hours(2));
        let sum: i64 = laid.iter().flat_map(|h| &h.minutes).map(|m| m.energy_mj).sum();
        prop_assert_eq!(Some(sum), round_half_away(i128::from(power) * i128::from(60 + gap), 1000));
    }
}
