//! Rationals from machine integers.

use num_bigint::BigInt;
use num_rational::BigRational;

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
