//! How long building a level table and each measure take, as ratios within one run.
//!
//! `cargo bench` prints three tables in Markdown. The first is relative to sorting the predictions as doubles,
//! which any implementation must do; the second to the literal definition on the same rounds; the third, of stepCE^sub, to a
//! walk over every subset.

#![allow(clippy::float_arithmetic, reason = "ratios of times")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_rational::BigRational;
use truecal::{Forecasts, Measure};

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
            Measure::UCal | Measure::SmCe => 12,
            Measure::StepCeSub | Measure::VCalSub => 12,
            Measure::UCalSub | Measure::Ssce => 8,
            _ => 200,
        };
        println!("| {measure} | {rounds} | {:.0} |", against_definition(measure, rounds));
    }

    println!("\nstepCE^sub of distinct predictions against a walk over every subset:\n");
    println!("| rounds | times faster |\n|---:|---:|");
    for rounds in [12, 16, 20, 22, 24] {
        println!("| {rounds} | {:.1} |", against_walk(rounds));
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

/// The time of a walk over every subset over that of the meeting in the middle, which must give the same.
fn against_walk(rounds: usize) -> f64 {
    let texts = rows_of_text(rounds);
    let pairs = texts.iter().map(|(x, p)| (*x, p.as_str()));
    let levels = Forecasts::from_pairs(pairs).expect("valid").levels().expect("small");
    let million = BigRational::from_integer(1_000_000.into());
    let table = levels.to_rational();
    let biases: Vec<i64> = table
        .table()
        .biases()
        .map(|bias| (bias * &million).to_integer().try_into().expect("small"))
        .collect();
    assert_eq!(biases.len(), rounds, "distinct predictions");

    let average = BigRational::new(walk(&biases, 0, 0).into(), BigInt::from(1) << rounds) / million;
    assert_eq!(levels.evaluate(Measure::StepCeSub).value, average);
    let every_subset = median(|| walk(black_box(&biases), 0, 0));
    let meeting = median(|| levels.evaluate(Measure::StepCeSub));
    every_subset.as_secs_f64() / meeting.as_secs_f64()
}

/// The sum over all subsets of the largest |prefix sum|, after a prefix.
fn walk(biases: &[i64], prefix: i64, largest: i64) -> i64 {
    let Some((bias, higher)) = biases.split_first() else { return largest };
    let kept = prefix + bias;
    walk(higher, prefix, largest) + walk(higher, kept, largest.max(kept.abs()))
}

/// Calibrated forecasts with six decimals, the same in every run.
fn rows_of_text(rows: usize) -> Vec<(bool, String)> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let row = |_| {
        let prediction = random(1_000_000);
        (random(1_000_000) < prediction, format!("0.{prediction:06}"))
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
