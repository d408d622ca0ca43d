//! `projects.csv`: what pays, and its team.

use crate::facts::kind::{Form, Kind, PROJECT, may, must};
use crate::facts::row::validity;
use crate::store::bulk::{Identity, Touches};

pub static PROJECTS: Kind = Kind {
    name: "projects",
    columns: &[
        must("project", PROJECT),
        must("name", Form::Text),
        must("team", Form::Text),
        may("entity", Form::Text),
        may("valid_from", Form::Bound),
        may("valid_to", Form::Bound),
    ],
    identity: Identity::Key(&["project", "valid_from"]),
    touches: Touches::Between("valid_from", "valid_to"),
    amount: None,
    names_time: false,
    check: validity,
};
