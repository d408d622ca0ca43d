//! A table of texts, as aligned columns for a terminal or as CSV.

use std::io::{self, Write};

use api::Language;

use super::heads::head;

/// One column; figures stand to the right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub is_figure: bool,
}

/// Rows of as many texts as there are columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Columns by name; those in `figures` hold numbers.
    #[must_use]
    pub fn new(names: &[&str], figures: &[&str]) -> Self {
        let column = |name: &&str| Column {
            name: (*name).to_owned(),
            is_figure: figures.contains(name),
        };
        Self {
            columns: names.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// As CSV, with a byte-order mark when asked for.
    ///
    /// # Errors
    /// The writer fails.
    pub fn csv(&self, out: &mut impl Write, mark: bool) -> io::Result<()> {
        if mark {
            out.write_all("\u{feff}".as_bytes())?;
        }
        let mut writer = csv::Writer::from_writer(&mut *out);
        writer.write_record(self.columns.iter().map(|column| column.name.as_str()))?;
        writer.flush()?;
        drop(writer);
        self.csv_rows(out)
    }

    /// The rows alone, to go on below an earlier header.
    ///
    /// # Errors
    /// The writer fails.
    pub fn csv_rows(&self, out: &mut impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        for row in &self.rows {
            writer.write_record(row.iter().map(|cell| guarded(cell)))?;
        }
        writer.flush()
    }

    /// As aligned columns, their heads in the reader's language.
    ///
    /// # Errors
    /// The writer fails.
    pub fn text(&self, out: &mut impl Write, language: Language) -> io::Result<()> {
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|column| head(&column.name, language).to_owned())
            .collect();
        let widths: Vec<usize> = names
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let cells = self
                    .rows
                    .iter()
                    .filter_map(|row| row.get(index))
                    .map(|cell| width(cell));
                cells.max().unwrap_or(0).max(width(name))
            })
            .collect();
        for row in std::iter::once(&names).chain(&self.rows) {
            let cells =
                row.iter()
                    .zip(&self.columns)
                    .zip(&widths)
                    .map(|((cell, column), width_of)| {
                        let pad = " ".repeat(width_of.saturating_sub(width(cell)));
                        if column.is_figure {
                            format!("{pad}{cell}")
                        } else {
                            format!("{cell}{pad}")
                        }
                    });
            writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// A spreadsheet runs what begins like a formula: a name that does is kept as text. Numbers are left as they are.
fn guarded(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '@', '\t', '\r'])
        || (cell.starts_with('-') && !is_number(cell));
    if formula {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

fn is_number(cell: &str) -> bool {
    accounting::quantity::decimal(cell).is_ok()
}

/// Columns of a terminal: Chinese characters take two.
fn width(text: &str) -> usize {
    let wide = |c: char| matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}');
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(&["project", "value"], &["value"]);
        table.rows = vec![
            vec!["训练".into(), "-1.50".into()],
            vec!["=cmd()".into(), "20".into()],
        ];
        table
    }

    fn text(write: impl Fn(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn csv_guards_formulas_and_marks_itself_when_asked() {
        assert_eq!(
            text(|out| sample().csv(out, false)),
            "project,value\n训练,-1.50\n'=cmd(),20\n"
        );
        assert!(text(|out| sample().csv(out, true)).starts_with('\u{feff}'));
    }

    #[test]
    fn columns_align_with_wide_characters() {
        assert_eq!(
            text(|out| sample().text(out, Language::English)),
            "project  value\n训练     -1.50\n=cmd()      20\n"
        );
        assert_eq!(
            text(|out| sample().text(out, Language::Chinese)),
            "项目     数值\n训练    -1.50\n=cmd()     20\n"
        );
    }
}
