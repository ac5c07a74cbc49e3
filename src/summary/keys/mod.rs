//! Keys: predictions as integers whose order is theirs, and how keys are put into buckets.

#[cfg(test)]
mod tests;

use std::ops::Range;

use num_bigint::BigInt;

use super::buckets::{BUCKETS, bucket, even};
use crate::dyadic::Dyadic;
use crate::number::Number;
use crate::prediction::{Decimal, PredictionError};

/// A kind of predictions that a [`Summary`](super::Summary) can hold.
///
/// A key is an integer below 2^63: an exponent, in the high bits, and a significand. All keys of a
/// bucket have the same exponent, of two for doubles and of ten for decimals. So a sum of keys,
/// their number and one of them give the sum of the predictions, without a fixed point that tiny
/// predictions would miss.
pub trait Keys: Copy + Send + Sync + std::fmt::Debug {
    /// What a prediction is given as.
    type Input: Copy + Send + Sync;

    /// The number of buckets.
    const BUCKETS: usize;

    /// The bits of an input, which are the key if it is a probability, but for other ways to write
    /// it.
    fn bits(input: Self::Input) -> u64;
    /// The key with these bits; `None` if they are not those of a probability.
    fn valid(bits: u64) -> Option<u64>;
    /// The key of a prediction; `None` if it is not a probability.
    #[inline(always)]
    fn key(input: Self::Input) -> Option<u64> {
        Self::valid(Self::bits(input))
    }
    /// Whether this is the key of a prediction.
    fn is_key(key: u64) -> bool;
    /// The prediction with a key.
    fn input(key: u64) -> Self::Input;
    /// Why there is no key.
    fn refusal(input: Self::Input) -> PredictionError;
    /// The bucket of a key: never lower for a larger key.
    fn bucket(key: u64) -> usize;
    /// The same without a branch: where keys of all kinds are mixed, a processor cannot guess.
    #[inline(always)]
    fn bucket_of_any(key: u64) -> usize {
        Self::bucket(key)
    }
    /// A key that is at most as large as any other of the bucket, with the same exponent.
    fn floor(bucket: usize) -> u64;

    /// The largest key that a bucket can have.
    fn ceiling(bucket: usize) -> u64;
    /// The narrow buckets: those whose keys have few last bits of their own, and that can be told
    /// at once. Fewer than 2^16.
    const NARROW: Range<usize>;
    /// The bucket of a key among the narrow ones, counted from 1; for keys of other buckets, and
    /// for bits that are not valid, 0 or more than there are, by the last 32 bits alone, too.
    fn narrow(bits: u64) -> u64;
    /// How many narrow buckets, from the first on, have at least 2^width keys. The others are not
    /// wider than these.
    fn as_wide_as(width: u32) -> usize;

    /// What the key has beyond its significand.
    fn excess(key: u64) -> u64;
    /// The scale on which `key`, and every larger one, is an integer: the larger the finer. On its
    /// own scale a key is its significand.
    fn scale(key: u64) -> u32;
    /// What stands for probability 1 on a scale.
    fn unit(scale: u32) -> BigInt;
    /// A sum of significands on a finer scale.
    fn finer<N: Number>(significands: u128, from: u32, to: u32) -> N;

    /// The prediction on a scale.
    fn value<N: Number>(key: u64, scale: u32) -> N {
        Self::total(key.into(), 1, key, scale)
    }

    /// The sum of `count` predictions of the bucket of `key` on a scale, from the sum of their
    /// keys.
    fn total<N: Number>(sum: u128, count: u64, key: u64, scale: u32) -> N {
        match sum - u128::from(Self::excess(key)) * u128::from(count) {
            0 => N::zero(), // 0 is on every scale
            significands => Self::finer(significands, Self::scale(key), scale),
        }
    }
}

/// A key with an outcome, in the same order.
#[inline(always)]
pub(crate) fn pack(key: u64, outcome: bool) -> u64 {
    key << 1 | u64::from(outcome)
}

/// What was packed.
pub(crate) fn unpack(packed: u64) -> (u64, bool) {
    (packed >> 1, packed & 1 == 1)
}

