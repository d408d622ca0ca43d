//! Pools to payers: who bears what no workload does.
//!
//! One frozen base, the direct cost booked at a site in a month per payer, so that a rule never sees another's result.
//! What a policy does not give away stays in its pool: the total never changes (docs/accounting.md, invariant 8).

mod by_cost;
mod keep;

use std::collections::BTreeMap;

use crate::books::{Doubt, DoubtKind};
use crate::category::Pool;
use crate::facts::{Policy, PolicyKind};
use crate::ids::Id;
use crate::money::Micro;
use crate::time::Month;

/// Direct cost of a payer at a site in the month, all components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Direct {
    pub site: Id,
    /// `None` is unattributed, a payer like any other.
    pub payer: Option<Id>,
    pub amount: Micro,
}

/// What a pool holds in the month; the site is empty for company-wide pools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolSum {
    pub pool: Pool,
    pub site: Id,
    pub amount: Micro,
}

/// Who bears a part of a pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Payer {
    /// Stays in the pool.
    Kept,
    Unattributed,
    Project(Id),
}

/// A part of a pool; the parts of a pool sum to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocated {
    pub pool: Pool,
    pub site: Id,
    pub payer: Payer,
    pub amount: Micro,
}

/// The base of one pool: each payer's direct cost, negative ones counted 0, in payer order.
pub(crate) type Base = BTreeMap<Payer, Micro>;

/// How a policy divides a pool by the month's direct cost; `None` leaves the pool whole.
type Divide = fn(&PoolSum, &[Direct], &mut Vec<Doubt>) -> Option<Vec<(Payer, Micro)>>;

/// The policies this version computes.
static POLICIES: [(PolicyKind, Divide); 2] = [
    (PolicyKind::Keep, keep::divide),
    (PolicyKind::ByCost, by_cost::divide),
];

/// Gives each pool of the month to payers by its policy: the row for `name:site` beats the one for `name`, then the
/// later `from_month`; without a row a pool is kept.
#[must_use]
pub fn allocate(
    month: Month,
    direct: &[Direct],
    pools: &[PoolSum],
    policies: &[Policy],
) -> (Vec<Allocated>, Vec<Doubt>) {
    let mut allocated = Vec::new();
    let mut doubts = Vec::new();
    for pool in pools {
        let kind = policy(month, pool, policies).map_or(PolicyKind::Keep, |policy| policy.policy);
        let divide = POLICIES
            .iter()
            .find(|(known, _)| *known == kind)
            .map(|(_, divide)| *divide);
        if divide.is_none() {
            doubts.push(doubt(DoubtKind::PolicyNotRead, pool, Some(pool.amount)));
        }
        let parts = divide.and_then(|divide| divide(pool, direct, &mut doubts));
        let parts = parts.unwrap_or_else(|| vec![(Payer::Kept, pool.amount)]);
        allocated.extend(parts.into_iter().filter(|(_, amount)| *amount != 0).map(
            |(payer, amount)| Allocated {
                pool: pool.pool,
                site: pool.site.clone(),
                payer,
                amount,
            },
        ));
    }
    (allocated, doubts)
}

fn policy<'p>(month: Month, pool: &PoolSum, policies: &'p [Policy]) -> Option<&'p Policy> {
    policies
        .iter()
        .filter(|policy| *policy.pool == *pool.pool.name() && policy.from_month <= month)
        .filter(|policy| policy.site.as_ref().is_none_or(|site| *site == pool.site))
        .max_by_key(|policy| (policy.site.is_some(), policy.from_month))
}

fn base(direct: &[Direct], pool: &PoolSum, doubts: &mut Vec<Doubt>) -> Base {
    let mut base = Base::new();
    for row in direct
        .iter()
        .filter(|row| pool.pool.company_wide() || row.site == pool.site)
    {
        let payer = row
            .payer
            .clone()
            .map_or(Payer::Unattributed, Payer::Project);
        let sum = base.entry(payer).or_insert(0);
        *sum = sum.saturating_add(row.amount);
    }
    for (payer, sum) in base.iter_mut().filter(|(_, sum)| **sum < 0) {
        let mut found = doubt(DoubtKind::NegativePayer, pool, Some(*sum));
        if let Payer::Project(project) = payer {
            found.subject = project.clone();
        }
        // Every pool of the site has the same base: it is said once.
        if !doubts.contains(&found) {
            doubts.push(found);
        }
        *sum = 0;
    }
    base
}

fn doubt(kind: DoubtKind, pool: &PoolSum, amount: Option<Micro>) -> Doubt {
    let site = Some(pool.site.clone()).filter(|site| !site.is_empty());
    Doubt {
        kind,
        subject: Id::from(pool.pool.name()),
        site,
        amount,
        ms: 0,
        detail: String::new(),
    }
}

#[cfg(test)]
mod tests;
