//! Observed errors are within the bounds, and not far below them where it can be arranged.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use proptest::prelude::*;

use super::*;
use truecal::Forecasts;
use truecal::Measure;

type Naive = fn(&[bool], &[f64]) -> f64;

const ALL: [(Measure, Naive); 7] = [
    (Measure::StepCe, step_ce),
    (Measure::SignCe, sign_ce),
    (Measure::IntervalCe, interval_ce),
    (Measure::Ece, ece),
    (Measure::VCal, v_cal),
    (Measure::UCal, u_cal),
    (Measure::SmCe, sm_ce),
];

fn exact(measure: Measure, outcomes: &[bool], predictions: &[f64]) -> BigRational {
    let columns = (outcomes.iter().copied(), predictions.iter().copied());
    let forecasts = Forecasts::from_columns(columns.0, columns.1).expect("valid");
    forecasts.levels().expect("a table").evaluate(measure).value
}

/// The error over the bound, by measure.
fn ratios(outcomes: &[bool], predictions: &[f64]) -> Vec<(Measure, f64)> {
    let rational = |double: f64| BigRational::from_float(double).expect("finite");
    let ratio = |(measure, naive): (Measure, Naive)| {
        let value = rational(naive(outcomes, predictions));
        let error = (value - exact(measure, outcomes, predictions)).abs();
        let bound = rational(error_bound(measure, outcomes.len()).expect("it has a naive version"));
        (measure, (error / bound).to_f64().expect("finite"))
    };
    ALL.into_iter().map(ratio).collect()
}

/// Doubles in [0, 1]: any bits (mostly tiny), even, near 0, 1/2 and 1, subnormal, few values.
fn prediction() -> impl Strategy<Value = f64> {
    let near = |centre: f64| {
        let bits = centre.to_bits();
        (bits.saturating_sub(3)..=bits + 3).prop_map(f64::from_bits)
    };
    let one = 1_f64.to_bits();
    prop_oneof![
        3 => (0..=1_u64 << 53).prop_map(|part| part as f64 / 2_f64.powi(53)),
        1 => (0..=one).prop_map(f64::from_bits),
        1 => near(0.5),
        1 => (one - 3..=one).prop_map(f64::from_bits),
        1 => (0..4_u64).prop_map(f64::from_bits),
        1 => (0..1_u64 << 52).prop_map(f64::from_bits),
        2 => (0..=10_u32).prop_map(|tenths| f64::from(tenths) / 10.0),
        1 => Just(-0.0),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn errors_are_within_the_bounds(
        rounds in prop::collection::vec((any::<bool>(), prediction()), 1..40)
    ) {
        let (outcomes, predictions): (Vec<bool>, Vec<f64>) = rounds.into_iter().unzip();
        for (measure, ratio) in ratios(&outcomes, &predictions) {
            prop_assert!(ratio <= 1.0, "{measure}: {ratio}");
        }
    }

    /// Outcomes that keep the sums near 0: small values, of which rounding takes the larger share.
    #[test]
    fn errors_are_within_the_bounds_where_sums_cancel(
        mut predictions in prop::collection::vec(0..=1_u64 << 53, 1..200)
    ) {
        predictions.sort_unstable();
        let mut sum = 0;
        let outcomes: Vec<bool> = predictions.iter().map(|p| {
            let outcome = sum < 0;
            sum += (i64::from(outcome) << 53) - *p as i64;
            outcome
        }).collect();
        let double = |p: &u64| *p as f64 / 2_f64.powi(53);
        let predictions: Vec<f64> = predictions.iter().map(double).collect();
        for (measure, ratio) in ratios(&outcomes, &predictions) {
            prop_assert!(ratio <= 1.0, "{measure}: {ratio}");
        }
    }
}

/// Every 1 - p is rounded up by nearly half of the distance between doubles, and so is every sum: p
/// is nearly m + 1/2 times 2^-53, and sums in (2^e, 2^(e+1)], which lie 2^(e-52) apart, meet an m
/// of 2^e - 1.
fn always_up(rounds: u64) -> Vec<f64> {
    let prediction = |round: u64| {
        let m = (1 << (round - 1).checked_ilog2().unwrap_or(0)) - 1;
        // 2^20 to the unit, all distinct
        let parts: u64 = (m << 20) + (1 << 19) - (rounds + 1 - round);
        parts as f64 / 2_f64.powi(73)
    };
    (1..=rounds).map(prediction).collect()
}

/// A bound a hundredth smaller would be false for sums, one of a twentieth for smCE.
#[test]
fn the_bounds_of_sums_are_nearly_attained() {
    let predictions = always_up(4096);
    let outcomes = vec![true; predictions.len()];
    for (measure, ratio) in ratios(&outcomes, &predictions) {
        let least = match measure {
            Measure::StepCe | Measure::IntervalCe | Measure::SignCe | Measure::Ece => 0.99,
            Measure::SmCe => 0.05,
            _ => 0.0,
        };
        assert!((least..=1.0).contains(&ratio), "{measure}: {ratio}");
    }
}

/// Few equal rounds show VCal and UCal rounding: a bound of a fifth, of a thousandth would be
/// false.
#[test]
fn the_bounds_from_counts_are_not_vacuous() {
    let largest = |measure: Measure| {
        let cases = (1..60_u32).flat_map(|part| {
            let prediction = f64::from(part) / 61.0;
            (1..8).map(move |rounds| (vec![false; rounds], vec![prediction; rounds]))
        });
        let of = |(outcomes, predictions): (Vec<bool>, Vec<f64>)| {
            let found = ratios(&outcomes, &predictions).into_iter();
            found.filter(|(of, _)| *of == measure).map(|(_, ratio)| ratio).fold(0.0, f64::max)
        };
        cases.map(of).fold(0.0, f64::max)
    };
    assert!(largest(Measure::VCal) > 0.2, "{}", largest(Measure::VCal));
    assert!(largest(Measure::UCal) > 0.001, "{}", largest(Measure::UCal));
}

/// Sums that stay small until the end: one sum of differences is rounded at their size, two sums at
/// that of their own.
#[test]
fn mistakes_are_worse() {
    let predictions: Vec<f64> = (1..4000).map(|part| f64::from(part) / 4001.0).collect();
    let mut sum = 0.0;
    let mut outcome = |(row, prediction): (usize, &f64)| {
        let outcome = sum < 0.0 || row >= 3900;
        sum += f64::from(u8::from(outcome)) - prediction;
        outcome
    };
    let outcomes: Vec<bool> = predictions.iter().enumerate().map(&mut outcome).collect();
    let exact = exact(Measure::StepCe, &outcomes, &predictions).to_f64().expect("finite");
    let error = |naive: Naive| (naive(&outcomes, &predictions) - exact).abs();
    let one_sum = error(step_ce);
    let two_sums = error(mistakes::two_sums);
    let single = error(mistakes::single_precision);
    assert!(10.0 * one_sum < two_sums && 10.0 * two_sums < single, "{one_sum} {two_sums} {single}");
}
