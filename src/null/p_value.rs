//! A p-value of any size: where a double would be 0, it still has its digits.

use std::fmt;

use ethnum::U256;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::dyadic::{Dyadic, NotAProbability, nearest};

/// A p-value in [0, 1], in floating point with 64 bits and an exponent that does not run out.
///
/// Doubles and short rationals are what they are; other rationals are rounded to 64 bits, ties to
/// even. In order, smaller p-values first.
///
/// ```
/// use truecal::null::PValue;
/// let tiny = PValue::try_from(&"1/1024".parse::<num_rational::BigRational>()?.pow(500))?;
/// assert_eq!((tiny.to_f64(), tiny.to_string()), (0.0, "7.08e-1506".to_owned())); // 2^-5000
/// assert_eq!(PValue::try_from(0.0625)?.to_string(), "0.0625");
/// assert!(PValue::LEAST < tiny && tiny < PValue::ONE);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PValue {
    // The number significand · 2^(exponent - 63), whose first bit is set: so the order of the
    // fields is that of the numbers.
    exponent: i64,
    significand: u64,
}

/// The place of the first bit of a significand.
const TOP: u32 = u64::BITS - 1;

/// ⌊2^128 log10(2)⌋
const LOG10_OF_2: u128 = 0x4d10_4d42_7de7_fbcc_47c4_acd6_05be_48bc;

impl PValue {
    /// 1: nothing speaks against the hypothesis.
    pub const ONE: PValue = PValue { exponent: 0, significand: 1 << TOP };

    /// Less than 10^(-2·10^18), and that is all that is known; 0 is written like this, too.
    pub const LEAST: PValue = PValue { exponent: i64::MIN, significand: 0 };

    /// significand · 2^exponent, rounded to 64 bits, ties to even; at least 2^-(2^63 - 200).
    fn rounded(significand: u128, exponent: i64) -> Self {
        let Some(top) = significand.checked_ilog2() else {
            return PValue::LEAST;
        };
        let kept = match top.checked_sub(TOP) {
            None => significand << (TOP - top),
            Some(0) => significand,
            Some(drop) => {
                let (kept, half) = (significand >> drop, 1 << (drop - 1));
                let rest = significand & ((1 << drop) - 1);
                kept + u128::from(rest > half || rest == half && kept & 1 == 1)
            }
        };
        let exponent = exponent + i64::from(top);
        match u64::try_from(kept) {
            Ok(significand) => PValue { exponent, significand },
            Err(_) => PValue { exponent: exponent + 1, significand: 1 << TOP }, // 2^64
        }
    }

    /// The product with 2^-`shift`, where this is at least 2^-2000 and the shift at most 2^63 -
    /// 4000.
    pub(super) fn shifted_down(self, shift: u64) -> Self {
        PValue { exponent: self.exponent.saturating_sub_unsigned(shift), ..self }
    }

    /// So many times this, and at most 1; rounded to 64 bits.
    pub(super) fn times_at_most_one(self, count: u64) -> Self {
        if self == PValue::LEAST && count > 0 {
            return PValue::LEAST; // the least that is told apart is 10^(10^15) times as large
        }
        let product = u128::from(self.significand) * u128::from(count);
        PValue::rounded(product, self.exponent - i64::from(TOP)).min(PValue::ONE)
    }

    /// The nearest double, ties to even: 0 below 2.5e-324.
    pub fn to_f64(self) -> f64 {
        let exponent = self.exponent.saturating_sub(i64::from(TOP));
        let exponent = i32::try_from(exponent).unwrap_or(i32::MIN);
        f64::from_bits(nearest(self.significand.into(), exponent))
    }

    /// (m, e) for m · 10^e with m in [1, 10); `None` for [`LEAST`](Self::LEAST). The relative
    /// error of m is at most 10^-14.
    ///
    /// ```
    /// use truecal::null::PValue;
    /// assert_eq!(PValue::try_from(0.0625)?.decimal(), Some((6.25, -2)));
    /// # Ok::<(), truecal::dyadic::NotAProbability>(())
    /// ```
    pub fn decimal(self) -> Option<(f64, i64)> {
        if self == PValue::LEAST {
            return None;
        }
        if self.exponent >= NORMAL {
            // Seventeen digits tell doubles apart.
            return parts(&format!("{:.16e}", self.to_f64()));
        }
        Some(self.by_logarithm())
    }

