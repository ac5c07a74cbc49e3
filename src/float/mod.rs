//! Doubles in, correctly rounded doubles out, with exact arithmetic in between.
//!
//! Every double in [0, 1] is an exact dyadic fraction ([`Dyadic`]). Each function here returns the exact value of its measure, rounded once to
//! the [nearest](nearest_f64) double (ties to even), and the exact [`Evaluation`](crate::Evaluation) with its witness: the same bits that rational arithmetic gives, on every
//! input.
//!
//! ```
//! use truecal::{Witness, float};
//! let step = float::step_ce(&[false, false, false], &[0.1, 0.2, 0.3])?;
//! assert_eq!(step.value, 0.6);
//! assert_eq!(0.1 + 0.2 + 0.3, 0.6000000000000001); // what a sum of doubles makes of it
//! let Witness::Threshold { alpha, .. } = step.evaluation.witness else { unreachable!() };
//! assert_eq!(float::nearest_f64(&alpha), 0.3);
//! # Ok::<(), truecal::ForecastsError>(())
//! ```
//!
//! # How fast
//!
//! [`step_ce`], [`sign_ce`], [`interval_ce`], [`v_cal`] and [`u_cal`] do not sort: one pass makes a [`Summary`], another looks into the few buckets
//! that can matter. [`ece()`] sorts only what may be tied; [`sm_ce`] makes the level table. Long inputs are divided among the threads of the current
//! rayon pool, with the same result for any number of them. Measured figures stand in `benches/README.md`.
//!
//! # How wide
//!
//! With predictions that are multiples of 2^-s, s from the smallest exponent present, sums are integers over 2^s. They are made in 128 bits if
//! 4 T 2^s fits (for ten million rounds: no prediction between 0 and 2^-49), otherwise in 256 bits (none between 0 and 2^-177), otherwise in as many as it takes, at
//! most some 1100. The bound is that of [`Levels`](crate::Levels).

mod bits;
mod ece;
pub mod naive;
mod rational;
mod slices;
mod table;
#[cfg(test)]
mod tests;

pub use crate::summary::Outcome;
pub use bits::{Dyadic, HIGHEST_EXPONENT, LOWEST_EXPONENT, SIGNIFICAND_BITS, nearest};
pub use rational::nearest_f64;
pub use slices::{Rounded, ece, interval_ce, sign_ce, sm_ce, step_ce, u_cal, v_cal};

pub(crate) use table::probability_bits;

/// A summary of doubles.
pub type Summary = crate::summary::Summary<crate::summary::Doubles>;

/// The number of intervals into which [`bucket`] divides [0, 1).
pub const BUCKETS: usize = 1 << 15;

/// The bucket of a prediction in [0, 1]: ⌊2^15 p⌋, from 0 to [`BUCKETS`], where 1 is alone.
///
/// Buckets are in the order of the predictions, and equal predictions share one: a table of sums by bucket is a level
/// table with some neighbouring levels put together. Made from the bits, which takes fewer steps than a product and a conversion.
///
/// ```
/// use truecal::float::{BUCKETS, bucket};
/// assert_eq!((bucket(0.0), bucket(0.5), bucket(1.0)), (0, BUCKETS / 2, BUCKETS));
/// ```
#[inline(always)]
pub fn bucket(prediction: f64) -> usize {
    const FRACTION_BITS: u32 = SIGNIFICAND_BITS - 1;
    /// The exponent field of 1: all ones, so that a smaller field is less by its complement.
    const ONE: u32 = 1023;
    const INDEX_BITS: u32 = BUCKETS.ilog2();
    let bits = prediction.to_bits();
    let exponent = (bits >> FRACTION_BITS) as u32;
    if exponent < ONE - INDEX_BITS {
        return 0;
    }
    let significand = bits & ((1 << FRACTION_BITS) - 1) | 1 << FRACTION_BITS;
    // The complement, as x86 computes a difference in a part of a register, whose rest is what the round before has loaded: a
    // loop over rounds would wait for each of them.
    (significand >> (FRACTION_BITS - INDEX_BITS)).wrapping_shr(!exponent) as usize
}
