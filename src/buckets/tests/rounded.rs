//! Sums as databases make them.

#![expect(clippy::float_arithmetic, reason = "sums are rounded as databases round them")]

use super::*;
use crate::random::Random;

fn forward(doubles: &[f64]) -> f64 {
    doubles.iter().fold(0.0, |sum, p| sum + p)
}

fn backward(doubles: &[f64]) -> f64 {
    doubles.iter().rev().fold(0.0, |sum, p| sum + p)
}

fn in_pairs(doubles: &[f64]) -> f64 {
    match doubles {
        [] => 0.0,
        [p] => *p,
        _ => {
            let (left, right) = doubles.split_at(doubles.len() / 2);
            in_pairs(left) + in_pairs(right)
        }
    }
}

fn by_parts(doubles: &[f64]) -> f64 {
    doubles.chunks(1000).map(forward).fold(0.0, |sum, part| sum + part)
}

fn kahan(doubles: &[f64]) -> f64 {
    let (mut sum, mut lost) = (0.0, 0.0);
    for p in doubles {
        let term = p - lost;
        let next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    sum
}

fn neumaier(doubles: &[f64]) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    for p in doubles {
        let next = sum + p;
        lost += if sum >= *p { (sum - next) + p } else { (p - next) + sum };
        sum = next;
    }
    sum + lost
}

const ORDERS: [fn(&[f64]) -> f64; 6] = [forward, backward, in_pairs, by_parts, kahan, neumaier];

/// In full, and with 15 digits as SQLite prints.
fn printed(sum: f64) -> [BigRational; 2] {
    [format!("{sum}"), format!("{sum:.14e}")].map(|text| parse_sum(&text).expect("a sum"))
}

fn exact_sum(doubles: &[f64]) -> BigRational {
    // In units of 2^-1074, without a gcd for each addition.
    let unit: BigInt = BigInt::from(1) << 1074_u32;
    let units = doubles.iter().map(|p| {
        let exact = BigRational::from_float(*p).expect("finite");
        (exact * BigRational::from(unit.clone())).to_integer()
    });
    BigRational::new(units.sum::<BigInt>(), unit.clone())
}

fn ends(doubles: &[f64]) -> [Prediction; 2] {
    let end = |end: f64| Prediction::try_from(end).expect("a probability");
    [doubles.iter().copied().fold(1.0, f64::min), doubles.iter().copied().fold(0.0, f64::max)]
        .map(end)
}

fn rounded_bucket(doubles: &[f64], ones: u64, printed: &BigRational) -> Bucket {
    let [min, max] = ends(doubles);
    Bucket::from_rounded_sum(min, max, doubles.len() as u64, ones, printed)
}

fn holds_in_every_order(doubles: &[f64]) {
    let exact = exact_sum(doubles);
    for sum in ORDERS {
        for printed in printed(sum(doubles)) {
            let Bucket { sum_low, sum_high, .. } = rounded_bucket(doubles, 0, &printed);
            assert!(sum_low <= exact && exact <= sum_high, "{sum_low} <= {exact} <= {sum_high}");
        }
    }
}

