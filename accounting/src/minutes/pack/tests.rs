#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may")]
use super::*;
use crate::time::HOUR_MS;
use proptest::prelude::*;

fn busy(minute: Minute) -> MinuteHour {
    MinuteHour {
        hour: HOUR_MS,
        minutes: vec![minute; MinuteHour::LENGTH],
    }
}

fn full() -> Minute {
    Minute {
        covered: 10_000,
        g: Some(9000),
        s: Some(6000),
        t: Some(3720),
        d: Some(3000),
        fp32: Some(120),
        fp64: Some(0),
        comm: Some(2000),
        host_evidence: Some(7000),
        throttle: Some(500),
        link_bytes_s: Some(1_234_567_890),
        mem_used_bytes: Some(85_899_345_920),
        energy_mj: 42_000_000,
        energy_ms: 60_000,
        lost: false,
        healthy: true,
    }
}

fn round_trip(hour: &MinuteHour) -> usize {
    let bytes = pack(hour);
    assert_eq!(unpack(hour.hour, &bytes).as_ref(), Ok(hour));
    bytes.len()
}

#[test]
fn sixty_equal_minutes_take_a_few_dozen_bytes() {
    assert_eq!(round_trip(&MinuteHour::empty(0)), 3);
    assert!(round_trip(&busy(full())) <= 64);
}

#[test]
fn ten_noisy_quantities_take_about_six_hundred_bytes() {
    // A fixed generator: noise of ±1 % around a level, as utilisation of steady work has.
    let mut state = 1u64;
    let mut noise = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        i64::try_from(state >> 33).unwrap() % 200
    };
    let mut hour = busy(full());
    for minute in &mut hour.minutes {
        for quantity in [
            &mut minute.g,
            &mut minute.s,
            &mut minute.t,
            &mut minute.d,
            &mut minute.fp32,
            &mut minute.fp64,
            &mut minute.comm,
            &mut minute.host_evidence,
            &mut minute.throttle,
            &mut minute.link_bytes_s,
        ] {
            *quantity = quantity.map(|value| value + noise());
        }
    }
    let length = round_trip(&hour);
    assert!(length <= 680, "{length}");
}

#[test]
fn damaged_bytes_are_an_error() {
    let bytes = pack(&busy(full()));
    assert_eq!(unpack(0, &[]), Err(PackError::Damaged("it ends too early")));
    assert_eq!(unpack(0, &[2, 0, 0]), Err(PackError::Version(2)));
    assert!(unpack(0, &bytes[..bytes.len() - 1]).is_err());
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert!(unpack(0, &longer).is_err());
}

fn any_minute() -> impl Strategy<Value = Minute> {
    let value = || prop::option::of(prop_oneof![0i64..=10_000, Just(5000), any::<i64>()]);
    (
        (
            0i64..=10_000,
            any::<i64>(),
            0i64..=60_000,
            any::<(bool, bool)>(),
        ),
        (value(), value(), value(), value(), value(), value()),
        (value(), value(), value(), value(), value()),
    )
        .prop_map(
            |((covered, energy_mj, energy_ms, (lost, healthy)), a, b)| Minute {
                covered,
                g: a.0,
                s: a.1,
                t: a.2,
                d: a.3,
                fp32: a.4,
                fp64: a.5,
                comm: b.0,
                host_evidence: b.1,
                throttle: b.2,
                link_bytes_s: b.3,
                mem_used_bytes: b.4,
                energy_mj,
                energy_ms,
                lost,
                healthy,
            },
        )
}

/// Runs of equal minutes, as real hours have.
fn any_hour() -> impl Strategy<Value = MinuteHour> {
    prop::collection::vec((any_minute(), 1usize..40), 1..60).prop_map(|runs| {
        let mut minutes: Vec<Minute> = runs
            .into_iter()
            .flat_map(|(minute, length)| std::iter::repeat_n(minute, length))
            .take(MinuteHour::LENGTH)
            .collect();
        minutes.resize(MinuteHour::LENGTH, Minute::default());
        MinuteHour {
            hour: -HOUR_MS,
            minutes,
        }
    })
}

proptest! {
    #[test]
    fn packing_is_lossless(hour in any_hour()) {
        prop_assert_eq!(unpack(hour.hour, &pack(&hour)), Ok(hour));
    }

    #[test]
    fn any_bytes_give_an_hour_or_an_error(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Some(version) = bytes.first_mut() {
            *version = VERSION;
        }
        if let Ok(hour) = unpack(0, &bytes) {
            prop_assert_eq!(unpack(0, &pack(&hour)), Ok(hour));
        }
    }

    #[test]
    fn a_changed_byte_never_panics(hour in any_hour(), at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let mut bytes = pack(&hour);
        let index = at.index(bytes.len());
        bytes[index] = to;
        if let Ok(read) = unpack(0, &bytes) {
            prop_assert_eq!(read.minutes.len(), MinuteHour::LENGTH);
        }
    }
}
