//! Writes the example company: `cargo run -p seed --bin example` fills `seed/example/`.
//!
//! Two months of a company with ten cards, by arithmetic alone (no randomness, no clock), so that the files are the
//! same wherever they are written and every total can be checked by hand (`seed/example/README.md` says how).
#![allow(clippy::print_stdout, reason = "a command line tool talks on stdout")]

mod calendar;
mod company;
mod energy;
mod expected;
mod samples;
mod work;

use std::path::Path;
use std::process::ExitCode;

/// Every file of `seed/example`, by its path there.
fn files() -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = company::FILES
        .iter()
        .map(|(name, text)| (format!("facts/{name}"), (*text).to_owned()))
        .collect();
    files.extend([
        ("facts/workloads.csv".to_owned(), work::workloads()),
        ("facts/placements.csv".to_owned(), work::placements()),
        ("facts/work.csv".to_owned(), work::work()),
        ("facts/samples.csv".to_owned(), samples::samples()),
        (
            "facts/meter_readings.csv".to_owned(),
            energy::meter_readings(),
        ),
        ("expected.toml".to_owned(), expected::totals()),
    ]);
    files
}

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("example");
    for (name, text) in files() {
        let path = folder.join(&name);
        if let Err(error) = std::fs::write(&path, &text) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
        println!("{name}: {} rows", text.lines().count().saturating_sub(1));
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn the_committed_files_are_what_is_written() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("example");
        for (name, text) in super::files() {
            let committed = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
            assert!(
                committed == text,
                "{name} differs: run `cargo run -p seed --bin example` and commit what it writes"
            );
        }
    }
}