    /// The same for small numbers. 2^exponent is 10^-(K + f) with an integer K and f in [0, 1): the
    /// product of the exponent, which has at most 63 bits, with 128 bits of log10(2) leaves an
    /// error of 2^-65 in f, and what is done in doubles errs by a few units in the last place.
    #[expect(clippy::float_arithmetic, reason = "digits are shown with a stated error")]
    fn by_logarithm(self) -> (f64, i64) {
        let product = U256::from(self.exponent.unsigned_abs()) * U256::from(LOG10_OF_2);
        let (whole, part) = (product >> 128_u32, (product >> 64_u32).as_u64());
        let whole = i64::try_from(whole.as_u64()).expect("less than a third of 2^63");
        // The exact values of 53 bits.
        let part = f64::from_bits(nearest((part >> 11).into(), -53));
        let significand = f64::from_bits(nearest(self.significand.into(), -(TOP as i32)));
        // Between 1 and 20.
        let mantissa = significand * libm::exp((1.0 - part) * std::f64::consts::LN_10);
        match mantissa < 10.0 {
            true => (mantissa.max(1.0), -whole - 1),
            false => (mantissa / 10.0, -whole),
        }
    }
}

/// The exponents from here on are those of normal doubles.
const NORMAL: i64 = -1022;

/// A double written with an exponent, in two parts.
fn parts(text: &str) -> Option<(f64, i64)> {
    let (mantissa, exponent) = text.split_once('e')?;
    Some((mantissa.parse().ok()?, exponent.parse().ok()?))
}

/// For people: with three digits, or as many as the precision says after the first; those beyond
/// the fourteenth mean nothing. Below 10^-4 with an exponent. [`PValue::LEAST`] is `<1e-…`.
impl fmt::Display for PValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // (`pad` would cut the text to the precision.)
        let places = f.precision().unwrap_or(2);
        let Some((mantissa, exponent)) = self.decimal() else {
            return f.pad_integral(true, "", "<1e-2000000000000000000");
        };
        if *self == PValue::ONE {
            return f.pad_integral(true, "", "1");
        }
        let text = format!("{mantissa:.places$e}");
        let (mantissa, carry) = text.split_once('e').ok_or(fmt::Error)?;
        let exponent = exponent + carry.parse::<i64>().map_err(|_| fmt::Error)?;
        let text = match usize::try_from(-exponent) {
            Ok(zeros @ 0..=4) => format!("{:.*}", places + zeros, self.to_f64()),
            _ => format!("{mantissa}e{exponent}"),
        };
        f.pad_integral(true, "", &text)
    }
}

impl From<PValue> for f64 {
    /// The nearest double.
    fn from(value: PValue) -> f64 {
        value.to_f64()
    }
}

impl TryFrom<f64> for PValue {
    type Error = NotAProbability;

    fn try_from(double: f64) -> Result<Self, NotAProbability> {
        let Dyadic { odd, shift } = Dyadic::from_bits(double.to_bits())?;
        Ok(PValue::rounded(odd.into(), -i64::from(shift)))
    }
}

impl TryFrom<&BigRational> for PValue {
    type Error = NotAProbability;

