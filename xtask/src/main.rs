//! What a contributor repeats and cargo alone does not do: the page bundle and the house rules.
//!
//! Called as `cargo xtask page` and `cargo xtask tidy`; `make` calls the same.
#![allow(clippy::print_stdout, reason = "a command line tool talks on stdout")]

mod failure;
mod page;
mod tidy;
mod tree;

use std::process::ExitCode;

use failure::Failure;

const USAGE: &str = "\
cargo xtask page   build the page for the browser into dist/
cargo xtask tidy   check the house rules: arrows, file sizes, texts, paths in the documents";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<(), Failure> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = tree::root()?;
    match words.as_slice() {
        ["page"] => page::build(&root),
        ["tidy"] => tidy::run(&root),
        _ => Err(Failure::new(format!("usage:\n{USAGE}"))),
    }
}
