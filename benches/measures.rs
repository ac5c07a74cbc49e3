//! How long building a level table and each measure take, as ratios within one run.
//!
//! `cargo bench` prints three tables in Markdown. The first is relative to sorting the predictions
//! as doubles, which any implementation must do; the second to the literal definition on the same
//! rounds; the third, of stepCE^sub and VCal^sub, to walks over every subset.

#![allow(clippy::float_arithmetic, reason = "ratios of times")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_rational::BigRational;
use truecal::rational::int;
use truecal::{AnyLevels, Forecasts, Level, Measure};
use truecal_benches::data::Random;

fn main() {
    println!("Relative to `sort_unstable` of the same predictions as doubles:\n");
    println!("| step | 10^4 rows | 10^6 rows |\n|---|---:|---:|");
    let [small, large] = [10_000, 1_000_000].map(against_sorting);
    for ((step, small), (_, large)) in small.iter().zip(&large) {
        println!("| {step} | {small:.2} | {large:.2} |");
    }

    println!("\nThe formula against the literal definition, on the same rounds:\n");
    println!("| measure | rounds | times faster |\n|---|---:|---:|");
    for measure in Measure::ALL {
        let rounds = match measure {
            // Definitions that solve linear programmes, or visit all subsets, or both.
            Measure::UCal | Measure::Cdl | Measure::SmCe => 12,
            Measure::StepCeSub | Measure::VCalSub => 12,
            Measure::UCalSub | Measure::Ssce => 8,
            Measure::Ece
            | Measure::StepCe
            | Measure::SignCe
            | Measure::IntervalCe
            | Measure::VCal => 200,
        };
        println!("| {measure} | {rounds} | {:.0} |", against_definition(measure, rounds));
    }

    println!("\nDistinct predictions, against a walk over every subset (times faster):\n");
    println!("| rounds | stepCE^sub | VCal^sub |\n|---:|---:|---:|");
    for rounds in [12, 16, 20, 22, 24, 26] {
        let levels = levels_of(rounds);
        let (step, v) = (against_step_walk(&levels), against_v_walk(&levels));
        println!("| {rounds} | {step:.1} | {v:.1} |");
    }
}

/// Times of each step over the time of a sort.
fn against_sorting(rows: usize) -> Vec<(String, f64)> {
    let texts = rows_of_text(rows);
    let doubles: Vec<f64> = texts.iter().map(|(_, p)| p.parse().expect("a decimal")).collect();
    let sort = median(|| {
        let mut sorted = doubles.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted
    });
    let gather =
        || Forecasts::from_pairs(texts.iter().map(|(x, p)| (*x, p.as_str()))).expect("valid");
    let forecasts = gather();
    let levels = forecasts.levels().expect("a common denominator");
    let mut times = vec![
        ("read predictions from text and tally them".to_owned(), median(gather)),
        ("build the level table".to_owned(), median(|| forecasts.levels())),
    ];
    for measure in Measure::ALL.into_iter().filter(|m| m.subsampled_from().is_none()) {
        times.push((measure.to_string(), median(|| levels.evaluate(measure))));
    }
    let ratio = |time: Duration| time.as_secs_f64() / sort.as_secs_f64();
    times.into_iter().map(|(step, time)| (step, ratio(time))).collect()
}

/// The time of the definition over that of the formula.
fn against_definition(measure: Measure, rounds: usize) -> f64 {
    let texts = rows_of_text(rounds);
    let pairs = texts.iter().map(|(x, p)| (*x, p.as_str()));
    let levels = Forecasts::from_pairs(pairs).expect("valid").levels().expect("small");
    let rounds = levels.to_rational().to_rounds();
    let definition = median(|| measure.define(&rounds));
    let formula = median(|| levels.evaluate(measure));
    definition.as_secs_f64() / formula.as_secs_f64()
}

