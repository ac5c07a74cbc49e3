//! Outcomes of a truthful forecaster: of n rounds at prediction v, a Binomial(n, v) number of ones,
//! with exactly these probabilities.
//!
//! A round is a one if U < v for a uniform U in [0, 1), whose random bits are compared with the
//! binary digits of v: at the first bit that differs, U is below v if the digit of v is 1. All
//! rounds of a level go along the digits together. Of those still undecided, each differs at the
//! next digit with probability 1/2, independently: so many as there are ones among as many random
//! bits. After two bits a round is decided, on average. (Of few rounds, each is compared with 64
//! digits at once.) The digits come from doubling v, as long as they are needed: nothing is
//! rounded, however long the expansion of v. No floating point: a threshold in doubles would have
//! another law, which no test could compare as an identity.

use crate::levels::{Level, Table};
use crate::number::Number;
use crate::random::Random;

/// Where random bits come from.
pub(super) trait Bits {
    /// 64 independent fair bits.
    fn next(&mut self) -> u64;
}

impl Bits for Random {
    fn next(&mut self) -> u64 {
        Random::next(self)
    }
}

/// The first 64 binary digits of each prediction, 1 being 0.111…
pub(super) struct Outcomes {
    digits: Vec<u64>,
}

impl Outcomes {
    /// Cost: 64 doublings for each level.
    pub fn new<N: Number>(levels: Table<'_, N>) -> Self {
        let first = |value: &N| {
            let mut expansion = Expansion { rest: value.clone(), unit: levels.unit() };
            (0..u64::BITS).fold(0, |digits, _| digits << 1 | u64::from(expansion.digit()))
        };
        Outcomes { digits: levels.rows().iter().map(|level| first(&level.value)).collect() }
    }

    /// Draws the ones of level `index` of the table that this was made from.
    ///
    /// Cost: a random word for each round of a small level, for a larger one about 2n bits and log
    /// n words.
    #[inline]
    pub fn ones<N: Number>(
        &self,
        index: usize,
        level: &Level<N>,
        unit: &N,
        bits: &mut impl Bits,
    ) -> u64 {
        let (ones, undecided) = match level.count {
            ..=SMALL => one_by_one(level.count, self.digits[index], bits),
            _ => together(level.count, self.digits[index], bits),
        };
        match undecided {
            0 => ones,
            _ => ones + beyond(undecided, &level.value, unit, bits),
        }
    }
}

/// Up to so many rounds a word for each is faster than going along the digits together.
const SMALL: u64 = 24;

/// Compares each round with 64 digits at once: those that turned out ones, and those that are
/// undecided.
#[inline]
fn one_by_one(count: u64, digits: u64, bits: &mut impl Bits) -> (u64, u64) {
    let (mut ones, mut undecided) = (0, 0);
    for _ in 0..count {
        let word = bits.next();
        ones += u64::from(word < digits);
        undecided += u64::from(word == digits);
    }
    (ones, undecided)
}

/// The same, digit by digit for all rounds.
fn together(count: u64, mut digits: u64, bits: &mut impl Bits) -> (u64, u64) {
    let (mut ones, mut undecided) = (0, count);
    for _ in 0..u64::BITS {
        if undecided == 0 {
            break;
        }
        let differ = heads(undecided, bits);
        if digits >> (u64::BITS - 1) == 1 {
            ones += differ;
        }
        undecided -= differ;
        digits <<= 1;
    }
    (ones, undecided)
}

/// The ones among rounds whose first 64 bits were the digits of the value. A level of n rounds gets
/// here about once in 2^64/n times.
#[cold]
fn beyond<N: Number>(mut undecided: u64, value: &N, unit: &N, bits: &mut impl Bits) -> u64 {
    let mut expansion = Expansion { rest: value.clone(), unit };
    for _ in 0..u64::BITS {
        expansion.digit();
    }
    let mut ones = 0;
    while undecided > 0 {
        if expansion.rest == N::zero() {
            return ones; // U is at least v
        }
        if expansion.rest == *unit {
            return ones + undecided; // v = 1
        }
        let differ = heads(undecided, bits);
        if expansion.digit() {
            ones += differ;
        }
        undecided -= differ;
    }
    ones
}

/// The binary digits of a prediction: those to come are the digits of rest/unit.
struct Expansion<'a, N> {
    rest: N,
    unit: &'a N,
}

impl<N: Number> Expansion<'_, N> {
    /// The next digit. The rest is at most the unit D, so that its double fits in a table, whose
    /// bound is at least 4D; the rest of 1 stays 1.
    fn digit(&mut self) -> bool {
        let twice = self.rest.clone() + &self.rest;
        let digit = twice >= *self.unit;
        self.rest = if digit { twice - self.unit } else { twice };
        digit
    }
}

