//! Amounts and changes: short to read, exact on hover and when copied.

use leptos::prelude::*;

use crate::format::{self, Change, Direction, MISSING};
use crate::texts::{self, Locale, t};

/// An amount: the eye sees `1.23 万元`, hovering and copying give every micro-yuan it has.
pub fn amount(locale: Locale, currency: &str, micro: i64) -> impl IntoView + use<> {
    let short = format::yuan(locale, currency, micro);
    let exact = format!("{} {}", format::exact(micro), texts::unit(locale, currency));
    let title = exact.clone();
    let value = api::Yuan::from_micro(micro).0;
    view! {
        <data class="amount" value=value data-short=short title=title>
            <span class="exact">{exact}</span>
        </data>
    }
}

/// An amount in a table whose head names the unit: to the fen, all of it on hover.
pub fn cell(micro: i64) -> impl IntoView {
    let value = api::Yuan::from_micro(micro).0;
    view! {
        <data value=value title=format::exact(micro)>
            {format::fen(micro)}
        </data>
    }
}

/// Electricity: short to read, all of it when copied; the page says on hover what it counts.
pub fn energy(locale: Locale, kwh: &str) -> Option<impl IntoView + use<>> {
    let short = format::energy(locale, kwh)?;
    let value = kwh.to_owned();
    Some(view! {
        <data class="energy" value=value>
            {short}
        </data>
    })
}

/// A time of the ledger zone to the minute, whole on hover.
pub fn minute(rfc3339: &str) -> impl IntoView + use<> {
    let (whole, title) = (rfc3339.to_owned(), rfc3339.to_owned());
    view! {
        <time datetime=whole title=title>
            {format::minute(rfc3339)}
        </time>
    }
}

/// A missing figure, with the reason on hover and for screen readers.
pub fn missing(reason: impl Into<String>) -> impl IntoView {
    let reason: String = reason.into();
    view! {
        <abbr class="missing" title=reason>
            {MISSING}
        </abbr>
    }
}

/// Whether a rise is welcome; cost is neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Welcome {
    Rise,
    Fall,
    Neither,
}

/// A change in words and percent of the comparison: `升 +8.2 %`. `beside` is the absolute change, already written;
/// `hint` says what is compared with what.
pub fn change(
    locale: Locale,
    change: Change,
    welcome: Welcome,
    beside: Option<String>,
    hint: String,
) -> impl IntoView {
    let (mark, word) = match change.direction {
        Direction::Up => ("↑", t!(locale, overview.tile.up)),
        Direction::Down => ("↓", t!(locale, overview.tile.down)),
        Direction::Same => ("=", t!(locale, overview.tile.same)),
    };
    let class = match (change.direction, welcome) {
        (Direction::Up, Welcome::Rise) | (Direction::Down, Welcome::Fall) => "change good",
        (Direction::Down, Welcome::Rise) | (Direction::Up, Welcome::Fall) => "change bad",
        _ => "change",
    };
    let percent = (change.direction != Direction::Same).then(|| {
        if change.relative.is_some() {
            change.percent()
        } else {
            t!(locale, overview.tile.from_zero).to_owned()
        }
    });
    let beside = beside.filter(|_| change.direction != Direction::Same);
    view! {
        <span class=class title=hint>
            <span aria-hidden="true">{mark}</span>
            " "
            {word}
            " "
            {percent}
            {beside.map(|text| view! { <span class="muted">" "{text}</span> })}
        </span>
    }
}
