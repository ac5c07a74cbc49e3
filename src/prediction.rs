//! One exact prediction: a rational in [0, 1], read from text without losing a digit.

use std::str::FromStr;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, Zero};
use thiserror::Error;

/// The longest digit string that is read, in the digits of one number: thousands are exact, and a
/// hostile file cannot make a single cell expensive.
pub const MAX_DIGITS: usize = 4096;

/// The largest exponent that is read, up or down: `1e-4096` is exact, `1e-4097` is an error.
pub const MAX_EXPONENT: i64 = 4096;

/// An exact probability. Equal values are equal however they were written: `0.30`, `3/10` and
/// `3e-1` are one prediction.
///
/// ```
/// use truecal::Prediction;
/// let third: Prediction = "1/3".parse()?;
/// assert_eq!(third.to_rational().to_string(), "1/3");
/// assert_eq!("0.30".parse::<Prediction>()?, "3e-1".parse()?);
/// assert!("1.0000000000000002".parse::<Prediction>().is_err());
/// # Ok::<(), truecal::PredictionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Prediction(Repr);

/// In lowest terms, and `Small` whenever the denominator fits: so equality is equality of fields. (That of
/// [`BigRational`] goes through continued fractions, which is slow and deep for long numbers.)
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Small { numerator: u64, denominator: u64 },
    Big { numerator: BigInt, denominator: BigInt },
}

/// Why a text or number is not a prediction. Each message says what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PredictionError {
    /// Nothing but white space.
    #[error("the cell is blank; give a probability in [0, 1] or remove the row")]
    Blank,
    /// `NaN`.
    #[error("not a number (NaN); remove the row or give the probability that was forecast")]
    Nan,
    /// An infinity.
    #[error("infinite; remove the row or give the probability that was forecast")]
    Infinite,
    /// Below zero.
    #[error("less than 0; predictions are probabilities in [0, 1]")]
    Negative,
    /// Above one, by however little.
    #[error(
        "greater than 1; predictions are probabilities in [0, 1] (divide percentages by 100; values are never clipped)"
    )]
    AboveOne,
    /// A fraction over zero.
    #[error("the denominator is 0; give the probability that was forecast")]
    ZeroDenominator,
    /// `0,5`.
    #[error("a decimal comma; write 0.5 with a point")]
    DecimalComma,
    /// `50%`.
    #[error("a percentage; divide by 100 and drop the sign")]
    Percentage,
    /// Longer than [`MAX_DIGITS`].
    #[error("more than {MAX_DIGITS} digits; shorten the number")]
    TooManyDigits,
    /// Beyond [`MAX_EXPONENT`].
    #[error("an exponent beyond {MAX_EXPONENT}; write a number of at most {MAX_DIGITS} digits")]
    ExponentTooLarge,
    /// Anything else.
    #[error("not a number; write a decimal such as 0.3 or 1e-3, or a fraction such as 1/3")]
    Malformed,
}

impl Prediction {
    /// Certainty that the event does not happen.
    pub const ZERO: Prediction = Prediction(Repr::Small { numerator: 0, denominator: 1 });

    /// Certainty that it does.
    pub const ONE: Prediction = Prediction(Repr::Small { numerator: 1, denominator: 1 });

    /// The value as a rational.
    pub fn to_rational(&self) -> BigRational {
        match &self.0 {
            Repr::Small { numerator, denominator } => {
                BigRational::new_raw((*numerator).into(), (*denominator).into())
            }
            Repr::Big { numerator, denominator } => {
                BigRational::new_raw(numerator.clone(), denominator.clone())
            }
        }
    }

    /// Numerator and denominator in lowest terms, if the denominator fits 64 bits.
    pub(crate) fn small(&self) -> Option<(u64, u64)> {
        match self.0 {
            Repr::Small { numerator, denominator } => Some((numerator, denominator)),
            Repr::Big { .. } => None,
        }
    }

    /// `numerator / denominator`, reduced.
    fn from_parts(numerator: u64, denominator: u64) -> Result<Self, PredictionError> {
        if denominator == 0 {
            return Err(PredictionError::ZeroDenominator);
        }
        if numerator > denominator {
            return Err(PredictionError::AboveOne);
        }
        let common = numerator.gcd(&denominator);
        Ok(Prediction(Repr::Small {
            numerator: numerator / common,
            denominator: denominator / common,
        }))
    }

