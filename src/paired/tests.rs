//! Replicates against every way to swap, by a literal reading in rationals.
#![expect(clippy::float_arithmetic, reason = "bounds on Monte Carlo errors")]

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

use super::*;
use crate::definitions::Round;
use crate::forecasts::ForecastsError;
use crate::parallel;
use crate::prediction::Prediction;
use crate::rational::ratio;
use crate::rounding::nearest_f64;

/// The measures that are no averages over subsets.
fn plain() -> Vec<Measure> {
    Measure::ALL.into_iter().filter(|measure| measure.subsampled_from().is_none()).collect()
}

/// One round: the outcome and two predictions.
type Both = (bool, [Prediction; 2]);

fn prediction(text: &str) -> Prediction {
    text.parse().expect("a prediction")
}

fn rounds(texts: &[(u8, &str, &str)]) -> Vec<Both> {
    texts.iter().map(|(x, p, q)| (*x == 1, [prediction(p), prediction(q)])).collect()
}

fn gathered(rounds: &[Both]) -> PairedForecasts {
    let mut all = PairedForecasts::new(2);
    for (outcome, predictions) in rounds {
        all.push(*outcome, predictions).expect("few");
    }
    all
}

fn compare(rounds: &[Both], replicates: u64, seed: u64) -> Vec<Paired> {
    let pair = gathered(rounds).pair(0, 1).expect("small");
    let options = PairedOptions { replicates, seed };
    pair.compare(&plain(), &options, &Watch::silent()).expect("plain measures")
}

/// What each of the two predicted if the rounds of the set are swapped.
fn swapped(rounds: &[Both], set: u32) -> [Vec<Round>; 2] {
    [0, 1].map(|own| {
        let round = |(t, (outcome, predictions)): (usize, &Both)| {
            let other = usize::from(set >> t & 1 == 1);
            (*outcome, predictions[own ^ other].to_rational())
        };
        rounds.iter().enumerate().map(round).collect()
    })
}

/// The value of a measure by the formulas, in rationals with unit 1.
fn value(measure: Measure, rounds: &[Round]) -> BigRational {
    let levels = crate::Forecasts::from_pairs(rounds.iter().cloned()).expect("valid");
    levels.levels().expect("small").evaluate(measure).value
}

/// Of all 2^T ways to swap, those in which the difference is at least the one observed, and those
/// in which it is larger.
fn enumerated(measure: Measure, rounds: &[Both]) -> (BigRational, BigRational) {
    let gap = |set| {
        let [first, second] = swapped(rounds, set).map(|rounds| value(measure, &rounds));
        (first - second).abs()
    };
    let (observed, all) = (gap(0), 1 << rounds.len());
    let share = |holds: &dyn Fn(BigRational) -> bool| {
        let count = (0..all).filter(|&set| holds(gap(set))).count();
        ratio(i64::try_from(count).expect("few"), all.into())
    };
    (share(&|gap| gap >= observed), share(&|gap| gap > observed))
}

/// Ten rounds, of all kinds: ties between the two and within each, the same pair in both orders,
/// certain predictions, long ones.
fn awkward() -> Vec<Vec<Both>> {
    vec![
        rounds(&[
            (1, "0.5", "0.1"),
            (1, "0.5", "0.1"),
            (1, "0.1", "0.5"),
            (0, "0.5", "0.1"),
            (0, "0.1", "0.5"),
            (1, "0.5", "0.5"),
            (0, "0.9", "0.1"),
            (1, "0.9", "1"),
        ]),
        rounds(&[
            (1, "0", "1"),
            (0, "0", "1"),
            (1, "1/3", "2/3"),
            (0, "2/7", "0.2"),
            (1, "5e-324", "0.99999999999999999"),
            (0, "0.12345678901234567", "5e-324"),
            (1, "0.75", "0.7"),
        ]),
        rounds(&[
            (1, "0.9", "0.2"),
            (1, "0.8", "0.3"),
            (1, "0.85", "0.25"),
            (0, "0.1", "0.7"),
            (0, "0.2", "0.6"),
            (0, "0.15", "0.65"),
            (1, "0.95", "0.35"),
            (0, "0.05", "0.55"),
        ]),
    ]
}

/// Five standard errors of a share of N: fewer than one in a million would stray so far, and the
/// seed is fixed.
fn strays(share: f64, replicates: u64) -> f64 {
    5.0 * (share * (1.0 - share) / replicates as f64).sqrt() + 2.0 / replicates as f64
}

