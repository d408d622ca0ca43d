//! What the cards report: `samples.csv`, hourly, and for two hours of one card by the minute.

use std::fmt::Write;

use crate::calendar::{HOURS, november, october, time};
use crate::company::{CARDS, is_maintenance};
use crate::work::{Doing, Workload, all, doing};

/// A reading in hundredths and watts; `None` is a sensor that this situation does not have.
#[derive(Clone, Copy)]
struct Reading {
    g: u32,
    s: Option<u32>,
    t: Option<u32>,
    d: Option<u32>,
    comm: Option<u32>,
    host: Option<u32>,
    throttle: Option<u32>,
    power_w: u32,
}

const IDLE: Reading = Reading {
    g: 0,
    s: Some(0),
    t: Some(0),
    d: Some(0),
    comm: None,
    host: None,
    throttle: Some(0),
    power_w: 90,
};

fn reading(doing: Option<Doing>) -> Reading {
    let Some(doing) = doing else {
        return IDLE;
    };
    let (g, s, t, d, power_w) = match doing {
        Doing::Train => (96, 74, 43, 38, 560),
        Doing::TrainStarved => (62, 48, 28, 24, 430),
        Doing::FineTune => (88, 60, 31, 34, 290),
        Doing::Notebook => (35, 20, 5, 12, 160),
        Doing::NotebookIdle => (0, 0, 0, 0, 62),
        Doing::Batch => (54, 30, 9, 22, 210),
        Doing::Evaluate => (40, 28, 10, 24, 180),
        Doing::Serve(load) => (
            load,
            load * 8 / 10,
            load / 10,
            load * 7 / 10,
            110 + load * 3,
        ),
    };
    let (comm, host, throttle) = match doing {
        Doing::Train => (Some(15), Some(50), 3),
        Doing::TrainStarved => (Some(9), Some(85), 0),
        Doing::FineTune => (Some(8), Some(40), 2),
        _ => (None, None, 0),
    };
    Reading {
        g,
        s: Some(s),
        t: Some(t),
        d: Some(d),
        comm,
        host,
        throttle: Some(throttle),
        power_w,
    }
}

/// No sensor reads the same twice: a few hundredths and watts up or down, by the hour and the card.
fn wobbled(reading: Reading, device: &str, hour: u32) -> Reading {
    let card: u32 = device.bytes().map(u32::from).sum();
    let step = |factor: u32| (hour * factor + card * 5) % 7;
    let moved = |value: u32, by: u32| if value < 5 { value } else { value + by - 3 };
    Reading {
        g: moved(reading.g, step(3)),
        s: reading.s.map(|s| moved(s, step(2))),
        t: reading.t.map(|t| moved(t, step(5))),
        d: reading.d.map(|d| moved(d, step(4))),
        power_w: reading.power_w + step(6) * 2 - 6,
        ..reading
    }
}

/// The two hours of one card that are there by the minute, throttled by heat.
fn is_by_minute(device: &str, hour: u32) -> bool {
    device == "bj-n2/1" && (november(3, 14)..november(3, 16)).contains(&hour)
}

/// Somebody ran something past the scheduler: a doubt with its yuan.
fn is_past_the_scheduler(device: &str, hour: u32) -> bool {
    device == "bj-n2/3" && (october(20, 2)..october(20, 4)).contains(&hour)
}

fn read(workloads: &[Workload], device: &str, hour: u32) -> Reading {
    let past = is_past_the_scheduler(device, hour).then_some(Doing::Batch);
    let reading = reading(doing(workloads, device, hour).or(past));
    wobbled(reading, device, hour)
}

/// Watts of one card of an owned node in an hour.
pub fn card_w(workloads: &[Workload], device: &str, hour: u32) -> u32 {
    if device.starts_with("bj-n1") && is_maintenance(hour) {
        return 0;
    }
    read(workloads, device, hour).power_w
}

pub fn samples() -> String {
    let mut out =
        "device,time,interval_s,g,s,t,d,comm,comm_kind,host_evidence,throttle,power_w,energy_j\n"
            .to_owned();
    let workloads = all();
    for card in 0..CARDS {
        with_counter(&mut out, &workloads, &format!("bj-n1/{card}"));
    }
    for device in [
        "bj-n2/0", "bj-n2/1", "bj-n2/2", "bj-n2/3", "sh-n1/0", "sh-n1/1",
    ] {
        while_used(&mut out, &workloads, device);
    }
    out
}

/// Every hour but those of the maintenance, with an energy counter that starts again after it.
fn with_counter(out: &mut String, workloads: &[Workload], device: &str) {
    let mut energy_j: u64 = 0;
    for hour in 0..HOURS {
        if is_maintenance(hour) {
            energy_j = 0;
            continue;
        }
        let reading = read(workloads, device, hour);
        energy_j += u64::from(reading.power_w) * 3600;
        row(
            out,
            device,
            &time(hour, 0),
            3600,
            reading,
            &energy_j.to_string(),
        );
    }
}

/// Only while something runs, and power alone.
fn while_used(out: &mut String, workloads: &[Workload], device: &str) {
    for hour in 0..HOURS {
        if doing(workloads, device, hour).is_none() && !is_past_the_scheduler(device, hour) {
            continue;
        }
        let mut reading = read(workloads, device, hour);
        if is_by_minute(device, hour) {
            reading.throttle = Some(25);
            for minute in 0..60 {
                row(out, device, &time(hour, minute), 60, reading, "");
            }
        } else {
            row(out, device, &time(hour, 0), 3600, reading, "");
        }
    }
}

fn row(
    out: &mut String,
    device: &str,
    time: &str,
    interval_s: u32,
    reading: Reading,
    energy_j: &str,
) {
    let comm_kind = if reading.comm.is_some() {
        "measured"
    } else {
        ""
    };
    let _ = writeln!(
        out,
        "{device},{time},{interval_s},{},{},{},{},{},{comm_kind},{},{},{},{energy_j}",
        hundredths(Some(reading.g)),
        hundredths(reading.s),
        hundredths(reading.t),
        hundredths(reading.d),
        hundredths(reading.comm),
        hundredths(reading.host),
        hundredths(reading.throttle),
        reading.power_w,
    );
}

fn hundredths(value: Option<u32>) -> String {
    value.map_or_else(String::new, |v| format!("{}.{:02}", v / 100, v % 100))
}
