//! Short decimals as one machine word: what files are full of, in their order, without fractions to
//! reduce.

mod text;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

use super::{Prediction, Repr};

/// A decimal in [0, 1] of at most 17 significant digits, down to 10^-63.
///
/// It is d · 10^-e with d from 10^16 to 10^17 - 1, so that every value is written in one way; the
/// word is 79 - e, then d, and 0 is 0. Words are in the order of the values and below 2^63, which
/// leaves a bit for the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(u64);

impl Decimal {
    /// 0.
    pub const ZERO: Decimal = Decimal(0);
    /// 1.
    pub const ONE: Decimal = Decimal(Decimal::encode(Decimal::LEAST, 16));
    /// The digits that are kept: as many as the shortest text of any double has.
    pub const DIGITS: u32 = 17;
    /// The least number of so many digits.
    pub(crate) const LEAST: u64 = 10_u64.pow(Decimal::DIGITS - 1);
    /// The bits of 10^17 - 1.
    pub(crate) const BITS: u32 = 57;
    /// The most places after the point, counted to the last of the 17 digits.
    pub const MAX_PLACES: u32 = 79;

    /// `digits` · 10^-`places`, if it is such a decimal in [0, 1].
    pub fn new(mut digits: u64, mut places: i32) -> Option<Self> {
        if digits == 0 {
            return Some(Decimal::ZERO);
        }
        let mut length = digits.ilog10() + 1;
        while length > Decimal::DIGITS {
            if !digits.is_multiple_of(10) {
                return None;
            }
            (digits, places, length) = (digits / 10, places.checked_sub(1)?, length - 1);
        }
        Decimal::of_length(digits, length, places)
    }

    /// The same for a number that has `length` digits, from 1 to 17.
    fn of_length(digits: u64, length: u32, places: i32) -> Option<Self> {
        let up = Decimal::DIGITS - length;
        let places = places.checked_add(up as i32)?;
        let digits = digits * POWERS_OF_TEN[up as usize] as u64;
        // Below 1 there are 17 places or more; 1 has 16.
        if !(17..=Decimal::MAX_PLACES as i32).contains(&places)
            && (digits, places) != (Decimal::LEAST, 16)
        {
            return None;
        }
        Some(Decimal(Decimal::encode(digits, places as u32)))
    }

    /// The word of 17 digits with so many places.
    pub(crate) const fn encode(digits: u64, places: u32) -> u64 {
        ((Decimal::MAX_PLACES - places) as u64) << Decimal::BITS | digits
    }

    /// The decimal with this word.
    pub(crate) fn from_word(word: u64) -> Self {
        Decimal(word)
    }

    /// The word, below 2^63.
    pub(crate) fn word(self) -> u64 {
        self.0
    }

    /// Digits d and places e, of which the value is d · 10^-e; 0 has 0 places.
    pub fn parts(self) -> (u64, u32) {
        match self.0 {
            0 => (0, 0),
            word => (
                word & ((1 << Decimal::BITS) - 1),
                Decimal::MAX_PLACES - (word >> Decimal::BITS) as u32,
            ),
        }
    }

    /// As a fraction with a power of two below it, if there is one: 0.375 is 3 over 2^3.
    pub fn dyadic(self) -> Option<(u64, u32)> {
        let (mut digits, places) = self.parts();
        for _ in 0..places {
            if !digits.is_multiple_of(5) {
                return None;
            }
            digits /= 5;
        }
        let twos = digits.trailing_zeros().min(places);
        Some((digits >> twos, places - twos))
    }
}

impl From<Decimal> for Prediction {
    fn from(decimal: Decimal) -> Self {
        let (digits, places) = decimal.parts();
        // 79 places are 263 bits.
        let rational = num_rational::BigRational::new(digits.into(), BigInt::from(10).pow(places));
        Prediction::from_reduced(rational).expect("in [0, 1]")
    }
}

impl Prediction {
    /// The value as a short decimal, if it is one.
    pub fn decimal(&self) -> Option<Decimal> {
        // In lowest terms, over 2^twos 5^fives.
        let (numerator, twos, fives) = match &self.0 {
            Repr::Small { numerator, denominator } => {
                let twos = denominator.trailing_zeros();
                (*numerator, twos, power_of_five(denominator >> twos)?)
            }
            Repr::Big { numerator, denominator } => {
                let numerator = numerator.to_u64()?;
                let twos = u32::try_from(denominator.trailing_zeros()?).ok()?;
                let odd = denominator.magnitude() >> twos;
                (numerator, twos, long_power_of_five(odd)?)
            }
        };
        if numerator == 0 {
            return Some(Decimal::ZERO);
        }
        let places = twos.max(fives);
        if places > Decimal::MAX_PLACES {
            return None;
        }
        let up =
            5_u64.checked_pow(places - fives)?.checked_mul(2_u64.checked_pow(places - twos)?)?;
        Decimal::new(numerator.checked_mul(up)?, places as i32)
    }
}

fn power_of_five(mut number: u64) -> Option<u32> {
    let mut fives = 0;
    while number.is_multiple_of(5) {
        number /= 5;
        fives += 1;
    }
    (number == 1).then_some(fives)
}

fn long_power_of_five(mut number: BigUint) -> Option<u32> {
    // 5^79 has 184 bits; 5^27 is the largest power in a word.
    if number.bits() > 184 {
        return None;
    }
    let step = 5_u64.pow(27);
    let mut fives = 0;
    while number.bits() > u64::BITS.into() {
        if (&number % step).to_u64()? != 0 {
            return None;
        }
        number /= step;
        fives += 27;
    }
    Some(fives + power_of_five(number.to_u64()?)?)
}

/// Those that fit in 127 bits.
pub(crate) const POWERS_OF_TEN: [u128; 39] = {
    let mut powers = [1; 39];
    let mut power = 1;
    while power < powers.len() {
        powers[power] = 10 * powers[power - 1];
        power += 1;
    }
    powers
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fractions_find_their_decimal() {
        for (fraction, decimal) in
            [("1/2", ".5"), ("3/8", ".375"), ("1/16777216", "5.9604644775390625e-8")]
        {
            let prediction: Prediction = fraction.parse().expect("a fraction");
            let (decimal, _) = Decimal::parse(decimal.as_bytes()).expect("short");
            assert_eq!(prediction.decimal(), Some(decimal));
            let (above, twos) = decimal.dyadic().expect("a dyadic");
            assert_eq!(format!("{above}/{}", 1_u64 << twos), fraction);
        }
        for fraction in ["1/3", "1/33554432", "1/7000000000000000000000000000"] {
            assert_eq!(fraction.parse::<Prediction>().expect("a fraction").decimal(), None);
        }
        let tenth = Decimal::new(1, 1).expect("short");
        assert_eq!((tenth.dyadic(), Decimal::ZERO.dyadic()), (None, Some((0, 0))));
    }

    proptest! {
        /// Words are in the order of the values, and the parts give the value back.
        #[test]
        fn words_are_in_order(
            a in 0..=10_u64.pow(17), b in 0..=10_u64.pow(17), i in 0..70_i32, j in 0..70_i32,
        ) {
            let (a, b) = (Decimal::new(a, i), Decimal::new(b, j));
            if let (Some(a), Some(b)) = (a, b) {
                let (p, q) = (Prediction::from(a), Prediction::from(b));
                prop_assert_eq!(a.cmp(&b), p.to_rational().cmp(&q.to_rational()));
                prop_assert!(a.word() < 1 << 63);
                prop_assert_eq!((p.decimal(), q.decimal()), (Some(a), Some(b)));
            }
        }
    }
}
