//! `work.csv`: what a workload got done over a span: tokens, steps, samples, model FLOPs.

use crate::facts::kind::{Fault, Form, Kind, may, must};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};

const COUNT: Form = Form::Whole { least: 0 };

pub static WORK: Kind = Kind {
    name: "work",
    columns: &[
        must("workload", Form::Text),
        may("attempt", COUNT),
        must("start", Form::Instant),
        must("end", Form::Instant),
        may("tokens_trained", COUNT),
        may("tokens_prompt", COUNT),
        may("tokens_cached", COUNT),
        may("tokens_generated", COUNT),
        may("samples", COUNT),
        may("steps", COUNT),
        may("replayed_steps", COUNT),
        may("model_flops", Form::Float),
    ],
    identity: Identity::Key(&["workload", "attempt", "start"]),
    touches: Touches::Between("start", "end"),
    amount: None,
    names_time: false,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    row.not_empty("start", "end")
}
