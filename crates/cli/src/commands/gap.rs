//! `truecal gap`: what honesty costs.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;

use super::measures::{self, distinct, measure};
use super::nature::{Draws, nature};
use super::progress::Count;
use super::replacement::Replacement;
use super::stop::Stop;
use super::verify::in_pool;
use super::{Outcome, whole};
use crate::json;
use crate::report::gap::{Contest, Gap, list};
use truecal::Measure;
use truecal::{Progress, Watch};
use truecal_lab::constructions::{ALL, Construction, Duel, RoundsError};
use truecal_lab::forecasters::named;
use truecal_lab::natures;
use truecal_lab::penalty::{Effort, penalty_with};

/// What honesty costs: truthful and strategic forecasters on the paper's constructions
///
/// For each number of rounds, the expected measure of both forecasters, a sum over rounds: exactly,
/// by a dynamic programme over states; or, where that takes too many steps, from random runs, with
/// the standard error. Beside them what the theory says, and a fitted curve.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal gap
  truecal gap hedging
  truecal gap hedging --rounds 10,100,1000 --measure vcal --plot hedging.svg
  truecal gap binary-search --measure ucal,ucal_sub --runs 500
  truecal gap epochs --json
  truecal gap --nature 1/4,1/2,3/4 --forecaster truthful,constant:1/2 --measure stepce_sub
  truecal gap --nature binary-search:8 --forecaster truthful,hedge --measure vcal,stepce

Ctrl-C ends after the comparison at hand (with --nature: the penalty) and prints what was found so \
far; a second Ctrl-C ends it at once.
Exit codes: 0 done, 1 something is not as the theory says, 2 misuse.")]
pub(super) struct Arguments {
    /// The construction [default: a list of them]
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// List the constructions
    #[arg(long, conflicts_with_all = ["name", "rounds", "measure", "json", "csv", "plot"])]
    list: bool,

    /// Instead of a construction: a nature, by probabilities (1/4,1/2), name and rounds
    /// (hedging:40) or TOML file
    #[arg(
        long,
        value_name = "NATURE",
        allow_hyphen_values = true,
        requires = "forecaster",
        conflicts_with_all = ["name", "list", "rounds", "plot"]
    )]
    nature: Option<String>,

    /// The forecasters on it, separated by commas: truthful, constant:P, rounded:D, hedging,
    /// patch-up, strategist, grid-optimal:D, hedge:K
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        requires = "nature",
        conflicts_with = "name"
    )]
    forecaster: Vec<String>,

    /// The numbers of rounds, separated by commas
    #[arg(long, value_name = "T,…", value_delimiter = ',', value_parser = count)]
    rounds: Vec<u64>,

    /// The measures [default: those of the construction]
    #[arg(
        long,
        value_name = "MEASURES",
        value_delimiter = ',',
        value_parser = measure,
        help = measures::list("The measures, instead of those of the construction")
    )]
    measure: Vec<Measure>,

    #[command(flatten)]
    draws: Draws,

    /// The most steps of an exact computation; 0 to draw random runs always
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
    if let Some(nature) = &arguments.nature {
        return contest(arguments, nature);
    }
    let Some(name) = &arguments.name else {
        let Arguments { rounds, measure, json, csv, plot, .. } = arguments;
        return match rounds.is_empty() && measure.is_empty() && !json && !csv && plot.is_none() {
            true => Ok(Outcome { output: list(ALL), code: 0 }),
            false => {
                let names = ALL.iter().map(|construction| construction.name).collect::<Vec<_>>();
                Err(format!("name a construction: {}", names.join(", ")))
            }
        };
    };
    let construction = Construction::named(name).map_err(|error| error.to_string())?;
    let mut rounds = match arguments.rounds.as_slice() {
        [] => construction.rounds.to_vec(),
        rounds => rounds.to_vec(),
    };
    rounds.sort_unstable();
    rounds.dedup();
    for count in &rounds {
        construction.check(*count).map_err(|error| format!("--rounds: {}", advised(&error)))?;
    }
    let measures = chosen(arguments, construction.measures);
    let picture = arguments.plot.as_deref().map(Replacement::prepare).transpose()?;
    let effort = effort(arguments);
    let whole = measures.len() * rounds.len();
    let duels = in_pool(arguments.jobs, || fight(construction, &measures, &rounds, &effort))??;
    let interrupted = duels.len() < whole;
    let gap = Gap { construction, duels: &duels, effort, interrupted };
    let output = match (arguments.json, arguments.csv) {
        (true, _) => json::text(&json::Gap::from(&gap)),
        (_, true) => gap.to_csv(),
        _ => gap.to_text(),
    };
    if let Some(picture) = picture {
        picture.write(&gap.to_plot().to_svg())?;
    }
    Ok(Outcome { output, code: u8::from(!gap.holds()) })
}

