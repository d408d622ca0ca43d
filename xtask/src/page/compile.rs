//! The crate `frontend` as a WASM file, by whichever cargo on this machine can make one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm";

/// Compiles and returns the path of the file.
pub fn wasm(root: &Path) -> Result<PathBuf, Failure> {
    let target_folder = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), |named| root.join(named));
    let mut cargo = compiler(root)?;
    let status = cargo
        .args(["build", "--locked", "--package", "frontend"])
        .args(["--target", TARGET, "--profile", PROFILE])
        .arg("--target-dir")
        .arg(&target_folder)
        .current_dir(root)
        .status()
        .map_err(|error| Failure::new(format!("{}: {error}", cargo.get_program().display())))?;
    if !status.success() {
        return Err(Failure::new("the page does not compile (see above)"));
    }
    Ok(target_folder
        .join(TARGET)
        .join(PROFILE)
        .join("frontend.wasm"))
}

/// `xtask/scripts/wasm_toolchain.sh` knows which cargo that is, since it installs it.
fn compiler(root: &Path) -> Result<Command, Failure> {
    let script = root.join("xtask/scripts/wasm_toolchain.sh");
    let answer = Command::new("bash")
        .arg(&script)
        .arg("--which")
        .output()
        .map_err(Failure::at(&script))?;
    if !answer.status.success() {
        let said = String::from_utf8_lossy(&answer.stderr);
        return Err(Failure::new(said.trim()));
    }
    let path = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    let mut cargo = Command::new(path);
    // What the cargo that started this task says of itself does not hold for the other one.
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(name);
    }
    Ok(cargo)
}
