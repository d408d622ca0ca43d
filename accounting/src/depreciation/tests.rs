#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may")]
use super::*;
use crate::facts::{Nodes, ShareKey};
use crate::quantity::decimal;
use proptest::prelude::*;

fn asset(life: i64, rate: &str, method: Method, rule: StartRule, service: &str) -> Asset {
    Asset {
        asset: "as1".into(),
        name: String::new(),
        site: "bj".into(),
        nodes: Nodes::None,
        price_fen: 0,
        currency: "CNY".into(),
        in_service: service.parse().unwrap(),
        life_months: life,
        residual_rate: decimal(rate).unwrap(),
        method,
        start_rule: rule,
        retired: None,
        share_key: ShareKey::Equal,
        valid_from_month: None,
    }
}

fn one(row: &Asset, price: Fen) -> Schedule {
    let (schedule, doubts) = schedule(&[row], price).unwrap();
    assert_eq!(doubts, []);
    schedule
}

fn fens(schedule: &Schedule) -> Vec<Fen> {
    schedule.months.iter().map(|charge| charge.fen).collect()
}

use Method::{DoubleDeclining, StraightLine, SumOfYears};
use StartRule::{InServiceDay, NextMonth};

#[test]
fn an_old_switch_retired_early_leaves_its_rest() {
    let mut row = asset(60, "0.05", StraightLine, NextMonth, "2023-01-05");
    row.retired = "2026-07-31".parse().ok();
    let schedule = one(&row, 999_999);
    assert_eq!(schedule.months.len(), 42);
    assert_eq!(schedule.months[0].month, Month::parse("2023-02").unwrap());
    assert_eq!(schedule.months[41].month, Month::parse("2026-07").unwrap());
    assert_eq!(schedule.disposal, Some((row.retired.unwrap(), 285_000)));
    assert_eq!(schedule.first_day.to_string(), "2023-02-01");
    assert_eq!(schedule.last_day_exclusive, None);
}

#[test]
fn straight_line_is_a_running_total() {
    let schedule = one(&asset(3, "0", StraightLine, NextMonth, "2026-01-31"), 100);
    assert_eq!(fens(&schedule), [33, 34, 33]);
    assert_eq!(
        schedule
            .charge(Month::parse("2026-04").unwrap())
            .unwrap()
            .fen,
        33
    );
    assert_eq!(schedule.charge(Month::parse("2026-05").unwrap()), None);
}

#[test]
fn the_first_day_counts_and_its_month_is_completed_at_the_end() {
    // 20 of 30 days: f = 2/3.
    let schedule = one(
        &asset(3, "0", StraightLine, InServiceDay, "2026-04-11"),
        9000,
    );
    assert_eq!(fens(&schedule), [2000, 3000, 3000, 1000]);
    assert_eq!(schedule.first_day.to_string(), "2026-04-11");
    // From the first of a month there is nothing to complete.
    let schedule = one(
        &asset(3, "0", StraightLine, InServiceDay, "2026-04-01"),
        9000,
    );
    assert_eq!(fens(&schedule), [3000, 3000, 3000]);
}

#[test]
fn the_day_of_retirement_is_not_charged() {
    let mut row = asset(3, "0", StraightLine, InServiceDay, "2026-04-11");
    row.retired = "2026-05-01".parse().ok();
    let schedule = one(&row, 9000);
    assert_eq!(
        (fens(&schedule), schedule.disposal.unwrap().1),
        (vec![2000], 7000)
    );
    row.retired = "2026-06-16".parse().ok();
    let schedule = one(&row, 9000);
    assert_eq!(
        (fens(&schedule), schedule.disposal.unwrap().1),
        (vec![2000, 3000, 1500], 2500)
    );
    assert_eq!(schedule.last_day_exclusive, row.retired);
    row.retired = "2026-04-21".parse().ok();
    assert_eq!(fens(&one(&row, 9000)), [1000]);
    row.retired = "2026-04-11".parse().ok();
    let schedule = one(&row, 9000);
    assert_eq!(
        (fens(&schedule), schedule.disposal.unwrap().1),
        (vec![], 9000)
    );
}

