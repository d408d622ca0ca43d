//! Meters as energy over time, and the PUE of an hour.
//!
//! A counter is linear between readings up to two hours apart, longer evenly and flagged; one low reading followed by
//! one at or above the old value is a dip, otherwise a new epoch begins (rule E5). Energy is whole milli-joules by
//! running total from reading to reading (E6); PUE is a ratio of two such sums (E7).
#![allow(
    clippy::arithmetic_side_effects,
    reason = "milli-joules of a meter stay below 2^63 (checked on entry) and spans below 2^53 ms"
)]

use crate::books::{Doubt, DoubtKind, PueQuality};
use crate::counter::steps;
use crate::facts::{Meter, MeterReading};
use crate::ids::Id;
use crate::money::round_half_away;
use crate::quantity::Rational;
use crate::time::{HOUR_MS, Ms, Span};

/// Readings further apart than this are a gap.
const GAP_MS: Ms = 2 * HOUR_MS;

/// Milli-joules in a kilowatt-hour.
const MJ_PER_KWH: Rational = Rational {
    num: 3_600_000_000,
    den: 1,
};

/// A stretch between two readings, its energy evenly over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    span: Span,
    mj: i64,
}

/// One meter's energy over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeterLine {
    pub meter: Id,
    parent: Option<Id>,
    /// In order, without overlap.
    stretches: Vec<Stretch>,
}

impl MeterLine {
    /// Compiles a meter from its readings, sorted by time.
    #[must_use]
    pub fn new(meter: &Meter, readings: &[&MeterReading]) -> (Self, Vec<Doubt>) {
        let mut line = Self {
            meter: meter.meter.clone(),
            parent: meter.parent.clone(),
            stretches: Vec::new(),
        };
        let mut doubts = Vec::new();
        let counted: Vec<(Ms, Rational)> = readings
            .iter()
            .filter_map(|r| Some((r.time, r.kwh?)))
            .collect();
        let mut stretches: Vec<(Span, Rational)> = counter_stretches(&counted);
        stretches.extend(mean_stretches(readings, &stretches));
        stretches.sort_by_key(|(span, _)| *span);
        for (span, kwh) in stretches {
            let Some(valid) = meter.valid.cut(span).filter(|valid| *valid == span) else {
                continue;
            };
            let mj = kwh
                .times(meter.multiplier)
                .and_then(|kwh| kwh.times(MJ_PER_KWH))
                .and_then(Rational::round);
            match mj {
                Some(mj) => line.stretches.push(Stretch { span: valid, mj }),
                None => doubts.push(line.doubt(meter, DoubtKind::Overflow, span.len())),
            }
            if span.len() > GAP_MS {
                doubts.push(line.doubt(meter, DoubtKind::MeterGap, span.len()));
            }
        }
        (line, doubts)
    }

    fn doubt(&self, meter: &Meter, kind: DoubtKind, ms: Ms) -> Doubt {
        let site = Some(meter.site.clone());
        Doubt {
            kind,
            subject: self.meter.clone(),
            site,
            amount: None,
            ms,
            detail: String::new(),
        }
    }

    /// Milli-joules of `span`, by running total along each stretch; `None` unless readings cover all of it.
    #[must_use]
    pub fn energy_mj(&self, span: Span) -> Option<i64> {
        let mut at = span.start;
        let mut sum = 0i64;
        let first = self.stretches.partition_point(|s| s.span.end <= span.start);
        for stretch in self
            .stretches
            .iter()
            .skip(first)
            .take_while(|s| s.span.start < span.end)
        {
            if stretch.span.start > at {
                return None;
            }
            let end = stretch.span.end.min(span.end);
            sum = sum.checked_add(stretch.until(end)? - stretch.until(at)?)?;
            at = end;
        }
        (at >= span.end && !span.is_empty()).then_some(sum)
    }
}

impl Stretch {
    /// Whole milli-joules from the stretch's start to `at`.
    fn until(&self, at: Ms) -> Option<i64> {
        let passed = i128::from(at - self.span.start);
        round_half_away(i128::from(self.mj) * passed, i128::from(self.span.len()))
    }
}

/// Kilowatt-hours between readings of a counter, within its epochs.
fn counter_stretches(readings: &[(Ms, Rational)]) -> Vec<(Span, Rational)> {
    let less = |a: Rational, b: Rational| a.compare(b).is_some_and(std::cmp::Ordering::is_lt);
    let grown = |step: crate::counter::Step<Rational>| {
        let minus = Rational {
            num: -step.before.num,
            den: step.before.den,
        };
        step.after
            .plus(minus)
            .map(|kwh| (Span::new(step.from, step.to), kwh))
    };
    steps(readings, less).filter_map(grown).collect()
}

/// Mean kilowatts since the reading before, where no counter covers the stretch.
fn mean_stretches(
    readings: &[&MeterReading],
    counted: &[(Span, Rational)],
) -> Vec<(Span, Rational)> {
    let mut out = Vec::new();
    for pair in readings.windows(2) {
        let [before, reading] = pair else { continue };
        let span = Span::new(before.time, reading.time);
        let covered = counted.iter().any(|(known, _)| known.cut(span).is_some());
        let hours = Rational::new(i128::from(span.len()), i128::from(HOUR_MS));
        if let (Some(kw), Some(hours), false, false) = (reading.kw, hours, covered, span.is_empty())
            && let Some(kwh) = kw.times(hours)
        {
            out.push((span, kwh));
        }
    }
    out
}

