//! The stored form of an hour of minutes: columns, each in the cheapest of a few exact encodings.
//!
//! One byte of version, two of which columns are there, then each column: a byte of how, the minutes it is missing in,
//! its values. Sixty equal minutes take a few dozen bytes. Reading is total: any bytes give an hour or an error.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "positions and counts are below 2^16, bit widths at most 64, values wrap on purpose"
)]

use thiserror::Error;

use super::{Minute, MinuteHour};
use crate::time::Ms;

mod bits;

use bits::{BitWriter, Reader, push_signed, push_varint, unzigzag, zigzag};

const VERSION: u8 = 1;

/// Why packed minutes cannot be read: they were written by a newer version, or are damaged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackError {
    #[error("packed minutes have version {0}, this program reads version {VERSION}")]
    Version(u8),
    #[error("packed minutes are damaged: {0}")]
    Damaged(&'static str),
}

/// Columns with this bit in their first byte are missing in some minutes: 8 bytes of which ones follow.
const SOME_MISSING: u8 = 0x80;

/// How the values of a column are written; the shortest is taken.
const CONSTANT: u8 = 0;
const RUNS: u8 = 1;
const OFFSETS: u8 = 2;
const DIFFERENCES: u8 = 3;

/// One quantity of all minutes. What is `None`, zero or false takes no room and is the default when it is read.
struct Column {
    get: fn(&Minute) -> Option<i64>,
    set: fn(&mut Minute, i64),
}

macro_rules! optional {
    ($field:ident) => {
        Column {
            get: |minute| minute.$field,
            set: |minute, value| minute.$field = Some(value),
        }
    };
}

macro_rules! amount {
    ($field:ident) => {
        Column {
            get: |minute| Some(minute.$field).filter(|value| *value != 0),
            set: |minute, value| minute.$field = value,
        }
    };
}

macro_rules! sign {
    ($field:ident) => {
        Column {
            get: |minute| minute.$field.then_some(1),
            set: |minute, value| minute.$field = value != 0,
        }
    };
}

/// The columns in the order of their bits: part of the stored form.
static COLUMNS: [Column; 16] = [
    amount!(covered),
    optional!(g),
    optional!(s),
    optional!(t),
    optional!(d),
    optional!(fp32),
    optional!(fp64),
    optional!(comm),
    optional!(host_evidence),
    optional!(throttle),
    optional!(link_bytes_s),
    optional!(mem_used_bytes),
    amount!(energy_mj),
    amount!(energy_ms),
    sign!(lost),
    sign!(healthy),
];

