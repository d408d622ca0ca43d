//! The one place that reads the wall clock. It is handed around in [`App`](crate::app::App), so that a test can set it.

use chrono::{DateTime, NaiveDate, SubsecRound, Utc};
use chrono_tz::Tz;

/// The wall clock, or an instant a test has chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    fixed: Option<DateTime<Utc>>,
}

impl Clock {
    #[must_use]
    pub const fn system() -> Self {
        Self { fixed: None }
    }

    #[must_use]
    pub const fn fixed(at: DateTime<Utc>) -> Self {
        Self { fixed: Some(at) }
    }

    /// Now, in whole milliseconds, as the database keeps it.
    #[must_use]
    pub fn now(self) -> DateTime<Utc> {
        self.fixed.unwrap_or_else(Utc::now).trunc_subsecs(3)
    }

    /// The ledger day that is running in `zone`.
    #[must_use]
    pub fn today(self, zone: Tz) -> NaiveDate {
        self.now().with_timezone(&zone).date_naive()
    }
}
