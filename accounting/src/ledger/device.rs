//! One device's day: its pieces judged minute by minute into cells, hour by hour.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "milliseconds of a day, minute costs below 2^90 and scales below 2^50, all summed in 256 bits"
)]

use ethnum::U256;

use super::Engine;
use super::cells::{DayCells, HourCells, Stretch};
use super::index::{DeviceEntry, NodeEntry};
use super::timeline::{Piece, pieces};
use crate::activity::free::{Free, free, out_of_service};
use crate::activity::held_idle::{IdleRun, runs};
use crate::activity::{Held, Parts, held, mode};
use crate::books::Flags;
use crate::category::{Bearer, Category, Mode, Reason};
use crate::facts::{State, WorkloadKind};
use crate::minutes::Minute;
use crate::quantity::SHARE_UNITS;
use crate::time::{HOUR_MS, MINUTE_MS, Ms, Span};

/// How far around a day its minutes matter: rung 5 tells runs above sixty minutes from shorter ones.
pub(crate) const MARGIN: Ms = HOUR_MS;

/// Minutes that judge alike: their span, their reading, and each holder's idle run.
type Alike<'m> = (Span, Option<&'m Minute>, Vec<Option<Reason>>);

/// What one (workload, bearer) of the device was seen by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub workload: Option<usize>,
    pub bearer: Bearer,
    pub mode: Mode,
    /// Milliseconds × share units.
    pub weight: u64,
}

/// A device's day while it is being computed.
pub(crate) struct DeviceDay<'a, 'f> {
    pub device: usize,
    pub entry: &'a DeviceEntry<'f>,
    /// The valid part of the day.
    pub span: Span,
    pub pieces: Vec<Piece<'a>>,
    /// Idle runs by workload.
    idle: Vec<(usize, Vec<IdleRun>)>,
    /// The device is lost.
    lost: Vec<Span>,
    /// When slices of it are valid.
    sliced: Vec<Span>,
    pub cells: DayCells,
    pub seen: Vec<Seen>,
    pub flags: Vec<(Option<usize>, Bearer, Flags)>,
    pub energy_known: bool,
    pub unpriced_ms: Ms,
    pub oversold_ms: Ms,
    hour: HourCells,
}

/// Minute weights of an hour, shared by a device and its slices.
pub(crate) struct MinuteWeights {
    pub hour: Span,
    /// By minute: cost and energy, already over the hour's common scale of valid parts.
    pub cost: Vec<U256>,
    pub drawn: Vec<U256>,
}

impl MinuteWeights {
    /// `alive` is the valid part of the device in the hour.
    pub fn new(hour: Span, alive: Span, cost: &[u128], drawn: &[i64]) -> Self {
        let scale = scales(hour, alive, cost.len());
        let cost = cost
            .iter()
            .zip(&scale)
            .map(|(c, s)| U256::from(*c) * U256::from(*s))
            .collect();
        let drawn = drawn
            .iter()
            .zip(&scale)
            .map(|(d, s)| U256::from(u128::from(d.max(&0).unsigned_abs())) * U256::from(*s))
            .collect();
        Self { hour, cost, drawn }
    }

    /// (cost, drawn) of `span`, each minute by its milliseconds in the span.
    pub fn of(&self, span: Span) -> (U256, U256) {
        let (mut cost, mut drawn) = (U256::ZERO, U256::ZERO);
        let Some(span) = span.cut(self.hour) else {
            return (cost, drawn);
        };
        for piece in span.pieces(self.hour.start, MINUTE_MS) {
            let index = usize::try_from((piece.start - self.hour.start).div_euclid(MINUTE_MS))
                .unwrap_or(usize::MAX);
            let ms = U256::from(piece.len().unsigned_abs());
            cost += self.cost.get(index).copied().unwrap_or(U256::ZERO) * ms;
            drawn += self.drawn.get(index).copied().unwrap_or(U256::ZERO) * ms;
        }
        (cost, drawn)
    }
}

