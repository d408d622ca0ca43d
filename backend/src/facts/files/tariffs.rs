//! `tariffs.csv`: at which level electricity is priced when. A batch replaces the whole of each (tariff, from) it names.

use accounting::facts::Level;
use api::Reason;

use crate::facts::kind::{Fault, Form, Kind, may, must, one_of};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};
use crate::store::written::{days, season, slot};

pub static TARIFFS: Kind = Kind {
    name: "tariffs",
    columns: &[
        must("tariff", Form::Text),
        must("from", Form::Bound),
        may("to", Form::Bound),
        must("months", Form::Checked(|text| read(season(text)))),
        must("days", Form::Checked(|text| read(days(text)))),
        must("slot", Form::Checked(|text| read(slot(text)))),
        must("level", one_of::<Level>()),
    ],
    identity: Identity::Group {
        of: &["tariff", "from"],
        unless: None,
    },
    touches: Touches::Between("from", "to"),
    amount: None,
    names_time: false,
    check,
};

fn read<T>(result: Result<T, Reason>) -> Result<(), Reason> {
    result.map(drop)
}

fn check(row: &Row<'_>) -> Result<(), Fault> {
    row.not_empty("from", "to")
}
