//! `truecal measure`: a file of forecasts in, every measure out.

mod from;
mod parts;
mod whole;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args, ValueEnum};

use super::Outcome;
use super::measures::{self, measure};
use super::reading::Format;
use super::verify::in_pool;
use crate::input::Class;
use crate::json::{self, Measured, SideBySide};
use crate::report::{Report, SUBSET_BUDGET, Several, csv};
use truecal::classical::MAX_BINS;
use truecal::null::{MAX_REPLICATES, NullOptions};
use truecal::sampled::{MIN_SUBSETS, SampleOptions};
use truecal::{AnyLevels, Measure};

/// The end of the help.
const EXAMPLES: &str = "\
Examples:
  truecal measure forecasts.csv
  truecal measure forecasts.csv.gz --y rained --p chance --only stepce,ucal --exact
  truecal measure forecasts.csv --null 10000
  truecal measure forecasts.parquet --p logreg,forest --compare
  truecal measure forecasts.csv --by country,year
  truecal measure forecasts.csv --classes setosa,versicolor,virginica --y species
  truecal measure 'parts/*.csv' --missing skip --json
  truecal measure --y-file y.npy --p-file p.npy
  sqlite3 -csv -header db \"SELECT printf('%!.17g', p) AS p, COUNT(*) AS count, SUM(y) AS ones
      FROM f GROUP BY f.p\" | truecal measure --levels --json -

Limits: a number has at most 4096 digits and an exponent of at most 4096, a row at most 32 MiB.
Exit codes: 0 done, 2 bad input or misuse (with nothing on standard output).";

/// Measure the calibration of forecasts, exactly
///
/// Reads CSV, JSON lines, .npy, .npz, Parquet and Arrow, compressed by gzip or zstd or not; what a
/// file is its first bytes tell. In text, predictions are read exactly: 0.3 is 3/10, and 1/3, .5,
/// 1e-3, 37 % are allowed. Outcomes are 0 or 1 (1.0 is 1), false or true, no or yes. Whatever else
/// is found is an error that names the row and the column; nothing is clipped, dropped or guessed.
///
/// In the table, total is the measure itself, a sum over rounds, and per round is the total divided
/// by the number of rounds, which is what most packages print.
#[derive(Args)]
#[command(after_long_help = format!("{}\n{EXAMPLES}", measures::table()))]
#[command(group = ArgGroup::new("source").required(true).args(["files", "p_file"]))]
pub(super) struct Arguments {
    /// The files, folders of files, or patterns such as 'part-*.csv'; - for standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// A one-dimensional .npy file of outcomes, beside --p-file
    #[arg(long, value_name = "FILE", requires = "p_file")]
    y_file: Option<PathBuf>,

    /// A one-dimensional .npy file of predictions; several, separated by commas, are several models
    #[arg(long, value_name = "FILE", requires = "y_file", value_delimiter = ',')]
    p_file: Vec<PathBuf>,

    /// How the file is written [default: as its first bytes say, or its extension; everything else
    /// is CSV]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,

    /// The column of outcomes [default: the one named y_true, y, label, outcome, x or event]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["levels", "buckets"])]
    y: Option<String>,

    /// The column of predictions [default: the one named y_prob, p, prob, probability, forecast or
    /// prediction]; several, separated by commas, are several models, side by side (a name with a
    /// comma in brackets or quotation marks, such as `p[:,1]`, is one)
    #[arg(long, value_name = "NAMES", value_parser = names, conflicts_with = "buckets")]
    p: Vec<Names>,

    /// With several models: whether one is better than another, for each measure
    #[arg(long, conflicts_with_all = ["by", "weight", "classes", "levels", "buckets"])]
    compare: bool,

    /// Measure each group of rows by itself that has the same values in these columns, one or two;
    /// the worst comes first [default of --only: stepce]
    #[arg(long, value_name = "COLUMNS", value_parser = names)]
    by: Vec<Names>,

    /// The column of weights, whole or fractional: a weight of 2 is the same as two rows
    #[arg(long, value_name = "NAME", conflicts_with_all = ["levels", "buckets"])]
    weight: Option<String>,

