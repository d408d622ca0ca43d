//! Books into PostgreSQL and out again: a day is written in one transaction, detail and page sums included.
//!
//! A day that stands already is taken out first, in the same transaction, so that whoever reads sees the old day or
//! the new one and a crash leaves whole days.

pub mod catalog;
pub mod copy;
pub mod days;
pub mod read;
pub mod sheet;
pub mod sums;
mod write;

use chrono::NaiveDate;
use thiserror::Error;

pub use write::{Writer, partitions};

use crate::language::Bilingual;

/// Why books could not be written or read.
#[derive(Debug, Error)]
pub enum BooksError {
    #[error("the database refused the books: {0}")]
    Database(#[from] sqlx::Error),
    #[error(
        "{day}, device `{device}`, workload `{workload}`: the reasons of {category} do not sum to it; the day is not written"
    )]
    ReasonsDiffer {
        day: NaiveDate,
        device: String,
        workload: String,
        category: &'static str,
    },
}

impl Bilingual for BooksError {
    fn chinese(&self) -> String {
        match self {
            Self::Database(error) => format!("数据库没有收下账本：{error}"),
            Self::ReasonsDiffer {
                day,
                device,
                workload,
                category,
            } => format!(
                "{day}，设备 `{device}`，任务 `{workload}`：{category} 各原因之和与其合计不符；这一天没有写入"
            ),
        }
    }
}
