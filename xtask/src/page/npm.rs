//! The packages of `xtask/npm`, installed by their lock file when they are not there yet.

use std::path::Path;
use std::process::Command;

use super::Size;
use crate::failure::Failure;

/// Where the chart library stands after the installation, from the repository's root.
pub const PLOTLY: &str =
    "xtask/npm/node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js";
/// Where wasm-opt stands after the full installation.
pub const WASM_OPT: &str = "xtask/npm/node_modules/binaryen/bin/wasm-opt";

pub fn install(root: &Path, size: Size) -> Result<(), Failure> {
    let wanted: &[&str] = match size {
        Size::Quick => &[PLOTLY],
        Size::Small => &[PLOTLY, WASM_OPT],
    };
    // npm writes this file last; older than the lock, it describes an older installation.
    let installed = root.join("xtask/npm/node_modules/.package-lock.json");
    let current =
        super::modified(&installed) >= super::modified(&root.join("xtask/npm/package-lock.json"));
    if current && wanted.iter().all(|path| root.join(path).is_file()) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.arg("ci");
    if size == Size::Quick {
        npm.arg("--omit=dev");
    }
    let status = npm
        .current_dir(root.join("xtask/npm"))
        .status()
        .map_err(|error| Failure::new(format!("npm is needed for the chart library: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new("npm ci failed in xtask/npm (see above)"))
    }
}
