//! The tails of the limit distributions, however small they are.
//!
//! Let z = x², which is known exactly. *Near*, z < 100, the series of [`brownian`](super::brownian)
//! give the tail as a double. *Far*, only their first term is left: 4 Q(x) for the maximum, 8 Q(r)
//! for the range. The second is less than that by a factor of at least exp(-4z), or 2 exp(-3z/2),
//! which is below 10^-60. And Q(x) = exp(-z/2) R(x) / √(2π) with the Mills ratio
//!
//! - R(x) = (1 - 1/z + 3/z² - 15/z³ + …)/x,
//!
//! whose partial sums are in turn above and below: what is left out is less than the next term,
//! 41!!/z²¹ < 2·10^-17 after twenty of them. The exponential is a power of 2, whose exponent -z
//! log2(e)/2 is found in integers: with z to 2^-64 and log2(e) to 2^-127, it is wrong by less than
//! 2^-63 up to z = 2^63. The rest is done in doubles, each step within an ulp or so.
//!
//! *Errors.* Far out, all of this is within a few units of 2^-53. Near, x is rounded, which changes
//! the tail by z times as much: 2·10^-14 at most. So every tail has a relative error of at most
//! 10^-13. Beyond z = 2^63, three billion standard deviations, it is less than 10^(-2·10^18), and
//! [`PValue::LEAST`] says so.
#![expect(clippy::float_arithmetic, reason = "distribution functions of real variables")]

use std::f64::consts::TAU;

use ethnum::U256;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::brownian::{maximum_above, range_above};
use super::p_value::PValue;
use crate::dyadic::nearest;
use crate::measure::Limit;
use crate::rounding::nearest_f64;

/// The least square that is far.
const FAR: u64 = 100;
/// The terms of the Mills ratio.
const TERMS: u32 = 20;
/// ⌊2^127 log2(e)⌋
const LOG2_OF_E: u128 = 0xb8aa_3b29_5c17_f0bb_be87_fed0_691d_3e88;

/// The probability that a limit variable exceeds the root of a number that is not negative.
pub(super) fn above(limit: Limit, square: &BigRational) -> PValue {
    let (near, far) = match limit {
        Limit::Maximum => (maximum_above as fn(f64) -> f64, 4.0),
        Limit::Range => (range_above as fn(f64) -> f64, 8.0),
    };
    if *square < BigRational::from(BigInt::from(FAR)) {
        let tail = near(nearest_f64(square).sqrt());
        return PValue::try_from(tail).expect("a probability");
    }
    far_above(far, square)
}

