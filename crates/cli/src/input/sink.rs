//! What takes rounds as they are read.

use thiserror::Error;

use truecal::{Decimal, Prediction};
use truecal::{Forecasts, ForecastsError};

/// Why a round is refused.
#[derive(Debug, Error)]
pub(crate) enum SinkError {
    /// It is no forecast.
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
}

/// Takes rounds in the order of the file. What is refused must leave it as it was.
pub(crate) trait Sink {
    /// A round whose prediction is a short decimal: nearly all of them, in most files.
    fn decimal(&mut self, outcome: bool, prediction: Decimal) -> Result<(), SinkError>;

    /// A round with any other prediction.
    fn round(&mut self, outcome: bool, prediction: Prediction) -> Result<(), SinkError>;

    /// `count` rounds with one prediction, `ones` of them with the event.
    fn level(&mut self, prediction: Prediction, count: u64, ones: u64) -> Result<(), SinkError>;
}

impl Sink for Forecasts {
    fn decimal(&mut self, outcome: bool, prediction: Decimal) -> Result<(), SinkError> {
        Ok(self.push_decimal(outcome, prediction)?)
    }

    fn round(&mut self, outcome: bool, prediction: Prediction) -> Result<(), SinkError> {
        Ok(self.push(outcome, prediction)?)
    }

    fn level(&mut self, prediction: Prediction, count: u64, ones: u64) -> Result<(), SinkError> {
        Ok(self.push_level(prediction, count, ones)?)
    }
}
