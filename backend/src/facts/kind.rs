//! What a fact file looks like: its columns, what makes a row itself, and which days a change of it touches.
//!
//! Kinds are data (`files/`); reading, staging and loading are written once for all of them.

use api::Reason;

use super::row::Row;
use crate::store::bulk::{Identity, Touches};
use crate::store::words::{Words, names, word};
use crate::store::written::not_one_of;

/// How a cell is read.
#[derive(Clone, Copy)]
pub enum Form {
    /// A name: any text up to 4,000 bytes.
    Text,
    /// A word of a closed list.
    Word(fn(&str) -> Result<(), Reason>),
    /// Text with a syntax of its own.
    Checked(fn(&str) -> Result<(), Reason>),
    /// RFC 3339 with offset.
    Instant,
    /// A date (the ledger zone's midnight) or an instant.
    Bound,
    /// Three capital letters; missing is the ledger currency.
    Currency,
    Date,
    /// `YYYY-MM`
    Month,
    /// An exact decimal of at least `least`, at most `most`.
    Decimal {
        least: i64,
        most: i64,
    },
    Whole {
        least: i64,
    },
    /// A number that need not be exact, not negative.
    Float,
    /// An exact decimal of seconds, stored as milliseconds, above 0 and at most a day.
    Seconds,
    /// 0–1.0050 in 1e-4; outside it the value is dropped.
    Fraction,
    /// A decimal × 10^`places`, from 0 to below `below`; outside it the value is dropped.
    Reading {
        places: u32,
        below: i64,
    },
}

/// An amount of money.
pub const ANY: Form = Form::Decimal {
    least: -1_000_000_000_000,
    most: 1_000_000_000_000,
};

/// The price of an asset, in yuan or another currency.
pub const PRICE: Form = Form::Decimal {
    least: 0,
    most: 1_000_000_000_000,
};

/// A price of one unit (a kWh, a device-hour), a rate of exchange, a multiplier.
pub const UNIT_PRICE: Form = Form::Decimal {
    least: 0,
    most: 1_000_000,
};

/// A price of one unit that may be below 0.
pub const SIGNED_PRICE: Form = Form::Decimal {
    least: -1_000_000,
    most: 1_000_000,
};

/// What one device or host draws, in W.
pub const POWER: Form = Form::Decimal {
    least: 0,
    most: 1_000_000,
};

/// What a device can do: TFLOP/s, GB/s, GiB.
pub const CAPACITY: Form = Form::Decimal {
    least: 0,
    most: 1_000_000_000,
};

/// Parameters of a model.
pub const PARAMETERS: Form = Form::Decimal {
    least: 0,
    most: 1_000_000_000_000_000_000,
};

/// Facility energy by IT energy: below 1 is a data error.
pub const PUE: Form = Form::Decimal { least: 1, most: 10 };

/// A rate of 0 to 1, such as VAT or a residual.
pub const RATE: Form = Form::Decimal { least: 0, most: 1 };

/// What counters stay below; monitors write it and more for "no value".
pub const SENTINEL: i64 = 1 << 47;

#[derive(Clone, Copy)]
pub struct Column {
    pub name: &'static str,
    pub form: Form,
    pub required: bool,
    /// Name in the table, where its unit differs from the file's.
    pub stored: &'static str,
}

#[must_use]
pub const fn must(name: &'static str, form: Form) -> Column {
    Column {
        name,
        form,
        required: true,
        stored: name,
    }
}

#[must_use]
pub const fn may(name: &'static str, form: Form) -> Column {
    Column {
        name,
        form,
        required: false,
        stored: name,
    }
}

impl Column {
    #[must_use]
    pub const fn stored_as(self, stored: &'static str) -> Self {
        Self { stored, ..self }
    }
}

/// A project: any name but those that figures use for what no project bears.
pub const PROJECT: Form = Form::Checked(project);

fn project(text: &str) -> Result<(), Reason> {
    if ["unattributed", "others"].contains(&text) || text.starts_with("pool:") {
        return Err(Reason::ReservedName {
            given: text.to_owned(),
        });
    }
    Ok(())
}

/// A cell of a closed list.
#[must_use]
pub const fn one_of<T: Words>() -> Form {
    Form::Word(check_word::<T>)
}

fn check_word<T: Words>(text: &str) -> Result<(), Reason> {
    word::<T>(text)
        .map(drop)
        .ok_or_else(|| not_one_of(text, &names::<T>()))
}

/// Why a row is rejected, and by which column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub column: &'static str,
    pub reason: Reason,
}

pub struct Kind {
    /// File name without `.csv`, and the table's.
    pub name: &'static str,
    pub columns: &'static [Column],
    pub identity: Identity,
    pub touches: Touches,
    /// The column whose sum by currency is told.
    pub amount: Option<&'static str>,
    /// Its times count for the coverage of a folder without `coverage.csv`.
    pub names_time: bool,
    /// What no single cell shows.
    pub check: fn(&Row<'_>) -> Result<(), Fault>,
}

impl Kind {
    /// Whether a stored column is part of what makes a row itself.
    #[must_use]
    pub fn identifies(&self, stored: &str) -> bool {
        match self.identity {
            Identity::Key(columns) => columns.contains(&stored),
            Identity::Group { of, unless } => {
                of.contains(&stored) || unless.is_some_and(|unless| unless.contains(&stored))
            }
        }
    }

    #[must_use]
    pub fn column(&self, name: &str) -> Option<&'static Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// For kinds whose cells say everything.
///
/// # Errors
/// Never.
pub fn nothing_more(_: &Row<'_>) -> Result<(), Fault> {
    Ok(())
}

/// A file of the interface that no rule reads yet: named, its rows counted.
pub struct Unread {
    pub name: &'static str,
    pub columns: &'static [&'static str],
}
