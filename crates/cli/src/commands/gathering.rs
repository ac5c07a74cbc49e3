//! Forecasts in memory, in the form in which they can be asked for most with the least work.

use std::path::Path;

use super::progress::{Line, bar};
use super::reading::{Format, open, parquet, reading, refused};
use crate::input::{CsvOptions, InputError, NpyReader, Sink, SinkError, read_csv_into};
use truecal::summary::{Decimals, Doubles};
use truecal::{AnyLevels, Decimal, Forecasts, Prediction, Rounds, TableTooLarge};
use truecal::{Evaluation, ForecastsError, Measure};

/// What was read from a file.
pub(super) enum Gathered {
    /// Nothing but short decimals, round by round.
    Decimals(Rounds<Decimals>),
    /// Doubles, round by round.
    Doubles(Rounds<Doubles>),
    /// Any predictions, by their distinct values.
    Any(Box<Forecasts>),
}

impl Gathered {
    /// The number of rounds, and of those in which the event happened.
    pub fn counts(&self) -> (u64, u64) {
        match self {
            Gathered::Decimals(rounds) => (rounds.rounds(), rounds.ones()),
            Gathered::Doubles(rounds) => (rounds.rounds(), rounds.ones()),
            Gathered::Any(forecasts) => (forecasts.rounds(), forecasts.ones()),
        }
    }

    /// Whether rounds one by one take so many bytes.
    fn is_full(&self, most: u64) -> bool {
        match self {
            Gathered::Decimals(rounds) => rounds.bytes() >= most,
            Gathered::Doubles(rounds) => rounds.bytes() >= most,
            Gathered::Any(_) => false,
        }
    }

    /// Goes over to distinct predictions if that saves memory; whether it does.
    fn by_distinct(&mut self) -> bool {
        let saves = match self {
            Gathered::Decimals(rounds) => rounds.is_mostly_tied(),
            Gathered::Doubles(rounds) => rounds.is_mostly_tied(),
            Gathered::Any(_) => true,
        };
        if saves {
            self.any();
        }
        saves
    }

    /// The same rounds where any prediction can be added.
    fn any(&mut self) -> &mut Forecasts {
        let forecasts = match self {
            Gathered::Decimals(rounds) => Some(std::mem::take(rounds).into_forecasts()),
            Gathered::Doubles(rounds) => Some(std::mem::take(rounds).into_forecasts()),
            Gathered::Any(_) => None,
        };
        if let Some(forecasts) = forecasts {
            *self = Gathered::Any(Box::new(forecasts));
        }
        match self {
            Gathered::Any(forecasts) => forecasts,
            _ => unreachable!("it was just made"),
        }
    }

    fn push_doubles(&mut self, outcomes: &[bool], doubles: &[f64]) -> Result<(), ForecastsError> {
        if let Gathered::Doubles(rounds) = self {
            return rounds.push(outcomes, doubles);
        }
        let forecasts = self.any();
        let mut pairs = outcomes.iter().zip(doubles);
        pairs.try_for_each(|(outcome, double)| forecasts.push_f64(*outcome, *double))
    }

    /// Whether there are so many rounds, one by one, that it pays not to sort them.
    pub fn is_long(&self) -> bool {
        const MANY: u64 = 1 << 17;
        self.counts().0 >= MANY && !matches!(self, Gathered::Any(_))
    }

    /// Those of the measures that are found without sorting the rounds, if they are there one by
    /// one.
    pub fn evaluate(&self, measures: &[Measure]) -> Vec<Evaluation> {
        match self {
            Gathered::Decimals(rounds) => rounds.evaluate(measures),
            Gathered::Doubles(rounds) => rounds.evaluate(measures),
            Gathered::Any(_) => vec![],
        }
    }

    /// The level table.
    pub fn into_levels(self) -> Result<AnyLevels, TableTooLarge> {
        match self {
            Gathered::Decimals(rounds) => rounds.into_levels(),
            Gathered::Doubles(rounds) => rounds.into_levels(),
            Gathered::Any(forecasts) => forecasts.levels(),
        }
    }
}

/// Reads a file, or standard input; `None` if the rounds would take more than `most` bytes.
pub(super) fn gather(
    path: &Path,
    format: Option<Format>,
    options: &CsvOptions,
    most: u64,
) -> Result<Option<Gathered>, InputError> {
    let name = &options.name;
    let format = format.unwrap_or_else(|| Format::of(path));
    refused(format, options)?;
    let mut progress = Line::new();
    match format {
        Format::Csv => {
            let (source, size) = open(path, name)?;
            let mut kept = Kept { gathered: Gathered::Decimals(Rounds::new()), most, full: false };
            let read = read_csv_into(&mut kept, source, options, |rows, bytes| {
                progress.show(|| reading(rows, bytes, size));
            });
            match read {
                Ok(_) => Ok(Some(kept.gathered)),
                Err(_) if kept.full => Ok(None),
                Err(error) => Err(error),
            }
        }
        Format::Npy => {
            let (source, size) = open(path, name)?;
            let mut reader = NpyReader::open(source, name)?;
            let mut gathered = Gathered::Doubles(Rounds::new());
            let (mut outcomes, mut predictions) = (vec![], vec![]);
            while reader.read(&mut outcomes, &mut predictions)? {
                if gathered.is_full(most) && !gathered.by_distinct() {
                    return Ok(None);
                }
                let pushed = gathered.push_doubles(&outcomes, &predictions);
                pushed.map_err(|error| InputError::of_file(name, error.to_string()))?;
                progress.show(|| reading(reader.rows(), reader.bytes(), size));
            }
            Ok(Some(gathered))
        }
        Format::Parquet => {
            let forecasts = parquet(path, options, |rows, all| {
                progress.show(|| format!("reading {} {rows} rows", bar(rows, all.max(1))));
            })?;
            Ok(Some(Gathered::Any(Box::new(forecasts))))
        }
    }
}

/// Takes rounds as they are read, up to some memory.
struct Kept {
    gathered: Gathered,
    most: u64,
    /// Whether a round was refused because there is no more.
    full: bool,
}

impl Sink for Kept {
    fn decimal(&mut self, outcome: bool, prediction: Decimal) -> Result<(), SinkError> {
        // Asked once for many of them.
        let is_due = self.gathered.counts().0.is_multiple_of(1 << 16);
        if is_due && self.gathered.is_full(self.most) && !self.gathered.by_distinct() {
            self.full = true;
            return Err(SinkError::Full);
        }
        match &mut self.gathered {
            Gathered::Decimals(rounds) => Ok(rounds.push(&[outcome], &[prediction])?),
            gathered => Ok(gathered.any().push_decimal(outcome, prediction)?),
        }
    }

    fn round(&mut self, outcome: bool, prediction: Prediction) -> Result<(), SinkError> {
        match prediction.decimal() {
            Some(decimal) => self.decimal(outcome, decimal),
            None => Ok(self.gathered.any().push(outcome, prediction)?),
        }
    }

    fn level(&mut self, prediction: Prediction, count: u64, ones: u64) -> Result<(), SinkError> {
        Ok(self.gathered.any().push_level(prediction, count, ones)?)
    }
}
