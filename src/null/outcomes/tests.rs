//! The law of the draws: by scripts of coins, by all coins, and by frequencies.

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

/// The ones of all rounds in one lane.
fn drawn<N: Number>(levels: &Levels<N>, bits: &mut impl Bits) -> u64 {
    let table = levels.table();
    Outcomes::new(table).ones(0, &table.rows()[0], table.unit(), bits)
}

/// The lanes where a round is a one.
fn round<N: Number>(levels: &Levels<N>, bits: &mut impl Bits) -> u64 {
    let table = levels.table();
    Outcomes::new(table).round(0, &table.rows()[0], table.unit(), bits)
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

/// Coins by which lanes 3 and 10 stay undecided for 64 digits and the others differ at the
/// first, and then those two alone, in this order.
fn ties(then: &[u64]) -> Vec<u64> {
    let tied = [1 << 3 | 1 << 10; 64].map(|lanes: u64| !lanes);
    tied.iter().chain(then).copied().collect()
}

#[test]
fn a_coin_decides_and_a_tie_goes_on() {
    let (tails, heads) = (0, u64::MAX);
    let blindly = |words: &[u64]| {
        let rest = (words.len()..BLINDLY as usize).map(|_| heads);
        words.iter().copied().chain(rest).collect::<Vec<u64>>()
    };
    // 1/3 = 0.0101…: a coin that differs (heads) at a 0 is above it, at a 1 below.
    let third = table(3_i64, 1, 1);
    assert_eq!(round(&third, &mut Script(&blindly(&[heads]))), 0);
    assert_eq!(round(&third, &mut Script(&blindly(&[tails, heads]))), u64::MAX);
    let first = !0b1111 | 0b0011;
    let lanes = round(&third, &mut Script(&blindly(&[first, 0b0101, 0b1111])));
    assert_eq!(lanes, 0b0100);
    let mut late = vec![tails; 20];
    late.extend([heads - 1, 1]); // digit 21 is 0, digit 22 is 1
    assert_eq!(round(&third, &mut Script(&late)), 1);
    // Digit 65 is 0, digit 66 is 1; lane 3 goes on before lane 10.
    assert_eq!(round(&third, &mut Script(&ties(&[heads, heads]))), 0);
    assert_eq!(round(&third, &mut Script(&ties(&[tails, heads, heads]))), 1 << 3);
    assert_eq!(round(&third, &mut Script(&ties(&[heads, tails, heads]))), 1 << 10);
    let late = [tails, tails, tails, heads, tails, tails, heads];
    assert_eq!(round(&third, &mut Script(&ties(&late))), 1 << 3);
    // The expansion of 1/2 ends, and U = v is not below v; 1 is certain, 0 is impossible.
    let others = !(1 << 3 | 1 << 10);
    assert_eq!(round(&table(2_i64, 1, 1), &mut Script(&ties(&[]))), others);
    assert_eq!(round(&table(2_i64, 2, 1), &mut Script(&ties(&[]))), u64::MAX);
    assert_eq!(round(&table(2_i64, 0, 1), &mut Script(&ties(&[]))), 0);
    // A denominator of more than 64 bits: the 70th digit of 1/2 + 2^-70 is its last 1.
    let (unit, value) = (1_i128 << 70, (1_i128 << 69) + 1);
    let then = [tails, tails, tails, tails, tails, heads, tails, tails, tails, tails, tails, tails];
    assert_eq!(round(&table(unit, value, 1), &mut Script(&ties(&then))), others | 1 << 3);
}

#[test]
fn all_rounds_of_a_level_go_on_too() {
    let (tails, heads) = (0, u64::MAX);
    let third = table(3_i64, 1, 2);
    // Both rounds differ at the digit 1; one does, at the top of the word, and one at a 0.
    assert_eq!(drawn(&third, &mut Script(&[tails, heads])), 2);
    assert_eq!(drawn(&third, &mut Script(&[tails, 1 << 63, heads])), 1);
    let mut words = vec![tails; 64];
    words.extend([tails, 1 << 62, heads]);
    assert_eq!(drawn(&third, &mut Script(&words)), 1);
    words.extend([tails, heads]);
    words[66] = tails;
    words[67] = heads;
    assert_eq!(drawn(&third, &mut Script(&words)), 2);
    // What is certain takes no words.
    assert_eq!(drawn(&table(2_i64, 2, 7), &mut Script(&[])), 7);
    assert_eq!(drawn(&table(2_i64, 0, 7), &mut Script(&[])), 0);
}

#[test]
fn certain_levels_are_certain() {
    let mut random = Random::new(1, 0);
    for count in [1, 2, 63, 64, 65, 1000] {
        for _ in 0..20 {
            assert_eq!(drawn(&table(5_i64, 0, count), &mut random), 0);
            assert_eq!(drawn(&table(5_i64, 5, count), &mut random), count);
            assert_eq!(round(&table(5_i64, 0, count), &mut random), 0);
            assert_eq!(round(&table(5_i64, 5, count), &mut random), u64::MAX);
        }
    }
}

/// How often each set of three lanes has ones at v = `digits`/16, over all coins for four
/// digits.
fn lane_counts(digits: u64, mistaken: bool) -> [u64; 8] {
    let mut counts = [0; 8];
    for coins in 0..1_u64 << 12 {
        let digits = if mistaken { !digits << 60 } else { digits << 60 };
        let mut lanes = Undecided { digits, ones: 0, lanes: 0b111 };
        (0..4).for_each(|digit| lanes.compare(coins >> (3 * digit)));
        counts[lanes.ones as usize] += 1; // the expansion ends: undecided is no one
    }
    counts
}

/// Lanes are independent and each is a one with probability v, as an identity for every v =
/// k/16: all coins for three lanes and all digits, without a random number.
#[test]
fn comparing_digits_gives_independent_lanes() {
    for k in 0..16_u64 {
        let weights = |lanes: u64| {
            let ones = lanes.count_ones();
            k.pow(ones) * (16 - k).pow(3 - ones)
        };
        let expected: Vec<u64> = (0..8).map(weights).collect();
        assert_eq!(lane_counts(k, false)[..], expected);
        assert_ne!(lane_counts(k, true)[..], expected, "digits taken the wrong way round");
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
                let state = (ones + if digit != mistaken { differ } else { 0 }, undecided - differ);
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
fn chi_square(counts: &BTreeMap<u64, u64>, law: &BTreeMap<u64, BigRational>, draws: u64) -> BigInt {
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
    const DRAWS: u64 = 20_032; // whole groups
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
        let mut random = Random::new(7, count);
        let mut at_once = BTreeMap::new();
        for _ in 0..DRAWS {
            *at_once.entry(drawn(&levels, &mut random)).or_insert(0) += 1;
        }
        let mut in_lanes = BTreeMap::new();
        for _ in 0..DRAWS / LANES as u64 {
            let words: Vec<u64> = (0..count).map(|_| round(&levels, &mut random)).collect();
            for lane in 0..LANES {
                let ones: u64 = words.iter().map(|word| word >> lane & 1).sum();
                *in_lanes.entry(ones).or_insert(0) += 1;
            }
        }
        let v = BigRational::new(value.into(), unit.into());
        for counts in [at_once, in_lanes] {
            assert!(is_binomial(&counts, count, &v), "{count} rounds at {value}/{unit}");
            // A sampler that is off by a tenth of v would be noticed.
            assert!(!is_binomial(&counts, count, &(&v * ratio(9, 10))), "{count}");
        }
    }
}

fn is_binomial(counts: &BTreeMap<u64, u64>, count: u64, v: &BigRational) -> bool {
    let draws = counts.values().sum();
    let (law, counts) = merge(binomial_law(count, v), &mut counts.clone(), draws);
    let classes = law.len() as u64;
    let limit = BigInt::from(1000 * (classes + 20) + 7100 * classes.isqrt().max(1));
    chi_square(&counts, &law, draws) < limit
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
