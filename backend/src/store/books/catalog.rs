//! What the sums of a day need beside its rows: a device's model, a workload's kind, and the work it did that day.

use std::collections::HashMap;

use accounting::efficiency::{Done, possible_flops};
use accounting::facts::{Device, DeviceModel, Facts, Work, Workload};
use accounting::time::{Ms, Zone, day_span};
use chrono::NaiveDate;

/// Indexes over the facts of a window; borrowed, built once per window.
pub struct Catalog<'f> {
    zone: Zone,
    workloads: HashMap<&'f str, &'f Workload>,
    devices: HashMap<&'f str, Vec<&'f Device>>,
    models: HashMap<&'f str, &'f DeviceModel>,
    work: HashMap<&'f str, Vec<&'f Work>>,
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

    /// FLOPs a device could do in `ms` at the precision of a workload; `None` unless both are known.
    #[must_use]
    pub fn possible_flops(
        &self,
        device: &str,
        workload: &str,
        day: NaiveDate,
        ms: Ms,
    ) -> Option<f64> {
        let written = self.device(device, day)?;
        let precision = self.workloads.get(workload)?.precision;
        let model = self.models.get(&*written.model).copied();
        possible_flops(written, model, precision, ms)
    }

    /// Work of every workload that reports some on the day, by workload.
    #[must_use]
    pub fn work_of(&self, day: NaiveDate) -> HashMap<&'f str, Done> {
        let span = day_span(self.zone, day);
        let mut out: HashMap<&str, Done> = HashMap::new();
        for (workload, rows) in &self.work {
            let mut sum = Done::default();
            for row in rows.iter().filter(|row| row.span.cut(span).is_some()) {
                sum.add(row, self.zone, day);
            }
            if !sum.is_empty() {
                out.insert(workload, sum);
            }
        }
        out
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
