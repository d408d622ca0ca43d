//! `fault_classes.csv`: what a fault code means for the device that reports it.

use accounting::facts::FaultClass;

use crate::facts::kind::{Form, Kind, must, nothing_more, one_of};
use crate::store::bulk::{Identity, Touches};

pub static FAULT_CLASSES: Kind = Kind {
    name: "fault_classes",
    columns: &[
        must("code", Form::Text),
        must("class", one_of::<FaultClass>()),
    ],
    identity: Identity::Key(&["code"]),
    touches: Touches::Always,
    amount: None,
    names_time: false,
    check: nothing_more,
};
