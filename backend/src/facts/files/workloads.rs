//! `workloads.csv`: jobs, pods, services and notebooks, an attempt a row.

use accounting::facts::{Precision, WorkloadKind, WorkloadState};

use crate::facts::kind::{Fault, Form, Kind, PARAMETERS, PROJECT, may, must, one_of};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};
use crate::store::written::labels;

pub static WORKLOADS: Kind = Kind {
    name: "workloads",
    columns: &[
        must("workload", Form::Text),
        must("source", Form::Text),
        must("kind", one_of::<WorkloadKind>()),
        must("name", Form::Text),
        may("user", Form::Text),
        may("project", PROJECT),
        may("queue", Form::Text),
        may("namespace", Form::Text),
        may("account", Form::Text),
        may("labels", Form::Checked(|text| labels(text).map(drop))),
        may("submitted", Form::Instant),
        must("started", Form::Instant),
        may("ended", Form::Instant),
        must("state", one_of::<WorkloadState>()),
        may("attempt", Form::Whole { least: 0 }),
        may("model_params", PARAMETERS),
        may("active_params", PARAMETERS),
        may("precision", one_of::<Precision>()),
        may("seq_len", Form::Whole { least: 1 }),
    ],
    identity: Identity::Key(&["workload", "attempt"]),
    touches: Touches::Between("started", "ended"),
    amount: None,
    names_time: true,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    row.in_order("started", "ended")
}
