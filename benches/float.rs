//! How long the measures of doubles take, on one thread and on all, beside one pass over the same
//! memory, which is the limit, and beside sorting.
//!
//! `cargo bench --bench float` makes four data sets of 10^6 rounds (or as many as `--size` says)
//! and prints a table of ratios in Markdown, of the fastest runs.
//!
//! `cargo bench --bench float -- --files PREDICTIONS OUTCOMES` reads little-endian doubles and one
//! byte for each outcome, and prints one object of JSON with the seconds of every run and the
//! value: {"rounds", "memory", "one thread": {name: {"seconds": […], "value"}}, "all threads":
//! {…}}. "memory" is what stepCE takes beyond the arrays at its peak, in bytes, where the system
//! tells (Linux). `--only stepce,vcal` chooses measures, `--runs N` how often each is run.

#![allow(clippy::float_arithmetic, reason = "ratios of times")]

use std::hint::black_box;
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use serde_json::{Map, Value, json};
use truecal::Measure;
use truecal::float;
use truecal_benches::data::{self, Data};
use truecal_benches::{memory, naive};

const MEASURES: [Measure; 7] = [
    Measure::StepCe,
    Measure::SignCe,
    Measure::IntervalCe,
    Measure::Ece,
    Measure::VCal,
    Measure::UCal,
    Measure::SmCe,
];

fn measured(measure: Measure, outcomes: &[bool], predictions: &[f64]) -> f64 {
    let measured = float::measure(measure, outcomes, predictions).expect("a plain measure");
    measured.expect("forecasts").value
}

fn main() {
    if let Err(message) = run() {
        eprintln!("error: {message}");
        std::process::exit(2);
    }
}

fn run() -> Result<(), String> {
    let options = Options::from_arguments(std::env::args().skip(1))?;
    match &options.files {
        Some(files) => {
            let (outcomes, predictions) = read(files)?;
            print_json(&options, &outcomes, &predictions);
        }
        None => print_tables(&options),
    }
    Ok(())
}

struct Options {
    files: Option<(String, String)>,
    only: Vec<Measure>,
    runs: usize,
    size: usize,
}

impl Options {
    fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options =
            Options { files: None, only: MEASURES.to_vec(), runs: 5, size: 1_000_000 };
        while let Some(argument) = arguments.next() {
            let mut next = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--bench" => {} // from cargo
                "--files" => options.files = Some((next()?, next()?)),
                "--runs" => options.runs = number(&next()?)?.max(1),
                "--size" => options.size = number(&next()?)?,
                "--only" => {
                    let keys = next()?;
                    let named = |key| MEASURES.into_iter().find(|measure| measure.key() == key);
                    let found: Option<Vec<_>> = keys.split(',').map(named).collect();
                    options.only = found.ok_or(format!("no such measures: {keys}"))?;
                }
                _ => return Err(format!("no such option: {argument}")),
            }
        }
        Ok(options)
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("not a number: {text}"))
}

fn read((predictions, outcomes): &(String, String)) -> Result<(Vec<bool>, Vec<f64>), String> {
    let bytes = |path: &String| std::fs::read(path).map_err(|error| format!("{path}: {error}"));
    let outcomes: Vec<bool> = bytes(outcomes)?.iter().map(|byte| *byte != 0).collect();
    let predictions: Vec<f64> = bytes(predictions)?
        .chunks_exact(8)
        .map(|chunk| f64::from_le_bytes(chunk.try_into().expect("eight bytes")))
        .collect();
    if predictions.len() != outcomes.len() {
        let (left, right) = (predictions.len(), outcomes.len());
        return Err(format!("{left} predictions but {right} outcomes"));
    }
    Ok((outcomes, predictions))
}

/// The seconds of each run, and the last result.
fn time<T>(runs: usize, mut work: impl FnMut() -> T) -> (Vec<f64>, T) {
    let mut once = || {
        let start = Instant::now();
        let result = black_box(work());
        (start.elapsed().as_secs_f64(), result)
    };
    let (first, mut result) = once();
    let mut seconds = vec![first];
    for _ in 1..runs {
        let (again, last) = once();
        seconds.push(again);
        result = last;
    }
    (seconds, result)
}

/// Sorting the bits of the predictions, which are in the order of the predictions.
fn sort(runs: usize, predictions: &[f64]) -> Vec<f64> {
    let keys: Vec<u64> = predictions.iter().map(|p| p.to_bits()).collect();
    let mut room = keys.clone();
    let sorting = |_| {
        room.copy_from_slice(&keys);
        time(1, || room.sort_unstable()).0[0]
    };
    (0..runs).map(sorting).collect()
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads can be started").install(work) // 0: one for each processor
}

