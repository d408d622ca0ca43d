//! The worked example of docs/accounting.md to the micro-yuan, and the invariants on random companies.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::too_many_lines,
    clippy::type_complexity,
    reason = "tests may"
)]

mod doubts;
mod lost_devices;
mod node_meter;
mod site_rows;

use proptest::prelude::*;

use super::*;
use crate::audit::audit;
use crate::category::{Bearer, Category, Mode};
use crate::facts::*;
use crate::minutes::lay;
use crate::quantity::{Rational, Share, decimal};
use crate::time::{HOUR_MS, MINUTE_MS, Ms, day_start};

const ZONE: Zone = Zone::Asia__Shanghai;

fn settings() -> Settings {
    Settings {
        zone: ZONE,
        currency: Id::from("CNY"),
    }
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn start(text: &str) -> Ms {
    day_start(ZONE, date(text))
}

fn site(name: &str) -> Site {
    Site {
        site: Id::from(name),
        name: name.into(),
        kind: SiteKind::Owned,
        zone: ZONE,
        region: None,
        pue_default: Some(decimal("1.35").unwrap()),
        tariff: None,
        entity: None,
        valid: Validity::default(),
    }
}

fn node(name: &str, site: &str, ownership: Ownership) -> Node {
    Node {
        node: Id::from(name),
        site: Id::from(site),
        ownership,
        cloud_resource_id: None,
        host_overhead_w: None,
        valid: Validity::default(),
    }
}

fn device(name: &str, node: &str) -> Device {
    Device {
        device: Id::from(name),
        node: Id::from(node),
        slot: "0".into(),
        model: Id::from("H100"),
        parent: None,
        slice: None,
        slice_weight: None,
        valid: Validity::default(),
    }
}

fn model() -> DeviceModel {
    DeviceModel {
        model: Id::from("H100"),
        aliases: Vec::new(),
        vendor: "nvidia".into(),
        memory_gib: None,
        tdp_w: Some(Rational::whole(700)),
        idle_w: None,
        peak_bf16_tflops: None,
        peak_fp16_tflops: None,
        peak_fp8_tflops: None,
        peak_int8_tops: None,
        peak_tf32_tflops: None,
        peak_fp32_tflops: None,
        peak_fp64_tflops: None,
        mem_bw_gbps: None,
        slices: None,
        source: "test".into(),
        confidence: "A".into(),
    }
}

fn workload(name: &str, from: Ms, kind: WorkloadKind) -> Workload {
    Workload {
        workload: Id::from(name),
        source: Id::from("slurm"),
        kind,
        name: name.into(),
        user: None,
        project: Some(Id::from("p1")),
        queue: None,
        namespace: None,
        account: None,
        labels: Vec::new(),
        submitted: None,
        started: from,
        ended: None,
        state: WorkloadState::Running,
        attempt: None,
        model_params: None,
        active_params: None,
        precision: None,
        seq_len: None,
    }
}

fn worked_example() -> Facts {
    let day = start("2026-07-01");
    let hour = day + 23 * HOUR_MS;
    let busy = Sample {
        interval_ms: MINUTE_MS,
        g: Some(9000),
        s: Some(6000),
        t: Some(3720),
        d: Some(3000),
        comm: Some(2000),
        host_evidence: Some(7000),
        throttle: Some(500),
        ..Sample::default()
    };
    let samples: Vec<Sample> = (6..100)
        .map(|k| Sample {
            time: hour + k * MINUTE_MS,
            g: Some(if (56..71).contains(&k) { 0 } else { 9000 }),
            ..busy.clone()
        })
        .collect();
    let mut only = node("n1", "s1", Ownership::Cloud);
    only.valid.from = Some(hour);
    Facts {
        sites: vec![site("s1")],
        nodes: vec![only],
        devices: vec![device("d1", "n1")],
        models: vec![model()],
        price_book: vec![PriceBookRow {
            site: Id::from("s1"),
            model: Id::from("H100"),
            ownership: Ownership::Cloud,
            price_per_device_hour: Rational::whole(18),
            currency: Id::from("CNY"),
            valid: Validity::default(),
        }],
        coverage: vec![Coverage {
            source: Id::from("slurm"),
            scope: Scope::Site,
            name: Id::from("s1"),
            kind: CoverageKind::Scheduler,
            span: Span::new(day, day + 48 * HOUR_MS),
        }],
        workloads: vec![workload("w1", hour + 6 * MINUTE_MS, WorkloadKind::Training)],
        placements: vec![Placement {
            workload: Id::from("w1"),
            device: Id::from("d1"),
            start: hour + 6 * MINUTE_MS,
            end: Some(hour + 90 * MINUTE_MS),
            share: Share::WHOLE,
            seq: None,
        }],
        minutes: vec![Sampled {
            device: Id::from("d1"),
            hours: lay(&samples, &|_| None, Span::new(day, day + 48 * HOUR_MS)),
        }],
        ..Facts::default()
    }
}

#[test]
fn worked_example_is_exact() {
    let facts = worked_example();
    let engine = Engine::new(&facts, settings());
    let day = engine.day(date("2026-07-01"));
    let total = |category: Category| {
        day.rows
            .iter()
            .map(|row| row.time[category.index()] + row.energy[category.index()])
            .sum::<i64>()
    };
    let check = |category, yuan: &str| {
        assert_eq!(
            Some(total(category)),
            decimal(yuan).unwrap().scaled(6),
            "{category:?}"
        );
    };
    check(Category::Unallocated, "1.80");
    check(Category::HeldIdle, "1.20");
    check(Category::DataOrHostStall, "1.05");
    check(Category::StallUnattributed, "0.45");
    check(Category::CommunicationWait, "3.00");
    check(Category::LowSm, "1.50");
    check(Category::Throttled, "0.45");
    check(Category::LowIntensity, "2.85");
    check(Category::Useful, "5.70");
    assert_eq!(audit(&facts, &settings(), &day), []);
    let held = day
        .rows
        .iter()
        .find(|row| row.bearer == Some(Bearer::Payer))
        .unwrap();
    assert_eq!(held.mode_ms[Mode::M3.index()], 54 * MINUTE_MS);
    assert_eq!(held.energy_mwh, None);
}

fn asset(name: &str, nodes: Nodes, price_fen: i64, rule: StartRule, key: ShareKey) -> Asset {
    Asset {
        asset: Id::from(name),
        name: name.into(),
        site: Id::from("s1"),
        nodes,
        price_fen,
        currency: Id::from("CNY"),
        in_service: date("2026-06-17"),
        life_months: 37,
        residual_rate: decimal("0.05").unwrap(),
        method: Method::StraightLine,
        start_rule: rule,
        retired: None,
        share_key: key,
        valid_from_month: None,
    }
}

fn charge(name: &str, nodes: Nodes, component: ChargeComponent, amount_micro: i64) -> Recurring {
    Recurring {
        charge: Id::from(name),
        name: name.into(),
        site: Id::from("s1"),
        nodes,
        component,
        amount_micro,
        currency: Id::from("CNY"),
        from_month: Month {
            year: 2026,
            month: 6,
        },
        to_month: None,
    }
}

/// What a random company is made of; times are milliseconds after 2026-07-01 00:00.
#[derive(Clone, Debug)]
struct Company {
    /// (device, start, length, units of 1/7, workload)
    placements: Vec<(u8, i64, i64, i64, u8)>,
    /// (node, start, length, state)
    states: Vec<(u8, i64, i64, u8)>,
    /// (device, start, interval in s, g, s, power W)
    samples: Vec<(u8, i64, i64, i64, Option<i64>, Option<i64>)>,
    coverage: Vec<(i64, i64)>,
    /// When the second device begins and ends.
    lives: (i64, i64),
    amounts: (i64, i64, i64),
    slices: bool,
}

fn company() -> impl Strategy<Value = Company> {
    let day = 24 * HOUR_MS;
    let at = move || -day..2 * day;
    (
        prop::collection::vec((0u8..4, at(), 1..day, 1i64..8, 0u8..3), 0..8),
        prop::collection::vec((0u8..2, at(), 1..day, 0u8..6), 0..4),
        prop::collection::vec(
            (
                0u8..4,
                at(),
                prop::sample::select(vec![1i64, 60, 90, 300, 3600]),
                0i64..10_000,
                prop::option::of(0i64..10_000),
                prop::option::of(0i64..900),
            ),
            0..30,
        ),
        prop::collection::vec((at(), 1..2 * day), 0..3),
        (-day..day, 1..2 * day),
        (
            0i64..10_000_000,
            -5_000_000_000i64..5_000_000_000,
            0i64..5_000_000_000,
        ),
        any::<bool>(),
    )
        .prop_map(
            |(placements, states, samples, coverage, lives, amounts, slices)| Company {
                placements,
                states,
                samples,
                coverage,
                lives,
                amounts,
                slices,
            },
        )
}

const NAMES: [&str; 4] = ["d1", "d2", "d1m0", "d3"];

fn facts(company: &Company) -> Facts {
    let zero = start("2026-07-01");
    let mut devices = vec![device("d1", "n1"), device("d2", "n1"), device("d3", "n2")];
    devices[1].valid = Validity {
        from: Some(zero + company.lives.0),
        to: Some(zero + company.lives.0 + company.lives.1),
    };
    if company.slices {
        let mut slice = device("d1m0", "n1");
        slice.parent = Some(Id::from("d1"));
        slice.slice = Some("3g.40gb".into());
        devices.push(slice);
    }
    let states = [
        State::Up,
        State::Down,
        State::Drain,
        State::Maintenance,
        State::Reserved,
        State::Stopped,
    ];
    let nodes = [Id::from("n1"), Id::from("n2")];
    let names = |d: u8| Id::from(NAMES[usize::from(d)]);
    let some = |n: &str| Nodes::Some(vec![Id::from(n)]);
    let mut first = node("n1", "s1", Ownership::Owned);
    first.host_overhead_w = Some(Rational::whole(801));
    let mut owned = site("s1");
    owned.tariff = Some(Id::from("t"));
    Facts {
        sites: vec![owned],
        nodes: vec![first, node("n2", "s1", Ownership::Cloud)],
        devices,
        models: vec![model()],
        tariffs: vec![
            tariff_row((0, 1440), Level::Flat),
            TariffRow {
                days: DayKind::Weekend,
                ..tariff_row((23 * 60, 7 * 60 + 30), Level::Valley)
            },
        ],
        tariff_prices: vec![price(Level::Flat, "0.7342"), price(Level::Valley, "0.3121")],
        assets: vec![
            asset(
                "a1",
                some("n1"),
                company.amounts.0,
                StartRule::NextMonth,
                ShareKey::Power,
            ),
            asset(
                "a2",
                Nodes::All,
                company.amounts.0 / 3,
                StartRule::InServiceDay,
                ShareKey::Equal,
            ),
            asset(
                "a3",
                Nodes::None,
                99_999,
                StartRule::NextMonth,
                ShareKey::Equal,
            ),
        ],
        recurring: vec![
            charge("r1", Nodes::None, ChargeComponent::Rent, company.amounts.1),
            charge("r2", Nodes::None, ChargeComponent::Staff, company.amounts.2),
            charge(
                "r3",
                some("n1"),
                ChargeComponent::Maintenance,
                company.amounts.2 / 7,
            ),
            charge(
                "r4",
                Nodes::None,
                ChargeComponent::DemandCharge,
                3_100_000_000,
            ),
        ],
        price_book: vec![PriceBookRow {
            site: Id::from("s1"),
            model: Id::from("H100"),
            ownership: Ownership::Cloud,
            price_per_device_hour: decimal("8.8812345").unwrap(),
            currency: Id::from("CNY"),
            valid: Validity::default(),
        }],
        coverage: company
            .coverage
            .iter()
            .map(|(at, len)| Coverage {
                source: Id::from("slurm"),
                scope: Scope::Site,
                name: Id::from("s1"),
                kind: CoverageKind::Scheduler,
                span: Span::new(zero + at, zero + at + len),
            })
            .collect(),
        workloads: (0..2)
            .map(|w| workload(&format!("w{w}"), zero, WorkloadKind::Other))
            .collect(),
        placements: company
            .placements
            .iter()
            .map(|(d, at, len, sevenths, w)| Placement {
                workload: Id::from(format!("w{w}")),
                device: names(*d),
                start: zero + at,
                end: Some(zero + at + len),
                share: Share {
                    num: *sevenths,
                    den: 7,
                },
                seq: None,
            })
            .collect(),
        node_states: company
            .states
            .iter()
            .map(|(n, at, len, state)| NodeState {
                node: nodes[usize::from(*n)].clone(),
                start: zero + at,
                end: Some(zero + at + len),
                state: states[usize::from(*state)],
            })
            .collect(),
        minutes: minutes(company, zero),
        ..Facts::default()
    }
}

fn tariff_row(slot: (u32, u32), level: Level) -> TariffRow {
    TariffRow {
        tariff: Id::from("t"),
        valid: Validity::default(),
        season: Season::Months { from: 1, to: 12 },
        days: DayKind::All,
        slot,
        level,
    }
}

fn price(level: Level, yuan: &str) -> TariffPrice {
    TariffPrice {
        tariff: Id::from("t"),
        month: Month {
            year: 2026,
            month: 7,
        },
        level,
        price_per_kwh: decimal(yuan).unwrap(),
        currency: Id::from("CNY"),
    }
}

fn minutes(company: &Company, zero: Ms) -> Vec<Sampled> {
    let mut sampled = Vec::new();
    for (number, name) in NAMES.iter().enumerate() {
        let mut samples: Vec<Sample> = company
            .samples
            .iter()
            .filter(|(d, ..)| usize::from(*d) == number)
            .map(|(_, at, interval, g, s, watts)| Sample {
                time: zero + at,
                interval_ms: interval * 1000,
                g: Some(*g),
                s: *s,
                t: *s,
                d: s.filter(|s| s % 2 == 0),
                power_uw: watts.map(|w| w * 1_000_000),
                ..Sample::default()
            })
            .collect();
        samples.sort_by_key(|s| (s.time, s.interval_ms));
        let window = Span::new(zero - 48 * HOUR_MS, zero + 96 * HOUR_MS);
        sampled.push(Sampled {
            device: Id::from(*name),
            hours: lay(&samples, &|_| None, window),
        });
    }
    sampled
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    // Invariants 2 and 6, and the sources recomputed from their own facts.
    #[test]
    fn every_day_of_a_random_company_audits(company in company()) {
        let facts = facts(&company);
        let engine = Engine::new(&facts, settings());
        for day in ["2026-06-30", "2026-07-01", "2026-07-02"] {
            let day = engine.day(date(day));
            prop_assert_eq!(audit(&facts, &settings(), &day), []);
        }
    }

    // Invariant 3: the order of facts changes nothing, and a day computed alone equals itself among others.
    #[test]
    fn order_and_company_of_days_change_nothing(company in company()) {
        let facts = facts(&company);
        let mut reversed = facts.clone();
        reversed.placements.reverse();
        reversed.devices.reverse();
        reversed.nodes.reverse();
        reversed.assets.reverse();
        reversed.recurring.reverse();
        reversed.coverage.reverse();
        reversed.minutes.reverse();
        reversed.tariffs.reverse();
        let (one, other) = (Engine::new(&facts, settings()), Engine::new(&reversed, settings()));
        drop(other.day(date("2026-07-02")));
        prop_assert_eq!(one.day(date("2026-07-01")), other.day(date("2026-07-01")));
    }
}
