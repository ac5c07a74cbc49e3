//! Enclosures in print.

use std::fmt::{Display, Formatter, Result};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Pow, Signed};

use super::Enclosure;

/// Decimals unless the format asks for another number.
const DECIMALS: usize = 12;

/// The decimals that are certain, at most 12 or as many as the format asks for.
///
/// `0.75` is exact; `0.6931…` goes on; `[0.9999, 1.0001]`, rounded outward, if not even the first
/// decimal is certain.
///
/// ```
/// use truecal_lab::enclosure::Enclosure;
/// assert_eq!(Enclosure::ratio(3, 4).to_string(), "0.75");
/// assert_eq!(format!("{:.6}", Enclosure::pi()), "3.141592…");
/// assert_eq!(format!("{:.3}", Enclosure::from(2).sqrt().square()), "[1.999, 2.001]");
/// ```
impl Display for Enclosure {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let asked = f.precision().unwrap_or(DECIMALS);
        let (low, high) = (self.low(), self.high());
        let text = exact(&low, &high, asked)
            .or_else(|| certain(&low, &high, asked))
            .unwrap_or_else(|| outward(&low, &high, asked));
        f.write_str(&text)
    }
}

/// A single number with few enough decimals, without its last zeros.
fn exact(low: &BigRational, high: &BigRational, asked: usize) -> Option<String> {
    let scaled = low * ten_to(asked);
    if low != high || !scaled.is_integer() {
        return None;
    }
    let text = decimal(scaled.numer(), asked);
    if asked == 0 {
        return Some(text);
    }
    Some(text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

/// The decimals that both ends share, and with them all numbers between.
fn certain(low: &BigRational, high: &BigRational, asked: usize) -> Option<String> {
    if low.is_negative() && high.is_positive() {
        return None;
    }
    // Decimals are those of the magnitude, cut off.
    let cut = |end: &BigRational| (end.abs() * ten_to(asked)).to_integer();
    let (mut one, mut other, mut decimals) = (cut(low), cut(high), asked);
    while one != other && decimals > 0 {
        (one, other, decimals) = (one / 10, other / 10, decimals - 1);
    }
    if one != other || (decimals == 0 && asked > 0) {
        return None;
    }
    let sign = if low.is_negative() { "-" } else { "" };
    Some(format!("{sign}{}…", decimal(&one, decimals)))
}

/// Both ends, the lower rounded down and the upper rounded up.
fn outward(low: &BigRational, high: &BigRational, decimals: usize) -> String {
    let low = (low * ten_to(decimals)).floor().to_integer();
    let high = (high * ten_to(decimals)).ceil().to_integer();
    format!("[{}, {}]", decimal(&low, decimals), decimal(&high, decimals))
}

/// scaled / 10^decimals, with that many decimals.
fn decimal(scaled: &BigInt, decimals: usize) -> String {
    let (whole, part) = scaled.abs().div_rem(ten_to(decimals).numer());
    let sign = if scaled.is_negative() { "-" } else { "" };
    if decimals == 0 {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{part:0>decimals$}")
    }
}

fn ten_to(decimals: usize) -> BigRational {
    BigInt::from(10).pow(decimals).into()
}
