//! Replicates against null distributions that are enumerated outcome by outcome, and the validity
//! of p-values.
#![expect(clippy::float_arithmetic, reason = "bounds on Monte Carlo errors")]

use crate::parallel;
use crate::rational::ratio;
use ethnum::I256;
use num_bigint::BigInt;
use num_integer::binomial;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::outcomes::Outcomes;
use super::*;
use crate::forecasts::Forecasts;
use crate::levels::Levels;
use crate::random::Random;
use crate::rounding::nearest_f64;

/// The measures that are no averages over subsets.
fn plain() -> Vec<Measure> {
    Measure::ALL.into_iter().filter(|measure| measure.subsampled_from().is_none()).collect()
}

fn levels(rows: &[(&str, u64, u64)]) -> AnyLevels {
    let mut forecasts = Forecasts::new();
    for &(prediction, count, ones) in rows {
        forecasts
            .push_level(prediction.parse().expect("a prediction"), count, ones)
            .expect("valid");
    }
    forecasts.levels().expect("small")
}

fn null(levels: &AnyLevels, measures: &[Measure], replicates: u64, seed: u64) -> Vec<Null> {
    levels.null(measures, &NullOptions { replicates, seed }, &crate::Watch::silent())
}

/// Every table with the same predictions, and its probability if they are true.
fn all_outcomes(levels: &AnyLevels) -> Vec<(AnyLevels, BigRational)> {
    let mut all = vec![(levels.clone(), BigRational::one())];
    let rational = levels.to_rational();
    for (place, level) in rational.table().rows().iter().enumerate() {
        let power =
            |base: &BigRational, exponent: u64| base.pow(i32::try_from(exponent).expect("few"));
        let mut next = vec![];
        for (table, weight) in &all {
            for ones in 0..=level.count {
                let ways: BigInt = binomial(level.count.into(), ones.into());
                let failures = power(&(BigRational::one() - &level.value), level.count - ones);
                let share = BigRational::from(ways) * power(&level.value, ones) * failures;
                if !share.is_zero() {
                    let mut table = table.clone();
                    at_any_width!(&mut table.0, levels => {
                        levels.set_ones(|index, level, _| match index == place {
                            true => ones,
                            false => level.ones,
                        });
                    });
                    next.push((table, weight * share));
                }
            }
        }
        all = next;
    }
    assert!(all.iter().map(|(_, weight)| weight).sum::<BigRational>().is_one());
    all
}

/// The probability of the values for which something holds.
fn probability(law: &[(BigRational, f64)], holds: impl Fn(&BigRational) -> bool) -> f64 {
    law.iter().filter(|(value, _)| holds(value)).map(|(_, weight)| weight).sum()
}

/// Five standard errors of a share of N: fewer than one in a million would stray so far, and the
/// seed is fixed.
fn strays(share: f64, replicates: u64) -> f64 {
    5.0 * (share * (1.0 - share) / replicates as f64).sqrt() + 2.0 / replicates as f64
}

#[test]
fn replicates_follow_the_enumerated_law() {
    const REPLICATES: u64 = 1500;
    let mut strict_differs = 0;
    for rows in [
        &[("1/2", 4, 4)][..],
        &[("0", 1, 0), ("0.1", 2, 1), ("1/3", 1, 1), ("0.75", 2, 0), ("1", 1, 1)],
        &[
            ("0.2", 1, 1),
            ("0.3", 1, 0),
            ("0.45", 1, 1),
            ("0.6", 1, 1),
            ("0.8", 1, 0),
            ("0.9", 1, 0),
        ],
    ] {
        let levels = levels(rows);
        let outcomes = all_outcomes(&levels);
        for (measure, null) in
            Measure::ALL.into_iter().zip(null(&levels, &Measure::ALL, REPLICATES, 5))
        {
            assert_eq!((null.measure, null.replicates, null.seed), (measure, REPLICATES, 5));
            assert_eq!(null.observed, levels.evaluate(measure).value);
            let law: Vec<(BigRational, f64)> = outcomes
                .iter()
                .map(|(table, weight)| (table.evaluate(measure).value, nearest_f64(weight)))
                .collect();

            let mean: f64 = law.iter().map(|(value, weight)| nearest_f64(value) * weight).sum();
            let square: f64 =
                law.iter().map(|(value, weight)| nearest_f64(value).powi(2) * weight).sum();
            let error = ((square - mean * mean) / REPLICATES as f64).sqrt();
            assert!(
                (null.mean - mean).abs() <= 5.0 * error + 1e-12,
                "{measure}: {} is not {mean}",
                null.mean
            );
            let claimed = null.mean_standard_error.expect("many replicates");
            assert!(
                (claimed - error).abs() <= error / 5.0 + 1e-12,
                "{measure}: {claimed} is not {error}"
            );

            let p = probability(&law, |value| *value >= null.observed);
            let found = nearest_f64(&null.p_value());
            assert!((found - p).abs() <= strays(p, REPLICATES), "{measure}: {found} is not {p}");
            let strict = probability(&law, |value| *value > null.observed);
            strict_differs += u32::from((found - strict).abs() > strays(strict, REPLICATES));

            let up_to = probability(&law, |value| *value <= null.percentile_95);
            let below = probability(&law, |value| *value < null.percentile_95);
            assert!(
                up_to >= 0.95 - strays(0.95, REPLICATES),
                "{measure}: only {up_to} up to the percentile"
            );
            assert!(
                below <= 0.95 + strays(0.95, REPLICATES),
                "{measure}: {below} below the percentile"
            );
        }
    }
    assert!(strict_differs > 10, "leaving out ties would be noticed");
}

