//! `by_cost`: in proportion to each payer's direct cost. Without any the pool stays whole.

use super::{Direct, Payer, PoolSum, base};
use crate::books::Doubt;
use crate::money::Micro;
use crate::split::apportion_small;

pub(super) fn divide(
    pool: &PoolSum,
    direct: &[Direct],
    doubts: &mut Vec<Doubt>,
) -> Option<Vec<(Payer, Micro)>> {
    let base = base(direct, pool, doubts);
    let weights: Vec<u64> = base.values().map(|sum| sum.unsigned_abs()).collect();
    let parts = apportion_small(pool.amount, &weights)?;
    Some(base.into_keys().zip(parts).collect())
}
