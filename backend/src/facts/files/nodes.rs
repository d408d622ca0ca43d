//! `nodes.csv`: servers and instances, and whose they are.

use accounting::facts::Ownership;

use crate::facts::kind::{Form, Kind, POWER, may, must, one_of};
use crate::facts::row::validity;
use crate::store::bulk::{Identity, Touches};

pub static NODES: Kind = Kind {
    name: "nodes",
    columns: &[
        must("node", Form::Text),
        must("site", Form::Text),
        must("ownership", one_of::<Ownership>()),
        may("cloud_resource_id", Form::Text),
        may("host_overhead_w", POWER),
        may("valid_from", Form::Bound),
        may("valid_to", Form::Bound),
    ],
    identity: Identity::Key(&["node", "valid_from"]),
    touches: Touches::Between("valid_from", "valid_to"),
    amount: None,
    names_time: false,
    check: validity,
};
