//! Where fact files come from: a file, a folder of them, a gzip, a zip. Nothing is unpacked to disk.
//!
//! What an archive unfolds to is bounded by its own size, so that a small file cannot become an endless one.

use std::fs::{self, File};
use std::io::{self, Read, Seek as _};
use std::path::{Path, PathBuf};

use api::Reason;
use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use super::fault::refusal;
use crate::language::Bilingual;

/// What every archive may unfold to, however small it is.
const UNFOLDED_BYTES: u64 = 64 << 20;
/// How many times its own size an archive may unfold to beyond that. Tables compress 5 to 60 times.
const UNFOLDED_RATIO: u64 = 250;
/// Files in one archive or folder.
const MOST_FILES: usize = 10_000;
/// Folders inside folders.
const DEEPEST: usize = 8;

/// One file to read.
#[derive(Clone, Debug)]
pub struct Source {
    /// As it is told: the path given and what lies below it.
    pub shown: String,
    /// File name alone.
    pub name: String,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Plain(PathBuf),
    Gzip(PathBuf),
    Zip {
        archive: PathBuf,
        index: usize,
    },
    /// An archive inside an archive: named, and refused when it is read.
    Nested,
}

/// Files that lie together: one `facts.toml` holds for them, and they are covered together.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    pub shown: String,
    pub files: Vec<Source>,
    /// `facts.toml`, where there is one.
    pub settings: Option<Source>,
    /// A single file that was named is no folder, though its neighbour `facts.toml` holds for it.
    pub is_whole: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("{0}: {1}")]
    Io(String, #[source] io::Error),
    #[error("{0}: no fact file, folder, .gz or .zip; name a .csv, a folder of them or an archive")]
    Unknown(String),
    #[error("{0}: {1}")]
    Archive(String, String),
    #[error("{0}: more than {MOST_FILES} files or {DEEPEST} levels of folders; import it in parts")]
    Large(String),
    #[error(
        "{0}: the archive holds two files of one name, and only the last can be read; unpack it by hand"
    )]
    Twice(String),
}

impl Bilingual for SourceError {
    fn chinese(&self) -> String {
        match self {
            Self::Io(path, error) => format!("{path}：无法读取：{error}"),
            Self::Unknown(path) => format!(
                "{path}：不是事实文件、文件夹、.gz 或 .zip；请指定 .csv、存放它们的文件夹或压缩包"
            ),
            Self::Twice(path) => {
                format!("{path}：压缩包内有同名文件，只能读到最后一个；请手动解压后导入")
            }
            Self::Archive(path, why) => format!("{path}：压缩包无法读取：{why}"),
            Self::Large(path) => {
                format!("{path}：超过 {MOST_FILES} 个文件或 {DEEPEST} 层文件夹；请分批导入")
            }
        }
    }
}

/// The files at `path`, folder by folder.
///
/// # Errors
/// When the path cannot be read or is no fact file, folder or archive.
pub fn find(path: &Path) -> Result<Vec<Folder>, SourceError> {
    let shown = path.file_name().map_or_else(
        || path.display().to_string(),
        |n| n.to_string_lossy().into_owned(),
    );
    let about =
        fs::metadata(path).map_err(|error| SourceError::Io(path.display().to_string(), error))?;
    if about.is_dir() {
        let mut folders = Vec::new();
        folder(path, &shown, 0, &mut folders)?;
        return Ok(folders);
    }
    if ends_with(&shown, ".zip") {
        return archive(path, &shown);
    }
    let Some(source) = file(path, &shown) else {
        return Err(SourceError::Unknown(path.display().to_string()));
    };
    let beside = path.with_file_name("facts.toml");
    Ok(vec![Folder {
        shown: String::new(),
        files: vec![source],
        settings: beside.is_file().then(|| Source {
            shown: "facts.toml".to_owned(),
            name: "facts.toml".to_owned(),
            place: Place::Plain(beside),
        }),
        is_whole: false,
    }])
}

fn ends_with(name: &str, ending: &str) -> bool {
    name.to_ascii_lowercase().ends_with(ending)
}

/// A file by its name; `None` when it is none of ours.
fn file(path: &Path, shown: &str) -> Option<Source> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let place = match () {
        () if ends_with(&name, ".csv") => Place::Plain(path.to_owned()),
        () if ends_with(&name, ".gz") => Place::Gzip(path.to_owned()),
        () => return None,
    };
    Some(Source {
        shown: shown.to_owned(),
        name,
        place,
    })
}

fn folder(
    path: &Path,
    shown: &str,
    depth: usize,
    folders: &mut Vec<Folder>,
) -> Result<(), SourceError> {
    let failed = |error| SourceError::Io(path.display().to_string(), error);
    let mut found = Folder {
        shown: shown.to_owned(),
        is_whole: true,
        ..Folder::default()
    };
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    entries.sort();
    if depth > DEEPEST || entries.len() > MOST_FILES {
        return Err(SourceError::Large(shown.to_owned()));
    }
    let mut below = Vec::new();
    for entry in entries {
        let Some(name) = entry.file_name().map(|n| n.to_string_lossy().into_owned()) else {
            continue;
        };
        let shown = format!("{shown}/{name}");
        if name.starts_with('.') {
            continue;
        }
        if entry.is_dir() {
            folder(&entry, &shown, depth + 1, &mut below)?;
        } else if name == "facts.toml" {
            found.settings = Some(Source {
                shown,
                name,
                place: Place::Plain(entry),
            });
        } else if ends_with(&name, ".zip") {
            below.extend(archive(&entry, &shown)?);
        } else if let Some(source) = file(&entry, &shown) {
            found.files.push(source);
        }
    }
    if !found.files.is_empty() {
        folders.push(found);
    }
    folders.append(&mut below);
    Ok(())
}

