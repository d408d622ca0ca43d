//! `rules.csv`: whose a workload or bill line is when it does not say so itself; the first match wins.

use accounting::facts::Applies;
use api::Reason;

use crate::facts::kind::{Fault, Form, Kind, PROJECT, may, must, one_of};
use crate::facts::row::{Row, validity};
use crate::store::bulk::{Identity, Touches};
use crate::store::words::word;
use crate::store::written::{conditions, pool};

pub static RULES: Kind = Kind {
    name: "rules",
    columns: &[
        must("order", Form::Whole { least: i64::MIN }),
        must("rule", Form::Text),
        may("applies", one_of::<Applies>()),
        must("match", Form::Text),
        may("project", PROJECT),
        may("pool", Form::Checked(|text| pool(text).map(drop))),
        may("person", Form::Text),
        may("valid_from", Form::Bound),
        may("valid_to", Form::Bound),
    ],
    identity: Identity::Key(&["rule", "valid_from"]),
    touches: Touches::Between("valid_from", "valid_to"),
    amount: None,
    names_time: false,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    validity(row)?;
    if row.text("project").is_some() == row.text("pool").is_some() {
        return Err(Fault {
            column: "project",
            reason: Reason::OneOfTwo {
                one: "project".to_owned(),
                other: "pool".to_owned(),
            },
        });
    }
    let applies = row
        .text("applies")
        .and_then(word)
        .unwrap_or(Applies::Workload);
    conditions(row.text("match").unwrap_or_default(), applies)
        .map(drop)
        .map_err(|reason| Fault {
            column: "match",
            reason,
        })
}
