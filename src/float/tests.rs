#![expect(clippy::float_arithmetic, reason = "doubles to be measured")]

use crate::parallel::on;
use num_rational::BigRational;
use proptest::prelude::*;

use super::slices::{by_levels, by_partition, by_summary};
use super::*;
use crate::definitions::Round;
use crate::rounding::nearest_f64;
use crate::summary::{Doubles, Keys};
use crate::{Forecasts, ForecastsError, Measure, PredictionError, check};

const ONE: u64 = 1.0_f64.to_bits();

/// The measures that do not average over subsets.
fn measures() -> impl Iterator<Item = Measure> {
    Measure::ALL.into_iter().filter(|measure| measure.subsampled_from().is_none())
}

fn rounded(measure: Measure, outcomes: &[bool], predictions: &[f64]) -> Rounded {
    let function = match measure {
        Measure::Ece => ece,
        Measure::SmCe => sm_ce,
        Measure::StepCe => step_ce,
        Measure::SignCe => sign_ce,
        Measure::IntervalCe => interval_ce,
        Measure::VCal => v_cal,
        Measure::UCal => u_cal,
        Measure::Cdl => cdl,
        Measure::StepCeSub | Measure::VCalSub | Measure::UCalSub | Measure::Ssce => {
            unreachable!("averages have no function of slices")
        }
    };
    function(outcomes, predictions).expect("valid")
}

/// The way that long inputs go, whatever the length.
fn as_if_long(measure: Measure, outcomes: &[bool], predictions: &[f64]) -> crate::Evaluation {
    let way = match (measure, measure.description().refined) {
        (Measure::Ece, _) => by_partition,
        (_, Some(_)) => by_summary,
        (_, None) => by_levels,
    };
    way(measure, outcomes, predictions).expect("valid")
}

/// Both ways against exact rationals, gathered and tabulated elsewhere.
fn agrees(outcomes: &[bool], predictions: &[f64]) {
    let forecasts = Forecasts::from_columns(outcomes.iter().copied(), predictions.iter().copied());
    let levels = forecasts.expect("valid").levels().expect("few levels");
    for measure in measures() {
        let reference = levels.evaluate(measure);
        let short = rounded(measure, outcomes, predictions);
        assert_eq!(short.value.to_bits(), nearest_f64(&reference.value).to_bits());
        assert_eq!(short.evaluation.value, reference.value);
        let long = as_if_long(measure, outcomes, predictions);
        if measure == Measure::SmCe {
            assert_eq!(long.value, reference.value); // its witness is in units, which may differ
        } else {
            assert_eq!(long, reference, "{outcomes:?} {predictions:?}");
        }
    }
}

/// Predictions in which engines go wrong.
fn prediction() -> impl Strategy<Value = f64> {
    let near = |centre: f64, steps: u64| {
        let bits = centre.to_bits();
        bits.saturating_sub(steps)..=(bits + steps).min(ONE)
    };
    let bits = prop_oneof![
        4 => 0..=ONE,
        // subnormal, and the first normal ones
        1 => 0..1_u64 << 53,
        2 => near(0.0, 3),
        2 => near(0.5, 3),
        2 => near(1.0, 3),
        3 => near(0.37, 1 << 36),                                // a bucket or two
        2 => (0..=10_u32).prop_map(|tenths| (f64::from(tenths) / 10.0).to_bits()),
        2 => (0..1_u64 << 40).prop_map(|units| (units as f64 / 2.0_f64.powi(40)).to_bits()),
    ];
    bits.prop_map(f64::from_bits)
}