    /// A value known to be in lowest terms with a positive denominator.
    fn from_reduced(rational: BigRational) -> Result<Self, PredictionError> {
        if rational.is_negative() {
            return Err(PredictionError::Negative);
        }
        if rational.numer() > rational.denom() {
            return Err(PredictionError::AboveOne);
        }
        match (u64::try_from(rational.numer()), u64::try_from(rational.denom())) {
            (Ok(numerator), Ok(denominator)) => {
                Ok(Prediction(Repr::Small { numerator, denominator }))
            }
            _ => {
                let (numerator, denominator) = rational.into_raw();
                Ok(Prediction(Repr::Big { numerator, denominator }))
            }
        }
    }
}

impl TryFrom<BigRational> for Prediction {
    type Error = PredictionError;

    fn try_from(rational: BigRational) -> Result<Self, PredictionError> {
        if rational.denom().is_zero() {
            return Err(PredictionError::ZeroDenominator);
        }
        // `new_raw` can make a ratio that is not in lowest terms; equality here depends on it.
        Prediction::from_reduced(rational.reduced())
    }
}

impl TryFrom<&BigRational> for Prediction {
    type Error = PredictionError;

    fn try_from(rational: &BigRational) -> Result<Self, PredictionError> {
        Prediction::try_from(rational.clone())
    }
}

macro_rules! from_small_ratio {
    ($($integer:ty),*) => {$(
        impl TryFrom<Ratio<$integer>> for Prediction {
            type Error = PredictionError;

            fn try_from(ratio: Ratio<$integer>) -> Result<Self, PredictionError> {
                let (numerator, denominator) = ratio.into_raw();
                if denominator == 0 {
                    return Err(PredictionError::ZeroDenominator);
                }
                Prediction::try_from(BigRational::new(numerator.into(), denominator.into()))
            }
        }
    )*};
}

from_small_ratio!(i32, u32, i64, u64, i128, u128);

impl TryFrom<f64> for Prediction {
    type Error = PredictionError;

    /// A double is an exact dyadic fraction: `0.1` is 3602879701896397/2^55, not 1/10.
    fn try_from(double: f64) -> Result<Self, PredictionError> {
        if double.is_nan() {
            return Err(PredictionError::Nan);
        }
        if double.is_infinite() {
            return Err(PredictionError::Infinite);
        }
        if double < 0.0 {
            return Err(PredictionError::Negative);
        }
        if double > 1.0 {
            return Err(PredictionError::AboveOne);
        }
        // The sign bit can only be that of -0.0 now.
        let bits = double.to_bits() & !(1 << 63);
        let (biased, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
        // value = mantissa * 2^-shift, where subnormals have no hidden bit.
        let (mantissa, shift) = match biased {
            0 => (fraction, 1074),
            _ => (fraction | 1 << 52, 1075 - biased),
        };
        if mantissa == 0 {
            return Ok(Prediction::ZERO);
        }
        let excess = u64::from(mantissa.trailing_zeros()).min(shift);
        let (mantissa, shift) = (mantissa >> excess, shift - excess);
        if shift < 64 {
            return Ok(Prediction(Repr::Small { numerator: mantissa, denominator: 1 << shift }));
        }
        let denominator = BigInt::one() << shift;
        Prediction::from_reduced(BigRational::new_raw(mantissa.into(), denominator))
    }
}

impl TryFrom<&str> for Prediction {
    type Error = PredictionError;

    fn try_from(text: &str) -> Result<Self, PredictionError> {
        text.parse()
    }
}

impl FromStr for Prediction {
    type Err = PredictionError;

    fn from_str(text: &str) -> Result<Self, PredictionError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PredictionError::Blank);
        }
        let (negative, unsigned) = match text.as_bytes()[0] {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let magnitude = match unsigned.split_once('/') {
            Some((above, below)) => fraction(above.trim_end(), below.trim_start()),
            None => decimal(unsigned),
        };
        match magnitude {
            Ok(value) if !negative || value == Prediction::ZERO => Ok(value),
            // A negative number is negative whatever its size: -5 is not "greater than 1".
            Ok(_) | Err(PredictionError::AboveOne) if negative => Err(PredictionError::Negative),
            Err(PredictionError::Malformed) => Err(diagnose(unsigned)),
            other => other,
        }
    }
}

/// The kindest name for a text that is not a number.
fn diagnose(text: &str) -> PredictionError {
    let is_number = |text: &str| decimal(text) != Err(PredictionError::Malformed);
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "nan" => PredictionError::Nan,
        "inf" | "infinity" => PredictionError::Infinite,
        _ if text.matches(',').count() == 1 && is_number(&text.replace(',', ".")) => {
            PredictionError::DecimalComma
        }
        _ if text.strip_suffix('%').is_some_and(|rest| is_number(rest.trim_end())) => {
            PredictionError::Percentage
        }
        _ => PredictionError::Malformed,
    }
}

