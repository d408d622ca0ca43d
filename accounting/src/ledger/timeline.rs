//! A device's day cut where anything changes: who holds it, its node's state, whether the scheduler was read.
//!
//! Between two cuts nothing changes, so work follows events, not minutes.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "instants far from the limits of i64; share sums below 2^40"
)]

use super::index::{DeviceEntry, NodeEntry};
use crate::books::{Doubt, DoubtKind};
use crate::facts::{NodeState, State};
use crate::ids::Id;
use crate::quantity::SHARE_UNITS;
use crate::split::apportion_small;
use crate::time::{Ms, Span};

/// Who holds a device over a span, in share units; sums to at most the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldSpan {
    pub span: Span,
    /// (workload index, share units), by index.
    pub holders: Vec<(usize, i64)>,
    /// The declared shares exceeded the device and were divided by their sum.
    pub oversold: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StateSpan {
    pub span: Span,
    pub state: State,
}

/// Sorted spans without overlap.
pub(crate) fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.is_empty());
    spans.sort_unstable();
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => out.push(span),
        }
    }
    out
}

/// Placements of one device as (span, workload, units): rows of one workload merged by the largest share at an
/// instant, then shares above the whole divided by their sum.
pub(crate) fn held_spans(placed: &[(Span, usize, i64)]) -> Vec<HeldSpan> {
    let mut cuts: Vec<Ms> = placed
        .iter()
        .flat_map(|(span, _, _)| [span.start, span.end])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut sorted: Vec<&(Span, usize, i64)> = placed.iter().collect();
    sorted.sort_unstable_by_key(|(span, _, _)| span.start);
    let mut active: Vec<&(Span, usize, i64)> = Vec::new();
    let mut next = sorted.into_iter().peekable();
    let mut out: Vec<HeldSpan> = Vec::new();
    for pair in cuts.windows(2) {
        let [start, end] = pair else { continue };
        active.retain(|(span, _, _)| span.end > *start);
        while let Some(row) = next.next_if(|(span, _, _)| span.start <= *start) {
            active.push(row);
        }
        let mut holders: Vec<(usize, i64)> = Vec::with_capacity(active.len());
        for (_, workload, units) in &active {
            match holders.iter_mut().find(|(w, _)| w == workload) {
                Some((_, most)) => *most = (*most).max(*units),
                None => holders.push((*workload, *units)),
            }
        }
        holders.retain(|(_, units)| *units > 0);
        if holders.is_empty() {
            continue;
        }
        holders.sort_unstable();
        let oversold = limit(&mut holders);
        match out.last_mut() {
            Some(last)
                if last.span.end == *start
                    && last.holders == holders
                    && last.oversold == oversold =>
            {
                last.span.end = *end;
            }
            _ => out.push(HeldSpan {
                span: Span::new(*start, *end),
                holders,
                oversold,
            }),
        }
    }
    out
}

fn limit(holders: &mut [(usize, i64)]) -> bool {
    let sum: i64 = holders.iter().map(|(_, units)| units).sum();
    if sum <= SHARE_UNITS {
        return false;
    }
    let weights: Vec<u64> = holders
        .iter()
        .map(|(_, units)| units.unsigned_abs())
        .collect();
    if let Some(parts) = apportion_small(SHARE_UNITS, &weights) {
        for ((_, units), part) in holders.iter_mut().zip(parts) {
            *units = part;
        }
    }
    true
}

/// States of one node without overlap: an open row lasts until the node's next row; of rows that overlap the later
/// start wins, of equal starts the one that takes more away, with a doubt.
pub(crate) fn state_spans(
    rows: &[&NodeState],
    node: &Id,
    doubts: &mut Vec<Doubt>,
) -> Vec<StateSpan> {
    let mut sorted: Vec<&NodeState> = rows.to_vec();
    sorted.sort_by_key(|row| (row.start, rank(row.state)));
    let mut spans: Vec<StateSpan> = Vec::with_capacity(sorted.len());
    for (index, row) in sorted.iter().enumerate() {
        let next = sorted
            .iter()
            .skip(index + 1)
            .map(|r| r.start)
            .find(|start| *start > row.start);
        let end = row.end.unwrap_or_else(|| next.unwrap_or(Ms::MAX));
        let clash = spans.last().is_some_and(|last: &StateSpan| {
            last.span.start == row.start && last.state != row.state
        });
        if clash {
            doubts.push(Doubt {
                kind: DoubtKind::ConflictingStates,
                subject: node.clone(),
                site: None,
                amount: None,
                ms: 0,
                detail: format!("two states from {}", row.start),
            });
        }
        spans.push(StateSpan {
            span: Span::new(row.start, end),
            state: row.state,
        });
    }
    flatten(&spans)
}

/// How much a state takes away, for rows that start together.
fn rank(state: State) -> u8 {
    match state {
        State::Up => 0,
        State::Reserved => 1,
        State::Stopped => 2,
        State::Drain => 3,
        State::Maintenance => 4,
        State::Down => 5,
    }
}

