//! Bits of doubles, for every input: conversion to exact numbers, rounding, buckets.

use super::symbolic::{between, near};
use crate::dyadic::{Dyadic, LOWEST_EXPONENT, NotAProbability, nearest};
use crate::summary::{BUCKETS, Doubles, Keys, bucket};

harnesses! {
    /// The conversion is total: it accepts exactly the doubles from 0 to 1, -0.0 among them, and
    /// says of all others what is wrong with them. It never panics.
    conversion_is_total / conversion_accepts_above_one {
        claims: ["core:doubles"],
        domain: "every double",
        cases: "2^64",
        unwind: 2,
        seconds: 10,
        proof: conversion_accepts_probabilities(1.0),
        fault: "doubles up to 2 are expected" => conversion_accepts_probabilities(2.0),
    }

    /// The conversion is exact, by the fields of the bits: sign, exponent and fraction as the
    /// standard defines them. The result is in lowest terms.
    conversion_is_exact / conversion_is_exact_for_half {
        claims: ["core:doubles"],
        domain: "every double in [0, 1]",
        cases: "2^62",
        unwind: 2,
        seconds: 10,
        proof: conversion_has_the_value(0),
        fault: "half of the value" => conversion_has_the_value(1),
    }

    /// And it can be undone: the bits of the result are those of the double.
    conversion_comes_back / conversion_comes_back_without_the_last_bit {
        claims: ["core:doubles", "core:rounding"],
        domain: "every double in [0, 1]",
        cases: "2^62",
        unwind: 2,
        seconds: 10,
        proof: conversion_can_be_undone(0),
        fault: "the last bit is turned" => conversion_can_be_undone(1),
    }

    /// In fixed point the value is the double times a power of two, by the arithmetic of doubles,
    /// which is exact there. (By integers alone: `conversion_is_exact`, `fixed_point_is_total`.)
    fixed_point_is_exact / fixed_point_is_exact_elsewhere {
        claims: ["core:doubles"],
        domain: "every double from 2^-64 to 1, in units of 2^-117",
        cases: "2^58",
        slow: kani_slow,
        unwind: 2,
        seconds: 60,
        proof: fixed_point_is_the_product(117),
        fault: "units of 2^-118" => fixed_point_is_the_product(118),
    }

    /// The nearest double to the number in fixed point is the double itself. As the nearest double
    /// never falls while the number grows (`rounding_is_monotone`), and doubles ascend with their
    /// bits, fixed point keeps the order, strictly: p < q with fixed(p) >= fixed(q) would give p >=
    /// q.
    fixed_point_comes_back / fixed_point_comes_back_doubled {
        claims: ["core:doubles"],
        domain: "every double that is a multiple of 2^-127 in [0, 1]",
        cases: "2^58",
        unwind: 2,
        seconds: 20,
        proof: rounding_undoes_fixed_point(-127),
        fault: "units of 2^-126 come back" => rounding_undoes_fixed_point(-126),
    }

    /// A larger integer never has a smaller nearest double.
    rounding_is_monotone / rounding_is_strictly_monotone {
        claims: ["core:doubles", "core:rounding"],
        domain: "every pair of integers up to 2^127, times 2^-127",
        cases: "2^253",
        unwind: 2,
        seconds: 20,
        proof: rounding_keeps_the_order(false),
        fault: "different integers have different doubles" => rounding_keeps_the_order(true),
    }

    /// Rounding an integer of 128 bits equals the conversion of the machine.
    rounding_is_the_cast / rounding_is_the_cast_of_another {
        claims: ["core:rounding"],
        domain: "every 128-bit integer",
        cases: "2^128",
        unwind: 2,
        seconds: 10,
        proof: rounding_equals_the_cast(0),
        fault: "the last bit is turned" => rounding_equals_the_cast(1),
    }

    /// Rounding an integer times or over a power of two gives the nearest double, from both sides,
    /// and the even one of two that are as near; and an infinite one exactly from half a step
    /// beyond the largest on.
    rounding_is_to_nearest / rounding_is_down {
        claims: ["core:rounding"],
        domain: "every 128-bit integer times 2^-1074 to 2^1100",
        cases: "2^139",
        unwind: 2,
        seconds: 60,
        proof: rounding_is_nearest(-1074, 1100, true),
        fault: "rounding down is expected" => rounding_is_nearest(-1074, 1100, false),
    }

    /// The same where even the finest doubles are not fine enough: subnormal results, and those
    /// that round to 0.
    rounding_of_the_finest / rounding_of_the_finest_is_down {
        claims: ["core:rounding"],
        domain: "every 128-bit integer times 2^-1250 to 2^-1075",
        cases: "2^135.5",
        slow: kani_slow,
        unwind: 2,
        seconds: 600,
        proof: rounding_is_nearest(-1250, -1075, true),
        fault: "rounding down is expected" => rounding_is_nearest(-1250, -1075, false),
    }

    /// Rounding is total: it panics nowhere, and gives a double from 0 to infinity, not a NaN; 0
    /// for 0 and for what is far too small, infinity for what is far too large.
    rounding_is_total / rounding_is_finite {
        claims: ["core:rounding"],
        domain: "every 128-bit integer with every 32-bit exponent",
        cases: "2^160",
        unwind: 2,
        seconds: 10,
        proof: rounding_stays_in_range(2047 << 52),
        fault: "infinity never occurs" => rounding_stays_in_range((2047 << 52) - 1),
    }

    /// Fixed point is a number exactly if the double is a multiple of the unit and the unit fits
    /// 128 bits; then it is the numerator with zeros after it, and no bit is lost.
    fixed_point_is_total / fixed_point_is_total_in_129_bits {
        claims: ["core:doubles"],
        domain: "every double in [0, 1], units of 2^0 to 2^-200",
        cases: "2^69.5",
        unwind: 2,
        seconds: 10,
        proof: fixed_point_has_all_bits(128),
        fault: "units of 2^-128 fit" => fixed_point_has_all_bits(129),
    }

    /// Buckets ascend with predictions, and stay within the table.
    buckets_are_monotone / buckets_are_strictly_monotone {
        claims: ["core:doubles"],
        domain: "every pair of doubles in [0, 1]",
        cases: "2^123",
        unwind: 2,
        seconds: 10,
        proof: buckets_keep_the_order(0),
        fault: "different predictions have different buckets" => buckets_keep_the_order(1),
    }

    /// The buckets of a summary, which are finer near 0 and 1, ascend with predictions, too, and
    /// stay within its table.
    summaries_are_monotone / summaries_are_strictly_monotone {
        claims: ["core:doubles"],
        domain: "every pair of doubles in [0, 1]",
        cases: "2^123",
        unwind: 2,
        seconds: 10,
        proof: summaries_keep_the_order(false),
        fault: "different predictions have different buckets" => summaries_keep_the_order(true),
    }

    /// A bucket of a summary begins at its floor: the prediction is not below that of its own
    /// bucket, and below that of the next.
    summaries_have_floors / summaries_have_floors_of_their_own {
        claims: ["core:doubles"],
        domain: "every double in [0, 1]",
        cases: "2^62",
        unwind: 2,
        seconds: 10,
        proof: a_bucket_begins_at_its_floor(0),
        fault: "no prediction is at the floor" => a_bucket_begins_at_its_floor(1),
    }

    /// A bucket is the integer part of 2^15 p, in integers.
    buckets_are_exact / buckets_are_exact_from_one {
        claims: ["core:doubles"],
        domain: "every double in [0, 1]",
        cases: "2^62",
        unwind: 2,
        seconds: 10,
        proof: bucket_is_the_integer_part(0),
        fault: "buckets start from 1" => bucket_is_the_integer_part(1),
    }
}

