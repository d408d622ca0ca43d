//! The waste ranking.

use serde::{Deserialize, Serialize};

use crate::Yuan;
use crate::overview::NotCompared;
use crate::query::About;

/// `GET /api/v1/waste?from=D&to=D[&site=S][&project=P]`: sorted by yuan, largest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WasteAnswer {
    pub from: String,
    pub to: String,
    /// The days `previous` is of, half-open: as many as the range has with books, right before these.
    pub compare_from: Option<String>,
    pub compare_to: Option<String>,
    /// Why every `previous` is `null`.
    pub not_compared: Option<NotCompared>,
    pub entries: Vec<WasteEntry>,
    /// Beside the ranking: yuan nobody can judge, and the sensor that would.
    pub unknown: Vec<UnknownCost>,
    /// Cost of the whole range, which the shares are of.
    pub total: Yuan,
    pub about: About,
}

/// One entry per (category, sub-reason, scope).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WasteEntry {
    pub category: String,
    /// `waiting`, `weak`, `idle` or `lost`.
    pub group: String,
    /// The sub-reason's name, or empty.
    pub reason: String,
    /// `project` or `site`: where it is.
    pub scope_kind: String,
    pub scope: String,
    /// The project's or site's own name; the id where it has none.
    pub scope_name: String,
    pub yuan: Yuan,
    /// Share of the scope's own cost, 1e-4.
    pub share: Option<i64>,
    /// Device hours in this state.
    pub device_hours: String,
    /// The evidence mode most of it was seen in, `M0` … `M5`.
    pub mode: String,
    /// Yuan of the same entry in the days compared with; `null` where nothing is compared.
    pub previous: Option<Yuan>,
    /// `platform`, `scheduler`, `project`, `facility` or `operations`.
    pub who_can_fix: String,
    /// The rule that fired, a key into the page's texts (`rule.held_idle`), with its numbers.
    pub rule: String,
    pub rule_numbers: Vec<(String, String)>,
    /// A key into the page's texts: what to do.
    pub advice: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnknownCost {
    pub category: String,
    pub yuan: Yuan,
    /// A key into the page's texts: the sensor or source that would resolve it.
    pub resolved_by: String,
}
