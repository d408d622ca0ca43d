//! Rows in the text format of PostgreSQL's COPY.

use std::fmt::Write as _;
use std::io::Write as _;

use accounting::time::Ms;
use chrono::{Datelike, NaiveDate, Timelike};

use super::instants::at;

/// Lines of tab-separated cells.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    bytes: Vec<u8>,
    inside: bool,
}

impl Lines {
    fn next(&mut self) {
        if self.inside {
            self.bytes.push(b'\t');
        }
        self.inside = true;
    }

    pub fn null(&mut self) {
        self.next();
        self.bytes.extend_from_slice(b"\\N");
    }

    pub fn text(&mut self, text: &str) {
        self.next();
        for byte in text.bytes() {
            match byte {
                b'\\' => self.bytes.extend_from_slice(b"\\\\"),
                b'\t' => self.bytes.extend_from_slice(b"\\t"),
                b'\n' => self.bytes.extend_from_slice(b"\\n"),
                b'\r' => self.bytes.extend_from_slice(b"\\r"),
                _ => self.bytes.push(byte),
            }
        }
    }

    pub fn number(&mut self, value: i64) {
        self.next();
        // Writing to a vector cannot fail.
        let _ = write!(self.bytes, "{value}");
    }

    pub fn float(&mut self, value: f64) {
        self.next();
        let _ = write!(self.bytes, "{value:e}");
    }

    pub fn instant(&mut self, ms: Ms) {
        let at = at(ms).naive_utc();
        self.next();
        let _ = write!(
            self.bytes,
            "{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03}+00",
            at.year(),
            at.month(),
            at.day(),
            at.hour(),
            at.minute(),
            at.second(),
            at.nanosecond() / 1_000_000
        );
    }

    pub fn date(&mut self, date: NaiveDate) {
        self.next();
        let _ = write!(self.bytes, "{date}");
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        let mut hex = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            let _ = write!(hex, "{byte:02x}");
        }
        self.next();
        self.bytes.extend_from_slice(b"\\\\x");
        self.bytes.extend_from_slice(hex.as_bytes());
    }

    pub fn end(&mut self) {
        self.bytes.push(b'\n');
        self.inside = false;
    }

    /// Bytes written and not taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Takes what was written.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped() {
        let mut lines = Lines::default();
        lines.text("a\tb\\c\nd");
        lines.null();
        lines.number(-5);
        lines.instant(1_782_864_000_123);
        lines.bytes(&[0, 255]);
        lines.end();
        assert_eq!(
            String::from_utf8(lines.take()).as_deref(),
            Ok("a\\tb\\\\c\\nd\t\\N\t-5\t2026-07-01 00:00:00.123+00\t\\\\x00ff\n")
        );
    }
}
