//! From samples to minutes: each quantity laid on its own, gaps bridged, energy measured (docs/accounting.md, 2 and E1).
//!
//! One pass over the samples in time, cut wherever one starts or ends: between two cuts the samples that cover are the
//! same, so every quantity has one winner there. Energy is taken from the counter first and from power elsewhere.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "instants and intervals are checked to ±2^53 and 2^40 on entry, values are not negative, products are i128"
)]

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Minute, MinuteHour};
use crate::counter;
use crate::facts::{FaultClass, Sample};
use crate::money::round_half_away;
use crate::quantity::WHOLE;
use crate::time::{HOUR_MS, MINUTE_MS, Ms, Span};

/// A gap up to this long, or up to the interval of the sample before it if that is longer, is bridged.
const BRIDGE_MS: Ms = 5 * MINUTE_MS;

/// g, s, t, d, fp32, fp64, comm, host_evidence, throttle, link_bytes_s, mem_used_bytes.
const QUANTITIES: usize = 11;

/// Lays the samples of one device over its minutes and returns the hours of `hours` with something in them, in order.
///
/// `samples` are those of `hours` and their neighbours outside: every sample that overlaps, the nearest one on both
/// sides (for bridges) and two counter readings on both sides (for pieces that reach in, and dips). They are expected
/// sorted by (time, interval); any order gives the same minutes. `fault_class` reads a fault code.
pub fn lay(
    samples: &[Sample],
    fault_class: &dyn Fn(&str) -> Option<FaultClass>,
    hours: Span,
) -> Vec<MinuteHour> {
    let window = Span {
        start: hours.start.div_euclid(HOUR_MS) * HOUR_MS,
        end: hours
            .end
            .saturating_add(HOUR_MS - 1)
            .div_euclid(HOUR_MS)
            .saturating_mul(HOUR_MS),
    };
    let mut board = Board {
        window,
        hours: BTreeMap::new(),
    };
    let mut readings: Vec<Reading> = samples.iter().filter_map(Reading::of).collect();
    readings.sort_unstable();
    let metered = board.lay_counter(&readings);
    readings.retain(|reading| reading.interval > 0);
    bridge(&mut readings);
    board.lay_quantities(&readings, &metered);
    board.lay_faults(samples, fault_class);
    board
        .hours
        .into_iter()
        .map(|(hour, minutes)| MinuteHour { hour, minutes })
        .collect()
}

/// What one sample says, checked. The order is (start, interval), then the values, so that equal keys are decided too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Reading {
    start: Ms,
    interval: Ms,
    /// `start + interval`, later where a gap is bridged.
    end: Ms,
    quantities: [Option<i64>; QUANTITIES],
    power_uw: Option<i64>,
    energy_mj: Option<i64>,
}

impl Reading {
    /// `None` for a sample whose time cannot be.
    fn of(sample: &Sample) -> Option<Self> {
        let span = own_span(sample)?;
        let fraction = |value: Option<i64>| value.map(|v| v.clamp(0, WHOLE));
        let amount = |value: Option<i64>| value.filter(|v| *v >= 0);
        Some(Self {
            start: span.start,
            interval: sample.interval_ms,
            end: span.end,
            quantities: [
                fraction(sample.g),
                fraction(sample.s),
                fraction(sample.t),
                fraction(sample.d),
                fraction(sample.fp32),
                fraction(sample.fp64),
                fraction(sample.comm),
                fraction(sample.host_evidence),
                fraction(sample.throttle),
                amount(sample.link_bytes_s),
                amount(sample.mem_used_bytes),
            ],
            power_uw: amount(sample.power_uw),
            energy_mj: amount(sample.energy_mj),
        })
    }

    /// Among samples that cover the same time the least wins: the shorter interval, then the later start.
    fn priority(&self) -> (Ms, Reverse<Ms>) {
        (self.interval, Reverse(self.start))
    }

    /// Whole milli-joules from the sample's start to `at`, by its power (E6: the running total along the sample).
    fn energy_until(power_uw: i64, start: Ms, at: Ms) -> i64 {
        round_half_away(i128::from(power_uw) * i128::from(at - start), 1_000_000)
            .unwrap_or(i64::MAX)
    }
}

fn own_span(sample: &Sample) -> Option<Span> {
    let possible = sample.time.unsigned_abs() <= 1 << 53
        && sample.interval_ms >= 0
        && sample.interval_ms <= 1 << 40;
    possible.then(|| Span::new(sample.time, sample.time + sample.interval_ms))
}

