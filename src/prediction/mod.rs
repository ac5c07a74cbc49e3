//! One exact prediction: a rational in [0, 1], read from text without losing a digit.

mod decimal;
mod text;

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, Zero};
use thiserror::Error;

use crate::dyadic::{Dyadic, LOWEST_EXPONENT, NotAProbability, SIGNIFICAND_BITS, nearest};

pub use decimal::Decimal;
pub(crate) use decimal::POWERS_OF_TEN;

/// The longest digit string that is read, in the digits of one number: thousands are exact, and a
/// hostile file cannot make a single cell expensive.
pub const MAX_DIGITS: usize = 4096;

/// The largest exponent that is read, up or down: `1e-4096` is exact, `1e-4097` is an error.
pub const MAX_EXPONENT: i64 = 4096;

/// An exact probability. Equal values are equal however they were written: `0.30`, `3/10` and
/// `3e-1` are one prediction.
///
/// ```
/// use truecal::Prediction;
/// let third: Prediction = "1/3".parse()?;
/// assert_eq!(third.to_rational().to_string(), "1/3");
/// assert_eq!("0.30".parse::<Prediction>()?, "3e-1".parse()?);
/// assert!("1.0000000000000002".parse::<Prediction>().is_err());
/// # Ok::<(), truecal::PredictionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Prediction(Repr);

/// In lowest terms, and `Small` whenever the denominator fits: so equality is equality of fields.
/// (That of [`BigRational`] goes through continued fractions, which is slow and deep for long
/// numbers.)
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Small { numerator: u64, denominator: u64 },
    Big { numerator: BigInt, denominator: BigInt },
}

/// Why a text or number is not a prediction. Each message says what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PredictionError {
    /// Nothing but white space.
    #[error("the cell is blank; give a probability in [0, 1] or remove the row")]
    Blank,
    /// `NaN`.
    #[error("not a number (NaN); remove the row or give the probability that was forecast")]
    Nan,
    /// An infinity.
    #[error("infinite; remove the row or give the probability that was forecast")]
    Infinite,
    /// Below zero.
    #[error("less than 0; predictions are probabilities in [0, 1]")]
    Negative,
    /// Above one, by however little.
    #[error(
        "greater than 1; predictions are probabilities in [0, 1] (divide percentages by 100; \
            values are never clipped)"
    )]
    AboveOne,
    /// A fraction over zero.
    #[error("the denominator is 0; give the probability that was forecast")]
    ZeroDenominator,
    /// `0,5`.
    #[error("a decimal comma; write 0.5 with a point")]
    DecimalComma,
    /// `50%`.
    #[error("a percentage; divide by 100 and drop the sign")]
    Percentage,
    /// Longer than [`MAX_DIGITS`].
    #[error("more than {MAX_DIGITS} digits; shorten the number")]
    TooManyDigits,
    /// Beyond [`MAX_EXPONENT`].
    #[error("an exponent beyond {MAX_EXPONENT}; write a number of at most {MAX_DIGITS} digits")]
    ExponentTooLarge,
    /// Anything else.
    #[error("not a number; write a decimal such as 0.3 or 1e-3, or a fraction such as 1/3")]
    Malformed,
}

impl From<NotAProbability> for PredictionError {
    fn from(error: NotAProbability) -> Self {
        match error {
            NotAProbability::Nan => PredictionError::Nan,
            NotAProbability::Infinite => PredictionError::Infinite,
            NotAProbability::Negative => PredictionError::Negative,
            NotAProbability::AboveOne => PredictionError::AboveOne,
        }
    }
}

impl Prediction {
    /// Certainty that the event does not happen.
    pub const ZERO: Prediction = Prediction(Repr::Small { numerator: 0, denominator: 1 });

    /// Certainty that it does.
    pub const ONE: Prediction = Prediction(Repr::Small { numerator: 1, denominator: 1 });

    /// The value as a rational.
    pub fn to_rational(&self) -> BigRational {
        match &self.0 {
            Repr::Small { numerator, denominator } => {
                BigRational::new_raw((*numerator).into(), (*denominator).into())
            }
            Repr::Big { numerator, denominator } => {
                BigRational::new_raw(numerator.clone(), denominator.clone())
            }
        }
    }

    /// Numerator and denominator in lowest terms, if the denominator fits 64 bits.
    pub fn small(&self) -> Option<(u64, u64)> {
        match self.0 {
            Repr::Small { numerator, denominator } => Some((numerator, denominator)),
            Repr::Big { .. } => None,
        }
    }

    /// `numerator / denominator`, reduced.
    pub fn from_parts(numerator: u64, denominator: u64) -> Result<Self, PredictionError> {
        if denominator == 0 {
            return Err(PredictionError::ZeroDenominator);
        }
        if numerator > denominator {
            return Err(PredictionError::AboveOne);
        }
        let common = numerator.gcd(&denominator);
        Ok(Prediction(Repr::Small {
            numerator: numerator / common,
            denominator: denominator / common,
        }))
    }

    /// The value of a double.
    pub(crate) fn from_dyadic(Dyadic { odd, shift }: Dyadic) -> Self {
        Prediction(match shift {
            ..64 => Repr::Small { numerator: odd, denominator: 1 << shift },
            _ => Repr::Big { numerator: odd.into(), denominator: BigInt::one() << shift },
        })
    }

