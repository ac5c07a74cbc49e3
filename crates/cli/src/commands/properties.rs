//! `truecal properties`: what the measures are, with numbers.

use clap::Args;

use super::Outcome;
use super::measures::{self, measure};
use super::progress::Count;
use super::verify::in_pool;
use crate::json;
use crate::report::properties::Properties;
use truecal::Measure;
use truecal_paper::properties::{Property, answer};

/// Which measures are complete, sound, decision-theoretic and truthful, with the numbers that show
/// it
///
/// Everything is computed, for each measure and property. A measure that is complete and
/// decision-theoretic cannot be truthful on every nature; stepCE^sub is on independent rounds.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal properties
  truecal properties --measure stepce,stepce_sub --json

Exit codes: 0 done, 2 misuse.")]
pub(super) struct Arguments {
    /// Only these measures
    #[arg(
        long,
        value_name = "MEASURES",
        value_delimiter = ',',
        value_parser = measure,
        help = measures::list("Only these measures")
    )]
    measure: Vec<Measure>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let chosen = Measure::ALL
        .into_iter()
        .filter(|measure| arguments.measure.is_empty() || arguments.measure.contains(measure));
    let measures: Vec<Measure> = chosen.collect();
    let progress = Count::new("properties", (measures.len() * Property::ALL.len()) as u64);
    let row = |measure: Measure| {
        let answers = Property::ALL.into_iter().map(|property| {
            let answer = answer(measure, property);
            progress.add(1);
            answer
        });
        (measure, answers.collect())
    };
    let rows = in_pool(None, || measures.into_iter().map(row).collect())?;
    let properties = Properties { rows };
    let output = match arguments.json {
        true => json::text(&json::Properties::from(&properties)),
        false => properties.to_text(),
    };
    Ok(Outcome { output, code: 0 })
}
