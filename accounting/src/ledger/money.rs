//! Rates of exchange by month: past months are what they were, a month without one takes the last known.

use std::collections::{BTreeMap, HashMap};

use crate::facts::Facts;
use crate::ids::Id;
use crate::quantity::Rational;
use crate::time::Month;

/// A rate and how it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Ledger currency per unit; `None` when none was ever given.
    pub rate: Option<Rational>,
    pub last_known: bool,
}

pub(crate) struct Rates<'f> {
    ledger: Id,
    by_currency: HashMap<&'f str, BTreeMap<Month, Rational>>,
}

impl<'f> Rates<'f> {
    pub fn new(facts: &'f Facts, ledger: Id) -> Self {
        let mut by_currency: HashMap<&str, BTreeMap<Month, Rational>> = HashMap::new();
        for row in &facts.fx {
            by_currency
                .entry(&*row.currency)
                .or_default()
                .insert(row.month, row.rate);
        }
        Self {
            ledger,
            by_currency,
        }
    }

    pub fn at(&self, currency: &str, month: Month) -> Rate {
        if currency.is_empty() || currency == &*self.ledger {
            return Rate {
                rate: Some(Rational::ONE),
                last_known: false,
            };
        }
        let known = self
            .by_currency
            .get(currency)
            .and_then(|months| months.range(..=month).next_back());
        Rate {
            rate: known.map(|(_, rate)| *rate),
            last_known: known.is_some_and(|(at, _)| *at != month),
        }
    }
}
