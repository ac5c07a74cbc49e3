//! The variance of the outcomes of a truthful forecaster, from one pass over the rounds.

use std::marker::PhantomData;

use ethnum::U256;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Keys, Weighted, entry_of, unpack};
use crate::forecasts::ForecastsError;
use crate::tally::Entry;

/// More scales than any kind of number has, a power of two.
const SCALES: usize = 1 << 11;

/// Of each scale, the sum of the significands and of their squares.
type Sums = [(u128, u128); SCALES];

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
    /// Rounds whose outcome was given the probability 0.
    impossible: u64,
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
        Variance { sums: vec![], impossible: 0, keys: PhantomData }
    }

    /// Adds levels: a prediction, its rounds, and the ones among them.
    pub fn update_levels(&mut self, levels: &[Weighted<K>]) -> Result<(), ForecastsError> {
        for (round, level) in levels.iter().enumerate() {
            let Entry { key, count, ones } = entry_of::<K>(round, level)?;
            self.add(key, count);
            let impossible = match key {
                0 => ones,
                _ if key == K::ceiling(K::BUCKETS - 1) => count - ones,
                _ => 0,
            };
            self.impossible = self.impossible.saturating_add(impossible);
        }
        Ok(())
    }

    /// Adds rounds by their words.
    pub(crate) fn update_words(&mut self, words: &[u64]) {
        // Most rounds have the same scale: with sums of their own, neighbours need not wait for
        // each other. The squares of 2^14 significands of 57 bits fit 128 bits, which are faster
        // than 256.
        const LANES: usize = 4;
        const BLOCK: usize = LANES << 13;
        let mut lanes = vec![[(0_u128, 0_u128); SCALES]; LANES];
        let one = 2 * K::ceiling(K::BUCKETS - 1);
        for block in words.chunks(BLOCK) {
            let mut add = |lane: usize, word: u64| {
                // All words but those of 0 and 1.
                if word.wrapping_sub(2) >= one - 2 {
                    self.impossible += u64::from(word == 1 || word == one);
                }
                let (significand, scale) = K::parts(unpack(word).0);
                let significand = u128::from(significand);
                let (sum, squares) = &mut lanes[lane][scale as usize % SCALES];
                *sum = sum.wrapping_add(significand);
                *squares = squares.wrapping_add(significand * significand);
            };
            let (fours, rest) = block.as_chunks::<LANES>();
            for four in fours {
                (0..LANES).for_each(|lane| add(lane, four[lane]));
            }
            rest.iter().for_each(|word| add(0, *word));
            self.take(&mut lanes);
        }
    }

    /// Takes the sums of a block, and leaves none.
    fn take(&mut self, lanes: &mut [Sums]) {
        for (scale, sums) in lanes.iter_mut().flat_map(|lane| lane.iter_mut().enumerate()) {
            let (sum, squares) = std::mem::take(sums);
            if sum > 0 {
                self.make_room(scale);
                self.sums[scale].0 += sum;
                self.sums[scale].1 += U256::from(squares);
            }
        }
    }

    /// Adds what another one has added up.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.impossible = self.impossible.saturating_add(other.impossible);
        self.make_room(other.sums.len().saturating_sub(1));
        for (own, others) in self.sums.iter_mut().zip(&other.sums) {
            own.0 += others.0;
            own.1 += others.1;
        }
    }

    fn make_room(&mut self, scale: usize) {
        if self.sums.len() <= scale {
            self.sums.resize(scale + 1, (0, U256::ZERO));
        }
    }

    fn add(&mut self, key: u64, count: u64) {
        let (significand, scale) = K::parts(key);
        let (significand, scale) = (u128::from(significand), scale as usize);
        self.make_room(scale);
        let (sum, squares) = &mut self.sums[scale];
        *sum += significand * u128::from(count);
        *squares += U256::from(significand * significand) * U256::from(count);
    }

    /// The rounds whose outcome was given the probability 0: an event that was ruled out, or the
    /// lack of one that was called certain.
    pub fn impossible(&self) -> u64 {
        self.impossible
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
    fn what_was_ruled_out_is_counted() {
        let mut variance = Variance::<Doubles>::new();
        variance.update_levels(&[(0.0, 5, 2), (0.5, 9, 3), (1.0, 4, 3)]).expect("valid");
        assert_eq!(variance.impossible(), 3);
        let (zero, one) = (0, 2 * 1.0_f64.to_bits());
        variance.update_words(&[zero, zero + 1, one, one + 1, 2 * 0.5_f64.to_bits()]);
        assert_eq!(variance.impossible(), 5);
        let mut decimals = Variance::<Decimals>::new();
        let one = Decimal::new(1, 0).expect("1");
        decimals.update_levels(&[(one, 2, 1), (Decimal::ZERO, 1, 1)]).expect("valid");
        assert_eq!(decimals.impossible(), 2);
    }

    #[test]
    fn the_largest_sums_fit() {
        let below_one = 1.0_f64.next_down();
        agrees::<Doubles>(&[(below_one, u64::MAX, 0), (f64::from_bits(1), u64::MAX, 0)]);
        let nines = Decimal::new(10_u64.pow(17) - 1, 17).expect("short");
        agrees::<Decimals>(&[(nines, u64::MAX, 0), (Decimal::new(1, 63).expect("short"), 7, 0)]);
    }

    /// Words one by one and in blocks, in one and in two, are the same rounds.
    #[test]
    fn words_are_rounds() {
        let doubles: Vec<f64> = (0..20_000_u32).map(|i| f64::from(i).sqrt() / 200.0).collect();
        let doubles: Vec<f64> = doubles.iter().map(|p| p * p * p).collect();
        let words = doubles.iter().map(|p| 2 * p.to_bits()).collect::<Vec<_>>();
        let (mut all, mut half) = (Variance::<Doubles>::new(), Variance::new());
        all.update_words(&words[..11_000]);
        half.update_words(&words[11_000..]);
        all.merge(&half);
        let levels: Vec<_> = doubles.iter().map(|p| (*p, 1, 0)).collect();
        assert_eq!(all.value(), plain::<Doubles>(&levels));
        assert_eq!(Variance::<Doubles>::new().value(), plain::<Doubles>(&[]));
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
