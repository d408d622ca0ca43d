//! `samples.csv`: what a device did over `[time, time + interval_s)`; values out of range are dropped and counted.

use accounting::facts::CommKind;

use crate::facts::kind::{Form, Kind, SENTINEL, may, must, nothing_more, one_of};
use crate::store::bulk::{Identity, Touches};

/// No device draws a megawatt; the limit by its model is applied when its minutes are laid.
const POWER_BELOW_W: i64 = 1_000_000;

const BYTES: Form = Form::Reading {
    places: 0,
    below: SENTINEL,
};

pub static SAMPLES: Kind = Kind {
    name: "samples",
    columns: &[
        must("device", Form::Text),
        must("time", Form::Instant),
        must("interval_s", Form::Seconds).stored_as("interval_ms"),
        may("g", Form::Fraction),
        may("s", Form::Fraction),
        may("t", Form::Fraction),
        may("d", Form::Fraction),
        may("fp32", Form::Fraction),
        may("fp64", Form::Fraction),
        may("comm", Form::Fraction),
        may("comm_kind", one_of::<CommKind>()),
        may("host_evidence", Form::Fraction),
        may("throttle", Form::Fraction),
        may("link_bytes_s", BYTES),
        may("mem_used_bytes", BYTES),
        may(
            "power_w",
            Form::Reading {
                places: 6,
                below: POWER_BELOW_W,
            },
        )
        .stored_as("power_uw"),
        may(
            "energy_j",
            Form::Reading {
                places: 3,
                below: SENTINEL,
            },
        )
        .stored_as("energy_mj"),
        may("fault", Form::Text),
    ],
    identity: Identity::Key(&["device", "time", "interval_ms"]),
    touches: Touches::Sample,
    amount: None,
    names_time: true,
    check: nothing_more,
};
