//! Sums as text.

use num_bigint::BigInt;
use num_rational::BigRational;
use thiserror::Error;

use crate::prediction::{MAX_DIGITS, Prediction, PredictionError};
use crate::rational::int;

/// Why a text is not the sum of predictions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} {reason}")]
#[non_exhaustive]
pub struct SumError {
    /// The text.
    pub text: String,
    reason: &'static str,
}

/// The sum of predictions as text, exactly: a decimal such as `1234.5` or `1.2345e3`, or a fraction
/// such as `7/3`; not below 0 and not above 10^20, which no sum of 2^64 predictions is.
///
/// ```
/// use truecal::buckets::parse_sum;
/// assert_eq!(parse_sum("1.25e2")?.to_string(), "125");
/// assert_eq!(parse_sum("7/3")?.to_string(), "7/3");
/// assert!(parse_sum("1,5").is_err());
/// # Ok::<(), truecal::buckets::SumError>(())
/// ```
pub fn parse_sum(text: &str) -> Result<BigRational, SumError> {
    const PLACES: i64 = 20;
    let text = text.trim();
    // A prediction once it is divided by 10^20.
    let divided = match (text.split_once('/'), text.split_once(['e', 'E'])) {
        (Some((above, below)), _) => format!("{above}/{below}{}", "0".repeat(PLACES as usize)),
        (None, Some((mantissa, exponent))) => match exponent.parse::<i64>() {
            Ok(exponent) => format!("{mantissa}e{}", exponent.saturating_sub(PLACES)),
            Err(_) => text.to_owned(),
        },
        (None, None) if text.is_empty() => String::new(),
        (None, None) => format!("{text}e-{PLACES}"),
    };
    match divided.parse::<Prediction>() {
        Ok(part) => Ok(part.to_rational() * int(BigInt::from(10).pow(PLACES as u32))),
        Err(error) => Err(SumError { text: shortened(text), reason: reason(&error) }),
    }
}

fn reason(error: &PredictionError) -> &'static str {
    match error {
        PredictionError::Blank => "is blank; give the sum of the predictions of the bucket",
        PredictionError::Negative => "is less than 0, as no sum of probabilities is",
        PredictionError::AboveOne => "is more than predictions can add up to",
        PredictionError::TooManyDigits | PredictionError::ExponentTooLarge => {
            "is too long a number; shorten it"
        }
        PredictionError::ZeroDenominator => "has the denominator 0",
        PredictionError::Nan
        | PredictionError::Infinite
        | PredictionError::DecimalComma
        | PredictionError::Percentage
        | PredictionError::Malformed => "is not a number; write a decimal such as 12.5",
    }
}

/// As much of a text as a message has room for.
fn shortened(text: &str) -> String {
    const _: () = assert!(MAX_DIGITS > 40);
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::ratio;

    #[test]
    fn sums_are_read_exactly() {
        let power = |exponent: u32| int(BigInt::from(10).pow(exponent));
        for (text, sum) in [
            ("0", int(0)),
            ("1439.125", ratio(11513, 8)),
            (" +12 ", int(12)),
            ("5e-324", int(5) / power(324)),
            ("1E+3", int(1000)),
            ("22/ 8", ratio(11, 4)),
            ("100000000000000000000", power(20)),
        ] {
            assert_eq!(parse_sum(text), Ok(sum), "{text}");
        }
    }

    #[test]
    fn what_is_no_sum_is_named() {
        for (text, words) in [
            ("", "blank"),
            ("-0.5", "less than 0"),
            ("-1e30", "less than 0"),
            ("100000000000000000001", "more than"),
            ("1e99999999999999999999", "too long"),
            ("1e9999999", "too long"),
            ("1e-9223372036854775808", "too long"),
            ("1/0", "denominator"),
            ("nan", "not a number"),
            ("1e", "not a number"),
            ("1,5", "not a number"),
            ("50%", "not a number"),
            ("--1", "not a number"),
        ] {
            let error = parse_sum(text).expect_err(text).to_string();
            assert!(error.contains(words) && error.contains(text), "{error}");
        }
    }
}
