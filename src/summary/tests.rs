use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

use super::*;
use crate::prediction::Decimal;
use crate::{AnyLevels, Forecasts, Measure};

const ONE: u64 = 1.0_f64.to_bits();

fn summary<K: Keys>(outcomes: &[bool], predictions: &[K::Input]) -> Summary<K> {
    let mut summary = Summary::new();
    summary.update(outcomes, predictions).expect("valid");
    summary
}

/// Exactly by a summary.
fn refined<K: Keys>(outcomes: &[bool], predictions: &[K::Input]) -> Vec<crate::Evaluation> {
    let summary = summary::<K>(outcomes, predictions);
    completed(summary.refine(&Measure::ALL), outcomes, predictions)
}

fn completed<K: Keys>(
    mut refinement: Refinement<'_, K>,
    outcomes: &[bool],
    predictions: &[K::Input],
) -> Vec<crate::Evaluation> {
    while !refinement.is_complete() {
        refinement.update(outcomes, predictions).expect("valid");
        refinement.end_pass().expect("the same data");
    }
    assert!(refinement.evaluate(Measure::Ece).is_none());
    let evaluation = |measure| refinement.evaluate(measure).expect("refined");
    Summary::<K>::refined().map(evaluation).collect()
}

fn bounds_hold<K: Keys>(summary: &Summary<K>, levels: &AnyLevels) {
    for measure in Measure::ALL {
        let Some(Bounds { lower, upper }) = summary.bounds(measure) else {
            assert!(measure.subsampled_from().is_some());
            continue;
        };
        let value = levels.evaluate(measure).value;
        assert!(lower <= value && value <= upper, "{measure}: {lower} <= {value} <= {upper}");
    }
}

/// The quick summary keeps the sums, counts and ones of the plain one; no key is beyond its end.
fn quick_is_plain<K: Keys + PartialEq>(outcomes: &[bool], predictions: &[K::Input], part: usize) {
    let plain = summary::<K>(outcomes, predictions);
    let parts = outcomes.chunks(part).zip(predictions.chunks(part));
    let slices: Vec<_> =
        parts.map(|(outcomes, predictions)| Slices { outcomes, predictions }).collect();
    let words: Vec<Vec<u64>> = slices
        .iter()
        .map(|slices| {
            let pairs = slices.outcomes.iter().zip(slices.predictions);
            pairs.map(|(x, p)| pack(K::key(*p).expect("valid"), *x)).collect()
        })
        .collect();
    let quick = Summary::<K>::of_parts(&slices).expect("valid").expect("few");
    assert_eq!(Ok(&quick), Summary::of_parts(&words).expect("valid").as_ref());
    assert_eq!((quick.rounds, quick.ones), (plain.rounds, plain.ones));
    for (quick, plain) in quick.buckets.iter().zip(&plain.buckets) {
        let sums = |bucket: &Bucket| (bucket.sum, bucket.count, bucket.ones);
        assert_eq!(sums(quick), sums(plain));
        assert!(quick.largest >= plain.largest);
    }
    let plainly = refined::<K>(outcomes, predictions);
    let evaluate = |evaluations: Option<Result<Vec<_>, _>>| evaluations.expect("valid");
    assert_eq!(evaluate(evaluate_parts::<K, _>(&slices, &Measure::ALL)).as_ref(), Ok(&plainly));
    assert_eq!(evaluate(evaluate_parts::<K, _>(&words, &Measure::ALL)).as_ref(), Ok(&plainly));
}

