//! Doubles as keys.

use std::ops::Range;

use num_bigint::BigInt;

use super::super::buckets::{BUCKETS, bucket, even};
use super::{Keys, bits_away};
use crate::dyadic::Dyadic;
use crate::number::Number;
use crate::prediction::PredictionError;

/// Doubles: the key is the bit pattern, the scale a power of two.
///
/// Buckets divide [2^-15, 1 - 2^-15) evenly. Below, there is one for each power of two, one for the
/// subnormal numbers and one for 0; above, one for each power of two of 1 - p, and one for 1. So
/// all doubles of a bucket have the same exponent, and are multiples of the same power of two; and
/// predictions near 0 or 1 are told apart as those in between are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubles;

const FRACTION_BITS: u32 = 52;
pub(super) const ONE: u64 = 1023 << FRACTION_BITS;
/// The bucket of 2^-15, the first of those of even width, and its bits.
pub(super) const EVEN: usize = 1024 - BUCKETS.ilog2() as usize;
const EVEN_FLOOR: u64 = (1023 - BUCKETS.ilog2() as u64) << FRACTION_BITS;
/// From 1/2 on, 1 - p is 2^-53 times the difference of the bits to those of 1, which for 1 - p =
/// 2^-15 is this power of two.
const NEAR_BITS: u32 = FRACTION_BITS + 1 - BUCKETS.ilog2();
/// The bucket of 1 - 2^-15, the first of those above, and its bits.
const NEAR: usize = EVEN + BUCKETS - 2;
const NEAR_FLOOR: u64 = ONE - (1 << NEAR_BITS);

impl Doubles {
    /// The exponent field, as it would be if subnormal numbers were not special.
    fn exponent(key: u64) -> u32 {
        ((key >> FRACTION_BITS) as u32).max(1)
    }

    /// f, where the double is f · 2^-[scale](Keys::scale).
    #[inline(always)]
    pub(crate) fn significand(key: u64) -> u64 {
        key - Doubles::excess(key)
    }
}

/// The bucket of a double below 2^-15, by its exponent, 0 alone; or from 1 - 2^-15 on, by the
/// exponent of 1 - p.
#[cold]
fn outer(key: u64) -> usize {
    if key < EVEN_FLOOR {
        return if key == 0 { 0 } else { 1 + (key >> FRACTION_BITS) as usize };
    }
    NEAR + (NEAR_BITS + 1 - bits_away(ONE - key)) as usize
}

/// Doubles in [0, 1] have patterns up to that of 1; beyond are the others, and -0.0.
#[cold]
fn unusual(bits: u64) -> Option<u64> {
    Dyadic::from_bits(bits).ok().map(|_| 0)
}

impl Keys for Doubles {
    type Input = f64;

    const BUCKETS: usize = NEAR + NEAR_BITS as usize + 2;

    #[inline(always)]
    fn bits(double: f64) -> u64 {
        double.to_bits()
    }

    #[inline(always)]
    fn valid(bits: u64) -> Option<u64> {
        if bits <= ONE { Some(bits) } else { unusual(bits) }
    }

    fn is_key(key: u64) -> bool {
        key <= ONE
    }

    fn input(key: u64) -> f64 {
        f64::from_bits(key)
    }

    fn refusal(double: f64) -> PredictionError {
        Dyadic::from_bits(double.to_bits()).expect_err("it has no key").into()
    }

    #[inline(always)]
    fn bucket(key: u64) -> usize {
        // One comparison for both ends.
        match key.wrapping_sub(EVEN_FLOOR) < NEAR_FLOOR - EVEN_FLOOR {
            true => EVEN - 1 + bucket(f64::from_bits(key)),
            false => outer(key),
        }
    }

    #[inline(always)]
    fn bucket_of_any(key: u64) -> usize {
        let below = (key >> FRACTION_BITS) as usize + usize::from(key > 0);
        let between = EVEN - 1 + even(key) as usize;
        let above = NEAR + (NEAR_BITS + 1) as usize - bits_away(ONE - key) as usize;
        let zone = usize::from(key >= EVEN_FLOOR) + usize::from(key >= NEAR_FLOOR);
        [below, between, above][zone]
    }

    fn floor(bucket: usize) -> u64 {
        if bucket < EVEN {
            // The subnormal numbers begin above 0, which has a bucket of its own.
            let least = u64::from(bucket == 1);
            return ((bucket as u64).saturating_sub(1) << FRACTION_BITS) + least;
        }
        if bucket >= NEAR {
            let bits = NEAR_BITS.checked_sub((bucket - NEAR) as u32);
            return ONE - bits.map_or(0, |bits| 1 << bits);
        }
        let even = (bucket - EVEN + 1) as u64;
        let bits = even.ilog2();
        // even · 2^-15 has the exponent of its first bit, and the others behind it.
        let exponent = u64::from(1023 - BUCKETS.ilog2() + bits);
        (exponent << FRACTION_BITS) + ((even - (1 << bits)) << (FRACTION_BITS - bits))
    }

    fn ceiling(bucket: usize) -> u64 {
        if bucket + 1 < Self::BUCKETS { Self::floor(bucket + 1) - 1 } else { ONE }
    }

    /// The even ones.
    const NARROW: Range<usize> = EVEN..NEAR;

    #[inline(always)]
    fn narrow(bits: u64) -> u64 {
        even(bits)
    }

    fn as_wide_as(width: u32) -> usize {
        // 2^38 keys from 1/2 on, twice as many for each power of two below; the first has 2^52.
        let powers = (FRACTION_BITS + 1).saturating_sub(width).min(BUCKETS.ilog2());
        ((1 << powers) - 1).min(Self::NARROW.len())
    }

    #[inline(always)]
    fn excess(key: u64) -> u64 {
        // Normal numbers have a hidden bit: the field is one too high to be just added.
        (key >> FRACTION_BITS).saturating_sub(1) << FRACTION_BITS
    }

    fn scale(key: u64) -> u32 {
        1075 - Doubles::exponent(key)
    }

    fn unit(scale: u32) -> BigInt {
        BigInt::from(1) << scale
    }

    fn finer<N: Number>(significands: u128, from: u32, to: u32) -> N {
        N::shifted(significands, to - from)
    }
}
