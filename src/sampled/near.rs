//! Subsets of tables with long numbers, by a table with short ones nearby.
//!
//! Predictions such as 1.7e-154 have a common denominator of a thousand bits or more, and a
//! thousand subsets in such numbers take long. So predictions are rounded to multiples of δ = 2^-k,
//! with k as large as 128 bits allow, and the formulas run on those. They need the levels in order,
//! not far apart: where some come to the same multiple, each formula is continuous, as its value is
//! a maximum of expressions that are continuous in the predictions for levels in a given order.
//!
//! **The error.** Of T rounds, every sum X - αN moves by at most Tδ, so stepCE moves by at most Tδ
//! and VCal by 2Tδ. Of smCE, f moves by δ and x - p by δ: 2Tδ. For UCal, corners of the majorant ĝ
//! move by Tδ up or down and by δ to the side. The same mixture of them as before has a mean that
//! is off by at most δ; to bring it back to 1/2 costs at most 2δ of its height, as the majorant is
//! concave and at least 0; the height is at most T. So ĝ(1/2) moves by at most 3Tδ and UCal by
//! 12Tδ. A value is taken from the rounded table only if it is at least 2^64 · 16Tδ: so its first
//! 64 bits are right, but for one in the last place. Otherwise the subset is evaluated exactly.
//!
//! VCal and UCal are often 0, where that would not help. They are 0 together, if no X_< - α N_< and
//! no α N_> - X_> at a level is positive. The former are not lower if predictions are rounded down,
//! the latter not if they are rounded up: where both tables say 0, it is 0.

use num_bigint::BigInt;

use super::values::integer;
use crate::levels::{Level, Table};
use crate::measure::Measure;
use crate::measures::Amount;
use crate::number::Number;

/// The bits of a value that are right.
const RIGHT_BITS: u32 = 64;

/// The rounds from which on 128 bits are too few.
const MOST_ROUNDS: u64 = 1 << 32;

/// A table in long numbers, with all predictions rounded down, and up.
pub(super) struct Near {
    unit: i128,
    pub low: Vec<Level<i128>>,
    pub high: Vec<Level<i128>>,
    /// k.
    bits: u32,
    /// 2^64 · 16T, in units of δ.
    least: i128,
    /// The unit of the long numbers, and its square.
    long: BigInt,
    long_square: BigInt,
}

impl Near {
    /// For a table of any numbers; `None` if there are too many rounds.
    pub fn new<N: Number>(levels: Table<'_, N>) -> Option<Near> {
        let rounds = Some(levels.rounds()).filter(|&rounds| rounds < MOST_ROUNDS)?;
        // 4 · max(T, 1) · 2^k is at most 2^126, the bound of a table in 128 bits.
        let bits = 124 - (u64::BITS - rounds.leading_zeros());
        let long = integer(levels.unit());
        let rounded = |level: &Level<N>, up: &BigInt| {
            let value = ((integer(&level.value) << bits) + up) / &long;
            let value = i128::try_from(value).expect("at most 2^k");
            Level { value, count: level.count, ones: level.ones }
        };
        let all = |up: BigInt| levels.rows().iter().map(|level| rounded(level, &up)).collect();
        Some(Near {
            unit: 1 << bits,
            low: all(BigInt::ZERO),
            high: all(&long - 1),
            bits,
            least: i128::from(16 * rounds) << RIGHT_BITS,
            long_square: &long * &long,
            long,
        })
    }

    /// The table with predictions rounded down.
    pub fn low(&self) -> Table<'_, i128> {
        Table::assume_valid(&self.unit, &self.low)
    }

    /// The table with predictions rounded up.
    pub fn high(&self) -> Table<'_, i128> {
        Table::assume_valid(&self.unit, &self.high)
    }

    /// A value of the rounded table as an integer as [`value`](super::values::value) gives it for
    /// the long one, rounded down; `None` if it is too small for its first bits to be right.
    pub fn value(&self, amount: &Amount<i128>) -> Option<BigInt> {
        let enough = match amount {
            Amount::Units(value) => *value >= self.least,
            Amount::Squares(value) => *value >= self.least.times(&self.unit),
            Amount::Ratio(above, below) => *above >= self.least.times(below),
        };
        enough.then(|| match amount {
            Amount::Units(value) => (integer(value) * &self.long) >> self.bits,
            Amount::Squares(value) => (integer(value) * &self.long_square) >> (2 * self.bits),
            Amount::Ratio(above, below) => {
                let above = integer(above) * &self.long_square;
                ((above << super::values::EXTRA_BITS) >> self.bits) / integer(below)
            }
        })
    }
}

/// Whether a measure that is 0 with all predictions rounded down and with all rounded up is 0.
pub(super) fn is_zero_between(base: Measure) -> bool {
    matches!(base, Measure::VCal | Measure::UCal)
}

