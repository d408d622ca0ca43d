//! What the product knows before anybody imports anything: chips, fault classes and public holidays, as fact files.
//!
//! The texts are those of `seed/data/`, in the columns of the fact files of the same name. The example company stands
//! beside them in `seed/example/facts`, as a folder that is imported like anybody else's.

/// `device_models.csv`: dense peaks per schedulable unit (a GCD, a die or a card), with source and confidence.
///
/// A cell without a trusted figure is empty, so that MFU says "not available"; there is no fallback.
pub const DEVICE_MODELS: &str = include_str!("../data/device_models.csv");

/// `fault_classes.csv`: NVIDIA XID codes and what they mean for the device: `device_lost`, `link_fatal`,
/// `memory_uncontained`, `application` or `info`.
pub const FAULT_CLASSES: &str = include_str!("../data/fault_classes.csv");

/// `holidays.csv`: public holidays and make-up working days of mainland China in 2025 and 2026.
///
/// Written down from the yearly notices by memory, to be confirmed against them before a tariff relies on them.
pub const HOLIDAYS: &str = include_str!("../data/holidays.csv");

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{DEVICE_MODELS, FAULT_CLASSES, HOLIDAYS};

    /// Cells of a file without the header; quoted cells keep their commas.
    fn rows(text: &str) -> Vec<Vec<String>> {
        text.lines()
            .skip(1)
            .map(|line| {
                let mut is_quoted = false;
                let marked: String = line
                    .chars()
                    .filter_map(|c| match c {
                        '"' => {
                            is_quoted = !is_quoted;
                            None
                        }
                        ',' if !is_quoted => Some('\n'),
                        other => Some(other),
                    })
                    .collect();
                marked.split('\n').map(str::to_owned).collect()
            })
            .collect()
    }

    fn cell(row: &[String], column: usize) -> &str {
        row.get(column).map_or("", String::as_str)
    }

    fn peak_bf16(model: &str) -> Option<String> {
        rows(DEVICE_MODELS)
            .iter()
            .find(|row| cell(row, 0) == model)
            .map(|row| cell(row, 6).to_owned())
    }

    #[test]
    fn every_row_has_every_column_and_every_name_is_one_model() {
        for text in [DEVICE_MODELS, FAULT_CLASSES, HOLIDAYS] {
            let columns = text
                .lines()
                .next()
                .map_or(0, |header| header.split(',').count());
            for row in rows(text) {
                assert_eq!(row.len(), columns, "{row:?}");
            }
        }
        let mut names = BTreeSet::new();
        for row in rows(DEVICE_MODELS) {
            let aliases = cell(&row, 1).split(';').filter(|alias| !alias.is_empty());
            for name in std::iter::once(cell(&row, 0)).chain(aliases) {
                assert!(names.insert(name.to_lowercase()), "{name} names two models");
            }
        }
    }

    /// Figures met in other tools and wrong there: sparse, INT8 read as FP16, or another variant's.
    #[test]
    fn peaks_are_dense_and_of_the_right_variant() {
        for (model, dense) in [
            ("H100 SXM", "989"),
            ("H100 PCIe", "756"),
            ("H200 SXM", "989"),
            ("H20", "148"),
            ("L20", "119.5"),
            ("L40S", "362"),
            ("A100 SXM 80GB", "312"),
            ("MI250X GCD", "191.5"),
            ("RTX PRO 6000 Max-Q", "439"),
            ("T4", ""),
            ("Ascend 910B2", ""),
        ] {
            assert_eq!(peak_bf16(model).as_deref(), Some(dense), "{model}");
        }
        assert_eq!(peak_bf16("MI308X"), None);
    }

    #[test]
    fn classes_and_kinds_are_of_the_closed_lists() {
        for row in rows(FAULT_CLASSES) {
            let known = [
                "device_lost",
                "link_fatal",
                "memory_uncontained",
                "application",
                "info",
            ];
            assert!(known.contains(&cell(&row, 1)), "{row:?}");
        }
        for row in rows(HOLIDAYS) {
            assert!(["holiday", "workday"].contains(&cell(&row, 1)), "{row:?}");
        }
    }
}
