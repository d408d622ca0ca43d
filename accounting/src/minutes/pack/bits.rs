//! Bits and variable-length numbers of the packed form: written in order, read back without trusting anything.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "bit positions stay below 8 × the length of a slice, widths at most 64"
)]

use super::PackError;

/// Quotients from here on are written as this many ones and the whole number.
const ESCAPE: u64 = 12;

/// Small magnitudes first: 0, −1, 1, −2 …
pub fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}

pub fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

/// Seven bits a byte, the least first; the high bit says that more follow.
pub fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        let [low, ..] = value.to_le_bytes();
        bytes.push(low | 0x80);
        value >>= 7;
    }
    let [low, ..] = value.to_le_bytes();
    bytes.push(low);
}

pub fn push_signed(bytes: &mut Vec<u8>, value: i64) {
    push_varint(bytes, zigzag(value));
}

/// Appends bits to bytes, the least significant first; the last byte is filled with zeros.
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Not yet written, fewer than 8 bits.
    waiting: u128,
    count: u32,
}

impl BitWriter {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            waiting: 0,
            count: 0,
        }
    }

    /// The low `width` ≤ 64 bits of `value`.
    pub fn push(&mut self, value: u64, width: u32) {
        self.waiting |= u128::from(value) << self.count;
        self.count += width;
        while self.count >= 8 {
            let [low, ..] = self.waiting.to_le_bytes();
            self.bytes.push(low);
            self.waiting >>= 8;
            self.count -= 8;
        }
    }

    /// Rice code: the quotient by 2^low in ones and a zero, then the `low` < 64 bits.
    pub fn push_rice(&mut self, value: u64, low: u32) {
        let quotient = value >> low;
        if quotient >= ESCAPE {
            self.push((1 << ESCAPE) - 1, 12);
            self.push(value, u64::BITS);
        } else {
            let ones = u32::try_from(quotient).unwrap_or(0);
            self.push((1 << quotient) - 1, ones + 1);
            self.push(value & ((1 << low) - 1), low);
        }
    }

    /// Bits that [`Self::push_rice`] takes.
    pub fn rice_cost(value: u64, low: u32) -> u64 {
        let quotient = value >> low;
        if quotient >= ESCAPE {
            ESCAPE + u64::from(u64::BITS)
        } else {
            quotient + 1 + u64::from(low)
        }
    }

    pub fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.push(0, 8 - self.count);
        }
        self.bytes
    }
}

/// Reads from the front of untrusted bytes.
pub struct Reader<'b> {
    bytes: &'b [u8],
    /// Read from `bytes`, not yet used.
    waiting: u128,
    count: u32,
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            waiting: 0,
            count: 0,
        }
    }

    pub fn is_done(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn byte(&mut self) -> Result<u8, PackError> {
        let (first, rest) = self
            .bytes
            .split_first()
            .ok_or(PackError::Damaged("it ends too early"))?;
        self.bytes = rest;
        Ok(*first)
    }

    pub fn word(&mut self) -> Result<u64, PackError> {
        let mut word = [0; 8];
        for place in &mut word {
            *place = self.byte()?;
        }
        Ok(u64::from_le_bytes(word))
    }

    pub fn varint(&mut self) -> Result<u64, PackError> {
        let mut value = 0u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part.leading_zeros() < shift {
                break;
            }
            value |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(PackError::Damaged("a number longer than 64 bits"))
    }

    pub fn signed(&mut self) -> Result<i64, PackError> {
        Ok(unzigzag(self.varint()?))
    }

    /// `width` ≤ 64 bits.
    pub fn bits(&mut self, width: u32) -> Result<u64, PackError> {
        while self.count < width {
            self.waiting |= u128::from(self.byte()?) << self.count;
            self.count += 8;
        }
        let mask = (1u128 << width) - 1;
        let value = u64::try_from(self.waiting & mask).unwrap_or(0);
        self.waiting >>= width;
        self.count -= width;
        Ok(value)
    }

    pub fn rice(&mut self, low: u32) -> Result<u64, PackError> {
        let mut quotient = 0u64;
        while self.bits(1)? == 1 {
            quotient += 1;
            if quotient == ESCAPE {
                return self.bits(u64::BITS);
            }
        }
        // 12 at most and 63 bits: what does not fit was never written, and is cut off.
        Ok(quotient.wrapping_shl(low) | self.bits(low)?)
    }

    /// Drops the filling of the last byte; whole bytes come next.
    pub fn end_bits(&mut self) {
        self.waiting = 0;
        self.count = 0;
    }
}
