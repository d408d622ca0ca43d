//! The closed lists that books are written in: categories, components, bearers, pools, modes, statuses, sub-reasons.
//!
//! Names are identifiers, written in code, API and files exactly as here (EFFICIENCY, section 1).

/// Where a device-minute went: the ladder, in order. The last is outside the 14 and inside every sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    UnknownAlloc,
    OutOfService,
    Unallocated,
    LostWork,
    UnknownActivity,
    HeldIdle,
    DataOrHostStall,
    StallUnattributed,
    CommunicationWait,
    LowSm,
    Throttled,
    LowIntensity,
    BusyUnrated,
    Useful,
    NonDevice,
}

/// The number of categories, `non_device` included: the length of a row's vectors.
pub const CATEGORIES: usize = 15;

impl Category {
    pub const ALL: [Self; CATEGORIES] = [
        Self::UnknownAlloc,
        Self::OutOfService,
        Self::Unallocated,
        Self::LostWork,
        Self::UnknownActivity,
        Self::HeldIdle,
        Self::DataOrHostStall,
        Self::StallUnattributed,
        Self::CommunicationWait,
        Self::LowSm,
        Self::Throttled,
        Self::LowIntensity,
        Self::BusyUnrated,
        Self::Useful,
        Self::NonDevice,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnknownAlloc => "unknown_alloc",
            Self::OutOfService => "out_of_service",
            Self::Unallocated => "unallocated",
            Self::LostWork => "lost_work",
            Self::UnknownActivity => "unknown_activity",
            Self::HeldIdle => "held_idle",
            Self::DataOrHostStall => "data_or_host_stall",
            Self::StallUnattributed => "stall_unattributed",
            Self::CommunicationWait => "communication_wait",
            Self::LowSm => "low_sm",
            Self::Throttled => "throttled",
            Self::LowIntensity => "low_intensity",
            Self::BusyUnrated => "busy_unrated",
            Self::Useful => "useful",
            Self::NonDevice => "non_device",
        }
    }

    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::UnknownAlloc => 0,
            Self::OutOfService => 1,
            Self::Unallocated => 2,
            Self::LostWork => 3,
            Self::UnknownActivity => 4,
            Self::HeldIdle => 5,
            Self::DataOrHostStall => 6,
            Self::StallUnattributed => 7,
            Self::CommunicationWait => 8,
            Self::LowSm => 9,
            Self::Throttled => 10,
            Self::LowIntensity => 11,
            Self::BusyUnrated => 12,
            Self::Useful => 13,
            Self::NonDevice => 14,
        }
    }

    /// The page's grouping: useful, waiting, weak, idle, lost, unknown, `non_device`.
    #[must_use]
    pub const fn group(self) -> &'static str {
        match self {
            Self::Useful => "useful",
            Self::CommunicationWait | Self::DataOrHostStall | Self::StallUnattributed => "waiting",
            Self::LowSm | Self::LowIntensity | Self::Throttled => "weak",
            Self::HeldIdle | Self::Unallocated => "idle",
            Self::LostWork | Self::OutOfService => "lost",
            Self::UnknownAlloc | Self::UnknownActivity | Self::BusyUnrated => "unknown",
            Self::NonDevice => "non_device",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|category| category.name() == name)
    }
}

/// What kind of cost it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Component {
    Depreciation,
    Recurring,
    Electricity,
    Cloud,
    Tokens,
    Other,
}

pub const COMPONENTS: usize = 6;

impl Component {
    pub const ALL: [Self; COMPONENTS] = [
        Self::Depreciation,
        Self::Recurring,
        Self::Electricity,
        Self::Cloud,
        Self::Tokens,
        Self::Other,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Depreciation => "depreciation",
            Self::Recurring => "recurring",
            Self::Electricity => "electricity",
            Self::Cloud => "cloud",
            Self::Tokens => "tokens",
            Self::Other => "other",
        }
    }

    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Depreciation => 0,
            Self::Recurring => 1,
            Self::Electricity => 2,
            Self::Cloud => 3,
            Self::Tokens => 4,
            Self::Other => 5,
        }
    }
}

/// Who bears a device row: the payer of its workload, or one of the site's pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bearer {
    Payer,
    Unallocated,
    OutOfService,
    UnknownAlloc,
}

impl Bearer {
    /// The bearer follows from the category alone.
    #[must_use]
    pub const fn of(category: Category) -> Self {
        match category {
            Category::UnknownAlloc => Self::UnknownAlloc,
            Category::OutOfService => Self::OutOfService,
            Category::Unallocated => Self::Unallocated,
            _ => Self::Payer,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Payer => "payer",
            Self::Unallocated => "unallocated",
            Self::OutOfService => "out_of_service",
            Self::UnknownAlloc => "unknown_alloc",
        }
    }
}

/// Cost without a device, until a policy gives it to payers. `support`, `tax` and `credits` are company-wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pool {
    Unallocated,
    OutOfService,
    UnknownAlloc,
    Shared,
    NoDevice,
    PowerVariance,
    Disposal,
    Support,
    Tax,
    Credits,
}

