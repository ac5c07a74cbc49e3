//! From exact rationals to text and doubles.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::float;

/// The double nearest to a rational, ties to even; infinite beyond the largest.
///
/// ```
/// use truecal::report::nearest_f64;
/// let third = "1/3".parse()?;
/// assert_eq!(nearest_f64(&third), 1.0 / 3.0);
/// # Ok::<(), num_rational::ParseRatioError>(())
/// ```
pub fn nearest_f64(rational: &BigRational) -> f64 {
    let magnitude = nearest_magnitude(rational.numer().magnitude(), rational.denom().magnitude());
    if rational.is_negative() { magnitude.copysign(-1.0) } else { magnitude }
}

/// Some 64 bits of the quotient are enough if one more says whether anything follows them.
fn nearest_magnitude(above: &BigUint, below: &BigUint) -> f64 {
    const BITS: i64 = 64;
    if above.is_zero() {
        return 0.0;
    }
    // 2^(size - 1) < above/below < 2^(size + 1)
    let size = above.bits().cast_signed() - below.bits().cast_signed();
    let exponent = size - BITS;
    let shift = exponent.unsigned_abs();
    let (quotient, remainder) = if exponent < 0 {
        (above << shift).div_rem(below)
    } else {
        above.div_rem(&(below << shift))
    };
    let quotient = quotient.to_u128().expect("the exponent leaves at most 65 bits");
    let significand = quotient << 1 | u128::from(!remainder.is_zero());
    let beyond = if exponent < 0 { i32::MIN } else { i32::MAX };
    f64::from_bits(float::nearest(significand, i32::try_from(exponent - 1).unwrap_or(beyond)))
}

/// A rational as a decimal of six significant digits, rounded to nearest, for people.
pub(super) fn short_decimal(rational: &BigRational) -> String {
    decimal(rational, 6)
}

/// The same with two digits, which is enough of an error.
pub(super) fn two_digits(rational: &BigRational) -> String {
    decimal(rational, 2)
}

fn decimal(rational: &BigRational, significant: u32) -> String {
    let places = i64::from(significant);
    if rational.is_integer() && rational.numer().bits() <= 64 {
        return rational.to_string();
    }
    let ten = BigInt::from(10);
    let scaled = |exponent: i64| {
        let power = ten.pow(u32::try_from(exponent.unsigned_abs()).unwrap_or(u32::MAX));
        let scaled = if exponent < 0 { rational.abs() / power } else { rational.abs() * power };
        scaled.round().to_integer()
    };
    // 10^exponent is the place of the first digit. Bits tell it to within one or two; then look.
    let size = rational.numer().bits().cast_signed() - rational.denom().bits().cast_signed();
    let mut exponent = size * 30103 / 100_000 - 2;
    while scaled(places - 1 - exponent) >= ten.pow(significant) {
        exponent += 1;
    }
    let digits = scaled(places - 1 - exponent).to_string();
    let sign = if rational.is_negative() { "-" } else { "" };
    let fixed = match exponent {
        -5..0 => format!("0.{}{digits}", "0".repeat((-exponent - 1).unsigned_abs() as usize)),
        0.. if exponent < places - 1 => {
            let (whole, part) = digits.split_at(exponent.unsigned_abs() as usize + 1);
            format!("{whole}.{part}")
        }
        0..15 => return format!("{sign}{}", scaled(0)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let mantissa = format!("{first}.{rest}");
            let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
            return format!("{sign}{mantissa}e{exponent}");
        }
    };
    format!("{sign}{}", fixed.trim_end_matches('0').trim_end_matches('.'))
}

/// `rational / rounds`, where no rounds give 0.
pub(super) fn per_round(rational: &BigRational, rounds: u64) -> BigRational {
    match rounds {
        0 => BigRational::zero(),
        _ => rational / BigRational::from_integer(rounds.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::One;
    use proptest::prelude::*;

    /// A rational halfway between two neighbouring doubles, or just beside.
    fn between(bits: u64, nudge: i32) -> (BigRational, f64, f64) {
        let (low, high) = (f64::from_bits(bits), f64::from_bits(bits + 1));
        let exact = |double| BigRational::from_float(double).expect("finite");
        let half = (exact(low) + exact(high)) / BigRational::from_integer(2.into());
        let tiny = BigRational::new(nudge.into(), BigInt::one() << 1200);
        (half + tiny, low, high)
    }

    proptest! {
        #[test]
        fn doubles_round_to_themselves(bits in 0..f64::INFINITY.to_bits()) {
            let double = f64::from_bits(bits);
            let rational = BigRational::from_float(double).expect("finite");
            prop_assert_eq!(nearest_f64(&rational).to_bits(), bits);
            if bits > 0 { prop_assert_eq!(nearest_f64(&-rational), double.copysign(-1.0)); }
        }

        #[test]
        fn ties_go_to_even_and_the_rest_to_the_nearest(bits in 0..f64::MAX.to_bits()) {
            let (half, low, high) = between(bits, 0);
            prop_assert_eq!(nearest_f64(&half), if bits % 2 == 0 { low } else { high });
            prop_assert_eq!(nearest_f64(&between(bits, -1).0), low);
            prop_assert_eq!(nearest_f64(&between(bits, 1).0), high);
        }

        /// Against the decimal parser of the standard library.
        #[test]
        fn decimals_agree_with_the_parser(digits in 0_u64.., places in 0_u32..330) {
            let rational = BigRational::new(digits.into(), BigInt::from(10).pow(places));
            let parsed: f64 = format!("{digits}e-{places}").parse().expect("a decimal");
            prop_assert_eq!(nearest_f64(&rational), parsed);
        }
    }

    #[test]
    fn the_largest_doubles() {
        let largest = BigRational::from_float(f64::MAX).expect("finite");
        let half_step = BigRational::from_integer(BigInt::one() << 970);
        assert_eq!(nearest_f64(&(&largest + &half_step)), f64::INFINITY);
        let below = &largest + half_step - BigRational::one();
        assert_eq!(nearest_f64(&below), f64::MAX);
        assert_eq!(nearest_f64(&BigRational::from_integer(BigInt::one() << 5000)), f64::INFINITY);
    }

    #[test]
    fn two_digits_are_enough_of_an_error() {
        for (rational, text) in [
            ("0", "0"),
            ("1/3", "0.33"),
            ("1234/1000", "1.2"),
            ("12345/1000", "12"),
            ("1/3000000", "3.3e-7"),
        ] {
            assert_eq!(two_digits(&rational.parse().expect("a rational")), text);
        }
        assert_eq!(two_digits(&"12345678/1000".parse().expect("a rational")), "12346");
    }

    #[test]
    fn people_get_six_digits() {
        for (rational, text) in [
            ("0", "0"),
            ("12", "12"),
            ("1/4", "0.25"),
            ("-1/3", "-0.333333"),
            ("2000001/3", "666667"),
            ("1/3000000", "3.33333e-7"),
            ("1/7000", "0.000142857"),
            ("1999999999999/2", "1000000000000"),
            ("19999999/2", "10000000"),
            ("1999999/2000000", "1"),
            ("-9999994/10000000", "-0.999999"),
            ("100000000000000000001/2", "5e19"),
        ] {
            assert_eq!(short_decimal(&rational.parse().expect("a rational")), text);
        }
    }
}
