//! The first page in one answer: what was spent, on what, by whom, against what was spent before.
//!
//! Every figure is a sum of the same books, so that categories and projects both sum to the cost shown. What has no data
//! is `None` or empty, and the page leaves it out.

use std::collections::BTreeMap;

use accounting::category::Category;
use accounting::efficiency::TokenKind;
use accounting::time::Month;
use api::Yuan;
use api::overview::{
    CategoryCost, DataHealth, DoubtCount, Energy, Figure, ModeShare, Money, Overview, TokensPerYuan,
};
use api::query::{About, Grain};
use chrono::{Datelike as _, NaiveDate};
use sqlx::Row as _;

use super::answer::{hours_text, per_yuan, ratio, total};
pub use super::compare::Compare;
use super::compare::Days;
use super::course::{self, Course};
use super::question::{Boundary, Key};
use super::sums::{Ask, BookSum, CellSum, Line, PueSum, WorkSum};
use super::waste::WasteQuestion;
use super::{Books, BooksReadError};
use crate::store::scope::Scope;

/// What the page asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverviewQuestion {
    pub from: NaiveDate,
    /// Exclusive.
    pub to: NaiveDate,
    pub compare: Compare,
    pub grain: Grain,
    pub filters: Vec<(Key, Vec<String>)>,
}

/// The sums of one range.
struct Sums {
    /// By project and pool, by period.
    books: Vec<Line<BookSum>>,
    /// By category and mode.
    cells: Vec<Line<CellSum>>,
    cells_by_period: Vec<Line<CellSum>>,
    work: Vec<Line<WorkSum>>,
    pue: Vec<Line<PueSum>>,
}

const BY_PAYER: [Key; 2] = [Key::Project, Key::Pool];
const BY_CATEGORY: [Key; 2] = [Key::Category, Key::Mode];

