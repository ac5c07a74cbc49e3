//! Keys: predictions as integers whose order is theirs, and how keys are put into buckets.

use ethnum::U256;
use num_bigint::BigInt;

use crate::float::{BUCKETS, Dyadic, bucket};
use crate::number::Number;
use crate::prediction::PredictionError;

/// A kind of predictions that a [`Summary`](super::Summary) can hold.
///
/// The keys of one bucket are spaced alike: a sum of keys, their number and one of them give the sum of the predictions.
pub trait Keys: Copy + Default + std::fmt::Debug {
    /// What a prediction is given as.
    type Input: Copy + Send + Sync;
    /// A key: an integer, in the order of the predictions.
    type Key: Copy + Ord + Default + Send + Sync + std::fmt::Debug;
    /// A sum of keys, of as many as 64 bits can count.
    type Sum: Copy + Default + Eq + Send + Sync + std::fmt::Debug;
    /// A key with an outcome, in the same order.
    type Packed: Copy + Ord + Send + Sync + std::fmt::Debug;

    /// The number of buckets.
    const BUCKETS: usize;

    /// The key of a prediction; `None` if it is not a probability.
    fn key(input: Self::Input) -> Option<Self::Key>;
    /// Why there is no key.
    fn refusal(input: Self::Input) -> PredictionError;
    /// The bucket of a key: never lower for a larger key.
    fn bucket(key: Self::Key) -> usize;
    /// A key that is at most as large as any other of the bucket, with the same spacing.
    fn floor(bucket: usize) -> Self::Key;

    /// Adds a key to a sum.
    fn add(sum: &mut Self::Sum, key: Self::Key);
    /// Adds two sums.
    fn join(sum: &mut Self::Sum, other: Self::Sum);
    /// So many times a key.
    fn times(key: Self::Key, count: u64) -> Self::Sum;

    /// A key with an outcome.
    fn pack(key: Self::Key, outcome: bool) -> Self::Packed;
    /// What was packed.
    fn unpack(packed: Self::Packed) -> (Self::Key, bool);

    /// The scale on which `key`, and every larger one, is an integer: the larger the finer.
    fn scale(key: Self::Key) -> u32;
    /// What stands for probability 1 on a scale.
    fn unit(scale: u32) -> BigInt;
    /// The prediction on a scale.
    fn value<N: Number>(key: Self::Key, scale: u32) -> N;
    /// The sum of `count` predictions of the bucket of `key` on a scale, from the sum of their keys.
    fn total<N: Number>(sum: Self::Sum, count: u64, key: Self::Key, scale: u32) -> N;
}

/// Doubles: the key is the bit pattern, the scale a power of two.
///
/// Buckets divide [2^-14, 1] evenly. Below, there is one for each power of two, one for the subnormal numbers and
/// one for 0. So all doubles of a bucket have the same exponent, and are multiples of the same power of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubles;

const FRACTION_BITS: u32 = 52;
const ONE: u64 = 1023 << FRACTION_BITS;
/// The bucket of 2^-14, the first of those of even width.
const EVEN: usize = 1024 - BUCKETS.ilog2() as usize;
/// The bits of 2^-14.
const EVEN_FLOOR: u64 = (1023 - BUCKETS.ilog2() as u64) << FRACTION_BITS;

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

    /// What the bits have beyond the significand.
    fn excess(key: u64) -> u64 {
        // Normal numbers have a hidden bit: the field is one too high to be just added.
        (key >> FRACTION_BITS).saturating_sub(1) << FRACTION_BITS
    }
}

/// The bucket of a double below 2^-14: by its exponent, and 0 alone.
#[cold]
fn small(key: u64) -> usize {
    if key == 0 { 0 } else { 1 + (key >> FRACTION_BITS) as usize }
}

/// Doubles in [0, 1] have patterns up to that of 1; beyond are the others, and -0.0.
#[cold]
fn unusual(bits: u64) -> Option<u64> {
    Dyadic::from_bits(bits).ok().map(|_| 0)
}

impl Keys for Doubles {
    type Input = f64;
    type Key = u64;
    type Sum = [u64; 2];
    type Packed = u64;

