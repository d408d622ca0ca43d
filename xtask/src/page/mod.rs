//! The page bundle: the crate `frontend` compiled for the browser, its JavaScript glue, styles and local assets,
//! in `dist/` as the server serves them. Nothing in it calls another host.
//!
//! ```text
//! dist/index.html
//! dist/assets/page.js  page_bg.wasm  page.css  plotly.min.js  and whatever frontend/assets holds
//! ```

mod assets;
mod compile;
mod npm;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use wasm_bindgen_cli_support::Bindgen;

use crate::failure::Failure;

/// Builds `dist/`, or leaves it alone when nothing it is made of has changed.
pub fn build(root: &Path) -> Result<(), Failure> {
    let wasm = compile::wasm(root)?;
    let dist = root.join("dist");
    let stamp = dist.join(".built");
    if is_current(root, &wasm, &stamp) {
        println!("page: dist/ is current");
        return Ok(());
    }
    npm::install(root)?;

    // Built beside and moved, so that a running server never serves half a page.
    let fresh = root.join("dist.new");
    remove(&fresh)?;
    let out = fresh.join("assets");
    std::fs::create_dir_all(&out).map_err(Failure::at(&out))?;
    bind(&wasm, &out)?;
    assets::copy(root, &fresh)?;
    let mark = fresh.join(".built");
    std::fs::write(&mark, "").map_err(Failure::at(&mark))?;
    remove(&dist)?;
    std::fs::rename(&fresh, &dist).map_err(Failure::at(&dist))?;
    println!("page: dist/ is built, {}", assets::sizes(&dist)?);
    Ok(())
}

/// wasm-bindgen as a library, in the version the page is compiled with: there is no tool to install.
fn bind(wasm: &Path, out: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::new(format!("wasm-bindgen: {error:#}"));
    Bindgen::new()
        .input_path(wasm)
        .web(true)
        .map_err(failed)?
        .out_name("page")
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(out)
        .map_err(failed)
}

fn is_current(root: &Path, wasm: &Path, stamp: &Path) -> bool {
    let Some(built) = modified(stamp) else {
        return false;
    };
    let mut inputs = vec![
        wasm.to_owned(),
        root.join("frontend/index.html"),
        root.join("xtask/npm/package-lock.json"),
    ];
    for folder in ["frontend/style", "frontend/assets"] {
        inputs.extend(assets::files_below(&root.join(folder)));
    }
    // A removed style leaves no file to compare, but its folder is younger.
    inputs.push(root.join("frontend/style"));
    inputs
        .iter()
        .filter_map(|path| modified(path))
        .all(|changed| changed <= built)
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path)
        .and_then(|data| data.modified())
        .ok()
}

fn remove(folder: &PathBuf) -> Result<(), Failure> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::at(folder)(error))
        }
        _ => Ok(()),
    }
}