/// So many times Q(x).
fn far_above(times: f64, square: &BigRational) -> PValue {
    // z in 2^-64
    let fixed = (square.numer() << 64_u32).div_floor(square.denom());
    let Some(fixed) = fixed.to_u128().filter(|fixed| *fixed < 1 << 127) else {
        return PValue::LEAST;
    };
    // z log2(e)/2 in 2^-192, less than 2^63.
    let exponent = U256::from(fixed) * U256::from(LOG2_OF_E);
    let whole = (exponent >> 192_u32).as_u64();
    let part = (exponent >> 128_u32).as_u64() >> 11;
    let part = f64::from_bits(nearest(part.into(), -53)); // the exact value of 53 bits

    let z = nearest_f64(square);
    let ratio = (1..=TERMS).rev().fold(1.0, |rest, n| 1.0 - f64::from(2 * n - 1) / z * rest);
    let scale = times / (TAU * z).sqrt() * ratio * libm::exp2(-part);
    PValue::try_from(scale).expect("far below 1").shifted_down(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square, and the tails of the maximum and of the range beyond its root: mantissa and
    /// exponent of ten.
    type Golden = (&'static str, [(f64, i64); 2]);

    /// By mpmath with 230 digits, 60 terms of the series of erfc each.
    const GOLDEN: [Golden; 17] = [
        ("1", [(6.292225702004761, -1), (9.366354120795494, -1)]),
        ("9/4", [(2.67215214383061, -1), (5.129407542302482, -1)]),
        ("4", [(9.100052384636625, -2), (1.814943393941873, -1)]),
        ("25", [(1.146606287516776, -6), (2.293212575033551, -6)]),
        ("81", [(4.514353623815363, -19), (9.028707247630725, -19)]),
        ("9999/100", [(3.063369330146727, -23), (6.126738660293453, -23)]),
        ("100", [(3.04794120966421, -23), (6.095882419328421, -23)]),
        ("1000/7", [(1.263269597995941, -32), (2.526539195991882, -32)]),
        ("1444", [(1.154171344027514, -315), (2.308342688055027, -315)]),
        ("1481", [(1.052775883626112, -323), (2.105551767252224, -323)]),
        ("2500", [(4.322391787046546, -545), (8.644783574093093, -545)]),
        ("20000/3", [(4.392153968717979, -1450), (8.784307937435958, -1450)]),
        ("1000000", [(9.162584586181994, -217151), (1.832516917236399, -217150)]),
        ("12345678901/3", [(2.436816315667363, -893610042), (4.873632631334726, -893610042)]),
        ("1000000000000", [(3.776210813852846, -217147240958), (7.552421627705691, -217147240958)]),
        (
            "3000000000000001/3",
            [(5.209092615048027, -217147240951634), (1.041818523009605, -217147240951633)],
        ),
        (
            "1000000000000000000",
            [(2.384545412039686, -217147240951625923), (4.769090824079371, -217147240951625923)],
        ),
    ];

    fn decimal(limit: Limit, square: &BigRational) -> (f64, i64) {
        above(limit, square).decimal().expect("not the least")
    }

    #[test]
    fn tails_are_those_of_two_hundred_digits() {
        for (square, golden) in GOLDEN {
            let square: BigRational = square.parse().expect("a rational");
            let far = square >= BigRational::from(BigInt::from(FAR));
            for (limit, (mantissa, exponent)) in
                [Limit::Maximum, Limit::Range].into_iter().zip(golden)
            {
                let found = decimal(limit, &square);
                assert_eq!(found.1, exponent, "{square}");
                let error = (found.0 / mantissa - 1.0).abs();
                assert!(error < if far { 5e-15 } else { 2e-14 }, "{square}: {error}");
            }
        }
    }

    /// Where both ways are open, they agree; the leading term alone would not do.
    #[test]
    fn near_and_far_meet() {
        for (limit, near, times) in [
            (Limit::Maximum, maximum_above as fn(f64) -> f64, 4.0),
            (Limit::Range, range_above, 8.0),
        ] {
            let mut last = PValue::ONE;
            for tenths in 800..1400_u64 {
                let square = BigRational::new(tenths.into(), 10.into());
                let x = (tenths as f64 / 10.0).sqrt();
                let exact = near(x);
                let far = far_above(times, &square).to_f64();
                assert!((far / exact - 1.0).abs() < 4e-14, "{square}");
                let leading = times / (TAU * x * x).sqrt() * libm::exp(-x * x / 2.0);
                assert!((leading / exact - 1.0).abs() > 5e-3, "{square}");
                let here = above(limit, &square);
                assert!(here < last, "falls at {square}");
                last = here;
            }
        }
    }

    #[test]
    fn the_least_is_beyond_three_billion_deviations() {
        let last = BigRational::from(BigInt::from(u64::MAX >> 1));
        let beyond = BigRational::from(BigInt::from(1_u64 << 63));
        let endless = &beyond * &beyond * &beyond;
        for limit in [Limit::Maximum, Limit::Range] {
            let (_, exponent) = decimal(limit, &last);
            // -2^62 log10(e) = -2002829790073.39…·10^6
            assert_eq!(exponent / 1_000_000, -2_002_829_790_073);
            assert!(PValue::LEAST < above(limit, &last));
            assert_eq!(above(limit, &beyond), PValue::LEAST);
            assert_eq!(above(limit, &endless), PValue::LEAST);
        }
        assert_eq!(above(Limit::Maximum, &BigRational::default()), PValue::ONE);
    }
}
