//! The binary: reads the command line, runs one command, and turns its failure into two lines and an exit code.

use std::process::ExitCode;

use backend::command;

fn main() -> ExitCode {
    command::main()
}
