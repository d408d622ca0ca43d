//! Ratios of sums that say how they are known: tokens per yuan, FLOP per joule, model FLOPs utilisation.
//!
//! A ratio is never a mean of ratios, and a denominator of 0 is "not available". An unknown chip or precision has no
//! peak: nothing stands in for it (ACCOUNTING, section 8; EFFICIENCY, section 3).

use crate::facts::{DeviceModel, Precision, Work};
use crate::money::{MICRO_PER_YUAN, Micro};
use crate::quantity::Rational;
use crate::split::apportion_small;
use crate::time::Span;

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

impl TokenKind {
    pub const ALL: [Self; 4] = [Self::Trained, Self::Prompt, Self::Cached, Self::Generated];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trained => "trained",
            Self::Prompt => "prompt",
            Self::Cached => "cached",
            Self::Generated => "generated",
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

/// A total of a work row by days, in proportion to overlap; the parts sum to the total. `days` must cover the span.
#[must_use]
pub fn by_overlap(total: i64, span: Span, days: &[Span]) -> Vec<i64> {
    let weights: Vec<u64> = days
        .iter()
        .map(|day| day.cut(span).map_or(0, |both| both.len().unsigned_abs()))
        .collect();
    apportion_small(total, &weights).unwrap_or_else(|| vec![0; days.len()])
}

/// Tokens ÷ yuan; `None` without cost.
#[must_use]
pub fn tokens_per_yuan(tokens: i64, cost: Micro) -> Option<Rational> {
    let scaled = i128::from(tokens).checked_mul(i128::from(MICRO_PER_YUAN))?;
    Rational::new(scaled, i128::from(cost)).filter(|_| cost > 0)
}

/// Full cost of work whose direct cost is `direct`: direct × (the project's cost after allocation ÷ its direct cost).
#[must_use]
pub fn full_cost(direct: Micro, project_full: Micro, project_direct: Micro) -> Option<Rational> {
    Rational::whole(direct).times(Rational::new(
        i128::from(project_full),
        i128::from(project_direct),
    )?)
}

/// Dense peak of one device at a precision, FLOP/s; `None` when the model's table has none.
#[must_use]
pub fn peak_flops(model: &DeviceModel, precision: Precision) -> Option<Rational> {
    let tera = match precision {
        Precision::Bf16 => model.peak_bf16_tflops,
        Precision::Fp16 => model.peak_fp16_tflops,
        Precision::Fp8 => model.peak_fp8_tflops,
        Precision::Int8 => model.peak_int8_tops,
        Precision::Tf32 => model.peak_tf32_tflops,
        Precision::Fp32 => model.peak_fp32_tflops,
        Precision::Fp64 => model.peak_fp64_tflops,
    };
    tera?.times(Rational {
        num: 1_000_000_000_000,
        den: 1,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;
    use crate::ids::Id;
    use crate::quantity::decimal;

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
        assert_eq!(TokenKind::Trained.of(&work()), Some(700));
        assert_eq!(
            TokenKind::Trained.of(&Work {
                steps: None,
                ..work()
            }),
            Some(1_000)
        );
        assert_eq!(
            TokenKind::Trained.of(&Work {
                steps: Some(0),
                ..work()
            }),
            Some(1_000)
        );
        assert_eq!(
            TokenKind::Trained.of(&Work {
                replayed_steps: Some(99),
                ..work()
            }),
            Some(0)
        );
        assert_eq!(TokenKind::Cached.of(&work()), None);
    }

    #[test]
    fn days_sum_to_the_row() {
        let days = [Span::new(-50, 30), Span::new(30, 60), Span::new(60, 200)];
        assert_eq!(by_overlap(1_001, Span::new(0, 100), &days), [300, 300, 401]);
    }

    #[test]
    fn ratios_are_of_sums_and_never_of_nothing() {
        assert_eq!(
            tokens_per_yuan(9_000_000, 4_500_000),
            Some(Rational::whole(2_000_000))
        );
        assert_eq!(tokens_per_yuan(5, 0), None);
        assert_eq!(tokens_per_yuan(5, -1), None);
        assert_eq!(full_cost(100, 300, 200), Some(Rational::whole(150)));
        assert_eq!(full_cost(100, 300, 0), None);
    }

    #[test]
    fn an_unknown_peak_has_no_stand_in() {
        // PITFALLS, efficiency 20: unknown chips took an A100's peak and showed 563 %.
        let model = DeviceModel {
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
        };
        assert_eq!(
            peak_flops(&model, Precision::Bf16),
            Some(Rational::whole(989_000_000_000_000))
        );
        assert_eq!(peak_flops(&model, Precision::Fp8), None);
    }
}
