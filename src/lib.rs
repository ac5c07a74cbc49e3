//! Exact calibration measures, each with the evidence for its value.
//!
//! Every number that this crate returns is exact: a rational, computed in integers that provably cannot
//! overflow, equal to what the literal definition gives, with a witness from which it can be derived again.
//! Time is O(m log m) in the number m of distinct predictions, except for the measures that average over all
//! subsets of the rounds; these can also be [`sampled`], with an interval.
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
//! // No one who acts on these forecasts, whatever their bounded proper score, regrets more than 34/15.
//! let u_cal = levels.evaluate(Measure::UCal);
//! assert_eq!(u_cal.value, "34/15".parse()?);
//!
//! // The witness shows it: a scoring rule with this regret, and a proof that none has more.
//! check(&levels.to_rational(), &u_cal)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way of the data
//!
//! [`Prediction`]s and outcomes are gathered into [`Forecasts`], which make a level table: [`Levels`], generic over
//! the [`Number`], or [`AnyLevels`], at the narrowest width that is safe. The formulas in [`measures`] read
//! a [`Table`]; [`AnyLevels::evaluate`] turns their results into an [`Evaluation`], a value and its [`Witness`];
//! [`check()`] derives the value from the witness again. The [`definitions`] are the other reading of every
//! measure: literal, slow, and independent of the formulas.
//!
//! | measure | definition | formula | in the paper |
//! |---|---|---|---|
//! | ECE | [`definitions::ece`] | [`measures::ece`] | L1060 |
//! | smCE | [`definitions::sm_ce`] | [`measures::sm_ce`] | L385 |
//! | stepCE | [`definitions::step_ce`] | [`measures::step_ce`] | L963 |
//! | signCE | [`definitions::sign_ce`] | [`measures::sign_ce`] | fact:equivfactor, L985 |
//! | intervalCE | [`definitions::interval_ce`] | [`measures::interval_ce`] | L969 in words |
//! | VCal | [`definitions::v_cal`] | [`measures::v_cal`] | eq:V-calibration, L348 |
//! | UCal | [`definitions::u_cal`] | [`measures::u_cal`] | eq:U-calibration, L332 |
//! | stepCE^sub, VCal^sub, UCal^sub | [`definitions::subsampled`] | [`measures::step_ce_sub`], [`measures::v_cal_sub`], [`measures::u_cal_sub`] | eq:subsampled, L524 |
//! | SSCE | [`definitions::subsampled`] | [`measures::ssce`] | eq:ssce, L388 |
//!
//! # Many rounds
//!
//! [`float`] measures slices of doubles, mostly without sorting, and rounds the exact value once. Its [`Summary`](float::Summary) takes data part by part in
//! constant memory, bounds every measure, and with a second look at the data gives the exact value. [`AnyLevels::sample`] draws random
//! subsets where an average over all of them is out of reach, and [`AnyLevels::null`] tells what a truthful forecaster would get.
//!
//! # The paper, checked
//!
//! The registry in [`claims`] has a row for every statement of the paper: our reading, and checks. [`evidence`] runs the
//! checks; the [`Status`](claims::Status) of a claim follows from what they find. Laws about the measures are written in a small
//! [language](law) and judged exactly:
//!
//! ```
//! use truecal::{claims, evidence::{Options, run}};
//! let claim = claims::find("fact:equivfactor").expect("signCE/3 <= stepCE <= signCE");
//! let options = Options { max_rounds: Some(3), ..Options::default() };
//! let rows = run(&[claim], &options, &|_| ());
//! assert_eq!(rows[0].status().expect("not a shard").word(), "PROVED");
//! ```
//!
//! It is proved for every number of rounds and every real prediction: by a [`certificate`], which a short checker accepts, and
//! an argument in words. A conjecture of one's own is put to the test by [`refute`].
//!
//! # Honesty
//!
//! Which measures can a forecaster game? [`truthfulness`] has natures, forecasters, and what these pay on average, exactly; the best
//! lie; and the paper's own forecaster, which does well whatever happens:
//!
//! ```
//! use truecal::Measure;
//! use truecal::truthfulness::{Effort, constructions::Construction};
//! // Coins of 1/5 and 4/5: it pays to predict 2/5 and 3/5 instead.
//! let hedging = Construction::named("hedging")?;
//! let duel = hedging.compare(100, Measure::UCal, &Effort::default(), &|_| ());
//! let [truthful, strategic] = duel.penalties;
//! assert!(truthful.to_f64() > 5.0 && strategic.to_f64() < 0.06);
//! # Ok::<(), String>(())
//! ```
//!
//! The paper is *Truthfulness of Decision-Theoretic Calibration Measures* by Qiao and Zhao; `L963` is a line of its
//! source.

mod any_levels;
pub mod certificate;
mod check;
pub mod claims;
#[doc(hidden)]
pub mod cli;
pub mod definitions;
pub mod evidence;
pub mod float;
mod forecasts;
pub mod input;
pub mod law;
mod levels;
mod measure;
pub mod measures;
pub mod null;
mod number;
mod prediction;
mod random;
pub mod refute;
pub mod report;
pub mod sampled;
mod scale;
mod suggest;
pub mod summary;
mod tally;
pub mod truthfulness;
mod witness;

pub use any_levels::{AnyLevels, MAX_TABLE_BITS, MAX_UNIT_BITS, MergeError, TableTooLarge};
pub use check::{MAX_SUBSAMPLED_ROUNDS, Rejection, check};
pub use forecasts::{Forecasts, ForecastsError};
pub use levels::{Level, Levels, LevelsError, Table};
pub use measure::Measure;
pub use number::Number;
pub use prediction::{MAX_DIGITS, MAX_EXPONENT, Prediction, PredictionError};
pub use random::Random;
pub use witness::{Approach, Evaluation, Lipschitz, ScoringRule, VShape, Witness};

/// The example in the README must run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(any(kani, test))]
#[path = "../proofs/mod.rs"]
mod proofs;
