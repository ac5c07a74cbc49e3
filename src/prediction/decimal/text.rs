//! Decimals at the start of a text, eight bytes at a time.

use super::Decimal;

impl Decimal {
    /// The bytes of a decimal of 17 digits with an exponent of three, and one behind it.
    pub const WINDOW: usize = 18 + 5 + 1;

    /// The decimal at the start of `text` and the bytes that it takes: `0.123`, `.5`, `1`,
    /// `1.5e-07`. `None` for whatever is longer, out of range or otherwise in need of more thought:
    /// it may still be a prediction.
    pub fn parse(text: &[u8]) -> Option<(Self, usize)> {
        let window = text.first_chunk();
        match window.and_then(Decimal::scientific) {
            Some(found) => Some(found),
            None => Decimal::parse_any(text),
        }
    }

    /// The same for what most files are full of, if `end` follows, which is not a digit: `0.` and
    /// up to 17 digits, with one 0 before them or none; or `0.0`, or `1.0`. Without a loop, nearly
    /// without a branch.
    #[inline(always)]
    pub fn parse_before(text: &[u8; Decimal::WINDOW], end: u8) -> Option<(Self, usize)> {
        let [high, low] = [2, 10].map(|at| digits_at(text, at));
        // The first 17 digits, with zeros in place of those that are missing, the one behind them,
        // and the length of all.
        let (digits, last, length) = if beyond_nine(high) != 0 {
            let count = digits_in(high);
            (10 * EIGHT * spelled(only(high, count)), None, 2 + count)
        } else if beyond_nine(low) != 0 {
            let count = digits_in(low);
            (10 * (EIGHT * spelled(high) + spelled(only(low, count))), None, 10 + count)
        } else {
            let next = digit_of(text[18]);
            let last = digit_of(text[19]).filter(|_| next.is_some());
            let length = 18 + usize::from(next.is_some()) + usize::from(last.is_some());
            let digits = 10 * (EIGHT * spelled(high) + spelled(low)) + next.unwrap_or(0);
            (digits, last, length)
        };
        if text[length] != end {
            return None;
        }
        if !text.starts_with(b"0.") || digits < Decimal::LEAST / 10 {
            return match text {
                _ if digits > 0 || last.is_some() => None,
                [b'0', b'.', ..] => Some((Decimal::ZERO, length)),
                [b'1', b'.', ..] => Some((Decimal::ONE, length)),
                _ => None,
            };
        }
        // Below 0.1 the first of the digits is a 0, and the one behind them counts.
        let below_tenth = digits < Decimal::LEAST;
        if last.is_some() & !below_tenth {
            return None;
        }
        // Ten times as many, by a product: one in ten is hard to guess for a processor.
        let digits = digits * (1 + 9 * u64::from(below_tenth)) + last.unwrap_or(0);
        let places = Decimal::DIGITS + u32::from(below_tenth);
        Some((Decimal(Decimal::encode(digits, places)), length))
    }

    /// The same for `1.0` and for `1.25e-07`.
    fn scientific(text: &[u8; Decimal::WINDOW]) -> Option<(Self, usize)> {
        let [first @ b'1'..=b'9', b'.', ..] = text else { return None };
        let (digits, length) = digits_of(text, 2);
        let end = text[2 + length];
        let digits = u64::from(first - b'0') * Decimal::LEAST + digits / 10;
        if !(1..=16).contains(&length) || end.is_ascii_digit() {
            return None;
        }
        let (exponent, stop) = match end | 0x20 {
            b'e' => exponent(text, 2 + length + 1)?,
            _ => (0, 2 + length),
        };
        Some((Decimal::of_length(digits, Decimal::DIGITS, 16 - exponent)?, stop))
    }

    #[inline(never)]
    fn parse_any(text: &[u8]) -> Option<(Self, usize)> {
        let mut at = 0;
        let mut digits = 0;
        let mut any = false;
        if let Some(whole) = digit(text, 0) {
            (digits, at, any) = (whole, 1, true);
        }
        let mut length = u32::from(digits != 0);
        let mut places = 0;
        if text.get(at) == Some(&b'.') {
            at += 1;
            let point = at;
            if digits == 0 {
                while text.get(at) == Some(&b'0') {
                    at += 1;
                }
            }
            let first = at;
            // Eight digits at once, and with one before the point not more than 17: the rest is
            // left to stand in the way.
            while at - first <= 8 {
                let Some(eight) = text.get(at..at + 8).and_then(eight_digits) else { break };
                digits = 100_000_000 * digits + eight;
                at += 8;
            }
            while let Some(next) = digit(text, at).filter(|_| at - first < 17) {
                digits = 10 * digits + next;
                at += 1;
            }
            any |= at > point;
            length += (at - first) as u32;
            places = i32::try_from(at - point).ok()?;
        }
        // No limit on digits is in sight.
        if !any || at > 1000 {
            return None;
        }
        if matches!(text.get(at), Some(b'e' | b'E')) {
            let (exponent, end) = exponent(text, at + 1)?;
            (places, at) = (places.checked_sub(exponent)?, end);
        }
        let decimal = match (digits, length) {
            (0, _) => Decimal::ZERO,
            (_, ..=Decimal::DIGITS) => Decimal::of_length(digits, length, places)?,
            _ => Decimal::new(digits, places)?,
        };
        Some((decimal, at))
    }
}

