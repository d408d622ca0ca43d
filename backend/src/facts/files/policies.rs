//! `policies.csv`: how a pool is given to those who pay, from a month on.

use accounting::facts::PolicyKind;
use api::Reason;

use crate::facts::kind::{Fault, Form, Kind, may, must, one_of};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};
use crate::store::words::word;
use crate::store::written::{pool, weights};

pub static POLICIES: Kind = Kind {
    name: "policies",
    columns: &[
        must("pool", Form::Checked(|text| pool(text).map(drop))),
        must("policy", one_of::<PolicyKind>()),
        may("weights", Form::Checked(|text| weights(text).map(drop))),
        must("from_month", Form::Month),
    ],
    identity: Identity::Key(&["pool", "from_month"]),
    touches: Touches::OnwardDay("from_month"),
    amount: None,
    names_time: false,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    let is_fixed = row.text("policy").and_then(word) == Some(PolicyKind::Fixed);
    let fixed = || "fixed".to_owned();
    let reason = match (is_fixed, row.text("weights")) {
        (true, None) => Reason::WeightsNeeded { policy: fixed() },
        (false, Some(_)) => Reason::WeightsNotTaken { policy: fixed() },
        _ => return Ok(()),
    };
    Err(Fault {
        column: "weights",
        reason,
    })
}
