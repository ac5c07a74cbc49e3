//! truecal
mod any_levels;
mod forecasts;
mod levels;
pub mod measures;
mod number;
mod prediction;

pub use any_levels::{AnyLevels, MAX_TABLE_BITS, TableTooLarge};
pub use forecasts::{Forecasts, ForecastsError};
pub use levels::{Level, Levels, LevelsError, Table};
pub use number::Number;
pub use prediction::{MAX_DIGITS, MAX_EXPONENT, Prediction, PredictionError};
