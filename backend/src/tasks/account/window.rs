//! One window of days through the engine, on every core, beside the writer.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use accounting::audit::Auditor;
use accounting::books::Doubt;
use accounting::facts::{Facts, MeasuredPower};
use accounting::ledger::{Engine, Settings};
use accounting::time::{HOUR_MS, Ms};
use chrono::NaiveDate;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::{JoinHandle, spawn_blocking};

use super::AccountError;
use crate::store::books::BooksError;
use crate::store::books::catalog::Catalog;
use crate::store::books::sheet::{CellCodes, Sheet};

/// Minutes decide up to an hour beyond a day (held-idle runs); one more for the hour they are stored under.
pub(super) const MARGIN: Ms = 2 * HOUR_MS;

/// A day ready to be written, and what its audit found.
pub(super) type Computed = Result<(Sheet, Vec<String>), BooksError>;

/// Starts computing; days come in the order in which they are ready. Ends early when the receiver is dropped.
pub(super) fn compute(
    facts: Arc<Facts>,
    settings: Settings,
    codes: Arc<CellCodes>,
    days: Vec<NaiveDate>,
) -> (JoinHandle<Vec<Doubt>>, Receiver<Computed>) {
    let (sender, receiver) = channel(2);
    let computing = spawn_blocking(move || {
        let engine = Engine::new(&facts, settings.clone());
        let auditor = Auditor::new(&facts, settings.clone());
        let catalog = Catalog::new(&facts, settings.zone);
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(day) = days.get(next.fetch_add(1, Ordering::Relaxed)) {
                if !one(&engine, &auditor, &catalog, &codes, *day, &sender) {
                    break;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..cores().min(days.len()) {
                scope.spawn(work);
            }
            work();
        });
        engine.doubts().to_vec()
    });
    (computing, receiver)
}

/// Computes a day; false when nobody wants it any longer.
fn one(
    engine: &Engine<'_>,
    auditor: &Auditor<'_>,
    catalog: &Catalog<'_>,
    codes: &CellCodes,
    day: NaiveDate,
    sender: &Sender<Computed>,
) -> bool {
    let books = engine.day(day);
    let differences = auditor
        .day(&books)
        .iter()
        .map(ToString::to_string)
        .collect();
    let measured = engine.measured_power(day);
    let sheet = Sheet::new(&books, &measured, catalog, codes).map(|sheet| (sheet, differences));
    sender.blocking_send(sheet).is_ok()
}

/// Measured power of days that have no books.
pub(super) async fn measured(
    facts: Facts,
    settings: Settings,
    days: Vec<NaiveDate>,
) -> Result<Vec<MeasuredPower>, AccountError> {
    let work = move || {
        let engine = Engine::new(&facts, settings);
        days.iter()
            .flat_map(|day| engine.measured_power(*day))
            .collect()
    };
    spawn_blocking(work)
        .await
        .map_err(|_| AccountError::BrokenOff)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}
