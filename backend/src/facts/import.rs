//! Importing: every file of every folder named, each in one transaction, and the coverage of folders without one.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::PathBuf;

use accounting::ids::Id;
use accounting::time::Zone;
use api::Reason;
use sqlx::postgres::PgPool;

use super::cell::Zones;
use super::coverage::Covered;
use super::error::ImportError;
use super::fault::FileFault;
use super::files::{KINDS, all_names};
use super::inspect::{Inspected, Text, inspect};
use super::parse::{self, Parsed, Reading};
use super::settings;
use super::source::{Folder, Source, find};
use super::staging::{self, Together};
use crate::store::imports::{self, Entry, Said};
use crate::store::written::not_one_of;

/// What the books are kept in, and who imports.
#[derive(Clone, Debug)]
pub struct Settings {
    pub zone: Zone,
    pub currency: Id,
    /// Entered in the import ledger.
    pub by: String,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The kind of every file, whatever name and header say.
    pub format: Option<String>,
    /// Say what would happen and change nothing.
    pub dry_run: bool,
    /// Import nothing when a single row is rejected.
    pub strict: bool,
}

/// What became of the files, in the order they were read.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub files: Vec<Entry>,
    /// Nothing was imported since `strict` was asked for and a row or file was rejected.
    pub is_refused: bool,
}

impl Report {
    /// Files refused as a whole.
    #[must_use]
    pub fn rejected_files(&self) -> usize {
        self.files
            .iter()
            .filter(|f| f.outcome == "rejected")
            .count()
    }

    #[must_use]
    pub fn rejected_rows(&self) -> i64 {
        self.files.iter().map(|f| f.rows_rejected).sum()
    }
}

/// Imports what lies at `paths`; `tell` hears of each file as it is done.
///
/// # Errors
/// When a path is none of ours or the database fails. What was told before that is kept; the rest is not begun.
pub async fn import(
    db: &PgPool,
    settings: &Settings,
    paths: &[PathBuf],
    options: &Options,
    tell: &mut (dyn FnMut(&Entry) + Send),
) -> Result<Report, ImportError> {
    if let Some(format) = &options.format {
        let names: Vec<&str> = all_names().collect();
        if !names.contains(&format.as_str()) {
            return Err(ImportError::Format(not_one_of(format, &names)));
        }
    }
    let mut folders = Vec::new();
    for path in paths {
        let found = find(path)?;
        if found.is_empty() {
            return Err(ImportError::Nothing(path.display().to_string()));
        }
        folders.extend(found);
    }
    if options.strict && !options.dry_run {
        let mut trial = Importer::new(db, settings, options, true);
        for folder in &folders {
            trial.folder(folder, &mut |_| {}).await?;
        }
        if trial.report.rejected_rows() > 0 || trial.report.rejected_files() > 0 {
            trial.report.files.iter().for_each(&mut *tell);
            trial.report.is_refused = true;
            return Ok(trial.report);
        }
    }
    let mut importer = Importer::new(db, settings, options, options.dry_run);
    for folder in &folders {
        importer.folder(folder, tell).await?;
    }
    importer.report.is_refused = options.strict
        && (importer.report.rejected_rows() > 0 || importer.report.rejected_files() > 0);
    Ok(importer.report)
}

/// Kinds whose files are large and whose reading again can be spared when nothing newer replaced a row.
const SPARED: [&str; 3] = ["samples", "meter_readings", "work"];

struct Importer<'a> {
    db: &'a PgPool,
    settings: &'a Settings,
    options: &'a Options,
    is_trial: bool,
    report: Report,
}

/// A file that was seen: what it holds, or why it is refused.
struct Seen {
    source: Source,
    inspected: Result<(Inspected, &'static str), FileFault>,
}

impl Seen {
    fn kind(&self) -> Option<&'static str> {
        self.inspected.as_ref().ok().map(|(_, kind)| *kind)
    }

    /// Place of its kind in a folder's order.
    fn order(&self) -> usize {
        self.kind()
            .and_then(|name| KINDS.iter().position(|kind| kind.name == name))
            .unwrap_or(KINDS.len())
    }
}

/// What the import ledger says of a file that is refused.
fn said(fault: FileFault) -> Said {
    Said {
        line: fault.line,
        reason: fault.reason,
    }
}

impl<'a> Importer<'a> {
    fn new(db: &'a PgPool, settings: &'a Settings, options: &'a Options, is_trial: bool) -> Self {
        Self {
            db,
            settings,
            options,
            is_trial,
            report: Report::default(),
        }
    }

