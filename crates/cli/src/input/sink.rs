//! What takes rounds as they are read.

use thiserror::Error;

use super::plan::{Bucket, Record, Rounds as Row};
use truecal::summary::{Decimals, Doubles};
use truecal::{Decimal, Prediction, Rounds};
use truecal::{Forecasts, ForecastsError};

/// Why rounds are refused.
#[derive(Debug, Error)]
pub(crate) enum SinkError {
    /// They are no forecasts.
    #[error(transparent)]
    Forecasts(#[from] ForecastsError),
    /// What is not kept in memory must be short decimals.
    #[error(
        "not a decimal of at most 17 significant digits from 1e-63 on, as all predictions of a \
            file must be that does not fit in --max-memory; give more memory, or round it"
    )]
    LongPrediction,
    /// What is not kept in memory must be numbers of one kind.
    #[error(
        "not a double, as all predictions before it in a file that does not fit in --max-memory; \
            give more memory"
    )]
    Mixed,
    /// All memory that the rounds may have is taken.
    #[error("the forecasts do not fit in --max-memory; give more")]
    Full,
    /// More groups than are of use.
    #[error("more than {0} groups; name columns with fewer values by --by")]
    Groups(usize),
    /// Weights that cannot be counted.
    #[error(transparent)]
    Weights(#[from] truecal::WeightedError),
    /// What does not fit in memory cannot be kept elsewhere.
    #[error(
        "the forecasts do not fit in --max-memory, and a temporary copy of them fails: {0}; give \
            more memory, or a file, or name a folder with room in the environment variable TMPDIR"
    )]
    Copy(#[from] std::io::Error),
}

/// Some rounds of a file. Their order is lost, which no measure depends on.
#[derive(Debug, Default)]
pub(crate) struct Lot {
    /// Those with a short decimal: nearly all, in most files of text.
    pub decimals: Rounds<Decimals>,
    /// Those with a double, in files of numbers.
    pub doubles: Rounds<Doubles>,
    /// Others, and levels: a prediction, its rounds, and the ones among them.
    pub others: Vec<(Prediction, u64, u64)>,
    /// Rows with more than a round and its prediction: groups, weights, several models.
    pub rows: Vec<Row>,
    /// Neighbouring predictions.
    pub buckets: Vec<Bucket>,
    /// Rows that were left out, as something was missing.
    pub skipped: u64,
}

impl Lot {
    /// Nothing yet, with room for so many rounds.
    pub fn with_room(rounds: usize) -> Self {
        Lot { decimals: Rounds::with_room(rounds), ..Lot::default() }
    }

    /// Doubles alone.
    pub fn of_doubles(doubles: Rounds<Doubles>) -> Self {
        Lot { doubles, ..Lot::default() }
    }

    /// Adds what a row says.
    pub fn push(&mut self, record: Record) {
        match record {
            Record::Skipped => self.skipped += 1,
            Record::Bucket(bucket) => self.buckets.push(bucket),
            Record::Rounds(row) => match row.levels.as_slice() {
                [(prediction, count, ones)] if row.is_plain() => match prediction.decimal() {
                    Some(decimal) if *count == 1 => self.push_decimal(*ones == 1, decimal),
                    _ => self.others.push((prediction.clone(), *count, *ones)),
                },
                _ => self.rows.push(row),
            },
        }
    }

    /// Adds a round with a short decimal.
    #[inline]
    pub fn push_decimal(&mut self, outcome: bool, prediction: Decimal) {
        self.decimals.push_decimal(outcome, prediction);
    }
}

/// What a file had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Rows of data.
    pub rows: u64,
    /// Those of them that were left out, as something was missing.
    pub skipped: u64,
}

/// Takes the rounds of a file, lot by lot. What is refused leaves it as it was.
pub(crate) trait Sink {
    /// Takes some more rounds.
    fn take(&mut self, lot: Lot) -> Result<(), SinkError>;
}

impl Sink for Forecasts {
    fn take(&mut self, lot: Lot) -> Result<(), SinkError> {
        let mut counts = lot.others.iter().map(|(_, count, _)| *count);
        let all = counts.try_fold(self.rounds(), u64::checked_add);
        let all = all.and_then(|all| all.checked_add(lot.decimals.rounds()));
        all.and_then(|all| all.checked_add(lot.doubles.rounds())).ok_or(ForecastsError::Rounds)?;
        lot.decimals.add_to(self)?;
        lot.doubles.add_to(self)?;
        for (prediction, count, ones) in lot.others {
            self.push_level(prediction, count, ones)?;
        }
        Ok(())
    }
}
