//! Decimals of a fixed number of digits after the point, as databases keep them.

use num_bigint::BigInt;

/// The longest, in bytes: 76 digits need 32.
const LONGEST: usize = 64;

/// The most digits after the point, and the most zeros before it.
const SCALE: i32 = 128;

/// The text of a whole number of which so many digits stand after the point.
pub(super) fn decimal_text(unscaled: impl ToString, scale: i32) -> Result<String, String> {
    if !(-SCALE..=SCALE).contains(&scale) {
        return Err(format!("a decimal with scale {scale}; write it with at most {SCALE}"));
    }
    let text = unscaled.to_string();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    let places = scale.unsigned_abs() as usize;
    Ok(if scale < 0 {
        format!("{sign}{digits}{}", "0".repeat(places))
    } else if scale == 0 {
        text
    } else {
        let digits = format!("{digits:0>width$}", width = places + 1);
        let (whole, part) = digits.split_at(digits.len() - places);
        format!("{sign}{whole}.{part}")
    })
}

/// The whole number in bytes of two's complement, the most significant first.
pub(super) fn whole_number(bytes: &[u8]) -> Result<BigInt, String> {
    match bytes.len() {
        0 => Err("a decimal of no bytes; write the file again".to_owned()),
        1..=LONGEST => Ok(BigInt::from_signed_bytes_be(bytes)),
        long => Err(format!("a decimal of {long} bytes; write it with at most {LONGEST}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_point_is_where_the_scale_says() {
        for (unscaled, scale, text) in [
            (37, 2, "0.37"),
            (-5, 2, "-0.05"),
            (0, 3, "0.000"),
            (12345, 2, "123.45"),
            (7, 0, "7"),
            (-7, -2, "-700"),
            (i128::MIN, 38, "-1.70141183460469231731687303715884105728"),
        ] {
            assert_eq!(decimal_text(unscaled, scale).as_deref(), Ok(text));
        }
        assert!(decimal_text(1, 129).is_err() && decimal_text(1, i32::MIN).is_err());
    }

    #[test]
    fn twos_complement() {
        for (bytes, number) in
            [(&[0x25][..], 37), (&[0xff], -1), (&[0, 0xff], 255), (&[0x80, 0], -32768)]
        {
            assert_eq!(whole_number(bytes), Ok(number.into()));
        }
        assert!(whole_number(&[]).is_err() && whole_number(&[0; 65]).is_err());
    }
}
