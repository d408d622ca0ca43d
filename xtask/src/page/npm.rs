//! The packages of `xtask/npm`, installed by their lock file when they are not there yet.

use std::path::Path;
use std::process::Command;

use crate::failure::Failure;

/// Where the chart library stands after the installation, from the repository's root.
pub const PLOTLY: &str =
    "xtask/npm/node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js";

pub fn install(root: &Path) -> Result<(), Failure> {
    // npm writes this file last; older than the lock, it describes an older installation.
    let installed = root.join("xtask/npm/node_modules/.package-lock.json");
    let lock = root.join("xtask/npm/package-lock.json");
    if super::modified(&installed) >= super::modified(&lock) && root.join(PLOTLY).is_file() {
        return Ok(());
    }
    let status = Command::new("npm")
        .arg("ci")
        .current_dir(root.join("xtask/npm"))
        .status()
        .map_err(|error| Failure::new(format!("npm is needed for the chart library: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new("npm ci failed in xtask/npm (see above)"))
    }
}