fn print_json(options: &Options, outcomes: &[bool], predictions: &[f64]) {
    let step = || black_box(measured(Measure::StepCe, outcomes, predictions));
    let memory = in_pool(1, || memory(|| _ = step()));
    let with_threads = |threads| {
        let every = || {
            let mut all = Map::new();
            for measure in &options.only {
                let (seconds, value) =
                    time(options.runs, || measured(*measure, outcomes, predictions));
                all.insert(measure.key().to_owned(), json!({"seconds": seconds, "value": value}));
            }
            all
        };
        in_pool(threads, every)
    };
    let mut single = with_threads(1);
    let plain = time(options.runs, || naive::step_ce(outcomes, predictions));
    single.insert("plain stepce".to_owned(), json!({"seconds": plain.0, "value": plain.1}));
    let sorting = sort(options.runs, predictions);
    single.insert("sort_unstable".to_owned(), json!({"seconds": sorting, "value": null}));
    let output: Value = json!({
        "rounds": predictions.len(),
        "memory": memory,
        "one thread": single,
        "all threads": with_threads(0),
    });
    println!("{output}");
}

/// One pass, as people write it: the sum of the predictions, and the number of ones. Doubles are
/// added one after the other, as their sum depends on the order.
#[inline(never)]
fn plain_sum(outcomes: &[bool], predictions: &[f64]) -> (f64, usize) {
    (predictions.iter().sum(), outcomes.iter().filter(|happened| **happened).count())
}

/// One pass with next to no arithmetic: the sum of the bits, of which several are added at once.
#[inline(never)]
fn sum_of_bits(outcomes: &[bool], predictions: &[f64]) -> (u64, usize) {
    let bits = predictions.iter().fold(0_u64, |sum, p| sum.wrapping_add(p.to_bits()));
    (bits, outcomes.iter().filter(|happened| **happened).count())
}

/// What a set is measured beside, on one thread, in seconds.
struct Baselines {
    sum: f64,
    bits: f64,
    sorting: f64,
    naive: f64,
}

impl Baselines {
    fn new(runs: usize, Data { outcomes, predictions, .. }: &Data) -> Self {
        let pass = |pass: &dyn Fn(&[bool], &[f64])| {
            fastest(time(10 * runs, || pass(black_box(outcomes), black_box(predictions))).0)
        };
        Baselines {
            sum: pass(&|outcomes, predictions| _ = black_box(plain_sum(outcomes, predictions))),
            bits: pass(&|outcomes, predictions| _ = black_box(sum_of_bits(outcomes, predictions))),
            sorting: fastest(sort(runs, predictions)),
            naive: fastest(time(runs, || naive::step_ce(outcomes, predictions)).0),
        }
    }

    /// A time over that of a plain sum, and over that of sorting.
    fn beside(&self, seconds: f64) -> String {
        format!("{:.2} ({:.3})", seconds / self.sum, seconds / self.sorting)
    }
}

fn print_tables(options: &Options) {
    let sets = data::usual(options.size);
    let names: Vec<&str> = sets.iter().map(|data| data.name).collect();
    println!(
        "`truecal::float`, {} rounds: times over that of one pass over the same memory on one \
         thread, a plain sum of the predictions and of the outcomes; in brackets over that of \
         `sort_unstable` of the keys. First on one thread, then on all {}. Fastest of {} runs.\n",
        options.size,
        in_pool(0, rayon::current_num_threads),
        options.runs,
    );
    println!("| measure | {} |", names.join(" | "));
    println!("|---|{}", "---:|".repeat(names.len()));
    let baselines: Vec<_> = sets.iter().map(|data| Baselines::new(options.runs, data)).collect();
    let row = |name: &str, cell: &dyn Fn(&Baselines) -> String| {
        let cells: Vec<String> = baselines.iter().map(cell).collect();
        println!("| {name} | {} |", cells.join(" | "));
    };
    row("one pass: a plain sum, in ms", &|beside| format!("{:.2}", 1000.0 * beside.sum));
    row("one pass: a plain sum", &|beside| beside.beside(beside.sum));
    row("one pass: a sum of the bits", &|beside| beside.beside(beside.bits));
    row("`sort_unstable` of the keys", &|beside| beside.beside(beside.sorting));
    row("plain stepCE, which sorts", &|beside| beside.beside(beside.naive));
    for (threads, suffix) in [(1, ""), (0, ", all threads")] {
        for measure in &options.only {
            let timed = |(Data { outcomes, predictions, .. }, beside): (&Data, &Baselines)| {
                let work = || measured(*measure, outcomes, predictions);
                beside.beside(fastest(in_pool(threads, || time(options.runs, work).0)))
            };
            let cells: Vec<String> = sets.iter().zip(&baselines).map(timed).collect();
            println!("| {measure}{suffix} | {} |", cells.join(" | "));
        }
    }
}

fn fastest(seconds: Vec<f64>) -> f64 {
    seconds.into_iter().fold(f64::INFINITY, f64::min)
}