impl Pool {
    pub const ALL: [Self; 10] = [
        Self::Unallocated,
        Self::OutOfService,
        Self::UnknownAlloc,
        Self::Shared,
        Self::NoDevice,
        Self::PowerVariance,
        Self::Disposal,
        Self::Support,
        Self::Tax,
        Self::Credits,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unallocated => "unallocated",
            Self::OutOfService => "out_of_service",
            Self::UnknownAlloc => "unknown_alloc",
            Self::Shared => "shared",
            Self::NoDevice => "no_device",
            Self::PowerVariance => "power_variance",
            Self::Disposal => "disposal",
            Self::Support => "support",
            Self::Tax => "tax",
            Self::Credits => "credits",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pool| pool.name() == name)
    }

    #[must_use]
    pub const fn company_wide(self) -> bool {
        matches!(self, Self::Support | Self::Tax | Self::Credits)
    }
}

/// What the judgement rests on, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Inventory and bill only.
    M0,
    /// The scheduler says whose it was.
    M1,
    /// Device utilisation (G) too.
    M2,
    /// SM activity and tensor or memory activity too.
    M3,
    /// A work row covers the minute.
    M4,
    /// Network, pressure and collective timers.
    M5,
}

pub const MODES: usize = 6;

impl Mode {
    pub const ALL: [Self; MODES] = [Self::M0, Self::M1, Self::M2, Self::M3, Self::M4, Self::M5];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::M0 => "M0",
            Self::M1 => "M1",
            Self::M2 => "M2",
            Self::M3 => "M3",
            Self::M4 => "M4",
            Self::M5 => "M5",
        }
    }

    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::M0 => 0,
            Self::M1 => 1,
            Self::M2 => 2,
            Self::M3 => 3,
            Self::M4 => 4,
            Self::M5 => 5,
        }
    }
}

/// How firm a row is; a sum takes its weakest part's, which is the least of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    Estimated,
    Provisional,
    Closed,
}

impl Status {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Estimated => "estimated",
            Self::Provisional => "provisional",
            Self::Closed => "closed",
        }
    }
}

/// Why within a category; [`Reason::Plain`] where the category says it all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    Plain,
    // unallocated
    ReservedUnused,
    Fragmentation,
    Stopped,
    /// Free and placeable, but whether anybody waited is not known: no queue facts cover the time.
    DemandUnknown,
    // out_of_service
    Down,
    Maintenance,
    Drain,
    DeviceLost,
    // unknown_alloc
    NoCoverage,
    ActivityWithoutPlacement,
    // lost_work
    Replayed,
    FailedLaunch,
    // unknown_activity
    NoTelemetry,
    // held_idle
    Startup,
    ServingStandby,
    Interactive,
    Abandoned,
    // low_sm
    CommUnknown,
    // busy_unrated
    SmUnknown,
    IntensityUnknown,
}

impl Reason {
    pub const ALL: [Self; 21] = [
        Self::Plain,
        Self::ReservedUnused,
        Self::Fragmentation,
        Self::Stopped,
        Self::DemandUnknown,
        Self::Down,
        Self::Maintenance,
        Self::Drain,
        Self::DeviceLost,
        Self::NoCoverage,
        Self::ActivityWithoutPlacement,
        Self::Replayed,
        Self::FailedLaunch,
        Self::NoTelemetry,
        Self::Startup,
        Self::ServingStandby,
        Self::Interactive,
        Self::Abandoned,
        Self::CommUnknown,
        Self::SmUnknown,
        Self::IntensityUnknown,
    ];

    /// The identifier; empty for [`Reason::Plain`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::ReservedUnused => "reserved_unused",
            Self::Fragmentation => "fragmentation",
            Self::Stopped => "stopped",
            Self::DemandUnknown => "demand_unknown",
            Self::Down => "down",
            Self::Maintenance => "maintenance",
            Self::Drain => "drain",
            Self::DeviceLost => "device_lost",
            Self::NoCoverage => "no_coverage",
            Self::ActivityWithoutPlacement => "activity_without_placement",
            Self::Replayed => "replayed",
            Self::FailedLaunch => "failed_launch",
            Self::NoTelemetry => "no_telemetry",
            Self::Startup => "startup",
            Self::ServingStandby => "serving_standby",
            Self::Interactive => "interactive",
            Self::Abandoned => "abandoned",
            Self::CommUnknown => "comm_unknown",
            Self::SmUnknown => "sm_unknown",
            Self::IntensityUnknown => "intensity_unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order_and_names_are_unique() {
        for (index, category) in Category::ALL.into_iter().enumerate() {
            assert_eq!(category.index(), index);
            assert_eq!(Category::parse(category.name()), Some(category));
        }
        for (index, component) in Component::ALL.into_iter().enumerate() {
            assert_eq!(component.index(), index);
        }
        for (index, mode) in Mode::ALL.into_iter().enumerate() {
            assert_eq!(mode.index(), index);
        }
        let mut names: Vec<&str> = Reason::ALL.iter().map(|reason| reason.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Reason::ALL.len());
    }
}
