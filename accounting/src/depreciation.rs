//! Depreciation: what an asset costs in each calendar month, and what is left when it goes (docs/accounting.md, 3).
//!
//! A method is a curve: how much is depreciated after x months, exact and linear inside a month. A calendar month is
//! the difference of two rounded points of it, so that months and disposal sum to price − residual to the fen.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "prices are limited to 10^14 fen and lives to 1200 months on entry; rationals are checked"
)]

use chrono::{Datelike, NaiveDate};

use crate::books::{Doubt, DoubtKind};
use crate::facts::{Asset, Method, StartRule};
use crate::ids::Id;
use crate::money::Fen;
use crate::quantity::Rational;
use crate::time::Month;

/// What one asset is charged for, over its whole life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub asset: Id,
    pub site: Id,
    /// The hours of the first month that bear it start here: the day of service for `in_service_day`, else the first
    /// of the first month.
    pub first_day: NaiveDate,
    /// The day of retirement for `in_service_day`, which is not charged; `None` where whole months are.
    pub last_day_exclusive: Option<NaiveDate>,
    /// In order, without gap except where a later row takes a fully depreciated asset up again.
    pub months: Vec<Charge>,
    /// What is left at retirement, booked on that day; `None` when nothing is.
    pub disposal: Option<(NaiveDate, Fen)>,
}

/// One calendar month of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    pub month: Month,
    pub fen: Fen,
    /// `valid_from_month` of the row it was computed by; empty for the first.
    pub version: Id,
    pub method: Method,
}

/// Above this, 10^12 yuan, an amount is no price: a month's micro-yuan would not fit.
const MOST_FEN: Fen = 100_000_000_000_000;

/// Longest life, in months.
const MOST_MONTHS: i64 = 1200;

impl Schedule {
    /// The charge of a month, `None` when the asset does not depreciate in it.
    #[must_use]
    pub fn charge(&self, month: Month) -> Option<&Charge> {
        let at = self
            .months
            .binary_search_by_key(&month, |charge| charge.month)
            .ok()?;
        self.months.get(at)
    }
}

/// The schedule of one asset from its rows, with the price already in the ledger currency.
///
/// The row without `valid_from_month` comes first and decides site, service day and start rule; later rows re-spread
/// what is left. `None` without rows.
#[must_use]
pub fn schedule(rows: &[&Asset], price_fen: Fen) -> Option<(Schedule, Vec<Doubt>)> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|row| row.valid_from_month);
    let first = *rows.first()?;
    let retired = rows.iter().rev().find_map(|row| row.retired);
    let clock = Clock::of(first, retired);
    let mut doubts = Vec::new();
    let mut doubt = |kind, amount: Fen, detail: String| {
        doubts.push(Doubt {
            kind,
            subject: first.asset.clone(),
            site: Some(first.site.clone()),
            amount: amount.checked_mul(crate::money::MICRO_PER_FEN),
            ms: 0,
            detail,
        });
    };
    let price = price_fen.clamp(0, MOST_FEN);
    if price != price_fen {
        doubt(
            DoubtKind::Overflow,
            price_fen,
            "a price below 0 or above 10^12".to_owned(),
        );
    }
    let mut booked = 0;
    let mut residual = 0;
    let mut months = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let start = if index == 0 { 0 } else { clock.index(row) };
        if index > 0
            && clock
                .retired
                .is_some_and(|at| clock.month(start) > Month::of(at))
        {
            break;
        }
        let end = rows.get(index + 1).map(|next| clock.index(next));
        let wanted = share_of(price, row.residual_rate);
        let book = price - booked;
        residual = wanted.min(book);
        if wanted > book {
            doubt(
                DoubtKind::ResidualLimited,
                wanted - book,
                format!("the residual of {} is above the book value", version(row)),
            );
        }
        let life = row.life_months.clamp(1, MOST_MONTHS);
        if life != row.life_months {
            doubt(
                DoubtKind::Overflow,
                0,
                format!("a life of {} months is read as {life}", row.life_months),
            );
        }
        let elapsed = clock.elapsed(start);
        let curve = Curve {
            price: book,
            residual,
            life: at_least_one(minus(Rational::whole(life), elapsed)),
            method: row.method,
        };
        let before = booked;
        for at in start..end.unwrap_or(i64::MAX) {
            let Some(until) = clock.until(at) else { break };
            let x = minus(until, elapsed);
            let charge = before + curve.at(x) - booked;
            booked += charge;
            months.push(Charge {
                month: clock.month(at),
                fen: charge,
                version: version(row),
                method: row.method,
            });
            if is_at_least(x, curve.life) {
                break;
            }
        }
    }
    let left = price - residual - booked;
    let schedule = Schedule {
        asset: first.asset.clone(),
        site: first.site.clone(),
        first_day: clock.first_day,
        last_day_exclusive: retired.filter(|_| clock.by_day),
        months,
        disposal: retired.map(|day| (day, left)).filter(|(_, fen)| *fen != 0),
    };
    Some((schedule, doubts))
}