/// `above/below`, both plain digit strings.
fn fraction(above: &str, below: &str) -> Result<Prediction, PredictionError> {
    if !is_digits(above) || !is_digits(below) {
        return Err(PredictionError::Malformed);
    }
    if above.len() > MAX_DIGITS || below.len() > MAX_DIGITS {
        return Err(PredictionError::TooManyDigits);
    }
    if let (Ok(numerator), Ok(denominator)) = (above.parse(), below.parse()) {
        return Prediction::from_parts(numerator, denominator);
    }
    let (numerator, denominator) = (digits_to_integer(above), digits_to_integer(below));
    if denominator.is_zero() {
        return Err(PredictionError::ZeroDenominator);
    }
    if numerator > denominator {
        return Err(PredictionError::AboveOne);
    }
    Prediction::from_reduced(BigRational::new(numerator.into(), denominator.into()))
}

/// `digits[.digits][e[+-]digits]`, with at least one digit before the exponent.
fn decimal(text: &str) -> Result<Prediction, PredictionError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let empty_or_digits = |text: &str| text.is_empty() || is_digits(text);
    if !empty_or_digits(whole) || !empty_or_digits(part) || whole.len() + part.len() == 0 {
        return Err(PredictionError::Malformed);
    }
    let exponent = exponent.map_or(Ok(0), parse_exponent)?;
    if whole.len() + part.len() > MAX_DIGITS {
        return Err(PredictionError::TooManyDigits);
    }

    // value = digits * 10^-places
    let part = part.trim_end_matches('0');
    let places = part.len() as i64 - exponent;
    if whole.len() + part.len() <= 19 && (0..=19).contains(&places) {
        let digits = whole.bytes().chain(part.bytes());
        let digits = digits.fold(0, |number, digit| 10 * number + u64::from(digit - b'0'));
        return Prediction::from_parts(digits, 10_u64.pow(places as u32));
    }
    decimal_at_length(&[whole, part].concat(), places)
}

/// `digits * 10^-places`, for numbers too long for 64 bits.
fn decimal_at_length(digits: &str, places: i64) -> Result<Prediction, PredictionError> {
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Ok(Prediction::ZERO);
    }
    let places = places - (digits.len() - significant.len()) as i64;
    let Ok(places) = u32::try_from(places) else {
        return Err(PredictionError::AboveOne); // an integer with a factor 10
    };
    // Now `significant` is not a multiple of 10, so it shares with 10^places a power of 2 or of 5
    // but not both. Dividing those out is far cheaper than a general gcd.
    let mut numerator = digits_to_integer(significant);
    let twos = numerator.trailing_zeros().unwrap_or(0).min(u64::from(places));
    numerator >>= twos;
    let mut fives = 0;
    // As many at once as fit a word: every division passes over the whole number.
    for step in [27, 9, 3, 1] {
        let power = 5_u64.pow(step);
        while twos == 0 && fives + step <= places && (&numerator % power).is_zero() {
            numerator /= power;
            fives += step;
        }
    }
    let denominator = BigUint::from(5_u8).pow(places - fives) << (u64::from(places) - twos);
    Prediction::from_reduced(BigRational::new_raw(numerator.into(), denominator.into()))
}

