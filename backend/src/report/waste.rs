//! The waste ranking as a table; the total of the range last.

use api::waste::WasteAnswer;

use super::query::share;
use super::table::Table;

#[must_use]
pub fn table(answer: &WasteAnswer) -> Table {
    let names = [
        "category",
        "reason",
        "scope_kind",
        "scope",
        "yuan",
        "currency",
        "share",
        "device_hours",
        "mode",
        "previous",
        "who_can_fix",
    ];
    let mut table = Table::new(&names, &["yuan", "share", "device_hours", "previous"]);
    table.rows = answer
        .entries
        .iter()
        .map(|entry| {
            vec![
                entry.category.clone(),
                entry.reason.clone(),
                entry.scope_kind.clone(),
                entry.scope.clone(),
                entry.yuan.0.clone(),
                answer.about.currency.clone(),
                entry.share.map(share).unwrap_or_default(),
                entry.device_hours.clone(),
                entry.mode.clone(),
                entry
                    .previous
                    .clone()
                    .map(|yuan| yuan.0)
                    .unwrap_or_default(),
                entry.who_can_fix.clone(),
            ]
        })
        .collect();
    let blank = String::new;
    let beside = |what: &str, yuan: &api::Yuan| {
        let mut row = vec![blank(); names.len()];
        for (cell, text) in row
            .iter_mut()
            .zip([what, "", "", "", &yuan.0, &answer.about.currency])
        {
            text.clone_into(cell);
        }
        row
    };
    table.rows.extend(
        answer
            .unknown
            .iter()
            .map(|unknown| beside(&unknown.category, &unknown.yuan)),
    );
    table.rows.push(beside("total_cost", &answer.total));
    table
}
