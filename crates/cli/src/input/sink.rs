//! What takes rounds as they are read.

use thiserror::Error;

use truecal::summary::Decimals;
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
    /// All memory that the rounds may have is taken.
    #[error("the forecasts do not fit in --max-memory; give more")]
    Full,
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
    /// Those with a short decimal: nearly all, in most files.
    pub decimals: Rounds<Decimals>,
    /// Others, and levels: a prediction, its rounds, and the ones among them.
    pub others: Vec<(Prediction, u64, u64)>,
}

impl Lot {
    /// Nothing yet, with room for so many rounds.
    pub fn with_room(rounds: usize) -> Self {
        Lot { decimals: Rounds::with_room(rounds), others: vec![] }
    }

    /// Adds a round.
    pub fn push(&mut self, outcome: bool, prediction: Prediction) {
        match prediction.decimal() {
            Some(decimal) => self.push_decimal(outcome, decimal),
            None => self.others.push((prediction, 1, outcome.into())),
        }
    }

    /// Adds a round with a short decimal.
    #[inline]
    pub fn push_decimal(&mut self, outcome: bool, prediction: Decimal) {
        self.decimals.push_decimal(outcome, prediction);
    }
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
        all.and_then(|all| all.checked_add(lot.decimals.rounds())).ok_or(ForecastsError::Rounds)?;
        lot.decimals.add_to(self)?;
        for (prediction, count, ones) in lot.others {
            self.push_level(prediction, count, ones)?;
        }
        Ok(())
    }
}
