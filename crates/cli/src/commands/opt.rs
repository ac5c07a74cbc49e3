//! `truecal opt`: the best forecaster of a nature.

use clap::Args;
use num_rational::BigRational;

use super::Outcome;
use super::measures::{self, distinct, measure};
use super::nature::{Draws, nature};
use super::progress::Clock;
use super::verify::in_pool;
use crate::json::{self, Opt};
use crate::report::gap::Contest;
use crate::report::opt::{Answer, Beyond, Entry, Named, Optima};
use truecal::Measure;
use truecal::TableTooLarge;
use truecal::Watch;
use truecal::rational::{int, ratio};
use truecal_lab::forecasters::{NotATree, outcome_tree};
use truecal_lab::optimum::{
    GRID_BUDGET, MAX_EXACT_ROUNDS, MAX_GRID_DENOMINATOR, OutcomeTree, TreeError, TreeForecaster,
    check, exact, has_exact_optimum, lower_bound, on_grid,
};
use truecal_lab::penalty::penalty;
use truecal_lab::{Blocks, Constant, Forecaster, Nature, RoundedTruth, Truthful};

/// The most rounds for which a grid is searched without being asked.
const USUAL_GRID_ROUNDS: usize = 5;

/// The denominator of that grid.
const USUAL_GRID: u32 = 12;

/// The optimal forecaster of a nature, and what it gains over truthful forecasts
#[derive(Args)]
#[command(
    long_about = format!(
        "The optimal forecaster of a nature, and what it gains over truthful forecasts\n\n\
        A nature says how probable the event is in the next round after each past; a forecaster \
        who knows it makes the expected measure as small as possible. Up to {MAX_EXACT_ROUNDS} \
        rounds the optimum is over all real predictions, with a certificate that is checked. \
        Beyond, and for {}, it is over the predictions on a grid, which is an upper bound.",
        measures::in_words(
            Measure::ALL.into_iter().filter(|measure| !has_exact_optimum(*measure)),
            "and"
        )
    ),
    after_long_help = "\
Examples:
  truecal opt --nature 1/4,1/2                            independent rounds
  truecal opt --nature 1/2,0,1 --measure stepce,stepce_sub
  truecal opt --nature '1/2; 1/4,3/4'                     after 0 and after 1
  truecal opt --nature patch-up:4                         by name and rounds
  truecal opt --nature nature.toml                        from a file
  truecal opt --nature fair:100                           bounds
  truecal opt --nature 0.1,0.2,0.3,0.4 --measure ucal --grid 8

Ctrl-C ends it at once, with nothing on standard output.
Exit codes: 0 done, 2 bad input or misuse (with nothing on standard output)."
)]
pub(super) struct Arguments {
    /// The probability of the event in each round, separated by commas; or, with semicolons between
    /// rounds, after each past: none; 0, 1; 00, 01, 10, 11; …; or a name with a number of rounds,
    /// like hedging:4; or a TOML file
    #[arg(long, value_name = "NATURE", allow_hyphen_values = true)]
    nature: String,

    /// The measures
    #[arg(
        long,
        help = measures::list("The measures"),
        value_name = "MEASURES",
        value_delimiter = ',',
        value_parser = measure,
        default_value = Measure::StepCeSub.key()
    )]
    measure: Vec<Measure>,

    /// Only predictions in multiples of 1/D [default: all real predictions where that is possible,
    /// else 1/12 up to 5 rounds]
    #[arg(
        long,
        value_name = "D",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_GRID_DENOMINATOR))
    )]
    grid: Option<u32>,

    #[command(flatten)]
    draws: Draws,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let text = arguments.nature.trim();
    let nature = nature(text).map_err(|problem| format!("--nature: {problem}"))?;
    match (outcome_tree(&*nature), arguments.grid) {
        (Ok(tree), _) => in_tree(arguments, &tree),
        (Err(problem @ NotATree::Tree(_)), _) => Err(format!("--nature: {problem}")),
        (Err(problem), Some(_)) => Err(format!("--grid: {problem}")),
        (Err(_), None) => beyond_trees(arguments, text, &*nature),
    }
}

