//! What takes rounds as they are read.

use crate::forecasts::{Forecasts, ForecastsError};
use crate::prediction::{Decimal, Prediction};

/// Takes rounds in the order of the file. What is refused must leave it as it was.
pub(crate) trait Sink {
    /// A round whose prediction is a short decimal: nearly all of them, in most files.
    fn decimal(&mut self, outcome: bool, prediction: Decimal) -> Result<(), ForecastsError>;

    /// A round with any other prediction.
    fn round(&mut self, outcome: bool, prediction: Prediction) -> Result<(), ForecastsError>;

    /// `count` rounds with one prediction, `ones` of them with the event.
    fn level(
        &mut self,
        prediction: Prediction,
        count: u64,
        ones: u64,
    ) -> Result<(), ForecastsError>;
}

impl Sink for Forecasts {
    fn decimal(&mut self, outcome: bool, prediction: Decimal) -> Result<(), ForecastsError> {
        self.push_decimal(outcome, prediction)
    }

    fn round(&mut self, outcome: bool, prediction: Prediction) -> Result<(), ForecastsError> {
        self.push(outcome, prediction)
    }

    fn level(
        &mut self,
        prediction: Prediction,
        count: u64,
        ones: u64,
    ) -> Result<(), ForecastsError> {
        self.push_level(prediction, count, ones)
    }
}