fn digit(text: &[u8], at: usize) -> Option<u64> {
    text.get(at).and_then(|byte| digit_of(*byte))
}

#[inline]
fn digit_of(byte: u8) -> Option<u64> {
    let digit = byte.wrapping_sub(b'0');
    (digit < 10).then_some(digit.into())
}

/// What stands before eight digits is worth this much more.
const EIGHT: u64 = 10_u64.pow(8);

/// Eight bytes, digits as numbers, the first in the lowest byte.
#[inline]
fn digits_at(text: &[u8; Decimal::WINDOW], at: usize) -> u64 {
    let eight = text[at..at + 8].try_into().expect("eight bytes");
    u64::from_le_bytes(eight) ^ ZEROS
}

/// The number that up to 17 digits spell, with zeros in place of those that are missing, and how
/// many there are.
#[inline]
fn digits_of(text: &[u8; Decimal::WINDOW], start: usize) -> (u64, usize) {
    let first = digits_at(text, start);
    let count = digits_in(first);
    if count < 8 {
        return (10 * EIGHT * spelled(only(first, count)), count);
    }
    let next = digits_at(text, start + 8);
    let count = digits_in(next);
    let high = 10 * EIGHT * spelled(first);
    if count < 8 {
        return (high + 10 * spelled(only(next, count)), 8 + count);
    }
    let last = text[start + 16].wrapping_sub(b'0');
    let is_digit = last < 10;
    let last = if is_digit { u64::from(last) } else { 0 };
    (high + 10 * spelled(next) + last, 16 + usize::from(is_digit))
}

/// Eight times the character 0, which is taken from each byte of a word so that digits are numbers.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// How many of eight bytes are below 10, up to the first that is not. The first is the lowest byte
/// of the word.
#[inline]
fn digits_in(word: u64) -> usize {
    (beyond_nine(word).trailing_zeros() / 8) as usize
}

