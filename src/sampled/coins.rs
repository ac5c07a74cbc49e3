//! Random subsets of the rounds of a level table.

use crate::levels::{Level, Table};
use crate::number::Number;
use crate::random::Random;

/// Tosses of a fair coin, one for each random bit. A clone tosses the same again.
#[derive(Clone)]
pub(crate) struct Coins {
    random: Random,
    word: u64,
    left: u32,
}

impl Coins {
    pub fn new(random: Random) -> Self {
        Coins { random, word: 0, left: 0 }
    }

    /// The number of heads in so many tosses.
    pub fn heads(&mut self, mut tosses: u64) -> u64 {
        let mut heads = 0;
        while tosses > 0 {
            if self.left == 0 {
                (self.word, self.left) = (self.random.next(), u64::BITS);
            }
            let some = u32::try_from(tosses).unwrap_or(u32::MAX).min(self.left);
            let bits = self.word & (u64::MAX >> (u64::BITS - some));
            heads += u64::from(bits.count_ones());
            self.word = self.word.checked_shr(some).unwrap_or(0);
            self.left -= some;
            tosses -= u64::from(some);
        }
        heads
    }

    /// The level table of a random subset of the rounds, and that of its complement if it is
    /// wanted, in place of what was there.
    pub fn divide<N: Number>(
        &mut self,
        levels: Table<'_, N>,
        kept: &mut Vec<Level<N>>,
        mut rest: Option<&mut Vec<Level<N>>>,
    ) {
        kept.clear();
        if let Some(rest) = rest.as_deref_mut() {
            rest.clear();
        }
        let push = |rows: &mut Vec<Level<N>>, level: &Level<N>, count: u64, ones: u64| {
            if count > 0 {
                rows.push(Level { value: level.value.clone(), count, ones });
            }
        };
        for level in levels.rows() {
            let ones = self.heads(level.ones);
            let count = ones + self.heads(level.count - level.ones);
            push(kept, level, count, ones);
            if let Some(rest) = rest.as_deref_mut() {
                push(rest, level, level.count - count, level.ones - ones);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::levels::Levels;

    /// Over any number of words, each bit is tossed once and in order.
    #[test]
    fn every_bit_is_a_toss() {
        let mut random = Random::new(5, 0);
        let words: Vec<u64> = (0..8).map(|_| random.next()).collect();
        let bit = |place: u64| words[(place / 64) as usize] >> (place % 64) & 1;
        let mut coins = Coins::new(Random::new(5, 0));
        let mut place = 0;
        for tosses in [0, 1, 62, 1, 64, 3, 130, 61, 0, 127] {
            let expected: u64 = (place..place + tosses).map(bit).sum();
            assert_eq!(coins.heads(tosses), expected, "{tosses} from {place}");
            place += tosses;
        }
    }

    /// Classes of subsets come as often as they have subsets: 3 zeros and 2 ones at one level, a
    /// zero at another.
    ///
    /// In 64 000 draws a class of probability q comes 64 000 q times, give or take sqrt(64 000 q
    /// (1 - q)). Of 24 classes one misses by more than 4.5 times that in one of 6000 seeds; coins
    /// that are heads with probability 0.52 keep all six rounds too often by 8 times that.
    #[test]
    fn classes_are_as_frequent_as_they_should_be() {
        const DRAWS: u64 = 64_000;
        let row = |value: i64, count, ones| Level { value, count, ones };
        let levels = Levels::new(4, vec![row(1, 5, 2), row(3, 1, 0)]).expect("valid");
        let mut tally: HashMap<Vec<(i64, u64, u64)>, u64> = HashMap::new();
        let mut coins = Coins::new(Random::new(1, 0));
        let (mut kept, mut rest) = (Vec::new(), Vec::new());
        for _ in 0..DRAWS {
            coins.divide(levels.table(), &mut kept, Some(&mut rest));
            let whole = Levels::new(4, kept.clone()).expect("a level table");
            let whole = whole.merge(&Levels::new(4, rest.clone()).expect("another"));
            assert_eq!(whole.as_ref(), Ok(&levels), "a subset and its complement");
            let key = kept.iter().map(|level| (level.value, level.count - level.ones, level.ones));
            *tally.entry(key.collect()).or_default() += 1;
        }
        let mut classes = 0;
        for (zeros, zero_ways) in [1, 3, 3, 1].into_iter().enumerate() {
            for (ones, one_ways) in [1, 2, 1].into_iter().enumerate() {
                for other in 0..2_u64 {
                    let mut key = vec![(1, zeros as u64, ones as u64), (3, other, 0)];
                    key.retain(|row| row.1 + row.2 > 0);
                    let seen = tally.get(&key).copied().unwrap_or(0);
                    // In squares and integers: |seen - 64 000 q|² <= 4.5² · 64 000 q (1 - q), where
                    // q = ways/64.
                    let ways: u64 = zero_ways * one_ways;
                    let miss = seen.abs_diff(DRAWS / 64 * ways);
                    assert!(
                        miss * miss * 4 * 64 <= 81 * DRAWS / 64 * ways * (64 - ways),
                        "{key:?}: {seen}"
                    );
                    classes += 1;
                }
            }
        }
        assert_eq!(classes, tally.len());
    }
}
