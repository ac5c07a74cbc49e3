//! The exhaustive engine against the same laws evaluated sequence by sequence in rationals, in one
//! run.
//!
//! `cargo bench --bench exhaust` prints a table in Markdown: cases per second and their ratio.

#![allow(clippy::float_arithmetic, reason = "ratios of times")]

mod headlines;

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

use headlines::HEADLINES;
use num_rational::BigRational;
use truecal::grid::Grid;
use truecal::rational::int;
use truecal::{Forecasts, Levels, Measure, Prediction, Table, measures};
use truecal_check::law::{Law, Quantity};
use truecal_verify::enumeration::{Sampler, exhaust};
use truecal_verify::laws::judge;

fn main() {
    let laws: Vec<Law> = HEADLINES[..8].iter().map(|law| law.parse().expect("a law")).collect();
    println!(
        "{} laws, predictions in twelfths; cases per second on {} threads and on one:\n",
        laws.len(),
        rayon::current_num_threads()
    );
    println!(
        "| T | tables | one by one, rationals | engine, 1 thread | ratio | engine, all threads | \
            ratio |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for rounds in [4, 6] {
        let grid = Grid { rounds, denominator: 12 };
        let size = grid.size().expect("small");
        let slow = one_by_one(rounds, &laws);
        let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let one = single.install(|| engine(grid, &laws));
        let all = engine(grid, &laws);
        println!(
            "| {rounds} | {size} | {slow:.0} | {one:.0} | {:.0} | {all:.0} | {:.0} |",
            one / slow,
            all / slow
        );
    }
}

/// Tables per second.
fn engine(grid: Grid, laws: &[Law]) -> f64 {
    let laws: Vec<&Law> = laws.iter().collect();
    let size = grid.size().expect("small");
    let (started, mut cases) = (Instant::now(), 0);
    while started.elapsed().as_secs_f64() < 1.0 {
        let tallies = black_box(exhaust(grid, 0..size, &laws, &truecal::Watch::silent()));
        assert!(tallies.iter().all(|tally| tally.failure.is_none() && tally.cases == size));
        cases += size;
    }
    cases as f64 / started.elapsed().as_secs_f64()
}

/// Sequences per second: each is gathered into a level table of rationals, the formulas are
/// evaluated on it, and the average over subsets visits them one by one.
fn one_by_one(rounds: u32, laws: &[Law]) -> f64 {
    let mut sampler = Sampler::new(1);
    let (started, mut cases) = (Instant::now(), 0);
    while started.elapsed().as_secs_f64() < 2.0 {
        let sequence: Vec<(bool, BigRational)> = (0..rounds)
            .map(|_| (sampler.below(2) == 1, BigRational::new(sampler.below(13).into(), 12.into())))
            .collect();
        let levels = rational_levels(&sequence);
        let mut known: HashMap<Quantity, BigRational> = HashMap::new();
        for law in laws {
            for quantity in law.quantities() {
                known
                    .entry(quantity)
                    .or_insert_with(|| rational_value(&sequence, &levels, quantity));
            }
            black_box(judge(law, &|quantity| known[&quantity].clone()));
        }
        cases += 1;
    }
    f64::from(cases) / started.elapsed().as_secs_f64()
}

fn rational_levels(sequence: &[(bool, BigRational)]) -> Levels<BigRational> {
    let mut forecasts = Forecasts::new();
    for (outcome, p) in sequence {
        forecasts.push(*outcome, Prediction::try_from(p).expect("in [0, 1]")).expect("few rounds");
    }
    forecasts.levels().expect("small").to_rational()
}

fn rational_value(
    sequence: &[(bool, BigRational)],
    levels: &Levels<BigRational>,
    quantity: Quantity,
) -> BigRational {
    let table: Table<'_, BigRational> = levels.table();
    match quantity {
        Quantity::Measure(Measure::StepCe) => measures::step_ce(table).value,
        Quantity::Measure(Measure::SignCe) => measures::sign_ce(table).value,
        Quantity::Measure(Measure::IntervalCe) => measures::interval_ce(table).value,
        Quantity::Measure(Measure::Ece) => measures::ece(table).value,
        Quantity::Measure(Measure::VCal) => measures::v_cal(table).value,
        Quantity::Measure(Measure::SmCe) => measures::sm_ce(table).value,
        Quantity::Measure(Measure::UCal) => {
            let u_cal = measures::u_cal(table);
            u_cal.numerator / u_cal.denominator
        }
        Quantity::Measure(Measure::StepCeSub) => {
            let subset = |bits: u32| -> Vec<_> {
                (0..sequence.len())
                    .filter(|t| bits >> t & 1 == 1)
                    .map(|t| sequence[t].clone())
                    .collect()
            };
            let subsets = 1_u32 << sequence.len();
            let total: BigRational = (0..subsets)
                .map(|bits| measures::step_ce(rational_levels(&subset(bits)).table()).value)
                .sum();
            total / int(subsets)
        }
        _ => unreachable!("no headline speaks of {quantity}"),
    }
}