impl Books {
    /// The overview of what the scope allows.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn overview(
        &self,
        scope: &Scope,
        question: &OverviewQuestion,
    ) -> Result<Overview, BooksReadError> {
        let owners = self.checked_owners().await?;
        let ask = Ask {
            scope,
            owners: &owners,
            from: question.from,
            to: question.to,
            groups: &[],
            filters: &question.filters,
            grain: Some(question.grain),
        };
        let now = self.sums(&ask).await?;
        let comparison = self
            .comparison(question.compare, question.from, question.to)
            .await?;
        let before = match comparison.usable() {
            Some(Days { from, to }) => Some(self.sums(&Ask { from, to, ..ask }).await?),
            None => None,
        };
        let waste = WasteQuestion {
            from: question.from,
            to: question.to,
            filters: question.filters.clone(),
        };
        let largest_wastes = self
            .waste(scope, &waste)
            .await?
            .entries
            .into_iter()
            .take(5)
            .collect();
        let course = Course::new(question.from, question.to, question.grain, &now.books);
        let whole = total(&now.books);
        let compare = before
            .as_ref()
            .map(|sums| Yuan::from_micro(total(&sums.books).sum.yuan));
        let past_work = before.as_ref().map(|sums| sums.work.as_slice());
        let extent = self.extent().await?;
        Ok(Overview {
            from: question.from.to_string(),
            to: question.to.to_string(),
            covered_from: comparison.covered.map(|days| days.from.to_string()),
            covered_to: comparison.covered.map(|days| days.to.to_string()),
            compare_from: comparison.against.map(|days| days.from.to_string()),
            compare_to: comparison.against.map(|days| days.to.to_string()),
            not_compared: comparison.missing,
            cost: Money {
                value: Yuan::from_micro(whole.sum.yuan),
                compare,
                trend: course.trend(
                    |line: &BookSum| Some(Yuan::from_micro(line.yuan)),
                    &now.books,
                ),
                estimated: Yuan::from_micro(whole.quality.estimated),
            },
            tokens_per_yuan: self
                .tokens(&ask, question, &now, before.as_ref(), &course)
                .await?,
            flop_per_joule: figure(&course, &now.work, past_work, |sum| {
                sum.flop_per_joule(Boundary::Server)
            }),
            mfu: figure(&course, &now.work, past_work, WorkSum::mfu),
            useful_share: figure(
                &course,
                &now.cells_by_period,
                before.as_ref().map(|b| b.cells_by_period.as_slice()),
                CellSum::useful_share,
            ),
            allocated_share: figure(
                &course,
                &now.books,
                before.as_ref().map(|b| b.books.as_slice()),
                |sum| ratio(sum.held_ms, sum.device_ms),
            ),
            pue: figure(
                &course,
                &now.pue,
                before.as_ref().map(|b| b.pue.as_slice()),
                |sum| ratio(sum.facility_mwh, sum.it_mwh),
            ),
            energy: energy(&now),
            data_health: self.data_health(scope, question, &now).await?,
            categories: categories(&now.cells, before.as_ref().map(|b| b.cells.as_slice())),
            largest_wastes,
            cost_over_time: course.over_time(&now.books, &owners),
            movers: before
                .as_ref()
                .map(|b| course::movers(&now.books, &b.books, &owners))
                .unwrap_or_default(),
            books_from: extent.map(|(first, _)| first.to_string()),
            books_to: extent.map(|(_, last)| last.to_string()),
            about: About {
                currency: self.currency.clone(),
                zone: self.zone.name().to_owned(),
                as_of: self.as_of(question.from, question.to).await?,
                status: whole.quality.status(),
                coverage: whole.quality.coverage(),
            },
        })
    }

    async fn sums(&self, ask: &Ask<'_>) -> Result<Sums, BooksReadError> {
        let pool = &self.pool;
        Ok(Sums {
            books: Ask {
                groups: &BY_PAYER,
                ..*ask
            }
            .books(pool)
            .await?,
            cells: Ask {
                groups: &BY_CATEGORY,
                grain: None,
                ..*ask
            }
            .cells(pool)
            .await?,
            cells_by_period: ask.cells(pool).await?,
            work: ask.work(pool).await?,
            pue: if ask.filters.iter().all(|(key, _)| *key == Key::Site) {
                ask.pue(pool).await?
            } else {
                Vec::new()
            },
        })
    }

    /// Training's and serving's tokens per yuan, each with its share of cost; full where the range is whole months.
    async fn tokens(
        &self,
        ask: &Ask<'_>,
        question: &OverviewQuestion,
        now: &Sums,
        before: Option<&Sums>,
        course: &Course,
    ) -> Result<Vec<TokensPerYuan>, BooksReadError> {
        let whole = total(&now.work).sum;
        let mut found = Vec::new();
        for (kind, name) in [
            (TokenKind::Trained, "trained"),
            (TokenKind::Generated, "generated"),
        ] {
            let value = |sum: &WorkSum| sum.tokens_per_yuan(Some(kind));
            let Some(direct) = figure(course, &now.work, before.map(|b| b.work.as_slice()), value)
            else {
                continue;
            };
            let full = if whole_months(question) {
                let lines = self
                    .full_tokens_per_yuan(
                        &Ask {
                            grain: None,
                            ..*ask
                        },
                        Some(kind),
                    )
                    .await?;
                let sum = total(&lines).sum;
                per_yuan(sum.tokens, sum.cost)
            } else {
                None
            };
            found.push(TokensPerYuan {
                kind: name.to_owned(),
                direct,
                full,
                cost_share: ratio(whole.cost_of(Some(kind)), whole.any_cost).unwrap_or_default(),
            });
        }
        Ok(found)
    }

    async fn data_health(
        &self,
        scope: &Scope,
        question: &OverviewQuestion,
        now: &Sums,
    ) -> Result<DataHealth, BooksReadError> {
        let unattributed = now
            .books
            .iter()
            .filter(|line| line.groups.first().is_some_and(|p| p == "unattributed"));
        let unattributed = unattributed.fold(0, |sum: i64, line| sum.saturating_add(line.sum.yuan));
        let mut unknown = 0i64;
        let mut modes: BTreeMap<&str, i64> = BTreeMap::new();
        for line in &now.cells {
            let [category, mode] = line.groups.as_slice() else {
                continue;
            };
            let yuan = line.sum.time.saturating_add(line.sum.electricity);
            if category == "unknown_alloc" || category == "unknown_activity" {
                unknown = unknown.saturating_add(yuan);
            }
            if !mode.is_empty() {
                let sum = modes.entry(mode).or_default();
                *sum = sum.saturating_add(yuan);
            }
        }
        let (doubts, audited) = if *scope == Scope::Company {
            (
                self.doubts(question.from, question.to).await?,
                self.audited(question.from, question.to).await?,
            )
        } else {
            (Vec::new(), None)
        };
        Ok(DataHealth {
            unpriced_device_hours: hours_text(total(&now.books).sum.unpriced_ms),
            unattributed: Yuan::from_micro(unattributed),
            unknown: Yuan::from_micro(unknown),
            cost_by_mode: modes
                .into_iter()
                .map(|(mode, yuan)| ModeShare {
                    mode: mode.to_owned(),
                    yuan: Yuan::from_micro(yuan),
                })
                .collect(),
            doubts,
            audited,
            days_waiting: self.days_waiting(question.from, question.to).await?,
        })
    }

    /// Doubts of the range and of the facts as such, by kind, those with most yuan first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn doubts(
        &self,
        from: NaiveDate,
        to: NaiveDate,
    ) -> Result<Vec<DoubtCount>, sqlx::Error> {
        let rows = sqlx::query(
            "SELECT kind, count(DISTINCT (subject, detail)), sum(amount)::bigint FROM doubts
             WHERE day IS NULL OR (day >= $1 AND day < $2)
             GROUP BY kind ORDER BY sum(amount) DESC NULLS LAST, kind",
        )
        .bind(from)
        .bind(to)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(DoubtCount {
                    kind: row.try_get(0)?,
                    count: row.try_get(1)?,
                    yuan: row.try_get::<Option<i64>, _>(2)?.map(Yuan::from_micro),
                })
            })
            .collect()
    }

    /// Days of the range with books that are older than their facts.
    async fn days_waiting(&self, from: NaiveDate, to: NaiveDate) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar(
            "SELECT count(*) FROM accounted_days a WHERE day >= $1 AND day < $2
             AND EXISTS (SELECT FROM dirty_days d WHERE d.days @> a.day)",
        )
        .bind(from)
        .bind(to)
        .fetch_one(&self.pool)
        .await
    }

    /// Whether the audits of the range found nothing; `None` where a day was not audited, or there is none.
    async fn audited(&self, from: NaiveDate, to: NaiveDate) -> Result<Option<bool>, sqlx::Error> {
        sqlx::query_scalar(
            "SELECT CASE WHEN count(*) = 0 OR bool_or(differences IS NULL) THEN NULL ELSE sum(differences) = 0 END
             FROM accounted_days WHERE day >= $1 AND day < $2",
        )
        .bind(from)
        .bind(to)
        .fetch_one(&self.pool)
        .await
    }
}