/// The highest bits of bytes that are not below 10, up to the first of them; 0 if all are.
#[inline]
fn beyond_nine(word: u64) -> u64 {
    // A digit is below 10: adding 118 does not reach 128. (Bytes of 128 and more have the bit
    // already, and what they carry goes to bytes behind them.)
    (word.wrapping_add(0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080
}

/// The first of eight digits, fewer than eight, and zeros.
#[inline]
fn only(word: u64, count: usize) -> u64 {
    word & ((1 << (8 * count)) - 1)
}

/// The number that eight digits spell, below 10^8. Neighbours are put together by one
/// multiplication each time: digits to pairs, pairs to fours, fours to eight.
#[inline]
fn spelled(digits: u64) -> u64 {
    let pairs = (digits.wrapping_mul(1 + (10 << 8)) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(1 + (100 << 16)) >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(1 + (10_000 << 32)) >> 32
}

/// The number that eight bytes spell, if they are digits.
fn eight_digits(text: &[u8]) -> Option<u64> {
    let word = u64::from_le_bytes(text.try_into().ok()?) ^ ZEROS;
    (digits_in(word) == 8).then(|| spelled(word))
}

/// `[+-]digits`, at most three digits, and where it ends.
fn exponent(text: &[u8], start: usize) -> Option<(i32, usize)> {
    let negative = text.get(start) == Some(&b'-');
    let start = start + usize::from(matches!(text.get(start), Some(b'+' | b'-')));
    let mut at = start;
    let mut size = 0;
    while let Some(next) = digit(text, at).filter(|_| at - start < 3) {
        size = 10 * size + next as i32;
        at += 1;
    }
    (at > start).then_some((if negative { -size } else { size }, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prediction::Prediction;
    use proptest::prelude::*;

    /// What `parse` must say of a whole text, by the general reader.
    fn agrees(text: &str) -> Result<(), TestCaseError> {
        let general = text.parse::<Prediction>();
        if let Some((decimal, length)) = Decimal::parse(text.as_bytes())
            && length == text.len()
        {
            prop_assert_eq!(&general, &Ok(decimal.into()), "{}", text);
        }
        if let Ok(prediction) = general
            && let Some(decimal) = prediction.decimal()
        {
            prop_assert_eq!(Prediction::from(decimal), prediction);
        }
        Ok(())
    }

    #[test]
    fn the_usual_texts_are_short_decimals() {
        for text in [
            "0",
            "1",
            "0.",
            "1.",
            ".5",
            "0.0",
            "1.0000",
            "0.12345678901234567",
            "1.2345678901234567e-05",
            "0.012345678901234567",
            "1e-63",
            "1E-3",
            "9.9999999999999999e-1",
            "0.00001",
            "0e5",
        ] {
            let (decimal, length) = Decimal::parse(text.as_bytes()).expect(text);
            assert_eq!(
                (text.parse(), length),
                (Ok(Prediction::from(decimal)), text.len()),
                "{text}"
            );
        }
        for text in [
            "",
            ".",
            "e5",
            "1.1",
            "2",
            "-0",
            "+1",
            "1e-64",
            "1e",
            "1e-",
            "nan",
            "10e-1",
            "0.123456789012345678",
        ] {
            let whole = Decimal::parse(text.as_bytes()).filter(|(_, length)| *length == text.len());
            assert_eq!(whole, None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn texts_are_read_alike(text in "[01]?[.]?[0-9]{0,24}([eE][+-]?[0-9]{1,3})?") {
            agrees(&text)?;
        }

        #[test]
        fn odd_texts_are_read_alike(text in "[0-9.eE+-]{0,12}") {
            agrees(&text)?;
        }

        #[test]
        fn eight_bytes_are_digits_or_not(bytes: [u8; 8], digits in "[0-9]{8}", at in 0..8_usize) {
            prop_assert_eq!(eight_digits(digits.as_bytes()), digits.parse().ok());
            let mut mixed = digits.into_bytes();
            mixed[at] = bytes[at];
            let expected = std::str::from_utf8(&mixed).ok().filter(|text| !text.starts_with('+'));
            prop_assert_eq!(eight_digits(&mixed), expected.and_then(|text| text.parse().ok()));
        }

        /// With enough behind it a text is read eight bytes at a time.
        #[test]
        fn windows_are_read_alike(
            text in "(0[.]0{0,9}|[0-9]?[.]?|1[.]0{0,3})([0-9]{0,20}|[0-9]{0,3})",
            end in "([,;\n\re/\"]|[eE][-+]?[0-9]{0,4}[,\n])",
            rest in prop::collection::vec(any::<u8>(), Decimal::WINDOW),
        ) {
            let bytes = [text.as_bytes(), end.as_bytes(), &rest].concat();
            let expected = Decimal::parse_any(&bytes);
            prop_assert_eq!(Decimal::parse(&bytes), expected, "{}", text);
            let window = bytes.first_chunk().expect("long enough");
            for end in *b",;\n" {
                if let Some((decimal, length)) = Decimal::parse_before(window, end) {
                    prop_assert_eq!(Some((decimal, length)), expected, "{}", text);
                    prop_assert_eq!(bytes[length], end);
                }
            }
        }

        /// The same around the most digits that count, before which there may be zeros.
        #[test]
        fn long_decimals_are_read_alike(
            text in "[01][.]0{0,18}[0-9]{14,20}", zeros in "[01][.]0{14,19}[0-9]?",
        ) {
            for text in [text, zeros] {
                let bytes = [text.as_bytes(), b"\n", &[b'0'; Decimal::WINDOW]].concat();
                let window = bytes.first_chunk().expect("long enough");
                let read = Decimal::parse_before(window, b'\n');
                prop_assert!(read.is_none() || read == Decimal::parse_any(&bytes), "{}", text);
            }
        }

        /// Most texts of decimals need no more than a look at a window.
        #[test]
        fn usual_texts_are_read_at_once(
            text in "(0[.][1-9][0-9]{0,16}|0[.]0[1-9][0-9]{0,16}|0[.]0{1,17}|1[.]0{1,17})",
            rest in prop::collection::vec(any::<u8>(), Decimal::WINDOW),
        ) {
            let bytes = [text.as_bytes(), b"\n", &rest].concat();
            let read = Decimal::parse_before(bytes.first_chunk().expect("long enough"), b'\n');
            let prediction: Prediction = text.parse().expect("a decimal");
            prop_assert_eq!(read, prediction.decimal().map(|decimal| (decimal, text.len())));
        }
    }
}
