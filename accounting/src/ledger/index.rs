//! Facts with their references resolved once: which device stands in which node and site, who holds it when.
//!
//! Order is bytewise by id everywhere, because ties and remainders depend on it. Nothing is dropped silently: what
//! does not resolve becomes a doubt.

use std::collections::{BTreeMap, HashMap};

use super::lost_devices::lost_spans;
use super::timeline::{HeldSpan, StateSpan, held_spans, merged, state_spans};
use crate::books::{Doubt, DoubtKind};
use crate::facts::{
    CoverageKind, Device, DeviceModel, Facts, Node, Scope, Site, State, Validity, Work, Workload,
};
use crate::ids::Id;
use crate::minutes::{Minute, MinuteHour};
use crate::quantity::Share;
use crate::time::{HOUR_MS, MINUTE_MS, Ms, Span};

/// A workload by its place in the bytewise order.
pub(crate) struct WorkloadEntry<'f> {
    pub id: Id,
    /// `None`: a placement names it, no workload row does.
    pub fact: Option<&'f Workload>,
    pub work: Vec<&'f Work>,
}

pub(crate) struct DeviceEntry<'f> {
    pub fact: &'f Device,
    /// Index of the node.
    pub node: usize,
    pub model: Option<&'f DeviceModel>,
    /// Device, node and site valid.
    pub valid: Span,
    /// Indices of slices of this device, in id order.
    pub slices: Vec<usize>,
    pub parent: Option<usize>,
    /// `k/n` of the parent, for a slice.
    pub weight: Share,
    pub held: Vec<HeldSpan>,
    /// Held itself or through a slice.
    pub occupied: Vec<Span>,
    pub hours: &'f [MinuteHour],
    /// From a fault of class `device_lost` to what ends it.
    pub lost: Vec<Span>,
}

/// Time in which a placement holds nothing that has a cost: its device is unknown, or not valid then.
pub(crate) struct Unplaced<'f> {
    pub kind: DoubtKind,
    pub device: &'f str,
    pub site: Option<Id>,
    pub span: Span,
}

impl DeviceEntry<'_> {
    /// The reading of the minute that starts at `at`.
    pub fn minute(&self, at: Ms) -> Option<&Minute> {
        let start = at.div_euclid(HOUR_MS).checked_mul(HOUR_MS)?;
        let hour = self
            .hours
            .binary_search_by_key(&start, |h| h.hour)
            .ok()
            .and_then(|i| self.hours.get(i))?;
        let index = usize::try_from(at.checked_sub(start)?.checked_div(MINUTE_MS)?).ok()?;
        hour.minutes.get(index)
    }

    /// Whether any minute of the span may have a reading.
    pub fn has_minutes(&self, span: Span) -> bool {
        let first = self
            .hours
            .partition_point(|h| h.hour.saturating_add(HOUR_MS) <= span.start);
        self.hours.get(first).is_some_and(|h| h.hour < span.end)
    }
}

pub(crate) struct NodeEntry<'f> {
    pub fact: &'f Node,
    pub site: &'f Id,
    /// Top-level devices, in id order.
    pub tops: Vec<usize>,
    pub states: Vec<StateSpan>,
    /// When the scheduler was read for it.
    pub coverage: Vec<Span>,
}

impl NodeEntry<'_> {
    /// How much of the span the node is neither down nor stopped.
    pub fn on_ms(&self, span: Span) -> Ms {
        let off = self
            .states
            .iter()
            .filter(|s| matches!(s.state, State::Down | State::Stopped));
        let lost: Ms = off.filter_map(|s| s.span.cut(span)).map(Span::len).sum();
        span.len().saturating_sub(lost)
    }
}

pub(crate) struct Index<'f> {
    /// A site's rows in time, by name.
    pub sites: BTreeMap<&'f str, Vec<&'f Site>>,
    /// In id order (site, then node).
    pub nodes: Vec<NodeEntry<'f>>,
    /// In id order.
    pub devices: Vec<DeviceEntry<'f>>,
    pub workloads: Vec<WorkloadEntry<'f>>,
    pub models: HashMap<&'f str, &'f DeviceModel>,
    /// By device; a placement's whole span, whatever day it is.
    pub unplaced: Vec<Unplaced<'f>>,
    /// A node's entries, by name.
    by_node: HashMap<&'f str, Vec<usize>>,
}

