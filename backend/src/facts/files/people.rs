//! `people.csv`: the users behind workloads, and their team.

use crate::facts::kind::{Form, Kind, may, must};
use crate::facts::row::validity;
use crate::store::bulk::{Identity, Touches};

pub static PEOPLE: Kind = Kind {
    name: "people",
    columns: &[
        must("person", Form::Text),
        may("name", Form::Text),
        may("team", Form::Text),
        may("email", Form::Text),
        may("valid_from", Form::Bound),
        may("valid_to", Form::Bound),
    ],
    identity: Identity::Key(&["person", "valid_from"]),
    touches: Touches::Between("valid_from", "valid_to"),
    amount: None,
    names_time: false,
    check: validity,
};
