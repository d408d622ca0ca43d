//! Cost over time by payer, and who moved most against the comparison.

use std::collections::BTreeMap;

use api::Yuan;
use api::overview::{CostOverTime, Mover, ProjectSeries};
use api::query::Grain;
use chrono::NaiveDate;

use super::answer::{Sum, total};
use super::overview::periods;
use super::owners::Owners;
use super::sums::{BookSum, Line};

/// Payers drawn on their own; the rest are `others`.
const SHOWN: usize = 8;
/// Movers listed.
const MOVERS: usize = 6;
/// Device-hours that changed within this of what cost did explain it (per cent).
const EXPLAINED_PERCENT: i64 = 20;
/// Device-hours that changed less than this did not change (per cent).
const STEADY_PERCENT: i64 = 5;

/// The periods of a range, and which of them have books.
pub(super) struct Course {
    periods: Vec<NaiveDate>,
    grain: Grain,
    /// By period.
    has_books: Vec<bool>,
}

impl Course {
    pub fn new(from: NaiveDate, to: NaiveDate, grain: Grain, books: &[Line<BookSum>]) -> Self {
        let periods = periods(from, to, grain);
        let has_books = periods
            .iter()
            .map(|day| books.iter().any(|line| line.period == Some(*day)))
            .collect();
        Self {
            periods,
            grain,
            has_books,
        }
    }

    /// A value by period; `None` where there are no books or the value has none.
    pub fn trend<T: Sum, V>(
        &self,
        value: impl Fn(&T) -> Option<V>,
        lines: &[Line<T>],
    ) -> Vec<Option<V>> {
        let mut sums: BTreeMap<NaiveDate, T> = BTreeMap::new();
        for line in lines {
            if let Some(day) = line.period {
                sums.entry(day).or_default().add(&line.sum);
            }
        }
        self.periods
            .iter()
            .map(|day| sums.get(day).and_then(&value))
            .collect()
    }

    /// The eight largest payers, and the others together.
    pub fn over_time(&self, lines: &[Line<BookSum>], owners: &Owners) -> CostOverTime {
        let mut payers: BTreeMap<String, Vec<&Line<BookSum>>> = BTreeMap::new();
        for line in lines {
            payers.entry(payer(line)).or_default().push(line);
        }
        let mut ranked: Vec<(i64, String, Vec<&Line<BookSum>>)> = payers
            .into_iter()
            .map(|(payer, lines)| (sum(&lines), payer, lines))
            .collect();
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let rest: Vec<&Line<BookSum>> = ranked
            .split_off(SHOWN.min(ranked.len()))
            .into_iter()
            .flat_map(|(_, _, lines)| lines)
            .collect();
        let mut series: Vec<ProjectSeries> = ranked
            .into_iter()
            .map(|(_, payer, lines)| self.series(&payer, name(&payer, owners), &lines))
            .collect();
        if !rest.is_empty() {
            series.push(self.series("others", "others".to_owned(), &rest));
        }
        CostOverTime {
            periods: self.periods.iter().map(ToString::to_string).collect(),
            grain: match self.grain {
                Grain::Day => "day",
                Grain::Week => "week",
                Grain::Month => "month",
            }
            .to_owned(),
            series,
        }
    }

    fn series(&self, payer: &str, name: String, lines: &[&Line<BookSum>]) -> ProjectSeries {
        let by = |pick: fn(&Line<BookSum>) -> i64| {
            let mut sums: BTreeMap<NaiveDate, i64> = BTreeMap::new();
            for line in lines {
                if let Some(day) = line.period {
                    let sum = sums.entry(day).or_default();
                    *sum = sum.saturating_add(pick(line));
                }
            }
            let value = |(day, has_books): (&NaiveDate, &bool)| {
                has_books.then(|| Yuan::from_micro(sums.get(day).copied().unwrap_or(0)))
            };
            self.periods
                .iter()
                .zip(&self.has_books)
                .map(value)
                .collect()
        };
        ProjectSeries {
            project: payer.to_owned(),
            name,
            total: Yuan::from_micro(sum(lines)),
            values: by(|line| line.sum.yuan),
            estimated: by(|line| line.quality.estimated),
        }
    }
}