fn version(row: &Asset) -> Id {
    row.valid_from_month
        .map_or_else(|| Id::from(""), |month| Id::from(month.to_string()))
}

/// `price × rate`, within 0 and the price.
fn share_of(price: Fen, rate: Rational) -> Fen {
    let exact = Rational::whole(price).times(rate).and_then(Rational::round);
    match exact {
        Some(fen) => fen.clamp(0, price),
        None if rate.is_negative() => 0,
        None => price,
    }
}

/// Where calendar months lie on the curve.
struct Clock {
    first_month: Month,
    first_day: NaiveDate,
    by_day: bool,
    /// f: the part of the first month that counts.
    first_part: Rational,
    retired: Option<NaiveDate>,
}

impl Clock {
    fn of(first: &Asset, retired: Option<NaiveDate>) -> Self {
        let service = Month::of(first.in_service);
        match first.start_rule {
            StartRule::NextMonth => {
                let first_month = service.plus(1);
                Self {
                    first_month,
                    first_day: first_month.first_day().unwrap_or(NaiveDate::MAX),
                    by_day: false,
                    first_part: Rational::ONE,
                    retired,
                }
            }
            StartRule::InServiceDay => Self {
                first_month: service,
                first_day: first.in_service,
                by_day: true,
                first_part: part_of_month(service, i64::from(first.in_service.day0()))
                    .map_or(Rational::ONE, |before| minus(Rational::ONE, before)),
                retired,
            },
        }
    }

    fn month(&self, index: i64) -> Month {
        self.first_month.plus(index)
    }

    /// The calendar month a later row starts in, counted from the first.
    fn index(&self, row: &Asset) -> i64 {
        row.valid_from_month
            .map_or(0, |month| (month.index() - self.first_month.index()).max(0))
    }

    /// Months depreciated before calendar month `index`.
    fn elapsed(&self, index: i64) -> Rational {
        if index == 0 {
            Rational::ZERO
        } else {
            plus(Rational::whole(index - 1), self.first_part)
        }
    }

    /// Months depreciated at the end of calendar month `index`; `None` when nothing of it is charged.
    fn until(&self, index: i64) -> Option<Rational> {
        let whole = plus(Rational::whole(index), self.first_part);
        let Some(retired) = self.retired else {
            return Some(whole);
        };
        let month = self.month(index);
        match month.cmp(&Month::of(retired)) {
            std::cmp::Ordering::Less => Some(whole),
            std::cmp::Ordering::Greater => None,
            // An asset still depreciates in the month it leaves; by the day, up to the day of retirement.
            std::cmp::Ordering::Equal if !self.by_day => Some(whole),
            std::cmp::Ordering::Equal => {
                let since = if index == 0 {
                    self.first_day
                } else {
                    month.first_day()?
                };
                let days = (retired - since).num_days();
                (days > 0).then(|| {
                    part_of_month(month, days).map_or(whole, |part| plus(self.elapsed(index), part))
                })
            }
        }
    }
}

