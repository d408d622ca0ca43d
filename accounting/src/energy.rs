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
use crate::facts::{Meter, MeterReading, Validity};
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

/// Energy evenly over the time between two readings, as far as the meter is valid and nothing better is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    span: Span,
    /// From reading to reading: what the running total runs along.
    measured: Span,
    /// Over all of `measured`.
    mj: i64,
}

/// One meter's energy over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeterLine {
    pub meter: Id,
    /// When it is valid, and under which meter it hangs then.
    valid: Vec<(Validity, Option<Id>)>,
    /// In order, without overlap.
    stretches: Vec<Stretch>,
}

impl MeterLine {
    /// Compiles the rows of one meter (each until the next begins) and its readings, both in any order: a line for
    /// each place and role it stood in, with a row of that place.
    ///
    /// Readings too far apart are one doubt of their place, numbers too large another.
    #[must_use]
    pub fn by_place<'m>(
        rows: &[&'m Meter],
        readings: &[&MeterReading],
    ) -> Vec<(&'m Meter, Self, Vec<Doubt>)> {
        let mut readings = readings.to_vec();
        readings.sort_by_key(|reading| reading.time);
        readings.dedup_by_key(|reading| reading.time);
        let known = known(&readings);
        let mut places: Vec<(&Meter, Vec<(&Meter, Validity)>)> = Vec::new();
        for (row, valid) in in_force(rows) {
            let same = |other: &Meter| {
                other.role == row.role && other.site == row.site && other.node == row.node
            };
            match places.iter_mut().find(|(place, _)| same(place)) {
                Some((_, rows)) => rows.push((row, valid)),
                None => places.push((row, vec![(row, valid)])),
            }
        }
        let lines = places.into_iter().map(|(place, rows)| {
            let (line, doubts) = Self::new(place, &rows, &known);
            (place, line, doubts)
        });
        lines.collect()
    }

    fn new(place: &Meter, rows: &[(&Meter, Validity)], known: &[Known]) -> (Self, Vec<Doubt>) {
        let mut line = Self {
            meter: place.meter.clone(),
            valid: Vec::new(),
            stretches: Vec::new(),
        };
        let (mut gap_ms, mut lost_ms) = (0, 0);
        for (row, valid) in rows {
            for (measured, spans, kwh) in known {
                let spans: Vec<Span> = spans.iter().filter_map(|s| valid.cut(*s)).collect();
                let ms: Ms = spans.iter().map(|span| span.len()).sum();
                if measured.len() > GAP_MS {
                    gap_ms += ms;
                }
                let kwh = kwh.times(row.multiplier);
                match kwh.and_then(|kwh| kwh.times(MJ_PER_KWH)?.round()) {
                    Some(mj) => line.stretches.extend(spans.into_iter().map(|span| Stretch {
                        span,
                        measured: *measured,
                        mj,
                    })),
                    None => lost_ms += ms,
                }
            }
            line.valid.push((*valid, row.parent.clone()));
        }
        line.stretches.sort_by_key(|stretch| stretch.span);
        let doubts = [
            (DoubtKind::MeterGap, gap_ms),
            (DoubtKind::Overflow, lost_ms),
        ];
        let doubts = doubts.into_iter().filter(|(_, ms)| *ms > 0);
        let doubts = doubts.map(|(kind, ms)| Doubt {
            kind,
            subject: place.meter.clone(),
            site: Some(place.site.clone()),
            amount: None,
            ms,
            detail: String::new(),
        });
        (line, doubts.collect())
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
            sum = sum.checked_add(stretch.until(end)?.checked_sub(stretch.until(at)?)?)?;
            at = end;
        }
        (at >= span.end && !span.is_empty()).then_some(sum)
    }

    /// The rows valid somewhere in `span`, as their parents; empty when the meter is not there at all.
    fn parents(&self, span: Span) -> impl Iterator<Item = Option<&Id>> {
        self.valid
            .iter()
            .filter(move |(valid, _)| valid.cut(span).is_some())
            .map(|(_, parent)| parent.as_ref())
    }
}

impl Stretch {
    /// Whole milli-joules from the reading before to `at`.
    fn until(&self, at: Ms) -> Option<i64> {
        let passed = i128::from(at - self.measured.start);
        round_half_away(
            i128::from(self.mj) * passed,
            i128::from(self.measured.len()),
        )
    }
}