/// Lets the sample before each bridgeable gap cover it. `readings` are sorted by start.
fn bridge(readings: &mut [Reading]) {
    let mut before: Option<usize> = None;
    for next in 0..readings.len() {
        let Some(reading) = readings.get(next).copied() else {
            continue;
        };
        let Some(last) = before.and_then(|index| readings.get_mut(index)) else {
            before = Some(next);
            continue;
        };
        let gap = reading.start - last.end;
        if gap > 0 && gap <= last.interval.max(BRIDGE_MS) {
            last.end = reading.start;
        }
        // The sample a later gap is bridged by: the one that reaches furthest, of several the one with priority.
        let further = reading.end > last.end
            || (reading.end == last.end && reading.priority() <= last.priority());
        if further {
            before = Some(next);
        }
    }
}

/// The minutes being filled.
struct Board {
    window: Span,
    hours: BTreeMap<Ms, Vec<Minute>>,
}

impl Board {
    /// Calls `each` for every minute that `span` touches inside the window, with the touching part.
    fn minutes(&mut self, span: Span, mut each: impl FnMut(&mut Minute, Span)) {
        let Some(span) = span.cut(self.window) else {
            return;
        };
        for hour in span.pieces(0, HOUR_MS) {
            let start = hour.start.div_euclid(HOUR_MS) * HOUR_MS;
            let minutes = self
                .hours
                .entry(start)
                .or_insert_with(|| MinuteHour::empty(start).minutes);
            for part in hour.pieces(0, MINUTE_MS) {
                let index = usize::try_from((part.start - start) / MINUTE_MS).unwrap_or(usize::MAX);
                if let Some(minute) = minutes.get_mut(index) {
                    each(minute, part);
                }
            }
        }
    }

    /// Energy between counter readings (E1, E5, E6); returns the time they cover, in order.
    fn lay_counter(&mut self, readings: &[Reading]) -> Vec<Span> {
        // A counter stands at the end of its sample; of several there the shorter interval wins.
        let mut standing: Vec<(Ms, Ms, i64)> = readings
            .iter()
            .filter_map(|reading| Some((reading.end, reading.interval, reading.energy_mj?)))
            .collect();
        standing.sort_unstable();
        standing.dedup_by_key(|(at, _, _)| *at);
        let counter: Vec<(Ms, i64)> = standing.into_iter().map(|(at, _, mj)| (at, mj)).collect();
        let mut covered = Vec::new();
        for step in counter::steps(&counter, |a, b| a < b) {
            let total = i128::from(step.after - step.before);
            let length = i128::from(step.to - step.from);
            let until = |at: Ms| {
                round_half_away(total * i128::from(at - step.from), length).unwrap_or(i64::MAX)
            };
            let span = Span::new(step.from, step.to);
            covered.push(span);
            self.minutes(span, |minute, part| {
                let mj = until(part.end) - until(part.start);
                minute.energy_mj = minute.energy_mj.saturating_add(mj);
                minute.energy_ms += part.len();
            });
        }
        covered
    }

    /// Quantities and, where the counter measures nothing, power.
    fn lay_quantities(&mut self, readings: &[Reading], metered: &[Span]) {
        let mut sums = HourSums::default();
        let mut metered = metered;
        each_stretch(readings, |stretch, covering| {
            let Some(stretch) = stretch.cut(self.window) else {
                return;
            };
            let mut winners = [None; QUANTITIES];
            for (index, winner) in winners.iter_mut().enumerate() {
                *winner = covering
                    .iter()
                    .find_map(|reading| reading.quantities.get(index).copied().flatten());
            }
            if winners.iter().any(Option::is_some) {
                sums.add(self, stretch, &winners);
            }
            let power = covering
                .iter()
                .find_map(|reading| Some((reading.power_uw?, reading.start)));
            if let Some((power_uw, start)) = power {
                while let [first, rest @ ..] = metered
                    && first.end <= stretch.start
                {
                    metered = rest;
                }
                for span in stretch.without(metered) {
                    self.minutes(span, |minute, part| {
                        let mj = Reading::energy_until(power_uw, start, part.end)
                            - Reading::energy_until(power_uw, start, part.start);
                        minute.energy_mj = minute.energy_mj.saturating_add(mj);
                        minute.energy_ms += part.len();
                    });
                }
            }
        });
        sums.write(self);
    }

