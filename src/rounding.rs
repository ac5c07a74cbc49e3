//! From exact rationals to doubles.

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::dyadic::nearest;

/// The double nearest to a rational, ties to even; infinite beyond the largest.
///
/// ```
/// use truecal::nearest_f64;
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
    f64::from_bits(nearest(significand, i32::try_from(exponent - 1).unwrap_or(beyond)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::int;
    use num_bigint::BigInt;
    use num_traits::One;
    use proptest::prelude::*;

    /// A rational halfway between two neighbouring doubles, or just beside.
    fn between(bits: u64, nudge: i32) -> (BigRational, f64, f64) {
        let (low, high) = (f64::from_bits(bits), f64::from_bits(bits + 1));
        let exact = |double| BigRational::from_float(double).expect("finite");
        let half = (exact(low) + exact(high)) / int(2);
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
        let half_step = int(BigInt::one() << 970);
        assert_eq!(nearest_f64(&(&largest + &half_step)), f64::INFINITY);
        let below = &largest + half_step - BigRational::one();
        assert_eq!(nearest_f64(&below), f64::MAX);
        assert_eq!(nearest_f64(&int(BigInt::one() << 5000)), f64::INFINITY);
    }
}