impl<'f> Index<'f> {
    pub fn new(facts: &'f Facts, doubts: &mut Vec<Doubt>) -> Self {
        let mut sites: BTreeMap<&str, Vec<&Site>> = BTreeMap::new();
        for site in &facts.sites {
            sites.entry(&*site.site).or_default().push(site);
        }
        for rows in sites.values_mut() {
            rows.sort_by_key(|site| site.valid.from);
        }
        let models = models(facts);
        let workloads = workloads(facts);
        let (nodes, mut devices) = tree(facts, &sites, &models, doubts);
        let mut by_node: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, node) in nodes.iter().enumerate() {
            by_node.entry(&*node.fact.node).or_default().push(at);
        }
        let mut index = Self {
            sites,
            nodes,
            devices: Vec::new(),
            workloads,
            models,
            unplaced: Vec::new(),
            by_node,
        };
        index.place(facts, &mut devices);
        index.devices = devices;
        index
    }

    /// Index of a workload id in the bytewise order.
    pub fn workload(&self, id: &str) -> Option<usize> {
        self.workloads
            .binary_search_by(|entry| (*entry.id).cmp(id))
            .ok()
    }

    pub fn nodes_of_site<'a>(&'a self, site: &'a str) -> impl Iterator<Item = &'a NodeEntry<'f>> {
        self.nodes.iter().filter(move |node| **node.site == *site)
    }

    pub fn nodes_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a NodeEntry<'f>> {
        self.by_node
            .get(name)
            .into_iter()
            .flatten()
            .filter_map(|at| self.nodes.get(*at))
    }

    fn place(&mut self, facts: &'f Facts, devices: &mut [DeviceEntry<'f>]) {
        let mut by_device: HashMap<&str, Vec<Placed>> = HashMap::new();
        for placement in &facts.placements {
            let Some(workload) = self.workload(&placement.workload) else {
                continue;
            };
            let ended = self
                .workloads
                .get(workload)
                .and_then(|w| w.fact)
                .and_then(|w| w.ended);
            let placed = Placed {
                span: Span::new(placement.start, placement.end.or(ended).unwrap_or(Ms::MAX)),
                workload,
                units: placement.share.units(),
                is_open: placement.end.is_none(),
            };
            by_device.entry(&placement.device).or_default().push(placed);
        }
        let mut valid: HashMap<&str, Vec<(Span, Id)>> = HashMap::new();
        for device in devices.iter_mut() {
            let Some(placed) = by_device.get(&*device.fact.device) else {
                continue;
            };
            let node = self.nodes.get(device.node);
            let read_until = node
                .and_then(|n| n.coverage.last())
                .map_or(Ms::MAX, |s| s.end);
            let spans: Vec<(Span, usize, i64)> = placed
                .iter()
                .filter_map(|row| {
                    let cut = row.until(read_until).cut(device.valid)?;
                    Some((cut, row.workload, row.units))
                })
                .collect();
            device.held = held_spans(&spans);
            if let Some(node) = node {
                let entry = valid.entry(&device.fact.device).or_default();
                entry.push((device.valid, node.site.clone()));
            }
        }
        occupy(devices);
        for (device, placed) in by_device {
            let valid = valid.get(device).map(Vec::as_slice).unwrap_or_default();
            self.unplaced.extend(unplaced(device, &placed, valid));
        }
        self.unplaced
            .sort_by(|a, b| (a.device, a.span).cmp(&(b.device, b.span)));
    }
}

/// A placement with its workload resolved.
struct Placed {
    /// To the end named, else the workload's, else without end.
    span: Span,
    workload: usize,
    units: i64,
    /// Names no end of its own.
    is_open: bool,
}

impl Placed {
    /// An open placement ends with what was read of the scheduler.
    fn until(&self, read_until: Ms) -> Span {
        if self.is_open {
            Span::new(self.span.start, self.span.end.min(read_until))
        } else {
            self.span
        }
    }
}

