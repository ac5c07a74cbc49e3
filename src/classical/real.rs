//! Numbers of a level table as doubles, with a stated error.
//!
//! u = 2^-53 is the largest relative error of one rounding to the nearest double.
#![expect(clippy::float_arithmetic, reason = "conversion to doubles, with stated errors")]

use ethnum::I256;
use num_bigint::{BigInt, Sign};

use crate::number::Number;

/// The largest relative error of one rounding, 2^-53.
pub(super) const ROUNDING: f64 = f64::EPSILON / 2.0;

/// A double times a power of two: significand · 2^exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scaled {
    /// 0, or between 2^-256 and 2^256 in absolute value.
    pub significand: f64,
    /// 0 unless numbers are longer than 256 bits.
    pub exponent: i64,
}

impl Scaled {
    /// The quotient; one more rounding.
    pub fn over(self, other: Scaled) -> Scaled {
        Scaled {
            significand: self.significand / other.significand,
            exponent: self.exponent - other.exponent,
        }
    }

    /// The double nearby: no further error but below the smallest normal double, where the
    /// absolute error is at most 2^-1074.
    pub fn to_f64(self) -> f64 {
        if self.exponent == 0 {
            return self.significand;
        }
        let bound = 4000; // far beyond both ends of the range
        let exponent = self.exponent.clamp(-bound, bound);
        libm::ldexp(self.significand, exponent as i32)
    }
}

/// An integer that can be rounded to a double.
pub(super) trait Real: Number {
    /// The number within a relative error of u (1 + 2^-10).
    fn scaled(&self) -> Scaled;
}

macro_rules! machine_real {
    ($($number:ty),*) => {$(
        impl Real for $number {
            #[inline]
            fn scaled(&self) -> Scaled {
                Scaled { significand: *self as f64, exponent: 0 }
            }
        }
    )*};
}

machine_real!(i32, i64, i128);

impl Real for I256 {
    fn scaled(&self) -> Scaled {
        let (high, low) = self.unsigned_abs().into_words();
        let two_to_128 = 2.0_f64.powi(128);
        // The first 128 bits, from the first bit that is set; what is cut off is less than 2^-127
        // of them.
        let magnitude = match high.leading_zeros() {
            128 => low as f64,
            0 => high as f64 * two_to_128,
            zeros => {
                let first = high << zeros | low >> (128 - zeros);
                libm::ldexp(first as f64, 128 - zeros as i32)
            }
        };
        Scaled { significand: if self.is_negative() { -magnitude } else { magnitude }, exponent: 0 }
    }
}

impl Real for BigInt {
    fn scaled(&self) -> Scaled {
        // The first two words, of which the first is not 0: the others are less than 2^-64 of them.
        let mut words = self.iter_u64_digits().rev();
        let (first, second) = (words.next().unwrap_or(0), words.next());
        let rest = words.len() as i64;
        let magnitude = match second {
            None => first as f64,
            Some(second) => (u128::from(first) << 64 | u128::from(second)) as f64,
        };
        let negative = self.sign() == Sign::Minus;
        Scaled { significand: if negative { -magnitude } else { magnitude }, exponent: 64 * rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounding::nearest_f64;
    use num_rational::BigRational;
    use proptest::prelude::*;

    /// The scaled double is the number up to the stated error, in rationals.
    fn close<N: Real>(integer: &BigInt) {
        let scaled = N::from_bigint(integer).expect("within range").scaled();
        let significand = BigRational::from_float(scaled.significand).expect("finite");
        let double = significand * BigRational::from(BigInt::from(1) << scaled.exponent);
        let exact = BigRational::from(integer.clone());
        let far = num_traits::Signed::abs(&(double - &exact)) * BigRational::from_count(1 << 53);
        let slack = BigRational::new(1025.into(), 1024.into());
        assert!(far <= num_traits::Signed::abs(&exact) * slack, "{integer}");
    }

    proptest! {
        #[test]
        fn errors_are_as_stated(digits: u128, more: u64, up in 0..120_u32, negative: bool) {
            let number: BigInt = (BigInt::from(digits) << 64) + more;
            let number = if negative { -number } else { number };
            close::<i32>(&(&number >> 162));
            close::<i64>(&(&number >> 130));
            close::<i128>(&(&number >> 66));
            close::<I256>(&(&number << up >> 60));
            close::<BigInt>(&number);
            close::<BigInt>(&(number << (40 * up)));
        }
    }

    #[test]
    fn quotients_of_long_numbers() {
        let one = BigInt::from(1);
        let over = |a: &BigInt, b: &BigInt| a.scaled().over(b.scaled()).to_f64();
        for (a, b) in [(7, 0), (7, 500), (1, 1022), (3, 1070), (1, 1074), (1, 5000)] {
            let (above, below) = (&one * a, &one << b);
            assert_eq!(over(&above, &below), nearest_f64(&BigRational::new(above, below)));
        }
        assert_eq!(over(&(&one << 70_000), &one), f64::INFINITY);
        assert_eq!(over(&BigInt::from(0), &(&one << 70_000)), 0.0);
    }
}
