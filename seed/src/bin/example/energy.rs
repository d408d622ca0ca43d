//! What the meters of the owned site read: `meter_readings.csv`, hourly counters.
//!
//! IT is the sum of both nodes, a node the sum of its cards and its host, and the facility IT times the PUE of the
//! hour: so all energy of the site is known twice, and its cost is facility energy times price.

use std::fmt::Write;

use crate::calendar::{HOURS, hour_of_day, time};
use crate::company::{CARDS, HOST_W, is_maintenance};
use crate::samples::card_w;
use crate::work::{Workload, all};

/// Watt-hours of one hour.
pub struct Hour {
    nodes: [u64; 2],
    it: u64,
    pub facility: u64,
}

/// One meter's share of an hour.
type Part = fn(&Hour) -> u64;

pub fn hours() -> Vec<Hour> {
    let workloads = all();
    (0..HOURS).map(|hour| energy(&workloads, hour)).collect()
}

fn energy(workloads: &[Workload], hour: u32) -> Hour {
    let [first_host, second_host] = HOST_W;
    let cards = |node: &str| -> u32 {
        (0..CARDS)
            .map(|card| card_w(workloads, &format!("{node}/{card}"), hour))
            .sum()
    };
    // Under maintenance only fans and management run.
    let first_host = if is_maintenance(hour) {
        400
    } else {
        first_host
    };
    let nodes = [cards("bj-n1") + first_host, cards("bj-n2") + second_host].map(u64::from);
    let it = nodes.iter().sum();
    Hour {
        nodes,
        it,
        facility: it * pue_thousandths(hour_of_day(hour)) / 1000,
    }
}

/// Cooling works harder by day.
const fn pue_thousandths(hour_of_day: u32) -> u64 {
    match hour_of_day {
        23 | 0..7 => 1250,
        10..18 => 1350,
        _ => 1300,
    }
}

pub fn meter_readings() -> String {
    let mut out = "meter,time,kwh\n".to_owned();
    let hours = hours();
    let of: [(&str, Part); 4] = [
        ("bj-facility", |hour| hour.facility),
        ("bj-it", |hour| hour.it),
        ("bj-n1-power", |hour| {
            hour.nodes.first().copied().unwrap_or_default()
        }),
        ("bj-n2-power", |hour| {
            hour.nodes.last().copied().unwrap_or_default()
        }),
    ];
    for (meter, wh) in of {
        let mut counter: u64 = 0;
        let _ = writeln!(out, "{meter},{},{}", time(0, 0), kwh(counter));
        for (end, hour) in (1..).zip(&hours) {
            counter += wh(hour);
            let _ = writeln!(out, "{meter},{},{}", time(end, 0), kwh(counter));
        }
    }
    out
}

fn kwh(wh: u64) -> String {
    format!("{}.{:03}", wh / 1000, wh % 1000)
}
