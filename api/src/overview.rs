//! The first page: everything it shows, in one answer.

use serde::{Deserialize, Serialize};

use crate::Yuan;
use crate::query::{About, Status};
use crate::waste::WasteEntry;

/// `GET /api/v1/overview?from=D&to=D[&compare=previous|last_month|last_year|none][&site=S][&team=T][&project=P][&grain=day|month]`
///
/// What has no data is `null` or an empty list, and the page leaves it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overview {
    pub from: String,
    pub to: String,
    /// First day of the range that has books, and the day after the last; `null` when none has.
    pub covered_from: Option<String>,
    pub covered_to: Option<String>,
    /// The days these are compared with, half-open: shifted by the rule, and fewer where the other month is shorter.
    /// `null` when no comparison was asked for.
    pub compare_from: Option<String>,
    pub compare_to: Option<String>,
    /// Why there is no comparison though one was asked for; every `compare` is then `null`.
    pub not_compared: Option<NotCompared>,
    pub cost: Money,
    /// Tokens per yuan, each kind with its share of cost: training first, serving second; empty without tokens.
    pub tokens_per_yuan: Vec<TokensPerYuan>,
    /// FLOP/J at server boundary: energy of the devices and their hosts.
    pub flop_per_joule: Option<Figure>,
    /// Model FLOPs utilisation, 0–1, only of devices whose peak is known.
    pub mfu: Option<Figure>,
    /// Useful yuan ÷ device yuan, 0–1; `null` where no sensor can see use (evidence modes below M3).
    pub useful_share: Option<Figure>,
    /// Device hours held ÷ valid device hours, 0–1.
    pub allocated_share: Option<Figure>,
    /// Facility ÷ IT energy; `null` where nothing is metered or configured.
    pub pue: Option<Figure>,
    /// Electricity of the range; `null` where the books know none.
    pub energy: Option<Energy>,
    pub data_health: DataHealth,
    /// The whole cost, every category that has yuan, in ladder order, `non_device` last. Sums to `cost.value`.
    pub categories: Vec<CategoryCost>,
    /// At most five, by yuan.
    pub largest_wastes: Vec<WasteEntry>,
    /// Cost by project and period; the projects beyond the eight largest are under `others`. Sums to `cost.value`.
    pub cost_over_time: CostOverTime,
    /// Largest movers against the comparison, by absolute yuan; empty without comparison.
    pub movers: Vec<Mover>,
    /// First and last day (inclusive) that have books at all; the page offers them when the asked range is empty.
    pub books_from: Option<String>,
    pub books_to: Option<String>,
    pub about: About,
}

/// Why days cannot be compared: only days that all have books are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum NotCompared {
    /// A day within the range, between days that have books, has none.
    Gap,
    /// A day to compare with has no books.
    NoBooks,
}

/// An amount, what it was in the comparison, and its course over the range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Money {
    pub value: Yuan,
    pub compare: Option<Yuan>,
    /// One per period of `cost_over_time.periods`; `null` where there are no books.
    pub trend: Vec<Option<Yuan>>,
    /// The part of `value` whose status is estimated.
    pub estimated: Yuan,
}

/// A ratio of sums as a decimal string, with the comparison's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Figure {
    pub value: String,
    pub compare: Option<String>,
    pub trend: Vec<Option<String>>,
    pub status: Status,
}

/// Electricity: how much, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Energy {
    /// Of devices and their hosts, as `query` with the metric `kwh` counts it: without cooling and losses.
    pub kwh: String,
    /// The component `electricity` of the cost, in which cooling and losses are paid for (× PUE); `null` where none of
    /// it has a price.
    pub yuan: Option<Yuan>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokensPerYuan {
    /// `trained` or `generated`.
    pub kind: String,
    pub direct: Figure,
    /// On full cost (idle and shared cost included); `null` where the range is not whole months.
    pub full: Option<String>,
    /// Share of the direct cost that reports this kind, 0–1.
    pub cost_share: String,
}

/// Yuan in doubt, each a part of the cost or beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DataHealth {
    /// Device hours whose price is unknown (their yuan cannot be known).
    pub unpriced_device_hours: String,
    pub unattributed: Yuan,
    /// `unknown_alloc` + `unknown_activity`.
    pub unknown: Yuan,
    /// Share of cost by evidence mode, 1e-4, of M0 … M5.
    pub cost_by_mode: Vec<ModeShare>,
    pub doubts: Vec<DoubtCount>,
    /// True when the audit of the days shown found no difference; `null` when it has not run.
    pub audited: Option<bool>,
    /// Days of the range whose facts are newer than their books: the figures above do not know them yet.
    pub days_waiting: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModeShare {
    /// `M0` … `M5`
    pub mode: String,
    pub yuan: Yuan,
}

/// One kind of doubt in the range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DoubtCount {
    /// A name of the closed list in docs/accounting.md, e.g. `activity_without_placement`.
    pub kind: String,
    pub count: i64,
    /// The yuan concerned, where it can be known.
    pub yuan: Option<Yuan>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CategoryCost {
    /// One of the 14 category names, or `non_device`.
    pub category: String,
    /// `useful`, `waiting`, `weak`, `idle`, `lost`, `unknown` or `non_device`.
    pub group: String,
    pub time: Yuan,
    pub electricity: Yuan,
    /// time + electricity
    pub total: Yuan,
    pub compare: Option<Yuan>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CostOverTime {
    /// First day of each period, in order, clipped to the range.
    pub periods: Vec<String>,
    /// `day` or `month`.
    pub grain: String,
    pub series: Vec<ProjectSeries>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProjectSeries {
    /// A project id, `unattributed`, `pool:NAME` for what no project bears, or `others`.
    pub project: String,
    /// The project's name; the id where it has none.
    pub name: String,
    pub total: Yuan,
    /// One per period; `null` where there are no books.
    pub values: Vec<Option<Yuan>>,
    /// The estimated part of each value.
    pub estimated: Vec<Option<Yuan>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mover {
    pub project: String,
    pub name: String,
    pub value: Yuan,
    pub compare: Yuan,
    /// `new` (nothing in the comparison), `ended`, `volume` (device hours changed as cost did), `price` (device hours
    /// did not), or `null` when neither explains it.
    pub reason: Option<String>,
}
