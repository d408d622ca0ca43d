//! One file's transaction: COPY while the file is read, what the staged rows say together, the write, the entry.

use accounting::time::{Span, Zone};
use api::Reason;
use sqlx::postgres::{PgConnection, PgPool};
use tokio::sync::mpsc;

use super::coverage::{self, Covered};
use super::fault::FileFault;
use super::files::kind;
use super::import::Job;
use super::inspect::Inspected;
use super::kind::Kind;
use super::parse::{Parsed, Stopped};
use super::power;
use super::tally::Tally;
use super::tariff_clash::clashes;
use crate::store::bulk::{Batch, Counts, Stage, Target};
use crate::store::imports::{self, Dropped, Entry, Rejected, Said};
use crate::store::{StoreError, load, samples, staged};

/// Batches that may wait for the database.
const WAITING: usize = 4;

pub enum StageError {
    Store(StoreError),
    BrokenOff,
}

impl<E: Into<StoreError>> From<E> for StageError {
    fn from(error: E) -> Self {
        Self::Store(error.into())
    }
}

/// Is the database's disk full?
#[must_use]
pub fn is_full(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| code == "53100")
}

/// The file's entry and tally, or its entry and why it is refused.
type Staged = Result<(Entry, Tally), (Entry, FileFault)>;

/// The files of one kind in a folder, where there are several.
#[derive(Debug)]
pub struct Together {
    earlier: Vec<i64>,
    /// How many are still to be read, the one at hand included.
    left: usize,
}

impl Together {
    #[must_use]
    pub fn of(files: usize) -> Self {
        Self {
            earlier: Vec::new(),
            left: files,
        }
    }

    /// One file is read, or refused.
    pub fn next(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    fn batch(&self) -> Batch<'_> {
        Batch {
            earlier: &self.earlier,
            is_last: self.left <= 1,
        }
    }

    fn done(&mut self, import: i64) {
        self.earlier.push(import);
    }
}

/// Reads a file into its table. `batch` are the files of the same kind and folder, where there are several. In a trial everything is rolled back.
///
/// # Errors
/// When the database fails; nothing is then kept.
pub async fn stage(
    db: &PgPool,
    kind: &'static Kind,
    mut entry: Entry,
    job: Job,
    inspected: Inspected,
    batch: Option<&mut Together>,
    is_trial: bool,
) -> Result<Staged, StageError> {
    let zone = job.zones.ledger;
    let limits = match kind.name {
        "samples" => power::limits(&load::standing(db).await?)
            .into_iter()
            .collect(),
        _ => Vec::new(),
    };
    let mut transaction = db.begin().await?;
    let import = imports::begin(&mut transaction).await?;
    let mut stage = Stage::new(&mut transaction, target(kind)).await?;
    let mut tally = match copy(&mut stage, job, inspected).await? {
        Ok(Parsed::Rows(tally)) => tally,
        Ok(Parsed::Unread(_)) => return Err(StageError::BrokenOff),
        Err(fault) => return Ok(Err((entry, fault))),
    };
    let collapsed = single_out(&mut stage, &mut tally).await?;
    if kind.name == "tariffs" {
        refuse_clashing_tariffs(stage.connection(), &mut tally).await?;
    }
    entry.dropped = dropped(&tally);
    if kind.name == "samples" {
        samples::partitions_for_stage(stage.connection()).await?;
        let above =
            samples::staged_above_power(stage.connection(), &limits, power::UNKNOWN_UW).await?;
        if above > 0 {
            entry.dropped.push(Dropped {
                column: "power_w".to_owned(),
                reason: Reason::AbovePower,
                values: above,
            });
        }
    }
    if let Some(amount) = kind.amount {
        entry.amounts = stage.amounts(amount).await?;
    }
    let counts = stage
        .write(import, batch.as_deref().map(Together::batch), zone.name())
        .await?;
    tell(&mut entry, &mut tally, &counts, collapsed);
    if is_trial {
        transaction.rollback().await?;
    } else {
        imports::enter(&mut transaction, import, &entry).await?;
        transaction.commit().await?;
        if let Some(batch) = batch {
            batch.done(import);
        }
    }
    Ok(Ok((entry, tally)))
}

fn target(kind: &'static Kind) -> Target {
    Target {
        table: kind.name,
        columns: kind
            .columns
            .iter()
            .map(|column| (column.stored, !column.required))
            .collect(),
        identity: kind.identity,
        touches: kind.touches,
    }
}

/// Reads the file on a thread of its own and copies what comes.
async fn copy(
    stage: &mut Stage<'_>,
    job: Job,
    inspected: Inspected,
) -> Result<Result<Parsed, FileFault>, StageError> {
    let (sender, mut receiver) = mpsc::channel::<Vec<u8>>(WAITING);
    let reading = tokio::task::spawn_blocking(move || {
        job.parse(&inspected, |batch| {
            sender.blocking_send(batch).map_err(|_| Stopped)
        })
    });
    let mut copy = stage.copy().await?;
    while let Some(batch) = receiver.recv().await {
        // Returning drops the receiver, which ends the reading.
        copy.send(batch).await?;
    }
    let parsed = reading.await.map_err(|_| StageError::BrokenOff)?;
    match &parsed {
        Ok(_) => {
            copy.finish().await?;
        }
        Err(_) => copy.abort("the file cannot be read to its end").await?,
    }
    Ok(parsed)
}