    /// The bits of the double that is this value, if one is.
    pub(crate) fn double_bits(&self) -> Option<u64> {
        let (numerator, shift) = match &self.0 {
            Repr::Small { numerator, denominator } => {
                (*numerator, denominator.is_power_of_two().then(|| denominator.trailing_zeros())?)
            }
            Repr::Big { numerator, denominator } => {
                let shift =
                    denominator.trailing_zeros().filter(|zeros| zeros + 1 == denominator.bits())?;
                (u64::try_from(numerator).ok()?, u32::try_from(shift).ok()?)
            }
        };
        // In lowest terms, so nothing is rounded.
        let exact = numerator < 1 << SIGNIFICAND_BITS && shift <= LOWEST_EXPONENT.unsigned_abs();
        exact.then(|| nearest(numerator.into(), -(shift as i32)))
    }

    /// A value known to be in lowest terms with a positive denominator.
    fn from_reduced(rational: BigRational) -> Result<Self, PredictionError> {
        if rational.is_negative() {
            return Err(PredictionError::Negative);
        }
        if rational.numer() > rational.denom() {
            return Err(PredictionError::AboveOne);
        }
        match (u64::try_from(rational.numer()), u64::try_from(rational.denom())) {
            (Ok(numerator), Ok(denominator)) => {
                Ok(Prediction(Repr::Small { numerator, denominator }))
            }
            _ => {
                let (numerator, denominator) = rational.into_raw();
                Ok(Prediction(Repr::Big { numerator, denominator }))
            }
        }
    }
}

impl Ord for Prediction {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.small(), other.small()) {
            (Some((a, b)), Some((c, d))) => {
                (u128::from(a) * u128::from(d)).cmp(&(u128::from(c) * u128::from(b)))
            }
            _ => self.to_rational().cmp(&other.to_rational()),
        }
    }
}

impl PartialOrd for Prediction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As a fraction in lowest terms.
impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_rational().fmt(f)
    }
}

impl TryFrom<BigRational> for Prediction {
    type Error = PredictionError;

    fn try_from(rational: BigRational) -> Result<Self, PredictionError> {
        if rational.denom().is_zero() {
            return Err(PredictionError::ZeroDenominator);
        }
        // `new_raw` can make a ratio that is not in lowest terms; equality here depends on it.
        Prediction::from_reduced(rational.reduced())
    }
}

impl TryFrom<&BigRational> for Prediction {
    type Error = PredictionError;

    fn try_from(rational: &BigRational) -> Result<Self, PredictionError> {
        Prediction::try_from(rational.clone())
    }
}

macro_rules! from_small_ratio {
    ($($integer:ty),*) => {$(
        impl TryFrom<Ratio<$integer>> for Prediction {
            type Error = PredictionError;

            fn try_from(ratio: Ratio<$integer>) -> Result<Self, PredictionError> {
                let (numerator, denominator) = ratio.into_raw();
                if denominator == 0 {
                    return Err(PredictionError::ZeroDenominator);
                }
                Prediction::try_from(BigRational::new(numerator.into(), denominator.into()))
            }
        }
    )*};
}

from_small_ratio!(i32, u32, i64, u64, i128, u128);

impl TryFrom<f64> for Prediction {
    type Error = PredictionError;

    /// A double is an exact dyadic fraction: `0.1` is 3602879701896397/2^55, not 1/10.
    fn try_from(double: f64) -> Result<Self, PredictionError> {
        Ok(Prediction::from_dyadic(Dyadic::from_bits(double.to_bits())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn unreduced_rationals_become_canonical() {
        let raw = BigRational::new_raw(2.into(), 4.into());
        assert_eq!(Prediction::try_from(raw), "1/2".parse());
        let upside_down = BigRational::new_raw((-1).into(), (-2).into());
        assert_eq!(Prediction::try_from(upside_down), "1/2".parse());
        let over_zero = BigRational::new_raw(1.into(), 0.into());
        assert_eq!(Prediction::try_from(over_zero), Err(PredictionError::ZeroDenominator));
        assert_eq!(Prediction::try_from(Ratio::new(-1_i64, 2)), Err(PredictionError::Negative));
    }

    proptest! {
        /// The exact dyadic of every double in range, subnormals and neighbours of 0 and 1
        /// included.
        #[test]
        fn doubles_are_exact_dyadics(bits in 0..=1.0_f64.to_bits()) {
            let double = f64::from_bits(bits);
            let value = Prediction::try_from(double).expect("in [0, 1]");
            let reference = BigRational::from_float(double).expect("finite");
            prop_assert_eq!(value.to_rational(), reference.clone());
            prop_assert_eq!(value.double_bits(), Some(bits));
            prop_assert_eq!(Prediction::try_from(reference), Ok(value));
        }

        /// Short and long fractions are in the order of their values.
        #[test]
        fn the_order_is_that_of_values(
            a in 0..=1.0_f64.to_bits(),
            b in 0..=1.0_f64.to_bits(),
            c in 0..=60_u64,
        ) {
            let all = [
                Prediction::try_from(f64::from_bits(a)).expect("in [0, 1]"),
                Prediction::try_from(f64::from_bits(b)).expect("in [0, 1]"),
                Prediction::try_from(Ratio::new(c, 60)).expect("in [0, 1]"),
            ];
            for (one, other) in [(0, 1), (1, 2), (2, 0), (1, 1)] {
                let values = all[one].to_rational().cmp(&all[other].to_rational());
                prop_assert_eq!(all[one].cmp(&all[other]), values);
            }
        }
    }
}