/// Each row with its validity, which ends where the next row of the meter begins.
fn in_force<'m>(rows: &[&'m Meter]) -> Vec<(&'m Meter, Validity)> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|row| row.valid.from);
    let next = rows.iter().skip(1).map(|row| row.valid.from);
    let next: Vec<Option<Ms>> = next.chain([None]).collect();
    let ends = rows.iter().zip(next).map(|(row, next)| {
        let to = match (row.valid.to, next) {
            (Some(to), Some(next)) => Some(to.min(next)),
            (to, next) => to.or(next),
        };
        let from = row.valid.from;
        (*row, Validity { from, to })
    });
    ends.collect()
}

/// From reading to reading, the parts of it to be used, and the kilowatt-hours of the whole before the multiplier.
type Known = (Span, Vec<Span>, Rational);

/// The counter within its epochs, and mean kilowatts since the reading before where no counter says.
fn known(readings: &[&MeterReading]) -> Vec<Known> {
    let counter: Vec<(Ms, Rational)> = readings
        .iter()
        .filter_map(|reading| Some((reading.time, reading.kwh?)))
        .collect();
    let less = |a: Rational, b: Rational| a.compare(b).is_some_and(std::cmp::Ordering::is_lt);
    let mut known: Vec<Known> = steps(&counter, less)
        .filter_map(|step| {
            let span = Span::new(step.from, step.to);
            let before = Rational {
                num: step.before.num.checked_neg()?,
                den: step.before.den,
            };
            Some((span, vec![span], step.after.plus(before)?))
        })
        .collect();
    let counted: Vec<Span> = known.iter().map(|(span, _, _)| *span).collect();
    let mut counted = counted.as_slice();
    for pair in readings.windows(2) {
        let [before, reading] = pair else { continue };
        let span = Span::new(before.time, reading.time);
        while let [first, rest @ ..] = counted
            && first.end <= span.start
        {
            counted = rest;
        }
        let hours = Rational::new(i128::from(span.len()), i128::from(HOUR_MS));
        if let (Some(kw), Some(hours)) = (reading.kw, hours)
            && let Some(kwh) = kw.times(hours)
        {
            known.push((span, span.without(counted), kwh));
        }
    }
    known
}

/// The meters of one place in one role: of a site's facility or IT, or of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meters {
    pub lines: Vec<MeterLine>,
}

impl Meters {
    /// Milli-joules of `span` over one cut of the meter tree (E5): meters whose parent is among those valid then do
    /// not count again. `None` when no meter is valid, or one that counts does not cover all of `span`.
    #[must_use]
    pub fn energy_mj(&self, span: Span) -> Option<i64> {
        let is_there = |meter: &Id| {
            let mut same = self.lines.iter().filter(|line| line.meter == *meter);
            same.any(|line| line.parents(span).next().is_some())
        };
        let counts = |line: &&MeterLine| {
            let mut parents = line.parents(span).peekable();
            parents.peek().is_some() && !parents.flatten().any(is_there)
        };
        let mut counted = self.lines.iter().filter(counts).peekable();
        counted.peek()?;
        counted.try_fold(0i64, |sum, line| sum.checked_add(line.energy_mj(span)?))
    }
}

/// Facility ÷ IT energy of an hour where both are metered throughout, else the configured default (E7).
///
/// A ratio below 1 is a data error: a doubt, and the default stands in.
#[must_use]
pub fn pue(
    facility: &Meters,
    it: &Meters,
    hour: Span,
    default: Option<Rational>,
) -> (Option<Rational>, PueQuality, Option<DoubtKind>) {
    let fallback = |doubt| match default {
        Some(ratio) => (Some(ratio), PueQuality::Default, doubt),
        None => (None, PueQuality::Unknown, doubt),
    };
    let (Some(facility), Some(it)) = (facility.energy_mj(hour), it.energy_mj(hour)) else {
        return fallback(None);
    };
    match Rational::new(i128::from(facility), i128::from(it)) {
        Some(ratio) if it > 0 && facility >= it => (Some(ratio), PueQuality::Metered, None),
        Some(_) if it > 0 => fallback(Some(DoubtKind::PueBelowOne)),
        _ => fallback(None),
    }
}

#[cfg(test)]
mod tests;
