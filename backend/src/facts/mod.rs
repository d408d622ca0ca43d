//! Fact files in: the plain door (docs/fact-files.md).
//!
//! [`import()`] is what it is about: it finds the files ([`source`]), sees what they are ([`inspect`],
//! [`header`]), reads their rows ([`parse`], [`cell`]) by what [`files`] says of their kind, and stores each file in
//! one transaction ([`staging`]). A new kind of file is a file in `files/`, two lines in its list, and a table.

mod cell;
mod coverage;
mod error;
mod fault;
mod files;
mod header;
mod import;
mod inspect;
mod kind;
mod parse;
pub mod power;
mod row;
mod settings;
mod source;
mod staging;
mod tally;
mod tariff_clash;

pub use error::ImportError;
pub use import::{Options, Report, Settings, import};
