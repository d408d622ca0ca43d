//! `sites.csv`: where machines stand and which zone their tariffs are in.

use accounting::facts::SiteKind;
use accounting::time::Zone;
use api::Reason;
use api::reason::Expected;

use crate::facts::kind::{Form, Kind, PUE, may, must, nothing_more, one_of};
use crate::store::bulk::{Identity, Touches};
use crate::store::written::malformed;

pub static SITES: Kind = Kind {
    name: "sites",
    columns: &[
        must("site", Form::Text),
        must("name", Form::Text),
        must("kind", one_of::<SiteKind>()),
        must("zone", Form::Checked(zone)),
        may("region", Form::Text),
        may("pue_default", PUE),
        may("tariff", Form::Text),
        may("entity", Form::Text),
        may("valid_from", Form::Bound),
    ],
    identity: Identity::Key(&["site", "valid_from"]),
    touches: Touches::Onward("valid_from"),
    amount: None,
    names_time: false,
    check: nothing_more,
};

fn zone(text: &str) -> Result<(), Reason> {
    text.parse::<Zone>()
        .map(drop)
        .map_err(|_| malformed(text, Expected::Zone))
}
