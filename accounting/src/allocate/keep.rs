//! `keep`: the pool stays a pool, a visible line of its own.

use super::{Base, Payer};
use crate::money::Micro;

pub(super) fn divide(amount: Micro, _: &Base) -> Option<Vec<(Payer, Micro)>> {
    Some(vec![(Payer::Kept, amount)])
}