#[test]
fn an_asset_that_leaves_in_the_month_it_came_is_disposed_of_whole() {
    let mut row = asset(60, "0.1", StraightLine, NextMonth, "2026-04-11");
    row.retired = "2026-04-20".parse().ok();
    let schedule = one(&row, 10_000);
    assert_eq!(
        (schedule.months.len(), schedule.disposal.unwrap().1),
        (0, 9000)
    );
    // Retired after its life: nothing is left.
    row.retired = "2036-04-20".parse().ok();
    assert_eq!(one(&row, 10_000).disposal, None);
}

fn years(schedule: &Schedule) -> Vec<Fen> {
    fens(schedule)
        .chunks(12)
        .map(|year| year.iter().sum())
        .collect()
}

#[test]
fn double_declining_by_years() {
    // The textbook: 10,000.00 over 5 years, residual 4 %: 4000, 2400, 1440, then (2160 − 400) / 2 twice.
    let schedule = one(
        &asset(60, "0.04", DoubleDeclining, NextMonth, "2025-12-01"),
        1_000_000,
    );
    assert_eq!(
        years(&schedule),
        [400_000, 240_000, 144_000, 88_000, 88_000]
    );
    // 30 months: half a year declining, then evenly.
    let schedule = one(
        &asset(30, "0", DoubleDeclining, NextMonth, "2025-12-01"),
        300_000,
    );
    assert_eq!(
        fens(&schedule)[..7],
        [20_000, 20_000, 20_000, 20_000, 20_000, 20_000, 7500]
    );
    // Up to 24 months it is straight line.
    let schedule = one(
        &asset(24, "0", DoubleDeclining, NextMonth, "2025-12-01"),
        2400,
    );
    assert_eq!(fens(&schedule), [100; 24]);
}

#[test]
fn double_declining_stops_at_the_residual() {
    let schedule = one(
        &asset(60, "0.5", DoubleDeclining, NextMonth, "2025-12-01"),
        1_000_000,
    );
    assert_eq!(years(&schedule), [400_000, 100_000, 0, 0, 0]);
    assert_eq!(schedule.months.len(), 60);
}

#[test]
fn sum_of_years_by_years() {
    let schedule = one(
        &asset(60, "0.04", SumOfYears, NextMonth, "2025-12-01"),
        1_000_000,
    );
    assert_eq!(
        years(&schedule),
        [320_000, 256_000, 192_000, 128_000, 64_000]
    );
    // 18 months: weights 18/12 twelve times and 6/12 six times, of 21.
    let schedule = one(&asset(18, "0", SumOfYears, NextMonth, "2025-12-01"), 2100);
    assert_eq!(years(&schedule), [1800, 300]);
}

#[test]
fn a_later_row_spreads_what_is_left() {
    let first = asset(60, "0", StraightLine, NextMonth, "2025-07-01");
    let mut later = asset(36, "0.10", StraightLine, NextMonth, "2025-07-01");
    later.valid_from_month = Month::parse("2026-08");
    let (schedule, doubts) = schedule(&[&later, &first], 2_400_000).unwrap();
    assert_eq!(doubts, []);
    assert_eq!(years(&schedule), [480_000, 840_000, 840_000]);
    assert_eq!(schedule.months[11].version.as_ref(), "");
    assert_eq!(schedule.months[12].version.as_ref(), "2026-08");
}

#[test]
fn a_later_row_that_changes_nothing_changes_no_straight_line() {
    let first = asset(37, "0.03", StraightLine, InServiceDay, "2025-07-09");
    let mut later = first.clone();
    later.valid_from_month = Month::parse("2026-08");
    let whole = one(&first, 3_700_000);
    let (spread, _) = schedule(&[&first, &later], 3_700_000).unwrap();
    assert_eq!(spread.months.len(), whole.months.len());
    for (a, b) in spread.months.iter().zip(&whole.months) {
        assert!((a.fen - b.fen).abs() <= 1, "{a:?} {b:?}");
    }
}

