//! `devices.csv`: accelerators and their slices, node by node.

use accounting::quantity::share;
use api::Reason;
use api::reason::Expected;

use crate::facts::kind::{Form, Kind, may, must};
use crate::facts::row::validity;
use crate::store::bulk::{Identity, Touches};
use crate::store::written::no_number;

pub static DEVICES: Kind = Kind {
    name: "devices",
    columns: &[
        must("device", Form::Text),
        must("node", Form::Text),
        must("slot", Form::Text),
        must("model", Form::Text),
        may("parent", Form::Text),
        may("slice", Form::Text),
        may("slice_weight", Form::Checked(weight)),
        may("valid_from", Form::Bound),
        may("valid_to", Form::Bound),
    ],
    identity: Identity::Key(&["device", "valid_from"]),
    touches: Touches::Between("valid_from", "valid_to"),
    amount: None,
    names_time: false,
    check: validity,
};

fn weight(text: &str) -> Result<(), Reason> {
    share(text)
        .map(drop)
        .map_err(|error| no_number(error, text, Expected::Share))
}
