//! From sums to an answer: values in the metric's unit, the total last and equal to its parts.

use accounting::efficiency::{self, TokenKind, plus_flops};
use accounting::split::apportion_small;
use accounting::time::HOUR_MS;
use api::Yuan;
use api::query::{About, Query, QueryAnswer, Row, Status, Value};
use chrono::NaiveDate;

use super::question::{Boundary, Key, Metric, Question};
use super::sums::{Ask, BookSum, CellSum, Line, PueSum, Quality, WorkSum};
use super::{Books, BooksReadError};
use crate::store::scope::Scope;

/// Sums that add up.
pub trait Sum: Copy + Default {
    fn add(&mut self, other: &Self);
}

impl Sum for Quality {
    fn add(&mut self, other: &Self) {
        self.estimated = self.estimated.saturating_add(other.estimated);
        self.covered = self.covered.saturating_add(other.covered);
        self.judged = self.judged.saturating_add(other.judged);
        self.any_estimated |= other.any_estimated;
        self.any_provisional |= other.any_provisional;
        self.rows = self.rows.saturating_add(other.rows);
    }
}

impl Quality {
    /// The weakest status of what was summed; `None` when nothing was.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        match self {
            Self { rows: 0, .. } => None,
            Self {
                any_estimated: true,
                ..
            } => Some(Status::Estimated),
            Self {
                any_provisional: true,
                ..
            } => Some(Status::Provisional),
            _ => Some(Status::Closed),
        }
    }

    /// Share of device cost in evidence mode M2 or better, 1e-4.
    #[must_use]
    pub fn coverage(&self) -> Option<i64> {
        accounting::money::round_half_away(
            i128::from(self.covered).saturating_mul(10_000),
            i128::from(self.judged),
        )
    }
}

impl Sum for BookSum {
    fn add(&mut self, other: &Self) {
        self.yuan = self.yuan.saturating_add(other.yuan);
        add(&mut self.energy_mwh, other.energy_mwh);
        self.device_ms = self.device_ms.saturating_add(other.device_ms);
        self.held_ms = self.held_ms.saturating_add(other.held_ms);
        self.unpriced_ms = self.unpriced_ms.saturating_add(other.unpriced_ms);
    }
}

impl Sum for CellSum {
    fn add(&mut self, other: &Self) {
        self.time = self.time.saturating_add(other.time);
        self.electricity = self.electricity.saturating_add(other.electricity);
        self.ms = self.ms.saturating_add(other.ms);
        self.useful = self.useful.saturating_add(other.useful);
        self.device = self.device.saturating_add(other.device);
        self.judged_ms = self.judged_ms.saturating_add(other.judged_ms);
        self.unjudged_ms = self.unjudged_ms.saturating_add(other.unjudged_ms);
    }
}

impl CellSum {
    /// Useful ÷ device cost. Where some time cannot be judged and no sensor could ever have shown use, the share is
    /// unknown, not 0.
    #[must_use]
    pub fn useful_share(&self) -> Option<String> {
        if self.judged_ms == 0 && self.unjudged_ms > 0 {
            return None;
        }
        ratio(self.useful, self.device)
    }
}

impl Sum for WorkSum {
    fn add(&mut self, other: &Self) {
        for (sum, part) in self.tokens.iter_mut().zip(other.tokens) {
            add(sum, part);
        }
        for (sum, part) in self.cost.iter_mut().zip(other.cost) {
            *sum = sum.saturating_add(part);
        }
        self.any_cost = self.any_cost.saturating_add(other.any_cost);
        add_float(&mut self.model_flops, other.model_flops);
        add(&mut self.energy_mwh, other.energy_mwh);
        add(&mut self.facility_mwh, other.facility_mwh);
        add_float(&mut self.peaked_flops, other.peaked_flops);
        add_float(&mut self.possible_flops, other.possible_flops);
        self.unpriced_ms = self.unpriced_ms.saturating_add(other.unpriced_ms);
    }
}

impl Sum for PueSum {
    fn add(&mut self, other: &Self) {
        self.facility_mwh = self.facility_mwh.saturating_add(other.facility_mwh);
        self.it_mwh = self.it_mwh.saturating_add(other.it_mwh);
    }
}

fn add(sum: &mut Option<i64>, part: Option<i64>) {
    if let Some(part) = part {
        *sum = Some(sum.unwrap_or(0).saturating_add(part));
    }
}

fn add_float(sum: &mut Option<f64>, part: Option<f64>) {
    if let Some(part) = part {
        *sum = Some(plus_flops(*sum, part));
    }
}

/// The sum of all lines.
#[must_use]
pub fn total<T: Sum>(lines: &[Line<T>]) -> Line<T> {
    let mut total = Line::<T>::default();
    for line in lines {
        total.quality.add(&line.quality);
        total.sum.add(&line.sum);
    }
    total
}

