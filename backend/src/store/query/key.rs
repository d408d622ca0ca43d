//! What can be grouped and filtered by, by name.

use accounting::category::{Category, Component, Pool, Reason};
use accounting::facts::WorkloadKind;

use super::question::{QuestionError, Why, refused};

/// What can be grouped and filtered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Project,
    Team,
    CostCenter,
    Person,
    Workload,
    Kind,
    Model,
    Site,
    Node,
    Component,
    Category,
    Reason,
    Pool,
    Day,
    Week,
    Month,
    /// The evidence mode; not asked for by name, the waste ranking needs it.
    Mode,
}

impl Key {
    pub const ALL: &'static [Self] = &[
        Self::Project,
        Self::Team,
        Self::CostCenter,
        Self::Person,
        Self::Workload,
        Self::Kind,
        Self::Model,
        Self::Site,
        Self::Node,
        Self::Component,
        Self::Category,
        Self::Reason,
        Self::Pool,
        Self::Day,
        Self::Week,
        Self::Month,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Team => "team",
            Self::CostCenter => "cost_center",
            Self::Person => "person",
            Self::Workload => "workload",
            Self::Kind => "kind",
            Self::Model => "model",
            Self::Site => "site",
            Self::Node => "node",
            Self::Component => "component",
            Self::Category => "category",
            Self::Reason => "reason",
            Self::Pool => "pool",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Mode => "mode",
        }
    }

    /// Answered from the cells of the books (categories), which know time cost and electricity, not components.
    #[must_use]
    pub const fn of_cells(self) -> bool {
        matches!(self, Self::Category | Self::Reason)
    }

    pub(super) fn parse(name: &str, field: &'static str) -> Result<Self, QuestionError> {
        if let Some(key) = Self::ALL.iter().find(|key| key.name() == name) {
            return Ok(*key);
        }
        // Known names whose facts are read by no rule yet: they come with the bills.
        if ["provider", "service"].contains(&name) {
            return Err(refused(field, Why::NeedsBills(name.to_owned())));
        }
        Err(refused(
            field,
            Why::unknown("key", name, Self::ALL.iter().map(|key| key.name())),
        ))
    }

    /// A filter value that can never match is a mistake, said at once.
    pub(super) fn check(self, value: &str) -> Result<(), QuestionError> {
        let names: Vec<&str> = match self {
            Self::Component => Component::ALL.iter().map(|known| known.name()).collect(),
            Self::Category => Category::ALL.iter().map(|known| known.name()).collect(),
            Self::Reason => Reason::ALL.iter().map(|known| known.name()).collect(),
            Self::Pool => std::iter::once("")
                .chain(Pool::ALL.iter().map(|known| known.name()))
                .collect(),
            Self::Kind => std::iter::once("")
                .chain(KINDS.iter().map(|known| known.name()))
                .collect(),
            Self::Day | Self::Week | Self::Month => {
                return Err(refused("filter", Why::NoFilter(self.name())));
            }
            _ => return Ok(()),
        };
        if names.contains(&value) {
            return Ok(());
        }
        Err(refused(
            "filter",
            Why::unknown(self.name(), value, names.into_iter()),
        ))
    }
}

const KINDS: [WorkloadKind; 7] = [
    WorkloadKind::Training,
    WorkloadKind::FineTune,
    WorkloadKind::Inference,
    WorkloadKind::Interactive,
    WorkloadKind::Evaluation,
    WorkloadKind::Hpc,
    WorkloadKind::Other,
];
