//! Why a row, a value or a whole file was not taken as it came: a closed list of codes with their arguments.
//!
//! A reason is made where the fault is seen, kept in the import ledger as code and arguments, and put into words where
//! it is read, in the reader's language ([`Reason::text`]). The words stand beside each other in `reason/en.rs` and
//! `reason/zh.rs`. A code that was ever stored stays readable: it may gain optional arguments, and is never renamed.

mod en;
mod zh;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Language;

/// One reason. Texts go on from the place told before them (`line 3, started: …`), so that they do not name it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Reason {
    // A cell.
    /// A text that is not of the form its column has.
    Malformed {
        given: String,
        expected: Expected,
    },
    /// More digits than can be kept exactly.
    TooManyDigits {
        given: String,
    },
    /// A number below `least` or above `most`.
    NotInRange {
        given: String,
        least: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<i64>,
    },
    /// No whole number, or one below `least`.
    NotWhole {
        given: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        least: Option<i64>,
    },
    /// A rate that is 0.
    NotAboveZero,
    /// A day outside 2000 to 2099.
    YearOutOfRange {
        given: String,
    },
    /// A time without offset, and no `facts.toml` that gives its zone.
    NoOffset {
        given: String,
    },
    /// A text longer than this many bytes.
    TooLong {
        bytes: i64,
    },
    /// Not a word of the column's closed list.
    NotOneOf {
        given: String,
        known: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nearest: Option<String>,
    },
    /// A project's name that figures use for what no project bears.
    ReservedName {
        given: String,
    },
    /// A rule's key that workloads, or bill lines, do not have.
    UnknownMatchKey {
        given: String,
        known: Vec<String>,
        nearest: String,
    },
    /// A policy's weights that name a project twice.
    ProjectTwice {
        project: String,
    },
    /// A policy's weights that give away more than there is.
    PercentsAboveWhole,

    // A row.
    /// A required column without a value.
    Missing,
    /// More or fewer cells than the header has columns.
    CellCount {
        cells: i64,
        header: i64,
    },
    /// Bytes that are no text.
    NotText,
    /// A quoted cell with line ends in it, which no column has.
    SeveralLines,
    /// An end before its beginning.
    Before {
        other: String,
    },
    /// An end at or before its beginning, where the two must differ.
    NotAfter {
        other: String,
    },
    /// Both of two columns, or neither.
    OneOfTwo {
        one: String,
        other: String,
    },
    /// Neither of two columns, one of which is needed.
    NeitherGiven {
        one: String,
        other: String,
    },
    /// A policy that needs weights, and has none.
    WeightsNeeded {
        policy: String,
    },
    /// Weights beside a policy that takes none; `policy` is the one that does.
    WeightsNotTaken {
        policy: String,
    },
    /// One key with different values in one file.
    DifferentValues {
        key: String,
        lines: Vec<i64>,
    },
    /// A tariff's row of the same right that gives the same time another level.
    LevelClash {
        line: i64,
    },

    // A value that is dropped, its row kept.
    /// A fraction below 0 or above 1.0050.
    OutsideFraction,
    /// A reading below 0.
    Negative,
    /// A reading above what such a value can be.
    AbovePossible,
    /// A number of more digits than a counter has.
    NoReading,
    /// NaN or infinite.
    NotFinite,
    /// More power than twice the model's TDP, or 3 kW where that is unknown.
    AbovePower,

    // A whole file.
    /// Not even a header.
    EmptyFile,
    /// A header whose bytes are no text.
    HeaderNotText,
    /// A record of more than 1 MiB.
    RecordTooLong,
    /// The file ends inside a quoted cell.
    QuoteNotClosed,
    /// What the system says when it cannot be read.
    CannotBeRead {
        cause: String,
    },
    /// UTF-16 by its byte-order mark.
    Utf16,
    /// A NUL byte, which no text has.
    NulByte,
    /// Neither UTF-8 nor GBK.
    UnknownEncoding,
    /// A column that the header names twice.
    ColumnTwice {
        column: String,
    },
    /// A column the kind does not have. Without a near one, `known` are those it has.
    UnknownColumn {
        column: String,
        kind: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nearest: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        known: Vec<String>,
    },
    /// Required columns that are not there.
    MissingColumns {
        kind: String,
        columns: Vec<String>,
    },
    /// A header that is of more than one kind.
    HeaderOfSeveral {
        kinds: Vec<String>,
    },
    /// A header that is of no kind, though near one: the columns that one does not know, and those it needs.
    HeaderNearly {
        kind: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unknown: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        missing: Vec<String>,
    },
    /// A header that is of no kind; `first` is its first column.
    HeaderOfNothing {
        first: String,
    },
    /// An archive inside an archive.
    /// A pipe or device.
    NoRegularFile,
    /// A file that somebody writes to.
    ChangedWhileRead,
    NestedArchive,
    /// An archive that unfolds to more than so many times its packed size.
    UnfoldsTooFar {
        times: i64,
    },
    /// A `facts.toml` that is no TOML; the cause is in the parser's words.
    NotToml {
        cause: String,
    },
    /// A key of `facts.toml` that is none.
    UnknownSetting {
        key: String,
    },
    /// The files beside a `facts.toml` that cannot be used.
    FolderUnread,

    // What is told of a file that was taken.
    /// The same bytes came in before and still hold.
    ImportedBefore,
    /// A file of a kind that no rule reads yet.
    NotYetRead,
    /// Stored rows that the file no longer names.
    RowsRemoved {
        rows: i64,
    },
    /// A folder without `coverage.csv`: these sites count as read by the scheduler between two RFC 3339 times.
    CountsAsRead {
        sites: Vec<String>,
        from: String,
        to: String,
    },
}

/// What a malformed text should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    Time,
    Date,
    Month,
    Currency,
    Decimal,
    /// Seconds of a sample's interval.
    Seconds,
    /// A share of a device.
    Share,
    /// Months or days of the year.
    Season,
    /// The kind of days a tariff's row is for.
    Days,
    /// A span of the day.
    Slot,
    Zone,
    /// A workload's label.
    Label,
    /// A project's part of a pool.
    Weight,
    /// A condition of a rule.
    Condition,
}

impl Reason {
    /// What it says, in one sentence without a full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match language {
            Language::Chinese => zh::text(self),
            Language::English => en::text(self),
        }
    }

    /// As [`Reason::text`], after the place it is about: `line 3, started: …`.
    #[must_use]
    pub fn placed(&self, line: Option<i64>, column: &str, language: Language) -> String {
        let text = self.text(language);
        match place(line, column, language) {
            None => text,
            Some(place) => format!("{place}{}{text}", language.choose("：", ": ")),
        }
    }
}

/// A line and a column (empty when it is none), where there is either.
#[must_use]
pub fn place(line: Option<i64>, column: &str, language: Language) -> Option<String> {
    let line = line.map(|line| {
        let (chinese, english) = (format!("第 {line} 行"), format!("line {line}"));
        language.choose(chinese, english)
    });
    let column = match column {
        "" => None,
        column => Some(language.choose(format!("列 {column}"), column.to_owned())),
    };
    match (line, column) {
        (Some(line), Some(column)) => {
            Some(format!("{line}{}{column}", language.choose("，", ", ")))
        }
        (line, column) => line.or(column),
    }
}

/// In English, for logs and for whoever reads the answers of the API by hand.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

#[cfg(test)]
mod tests;