/// Common multiple ÷ valid milliseconds, by minute: at most the first and the last minute of validity are partial.
fn scales(hour: Span, alive: Span, count: usize) -> Vec<u64> {
    let valid = |k: usize| {
        let start = hour.start + i64::try_from(k).unwrap_or(0) * MINUTE_MS;
        alive
            .cut(Span::new(start, start + MINUTE_MS))
            .map_or(0, Span::len)
    };
    let partial: Vec<(usize, u64)> = (0..count)
        .map(|k| (k, valid(k).unsigned_abs()))
        .filter(|(_, ms)| *ms > 0 && *ms < MINUTE_MS.unsigned_abs())
        .collect();
    let product = |without: Option<usize>| {
        partial
            .iter()
            .filter(|(k, _)| Some(*k) != without)
            .map(|(_, ms)| *ms)
            .product::<u64>()
    };
    let mut scales = vec![product(None); count];
    for (k, _) in &partial {
        if let Some(slot) = scales.get_mut(*k) {
            *slot = product(Some(*k)) * MINUTE_MS.unsigned_abs();
        }
    }
    scales
}

impl<'a, 'f> DeviceDay<'a, 'f> {
    /// `None` when the device is not valid on the day.
    pub fn new(
        engine: &'a Engine<'f>,
        device: usize,
        node: &'a NodeEntry<'f>,
        day: Span,
    ) -> Option<Self> {
        let entry = engine.index.devices.get(device)?;
        let span = entry.valid.cut(day)?;
        let slices = entry
            .slices
            .iter()
            .filter_map(|s| engine.index.devices.get(*s))
            .map(|s| s.valid);
        let mut this = Self {
            device,
            entry,
            span,
            pieces: Vec::new(),
            idle: Vec::new(),
            lost: entry
                .lost
                .iter()
                .filter_map(|lost| lost.cut(span))
                .collect(),
            sliced: super::timeline::merged(slices.collect()),
            cells: DayCells::default(),
            seen: Vec::new(),
            flags: Vec::new(),
            energy_known: false,
            unpriced_ms: 0,
            oversold_ms: 0,
            hour: HourCells::default(),
        };
        let holders = this.holders();
        if entry.has_minutes(span.widened(MARGIN)) {
            this.find_runs(engine, &holders, span.widened(MARGIN));
        }
        let cuts = this.cuts(engine, &holders);
        this.pieces = pieces(entry, node, span, &cuts);
        this.oversold_ms = this
            .pieces
            .iter()
            .filter(|p| p.held.is_some_and(|h| h.oversold))
            .map(|p| p.span.len())
            .sum();
        Some(this)
    }

    fn holders(&self) -> Vec<usize> {
        let mut holders: Vec<usize> = self
            .entry
            .held
            .iter()
            .filter(|held| held.span.cut(self.span).is_some())
            .flat_map(|held| held.holders.iter().map(|(workload, _)| *workload))
            .collect();
        holders.sort_unstable();
        holders.dedup();
        holders
    }

    fn find_runs(&mut self, engine: &Engine<'f>, holders: &[usize], window: Span) {
        for workload in holders {
            let held: Vec<Span> = super::timeline::merged(
                self.entry
                    .held
                    .iter()
                    .filter(|h| h.holders.iter().any(|(w, _)| w == workload))
                    .map(|h| h.span)
                    .collect(),
            );
            let Some(entry) = engine.index.workloads.get(*workload) else {
                continue;
            };
            let served = |span: Span| {
                entry.work.iter().any(|row| {
                    let tokens = row
                        .tokens_generated
                        .unwrap_or(0)
                        .max(row.tokens_prompt.unwrap_or(0));
                    tokens > 0 && row.span.cut(span).is_some()
                })
            };
            let kind = entry.fact.map(|fact| fact.kind);
            let found = runs(&held, window, kind, |at| self.entry.minute(at), served);
            if !found.is_empty() {
                self.idle.push((*workload, found));
            }
        }
    }