proptest! {
    // Rationals of two thousand bits take their time.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_double_agrees_with_rationals(
        rounds in prop::collection::vec((any::<bool>(), prediction()), 0..40),
    ) {
        let (outcomes, predictions): (Vec<bool>, Vec<f64>) = rounds.into_iter().unzip();
        agrees(&outcomes, &predictions);
    }

    /// Many rounds in few buckets: what is inside must be found, wherever it is.
    #[test]
    fn crowded_buckets_agree_with_rationals(
        rounds in prop::collection::vec((0_u8..4, 0_u64..4, 0_u64..50), 1..120),
        spread in 20_u32..40,
        odds in 0_u8..5,
    ) {
        let place = |bucket: u64, offset: u64| {
            f64::from_bits((0.3 + bucket as f64 / 10.0).to_bits() + (offset << spread))
        };
        let (outcomes, predictions): (Vec<bool>, Vec<f64>) =
            rounds.into_iter().map(|(x, bucket, offset)| (x < odds, place(bucket, offset))).unzip();
        agrees(&outcomes, &predictions);
    }

    /// Sums that nearly cancel: ones and zeros by turns, with predictions around 1/2 that differ in
    /// the last bits.
    #[test]
    fn cancelling_sums_agree_with_rationals(
        offsets in prop::collection::vec(0_u64..5, 400),
        turn in 1_usize..4,
    ) {
        let outcomes: Vec<bool> = (0..offsets.len()).map(|t| t / turn % 2 == 0).collect();
        let near_half = |offset: &u64| f64::from_bits(0.5_f64.to_bits() - 2 + offset);
        let predictions: Vec<f64> = offsets.iter().map(near_half).collect();
        agrees(&outcomes, &predictions);
    }
}

/// Every sequence of up to three rounds with predictions on a dyadic grid, against the literal
/// definitions, and the witness against that of the level table. Some share a bucket, of which one
/// is the lower end; and sums are tied.
#[test]
fn small_grids_agree_with_the_definitions() {
    let fine = 2.0_f64.powi(-20);
    let grid = [0.0, 0.25, 0.25 + fine, 0.75 - fine, 0.75, 1.0];
    let rounds: Vec<(bool, f64)> =
        grid.iter().flat_map(|&p| [false, true].map(|x| (x, p))).collect();
    let mut sequences: Vec<Vec<(bool, f64)>> = vec![vec![]];
    for length in 0..3 {
        let longer: Vec<_> = sequences.iter().filter(|sequence| sequence.len() == length).collect();
        // No measure depends on the order of the rounds.
        let ascending = |sequence: &Vec<(bool, f64)>, next: &(bool, f64)| {
            sequence.last().is_none_or(|last| (last.1, last.0) <= (next.1, next.0))
        };
        let longer: Vec<Vec<(bool, f64)>> = longer
            .into_iter()
            .flat_map(|sequence| {
                let next = rounds.iter().filter(|next| ascending(sequence, next));
                next.map(|next| [sequence.as_slice(), &[*next]].concat()).collect::<Vec<_>>()
            })
            .collect();
        sequences.extend(longer);
    }
    assert_eq!(sequences.len(), 1 + 12 + 78 + 364);
    for sequence in sequences {
        let exact = |p: f64| BigRational::from_float(p).expect("finite");
        let literal: Vec<Round> = sequence.iter().map(|&(x, p)| (x, exact(p))).collect();
        let (outcomes, predictions): (Vec<bool>, Vec<f64>) = sequence.into_iter().unzip();
        for measure in measures() {
            let found = as_if_long(measure, &outcomes, &predictions);
            assert_eq!(found.value, measure.define(&literal), "{measure} of {literal:?}");
            let whole = by_levels(measure, &outcomes, &predictions).expect("valid");
            assert_eq!(found, whole, "{literal:?}");
        }
    }
}

/// The same seeded doubles for the same number of rounds, with outcomes drawn from them.
fn drawn(rounds: usize) -> (Vec<bool>, Vec<f64>) {
    let mut random = crate::random::Random::new(1, 0);
    let mut uniform = || (random.next() >> 11) as f64 * 2.0_f64.powi(-53);
    (0..rounds)
        .map(|_| {
            let p = uniform();
            (uniform() < p, p)
        })
        .unzip()
}

#[test]
fn long_inputs_agree_for_any_number_of_threads() {
    let (mut outcomes, predictions) = drawn(300_000);
    for flip in [false, true] {
        if flip {
            outcomes.iter_mut().step_by(3).for_each(|x| *x = !*x);
        }
        let levels = crate::AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
        for threads in [1, 3] {
            on(threads, || {
                for measure in measures().filter(|measure| *measure != Measure::SmCe) {
                    let long = rounded(measure, &outcomes, &predictions).evaluation;
                    assert_eq!(long, levels.evaluate(measure), "{measure} on {threads}");
                }
            });
        }
    }
}

