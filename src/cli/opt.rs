//! `truecal opt`: the best forecaster of a nature.

use clap::Args;
use num_rational::BigRational;

use super::Outcome;
use super::progress::Progress;
use crate::measure::Measure;
use crate::prediction::Prediction;
use crate::refute::Watch;
use crate::report::opt::{Answer, Entry, Named, Optima};
use crate::truthfulness::optimum::{
    GRID_BUDGET, MAX_EXACT_ROUNDS, MAX_GRID_DENOMINATOR, MAX_TREE_ROUNDS, OutcomeTree, TreeError,
    TreeForecaster, check, exact, has_exact_optimum, on_grid, variance_bound,
};

/// The most rounds for which a grid is searched without being asked.
const USUAL_GRID_ROUNDS: usize = 5;

/// The denominator of that grid.
const USUAL_GRID: u32 = 12;

/// The best forecaster of a nature: what the truth costs, and what a lie would
///
/// A nature says how probable the event is in the next round after each past; a forecaster who knows it makes the expected measure
/// as small as possible. Up to 3 rounds the optimum is over all real predictions, with a certificate that is checked. Beyond, and
/// for UCal, smCE and their averages over subsets, it is over the predictions on a grid, which is an upper bound.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal opt --nature 1/4,1/2                            independent rounds
  truecal opt --nature 1/2,0,1 --measure stepce,stepce_sub
  truecal opt --nature '1/2; 1/4,3/4'                     after 0 and after 1
  truecal opt --nature 0.1,0.2,0.3,0.4 --measure ucal --grid 8

Exit codes: 0 done, 2 bad input or misuse (with nothing on standard output).")]
pub(super) struct Arguments {
    /// The probability of the event in each round, separated by commas; or, with semicolons between rounds, after each past: none; 0, 1;
    /// 00, 01, 10, 11; …
    #[arg(long, value_name = "PROBABILITIES", allow_hyphen_values = true)]
    nature: String,

    /// The measures, separated by commas
    #[arg(long, value_name = "MEASURES", value_delimiter = ',', value_parser = measure, default_value = "stepce_sub")]
    measure: Vec<Measure>,

    /// Only predictions in multiples of 1/D [default: all real predictions where that is possible, else 1/12 up to 5 rounds]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_GRID_DENOMINATOR)))]
    grid: Option<u32>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let nature =
        parse_nature(&arguments.nature).map_err(|problem| format!("--nature: {problem}"))?;
    let mut entries = vec![];
    let mut progress = Progress::new();
    for &measure in &arguments.measure {
        progress.show(|| format!("{measure}: the best forecaster"));
        let truth = nature.penalty(&TreeForecaster::truthful(&nature), measure);
        let answer = answer(&nature, measure, arguments.grid)?;
        entries.push(Entry { measure, truth, answer });
    }
    drop(progress);
    let optima = Optima { nature: &nature, entries };
    let output = match arguments.json {
        true => format!("{:#}\n", optima.to_json()),
        false => optima.to_text(),
    };
    Ok(Outcome { output, code: 0 })
}

/// By the method that goes furthest.
fn answer(nature: &OutcomeTree, measure: Measure, grid: Option<u32>) -> Result<Answer, String> {
    let rounds = nature.rounds();
    if grid.is_none() && rounds <= MAX_EXACT_ROUNDS && has_exact_optimum(measure) {
        let optimum =
            exact(nature, measure, &Watch::silent()).map_err(|error| error.to_string())?;
        check(nature, measure, &optimum)
            .map_err(|rejection| format!("{measure}: the certificate is rejected: {rejection}"))?;
        return Ok(Answer::Exact(optimum));
    }
    if grid.is_some() || rounds <= USUAL_GRID_ROUNDS {
        let denominator = grid.unwrap_or(USUAL_GRID);
        let optimum = on_grid(nature, measure, denominator, GRID_BUDGET)
            .map_err(|error| format!("--grid {denominator}: {error}"))?;
        return Ok(Answer::Grid { denominator, optimum });
    }
    let independent = nature.independent();
    let lower = (independent.is_some() && measure == Measure::StepCeSub)
        .then(|| variance_bound(&nature.variance()));
    Ok(Answer::Bounds { lower, upper: named(nature, measure) })
}

/// Forecasters that anybody can be.
fn named(nature: &OutcomeTree, measure: Measure) -> Vec<Named> {
    let half = BigRational::new(1.into(), 2.into());
    let events = nature.law().map(|(x, chance)| {
        chance * BigRational::from_integer(x.iter().filter(|x| **x).count().into())
    });
    let mean = events.sum::<BigRational>() / BigRational::from_integer(nature.rounds().into());
    let certain = |past: &[bool]| {
        let likely = *nature.probability(past) > half;
        BigRational::from_integer(u8::from(likely).into())
    };
    let forecasters = [
        ("always the mean", TreeForecaster::new(nature.rounds(), |_| mean.clone())),
        ("0 or 1, whichever is nearer", TreeForecaster::new(nature.rounds(), certain)),
    ];
    let penalty = |(name, forecaster): (&'static str, Result<TreeForecaster, TreeError>)| {
        let penalty = nature.penalty(&forecaster.ok()?, measure);
        Some(Named { name, penalty })
    };
    forecasters.into_iter().filter_map(penalty).collect()
}

/// Reads probabilities: one for each round, or one after each past.
fn parse_nature(text: &str) -> Result<OutcomeTree, String> {
    let numbers = |part: &str| -> Result<Vec<BigRational>, String> {
        let number = |cell: &str| match cell.trim().parse::<Prediction>() {
            Ok(prediction) => Ok(prediction.to_rational()),
            Err(error) => {
                let cell: String = cell.trim().chars().take(60).collect();
                Err(format!("{cell:?} is not a probability: {error}"))
            }
        };
        part.split(',').map(number).collect()
    };
    if text.trim().is_empty() {
        return Err("no probabilities; give one for each round, like 1/4,1/2".to_owned());
    }
    let too_many = || format!("more than {MAX_TREE_ROUNDS} rounds, which is the most");
    if !text.contains(';') {
        let probabilities = numbers(text)?;
        if probabilities.len() > MAX_TREE_ROUNDS {
            return Err(too_many());
        }
        return OutcomeTree::product(&probabilities).map_err(|error| error.to_string());
    }
    let rounds = text.split(';').map(numbers).collect::<Result<Vec<_>, _>>()?;
    if rounds.len() > MAX_TREE_ROUNDS {
        return Err(too_many());
    }
    for (t, probabilities) in rounds.iter().enumerate() {
        let (found, pasts) = (probabilities.len(), 1 << t);
        if found != 1 && found != pasts {
            return Err(format!(
                "round {}: {found} probabilities; give 1, or {pasts}: one after each past",
                t + 1
            ));
        }
    }
    OutcomeTree::new(rounds.len(), |past| {
        let place = past.iter().fold(0, |place, x| 2 * place + usize::from(*x));
        let probabilities = &rounds[past.len()];
        probabilities[place.min(probabilities.len() - 1)].clone()
    })
    .map_err(|error| error.to_string())
}

fn measure(key: &str) -> Result<Measure, String> {
    let found = Measure::ALL.into_iter().find(|measure| measure.key() == key.trim());
    found.ok_or_else(|| {
        let keys = Measure::ALL.map(Measure::key);
        let near = crate::suggest::nearest(key.trim(), keys.into_iter());
        let near = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
        format!("{near}the measures are {}", keys.join(", "))
    })
}