/// Only bounds: from above by a few forecasters, from below by the variance of independent rounds.
fn beyond_trees(arguments: &Arguments, text: &str, nature: &dyn Nature) -> Result<Outcome, String> {
    let effort = arguments.draws.effort();
    let measures = distinct(&arguments.measure);
    let mut forecasters: Vec<(String, Box<dyn Forecaster>)> =
        vec![("truthful".to_owned(), Box::new(Truthful))];
    let mean = nature.independent().map(Blocks::mean).unwrap_or_else(|| ratio(1, 2));
    let constant = mean.try_into().expect("a mean of probabilities");
    forecasters.push((format!("constant:{constant}"), Box::new(Constant(constant))));
    forecasters.push(("rounded:10".to_owned(), Box::new(RoundedTruth::to(10))));
    let penalties = in_pool(None, || -> Result<Vec<_>, TableTooLarge> {
        let mut all = vec![];
        for &measure in &measures {
            let _clock = Clock::new(move || format!("{measure}: bounds"));
            let each = forecasters.iter();
            let each = each.map(|(_, forecaster)| penalty(nature, &**forecaster, measure, &effort));
            all.push((measure, each.collect::<Result<Vec<_>, _>>()?));
        }
        Ok(all)
    })?
    .map_err(|error| format!("--nature: {error}"))?;
    let points = nature.independent().filter(|blocks| blocks.has_no_density());
    let variance = points.map(Blocks::variance);
    let lower = |measure: Measure| lower_bound(measure, variance.as_ref()?);
    let names: Vec<String> = forecasters.iter().map(|(name, _)| name.clone()).collect();
    let beyond = Beyond {
        contest: Contest {
            nature: text,
            rounds: nature.rounds(),
            forecasters: &names,
            penalties: &penalties,
            effort,
            interrupted: false,
        },
        lower: measures.iter().map(|measure| lower(*measure)).collect(),
    };
    let output = match arguments.json {
        true => json::text(&Opt::from(&beyond)),
        false => beyond.to_text(),
    };
    Ok(Outcome { output, code: 0 })
}

fn in_tree(arguments: &Arguments, nature: &OutcomeTree) -> Result<Outcome, String> {
    let mut entries = vec![];
    for measure in distinct(&arguments.measure) {
        let _clock = Clock::new(move || format!("{measure}: the best forecaster"));
        let truth = nature.penalty(&TreeForecaster::truthful(nature), measure);
        let answer = answer(nature, measure, arguments.grid)?;
        entries.push(Entry { measure, truth, answer });
    }
    let optima = Optima { nature, entries };
    let output = match arguments.json {
        true => json::text(&Opt::from(&optima)),
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
    let independent = nature.independent().is_some();
    let lower = independent.then(|| lower_bound(measure, &nature.variance())).flatten();
    if grid.is_some() || rounds <= USUAL_GRID_ROUNDS {
        let denominator = grid.unwrap_or(USUAL_GRID);
        let optimum = on_grid(nature, measure, denominator, GRID_BUDGET)
            .map_err(|error| format!("--grid {denominator}: {error}"))?;
        return Ok(Answer::Grid { denominator, optimum, lower });
    }
    Ok(Answer::Bounds { lower, upper: named(nature, measure) })
}

/// Forecasters that anybody can be.
fn named(nature: &OutcomeTree, measure: Measure) -> Vec<Named> {
    let half = ratio(1, 2);
    let events = nature.law().map(|(x, chance)| chance * int(x.iter().filter(|x| **x).count()));
    let mean = events.sum::<BigRational>() / int(nature.rounds());
    let certain = |past: &[bool]| {
        let likely = *nature.probability(past) > half;
        int(u8::from(likely))
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
