//! `tariff_prices.csv`: the price of each level of a tariff, month by month.

use accounting::facts::Level;

use crate::facts::kind::{Form, Kind, RATE, SIGNED_PRICE, may, must, nothing_more, one_of};
use crate::store::bulk::{Identity, Touches};

pub static TARIFF_PRICES: Kind = Kind {
    name: "tariff_prices",
    columns: &[
        must("tariff", Form::Text),
        must("month", Form::Month),
        must("level", one_of::<Level>()),
        // Below 0 at times in spot markets.
        must("price_per_kwh", SIGNED_PRICE),
        may("vat_rate", RATE),
        may("currency", Form::Currency),
    ],
    identity: Identity::Key(&["tariff", "month", "level"]),
    touches: Touches::OnwardDay("month"),
    amount: None,
    names_time: false,
    check: nothing_more,
};