/// Writes an hour without loss. Minutes beyond the sixtieth are not part of an hour.
#[must_use]
pub fn pack(hour: &MinuteHour) -> Vec<u8> {
    let mut there = 0u16;
    let mut body = Vec::new();
    for (index, column) in COLUMNS.iter().enumerate() {
        let mut missing = 0u64;
        let mut values = Vec::with_capacity(MinuteHour::LENGTH);
        for place in 0..MinuteHour::LENGTH {
            match hour.minutes.get(place).and_then(column.get) {
                Some(value) => values.push(value),
                None => missing |= 1 << place,
            }
        }
        if !values.is_empty() {
            there |= 1 << index;
            write_column(&mut body, missing, &values);
        }
    }
    let mut bytes = vec![VERSION];
    bytes.extend(there.to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Reads what [`pack`] wrote.
///
/// # Errors
/// When the version is not known or the bytes are not a packed hour.
pub fn unpack(hour: Ms, bytes: &[u8]) -> Result<MinuteHour, PackError> {
    let mut reader = Reader::new(bytes);
    let version = reader.byte()?;
    if version != VERSION {
        return Err(PackError::Version(version));
    }
    let there = u16::from_le_bytes([reader.byte()?, reader.byte()?]);
    let mut read = MinuteHour::empty(hour);
    for (index, column) in COLUMNS.iter().enumerate() {
        if there & (1 << index) == 0 {
            continue;
        }
        let (missing, values) = read_column(&mut reader)?;
        let mut values = values.into_iter();
        for (place, minute) in read.minutes.iter_mut().enumerate() {
            if missing & (1 << place) == 0
                && let Some(value) = values.next()
            {
                (column.set)(minute, value);
            }
        }
    }
    if !reader.is_done() {
        return Err(PackError::Damaged("bytes after the last column"));
    }
    Ok(read)
}

fn write_column(body: &mut Vec<u8>, missing: u64, values: &[i64]) {
    let (how, bytes) = [
        (CONSTANT, constant(values)),
        (RUNS, Some(runs(values))),
        (OFFSETS, Some(offsets(values))),
        (DIFFERENCES, Some(differences(values))),
    ]
    .into_iter()
    .filter_map(|(how, bytes)| Some((how, bytes?)))
    .min_by_key(|(_, bytes)| bytes.len())
    .unwrap_or_default();
    if missing == 0 {
        body.push(how);
    } else {
        body.push(how | SOME_MISSING);
        body.extend(missing.to_le_bytes());
    }
    body.extend(bytes);
}

/// The one value there is.
fn constant(values: &[i64]) -> Option<Vec<u8>> {
    let first = *values.first()?;
    let mut bytes = Vec::new();
    push_signed(&mut bytes, first);
    values.iter().all(|value| *value == first).then_some(bytes)
}

/// (length, value) until the column is full.
fn runs(values: &[i64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for run in values.chunk_by(|a, b| a == b) {
        push_varint(&mut bytes, u64::try_from(run.len()).unwrap_or(0));
        push_signed(&mut bytes, run.first().copied().unwrap_or(0));
    }
    bytes
}

/// The least value, the width in bits, and each value's distance from the least.
fn offsets(values: &[i64]) -> Vec<u8> {
    let least = values.iter().copied().min().unwrap_or(0);
    let distance = |value: i64| value.wrapping_sub(least).cast_unsigned();
    let widest = values.iter().copied().map(distance).max().unwrap_or(0);
    let width = u64::BITS - widest.leading_zeros();
    let mut bytes = Vec::new();
    push_signed(&mut bytes, least);
    bytes.push(u8::try_from(width).unwrap_or(0));
    let mut bits = BitWriter::new(bytes);
    for value in values {
        bits.push(distance(*value), width);
    }
    bits.finish()
}

/// The first value, the Rice parameter, and each value's difference from the one before.
fn differences(values: &[i64]) -> Vec<u8> {
    let first = values.first().copied().unwrap_or(0);
    let steps: Vec<u64> = values
        .iter()
        .zip(values.iter().skip(1))
        .map(|(before, after)| zigzag(after.wrapping_sub(*before)))
        .collect();
    let cost = |low: u32| {
        let each = steps.iter().map(|step| BitWriter::rice_cost(*step, low));
        each.sum::<u64>()
    };
    let low = (0..u64::BITS).min_by_key(|low| cost(*low)).unwrap_or(0);
    let mut bytes = Vec::new();
    push_signed(&mut bytes, first);
    bytes.push(u8::try_from(low).unwrap_or(0));
    let mut bits = BitWriter::new(bytes);
    for step in steps {
        bits.push_rice(step, low);
    }
    bits.finish()
}

fn read_column(reader: &mut Reader) -> Result<(u64, Vec<i64>), PackError> {
    let first = reader.byte()?;
    let missing = if first & SOME_MISSING == 0 {
        0
    } else {
        reader.word()?
    };
    let beyond = u64::MAX << MinuteHour::LENGTH;
    let count = usize::try_from((!(missing | beyond)).count_ones()).unwrap_or(0);
    if count == 0 || missing & beyond != 0 {
        return Err(PackError::Damaged("a column of other than sixty minutes"));
    }
    let values = match first & !SOME_MISSING {
        CONSTANT => vec![reader.signed()?; count],
        RUNS => read_runs(reader, count)?,
        OFFSETS => {
            let least = reader.signed()?;
            let width = u32::from(reader.byte()?);
            if width > u64::BITS {
                return Err(PackError::Damaged("a value wider than 64 bits"));
            }
            let mut values = Vec::with_capacity(count);
            for _ in 0..count {
                values.push(least.wrapping_add(reader.bits(width)?.cast_signed()));
            }
            values
        }
        DIFFERENCES => {
            let mut value = reader.signed()?;
            let low = u32::from(reader.byte()?);
            if low >= u64::BITS {
                return Err(PackError::Damaged("a difference wider than 64 bits"));
            }
            let mut values = vec![value];
            while values.len() < count {
                value = value.wrapping_add(unzigzag(reader.rice(low)?));
                values.push(value);
            }
            values
        }
        _ => return Err(PackError::Damaged("an unknown encoding")),
    };
    reader.end_bits();
    Ok((missing, values))
}

fn read_runs(reader: &mut Reader, count: usize) -> Result<Vec<i64>, PackError> {
    let mut values = Vec::with_capacity(count);
    while values.len() < count {
        let length = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
        if length == 0 || length > count - values.len() {
            return Err(PackError::Damaged("a run longer than its column"));
        }
        let value = reader.signed()?;
        values.resize(values.len() + length, value);
    }
    Ok(values)
}

#[cfg(test)]
mod tests;
