//! Doubles: how they enter and leave exact arithmetic.
//!
//! Every double in [0, 1] is an exact dyadic fraction ([`Dyadic`]), and every exact result is rounded once, to the
//! [`nearest`] double. In between there is no floating point.

mod bits;
pub mod naive;

pub use bits::{Dyadic, HIGHEST_EXPONENT, LOWEST_EXPONENT, SIGNIFICAND_BITS, nearest};

/// The number of intervals into which [`bucket`] divides [0, 1).
pub const BUCKETS: usize = 1 << 16;

/// The bucket of a prediction in [0, 1]: ⌊2^16 p⌋, from 0 to [`BUCKETS`], where 1 is alone.
///
/// Buckets are in the order of the predictions, and equal predictions share one: a table of sums by bucket is a level
/// table with some neighbouring levels put together. Exact, because a double times a power of two is exact.
///
/// ```
/// use truecal::float::{BUCKETS, bucket};
/// assert_eq!((bucket(0.0), bucket(0.5), bucket(1.0)), (0, BUCKETS / 2, BUCKETS));
/// ```
#[expect(clippy::float_arithmetic, reason = "multiplication by a power of two is exact")]
pub fn bucket(prediction: f64) -> usize {
    (prediction * BUCKETS as f64) as usize
}
