//! What the sums of a day need beside its rows: a device's model, a workload's kind, and the work it did that day.

use std::collections::HashMap;

use accounting::facts::{Device, DeviceModel, Facts, Precision, Work, Workload};
use accounting::quantity::Rational;
use accounting::split::apportion_small;
use accounting::time::{Ms, Span, Zone, day_of, day_span, days};
use chrono::NaiveDate;

/// Indexes over the facts of a window; borrowed, built once per window.
pub struct Catalog<'f> {
    zone: Zone,
    workloads: HashMap<&'f str, &'f Workload>,
    devices: HashMap<&'f str, Vec<&'f Device>>,
    models: HashMap<&'f str, &'f DeviceModel>,
    work: HashMap<&'f str, Vec<&'f Work>>,
}

/// Work of one workload on one ledger day; `None` where no row reports the quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DayWork {
    /// Replayed steps' share already taken off.
    pub trained: Option<i64>,
    pub prompt: Option<i64>,
    pub cached: Option<i64>,
    pub generated: Option<i64>,
    pub model_flops: Option<f64>,
}

impl DayWork {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl<'f> Catalog<'f> {
    #[must_use]
    pub fn new(facts: &'f Facts, zone: Zone) -> Self {
        let mut devices: HashMap<&str, Vec<&Device>> = HashMap::new();
        for device in &facts.devices {
            devices.entry(&device.device).or_default().push(device);
        }
        let mut models: HashMap<&str, &DeviceModel> = HashMap::new();
        for model in &facts.models {
            for alias in &model.aliases {
                models.entry(alias).or_insert(model);
            }
        }
        // A model's own name beats another's alias.
        for model in &facts.models {
            models.insert(&model.model, model);
        }
        let mut work: HashMap<&str, Vec<&Work>> = HashMap::new();
        for row in &facts.work {
            work.entry(&row.workload).or_default().push(row);
        }
        Self {
            zone,
            workloads: facts
                .workloads
                .iter()
                .map(|workload| (&*workload.workload, workload))
                .collect(),
            devices,
            models,
            work,
        }
    }

    /// The workload's kind, empty when the workload is not known.
    #[must_use]
    pub fn kind(&self, workload: &str) -> &'static str {
        self.workloads
            .get(workload)
            .map_or("", |workload| workload.kind.name())
    }

