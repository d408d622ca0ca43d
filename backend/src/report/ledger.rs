//! Ledger rows, reasons and sources as tables: money in whole micro-yuan, empty where a row has none.

use accounting::category::{Category, Component};

use super::table::{Column, Table};
use crate::store::books::read::{LedgerRow, SourceRow};

const LEAD: [&str; 9] = [
    "day", "site", "node", "device", "workload", "bearer", "pool", "project", "person",
];

fn columns(texts: &[&str], figures: impl Iterator<Item = String>, after: &[&str]) -> Vec<Column> {
    let text = |name: &&str| Column {
        name: (*name).to_owned(),
        is_figure: false,
    };
    let lead = texts.iter().map(text);
    lead.chain(figures.map(|name| Column {
        name,
        is_figure: true,
    }))
    .chain(after.iter().map(text))
    .collect()
}

/// The ledger's columns: INTERFACES, `suanzhang ledger`.
#[must_use]
pub fn ledger(rows: &[LedgerRow]) -> Table {
    let components = Component::ALL
        .iter()
        .map(|component| component.name().to_owned());
    let time = Category::ALL
        .iter()
        .map(|category| format!("time_{}", category.name()));
    let energy = Category::ALL
        .iter()
        .map(|category| format!("energy_{}", category.name()));
    let device = Category::ALL
        .iter()
        .filter(|category| **category != Category::NonDevice);
    let ms = device.map(|category| format!("{}_ms", category.name()));
    let figures = components
        .chain(time)
        .chain(energy)
        .chain(ms)
        .chain(["energy_mwh".to_owned()]);
    Table {
        columns: columns(&LEAD, figures, &["mode", "status"]),
        rows: rows.iter().map(ledger_row).collect(),
    }
}

fn lead(row: &LedgerRow) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    vec![
        row.day.to_string(),
        row.site.clone(),
        text(&row.node),
        text(&row.device),
        text(&row.workload),
        text(&row.bearer),
        text(&row.pool),
        row.project
            .clone()
            .unwrap_or_else(|| unattributed(row).to_owned()),
        text(&row.person),
    ]
}

/// A workload without project is unattributed, which is said; a row without workload has no payer.
fn unattributed(row: &LedgerRow) -> &'static str {
    if row.workload.is_some() {
        "unattributed"
    } else {
        ""
    }
}

fn ledger_row(row: &LedgerRow) -> Vec<String> {
    let mut cells = lead(row);
    cells.extend(row.components.iter().map(ToString::to_string));
    cells.extend(row.time.iter().chain(&row.energy).map(ToString::to_string));
    let device = Category::NonDevice.index();
    cells.extend(row.ms.iter().take(device).map(ToString::to_string));
    cells.push(
        row.energy_mwh
            .map(|mwh| mwh.to_string())
            .unwrap_or_default(),
    );
    cells.push(row.mode.clone().unwrap_or_default());
    cells.push(row.status.clone());
    cells
}

/// A row's categories by sub-reason.
#[must_use]
pub fn reasons(rows: &[LedgerRow]) -> Table {
    let figures = ["time", "energy", "ms"].into_iter().map(ToOwned::to_owned);
    let mut texts = LEAD.to_vec();
    texts.extend(["category", "reason"]);
    let rows = rows.iter().flat_map(|row| {
        row.reasons.iter().map(move |part| {
            let mut cells = lead(row);
            cells.extend([part.category.name().to_owned(), part.reason.clone()]);
            cells.extend([part.time, part.energy, part.ms].map(|figure| figure.to_string()));
            cells
        })
    });
    Table {
        columns: columns(&texts, figures, &[]),
        rows: rows.collect(),
    }
}

/// Where each component came from.
#[must_use]
pub fn sources(rows: &[SourceRow]) -> Table {
    let texts = [
        "day",
        "kind",
        "source",
        "version",
        "site",
        "device",
        "pool",
        "rule",
        "component",
    ];
    let rows = rows.iter().map(|row| {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        vec![
            row.day.to_string(),
            row.kind.clone(),
            row.source.clone(),
            row.version.clone(),
            row.site.clone(),
            text(&row.device),
            text(&row.pool),
            row.rule.clone(),
            row.component.clone(),
            row.amount.to_string(),
        ]
    });
    Table {
        columns: columns(&texts, std::iter::once("amount".to_owned()), &[]),
        rows: rows.collect(),
    }
}
