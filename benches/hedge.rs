//! The Hedge forecaster by its tree against the plain reading, which adds up all weights in every
//! round: `cargo bench --bench hedge` prints a table in Markdown. Both run in the same process
//! against the same adversary; the plain one for fewer rounds, as its time does not depend on the
//! round.

#![allow(clippy::float_arithmetic, reason = "seconds and ratios")]

use std::time::Instant;

use truecal::Random;
use truecal_lab::hedge::{HedgeForecaster, Mixture};

fn main() {
    println!(
        "| buckets | rounds | tree: seconds in all | tree: µs a round | plain: µs a round | \
            plain/tree |"
    );
    println!("|---:|---:|---:|---:|---:|---:|");
    for (buckets, rounds) in
        [(11, 1_000_000), (101, 1_000_000), (1001, 1_000_000), (10_001, 1_000_000)]
    {
        let plain_rounds = (20_000_000 / buckets as u64).min(rounds);
        let tree = seconds(buckets, rounds, rounds, HedgeForecaster::predict);
        let plain = seconds(buckets, rounds, plain_rounds, HedgeForecaster::predict_plainly);
        let (each, other) = (tree / rounds as f64, plain / plain_rounds as f64);
        println!(
            "| {buckets} | {rounds} | {tree:.2} | {:.2} | {:.2} | {:.1} |",
            each * 1e6,
            other * 1e6,
            other / each
        );
    }
}

/// Some rounds of a longer run, with outcomes against the mean of the prediction.
fn seconds(
    buckets: usize,
    horizon: u64,
    rounds: u64,
    predict: fn(&HedgeForecaster) -> Mixture,
) -> f64 {
    let mut forecaster = HedgeForecaster::new(horizon, buckets).expect("valid");
    let started = Instant::now();
    for round in 0..rounds {
        let mut random = Random::new(1, round);
        let bucket = predict(&forecaster).draw(&mut random);
        let outcome = 2 * bucket < buckets - 1 || random.next() >> 63 == 1;
        forecaster.observe_at(bucket, outcome).expect("a round");
    }
    started.elapsed().as_secs_f64()
}
