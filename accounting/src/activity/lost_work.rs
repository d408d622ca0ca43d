//! Rung 3, lost work, as far as work rows prove it: replayed steps (evidence L1), and an attempt that ended badly
//! without a single step (a failed launch).
//!
//! The replayed share is replayed ÷ steps of the work row that covers the time, in 1e-4 half up. States alone
//! (evidence L3) book nothing.

use crate::category::Reason;
use crate::facts::{Work, Workload, WorkloadState};
use crate::money::round_half_away;
use crate::quantity::{Fraction, WHOLE};
use crate::time::Span;

/// A span of a workload whose time counts as lost, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    pub span: Span,
    pub share: Fraction,
    pub reason: Reason,
}

/// Lost spans of one workload from its own work rows, in the rows' order.
#[must_use]
pub fn lost(workload: &Workload, work: &[&Work]) -> Vec<Lost> {
    if let Some(span) = failed_launch(workload, work) {
        return vec![Lost {
            span,
            share: WHOLE,
            reason: Reason::FailedLaunch,
        }];
    }
    work.iter()
        .filter_map(|row| {
            let share = replayed_share(row)?;
            (share > 0).then_some(Lost {
                span: row.span,
                share,
                reason: Reason::Replayed,
            })
        })
        .collect()
}

/// Replayed ÷ steps, limited to the whole; `None` where either is missing or there was no step.
#[must_use]
pub fn replayed_share(row: &Work) -> Option<Fraction> {
    let steps = row.steps.filter(|steps| *steps > 0)?;
    let replayed = row.replayed_steps?.clamp(0, steps);
    let scaled = i128::from(replayed).checked_mul(i128::from(WHOLE))?;
    round_half_away(scaled, i128::from(steps))
}

fn failed_launch(workload: &Workload, work: &[&Work]) -> Option<Span> {
    let bad = matches!(
        workload.state,
        WorkloadState::Failed
            | WorkloadState::Preempted
            | WorkloadState::NodeFail
            | WorkloadState::Timeout
    );
    let ended = workload.ended?;
    let counted = work.iter().filter(|row| row.attempt == workload.attempt);
    let steps: Option<Vec<i64>> = counted.map(|row| row.steps).collect();
    let none = steps.is_some_and(|steps| !steps.is_empty() && steps.iter().all(|s| *s == 0));
    (bad && none).then_some(Span {
        start: workload.started,
        end: ended,
    })
}
