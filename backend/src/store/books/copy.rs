//! Rows for `COPY … FROM STDIN (FORMAT binary)`: built in memory, a table and a day at a time.
//!
//! Binary, because a ledger row is mostly integers and arrays of them, which PostgreSQL then need not parse.

use chrono::NaiveDate;

/// Type oids of the array elements used, fixed in PostgreSQL's catalogue.
const INT8: i32 = 20;
const INT2: i32 = 21;
const TEXT: i32 = 25;

const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";

/// Rows of one table. Call [`Rows::row`], then one method per column, in the order of the `COPY` statement.
pub struct Rows {
    bytes: Vec<u8>,
    rows: u64,
    columns: i16,
}

impl Rows {
    #[must_use]
    pub fn new(columns: i16) -> Self {
        let mut bytes = Vec::with_capacity(4096);
        bytes.extend_from_slice(SIGNATURE);
        bytes.extend_from_slice(&[0; 8]);
        Self {
            bytes,
            rows: 0,
            columns,
        }
    }

    #[must_use]
    pub fn count(&self) -> u64 {
        self.rows
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The bytes to send, trailer included.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.extend_from_slice(&(-1i16).to_be_bytes());
        self.bytes
    }

    pub fn row(&mut self) -> &mut Self {
        self.rows = self.rows.saturating_add(1);
        self.bytes.extend_from_slice(&self.columns.to_be_bytes());
        self
    }

    pub fn null(&mut self) -> &mut Self {
        self.bytes.extend_from_slice(&(-1i32).to_be_bytes());
        self
    }

    fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(&length(bytes.len()));
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// PostgreSQL text cannot hold U+0000; it is left out.
    pub fn text(&mut self, text: &str) -> &mut Self {
        if text.contains('\0') {
            let clean = text.replace('\0', "");
            return self.field(clean.as_bytes());
        }
        self.field(text.as_bytes())
    }

    pub fn optional_text(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(text),
            None => self.null(),
        }
    }

    pub fn int8(&mut self, value: i64) -> &mut Self {
        self.field(&value.to_be_bytes())
    }

    pub fn optional_int8(&mut self, value: Option<i64>) -> &mut Self {
        match value {
            Some(value) => self.int8(value),
            None => self.null(),
        }
    }

    pub fn int4(&mut self, value: i32) -> &mut Self {
        self.field(&value.to_be_bytes())
    }

    pub fn int2(&mut self, value: i16) -> &mut Self {
        self.field(&value.to_be_bytes())
    }

    pub fn boolean(&mut self, value: bool) -> &mut Self {
        self.field(&[u8::from(value)])
    }

    pub fn optional_float8(&mut self, value: Option<f64>) -> &mut Self {
        match value {
            Some(value) => self.field(&value.to_be_bytes()),
            None => self.null(),
        }
    }

    pub fn date(&mut self, day: NaiveDate) -> &mut Self {
        let epoch = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap_or_default();
        let days = (day - epoch).num_days();
        self.int4(i32::try_from(days).unwrap_or(i32::MAX))
    }

    /// An instant in UTC milliseconds as `timestamptz`.
    pub fn instant(&mut self, at: i64) -> &mut Self {
        const EPOCH_2000_MS: i64 = 946_684_800_000;
        self.int8(at.saturating_sub(EPOCH_2000_MS).saturating_mul(1000))
    }

    pub fn int8s(&mut self, values: &[i64]) -> &mut Self {
        self.array(
            INT8,
            values.len(),
            values.len().saturating_mul(12),
            |bytes| {
                for value in values {
                    bytes.extend_from_slice(&8i32.to_be_bytes());
                    bytes.extend_from_slice(&value.to_be_bytes());
                }
            },
        )
    }

    pub fn int2s(&mut self, values: &[i16]) -> &mut Self {
        self.array(
            INT2,
            values.len(),
            values.len().saturating_mul(6),
            |bytes| {
                for value in values {
                    bytes.extend_from_slice(&2i32.to_be_bytes());
                    bytes.extend_from_slice(&value.to_be_bytes());
                }
            },
        )
    }

    /// Texts without U+0000, as identities read from files are.
    pub fn texts(&mut self, values: &[&str]) -> &mut Self {
        let size = values.iter().map(|text| text.len().saturating_add(4)).sum();
        self.array(TEXT, values.len(), size, |bytes| {
            for value in values {
                bytes.extend_from_slice(&length(value.len()));
                bytes.extend_from_slice(value.as_bytes());
            }
        })
    }

    fn array(
        &mut self,
        element: i32,
        count: usize,
        size: usize,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> &mut Self {
        let dimensions = i32::from(count > 0);
        let header: usize = if count > 0 { 20 } else { 12 };
        self.bytes
            .extend_from_slice(&length(header.saturating_add(size)));
        self.bytes.extend_from_slice(&dimensions.to_be_bytes());
        self.bytes.extend_from_slice(&0i32.to_be_bytes());
        self.bytes.extend_from_slice(&element.to_be_bytes());
        if count > 0 {
            self.bytes.extend_from_slice(&length(count));
            self.bytes.extend_from_slice(&1i32.to_be_bytes());
        }
        fill(&mut self.bytes);
        self
    }
}

/// A length or count as PostgreSQL wants it; nothing here comes near 2 GiB, which the server would refuse.
fn length(count: usize) -> [u8; 4] {
    i32::try_from(count).unwrap_or(i32::MAX).to_be_bytes()
}