/// The bits of 1.
const ONE: u64 = 1023 << 52;

fn conversion_accepts_probabilities(most: f64) {
    let bits = near(0, u64::MAX, &[0, 1 << 63, ONE, 2047 << 52]);
    let double = f64::from_bits(bits);
    let result = result!("Dyadic::from_bits", Dyadic::from_bits(bits));
    assert!(result.is_ok() == (0.0 <= double && double <= most));
    // -0.0 is 0; of the others `conversion_is_exact` shows the value.
    assert!(bits != 1 << 63 || result == Ok(Dyadic { odd: 0, shift: 0 }));
    match result {
        Ok(_) => assert!(!double.is_nan()),
        Err(NotAProbability::Nan) => assert!(double.is_nan()),
        Err(NotAProbability::Infinite) => assert!(double.is_infinite()),
        Err(NotAProbability::Negative) => assert!(double.is_finite() && double < 0.0),
        Err(NotAProbability::AboveOne) => assert!(double.is_finite() && double > 1.0),
    }
    cover!(bits == 1 << 63 && result.is_ok());
    cover!(bits == 1 && result.is_ok());
    cover!(bits == ONE && result.is_ok());
    cover!(bits == ONE + 1 && result.is_err());
}

/// Significand and exponent by the definition of the format.
fn fields(bits: u64) -> (u64, i32) {
    let (biased, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    if biased == 0 { (fraction, -1074) } else { (fraction + (1 << 52), biased as i32 - 1075) }
}

fn conversion_has_the_value(lost: u32) {
    let bits = near(0, ONE, &[0, ONE]);
    let result = result!("Dyadic::from_bits", Dyadic::from_bits(bits));
    let Ok(Dyadic { odd, shift }) = result else { panic!("a probability") };
    let (significand, exponent) = fields(bits);
    // odd / 2^shift = significand · 2^exponent
    assert!(shift <= 1074);
    let up = -(shift as i32) - exponent;
    if odd == 0 {
        assert!(significand == 0 && shift == 0);
    } else {
        assert!((0..=52).contains(&up));
        // In 128 bits, where no bit of 64 is shifted out.
        assert!(u128::from(odd) << up >> lost == u128::from(significand));
        assert!(odd & 1 == 1 && odd < 1 << 53);
    }
    cover!(shift == 1074);
    cover!(shift == 53 && odd == (1 << 53) - 1);
}

fn conversion_can_be_undone(turned: u64) {
    let bits = near(0, ONE, &[0, ONE]);
    let Ok(dyadic) = Dyadic::from_bits(bits) else { panic!("a probability") };
    assert!(result!("Dyadic::to_bits", dyadic.to_bits()) ^ turned == bits);
    cover!(bits == ONE);
    cover!(bits == 1);
}

fn fixed_point_is_the_product(shift: u32) {
    const SCALE: u64 = (1023 + 117) << 52; // 2^117
    let bits = between((1023 - 64) << 52, ONE);
    let Ok(dyadic) = Dyadic::from_bits(bits) else { panic!("a probability") };
    let fixed = result!("Dyadic::fixed", dyadic.fixed(shift));
    let Some(fixed) = fixed else { panic!("a multiple of 2^-116") };
    let product = product(f64::from_bits(bits), f64::from_bits(SCALE));
    // At most 53 bits of the integer are not 0, so that it is a double, too.
    assert!(fixed as f64 == product);
    assert!(product as u128 == fixed);
    cover!(bits == ONE);
    cover!(dyadic.shift == 116);
}

#[expect(clippy::float_arithmetic, reason = "what a power of two does to a double is the claim")]
fn product(double: f64, power: f64) -> f64 {
    double * power
}

fn rounding_undoes_fixed_point(exponent: i32) {
    let bits = near(0, ONE, &[0, ONE, 897 << 52]); // the last is 2^-126
    let Ok(dyadic) = Dyadic::from_bits(bits) else { panic!("a probability") };
    assume!(dyadic.shift <= 127);
    let fixed = result!("Dyadic::fixed", dyadic.fixed(127));
    let Some(fixed) = fixed else { panic!("a multiple of 2^-127") };
    assert!(result!("nearest", nearest(fixed, exponent)) == bits);
    cover!(bits == ONE);
    cover!(fixed == 1);
}

fn rounding_keeps_the_order(strictly: bool) {
    let low = between(0, 1 << 127);
    let high = between(low, 1 << 127);
    let lower = result!("nearest", nearest(low, -127));
    let higher = result!("nearest", nearest(high, -127));
    assert!(lower <= higher);
    assert!(!strictly || low == high || lower < higher);
    cover!(low < high && lower == higher);
}

fn rounding_equals_the_cast(turned: u64) {
    let number = near(0, u128::MAX, &[1 << 53, 1 << 100, u128::MAX]);
    let rounded = result!("nearest", nearest(number, 0));
    assert!(rounded ^ turned == (number as f64).to_bits());
    cover!(number == u128::MAX);
    cover!(number == (1 << 53) + 1 && rounded & 1 == 0);
}

fn fixed_point_has_all_bits(widest: u32) {
    let bits = near(0, ONE, &[0, ONE]);
    let shift = between(0, 200);
    let Ok(dyadic) = Dyadic::from_bits(bits) else { panic!("a probability") };
    let fixed = result!("Dyadic::fixed", dyadic.fixed(shift));
    assert!(fixed.is_some() == (dyadic.shift <= shift && shift < widest));
    if let Some(fixed) = fixed {
        let up = shift - dyadic.shift;
        assert!(fixed >> up == u128::from(dyadic.odd) && fixed.trailing_zeros() >= up);
        cover!(shift == 127 && bits == ONE);
    }
    cover!(shift == 128 && dyadic.shift == 0);
}

fn rounding_stays_in_range(most: u64) {
    let number = between(0, u128::MAX);
    let exponent = between(i32::MIN, i32::MAX);
    let bits = result!("nearest", nearest(number, exponent));
    assert!(bits <= most);
    assert!(number != 0 || bits == 0);
    assert!(bits == 0 || exponent >= -1074 - 128);
    assert!(number == 0 || exponent < 1024 || bits == 2047 << 52);
    cover!(exponent == i32::MIN);
    cover!(exponent == i32::MAX && bits == 2047 << 52);
}

/// Whether number · 2^exponent is at least 2^1024 - 2^970, half a step beyond the largest double.
fn is_too_large(number: u128, exponent: i32) -> bool {
    let size = 128 - number.leading_zeros() as i32;
    // In the binade of the largest doubles, 54 ones at the top are that half step or more.
    let top = if size >= 54 { number >> (size - 54) } else { number << (54 - size) };
    number > 0 && (size + exponent > 1024 || size + exponent == 1024 && top == (1 << 54) - 1)
}

fn rounding_is_nearest(lowest: i32, highest: i32, to_nearest: bool) {
    let number = near(0, u128::MAX, &[1 << 53, u128::MAX]);
    let exponent = between(lowest, highest);
    let bits = result!("nearest", nearest(number, exponent));
    assert!(bits <= 2047 << 52);
    assert!((bits == 2047 << 52) == is_too_large(number, exponent));
    if bits == 2047 << 52 {
        return;
    }
    let (significand, unit) = fields(bits);
    assert!(unit >= LOWEST_EXPONENT);
    let up = unit - exponent;
    if up <= 0 {
        // Finer than the integer: exact.
        let down = up.unsigned_abs();
        let exact = number < 1 << 53 && down < 64 && u128::from(significand) == number << down;
        assert!(number == 0 && significand == 0 || exact);
        return;
    }
    if up > 128 {
        assert!(significand == 0); // less than a half
        return;
    }
    // number = whole · 2^up + part, where what is lost is below 2^up
    let last = up.unsigned_abs() - 1;
    let halves = number >> last;
    let (whole, half) = (halves >> 1, halves & 1 == 1);
    let beyond = number & ((1 << last) - 1) != 0;
    let rounded_up = u128::from(significand) == whole + 1;
    assert!(rounded_up || u128::from(significand) == whole);
    assert!(!rounded_up || half && to_nearest);
    assert!(rounded_up || !half || !beyond);
    assert!(!half || beyond || significand & 1 == 0);
    // Doubles below a power of two lie twice as densely: there half of the way is not enough.
    if rounded_up && significand == 1 << 52 && unit > LOWEST_EXPONENT {
        let quarter = last == 0 || number >> (last - 1) & 1 == 1;
        assert!(quarter);
    }
    cover!(rounded_up && !beyond);
    cover!(rounded_up && beyond);
    cover!(!rounded_up && half);
}

fn buckets_keep_the_order(apart: usize) {
    let a = between(0, ONE);
    let b = between(a, ONE);
    let low = result!("bucket", bucket(f64::from_bits(a)));
    let high = result!("bucket", bucket(f64::from_bits(b)));
    assert!(low + apart.min((b - a) as usize) <= high && high <= BUCKETS);
    cover!(low == high && a < b);
    cover!(high == BUCKETS && low < high);
}

fn summaries_keep_the_order(strictly: bool) {
    let a = near(0, ONE, &[0, ONE]);
    let b = between(a, ONE);
    let (low, high) = (Doubles::bucket(a), Doubles::bucket(b));
    assert!(low <= high && high < Doubles::BUCKETS);
    assert!(!strictly || a == b || low < high);
    cover!(a == 0 && b == 1 && low < high);
    cover!(a + 1 == ONE && b == ONE && low < high);
}

fn a_bucket_begins_at_its_floor(above: u64) {
    let bits = near(0, ONE, &[0, ONE]);
    let bucket = result!("Doubles::bucket", Doubles::bucket(bits));
    assert!(bucket < Doubles::BUCKETS);
    // 0 is alone in the first.
    assert!((bits == 0) == (bucket == 0));
    let floor = Doubles::floor(bucket);
    assert!(floor + above <= bits);
    let last = bucket + 1 == Doubles::BUCKETS;
    assert!(bits == 0 || last || bits < Doubles::floor(bucket + 1));
    cover!(bits == ONE);
    cover!(bits == floor && bits > 0);
}

fn bucket_is_the_integer_part(from: usize) {
    let bits = between(0, ONE);
    let Ok(Dyadic { odd, shift }) = Dyadic::from_bits(bits) else { panic!("a probability") };
    let part = if shift <= 15 {
        odd << (15 - shift)
    } else if shift - 15 < 64 {
        odd >> (shift - 15)
    } else {
        0
    };
    assert!(result!("bucket", bucket(f64::from_bits(bits))) == part as usize + from);
    cover!(part == 0 && odd > 0);
    cover!(part == BUCKETS as u64 - 1);
}
