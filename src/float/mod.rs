//! Doubles in, correctly rounded doubles out, with exact arithmetic in between.
//!
//! Every double in [0, 1] is an exact dyadic fraction ([`Dyadic`](crate::dyadic::Dyadic)). Each
//! function here returns the exact value of its measure, rounded once to the
//! [nearest](crate::nearest_f64) double (ties to even), and the exact
//! [`Evaluation`](crate::Evaluation) with its witness: the same bits that rational arithmetic
//! gives, on every input.
//!
//! ```
//! use truecal::{Witness, float};
//! let step = float::step_ce(&[false, false, false], &[0.1, 0.2, 0.3])?;
//! assert_eq!(step.value, 0.6);
//! assert_eq!(0.1 + 0.2 + 0.3, 0.6000000000000001); // what a sum of doubles makes of it
//! let Witness::Threshold { alpha, .. } = step.evaluation.witness else { unreachable!() };
//! assert_eq!(truecal::nearest_f64(&alpha), 0.3);
//! # Ok::<(), truecal::ForecastsError>(())
//! ```
//!
//! # How fast
//!
//! [`step_ce`], [`sign_ce`], [`interval_ce`], [`v_cal`] and [`u_cal`] do not sort: one pass makes a
//! [`Summary`], another looks into the few buckets that can matter. [`ece()`] sorts only what may
//! be tied; [`sm_ce`] and [`cdl`] make the level table. Long inputs are divided among the threads
//! of the current rayon pool, with the same result for any number of them. Measured figures stand
//! in `benches/README.md`.
//!
//! # How wide
//!
//! With predictions that are multiples of 2^-s, s from the smallest exponent present, sums are
//! integers over 2^s. They are made in 128 bits if 4 T 2^s fits (for ten million rounds: no
//! prediction between 0 and 2^-49), otherwise in 256 bits (none between 0 and 2^-177), otherwise in
//! as many as it takes, at most some 1100. The bound is that of [`Levels`](crate::Levels).

mod ece;
mod slices;
mod table;
#[cfg(test)]
mod tests;

pub use crate::summary::Outcome;
pub use slices::*;

/// A summary of doubles.
pub type Summary = crate::summary::Summary<crate::summary::Doubles>;
