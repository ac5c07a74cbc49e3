//! `truecal gap`: what honesty costs.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;

use super::Outcome;
use super::measure::measure;
use super::progress::Count;
use super::replacement::Replacement;
use super::stop::Stop;
use super::verify::in_pool;
use crate::measure::Measure;
use crate::report::gap::{Gap, list};
use crate::truthfulness::Effort;
use crate::truthfulness::constructions::{ALL, Construction, Duel};

/// What honesty costs: truthful and strategic forecasters on the paper's constructions
///
/// For each number of rounds, the expected measure of both forecasters: exactly, by following all courses of events, those that are remembered alike together; or,
/// where that takes too many steps, from random courses, with the standard error. Beside them what the theory says, and a fitted curve.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal gap --list
  truecal gap hedging
  truecal gap hedging --rounds 10,100,1000 --measure vcal --plot hedging.svg
  truecal gap binary-search --measure ucal,ucal_sub --runs 500
  truecal gap epochs --json

Ctrl-C ends after the comparison at hand and prints what was found so far; a second Ctrl-C ends it at once.
Exit codes: 0 done, 1 something is not as the theory says, 2 misuse.")]
pub(super) struct Arguments {
    /// The construction
    #[arg(value_name = "NAME", required_unless_present = "list")]
    name: Option<String>,

    /// List the constructions
    #[arg(long, conflicts_with_all = ["name", "rounds", "measure", "json", "csv", "plot"])]
    list: bool,

    /// The numbers of rounds, separated by commas
    #[arg(long, value_name = "T,…", value_delimiter = ',', value_parser = count)]
    rounds: Vec<u64>,

    /// The measures, separated by commas [default: those of the construction]
    #[arg(long, value_name = "MEASURES", value_delimiter = ',', value_parser = measure)]
    measure: Vec<Measure>,

    /// How many random courses are drawn where the expectation is not computed exactly
    #[arg(long, value_name = "N", default_value_t = Effort::default().runs, value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    runs: u64,

    /// The seed of these
    #[arg(long, value_name = "S", default_value_t = Effort::default().seed)]
    seed: u64,

    /// The most steps of an exact computation; 0 to draw random courses always
    #[arg(long, value_name = "N", default_value_t = Effort::default().steps)]
    steps: u64,

    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print CSV
    #[arg(long)]
    csv: bool,

    /// Also draw a picture of the first measure, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// The number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let Some(name) = &arguments.name else { return Ok(Outcome { output: list(ALL), code: 0 }) };
    let construction = Construction::named(name)?;
    let mut rounds = match arguments.rounds.as_slice() {
        [] => construction.rounds.to_vec(),
        rounds => rounds.to_vec(),
    };
    rounds.sort_unstable();
    rounds.dedup();
    for count in &rounds {
        construction.check(*count).map_err(|problem| format!("--rounds: {problem}"))?;
    }
    let mut measures = arguments.measure.clone();
    if measures.is_empty() {
        measures = construction.measures.to_vec();
    }
    let mut seen = std::collections::HashSet::new();
    measures.retain(|measure| seen.insert(*measure));
    let picture = arguments.plot.as_deref().map(Replacement::prepare).transpose()?;
    let effort = Effort { steps: arguments.steps, runs: arguments.runs, seed: arguments.seed };
    let whole = measures.len() * rounds.len();
    let duels = in_pool(arguments.jobs, || fight(construction, &measures, &rounds, &effort))??;
    let interrupted = duels.len() < whole;
    let gap = Gap { construction, duels: &duels, effort, interrupted };
    let output = match (arguments.json, arguments.csv) {
        (true, _) => format!("{:#}\n", gap.to_json()),
        (_, true) => gap.to_csv(),
        _ => gap.to_text(),
    };
    if let Some(picture) = picture {
        picture.write(&gap.to_plot().to_svg())?;
    }
    Ok(Outcome { output, code: u8::from(!gap.holds()) })
}

/// All comparisons, until somebody has had enough.
fn fight(
    construction: &Construction,
    measures: &[Measure],
    rounds: &[u64],
    effort: &Effort,
) -> Result<Vec<Duel>, String> {
    let stop = Stop::new(None)?;
    // Each comparison counts as the runs of both forecasters, whether they are drawn or not.
    let share = 2 * effort.runs;
    let whole = share * (measures.len() * rounds.len()) as u64;
    let progress = Count::new(construction.name, whole);
    let mut duels = vec![];
    for measure in measures {
        for count in rounds {
            if !stop.go_on() {
                return Ok(duels);
            }
            let drawn = AtomicU64::new(0);
            let watch = |more: u64| {
                drawn.fetch_add(more, Ordering::Relaxed);
                progress.add(more);
            };
            duels.push(construction.compare(*count, *measure, effort, &watch));
            progress.add(share - drawn.into_inner().min(share));
        }
    }
    Ok(duels)
}

/// A number of rounds, like 1000 or 1e3.
fn count(text: &str) -> Result<u64, String> {
    let problem = || format!("{text:?} is not a whole number, like 1000 or 1e3");
    let (digits, power) = text.trim().split_once(['e', 'E']).unwrap_or((text.trim(), "0"));
    let digits: u64 = digits.parse().map_err(|_| problem())?;
    let power: u32 = power.parse().map_err(|_| problem())?;
    10_u64.checked_pow(power).and_then(|scale| digits.checked_mul(scale)).ok_or_else(problem)
}
