//! `coverage.csv`: when the scheduler, the telemetry or a meter was really read.

use accounting::facts::{CoverageKind, Scope};

use crate::facts::kind::{Fault, Form, Kind, must, one_of};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};

pub static COVERAGE: Kind = Kind {
    name: "coverage",
    columns: &[
        must("source", Form::Text),
        must("scope", one_of::<Scope>()),
        must("name", Form::Text),
        must("kind", one_of::<CoverageKind>()),
        must("start", Form::Instant),
        must("end", Form::Instant),
    ],
    identity: Identity::Key(&["source", "scope", "name", "kind", "start"]),
    touches: Touches::Between("start", "end"),
    amount: None,
    names_time: false,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    row.not_empty("start", "end")
}
