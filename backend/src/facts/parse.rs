//! A fact file's text into rows for COPY: what is right is passed on in batches, what is not is told line by line.
//!
//! Memory does not grow with the file: a record is at most a mebibyte, and only the first rejections are kept.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use api::Reason;
use csv::{ByteRecord, Reader, ReaderBuilder};

use super::cell::{self, Value, Zones};
use super::fault::{self, FileFault, refusal};
use super::header::{Recognised, recognise};
use super::kind::{Form, Kind};
use super::row::Row;
use super::tally::Tally;
use crate::store::copy::Lines;
use crate::store::imports::Rejected;

/// The longest record read.
const RECORD_BYTES: u64 = 1 << 20;
/// What csv reads ahead of the record it returns.
const AHEAD_BYTES: u64 = 64 << 10;
/// Rows are passed on when this many bytes are ready.
const BATCH_BYTES: usize = 256 << 10;
/// The longest name in a row's key: of a few of them, PostgreSQL's index takes 2,704 bytes.
const ID_BYTES: usize = 512;
/// Names of devices and nodes remembered, to know which sites a folder without `coverage.csv` covers.
const NAMES_KEPT: usize = 1_000_000;

/// How a file is read.
pub struct Reading<'a> {
    pub stem: &'a str,
    pub forced: Option<&'a str>,
    pub zones: Zones,
    /// What a missing currency is.
    pub currency: &'a str,
}

/// The receiving end went away: the database failed, which tells the error.
pub struct Stopped;

pub enum Parsed {
    Rows(Tally),
    /// Of a file nobody reads yet: how many.
    Unread(i64),
}

/// A text file that was opened and recognised.
pub struct Opened<R> {
    reader: Reader<Bounded<R>>,
    allowed: Rc<Cell<u64>>,
    width: usize,
    pub recognised: Recognised,
}

/// Reads the header of `text`.
///
/// # Errors
/// When there is none, or it is of no fact file.
pub fn open<R: Read>(text: R, reading: &Reading<'_>) -> Result<Opened<R>, FileFault> {
    let allowed = Rc::new(Cell::new(RECORD_BYTES));
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(Bounded {
            inner: text,
            allowed: Rc::clone(&allowed),
            last: b' ',
        });
    let mut record = ByteRecord::new();
    if !next(&mut reader, &allowed, &mut record)? {
        return Err(FileFault::file(Reason::EmptyFile));
    }
    let header = cells(&record).map_err(|_| FileFault::at(1, Reason::HeaderNotText))?;
    let recognised =
        recognise(reading.stem, &header, reading.forced).map_err(|why| FileFault::at(1, why))?;
    Ok(Opened {
        reader,
        allowed,
        width: header.len(),
        recognised,
    })
}

fn cells(record: &ByteRecord) -> Result<Vec<&str>, std::str::Utf8Error> {
    record
        .iter()
        .map(|cell| std::str::from_utf8(cell).map(str::trim))
        .collect()
}

/// The next record, unless it is too long.
fn next<R: Read>(
    reader: &mut Reader<Bounded<R>>,
    allowed: &Cell<u64>,
    record: &mut ByteRecord,
) -> Result<bool, FileFault> {
    allowed.set(RECORD_BYTES + AHEAD_BYTES);
    let line = reader.position().line();
    reader.read_byte_record(record).map_err(|error| {
        let reason = match error.into_kind() {
            csv::ErrorKind::Io(error) => fault::reason(error),
            other => Reason::CannotBeRead {
                cause: format!("{other:?}"),
            },
        };
        FileFault::at(line, reason)
    })
}

impl<R: Read> Opened<R> {
    /// Reads every row; `pass_on` gets COPY text with the line number first.
    ///
    /// # Errors
    /// When the file cannot be read to its end. Nothing of it must then be kept.
    pub fn rows(
        mut self,
        reading: &Reading<'_>,
        mut pass_on: impl FnMut(Vec<u8>) -> Result<(), Stopped>,
    ) -> Result<Parsed, FileFault> {
        let Recognised::Kind(kind, places) = &self.recognised else {
            return self.count().map(Parsed::Unread);
        };
        let (kind, places) = (*kind, places.clone());
        let mut tally = Tally::default();
        let mut lines = Lines::default();
        let mut record = ByteRecord::new();
        let mut open_since = None;
        while next(&mut self.reader, &self.allowed, &mut record)? {
            let line = i64::try_from(record.position().map_or(0, csv::Position::line)).unwrap_or(0);
            tally.rows_read += 1;
            let done = on_one_line(&record)
                .and_then(|()| cells(&record).map_err(|_| reject("", Reason::NotText)))
                .and_then(|cells| {
                    fits(cells.len(), self.width)?;
                    row(kind, &places, &cells, reading, line, &mut lines, &mut tally)
                });
            if let Err((column, reason)) = done {
                tally.reject(Rejected {
                    line,
                    column,
                    reason,
                });
            }
            open_since = open_cell(&record);
            if lines.len() >= BATCH_BYTES && pass_on(lines.take()).is_err() {
                break;
            }
        }
        self.closed(open_since)?;
        if !lines.is_empty() {
            // When nobody listens any more, the listener's own error is the one to tell.
            let _ = pass_on(lines.take());
        }
        Ok(Parsed::Rows(tally))
    }

