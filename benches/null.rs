//! How long replicates of the null distribution take, beside plain doubles.
//!
//! `cargo bench --bench null` draws 256 replicates of 10^4 to 10^6 rounds and prints a table in
//! Markdown: nanoseconds for a round of a replicate in plain doubles, which is a uniform number for
//! every round, a cumulative sum and its extremes; then how many times faster the exact replicates
//! of each measure are. `-- --replicates N` draws more, `-- --rounds T` has only so many rounds.

#![allow(clippy::float_arithmetic, reason = "ratios of times, and the baseline")]

use std::hint::black_box;
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use truecal::null::NullOptions;
use truecal::{AnyLevels, Forecasts, Measure, Watch};
use truecal_benches::data::{self, Data, Random};

/// What is drawn at once.
const COLUMNS: [(&str, &[Measure]); 3] = [
    ("stepCE, intervalCE", &[Measure::StepCe, Measure::IntervalCe]),
    ("VCal", &[Measure::VCal]),
    ("UCal", &[Measure::UCal]),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| -> Option<usize> {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1)?.parse().ok()
    };
    let replicates = option("--replicates").unwrap_or(256);
    let sizes = option("--rounds").map_or(vec![10_000, 100_000, 1_000_000], |size| vec![size]);

    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let names = names.join(" | ");
    println!("| predictions | rounds | plain doubles, ns | {names} | on all threads: {names} |");
    println!("|---|---:|---:|{}", "---:|".repeat(2 * COLUMNS.len()));
    for size in sizes {
        for data in data::usual(size) {
            row(&data, replicates);
        }
    }
}

fn row(data: &Data, replicates: usize) {
    let runs = if data.predictions.len() > 200_000 { 3 } else { 5 };
    let levels = levels(data);
    let plain = seconds(runs, || plain(&data.predictions, replicates));
    let ns = 1e9 * plain / (data.predictions.len() * replicates) as f64;
    let replicates = replicates as u64;
    let null = |measures: &[Measure]| {
        let options = NullOptions { replicates, seed: 1 };
        plain / seconds(runs, || levels.null(measures, &options, &Watch::silent()))
    };
    let single = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let one: Vec<f64> =
        COLUMNS.iter().map(|(_, measures)| single.install(|| null(measures))).collect();
    let all: Vec<f64> = COLUMNS.iter().map(|(_, measures)| null(measures)).collect();
    let times: Vec<String> = one.iter().chain(&all).map(|ratio| format!("{ratio:.1}")).collect();
    let rounds = data.predictions.len();
    println!("| {} | {rounds} | {ns:.2} | {} |", data.name, times.join(" | "));
}

fn levels(data: &Data) -> AnyLevels {
    let mut forecasts = Forecasts::new();
    for (&outcome, &prediction) in data.outcomes.iter().zip(&data.predictions) {
        forecasts.push_f64(outcome, prediction).expect("a probability");
    }
    forecasts.levels().expect("doubles have a common denominator")
}

/// The shortest of several runs, in seconds.
fn seconds<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(once).fold(f64::INFINITY, f64::min)
}

/// stepCE and intervalCE of replicates as one writes them at first: on one thread, with rounding
/// errors, and with ties left to their order.
fn plain(predictions: &[f64], replicates: usize) -> Vec<(f64, f64)> {
    let mut sorted = predictions.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut random = Random::default();
    let replicate = |_| {
        let (mut sum, mut highest, mut lowest) = (0.0_f64, 0.0_f64, 0.0_f64);
        for p in &sorted {
            let outcome = if random.part() < *p { 1.0 } else { 0.0 };
            sum += outcome - p;
            highest = highest.max(sum);
            lowest = lowest.min(sum);
        }
        (highest.max(-lowest), highest - lowest)
    };
    (0..replicates).map(replicate).collect()
}
