//! Exact sums of many fractions.
//!
//! UCal has another denominator at every table. Numerators are added up for each of them, and if
//! the common denominator is too long the total is enclosed instead.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::Penalty;
use crate::enclosure::Enclosure;

/// The longest common denominator that is waited for, in bits.
const MOST_BITS: u64 = 1 << 14;

/// What is kept of a sum that is rounded: far more than anybody asks for.
const KEPT_BITS: usize = 256;

/// A sum, by denominators: adding fractions with different ones takes long and is done once, at the
/// end.
#[derive(Debug, Default)]
pub(super) struct Sum {
    numerators: HashMap<BigInt, BigInt>,
}

impl Sum {
    /// Adds numerator/denominator.
    pub fn add(&mut self, numerator: BigInt, denominator: &BigInt) {
        match self.numerators.get_mut(denominator) {
            Some(sum) => *sum += numerator,
            None => {
                self.numerators.insert(denominator.clone(), numerator);
            }
        }
    }

    /// Adds another sum, divided by a number.
    pub fn append(&mut self, other: Sum, divisor: &BigInt) {
        for (denominator, numerator) in other.numerators {
            self.add(numerator, &(denominator * divisor));
        }
    }

    /// The total; rounded to both sides if its denominator is too long.
    pub fn total(self) -> Penalty {
        let mut common = BigInt::one();
        for denominator in self.numerators.keys() {
            common = common.lcm(denominator);
            if common.bits() > MOST_BITS {
                return self.rounded();
            }
        }
        let terms = self.numerators.iter();
        let sum: BigInt = terms.map(|(denominator, n)| n * (&common / denominator)).sum();
        Penalty::Exact(BigRational::new(sum, common))
    }

    fn rounded(self) -> Penalty {
        let (mut low, mut high) = (BigInt::zero(), BigInt::zero());
        for (denominator, numerator) in self.numerators {
            let (down, rest) = (numerator << KEPT_BITS).div_mod_floor(&denominator);
            high += if rest.is_zero() { down.clone() } else { &down + 1 };
            low += down;
        }
        let scaled = |number: BigInt| BigRational::new(number, BigInt::one() << KEPT_BITS);
        Penalty::Enclosed(Enclosure::between(&scaled(low), &scaled(high)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecal::rational::ratio;

    #[test]
    fn totals_are_exact_or_enclosed() {
        let mut sum = Sum::default();
        for denominator in 1..=20_u32 {
            sum.add(1.into(), &denominator.into());
        }
        let mut half = Sum::default();
        half.add(3.into(), &2.into());
        sum.append(half, &5.into());
        let harmonic: BigRational = (1..=20).map(|j| BigRational::new(1.into(), j.into())).sum();
        let Penalty::Exact(total) = sum.total() else { panic!("a short denominator") };
        assert_eq!(total, harmonic + ratio(3, 10));

        let mut long = Sum::default();
        // the same sum, not in lowest terms
        let (mut above, mut below) = (BigInt::zero(), BigInt::one());
        for power in 1..170_u32 {
            let denominator: BigInt = BigInt::from(3).pow(power) + 2;
            above = above * &denominator + &below;
            below *= &denominator;
            long.add(1.into(), &denominator);
        }
        let Penalty::Enclosed(total) = long.total() else { panic!("a long denominator") };
        let (low, high) = (total.low(), total.high());
        assert!(low.numer() * &below <= &above * low.denom());
        assert!(&above * high.denom() <= high.numer() * &below);
        assert!(total.width() < BigRational::new(1.into(), BigInt::one() << 100));
    }

    #[test]
    fn what_is_below_the_last_bit_is_rounded_to_both_sides() {
        let mut small = Sum::default();
        for power in 300..360_u32 {
            small.add(1.into(), &(BigInt::from(3).pow(power) + 2));
        }
        let Penalty::Enclosed(total) = small.total() else { panic!("a long denominator") };
        assert!(total.low() <= BigRational::zero());
        assert_eq!(total.high(), BigRational::new(60.into(), BigInt::one() << KEPT_BITS));
    }

    #[test]
    fn denominators_are_put_together_and_may_be_long() {
        let of = |powers: &[u32]| {
            let mut sum = Sum::default();
            powers.iter().for_each(|power| sum.add(1.into(), &(BigInt::one() << *power)));
            sum.total()
        };
        for powers in [&[10_000][..], &[10_000, 9999], &[16_383]] {
            assert!(matches!(of(powers), Penalty::Exact(_)), "{powers:?}");
        }
        assert!(matches!(of(&[16_384]), Penalty::Enclosed(_)));
    }
}
