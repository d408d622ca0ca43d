//! The fact files, in the order a folder is read: what is named by others first, samples last.

mod assets;
mod coverage;
mod device_models;
mod devices;
mod fault_classes;
mod fx;
mod holidays;
mod meter_readings;
mod meters;
mod node_states;
mod nodes;
mod people;
mod placements;
mod policies;
mod price_book;
mod projects;
mod recurring;
mod rules;
mod samples;
mod sites;
mod tariff_prices;
mod tariffs;
mod teams;
mod work;
mod workloads;

use super::kind::{Kind, Unread};

pub static KINDS: &[&Kind] = &[
    &sites::SITES,
    &nodes::NODES,
    &device_models::DEVICE_MODELS,
    &devices::DEVICES,
    &fault_classes::FAULT_CLASSES,
    &assets::ASSETS,
    &recurring::RECURRING,
    &tariffs::TARIFFS,
    &tariff_prices::TARIFF_PRICES,
    &holidays::HOLIDAYS,
    &price_book::PRICE_BOOK,
    &fx::FX,
    &teams::TEAMS,
    &projects::PROJECTS,
    &people::PEOPLE,
    &rules::RULES,
    &policies::POLICIES,
    &coverage::COVERAGE,
    &workloads::WORKLOADS,
    &placements::PLACEMENTS,
    &node_states::NODE_STATES,
    &meters::METERS,
    &meter_readings::METER_READINGS,
    &work::WORK,
    &samples::SAMPLES,
];

/// Files that no rule reads yet; their columns tell them from others.
pub static UNREAD: &[Unread] = &[
    Unread {
        name: "queue",
        columns: &[
            "time",
            "site",
            "queue",
            "model",
            "pending_devices",
            "placeable_devices",
        ],
    },
    Unread {
        name: "checkpoints",
        columns: &["workload", "attempt", "time", "step"],
    },
    Unread {
        name: "quotas",
        columns: &[
            "project",
            "site",
            "model",
            "devices",
            "valid_from",
            "valid_to",
        ],
    },
    Unread {
        name: "utility_invoices",
        columns: &[
            "site",
            "month",
            "from",
            "to",
            "amount",
            "vat_rate",
            "currency",
            "kwh",
            "demand",
            "power_factor",
        ],
    },
    Unread {
        name: "budgets",
        columns: &["project", "team", "month", "amount"],
    },
    Unread {
        name: "gl_accounts",
        columns: &[
            "entity",
            "component",
            "pool",
            "cost_center",
            "debit",
            "credit",
            "from_month",
        ],
    },
    Unread {
        name: "quality",
        columns: &["workload", "dataset", "time", "metric", "value"],
    },
];

/// The kind of that name.
#[must_use]
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|kind| kind.name == name)
}

/// The unread file of that name.
#[must_use]
pub fn unread(name: &str) -> Option<&'static Unread> {
    UNREAD.iter().find(|unread| unread.name == name)
}

/// Every name, read or not.
pub fn all_names() -> impl Iterator<Item = &'static str> {
    KINDS
        .iter()
        .map(|kind| kind.name)
        .chain(UNREAD.iter().map(|unread| unread.name))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests may")]
    use super::*;

    /// The line of a file in the manual.
    fn line<'a>(manual: &'a str, name: &str) -> &'a str {
        let begin = format!("| `{name}.csv` |");
        manual
            .lines()
            .find(|line| line.starts_with(&begin))
            .unwrap_or_else(|| panic!("docs/fact-files.md does not describe {name}.csv"))
    }

    #[test]
    fn the_manual_names_every_column_in_order() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/fact-files.md");
        let manual = std::fs::read_to_string(path).unwrap();
        for kind in KINDS {
            let line = line(&manual, kind.name);
            let mut from = 0;
            for column in kind.columns {
                let mark = if column.required { "" } else { "?" };
                let written = format!("`{}`{mark}", column.name);
                let at = line.get(from..).and_then(|rest| rest.find(&written));
                from += at.unwrap_or_else(|| panic!("{}: {written} is missing", kind.name));
            }
        }
        for unread in UNREAD {
            assert!(
                manual.contains(&format!("`{}`", unread.name)),
                "{}",
                unread.name
            );
        }
    }

    #[test]
    fn names_are_unique_and_keys_are_columns() {
        let names: Vec<&str> = all_names().collect();
        let distinct: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), distinct.len());
        for kind in KINDS {
            let stored: Vec<&str> = kind.columns.iter().map(|column| column.stored).collect();
            let key = match kind.identity {
                crate::store::bulk::Identity::Key(key) => key,
                crate::store::bulk::Identity::Group { of, .. } => of,
            };
            assert!(
                key.iter().all(|column| stored.contains(column)),
                "{}",
                kind.name
            );
        }
    }
}
