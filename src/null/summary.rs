//! From the values of the replicates to what is said of them.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::Zero;

use super::p_value::PValue;
use super::tail;
use crate::levels::Table;
use crate::measure::Measure;
use crate::number::Number;
use crate::rounding::nearest_f64;

/// What the replicates of one measure come to, in the terms of [`Null`](super::Null).
#[derive(Debug, PartialEq)]
pub(super) struct ReplicateSummary {
    pub mean: f64,
    pub mean_standard_error: Option<f64>,
    pub percentile_95: BigRational,
    pub at_least: u64,
}

/// Values over `scale`, at least one of them, beside the value observed. Sums are of multiples of
/// 2^-`bits`: exact for integers, with any number of bits.
pub(super) fn summarise<V: Number>(
    mut values: Vec<V>,
    observed: &V,
    scale: &BigRational,
    bits: u64,
) -> ReplicateSummary {
    let count = BigInt::from(values.len());
    let (mut sum, mut squares) = (BigInt::default(), BigInt::default());
    let mut at_least = 0;
    for value in &values {
        let rational = value.to_rational();
        let fixed = (rational.numer() << bits).div_floor(rational.denom());
        squares += &fixed * &fixed;
        sum += fixed;
        at_least += u64::from(value >= observed);
    }
    let in_units = |fixed: BigInt, below: BigInt| BigRational::new(fixed, below) / scale;
    // s²/N = (N Σ v² - (Σ v)²) / (N² (N - 1)), exactly; values are over scale · 2^bits.
    let spread = &count * squares - &sum * &sum;
    let below = (&count * &count * (&count - 1_u8)) << (2 * bits);
    let mean_standard_error = (!below.is_zero()).then(|| root(&(in_units(spread, below) / scale)));
    let mean = nearest_f64(&in_units(sum, count << bits));
    let rank = rank_95(values.len());
    let (_, percentile, _) = values.select_nth_unstable(rank - 1);
    ReplicateSummary {
        mean,
        mean_standard_error,
        percentile_95: percentile.to_rational() / scale,
        at_least,
    }
}

/// ⌈0.95 N⌉, from 1 to N.
fn rank_95(count: usize) -> usize {
    count - count / 20
}

/// The Monte Carlo p-value (1 + `at_least`)/(N + 1) from N replicates.
pub(crate) fn monte_carlo(at_least: u64, replicates: u64) -> BigRational {
    BigRational::new(BigInt::from(at_least) + 1, BigInt::from(replicates) + 1)
}

/// The standard error √(p(1-p)/N) of a share p of N.
pub(crate) fn share_error(p: &BigRational, count: u64) -> f64 {
    root(&(p * (BigRational::from_count(1) - p) / BigRational::from_count(count)))
}

/// The root of a rational that is not negative.
fn root(square: &BigRational) -> f64 {
    nearest_f64(square).sqrt()
}

/// The p-value of stepCE or intervalCE in the limit; `None` for other measures and without
/// variance.
pub(super) fn asymptotic<N: Number>(
    levels: Table<'_, N>,
    measure: Measure,
    observed: &BigRational,
) -> Option<PValue> {
    measure.description().limit?;
    p_value_in_the_limit(measure, observed, &variance(levels))
}

/// The same for a variance that is known.
pub(super) fn p_value_in_the_limit(
    measure: Measure,
    observed: &BigRational,
    variance: &BigRational,
) -> Option<PValue> {
    let limit = measure.description().limit?;
    (!variance.is_zero()).then(|| tail::above(limit, &(observed * observed / variance)))
}

/// σ² = Σ p(1-p), exactly. In squared units it is at most T·D²/4, which the wide type of a table
/// holds.
pub(super) fn variance<N: Number>(levels: Table<'_, N>) -> BigRational {
    let unit = levels.unit();
    let mut sum = N::zero().widen();
    for level in levels.rows() {
        let expected = level.value.clone() * &N::from_count(level.count);
        sum += &expected.times(&(unit.clone() - &level.value));
    }
    sum.to_rational() / unit.to_rational().pow(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(text: &str) -> BigRational {
        text.parse().expect("a rational")
    }

    #[test]
    fn ranks() {
        for (count, rank) in
            [(1, 1), (2, 2), (19, 19), (20, 19), (21, 20), (100, 95), (1000, 950), (1001, 951)]
        {
            assert_eq!(rank_95(count), rank);
            assert_eq!(rank, (95 * count).div_ceil(100));
        }
    }

    #[test]
    fn a_few_values_by_hand() {
        // 1, 1, 4 over 2: mean 1, sample variance 3/4, standard error 1/2.
        let summary = summarise(vec![4_i64, 1, 1], &1, &rational("2"), 0);
        let expected = ReplicateSummary {
            mean: 1.0,
            mean_standard_error: Some(0.5),
            percentile_95: rational("2"),
            at_least: 3,
        };
        assert_eq!(summary, expected);
        // The same as rationals with fraction bits.
        let halves = ["2", "1/2", "1/2"].map(rational).to_vec();
        assert_eq!(summarise(halves, &rational("1/2"), &rational("1"), 64), expected);
        let thirds =
            summarise(["1/3", "1/3"].map(rational).to_vec(), &rational("2/3"), &rational("1"), 80);
        assert_eq!(
            (thirds.mean, thirds.mean_standard_error, thirds.at_least),
            (1.0 / 3.0, Some(0.0), 0)
        );
        assert_eq!(summarise(vec![5_i32], &5, &rational("1"), 0).mean_standard_error, None);
    }
}