    /// Losses and recoveries, in the order of their samples; at one instant the loss has the last word.
    fn lay_faults(&mut self, samples: &[Sample], fault_class: &dyn Fn(&str) -> Option<FaultClass>) {
        let mut news: Vec<(Ms, bool, Ms)> = samples
            .iter()
            .filter_map(|sample| {
                let span = own_span(sample)?;
                let lost = match &sample.fault {
                    Some(code) if fault_class(code) == Some(FaultClass::DeviceLost) => true,
                    Some(_) => return None,
                    None if says_something(sample) => false,
                    None => return None,
                };
                Some((span.start, lost, span.end.max(span.start + 1)))
            })
            .collect();
        news.sort_unstable();
        for (start, lost, end) in news {
            self.minutes(Span::new(start, end), |minute, _| {
                minute.lost |= lost;
                minute.healthy = !lost;
            });
        }
    }
}

/// A sample whose every value was dropped is no sign of health.
fn says_something(sample: &Sample) -> bool {
    Reading::of(sample).is_some_and(|reading| {
        reading.quantities.iter().any(Option::is_some)
            || reading.power_uw.is_some()
            || reading.energy_mj.is_some()
    })
}

/// Calls `each` for every stretch in which the covering samples are the same, with them in order of priority.
fn each_stretch(readings: &[Reading], mut each: impl FnMut(Span, &[Reading])) {
    let mut coming = readings;
    let mut covering: Vec<Reading> = Vec::new();
    let mut at = Ms::MIN;
    loop {
        covering.retain(|reading| reading.end > at);
        while let [first, rest @ ..] = coming
            && (first.start <= at || covering.is_empty())
        {
            at = at.max(first.start);
            let place = covering.partition_point(|other| other.priority() < first.priority());
            covering.insert(place, *first);
            coming = rest;
        }
        let ends = covering.iter().map(|reading| reading.end);
        let starts = coming.first().map(|reading| reading.start);
        let Some(next) = ends.chain(starts).min() else {
            return;
        };
        each(Span::new(at, next), &covering);
        at = next;
    }
}

/// Value × time and time of one minute, by quantity.
#[derive(Clone, Copy, Default)]
struct Sums {
    weighted: [i128; QUANTITIES],
    ms: [Ms; QUANTITIES],
}

/// The sums of the hour the pass is in; written to the board when it leaves it.
#[derive(Default)]
struct HourSums {
    hour: Option<Ms>,
    minutes: Vec<Sums>,
}

impl HourSums {
    fn add(&mut self, board: &mut Board, span: Span, values: &[Option<i64>; QUANTITIES]) {
        for part in span.pieces(0, MINUTE_MS) {
            let hour = part.start.div_euclid(HOUR_MS) * HOUR_MS;
            if self.hour != Some(hour) {
                self.write(board);
                self.hour = Some(hour);
                self.minutes = vec![Sums::default(); MinuteHour::LENGTH];
            }
            let index = usize::try_from((part.start - hour) / MINUTE_MS).unwrap_or(usize::MAX);
            let Some(sums) = self.minutes.get_mut(index) else {
                continue;
            };
            let places = sums.weighted.iter_mut().zip(&mut sums.ms);
            for ((weighted, ms), value) in places.zip(values) {
                if let Some(value) = value {
                    *weighted += i128::from(*value) * i128::from(part.len());
                    *ms += part.len();
                }
            }
        }
    }

    fn write(&mut self, board: &mut Board) {
        let Some(hour) = self.hour.take() else {
            return;
        };
        let sums = &self.minutes;
        let mut index = 0;
        board.minutes(Span::new(hour, hour + HOUR_MS), |minute, _| {
            if let Some(sums) = sums.get(index) {
                sums.write(minute);
            }
            index += 1;
        });
    }
}

impl Sums {
    /// Means, half up; a quantity that covers less of the minute than G is missing, and without G all are.
    fn write(&self, minute: &mut Minute) {
        let mut means = [None; QUANTITIES];
        let [covered_ms, ..] = self.ms;
        if covered_ms == 0 {
            return;
        }
        let sums = self.weighted.iter().zip(&self.ms);
        for (mean, (weighted, ms)) in means.iter_mut().zip(sums) {
            if *ms >= covered_ms {
                *mean = round_half_away(*weighted, i128::from(*ms));
            }
        }
        minute.covered = round_half_away(
            i128::from(covered_ms) * i128::from(WHOLE),
            i128::from(MINUTE_MS),
        )
        .unwrap_or(0);
        [
            minute.g,
            minute.s,
            minute.t,
            minute.d,
            minute.fp32,
            minute.fp64,
            minute.comm,
            minute.host_evidence,
            minute.throttle,
            minute.link_bytes_s,
            minute.mem_used_bytes,
        ] = means;
    }
}

#[cfg(test)]
mod tests;