/// One cut of the meter tree: meters whose parent is among them do not count again.
fn cut(lines: &[MeterLine]) -> Vec<&MeterLine> {
    let inside = |line: &&MeterLine| {
        line.parent
            .as_ref()
            .is_none_or(|p| !lines.iter().any(|l| l.meter == *p))
    };
    lines.iter().filter(inside).collect()
}

/// Facility ÷ IT energy of an hour where both are metered throughout, else the configured default (E7).
///
/// A ratio below 1 is a data error: a doubt, and the default stands in.
#[must_use]
pub fn pue(
    facility: &[MeterLine],
    it: &[MeterLine],
    hour: Span,
    default: Option<Rational>,
) -> (Option<Rational>, PueQuality, Option<DoubtKind>) {
    let fallback = |doubt| match default {
        Some(ratio) => (Some(ratio), PueQuality::Default, doubt),
        None => (None, PueQuality::Unknown, doubt),
    };
    let sum = |lines: &[MeterLine]| {
        let counted = cut(lines);
        if counted.is_empty() {
            return None;
        }
        counted
            .iter()
            .try_fold(0i64, |sum, line| sum.checked_add(line.energy_mj(hour)?))
    };
    let (Some(facility), Some(it)) = (sum(facility), sum(it)) else {
        return fallback(None);
    };
    match Rational::new(i128::from(facility), i128::from(it)) {
        Some(ratio) if it > 0 && facility >= it => (Some(ratio), PueQuality::Metered, None),
        Some(_) if it > 0 => fallback(Some(DoubtKind::PueBelowOne)),
        _ => fallback(None),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;
    use crate::facts::{MeterRole, Validity};
    use crate::quantity::decimal;
    use crate::time::MINUTE_MS;

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

    fn line(name: &str, parent: Option<&str>, readings: &[(i64, &str)]) -> (MeterLine, Vec<Doubt>) {
        let rows: Vec<MeterReading> = readings
            .iter()
            .map(|(hours, kwh)| MeterReading {
                meter: Id::from(name),
                time: hours * HOUR_MS,
                kwh: Some(decimal(kwh).unwrap()),
                kw: None,
            })
            .collect();
        MeterLine::new(&meter(name, parent), &rows.iter().collect::<Vec<_>>())
    }

    fn hour(k: i64) -> Span {
        Span::new(k * HOUR_MS, (k + 1) * HOUR_MS)
    }

    #[test]
    fn counters_have_epochs_and_gaps_are_flagged() {
        // E5: 3 is a dip, 0.5 begins a new epoch.
        let (meter, doubts) = line(
            "m",
            None,
            &[
                (0, "10"),
                (1, "11"),
                (2, "3"),
                (3, "13"),
                (4, "0.5"),
                (5, "1.5"),
                (9, "5.5"),
            ],
        );
        assert_eq!(meter.energy_mj(hour(0)), Some(360_000_000_000));
        assert_eq!(meter.energy_mj(hour(1)), Some(360_000_000_000));
        assert_eq!(meter.energy_mj(hour(3)), None);
        assert_eq!(meter.energy_mj(hour(4)), Some(360_000_000_000));
        assert_eq!(meter.energy_mj(hour(7)), Some(360_000_000_000));
        assert_eq!(
            doubts.iter().map(|d| d.kind).collect::<Vec<_>>(),
            [DoubtKind::MeterGap]
        );
    }

    #[test]
    fn minutes_sum_to_their_stretch() {
        // E6: running total, so that sixty roundings do not add up to a difference.
        let (meter, _) = line("m", None, &[(0, "0"), (1, "0.0000000123")]);
        let minutes = (0..60).map(|k| Span::new(k * MINUTE_MS, (k + 1) * MINUTE_MS));
        let sum: i64 = minutes.map(|span| meter.energy_mj(span).unwrap()).sum();
        assert_eq!(Some(sum), meter.energy_mj(hour(0)));
        assert_eq!(sum, 4428);
    }

    #[test]
    fn pue_is_a_ratio_of_sums_over_one_cut() {
        let default = Some(decimal("1.4").unwrap());
        let facility = [
            line("f", None, &[(0, "0"), (1, "3.9")]).0,
            line("g", Some("f"), &[(0, "0"), (1, "2")]).0,
        ];
        let it = [line("i", None, &[(0, "0"), (1, "3")]).0];
        // E7: the sub-meter of the same role does not count twice.
        assert_eq!(
            pue(&facility, &it, hour(0), default),
            (decimal("1.3").ok(), PueQuality::Metered, None)
        );
        assert_eq!(
            pue(&facility, &it, hour(1), default),
            (default, PueQuality::Default, None)
        );
        assert_eq!(
            pue(&it, &facility, hour(0), None),
            (None, PueQuality::Unknown, Some(DoubtKind::PueBelowOne))
        );
        assert_eq!(
            pue(&[], &it, hour(0), None),
            (None, PueQuality::Unknown, None)
        );
    }
}
