//! `apportion`: the one way anything is divided, so that parts always sum to their total.
//!
//! Largest remainder over exact integer weights in 256 bits: floor of each share, the missing units to the largest
//! remainders, ties to the lower index; negative totals by magnitude, then sign (docs/accounting.md, invariant 1).
#![allow(
    clippy::arithmetic_side_effects,
    reason = "weights are below 2^190 and totals below 2^63, so products and sums stay below 2^256"
)]

use std::ops::{Add, Div, Mul, Rem};

use ethnum::U256;

/// Parts of `total` in proportion to `weights`, in their order, summing to `total` exactly.
///
/// `None` when every weight is 0 (or there is none): the caller books the total on its "unallocated" line.
#[must_use]
pub fn apportion(total: i64, weights: &[U256]) -> Option<Vec<i64>> {
    divide(total, weights, |weight| *weight, |floor| floor.as_u64())
}

/// [`apportion`] over weights that fit 64 bits: hours of a month, devices of a node.
#[must_use]
pub fn apportion_small(total: i64, weights: &[u64]) -> Option<Vec<i64>> {
    divide(
        total,
        weights,
        |weight| u128::from(*weight),
        |floor| u64::try_from(floor).unwrap_or(u64::MAX),
    )
}

/// The algorithm, over integers `N` wide enough for the sum of weights × |total|; a floor is at most |total|.
fn divide<W, N>(
    total: i64,
    weights: &[W],
    wide: impl Fn(&W) -> N,
    narrow: impl Fn(N) -> u64,
) -> Option<Vec<i64>>
where
    N: Copy
        + Ord
        + From<u64>
        + Add<Output = N>
        + Mul<Output = N>
        + Div<Output = N>
        + Rem<Output = N>,
{
    let zero = N::from(0);
    let sum = weights.iter().fold(zero, |sum, weight| sum + wide(weight));
    if sum == zero {
        return None;
    }
    let magnitude = N::from(total.unsigned_abs());
    let mut parts = Vec::with_capacity(weights.len());
    let mut remainders = Vec::with_capacity(weights.len());
    let mut given = 0u64;
    for weight in weights {
        let product = magnitude * wide(weight);
        let floor = narrow(product / sum);
        given += floor;
        parts.push(floor);
        remainders.push(product % sum);
    }
    let missing = usize::try_from(total.unsigned_abs() - given).unwrap_or(0);
    if missing > 0 {
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by(|a, b| remainders.get(*b).cmp(&remainders.get(*a)).then(a.cmp(b)));
        for index in order.into_iter().take(missing) {
            if let Some(part) = parts.get_mut(index) {
                *part += 1;
            }
        }
    }
    Some(
        parts
            .into_iter()
            .map(|part| signed(part, total < 0))
            .collect(),
    )
}

/// The part of index `index` when `total` is apportioned over `count` equal weights: closed form, no list.
#[must_use]
pub fn equal_part(total: i64, count: usize, index: usize) -> i64 {
    let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
    let index = u64::try_from(index).unwrap_or(u64::MAX);
    let magnitude = total.unsigned_abs();
    let part = magnitude / count + u64::from(index < magnitude % count);
    signed(part, total < 0)
}

fn signed(magnitude: u64, negative: bool) -> i64 {
    let value = i128::from(magnitude);
    i64::try_from(if negative { -value } else { value }).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may")]
    use super::*;
    use proptest::prelude::*;

    fn check(total: i64, weights: &[u64], expected: &[i64]) {
        let wide: Vec<U256> = weights.iter().map(|w| U256::from(*w)).collect();
        assert_eq!(apportion(total, &wide).unwrap(), expected);
        assert_eq!(apportion_small(total, weights).unwrap(), expected);
    }

    #[test]
    fn floors_then_largest_remainders_then_lower_index() {
        check(10, &[1, 1, 1], &[4, 3, 3]);
        check(-10, &[1, 1, 1], &[-4, -3, -3]);
        check(7, &[2, 0, 5], &[2, 0, 5]);
        check(100, &[1, 2, 4], &[14, 29, 57]);
        check(0, &[1, 2], &[0, 0]);
        assert_eq!(apportion(5, &[U256::ZERO, U256::ZERO]), None);
        assert_eq!(apportion_small(5, &[]), None);
        check(i64::MIN, &[0, u64::MAX], &[0, i64::MIN]);
        check(i64::MAX, &[u64::MAX], &[i64::MAX]);
    }

    proptest! {
        // Invariant 1 of docs/accounting.md.
        #[test]
        fn parts_sum_mirror_and_stay_within_one_unit(
            total in any::<i64>().prop_map(|t| t / 4),
            weights in prop::collection::vec(0u64..1_000_000_000, 1..40),
        ) {
            prop_assume!(weights.iter().any(|w| *w > 0));
            let wide: Vec<U256> = weights.iter().map(|w| U256::from(*w)).collect();
            let parts = apportion(total, &wide).unwrap();
            prop_assert_eq!(parts.iter().map(|p| i128::from(*p)).sum::<i128>(), i128::from(total));
            prop_assert_eq!(&apportion_small(total, &weights).unwrap(), &parts);
            let mirrored: Vec<i64> = apportion(-total, &wide).unwrap().iter().map(|p| -p).collect();
            prop_assert_eq!(&mirrored, &parts);
            let sum: i128 = weights.iter().map(|w| i128::from(*w)).sum();
            let mut remainders = Vec::new();
            for (part, weight) in parts.iter().zip(&weights) {
                let exact = i128::from(total.unsigned_abs()) * i128::from(*weight);
                let distance = i128::from(part.unsigned_abs()) * sum - exact;
                prop_assert!(distance.abs() < sum);
                remainders.push((exact % sum, distance > 0));
            }
            for i in 0..remainders.len() {
                for j in i + 1..remainders.len() {
                    if remainders[i].0 == remainders[j].0 {
                        prop_assert!(remainders[i].1 || !remainders[j].1, "a tie goes to the lower index");
                    }
                }
            }
        }

        #[test]
        fn closed_form_equals_the_list(total in any::<i64>().prop_map(|t| t / 4), count in 1usize..50) {
            let list = apportion_small(total, &vec![1; count]).unwrap();
            for (index, part) in list.iter().enumerate() {
                prop_assert_eq!(*part, equal_part(total, count, index));
            }
        }
    }
}
