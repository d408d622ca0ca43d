//! Which days to compute, and in what portions.

use std::collections::BTreeSet;

use accounting::facts::{Facts, MeasuredPower};
use accounting::ledger::MeasuredSums;
use accounting::time::{Month, day_of, days};
use chrono::{Days, NaiveDate};
use sqlx::PgPool;

use super::{AccountError, Request};
use crate::store::books::days as books;
use crate::store::dirty::Dirty;
use crate::store::load;

/// Device-hours whose minutes are held in memory together: about 600 MB.
const DEVICE_HOURS: i64 = 40_000;

/// The longest window, in days.
const LONGEST: i64 = 31;

/// The days asked for; without bounds those of the facts that have no books, or older ones than their facts.
pub(super) async fn wanted(
    pool: &PgPool,
    request: &Request,
    dirty: &Dirty,
    standing: &Facts,
) -> Result<BTreeSet<NaiveDate>, AccountError> {
    let zone = request.settings.zone;
    let today = day_of(zone, request.now.timestamp_millis());
    let activity = load::extent(pool).await?;
    let charged = first_charge(standing);
    let furthest = furthest(today);
    let active = activity.map(|span| {
        let last = span.end.saturating_sub(1).max(span.start);
        (day_of(zone, span.start), day_of(zone, last).min(furthest))
    });
    let extent = active.or(charged.map(|first| (first, today.max(first))));
    let Some((first, last)) = extent else {
        return Ok(BTreeSet::new());
    };
    if request.from.is_some() || request.to.is_some() {
        // Whoever names days may have those too in which something only cost; further away there is nothing to know.
        let earliest = charged.map_or(first, |charged| charged.min(first));
        let latest = after(last.max(today));
        let from = request.from.unwrap_or(first).max(earliest);
        let to = request.to.unwrap_or(after(last)).min(latest);
        return Ok(days(from, to).collect());
    }
    let (from, to) = (first, after(last));
    let zone_name = zone.name();
    let known: BTreeSet<NaiveDate> =
        books::accounted(pool, from, to, zone_name, &request.settings.currency)
            .await?
            .into_iter()
            .collect();
    Ok(days(from, to)
        .filter(|day| dirty.contains(*day) || !known.contains(day))
        .collect())
}

/// Facts may be of days to come, planned or in a zone ahead of the clock; further than a year they are a slip, and one
/// of them must not make books of decades.
fn furthest(today: NaiveDate) -> NaiveDate {
    today.checked_add_days(Days::new(366)).unwrap_or(today)
}

/// The last day that facts name, where no books are made of it.
pub(super) async fn beyond(
    pool: &PgPool,
    request: &Request,
) -> Result<Option<NaiveDate>, AccountError> {
    let zone = request.settings.zone;
    let today = day_of(zone, request.now.timestamp_millis());
    let last = load::extent(pool)
        .await?
        .map(|span| day_of(zone, span.end.saturating_sub(1).max(span.start)));
    Ok(last.filter(|last| *last > furthest(today)))
}

fn after(day: NaiveDate) -> NaiveDate {
    day.checked_add_days(Days::new(1)).unwrap_or(day)
}

/// An inventory without activity costs from its first month on.
fn first_charge(standing: &Facts) -> Option<NaiveDate> {
    let assets = standing.assets.iter().map(|asset| asset.in_service);
    let charges = standing
        .recurring
        .iter()
        .filter_map(|charge| charge.from_month.first_day());
    assets.chain(charges).min()
}

/// `[first day, first day of the next month)`.
pub(super) fn of_month(month: Month) -> (NaiveDate, NaiveDate) {
    (
        month.first_day().unwrap_or_default(),
        month.plus(1).first_day().unwrap_or_default(),
    )
}

/// Portions of days, in order, whose minutes fit into memory; `hours` is the device-hours of all of them.
pub(super) fn windows(days: &[NaiveDate], hours: i64) -> Vec<Vec<NaiveDate>> {
    let count = i64::try_from(days.len()).unwrap_or(i64::MAX).max(1);
    let each = hours.checked_div(count).unwrap_or(0).max(1);
    let length = DEVICE_HOURS
        .checked_div(each)
        .unwrap_or(1)
        .clamp(1, LONGEST);
    days.chunks(usize::try_from(length).unwrap_or(1))
        .map(<[NaiveDate]>::to_vec)
        .collect()
}

/// Measurements of several days as one line for each (site, model, held).
pub(super) fn summed(month: Month, parts: Vec<MeasuredPower>) -> Vec<MeasuredPower> {
    let mut sums = MeasuredSums::default();
    for part in parts {
        sums.add(
            &part.site,
            &part.model,
            part.held,
            part.energy_mj,
            part.time_ms,
        );
    }
    sums.of_month(month)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    #[test]
    fn windows_keep_order_and_fit_memory() {
        let first: NaiveDate = "2026-07-01".parse().unwrap();
        let all: Vec<NaiveDate> = first.iter_days().take(10).collect();
        let lengths = |hours| {
            windows(&all, hours)
                .iter()
                .map(Vec::len)
                .collect::<Vec<_>>()
        };
        assert_eq!(lengths(0), [10]);
        assert_eq!(lengths(240 * 10), [10]);
        assert_eq!(lengths(10_000 * 10), [4, 4, 2]);
        assert_eq!(lengths(240_000 * 10), [1; 10]);
        assert_eq!(windows(&all, 100_000).concat(), all);
        assert_eq!(windows(&[], 5), Vec::<Vec<NaiveDate>>::new());
    }
}
