//! Everything of the bundle that is not compiled: the document, one style sheet, fonts and pictures, plotly.js.

use std::path::{Path, PathBuf};

use super::npm::PLOTLY;
use crate::failure::Failure;

/// Fills `out` (a `dist/` in the making) from `frontend/` and from npm.
pub fn copy(root: &Path, out: &Path) -> Result<(), Failure> {
    let assets = out.join("assets");
    copy_file(&root.join("frontend/index.html"), &out.join("index.html"))?;
    copy_file(&root.join(PLOTLY), &assets.join("plotly.min.js"))?;
    let own = root.join("frontend/assets");
    for file in files_below(&own) {
        let name = file.strip_prefix(&own).unwrap_or(&file);
        copy_file(&file, &assets.join(name))?;
    }
    let sheet = assets.join("page.css");
    std::fs::write(&sheet, styles(&root.join("frontend/style"))?).map_err(Failure::at(&sheet))
}

/// All `.css` files one after the other, in the order of their names.
fn styles(folder: &Path) -> Result<String, Failure> {
    let mut sheet = String::new();
    for file in files_below(folder) {
        if file.extension().is_some_and(|ext| ext == "css") {
            sheet.push_str(&std::fs::read_to_string(&file).map_err(Failure::at(&file))?);
            sheet.push('\n');
        }
    }
    Ok(sheet)
}

fn copy_file(from: &Path, to: &Path) -> Result<(), Failure> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(Failure::at(folder))?;
    }
    std::fs::copy(from, to)
        .map(|_| ())
        .map_err(Failure::at(from))
}

/// Every file below a folder, sorted; none when there is no such folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What a visitor downloads, for the closing line.
pub fn sizes(dist: &Path) -> Result<String, Failure> {
    let mut told = Vec::new();
    for name in ["page_bg.wasm", "page.js", "page.css", "plotly.min.js"] {
        let path = dist.join("assets").join(name);
        let bytes = std::fs::metadata(&path).map_err(Failure::at(&path))?.len();
        told.push(format!("{name} {} kB", bytes.div_ceil(1000)));
    }
    Ok(told.join(", "))
}