    const BUCKETS: usize = EVEN + BUCKETS;

    #[inline(always)]
    fn key(double: f64) -> Option<u64> {
        let bits = double.to_bits();
        if bits <= ONE { Some(bits) } else { unusual(bits) }
    }

    fn refusal(double: f64) -> PredictionError {
        Dyadic::from_bits(double.to_bits()).expect_err("it has no key")
    }

    #[inline(always)]
    fn bucket(key: u64) -> usize {
        if key < EVEN_FLOOR { small(key) } else { EVEN - 1 + bucket(f64::from_bits(key)) }
    }

    fn floor(bucket: usize) -> u64 {
        if bucket < EVEN {
            return (bucket as u64).saturating_sub(1) << FRACTION_BITS;
        }
        let even = (bucket - EVEN + 1) as u64;
        let bits = even.ilog2();
        // even · 2^-14 has the exponent of its first bit, and the others behind it.
        let exponent = u64::from(1023 - BUCKETS.ilog2() + bits);
        (exponent << FRACTION_BITS) + ((even - (1 << bits)) << (FRACTION_BITS - bits))
    }

    #[inline(always)]
    fn add([low, high]: &mut [u64; 2], key: u64) {
        let (sum, carry) = low.overflowing_add(key);
        *low = sum;
        *high += u64::from(carry);
    }

    fn join(sum: &mut [u64; 2], other: [u64; 2]) {
        *sum = halves(whole(*sum) + whole(other));
    }

    fn times(key: u64, count: u64) -> [u64; 2] {
        halves(u128::from(key) * u128::from(count))
    }

    #[inline(always)]
    fn pack(key: u64, outcome: bool) -> u64 {
        key << 1 | u64::from(outcome)
    }

    fn unpack(packed: u64) -> (u64, bool) {
        (packed >> 1, packed & 1 == 1)
    }

    fn scale(key: u64) -> u32 {
        1075 - Doubles::exponent(key)
    }

    fn unit(scale: u32) -> BigInt {
        BigInt::from(1) << scale
    }

    fn value<N: Number>(key: u64, scale: u32) -> N {
        Doubles::total([key, 0], 1, key, scale)
    }

    fn total<N: Number>(sum: [u64; 2], count: u64, key: u64, scale: u32) -> N {
        let excess = u128::from(Doubles::excess(key)) * u128::from(count);
        match whole(sum) - excess {
            0 => N::zero(), // 0 is on every scale
            significands => N::shifted(significands, scale - Doubles::scale(key)),
        }
    }
}

fn whole([low, high]: [u64; 2]) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

fn halves(whole: u128) -> [u64; 2] {
    [whole as u64, (whole >> 64) as u64]
}

/// Decimals of at most 38 places: the key counts units of 10^-38.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decimals;

impl Decimals {
    /// The most places after the point.
    pub const PLACES: u32 = 38;
    /// The key of 1, which is below 2^127.
    pub const ONE: u128 = 10_u128.pow(Self::PLACES);
    /// Buckets are made of the bits beyond these: 19260 of them.
    const LOW_BITS: u32 = 112;
}

impl Keys for Decimals {
    type Input = u128;
    type Key = u128;
    type Sum = U256;
    type Packed = u128;

    const BUCKETS: usize = (Decimals::ONE >> Decimals::LOW_BITS) as usize + 1;

    fn key(units: u128) -> Option<u128> {
        (units <= Decimals::ONE).then_some(units)
    }

    fn refusal(_units: u128) -> PredictionError {
        PredictionError::AboveOne
    }

    fn bucket(key: u128) -> usize {
        (key >> Decimals::LOW_BITS) as usize
    }

    fn floor(bucket: usize) -> u128 {
        (bucket as u128) << Decimals::LOW_BITS
    }

    fn add(sum: &mut U256, key: u128) {
        *sum += U256::from(key);
    }

    fn join(sum: &mut U256, other: U256) {
        *sum += other;
    }

    fn times(key: u128, count: u64) -> U256 {
        U256::from(key) * U256::from(count)
    }

