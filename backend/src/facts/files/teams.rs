//! `teams.csv`: who projects belong to, and their cost centre.

use crate::facts::kind::{Form, Kind, may, must};
use crate::facts::row::validity;
use crate::store::bulk::{Identity, Touches};

pub static TEAMS: Kind = Kind {
    name: "teams",
    columns: &[
        must("team", Form::Text),
        must("name", Form::Text),
        may("cost_center", Form::Text),
        may("entity", Form::Text),
        may("valid_from", Form::Bound),
        may("valid_to", Form::Bound),
    ],
    identity: Identity::Key(&["team", "valid_from"]),
    touches: Touches::Between("valid_from", "valid_to"),
    amount: None,
    names_time: false,
    check: validity,
};