fn archive(path: &Path, shown: &str) -> Result<Vec<Folder>, SourceError> {
    let failed = |why: String| SourceError::Archive(shown.to_owned(), why);
    let opened = File::open(path).map_err(|error| SourceError::Io(shown.to_owned(), error))?;
    let archive = ZipArchive::new(opened).map_err(|error| failed(error.to_string()))?;
    if archive.len() > MOST_FILES {
        return Err(SourceError::Large(shown.to_owned()));
    }
    let named = entries(path).map_err(|error| SourceError::Io(shown.to_owned(), error))?;
    if named.is_some_and(|named| named != archive.len()) {
        return Err(SourceError::Twice(shown.to_owned()));
    }
    let mut folders: Vec<Folder> = Vec::new();
    for index in 0..archive.len() {
        let Some(entry) = archive.name_for_index(index) else {
            continue;
        };
        let entry = entry
            .map_err(|error| failed(error.to_string()))?
            // Some write folders as Windows does.
            .replace('\\', "/");
        let (inside, name) = entry.rsplit_once('/').unwrap_or(("", &entry));
        if name.is_empty() || name.starts_with('.') || inside.starts_with("__MACOSX") {
            continue;
        }
        let is_settings = name == "facts.toml";
        let is_nested = ends_with(name, ".gz") || ends_with(name, ".zip");
        if !is_settings && !is_nested && !ends_with(name, ".csv") {
            continue;
        }
        let home = format!("{shown}/{inside}").trim_end_matches('/').to_owned();
        let source = Source {
            shown: format!("{shown}/{entry}"),
            name: name.to_owned(),
            place: if is_nested {
                Place::Nested
            } else {
                Place::Zip {
                    archive: path.to_owned(),
                    index,
                }
            },
        };
        let position = folders.iter().position(|f| f.shown == home);
        let place = match position.and_then(|at| folders.get_mut(at)) {
            Some(folder) => folder,
            None => {
                folders.push(Folder {
                    shown: home,
                    is_whole: true,
                    ..Folder::default()
                });
                let Some(last) = folders.last_mut() else {
                    continue;
                };
                last
            }
        };
        if is_settings {
            place.settings = Some(source);
        } else {
            place.files.push(source);
        }
    }
    folders.retain(|folder| !folder.files.is_empty());
    Ok(folders)
}

/// How many files a zip says it has: its directory may name one twice, of which only the last would be seen. `None`
/// where the count does not fit the old form.
fn entries(path: &Path) -> io::Result<Option<usize>> {
    // The end of the directory: a signature, the count at byte 10, a comment of up to 65,535 bytes.
    const END: &[u8] = b"PK\x05\x06";
    const LONGEST: u64 = 22 + 65_535;
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    file.seek(io::SeekFrom::Start(size.saturating_sub(LONGEST)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let end = tail.windows(END.len()).rposition(|bytes| bytes == END);
    let count = end
        .and_then(|at| tail.get(at..)?.get(10..12)?.try_into().ok())
        .map(u16::from_le_bytes);
    Ok(count.filter(|count| *count != u16::MAX).map(usize::from))
}

impl Source {
    /// Reads the file from its beginning.
    ///
    /// # Errors
    /// Whatever `reader` makes of a file that cannot be opened.
    pub fn read<T, E: From<io::Error>>(
        &self,
        reader: impl FnOnce(&mut dyn Read) -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.place {
            Place::Nested => Err(E::from(refusal(Reason::NestedArchive))),
            Place::Plain(path) => reader(&mut regular(path)?),
            Place::Gzip(path) => {
                let packed = regular(path)?;
                let size = packed.metadata()?.len();
                reader(&mut Unfolding::new(MultiGzDecoder::new(packed), size))
            }
            Place::Zip { archive, index } => {
                let packed = File::open(archive)?;
                let size = packed.metadata()?.len();
                let mut archive = ZipArchive::new(packed).map_err(io::Error::other)?;
                let entry = archive.by_index(*index).map_err(io::Error::other)?;
                let size = entry.compressed_size().min(size);
                reader(&mut Unfolding::new(entry, size))
            }
        }
    }

    /// The name without `.csv` and `.gz`.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.name.as_str();
        let name = strip(name, ".gz").unwrap_or(name);
        strip(name, ".csv").unwrap_or(name)
    }
}

/// Opens a file that has an end: a pipe would be waited for.
fn regular(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(refusal(Reason::NoRegularFile))
    }
}

fn strip<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let at = name.len().checked_sub(ending.len())?;
    let (stem, end) = name.split_at_checked(at)?;
    end.eq_ignore_ascii_case(ending).then_some(stem)
}

/// A reader that fails when more comes out of it than its packed size can honestly hold.
struct Unfolding<R> {
    inner: R,
    left: u64,
}

impl<R> Unfolding<R> {
    fn new(inner: R, packed: u64) -> Self {
        Self {
            inner,
            left: UNFOLDED_BYTES.saturating_add(packed.saturating_mul(UNFOLDED_RATIO)),
        }
    }
}

impl<R: Read> Read for Unfolding<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        let bytes = u64::try_from(count).unwrap_or(u64::MAX);
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            refusal(Reason::UnfoldsTooFar {
                times: i64::try_from(UNFOLDED_RATIO).unwrap_or(i64::MAX),
            })
        })?;
        Ok(count)
    }
}