    /// Several classes, each the name of its column of probabilities and its name in the column of
    /// labels (--y), or CLASS=COLUMN: the most probable class, and each against the rest
    #[arg(
        long,
        value_name = "CLASSES",
        value_parser = classes,
        conflicts_with_all = ["p", "levels", "buckets"]
    )]
    classes: Vec<Classes>,

    /// The outcome that is the event, such as 1 of -1 and 1, or spam; of several --classes the one
    /// to be measured
    #[arg(long, value_name = "NAME", allow_negative_numbers = true)]
    positive: Option<String>,

    /// What to do about rows in which something is missing
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Missing::Refuse)]
    missing: Missing,

    /// Each row is a distinct prediction with the count of its rounds and of the ones among them
    #[arg(long)]
    levels: bool,

    /// Each row is a bucket of neighbouring predictions: the smallest and the largest of them, the
    /// count of rounds, the ones among them, and the sum of the predictions; measures come out
    /// between certain bounds
    #[arg(long, conflicts_with_all = ["levels", "null", "by", "bins"])]
    buckets: bool,

    /// With --levels or --buckets, the column of counts [default: the one named count, n, rounds,
    /// count(*), count(1) or count_star()]
    #[arg(long, value_name = "NAME")]
    count: Option<String>,

    /// With --levels or --buckets, the column of ones [default: the one named ones, k, events,
    /// positives, sum or sum(y)]
    #[arg(long, value_name = "NAME")]
    ones: Option<String>,

    /// With --buckets, the column of smallest predictions [default: the one named min or min(p)]
    #[arg(long, value_name = "NAME")]
    min: Option<String>,

    /// With --buckets, the column of largest predictions [default: the one named max or max(p)]
    #[arg(long, value_name = "NAME")]
    max: Option<String>,

    /// With --buckets, the column of sums of predictions [default: the one named sum_p or sum(p)]
    #[arg(long, value_name = "NAME")]
    sum: Option<String>,

    /// What stands between the whole and the rest of a number
    #[arg(long, value_name = "CHARACTER", default_value = ".", value_parser = decimal)]
    decimal: char,

    /// Predictions are percentages: 37 is 0.37
    #[arg(long)]
    percent: bool,

    /// What stands between cells [default: comma, tab or semicolon, whichever the header has most
    /// of]
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,

    /// Only these measures
    #[arg(
        long,
        value_name = "MEASURES",
        value_delimiter = ',',
        value_parser = measure,
        help = measures::list("Only these measures")
    )]
    only: Vec<Measure>,

    /// JSON instead of a table (docs/src/json.md has the schema)
    #[arg(long)]
    json: bool,

    /// CSV instead of a table: a row for each measure, of each model and group
    #[arg(long, conflicts_with_all = ["json", "exact", "timing"])]
    csv: bool,

    /// The bins of the classical expected calibration error, of equal width and of equal mass
    /// [default: 10]
    #[arg(long, value_name = "N", value_parser = bins, allow_negative_numbers = true)]
    bins: Option<usize>,

    /// Fractions instead of decimals in the table
    #[arg(long, conflicts_with = "json")]
    exact: bool,

    /// In JSON, witnesses that list every level, however many there are
    #[arg(long, requires = "json")]
    full_witness: bool,

    /// The largest cost at which subsampled measures are computed exactly: the classes of subsets
    /// to visit, times the square of the machine words in a number; beyond it they are sampled
    #[arg(long, value_name = "COST", default_value_t = SUBSET_BUDGET)]
    subset_budget: u128,

    /// The memory that may be used, such as 64M or 8G: a file whose forecasts do not fit is read
    /// twice, or a few times (standard input is kept in a temporary file), and measures that need
    /// every distinct prediction get bounds
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory)]
    max_memory: u64,

    /// Compare with N sets of outcomes drawn with the predictions as probabilities: what a truthful
    /// forecaster would get, and the p-value of what this one got
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=MAX_REPLICATES)
    )]
    null: Option<u64>,

    /// How many random subsets are drawn at most where a subsampled measure is sampled; 0 for none
    /// [default: 1000, fewer if they look at more than 2^25 levels in all, or 2^22 for SSCE, and
    /// none if fewer than 100 do not; with --precision 1000000]
    #[arg(long, value_name = "N", value_parser = subsamples)]
    subsamples: Option<u64>,

    /// Draw subsets until the 95 % interval reaches at most R times the mean to either side, such
    /// as 0.01
    #[arg(long, value_name = "R", value_parser = precision, allow_negative_numbers = true)]
    precision: Option<f64>,

    /// The seed of everything that is drawn at random
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The number of threads [default: one for each processor]; the results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Add how long each step took
    #[arg(long)]
    timing: bool,
}

