//! Buckets of even width.

use crate::dyadic::SIGNIFICAND_BITS;

/// The number of intervals into which [`bucket`] divides [0, 1).
pub const BUCKETS: usize = 1 << 15;

/// The bucket of a prediction in [0, 1]: ⌊2^15 p⌋, from 0 to [`BUCKETS`], where 1 is alone.
///
/// Buckets are in the order of the predictions, and equal predictions share one: a table of sums by
/// bucket is a level table with some neighbouring levels put together. Made from the bits, which
/// takes fewer steps than a product and a conversion.
///
/// ```
/// use truecal::summary::{BUCKETS, bucket};
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
    // The complement, as x86 computes a difference in a part of a register, whose rest is what the
    // round before has loaded: a loop over rounds would wait for each of them.
    (significand >> (FRACTION_BITS - INDEX_BITS)).wrapping_shr(!exponent) as usize
}
