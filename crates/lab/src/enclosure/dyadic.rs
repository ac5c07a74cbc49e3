//! The ends of enclosures: numbers m·2^e with few bits, rounded to a chosen side.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// A number mantissa · 2^exponent whose mantissa is odd and has at most [`PRECISION`] bits, or zero
/// with exponent 0. Every number has one such form, so that equal forms are equal numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dyadic {
    mantissa: BigInt,
    exponent: i64,
}

/// Bits that an end keeps.
pub(super) const PRECISION: u64 = 128;

/// Magnitudes are at most 2^REACH and, unless zero, at least 2^-REACH-1. It bounds what a sum of
/// two ends can cost, and keeps sums of exponents far from the ends of `i64`.
pub(super) const REACH: i64 = 1 << 16;

/// The side to which a result is rounded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Toward {
    Below,
    Above,
}

impl Dyadic {
    pub(super) fn zero() -> Self {
        Dyadic { mantissa: BigInt::zero(), exponent: 0 }
    }

    /// mantissa · 2^exponent, rounded. Panics if the magnitude is 2^REACH or more.
    pub(super) fn rounded(mantissa: BigInt, exponent: i64, toward: Toward) -> Self {
        if mantissa.is_zero() {
            return Self::zero();
        }
        let bits = mantissa.bits();
        // 2^(top-1) <= |mantissa · 2^exponent| < 2^top.
        let top = exponent + bits.cast_signed();
        assert!(top <= REACH, "a magnitude of 2^{REACH} or more has no enclosure");
        if top < -REACH {
            // The magnitude is in (0, 2^-REACH).
            return match (mantissa.sign(), toward) {
                (Sign::Plus, Toward::Above) => Dyadic { mantissa: BigInt::one(), exponent: -REACH },
                (Sign::Minus, Toward::Below) => {
                    Dyadic { mantissa: -BigInt::one(), exponent: -REACH }
                }
                _ => Self::zero(),
            };
        }
        let excess = bits.saturating_sub(PRECISION);
        let kept = shift_right(mantissa, excess, toward);
        let zeros = kept.trailing_zeros().expect("the leading bits are kept");
        Dyadic { mantissa: kept >> zeros, exponent: exponent + (excess + zeros).cast_signed() }
    }

    /// numerator / denominator · 2^exponent, rounded. The denominator is not zero.
    pub(super) fn quotient(
        numerator: &BigInt,
        denominator: &BigInt,
        exponent: i64,
        toward: Toward,
    ) -> Self {
        // With this shift the integer quotient has more than PRECISION bits: its own rounding loses
        // nothing.
        let shift = (PRECISION + 2 + denominator.bits()).saturating_sub(numerator.bits());
        let scaled = numerator << shift;
        let quotient = match toward {
            Toward::Below => scaled.div_floor(denominator),
            Toward::Above => scaled.div_ceil(denominator),
        };
        Self::rounded(quotient, exponent - shift.cast_signed(), toward)
    }

    /// A rational, rounded.
    pub(super) fn from_rational(value: &BigRational, toward: Toward) -> Self {
        Self::quotient(value.numer(), value.denom(), 0, toward)
    }

    pub(super) fn plus(&self, other: &Self, toward: Toward) -> Self {
        let exponent = self.exponent.min(other.exponent);
        Self::rounded(self.scaled_by(-exponent) + other.scaled_by(-exponent), exponent, toward)
    }

    pub(super) fn times(&self, other: &Self, toward: Toward) -> Self {
        Self::rounded(&self.mantissa * &other.mantissa, self.exponent + other.exponent, toward)
    }

    /// The quotient by a nonzero number.
    pub(super) fn over(&self, other: &Self, toward: Toward) -> Self {
        let exponent = self.exponent - other.exponent;
        Self::quotient(&self.mantissa, &other.mantissa, exponent, toward)
    }

    /// The square root of a number that is not negative.
    pub(super) fn sqrt(&self, toward: Toward) -> Self {
        // A square of at least 2·PRECISION bits has a root of at least PRECISION; its exponent must
        // be even.
        let short = (2 * PRECISION).saturating_sub(self.mantissa.bits()).cast_signed();
        let shift = short + (self.exponent - short).rem_euclid(2);
        let square = &self.mantissa << shift;
        let mut root = square.sqrt();
        // root <= √square < root + 1, with equality on the left only for a perfect square.
        if toward == Toward::Above && &root * &root != square {
            root += 1;
        }
        Self::rounded(root, (self.exponent - shift) / 2, toward)
    }

    /// ⌊self · 2^bits⌋.
    pub(super) fn scaled_by(&self, bits: i64) -> BigInt {
        let shift = self.exponent + bits;
        if shift >= 0 { &self.mantissa << shift } else { &self.mantissa >> -shift }
    }

    /// A positive number as (M, s, k): M / 2^s · 2^k, with M / 2^s in [2/3, 4/3).
    pub(super) fn near_one(&self) -> (&BigInt, u64, i64) {
        let bits = self.mantissa.bits();
        // M / 2^bits is in [1/2, 1); twice that is in [1, 4/3) if it is below 2/3.
        let low = &self.mantissa * 3_u8 < BigInt::one() << (bits + 1);
        let scale = bits - u64::from(low);
        (&self.mantissa, scale, self.exponent + scale.cast_signed())
    }

    /// The least t with |self| < 2^t, or `None` for zero.
    pub(super) fn top(&self) -> Option<i64> {
        (!self.is_zero()).then(|| self.exponent + self.mantissa.bits().cast_signed())
    }

    pub(super) fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    pub(super) fn is_positive(&self) -> bool {
        self.mantissa.is_positive()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.mantissa.is_negative()
    }

    pub(super) fn negated(&self) -> Self {
        Dyadic { mantissa: -&self.mantissa, exponent: self.exponent }
    }

    pub(super) fn to_rational(&self) -> BigRational {
        if self.exponent >= 0 {
            return (&self.mantissa << self.exponent).into();
        }
        // In lowest terms already, as the mantissa is odd.
        BigRational::new_raw(self.mantissa.clone(), BigInt::one() << -self.exponent)
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_sign = self.mantissa.sign().cmp(&other.mantissa.sign());
        let by_size = || match self.top().cmp(&other.top()) {
            size if self.is_negative() => size.reverse(),
            size => size,
        };
        // Equal tops: the exponents differ by less than PRECISION, and aligning is cheap.
        let exact = || {
            let exponent = self.exponent.min(other.exponent);
            self.scaled_by(-exponent).cmp(&other.scaled_by(-exponent))
        };
        by_sign.then_with(by_size).then_with(exact)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// integer / 2^bits, rounded to an integer.
fn shift_right(integer: BigInt, bits: u64, toward: Toward) -> BigInt {
    let inexact = integer.trailing_zeros().is_some_and(|zeros| zeros < bits);
    // A shift of a `BigInt` rounds down, also below zero.
    let floor = integer >> bits;
    if inexact && toward == Toward::Above { floor + 1 } else { floor }
}
