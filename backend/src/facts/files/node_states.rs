//! `node_states.csv`: up, down, drained, reserved; without an end a state lasts until the node's next one.

use accounting::facts::State;

use crate::facts::kind::{Fault, Form, Kind, may, must, one_of};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};

pub static NODE_STATES: Kind = Kind {
    name: "node_states",
    columns: &[
        must("node", Form::Text),
        must("start", Form::Instant),
        may("end", Form::Instant),
        must("state", one_of::<State>()),
        may("owner_project", Form::Text),
    ],
    identity: Identity::Key(&["node", "start"]),
    touches: Touches::State("start", "end"),
    amount: None,
    names_time: true,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    row.in_order("start", "end")
}