/// What to do about rows in which something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Missing {
    /// Refuse the file
    Refuse,
    /// Leave them out, and say how many they are
    Skip,
}

impl Arguments {
    /// The columns of predictions.
    fn models(&self) -> Names {
        self.p.concat()
    }

    /// The columns by which rows are told apart.
    fn groups(&self) -> Names {
        self.by.concat()
    }

    /// The classes, and their columns.
    fn all_classes(&self) -> Classes {
        self.classes.concat()
    }

    /// The measures that were asked for, in the order of reports, each once.
    fn measures(&self) -> Vec<Measure> {
        let by_default = |measure: &Measure| self.by.is_empty() || *measure == Measure::StepCe;
        let asked = |measure: &Measure| match self.only.is_empty() {
            true => by_default(measure),
            false => self.only.contains(measure),
        };
        Measure::ALL.into_iter().filter(asked).collect()
    }

    /// Whether the classical numbers are shown: by themselves where nothing else was asked for.
    fn wants_classical(&self) -> bool {
        self.bins.is_some() || self.only.is_empty() && self.by.is_empty()
    }

    fn null(&self) -> Option<NullOptions> {
        self.null.map(|replicates| NullOptions { replicates, seed: self.seed })
    }

    fn sample(&self) -> SampleOptions {
        SampleOptions {
            subsets: self.subsamples,
            precision: self.precision,
            seed: self.seed,
            ..SampleOptions::default()
        }
    }

    /// The memory that forecasts may take.
    fn memory(&self) -> u64 {
        self.max_memory.saturating_sub(FIXED_MEMORY)
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let measured = || {
        from::check(arguments)?;
        let job = from::job(arguments).map_err(|error| error.to_string())?;
        let output = match arguments.is_whole() {
            true => whole::measured(arguments, &job),
            false => parts::measured(arguments, &job),
        };
        output.map_err(|error| error.to_string())
    };
    in_pool(arguments.jobs, measured)?.map(|output| Outcome { output, code: 0 })
}

/// About how long a measure takes that is computed exactly, if the level table took so long.
fn expected(levels: &AnyLevels, measure: Measure, table: Duration) -> Duration {
    match measure {
        // Both sort nearly as much as was sorted for the table.
        Measure::SmCe | Measure::Cdl => table,
        Measure::Ece
        | Measure::StepCe
        | Measure::SignCe
        | Measure::IntervalCe
        | Measure::VCal
        | Measure::UCal => table / 4,
        Measure::StepCeSub | Measure::VCalSub | Measure::UCalSub | Measure::Ssce => {
            // Two processors of our time visit some 2^22 classes of subsets in a second.
            let cost = levels.cost(measure).unwrap_or(u128::MAX);
            Duration::from_secs(u64::try_from(cost >> 22).unwrap_or(u64::MAX))
        }
    }
}

fn printed(arguments: &Arguments, mut report: Report<'_>, stopwatch: Stopwatch) -> String {
    report.seconds = arguments.timing.then_some(stopwatch.seconds);
    match (arguments.json, arguments.csv) {
        (true, _) => json::text(&Measured::from(&report)),
        (_, true) => csv::of_report(&report),
        _ => report.to_table(arguments.exact),
    }
}

fn printed_several(arguments: &Arguments, several: Several<'_>, stopwatch: Stopwatch) -> String {
    let seconds = arguments.timing.then_some(stopwatch.seconds);
    match (arguments.json, arguments.csv) {
        (true, _) => json::text(&SideBySide::new(&several, seconds.as_deref())),
        (_, true) => csv::of_several(&several),
        _ => several.to_table(arguments.exact, seconds.as_deref()),
    }
}

/// What the program takes whatever the file is like: itself, buffers, and tables of buckets.
const FIXED_MEMORY: u64 = 32 << 20;

fn memory(text: &str) -> Result<u64, String> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];
    let unit = units.into_iter().find(|(unit, _)| text.to_ascii_uppercase().ends_with(unit));
    let (digits, shift) = unit.map_or((text, 0), |(_, shift)| (&text[..text.len() - 1], shift));
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    match bytes {
        Some(bytes) if bytes >= FIXED_MEMORY => Ok(bytes),
        Some(_) => Err(format!("give at least {}M, which any file takes", FIXED_MEMORY >> 20)),
        None => Err("give a size such as 64M, 8G or 2000000000 (bytes)".to_owned()),
    }
}

