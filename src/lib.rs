//! Exact calibration measures, each with the evidence for its value.
//!
//! Every number that this crate returns is exact: a rational, computed in integers that provably
//! cannot overflow, equal to what the literal definition gives, with a witness from which it can be
//! derived again. Time is O(m log m) in the number m of distinct predictions, except for the
//! measures that average over all subsets of the rounds; these can also be [`sampled`], with an
//! interval.
//!
//! ```
//! use truecal::{Forecasts, Measure, Witness, check};
//!
//! // Outcome and prediction of each round. Text is read exactly: 0.3 is 3/10.
//! let forecasts = Forecasts::from_pairs([
//!     (true, "0.3"),
//!     (false, "0.3"),
//!     (true, "2/3"),
//!     (false, "0.9"),
//! ])?;
//! let levels = forecasts.levels()?;
//!
//! // Predictions up to 2/3 were too low by 11/15 in all.
//! let step = levels.evaluate(Measure::StepCe);
//! assert_eq!(step.value, "11/15".parse()?);
//! let Witness::Threshold { alpha, bias } = &step.witness else { unreachable!() };
//! assert_eq!((alpha, bias), (&"2/3".parse()?, &"11/15".parse()?));
//!
//! // No one who acts on these forecasts, whatever their bounded proper score, regrets more than
//! // 34/15.
//! let u_cal = levels.evaluate(Measure::UCal);
//! assert_eq!(u_cal.value, "34/15".parse()?);
//!
//! // The witness shows it: a scoring rule with this regret, and a proof that none has more.
//! check(&levels.to_rational(), &u_cal)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Data flow
//!
//! [`Prediction`]s and outcomes are gathered into [`Forecasts`], which make a level table:
//! [`Levels`], generic over the [`Number`], or [`AnyLevels`], at the narrowest width that is safe.
//! The formulas in [`measures`] read a [`Table`]; [`AnyLevels::evaluate`] turns their results into
//! an [`Evaluation`], a value and its [`Witness`]; [`check()`] derives the value from the witness
//! again. The [`definitions`] are the other reading of every measure: literal, slow, and
//! independent of the formulas.
//!
//! [`Measure`] lists them all.
//!
//! # Many rounds
//!
//! [`float`] measures slices of doubles, mostly without sorting, and rounds the exact value once.
//! Its [`Summary`](float::Summary) takes data part by part in constant memory, bounds every
//! measure, and with a second look at the data gives the exact value. [`AnyLevels::sample`] draws
//! random subsets where an average over all of them is out of reach, and [`AnyLevels::null`] tells
//! what a truthful forecaster would get. Of data that are grouped by ranges of the prediction,
//! [`buckets`] bounds every measure.
//!
//! # Beyond the measures
//!
//! Other crates of the workspace build on this one: `truecal-check` (laws about the measures and
//! the checker of certificates), `truecal-lab` (natures, forecasters, what honesty costs),
//! `truecal-verify` (laws enumerated, proved and refuted), `truecal-paper` (every statement of the
//! paper with its evidence), `truecal-cli` (the command).
//!
//! The paper is *Truthfulness of Decision-Theoretic Calibration Measures* by Qiao and Zhao
//! (arXiv:2503.02384); `L963` is a line of its LaTeX source.

mod any_levels;
pub mod buckets;
mod check;
pub mod classical;
pub mod definitions;
pub mod dyadic;
mod evaluation;
pub mod float;
mod forecasts;
pub mod grid;
mod levels;
mod measure;
pub mod measures;
pub mod null;
mod number;
pub mod paired;
mod parallel;
mod prediction;
mod random;
pub mod rational;
mod rounding;
mod rounds;
pub mod sampled;
mod scale;
pub mod suggest;
pub mod summary;
mod tally;
mod ties;
mod watch;
mod weighted;
mod witness;

pub use any_levels::{AnyLevels, MAX_TABLE_BITS, MAX_UNIT_BITS, TableTooLarge};
pub use check::{MAX_SUBSAMPLED_ROUNDS, WitnessRejection, check};
pub use forecasts::{Forecasts, ForecastsError, MergeError};
pub use levels::{Level, Levels, LevelsError, Slate, Table};
pub use measure::{Description, Measure, UnknownMeasure};
pub use number::Number;
pub use prediction::{Decimal, MAX_DIGITS, MAX_EXPONENT, Prediction, PredictionError};
pub use random::Random;
pub use rounding::nearest_f64;
pub use rounds::Rounds;
pub use ties::Ties;
pub use watch::{Progress, Watch};
pub use weighted::{WeightedError, WeightedForecasts, WeightedLevels};
pub use witness::{Approach, Evaluation, Lipschitz, ScoringRule, VShape, Witness};

#[cfg(any(kani, test))]
#[path = "../proofs/mod.rs"]
mod proofs;