/// What is wrong with a number of rounds, and where the same nature goes on without the theory, if
/// it has a name.
fn advised(error: &RoundsError) -> String {
    let mut words = error.to_string();
    if let RoundsError::TooMany { rounds, name, .. } = error
        && natures::named(&format!("{name}:{rounds}")).is_ok()
    {
        let nature = format!("--nature {name}:{rounds} --forecaster truthful");
        words += &format!("; random runs can be drawn of {nature}");
    }
    words
}

fn effort(arguments: &Arguments) -> Effort {
    Effort { steps: arguments.steps, ..arguments.draws.effort() }
}

/// The measures that were asked for, each once, or the usual ones.
fn chosen(arguments: &Arguments, usual: &[Measure]) -> Vec<Measure> {
    distinct(if arguments.measure.is_empty() { usual } else { &arguments.measure })
}

/// Forecasters by name on one nature.
fn contest(arguments: &Arguments, text: &str) -> Result<Outcome, String> {
    let nature = nature(text).map_err(|problem| format!("--nature: {problem}"))?;
    let measures = chosen(arguments, &[Measure::StepCe, Measure::StepCeSub, Measure::UCal]);
    let effort = effort(arguments);
    let whole = measures.len();
    let stop = Stop::new(None)?;
    let bar = Bar::new("penalties", effort.runs, whole * arguments.forecaster.len());
    let penalties = in_pool(arguments.jobs, || -> Result<Vec<_>, String> {
        let mut all = vec![];
        for measure in measures {
            let mut penalties = vec![];
            for name in &arguments.forecaster {
                if !stop.go_on() {
                    return Ok(all);
                }
                let forecaster = named(name, &*nature, measure)
                    .map_err(|problem| format!("--forecaster: {problem}"))?;
                let penalty = bar
                    .during(|watch| penalty_with(&*nature, &*forecaster, measure, &effort, watch));
                penalties.push(penalty.map_err(|error| format!("--nature: {error}"))?);
            }
            all.push((measure, penalties));
        }
        Ok(all)
    })??;
    drop(bar);
    let contest = Contest {
        nature: text,
        rounds: nature.rounds(),
        forecasters: &arguments.forecaster,
        penalties: &penalties,
        effort,
        interrupted: penalties.len() < whole,
    };
    let output = match (arguments.json, arguments.csv) {
        (true, _) => json::text(&json::Gap::from(&contest)),
        (_, true) => contest.to_csv(),
        _ => contest.to_text(),
    };
    Ok(Outcome { output, code: 0 })
}

/// A bar for some tasks that count alike, whether they draw random runs or not.
struct Bar {
    share: u64,
    count: Count,
}

impl Bar {
    /// For so many tasks of so many runs.
    fn new(name: &'static str, share: u64, tasks: usize) -> Self {
        Bar { share, count: Count::new(name, share * tasks as u64) }
    }

    /// Does one of the tasks.
    fn during<T>(&self, task: impl FnOnce(&Watch<'_>) -> T) -> T {
        let drawn = AtomicU64::new(0);
        let tell = |news: Progress<'_>| {
            if let Progress::Done(more) = news {
                drawn.fetch_add(more, Ordering::Relaxed);
            }
            self.count.tell(news);
        };
        let result = task(&Watch::new(&|| true, &tell));
        self.count.add(self.share - drawn.into_inner().min(self.share));
        result
    }
}

/// All comparisons, until somebody has had enough.
fn fight(
    construction: &Construction,
    measures: &[Measure],
    rounds: &[u64],
    effort: &Effort,
) -> Result<Vec<Duel>, String> {
    let stop = Stop::new(None)?;
    let bar = Bar::new(construction.name, 2 * effort.runs, measures.len() * rounds.len());
    let mut duels = vec![];
    for measure in measures {
        for count in rounds {
            if !stop.go_on() {
                return Ok(duels);
            }
            duels.push(bar.during(|watch| construction.compare(*count, *measure, effort, watch)));
        }
    }
    Ok(duels)
}

/// A number of rounds, like 1000 or 1e3.
fn count(text: &str) -> Result<u64, String> {
    whole(text.trim()).ok_or_else(|| "give whole numbers, such as 1000 or 1e3".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the theory ends, the nature may go on under its name.
    #[test]
    fn too_many_rounds_may_have_another_way() {
        let advised = |name, rounds| {
            let construction = Construction::named(name).expect("one of the list");
            advised(&construction.check(rounds).expect_err("too many"))
        };
        assert_eq!(
            advised("hedging", 2002),
            "2002 rounds: hedging goes up to 2000; random runs can be drawn of \
             --nature hedging:2002 --forecaster truthful"
        );
        assert_eq!(advised("distinct", 2001), "2001 rounds: distinct goes up to 2000");
    }
}
