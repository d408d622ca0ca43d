//! `price_book.csv`: what a device-hour costs where no bill says it yet.

use accounting::facts::Ownership;

use crate::facts::kind::{Fault, Form, Kind, RATE, UNIT_PRICE, may, must, one_of};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};

pub static PRICE_BOOK: Kind = Kind {
    name: "price_book",
    columns: &[
        must("site", Form::Text),
        must("model", Form::Text),
        must("ownership", one_of::<Ownership>()),
        must("price_per_device_hour", UNIT_PRICE),
        may("vat_rate", RATE),
        may("currency", Form::Currency),
        must("from", Form::Bound),
        may("to", Form::Bound),
    ],
    identity: Identity::Key(&["site", "model", "ownership", "from"]),
    touches: Touches::Between("from", "to"),
    amount: None,
    names_time: false,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    row.not_empty("from", "to")
}
