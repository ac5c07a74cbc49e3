//! Small helpers for rationals.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::One;

/// A whole number.
///
/// ```
/// use truecal::rational::{int, ratio};
/// assert_eq!(int(3) * ratio(1, 6), ratio(1, 2));
/// ```
pub fn int(number: impl Into<BigInt>) -> BigRational {
    BigRational::from_integer(number.into())
}

/// A fraction. Panics if the denominator is 0.
pub fn ratio(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// The least common denominator; 1 of no numbers.
///
/// ```
/// use truecal::rational::{common_denominator, ratio};
/// assert_eq!(common_denominator(&[ratio(1, 4), ratio(5, 6)]), 12.into());
/// ```
pub fn common_denominator<'a>(numbers: impl IntoIterator<Item = &'a BigRational>) -> BigInt {
    numbers.into_iter().fold(BigInt::one(), |common, number| common.lcm(number.denom()))
}
