//! Predictions as text: decimals and fractions, exactly.

use std::str::FromStr;

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Zero;

use super::{MAX_DIGITS, MAX_EXPONENT, Prediction, PredictionError};

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
    use num_bigint::BigInt;
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

    proptest! {
        /// Any decimal agrees with the quotient of its digits by a power of ten, however written.
        #[test]
        fn decimals_agree_with_division(
            digits in "[0-9]{1,45}",
            places in 0_usize..50,
            zeros in 0_usize..4,
        ) {
            let power = BigInt::from(10).pow(places as u32);
            let quotient = BigRational::new(digits.parse().expect("digits"), power);
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
