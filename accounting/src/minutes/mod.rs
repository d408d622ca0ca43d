//! Minutes of a device, as laid from its samples: 60 to a UTC hour.
//!
//! [`lay`] turns samples into minutes (docs/accounting.md, section 2, "Minutes"), [`pack`] and [`unpack`] are the form
//! they are stored in.

mod lay;
mod pack;

pub use lay::lay;
pub use pack::{PackError, pack, unpack};

use crate::ids::Id;
use crate::quantity::Fraction;
use crate::time::Ms;

/// One UTC hour of minutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinuteHour {
    /// Start of the hour, a multiple of 3,600,000.
    pub hour: Ms,
    /// Sixty, minute k covering `[hour + k·60 s, hour + (k+1)·60 s)`.
    pub minutes: Vec<Minute>,
}

/// What is known of one device-minute. A quantity is `None` unless it covers at least as much of the minute as G.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minute {
    /// Share of the minute that G covers; 0 is no telemetry.
    pub covered: Fraction,
    pub g: Option<Fraction>,
    pub s: Option<Fraction>,
    pub t: Option<Fraction>,
    pub d: Option<Fraction>,
    pub fp32: Option<Fraction>,
    pub fp64: Option<Fraction>,
    pub comm: Option<Fraction>,
    pub host_evidence: Option<Fraction>,
    pub throttle: Option<Fraction>,
    pub link_bytes_s: Option<i64>,
    pub mem_used_bytes: Option<i64>,
    /// Measured energy (rule E1), whole milli-joules by running total.
    pub energy_mj: i64,
    /// How much of the minute `energy_mj` measures, 0–60,000.
    pub energy_ms: Ms,
    /// A fault of class `device_lost` was reported in this minute.
    pub lost: bool,
    /// A valid sample without fault lies in the minute and no later sample in it reports the device lost: with
    /// `lost`, the device was lost first and came back.
    pub healthy: bool,
}

/// A device that was lost when the minutes at hand begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostDevice {
    pub device: Id,
    /// Start of the minute of the last report; no minute since then was healthy.
    pub at: Ms,
}

impl MinuteHour {
    /// Minutes in an hour, and the length of `minutes`.
    pub const LENGTH: usize = 60;

    /// The last minute that reports the device lost, and the last healthy one.
    #[must_use]
    pub fn last_signs(&self) -> (Option<usize>, Option<usize>) {
        let last = |sign: fn(&Minute) -> bool| self.minutes.iter().rposition(sign);
        (last(|minute| minute.lost), last(|minute| minute.healthy))
    }

    /// An hour of which nothing is known.
    #[must_use]
    pub fn empty(hour: Ms) -> Self {
        Self {
            hour,
            minutes: vec![Minute::default(); Self::LENGTH],
        }
    }
}