/// What of a device's placements lies outside all of its validity. An open one ends by rule where its device does.
fn unplaced<'f>(device: &'f str, placed: &[Placed], valid: &[(Span, Id)]) -> Vec<Unplaced<'f>> {
    let last = valid.iter().map(|(span, _)| span.end).max();
    let claimed = placed
        .iter()
        .map(|row| row.until(last.unwrap_or(Ms::MAX)))
        .collect();
    let kind = match valid {
        [] => DoubtKind::PlacementOfUnknownDevice,
        _ => DoubtKind::PlacementOutsideValidity,
    };
    let known = merged(valid.iter().map(|(span, _)| *span).collect());
    let mut out = Vec::new();
    for span in merged(claimed) {
        let mut from = span.start;
        let gaps = known
            .iter()
            .filter_map(|known| known.cut(span))
            .chain([Span::new(span.end, span.end)]);
        for known in gaps {
            if from < known.start {
                out.push(Unplaced {
                    kind,
                    device,
                    site: valid.first().map(|(_, site)| site.clone()),
                    span: Span::new(from, known.start),
                });
            }
            from = known.end;
        }
    }
    out
}

/// When each device is held, itself or through one of its slices.
fn occupy(devices: &mut [DeviceEntry<'_>]) {
    let own: Vec<Vec<Span>> = devices
        .iter()
        .map(|d| merged(d.held.iter().map(|h| h.span).collect()))
        .collect();
    for (device, spans) in devices.iter_mut().zip(&own) {
        let slices = device
            .slices
            .iter()
            .filter_map(|slice| own.get(*slice))
            .flatten();
        device.occupied = merged(spans.iter().chain(slices).copied().collect());
    }
}

fn models(facts: &Facts) -> HashMap<&str, &DeviceModel> {
    let mut models = HashMap::new();
    for model in &facts.models {
        for alias in &model.aliases {
            models.entry(&**alias).or_insert(model);
        }
    }
    // A model's own name always wins over another's alias.
    models.extend(facts.models.iter().map(|model| (&*model.model, model)));
    models
}

fn workloads(facts: &Facts) -> Vec<WorkloadEntry<'_>> {
    let mut entries: BTreeMap<&str, WorkloadEntry<'_>> = BTreeMap::new();
    for placement in &facts.placements {
        entries
            .entry(&placement.workload)
            .or_insert_with(|| WorkloadEntry {
                id: placement.workload.clone(),
                fact: None,
                work: Vec::new(),
            });
    }
    for workload in &facts.workloads {
        let entry = entries
            .entry(&workload.workload)
            .or_insert_with(|| WorkloadEntry {
                id: workload.workload.clone(),
                fact: None,
                work: Vec::new(),
            });
        entry.fact = Some(workload);
    }
    for work in &facts.work {
        if let Some(entry) = entries.get_mut(&*work.workload) {
            entry.work.push(work);
        }
    }
    entries
        .into_values()
        .map(|mut entry| {
            entry.work.sort_by_key(|row| (row.span, row.attempt));
            entry
        })
        .collect()
}

type Tree<'f> = (Vec<NodeEntry<'f>>, Vec<DeviceEntry<'f>>);

