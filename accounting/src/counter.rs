//! Counters that only rise: what lies between their readings, through restarts and misreadings (rule E5).
//!
//! Devices and meters share it, so that a dip is a dip everywhere.

use crate::time::Ms;

/// From one reading to the next of the same epoch: `before` ≤ `after`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<T> {
    pub from: Ms,
    pub to: Ms,
    pub before: T,
    pub after: T,
}

/// The steps of a counter whose readings are sorted by time, one per instant.
///
/// One low reading followed by one at or above the old value is a dip and is passed over; any other drop starts a new
/// epoch, and nothing is known between its first reading and the one before.
pub fn steps<T: Copy>(
    readings: &[(Ms, T)],
    is_less: impl Fn(T, T) -> bool,
) -> impl Iterator<Item = Step<T>> {
    let mut rest = readings.iter().copied().peekable();
    let mut last = rest.next();
    std::iter::from_fn(move || {
        while let (Some((from, before)), Some((to, after))) = (last, rest.next()) {
            if !is_less(after, before) {
                last = Some((to, after));
                return Some(Step {
                    from,
                    to,
                    before,
                    after,
                });
            }
            let dip = rest.peek().is_some_and(|(_, next)| !is_less(*next, before));
            if !dip {
                last = Some((to, after));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[i64], expected: &[(Ms, Ms, i64)]) {
        let readings: Vec<(Ms, i64)> = (0..).zip(values.iter().copied()).collect();
        let found: Vec<(Ms, Ms, i64)> = steps(&readings, |a, b| a < b)
            .map(|step| (step.from, step.to, step.after - step.before))
            .collect();
        assert_eq!(found, expected, "{values:?}");
    }

    #[test]
    fn e5_drops_start_an_epoch_and_dips_are_passed_over() {
        check(&[], &[]);
        check(&[5], &[]);
        check(&[5, 7, 7], &[(0, 1, 2), (1, 2, 0)]);
        // A restart: nothing between the old value and the new epoch's first.
        check(&[5, 1, 3], &[(1, 2, 2)]);
        // A dip: the old value goes on to the reading after it.
        check(&[5, 0, 5, 6], &[(0, 2, 0), (2, 3, 1)]);
        check(&[5, 0, 9], &[(0, 2, 4)]);
        // Two low readings are no dip.
        check(&[5, 1, 2, 9], &[(1, 2, 1), (2, 3, 7)]);
        // A low reading at the end is an epoch until more is known.
        check(&[5, 6, 0], &[(0, 1, 1)]);
    }
}