    /// Where a work row, lost work, a slice or a lost device begins or ends.
    fn cuts(&self, engine: &Engine<'f>, holders: &[usize]) -> Vec<Ms> {
        let mut cuts = Vec::new();
        for workload in holders {
            let work = engine
                .index
                .workloads
                .get(*workload)
                .map(|w| w.work.as_slice())
                .unwrap_or_default();
            cuts.extend(work.iter().flat_map(|row| [row.span.start, row.span.end]));
            let lost = engine
                .lost
                .get(*workload)
                .map(Vec::as_slice)
                .unwrap_or_default();
            cuts.extend(lost.iter().flat_map(|l| [l.span.start, l.span.end]));
        }
        cuts.extend(
            self.sliced
                .iter()
                .chain(&self.lost)
                .flat_map(|s| [s.start, s.end]),
        );
        cuts
    }

    pub fn pieces_in(&self, hour: Span) -> Vec<Piece<'a>> {
        let first = self
            .pieces
            .partition_point(|piece| piece.span.end <= hour.start);
        self.pieces
            .iter()
            .skip(first)
            .take_while(|piece| piece.span.start < hour.end)
            .filter_map(|piece| {
                piece.span.cut(hour).map(|span| Piece {
                    span,
                    ..piece.clone()
                })
            })
            .collect()
    }

    /// Judges the hour into cells, in their order. `weights` is `None` where nothing changes within the hour.
    pub fn judge(
        &mut self,
        engine: &Engine<'f>,
        hour: Span,
        weights: Option<&MinuteWeights>,
    ) -> HourCells {
        let mut cells = std::mem::take(&mut self.hour);
        cells.clear();
        let quiet = !self.entry.has_minutes(hour);
        for piece in self.pieces_in(hour) {
            if quiet {
                self.add(engine, &piece, piece.span, None, weights, &mut cells);
                continue;
            }
            // Equal minutes are judged once: an hourly sample is sixty of them.
            let mut open: Option<Alike<'_>> = None;
            for minute in piece.span.pieces(0, MINUTE_MS) {
                let start = minute.start.div_euclid(MINUTE_MS) * MINUTE_MS;
                let reading = self.entry.minute(start);
                let idle = self.idle_now(&piece, start);
                match &mut open {
                    Some((span, like, runs)) if same(*like, reading) && *runs == idle => {
                        span.end = minute.end
                    }
                    _ => {
                        if let Some((span, like, _)) = open.take() {
                            self.add(engine, &piece, span, like, weights, &mut cells);
                        }
                        open = Some((minute, reading, idle));
                    }
                }
            }
            if let Some((span, like, _)) = open {
                self.add(engine, &piece, span, like, weights, &mut cells);
            }
        }
        cells.sort();
        cells
    }

    /// Gives the hour's cells back, to be filled again.
    pub fn recycle(&mut self, cells: HourCells) {
        self.hour = cells;
    }

    fn idle_now(&self, piece: &Piece<'_>, at: Ms) -> Vec<Option<Reason>> {
        if self.idle.is_empty() {
            return Vec::new();
        }
        let holders = piece
            .held
            .map(|held| held.holders.as_slice())
            .unwrap_or_default();
        holders
            .iter()
            .map(|(workload, _)| self.idle_reason(*workload, at))
            .collect()
    }

    fn idle_reason(&self, workload: usize, at: Ms) -> Option<Reason> {
        let (_, runs) = self.idle.iter().find(|(w, _)| *w == workload)?;
        runs.iter()
            .find(|run| run.span.contains(at))
            .map(|run| run.reason)
    }

    /// Adds one stretch of equal minutes to the cells.
    fn add(
        &mut self,
        engine: &Engine<'f>,
        piece: &Piece<'_>,
        span: Span,
        reading: Option<&Minute>,
        weights: Option<&MinuteWeights>,
        cells: &mut HourCells,
    ) {
        let (cost, drawn) = weights.map_or((U256::ZERO, U256::ZERO), |weights| weights.of(span));
        let charged = piece.state != Some(State::Stopped);
        let stretch = Stretch {
            ms: span.len(),
            charged,
            cost,
            drawn,
        };
        let lost = self.lost.iter().any(|l| l.contains(span.start));
        let broken = out_of_service(piece.state, lost);
        let holders = piece
            .held
            .map(|held| held.holders.as_slice())
            .unwrap_or_default();
        let mut free_units = SHARE_UNITS;
        for (workload, units) in holders {
            free_units -= units;
            let entry = engine.index.workloads.get(*workload);
            let worked =
                entry.is_some_and(|e| e.work.iter().any(|row| row.span.contains(span.start)));
            let parts = match broken {
                Some(reason) => Parts::whole(Category::OutOfService, reason),
                None => {
                    let minute_start = span.start.div_euclid(MINUTE_MS) * MINUTE_MS;
                    let spans = engine
                        .lost
                        .get(*workload)
                        .map(Vec::as_slice)
                        .unwrap_or_default();
                    let context = Held {
                        lost: spans
                            .iter()
                            .find(|l| l.span.contains(span.start))
                            .map(|l| (l.share, l.reason)),
                        idle: self.idle_reason(*workload, minute_start),
                        hpc: entry
                            .and_then(|e| e.fact)
                            .is_some_and(|fact| fact.kind == WorkloadKind::Hpc),
                    };
                    held(reading, context)
                }
            };
            cells.add(Some(*workload), *units, &parts, stretch);
            let bearer = if broken.is_some() {
                Bearer::OutOfService
            } else {
                Bearer::Payer
            };
            self.see(
                Some(*workload),
                bearer,
                mode(reading, true, worked),
                *units,
                span.len(),
            );
            let oversold = piece.held.is_some_and(|held| held.oversold);
            let unseen = reading.is_some_and(|m| m.s.is_some() && m.throttle.is_none());
            self.flag(Some(*workload), bearer, Flags::OVERSOLD, oversold);
            self.flag(
                Some(*workload),
                bearer,
                Flags::THROTTLE_UNSEEN,
                unseen && broken.is_none(),
            );
        }
        if free_units > 0 {
            let share = Free {
                state: piece.state,
                lost,
                in_coverage: piece.in_coverage,
                partly_held: !holders.is_empty(),
                sliced: self.sliced.iter().any(|s| s.contains(span.start)),
                g: reading.filter(|m| m.covered > 0).and_then(|m| m.g),
            };
            let (category, reason) = free(share);
            cells.add(None, free_units, &Parts::whole(category, reason), stretch);
            let known = piece.in_coverage
                || !holders.is_empty()
                || piece.state.is_some_and(|s| s != State::Up);
            self.see(
                None,
                Bearer::of(category),
                mode(reading, known, false),
                free_units,
                span.len(),
            );
        }
    }

    fn see(&mut self, workload: Option<usize>, bearer: Bearer, mode: Mode, units: i64, ms: Ms) {
        let weight = units.unsigned_abs() * ms.unsigned_abs();
        let found = self
            .seen
            .iter_mut()
            .find(|s| s.workload == workload && s.bearer == bearer && s.mode == mode);
        match found {
            Some(seen) => seen.weight += weight,
            None => self.seen.push(Seen {
                workload,
                bearer,
                mode,
                weight,
            }),
        }
    }

    pub fn flag(&mut self, workload: Option<usize>, bearer: Bearer, flag: Flags, raised: bool) {
        if !raised {
            return;
        }
        match self
            .flags
            .iter_mut()
            .find(|(w, b, _)| *w == workload && *b == bearer)
        {
            Some((_, _, flags)) => *flags = flags.with(flag),
            None => self.flags.push((workload, bearer, flag)),
        }
    }
}

/// Readings that judge alike: everything but the energy.
fn same(a: Option<&Minute>, b: Option<&Minute>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            let (mut x, mut y) = (*a, *b);
            (x.energy_mj, x.energy_ms, x.mem_used_bytes) = (0, 0, None);
            (y.energy_mj, y.energy_ms, y.mem_used_bytes) = (0, 0, None);
            x == y
        }
        _ => false,
    }
}
