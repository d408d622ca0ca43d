//! The system's own PostgreSQL server binaries.

use std::path::{Path, PathBuf};

use super::EmbeddedError;

/// Where Debian keeps one folder a major version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// A folder with `postgres` and `initdb`, and its major version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binaries {
    pub folder: PathBuf,
    /// `15`
    pub version: String,
}

impl Binaries {
    /// The binaries for a cluster: of the version that made it, else the newest for a new one.
    ///
    /// # Errors
    /// There are none at all, or none of the version needed.
    pub fn find(cluster: &Path) -> Result<Self, EmbeddedError> {
        let installed = installed()?;
        let made_by = std::fs::read_to_string(cluster.join("PG_VERSION"))
            .map(|text| text.trim().to_owned())
            .ok();
        choose(&installed, made_by.as_deref()).ok_or_else(|| EmbeddedError::Version {
            folder: cluster.to_owned(),
            made_by: made_by.unwrap_or_default(),
            found: installed
                .iter()
                .map(|binaries| binaries.version.as_str())
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// `installed` is newest first.
fn choose(installed: &[Binaries], made_by: Option<&str>) -> Option<Binaries> {
    match made_by {
        Some(version) => installed.iter().find(|found| found.version == version),
        None => installed.first(),
    }
    .cloned()
}

/// All that are installed, newest first; those in `PATH` count when Debian's folder has none.
fn installed() -> Result<Vec<Binaries>, EmbeddedError> {
    let versions = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let mut found: Vec<Binaries> = versions
        .filter_map(|entry| {
            let version = entry.file_name().into_string().ok()?;
            version.parse::<u32>().ok()?;
            let folder = entry.path().join("bin");
            is_complete(&folder).then_some(Binaries { folder, version })
        })
        .collect();
    found.sort_by_key(|binaries| std::cmp::Reverse(binaries.version.parse::<u32>().ok()));
    if found.is_empty() {
        let folders = crate::config::program_folders();
        let in_path = folders.into_iter().find(|folder| is_complete(folder));
        found.extend(in_path.and_then(named_by_itself));
    }
    if found.is_empty() {
        return Err(EmbeddedError::NoBinaries);
    }
    Ok(found)
}

fn is_complete(folder: &Path) -> bool {
    ["postgres", "initdb"]
        .iter()
        .all(|name| folder.join(name).is_file())
}

/// Asks `postgres --version`, which answers `postgres (PostgreSQL) 15.14 (Debian …)`.
fn named_by_itself(folder: PathBuf) -> Option<Binaries> {
    let answer = std::process::Command::new(folder.join("postgres"))
        .arg("--version")
        .output()
        .ok()?;
    let version = major_version(&String::from_utf8_lossy(&answer.stdout))?;
    Some(Binaries { folder, version })
}

fn major_version(answer: &str) -> Option<String> {
    let number = answer
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let major: String = number.chars().take_while(char::is_ascii_digit).collect();
    Some(major)
}

#[cfg(test)]
mod tests {
    use super::{Binaries, choose, major_version};

    #[test]
    fn the_version_that_made_the_folder_is_taken_and_no_other() {
        let of = |version: &str| Binaries {
            folder: version.into(),
            version: version.to_owned(),
        };
        let installed = [of("17"), of("15")];
        assert_eq!(choose(&installed, None), Some(of("17")));
        assert_eq!(choose(&installed, Some("15")), Some(of("15")));
        assert_eq!(choose(&installed, Some("16")), None);
    }

    #[test]
    fn the_major_version_is_read_from_the_answer() {
        let answer = "postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n";
        assert_eq!(major_version(answer).as_deref(), Some("15"));
        assert_eq!(
            major_version("postgres (PostgreSQL) 18beta1").as_deref(),
            Some("18")
        );
    }
}