/// A ratio of the range, its comparison and its course; `None` where the range has none.
fn figure<T: super::answer::Sum>(
    course: &Course,
    now: &[Line<T>],
    before: Option<&[Line<T>]>,
    value: impl Fn(&T) -> Option<String>,
) -> Option<Figure> {
    let whole = total(now);
    Some(Figure {
        value: value(&whole.sum)?,
        compare: before.and_then(|lines| value(&total(lines).sum)),
        trend: course.trend(&value, now),
        status: whole.quality.status()?,
    })
}

/// The books' energy and what it cost; `None` where they know no energy.
fn energy(now: &Sums) -> Option<Energy> {
    let books = total(&now.books).sum;
    let electricity = total(&now.cells).sum.electricity;
    // No yuan where something is unpriced are unknown yuan; otherwise they are paid for in the rent.
    let priced = electricity != 0 || books.unpriced_ms == 0;
    Some(Energy {
        // Milli-watt-hours are millionths of a kWh.
        kwh: Yuan::from_micro(books.energy_mwh?).0,
        yuan: priced.then(|| Yuan::from_micro(electricity)),
    })
}

/// Every category that has yuan, in ladder order.
fn categories(now: &[Line<CellSum>], before: Option<&[Line<CellSum>]>) -> Vec<CategoryCost> {
    let sums = |lines: &[Line<CellSum>]| {
        let mut sums: BTreeMap<Category, (i64, i64)> = BTreeMap::new();
        for line in lines {
            let Some(category) = line.groups.first().and_then(|name| Category::parse(name)) else {
                continue;
            };
            let (time, electricity) = sums.entry(category).or_default();
            *time = time.saturating_add(line.sum.time);
            *electricity = electricity.saturating_add(line.sum.electricity);
        }
        sums
    };
    let old = before.map(sums);
    let cost = |(category, (time, electricity)): (Category, (i64, i64))| {
        let compare = old
            .as_ref()
            .map(|old| old.get(&category).copied().unwrap_or_default());
        CategoryCost {
            category: category.name().to_owned(),
            group: category.group().to_owned(),
            time: Yuan::from_micro(time),
            electricity: Yuan::from_micro(electricity),
            total: Yuan::from_micro(time.saturating_add(electricity)),
            compare: compare
                .map(|(time, electricity)| Yuan::from_micro(time.saturating_add(electricity))),
        }
    };
    sums(now)
        .into_iter()
        .filter(|(_, (time, electricity))| *time != 0 || *electricity != 0)
        .map(cost)
        .collect()
}

/// Full cost is allocated month by month.
fn whole_months(question: &OverviewQuestion) -> bool {
    question.from.day() == 1 && question.to.day() == 1
}

/// First days of the periods of a range, the first clipped to it.
#[must_use]
pub fn periods(from: NaiveDate, to: NaiveDate, grain: Grain) -> Vec<NaiveDate> {
    let next = |day: NaiveDate| match grain {
        Grain::Day => day.succ_opt(),
        Grain::Week => {
            let monday = day.week(chrono::Weekday::Mon).first_day();
            monday.checked_add_days(chrono::Days::new(7))
        }
        Grain::Month => Month::of(day).plus(1).first_day(),
    };
    std::iter::successors(Some(from), |day| next(*day))
        .take_while(|day| *day < to)
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    #[test]
    fn periods_are_clipped_to_the_range() {
        let list = |from: &str, to: &str, grain| {
            periods(from.parse().unwrap(), to.parse().unwrap(), grain)
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            list("2026-07-30", "2026-08-02", Grain::Day),
            ["2026-07-30", "2026-07-31", "2026-08-01"]
        );
        assert_eq!(
            list("2026-07-30", "2026-09-02", Grain::Month),
            ["2026-07-30", "2026-08-01", "2026-09-01"]
        );
        assert_eq!(
            list("2026-07-30", "2026-08-11", Grain::Week),
            ["2026-07-30", "2026-08-03", "2026-08-10"]
        );
    }
}