/// Rejects keys that stand with different values; returns how many identical rows were collapsed.
async fn single_out(stage: &mut Stage<'_>, tally: &mut Tally) -> Result<i64, StageError> {
    let (collapsed, clashing, clashes) = stage.single_out().await?;
    let before = tally.rejected;
    for clash in clashes {
        let key = crate::store::written::short(clash.key.trim_end_matches([',', ' ']));
        for line in &clash.lines {
            tally.reject(Rejected {
                line: *line,
                column: String::new(),
                reason: Reason::DifferentValues {
                    key: key.clone(),
                    lines: clash.lines.clone(),
                },
            });
        }
    }
    tally.rejected = before + clashing;
    Ok(collapsed)
}

async fn refuse_clashing_tariffs(
    db: &mut PgConnection,
    tally: &mut Tally,
) -> Result<(), StageError> {
    let rows = staged::tariffs(db).await?;
    let found = clashes(&rows);
    let mut lines: Vec<i64> = found.iter().flat_map(|(a, b)| [*a, *b]).collect();
    lines.sort_unstable();
    lines.dedup();
    for line in &lines {
        let other = found
            .iter()
            .find_map(|(a, b)| match (a == line, b == line) {
                (true, _) => Some(b),
                (_, true) => Some(a),
                _ => None,
            });
        tally.reject(Rejected {
            line: *line,
            column: "level".to_owned(),
            reason: Reason::LevelClash {
                line: other.copied().unwrap_or_default(),
            },
        });
    }
    staged::refuse(db, &lines).await?;
    Ok(())
}

fn dropped(tally: &Tally) -> Vec<Dropped> {
    tally
        .dropped
        .iter()
        .map(|((column, fault), values)| Dropped {
            column: (*column).to_owned(),
            reason: fault.reason(),
            values: *values,
        })
        .collect()
}

fn tell(entry: &mut Entry, tally: &mut Tally, counts: &Counts, collapsed: i64) {
    entry.rows_read = tally.rows_read;
    entry.rows_new = counts.new;
    entry.rows_replaced = counts.replaced;
    entry.rows_unchanged = counts.unchanged + collapsed;
    entry.rows_rejected = tally.rejected;
    tally.rejections.sort_by_key(|rejection| rejection.line);
    entry.rejections = std::mem::take(&mut tally.rejections);
    entry.times = tally.times;
    let changed = counts.new + counts.replaced + counts.removed > 0;
    entry.outcome = if changed || tally.rows_read == 0 || tally.rejected == tally.rows_read {
        "imported"
    } else {
        "unchanged"
    };
    if counts.removed > 0 {
        let rows = counts.removed;
        entry
            .messages
            .push(Said::file(Reason::RowsRemoved { rows }));
    }
}

/// Enters a file of which no row was stored.
///
/// # Errors
/// When the database cannot be reached or is full.
pub async fn enter(db: &PgPool, entry: &Entry) -> Result<(), sqlx::Error> {
    let mut transaction = db.begin().await?;
    let import = imports::begin(&mut transaction).await?;
    imports::enter(&mut transaction, import, entry).await?;
    transaction.commit().await
}

/// Covers all sites of a folder for `span`; `None` when it has no site.
///
/// # Errors
/// When the database cannot be reached or is full.
pub async fn cover(
    db: &PgPool,
    mut entry: Entry,
    covered: &Covered,
    span: Span,
    zone: Zone,
    is_trial: bool,
) -> Result<Option<Entry>, StoreError> {
    let mut transaction = db.begin().await?;
    let sites: Vec<String> = if covered.sites.is_empty() {
        let (devices, nodes): (Vec<_>, Vec<_>) = (
            covered.devices.iter().cloned().collect(),
            covered.nodes.iter().cloned().collect(),
        );
        staged::sites_of(&mut transaction, &devices, &nodes).await?
    } else {
        covered.sites.iter().cloned().collect()
    };
    let Some(kind) = kind("coverage").filter(|_| !sites.is_empty()) else {
        return Ok(None);
    };
    let import = imports::begin(&mut transaction).await?;
    let mut stage = Stage::new(&mut transaction, target(kind)).await?;
    let mut copy = stage.copy().await?;
    copy.send(coverage::rows("folder", &sites, span)).await?;
    copy.finish().await?;
    let counts = stage.write(import, None, zone.name()).await?;
    let mut tally = Tally {
        rows_read: i64::try_from(sites.len()).unwrap_or(i64::MAX),
        times: Some(span),
        ..Tally::default()
    };
    tell(&mut entry, &mut tally, &counts, 0);
    entry.messages.push(Said::file(Reason::CountsAsRead {
        from: shown(span.start, zone),
        to: shown(span.end, zone),
        sites,
    }));
    if is_trial {
        transaction.rollback().await?;
    } else {
        imports::enter(&mut transaction, import, &entry).await?;
        transaction.commit().await?;
    }
    Ok(Some(entry))
}

/// An instant in the ledger zone, with its offset.
fn shown(at: i64, zone: Zone) -> String {
    crate::store::instants::at(at)
        .with_timezone(&zone)
        .to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}
