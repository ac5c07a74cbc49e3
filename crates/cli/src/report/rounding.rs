//! From exact rationals to text.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// A rational as a decimal of six significant digits, rounded to nearest, for people.
pub(super) fn short_decimal(rational: &BigRational) -> String {
    decimal(rational, 6)
}

/// The same with three digits, which is enough of an average.
pub(super) fn three_digits_of(rational: &BigRational) -> String {
    decimal(rational, 3)
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

/// A number with an error, to five digits, or to as many as are certain.
#[expect(clippy::float_arithmetic, reason = "how many digits are shown")]
pub(super) fn measured(number: f64, error: f64) -> String {
    match 1e5 * error <= number.abs() {
        true => digits(number, 5),
        false => with_error(number, error),
    }
}

/// A number to so many significant digits.
pub(super) fn digits(number: f64, digits: usize) -> String {
    let last = digits as i32 - 1;
    match place(number, digits) {
        _ if number == 0.0 => "0".to_owned(),
        place if (-4..last).contains(&place) => {
            format!("{number:.*}", (last - place).unsigned_abs() as usize)
        }
        place if (last..15).contains(&place) => format!("{number:.0}"),
        _ => format!("{number:.*e}", digits - 1),
    }
}

/// A number with as many decimals as make two digits of its standard error.
pub(super) fn with_error(number: f64, error: f64) -> String {
    let decimals =
        if error > 0.0 { (1 - place(error, 2)).clamp(0, 12).unsigned_abs() as usize } else { 0 };
    format!("{number:.decimals$} ± {error:.decimals$}")
}

/// The place of the first digit once a number is rounded to so many: 0 for units, -1 for tenths.
fn place(number: f64, digits: usize) -> i32 {
    let text = format!("{number:.*e}", digits - 1);
    text.split_once('e').and_then(|(_, place)| place.parse().ok()).unwrap_or(0)
}

/// `rational / rounds`, where no rounds give 0.
pub(crate) fn per_round(rational: &BigRational, rounds: u64) -> BigRational {
    match rounds {
        0 => BigRational::zero(),
        _ => rational / BigRational::from_integer(rounds.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