/// Digits and places.
fn decimal() -> impl Strategy<Value = (u64, i32)> {
    prop_oneof![
        (1..10_u64.pow(17), 17..60_i32),
        (0..=20_u64).prop_map(|twentieths| (5 * twentieths, 2)),
        (0..1000_u64).prop_map(|offset| (33_333_333_333_333_333 + (offset << 30), 17)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn decimals_agree_with_rationals(
        rounds in prop::collection::vec((any::<bool>(), decimal()), 0..60),
    ) {
        let exact = |(digits, places): (u64, i32)| {
            BigRational::new(digits.into(), BigInt::from(10).pow(places as u32))
        };
        let pairs = rounds.iter().map(|(x, parts)| (*x, exact(*parts)));
        let forecasts = Forecasts::from_pairs(pairs).expect("valid");
        let levels = forecasts.levels().expect("one denominator");
        let short = |(digits, places)| Decimal::new(digits, places).expect("17 digits");
        let (outcomes, predictions): (Vec<bool>, Vec<Decimal>) =
            rounds.iter().map(|(x, parts)| (*x, short(*parts))).unzip();
        let refined_measures = Summary::<Decimals>::refined();
        let expected: Vec<_> = refined_measures.map(|measure| levels.evaluate(measure)).collect();
        prop_assert_eq!(&refined::<Decimals>(&outcomes, &predictions), &expected);
        let summary = summary::<Decimals>(&outcomes, &predictions);
        bounds_hold(&summary, &levels);
        quick_is_plain::<Decimals>(&outcomes, &predictions, 7);
        // Without room cells are divided until nothing is in doubt, by two or more at once.
        for (room, parts) in [(0, 2), (5, 64)] {
            let refinement = summary.refine_within(room, parts, &Measure::ALL);
            prop_assert_eq!(&completed(refinement, &outcomes, &predictions), &expected);
        }
    }

    #[test]
    fn bounds_hold_for_doubles(
        rounds in prop::collection::vec((any::<bool>(), 0..200_u64), 0..60),
        spread in 0..45_u32,
    ) {
        let place = |offset: u64| f64::from_bits(0.4_f64.to_bits() + (offset << spread)).min(1.0);
        let (outcomes, predictions): (Vec<bool>, Vec<f64>) =
            rounds.into_iter().map(|(x, p)| (x, place(p))).unzip();
        let levels = AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
        bounds_hold(&summary::<Doubles>(&outcomes, &predictions), &levels);
    }

    /// However the data are divided, and in whatever order the parts are merged.
    #[test]
    fn merging_is_adding(
        rounds in prop::collection::vec((any::<bool>(), 0.0..=1.0_f64), 0..60),
        cut in 0_usize..60,
    ) {
        let (outcomes, predictions): (Vec<bool>, Vec<f64>) = rounds.into_iter().unzip();
        let cut = cut.min(outcomes.len());
        let [mut left, mut right] = [(0, cut), (cut, outcomes.len())]
            .map(|(from, to)| summary::<Doubles>(&outcomes[from..to], &predictions[from..to]));
        let right_alone = right.clone();
        right.merge(&left).expect("few");
        left.merge(&right_alone).expect("few");
        let whole = summary::<Doubles>(&outcomes, &predictions);
        prop_assert!(left == whole && right == whole);
        quick_is_plain::<Doubles>(&outcomes, &predictions, cut.max(1));
    }
}

#[test]
fn levels_in_buckets_of_their_own_are_known_at_once() {
    let (outcomes, predictions) = ([true, false, true, true], [0.1, 0.1, 0.7, 1.0]);
    let summary = summary::<Doubles>(&outcomes, &predictions);
    let levels = AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
    assert!(summary.refine(&Measure::ALL).is_complete());
    for measure in Measure::ALL.into_iter().filter(|m| m.subsampled_from().is_none()) {
        let Bounds { lower, upper } = summary.bounds(measure).expect("bounded");
        let value = levels.evaluate(measure).value;
        assert_eq!((&lower, &upper), (&value, &value), "{measure}");
    }
}

#[test]
fn no_rounds_have_no_error() {
    for evaluation in refined::<Doubles>(&[], &[]) {
        assert_eq!(evaluation.value, BigRational::from(BigInt::from(0)));
        let empty = AnyLevels::from_doubles::<bool>(&[], &[]).expect("valid");
        assert_eq!(evaluation, empty.evaluate(evaluation.measure));
    }
}

#[test]
fn data_that_change_between_passes_are_noticed() {
    let near = |offset: u64| f64::from_bits(0.5_f64.to_bits() + offset);
    let (outcomes, predictions) = ([true, false, true], [near(1), near(2), near(5)]);
    let summary = summary::<Doubles>(&outcomes, &predictions);
    for (outcomes, predictions) in [
        ([true, false, false], predictions),
        (outcomes, [near(1), near(2), near(4)]),
        (outcomes, [near(2), near(2), near(4)]),
        (outcomes, [near(0), near(3), near(5)]), // the same sum, and the same largest
        (outcomes, [near(1), near(2), 0.75]),
        (outcomes, [near(1), near(2), near(1 << 30)]),
    ] {
        // Gathered, or divided.
        for room in [3, 0] {
            let mut refinement = summary.refine_within(room, 2, &[Measure::StepCe]);
            assert!(!refinement.is_complete() && refinement.evaluate(Measure::StepCe).is_none());
            refinement.update(&outcomes, &predictions).expect("valid");
            let same_sums = predictions[0] == near(0);
            assert_eq!(refinement.end_pass(), if same_sums { Ok(()) } else { Err(DataChanged) });
        }
    }
}

/// Too many rounds in one bucket are not gathered: the bucket is split, and what is left is little.
#[test]
fn crowds_are_divided() {
    let mut random = crate::random::Random::new(7, 0);
    let (outcomes, predictions): (Vec<bool>, Vec<f64>) = (0..400_000)
        .map(|_| {
            (random.next() >> 63 == 1, f64::from_bits(0.5_f64.to_bits() + (random.next() >> 28)))
        })
        .unzip();
    quick_is_plain::<Doubles>(&outcomes, &predictions, 100_000);
    let summary = summary::<Doubles>(&outcomes, &predictions);
    let mut refinement = summary.refine(&[Measure::StepCe, Measure::UCal]);
    assert_eq!(refinement.wanted_rounds(), 400_000);
    refinement.update(&outcomes, &predictions).expect("valid");
    refinement.end_pass().expect("the same data");
    // Gathering would have left nothing.
    assert!((1..10_000).contains(&refinement.wanted_rounds()), "{}", refinement.wanted_rounds());
    let levels = AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
    let expected: Vec<_> =
        Summary::<Doubles>::refined().map(|measure| levels.evaluate(measure)).collect();
    assert_eq!(refined::<Doubles>(&outcomes, &predictions), expected);
}

/// Few levels of many rounds are told apart by dividing.
#[test]
fn ties_are_divided() {
    let near = |offset: u64| f64::from_bits(0.5_f64.to_bits() + offset);
    let rounds: u64 = (1 << 20) + 10;
    let (outcomes, predictions): (Vec<bool>, Vec<f64>) =
        (0..rounds).map(|t| (t % 2 == 0, near(t % 3))).unzip();
    let evaluations = refined::<Doubles>(&outcomes, &predictions);
    let levels = AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
    let expected: Vec<_> =
        Summary::<Doubles>::refined().map(|measure| levels.evaluate(measure)).collect();
    assert_eq!(evaluations, expected);
}

#[test]
fn an_error_leaves_the_rounds_before_it() {
    let mut summary = Summary::<Doubles>::new();
    assert!(summary.update(&[1_u8, 0, 3], &[0.5, 0.25, 0.5]).is_err());
    assert_eq!((summary.rounds(), summary.ones()), (2, 1));
}

/// More rounds in one bucket than its two words can hold at a time, wherever a part ends. Wide ones
/// hold fewer.
#[test]
fn sums_of_many_rounds_do_not_wrap_unnoticed() {
    for power in [0, 1, 2, 3, 14] {
        let rounds = (3 << (12 + power.min(4))) + 5;
        // The last keys of the first bucket from 2^(power - 15) on: all are different.
        let last = Doubles::ceiling(Doubles::bucket((1008 + power) << 52));
        let (outcomes, predictions): (Vec<bool>, Vec<f64>) =
            (0..rounds).map(|t| (t % 3 == 0, f64::from_bits(last - t))).unzip();
        quick_is_plain::<Doubles>(&outcomes, &predictions, rounds as usize);
        quick_is_plain::<Doubles>(&outcomes, &predictions, 5000);
    }
    let rounds = (1 << 22) + 1;
    let last = Decimals::ceiling(<Decimals as Keys>::NARROW.start);
    let words = vec![(0..rounds).map(|t| pack(last - t, true)).collect::<Vec<_>>()];
    let quick = Summary::<Decimals>::of_parts(&words).expect("valid").expect("few");
    let sum = (0..rounds).map(|t| u128::from(last - t)).sum::<u128>();
    assert_eq!(quick.buckets[<Decimals as Keys>::NARROW.start].sum(), sum);
}

/// Levels of tied rounds are known at once, and no further pass is needed.
#[test]
fn ties_in_memory_are_known_to_be_levels() {
    let (outcomes, predictions): (Vec<bool>, Vec<f64>) =
        (0..1000).map(|t| (t % 3 == 0, [0.1, 0.2, 0.5, 0.7, 0.9][t % 5])).unzip();
    let part = Slices { outcomes: &outcomes, predictions: &predictions };
    let summary = Summary::<Doubles>::of_parts(&[part]).expect("valid").expect("few");
    assert!(summary.refine(&Measure::ALL).is_complete());
    assert_eq!(summary, self::summary(&outcomes, &predictions));
}

/// Data of every kind that is handled on its own, in blocks that are whole or not.
#[test]
fn awkward_rounds_agree_with_the_level_table() {
    let tiny = |t: usize| f64::from_bits((t as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 14);
    let any = |t: usize| f64::from_bits((t as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) % ONE);
    let even = |t: usize| 1.0 - f64::from_bits((any(t).to_bits() % (1 << 52)) | ONE) / 2.0;
    let kinds: [&dyn Fn(usize) -> f64; 11] = [
        &|_| 0.0,
        &|_| 1.0,
        &|_| -0.0,
        &|_| 0.3,
        &tiny,
        &any,
        &even,
        &|t| 1.0 - even(t) / 65_536.0,
        &|t| if t % 97 == 5 { tiny(t) } else { even(t) },
        &|t| if t % 3 == 0 { even(t) } else { 0.7 },
        &|t| [0.0, 0.1, 0.5, 1.0, any(t), 0.5_f64.next_down()][t % 6],
    ];
    for (kind, prediction) in kinds.iter().enumerate() {
        for rounds in [1, 15, 16, 17, 511, 512, 545, 3000] {
            let predictions: Vec<f64> = (0..rounds).map(prediction).collect();
            let outcomes: Vec<bool> = (0..rounds).map(|t| t * t % 7 < 3).collect();
            for part in [rounds, 100] {
                quick_is_plain::<Doubles>(&outcomes, &predictions, part);
            }
            let levels = AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
            for evaluation in refined::<Doubles>(&outcomes, &predictions) {
                let expected = levels.evaluate(evaluation.measure);
                assert_eq!(evaluation, expected, "kind {kind}, {rounds} rounds");
            }
        }
    }
}

/// The same for decimals, around every power of ten and near 1.
#[test]
fn awkward_decimals_agree_with_the_level_table() {
    let digits = |t: usize| (t as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) % 10_u64.pow(17);
    let decimal = |digits, places| Decimal::new(digits, places).expect("17 digits at most");
    let kinds: [&dyn Fn(usize) -> Decimal; 9] = [
        &|_| Decimal::ZERO,
        &|_| Decimal::ONE,
        &|_| decimal(3, 1),
        &|t| decimal(digits(t), 17),
        &|t| decimal(digits(t), 17 + (t % 6) as i32),
        &|t| decimal(digits(t), 40 + (t % 39) as i32),
        &|t| decimal(10_u64.pow(17) - (digits(t) >> (t % 57)).max(1), 17),
        &|t| if t % 97 == 5 { decimal(digits(t), 23) } else { decimal(digits(t), 17) },
        &|t| [Decimal::ZERO, Decimal::ONE, decimal(5, 1), decimal(digits(t), 17)][t % 4],
    ];
    for (kind, prediction) in kinds.iter().enumerate() {
        for rounds in [1, 15, 16, 17, 545, 3000] {
            let predictions: Vec<Decimal> = (0..rounds).map(prediction).collect();
            let outcomes: Vec<bool> = (0..rounds).map(|t| t * t % 7 < 3).collect();
            for part in [rounds, 100] {
                quick_is_plain::<Decimals>(&outcomes, &predictions, part);
            }
            let pairs =
                outcomes.iter().zip(&predictions).map(|(x, p)| (*x, crate::Prediction::from(*p)));
            let levels = Forecasts::from_pairs(pairs).expect("valid").levels().expect("few");
            for evaluation in refined::<Decimals>(&outcomes, &predictions) {
                let expected = levels.evaluate(evaluation.measure);
                assert_eq!(evaluation, expected, "kind {kind}, {rounds} rounds");
            }
        }
    }
}

#[test]
fn bad_rounds_are_found_wherever_they_are() {
    for place in 0..40 {
        let mut predictions = [0.5; 40];
        predictions[place] = 1.5;
        let part = Slices { outcomes: &[true; 40], predictions: &predictions };
        assert_eq!(Summary::<Doubles>::of_parts(&[part]), None);
        let mut outcomes = [1_u8; 40];
        outcomes[place] = 2;
        let part = Slices { outcomes: &outcomes, predictions: &[0.5; 40] };
        assert_eq!(Summary::<Doubles>::of_parts(&[part]), None);
    }
}

#[test]
fn rounds_that_are_no_forecasts_are_found_in_memory() {
    for bad in [1.5, -0.5, f64::NAN, f64::INFINITY] {
        let part = Slices { outcomes: &[true, false], predictions: &[0.5, bad] };
        assert_eq!(Summary::<Doubles>::of_parts(&[part]), None);
    }
    let part = Slices { outcomes: &[1_u8, 2], predictions: &[0.5, 0.5] };
    assert_eq!(Summary::<Doubles>::of_parts(&[part]), None);
}