    async fn folder(
        &mut self,
        folder: &Folder,
        tell: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<(), ImportError> {
        let zone = match folder.settings.as_ref().map(settings::zone).transpose() {
            Ok(zone) => zone.flatten(),
            Err(fault) => {
                // Without its zone no time of the folder can be trusted.
                let shown = folder.settings.as_ref().map_or("", |s| s.shown.as_str());
                let unread = Said::file(Reason::FolderUnread);
                let messages = vec![said(fault), unread];
                return self.refuse(shown, "", "", messages, tell).await;
            }
        };
        let zones = Zones {
            ledger: self.settings.zone,
            folder: zone,
        };
        let mut seen = Vec::with_capacity(folder.files.len());
        for source in &folder.files {
            seen.push(self.see(source, zones).await?);
        }
        seen.sort_by_key(Seen::order);
        let mut covered = Covered::default();
        for file in &seen {
            if let Some(kind) = file.kind() {
                covered.see(kind);
            }
        }
        let mut files: BTreeMap<&'static str, usize> = BTreeMap::new();
        for kind in seen.iter().filter_map(Seen::kind) {
            *files.entry(kind).or_default() += 1;
        }
        let mut batches: BTreeMap<&'static str, Together> = files
            .into_iter()
            .filter(|(_, count)| *count > 1)
            .map(|(kind, count)| (kind, Together::of(count)))
            .collect();
        for file in seen {
            let kind = file.kind();
            let batch = kind.and_then(|kind| batches.get_mut(kind));
            self.file(file, zones, batch, &mut covered, tell).await?;
            // Also one that was refused in the end.
            if let Some(batch) = kind.and_then(|kind| batches.get_mut(kind)) {
                batch.next();
            }
        }
        if folder.is_whole {
            self.cover(folder, &covered, tell).await?;
        }
        Ok(())
    }

    async fn see(&self, source: &Source, zones: Zones) -> Result<Seen, ImportError> {
        let job = Job::new(self, source, zones);
        let source = source.clone();
        let inspected = tokio::task::spawn_blocking(move || job.inspect())
            .await
            .map_err(|_| ImportError::BrokenOff(source.shown.clone()))?;
        Ok(Seen { source, inspected })
    }

    async fn file(
        &mut self,
        seen: Seen,
        zones: Zones,
        batch: Option<&mut Together>,
        covered: &mut Covered,
        tell: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<(), ImportError> {
        let Seen { source, inspected } = seen;
        let (inspected, name) = match inspected {
            Ok(seen) => seen,
            Err(fault) => {
                return self
                    .refuse(&source.shown, "", "", vec![said(fault)], tell)
                    .await;
            }
        };
        let mut entry = Entry {
            file: source.shown.clone(),
            kind: name.to_owned(),
            sha256: inspected.sha256.clone(),
            zone: zones.folder.map(|zone| zone.name().to_owned()),
            by: self.settings.by.clone(),
            ..Entry::default()
        };
        let failed = |error| ImportError::Store {
            file: source.shown.clone(),
            error,
        };
        if SPARED.contains(&name) {
            let known =
                imports::still_true(self.db, &entry.sha256, name, entry.zone.as_deref()).await;
            if let Some((rows, times)) = known.map_err(|error| failed(error.into()))? {
                entry.outcome = "unchanged";
                (entry.rows_read, entry.rows_unchanged, entry.times) = (rows, rows, times);
                entry.messages.push(Said::file(Reason::ImportedBefore));
                covered.name_times(times);
                return self.enter(entry, tell).await;
            }
        }
        let job = Job::new(self, &source, zones);
        let Some(kind) = KINDS.iter().copied().find(|kind| kind.name == name) else {
            return self.count(job, entry, inspected, tell).await;
        };
        let done = staging::stage(self.db, kind, entry, job, inspected, batch, self.is_trial)
            .await
            .map_err(|error| match error {
                staging::StageError::Store(error) => failed(error),
                staging::StageError::BrokenOff => ImportError::BrokenOff(source.shown.clone()),
            })?;
        match done {
            Ok((entry, tally)) => {
                covered.add(tally);
                self.told(entry, tell);
                Ok(())
            }
            Err((entry, fault)) => {
                let (kind, sha256) = (entry.kind, entry.sha256);
                self.refuse(&source.shown, &kind, &sha256, vec![said(fault)], tell)
                    .await
            }
        }
    }

    /// A file that no rule reads yet.
    async fn count(
        &mut self,
        job: Job,
        mut entry: Entry,
        inspected: Inspected,
        tell: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<(), ImportError> {
        let shown = entry.file.clone();
        let counted = tokio::task::spawn_blocking(move || job.parse(&inspected, |_| Ok(())))
            .await
            .map_err(|_| ImportError::BrokenOff(shown.clone()))?;
        match counted {
            Ok(Parsed::Unread(rows)) => {
                entry.rows_read = rows;
                entry.outcome = "not_yet_read";
                entry.messages.push(Said::file(Reason::NotYetRead));
                self.enter(entry, tell).await
            }
            Ok(Parsed::Rows(_)) => Err(ImportError::BrokenOff(shown)),
            Err(fault) => {
                let (kind, sha256) = (entry.kind, entry.sha256);
                self.refuse(&shown, &kind, &sha256, vec![said(fault)], tell)
                    .await
            }
        }
    }

    async fn refuse(
        &mut self,
        shown: &str,
        kind: &str,
        sha256: &str,
        messages: Vec<Said>,
        tell: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<(), ImportError> {
        let entry = Entry {
            file: shown.to_owned(),
            kind: kind.to_owned(),
            sha256: sha256.to_owned(),
            outcome: "rejected",
            by: self.settings.by.clone(),
            messages,
            ..Entry::default()
        };
        self.enter(entry, tell).await
    }

    /// Enters a file of which no row was stored.
    async fn enter(
        &mut self,
        entry: Entry,
        tell: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<(), ImportError> {
        if !self.is_trial {
            staging::enter(self.db, &entry)
                .await
                .map_err(|error| ImportError::Store {
                    file: entry.file.clone(),
                    error: error.into(),
                })?;
        }
        self.told(entry, tell);
        Ok(())
    }

    fn told(&mut self, entry: Entry, tell: &mut (dyn FnMut(&Entry) + Send)) {
        tell(&entry);
        self.report.files.push(entry);
    }

    async fn cover(
        &mut self,
        folder: &Folder,
        covered: &Covered,
        tell: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<(), ImportError> {
        let Some(span) = covered.span() else {
            return Ok(());
        };
        let entry = Entry {
            file: folder.shown.clone(),
            kind: "coverage".to_owned(),
            by: self.settings.by.clone(),
            times: Some(span),
            ..Entry::default()
        };
        let entry = staging::cover(
            self.db,
            entry,
            covered,
            span,
            self.settings.zone,
            self.is_trial,
        )
        .await
        .map_err(|error| ImportError::Store {
            file: folder.shown.clone(),
            error,
        })?;
        if let Some(entry) = entry {
            self.told(entry, tell);
        }
        Ok(())
    }
}

/// The reading of one file, to be done where blocking is allowed.
pub struct Job {
    source: Source,
    forced: Option<String>,
    pub zones: Zones,
    currency: Id,
}

impl Job {
    fn new(importer: &Importer<'_>, source: &Source, zones: Zones) -> Self {
        Self {
            source: source.clone(),
            forced: importer.options.format.clone(),
            zones,
            currency: importer.settings.currency.clone(),
        }
    }

    fn reading(&self) -> Reading<'_> {
        Reading {
            stem: self.source.stem(),
            forced: self.forced.as_deref(),
            zones: self.zones,
            currency: &self.currency,
        }
    }

    fn inspect(&self) -> Result<(Inspected, &'static str), FileFault> {
        let inspected = inspect(&self.source)?;
        let reading = self.reading();
        let name = self.source.read(|reader| {
            parse::open(Text::new(reader, inspected.encoding), &reading)
                .map(|opened| opened.recognised.name())
        })?;
        Ok((inspected, name))
    }

    /// Reads the file's rows, which `pass_on` gets in batches.
    ///
    /// # Errors
    /// When it cannot be read to its end.
    pub fn parse(
        &self,
        inspected: &Inspected,
        pass_on: impl FnMut(Vec<u8>) -> Result<(), parse::Stopped>,
    ) -> Result<Parsed, FileFault> {
        let reading = self.reading();
        let bytes = Cell::new(0);
        let parsed = self.source.read(|reader| {
            let counted = Counted {
                inner: reader,
                bytes: &bytes,
            };
            parse::open(Text::new(counted, inspected.encoding), &reading)?.rows(&reading, pass_on)
        })?;
        if bytes.get() == inspected.bytes {
            Ok(parsed)
        } else {
            Err(FileFault::file(Reason::ChangedWhileRead))
        }
    }
}

/// A reader that counts what comes out of it.
struct Counted<'c, R> {
    inner: R,
    bytes: &'c Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        let more = u64::try_from(count).unwrap_or(u64::MAX);
        self.bytes.set(self.bytes.get().saturating_add(more));
        Ok(count)
    }
}
