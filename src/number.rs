//! What the formulas ask of a number.
//!
//! Every formula in [`measures`](crate::measures) is written once, generically, and runs on machine
//! integers (predictions scaled to a common denominator, the *unit*), on [`BigInt`] when no machine
//! width is enough, and on [`BigRational`] with unit 1 as the reference. Between `i128` and
//! [`BigInt`], 256 bits are enough for doubles of any exponent down to about 2^-180.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use ethnum::{I256, U256};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::Zero;

/// An ordered ring element, as little of it as the formulas need.
///
/// Operators may overflow for machine integers. Nothing here checks: [`Levels`](crate::Levels)
/// refuses a table whose bound does not rule overflow out.
pub trait Number:
    Clone
    + Ord
    + Debug
    + Neg<Output = Self>
    + for<'a> Add<&'a Self, Output = Self>
    + for<'a> Sub<&'a Self, Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
    + for<'a> AddAssign<&'a Self>
    + for<'a> SubAssign<&'a Self>
{
    /// Holds the product of any two values that are at most the largest in absolute value, and the
    /// sum of two such products.
    type Wide: Number;

    /// The additive identity.
    fn zero() -> Self;

    /// A count as a number. Panics if it does not fit, which the bound of a level table excludes.
    fn from_count(count: u64) -> Self;

    /// `number` · 2^`shift` as a number. Panics if it does not fit, which the bound of a level
    /// table excludes.
    fn shifted(number: u128, shift: u32) -> Self {
        Self::from_bigint(&(BigInt::from(number) << shift)).expect("within the bound of the table")
    }

    /// An integer as a number, or `None` if it does not fit.
    fn from_bigint(integer: &BigInt) -> Option<Self>;

    /// The largest value, or `None` if there is none.
    fn largest() -> Option<BigInt>;

    /// The same value in the wide type.
    fn widen(&self) -> Self::Wide;

    /// The same value as a rational.
    fn to_rational(&self) -> BigRational;

    /// The exact product, in the wide type.
    fn times(&self, other: &Self) -> Self::Wide {
        self.widen() * &other.widen()
    }

    /// The first 64 binary digits of this number over the unit, of which it is a part: ⌊2^64 v⌋ for
    /// v < 1, and 1 is 0.111… Twice the unit must fit.
    fn digits(&self, unit: &Self) -> u64 {
        let (mut rest, mut digits) = (self.clone(), 0);
        for _ in 0..u64::BITS {
            rest = rest.clone() + &rest;
            digits <<= 1;
            if rest >= *unit {
                rest -= unit;
                digits |= 1;
            }
        }
        digits
    }

    /// The absolute value.
    fn magnitude(&self) -> Self {
        if *self < Self::zero() { -self.clone() } else { self.clone() }
    }
}

/// The first 64 binary digits of a part of a unit that is less than 2^127.
fn digits_of(part: u128, unit: u128) -> u64 {
    if part >= unit {
        return u64::MAX;
    }
    if unit.is_power_of_two() {
        return match unit.trailing_zeros().checked_sub(u64::BITS) {
            Some(later) => (part >> later) as u64,
            None => (part << (u64::BITS - unit.trailing_zeros())) as u64,
        };
    }
    // As many at once as there is room for.
    let (mut rest, mut digits, mut missing) = (part, 0, u64::BITS);
    while missing > 0 {
        let step = unit.leading_zeros().min(missing);
        rest <<= step;
        digits = (digits << step) | (rest / unit);
        rest %= unit;
        missing -= step;
    }
    digits as u64
}

macro_rules! machine_integer {
    ($narrow:ty => $wide:ty $(, $faster:item)?) => {
        impl Number for $narrow {
            type Wide = $wide;

            fn zero() -> Self {
                0
            }

            fn from_count(count: u64) -> Self {
                Self::try_from(count).expect("the bound of the level table admits its counts")
            }

            fn from_bigint(integer: &BigInt) -> Option<Self> {
                Self::try_from(integer).ok()
            }

            fn shifted(number: u128, shift: u32) -> Self {
                let fits =
                    shift < <$narrow>::BITS && number <= Self::MAX.unsigned_abs() as u128 >> shift;
                assert!(fits, "the bound of the level table admits its values");
                (number as $narrow) << shift
            }

            fn digits(&self, unit: &Self) -> u64 {
                digits_of(self.unsigned_abs().into(), unit.unsigned_abs().into())
            }

            fn largest() -> Option<BigInt> {
                Some(Self::MAX.into())
            }

            fn widen(&self) -> $wide {
                <$wide>::from(*self)
            }

            fn to_rational(&self) -> BigRational {
                BigInt::from(*self).into()
            }

            $($faster)?
        }
    };
}

machine_integer!(i8 => i16); // for bounded proofs, where it reaches the ends of its range
machine_integer!(i16 => i32);
machine_integer!(i32 => i64);
machine_integer!(i64 => i128);
machine_integer!(i128 => I256, fn times(&self, other: &Self) -> I256 {
    // Rarely as long as it may be, and 256 bits take several times as long to multiply.
    match self.checked_mul(*other) {
        Some(product) => product.into(),
        None => self.widen() * other.widen(),
    }
});

impl Number for I256 {
    type Wide = BigInt;

    fn shifted(number: u128, shift: u32) -> Self {
        let fits = shift < 255 && U256::from(number) <= I256::MAX.as_u256() >> shift;
        assert!(fits, "the bound of the level table admits its values");
        I256::from(number) << shift
    }