#[test]
fn p_values_are_those_of_all_swaps() {
    const REPLICATES: u64 = 4000;
    let (mut strict_differs, mut swaps_matter) = (0, 0);
    for rounds in awkward() {
        for (measure, paired) in plain().into_iter().zip(compare(&rounds, REPLICATES, 3)) {
            assert_eq!((paired.measure, paired.replicates, paired.seed), (measure, REPLICATES, 3));
            let [first, second] = swapped(&rounds, 0).map(|own| measure.define(&own));
            assert_eq!((&paired.first, &paired.second), (&first, &second), "{measure}");
            assert_eq!(paired.difference, first - second);

            let (p, strict) = enumerated(measure, &rounds);
            let (p, strict) = (nearest_f64(&p), nearest_f64(&strict));
            let found = nearest_f64(&paired.p_value());
            assert!((found - p).abs() <= strays(p, REPLICATES), "{measure}: {found} is not {p}");
            // Mistakes that would be noticed: ties left out, and swaps that never happen.
            strict_differs += u32::from((found - strict).abs() > strays(strict, REPLICATES));
            swaps_matter += u32::from((found - 1.0).abs() > 0.05);
        }
    }
    assert!(strict_differs >= 15 && swaps_matter >= 15, "{strict_differs}, {swaps_matter}");
}

/// Groups of several rounds are swapped one by one: two groups, of six rounds and of three, against
/// all ways to swap nine.
#[test]
fn groups_are_swapped_binomially() {
    const REPLICATES: u64 = 4000;
    let both = [prediction("0.6"), prediction("0.3")];
    let mut all = PairedForecasts::new(2);
    all.push_rounds(&both, 9, 6).expect("few");
    let pair = all.pair(0, 1).expect("small");
    let options = PairedOptions { replicates: REPLICATES, seed: 8 };
    let one: Vec<Both> =
        (0..9).map(|round| (round < 6, [both[0].clone(), both[1].clone()])).collect();
    let found = pair.compare(&plain(), &options, &Watch::silent()).expect("plain");
    let mut whole_differs = 0;
    for paired in found {
        let (p, _) = enumerated(paired.measure, &one);
        let p = nearest_f64(&p);
        let found = nearest_f64(&paired.p_value());
        assert!((found - p).abs() <= strays(p, REPLICATES), "{}: {found}, {p}", paired.measure);
        // Whole groups swapped together would give all or nothing.
        whole_differs += u32::from((found - 1.0).abs() > strays(p, REPLICATES));
    }
    assert!(whole_differs >= 6, "{whole_differs}");
}

/// Whether what was assumed of a table holds.
fn is_valid<N: crate::Number>(table: crate::Table<'_, N>) {
    let levels = crate::Levels::new(table.unit().clone(), table.rows().to_vec());
    assert!(levels.is_ok(), "{levels:?}");
}

/// The measures do not see levels without rounds: a replicate is the table that a literal swap of
/// the same rounds makes.
#[test]
fn tables_are_those_of_the_swapped_rounds() {
    for rounds in awkward() {
        let all = gathered(&rounds);
        let plan = plan::Plan::new(&all, 0, 1).expect("small");
        at_any_width!(&plan.levels.0, levels => {
            let mut tables = tables::Tables::new();
            tables.fill(&plan, levels.table(), &plan.observed);
            for (table, own) in tables.both(levels.table().unit()).into_iter().zip([0, 1]) {
                let expected = all.forecasts(own).expect("two").levels().expect("small");
                let rows = table.rows().iter().map(|row| crate::Level {
                    value: table.rational(&row.value),
                    count: row.count,
                    ones: row.ones,
                });
                assert_eq!(rows.collect::<Vec<_>>(), expected.to_rational().table().rows());
            }
            for seed in 0..20 {
                let mut draw = plan::Draw::default();
                draw.draw(&plan, crate::Random::new(seed, 0));
                tables.fill(&plan, levels.table(), &draw);
                let [first, second] = tables.both(levels.table().unit());
                for table in [first, second] {
                    assert_eq!(table.rounds(), rounds.len() as u64);
                    is_valid(table);
                }
                // Nothing is lost between the two.
                let ones = rounds.iter().filter(|(outcome, _)| *outcome).count() as u64;
                assert_eq!(first.ones(), ones);
                assert_eq!(second.ones(), ones);
            }
        });
    }
}

