//! The explorer's query object: one question for page, API, CSV and command line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Yuan;

/// `GET /api/v1/query?metric=cost&group_by=project,component&from=2026-07-01&to=2026-08-01&filter=site:bj&grain=day`
///
/// `from` and `to` are days of the ledger zone, half-open. Metrics and groups are the names of the command line
/// (`suanzhang query --help`); several filters are repeated `filter=key:value` parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Query {
    pub metric: String,
    pub group_by: Vec<String>,
    pub from: String,
    pub to: String,
    pub filters: Vec<Filter>,
    pub grain: Option<Grain>,
}

/// One `key=value` condition; conditions on the same key are alternatives, different keys must all hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Filter {
    pub key: String,
    pub value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Grain {
    Day,
    Week,
    Month,
}

/// How firm a figure is; a sum takes its weakest part's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Estimated,
    Provisional,
    Closed,
}

/// What every answer with figures says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct About {
    /// ISO 4217, e.g. `CNY`.
    pub currency: String,
    /// IANA name of the ledger zone, e.g. `Asia/Shanghai`.
    pub zone: String,
    /// When the books behind the figures were last computed, RFC 3339; `null` when never.
    pub as_of: Option<String>,
    pub status: Option<Status>,
    /// Share of cost in evidence mode M2 or better, in 1e-4; `null` when there is no cost.
    pub coverage: Option<i64>,
}

/// The value of a cell. Exactly one kind per metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// Ledger currency.
    Money(Yuan),
    /// A decimal string in the metric's unit (kWh, device hours, ratio, tokens per yuan …).
    Number(String),
}

/// One row: the period (when a grain was asked), one text per group (`null` in the total row), the figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Row {
    /// First day of the period, clipped to the asked range; `null` without grain and in the total row.
    pub period: Option<String>,
    /// One per group, in the order asked. The empty string is "none" (e.g. rows without project). `null` in the total.
    pub groups: Vec<Option<String>>,
    /// `null` is "not available", which is not 0.
    pub value: Option<Value>,
    pub status: Option<Status>,
    pub coverage: Option<i64>,
}

/// Rows in a stable order, the total last (its `groups` all `null`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueryAnswer {
    pub query: Query,
    /// `yuan`, `kWh`, `device_hours`, `tokens`, `tokens/yuan`, `FLOP/J`, `ratio` …
    pub unit: String,
    pub rows: Vec<Row>,
    pub about: About,
}

/// `GET /api/v1/query` as JSON: the answer, and what the ids in its rows are called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NamedAnswer {
    #[serde(flatten)]
    pub answer: QueryAnswer,
    /// By group (`project`, `team`, `site`, `person`, `workload`, where grouped by) and id. An id without a name of its
    /// own is left out; what no row has is not named.
    pub names: BTreeMap<String, BTreeMap<String, String>>,
}
