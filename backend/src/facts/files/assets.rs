//! `assets.csv`: what was bought, to be depreciated; a later row of an asset re-spreads what is left.

use accounting::facts::{Method, ShareKey, StartRule};

use crate::facts::kind::{Fault, Form, Kind, PRICE, RATE, may, must, one_of};
use crate::facts::row::Row;
use crate::store::bulk::{Identity, Touches};

pub static ASSETS: Kind = Kind {
    name: "assets",
    columns: &[
        must("asset", Form::Text),
        must("name", Form::Text),
        must("site", Form::Text),
        may("nodes", Form::Text),
        must("price", PRICE),
        may("vat_rate", RATE),
        may("currency", Form::Currency),
        must("in_service", Form::Date),
        must("life_months", Form::Whole { least: 1 }),
        must("residual_rate", RATE),
        must("method", one_of::<Method>()),
        must("start_rule", one_of::<StartRule>()),
        may("retired", Form::Date),
        may("share_key", one_of::<ShareKey>()),
        may("valid_from_month", Form::Month),
    ],
    identity: Identity::Key(&["asset", "valid_from_month"]),
    touches: Touches::OnwardDay("in_service"),
    amount: Some("price"),
    names_time: false,
    check,
};

fn check(row: &Row<'_>) -> Result<(), Fault> {
    row.in_order("in_service", "retired")
}
