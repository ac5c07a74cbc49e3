//! `truecal measure --stream`: files larger than memory, in two passes or a few more.

use std::path::Path;

use super::progress::Progress;
use super::reading::{Format, is_stdin, open, reading, refused};
use crate::forecasts::ForecastsError;
use crate::input::{CsvOptions, InputError, NpyReader, Sink, read_csv_into};
use crate::measure::Measure;
use crate::prediction::{Decimal, Prediction};
use crate::report::Streamed;
use crate::summary::{Decimals, Doubles, Keys, Summary};

/// The rounds that a summary gets at a time.
const BLOCK: usize = 1 << 14;

/// Measures a file by passes over it.
pub(super) fn stream(
    path: &Path,
    format: Option<Format>,
    options: &CsvOptions,
    measures: &[Measure],
) -> Result<Streamed, InputError> {
    let name = &options.name;
    let of_file = |problem: &str| InputError::of_file(name, problem);
    let format = format.unwrap_or_else(|| Format::of(path));
    refused(format, options)?;
    if is_stdin(path) {
        return Err(of_file("cannot be read twice, as --stream must; give a file"));
    }
    match format {
        Format::Csv => in_passes::<Decimals>(name, measures, |words, take| {
            let (source, size) = open(path, name)?;
            let mut progress = Progress::new();
            let mut blocks = Blocks { outcomes: vec![], predictions: vec![], take };
            read_csv_into(&mut blocks, source, options, |rows, bytes| {
                progress.show(|| format!("{words}: {}", reading(rows, bytes, size)));
            })?;
            blocks.deliver().map_err(|error| of_file(&error.to_string()))
        }),
        Format::Npy => in_passes::<Doubles>(name, measures, |words, take| {
            let (source, size) = open(path, name)?;
            let mut progress = Progress::new();
            let mut reader = NpyReader::open(source, name)?;
            let (mut outcomes, mut predictions) = (vec![], vec![]);
            while reader.read(&mut outcomes, &mut predictions)? {
                take(&outcomes, &predictions).map_err(|error| of_file(&error.to_string()))?;
                progress
                    .show(|| format!("{words}: {}", reading(reader.rows(), reader.bytes(), size)));
            }
            Ok(())
        }),
        Format::Parquet => {
            Err(of_file("--stream reads CSV and .npy; leave it out, or convert the file"))
        }
    }
}

/// Takes a block of rounds.
type Take<'a, K> = &'a mut dyn FnMut(&[bool], &[<K as Keys>::Input]) -> Result<(), ForecastsError>;

/// The summary, and passes until everything that can be exact is. `pass` hands the whole file over, block by block.
fn in_passes<K: Keys>(
    name: &str,
    measures: &[Measure],
    mut pass: impl FnMut(&str, Take<'_, K>) -> Result<(), InputError>,
) -> Result<Streamed, InputError> {
    let mut summary = Summary::<K>::new();
    pass("first pass", &mut |outcomes, predictions| summary.update(outcomes, predictions))?;
    let mut refinement = summary.refine(measures);
    while !refinement.is_complete() {
        let words = format!("pass {}", refinement.passes() + 1);
        pass(&words, &mut |outcomes, predictions| refinement.update(outcomes, predictions))?;
        refinement.end_pass().map_err(|error| {
            InputError::of_file(name, format!("{error}; measure a file that nobody writes to"))
        })?;
    }
    let mut streamed = Streamed {
        rounds: summary.rounds(),
        ones: summary.ones(),
        passes: refinement.passes(),
        exact: vec![],
        bounded: vec![],
        seconds: None,
    };
    for &measure in measures {
        if let Some(evaluation) = refinement.evaluate(measure) {
            streamed.exact.push(evaluation);
        } else if let Some(bounds) = summary.bounds(measure) {
            streamed.bounded.push((measure, bounds));
        }
    }
    Ok(streamed)
}

/// Rounds from CSV, put together to blocks.
struct Blocks<'a> {
    outcomes: Vec<bool>,
    predictions: Vec<Decimal>,
    take: Take<'a, Decimals>,
}

impl Blocks<'_> {
    fn deliver(&mut self) -> Result<(), ForecastsError> {
        (self.take)(&self.outcomes, &self.predictions)?;
        self.outcomes.clear();
        self.predictions.clear();
        Ok(())
    }
}

impl Sink for Blocks<'_> {
    fn decimal(&mut self, outcome: bool, prediction: Decimal) -> Result<(), ForecastsError> {
        self.outcomes.push(outcome);
        self.predictions.push(prediction);
        if self.outcomes.len() >= BLOCK { self.deliver() } else { Ok(()) }
    }

    fn round(&mut self, outcome: bool, prediction: Prediction) -> Result<(), ForecastsError> {
        let decimal = prediction.decimal().ok_or(ForecastsError::LongPrediction)?;
        self.decimal(outcome, decimal)
    }

    fn level(&mut self, _: Prediction, _: u64, _: u64) -> Result<(), ForecastsError> {
        unreachable!("--levels is not for --stream")
    }
}
