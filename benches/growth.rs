//! How time and memory grow with the rounds.
//!
//! `cargo bench --bench growth` measures uniform doubles from 10^4 to 10^8 rounds and prints a
//! table in Markdown: for each size the seconds on all threads, nanoseconds for a round, and the
//! memory beyond the arrays. `-- --most 1e7` ends earlier. Every cell is a process of its own, as
//! memory that was given back would hide what is taken.

#![allow(clippy::float_arithmetic, reason = "times")]

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use truecal::null::NullOptions;
use truecal::sampled::SampleOptions;
use truecal::{AnyLevels, Measure, Watch, float};
use truecal_benches::data::{self, Data};
use truecal_benches::memory;

/// What is done with the rounds, and how.
type Work = (&'static str, fn(&Data));

const WORK: [Work; 5] = [
    ("stepCE", |data| plain(Measure::StepCe, data)),
    ("UCal", |data| plain(Measure::UCal, data)),
    ("smCE (sorts)", |data| plain(Measure::SmCe, data)),
    ("SSCE, 16 subsets (sorts)", sampled),
    ("null of stepCE, 64 replicates (sorts)", replicates),
];

fn plain(measure: Measure, data: &Data) {
    let measured = float::measure(measure, &data.outcomes, &data.predictions);
    black_box(measured.expect("a plain measure").expect("forecasts").value);
}

fn levels(data: &Data) -> AnyLevels {
    AnyLevels::from_doubles(&data.outcomes, &data.predictions).expect("forecasts")
}

fn sampled(data: &Data) {
    let options = SampleOptions { subsets: Some(16), ..SampleOptions::default() };
    black_box(levels(data).sample_with(Measure::Ssce, &options, &Watch::silent()));
}

fn replicates(data: &Data) {
    let options = NullOptions { replicates: 64, seed: 1 };
    black_box(levels(data).null(&[Measure::StepCe], &options, &Watch::silent()));
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str, index: usize| -> Option<f64> {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + index)?.parse().ok()
    };
    match (value("--cell", 1), value("--cell", 2)) {
        (Some(rounds), Some(work)) => print_cell(rounds as usize, work as usize),
        _ => print_table(value("--most", 1).unwrap_or(1e8) as usize),
    }
}

/// Seconds and bytes of one cell.
fn print_cell(rounds: usize, work: usize) {
    let data = data::uniform(rounds);
    let (_, work) = WORK[work];
    let mut seconds = 0.0;
    let bytes = memory(|| {
        let start = Instant::now();
        work(&data);
        seconds = start.elapsed().as_secs_f64();
    });
    // Short work again, until it has taken some time.
    let runs = (0.2 / seconds).clamp(1.0, 200.0) as usize;
    let mut all: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work(&data);
            start.elapsed().as_secs_f64()
        })
        .chain([seconds])
        .collect();
    all.sort_unstable_by(f64::total_cmp);
    println!("{} {}", all[(all.len() - 1) / 2], bytes.unwrap_or(0));
}

fn print_table(most: usize) {
    let names: Vec<&str> = WORK.iter().map(|(name, _)| *name).collect();
    println!("| rounds | {} |", names.join(" | "));
    println!("|---:|{}", "---:|".repeat(names.len()));
    let sizes = (4..).map(|digits| 10_usize.pow(digits)).take_while(|size| *size <= most);
    for size in sizes {
        let cells: Vec<String> = (0..WORK.len()).map(|work| cell(size, work)).collect();
        println!("| {size} | {} |", cells.join(" | "));
    }
}

fn cell(rounds: usize, work: usize) -> String {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .args(["--cell", &rounds.to_string(), &work.to_string()])
        .output()
        .expect("it can be started again");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let [seconds, bytes] = numbers[..] else { return "failed".to_owned() };
    let ns = 1e9 * seconds / rounds as f64;
    format!("{seconds:.2e} s, {ns:.1} ns each, {:.0} MiB", bytes / f64::from(1 << 20))
}