/// A cell of an answer before it is laid into rows.
struct Cell {
    period: Option<NaiveDate>,
    groups: Vec<String>,
    quality: Quality,
    value: Option<Value>,
}

impl Books {
    /// Answers a question about the rows the scope allows.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn query(
        &self,
        scope: &Scope,
        query: &Query,
        question: &Question,
    ) -> Result<QueryAnswer, BooksReadError> {
        self.check().await?;
        let cells = self.cells(scope, question).await?;
        let as_of = self.as_of(question.from, question.to).await?;
        let quality = cells.last().map(|total| total.quality).unwrap_or_default();
        let count = cells.len();
        // Without a split there is one line, and it is the total.
        let skip = if question.groups.is_empty() && question.grain.is_none() {
            count.saturating_sub(1)
        } else {
            0
        };
        let rows = cells
            .into_iter()
            .enumerate()
            .skip(skip)
            .map(|(index, cell)| Row {
                period: cell.period.map(|day| day.to_string()),
                groups: if index.saturating_add(1) == count {
                    vec![None; question.groups.len()]
                } else {
                    cell.groups.into_iter().map(Some).collect()
                },
                value: cell.value,
                status: cell.quality.status(),
                coverage: cell.quality.coverage(),
            })
            .collect();
        Ok(QueryAnswer {
            query: query.clone(),
            unit: question.metric.unit().to_owned(),
            rows,
            about: About {
                currency: self.currency.clone(),
                zone: self.zone.name().to_owned(),
                as_of,
                status: quality.status(),
                coverage: quality.coverage(),
            },
        })
    }

    /// The parts, then the total.
    async fn cells(&self, scope: &Scope, question: &Question) -> Result<Vec<Cell>, BooksReadError> {
        let owners = self.owners().await?;
        let ask = Ask {
            scope,
            owners: &owners,
            from: question.from,
            to: question.to,
            groups: &question.groups,
            filters: &question.filters,
            grain: question.grain,
        };
        let of_cells = Key::ALL
            .iter()
            .any(|key| key.of_cells() && question.uses(*key));
        match question.metric {
            Metric::Cost if of_cells => {
                let lines = ask.cells(&self.pool).await?;
                Ok(cells(lines, |sum| {
                    Some(money(sum.time.saturating_add(sum.electricity)))
                }))
            }
            Metric::Cost => Ok(cells(ask.books(&self.pool).await?, |sum| {
                Some(money(sum.yuan))
            })),
            Metric::FullCost => self
                .full_cost(&ask)
                .await
                .map(|lines| cells(lines, |sum| Some(money(sum.yuan)))),
            Metric::Kwh => Ok(cells(ask.books(&self.pool).await?, |sum| {
                sum.energy_mwh.map(|mwh| number(Yuan::from_micro(mwh).0))
            })),
            Metric::DeviceHours if of_cells => {
                Ok(hours(ask.cells(&self.pool).await?, |sum| sum.ms))
            }
            Metric::DeviceHours => Ok(hours(ask.books(&self.pool).await?, |sum| sum.device_ms)),
            Metric::UsefulShare => Ok(cells(ask.cells(&self.pool).await?, |sum| {
                sum.useful_share().map(number)
            })),
            Metric::AllocatedShare => Ok(cells(ask.books(&self.pool).await?, |sum| {
                ratio(sum.held_ms, sum.device_ms).map(number)
            })),
            Metric::Tokens(kind) => Ok(cells(ask.work(&self.pool).await?, |sum| {
                sum.tokens_of(kind).map(|tokens| number(tokens.to_string()))
            })),
            Metric::TokensPerYuan(kind) => Ok(cells(ask.work(&self.pool).await?, |sum| {
                sum.tokens_per_yuan(kind).map(number)
            })),
            Metric::FullTokensPerYuan(kind) => self
                .full_tokens_per_yuan(&ask, kind)
                .await
                .map(|lines| cells(lines, |sum| per_yuan(sum.tokens, sum.cost).map(number))),
            Metric::FlopPerJoule(boundary) => Ok(cells(ask.work(&self.pool).await?, |sum| {
                sum.flop_per_joule(boundary).map(number)
            })),
            Metric::Mfu => Ok(cells(ask.work(&self.pool).await?, |sum| {
                sum.mfu().map(number)
            })),
            Metric::Pue => Ok(cells(ask.pue(&self.pool).await?, |sum| {
                ratio(sum.facility_mwh, sum.it_mwh).map(number)
            })),
        }
    }
}

