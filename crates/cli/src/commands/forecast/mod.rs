//! `truecal forecast`: the forecaster of thm:alg, online, against an adversary, or on top of a
//! model.

mod online;
mod recalibrate;

use std::path::PathBuf;

use clap::Args;

use super::measure::delimiter;
use super::progress::Count;
use super::replacement::Replacement;
use super::stop::Stop;
use super::{Outcome, whole};
use crate::json::{self, Forecast};
use crate::report::forecast::Duelled;
use num_rational::BigRational;
use truecal::{Progress, Watch, nearest_f64};
use truecal_lab::hedge::adversary::named;
use truecal_lab::hedge::{
    Grouping, HedgeError, HedgeForecaster, MAX_BUCKETS, MAX_ROUNDS, default_buckets, duel,
};

/// Forecast online against any adversary, with stepCE of order sqrt(T log T) guaranteed
///
/// Prints a prediction, reads what happened from standard input (0 or 1, or false or true, one on
/// each line), prints the next prediction, and so on; each line is written at once, so that another
/// program can hold the other end. At the end of the input, or at Ctrl-C, the calibration of what
/// was said goes to standard error.
///
/// The algorithm is Hedge over thresholds (thm:alg of the paper). Each prediction is drawn from at
/// most two neighbouring grid points, and in expectation over these draws stepCE is below a bound
/// that is printed, against every adaptive adversary: one that knows the past and the algorithm,
/// but not its next draw.
///
/// With --from it recalibrates a model instead: it reads a CSV file of its predictions and their
/// outcomes, in the order of the rounds, and writes the file with one more column. Rounds are in
/// groups by what the model predicts, and each group has a forecaster of its own, which learns from
/// the earlier rounds of its group alone. So the bound holds in each group for the rounds of that
/// group, and the sum of these bounds is one for stepCE of all rounds.
#[derive(Args)]
#[command(after_long_help = "\
Adversaries, for --against:
  greedy       makes the expected stepCE after the round as large as it can, and so gets stuck
  potential    makes the expected sum of the weights of Hedge as large as it can
  contrarian   1 if the mean prediction is below 1/2, otherwise 0
  random       fair coins
  biased:Q     1 with probability Q, such as biased:0.3
  optimal      the worst there is, by searching the whole game: for a few rounds only

Examples:
  truecal forecast --rounds 1000 < outcomes.txt
  truecal forecast --state run.json                       go on where it was interrupted
  truecal forecast --against potential --rounds 1e5 --plot duel.svg
  truecal forecast --against optimal --rounds 5 --buckets 3 --json
  truecal forecast --from model.csv --p score --y clicked --out recalibrated.csv

With --from, outcomes may be blank in the last rows, one in each group: these are the rounds to
come, which get a forecast, too. When rows are added, the forecasts of earlier ones stay the same as
long as --groups, --rounds, --buckets and --seed do. The file is held in memory, and every byte of
it is kept.

Exit codes: 0 done, 2 bad input or misuse.")]
pub(super) struct Arguments {
    /// For how many rounds, such as 1000 or 1e5, with --from in each group at most [default: any
    /// number, by restarts for 1, 2, 4, … rounds]
    #[arg(long, value_name = "N", value_parser = rounds)]
    rounds: Option<u64>,

    /// How many grid points 0, 1/(K-1), …, 1 there are [default: about the square root of the
    /// number of rounds]
    #[arg(long, value_name = "K", value_parser = buckets)]
    buckets: Option<usize>,

    /// The seed of everything that is drawn at random [default: 1]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Print predictions as fractions, not as the nearest double
    #[arg(long, conflicts_with = "against")]
    exact: bool,

    /// After each prediction, also print the points that it was drawn from, each followed by its
    /// probability
    #[arg(long, conflicts_with = "against")]
    mixture: bool,

    /// Keep the run in this file: go on from it if it exists, and write it at the end, at Ctrl-C or
    /// when asked to terminate
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    state: Option<PathBuf>,

    /// Do not read outcomes, but let this adversary choose them, and print how stepCE grows
    #[arg(long, value_name = "ADVERSARY", requires = "rounds")]
    against: Option<String>,

    /// With --against, write a picture of it to this file (SVG)
    #[arg(long, value_name = "FILE", requires = "against")]
    plot: Option<PathBuf>,

