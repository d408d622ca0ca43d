//! Accounting: which days, the facts around them, the engine on every core, each day written in one transaction.
//!
//! Months go in order, because rule E3 estimates a month by what was measured in the month before. A day that was
//! written stays whatever happens to the rest of the run, and the next run goes on with the others.

mod days;
mod window;

use std::collections::BTreeSet;
use std::sync::Arc;

use accounting::books::Doubt;
use accounting::facts::{Facts, MeasuredPower};
use accounting::ledger::Settings;
use accounting::money::Micro;
use accounting::time::{Month, day_span};
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgPool;
use thiserror::Error;

use crate::language::Bilingual;
use crate::store::books::sheet::CellCodes;
use crate::store::books::{BooksError, Writer, days as books, partitions};
use crate::store::{StoreError, dirty, load};

/// What to compute.
#[derive(Clone, Debug)]
pub struct Request {
    /// Without bounds: the days whose facts are newer than their books, and those that have none.
    pub from: Option<NaiveDate>,
    /// Exclusive.
    pub to: Option<NaiveDate>,
    pub settings: Settings,
    pub now: DateTime<Utc>,
}

/// What was computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accounted {
    pub first: Option<NaiveDate>,
    pub last: Option<NaiveDate>,
    pub days: usize,
    pub rows: u64,
    pub total: Micro,
    /// The last day that facts name, where it is too far in the future to be accounted.
    pub beyond: Option<NaiveDate>,
    /// What the audit found, day by day.
    pub differences: Vec<(NaiveDate, String)>,
}

/// Why accounting stopped.
#[derive(Debug, Error)]
pub enum AccountError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Books(#[from] BooksError),
    #[error("the database cannot be read: {0}")]
    Database(#[from] sqlx::Error),
    #[error("another run is accounting on this database; wait for it, what it writes is the same")]
    Busy,
    #[error("the computation was broken off")]
    BrokenOff,
}

impl Bilingual for AccountError {
    fn chinese(&self) -> String {
        match self {
            Self::Store(error) => error.chinese(),
            Self::Books(error) => error.chinese(),
            Self::Database(error) => format!("数据库无法读取：{error}"),
            Self::Busy => "这个数据库上已有记账在进行；请等它完成，它写入的结果相同".to_owned(),
            Self::BrokenOff => "计算被中断".to_owned(),
        }
    }
}

/// Hears how many of the days are done.
pub type Tell<'t> = &'t mut (dyn FnMut(usize, usize) + Send);

/// How many days have no books yet, or older ones than their facts.
///
/// # Errors
/// The database fails.
pub async fn waiting(pool: &PgPool, request: &Request) -> Result<usize, AccountError> {
    let marked = dirty::pending(pool).await?;
    let standing = load::standing(pool).await?;
    let days = days::wanted(pool, request, &marked, &standing).await?;
    Ok(days.len())
}

/// Computes and writes the books.
///
/// # Errors
/// The database fails, or another run is at it; whole days that were written stay.
pub async fn account(
    pool: &PgPool,
    request: &Request,
    tell: Tell<'_>,
) -> Result<Accounted, AccountError> {
    let exclusive = books::Exclusive::take(pool)
        .await?
        .ok_or(AccountError::Busy)?;
    let done = compute(pool, request, tell).await;
    let released = exclusive.release().await;
    // Where both failed, what stopped the computation is the cause.
    let done = done?;
    released?;
    Ok(done)
}

async fn compute(
    pool: &PgPool,
    request: &Request,
    tell: Tell<'_>,
) -> Result<Accounted, AccountError> {
    let zone = request.settings.zone;
    let writer = Writer {
        pool: pool.clone(),
        zone,
        currency: request.settings.currency.to_string(),
        at: request.now,
    };
    for day in books::foreign(pool, zone.name(), &writer.currency).await? {
        writer.remove(day).await?;
    }
    let marked = dirty::pending(pool).await?;
    let standing = Arc::new(load::standing(pool).await?);
    let mut todo = days::wanted(pool, request, &marked, &standing).await?;
    let mut run = Run {
        pool,
        writer,
        settings: &request.settings,
        standing,
        upto: marked.upto,
        codes: Arc::new(CellCodes::read(pool).await?),
        done: Accounted {
            beyond: days::beyond(pool, request).await?,
            ..Accounted::default()
        },
        doubts: Vec::new(),
    };
    let months: BTreeSet<Month> = todo.iter().map(|day| Month::of(*day)).collect();
    partitions(pool, months).await?;
    while let Some(first) = todo.first().copied() {
        let month = Month::of(first);
        let mine: Vec<NaiveDate> = todo
            .iter()
            .copied()
            .filter(|day| Month::of(*day) == month)
            .collect();
        let before = run.measured(month).await?;
        let total = run.done.days.saturating_add(todo.len());
        run.month(month, &mine, &mut |done| tell(done, total))
            .await?;
        todo.retain(|day| Month::of(*day) != month);
        // Next month's estimates rest on this month's measurements.
        if run.measured(month).await? != before {
            let zone = run.settings.zone.name();
            let (from, to) = days::of_month(month.plus(1));
            let stale = books::accounted(pool, from, to, zone, &run.writer.currency).await?;
            todo.extend(stale);
        }
    }
    run.finish().await
}

struct Run<'r> {
    pool: &'r PgPool,
    writer: Writer,
    settings: &'r Settings,
    standing: Arc<Facts>,
    upto: i64,
    codes: Arc<CellCodes>,
    done: Accounted,
    doubts: Vec<Doubt>,
}

