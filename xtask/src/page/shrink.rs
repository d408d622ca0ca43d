//! wasm-opt from npm's binaryen, with its default features only: told to use all features it writes a page that
//! silently does not load.

use std::path::Path;
use std::process::Command;

use super::npm::WASM_OPT;
use crate::failure::Failure;

pub fn wasm(root: &Path, file: &Path) -> Result<(), Failure> {
    let small = file.with_extension("small");
    let status = Command::new("node")
        .arg(root.join(WASM_OPT))
        .arg("-Oz")
        .arg(file)
        .arg("-o")
        .arg(&small)
        .status()
        .map_err(|error| Failure::new(format!("node is needed for wasm-opt: {error}")))?;
    if !status.success() {
        return Err(Failure::new("wasm-opt failed (see above)"));
    }
    std::fs::rename(&small, file).map_err(Failure::at(file))
}
