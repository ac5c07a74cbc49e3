//! `truecal measure`: a file of forecasts in, every measure out.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::Outcome;
use super::gathering::{Kept, gather};
use super::measures::{self, measure};
use super::progress::{Clock, Count};
use super::reading::{Format, is_stdin};
use super::stream::{Asked, stream};
use super::verify::in_pool;
use crate::input::{Columns, CsvOptions, InputError};
use crate::json::{self, Measured};
use crate::report::{Entry, Limits, Nulls, Report, SUBSET_BUDGET, Source};
use truecal::float::Summary;
use truecal::null::{MAX_REPLICATES, NullOptions};
use truecal::sampled::{MIN_SUBSETS, SampleOptions};
use truecal::{AnyLevels, Measure};
use truecal::{Progress, Watch};

/// The end of the help.
const EXAMPLES: &str = "\
Examples:
  truecal measure forecasts.csv
  truecal measure forecasts.npy --only stepce
  truecal measure forecasts.csv --y rained --p chance --only stepce,ucal --exact
  truecal measure forecasts.csv --null 1000
  sqlite3 -csv -header db 'SELECT p, COUNT(*) AS count, SUM(y) AS ones FROM f GROUP BY p' \\
    | truecal measure --levels --json -

Limits: a number has at most 4096 digits and an exponent of at most 4096, a row at most 32 MiB.
Exit codes: 0 done, 2 bad input or misuse (with nothing on standard output).";

/// Measure the calibration of a file of forecasts, exactly
///
/// The file is CSV, .npy or Parquet. In CSV, predictions are read exactly: 0.3 is 3/10, and 1/3,
/// .5, 1e-3 are allowed. Outcomes are 0 or 1 (1.0 is 1), or false or true. Empty lines are skipped.
/// Whatever else is found is an error that names the row and the column; nothing is clipped,
/// dropped or guessed.
///
/// In the table, total is the measure itself, a sum over rounds; per round is the total divided by
/// the number of rounds; the witness is where the value is attained.
#[derive(Args)]
#[command(after_long_help = format!("{}\n{EXAMPLES}", measures::table()))]
pub(super) struct Arguments {
    /// The file: CSV with a header row, .npy or .parquet; - for standard input
    file: PathBuf,

    /// How the file is written [default: by its extension, .npy or .parquet; everything else is
    /// CSV]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,

    /// The column of outcomes [default: the one named y_true, y, label, outcome, x or event]
    #[arg(long, value_name = "NAME", conflicts_with = "levels")]
    y: Option<String>,

    /// The column of predictions [default: the one named y_prob, p, prob, probability, forecast or
    /// prediction]
    #[arg(long, value_name = "NAME")]
    p: Option<String>,

    /// Each row is a distinct prediction with the count of its rounds and of the ones among them
    #[arg(long)]
    levels: bool,

    /// With --levels, the column of counts [default: the one named count, n, rounds or count(*)]
    #[arg(long, value_name = "NAME", requires = "levels")]
    count: Option<String>,

