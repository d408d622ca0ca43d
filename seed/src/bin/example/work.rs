//! Who used which card when, and what came out of it: `workloads.csv`, `placements.csv`, `work.csv`.

use std::fmt::Write;

use crate::calendar::{HOURS, hour_of_day, is_weekday, november, october, time};

/// What a card does in an hour, from which its reading follows (`samples.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    Train,
    /// The loader is slow: the card waits for data.
    TrainStarved,
    FineTune,
    Notebook,
    NotebookIdle,
    Batch,
    Evaluate,
    /// Serving at a load of 0 to 100.
    Serve(u32),
}

pub struct Workload {
    pub name: String,
    kind: &'static str,
    source: &'static str,
    user: &'static str,
    project: &'static str,
    queue: &'static str,
    labels: &'static str,
    start: u32,
    /// Missing: still running when the facts end.
    end: Option<u32>,
    state: &'static str,
    params: &'static str,
    /// Devices, each with the share held.
    devices: Vec<(String, &'static str)>,
}

impl Workload {
    fn new(name: &str, kind: &'static str, hours: (u32, u32), devices: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            source: "example-slurm",
            user: "",
            project: "",
            queue: "",
            labels: "",
            start: hours.0,
            end: Some(hours.1),
            state: "completed",
            params: "",
            devices: devices
                .iter()
                .map(|device| ((*device).to_owned(), "1"))
                .collect(),
        }
    }

    fn service(name: &str, device: &str, user: &'static str, labels: &'static str) -> Self {
        Self {
            source: "example-k8s",
            user,
            labels,
            end: None,
            state: "running",
            ..Self::new(name, "inference", (0, HOURS), &[device])
        }
    }

    fn holds(&self, device: &str, hour: u32) -> bool {
        let is_running = self.start <= hour && self.end.is_none_or(|end| hour < end);
        is_running && self.devices.iter().any(|(held, _)| held == device)
    }

    fn doing(&self, hour: u32) -> Doing {
        match self.kind {
            "training" if is_starved(hour) => Doing::TrainStarved,
            "training" => Doing::Train,
            "fine_tune" => Doing::FineTune,
            "interactive" if is_weekday(hour) && (9..12).contains(&hour_of_day(hour)) => {
                Doing::Notebook
            }
            "interactive" => Doing::NotebookIdle,
            "evaluation" => Doing::Evaluate,
            "inference" => Doing::Serve(load(&self.name, hour)),
            _ => Doing::Batch,
        }
    }
}

/// Three days in which the training data came too slowly.
const fn is_starved(hour: u32) -> bool {
    november(3, 0) <= hour && hour < november(6, 0)
}

/// Requests follow the day; nobody asks the search service at night.
fn load(service: &str, hour: u32) -> u32 {
    let by_day = match hour_of_day(hour) {
        0..6 => 10,
        6..9 => 35,
        9..12 | 14..18 => 85,
        12..14 | 18..22 => 60,
        _ => 30,
    };
    match service {
        "search-serve" if by_day == 10 => 0,
        "search-serve" => by_day / 2,
        _ => by_day,
    }
}

const N1: [&str; 4] = ["bj-n1/0", "bj-n1/1", "bj-n1/2", "bj-n1/3"];

pub fn all() -> Vec<Workload> {
    let mut all = vec![
        Workload {
            project: "pretrain",
            user: "zhangsan",
            queue: "train",
            params: "7000000000",
            ..Workload::new(
                "train-7b-a",
                "training",
                (october(1, 8), october(19, 20)),
                &N1,
            )
        },
        Workload {
            project: "pretrain",
            user: "zhangsan",
            queue: "train",
            params: "7000000000",
            ..Workload::new(
                "train-7b-b",
                "training",
                (october(21, 10), november(25, 18)),
                &N1,
            )
        },
        Workload {
            user: "lisi",
            queue: "notebook",
            ..Workload::new(
                "notebook-lisi",
                "interactive",
                (october(8, 9), november(28, 18)),
                &["bj-n2/0"],
            )
        },
        Workload {
            user: "temp01",
            queue: "batch",
            ..Workload::new(
                "batch-oct",
                "other",
                (october(13, 10), october(16, 18)),
                &["bj-n2/3"],
            )
        },
        Workload {
            user: "temp01",
            queue: "batch",
            ..Workload::new(
                "batch-nov",
                "other",
                (november(10, 10), november(13, 18)),
                &["bj-n2/3"],
            )
        },
        Workload {
            user: "wangwu",
            queue: "batch",
            devices: vec![("bj-n2/3".to_owned(), "1/2")],
            ..Workload::new(
                "eval-search",
                "evaluation",
                (november(16, 9), november(27, 21)),
                &[],
            )
        },
        Workload::service("chat-serve", "sh-n1/0", "zhaoliu", "app=chat"),
        Workload::service("search-serve", "sh-n1/1", "wangwu", "app=search"),
    ];
    // Every Monday a fine-tuning run of 60 hours; the one of 9 November fails after 20.
    for week in 0..7 {
        let start = october(12, 9) + week * 7 * 24;
        let fails = start == november(9, 9);
        let end = start + if fails { 20 } else { 60 };
        let name = format!("finetune-{}", week + 1);
        all.push(Workload {
            user: "lisi",
            queue: "align",
            params: "14000000000",
            state: if fails { "failed" } else { "completed" },
            ..Workload::new(&name, "fine_tune", (start, end), &["bj-n2/1", "bj-n2/2"])
        });
    }
    all
}

