//! `holidays.csv`: days that are neither workday nor weekend, and weekends that are worked.

use crate::facts::kind::{Form, Kind, may, must, nothing_more, one_of};
use crate::store::bulk::{Identity, Touches};
use crate::store::words::HolidayKind;

pub static HOLIDAYS: Kind = Kind {
    name: "holidays",
    columns: &[
        must("date", Form::Date),
        must("kind", one_of::<HolidayKind>()),
        may("region", Form::Text),
    ],
    identity: Identity::Key(&["date", "region"]),
    touches: Touches::Day("date"),
    amount: None,
    names_time: false,
    check: nothing_more,
};
