//! Books to files: the one place that renders figures for people and programs outside the page.
//!
//! Command line and API write the same bytes for the same question. CSV is UTF-8, with a byte-order mark where a
//! spreadsheet needs one, and names its currency. Its heads are the same in every language, since scripts hold on to them;
//! those of a table at the terminal are the reader's.

mod heads;
pub mod ledger;
pub mod query;
pub mod table;
pub mod waste;

/// What a table is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Table,
    Csv,
    Json,
}
