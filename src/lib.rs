//! truecal
mod any_levels;
mod check;
#[doc(hidden)]
pub mod cli;
pub mod definitions;
pub mod evidence;
mod forecasts;
pub mod input;
mod levels;
mod measure;
pub mod measures;
mod number;
mod prediction;
pub mod report;
mod witness;

pub use any_levels::{AnyLevels, MAX_TABLE_BITS, MAX_UNIT_BITS, TableTooLarge};
pub use check::{MAX_SUBSAMPLED_ROUNDS, Rejection, check};
pub use forecasts::{Forecasts, ForecastsError};
pub use levels::{Level, Levels, LevelsError, Table};
pub use measure::Measure;
pub use number::Number;
pub use prediction::{MAX_DIGITS, MAX_EXPONENT, Prediction, PredictionError};
pub use witness::{Approach, Evaluation, Lipschitz, ScoringRule, VShape, Witness};

#[cfg(any(kani, test))]
#[path = "../proofs/mod.rs"]
mod proofs;