fn uniform(random: &mut Random) -> f64 {
    (random.next() >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn sums_hold_in_every_order() {
    let mut random = Random::new(3, 0);
    let random_doubles: Vec<f64> = (0..100_000).map(|_| uniform(&mut random)).collect();
    holds_in_every_order(&random_doubles);
    holds_in_every_order(&vec![0.1; 100_000]);
    // Each small one is rounded away, again and again: the worst case of the bound, nearly.
    let lost = f64::powi(2.0, -53);
    let worst: Vec<f64> = std::iter::once(1.0).chain(vec![lost; 50_000]).collect();
    assert_eq!(forward(&worst), 1.0);
    holds_in_every_order(&worst);
    let raised: Vec<f64> =
        std::iter::once(1.0).chain(vec![lost.next_up() + lost * 0.125; 50_000]).collect();
    holds_in_every_order(&raised);
    holds_in_every_order(&[5e-324, 1e-310, 2.5e-320]);
    // Printed with 15 digits, 1 and 1.00000000000001: what is lost is more than by adding.
    holds_in_every_order(&[0.5, 0.5000000000000049]);
    holds_in_every_order(&[0.5, 0.5000000000000051]);
    holds_in_every_order(&[0.0, 0.0]);
    holds_in_every_order(&[1.0]);
}

/// Without the rounds in the bound, the worst case lies outside: what the factor n is for.
#[test]
fn a_bound_without_the_number_of_rounds_would_fail() {
    let lost = f64::powi(2.0, -53);
    let worst: Vec<f64> = std::iter::once(1.0).chain(vec![lost; 50_000]).collect();
    let [printed, _] = printed(forward(&worst));
    let [min, max] = ends(&worst);
    let exact = exact_sum(&worst);
    assert!(Bucket::from_rounded_sum(min.clone(), max.clone(), 1, 0, &printed).sum_high < exact);
    // And it is not much too wide: a tenth fewer would not do.
    assert!(Bucket::from_rounded_sum(min, max, 44_000, 0, &printed).sum_high < exact);
}

/// Decimals that a database keeps as doubles: ends and values as decimals.
#[test]
fn decimals_in_a_column_of_doubles() {
    let texts = ["0.1", "0.3", "0.7", "0.123456789012345678", "1e-310", "3e-324"];
    for text in texts {
        let exact: Prediction = text.parse().expect("a prediction");
        let doubles = vec![text.parse::<f64>().expect("a double"); 30_000];
        let value = exact.to_rational() * int(30_000);
        for sum in ORDERS {
            for printed in printed(sum(&doubles)) {
                let ends = [exact.clone(), exact.clone()];
                let [min, max] = ends;
                let bucket = Bucket::from_rounded_sum(min, max, 30_000, 7, &printed);
                assert!(bucket.sum_low <= value && value <= bucket.sum_high, "{text}");
                let table = BucketTable::new([bucket]).expect("possible");
                assert!(table.is_level_table());
                let bounds = table.bounds(Measure::Ece);
                assert_eq!(bounds.lower, bounds.upper);
            }
        }
    }
}

/// A hundred buckets of a thousand doubles: every measure lies within its bounds.
#[test]
fn bounds_hold_for_rounded_sums() {
    let mut random = Random::new(4, 0);
    let mut doubles: Vec<f64> = (0..100_000).map(|_| uniform(&mut random)).collect();
    doubles.sort_by(f64::total_cmp);
    let outcomes: Vec<bool> =
        doubles.iter().map(|p| uniform(&mut random) < 0.9 * p + 0.02).collect();
    let levels = AnyLevels::from_doubles(&outcomes, &doubles).expect("valid");
    let exact: Vec<(Measure, BigRational)> = plain()
        .filter(|measure| *measure != Measure::SmCe)
        .map(|measure| (measure, levels.evaluate(measure).value))
        .collect();
    for sum in [forward, backward, in_pairs] {
        let groups = doubles.chunk_by(|a, b| (a * 100.0) as u32 == (b * 100.0) as u32);
        let mut first = 0;
        let buckets = groups.map(|group| {
            let own = &outcomes[first..first + group.len()];
            first += group.len();
            let ones = own.iter().filter(|x| **x).count() as u64;
            rounded_bucket(group, ones, &printed(sum(group))[1])
        });
        let table = BucketTable::new(buckets).expect("of rounds");
        for (measure, value) in &exact {
            assert_within(&table, *measure, value);
        }
    }
}

/// What happens to rounded sums that are given as exact: refused if the ends show it, and wrong
/// otherwise.
#[test]
fn rounded_sums_are_not_exact() {
    let tenths = [0.1; 10];
    let [min, max] = ends(&tenths);
    let [sum, _] = printed(forward(&tenths));
    let refused = BucketTable::new([Bucket::exact(min, max, 10, 0, sum.clone())]);
    let error = refused.expect_err("not ten times 0.1");
    assert!(
        matches!(error.fault, BucketFault::Sum { .. }) && error.to_string().contains("rounded")
    );
    BucketTable::new([rounded_bucket(&tenths, 0, &sum)]).expect("possible");

    let doubles = [0.1, 0.2, 0.3, 0.7];
    let [min, max] = ends(&doubles);
    let [sum, _] = printed(forward(&doubles));
    let levels = AnyLevels::from_doubles(&[false; 4], &doubles).expect("valid");
    let value = levels.evaluate(Measure::StepCe).value;
    let wrong = BucketTable::new([Bucket::exact(min, max, 4, 0, sum.clone())]).expect("unseen");
    let Bounds { lower, upper } = wrong.bounds(Measure::StepCe);
    assert!(value < lower || upper < value);
    let right = BucketTable::new([rounded_bucket(&doubles, 0, &sum)]).expect("possible");
    assert_within(&right, Measure::StepCe, &value);
}

/// So many rounds that rounding could do anything: the ends are all that is known.
#[test]
fn sums_of_too_many_rounds_say_nothing() {
    let many = 1 << 60;
    let [min, max] = [Prediction::ZERO, Prediction::ONE];
    let bucket = Bucket::from_rounded_sum(min, max, many, 5, &int(12));
    assert!(bucket.sum_low <= int(0) && bucket.sum_high >= int(many));
    let table = BucketTable::new([bucket]).expect("possible");
    assert_eq!(table.bounds(Measure::Ece).lower, int(0));
}