/// Whether a value is 0.
pub(super) fn is_zero(amount: &Amount<i128>) -> bool {
    match amount {
        Amount::Units(value) => *value == 0,
        Amount::Squares(value) | Amount::Ratio(value, _) => *value == 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Sampler;
    use super::*;
    use crate::levels::Levels;
    use crate::watch::Watch;

    const AVERAGES: [Measure; 4] =
        [Measure::StepCeSub, Measure::VCalSub, Measure::UCalSub, Measure::Ssce];

    /// The unit of all tables here: 1200 bits, with odd divisors.
    fn unit() -> BigInt {
        BigInt::from(10).pow(350) * 3_u32 * 7_u32
    }

    fn table(rows: impl IntoIterator<Item = (BigInt, u64, u64)>) -> Levels<BigInt> {
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        rows.dedup_by(|a, b| a.0 == b.0);
        let level = |(value, count, ones)| Level { value, count, ones: ones % (count + 1) };
        Levels::new(unit(), rows.into_iter().map(level).collect()).expect("valid")
    }

    /// The means over the same subsets, in short numbers where that will do, and in long ones.
    fn means(levels: &Levels<BigInt>, measure: Measure) -> [num_rational::BigRational; 2] {
        let base = measure.subsampled_from().expect("an average");
        let watch = Watch::silent();
        [true, false].map(|short| {
            let levels = levels.table();
            let near = short.then(|| Near::new(levels).expect("few rounds"));
            let sampler = Sampler { levels, near, measure, base, seed: 3, watch: &watch };
            sampler.run(24, None, None).mean
        })
    }

    /// Within 2^-63 of the exact mean, relative to it; so 0 only for 0.
    fn agree(levels: &Levels<BigInt>) {
        for measure in AVERAGES {
            let [near, exact] = means(levels, measure);
            let gap = Number::magnitude(&(near - &exact));
            assert!(gap * (BigInt::from(1) << 63) <= exact, "{measure} of {levels:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Predictions on a coarse grid, so that frequencies meet them, but for tiny differences
        /// that short numbers do not see; and with all of them tiny.
        #[test]
        fn short_numbers_have_64_bits_right(
            rows in prop::collection::vec((0..=6_u32, 0..3_u32, 1..=4_u64, 0..=4_u64), 0..12),
        ) {
            for down in [0_u32, 20, 60, 300] {
                let value = |grid: u32, finer: u32| {
                    let coarse = unit() * grid / 6_u32 / BigInt::from(10).pow(down);
                    (coarse + BigInt::from(finer) * BigInt::from(10).pow(290 - down.min(200)))
                        .min(unit())
                };
                agree(&table(rows.iter().map(|&(g, finer, n, k)| (value(g, finer), n, k))));
            }
        }
    }

    /// What is 0 or tiny is not taken from short numbers; what is neither is.
    #[test]
    fn small_values_are_evaluated_exactly() {
        let tiny = unit() / BigInt::from(10).pow(200);
        let near = |rows: Vec<(BigInt, u64, u64)>| Near::new(table(rows).table()).expect("few");
        let first = near(vec![(tiny.clone(), 1, 0)]);
        assert_eq!(first.value(&Amount::Units(first.least - 1)), None);
        let value = first.value(&Amount::Units(first.unit)).expect("1 is large enough");
        assert_eq!(value, unit());
        let square = first.value(&Amount::Squares(first.unit.times(&first.unit)));
        assert_eq!(square, Some(unit() * unit()));
        let ratio = first.value(&Amount::Ratio(first.unit.times(&3), 3));
        assert_eq!(ratio, Some((unit() * unit()) << 64));
        for (amount, least) in [
            (Amount::Squares(first.least.times(&first.unit) - 1), false),
            (Amount::Squares(first.least.times(&first.unit)), true),
            (Amount::Ratio(first.least.times(&5) - 1, 5), false),
            (Amount::Ratio(first.least.times(&5), 5), true),
        ] {
            assert_eq!(first.value(&amount).is_some(), least);
        }
        // One tiny prediction, rounded down to 0 and up to δ; 0, 1/2 and 1 stay what they are.
        assert_eq!((first.low[0].value, first.high[0].value), (0, 1));
        for (value, rounded) in
            [(BigInt::ZERO, 0), (unit() / 2, first.unit / 2), (unit(), first.unit)]
        {
            let near = near(vec![(value, 1, 0)]);
            assert_eq!((near.low[0].value, near.high[0].value), (rounded, rounded));
        }
        // A truthful half that rounding turns into a little too much, or too little: exactly 0.
        let calibrated = table([(unit() / 2 + 1, 4, 2), (unit() / 3, 3, 1), (unit(), 2, 2)]);
        agree(&calibrated);
    }

    #[test]
    fn many_rounds_are_left_to_long_numbers() {
        let of = |rounds| Near::new(table([(unit() / 3, rounds, rounds / 2)]).table()).is_some();
        assert_eq!((of(MOST_ROUNDS - 1), of(MOST_ROUNDS)), (true, false));
    }
}