    fn pack(key: u128, outcome: bool) -> u128 {
        key << 1 | u128::from(outcome)
    }

    fn unpack(packed: u128) -> (u128, bool) {
        (packed >> 1, packed & 1 == 1)
    }

    fn scale(_key: u128) -> u32 {
        0
    }

    fn unit(_scale: u32) -> BigInt {
        Decimals::ONE.into()
    }

    fn value<N: Number>(key: u128, _scale: u32) -> N {
        N::shifted(key, 0)
    }

    fn total<N: Number>(sum: U256, _count: u64, _key: u128, _scale: u32) -> N {
        let (high, low) = sum.into_words();
        // At most 2^64 keys below 2^127: the high word is below 2^63.
        match high {
            0 => N::shifted(low, 0),
            _ => N::shifted(high, 128) + &N::shifted(low, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    fn exact(key: u64) -> BigRational {
        BigRational::from_float(f64::from_bits(key)).expect("finite")
    }

    #[test]
    fn floors_are_the_least_keys_of_their_buckets() {
        for bucket in 0..<Doubles as Keys>::BUCKETS {
            let floor = Doubles::floor(bucket);
            // The subnormal numbers begin above 0, which has a bucket of its own.
            assert_eq!(Doubles::bucket(floor.max(u64::from(bucket == 1))), bucket);
            if bucket > 1 {
                assert_eq!(Doubles::bucket(floor - 1), bucket - 1, "{bucket}");
            }
            assert_eq!(Decimals::bucket(Decimals::floor(bucket)), bucket);
        }
        assert_eq!(Doubles::bucket(ONE), <Doubles as Keys>::BUCKETS - 1);
        assert_eq!(Decimals::bucket(Decimals::ONE), <Decimals as Keys>::BUCKETS - 1);
    }

    #[test]
    fn only_probabilities_have_keys() {
        assert_eq!(Doubles::key(-0.0), Some(0));
        assert_eq!(Doubles::key(1.0), Some(ONE));
        for (double, error) in [
            (1.0_f64.next_up(), PredictionError::AboveOne),
            ((-0.0_f64).next_down(), PredictionError::Negative),
            (f64::NAN, PredictionError::Nan),
            (-f64::NAN, PredictionError::Nan),
            (f64::INFINITY, PredictionError::Infinite),
        ] {
            assert_eq!((Doubles::key(double), Doubles::refusal(double)), (None, error));
        }
        assert_eq!(Decimals::key(Decimals::ONE), Some(Decimals::ONE));
        assert_eq!(Decimals::key(Decimals::ONE + 1), None);
    }

    proptest! {
        /// Within a bucket the sum of keys gives the sum of predictions.
        #[test]
        fn sums_of_keys_are_sums_of_predictions(
            bucket in 0..<Doubles as Keys>::BUCKETS, offsets in prop::collection::vec(any::<u64>(), 1..9), finer in 0_u32..9,
        ) {
            let floor = Doubles::floor(bucket);
            let end = if bucket + 1 < <Doubles as Keys>::BUCKETS { Doubles::floor(bucket + 1).max(1) } else { ONE + 1 };
            let keys: Vec<u64> = offsets.iter().map(|offset| floor + offset % (end - floor)).collect();
            let mut sum = [0, 0];
            keys.iter().for_each(|key| Doubles::add(&mut sum, *key));
            let scale = Doubles::scale(floor) + finer;
            let unit = BigRational::from(Doubles::unit(scale));
            let total: BigInt = Doubles::total(sum, keys.len() as u64, keys[0], scale);
            prop_assert_eq!(BigRational::from(total) / &unit, keys.iter().map(|key| exact(*key)).sum());
            let value: BigInt = Doubles::value(keys[0], scale);
            prop_assert_eq!(BigRational::from(value) / unit, exact(keys[0]));
        }

        #[test]
        fn many_large_decimals_are_summed(key in Decimals::ONE / 2..=Decimals::ONE, count in 1..=u64::MAX) {
            let total: BigInt = Decimals::total(Decimals::times(key, count), count, key, 0);
            prop_assert_eq!(total, BigInt::from(key) * count);
        }
    }
}
