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
    /// A stream holds short decimals alone.
    #[error("not a decimal of at most 17 significant digits; shorten it, or do without --stream")]
    LongPrediction,
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
