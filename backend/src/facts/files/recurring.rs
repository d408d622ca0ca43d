//! `recurring.csv`: what is paid month by month.

use accounting::facts::ChargeComponent;

use crate::facts::kind::{ANY, Fault, Form, Kind, RATE, may, must, one_of};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};

pub static RECURRING: Kind = Kind {
    name: "recurring",
    columns: &[
        must("charge", Form::Text),
        must("name", Form::Text),
        must("site", Form::Text),
        may("nodes", Form::Text),
        must("component", one_of::<ChargeComponent>()),
        must("amount", ANY),
        may("vat_rate", RATE),
        may("currency", Form::Currency),
        must("from_month", Form::Month),
        may("to_month", Form::Month),
    ],
    identity: Identity::Key(&["charge", "from_month"]),
    touches: Touches::Months("from_month", "to_month"),
    amount: Some("amount"),
    names_time: false,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    row.in_order("from_month", "to_month")
}