/// Rounds with distinct predictions.
fn levels_of(rounds: usize) -> AnyLevels {
    let texts = rows_of_text(rounds);
    let pairs = texts.iter().map(|(x, p)| (*x, p.as_str()));
    let levels = Forecasts::from_pairs(pairs).expect("valid").levels().expect("small");
    assert_eq!(levels.len(), rounds, "distinct predictions");
    levels
}

/// The prediction of each level in millionths, and its outcome.
fn in_millionths(levels: &AnyLevels) -> Vec<(i64, i64)> {
    let million = int(1_000_000);
    let row = |level: &Level<BigRational>| {
        let prediction = (&level.value * &million).to_integer();
        (prediction.try_into().expect("small"), level.ones as i64)
    };
    levels.to_rational().table().rows().iter().map(row).collect()
}

/// The time of a walk over every subset over that of the meeting in the middle, which must give the
/// same.
fn against_step_walk(levels: &AnyLevels) -> f64 {
    let rows = in_millionths(levels);
    let biases: Vec<i64> = rows.iter().map(|(p, x)| x * 1_000_000 - p).collect();
    against(levels, Measure::StepCeSub, || step_walk(black_box(&biases), 0, 0))
}

/// The same for VCal^sub.
fn against_v_walk(levels: &AnyLevels) -> f64 {
    let rows = in_millionths(levels);
    let mut kept = Vec::new();
    against(levels, Measure::VCalSub, || v_walk(black_box(&rows), &mut kept))
}

fn against(levels: &AnyLevels, measure: Measure, mut walk: impl FnMut() -> i64) -> f64 {
    let subsets = int(BigInt::from(1_000_000) << levels.rounds());
    let start = Instant::now();
    let sum = walk();
    let first = start.elapsed();
    assert_eq!(levels.evaluate(measure).value, int(sum) / subsets);
    // A walk of seconds is not repeated.
    let every_subset = if first > Duration::from_secs(1) { first } else { median(walk) };
    let meeting = median(|| levels.evaluate(measure));
    every_subset.as_secs_f64() / meeting.as_secs_f64()
}

/// The sum over all subsets of the largest |prefix sum|, after a prefix.
fn step_walk(biases: &[i64], prefix: i64, largest: i64) -> i64 {
    let Some((bias, higher)) = biases.split_first() else { return largest };
    let kept = prefix + bias;
    step_walk(higher, prefix, largest) + step_walk(higher, kept, largest.max(kept.abs()))
}

/// The sum over all subsets of VCal, after what is kept of the lower levels.
fn v_walk(rows: &[(i64, i64)], kept: &mut Vec<(i64, i64)>) -> i64 {
    if let Some((row, higher)) = rows.split_first() {
        let without = v_walk(higher, kept);
        kept.push(*row);
        let with = v_walk(higher, kept);
        kept.pop();
        return without + with;
    }
    let (mut below, mut ones_below) = (0, 0);
    let (mut above, mut ones_above) =
        (kept.len() as i64, kept.iter().map(|row| row.1).sum::<i64>());
    let mut sup = 0;
    for (p, x) in kept.iter() {
        sup = sup.max(p * above - ones_above * 1_000_000);
        (below, ones_below) = (below + 1, ones_below + x);
        (above, ones_above) = (above - 1, ones_above - x);
        sup = sup.max(ones_below * 1_000_000 - p * below);
    }
    2 * sup
}

/// Calibrated forecasts with six decimals, the same in every run.
fn rows_of_text(rows: usize) -> Vec<(bool, String)> {
    let mut random = Random::default();
    let row = |_| {
        let prediction = random.below(1_000_000);
        (random.below(1_000_000) < prediction, format!("0.{prediction:06}"))
    };
    (0..rows).map(row).collect()
}

/// The median time of several runs, about a second in all.
fn median<T>(mut work: impl FnMut() -> T) -> Duration {
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < 5 || (start.elapsed() < Duration::from_secs(1) && times.len() < 101) {
        let start = Instant::now();
        black_box(work());
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}
