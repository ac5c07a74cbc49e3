//! The numbers that laws are judged in.

use std::cmp::Ordering;

use num_rational::{BigRational, Ratio};
use num_traits::Zero;

/// Why an expression has no value.
pub(super) enum NoValue {
    /// In this number type.
    Overflow,
    /// In any: a negative radicand, or a tree that parsing refuses.
    Undefined,
    /// Among the rationals: it has a square root.
    Irrational,
}

#[inline]
pub(super) fn fits<T>(result: Option<T>) -> Result<T, NoValue> {
    result.ok_or(NoValue::Overflow)
}

/// A number in which laws can be judged. None: the result does not fit.
pub trait Value: Clone {
    /// A number of the law.
    fn constant(number: Ratio<i64>) -> Self;
    /// The sum.
    fn plus(&self, other: &Self) -> Option<Self>;
    /// The difference.
    fn minus(&self, other: &Self) -> Option<Self>;
    /// The product.
    fn times(&self, other: &Self) -> Option<Self>;
    /// The number with the opposite sign.
    fn negated(&self) -> Option<Self>;
    /// Which of the two is larger.
    fn compare(&self, other: &Self) -> Option<Ordering>;
    /// How it compares with zero.
    fn sign(&self) -> Ordering;
}

/// Never fails.
impl Value for BigRational {
    fn constant(number: Ratio<i64>) -> Self {
        BigRational::new((*number.numer()).into(), (*number.denom()).into())
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        Some(self + other)
    }

    fn minus(&self, other: &Self) -> Option<Self> {
        Some(self - other)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }

    fn negated(&self) -> Option<Self> {
        Some(-self)
    }

    fn compare(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    fn sign(&self) -> Ordering {
        self.numer().cmp(&Zero::zero())
    }
}

/// A fraction that is never reduced, for judging tables by the million: a greatest common divisor
/// would cost more than everything else. Quantities over one common denominator stay so under
/// addition.
///
/// Not `PartialEq`, because 1/2 and 2/4 are the same number: see [`Value::compare`].
#[derive(Clone, Copy, Debug)]
pub struct Fraction {
    /// Above the line.
    pub numerator: i128,
    /// Below the line: positive, or the results are nonsense.
    pub denominator: i128,
}

impl Value for Fraction {
    #[inline]
    fn constant(number: Ratio<i64>) -> Self {
        Fraction { numerator: (*number.numer()).into(), denominator: (*number.denom()).into() }
    }

    #[inline]
    fn plus(&self, other: &Self) -> Option<Self> {
        self.combine(other, i128::checked_add)
    }

    #[inline]
    fn minus(&self, other: &Self) -> Option<Self> {
        self.combine(other, i128::checked_sub)
    }

    #[inline]
    fn times(&self, other: &Self) -> Option<Self> {
        let numerator = multiply(self.numerator, other.numerator)?;
        let denominator = multiply(self.denominator, other.denominator)?;
        Some(Fraction { numerator, denominator })
    }

    #[inline]
    fn negated(&self) -> Option<Self> {
        Some(Fraction { numerator: self.numerator.checked_neg()?, ..*self })
    }

    #[inline]
    fn compare(&self, other: &Self) -> Option<Ordering> {
        let (left, right) = self.crossed(other)?;
        Some(left.cmp(&right))
    }

    #[inline]
    fn sign(&self) -> Ordering {
        self.numerator.cmp(&0)
    }
}

impl Fraction {
    /// The numerators over a common denominator.
    #[inline]
    fn crossed(&self, other: &Self) -> Option<(i128, i128)> {
        if self.denominator == other.denominator {
            return Some((self.numerator, other.numerator));
        }
        let left = multiply(self.numerator, other.denominator)?;
        Some((left, multiply(other.numerator, self.denominator)?))
    }

    #[inline]
    fn combine(&self, other: &Self, add: fn(i128, i128) -> Option<i128>) -> Option<Self> {
        let (left, right) = self.crossed(other)?;
        let denominator = match self.denominator == other.denominator {
            true => self.denominator,
            false => multiply(self.denominator, other.denominator)?,
        };
        Some(Fraction { numerator: add(left, right)?, denominator })
    }
}

/// The checked product. Most factors fit 64 bits, and then one instruction does it.
#[inline]
fn multiply(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}