/// How many of so many fair coins show heads.
fn heads(coins: u64, bits: &mut impl Bits) -> u64 {
    let (words, rest) = (coins / 64, coins % 64);
    let whole: u64 = (0..words).map(|_| u64::from(bits.next().count_ones())).sum();
    match rest {
        0 => whole,
        rest => whole + u64::from((bits.next() >> (64 - rest)).count_ones()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Levels;
    use crate::rational::{int, ratio};
    use num_bigint::BigInt;
    use num_integer::binomial;
    use num_rational::BigRational;
    use num_traits::{One, Zero};
    use std::collections::BTreeMap;

    fn table<N: Number>(unit: N, value: N, count: u64) -> Levels<N> {
        Levels::new(unit, vec![Level { value, count, ones: 0 }]).expect("valid")
    }

    /// Words from a list.
    struct Script<'a>(&'a [u64]);

    impl Bits for Script<'_> {
        fn next(&mut self) -> u64 {
            let (first, rest) = self.0.split_first().expect("more words than the script has");
            self.0 = rest;
            *first
        }
    }

    fn drawn<N: Number>(levels: &Levels<N>, bits: &mut impl Bits) -> u64 {
        let table = levels.table();
        Outcomes::new(table).ones(0, &table.rows()[0], table.unit(), bits)
    }

    #[test]
    fn digits_are_those_of_the_prediction() {
        let digits = |value, unit| Outcomes::new(table(unit, value, 1).table()).digits[0];
        assert_eq!(digits(0_i64, 7), 0);
        assert_eq!(digits(1, 2), 1 << 63);
        assert_eq!(digits(7, 7), u64::MAX);
        for (value, unit) in [(1_u64, 3_u64), (5, 7), (123_456_789, 1_000_000_007)] {
            let quotient = (u128::from(value) << 64) / u128::from(unit);
            assert_eq!(u128::from(digits(value.cast_signed(), unit.cast_signed())), quotient);
        }
    }

    #[test]
    fn a_word_decides_and_a_tie_goes_on() {
        // 1/3 = 0.0101…
        let third = table(3_i64, 1, 1);
        let digits = Outcomes::new(third.table()).digits[0];
        assert_eq!(drawn(&third, &mut Script(&[digits - 1])), 1);
        assert_eq!(drawn(&third, &mut Script(&[digits + 1])), 0);
        // Digit 65 is 0: a coin that differs (heads) is above it. Digit 66 is 1: heads is below.
        let (tails, heads) = (0, u64::MAX);
        assert_eq!(drawn(&third, &mut Script(&[digits, heads])), 0);
        assert_eq!(drawn(&third, &mut Script(&[digits, tails, heads])), 1);
        assert_eq!(drawn(&third, &mut Script(&[digits, tails, tails, tails, heads])), 1);
        // The expansion of 1/2 ends, and U = v is not below v; 1 is certain, 0 is impossible.
        assert_eq!(drawn(&table(2_i64, 1, 1), &mut Script(&[1 << 63])), 0);
        assert_eq!(drawn(&table(2_i64, 2, 1), &mut Script(&[u64::MAX])), 1);
        assert_eq!(drawn(&table(2_i64, 0, 1), &mut Script(&[0])), 0);
        // A denominator of more than 64 bits: 1/2 + 2^-70 is above the word of 1/2 only by its 70th
        // digit.
        let (unit, value) = (1_i128 << 70, (1_i128 << 69) + 1);
        let mut words = vec![1_u64 << 63];
        words.extend([tails; 5]);
        words.push(heads);
        assert_eq!(drawn(&table(unit, value, 1), &mut Script(&words)), 1);
        words.pop();
        words.push(tails);
        assert_eq!(drawn(&table(unit, value, 1), &mut Script(&words)), 0);
    }

    #[test]
    fn certain_levels_are_certain() {
        let mut random = Random::new(1, 0);
        for count in [1, 2, 63, 64, 65, 1000] {
            for _ in 0..20 {
                assert_eq!(drawn(&table(5_i64, 0, count), &mut random), 0);
                assert_eq!(drawn(&table(5_i64, 5, count), &mut random), count);
            }
        }
    }

    /// The law of `together` and `beyond` for n rounds, from the law of `heads` by summing over
    /// every value it may take: all digits of a dyadic v, without a random number.
    fn law(count: u64, digits: &[bool], mistaken: bool) -> BTreeMap<u64, BigRational> {
        let mut states = BTreeMap::from([((0, count), BigRational::one())]);
        for &digit in digits {
            let mut next = BTreeMap::new();
            for ((ones, undecided), weight) in states {
                for differ in 0..=undecided {
                    let ways: BigInt = binomial(BigInt::from(undecided), BigInt::from(differ));
                    let share = BigRational::new(ways, BigInt::one() << undecided);
                    let state =
                        (ones + if digit != mistaken { differ } else { 0 }, undecided - differ);
                    *next.entry(state).or_default() += &weight * share;
                }
            }
            states = next;
        }
        let mut law = BTreeMap::new();
        for ((ones, _), weight) in states {
            *law.entry(ones).or_default() += weight;
        }
        law
    }

    fn binomial_law(count: u64, v: &BigRational) -> BTreeMap<u64, BigRational> {
        let power =
            |base: &BigRational, exponent: u64| base.pow(i32::try_from(exponent).expect("small"));
        let share = |k| {
            let ways: BigInt = binomial(BigInt::from(count), BigInt::from(k));
            BigRational::from(ways) * power(v, k) * power(&(BigRational::one() - v), count - k)
        };
        (0..=count).map(|k| (k, share(k))).collect()
    }

    /// The argument at the top of the file, as an identity of rationals for every v = k/16 and up
    /// to six rounds.
    #[test]
    fn going_along_the_digits_gives_the_binomial_law() {
        for count in 1..=6 {
            for k in 0..16_u32 {
                let digits: Vec<bool> = (0..4).rev().map(|place| k >> place & 1 == 1).collect();
                let v = BigRational::new(k.into(), 16.into());
                let mut expected = binomial_law(count, &v);
                expected.retain(|_, share| !share.is_zero());
                assert_eq!(law(count, &digits, false), expected);
                assert_ne!(law(count, &digits, true), expected, "digits taken the wrong way round");
            }
        }
    }

    /// Σ (observed - expected)²/expected over classes, in thousandths.
    fn chi_square(
        counts: &BTreeMap<u64, u64>,
        law: &BTreeMap<u64, BigRational>,
        draws: u64,
    ) -> BigInt {
        let term = |(k, share): (&u64, &BigRational)| {
            let expected = share * int(draws);
            let observed = counts.get(k).copied().unwrap_or(0);
            let difference = int(observed) - &expected;
            &difference * &difference / expected
        };
        let sum: BigRational = law.iter().map(term).sum();
        (sum * int(1000)).to_integer()
    }

    /// Frequencies of what the sampler draws against the binomial law. For c classes, chi-square
    /// exceeds c + 5 √(2c) + 20 with a probability below 1e-5 under the law; the seed is fixed.
    #[test]
    fn frequencies_are_binomial() {
        const DRAWS: u64 = 20_000;
        for (count, value, unit) in [
            (1, 1, 3),
            (1, 9, 10),
            (2, 1, 3),
            (5, 3, 10),
            (6, 1, 2),
            (9, 6, 7),
            (24, 1, 5),
            (25, 1, 5),
            (40, 999, 1000),
            (70, 1, 2),
        ] {
            let levels = table(unit, value, count);
            let outcomes = Outcomes::new(levels.table());
            let mut counts = BTreeMap::new();
            let mut random = Random::new(7, count);
            for _ in 0..DRAWS {
                let table = levels.table();
                let ones = outcomes.ones(0, &table.rows()[0], table.unit(), &mut random);
                *counts.entry(ones).or_insert(0) += 1;
            }
            let v = BigRational::new(value.into(), unit.into());
            let merged = |law: BTreeMap<u64, BigRational>| merge(law, &mut counts.clone(), DRAWS);
            let (law, merged_counts) = merged(binomial_law(count, &v));
            let classes = law.len() as u64;
            let limit = BigInt::from(1000 * (classes + 20) + 7100 * classes.isqrt().max(1));
            assert!(
                chi_square(&merged_counts, &law, DRAWS) < limit,
                "{count} rounds at {value}/{unit}"
            );
            // A sampler that is off by a tenth of v would be noticed.
            let off = v * ratio(9, 10);
            let (law, merged_counts) = merged(binomial_law(count, &off));
            assert!(
                chi_square(&merged_counts, &law, DRAWS) > limit,
                "{count} rounds at {value}/{unit}"
            );
        }
    }

    /// Puts classes with fewer than five expected draws into the next one.
    fn merge(
        mut law: BTreeMap<u64, BigRational>,
        counts: &mut BTreeMap<u64, u64>,
        draws: u64,
    ) -> (BTreeMap<u64, BigRational>, BTreeMap<u64, u64>) {
        let few = BigRational::new(5.into(), draws.into());
        while let Some(rare) = law.iter().find(|(_, share)| **share < few).map(|(k, _)| *k) {
            let share = law.remove(&rare).expect("found");
            let count = counts.remove(&rare).unwrap_or(0);
            let next = law.range(rare..).next().or_else(|| law.iter().next_back());
            let next = *next.expect("some class is not rare").0;
            *law.get_mut(&next).expect("found") += share;
            *counts.entry(next).or_insert(0) += count;
        }
        (law, counts.clone())
    }

    /// Many rounds: mean and variance of heads, and of a level, over a few thousand draws.
    #[test]
    fn large_levels_have_the_mean_of_their_law() {
        let (count, value, unit) = (100_000_u64, 3_i64, 10_i64);
        let levels = table(unit, value, count);
        let mut random = Random::new(3, 0);
        let draws: Vec<i64> =
            (0..400).map(|_| drawn(&levels, &mut random).cast_signed() - 30_000).collect();
        // The standard deviation of a draw is √21000 = 145, of their mean 7.2.
        assert!(draws.iter().sum::<i64>().abs() < 400 * 36);
        let squares: i64 = draws.iter().map(|draw| draw * draw).sum();
        assert!((400 * 15_000..400 * 28_000).contains(&squares), "{squares}");
    }
}
