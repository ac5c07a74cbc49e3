//! The variance of the outcomes of a truthful forecaster, from one pass over the rounds.

use std::marker::PhantomData;

use ethnum::U256;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Keys, Weighted, entry_of, unpack};
use crate::forecasts::ForecastsError;
use crate::tally::Entry;

/// σ² = Σ p(1 - p), exactly, in constant memory.
///
/// The sums of the significands and of their squares are kept by the scale of the prediction, of
/// which there are about a thousand. Neither can overflow: a significand has at most 57 bits, and
/// there are fewer than 2^64 rounds.
///
/// ```
/// use truecal::summary::{Doubles, Variance};
/// let mut variance = Variance::<Doubles>::new();
/// variance.update_levels(&[(0.5, 3, 1), (0.25, 1, 0)])?;
/// assert_eq!(variance.value(), "15/16".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Variance<K> {
    /// The sum and the sum of squares on each scale.
    sums: Vec<(u128, U256)>,
    keys: PhantomData<K>,
}

impl<K: Keys> Default for Variance<K> {
    fn default() -> Self {
        Variance::new()
    }
}

impl<K: Keys> Variance<K> {
    /// Of no rounds.
    pub fn new() -> Self {
        Variance { sums: vec![], keys: PhantomData }
    }

    /// Adds levels: a prediction, its rounds, and the ones among them.
    pub fn update_levels(&mut self, levels: &[Weighted<K>]) -> Result<(), ForecastsError> {
        for (round, level) in levels.iter().enumerate() {
            let Entry { key, count, .. } = entry_of::<K>(round, level)?;
            self.add(key, count);
        }
        Ok(())
    }

    /// Adds rounds by their words.
    pub(crate) fn update_words(&mut self, words: &[u64]) {
        words.iter().for_each(|word| self.add(unpack(*word).0, 1));
    }

    fn add(&mut self, key: u64, count: u64) {
        let scale = K::scale(key) as usize;
        if self.sums.len() <= scale {
            self.sums.resize(scale + 1, (0, U256::ZERO));
        }
        let significand = u128::from(key - K::excess(key));
        let (sum, squares) = &mut self.sums[scale];
        *sum += significand * u128::from(count);
        *squares += U256::from(significand * significand) * U256::from(count);
    }

    /// σ² of all rounds.
    pub fn value(&self) -> BigRational {
        let integer = |number: U256| {
            let (high, low) = number.into_words();
            (BigInt::from(high) << 128) + low
        };
        let mut all = BigRational::from_integer(0.into());
        for (scale, (sum, squares)) in (0..).zip(&self.sums).filter(|(_, (sum, _))| *sum > 0) {
            let unit = K::unit(scale);
            let above = BigInt::from(*sum) * &unit - integer(*squares);
            all += BigRational::new(above, &unit * &unit);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Decimals, Doubles};
    use super::*;
    use crate::prediction::{Decimal, Prediction};
    use proptest::prelude::*;

    /// From the levels themselves.
    fn plain<K: Keys>(levels: &[Weighted<K>]) -> BigRational
    where
        Prediction: TryFrom<K::Input>,
    {
        let one = BigRational::from_integer(1.into());
        let term = |(prediction, count, _): &Weighted<K>| {
            let prediction = Prediction::try_from(*prediction).ok().expect("valid");
            let p = prediction.to_rational();
            &p * (&one - &p) * BigRational::from_integer((*count).into())
        };
        levels.iter().map(term).sum()
    }

    fn agrees<K: Keys>(levels: &[Weighted<K>])
    where
        Prediction: TryFrom<K::Input>,
    {
        let mut variance = Variance::<K>::new();
        variance.update_levels(levels).expect("valid");
        assert_eq!(variance.value(), plain::<K>(levels));
    }

    #[test]
    fn no_rounds_and_certain_ones_have_none() {
        agrees::<Doubles>(&[]);
        agrees::<Doubles>(&[(0.0, 5, 0), (-0.0, 1, 1), (1.0, u64::MAX, 0)]);
        agrees::<Decimals>(&[(Decimal::ZERO, 5, 0), (Decimal::new(1, 0).expect("1"), 2, 2)]);
    }

    #[test]
    fn the_largest_sums_fit() {
        let below_one = 1.0_f64.next_down();
        agrees::<Doubles>(&[(below_one, u64::MAX, 0), (f64::from_bits(1), u64::MAX, 0)]);
        let nines = Decimal::new(10_u64.pow(17) - 1, 17).expect("short");
        agrees::<Decimals>(&[(nines, u64::MAX, 0), (Decimal::new(1, 63).expect("short"), 7, 0)]);
    }

    proptest! {
        #[test]
        fn variances_are_those_of_rationals(
            doubles in prop::collection::vec((0.0..=1.0_f64, 0..4_u64), 0..20),
            tiny in prop::collection::vec((0..=1023_u64 << 52, 0..4_u64), 0..20),
            decimals in prop::collection::vec((0..10_u64.pow(17), 17..70_i32, 0..4_u64), 0..20),
        ) {
            let doubles = doubles.into_iter().map(|(p, count)| (p, count, 0));
            let tiny = tiny.into_iter().map(|(bits, count)| (f64::from_bits(bits), count, 0));
            agrees::<Doubles>(&doubles.chain(tiny).collect::<Vec<_>>());
            let decimal = |(digits, places, count)| Some((Decimal::new(digits, places)?, count, 0));
            agrees::<Decimals>(&decimals.into_iter().filter_map(decimal).collect::<Vec<_>>());
        }
    }
}
