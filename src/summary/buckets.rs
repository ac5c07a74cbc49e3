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

/// The same, and more than [`BUCKETS`] (by the last 32 bits alone, too) for what is no prediction,
/// but for what is too near to 0 or 1 to be told from them: without a branch, and in steps that a
/// processor takes for several doubles at once.
///
/// Between 1 and 2 the fraction of a double is its distance from 1, so it begins with the bucket.
/// The sum is exact for predictions from 2^-15 on, of which only the first 16 bits are left. Below,
/// it may be rounded, but not to 1 + 2^-15, which is too far. Negative numbers come out below 1 and
/// wrap around; what is not a number stays so, far above.
#[inline(always)]
pub(super) fn even(bits: u64) -> u64 {
    const BELOW: u32 = SIGNIFICAND_BITS - 1 - BUCKETS.ilog2();
    let first_bits = f64::from_bits(bits >> BELOW << BELOW);
    #[expect(clippy::float_arithmetic, reason = "exact as far as the result needs it")]
    let above_one = first_bits + 1.0;
    (above_one.to_bits() >> BELOW).wrapping_sub(1.0_f64.to_bits() >> BELOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Doubles around each boundary, and what is no prediction.
    #[test]
    fn both_ways_to_a_bucket_agree() {
        let agree = |bits: u64| {
            let expected = bucket(f64::from_bits(bits));
            assert_eq!(even(bits) as usize, expected, "{}", f64::from_bits(bits));
        };
        for boundary in 0..=BUCKETS as u32 {
            let p = f64::from(boundary);
            let bits = p.to_bits().saturating_sub(u64::from(boundary > 0) * (15 << 52));
            (bits.saturating_sub(3)..=(bits + 3).min(1.0_f64.to_bits())).for_each(agree);
        }
        (0..1022).for_each(|exponent| agree(exponent << 52 | 0x000f_ffff_ffff_ffff));
        for bad in [
            1.0_f64.next_up(),
            1.5,
            2.0,
            3.0,
            1e300,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
            -f64::NAN,
            -1e-4,
            -0.5,
            -1.0,
            -1.5,
            -2.0,
            -1e300,
            f64::NEG_INFINITY,
        ] {
            let far = even(bad.to_bits()) as usize;
            // Too little above 1 to be seen: it goes with 1, which is looked at closely.
            assert!(far > BUCKETS || bad == 1.0_f64.next_up() && far == BUCKETS, "{bad}");
        }
        assert_eq!((even((-0.0_f64).to_bits()), even((-1e-300_f64).to_bits())), (0, 0));
    }

    proptest! {
        #[test]
        fn both_ways_to_any_bucket_agree(bits in 0..=1.0_f64.to_bits()) {
            prop_assert_eq!(even(bits) as usize, bucket(f64::from_bits(bits)));
        }
    }
}