    /// With --levels, the column of ones [default: the one named ones, k, events, positives or sum]
    #[arg(long, value_name = "NAME", requires = "levels")]
    ones: Option<String>,

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

impl Arguments {
    /// The measures that were asked for, in the order of reports, each once.
    fn measures(&self) -> impl Iterator<Item = Measure> {
        let only = &self.only;
        Measure::ALL.into_iter().filter(|measure| only.is_empty() || only.contains(measure))
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    in_pool(arguments.jobs, || measured(arguments))?.map_err(|error| error.to_string())
}

fn measured(arguments: &Arguments) -> Result<Outcome, InputError> {
    let mut stopwatch = Stopwatch::new();
    let name = display_name(&arguments.file);
    let options = csv_options(arguments, &name);
    let (file, format) = (&arguments.file, arguments.format);
    let measures: Vec<Measure> = arguments.measures().collect();
    // Rounds take half of the memory at most: the other half is for sorting them.
    let memory = arguments.max_memory.saturating_sub(FIXED_MEMORY);
    let kept = stopwatch.time("read", || gather(file, format, &options, memory / 2))?;
    let refined: Vec<Measure> = Summary::refined().collect();
    let needs_levels = arguments.null.is_some()
        || arguments.full_witness
        || measures.iter().any(|measure| !refined.contains(measure));
    match kept {
        Kept::Memory(gathered) if gathered.is_long() && !needs_levels => {
            let found = stopwatch.time("measures", || gathered.evaluate(&measures));
            let (rounds, ones) = gathered.counts();
            let entries = found.into_iter().map(|evaluation| Entry::Exact(Box::new(evaluation)));
            let source = Source::Passes { rounds, ones, passes: 1, copied: false };
            let report = Report { entries: entries.collect(), ..Report::new(source) };
            Ok(printed(arguments, report, stopwatch))
        }
        Kept::Memory(gathered) if gathered.table_bytes() <= memory => {
            let levels = stopwatch
                .time("levels", || gathered.into_levels())
                .map_err(|error| InputError::of_file(&name, error.to_string()))?;
            let report = of_levels(arguments, &levels, &mut stopwatch);
            Ok(printed(arguments, report, stopwatch))
        }
        kept => {
            let seed = arguments.seed;
            let null = arguments.null.map(|replicates| NullOptions { replicates, seed });
            let asked = Asked { measures: &measures, null };
            let passes = || stream(file, format, &options, kept, &asked);
            let report = stopwatch.time("passes", passes)?;
            Ok(printed(arguments, report, stopwatch))
        }
    }
}

/// The measures that were asked for, of all levels at once.
fn of_levels<'a>(
    arguments: &Arguments,
    levels: &'a AnyLevels,
    stopwatch: &mut Stopwatch,
) -> Report<'a> {
    let sample = SampleOptions {
        subsets: arguments.subsamples,
        precision: arguments.precision,
        seed: arguments.seed,
        ..SampleOptions::default()
    };
    let limits = Limits { subset_budget: arguments.subset_budget, sample: Some(sample) };
    let full_witness = arguments.full_witness;
    let mut report = Report::new(Source::Levels { levels, full_witness });
    let measures: Vec<Measure> = arguments.measures().collect();
    let table = stopwatch.last();
    for &measure in &measures {
        let subsets = limits.subsets(levels, measure);
        let bar = subsets.map(|subsets| Count::new(format!("subsets for {measure}"), subsets));
        let tell = |news: Progress<'_>| bar.iter().for_each(|bar| bar.tell(news));
        let watch = Watch::new(&|| true, &tell);
        let time = expected(levels, measure, table);
        let clock = subsets.is_none().then(|| Clock::expecting(measure.to_string(), time));
        let work = || Entry::of_levels(levels, measure, &limits, &watch);
        report.entries.push(stopwatch.time(measure.key(), work));
        drop(clock);
    }
    if let Some(replicates) = arguments.null {
        let options = NullOptions { replicates, seed: arguments.seed };
        let count = Count::new("drawing outcomes", replicates);
        let tell = |news: Progress<'_>| count.tell(news);
        let watch = Watch::new(&|| true, &tell);
        let budget = limits.subset_budget;
        let work = || Nulls::of_levels(levels, &measures, options, budget, &watch);
        report.nulls = Some(stopwatch.time("null", work));
    }
    report
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

fn printed(arguments: &Arguments, mut report: Report<'_>, stopwatch: Stopwatch) -> Outcome {
    report.seconds = arguments.timing.then_some(stopwatch.seconds);
    let output = match arguments.json {
        true => json::text(&Measured::from(&report)),
        false => report.to_table(arguments.exact),
    };
    Outcome { output, code: 0 }
}

fn csv_options(arguments: &Arguments, name: &str) -> CsvOptions {
    let prediction = arguments.p.clone();
    let columns = match arguments.levels {
        true => Columns::Levels {
            prediction,
            count: arguments.count.clone(),
            ones: arguments.ones.clone(),
        },
        false => Columns::Rounds { outcome: arguments.y.clone(), prediction },
    };
    CsvOptions { name: name.to_owned(), columns, delimiter: arguments.delimiter }
}

fn display_name(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
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

fn delimiter(text: &str) -> Result<u8, String> {
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

    fn time<T>(&mut self, step: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.seconds.push((step.to_owned(), start.elapsed().as_secs_f64()));
        result
    }
}
