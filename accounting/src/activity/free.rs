//! Rungs 0 to 2: the share of a device that nobody holds.
//!
//! Out of service first, then unallocated where the scheduler was read (or the node's state says so), and
//! "cannot tell" everywhere else: a device outside scheduler coverage is never called idle.

use crate::category::{Category, Reason};
use crate::facts::State;
use crate::quantity::Fraction;

/// What is known of the free share at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Free {
    pub state: Option<State>,
    /// A fault of class `device_lost` holds.
    pub lost: bool,
    /// The scheduler was read for this node at this instant.
    pub in_coverage: bool,
    /// Another share of the device is held, or it is the rest of a sliced device.
    pub partly_held: bool,
    /// The rest of a sliced device: its readings are those of its slices.
    pub sliced: bool,
    /// G of the minute, where known.
    pub g: Option<Fraction>,
}

/// G from which a device without placement counts as active: 1 %.
pub const ACTIVE: Fraction = 100;

/// The whole-device states that outrank placements.
#[must_use]
pub fn out_of_service(state: Option<State>, lost: bool) -> Option<Reason> {
    match state {
        _ if lost => Some(Reason::DeviceLost),
        Some(State::Down) => Some(Reason::Down),
        Some(State::Maintenance) => Some(Reason::Maintenance),
        _ => None,
    }
}

/// Category and sub-reason of the share nobody holds.
#[must_use]
pub fn free(share: Free) -> (Category, Reason) {
    if let Some(reason) = out_of_service(share.state, share.lost) {
        return (Category::OutOfService, reason);
    }
    if share.state == Some(State::Drain) {
        return (Category::OutOfService, Reason::Drain);
    }
    if share.partly_held && !share.sliced {
        return (Category::Unallocated, Reason::Fragmentation);
    }
    let active = !share.sliced && share.g.is_some_and(|g| g >= ACTIVE);
    match share.state {
        _ if share.in_coverage && active => {
            (Category::UnknownAlloc, Reason::ActivityWithoutPlacement)
        }
        Some(State::Reserved) => (Category::Unallocated, Reason::ReservedUnused),
        Some(State::Stopped) => (Category::Unallocated, Reason::Stopped),
        _ if !share.in_coverage => (Category::UnknownAlloc, Reason::NoCoverage),
        _ if share.sliced => (Category::Unallocated, Reason::Fragmentation),
        _ => (Category::Unallocated, Reason::DemandUnknown),
    }
}