    /// The model of a device on a day, under its own name where an alias was written.
    #[must_use]
    pub fn model(&self, device: &str, day: NaiveDate) -> Option<&'f str> {
        let written = self.device(device, day)?;
        Some(
            self.models
                .get(&*written.model)
                .map_or(&*written.model, |model| &*model.model),
        )
    }

    /// Peak FLOP/s of a device at the precision of a workload; `None` unless both are known. A slice has no peak of
    /// its own: how much of its parent's it can reach depends on what runs beside it.
    #[must_use]
    pub fn peak(&self, device: &str, workload: &str, day: NaiveDate) -> Option<f64> {
        let written = self.device(device, day)?;
        if written.parent.is_some() {
            return None;
        }
        let precision = self.workloads.get(workload)?.precision?;
        let model = self.models.get(&*written.model)?;
        let tera = match precision {
            Precision::Bf16 => model.peak_bf16_tflops,
            Precision::Fp16 => model.peak_fp16_tflops,
            Precision::Fp8 => model.peak_fp8_tflops,
            Precision::Int8 => model.peak_int8_tops,
            Precision::Tf32 => model.peak_tf32_tflops,
            Precision::Fp32 => model.peak_fp32_tflops,
            Precision::Fp64 => model.peak_fp64_tflops,
        }?;
        Some(float(tera) * 1e12)
    }

    /// Work of every workload that reports some on the day, by workload.
    #[must_use]
    pub fn work_of(&self, day: NaiveDate) -> HashMap<&'f str, DayWork> {
        let span = day_span(self.zone, day);
        let mut out: HashMap<&str, DayWork> = HashMap::new();
        for (workload, rows) in &self.work {
            let mut sum = DayWork::default();
            for row in rows.iter().filter(|row| row.span.cut(span).is_some()) {
                self.add(&mut sum, row, day, span);
            }
            if !sum.is_empty() {
                out.insert(workload, sum);
            }
        }
        out
    }

    /// Which work each workload reports: trained, prompt, cached, generated tokens, model FLOPs; in order.
    #[must_use]
    pub fn reported(&self) -> Vec<(&'f str, [bool; 5])> {
        let mut out: Vec<(&str, [bool; 5])> = self
            .work
            .iter()
            .map(|(workload, rows)| {
                let any = |reports: fn(&Work) -> bool| rows.iter().any(|row| reports(row));
                let kinds = [
                    any(|row| row.tokens_trained.is_some()),
                    any(|row| row.tokens_prompt.is_some()),
                    any(|row| row.tokens_cached.is_some()),
                    any(|row| row.tokens_generated.is_some()),
                    any(|row| row.model_flops.is_some()),
                ];
                (*workload, kinds)
            })
            .collect();
        out.sort_unstable();
        out
    }

    /// Adds the part of a work row that falls on the day: apportioned over its ledger days by overlap.
    fn add(&self, sum: &mut DayWork, row: &Work, day: NaiveDate, span: Span) {
        let parts = |total: Option<i64>| total.map(|total| self.part(total, row.span, day));
        plus(
            &mut sum.trained,
            parts(row.tokens_trained.map(|gross| net(gross, row))),
        );
        plus(&mut sum.prompt, parts(row.tokens_prompt));
        plus(&mut sum.cached, parts(row.tokens_cached));
        plus(&mut sum.generated, parts(row.tokens_generated));
        if let Some(flops) = row.model_flops {
            let overlap = row.span.cut(span).map_or(0, Span::len);
            let part = flops * ratio(overlap, row.span.len());
            sum.model_flops = Some(sum.model_flops.unwrap_or(0.0) + part);
        }
    }

    fn part(&self, total: i64, span: Span, day: NaiveDate) -> i64 {
        let first = day_of(self.zone, span.start);
        let last = day_of(self.zone, span.end.saturating_sub(1));
        if first == last {
            return total;
        }
        let after = last.succ_opt().unwrap_or(last);
        let covered: Vec<NaiveDate> = days(first, after).collect();
        let weights: Vec<u64> = covered
            .iter()
            .map(|day| {
                let overlap = day_span(self.zone, *day).cut(span).map_or(0, Span::len);
                u64::try_from(overlap).unwrap_or(0)
            })
            .collect();
        let parts = apportion_small(total, &weights).unwrap_or_default();
        covered
            .iter()
            .position(|covered| *covered == day)
            .and_then(|index| parts.get(index))
            .copied()
            .unwrap_or(0)
    }

    fn device(&self, device: &str, day: NaiveDate) -> Option<&'f Device> {
        let span = day_span(self.zone, day);
        let rows = self.devices.get(device)?;
        rows.iter()
            .find(|row| row.valid.cut(span).is_some())
            .or(rows.last())
            .copied()
    }
}

/// Trained tokens without the share of replayed steps, rounded half away from zero.
fn net(gross: i64, row: &Work) -> i64 {
    match (row.steps, row.replayed_steps) {
        (Some(steps), Some(replayed)) if steps > 0 && replayed > 0 => {
            let kept = steps.saturating_sub(replayed).max(0);
            accounting::money::round_half_away(
                i128::from(gross).saturating_mul(i128::from(kept)),
                i128::from(steps),
            )
            .unwrap_or(gross)
        }
        _ => gross,
    }
}

fn plus(sum: &mut Option<i64>, part: Option<i64>) {
    if let Some(part) = part {
        *sum = Some(sum.unwrap_or(0).saturating_add(part));
    }
}

#[allow(
    clippy::as_conversions,
    reason = "FLOPs are floats by rule; what they are counted over fits 53 bits"
)]
pub(super) fn float(value: Rational) -> f64 {
    value.num as f64 / value.den as f64
}

#[allow(
    clippy::as_conversions,
    reason = "milliseconds fit 53 bits; FLOPs are floats by rule"
)]
pub(super) fn ratio(part: Ms, whole: Ms) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