/// Doubles: the key is the bit pattern, the scale a power of two.
///
/// Buckets divide [2^-15, 1 - 2^-15) evenly. Below, there is one for each power of two, one for the
/// subnormal numbers and one for 0; above, one for each power of two of 1 - p, and one for 1. So
/// all doubles of a bucket have the same exponent, and are multiples of the same power of two; and
/// predictions near 0 or 1 are told apart as those in between are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubles;

const FRACTION_BITS: u32 = 52;
const ONE: u64 = 1023 << FRACTION_BITS;
/// The bucket of 2^-15, the first of those of even width, and its bits.
const EVEN: usize = 1024 - BUCKETS.ilog2() as usize;
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
    match ONE - key {
        0 => <Doubles as Keys>::BUCKETS - 1,
        // Up to 2^j: the lower end of a bucket belongs to it.
        away => {
            let bits = (away - 1).checked_ilog2().map_or(0, |bits| bits + 1);
            NEAR + (NEAR_BITS - bits) as usize
        }
    }
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
        // As in `outer`: the bits of what is one less than the distance from 1, which 1 has not.
        let away = ONE - key;
        let bits = u64::BITS - away.saturating_sub(1).leading_zeros() + u32::from(away > 0);
        let above = NEAR + (NEAR_BITS + 1) as usize - bits as usize;
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

/// Decimals of at most 17 digits: the key is the word of a [`Decimal`], the scale a power of ten.
///
/// From 10^-4 to 1 - 10^-4 the digits are divided evenly within each power of ten; below, there is
/// one bucket for each power of ten, and one for 0; above, one for each power of ten of 1 - p, and
/// one for 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decimals;

/// The places of decimals from 0.1 to 1 (it has one less), and of the smallest.
const FEWEST: u32 = Decimal::DIGITS;
const MOST: u32 = Decimal::MAX_PLACES;
/// From 10^-k on, for k from 4 to 1, a bucket holds so many bits of the digits: parts of the powers
/// of ten that are about as wide as the even buckets of doubles, or less.
const PART_BITS: [u32; 4] = [49, 46, 43, 42];
/// The first bucket of each of these powers of ten, and that of 0.9999, the first of those above.
const PARTS: [usize; 5] = {
    let mut firsts = [(MOST - FEWEST - 3) as usize + 1; 5];
    let mut power = 0;
    while power < 4 {
        // At most, but for the last, which ends at 0.9999.
        let end = if power < 3 { WHOLE } else { WHOLE - 10_u64.pow(NINES_DIGITS) };
        let last = (end - 1 - LEAST) >> PART_BITS[power];
        firsts[power + 1] = firsts[power] + last as usize + 1;
        power += 1;
    }
    firsts
};
const NINES: usize = PARTS[4];
/// 1, in units of the last place of what is below it, and the least of 17 digits.
const WHOLE: u64 = 10_u64.pow(FEWEST);
const LEAST: u64 = 10_u64.pow(FEWEST - 1);
/// 1 - 0.9999 is this power of ten in the same units.
const NINES_DIGITS: u32 = FEWEST - 4;

impl Decimals {
    /// The power of ten of a decimal from 10^-4 on, as a position in [`PARTS`].
    fn power(places: u32) -> usize {
        (FEWEST + 3 - places) as usize
    }
}

impl Keys for Decimals {
    type Input = Decimal;

    const BUCKETS: usize = NINES + NINES_DIGITS as usize + 2;

    #[inline(always)]
    fn bits(decimal: Decimal) -> u64 {
        decimal.word()
    }

    #[inline(always)]
    fn valid(bits: u64) -> Option<u64> {
        Some(bits)
    }

    fn is_key(key: u64) -> bool {
        let (digits, places) = Decimal::from_word(key).parts();
        key == 0 || Decimal::new(digits, places as i32).is_some_and(|same| same.word() == key)
    }

    fn input(key: u64) -> Decimal {
        Decimal::from_word(key)
    }

    fn refusal(_decimal: Decimal) -> PredictionError {
        unreachable!("every decimal is a probability")
    }