#[test]
fn who_predicts_the_same_is_no_better() {
    for texts in
        [&[][..], &[(1, "0.3", "0.30")], &[(1, "0", "0"), (0, "1/3", "1/3"), (1, "1", "1")]]
    {
        for paired in compare(&rounds(texts), 50, 1) {
            assert!(paired.difference.is_zero());
            assert!(paired.p_value().is_one());
            assert_eq!(paired.p_value_standard_error(), 0.0);
        }
    }
    // As many rounds as there can be, without a coin.
    let mut all = PairedForecasts::new(3);
    let same = ["0.5", "1/2", "0.1"].map(prediction);
    all.push_rounds(&same, u64::MAX, u64::MAX - 1).expect("just so many");
    let pair = all.pair(1, 0).expect("small");
    let options = PairedOptions { replicates: 3, seed: 1 };
    for paired in pair.compare(&plain(), &options, &Watch::silent()).expect("plain") {
        assert_eq!((paired.difference, paired.at_least), (BigRational::zero(), 3));
        assert!(paired.first > ratio(i64::MAX / 2, 1));
    }
    assert_eq!(all.push(true, &same), Err(ForecastsError::Rounds));
    // A comparison that would take a coin for each of them says so.
    let work = all.pair(0, 2).expect("small").work(&[Measure::StepCe], 1000);
    assert!(work > 1 << 60, "{work}");
}

#[test]
fn a_much_better_forecaster_stands_out() {
    // The truth against its opposite, with rounds that are all different.
    let sharp: Vec<Both> = (0..60_i64)
        .map(|t| {
            let outcome = t % 2 == 0;
            let good = if outcome { ratio(900 + t, 1000) } else { ratio(100 - t, 1000) };
            let bad = BigRational::one() - &good + ratio(1, 10_000);
            (outcome, [good, bad].map(|p| Prediction::try_from(p).expect("in [0, 1]")))
        })
        .collect();
    for paired in compare(&sharp, 999, 4) {
        assert!(paired.difference < BigRational::zero(), "{}", paired.measure);
        assert_eq!(paired.p_value(), ratio(1, 1000), "{}", paired.measure);
    }
}

/// Where the two are exchangeable, the level is kept, for every measure.
#[test]
fn p_values_keep_their_level() {
    const TRIALS: u64 = 200;
    let trial = |number| {
        let mut random = crate::Random::new(77, number);
        let mut part = || Prediction::from_parts(random.next() % 101, 100).expect("in [0, 1]");
        let all: Vec<[Prediction; 3]> = (0..30).map(|_| [part(), part(), part()]).collect();
        let outcome = |own: &[Prediction; 3]| own[2] > prediction("0.6");
        let rounds: Vec<Both> =
            all.iter().map(|own| (outcome(own), [own[0].clone(), own[1].clone()])).collect();
        compare(&rounds, 39, number)
    };
    let trials = parallel::map((0..TRIALS).collect(), trial);
    for (index, measure) in plain().into_iter().enumerate() {
        let low = |paired: &&Vec<Paired>| paired[index].p_value() <= ratio(1, 20);
        let found = trials.iter().filter(low).count() as f64 / TRIALS as f64;
        assert!(found <= 0.05 + strays(0.05, TRIALS), "{measure}: {found} of the p-values");
        assert!(found > 0.0, "{measure} never rejects");
    }
}

