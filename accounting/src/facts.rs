//! Facts as they come in: one type per fact file, texts already read into exact numbers, nothing derived.
//!
//! Every price and amount is net of deductible VAT. Optional columns are `Option`: missing is never 0. Times are UTC
//! milliseconds, validity is half-open. The fields are those of the fact files (docs/fact-files.md).

use chrono::NaiveDate;

use crate::ids::Id;
use crate::minutes::{LostDevice, MinuteHour};
use crate::money::{Fen, Micro};
use crate::quantity::{Fraction, Rational, Share};
use crate::time::{Month, Ms, Span, Zone};

/// Half-open validity; a missing bound is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Validity {
    pub from: Option<Ms>,
    pub to: Option<Ms>,
}

impl Validity {
    #[must_use]
    pub fn contains(self, instant: Ms) -> bool {
        self.from.is_none_or(|from| from <= instant) && self.to.is_none_or(|to| instant < to)
    }

    /// The part of `span` that is valid, `None` when there is none.
    #[must_use]
    pub fn cut(self, span: Span) -> Option<Span> {
        span.cut(Span {
            start: self.from.unwrap_or(Ms::MIN),
            end: self.to.unwrap_or(Ms::MAX),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SiteKind {
    Owned,
    Colo,
    Cloud,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub site: Id,
    pub name: String,
    pub kind: SiteKind,
    pub zone: Zone,
    pub region: Option<Id>,
    pub pue_default: Option<Rational>,
    pub tariff: Option<Id>,
    pub entity: Option<Id>,
    pub valid: Validity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ownership {
    Owned,
    Leased,
    Cloud,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub node: Id,
    pub site: Id,
    pub ownership: Ownership,
    pub cloud_resource_id: Option<Id>,
    pub host_overhead_w: Option<Rational>,
    pub valid: Validity,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    pub device: Id,
    pub node: Id,
    pub slot: String,
    /// As written; resolved through the models' names and aliases.
    pub model: Id,
    /// The device this one is a slice of.
    pub parent: Option<Id>,
    pub slice: Option<String>,
    /// `k/n` of the parent; missing means the k of `Kg.Mgb`, of 7.
    pub slice_weight: Option<Share>,
    pub valid: Validity,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceModel {
    pub model: Id,
    pub aliases: Vec<Id>,
    pub vendor: String,
    pub memory_gib: Option<Rational>,
    pub tdp_w: Option<Rational>,
    pub idle_w: Option<Rational>,
    /// Dense peaks of one schedulable unit, 10^12/s.
    pub peak_bf16_tflops: Option<Rational>,
    pub peak_fp16_tflops: Option<Rational>,
    pub peak_fp8_tflops: Option<Rational>,
    pub peak_int8_tops: Option<Rational>,
    pub peak_tf32_tflops: Option<Rational>,
    pub peak_fp32_tflops: Option<Rational>,
    pub peak_fp64_tflops: Option<Rational>,
    pub mem_bw_gbps: Option<Rational>,
    pub slices: Option<i64>,
    pub source: String,
    pub confidence: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    StraightLine,
    DoubleDeclining,
    SumOfYears,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StartRule {
    NextMonth,
    InServiceDay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareKey {
    Equal,
    Power,
}

/// Which devices bear a cost.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Nodes {
    /// Nobody named: a pool.
    None,
    /// `*`: every device of the site.
    All,
    Some(Vec<Id>),
}

/// One row of `assets.csv`; a later row of the same asset has `valid_from_month`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    pub asset: Id,
    pub name: String,
    pub site: Id,
    pub nodes: Nodes,
    /// Net, in `currency`, rounded to the fen.
    pub price_fen: Fen,
    pub currency: Id,
    pub in_service: NaiveDate,
    pub life_months: i64,
    pub residual_rate: Rational,
    pub method: Method,
    pub start_rule: StartRule,
    pub retired: Option<NaiveDate>,
    pub share_key: ShareKey,
    pub valid_from_month: Option<Month>,
}

/// `component` of a recurring charge, which decides where it goes when no node is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChargeComponent {
    Rent,
    Network,
    Maintenance,
    Staff,
    Interest,
    DemandCharge,
    PowerFactor,
    Support,
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurring {
    pub charge: Id,
    pub name: String,
    pub site: Id,
    pub nodes: Nodes,
    pub component: ChargeComponent,
    /// Net per month, 1e-6 of `currency`.
    pub amount_micro: Micro,
    pub currency: Id,
    pub from_month: Month,
    /// Inclusive.
    pub to_month: Option<Month>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    Critical,
    Peak,
    Flat,
    Valley,
    DeepValley,
}

/// `months` of a tariff row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Season {
    /// Inclusive months, 1–12; `from > to` passes the year's end.
    Months { from: u32, to: u32 },
    /// Inclusive (month, day); may pass the year's end.
    Days { from: (u32, u32), to: (u32, u32) },
}

/// `days` of a tariff row, most specific last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DayKind {
    All,
    Workday,
    Weekend,
    Holiday,
    Dates(Vec<NaiveDate>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TariffRow {
    pub tariff: Id,
    pub valid: Validity,
    pub season: Season,
    pub days: DayKind,
    /// Minutes since local midnight, `[start, end)`; `end` ≤ `start` passes midnight, 1440 is 24:00.
    pub slot: (u32, u32),
    pub level: Level,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TariffPrice {
    pub tariff: Id,
    pub month: Month,
    pub level: Level,
    /// Net yuan (of `currency`) per kWh, exact.
    pub price_per_kwh: Rational,
    pub currency: Id,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holiday {
    pub date: NaiveDate,
    /// True: a make-up working day; false: a holiday.
    pub workday: bool,
    pub region: Option<Id>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceBookRow {
    pub site: Id,
    pub model: Id,
    pub ownership: Ownership,
    /// Net yuan (of `currency`) per device-hour, exact.
    pub price_per_device_hour: Rational,
    pub currency: Id,
    pub valid: Validity,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FxRate {
    pub month: Month,
    pub currency: Id,
    /// Ledger currency per unit of `currency`.
    pub rate: Rational,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    pub team: Id,
    pub name: String,
    pub cost_center: Option<Id>,
    pub entity: Option<Id>,
    pub valid: Validity,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    pub project: Id,
    pub name: String,
    pub team: Id,
    pub entity: Option<Id>,
    pub valid: Validity,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub person: Id,
    pub name: Option<String>,
    pub team: Option<Id>,
    pub email: Option<String>,
    pub valid: Validity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applies {
    Workload,
    BillLine,
}

/// `key=value` or `key~glob` of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    pub key: String,
    pub glob: bool,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub order: i64,
    pub rule: Id,
    pub applies: Applies,
    /// All must hold.
    pub conditions: Vec<Condition>,
    pub project: Option<Id>,
    pub pool: Option<Id>,
    pub person: Option<Id>,
    pub valid: Validity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolicyKind {
    Keep,
    ByCost,
    ByDeviceHours,
    ByEnergy,
    ByQuota,
    Fixed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pub pool: Id,
    /// Missing: every site.
    pub site: Option<Id>,
    pub policy: PolicyKind,
    /// Project and percent, for `fixed`.
    pub weights: Vec<(Id, Rational)>,
    pub from_month: Month,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoverageKind {
    Scheduler,
    Telemetry,
    Meter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    Site,
    Node,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    pub source: Id,
    pub scope: Scope,
    pub name: Id,
    pub kind: CoverageKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkloadKind {
    Training,
    FineTune,
    Inference,
    Interactive,
    Evaluation,
    Hpc,
    Other,
}

impl WorkloadKind {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Training => "training",
            Self::FineTune => "fine_tune",
            Self::Inference => "inference",
            Self::Interactive => "interactive",
            Self::Evaluation => "evaluation",
            Self::Hpc => "hpc",
            Self::Other => "other",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkloadState {
    Running,
    Completed,
    Failed,
    Cancelled,
    Preempted,
    NodeFail,
    Timeout,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    Bf16,
    Fp16,
    Fp8,
    Int8,
    Tf32,
    Fp32,
    Fp64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    pub workload: Id,
    pub source: Id,
    pub kind: WorkloadKind,
    pub name: String,
    pub user: Option<Id>,
    pub project: Option<Id>,
    pub queue: Option<Id>,
    pub namespace: Option<Id>,
    pub account: Option<Id>,
    pub labels: Vec<(String, String)>,
    pub submitted: Option<Ms>,
    pub started: Ms,
    pub ended: Option<Ms>,
    pub state: WorkloadState,
    pub attempt: Option<i64>,
    pub model_params: Option<Rational>,
    pub active_params: Option<Rational>,
    pub precision: Option<Precision>,
    pub seq_len: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub workload: Id,
    pub device: Id,
    pub start: Ms,
    pub end: Option<Ms>,
    pub share: Share,
    pub seq: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    Up,
    Down,
    Drain,
    Maintenance,
    Reserved,
    Stopped,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeState {
    pub node: Id,
    pub start: Ms,
    /// Missing: until the node's next state.
    pub end: Option<Ms>,
    pub state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommKind {
    Measured,
    Bound,
}

/// One row of `samples.csv`: what held over `[time, time + interval_ms)`; values out of range are already `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    pub time: Ms,
    pub interval_ms: Ms,
    pub g: Option<Fraction>,
    pub s: Option<Fraction>,
    pub t: Option<Fraction>,
    pub d: Option<Fraction>,
    pub fp32: Option<Fraction>,
    pub fp64: Option<Fraction>,
    pub comm: Option<Fraction>,
    pub comm_kind: Option<CommKind>,
    pub host_evidence: Option<Fraction>,
    pub throttle: Option<Fraction>,
    pub link_bytes_s: Option<i64>,
    pub mem_used_bytes: Option<i64>,
    /// Micro-watts, the mean over the interval.
    pub power_uw: Option<i64>,
    /// The counter at `time + interval`, milli-joules.
    pub energy_mj: Option<i64>,
    /// A code of the source, e.g. an XID.
    pub fault: Option<Id>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeterRole {
    Facility,
    It,
    Node,
    Pdu,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meter {
    pub meter: Id,
    pub site: Id,
    pub node: Option<Id>,
    pub role: MeterRole,
    pub multiplier: Rational,
    pub parent: Option<Id>,
    pub valid: Validity,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeterReading {
    pub meter: Id,
    pub time: Ms,
    /// The counter, before the multiplier.
    pub kwh: Option<Rational>,
    /// The mean since the reading before, before the multiplier.
    pub kw: Option<Rational>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    pub workload: Id,
    pub attempt: Option<i64>,
    pub span: Span,
    /// Gross: replayed steps' share included.
    pub tokens_trained: Option<i64>,
    /// Computed: without cache hits.
    pub tokens_prompt: Option<i64>,
    pub tokens_cached: Option<i64>,
    pub tokens_generated: Option<i64>,
    pub samples: Option<i64>,
    pub steps: Option<i64>,
    pub replayed_steps: Option<i64>,
    pub model_flops: Option<f64>,
}

/// The minutes of one device: whole UTC hours in order, as rolled up from its samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    pub device: Id,
    pub hours: Vec<MinuteHour>,
}

/// Measured energy of one model at one site in one ledger month, held or unheld: what rule E3 estimates by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredPower {
    pub site: Id,
    pub model: Id,
    pub month: Month,
    pub held: bool,
    pub energy_mj: i64,
    pub time_ms: Ms,
}

/// Class of a fault code (EFFICIENCY §1.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultClass {
    DeviceLost,
    LinkFatal,
    MemoryUncontained,
    Application,
    Info,
}

/// Everything the books of a span of days are a function of. May hold more than is needed, never less:
/// relations and prices whole, activity and minutes at least 60 minutes beyond the days on both sides.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub sites: Vec<Site>,
    pub nodes: Vec<Node>,
    pub devices: Vec<Device>,
    pub models: Vec<DeviceModel>,
    pub assets: Vec<Asset>,
    pub recurring: Vec<Recurring>,
    pub tariffs: Vec<TariffRow>,
    pub tariff_prices: Vec<TariffPrice>,
    pub holidays: Vec<Holiday>,
    pub price_book: Vec<PriceBookRow>,
    pub fx: Vec<FxRate>,
    pub teams: Vec<Team>,
    pub projects: Vec<Project>,
    pub people: Vec<Person>,
    pub rules: Vec<Rule>,
    pub policies: Vec<Policy>,
    pub coverage: Vec<Coverage>,
    pub workloads: Vec<Workload>,
    pub placements: Vec<Placement>,
    pub node_states: Vec<NodeState>,
    pub meters: Vec<Meter>,
    pub meter_readings: Vec<MeterReading>,
    pub work: Vec<Work>,
    pub minutes: Vec<Sampled>,
    /// Devices lost before the first of their minutes.
    pub lost_before: Vec<LostDevice>,
    pub measured_power: Vec<MeasuredPower>,
    pub fault_classes: Vec<(Id, FaultClass)>,
}