    fn zero() -> Self {
        I256::ZERO
    }

    fn from_count(count: u64) -> Self {
        I256::from(count)
    }

    fn from_bigint(integer: &BigInt) -> Option<Self> {
        let bytes = integer.to_signed_bytes_le();
        let negative = bytes.last().is_some_and(|&top| top >= 0x80);
        let mut extended = [if negative { 0xff } else { 0 }; 32];
        extended.get_mut(..bytes.len())?.copy_from_slice(&bytes);
        Some(I256::from_le_bytes(extended))
    }

    fn largest() -> Option<BigInt> {
        Some(I256::MAX.widen())
    }

    fn widen(&self) -> BigInt {
        let sign = if self.is_negative() { Sign::Minus } else { Sign::Plus };
        BigInt::from_bytes_le(sign, &self.unsigned_abs().to_le_bytes())
    }

    fn to_rational(&self) -> BigRational {
        self.widen().into()
    }
}

impl Number for BigInt {
    type Wide = BigInt;

    fn zero() -> Self {
        Zero::zero()
    }

    fn from_count(count: u64) -> Self {
        count.into()
    }

    fn from_bigint(integer: &BigInt) -> Option<Self> {
        Some(integer.clone())
    }

    fn digits(&self, unit: &Self) -> u64 {
        u64::try_from((self << u64::BITS) / unit).unwrap_or(u64::MAX)
    }

    fn largest() -> Option<BigInt> {
        None
    }

    fn widen(&self) -> BigInt {
        self.clone()
    }

    fn to_rational(&self) -> BigRational {
        self.clone().into()
    }
}

impl Number for BigRational {
    type Wide = BigRational;

    fn zero() -> Self {
        Zero::zero()
    }

    fn from_count(count: u64) -> Self {
        BigInt::from(count).into()
    }

    fn from_bigint(integer: &BigInt) -> Option<Self> {
        Some(integer.clone().into())
    }

    fn largest() -> Option<BigInt> {
        None
    }

    fn widen(&self) -> BigRational {
        self.clone()
    }

    fn to_rational(&self) -> BigRational {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of the range survive the round trip; one step beyond does not fit.
    fn ends_round_trip<N: Number>() {
        let top = N::largest().expect("a machine integer has a largest value");
        let bottom: BigInt = -&top - 1;
        for integer in [&top, &bottom, &BigInt::from(0), &BigInt::from(-1)] {
            let number = N::from_bigint(integer).expect("within range");
            assert_eq!(number.to_rational(), integer.clone().into());
        }
        assert_eq!(N::from_bigint(&(&top + 1)), None);
        let last = u32::try_from(top.bits() - 1).expect("a few hundred");
        assert_eq!(N::shifted(1, last).to_rational(), (BigInt::from(1) << last).into());
        for shift in [last + 1, u32::MAX] {
            std::panic::catch_unwind(|| N::shifted(1, shift)).expect_err("one step beyond");
        }
        assert_eq!(N::from_bigint(&(&bottom - 1)), None);
    }

    #[test]
    fn every_width_ends_where_it_says() {
        ends_round_trip::<i8>();
        ends_round_trip::<i16>();
        ends_round_trip::<i32>();
        ends_round_trip::<i64>();
        ends_round_trip::<i128>();
        ends_round_trip::<I256>();
    }

    /// Digits against one long division.
    fn digits_are_a_quotient<N: Number>(unit: &BigInt) {
        let number = |integer: &BigInt| N::from_bigint(integer).expect("within range");
        let parts = [0, 1, 2, 3, 5, 7].map(|of| unit * of / 7_u8);
        for part in parts.iter().chain([&(unit / 2_u8), &(unit - 1_u8)]) {
            let quotient: BigInt = (part << 64_u32) / unit;
            let expected = u64::try_from(quotient).unwrap_or(u64::MAX);
            assert_eq!(number(part).digits(&number(unit)), expected, "{part}/{unit}");
        }
    }

    #[test]
    fn digits_do_not_depend_on_the_width() {
        let two = BigInt::from(2);
        for bits in 0..=124 {
            for unit in [two.pow(bits), two.pow(bits) + 1, (two.pow(bits + 2) / 3_u8) | two.pow(0)]
            {
                if bits <= 28 {
                    digits_are_a_quotient::<i32>(&unit);
                }
                if bits <= 60 {
                    digits_are_a_quotient::<i64>(&unit);
                }
                digits_are_a_quotient::<i128>(&unit);
                digits_are_a_quotient::<I256>(&(&unit << 100));
                digits_are_a_quotient::<BigInt>(&(&unit << 100));
                digits_are_a_quotient::<BigRational>(&unit);
            }
        }
    }

    /// The wide type holds the sum of two products of extreme values.
    fn wide_holds_two_products<N: Number>() {
        let top = N::from_bigint(&N::largest().expect("bounded")).expect("within range");
        let sum = top.times(&top) + &top.times(&top);
        let exact = top.to_rational() * top.to_rational() * BigRational::from(BigInt::from(2));
        assert_eq!(sum.to_rational(), exact);
        assert_eq!((-sum).to_rational(), -exact);
    }

    #[test]
    fn products_never_overflow_the_wide_type() {
        wide_holds_two_products::<i8>();
        wide_holds_two_products::<i16>();
        wide_holds_two_products::<i32>();
        wide_holds_two_products::<i64>();
        wide_holds_two_products::<i128>();
        wide_holds_two_products::<I256>();
    }
}