#[test]
fn neither_threads_nor_the_order_matter() {
    let rounds = &awkward()[0];
    let on = |threads| parallel::on(threads, || compare(rounds, 700, 3));
    let one = on(1);
    assert_eq!((&one, &one), (&on(2), &on(5)));
    assert_ne!(one, compare(rounds, 700, 4).into_iter().collect::<Vec<_>>(), "another seed");

    let other = gathered(rounds).pair(1, 0).expect("small");
    let options = PairedOptions { replicates: 700, seed: 3 };
    let other = other.compare(&plain(), &options, &Watch::silent()).expect("plain");
    for (own, other) in one.iter().zip(&other) {
        assert_eq!((&own.first, &own.second), (&other.second, &other.first));
        assert_eq!(own.difference, -&other.difference);
        assert_eq!(own.at_least, other.at_least, "{}", own.measure);
    }
    // Measures do not depend on which others are asked for, and fewer replicates are the first.
    let pair = gathered(rounds).pair(0, 1).expect("small");
    let alone = pair.compare(&[Measure::UCal], &options, &Watch::silent()).expect("plain");
    assert_eq!(alone[0], one[6]);
    let mut counts = vec![];
    for replicates in [1, 16, 17, 100, 700] {
        let options = PairedOptions { replicates, seed: 3 };
        let all = pair.compare(&[Measure::Ece], &options, &Watch::silent()).expect("plain");
        counts.push((replicates, all[0].at_least));
    }
    assert!(counts.is_sorted_by(|a, b| a.1 <= b.1 && b.1 - a.1 <= b.0 - a.0), "{counts:?}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let mut all = PairedForecasts::new(2);
    let two = ["0.1", "0.2"].map(prediction);
    assert_eq!(
        all.push(true, &two[..1]),
        Err(ForecastsError::Forecasters { predictions: 1, forecasters: 2 })
    );
    assert_eq!(all.push_rounds(&two, 1, 2), Err(ForecastsError::Ones { count: 1, ones: 2 }));
    all.push_rounds(&two, 0, 0).expect("nothing");
    assert_eq!(all, PairedForecasts::new(2));
    assert!(all.forecasts(1).is_some() && all.forecasts(2).is_none());
    for (first, second) in [(0, 2), (2, 0)] {
        let error = PairedError::Forecaster { forecaster: 2, forecasters: 2 };
        assert_eq!(all.pair(first, second).err(), Some(error));
    }
    let pair = all.pair(0, 1).expect("no rounds");
    let options = PairedOptions::default();
    for measure in Measure::ALL {
        let refused = pair.compare(&[Measure::Ece, measure], &options, &Watch::silent()).err();
        let average = measure.subsampled_from().map(|_| PairedError::Average { measure });
        assert_eq!(refused, average);
    }
    // Denominators that have nothing in common.
    let mut long = PairedForecasts::new(2);
    for places in 1..=40_u32 {
        let below: BigInt = BigInt::from(10).pow(4000) + 2 * places + 1;
        let part = |above: u32| {
            Prediction::try_from(BigRational::new(above.into(), below.clone())).expect("tiny")
        };
        long.push(true, &[part(1), part(2)]).expect("few");
    }
    assert!(matches!(long.pair(0, 1), Err(PairedError::Denominator(_))));
}

#[test]
fn every_replicate_is_told() {
    let told = std::sync::atomic::AtomicU64::new(0);
    let tell = |news: crate::Progress<'_>| {
        if let crate::Progress::Done(some) = news {
            told.fetch_add(some, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let pair = gathered(&awkward()[0]).pair(0, 1).expect("small");
    let options = PairedOptions { replicates: 37, seed: 1 };
    pair.compare(&[Measure::Ece], &options, &Watch::new(&|| true, &tell)).expect("plain");
    assert_eq!(told.into_inner(), 37);
}

/// A third forecaster changes nothing between the other two.
#[test]
fn others_do_not_matter() {
    let rounds = &awkward()[0];
    let mut all = PairedForecasts::new(3);
    for (t, (outcome, [first, second])) in (0..).zip(rounds) {
        let third = Prediction::from_parts(t, 17).expect("in [0, 1]");
        all.push(*outcome, &[first.clone(), third, second.clone()]).expect("few");
    }
    let pair = all.pair(0, 2).expect("small");
    assert_eq!(pair, gathered(rounds).pair(0, 1).expect("small"));
}

fn some_prediction() -> impl Strategy<Value = Prediction> {
    let some = ["0", "1", "0.5", "1/3", "0.3", "0.75", "5e-324", "0.12345678901234567"];
    prop::sample::select(some.to_vec()).prop_map(prediction)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// On a few rounds of any kind: values, differences and p-values by the definitions and by
    /// enumeration, and no more than six standard errors apart.
    #[test]
    fn agrees_with_the_literal_test(
        rounds in prop::collection::vec(
            (any::<bool>(), [some_prediction(), some_prediction()]), 0..6),
        seed: u64,
    ) {
        for paired in compare(&rounds, 300, seed) {
            let [first, second] = swapped(&rounds, 0).map(|own| paired.measure.define(&own));
            prop_assert_eq!(&paired.difference, &(&first - &second));
            let (p, _) = enumerated(paired.measure, &rounds);
            let (p, found) = (nearest_f64(&p), nearest_f64(&paired.p_value()));
            let error = 6.0 / 5.0 * strays(p, 300) + 1e-12;
            prop_assert!((found - p).abs() <= error, "{}: {} is not {}", paired.measure, found, p);
        }
    }
}
