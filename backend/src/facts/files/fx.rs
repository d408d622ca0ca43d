//! `fx.csv`: ledger currency per unit of another, month by month.

use api::Reason;

use crate::facts::kind::{Fault, Form, Kind, UNIT_PRICE, must};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};

pub static FX: Kind = Kind {
    name: "fx",
    columns: &[
        must("month", Form::Month),
        must("currency", Form::Currency),
        must("rate", UNIT_PRICE),
    ],
    identity: Identity::Key(&["month", "currency"]),
    touches: Touches::OnwardDay("month"),
    amount: None,
    names_time: false,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    if row.number("rate").is_some_and(|rate| rate.num == 0) {
        return Err(Fault {
            column: "rate",
            reason: Reason::NotAboveZero,
        });
    }
    Ok(())
}