#[test]
fn a_later_row_has_at_least_one_month_and_limits_its_residual() {
    let first = asset(60, "0", StraightLine, NextMonth, "2025-07-01");
    let mut later = asset(6, "0.95", StraightLine, NextMonth, "2025-07-01");
    later.valid_from_month = Month::parse("2026-08");
    let (limited, doubts) = schedule(&[&first, &later], 600_000).unwrap();
    assert_eq!(doubts[0].kind, DoubtKind::ResidualLimited);
    assert_eq!((limited.months.len(), limited.months[12].fen), (13, 0));
    later.residual_rate = Rational::ZERO;
    let (schedule, _) = schedule(&[&first, &later], 600_000).unwrap();
    assert_eq!(
        (schedule.months.len(), schedule.months[12].fen),
        (13, 480_000)
    );
}

#[test]
fn hostile_rows_end_in_doubts() {
    let mut row = asset(i64::MAX, "0", DoubleDeclining, InServiceDay, "2026-02-28");
    row.residual_rate.num = i128::MAX;
    assert_eq!(schedule(&[], 1), None);
    let (found, doubts) = schedule(&[&row], i64::MAX).unwrap();
    assert!(doubts.iter().any(|d| d.kind == DoubtKind::Overflow));
    assert!(found.months.iter().all(|c| c.fen == 0));
    row.life_months = i64::MIN;
    row.in_service = NaiveDate::MAX;
    row.residual_rate = Rational::whole(-1);
    let (found, doubts) = schedule(&[&row], i64::MIN).unwrap();
    assert_eq!(doubts.len(), 2);
    assert!(found.months.iter().all(|c| c.fen == 0));
}

fn any_method() -> impl Strategy<Value = Method> {
    prop::sample::select(vec![StraightLine, DoubleDeclining, SumOfYears])
}

proptest! {
    // Invariant 5: booked + disposal = price − residual to the fen, for every method, life, start rule and
    // retirement; no month is negative.
    #[test]
    fn nothing_is_lost(
        price in 0i64..10_000_000_000_000,
        (life, rate, method) in (1i64..200, 0i128..=100, any_method()),
        by_day in any::<bool>(),
        service in 0u64..2000,
        retired in prop::option::of(0u64..6000),
        later in prop::collection::vec((0i64..150, 1i64..200, 0i128..=100, any_method()), 0..3),
    ) {
        let epoch: NaiveDate = "2020-01-01".parse().unwrap();
        let rule = if by_day { InServiceDay } else { NextMonth };
        let mut first = asset(life, "0", method, rule, "2020-01-01");
        first.residual_rate = Rational::new(rate, 100).unwrap();
        first.in_service = epoch + chrono::Days::new(service);
        first.retired = retired.map(|days| first.in_service + chrono::Days::new(days));
        let mut rows = vec![first.clone()];
        for (after, life_months, rate, method) in later {
            rows.push(Asset {
                life_months,
                method,
                residual_rate: Rational::new(rate, 100).unwrap(),
                valid_from_month: Some(Month::of(first.in_service).plus(after)),
                ..first.clone()
            });
        }
        rows.sort_by_key(|row| row.valid_from_month);
        let (found, doubts) = schedule(&rows.iter().collect::<Vec<_>>(), price).unwrap();
        prop_assert!(found.months.iter().all(|charge| charge.fen >= 0));
        prop_assert!(found.months.is_sorted_by(|a, b| a.month < b.month));
        let booked: i64 = found.months.iter().map(|charge| charge.fen).sum();
        let total = booked + found.disposal.map_or(0, |(_, fen)| fen);
        let in_force = |row: &&Asset| {
            let last = first.retired.map(Month::of);
            row.valid_from_month.is_none() || last.is_none_or(|last| row.valid_from_month <= Some(last))
        };
        let last = rows.iter().rev().find(in_force).unwrap();
        if doubts.is_empty() {
            prop_assert_eq!(total, price - share_of(price, last.residual_rate));
        } else {
            prop_assert!(total <= price);
        }
    }
}
