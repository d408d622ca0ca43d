//! Instants between the core's UTC milliseconds and `timestamptz`.

use accounting::time::Ms;
use chrono::{DateTime, Utc};

pub type Instant = DateTime<Utc>;

/// The instant of `ms`; what no calendar reaches is the first or the last one it does.
#[must_use]
pub fn at(ms: Ms) -> Instant {
    DateTime::from_timestamp_millis(ms).unwrap_or(if ms < 0 {
        DateTime::<Utc>::MIN_UTC
    } else {
        DateTime::<Utc>::MAX_UTC
    })
}

/// UTC milliseconds of an instant.
#[must_use]
pub fn ms(at: Instant) -> Ms {
    at.timestamp_millis()
}
