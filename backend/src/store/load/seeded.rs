//! What the product knows before anybody imports anything: chips, fault classes and holidays, read from their texts.
//!
//! They fill in behind what was imported, so that a file of one's own always wins.

use accounting::facts::{DeviceModel, FaultClass, Holiday};
use accounting::ids::{Id, optional};
use accounting::quantity::{Rational, decimal};
use csv::StringRecord;

use super::cells::unreadable;
use crate::store::StoreError;
use crate::store::words::{HolidayKind, word};
use crate::store::written::list;

struct Line<'a> {
    header: &'a StringRecord,
    record: StringRecord,
}

impl Line<'_> {
    fn text(&self, column: &str) -> &str {
        self.header
            .iter()
            .position(|name| name == column)
            .and_then(|index| self.record.get(index))
            .unwrap_or_default()
    }

    fn number(&self, column: &str) -> Result<Option<Rational>, StoreError> {
        match self.text(column) {
            "" => Ok(None),
            text => decimal(text)
                .map(Some)
                .map_err(|_| unreadable(column, text)),
        }
    }

    fn word<T: crate::store::words::Words>(&self, column: &str) -> Result<T, StoreError> {
        let text = self.text(column);
        word(text).ok_or_else(|| unreadable(column, text))
    }
}

fn lines<T>(
    text: &str,
    make: impl Fn(&Line<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let failed = |error: csv::Error| StoreError::Unreadable(error.to_string());
    let header = reader.headers().map_err(failed)?.clone();
    reader
        .records()
        .map(|record| {
            make(&Line {
                header: &header,
                record: record.map_err(failed)?,
            })
        })
        .collect()
}

pub fn models() -> Result<Vec<DeviceModel>, StoreError> {
    lines(seed::DEVICE_MODELS, |line| {
        Ok(DeviceModel {
            model: Id::from(line.text("model")),
            aliases: list(line.text("aliases")).map(Id::from).collect(),
            vendor: line.text("vendor").to_owned(),
            memory_gib: line.number("memory_gib")?,
            tdp_w: line.number("tdp_w")?,
            idle_w: line.number("idle_w")?,
            peak_bf16_tflops: line.number("peak_bf16_tflops")?,
            peak_fp16_tflops: line.number("peak_fp16_tflops")?,
            peak_fp8_tflops: line.number("peak_fp8_tflops")?,
            peak_int8_tops: line.number("peak_int8_tops")?,
            peak_tf32_tflops: line.number("peak_tf32_tflops")?,
            peak_fp32_tflops: line.number("peak_fp32_tflops")?,
            peak_fp64_tflops: line.number("peak_fp64_tflops")?,
            mem_bw_gbps: line.number("mem_bw_gbps")?,
            slices: line.text("slices").parse().ok(),
            source: line.text("source").to_owned(),
            confidence: line.text("confidence").to_owned(),
        })
    })
}

pub fn fault_classes() -> Result<Vec<(Id, FaultClass)>, StoreError> {
    lines(seed::FAULT_CLASSES, |line| {
        Ok((Id::from(line.text("code")), line.word("class")?))
    })
}

pub fn holidays() -> Result<Vec<Holiday>, StoreError> {
    lines(seed::HOLIDAYS, |line| {
        let date = line.text("date");
        Ok(Holiday {
            date: date.parse().map_err(|_| unreadable("date", date))?,
            workday: line.word::<HolidayKind>("kind")? == HolidayKind::Workday,
            region: optional(line.text("region")),
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    #[test]
    fn what_the_product_brings_along_can_be_read() {
        assert!(models().unwrap().iter().any(|m| m.tdp_w.is_some()));
        assert!(!fault_classes().unwrap().is_empty());
        assert!(holidays().unwrap().iter().any(|h| h.workday));
    }
}