/// A table drawn from the truth, `number` of a seed.
fn truthful(levels: &AnyLevels, seed: u64, number: u64) -> AnyLevels {
    let mut drawn = levels.clone();
    let mut random = Random::new(seed, number);
    at_any_width!(&mut drawn.0, levels => {
        let outcomes = Outcomes::new(levels.table());
        levels.set_ones(|index, level, unit| outcomes.ones(index, level, unit, &mut random));
    });
    drawn
}

/// A truthful forecaster is rejected at level α with a probability of at most α. Without the 1 in
/// the p-value that is not so.
#[test]
fn p_values_keep_their_level() {
    const TRIALS: u64 = 250;
    let measures = [
        Measure::Ece,
        Measure::StepCe,
        Measure::IntervalCe,
        Measure::VCal,
        Measure::UCal,
        Measure::SmCe,
    ];
    let spread: Vec<String> = (1..12).map(|k| format!("{k}/12")).collect();
    let levels = levels(&spread.iter().map(|v| (v.as_str(), 5, 0)).collect::<Vec<_>>());
    // (N, the share of p-values up to 0.05 without ties)
    for (replicates, share) in [(39, 0.05), (3, 0.0)] {
        let trials = parallel::map((0..TRIALS).collect(), |trial| {
            null(&truthful(&levels, 11, trial), &measures, replicates, 1000 + trial)
        });
        let twentieth = ratio(1, 20);
        let rejected = (0..measures.len())
            .map(|of| trials.iter().filter(|nulls| nulls[of].p_value() <= twentieth).count());
        let rejected_without_the_one =
            trials.iter().filter(|nulls| 20 * nulls[1].at_least <= replicates).count();
        for (measure, rejected) in measures.iter().zip(rejected) {
            let found = rejected as f64 / TRIALS as f64;
            assert!(found <= share + strays(share, TRIALS), "{measure}: {found} of the p-values");
            assert!(
                found >= share - 0.03,
                "{measure}: {found} of the p-values, which never reject"
            );
        }
        let found = rejected_without_the_one as f64 / TRIALS as f64;
        assert!(found > 0.05 + strays(0.05, TRIALS) || replicates == 39, "{found}");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let levels = levels(&[("0.1", 3, 1), ("1/3", 70, 20), ("0.7", 1, 1), ("0.9", 2, 0)]);
    let on = |threads| parallel::on(threads, || null(&levels, &plain(), 700, 3));
    let one = on(1);
    assert_eq!((&one, &one), (&on(2), &on(5)));
    assert_ne!(one, null(&levels, &plain(), 700, 4), "another seed");
}

/// The digits of a prediction do not depend on the type that holds it.
#[test]
fn the_width_does_not_matter() {
    fn at<N: Number>(wrap: impl Fn(Levels<N>) -> AnyLevels) -> AnyLevels {
        let number = |count| N::from_count(count);
        let level = |(value, count, ones)| Level { value: number(value), count, ones };
        let rows =
            [(0, 1, 0), (7, 1, 1), (12, 5, 2), (20, 1, 0), (29, 40, 33), (30, 1, 1)].map(level);
        wrap(Levels::new(number(30), rows.to_vec()).expect("valid"))
    }
    let narrow = null(&at::<i32>(AnyLevels::from), &plain(), 200, 2);
    for wide in [
        at::<i64>(AnyLevels::from),
        at::<i128>(AnyLevels::from),
        at::<I256>(AnyLevels::from),
        at::<BigInt>(AnyLevels::from),
    ] {
        assert_eq!(null(&wide, &plain(), 200, 2), narrow);
    }
}

#[test]
fn without_variance_there_is_no_limit() {
    let right = levels(&[("0", 3, 0), ("1", 2, 2)]);
    let wrong = levels(&[("0", 3, 1), ("1", 2, 2)]);
    for (levels, p) in
        [(right, "1"), (wrong, "1/10"), (Forecasts::new().levels().expect("empty"), "1")]
    {
        for null in null(&levels, &Measure::ALL, 9, 1) {
            assert_eq!((null.mean, null.mean_standard_error), (0.0, Some(0.0)));
            assert!(null.percentile_95.is_zero());
            assert_eq!(
                (null.p_value(), null.asymptotic_p_value),
                (p.parse().expect("a rational"), None)
            );
        }
    }
    let one = &null(&levels(&[("1/2", 3, 1)]), &[Measure::StepCe], 1, 1)[0];
    assert_eq!(one.mean_standard_error, None);
    assert!(one.asymptotic_p_value.is_some());
}

/// MAPIE's example of its Kolmogorov-Smirnov statistic: 0.978.
#[test]
fn the_statistic_is_the_one_that_others_print() {
    let rounds = [(false, "0.1"), (true, "0.9"), (false, "0.21"), (true, "0.9"), (false, "0.5")];
    let levels = Forecasts::from_pairs(rounds).expect("valid").levels().expect("small");
    let nulls = null(&levels, &[Measure::StepCe, Measure::IntervalCe], 1, 1);
    let statistic = nearest_f64(&nulls[0].observed) / 0.6859_f64.sqrt();
    assert_eq!(format!("{statistic:.3}"), "0.978");
    let close =
        |found: Option<f64>, value: f64| (found.expect("there is variance") - value).abs() < 1e-14;
    assert!(close(nulls[0].asymptotic_p_value, brownian::maximum_above(statistic)));
    // The walk falls first: with its start, as it should be, its range is its maximum.
    assert_eq!(nulls[0].observed, nulls[1].observed);
    assert!(close(nulls[1].asymptotic_p_value, brownian::range_above(statistic)));
}

/// With many rounds the replicates agree with the limit; with few the limit is larger, for a walk
/// seen now and then has a smaller maximum.
#[test]
fn the_limit_is_approached_from_the_safe_side() {
    let measures = [Measure::StepCe, Measure::IntervalCe];
    for (levels, rounds, allowed) in [(12_u64, 1, 0.3), (1500, 4, 0.06)] {
        let rows: Vec<String> = (1..=levels).map(|k| format!("{k}/{}", levels + 1)).collect();
        let table = self::levels(&rows.iter().map(|v| (v.as_str(), rounds, 0)).collect::<Vec<_>>());
        let mut excess = 0.0;
        for trial in 0..6 {
            for null in null(&truthful(&table, 23, trial), &measures, 800, trial) {
                let limit = null.asymptotic_p_value.expect("there is variance");
                let difference = limit - nearest_f64(&null.p_value());
                assert!(difference.abs() < allowed, "{levels} levels: {difference}");
                excess += difference;
            }
        }
        assert!(excess > 0.0, "{excess}");
    }
}

/// The cost that is stated is enough for every table that may be drawn (twice as much for what
/// meets in the middle, whose halves may be even).
#[test]
fn the_cost_is_that_of_the_worst_replicate() {
    let table = levels(&[
        ("0", 4, 0),
        ("0.2", 3, 3),
        ("0.5", 5, 0),
        ("0.6", 1, 0),
        ("0.8", 2, 2),
        ("1", 3, 3),
    ]);
    let mut largest = 0;
    for (drawn, _) in all_outcomes(&table) {
        for measure in Measure::ALL {
            let (stated, cost) =
                (table.null_cost(measure, 1).expect("small"), drawn.cost(measure).expect("small"));
            let meets = matches!(measure, Measure::StepCeSub | Measure::VCalSub);
            assert!(cost <= stated * if meets { 2 } else { 1 }, "{measure}: {cost} of {stated}");
            largest = largest.max(cost);
        }
    }
    assert_eq!(table.null_cost(Measure::Ssce, 1), Some(largest), "no more than that of some table");
    assert_eq!(table.null_cost(Measure::Ssce, 7), Some(7 * largest));
    assert_eq!(table.null_cost(Measure::UCal, 7), Some(0));
}
