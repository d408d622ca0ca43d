//! When a device is lost: from a fault of class `device_lost` until the node comes up again or a sample without fault.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "instants far from the limits of i64, and minutes of an hour"
)]

use super::timeline::StateSpan;
use crate::facts::State;
use crate::minutes::MinuteHour;
use crate::time::{MINUTE_MS, Ms, Span};

/// What the last sign of a device says, in the order in which signs of one instant count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Well,
    Lost,
}

/// Spans in order, the last without end while nothing ends it. `before` is the minute of the last report of a loss that
/// stood when the hours begin.
pub(crate) fn lost_spans(
    before: Option<Ms>,
    hours: &[MinuteHour],
    states: &[StateSpan],
) -> Vec<Span> {
    let mut signs: Vec<(Ms, Sign)> = before.map(|at| (at, Sign::Lost)).into_iter().collect();
    let mut healthy = Vec::new();
    for hour in hours {
        for (k, minute) in hour.minutes.iter().enumerate() {
            let at = hour.hour + i64::try_from(k).unwrap_or(0) * MINUTE_MS;
            if minute.lost {
                signs.push((at, Sign::Lost));
            }
            if minute.healthy {
                // Lost and healthy in one minute: it came back within it.
                let back = if minute.lost { at + MINUTE_MS } else { at };
                healthy.push((back, Sign::Well));
            }
        }
    }
    if signs.is_empty() {
        return Vec::new();
    }
    let up = states.iter().filter(|s| s.state == State::Up);
    signs.extend(up.map(|s| (s.span.start, Sign::Well)));
    signs.extend(healthy);
    signs.sort_unstable();
    let mut spans = Vec::new();
    let mut open: Option<Ms> = None;
    for (at, sign) in signs {
        match sign {
            Sign::Lost => open = open.or(Some(at)),
            Sign::Well => spans.extend(open.take().map(|since| Span::new(since, at))),
        }
    }
    spans.extend(open.map(|since| Span::new(since, Ms::MAX)));
    spans
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;
    use crate::time::HOUR_MS;

    fn hour(number: i64, lost: &[usize], healthy: &[usize]) -> MinuteHour {
        let mut hour = MinuteHour::empty(number * HOUR_MS);
        for k in lost {
            hour.minutes.get_mut(*k).unwrap().lost = true;
        }
        for k in healthy {
            hour.minutes.get_mut(*k).unwrap().healthy = true;
        }
        hour
    }

    fn check(before: Option<Ms>, hours: &[MinuteHour], ups: &[i64], expected: &[(i64, i64)]) {
        let states: Vec<StateSpan> = ups
            .iter()
            .map(|minute| StateSpan {
                span: Span::new(minute * MINUTE_MS, Ms::MAX),
                state: State::Up,
            })
            .collect();
        let end = |ms: Ms| if ms == Ms::MAX { -1 } else { ms / MINUTE_MS };
        let found: Vec<(i64, i64)> = lost_spans(before, hours, &states)
            .into_iter()
            .map(|span| (span.start / MINUTE_MS, end(span.end)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_loss_lasts_until_a_healthy_sample() {
        check(None, &[hour(0, &[5, 6], &[0, 30])], &[], &[(5, 30)]);
        check(None, &[hour(0, &[5], &[0])], &[], &[(5, -1)]);
        check(None, &[hour(0, &[], &[0, 1, 2])], &[], &[]);
    }

    #[test]
    fn it_lasts_over_hours_without_samples() {
        check(
            None,
            &[hour(0, &[59], &[]), hour(48, &[], &[10])],
            &[],
            &[(59, 48 * 60 + 10)],
        );
        check(
            Some(59 * MINUTE_MS),
            &[hour(48, &[], &[10])],
            &[],
            &[(59, 48 * 60 + 10)],
        );
        check(Some(59 * MINUTE_MS), &[], &[], &[(59, -1)]);
    }

    #[test]
    fn the_node_coming_up_ends_it_and_a_new_report_begins_another() {
        check(None, &[hour(0, &[5], &[])], &[20], &[(5, 20)]);
        check(None, &[hour(0, &[5, 30], &[])], &[20], &[(5, 20), (30, -1)]);
        // Up at the very minute of the report is older than the report.
        check(None, &[hour(0, &[5], &[])], &[5], &[(5, -1)]);
    }

    #[test]
    fn lost_and_back_within_a_minute() {
        check(None, &[hour(0, &[5], &[5])], &[], &[(5, 6)]);
    }
}
