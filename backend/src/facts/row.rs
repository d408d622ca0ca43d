//! One row of a fact file with its cells read, for the checks no single cell can make.

use accounting::quantity::Rational;
use api::Reason;

use super::cell::Value;
use super::kind::{Fault, Kind};

pub struct Row<'a> {
    pub kind: &'static Kind,
    /// One per column of the kind.
    pub values: &'a [Value<'a>],
}

impl<'a> Row<'a> {
    fn value(&self, name: &str) -> Option<&'a Value<'a>> {
        let index = self.kind.columns.iter().position(|c| c.name == name)?;
        self.values.get(index)
    }

    /// The text of a column, `None` when missing.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&'a str> {
        match self.value(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    #[must_use]
    pub fn number(&self, name: &str) -> Option<Rational> {
        match self.value(name)? {
            Value::Number(_, value) => Some(*value),
            Value::Whole(value) => Some(Rational::whole(*value)),
            _ => None,
        }
    }

    /// Something ordered in time: an instant, a date or a month, on its own scale.
    fn order(&self, name: &str) -> Option<i64> {
        match self.value(name)? {
            Value::Ms(ms) => Some(*ms),
            Value::Date(date) => Some(i64::from(chrono::Datelike::num_days_from_ce(date))),
            Value::Month(month) => Some(month.index()),
            _ => None,
        }
    }

    /// `to` is missing or not before `from`.
    ///
    /// # Errors
    /// When it is before.
    pub fn in_order(&self, from: &'static str, to: &'static str) -> Result<(), Fault> {
        match (self.order(from), self.order(to)) {
            (Some(start), Some(end)) if end < start => Err(Fault {
                column: to,
                reason: Reason::Before {
                    other: from.to_owned(),
                },
            }),
            _ => Ok(()),
        }
    }

    /// `to` is missing or after `from`.
    ///
    /// # Errors
    /// When it is not.
    pub fn not_empty(&self, from: &'static str, to: &'static str) -> Result<(), Fault> {
        match (self.order(from), self.order(to)) {
            (Some(start), Some(end)) if end <= start => Err(Fault {
                column: to,
                reason: Reason::NotAfter {
                    other: from.to_owned(),
                },
            }),
            _ => Ok(()),
        }
    }
}

/// `valid_to` is after `valid_from`.
///
/// # Errors
/// When it is not.
pub fn validity(row: &Row<'_>) -> Result<(), Fault> {
    row.not_empty("valid_from", "valid_to")
}