fn decimal(text: &str) -> Result<char, String> {
    match text {
        "." => Ok('.'),
        "," => Ok(','),
        _ => Err("give a point or a comma".to_owned()),
    }
}

fn bins(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|bins| (1..=MAX_BINS).contains(bins));
    number.ok_or_else(|| format!("give a number of bins from 1 to {MAX_BINS}"))
}

/// Names that were given together.
type Names = Vec<String>;

/// Classes that were given together.
type Classes = Vec<Class>;

/// Names between commas; those within brackets, or in a name in quotation marks, part nothing.
fn names(text: &str) -> Result<Names, String> {
    let (mut names, mut depth, mut quoted) = (vec![String::new()], 0_usize, false);
    for c in text.chars() {
        let name = names.last_mut().expect("one at least");
        match c {
            '"' if quoted || name.is_empty() => quoted = !quoted,
            ',' if depth == 0 && !quoted => names.push(String::new()),
            _ => {
                depth = match c {
                    '[' | '(' if !quoted => depth + 1,
                    ']' | ')' if !quoted => depth.saturating_sub(1),
                    _ => depth,
                };
                name.push(c);
            }
        }
    }
    match names.iter().any(|name| name.trim().is_empty()) {
        true => Err("give names, with a comma between two of them".to_owned()),
        false => Ok(names),
    }
}

/// Classes between commas.
fn classes(text: &str) -> Result<Classes, String> {
    names(text)?.iter().map(|name| class(name)).collect()
}

/// `setosa`, or `setosa=p_setosa`
fn class(text: &str) -> Result<Class, String> {
    let (name, column) = text.split_once('=').unwrap_or((text, text));
    match name.trim().is_empty() || column.trim().is_empty() {
        true => Err("give the name of a class, or CLASS=COLUMN".to_owned()),
        false => Ok(Class { name: name.trim().to_owned(), column: column.trim().to_owned() }),
    }
}

fn subsamples(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number == 0 || number >= MIN_SUBSETS => Ok(number),
        _ => Err(format!("give 0, or a number of subsets from {MIN_SUBSETS} on")),
    }
}

fn precision(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(precision) if precision > 0.0 && precision < f64::INFINITY => Ok(precision),
        _ => Err("give a positive number, such as 0.01 for one percent of the mean".to_owned()),
    }
}

pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(*byte),
        b"\\t" | b"tab" => Ok(b'\t'),
        _ => Err("give one ASCII character, such as ';', or tab".to_owned()),
    }
}

/// Times steps by name.
struct Stopwatch {
    seconds: Vec<(String, f64)>,
}

impl Stopwatch {
    fn new() -> Self {
        Stopwatch { seconds: Vec::new() }
    }

    /// How long the last step took.
    fn last(&self) -> Duration {
        self.seconds.last().map_or(Duration::ZERO, |(_, seconds)| Duration::from_secs_f64(*seconds))
    }

    /// Adds the steps of another, to those of the same name.
    #[expect(clippy::float_arithmetic, reason = "times, to the microseconds that are shown")]
    fn add(&mut self, other: Stopwatch) {
        for (step, seconds) in other.seconds {
            match self.seconds.iter_mut().find(|(name, _)| *name == step) {
                Some((_, all)) => *all += seconds,
                None => self.seconds.push((step, seconds)),
            }
        }
    }

    fn time<T>(&mut self, step: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.seconds.push((step.to_owned(), start.elapsed().as_secs_f64()));
        result
    }
}
