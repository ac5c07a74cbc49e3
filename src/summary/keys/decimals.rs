//! Short decimals as keys.

use std::ops::Range;

use num_bigint::BigInt;

use super::{Keys, bits_away};
use crate::number::Number;
use crate::prediction::{Decimal, POWERS_OF_TEN, PredictionError};

/// Decimals of at most 17 digits: the key is the word of a [`Decimal`], the scale a power of ten.
///
/// From 10^-4 to nearly 1 the digits are divided evenly within each power of ten; below, there is
/// one bucket for each power of ten, and one for 0; above, one for each power of two of 1 - p in
/// units of 10^-17, and one for 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decimals;

/// The places of decimals from 0.1 to 1 (it has one less), and of the smallest.
const FEWEST: u32 = Decimal::DIGITS;
pub(super) const MOST: u32 = Decimal::MAX_PLACES;
/// 1, in units of the last place of what is below it, and the least of 17 digits.
pub(super) const WHOLE: u64 = 10_u64.pow(FEWEST);
const LEAST: u64 = Decimal::LEAST;
/// From 10^-k on, for k from 4 to 1, a bucket holds so many bits of the digits: parts of the powers
/// of ten that are about as wide as the even buckets of doubles, or less.
const PART_BITS: [u32; 4] = [49, 46, 43, 41];
/// The places of the first of these powers, and what stands for them in the words of its decimals.
const EVEN_PLACES: u32 = FEWEST + 3;
const EVEN_POWER: u32 = MOST - EVEN_PLACES;
const EVEN_FLOOR: u64 = Decimal::encode(LEAST, EVEN_PLACES);
/// Nearly 1 is what is left over when the digits below 1 are divided, and up to so far from it, in
/// units of 10^-17; and the bits of that.
const NEAR_AWAY: u64 = (WHOLE - LEAST) % (1 << PART_BITS[3]);
const NEAR_BITS: u32 = NEAR_AWAY.ilog2() + 1;
const NEAR_FLOOR: u64 = Decimal::encode(WHOLE - NEAR_AWAY, FEWEST);
/// The first bucket of each of the powers of ten that are divided, and of those above.
const PARTS: [usize; 5] = {
    let mut firsts = [EVEN_POWER as usize + 1; 5];
    let mut power = 0;
    while power < 4 {
        let end = if power < 3 { WHOLE } else { WHOLE - NEAR_AWAY };
        let last = (end - 1 - LEAST) >> PART_BITS[power];
        firsts[power + 1] = firsts[power] + last as usize + 1;
        power += 1;
    }
    firsts
};
const NEAR: usize = PARTS[4];

/// As many powers of ten have words, which are below 2^63.
const POWERS: usize = 1 << (63 - Decimal::BITS);

/// How decimals with the same number of places are divided into narrow buckets.
#[derive(Clone, Copy)]
struct Division {
    /// The least key.
    floor: u64,
    /// A bucket has 2^bits keys.
    bits: u32,
    /// The number of the first bucket among the narrow ones, from 1.
    first: u64,
}

/// By what stands for the places in a word. Those that are not divided come out as bucket 0.
const DIVISIONS: [Division; POWERS] = {
    let mut divisions = [Division { floor: 0, bits: 63, first: 0 }; POWERS];
    let mut power = 0;
    while power < 4 {
        let places = EVEN_PLACES - power as u32;
        divisions[(MOST - places) as usize] = Division {
            floor: Decimal::encode(LEAST, places),
            bits: PART_BITS[power],
            first: (PARTS[power] - PARTS[0] + 1) as u64,
        };
        power += 1;
    }
    divisions
};

impl Keys for Decimals {
    type Input = Decimal;

    const BUCKETS: usize = NEAR + NEAR_BITS as usize + 2;

    #[inline(always)]
    fn bits(decimal: Decimal) -> u64 {
        decimal.word()
    }

    #[inline(always)]
    fn valid(bits: u64) -> Option<u64> {
        Some(bits)
    }

    fn is_key(key: u64) -> bool {
        let (digits, places) = Decimal::from_word(key).parts();
        key == 0 || Decimal::new(digits, places as i32).is_some_and(|same| same.word() == key)
    }

    fn input(key: u64) -> Decimal {
        Decimal::from_word(key)
    }

    fn refusal(_decimal: Decimal) -> PredictionError {
        unreachable!("every decimal is a probability")
    }

    // Without a branch: where keys of all kinds are mixed, a processor cannot guess.
    #[inline(always)]
    fn bucket(key: u64) -> usize {
        let below = (key >> Decimal::BITS) as usize + usize::from(key > 0);
        let away = Decimal::encode(WHOLE, FEWEST).saturating_sub(key);
        let above = NEAR + (NEAR_BITS + 1) as usize - bits_away(away) as usize;
        let zone = usize::from(key >= EVEN_FLOOR) + usize::from(key >= NEAR_FLOOR);
        [below, PARTS[0] - 1 + Decimals::narrow(key) as usize, above][zone]
    }

    fn floor(bucket: usize) -> u64 {
        if bucket < PARTS[0] {
            let power = MOST.checked_sub(bucket.wrapping_sub(1) as u32);
            return power.map_or(0, |places| Decimal::encode(LEAST, places));
        }
        if bucket < NEAR {
            let power = PARTS[1..4].iter().filter(|first| **first <= bucket).count();
            let digits = LEAST + (((bucket - PARTS[power]) as u64) << PART_BITS[power]);
            return Decimal::encode(digits, EVEN_PLACES - power as u32);
        }
        match NEAR_BITS.checked_sub((bucket - NEAR) as u32) {
            Some(bits) => Decimal::encode(WHOLE - NEAR_AWAY.min(1 << bits), FEWEST),
            None => Decimal::encode(LEAST, FEWEST - 1), // 1
        }
    }

    fn ceiling(bucket: usize) -> u64 {
        let floor = Decimals::floor(bucket);
        if bucket == 0 || bucket + 1 == Self::BUCKETS {
            return floor;
        }
        // The next bucket may begin at another power of ten, whose words do not follow.
        let next = Decimals::floor(bucket + 1);
        match Decimals::scale(next) == Decimals::scale(floor) {
            true => next - 1,
            false => Decimals::excess(floor) + WHOLE - 1,
        }
    }

    /// The even ones.
    const NARROW: Range<usize> = PARTS[0]..NEAR;

    #[inline(always)]
    fn narrow(key: u64) -> u64 {
        let Division { floor, bits, first } = DIVISIONS[(key >> Decimal::BITS) as usize];
        first + (key.wrapping_sub(floor) >> bits)
    }

    fn as_wide_as(width: u32) -> usize {
        let powers = PART_BITS.iter().take_while(|bits| **bits >= width).count();
        PARTS[powers] - PARTS[0]
    }

    fn excess(key: u64) -> u64 {
        key - Decimal::from_word(key).parts().0
    }

    fn scale(key: u64) -> u32 {
        Decimal::from_word(key).parts().1
    }

    fn parts(key: u64) -> (u64, u32) {
        Decimal::from_word(key).parts()
    }

    fn unit(scale: u32) -> BigInt {
        BigInt::from(10).pow(scale)
    }

    fn finer<N: Number>(significands: u128, from: u32, to: u32) -> N {
        let mut number = N::shifted(significands, 0);
        let mut places = (to - from) as usize;
        while places > 0 {
            let some = places.min(POWERS_OF_TEN.len() - 1);
            number = number * &N::shifted(POWERS_OF_TEN[some], 0);
            places -= some;
        }
        number
    }
}