/// What the card does, `None` when nobody holds it.
pub fn doing(all: &[Workload], device: &str, hour: u32) -> Option<Doing> {
    all.iter()
        .find(|workload| workload.holds(device, hour))
        .map(|workload| workload.doing(hour))
}

pub fn workloads() -> String {
    let mut out =
        "workload,source,kind,name,user,project,queue,labels,submitted,started,ended,state,\
                   model_params,active_params,precision,seq_len\n"
            .to_owned();
    for w in all() {
        let is_model = !w.params.is_empty();
        let ended = w.end.map(|end| time(end, 0)).unwrap_or_default();
        let start = time(w.start, 0);
        let (precision, seq_len) = if is_model { ("bf16", "4096") } else { ("", "") };
        let _ = writeln!(
            out,
            "{name},{},{},{name},{},{},{},{},{start},{start},{ended},{},{params},{params},{precision},{seq_len}",
            w.source,
            w.kind,
            w.user,
            w.project,
            w.queue,
            w.labels,
            w.state,
            name = w.name,
            params = w.params,
        );
    }
    out
}

pub fn placements() -> String {
    let mut out = "workload,device,start,end,share\n".to_owned();
    for w in all() {
        for (device, share) in &w.devices {
            let end = w.end.map(|end| time(end, 0)).unwrap_or_default();
            let _ = writeln!(
                out,
                "{},{device},{},{end},{share}",
                w.name,
                time(w.start, 0)
            );
        }
    }
    out
}

/// One row per day, cut where the pace changes. Training: 360,000 tokens a step, 6 FLOPs per parameter and token.
pub fn work() -> String {
    let mut out = "workload,start,end,tokens_trained,tokens_prompt,tokens_cached,tokens_generated,\
                   steps,replayed_steps,model_flops\n"
        .to_owned();
    for w in all() {
        let end = w.end.unwrap_or(HOURS);
        let mut start = w.start;
        while start < end {
            let midnight = (start / 24 + 1) * 24;
            let stop = cut(&w, start, midnight.min(end));
            let row = match w.kind {
                "training" => trained(start, stop, if is_starved(start) { 240 } else { 360 }, 7),
                "fine_tune" => trained(start, stop, 28, 14),
                "inference" if is_silent(&w.name, start) => String::new(),
                "inference" => served(&w.name, start, stop),
                _ => String::new(),
            };
            if !row.is_empty() {
                let _ = writeln!(out, "{},{},{},{row}", w.name, time(start, 0), time(stop, 0));
            }
            start = stop;
        }
    }
    out
}

/// After a restart one hour repeats steps that were done before.
const REPLAY: u32 = november(10, 9);

/// Where the pace changes before `stop`: around the replayed hour, and where a service falls silent or speaks again.
fn cut(workload: &Workload, start: u32, stop: u32) -> u32 {
    let changes = |hour: u32| match workload.kind {
        "training" => hour == REPLAY || hour == REPLAY + 1,
        "inference" => is_silent(&workload.name, hour) != is_silent(&workload.name, hour - 1),
        _ => false,
    };
    (start + 1..stop)
        .find(|hour| changes(*hour))
        .unwrap_or(stop)
}

fn is_silent(service: &str, hour: u32) -> bool {
    load(service, hour) == 0
}

fn trained(start: u32, stop: u32, steps_per_hour: u64, billion_params: u64) -> String {
    let steps = u64::from(stop - start) * steps_per_hour;
    let tokens = steps * 360_000;
    let replayed = if start == REPLAY && billion_params == 7 {
        "120"
    } else {
        ""
    };
    // tokens × 6 × parameters, written out in full
    let flops = tokens * 6 * billion_params;
    format!("{tokens},,,,{steps},{replayed},{flops}000000000")
}

fn served(service: &str, start: u32, stop: u32) -> String {
    let load: u64 = (start..stop)
        .map(|hour| u64::from(load(service, hour)))
        .sum();
    format!(",{},{},{},,,", load * 60_000, load * 20_000, load * 15_000)
}

#[cfg(test)]
mod tests {
    use super::{Doing, all, doing, work};
    use crate::calendar::{november, october};

    #[test]
    fn a_card_does_what_its_holder_does() {
        let all = all();
        assert_eq!(doing(&all, "bj-n1/2", october(1, 8)), Some(Doing::Train));
        assert_eq!(
            doing(&all, "bj-n1/2", november(4, 12)),
            Some(Doing::TrainStarved)
        );
        assert_eq!(doing(&all, "bj-n1/2", october(20, 12)), None);
        assert_eq!(
            doing(&all, "bj-n2/0", october(10, 10)),
            Some(Doing::NotebookIdle)
        );
        assert_eq!(
            doing(&all, "sh-n1/1", november(2, 3)),
            Some(Doing::Serve(0))
        );
    }

    /// A full day of training: 24 × 360 steps of 360,000 tokens, 4.2e10 FLOPs each.
    #[test]
    fn a_day_of_training_is_counted_by_hand() {
        let row = "train-7b-a,2026-10-02T00:00:00+08:00,2026-10-03T00:00:00+08:00,\
                   3110400000,,,,8640,,130636800000000000000";
        assert!(work().lines().any(|line| line == row));
    }
}
