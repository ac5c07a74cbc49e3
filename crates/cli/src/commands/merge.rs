//! `truecal merge`: the shards of a run, put together.

use std::path::PathBuf;

use clap::Args;

use super::Outcome;
use super::verify::{Verdict, read};
use crate::json::{Record, merge};

/// Put the shards of a run together
///
/// Reads the JSON of `truecal verify --shard I/N --json` for every I from 1 to N, in any order, and
/// prints what the whole run would have printed. Refuses shards of different runs, and an
/// incomplete set.
#[derive(Args)]
#[command(
    after_long_help = "Exit codes: 0 the statuses are the expected ones, 1 some are not, 2 misuse."
)]
pub(super) struct Arguments {
    /// The JSON files, all shards of one run
    #[arg(required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    verdict: Verdict,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let mut shards = vec![];
    for path in &arguments.files {
        let name = path.display().to_string();
        let record = Record::read(&read(path)?).map_err(|error| format!("{name}: {error}"))?;
        shards.push((name, record));
    }
    let (rows, options, seconds) = merge(shards).map_err(|error| error.to_string())?;
    arguments.verdict.judge(rows.len(), &options)?.conclude(&rows, &options, seconds)
}
