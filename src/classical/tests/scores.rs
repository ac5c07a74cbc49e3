//! The logarithmic score against logarithms in fixed point.
#![expect(clippy::float_arithmetic, reason = "bounds are doubles")]

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use proptest::prelude::*;

use super::*;
use crate::classical::LogScore;
use crate::rational::int;

/// Bits after the point.
const BITS: u32 = 400;

/// ln 2^BITS x for x in (1/2, 1], within 1000 units: -2 artanh((1-x)/(1+x)).
fn ln_near_one(x: &BigRational) -> BigInt {
    let y = (int(1) - x) / (int(1) + x);
    let fixed: BigInt = (y.numer() << BITS) / y.denom();
    let (mut power, mut sum) = (fixed.clone(), BigInt::from(0));
    for odd in (1..).step_by(2) {
        if power == BigInt::from(0) {
            break;
        }
        sum += &power / odd;
        power = (((power * &fixed) >> BITS) * &fixed) >> BITS;
    }
    -sum * 2
}

/// 2^BITS ln x for x in (0, 1].
fn ln(x: &BigRational) -> BigInt {
    let (mut x, mut halvings) = (x.clone(), 0);
    let size = x.denom().bits() - x.numer().bits();
    if size > 1 {
        halvings = size as u32 - 1;
        x *= int(BigInt::from(1) << halvings);
    }
    while x <= BigRational::new(1.into(), 2.into()) {
        x *= int(2);
        halvings += 1;
    }
    ln_near_one(&x)
        + ln_near_one(&BigRational::new(2.into(), 3.into())) * halvings
        + ln_near_one(&BigRational::new(3.into(), 4.into())) * halvings
}

/// The score of rounds none of which is impossible, within 2^-300.
fn literal(rounds: &[(bool, BigRational)]) -> BigRational {
    let loss = |(x, p): &(bool, BigRational)| -ln(&if *x { p.clone() } else { int(1) - p });
    let sum = rounds.iter().map(loss).sum::<BigInt>();
    BigRational::new(sum, BigInt::from(rounds.len().max(1)) << BITS)
}

fn check(score: &LogScore, rounds: &[(bool, BigRational)]) {
    let impossible = |(x, p): &&(bool, BigRational)| *p == int(u8::from(!x));
    assert_eq!(score.impossible, rounds.iter().filter(impossible).count() as u64);
    if score.impossible > 0 {
        assert_eq!([score.value, score.low, score.high], [f64::INFINITY; 3]);
        return;
    }
    let exact = literal(rounds);
    let slack = BigRational::new(1.into(), BigInt::from(1) << 300);
    let double = |double| BigRational::from_float(double).expect("finite");
    assert!(double(score.low) <= &exact + &slack && &exact - &slack <= double(score.high));
    assert!(score.low <= score.value && score.value <= score.high);
    assert!(score.high - score.low <= 4.5e-15 * score.value + 3e-300);
    // The stated error is not much larger than what is there: a few units in the last place.
    let far = (double(score.value) - &exact).abs().to_f64().expect("finite");
    assert!(far <= 1e-15 * score.value + 1e-89);
}

proptest! {
    #[test]
    fn awkward_rounds_are_within_the_bounds(rounds in some_rounds(12)) {
        let levels = levels_of(&rounds);
        check(&levels.log_score(), &rounds_of(&levels));
        // Impossible rounds left out, so that there is a score to compare.
        let possible = |(x, p): &(bool, Prediction)| p.to_rational() != int(u8::from(!x));
        let rounds: Vec<_> = rounds.into_iter().filter(possible).collect();
        let levels = levels_of(&rounds);
        for other in at_every_width(&levels) {
            check(&other.log_score(), &rounds_of(&levels));
        }
        let (one, other) = (levels.log_score(), scaled(&levels, 1 << 59).log_score());
        prop_assert!(one.low <= other.high && other.low <= one.high);
    }

    /// Doubles of every size, and near 1.
    #[test]
    fn any_double(bits in 0..=1.0_f64.to_bits(), near in 0..1000_u64, x: bool) {
        for bits in [bits, 1.0_f64.to_bits() - near, 0.5_f64.to_bits() + near - 500] {
            let prediction = Prediction::try_from(f64::from_bits(bits)).expect("one");
            let levels = levels_of(&[(x, prediction)]);
            check(&levels.log_score(), &rounds_of(&levels));
        }
    }
}

#[test]
fn small_tables_are_within_the_bounds() {
    for levels in small_tables(3, 2) {
        check(&levels.log_score(), &rounds_of(&levels));
    }
}

#[test]
fn far_below_all_doubles() {
    let at = |x: bool, text: &str| levels_of(&[(x, text.parse().expect("valid"))]).log_score();
    let mixed = ["1e-4096", "0.5", "1e-310", "1e-4096", "0.9"].map(|text| text.parse());
    let mixed = mixed.into_iter().zip([true, false, true, false, true]);
    let levels = mixed.map(|(p, x)| (x, p.expect("valid"))).collect::<Vec<_>>();
    let levels = levels_of(&levels);
    check(&levels.log_score(), &rounds_of(&levels));
    let tiny = at(true, "1e-4096");
    assert!((tiny.value - 4096.0 * 10_f64.ln()).abs() < 1e-11 && tiny.low > 9431.0);
    let sure = at(false, "1e-4096");
    assert!(sure.low == 0.0 && sure.value == 0.0 && sure.high > 0.0 && sure.high < 1e-290);
    let exactly = at(false, "0");
    assert_eq!([exactly.value, exactly.low, exactly.high], [0.0; 3]);
}

/// A count beyond 2^53, and many terms so far below the sum that a plain sum would lose them all.
#[test]
fn long_sums_keep_their_digits() {
    let unit = 10_000_000_000;
    let (many, more) = (1_u64 << 56, 100_000);
    let mut rows = vec![(1, many, many)];
    rows.extend((0..more).map(|k| (k + 2, 1, 1)));
    let loss = |k: i128| -(k as f64 / unit as f64).ln();
    let others = (0..more).map(|k| loss(k + 2)).sum::<f64>();
    let rounds = many as f64 + more as f64;
    let expected = loss(1) * (many as f64 / rounds) + others / rounds;
    let long = table(unit, &rows).log_score();
    assert!((long.value - expected).abs() < 1e-15 * expected, "{} {expected}", long.value);
    // They do count: without them the score is another one.
    assert!(long.high < loss(1) * (1.0 - 1e-14) && long.high < expected * (1.0 + 1e-14));
    // ∫ -ln p dp from 1/2 to 1, over 1/2: the sum is a midpoint rule, but for half a term.
    let rows: Vec<_> = (1..100_000).map(|k| (100_000 + k, 1, 1)).collect();
    let short = table(200_000, &rows).log_score();
    let integral = 1.0 - 2_f64.ln();
    assert!((short.value - integral).abs() < 1e-5 && short.high - short.low < 2e-15);
}
