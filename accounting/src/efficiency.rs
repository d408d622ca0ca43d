//! Ratios of sums that say how they are known: tokens per yuan, FLOP per joule, model FLOPs utilisation.
//!
//! A ratio is never a mean of ratios, and a denominator of 0 is "not available". An unknown chip or precision has no
//! peak: nothing stands in for it (docs/accounting.md, "Efficiency"). FLOPs are `f64`, money and tokens are not.
#![allow(
    clippy::float_arithmetic,
    reason = "FLOPs are floats by rule; no money or token passes through one"
)]

use chrono::NaiveDate;

use crate::facts::{Device, DeviceModel, Precision, Work};
use crate::money::{MICRO_PER_YUAN, Micro};
use crate::quantity::Rational;
use crate::split::apportion_small;
use crate::time::{Ms, Span, Zone, day_of, day_span, days};

/// Kinds of tokens, each with its own figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// Trained on, without the share of replayed steps.
    Trained,
    /// Prompt tokens computed, without cache hits.
    Prompt,
    /// Prompt tokens answered from a cache.
    Cached,
    Generated,
}

/// How many kinds there are: the length of vectors by kind.
pub const TOKEN_KINDS: usize = 4;

impl TokenKind {
    pub const ALL: [Self; TOKEN_KINDS] =
        [Self::Trained, Self::Prompt, Self::Cached, Self::Generated];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trained => "trained",
            Self::Prompt => "prompt",
            Self::Cached => "cached",
            Self::Generated => "generated",
        }
    }

    /// Its place in [`Self::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Trained => 0,
            Self::Prompt => 1,
            Self::Cached => 2,
            Self::Generated => 3,
        }
    }

    /// The tokens a work row reports of this kind; trained ones net of the replayed share, half away from zero.
    #[must_use]
    pub fn of(self, work: &Work) -> Option<i64> {
        match self {
            Self::Trained => net_trained(work),
            Self::Prompt => work.tokens_prompt,
            Self::Cached => work.tokens_cached,
            Self::Generated => work.tokens_generated,
        }
    }
}

fn net_trained(work: &Work) -> Option<i64> {
    let gross = work.tokens_trained?;
    let (Some(steps), Some(replayed)) = (work.steps.filter(|s| *s > 0), work.replayed_steps) else {
        return Some(gross);
    };
    let kept = steps.saturating_sub(replayed.clamp(0, steps));
    Rational::whole(gross)
        .times(Rational::new(i128::from(kept), i128::from(steps))?)?
        .round()
}

/// Work done; `None` where nothing reports the quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Done {
    /// By [`TokenKind`].
    pub tokens: [Option<i64>; TOKEN_KINDS],
    /// FLOPs of the model as such, without recomputation.
    pub model_flops: Option<f64>,
}

impl Done {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the part of a work row that falls on the ledger day: apportioned over the row's days by overlap.
    pub fn add(&mut self, row: &Work, zone: Zone, day: NaiveDate) {
        for (sum, kind) in self.tokens.iter_mut().zip(TokenKind::ALL) {
            if let Some(total) = kind.of(row) {
                let part = part_of_day(total, row.span, zone, day);
                *sum = Some(sum.unwrap_or(0).saturating_add(part));
            }
        }
        if let Some(flops) = row.model_flops {
            let overlap = day_span(zone, day).cut(row.span).map_or(0, Span::len);
            let part = flops_part(flops, overlap, row.span.len());
            self.model_flops = Some(plus_flops(self.model_flops, part));
        }
    }

    /// Parts in proportion to `weights`; tokens sum to the whole exactly. `None` when every weight is 0.
    #[must_use]
    pub fn divided(&self, weights: &[u64]) -> Option<Vec<Self>> {
        let whole: u64 = weights.iter().sum();
        if whole == 0 {
            return None;
        }
        let mut parts = vec![Self::default(); weights.len()];
        for kind in TokenKind::ALL {
            let total = self.tokens.get(kind.index()).copied().flatten();
            let Some(split) = total.and_then(|total| apportion_small(total, weights)) else {
                continue;
            };
            for (part, tokens) in parts.iter_mut().zip(split) {
                if let Some(slot) = part.tokens.get_mut(kind.index()) {
                    *slot = Some(tokens);
                }
            }
        }
        for (part, weight) in parts.iter_mut().zip(weights) {
            let flops = self.model_flops;
            part.model_flops = flops.map(|flops| flops_part(flops, signed(*weight), signed(whole)));
        }
        Some(parts)
    }
}

fn signed(weight: u64) -> i64 {
    i64::try_from(weight).unwrap_or(i64::MAX)
}

