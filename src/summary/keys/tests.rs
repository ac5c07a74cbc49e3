use super::decimals::{MOST, WHOLE};
use super::doubles::{EVEN, ONE};
use super::*;
use crate::prediction::Decimal;
use num_rational::BigRational;
use proptest::prelude::*;

/// Between neighbouring buckets keys pass from one to the other at the floor.
fn floors_divide<K: Keys>(predecessor: impl Fn(u64) -> u64) {
    for bucket in 0..K::BUCKETS {
        let (floor, ceiling) = (K::floor(bucket), K::ceiling(bucket));
        assert_eq!(K::bucket(floor), bucket);
        assert_eq!(K::bucket(ceiling), bucket);
        assert_eq!([floor, ceiling].map(K::bucket_of_any), [bucket; 2]);
        if floor > 0 {
            assert_eq!(K::ceiling(bucket - 1), predecessor(floor), "{bucket}");
            assert_eq!(K::bucket(predecessor(floor)), bucket - 1, "{bucket}");
        }
        // A bucket is narrow as a whole or not at all, and known to be as wide as it is.
        let number = bucket.wrapping_sub(K::NARROW.start);
        let is_narrow = K::NARROW.contains(&bucket);
        for narrow in [floor, ceiling].map(K::narrow) {
            match is_narrow {
                true => assert_eq!(narrow, number as u64 + 1),
                false => assert!((narrow as u32).wrapping_sub(1) as usize >= K::NARROW.len()),
            }
        }
        if is_narrow {
            let width = u64::BITS - (ceiling - floor).leading_zeros();
            assert!(K::as_wide_as(width) > number, "{bucket}");
            assert!(width >= 38 && (number > 0 || width <= 52));
        }
    }
    assert!(4 * K::NARROW.len() > 3 * K::BUCKETS, "most buckets are narrow");
    assert!(K::NARROW.len() < 1 << 16 && K::as_wide_as(53) == 0);
}

#[test]
fn floors_are_the_least_keys_of_their_buckets() {
    floors_divide::<Doubles>(|key| key - 1);
    assert_eq!(Doubles::bucket(ONE), <Doubles as Keys>::BUCKETS - 1);
    assert_eq!((Doubles::bucket(0), Doubles::bucket(1), Doubles::floor(1)), (0, 1, 1));

    // Below the least of 17 digits with so many places are those with more: 9…9.
    floors_divide::<Decimals>(|key| match Decimal::from_word(key).parts() {
        (digits, places) if digits == 10_u64.pow(16) && places < MOST => {
            Decimal::new(10_u64.pow(17) - 1, places as i32 + 1).expect("17 digits").word()
        }
        (_, MOST) => 0,
        _ => key - 1,
    });
    let one = Decimal::new(1, 0).expect("short").word();
    assert_eq!(Decimals::bucket(one), <Decimals as Keys>::BUCKETS - 1);
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
}

/// The sum of the predictions by the sum of keys of one bucket, and one prediction.
fn by_sums<K: Keys>(keys: &[u64], finer: u32) -> [BigRational; 2] {
    let scale = K::scale(keys[0]) + finer;
    let sum = keys.iter().map(|key| u128::from(*key)).sum();
    let total: BigInt = K::total(sum, keys.len() as u64, keys[0], scale);
    [total, K::value(keys[0], scale)].map(|number| BigRational::new(number, K::unit(scale)))
}

/// Keys of a bucket, from offsets.
fn keys_of<K: Keys>(bucket: usize, end: u64, offsets: &[u64]) -> Vec<u64> {
    let floor = K::floor(bucket);
    offsets.iter().map(|offset| floor + offset % (end - floor)).collect()
}

proptest! {
    /// However a bucket is found.
    #[test]
    fn all_ways_lead_to_the_same_bucket(bits in 0..=ONE, near in 0..1_u64 << 45) {
        for key in [bits, near, ONE - near] {
            let bucket = Doubles::bucket(key);
            prop_assert_eq!(Doubles::bucket_of_any(key), bucket);
            let narrow = Doubles::narrow(key) as usize;
            let number = <Doubles as Keys>::NARROW.contains(&bucket).then(|| bucket + 1 - EVEN);
            prop_assert!(number.is_none_or(|number| number == narrow));
        }
    }

    /// Within a bucket the sum of keys gives the sum of predictions.
    #[test]
    fn sums_of_keys_are_sums_of_predictions(
        offsets in prop::collection::vec(any::<u64>(), 1..9), finer in 0_u32..9,
        bucket in 0..<Doubles as Keys>::BUCKETS,
        decimals in 1..<Decimals as Keys>::BUCKETS,
    ) {
        let end = match bucket + 1 < <Doubles as Keys>::BUCKETS {
            true => Doubles::floor(bucket + 1),
            false => ONE + 1,
        };
        let keys = keys_of::<Doubles>(bucket, end, &offsets);
        let exact = |key: &u64| BigRational::from_float(f64::from_bits(*key)).expect("finite");
        prop_assert!(keys.iter().all(|key| Doubles::bucket(*key) == bucket || *key == 0));
        let expected = [keys.iter().map(exact).sum(), exact(&keys[0])];
        prop_assert_eq!(by_sums::<Doubles>(&keys, finer), expected);

        let parts = |key: u64| Decimal::from_word(key).parts();
        let (floor, next) = (Decimals::floor(decimals), decimals + 1);
        let end = match next < <Decimals as Keys>::BUCKETS {
            false => floor + 1,
            true if parts(Decimals::floor(next)).1 == parts(floor).1 => Decimals::floor(next),
            true => floor - parts(floor).0 + WHOLE,
        };
        let keys = keys_of::<Decimals>(decimals, end, &offsets);
        prop_assert!(keys.iter().all(|key| Decimals::bucket(*key) == decimals));
        let exact = |key: &u64| {
            let (digits, places) = parts(*key);
            BigRational::new(digits.into(), BigInt::from(10).pow(places))
        };
        let expected = [keys.iter().map(exact).sum(), exact(&keys[0])];
        prop_assert_eq!(by_sums::<Decimals>(&keys, finer), expected);
    }
}
