//! `placements.csv`: which workload held which device when. Without `seq` a batch replaces all placements of the
//! workloads it names.

use accounting::quantity::share;
use api::Reason;
use api::reason::Expected;

use crate::facts::kind::{Fault, Form, Kind, may, must};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};
use crate::store::written::no_number;

pub static PLACEMENTS: Kind = Kind {
    name: "placements",
    columns: &[
        must("workload", Form::Text),
        must("device", Form::Text),
        must("start", Form::Instant),
        may("end", Form::Instant),
        may("share", Form::Checked(part)),
        may("seq", Form::Whole { least: 0 }),
    ],
    identity: Identity::Group {
        of: &["workload"],
        unless: Some(&["device", "seq"]),
    },
    touches: Touches::Between("start", "end"),
    amount: None,
    names_time: true,
    check,
};

fn part(text: &str) -> Result<(), Reason> {
    share(text)
        .map(drop)
        .map_err(|error| no_number(error, text, Expected::Share))
}

fn check(row: &Row<'_>) -> Result<(), Fault> {
    row.in_order("start", "end")
}
