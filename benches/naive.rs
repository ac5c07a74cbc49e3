//! Where plain doubles go wrong: `cargo bench --bench naive` prints two tables in Markdown, with
//! 10^5 rounds in each data set, or as many as an argument says (up to 2^22).
//!
//! The first has stepCE and intervalCE: the exact value, the naive one with its error and the
//! proven bound, and the errors of the usual mistakes. The second has the largest error of every
//! measure, and the ratio to its bound.

#![allow(clippy::float_arithmetic, reason = "errors of doubles")]

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use truecal::{AnyLevels, Forecasts, Measure};
use truecal_benches::data::{Data, Random, usual};
use truecal_benches::naive::{self, error_bound, mistakes};

type Naive = fn(&[bool], &[f64]) -> f64;

const MEASURES: [(Measure, Naive); 7] = [
    (Measure::StepCe, naive::step_ce),
    (Measure::SignCe, naive::sign_ce),
    (Measure::IntervalCe, naive::interval_ce),
    (Measure::Ece, naive::ece),
    (Measure::VCal, naive::v_cal),
    (Measure::UCal, naive::u_cal),
    (Measure::SmCe, naive::sm_ce),
];

fn main() {
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let rounds = rounds.unwrap_or(100_000).min(1 << 22);
    let sets: Vec<(Data, AnyLevels)> = all(rounds).into_iter().map(with_levels).collect();

    println!(
        "stepCE and intervalCE of {rounds} rounds in plain doubles (totals, not per round; \
            mistakes by their error):\n"
    );
    println!(
        "| data | exact stepCE | naive: error | proven bound | ties ignored | single precision | \
            two sums | intervalCE without its start |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for (data, levels) in &sets {
        let exact = levels.evaluate(Measure::StepCe).value;
        let range = levels.evaluate(Measure::IntervalCe).value;
        let off = |naive: Naive| show(error(data, naive, &exact));
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            data.name,
            exact.to_f64().expect("finite"),
            off(naive::step_ce),
            show(bound(Measure::StepCe, rounds)),
            off(mistakes::ties_ignored),
            off(mistakes::single_precision),
            off(mistakes::two_sums),
            show(error(data, mistakes::start_omitted, &range)),
        );
    }

    println!("\nThe error of each naive measure, and in brackets its ratio to the proven bound:\n");
    println!("| data | {} |", MEASURES.map(|(measure, _)| measure.to_string()).join(" | "));
    println!("|---|{}", "---:|".repeat(MEASURES.len()));
    for (data, levels) in &sets {
        let cells = MEASURES.map(|(measure, naive)| {
            let error = error(data, naive, &levels.evaluate(measure).value);
            format!("{} ({})", show(error), show(error / bound(measure, rounds)))
        });
        println!("| {} | {} |", data.name, cells.join(" | "));
    }
    let bounds = MEASURES.map(|(measure, _)| show(bound(measure, rounds)));
    println!("| proven bound | {} |", bounds.join(" | "));
}

/// The usual data sets, and three that are unkind.
fn all(rounds: usize) -> Vec<Data> {
    let mut sets = usual(rounds);
    let half = rounds / 2;
    sets.push(Data {
        name: "1/2 throughout, ones first",
        outcomes: (0..2 * half).map(|row| row < half).collect(),
        predictions: vec![0.5; 2 * half],
    });
    sets.push(near_cancelling(rounds));
    sets.push(always_up(rounds as u64));
    sets
}

/// Uniform predictions with outcomes that keep the sums near 0, but for the highest fortieth, which
/// are all ones.
fn near_cancelling(rounds: usize) -> Data {
    let mut random = Random(0xd134_2543_de82_ef95);
    let mut predictions: Vec<f64> = (0..rounds).map(|_| random.part()).collect();
    predictions.sort_unstable_by(f64::total_cmp);
    let mut sum = 0.0;
    let mut next = |(row, prediction): (usize, &f64)| {
        let outcome = sum < 0.0 || row >= rounds - rounds / 40;
        sum += f64::from(u8::from(outcome)) - prediction;
        outcome
    };
    let outcomes = predictions.iter().enumerate().map(&mut next).collect();
    Data { name: "sums that cancel until the end", outcomes, predictions }
}

/// Up to 2^22 rounds whose every 1 - p is rounded up by nearly half of the distance between
/// doubles, and so is every sum: p is nearly m + 1/2 times 2^-53, and sums in (2^e, 2^(e+1)], which
/// lie 2^(e-52) apart, meet an m of 2^e - 1.
fn always_up(rounds: u64) -> Data {
    let prediction = |round: u64| {
        let m = (1 << (round - 1).checked_ilog2().unwrap_or(0)) - 1;
        // 2^30 to the unit, all distinct
        let parts: u64 = (m << 30) + (1 << 29) - (rounds + 1 - round);
        parts as f64 / 2_f64.powi(83)
    };
    Data {
        name: "every sum rounded up",
        outcomes: vec![true; rounds as usize],
        predictions: (1..=rounds).map(prediction).collect(),
    }
}

fn with_levels(data: Data) -> (Data, AnyLevels) {
    let columns = (data.outcomes.iter().copied(), data.predictions.iter().copied());
    let forecasts = Forecasts::from_columns(columns.0, columns.1).expect("valid");
    let levels = forecasts.levels().expect("doubles have a common denominator");
    (data, levels)
}

fn bound(measure: Measure, rounds: usize) -> f64 {
    error_bound(measure, rounds).expect("it has a naive version")
}

/// The error, itself computed without any.
fn error(data: &Data, naive: Naive, exact: &BigRational) -> f64 {
    let value = naive(&data.outcomes, &data.predictions);
    let value = BigRational::from_float(value).expect("finite");
    (value - exact).abs().to_f64().expect("finite")
}

fn show(number: f64) -> String {
    if number == 0.0 { "0".to_owned() } else { format!("{number:.1e}") }
}
