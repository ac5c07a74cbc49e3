//! Keys: predictions as integers whose order is theirs, and how keys are put into buckets.

mod decimals;
mod doubles;
#[cfg(test)]
mod tests;

pub use decimals::Decimals;
pub use doubles::Doubles;

use std::ops::Range;

use num_bigint::BigInt;

use crate::number::Number;
use crate::prediction::PredictionError;

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
    /// The significand of a key, and its own scale.
    fn parts(key: u64) -> (u64, u32) {
        (key - Self::excess(key), Self::scale(key))
    }
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

/// The bits of the distance from 1 up to the next power of two, which is 2^j for distances above
/// 2^(j - 1): the lower end of a bucket belongs to it. One more, so that 1 itself has 0.
#[inline(always)]
fn bits_away(away: u64) -> u32 {
    u64::BITS - away.saturating_sub(1).leading_zeros() + u32::from(away > 0)
}
