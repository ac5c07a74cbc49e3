//! What pairs of a subset and its complement are worth: the variance of a mean over pairs, relative
//! to that over as many independent subsets.
//!
//! `cargo bench --bench subsampled` prints a table in Markdown, which is the same in every run.

#![allow(clippy::float_arithmetic, reason = "ratios of variances")]

use truecal::sampled::SampleOptions;
use truecal::{AnyLevels, Forecasts, Measure};
use truecal_benches::data::Random;

const SUBSETS: u64 = 8000;

/// A name, how many different predictions there are, and the chance of the event at a prediction,
/// both in thousandths.
type Kind = (&'static str, u64, fn(u64) -> u64);

fn main() {
    let measures = Measure::ALL.into_iter().filter(|measure| measure.subsampled_from().is_some());
    let measures: Vec<Measure> = measures.collect();
    let names: Vec<String> = measures.iter().map(Measure::to_string).collect();
    println!("| forecasts | rounds | {} |\n|---|---:|{}", names.join(" | "), "---:|".repeat(4));
    let kinds: [Kind; 4] = [
        ("calibrated", 1000, |p| p),
        ("calibrated, ties", 5, |p| p),
        ("too high by a quarter", 1000, |p| p * 4 / 5),
        ("too extreme", 1000, |p| 150 + p * 7 / 10),
    ];
    for (kind, grid, chance) in kinds {
        for rounds in [100, 1000, 10_000] {
            let levels = forecasts(rounds, grid, chance);
            let ratios = measures.iter().map(|&measure| format!("{:.2}", ratio(&levels, measure)));
            let ratios: Vec<String> = ratios.collect();
            println!("| {kind} | {rounds} | {} |", ratios.join(" | "));
        }
    }
}

fn ratio(levels: &AnyLevels, measure: Measure) -> f64 {
    // Means of small samples, and how much they vary: not their own idea of it, which is careful
    // with pairs.
    let variance = |pairs: bool| {
        let mean = |seed: u64| {
            let options =
                SampleOptions { subsets: Some(16), pairs: Some(pairs), seed, precision: None };
            let sampled = levels.sample(measure, &options).expect("an average over subsets");
            truecal::nearest_f64(&sampled.mean)
        };
        let means: Vec<f64> = (0..SUBSETS / 16).map(mean).collect();
        let center = means.iter().sum::<f64>() / means.len() as f64;
        means.iter().map(|mean| (mean - center).powi(2)).sum::<f64>()
    };
    variance(true) / variance(false)
}

/// Predictions spread evenly over as many values, in the middle of their cells.
fn forecasts(rounds: u64, grid: u64, chance: fn(u64) -> u64) -> AnyLevels {
    let mut random = Random::default();
    let row = |_| {
        let prediction = (2 * random.below(grid) + 1) * 1000 / (2 * grid);
        (random.below(1000) < chance(prediction), format!("{prediction}/1000"))
    };
    let rows: Vec<(bool, String)> = (0..rounds).map(row).collect();
    let pairs = rows.iter().map(|(x, p)| (*x, p.as_str()));
    Forecasts::from_pairs(pairs).expect("valid").levels().expect("small")
}
