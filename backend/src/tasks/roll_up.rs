//! Samples into device-hours: the minutes of every device whose samples changed are laid again, and only those.
//!
//! The same samples give the same rows however often and in whatever pieces this runs; what was not finished is still
//! marked and is finished by the next run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use accounting::facts::{FaultClass, Sample};
use accounting::ids::Id;
use accounting::minutes::{LostDevice, MinuteHour, lay};
use accounting::time::{HOUR_MS, Ms, Span};
use sqlx::postgres::{PgConnection, PgPool};

use crate::facts::power;
use crate::store::dirty::{self, DirtyHours};
use crate::store::{StoreError, load, samples};

/// Samples of a device are read so much of at a time, which bounds memory.
const PIECE_MS: i64 = 31 * 24 * HOUR_MS;

/// What was laid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolledUp {
    pub devices: usize,
    pub device_hours: usize,
    /// Those among the devices that no fact describes: their minutes are kept, and cost nothing until one does.
    pub unknown: Vec<String>,
}

/// What laying needs to know beside the samples.
struct Laying {
    limits: BTreeMap<Id, i64>,
    faults: BTreeMap<Id, FaultClass>,
}

/// Lays what is marked; `tell` hears how many devices are done, of how many.
///
/// # Errors
/// When the database fails; what was laid before stays.
pub async fn roll_up(
    db: &PgPool,
    tell: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<RolledUp, StoreError> {
    let (upto, marked) = dirty::pending_hours(db).await?;
    let mut rolled = RolledUp::default();
    if marked.is_empty() {
        return Ok(rolled);
    }
    let standing = load::standing(db).await?;
    let laying = Arc::new(Laying {
        limits: power::limits(&standing),
        faults: standing.fault_classes.iter().cloned().collect(),
    });
    let known: BTreeSet<&str> = standing.devices.iter().map(|d| &*d.device).collect();
    for device in &marked {
        if !known.contains(device.device.as_str()) {
            rolled.unknown.push(device.device.clone());
        }
        rolled.device_hours += lay_device(db, &laying, device, upto).await?;
        rolled.devices += 1;
        tell(rolled.devices, marked.len());
    }
    Ok(rolled)
}

async fn lay_device(
    db: &PgPool,
    laying: &Arc<Laying>,
    marked: &DirtyHours,
    upto: i64,
) -> Result<usize, StoreError> {
    let device = marked.device.as_str();
    let mut spans = Vec::new();
    for span in &marked.spans {
        spans.push(whole_hours(samples::reach(db, device, *span).await?));
    }
    let mut laid = 0;
    let mut pieces: Vec<Span> = Vec::new();
    for span in merged(spans) {
        pieces.extend(span.pieces(span.start, PIECE_MS));
    }
    for (index, piece) in pieces.iter().enumerate() {
        let mut transaction = db.begin().await?;
        samples::lock_hours(&mut transaction).await?;
        let mut samples = samples::of_device(&mut transaction, device, *piece).await?;
        limit_power(&mut samples, laying.limits.get(device).copied());
        let (samples, hours) = lay_piece(laying, samples, *piece).await?;
        let was_lost = is_lost(&mut transaction, device, piece.end).await?;
        samples::replace_hours(&mut transaction, device, *piece, &samples, &hours).await?;
        dirty::mark_span(&mut transaction, *piece).await?;
        if was_lost != is_lost(&mut transaction, device, piece.end).await? {
            // What a device is at the end of its samples holds until the next that tell.
            let until = samples::next_sign(&mut transaction, device, piece.end).await?;
            dirty::mark_from(&mut transaction, piece.end, until).await?;
        }
        if index + 1 == pieces.len() {
            dirty::settle_hours(&mut transaction, upto, device).await?;
        }
        transaction.commit().await?;
        laid += hours.len();
    }
    Ok(laid)
}

async fn is_lost(
    db: &mut PgConnection,
    device: &str,
    before: Ms,
) -> Result<Option<LostDevice>, sqlx::Error> {
    Ok(samples::lost_before(db, before, Some(device)).await?.pop())
}

async fn lay_piece(
    laying: &Arc<Laying>,
    samples: Vec<Sample>,
    piece: Span,
) -> Result<(Vec<Sample>, Vec<MinuteHour>), StoreError> {
    let laying = Arc::clone(laying);
    tokio::task::spawn_blocking(move || {
        let class = |code: &str| laying.faults.get(code).copied();
        let hours = lay(&samples, &class, piece);
        (samples, hours)
    })
    .await
    .map_err(|error| StoreError::Unreadable(format!("samples: {error}")))
}

/// Takes away power no device of this kind draws.
fn limit_power(samples: &mut [Sample], limit: Option<i64>) {
    let limit = limit.unwrap_or(power::UNKNOWN_UW);
    for sample in samples {
        sample.power_uw = sample.power_uw.filter(|power| *power <= limit);
    }
}

fn whole_hours(span: Span) -> Span {
    Span {
        start: span.start.div_euclid(HOUR_MS) * HOUR_MS,
        end: (span.end + HOUR_MS - 1).div_euclid(HOUR_MS) * HOUR_MS,
    }
}

/// Spans in order, those that meet made one.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_meet_become_one() {
        let span = Span::new;
        assert_eq!(
            merged(vec![span(10, 20), span(0, 5), span(20, 30), span(2, 6)]),
            [span(0, 6), span(10, 30)]
        );
        assert_eq!(
            whole_hours(span(-1, HOUR_MS + 1)),
            span(-HOUR_MS, 2 * HOUR_MS)
        );
    }

    #[test]
    fn power_above_the_limit_is_not_used() {
        let sample = |power| Sample {
            power_uw: Some(power),
            ..Sample::default()
        };
        let mut samples = [sample(1_400_000_000), sample(1_400_000_001)];
        limit_power(&mut samples, Some(1_400_000_000));
        assert_eq!(samples.map(|s| s.power_uw.is_some()), [true, false]);
    }
}
