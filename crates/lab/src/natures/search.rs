//! The nature that looks for the forecaster's threshold (L415, L541).

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::One;

use super::r;
use crate::chance::Chance;
use crate::nature::{Memory, Nature, Outcomes, with_outcome};

/// p*_1 = 1/2, and p*_(t+1) = p*_t ± eps/2^t as the event happened or not: afterwards a threshold
/// has all ones below it and all zeros above.
#[derive(Clone, Debug)]
pub struct BinarySearch {
    rounds: u64,
    eps: BigRational,
}

impl BinarySearch {
    /// T rounds with 0 < eps <= 1/2.
    pub fn new(rounds: u64, eps: BigRational) -> Self {
        let half = r(1, 2);
        assert!(eps > r(0, 1) && eps <= half, "eps is in (0, 1/2]");
        BinarySearch { rounds, eps }
    }

    /// With eps = 1/(8 ⌈√T⌉), so that a constant 1/2 costs O(√T).
    pub fn usual(rounds: u64) -> Self {
        let floor = rounds.isqrt();
        let root = if floor * floor == rounds { floor } else { floor + 1 };
        BinarySearch::new(rounds, BigRational::new(1.into(), BigInt::from(8 * root.max(1))))
    }

    /// p*_(t+1) after t outcomes.
    pub fn place(&self, outcomes: impl Iterator<Item = bool>) -> BigRational {
        // In units of eps/2^t the steps are ±2^(t-1), …, ±1: twice the outcomes as a binary number,
        // less 2^t - 1.
        let digits: Vec<u8> = outcomes.map(u8::from).collect();
        let all = BigInt::one() << digits.len();
        let number = BigInt::from_radix_be(Sign::Plus, &digits, 2).unwrap_or_default();
        let offset = number * 2 - (&all - 1);
        r(1, 2) + &self.eps * BigRational::new(offset, all)
    }
}

impl Nature for BinarySearch {
    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn chance(&self, _round: u64, memory: &[i64]) -> Chance {
        let place = self.place(memory.iter().map(|x| *x == 1));
        Chance::Point(place.try_into().expect("within eps of 1/2"))
    }

    fn remember(&self, _round: u64, memory: Memory, outcomes: Outcomes) -> Memory {
        with_outcome(memory, outcomes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_halve_their_steps() {
        let search = BinarySearch::new(4, r(1, 4));
        let place = |bits: &[u8]| search.place(bits.iter().map(|x| *x == 1));
        assert_eq!(place(&[]), r(1, 2));
        assert_eq!(place(&[1]), r(1, 2) + r(1, 8));
        assert_eq!(place(&[1, 0]), r(1, 2) + r(1, 8) - r(1, 16));
        assert_eq!(place(&[1, 0, 0]), r(1, 2) + r(1, 8) - r(1, 16) - r(1, 32));
        assert_eq!(BinarySearch::new(2, r(1, 2)).place([true].into_iter()), r(3, 4));
        assert_eq!(BinarySearch::usual(9).eps, r(1, 24));
        assert_eq!(BinarySearch::usual(10).eps, r(1, 32));
    }
}
