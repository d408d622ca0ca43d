//! The tracked files of the repository, as the rules read them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;

/// One tracked file: its path from the root with `/`, and its text (empty for what is not UTF-8).
pub struct File {
    pub path: String,
    pub text: String,
}

impl File {
    /// Lines with their number from 1, up to the unit tests at the end of a Rust file.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..)
            .zip(self.text.lines())
            .take_while(|(_, line)| !line.trim_start().starts_with("#[cfg(test)]"))
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    pub fn has_extension(&self, wanted: &[&str]) -> bool {
        self.path
            .rsplit_once('.')
            .is_some_and(|(_, found)| wanted.contains(&found))
    }
}

#[derive(Default)]
pub struct Tree {
    pub files: Vec<File>,
}

impl Tree {
    /// Reads every file git tracks or would track (new files that are not ignored count).
    pub fn read(root: &Path) -> Result<Self, Failure> {
        let listing = Command::new("git")
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .current_dir(root)
            .output()
            .map_err(|error| Failure::new(format!("git ls-files: {error}")))?;
        if !listing.status.success() {
            let said = String::from_utf8_lossy(&listing.stderr);
            return Err(Failure::new(format!("git ls-files: {}", said.trim())));
        }
        let mut files = Vec::new();
        for path in String::from_utf8_lossy(&listing.stdout).split('\0') {
            let full = root.join(path);
            // A file removed but not yet committed is still listed.
            if path.is_empty() || !full.is_file() {
                continue;
            }
            let bytes = std::fs::read(&full).map_err(Failure::at(&full))?;
            files.push(File {
                path: path.to_owned(),
                text: String::from_utf8(bytes).unwrap_or_default(),
            });
        }
        Ok(Self { files })
    }

    /// Is there a file or a folder of this name?
    pub fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.files.iter().any(|file| {
            file.path == path
                || file
                    .path
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.starts_with('/'))
        })
    }

    /// The files below a folder, named with its closing `/`.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a File> {
        self.files
            .iter()
            .filter(move |file| file.path.starts_with(folder))
    }

    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self {
            files: files
                .iter()
                .map(|(path, text)| File {
                    path: (*path).to_owned(),
                    text: (*text).to_owned(),
                })
                .collect(),
        }
    }
}

/// The workspace root: the nearest folder upwards whose manifest opens a workspace.
pub fn root() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(Failure::at(Path::new(".")))?;
    here.ancestors()
        .find(|folder| {
            std::fs::read_to_string(folder.join("Cargo.toml"))
                .is_ok_and(|manifest| manifest.contains("[workspace]"))
        })
        .map(Path::to_owned)
        .ok_or_else(|| Failure::new("no workspace here: call it inside the repository"))
}