/// A project, `unattributed`, or `pool:NAME`.
fn payer(line: &Line<BookSum>) -> String {
    match line.groups.as_slice() {
        [_, pool] if !pool.is_empty() => format!("pool:{pool}"),
        [project, _] => project.clone(),
        _ => String::new(),
    }
}

fn name(payer: &str, owners: &Owners) -> String {
    owners.name(payer).to_owned()
}

fn sum(lines: &[&Line<BookSum>]) -> i64 {
    lines
        .iter()
        .fold(0, |sum, line| sum.saturating_add(line.sum.yuan))
}

/// The payers whose cost moved most, with the reason where volume or price explains it.
pub(super) fn movers(
    now: &[Line<BookSum>],
    before: &[Line<BookSum>],
    owners: &Owners,
) -> Vec<Mover> {
    let by_payer = |lines: &[Line<BookSum>]| {
        let mut sums: BTreeMap<String, Vec<Line<BookSum>>> = BTreeMap::new();
        for line in lines {
            sums.entry(payer(line)).or_default().push(line.clone());
        }
        sums.into_iter()
            .map(|(payer, lines)| (payer, total(&lines).sum))
            .collect::<BTreeMap<_, _>>()
    };
    let (now, before) = (by_payer(now), by_payer(before));
    let mut names: Vec<&String> = now.keys().chain(before.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let mut movers: Vec<(i64, Mover)> = names
        .into_iter()
        .map(|payer| {
            let new = now.get(payer).copied().unwrap_or_default();
            let old = before.get(payer).copied().unwrap_or_default();
            let mover = Mover {
                project: payer.clone(),
                name: name(payer, owners),
                value: Yuan::from_micro(new.yuan),
                compare: Yuan::from_micro(old.yuan),
                reason: reason(&new, &old)
                    // A pool's devices change from day to day: dearer ones free is a mix, not a price.
                    .filter(|reason| *reason != "price" || !payer.starts_with("pool:"))
                    .map(ToOwned::to_owned),
            };
            (new.yuan.saturating_sub(old.yuan).saturating_abs(), mover)
        })
        .filter(|(moved, _)| *moved != 0)
        .collect();
    movers.sort_by_key(|(moved, _)| std::cmp::Reverse(*moved));
    movers
        .into_iter()
        .take(MOVERS)
        .map(|(_, mover)| mover)
        .collect()
}

/// Cost = device-hours × price: what changed by as much as the cost did explains it.
fn reason(new: &BookSum, old: &BookSum) -> Option<&'static str> {
    if old.yuan == 0 {
        return Some("new");
    }
    if new.yuan == 0 {
        return Some("ended");
    }
    let percent = |new: i64, old: i64| {
        let moved = i128::from(new.saturating_sub(old)).saturating_mul(100);
        accounting::money::round_half_away(moved, i128::from(old.saturating_abs()))
    };
    let cost = percent(new.yuan, old.yuan)?;
    let volume = percent(new.device_ms, old.device_ms)?;
    if cost
        .saturating_sub(volume)
        .saturating_abs()
        .saturating_mul(100)
        <= cost.saturating_abs().saturating_mul(EXPLAINED_PERCENT)
    {
        Some("volume")
    } else if volume.saturating_abs() < STEADY_PERCENT {
        Some("price")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volume_or_price_explains_a_move_or_nothing_does() {
        let sum = |yuan, device_ms| BookSum {
            yuan,
            device_ms,
            ..BookSum::default()
        };
        let check = |new, old, expected| assert_eq!(reason(&new, &old), expected);
        check(sum(100, 10), sum(0, 0), Some("new"));
        check(sum(0, 0), sum(100, 10), Some("ended"));
        check(sum(200, 20), sum(100, 10), Some("volume"));
        check(sum(130, 10), sum(100, 10), Some("price"));
        check(sum(200, 13), sum(100, 10), None);
        check(sum(200, 0), sum(100, 0), None);
    }
}