fn parse_exponent(text: &str) -> Result<i64, PredictionError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !is_digits(digits) {
        return Err(PredictionError::Malformed);
    }
    match digits.parse::<i64>() {
        Ok(size) if size <= MAX_EXPONENT => Ok(if text.starts_with('-') { -size } else { size }),
        _ => Err(PredictionError::ExponentTooLarge),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn digits_to_integer(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 10).expect("only digits are passed here")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<String, PredictionError> {
        text.parse::<Prediction>().map(|value| value.to_rational().to_string())
    }

    #[test]
    fn text_is_read_exactly() {
        for (text, value) in [
            ("0.3", "3/10"),
            ("0.30", "3/10"),
            ("1/3", "1/3"),
            (" 2 / 6 ", "1/3"),
            (".5", "1/2"),
            ("1.", "1"),
            ("1", "1"),
            ("+1", "1"),
            ("1e-3", "1/1000"),
            ("10E-1", "1"),
            ("5000e-4", "1/2"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("0/7", "0"),
            ("0e4096", "0"),
            ("0.000000000000000000005", "1/200000000000000000000"),
            ("0.00000000000000000000000000000000000000000000", "0"),
            (
                "18446744073709551615/18446744073709551616",
                "18446744073709551615/18446744073709551616",
            ),
            ("100000000000000000000000/200000000000000000000000", "1/2"),
            ("1.0000000000000000000000000000000", "1"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(value), "{text}");
        }
    }

    #[test]
    fn bad_text_is_named() {
        use PredictionError::*;
        for (text, error) in [
            ("", Blank),
            ("  ", Blank),
            ("nan", Nan),
            ("-NaN", Nan),
            ("inf", Infinite),
            ("-Infinity", Infinite),
            ("-0.1", Negative),
            ("-5", Negative),
            ("-1e-4000", Negative),
            ("1.0000000000000002", AboveOne),
            ("2/1", AboveOne),
            ("1e4096", AboveOne),
            ("100000000000000000000", AboveOne),
            ("1/0", ZeroDenominator),
            ("0/0", ZeroDenominator),
            ("1/000000000000000000000000000", ZeroDenominator),
            ("0,5", DecimalComma),
            ("50%", Percentage),
            ("50 %", Percentage),
            ("1e-999999999", ExponentTooLarge),
            ("1e99999999999999999999999", ExponentTooLarge),
            ("1e-4097", ExponentTooLarge),
            (".", Malformed),
            ("e5", Malformed),
            ("1e", Malformed),
            ("0x1p-3", Malformed),
            ("--1", Malformed),
            ("1/-3", Malformed),
            ("0.5/2", Malformed),
            ("1_000", Malformed),
            ("½", Malformed),
            ("yes", Malformed),
        ] {
            assert_eq!(read(text), Err(error), "{text}");
        }
        let long = "0.".to_owned() + &"3".repeat(MAX_DIGITS);
        assert_eq!(read(&long), Err(TooManyDigits));
        let long = format!("1/{}", "3".repeat(MAX_DIGITS + 1));
        assert_eq!(read(&long), Err(TooManyDigits));
    }

    #[test]
    fn thousands_of_digits_are_exact() {
        let digits = "7".repeat(4000);
        let expected =
            BigRational::new(digits.parse().expect("digits"), BigInt::from(10).pow(4000));
        let value: Prediction = format!("0.{digits}").parse().expect("within the limit");
        assert_eq!(value.to_rational(), expected);
    }

    #[test]
    fn unreduced_rationals_become_canonical() {
        let raw = BigRational::new_raw(2.into(), 4.into());
        assert_eq!(Prediction::try_from(raw), "1/2".parse());
        let upside_down = BigRational::new_raw((-1).into(), (-2).into());
        assert_eq!(Prediction::try_from(upside_down), "1/2".parse());
        let over_zero = BigRational::new_raw(1.into(), 0.into());
        assert_eq!(Prediction::try_from(over_zero), Err(PredictionError::ZeroDenominator));
        assert_eq!(Prediction::try_from(Ratio::new(-1_i64, 2)), Err(PredictionError::Negative));
    }

    proptest! {
        /// The exact dyadic of every double in range, subnormals and neighbours of 0 and 1 included.
        #[test]
        fn doubles_are_exact_dyadics(bits in 0..=1.0_f64.to_bits()) {
            let double = f64::from_bits(bits);
            let value = Prediction::try_from(double).expect("in [0, 1]");
            let reference = BigRational::from_float(double).expect("finite");
            prop_assert_eq!(value.to_rational(), reference.clone());
            prop_assert_eq!(Prediction::try_from(reference), Ok(value));
        }

        /// Any decimal agrees with the quotient of its digits by a power of ten, however written.
        #[test]
        fn decimals_agree_with_division(digits in "[0-9]{1,45}", places in 0_usize..50, zeros in 0_usize..4) {
            let quotient = BigRational::new(digits.parse().expect("digits"), BigInt::from(10).pow(places as u32));
            let by_exponent = format!("{digits}{}e-{}", "0".repeat(zeros), places + zeros);
            let padded = format!("{digits:0>places$}");
            let (whole, part) = padded.split_at(padded.len() - places);
            let by_point = format!("{whole}.{part}{}", "0".repeat(zeros));
            let expected = Prediction::try_from(quotient);
            prop_assert_eq!(by_exponent.parse::<Prediction>(), expected.clone());
            prop_assert_eq!(by_point.parse::<Prediction>(), expected);
        }

        #[test]
        fn any_text_gives_an_answer(text in "\\PC*") {
            let _ = text.parse::<Prediction>();
        }
    }
}
