//! The closed lists of the fact files: the word a column is written with, and what it means.
//!
//! The importer checks a cell against its list, the loader reads it back through the same one.

use accounting::facts::{
    Applies, ChargeComponent, CommKind, CoverageKind, FaultClass, Level, MeterRole, Method,
    Ownership, PolicyKind, Precision, Scope, ShareKey, SiteKind, StartRule, State, WorkloadKind,
    WorkloadState,
};

/// A closed list of words.
pub trait Words: Copy + 'static {
    const WORDS: &'static [(&'static str, Self)];
}

/// The meaning of `text`, `None` when it is not in the list.
#[must_use]
pub fn word<T: Words>(text: &str) -> Option<T> {
    T::WORDS
        .iter()
        .find(|(name, _)| *name == text)
        .map(|(_, meaning)| *meaning)
}

/// The words themselves, in order.
#[must_use]
pub fn names<T: Words>() -> Vec<&'static str> {
    T::WORDS.iter().map(|(name, _)| *name).collect()
}

macro_rules! words {
    ($type:ty: $($name:literal = $meaning:ident),+ $(,)?) => {
        impl Words for $type {
            const WORDS: &'static [(&'static str, Self)] = &[$(($name, Self::$meaning)),+];
        }
    };
}

words!(SiteKind: "owned" = Owned, "colo" = Colo, "cloud" = Cloud);
words!(Ownership: "owned" = Owned, "leased" = Leased, "cloud" = Cloud);
words!(Method: "straight_line" = StraightLine, "double_declining" = DoubleDeclining, "sum_of_years" = SumOfYears);
words!(StartRule: "next_month" = NextMonth, "in_service_day" = InServiceDay);
words!(ShareKey: "equal" = Equal, "power" = Power);
words!(ChargeComponent: "rent" = Rent, "network" = Network, "maintenance" = Maintenance, "staff" = Staff,
    "interest" = Interest, "demand_charge" = DemandCharge, "power_factor" = PowerFactor, "support" = Support,
    "other" = Other);
words!(Level: "critical" = Critical, "peak" = Peak, "flat" = Flat, "valley" = Valley, "deep_valley" = DeepValley);
words!(Applies: "workload" = Workload, "bill_line" = BillLine);
words!(PolicyKind: "keep" = Keep, "by_cost" = ByCost, "by_device_hours" = ByDeviceHours, "by_energy" = ByEnergy,
    "by_quota" = ByQuota, "fixed" = Fixed);
words!(CoverageKind: "scheduler" = Scheduler, "telemetry" = Telemetry, "meter" = Meter);
words!(Scope: "site" = Site, "node" = Node);
words!(WorkloadKind: "training" = Training, "fine_tune" = FineTune, "inference" = Inference,
    "interactive" = Interactive, "evaluation" = Evaluation, "hpc" = Hpc, "other" = Other);
words!(WorkloadState: "running" = Running, "completed" = Completed, "failed" = Failed, "cancelled" = Cancelled,
    "preempted" = Preempted, "node_fail" = NodeFail, "timeout" = Timeout);
words!(Precision: "bf16" = Bf16, "fp16" = Fp16, "fp8" = Fp8, "int8" = Int8, "tf32" = Tf32, "fp32" = Fp32,
    "fp64" = Fp64);
words!(State: "up" = Up, "down" = Down, "drain" = Drain, "maintenance" = Maintenance, "reserved" = Reserved,
    "stopped" = Stopped);
words!(CommKind: "measured" = Measured, "bound" = Bound);
words!(MeterRole: "facility" = Facility, "it" = It, "node" = Node, "pdu" = Pdu);
words!(FaultClass: "device_lost" = DeviceLost, "link_fatal" = LinkFatal,
    "memory_uncontained" = MemoryUncontained, "application" = Application, "info" = Info);

/// `kind` of `holidays.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HolidayKind {
    Holiday,
    Workday,
}

words!(HolidayKind: "holiday" = Holiday, "workday" = Workday);