/// The part of `total` on one ledger day of `span`; the parts of all its days sum to the total.
fn part_of_day(total: i64, span: Span, zone: Zone, day: NaiveDate) -> i64 {
    let first = day_of(zone, span.start);
    let last = day_of(zone, span.end.saturating_sub(1).max(span.start));
    if first == last {
        return if day == first { total } else { 0 };
    }
    let after = last.succ_opt().unwrap_or(last);
    let covered: Vec<NaiveDate> = days(first, after).collect();
    let spans: Vec<Span> = covered.iter().map(|day| day_span(zone, *day)).collect();
    let place = covered.iter().position(|covered| *covered == day);
    place
        .and_then(|place| by_overlap(total, span, &spans).get(place).copied())
        .unwrap_or(0)
}

/// A total of a work row by days, in proportion to overlap; the parts sum to the total. `days` must cover the span.
#[must_use]
pub fn by_overlap(total: i64, span: Span, days: &[Span]) -> Vec<i64> {
    let weights: Vec<u64> = days
        .iter()
        .map(|day| day.cut(span).map_or(0, |both| both.len().unsigned_abs()))
        .collect();
    apportion_small(total, &weights).unwrap_or_else(|| vec![0; days.len()])
}

/// Tokens ÷ yuan in millionths; `None` without a positive cost.
#[must_use]
pub fn tokens_per_yuan(tokens: i64, cost: Micro) -> Option<i64> {
    let scaled = i128::from(tokens).checked_mul(i128::from(MICRO_PER_YUAN))?;
    Rational::new(scaled, i128::from(cost))
        .filter(|_| cost > 0)?
        .scaled(6)
}

/// Full cost of work whose direct cost is `direct`: direct × (the project's cost after allocation ÷ its direct cost),
/// in whole micro-yuan; `None` where the project has no direct cost.
#[must_use]
pub fn full_cost(direct: Micro, project_full: Micro, project_direct: Micro) -> Option<Micro> {
    let factor = Rational::new(i128::from(project_full), i128::from(project_direct))?;
    Rational::whole(direct).times(factor)?.round()
}

/// Dense peak of a whole device at a precision, FLOP/s (OP/s for integers); `None` when the model's table has none.
#[must_use]
pub fn peak_flops(model: &DeviceModel, precision: Precision) -> Option<f64> {
    let tera = match precision {
        Precision::Bf16 => model.peak_bf16_tflops,
        Precision::Fp16 => model.peak_fp16_tflops,
        Precision::Fp8 => model.peak_fp8_tflops,
        Precision::Int8 => model.peak_int8_tops,
        Precision::Tf32 => model.peak_tf32_tflops,
        Precision::Fp32 => model.peak_fp32_tflops,
        Precision::Fp64 => model.peak_fp64_tflops,
    };
    let peak = tera?.times(Rational::whole(1_000_000_000_000))?;
    Some(float(peak.num) / float(peak.den))
}

/// What a device could compute in `ms` at most, FLOP. A slice has no peak of its own: how much of its parent's it can
/// reach depends on what runs beside it.
#[must_use]
pub fn possible_flops(
    device: &Device,
    model: Option<&DeviceModel>,
    precision: Option<Precision>,
    ms: Ms,
) -> Option<f64> {
    if device.parent.is_some() {
        return None;
    }
    Some(peak_flops(model?, precision?)? * float(i128::from(ms)) / 1000.0)
}

/// Model FLOPs ÷ the FLOPs the devices could do in the time they were held.
#[must_use]
pub fn mfu(model_flops: f64, possible_flops: f64) -> Option<f64> {
    quotient(model_flops, possible_flops)
}

/// Model FLOPs ÷ energy; the same number as FLOP/s per watt.
#[must_use]
pub fn flop_per_joule(model_flops: f64, energy_mwh: i64) -> Option<f64> {
    const JOULES_PER_MWH: f64 = 3.6;
    quotient(model_flops, float(i128::from(energy_mwh)) * JOULES_PER_MWH)
}

/// `sum + part`, where nothing and nothing is still nothing.
#[must_use]
pub fn plus_flops(sum: Option<f64>, part: f64) -> f64 {
    sum.unwrap_or(0.0) + part
}

fn quotient(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0)
        .then(|| part / whole)
        .filter(|ratio| ratio.is_finite())
}

fn flops_part(flops: f64, part: i64, whole: i64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    flops * (float(i128::from(part)) / float(i128::from(whole)))
}

