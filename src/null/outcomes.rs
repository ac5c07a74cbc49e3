//! Outcomes of a truthful forecaster: of n rounds at prediction v, a Binomial(n, v) number of ones,
//! with exactly these probabilities.
//!
//! A round is a one if U < v for a uniform U in [0, 1), whose random bits are compared with the
//! binary digits of v: at the first bit that differs, U is below v if the digit of v is 1. Each bit
//! differs with probability 1/2, independently, so that a fair coin says whether it does. The
//! digits come from doubling v, as long as they are needed: nothing is rounded, however long the
//! expansion of v. No floating point: a threshold in doubles would have another law, which no test
//! could compare as an identity.
//!
//! Many rounds go along the digits together, in one of two ways. *One round of 64 replicates*: a
//! random word has a coin for each of them, and after 7.3 words on average all are decided. *All
//! rounds of a level of one replicate*: of those still undecided, so many differ at the next digit
//! as there are heads among as many coins, which takes about 2 coins for each round.

#[cfg(test)]
mod tests;

use crate::levels::{Level, Table};
use crate::number::Number;
use crate::random::Random;

/// So many replicates are drawn at once, one for each bit of a word.
pub(super) const LANES: usize = 64;

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
    /// Cost: a division for each level.
    pub fn new<N: Number>(levels: Table<'_, N>) -> Self {
        let digits = |level: &Level<N>| level.value.digits(levels.unit());
        Outcomes { digits: levels.rows().iter().map(digits).collect() }
    }

    /// The first 64 binary digits of the prediction of a level: ⌊2^64 v⌋, or one less if v = 1.
    pub fn digits(&self, index: usize) -> u64 {
        self.digits[index]
    }

    /// Draws one round of level `index` of the table that this was made from, in every lane: those
    /// where it is a one.
    ///
    /// Cost: 7.3 words.
    #[inline]
    pub fn round<N: Number>(
        &self,
        index: usize,
        level: &Level<N>,
        unit: &N,
        bits: &mut impl Bits,
    ) -> u64 {
        let (ones, undecided) = side_by_side(self.digits[index], bits);
        match undecided {
            0 => ones,
            _ => ones | lanes_beyond(undecided, level, unit, bits),
        }
    }

    /// Draws the number of ones among all rounds of a level, in one lane.
    ///
    /// Cost: about 2n bits and log n words; nothing if the outcomes are certain.
    pub fn ones<N: Number>(
        &self,
        index: usize,
        level: &Level<N>,
        unit: &N,
        bits: &mut impl Bits,
    ) -> u64 {
        if level.value == N::zero() {
            return 0;
        }
        if level.value == *unit {
            return level.count;
        }
        let (ones, undecided) = together(level.count, self.digits[index], bits);
        match undecided {
            0 => ones,
            _ => ones + beyond(undecided, &level.value, unit, bits),
        }
    }
}

/// Compares a round in every lane with 64 digits: the lanes where it turned out a one, and those
/// where it is undecided.
#[inline]
fn side_by_side(digits: u64, bits: &mut impl Bits) -> (u64, u64) {
    let mut lanes = Undecided { digits, ones: 0, lanes: u64::MAX };
    // Mostly so many words are needed at least, and not to ask each time is faster.
    for _ in 0..BLINDLY {
        lanes.compare(bits.next());
    }
    for _ in BLINDLY..u64::BITS {
        if lanes.lanes == 0 {
            break;
        }
        lanes.compare(bits.next());
    }
    (lanes.ones, lanes.lanes)
}

/// So many digits are compared before the first look whether all lanes are decided.
const BLINDLY: u32 = 8;

/// A round in every lane, after some digits.
struct Undecided {
    /// Those to come.
    digits: u64,
    /// Where it is a one.
    ones: u64,
    /// Where it is undecided.
    lanes: u64,
}

impl Undecided {
    /// Compares the next digit, given where the next bit differs from it.
    #[inline]
    fn compare(&mut self, differs: u64) {
        let digit = (self.digits.cast_signed() >> (u64::BITS - 1)).cast_unsigned(); // in every lane
        let decided = self.lanes & differs;
        self.ones |= decided & digit;
        self.lanes ^= decided;
        self.digits <<= 1;
    }
}

/// The same for so many rounds in one lane: those that turned out ones, and those undecided.
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

/// The lanes where a round is a one, among those where 64 bits were the digits of the value. A word
/// gets here about once in 2^58 times.
#[cold]
fn lanes_beyond<N: Number>(
    undecided: u64,
    level: &Level<N>,
    unit: &N,
    bits: &mut impl Bits,
) -> u64 {
    let lanes = (0..LANES).filter(|lane| undecided >> lane & 1 == 1);
    lanes.fold(0, |ones, lane| ones | beyond(1, &level.value, unit, bits) << lane)
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