    /// A file that ends inside a quoted cell has lost every line of it.
    fn closed(&self, open_since: Option<u64>) -> Result<(), FileFault> {
        match open_since {
            Some(line) if self.reader.get_ref().last != b'"' => {
                Err(FileFault::at(line, Reason::QuoteNotClosed))
            }
            _ => Ok(()),
        }
    }

    fn count(&mut self) -> Result<i64, FileFault> {
        let mut record = ByteRecord::new();
        let mut rows = 0;
        let mut open_since = None;
        while next(&mut self.reader, &self.allowed, &mut record)? {
            rows += 1;
            open_since = open_cell(&record);
        }
        self.closed(open_since)?;
        Ok(rows)
    }
}

type Refused = (String, Reason);

fn reject(column: &str, reason: Reason) -> Refused {
    (column.to_owned(), reason)
}

/// Where a record begins whose last cell goes on over a line's end: if the file ends here, it may not be closed.
fn open_cell(record: &ByteRecord) -> Option<u64> {
    let last = record.iter().next_back()?;
    last.contains(&b'\n')
        .then(|| record.position().map_or(0, csv::Position::line))
}

/// No column has line ends; a quote that is not closed makes them, and takes the lines after it along.
fn on_one_line(record: &ByteRecord) -> Result<(), Refused> {
    if record.as_slice().contains(&b'\n') {
        return Err(reject("", Reason::SeveralLines));
    }
    Ok(())
}

fn fits(cells: usize, width: usize) -> Result<(), Refused> {
    if cells == width {
        return Ok(());
    }
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    Err(reject(
        "",
        Reason::CellCount {
            cells: number(cells),
            header: number(width),
        },
    ))
}

fn row(
    kind: &'static Kind,
    places: &[Option<usize>],
    cells: &[&str],
    reading: &Reading<'_>,
    line: i64,
    lines: &mut Lines,
    tally: &mut Tally,
) -> Result<(), Refused> {
    let mut values = Vec::with_capacity(places.len());
    for (column, place) in kind.columns.iter().zip(places) {
        let text = place.and_then(|at| cells.get(at)).copied().unwrap_or("");
        let value = cell::read(text, column.form, reading.zones)
            .map_err(|reason| reject(column.name, reason))?;
        if text.len() > ID_BYTES && kind.identifies(column.stored) {
            let bytes = i64::try_from(ID_BYTES).unwrap_or(i64::MAX);
            return Err(reject(column.name, Reason::TooLong { bytes }));
        }
        if column.required && value == Value::Missing {
            return Err(reject(column.name, Reason::Missing));
        }
        values.push(value);
    }
    let row = Row {
        kind,
        values: &values,
    };
    (kind.check)(&row).map_err(|fault| reject(fault.column, fault.reason))?;
    if kind.names_time {
        tally.name_times(&values);
    }
    tally.name_places(&row, NAMES_KEPT);
    lines.number(line);
    for (column, value) in kind.columns.iter().zip(&values) {
        write(lines, column.form, value, reading.currency);
        if let Value::Dropped(fault) = value {
            *tally.dropped.entry((column.name, *fault)).or_insert(0) += 1;
        }
    }
    lines.end();
    Ok(())
}

fn write(lines: &mut Lines, form: Form, value: &Value<'_>, currency: &str) {
    match value {
        Value::Missing if matches!(form, Form::Currency) => lines.text(currency),
        Value::Missing | Value::Dropped(_) => lines.null(),
        Value::Text(text) | Value::Number(text, _) => lines.text(text),
        Value::Ms(ms) => lines.instant(*ms),
        Value::Date(date) => lines.date(*date),
        Value::Month(month) => lines.date(month.first_day().unwrap_or_default()),
        Value::Whole(number) => lines.number(*number),
        Value::Float(number) => lines.float(*number),
    }
}

/// A reader that gives no more than `allowed` until it is allowed again.
struct Bounded<R> {
    inner: R,
    allowed: Rc<Cell<u64>>,
    /// The last byte that ends no line.
    last: u8,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        let read = into.get(..count).unwrap_or_default();
        let written = read.iter().rev().find(|byte| !byte.is_ascii_whitespace());
        self.last = written.copied().unwrap_or(self.last);
        let bytes = u64::try_from(count).unwrap_or(u64::MAX);
        match self.allowed.get().checked_sub(bytes) {
            Some(left) => self.allowed.set(left),
            None => return Err(refusal(Reason::RecordTooLong)),
        }
        Ok(count)
    }
}