#[allow(
    clippy::as_conversions,
    reason = "FLOPs are floats by rule; what they are counted over fits 53 bits"
)]
fn float(value: i128) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may")]
    use super::*;
    use crate::facts::Validity;
    use crate::ids::Id;
    use crate::quantity::decimal;
    use proptest::prelude::*;

    fn work() -> Work {
        Work {
            workload: Id::from("w"),
            attempt: None,
            span: Span::new(0, 100),
            tokens_trained: Some(1_000),
            tokens_prompt: Some(7),
            tokens_cached: None,
            tokens_generated: Some(3),
            samples: None,
            steps: Some(10),
            replayed_steps: Some(3),
            model_flops: None,
        }
    }

    #[test]
    fn replayed_steps_are_taken_off_once() {
        let check = |steps, replayed_steps, expected| {
            let row = Work {
                steps,
                replayed_steps,
                ..work()
            };
            assert_eq!(TokenKind::Trained.of(&row), Some(expected));
        };
        check(Some(10), Some(3), 700);
        check(None, Some(3), 1_000);
        check(Some(0), Some(3), 1_000);
        check(Some(10), None, 1_000);
        check(Some(10), Some(99), 0);
        check(Some(10), Some(-1), 1_000);
        assert_eq!(TokenKind::Cached.of(&work()), None);
    }

    #[test]
    fn days_sum_to_the_row() {
        let days = [Span::new(-50, 30), Span::new(30, 60), Span::new(60, 200)];
        assert_eq!(by_overlap(1_001, Span::new(0, 100), &days), [300, 300, 401]);
    }

    #[test]
    fn a_row_over_midnight_is_shared_by_its_days() {
        let zone = Zone::Asia__Shanghai;
        let day: NaiveDate = "2026-07-02".parse().unwrap();
        let midnight = day_span(zone, day).start;
        let row = Work {
            span: Span::new(midnight - 3_000, midnight + 1_000),
            model_flops: Some(8e15),
            ..work()
        };
        let on = |day: NaiveDate| {
            let mut done = Done::default();
            done.add(&row, zone, day);
            (done.tokens, done.model_flops)
        };
        let before = day.pred_opt().unwrap();
        assert_eq!(
            on(before),
            ([Some(525), Some(5), None, Some(2)], Some(6e15))
        );
        assert_eq!(on(day), ([Some(175), Some(2), None, Some(1)], Some(2e15)));
    }

    #[test]
    fn ratios_are_of_sums_and_never_of_nothing() {
        assert_eq!(
            tokens_per_yuan(9_000_000, 4_500_000),
            Some(2_000_000_000_000)
        );
        assert_eq!(tokens_per_yuan(1, 3_000_000), Some(333_333));
        assert_eq!(tokens_per_yuan(5, 0), None);
        assert_eq!(tokens_per_yuan(5, -1), None);
        assert_eq!(full_cost(100, 300, 200), Some(150));
        assert_eq!(full_cost(100, 300, 0), None);
        assert_eq!(flop_per_joule(7.2e12, 1_000), Some(2e9));
        assert_eq!(flop_per_joule(7.2e12, 0), None);
        assert_eq!(mfu(1.0, 0.0), None);
        assert_eq!(mfu(1.0, 4.0), Some(0.25));
    }

    fn model() -> DeviceModel {
        DeviceModel {
            model: Id::from("X"),
            aliases: Vec::new(),
            vendor: String::new(),
            memory_gib: None,
            tdp_w: None,
            idle_w: None,
            peak_bf16_tflops: decimal("989").ok(),
            peak_fp16_tflops: None,
            peak_fp8_tflops: None,
            peak_int8_tops: None,
            peak_tf32_tflops: None,
            peak_fp32_tflops: None,
            peak_fp64_tflops: None,
            mem_bw_gbps: None,
            slices: None,
            source: String::new(),
            confidence: String::new(),
        }
    }

    #[test]
    fn an_unknown_peak_has_no_stand_in() {
        // Other products took an A100's peak for unknown chips and showed 563 %.
        assert_eq!(peak_flops(&model(), Precision::Bf16), Some(989e12));
        assert_eq!(peak_flops(&model(), Precision::Fp8), None);
        let mut device = Device {
            device: Id::from("d"),
            node: Id::from("n"),
            slot: String::new(),
            model: Id::from("X"),
            parent: None,
            slice: None,
            slice_weight: None,
            valid: Validity::default(),
        };
        let possible =
            |device: &Device, model, precision| possible_flops(device, model, precision, 2_000);
        let known = model();
        let bf16 = Some(Precision::Bf16);
        assert_eq!(possible(&device, Some(&known), bf16), Some(1978e12));
        assert_eq!(possible(&device, None, bf16), None);
        assert_eq!(possible(&device, Some(&known), None), None);
        device.parent = Some(Id::from("p"));
        assert_eq!(possible(&device, Some(&known), bf16), None);
    }

    proptest! {
        #[test]
        fn divided_work_sums_to_the_whole(
            tokens in prop::array::uniform4(prop::option::of(0i64..1_000_000_000_000)),
            weights in prop::collection::vec(0u64..86_400_000, 1..20),
        ) {
            let done = Done { tokens, model_flops: Some(1e20) };
            match done.divided(&weights) {
                None => prop_assert!(weights.iter().all(|weight| *weight == 0)),
                Some(parts) => {
                    for (index, total) in tokens.iter().enumerate() {
                        let sum = parts.iter().filter_map(|part| part.tokens[index]).sum::<i64>();
                        prop_assert_eq!(sum, total.unwrap_or(0));
                    }
                    let flops: f64 = parts.iter().filter_map(|part| part.model_flops).sum();
                    prop_assert!((flops / 1e20 - 1.0).abs() < 1e-9);
                }
            }
        }
    }
}