fn cells<T: Sum>(lines: Vec<Line<T>>, value: impl Fn(&T) -> Option<Value>) -> Vec<Cell> {
    let total = total(&lines);
    lines
        .into_iter()
        .chain([total])
        .map(|line| Cell {
            value: if line.quality.rows == 0 {
                None
            } else {
                value(&line.sum)
            },
            period: line.period,
            groups: line.groups,
            quality: line.quality,
        })
        .collect()
}

/// Hours do not end in decimals: the parts are rounded so that they sum to the total.
fn hours<T: Sum>(lines: Vec<Line<T>>, ms: impl Fn(&T) -> i64) -> Vec<Cell> {
    let weights: Vec<u64> = lines
        .iter()
        .map(|line| u64::try_from(ms(&line.sum)).unwrap_or(0))
        .collect();
    let whole = micro_hours(
        lines
            .iter()
            .map(|line| ms(&line.sum))
            .fold(0, i64::saturating_add),
    );
    let parts = apportion_small(whole, &weights).unwrap_or_else(|| vec![0; lines.len()]);
    let mut out = cells(lines, |_| None);
    for (cell, part) in out.iter_mut().zip(parts.into_iter().chain([whole])) {
        if cell.quality.rows > 0 {
            cell.value = Some(number(Yuan::from_micro(part).0));
        }
    }
    out
}

/// Milliseconds as 1e-6 hours, half away from zero.
fn micro_hours(ms: i64) -> i64 {
    accounting::money::round_half_away(
        i128::from(ms).saturating_mul(1_000_000),
        i128::from(HOUR_MS),
    )
    .unwrap_or(i64::MAX)
}

/// Milliseconds as hours with six decimals.
#[must_use]
pub fn hours_text(ms: i64) -> String {
    Yuan::from_micro(micro_hours(ms)).0
}

fn money(micro: i64) -> Value {
    Value::Money(Yuan::from_micro(micro))
}

fn number(text: String) -> Value {
    Value::Number(text)
}

/// A ratio with six decimals, half away from zero; not available without a positive denominator.
#[must_use]
pub fn ratio(part: i64, whole: i64) -> Option<String> {
    accounting::money::round_half_away(
        i128::from(part).saturating_mul(1_000_000),
        i128::from(whole),
    )
    .map(|micro| Yuan::from_micro(micro).0)
}

/// Tokens per yuan with six decimals; the cost is in micro-yuan.
#[must_use]
pub fn per_yuan(tokens: Option<i64>, cost: i64) -> Option<String> {
    efficiency::tokens_per_yuan(tokens?, cost).map(|micro| Yuan::from_micro(micro).0)
}

impl WorkSum {
    /// Tokens of a kind, or of all four.
    #[must_use]
    pub fn tokens_of(&self, kind: Option<TokenKind>) -> Option<i64> {
        match kind {
            Some(kind) => self.tokens.get(kind.index()).copied().flatten(),
            None => self
                .tokens
                .iter()
                .flatten()
                .copied()
                .reduce(i64::saturating_add),
        }
    }

    /// Direct cost of the workloads that report the kind, or any.
    #[must_use]
    pub fn cost_of(&self, kind: Option<TokenKind>) -> i64 {
        match kind {
            Some(kind) => self.cost.get(kind.index()).copied().unwrap_or(0),
            None => self.any_cost,
        }
    }

    #[must_use]
    pub fn tokens_per_yuan(&self, kind: Option<TokenKind>) -> Option<String> {
        per_yuan(self.tokens_of(kind), self.cost_of(kind))
    }

    /// Model FLOPs over the energy of the workloads that report them.
    #[must_use]
    pub fn flop_per_joule(&self, boundary: Boundary) -> Option<String> {
        let mwh = match boundary {
            Boundary::Server => self.energy_mwh,
            Boundary::Facility => self.facility_mwh,
        }?;
        efficiency::flop_per_joule(self.model_flops?, mwh).map(|value| format!("{value:.0}"))
    }

    /// Model FLOPs over what the devices could have done in the time they were held, where their peak is known.
    #[must_use]
    pub fn mfu(&self) -> Option<String> {
        efficiency::mfu(self.peaked_flops?, self.possible_flops?).map(|value| format!("{value:.6}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(judged_ms: i64, unjudged_ms: i64) -> Option<String> {
        let sum = CellSum {
            device: 10,
            judged_ms,
            unjudged_ms,
            ..CellSum::default()
        };
        sum.useful_share()
    }

    #[test]
    fn a_share_that_no_sensor_can_see_is_unknown_not_zero() {
        assert_eq!(share(0, 60_000), None);
    }

    #[test]
    fn a_share_is_zero_where_use_would_have_been_seen() {
        let zero = Some("0.000000".to_owned());
        // sensors judged part of it; all of it was free
        assert_eq!((share(1, 60_000), share(0, 0)), (zero.clone(), zero));
    }
}
