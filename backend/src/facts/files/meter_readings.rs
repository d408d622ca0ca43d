//! `meter_readings.csv`: a counter in kWh, or the mean kW since the reading before.

use api::Reason;

use crate::facts::kind::{Fault, Form, Kind, SENTINEL, may, must};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};

const COUNTER: Form = Form::Decimal {
    least: 0,
    most: SENTINEL - 1,
};

pub static METER_READINGS: Kind = Kind {
    name: "meter_readings",
    columns: &[
        must("meter", Form::Text),
        must("time", Form::Instant),
        may("kwh", COUNTER),
        may("kw", COUNTER),
    ],
    identity: Identity::Key(&["meter", "time"]),
    touches: Touches::Reading,
    amount: None,
    names_time: true,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    if row.number("kwh").is_none() && row.number("kw").is_none() {
        return Err(Fault {
            column: "kwh",
            reason: Reason::NeitherGiven {
                one: "kwh".to_owned(),
                other: "kw".to_owned(),
            },
        });
    }
    Ok(())
}
