//! The first reading of a file: its hash, and whether its bytes are text we read.
//!
//! UTF-8 (with or without byte-order mark) and GB18030, which holds GBK, are; UTF-16 and NUL bytes are not.

use std::io::{self, Read};

use api::Reason;
use encoding_rs::{DecoderResult, GB18030};
use sha2::{Digest as _, Sha256};

use super::fault::FileFault;
use super::source::Source;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Gb18030,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspected {
    pub sha256: String,
    pub bytes: u64,
    pub encoding: Encoding,
}

const CHUNK: usize = 64 << 10;

/// Reads `source` through.
///
/// # Errors
/// When it cannot be read or is not text we read; the line is named.
pub fn inspect(source: &Source) -> Result<Inspected, FileFault> {
    let (sha256, bytes, not_utf8) = source.read(utf8)?;
    let encoding = match not_utf8 {
        None => Encoding::Utf8,
        Some(line) => {
            source.read(|reader| gb18030(reader, line))?;
            Encoding::Gb18030
        }
    };
    Ok(Inspected {
        sha256,
        bytes,
        encoding,
    })
}

/// The hash, the size, and the line that is not UTF-8 if one is not.
fn utf8(reader: &mut dyn Read) -> Result<(String, u64, Option<u64>), FileFault> {
    let mut hash = Sha256::new();
    let mut chunk = vec![0; CHUNK];
    let (mut bytes, mut line) = (0u64, 1u64);
    let mut bad_line = None;
    // The begin of a character that the chunk before ended in.
    let mut begun: Vec<u8> = Vec::new();
    loop {
        let count = fill(reader, &mut chunk)?;
        let Some(read) = chunk.get(..count).filter(|read| !read.is_empty()) else {
            break;
        };
        if bytes == 0 && (read.starts_with(&[0xff, 0xfe]) || read.starts_with(&[0xfe, 0xff])) {
            return Err(FileFault::file(Reason::Utf16));
        }
        hash.update(read);
        if let Some(at) = read.iter().position(|byte| *byte == 0) {
            return Err(FileFault::at(
                line + newlines(read.get(..at).unwrap_or_default()),
                Reason::NulByte,
            ));
        }
        if bad_line.is_none() {
            begun.extend_from_slice(read);
            match std::str::from_utf8(&begun) {
                Ok(_) => begun.clear(),
                Err(error) => {
                    let valid = error.valid_up_to();
                    if error.error_len().is_some() {
                        // What was carried over holds no newline.
                        let before = begun.get(..valid).unwrap_or_default();
                        bad_line = Some(line + newlines(before));
                        begun.clear();
                    } else {
                        begun.drain(..valid);
                    }
                }
            }
        }
        line += newlines(read);
        bytes += u64::try_from(count).unwrap_or(0);
    }
    if !begun.is_empty() {
        bad_line = bad_line.or(Some(line));
    }
    let digest = hash.finalize();
    let sha256 = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((sha256, bytes, bad_line))
}

fn gb18030(reader: &mut dyn Read, utf8_line: u64) -> Result<(), FileFault> {
    let mut decoder = GB18030.new_decoder_without_bom_handling();
    let mut chunk = vec![0; CHUNK];
    let mut text = vec![0u8; CHUNK * 4];
    let mut line = 1u64;
    loop {
        let count = fill(reader, &mut chunk)?;
        let read = chunk.get(..count).unwrap_or_default();
        let (result, _, _) =
            decoder.decode_to_utf8_without_replacement(read, &mut text, count == 0);
        if let DecoderResult::Malformed(..) = result {
            return Err(FileFault::at(line.max(utf8_line), Reason::UnknownEncoding));
        }
        if count == 0 {
            return Ok(());
        }
        line += newlines(read);
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(0)
}

fn fill(reader: &mut dyn Read, chunk: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// The text of a reader as UTF-8, without byte-order mark.
pub struct Text<R> {
    inner: R,
    decoder: encoding_rs::Decoder,
    chunk: Vec<u8>,
    ready: Vec<u8>,
    given: usize,
    is_over: bool,
    /// The last byte was a CR, which an LF may follow.
    after_cr: bool,
}

impl<R: Read> Text<R> {
    pub fn new(inner: R, encoding: Encoding) -> Self {
        let encoding = match encoding {
            Encoding::Utf8 => encoding_rs::UTF_8,
            Encoding::Gb18030 => GB18030,
        };
        Self {
            inner,
            decoder: encoding.new_decoder_with_bom_removal(),
            chunk: vec![0; CHUNK],
            ready: Vec::with_capacity(CHUNK * 4),
            given: 0,
            is_over: false,
            after_cr: false,
        }
    }

    fn refill(&mut self) -> io::Result<()> {
        let count = fill(&mut self.inner, &mut self.chunk)?;
        self.is_over = count == 0;
        let read = self.chunk.get(..count).unwrap_or_default();
        // Three bytes of UTF-8 at most for each byte read, and what the decoder held back.
        self.ready.clear();
        self.ready.resize(count * 3 + 16, 0);
        let (_, _, written, _) = self
            .decoder
            .decode_to_utf8(read, &mut self.ready, self.is_over);
        self.ready.truncate(written);
        self.unify_line_ends();
        self.given = 0;
        Ok(())
    }

    /// CR LF and a lone CR become LF, so that lines count alike whatever wrote the file.
    fn unify_line_ends(&mut self) {
        let mut after_cr = self.after_cr;
        if !after_cr && !self.ready.contains(&b'\r') {
            return;
        }
        self.ready.retain_mut(|byte| {
            let is_second = after_cr && *byte == b'\n';
            after_cr = *byte == b'\r';
            if after_cr {
                *byte = b'\n';
            }
            !is_second
        });
        self.after_cr = after_cr;
    }
}

impl<R: Read> Read for Text<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given >= self.ready.len() && !self.is_over {
            self.refill()?;
        }
        let rest = self.ready.get(self.given..).unwrap_or_default();
        let count = rest.len().min(into.len());
        if let (Some(to), Some(from)) = (into.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.given += count;
        Ok(count)
    }
}
