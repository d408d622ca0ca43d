//! `keep`: the pool stays a pool, a visible line of its own.

use super::{Direct, Payer, PoolSum};
use crate::books::Doubt;
use crate::money::Micro;

pub(super) fn divide(
    pool: &PoolSum,
    _: &[Direct],
    _: &mut Vec<Doubt>,
) -> Option<Vec<(Payer, Micro)>> {
    Some(vec![(Payer::Kept, pool.amount)])
}
