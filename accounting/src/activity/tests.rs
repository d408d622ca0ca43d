//! The ladder's properties: exact for any reading, monotone in what is missing.
#![allow(clippy::unwrap_used, reason = "tests may")]

use proptest::prelude::*;

use super::*;

fn reading() -> Minute {
    // The worked example: G 0.90, S 0.60, T 0.372 (E 0.40), D 0.30, host evidence 0.7, comm 0.20, throttle 0.05.
    Minute {
        covered: WHOLE,
        g: Some(9000),
        s: Some(6000),
        t: Some(3720),
        d: Some(3000),
        comm: Some(2000),
        host_evidence: Some(7000),
        throttle: Some(500),
        ..Minute::default()
    }
}

fn of(parts: &Parts, category: Category) -> u128 {
    parts
        .iter()
        .filter(|(c, _, _)| *c == category)
        .map(|(_, _, w)| w)
        .sum()
}

#[test]
fn worked_example_minute() {
    let parts = held(Some(&reading()), Held::default());
    let check = |category, share: u128| {
        assert_eq!(
            of(&parts, category),
            WHOLE_WEIGHT / 10_000 * share,
            "{category:?}"
        );
    };
    check(Category::DataOrHostStall, 700);
    check(Category::StallUnattributed, 300);
    check(Category::CommunicationWait, 2000);
    check(Category::LowSm, 1000);
    check(Category::Throttled, 300);
    check(Category::LowIntensity, 1900);
    check(Category::Useful, 3800);
    assert_eq!(parts.sum(), WHOLE_WEIGHT);
}

#[test]
fn a_missing_sensor_moves_yuan_to_unknown_or_unrated() {
    let no_s = held(
        Some(&Minute {
            s: None,
            ..reading()
        }),
        Held::default(),
    );
    assert_eq!(of(&no_s, Category::BusyUnrated), WHOLE_WEIGHT / 10 * 9);
    assert_eq!(of(&no_s, Category::Useful), 0);
    let no_d = held(
        Some(&Minute {
            d: None,
            ..reading()
        }),
        Held::default(),
    );
    assert_eq!(of(&no_d, Category::LowIntensity), 0);
    assert_eq!(of(&no_d, Category::Useful), WHOLE_WEIGHT / 10_000 * 3800);
    let none = held(None, Held::default());
    assert_eq!(of(&none, Category::UnknownActivity), WHOLE_WEIGHT);
}

fn maybe() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![
        Just(None),
        (-20_000i64..40_000).prop_map(Some),
        Just(Some(i64::MAX)),
        Just(Some(i64::MIN))
    ]
}

fn any_minute() -> impl Strategy<Value = Minute> {
    (
        -5i64..20_000,
        (maybe(), maybe(), maybe(), maybe()),
        (maybe(), maybe(), maybe(), maybe(), maybe()),
    )
        .prop_map(
            |(covered, (g, s, t, d), (fp32, fp64, comm, host_evidence, throttle))| Minute {
                covered,
                g,
                s,
                t: t.map(|v| v.clamp(0, WHOLE)),
                d: d.map(|v| v.clamp(0, WHOLE)),
                fp32: fp32.map(|v| v.clamp(0, WHOLE)),
                fp64: fp64.map(|v| v.clamp(0, WHOLE)),
                comm,
                host_evidence,
                throttle,
                ..Minute::default()
            },
        )
}

fn context() -> impl Strategy<Value = Held> {
    (
        prop::option::of(-5i64..20_000),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(lost, idle, hpc)| Held {
            lost: lost.map(|share| (share, Reason::Replayed)),
            idle: idle.then_some(Reason::Plain),
            hpc,
        })
}

proptest! {
    // EFFICIENCY 1.1: weights are never negative and sum to the whole, for any input.
    #[test]
    fn weights_sum_to_the_whole(minute in prop::option::of(any_minute()), context in context()) {
        let parts = held(minute.as_ref(), context);
        prop_assert_eq!(parts.sum(), WHOLE_WEIGHT);
        let order: Vec<Category> = parts.iter().map(|(category, _, _)| *category).collect();
        prop_assert!(order.is_sorted(), "ladder order {:?}", order);
    }

    // Invariant 4: removing a reading never raises useful + throttled, nor lowers unknown + unrated.
    #[test]
    fn removing_a_reading_never_flatters(minute in any_minute(), which in 0usize..9, hpc in any::<bool>()) {
        let context = Held { hpc, ..Held::default() };
        let mut less = minute;
        match which {
            0 => less.g = None,
            1 => less.s = None,
            2 => less.t = None,
            3 => less.d = None,
            4 => less.fp32 = None,
            5 => less.fp64 = None,
            6 => less.comm = None,
            7 => less.host_evidence = None,
            _ => less.throttle = None,
        }
        let (with, without) = (held(Some(&minute), context), held(Some(&less), context));
        let good = |p: &Parts| of(p, Category::Useful) + of(p, Category::Throttled);
        let unknown = |p: &Parts| of(p, Category::UnknownActivity) + of(p, Category::BusyUnrated);
        prop_assert!(good(&without) <= good(&with));
        prop_assert!(unknown(&without) >= unknown(&with));
    }
}