impl Run<'_> {
    /// Measured power of a month as its books left it.
    async fn measured(&self, month: Month) -> Result<Vec<MeasuredPower>, AccountError> {
        let (from, to) = days::of_month(month);
        let days: Vec<NaiveDate> = accounting::time::days(from, to).collect();
        Ok(books::measured_power(self.pool, month, &days).await?)
    }

    /// Measured power of the month before, computed where its days have no books.
    async fn measured_before(&self, month: Month) -> Result<Vec<MeasuredPower>, AccountError> {
        let before = month.plus(-1);
        let (from, to) = days::of_month(before);
        let known = books::accounted(
            self.pool,
            from,
            to,
            self.settings.zone.name(),
            &self.writer.currency,
        )
        .await?;
        let open: Vec<NaiveDate> = accounting::time::days(from, to)
            .filter(|day| !known.contains(day))
            .collect();
        let mut sums = books::measured_power(self.pool, before, &known).await?;
        for window in self.windows(&open).await? {
            let facts = self.facts(&window, Vec::new()).await?;
            if !facts.minutes.is_empty() {
                sums.extend(window::measured(facts, self.settings.clone(), window).await?);
            }
        }
        Ok(days::summed(before, sums))
    }

    async fn month(
        &mut self,
        month: Month,
        days: &[NaiveDate],
        tell: &mut (dyn FnMut(usize) + Send),
    ) -> Result<(), AccountError> {
        let measured = self.measured_before(month).await?;
        for window in self.windows(days).await? {
            let facts = Arc::new(self.facts(&window, measured.clone()).await?);
            self.window(facts, window, tell).await?;
        }
        Ok(())
    }

    /// Days in runs whose facts fit into memory together.
    async fn windows(&self, days: &[NaiveDate]) -> Result<Vec<Vec<NaiveDate>>, AccountError> {
        let (Some(first), Some(last)) = (days.first(), days.last()) else {
            return Ok(Vec::new());
        };
        let zone = self.settings.zone;
        let span =
            accounting::time::Span::new(day_span(zone, *first).start, day_span(zone, *last).end);
        let hours = books::device_hours(self.pool, span).await?;
        Ok(days::windows(days, hours))
    }

    async fn facts(
        &self,
        days: &[NaiveDate],
        measured: Vec<MeasuredPower>,
    ) -> Result<Facts, AccountError> {
        let mut facts = Facts::clone(&self.standing);
        facts.measured_power = measured;
        if let (Some(first), Some(last)) = (days.first(), days.last()) {
            let zone = self.settings.zone;
            let span = accounting::time::Span::new(
                day_span(zone, *first).start,
                day_span(zone, *last).end,
            );
            load::activity(self.pool, &mut facts, span.widened(window::MARGIN)).await?;
        }
        Ok(facts)
    }

    async fn window(
        &mut self,
        facts: Arc<Facts>,
        days: Vec<NaiveDate>,
        tell: &mut (dyn FnMut(usize) + Send),
    ) -> Result<(), AccountError> {
        let mut reporting: Vec<String> = facts
            .work
            .iter()
            .map(|row| row.workload.to_string())
            .collect();
        reporting.dedup();
        self.writer.reporting(&reporting).await?;
        let (computing, mut sheets) =
            window::compute(facts, self.settings.clone(), Arc::clone(&self.codes), days);
        while let Some(sheet) = sheets.recv().await {
            let (sheet, differences) = sheet?;
            let day = sheet.day;
            self.done.first = Some(self.done.first.map_or(day, |first| first.min(day)));
            self.done.last = Some(self.done.last.map_or(day, |last| last.max(day)));
            self.done.days = self.done.days.saturating_add(1);
            self.done.rows = self.done.rows.saturating_add(sheet.rows);
            self.done.total = self.done.total.saturating_add(sheet.total);
            self.writer.write(sheet, &differences, self.upto).await?;
            self.done
                .differences
                .extend(differences.into_iter().map(|difference| (day, difference)));
            tell(self.done.days);
        }
        let found = computing.await.map_err(|_| AccountError::BrokenOff)?;
        for doubt in found {
            if !self.doubts.contains(&doubt) {
                self.doubts.push(doubt);
            }
        }
        Ok(())
    }

    async fn finish(self) -> Result<Accounted, AccountError> {
        if self.done.days > 0 {
            self.writer.standing_doubts(&self.doubts).await?;
            self.writer.analyze().await?;
        }
        Ok(self.done)
    }
}