    fn bucket(key: u64) -> usize {
        let (digits, places) = Decimal::from_word(key).parts();
        match places {
            0 if digits == 0 => 0,
            _ if places < FEWEST => <Decimals as Keys>::BUCKETS - 1, // 1
            FEWEST if WHOLE - digits <= 10_u64.pow(NINES_DIGITS) => {
                // Up to 10^j: the lower end of a bucket belongs to it.
                let away = WHOLE - digits;
                let zeros = (away - 1).checked_ilog10().map_or(0, |zeros| zeros + 1);
                NINES + (NINES_DIGITS - zeros) as usize
            }
            _ if places < FEWEST + 4 => {
                let power = Decimals::power(places);
                PARTS[power] + ((digits - LEAST) >> PART_BITS[power]) as usize
            }
            _ => 1 + (MOST - places) as usize,
        }
    }

    fn floor(bucket: usize) -> u64 {
        let decimal = match bucket {
            0 => Some(Decimal::ZERO),
            _ if bucket < PARTS[0] => Decimal::new(LEAST, MOST as i32 - bucket as i32 + 1),
            _ if bucket < NINES => {
                let power = PARTS.partition_point(|first| *first <= bucket) - 1;
                let digits = LEAST + (((bucket - PARTS[power]) as u64) << PART_BITS[power]);
                Decimal::new(digits, FEWEST as i32 + 3 - power as i32)
            }
            _ => match NINES_DIGITS.checked_sub((bucket - NINES) as u32) {
                Some(zeros) => Decimal::new(WHOLE - 10_u64.pow(zeros), FEWEST as i32),
                None => Decimal::new(1, 0),
            },
        };
        decimal.expect("17 digits at most").word()
    }

    fn ceiling(bucket: usize) -> u64 {
        let floor = Decimals::floor(bucket);
        if bucket == 0 || bucket + 1 == Self::BUCKETS {
            return floor;
        }
        // The next bucket may begin at another power of ten, whose words do not follow.
        let next = Decimals::floor(bucket + 1);
        match Decimals::scale(next) == Decimals::scale(floor) {
            true => next - 1,
            false => Decimals::excess(floor) + WHOLE - 1,
        }
    }

    /// From 0.01 on, up to 0.9999.
    const NARROW: Range<usize> = PARTS[2]..NINES;

    #[inline(always)]
    fn narrow(key: u64) -> u64 {
        const FLOOR: u64 = Decimal::encode(LEAST, 18);
        const TENTH: u64 = Decimal::encode(LEAST, 17);
        const END: u64 = Decimal::encode(WHOLE - 10_u64.pow(NINES_DIGITS), 17);
        // Two powers of ten, without a table to look into.
        let (first, least, bits) = match key >= TENTH {
            true => (1 + (PARTS[3] - PARTS[2]) as u64, TENTH, PART_BITS[3]),
            false => (1, FLOOR, PART_BITS[2]),
        };
        let is_narrow = key.wrapping_sub(FLOOR) < END - FLOOR;
        let narrow = first + (key.wrapping_sub(least) >> bits);
        if is_narrow { narrow } else { 0 }
    }

    fn as_wide_as(width: u32) -> usize {
        match width {
            _ if width > PART_BITS[2] => 0,
            _ if width > PART_BITS[3] => PARTS[3] - PARTS[2],
            _ => Self::NARROW.len(),
        }
    }

    fn excess(key: u64) -> u64 {
        key - Decimal::from_word(key).parts().0
    }

    fn scale(key: u64) -> u32 {
        Decimal::from_word(key).parts().1
    }

    fn unit(scale: u32) -> BigInt {
        BigInt::from(10).pow(scale)
    }

    fn finer<N: Number>(significands: u128, from: u32, to: u32) -> N {
        let power = 10_u128.checked_pow(to - from);
        match power.and_then(|power| significands.checked_mul(power)) {
            Some(short) => N::shifted(short, 0),
            None => N::from_bigint(&(significands * BigInt::from(10).pow(to - from)))
                .expect("the bound of the level table admits its values"),
        }
    }
}