    fn try_from(rational: &BigRational) -> Result<Self, NotAProbability> {
        if rational.is_negative() {
            return Err(NotAProbability::Negative);
        }
        if rational.numer() > rational.denom() {
            return Err(NotAProbability::AboveOne);
        }
        // Some 66 bits of the quotient, and one more that says whether anything follows.
        let size = rational.denom().bits() - rational.numer().bits().min(rational.denom().bits());
        let shift = size + 67;
        let (quotient, rest): (BigInt, BigInt) =
            (rational.numer() << shift).div_rem(rational.denom());
        let quotient = quotient.to_u128().expect("at most 69 bits");
        let significand = quotient << 1 | u128::from(!rest.is_zero());
        Ok(PValue::rounded(significand, -(shift.cast_signed()) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::{int, ratio};
    use num_traits::Pow;
    use proptest::prelude::*;

    fn of(rational: &BigRational) -> PValue {
        PValue::try_from(rational).expect("in [0, 1]")
    }

    fn power_of_ten(exponent: u32) -> BigRational {
        int(BigInt::from(10).pow(exponent)).recip()
    }

    /// What it stands for, exactly.
    fn exact(value: PValue) -> BigRational {
        let shift = i64::from(TOP) - value.exponent;
        BigRational::new(value.significand.into(), BigInt::from(1) << shift.unsigned_abs())
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        assert_eq!(PValue::try_from(-0.5), Err(NotAProbability::Negative));
        assert_eq!(PValue::try_from(f64::NAN), Err(NotAProbability::Nan));
        assert_eq!(PValue::try_from(f64::INFINITY), Err(NotAProbability::Infinite));
        assert_eq!(PValue::try_from(1.5), Err(NotAProbability::AboveOne));
        assert_eq!(PValue::try_from(&ratio(-1, 2)), Err(NotAProbability::Negative));
        assert_eq!(PValue::try_from(&ratio(3, 2)), Err(NotAProbability::AboveOne));
        assert_eq!(PValue::try_from(0.0), Ok(PValue::LEAST));
        assert_eq!(of(&ratio(0, 1)), PValue::LEAST);
        assert_eq!((PValue::LEAST.to_f64(), PValue::LEAST.decimal()), (0.0, None));
        assert_eq!(of(&ratio(7, 7)), PValue::ONE);
    }

    #[test]
    fn people_see_three_digits() {
        for (p, text) in [
            (ratio(1, 1), "1"),
            (ratio(999, 1000), "0.999"),
            (ratio(9999, 10000), "1.00"),
            (ratio(1, 3), "0.333"),
            (ratio(1, 1001), "0.000999"),
            (ratio(1, 10_000), "0.000100"),
            (ratio(99_999, 1_000_000_000), "0.000100"),
            (ratio(1, 20_000), "5.00e-5"),
            (power_of_ten(5), "1.00e-5"),
            (ratio(123, 100) * power_of_ten(400), "1.23e-400"),
            (ratio(9_996, 1_000) * power_of_ten(400), "1.00e-399"),
            (ratio(9_994, 1_000) * power_of_ten(400), "9.99e-400"),
            (ratio(7, 1) * power_of_ten(4096), "7.00e-4096"),
        ] {
            assert_eq!(of(&p).to_string(), text);
        }
        let third = of(&(ratio(1, 3) * power_of_ten(1000)));
        assert_eq!(format!("{third:.9}|{third:>12}"), "3.333333333e-1001|  3.33e-1001");
        assert_eq!(format!("{:.0}", of(&ratio(1, 3))), "0.3");
        assert_eq!(PValue::LEAST.to_string(), "<1e-2000000000000000000");
    }

    #[test]
    fn products_end_at_one_and_at_the_least() {
        assert_eq!(of(&ratio(1, 3)).times_at_most_one(3), PValue::ONE);
        assert_eq!(of(&ratio(1, 4)).times_at_most_one(3), of(&ratio(3, 4)));
        assert_eq!(of(&ratio(1, 4)).times_at_most_one(u64::MAX), PValue::ONE);
        assert_eq!(PValue::LEAST.times_at_most_one(u64::MAX), PValue::LEAST);
        assert_eq!(of(&ratio(1, 4)).times_at_most_one(0), PValue::LEAST);
        let tiny = PValue::ONE.shifted_down(1 << 62);
        assert_eq!(tiny.times_at_most_one(1 << 40), PValue::ONE.shifted_down((1 << 62) - 40));
    }

    proptest! {
        #[test]
        fn doubles_come_back(bits in 1..=1.0_f64.to_bits(), other in 1..=1.0_f64.to_bits()) {
            let [one, two] = [bits, other].map(f64::from_bits);
            let value = PValue::try_from(one).expect("in [0, 1]");
            prop_assert_eq!(value.to_f64().to_bits(), bits);
            prop_assert_eq!(of(&BigRational::from_float(one).expect("finite")), value);
            let second = PValue::try_from(two).expect("in [0, 1]");
            prop_assert_eq!(one.partial_cmp(&two), Some(value.cmp(&second)));
        }

        /// Half a unit of the last of 64 bits, and the digits of the quotient.
        #[test]
        fn rationals_are_rounded_to_64_bits(
            above in 1..=u64::MAX,
            below in 1..=u64::MAX,
            places in 0..1500_u32,
            count in 1..1_000_u64,
        ) {
            let (above, below) = (above.min(below), above.max(below));
            let rational = BigRational::new(above.into(), below.into()) * power_of_ten(places);
            let value = of(&rational);
            let bound = int(BigInt::from(2).pow(64_u32)).recip();
            let close = |value: PValue, rational: &BigRational, times: u8| {
                (exact(value) / rational - int(1)).abs() <= &bound * int(times)
            };
            prop_assert!(close(value, &rational, 1));
            let product = &rational * int(count);
            if product < int(1) {
                prop_assert!(close(value.times_at_most_one(count), &product, 2));
            }
            let (mantissa, exponent) = value.decimal().expect("not the least");
            prop_assert!((1.0..10.0).contains(&mantissa));
            let shown = BigRational::from_float(mantissa).expect("finite")
                * int(10).pow(i32::try_from(exponent).expect("few"));
            let error = shown / &rational - int(1);
            prop_assert!(error.abs() <= ratio(1, 100_000_000_000_000), "{}", error);
        }
    }
}
