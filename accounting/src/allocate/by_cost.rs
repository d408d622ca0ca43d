//! `by_cost`: in proportion to each payer's direct cost. Without any the pool stays whole.

use super::{Base, Payer};
use crate::money::Micro;
use crate::split::apportion_small;

pub(super) fn divide(amount: Micro, base: &Base) -> Option<Vec<(Payer, Micro)>> {
    let weights: Vec<u64> = base.values().map(|sum| sum.unsigned_abs()).collect();
    let parts = apportion_small(amount, &weights)?;
    Some(base.keys().cloned().zip(parts).collect())
}