/// Later entries win where they overlap earlier ones.
fn flatten(spans: &[StateSpan]) -> Vec<StateSpan> {
    let mut cuts: Vec<Ms> = spans
        .iter()
        .flat_map(|s| [s.span.start, s.span.end])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut out: Vec<StateSpan> = Vec::with_capacity(spans.len());
    for pair in cuts.windows(2) {
        let [start, end] = pair else { continue };
        let Some(winner) = spans
            .iter()
            .rev()
            .find(|s| s.span.start <= *start && s.span.end > *start)
        else {
            continue;
        };
        match out.last_mut() {
            Some(last) if last.span.end == *start && last.state == winner.state => {
                last.span.end = *end
            }
            _ => out.push(StateSpan {
                span: Span::new(*start, *end),
                state: winner.state,
            }),
        }
    }
    out
}

/// One stretch of a device's day in which nothing changes but its readings.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'a> {
    pub span: Span,
    pub state: Option<State>,
    pub in_coverage: bool,
    pub held: Option<&'a HeldSpan>,
    /// Held itself or through a slice: what rule E3 calls held.
    pub occupied: bool,
}

impl Piece<'_> {
    /// Not running, so that nothing is drawn: rule E3.
    pub fn is_off(&self) -> bool {
        matches!(self.state, Some(State::Down | State::Stopped))
    }
}

/// The pieces of `span` (already within the device's validity), cut also at `extra` instants.
pub(crate) fn pieces<'a>(
    device: &'a DeviceEntry<'_>,
    node: &'a NodeEntry<'_>,
    span: Span,
    extra: &[Ms],
) -> Vec<Piece<'a>> {
    let held = overlapping(&device.held, span, |h| h.span);
    let states = overlapping(&node.states, span, |s| s.span);
    let coverage = overlapping(&node.coverage, span, |c| *c);
    let occupied = overlapping(&device.occupied, span, |o| *o);
    let mut cuts: Vec<Ms> = vec![span.start, span.end];
    let edges = held
        .iter()
        .map(|h| h.span)
        .chain(states.iter().map(|s| s.span))
        .chain(coverage.iter().chain(occupied).copied());
    cuts.extend(
        edges
            .flat_map(|s| [s.start, s.end])
            .chain(extra.iter().copied())
            .filter(|at| span.contains(*at)),
    );
    cuts.sort_unstable();
    cuts.dedup();
    let (mut h, mut s, mut c, mut o) = (0, 0, 0, 0);
    let mut out = Vec::with_capacity(cuts.len());
    for pair in cuts.windows(2) {
        let [start, end] = pair else { continue };
        while held.get(h).is_some_and(|x| x.span.end <= *start) {
            h += 1;
        }
        while states.get(s).is_some_and(|x| x.span.end <= *start) {
            s += 1;
        }
        while coverage.get(c).is_some_and(|x| x.end <= *start) {
            c += 1;
        }
        while occupied.get(o).is_some_and(|x| x.end <= *start) {
            o += 1;
        }
        out.push(Piece {
            span: Span::new(*start, *end),
            state: states
                .get(s)
                .filter(|x| x.span.contains(*start))
                .map(|x| x.state),
            in_coverage: coverage.get(c).is_some_and(|x| x.contains(*start)),
            held: held.get(h).filter(|x| x.span.contains(*start)),
            occupied: occupied.get(o).is_some_and(|x| x.contains(*start)),
        });
    }
    out
}

/// The items of a sorted, disjoint list that overlap `span`.
fn overlapping<T>(items: &[T], span: Span, of: impl Fn(&T) -> Span) -> &[T] {
    let first = items.partition_point(|item| of(item).end <= span.start);
    let last = items.partition_point(|item| of(item).start < span.end);
    items.get(first..last.max(first)).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::type_complexity, reason = "tests may")]

    use super::*;
    use crate::quantity::Share;

    #[test]
    fn shares_are_merged_then_divided_by_their_sum() {
        let half = Share { num: 1, den: 2 }.units();
        let check = |placed: &[(Span, usize, i64)],
                     expected: &[(i64, i64, Vec<(usize, i64)>, bool)]| {
            let found = held_spans(placed);
            let flat: Vec<_> = found
                .iter()
                .map(|h| (h.span.start, h.span.end, h.holders.clone(), h.oversold))
                .collect();
            assert_eq!(flat, expected);
        };
        check(
            &[
                (Span::new(0, 10), 1, half),
                (Span::new(5, 20), 1, SHARE_UNITS),
            ],
            &[
                (0, 5, vec![(1, half)], false),
                (5, 20, vec![(1, SHARE_UNITS)], false),
            ],
        );
        check(
            &[
                (Span::new(0, 10), 2, SHARE_UNITS),
                (Span::new(0, 10), 1, SHARE_UNITS),
            ],
            &[(0, 10, vec![(1, half), (2, half)], true)],
        );
        check(&[], &[]);
    }

    #[test]
    fn an_open_state_lasts_until_the_next() {
        let row = |start, end, state| NodeState {
            node: Id::from("n"),
            start,
            end,
            state,
        };
        let rows = [
            row(0, None, State::Up),
            row(10, Some(20), State::Down),
            row(30, None, State::Drain),
        ];
        let refs: Vec<&NodeState> = rows.iter().collect();
        let mut doubts = Vec::new();
        let spans = state_spans(&refs, &Id::from("n"), &mut doubts);
        let flat: Vec<_> = spans
            .iter()
            .map(|s| (s.span.start, s.span.end, s.state))
            .collect();
        assert_eq!(
            flat,
            [
                (0, 10, State::Up),
                (10, 20, State::Down),
                (30, Ms::MAX, State::Drain)
            ]
        );
        assert!(doubts.is_empty());
    }
}