fn part_of_month(month: Month, days: i64) -> Option<Rational> {
    Rational::new(i128::from(days), i128::from(month.days()))
}

/// How much of an asset is depreciated after x months.
struct Curve {
    price: Fen,
    residual: Fen,
    life: Rational,
    method: Method,
}

impl Curve {
    /// Fen after `x` months, rounded half away from zero; all of it from the end of life on.
    fn at(&self, x: Rational) -> Fen {
        let all = self.price - self.residual;
        if is_at_least(x, self.life) {
            return all;
        }
        let exact = match self.method {
            Method::DoubleDeclining if !is_at_least(Rational::whole(24), self.life) => {
                self.double_declining(x)
            }
            Method::SumOfYears => self.sum_of_years(x),
            Method::StraightLine | Method::DoubleDeclining => Rational::whole(all)
                .times(x)
                .and_then(|v| v.over(self.life)),
        };
        exact
            .and_then(Rational::round)
            .map_or(all, |fen| fen.clamp(0, all))
    }

    /// Month weight (life − 12·block) / 12, normalised.
    fn sum_of_years(&self, x: Rational) -> Option<Rational> {
        let weight_until = |x: Rational| {
            let mut sum = Rational::ZERO;
            let mut block = Rational::ZERO;
            while !is_at_least(block, x) {
                let months = least(minus(x, block), Rational::whole(12));
                sum = sum.plus(minus(self.life, block).times(months)?)?;
                block = block.plus(Rational::whole(12))?;
            }
            Some(sum)
        };
        Rational::whole(self.price - self.residual)
            .times(weight_until(x)?.over(weight_until(self.life)?)?)
    }

    /// Opening book value of the block × 2 ÷ life a month, and evenly over the last 24 months; never below residual.
    fn double_declining(&self, x: Rational) -> Option<Rational> {
        let last = minus(self.life, Rational::whole(24));
        let (price, residual) = (Rational::whole(self.price), Rational::whole(self.residual));
        let mut opening = price;
        let mut block = Rational::ZERO;
        while !is_at_least(block, last) && !is_at_least(block, x) {
            let until = least(least(plus(block, Rational::whole(12)), last), x);
            let monthly = opening.times(Rational::whole(2))?.over(self.life)?;
            opening = minus(opening, monthly.times(minus(until, block))?);
            if !is_at_least(opening, residual) {
                return Some(minus(price, residual));
            }
            opening = short(opening);
            block = until;
        }
        if !is_at_least(block, x) {
            let part = minus(x, block).over(Rational::whole(24))?;
            opening = minus(opening, minus(opening, residual).times(part)?);
        }
        Some(minus(price, opening))
    }
}

/// A book value whose exact fraction has grown long, to 1e-6 fen: far below what a rounding to the fen can see.
fn short(value: Rational) -> Rational {
    const SCALE: i128 = 1_000_000;
    if value.den < 1 << 30 {
        return value;
    }
    let (whole, rest) = (value.num / value.den, value.num % value.den);
    rest.checked_mul(SCALE)
        .and_then(|rest| Rational::new(whole * SCALE + rest / value.den, SCALE))
        .unwrap_or(value)
}

// Lives and parts of months are small numbers: their sums always fit, and zero stands for what cannot happen.

fn plus(a: Rational, b: Rational) -> Rational {
    a.plus(b).unwrap_or(Rational::ZERO)
}

fn minus(a: Rational, b: Rational) -> Rational {
    plus(
        a,
        Rational {
            num: -b.num,
            den: b.den,
        },
    )
}

fn is_at_least(a: Rational, b: Rational) -> bool {
    a.compare(b).is_some_and(std::cmp::Ordering::is_ge)
}

fn least(a: Rational, b: Rational) -> Rational {
    if is_at_least(a, b) { b } else { a }
}

fn at_least_one(months: Rational) -> Rational {
    if is_at_least(months, Rational::ONE) {
        months
    } else {
        Rational::ONE
    }
}

#[cfg(test)]
mod tests;