fn tree<'f>(
    facts: &'f Facts,
    sites: &BTreeMap<&'f str, Vec<&'f Site>>,
    models: &HashMap<&'f str, &'f DeviceModel>,
    doubts: &mut Vec<Doubt>,
) -> Tree<'f> {
    let mut states: HashMap<&str, Vec<&crate::facts::NodeState>> = HashMap::new();
    for state in &facts.node_states {
        states.entry(&*state.node).or_default().push(state);
    }
    let mut node_facts: Vec<&Node> = facts.nodes.iter().collect();
    node_facts
        .sort_by(|a, b| (&a.site, &a.node, a.valid.from).cmp(&(&b.site, &b.node, b.valid.from)));
    let mut nodes: Vec<NodeEntry<'f>> = Vec::with_capacity(node_facts.len());
    let mut by_node: HashMap<&str, Vec<usize>> = HashMap::new();
    for fact in node_facts {
        if !sites.contains_key(&*fact.site) {
            continue;
        }
        let node_states = states
            .get(&*fact.node)
            .map(|rows| state_spans(rows, &fact.node, doubts))
            .unwrap_or_default();
        by_node.entry(&*fact.node).or_default().push(nodes.len());
        nodes.push(NodeEntry {
            fact,
            site: &fact.site,
            tops: Vec::new(),
            states: node_states,
            coverage: coverage(facts, fact),
        });
    }
    let minutes: HashMap<&str, &[MinuteHour]> = facts
        .minutes
        .iter()
        .map(|s| (&*s.device, s.hours.as_slice()))
        .collect();
    let mut device_facts: Vec<&Device> = facts.devices.iter().collect();
    device_facts.sort_by(|a, b| (&a.device, a.valid.from).cmp(&(&b.device, b.valid.from)));
    let mut devices: Vec<DeviceEntry<'f>> = Vec::with_capacity(device_facts.len());
    for fact in device_facts {
        for node in by_node.get(&*fact.node).into_iter().flatten() {
            let Some(entry) = nodes.get(*node) else {
                continue;
            };
            // One row of a site ends where the next begins.
            let rows = sites.get(&**entry.site).map_or(&[][..], Vec::as_slice);
            let site = Validity {
                from: rows.first().and_then(|first| first.valid.from),
                to: rows.last().and_then(|last| last.valid.to),
            };
            let Some(valid) = valid(&[fact.valid, entry.fact.valid, site]) else {
                continue;
            };
            let model = models.get(&*fact.model).copied();
            devices.push(DeviceEntry {
                fact,
                node: *node,
                model,
                valid,
                slices: Vec::new(),
                parent: None,
                weight: slice_weight(fact),
                held: Vec::new(),
                occupied: Vec::new(),
                hours: minutes.get(&*fact.device).copied().unwrap_or(&[]),
                lost: Vec::new(),
            });
            if model.is_none() && fact.parent.is_none() {
                doubts.push(Doubt {
                    kind: DoubtKind::UnknownModel,
                    subject: fact.device.clone(),
                    site: Some(entry.site.clone()),
                    amount: None,
                    ms: 0,
                    detail: fact.model.to_string(),
                });
            }
        }
    }
    let lost_at: HashMap<&str, Ms> = facts
        .lost_before
        .iter()
        .map(|lost| (&*lost.device, lost.at))
        .collect();
    for device in &mut devices {
        let states = nodes
            .get(device.node)
            .map(|node| node.states.as_slice())
            .unwrap_or_default();
        let before = lost_at.get(&*device.fact.device).copied();
        device.lost = lost_spans(before, device.hours, states);
    }
    link(&mut nodes, &mut devices);
    (nodes, devices)
}

/// Slices under their parents, the others under their nodes.
fn link(nodes: &mut [NodeEntry<'_>], devices: &mut [DeviceEntry<'_>]) {
    let mut entries: HashMap<Id, Vec<usize>> = HashMap::new();
    for (index, device) in devices.iter().enumerate() {
        let id = device.fact.device.clone();
        entries.entry(id).or_default().push(index);
    }
    let parents: Vec<Option<usize>> = devices
        .iter()
        .map(|device| {
            let named = entries.get(device.fact.parent.as_ref()?)?;
            named.iter().copied().find(|parent| {
                devices.get(*parent).is_some_and(|parent| {
                    parent.node == device.node && parent.valid.cut(device.valid).is_some()
                })
            })
        })
        .collect();
    for (index, parent) in parents.into_iter().enumerate() {
        let Some(entry) = devices.get_mut(index) else {
            continue;
        };
        entry.parent = parent;
        let node = entry.node;
        match parent.and_then(|parent| devices.get_mut(parent)) {
            Some(parent) => parent.slices.push(index),
            None => {
                if let Some(node) = nodes.get_mut(node) {
                    node.tops.push(index);
                }
            }
        }
    }
}

fn valid(parts: &[Validity]) -> Option<Span> {
    parts
        .iter()
        .try_fold(Span::new(Ms::MIN, Ms::MAX), |span, part| part.cut(span))
}

/// Scheduler coverage of a node: its site's and its own, merged.
fn coverage(facts: &Facts, node: &Node) -> Vec<Span> {
    let mine = facts
        .coverage
        .iter()
        .filter(|row| row.kind == CoverageKind::Scheduler)
        .filter(|row| match row.scope {
            Scope::Site => row.name == node.site,
            Scope::Node => row.name == node.node,
        });
    merged(mine.map(|row| row.span).collect())
}

/// The share of its parent a slice is: `slice_weight`, else the k of `Kg.Mgb` of 7, else all of it.
fn slice_weight(device: &Device) -> Share {
    device.slice_weight.unwrap_or_else(|| {
        let compute = device
            .slice
            .as_deref()
            .and_then(|text| text.split_once('g'))
            .map(|(k, _)| k);
        match compute.and_then(|k| k.parse().ok()) {
            Some(k) if (1..=7).contains(&k) => Share { num: k, den: 7 },
            _ => Share::WHOLE,
        }
    })
}
