//! `truecal refute`: a conjecture put to the test.

use clap::Args;

use super::Outcome;
use super::measures;
use super::progress::Meter;
use super::stop::Stop;
use super::verify::in_pool;
use crate::json::{self, Refute};
use crate::report::SUBSET_BUDGET;
use crate::report::refute::{Ended, Judged, Refuted};
use truecal::{Measure, Watch};
use truecal_check::law::{Law, LawError, Mistake, Quantity};
use truecal_verify::enumeration::{MAX_DENOMINATOR, MAX_ROUNDS, is_apart};
use truecal_verify::evidence::levels_of_columns;
use truecal_verify::refute::{Budget, Instance, Stopped, refute};

/// Test a conjecture: the smallest counterexample, or how far it stands
///
/// Looks for a table of forecasts where the inequality fails: fewest rounds first, then the
/// smallest common denominator of the predictions, then lexicographic. For each number of rounds
/// every table on the grids 1/1, 1/2, …, 1/D is tried; then a certificate for all real predictions
/// is looked for, which proves the conjecture for so many rounds or refutes it off the grid; and
/// where there is neither, linear programmes climb from the tables that came closest.
#[derive(Args)]
#[command(after_long_help = language())]
pub(super) struct Arguments {
    /// The conjecture, like 'stepce >= ucal/7'
    #[arg(value_name = "LAW", allow_hyphen_values = true)]
    law: String,

    /// Only judge it at this sequence: outcomes and predictions, like --at 1,0 1/2,1
    #[arg(
        long,
        num_args = 2,
        value_names = ["OUTCOMES", "PREDICTIONS"],
        conflicts_with_all = ["max_rounds", "grid", "seconds", "cases", "jobs"]
    )]
    at: Option<Vec<String>>,

    #[command(flatten)]
    reach: Reach,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The measures with which a search takes longer.
fn slow() -> impl Iterator<Item = Measure> {
    let averages = Measure::ALL.into_iter().filter(|m| m.subsampled_from().is_some());
    averages.filter(|measure| is_apart(*measure))
}

/// How far a search goes.
#[derive(Args)]
pub(super) struct Reach {
    /// The largest number of rounds
    #[arg(
        long,
        help = format!(
            "The largest number of rounds of the search on grids [default: 6; 4 for `tight`, and \
                with {}]; longer random sequences are tried besides",
            measures::in_words(slow(), "or")
        ),
        value_name = "T",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ROUNDS))
    )]
    max_rounds: Option<u32>,

    /// The largest denominator of the predictions
    #[arg(
        long,
        help = format!(
            "The largest denominator of the predictions [default: 12; 8 with {}]",
            measures::in_words(slow(), "or")
        ),
        value_name = "D",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DENOMINATOR))
    )]
    grid: Option<u32>,

    /// Stop after so many tables on grids: unlike --seconds, the same on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,

    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,

    /// The number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Reach {
    /// The usual budget, with what was asked for instead.
    pub fn budget(&self, usual: &Budget) -> Result<Budget, String> {
        let budget = Budget {
            max_rounds: self.max_rounds.unwrap_or(usual.max_rounds),
            grid: self.grid.unwrap_or(usual.grid),
            cases: self.cases,
        };
        budget.check().map(|()| budget).map_err(|error| error.to_string())
    }

    /// Does a search under watch. Returns also why it ended early.
    pub fn search<T: Send>(
        &self,
        search: impl FnOnce(&Watch<'_>) -> T + Send,
        stopped: impl FnOnce(&T) -> Option<Stopped>,
    ) -> Result<(T, Option<Ended>), String> {
        let stop = Stop::new(self.seconds)?;
        let result = in_pool(self.jobs, || {
            let meter = Meter::new();
            search(&Watch::new(&|| stop.go_on(), &|news| meter.tell(news)))
        })?;
        let reason = stopped(&result).map(|stopped| match stopped {
            Stopped::Cases => Ended::Cases,
            Stopped::Asked if stop.interrupted() => Ended::Interrupted,
            Stopped::Asked => Ended::Seconds,
        });
        Ok((result, reason))
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let law: Law = arguments.law.parse().map_err(|error| in_words(&error))?;
    let output = match arguments.at.as_deref() {
        Some([outcomes, predictions]) => {
            let levels = levels_of_columns(outcomes, predictions)
                .map_err(|problem| format!("--at {outcomes} {predictions}: {problem}"))?;
            let too_costly = |quantity: &Quantity| match quantity {
                Quantity::Measure(measure) => {
                    levels.cost(*measure).is_none_or(|cost| cost > SUBSET_BUDGET)
                }
                _ => false,
            };
            if law.quantities().iter().any(too_costly) {
                return Err(format!(
                    "--at: averages over the subsets of {} rounds take too long; use fewer rounds",
                    levels.rounds()
                ));
            }
            let judged = Judged { law: &law, instance: &Instance::of_levels(&levels) };
            match arguments.json {
                true => json::text(&Refute::from(&judged)),
                false => judged.to_text(),
            }
        }
        _ => {
            let budget = arguments.reach.budget(&Budget::usual(&law))?;
            let search = |watch: &Watch<'_>| refute(&law, &budget, watch);
            let (answer, stopped) = arguments.reach.search(search, |answer| answer.stopped)?;
            let refuted = Refuted { law: &law, budget: &budget, answer: &answer, stopped };
            match arguments.json {
                true => json::text(&Refute::from(&refuted)),
                false => refuted.to_text(),
            }
        }
    };
    Ok(Outcome { output, code: 0 })
}

/// What is wrong with a law, with the names that it can use.
pub(super) fn in_words(error: &LawError) -> String {
    match error.mistake() {
        Mistake::UnknownName { .. } => error.to_string(),
        _ => format!(
            "{error}\nknown names: {}",
            Mistake::known_names().collect::<Vec<_>>().join(" ")
        ),
    }
}

fn language() -> String {
    LANGUAGE.replace("{measures}", &Measure::ALL.map(Measure::key).join(" "))
}

const LANGUAGE: &str = "\
The language:
  law         comparison, or comparison => comparison: if the first, then the second
  comparison  two expressions with <= >= < > or == between them
  expression  + - * / and parentheses, sqrt(a), abs(a), max(a, b, …), min(a, b, …);
              a divisor is a number, and one comparison has roots of at most two different
              expressions
  number      12, 0.25, 1/3
  measures    {measures}
  and         T (rounds), m (distinct predictions), ones (events), bias (sum of x - p),
              var (sum of p(1-p)), squares (sum of (x-p)^2)

Examples:
  truecal refute 'stepce >= ucal/7'                     refuted with three rounds
  truecal refute 'stepce >= ucal/8'                     proved for every T
  truecal refute 'ece <= 6*stepce'                      refuted off the grid
  truecal refute 'ucal == 0 => abs(bias) <= T/4'
  truecal refute 'm == 1 => stepce == ece'
  truecal refute 'stepce_sub <= stepce/2 + sqrt(T)/5 + sqrt(var)/5' --max-rounds 5
  truecal refute 'signce <= 3*stepce' --at 1,0 1/2,1    what it says of one sequence

Ctrl-C ends the search and prints what was found so far; a second Ctrl-C ends it at once.
Exit codes: 0 an answer was found, either way; 2 misuse, or a conjecture that cannot be read.";