    /// Recalibrate the predictions in this CSV file; - for standard input
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["mixture", "state", "against", "plot"]
    )]
    from: Option<PathBuf>,

    /// With --from, the column of outcomes [default: the one named y_true, y, label, outcome, x or
    /// event]
    #[arg(long, value_name = "NAME", requires = "from")]
    y: Option<String>,

    /// With --from, the column of predictions [default: the one named y_prob, p, prob, probability,
    /// forecast or prediction]
    #[arg(long, value_name = "NAME", requires = "from")]
    p: Option<String>,

    /// With --from, how many groups of equal width there are by the model's prediction, or
    /// `distinct` for one for each distinct prediction [default: 10]
    #[arg(long, value_name = "G", requires = "from", value_parser = recalibrate::groups)]
    groups: Option<Grouping>,

    /// With --from, the name of the column to add [default: recalibrated]
    #[arg(long, value_name = "NAME", requires = "from", value_parser = recalibrate::column)]
    column: Option<String>,

    /// With --from, what stands between cells [default: comma, tab or semicolon, whichever the
    /// header has most of]
    #[arg(long, value_name = "CHARACTER", requires = "from", value_parser = delimiter)]
    delimiter: Option<u8>,

    /// With --from, write to this file, whole or not at all, instead of standard output
    #[arg(long, value_name = "FILE", requires = "from")]
    out: Option<PathBuf>,

    /// JSON for the report at the end, which goes to standard error, or with --against to standard
    /// output
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// A forecaster as asked for.
    fn forecaster(&self) -> Result<HedgeForecaster, String> {
        let forecaster = match self.rounds {
            None => HedgeForecaster::doubling(self.buckets),
            Some(rounds) => {
                HedgeForecaster::new(rounds, self.buckets.unwrap_or(default_buckets(rounds)))
            }
        };
        forecaster.map_err(|error| error.to_string())
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    if let Some(file) = &arguments.from {
        return recalibrate::run(arguments, file);
    }
    match (&arguments.against, arguments.rounds) {
        (Some(adversary), Some(rounds)) => against(arguments, adversary, rounds),
        _ => online::run(arguments),
    }
}

fn against(arguments: &Arguments, adversary: &str, rounds: u64) -> Result<Outcome, String> {
    let mut forecaster = arguments.forecaster()?;
    let buckets = forecaster.buckets();
    let mut adversary =
        named(adversary, rounds, buckets).map_err(|error| format!("--against: {error}"))?;
    // What is needed at the end is fetched before the work.
    let plot = arguments.plot.as_deref().map(Replacement::prepare).transpose()?;
    let stop = Stop::new(None)?;
    let count = Count::new("rounds", rounds);
    let (go_on, tell) = (|| stop.go_on(), |news: Progress<'_>| count.tell(news));
    let seed = arguments.seed();
    let watch = Watch::new(&go_on, &tell);
    let checkpoints = duel(&mut forecaster, &mut *adversary, rounds, seed, &watch)
        .map_err(|error: HedgeError| error.to_string())?;
    drop(count);
    let name = adversary.name();
    let duelled = Duelled { adversary: &name, rounds, buckets, seed, checkpoints: &checkpoints };
    if let Some(plot) = plot {
        plot.write(&duelled.to_plot().to_svg())?;
    }
    let output = match arguments.json {
        true => json::text(&Forecast::from(&duelled)),
        false => duelled.to_text(),
    };
    Ok(Outcome { output, code: 0 })
}

/// A number as it is printed.
fn number(value: &BigRational, exact: bool) -> String {
    match exact {
        true => value.to_string(),
        false => nearest_f64(value).to_string(),
    }
}

fn rounds(text: &str) -> Result<u64, String> {
    let within = whole(text).filter(|rounds| (1..=MAX_ROUNDS).contains(rounds));
    within.ok_or_else(|| "give a whole number from 1 to 1e12, such as 1000 or 1e5".to_owned())
}

fn buckets(text: &str) -> Result<usize, String> {
    let within = whole(text).filter(|buckets| (2..=MAX_BUCKETS as u64).contains(buckets));
    let within = within.and_then(|buckets| usize::try_from(buckets).ok());
    within.ok_or_else(|| format!("give a whole number from 2 to {MAX_BUCKETS}, such as 101"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecal_lab::hedge::adversary::NAMES;

    #[test]
    fn numbers_are_within_limits() {
        assert_eq!(rounds("1e12"), Ok(MAX_ROUNDS));
        assert!(rounds("0").is_err() && rounds("1e13").is_err() && buckets("1").is_err());
    }

    /// The help lists what there is.
    #[test]
    fn every_adversary_is_in_the_help() {
        let command = <Arguments as clap::Args>::augment_args(clap::Command::new("forecast"));
        let help = command.get_after_long_help().expect("examples").to_string();
        for (name, words) in NAMES {
            assert!(help.contains(&format!("  {name:<10}   {words}\n")), "{name}");
        }
    }
}
