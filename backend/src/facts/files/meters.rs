//! `meters.csv`: electricity meters, what they stand for and their tree.

use accounting::facts::MeterRole;

use crate::facts::kind::{Form, Kind, UNIT_PRICE, may, must, one_of};
use crate::facts::row::validity;
use crate::store::bulk::{Identity, Touches};

pub static METERS: Kind = Kind {
    name: "meters",
    columns: &[
        must("meter", Form::Text),
        must("site", Form::Text),
        may("node", Form::Text),
        must("role", one_of::<MeterRole>()),
        may("multiplier", UNIT_PRICE),
        may("parent", Form::Text),
        may("valid_from", Form::Bound),
        may("valid_to", Form::Bound),
    ],
    identity: Identity::Key(&["meter", "valid_from"]),
    touches: Touches::Between("valid_from", "valid_to"),
    amount: None,
    names_time: false,
    check: validity,
};
