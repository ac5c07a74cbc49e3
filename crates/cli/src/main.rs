//! The `truecal` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    truecal_cli::commands::run()
}
