//! Files that do not fit in memory, in two passes or a few more.

use std::path::Path;

use super::progress::Line;
use super::reading::{Format, is_stdin, open, reading, refused};
use crate::input::{CsvOptions, InputError, NpyReader, Sink, SinkError, read_csv_into};
use crate::report::{Entry, Report, Source};
use truecal::ForecastsError;
use truecal::Measure;
use truecal::summary::{Decimals, Doubles, Keys, Summary};
use truecal::{Decimal, Prediction};

/// The rounds that a summary gets at a time.
const BLOCK: usize = 1 << 14;

/// Measures a file by passes over it.
pub(super) fn stream(
    path: &Path,
    format: Option<Format>,
    options: &CsvOptions,
    measures: &[Measure],
) -> Result<Report<'static>, InputError> {
    let name = &options.name;
    let of_file = |problem: &str| InputError::of_file(name, problem);
    let format = format.unwrap_or_else(|| Format::of(path));
    refused(format, options)?;
    if is_stdin(path) {
        return Err(of_file(
            "does not fit in --max-memory, and cannot be read twice; give more memory, or a file",
        ));
    }
    match format {
        Format::Csv => in_passes::<Decimals>(name, measures, |words, take| {
            let (source, size) = open(path, name)?;
            let mut progress = Line::new();
            let mut blocks = Blocks { outcomes: vec![], predictions: vec![], take };
            read_csv_into(&mut blocks, source, options, |rows, bytes| {
                progress.show(|| format!("{words}: {}", reading(rows, bytes, size)));
            })?;
            blocks.deliver().map_err(|error| of_file(&error.to_string()))
        }),
        Format::Npy => in_passes::<Doubles>(name, measures, |words, take| {
            let (source, size) = open(path, name)?;
            let mut progress = Line::new();
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
            unreachable!("Parquet is read into memory")
        }
    }
}

/// Takes a block of rounds.
type Take<'a, K> = &'a mut dyn FnMut(&[bool], &[<K as Keys>::Input]) -> Result<(), ForecastsError>;

/// The summary, and passes until everything that can be exact is. `pass` hands the whole file over,
/// block by block.
fn in_passes<K: Keys>(
    name: &str,
    measures: &[Measure],
    mut pass: impl FnMut(&str, Take<'_, K>) -> Result<(), InputError>,
) -> Result<Report<'static>, InputError> {
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
    let entry = |&measure: &Measure| match refinement.evaluate(measure) {
        Some(evaluation) => Entry::Exact(Box::new(evaluation)),
        None => match summary.bounds(measure) {
            Some(bounds) => Entry::Bounds(measure, bounds),
            None => Entry::TooCostly {
                measure,
                reason: "averages over subsets need all forecasts in memory".to_owned(),
                option: "--max-memory".to_owned(),
            },
        },
    };
    let entries = measures.iter().map(entry).collect();
    let (rounds, ones, passes) = (summary.rounds(), summary.ones(), refinement.passes());
    Ok(Report { entries, ..Report::new(Source::Passes { rounds, ones, passes }) })
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
    fn decimal(&mut self, outcome: bool, prediction: Decimal) -> Result<(), SinkError> {
        self.outcomes.push(outcome);
        self.predictions.push(prediction);
        if self.outcomes.len() >= BLOCK {
            self.deliver()?;
        }
        Ok(())
    }

    fn round(&mut self, outcome: bool, prediction: Prediction) -> Result<(), SinkError> {
        let decimal = prediction.decimal().ok_or(SinkError::LongPrediction)?;
        self.decimal(outcome, decimal)
    }

    fn level(&mut self, _: Prediction, _: u64, _: u64) -> Result<(), SinkError> {
        unreachable!("levels are read into memory")
    }
}
