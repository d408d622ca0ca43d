//! What comes out: ledger rows with their reasons and sources, site hours, and doubts beside them.
//!
//! Σ components = Σ categories = Σ reasons = Σ sources, to the micro-yuan, in every row, day and sum of them.

use chrono::NaiveDate;

use crate::category::{
    Bearer, CATEGORIES, COMPONENTS, Category, Component, MODES, Pool, Reason, Status,
};
use crate::facts::Level;
use crate::ids::Id;
use crate::money::Micro;
use crate::quantity::Rational;
use crate::time::{Ms, Span};

/// One ledger row: (day, device, workload or none, bearer), or a line without device (pool, tokens, other).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Empty for company-wide pools.
    pub site: Id,
    pub node: Option<Id>,
    pub device: Option<Id>,
    pub workload: Option<Id>,
    /// `None` on rows without device.
    pub bearer: Option<Bearer>,
    /// `None` on device rows.
    pub pool: Option<Pool>,
    /// The payer; `None` with a workload means unattributed, without one that nobody pays directly.
    pub project: Option<Id>,
    pub person: Option<Id>,
    pub components: [Micro; COMPONENTS],
    /// Time cost (everything but electricity) by category.
    pub time: [Micro; CATEGORIES],
    /// Electricity by category.
    pub energy: [Micro; CATEGORIES],
    pub ms: [Ms; CATEGORIES],
    /// `None` where energy is not known (no device, or nothing measured nor estimable).
    pub energy_mwh: Option<i64>,
    /// The part of `energy_mwh` that was measured (E1, E2), not estimated.
    pub measured_mwh: i64,
    /// Milliseconds by evidence mode.
    pub mode_ms: [Ms; MODES],
    /// Milliseconds whose price is unknown.
    pub unpriced_ms: Ms,
    pub flags: Flags,
    pub status: Status,
    pub reasons: Vec<ReasonPart>,
}

/// What a reader must know about a row; bits, so that a sum of rows is an OR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub i32);

impl Flags {
    /// Shares above the whole device, divided by their sum.
    pub const OVERSOLD: Self = Self(1);
    /// Throttling cannot be seen: 0 is assumed.
    pub const THROTTLE_UNSEEN: Self = Self(1 << 1);
    /// An asset that does not yet, or no longer, depreciates.
    pub const NO_DEPRECIATION: Self = Self(1 << 2);
    /// Electricity is part of the rent.
    pub const IN_RENT: Self = Self(1 << 3);
    /// A price taken from a neighbouring month.
    pub const LAST_KNOWN_PRICE: Self = Self(1 << 4);
    /// A slice's energy, split from its parent's.
    pub const SLICE_ESTIMATED: Self = Self(1 << 5);
    /// Some cost of the row has no known price.
    pub const UNPRICED: Self = Self(1 << 6);
    /// Energy estimated by rule E3.
    pub const ENERGY_ESTIMATED: Self = Self(1 << 7);

    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Detail book `reasons`: a row's category by sub-reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReasonPart {
    pub category: Category,
    pub reason: Reason,
    pub time: Micro,
    pub energy: Micro,
    pub ms: Ms,
}

/// Detail book `sources`: where a component's yuan came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub kind: SourceKind,
    /// The asset, charge, tariff or price-book row.
    pub source: Id,
    /// Empty for company-wide pools.
    pub site: Id,
    pub device: Option<Id>,
    pub pool: Option<Pool>,
    /// How it was computed, e.g. `straight_line`, `E1`, `price_book`.
    pub rule: &'static str,
    /// The source row's version: `valid_from_month`, tariff month, price `from`; empty when it has one version only.
    pub version: Id,
    pub component: Component,
    pub amount: Micro,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceKind {
    Asset,
    Charge,
    Tariff,
    PriceBook,
}

impl SourceKind {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asset => "asset",
            Self::Charge => "charge",
            Self::Tariff => "tariff",
            Self::PriceBook => "price_book",
        }
    }
}

/// Electricity of one site in one hour at one price level: what charts below a day read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteHour {
    pub site: Id,
    pub hour: Span,
    /// `None` where the site has no tariff.
    pub level: Option<Level>,
    /// IT energy of the devices and their hosts, milli-watt-hours.
    pub energy_mwh: i64,
    /// Electricity booked on devices, micro-yuan; `None` when none of it has a price.
    pub amount: Option<Micro>,
    pub pue: Option<Rational>,
    pub quality: PueQuality,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PueQuality {
    /// Facility and IT both metered in the hour.
    Metered,
    /// The site's configured default.
    Default,
    /// Neither.
    Unknown,
}

impl PueQuality {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metered => "metered",
            Self::Default => "default",
            Self::Unknown => "unknown",
        }
    }
}

/// Something a person should look at, beside the result, never instead of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub kind: DoubtKind,
    /// What it is about: a device, asset, model, site, workload …
    pub subject: Id,
    pub site: Option<Id>,
    /// The yuan concerned, where it can be known.
    pub amount: Option<Micro>,
    /// How long it lasted, where that is the point.
    pub ms: Ms,
    pub detail: String,
}

/// The closed list of doubts; each is explained in docs/accounting.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DoubtKind {
    ActivityWithoutPlacement,
    Unpriced,
    Unattributed,
    UnknownModel,
    UnknownTdp,
    NoFxRate,
    LastKnownPrice,
    LastKnownRate,
    MeterConflict,
    MeterGap,
    PueBelowOne,
    Oversold,
    SliceEnergyIgnored,
    SlicesExceedParent,
    PlacementOutsideValidity,
    PlacementOfUnknownDevice,
    TariffConflict,
    NoValidDevice,
    ResidualLimited,
    NegativePayer,
    PolicyNotRead,
    ConflictingStates,
    MfuAboveOne,
    Overflow,
}

impl DoubtKind {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ActivityWithoutPlacement => "activity_without_placement",
            Self::Unpriced => "unpriced",
            Self::Unattributed => "unattributed",
            Self::UnknownModel => "unknown_model",
            Self::UnknownTdp => "unknown_tdp",
            Self::NoFxRate => "no_fx_rate",
            Self::LastKnownPrice => "last_known_price",
            Self::LastKnownRate => "last_known_rate",
            Self::MeterConflict => "meter_conflict",
            Self::MeterGap => "meter_gap",
            Self::PueBelowOne => "pue_below_one",
            Self::Oversold => "oversold",
            Self::SliceEnergyIgnored => "slice_energy_ignored",
            Self::SlicesExceedParent => "slices_exceed_parent",
            Self::PlacementOutsideValidity => "placement_outside_validity",
            Self::PlacementOfUnknownDevice => "placement_of_unknown_device",
            Self::TariffConflict => "tariff_conflict",
            Self::NoValidDevice => "no_valid_device",
            Self::ResidualLimited => "residual_limited",
            Self::NegativePayer => "negative_payer",
            Self::PolicyNotRead => "policy_not_read",
            Self::ConflictingStates => "conflicting_states",
            Self::MfuAboveOne => "mfu_above_one",
            Self::Overflow => "overflow",
        }
    }
}

/// The books of one ledger day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Day {
    pub day: NaiveDate,
    /// In the order (site, device, workload, bearer), lines without device last.
    pub rows: Vec<Row>,
    pub sources: Vec<Source>,
    pub site_hours: Vec<SiteHour>,
    pub doubts: Vec<Doubt>,
}