#[test]
fn few_buckets_are_opened_and_one_pass_is_enough() {
    let (outcomes, predictions) = drawn(300_000);
    let mut summary = Summary::new();
    summary.update(&outcomes, &predictions).expect("valid");
    for measure in Summary::refined() {
        let mut refinement = summary.refine(&[measure]);
        assert!(refinement.wanted_rounds() < 30_000, "{measure}: {}", refinement.wanted_rounds());
        refinement.update(&outcomes, &predictions).expect("valid");
        refinement.end_pass().expect("the same data");
        assert!(refinement.is_complete(), "{measure}");
    }
}

/// 4 T 2^s exactly at the end of each width, and one beyond.
#[test]
fn every_width_agrees_up_to_its_end() {
    // Four rounds: 2^(s + 4) <= 2^127 - 1 for s <= 122.
    let smallest = |scale: u64| f64::from_bits((1075 - scale) << 52 | 1);
    for (scale, width) in
        [(122, "i128"), (123, "I256"), (250, "I256"), (251, "BigInt"), (1074, "BigInt")]
    {
        let least = smallest(scale);
        let predictions = [least, 0.5, 0.5_f64.next_up(), 1.0_f64.next_down()];
        let mut summary = Summary::new();
        summary.update(&[true; 4], &predictions).expect("valid");
        assert_eq!(u64::from(summary.scale()), scale);
        let unit = Doubles::unit(summary.scale());
        let chosen = crate::summary::at_width!(4, &unit, N => std::any::type_name::<N>());
        assert!(chosen.ends_with(width), "{chosen} at 2^-{scale}");
        for outcomes in 0..16_u8 {
            let outcomes = [1, 2, 4, 8].map(|bit| outcomes & bit != 0);
            agrees(&outcomes, &predictions);
        }
    }
}

#[test]
fn witnesses_are_checked() {
    let (outcomes, predictions) = drawn(200);
    let levels = crate::AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
    for measure in measures() {
        let evaluation = as_if_long(measure, &outcomes, &predictions);
        assert_eq!(check(&levels.to_rational(), &evaluation), Ok(()), "{measure}");
    }
}

#[test]
fn outcomes_come_in_three_types() {
    let (outcomes, predictions) = drawn(1000);
    let bytes: Vec<u8> = outcomes.iter().map(|x| u8::from(*x)).collect();
    let doubles: Vec<f64> = outcomes.iter().map(|x| f64::from(u8::from(*x))).collect();
    let expected = step_ce(&outcomes, &predictions);
    assert_eq!(step_ce(&bytes, &predictions), expected);
    assert_eq!(step_ce(&doubles, &predictions), expected);
    assert_eq!(step_ce(&[-0.0], &[0.5]), step_ce(&[false], &[0.5]));
}

#[test]
fn bad_rounds_are_named() {
    let outcome = |round, value: &str| ForecastsError::Outcome { round, value: value.to_owned() };
    assert_eq!(step_ce(&[1_u8, 2], &[0.5, 0.5]), Err(outcome(1, "2")));
    assert_eq!(ece(&[0.0, f64::NAN], &[0.5, 0.5]), Err(outcome(1, "NaN")));
    assert_eq!(u_cal(&[0.5], &[0.5]), Err(outcome(0, "0.5")));
    let lengths = ForecastsError::Lengths { outcomes: 1, predictions: 2 };
    assert_eq!(v_cal(&[true], &[0.5, 0.5]), Err(lengths));

    // Of two bad rounds in different parts the first is named, with its place in the whole.
    let (mut outcomes, mut predictions) = drawn(500_000);
    predictions[499_999] = -1.0;
    predictions[300_001] = f64::NAN;
    let error = |round, error| Err(ForecastsError::Prediction { round, error });
    for _ in 0..2 {
        let result = on(3, || step_ce(&outcomes, &predictions));
        assert_eq!(result, error(300_001, PredictionError::Nan));
        outcomes[400_000] = !outcomes[400_000];
    }
    predictions[300_001] = 0.5;
    assert_eq!(on(3, || ece(&outcomes, &predictions)), error(499_999, PredictionError::Negative));
}
