//! All rows as the rounds of one forecaster: by the way that takes the least work.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Arguments, Stopwatch, printed};
use crate::commands::gathering::{Gathered, Kept, gather};
use crate::commands::progress::{Clock, Count};
use crate::commands::reading::Job;
use crate::commands::stream::{Asked, stream};
use crate::input::{InputError, Totals};
use crate::report::{Entry, Limits, Nulls, Report, Significance, Source, about_seconds, is_small};
use truecal::float::Summary;
use truecal::null::{NullOptions, has_limit};
use truecal::{AnyLevels, Measure, Progress, Watch};

/// The report of all rows together.
pub(super) fn measured(arguments: &Arguments, job: &Job) -> Result<String, InputError> {
    let mut stopwatch = Stopwatch::new();
    let measures = arguments.measures();
    // Rounds take half of the memory at most: the other half is for sorting them.
    let memory = arguments.memory();
    let (kept, totals) = stopwatch.time("read", || gather(job, memory / 2))?;
    if let Kept::Memory(gathered) = &kept {
        some_left(job, gathered.counts().0, totals)?;
        some_positive(job, gathered.counts().1)?;
    }
    let refined: Vec<Measure> = Summary::refined().collect();
    let needs_levels = arguments.null.is_some()
        || arguments.full_witness
        || arguments.wants_classical()
        || measures.iter().any(|measure| !refined.contains(measure));
    let report = match kept {
        Kept::Memory(gathered) if gathered.is_long() && !needs_levels => {
            let report = stopwatch.time("measures", || unsorted(&gathered, &measures));
            Report { skipped: totals.skipped, ..report }
        }
        Kept::Memory(gathered) if gathered.table_bytes() <= memory => {
            let levels = stopwatch
                .time("levels", || gathered.into_levels())
                .map_err(|error| InputError::of_file(&job.name(), error.to_string()))?;
            affordable(arguments, job, levels.rounds())?;
            let report = of_levels(arguments, &levels, &BigInt::from(1), &mut stopwatch);
            let report = Report { skipped: totals.skipped, ..report };
            return Ok(printed(arguments, report, stopwatch));
        }
        kept => {
            let asked = Asked { measures: &measures, null: arguments.null() };
            let report = stopwatch.time("passes", || stream(job, kept, totals, &asked))?;
            some_positive(job, report.source.ones())?;
            let why = "they need all forecasts in memory (--max-memory)";
            Report { unclassical: arguments.wants_classical().then_some(why), ..report }
        }
    };
    Ok(printed(arguments, report, stopwatch))
}

/// An error if all rows were left out.
pub(super) fn some_left(job: &Job, rounds: u64, totals: Totals) -> Result<(), InputError> {
    if rounds > 0 {
        return Ok(());
    }
    let all = match totals.rows {
        1 => "the only row".to_owned(),
        rows => format!("all {rows} rows"),
    };
    let problem = format!(
        "something is missing in {all}, so that nothing is left to measure; check which columns \
            are read"
    );
    Err(InputError::of_file(&job.name(), problem))
}

/// An error if `--null` would draw outcomes for hours.
pub(super) fn affordable(arguments: &Arguments, job: &Job, rounds: u64) -> Result<(), InputError> {
    /// Two processors of our time draw some 2^31 outcomes in a second.
    const EACH_SECOND: u128 = 1 << 31;
    const MOST_SECONDS: u128 = 3600;
    let replicates = arguments.null.unwrap_or(0);
    let seconds = u128::from(replicates) * u128::from(rounds) / EACH_SECOND;
    if seconds <= MOST_SECONDS {
        return Ok(());
    }
    let time = about_seconds(u64::try_from(seconds).unwrap_or(u64::MAX));
    let problem = format!(
        "--null {replicates} of {rounds} rounds draws outcomes for {time}; give a smaller number, \
            or leave it out for p-values in the limit of many rounds"
    );
    Err(InputError::of_file(&job.name(), problem))
}

/// An error if no outcome is the one that was named as the event: it is misspelt, most likely.
pub(super) fn some_positive(job: &Job, ones: u64) -> Result<(), InputError> {
    match &job.options.grammar.positive {
        Some(name) if ones == 0 => {
            let problem = format!("no outcome is {name:?}, as --positive says; check its spelling");
            Err(InputError::of_file(&job.name(), problem))
        }
        _ => Ok(()),
    }
}

/// Measures of many rounds that are found without sorting them.
fn unsorted(gathered: &Gathered, measures: &[Measure]) -> Report<'static> {
    let found = gathered.evaluate(measures);
    let (rounds, ones) = gathered.counts();
    let entries: Vec<Entry> =
        found.into_iter().map(|evaluation| Entry::Exact(Box::new(evaluation))).collect();
    let source = Source::Passes { rounds, ones, passes: 1, copied: false };
    let variance = gathered.variance();
    let mut significance = Significance::in_the_limit(&entries, &variance.value);
    significance.impossible = variance.impossible;
    Report { entries, significance, ..Report::new(source) }
}

/// The classical numbers of more distinct predictions would take as long as much of the rest.
const MOST_CLASSICAL: usize = 1 << 20;

/// The measures that were asked for, of all levels at once. A count of `unit` is a weight of 1.
pub(super) fn of_levels<'a>(
    arguments: &Arguments,
    levels: &'a AnyLevels,
    unit: &BigInt,
    stopwatch: &mut Stopwatch,
) -> Report<'a> {
    let fractional = *unit != BigInt::from(1);
    let limits = Limits {
        subset_budget: arguments.subset_budget,
        sample: Some(arguments.sample()),
        fractional,
    };
    let full_witness = arguments.full_witness;
    let source = Source::Levels { levels, full_witness, unit: unit.clone() };
    let mut report = Report::new(source);
    let measures = arguments.measures();
    let table = stopwatch.last();
    for &measure in &measures {
        let subsets = limits.subsets(levels, measure);
        let bar = subsets.map(|subsets| Count::new(format!("subsets for {measure}"), subsets));
        let tell = |news: Progress<'_>| bar.iter().for_each(|bar| bar.tell(news));
        let watch = Watch::new(&|| true, &tell);
        let time = super::expected(levels, measure, table);
        let clock = subsets.is_none().then(|| Clock::expecting(measure.to_string(), time));
        let work = || Entry::of_levels(levels, measure, &limits, &watch);
        report.entries.push(stopwatch.time(measure.key(), work));
        drop(clock);
    }
    if fractional {
        let why = "with fractional weights nobody knows how many independent rounds there are";
        report.significance = Significance::lacking(why);
    } else {
        let variance = levels.variance();
        report.nulls = nulls(arguments, levels, &measures, &limits, stopwatch);
        report.significance = match is_small(&variance) && report.nulls.is_none() {
            true => of_few(arguments, levels, &measures, &report.entries),
            false => Significance::of(&report.entries, report.nulls.as_ref(), &variance),
        };
    }
    report.significance.impossible = levels.impossible();
    let many = levels.len() > MOST_CLASSICAL && arguments.bins.is_none();
    if arguments.wants_classical() && many {
        report.unclassical = Some("with so many distinct predictions only if asked for: --bins 10");
    } else if arguments.wants_classical() {
        let clock = Clock::expecting("classical numbers".to_owned(), table / 2);
        let work = || levels.classical(arguments.bins.unwrap_or(10)).ok();
        report.classical = stopwatch.time("classical", work);
        drop(clock);
    }
    report
}

/// The tests of few rounds: draws, of the measures that have a limit with many.
fn of_few(
    arguments: &Arguments,
    levels: &AnyLevels,
    measures: &[Measure],
    entries: &[Entry],
) -> Significance {
    /// Drawing the outcomes of more takes a while, however little they vary.
    const MOST: u64 = 1 << 20;
    if levels.rounds() > MOST {
        return Significance::lacking("outcomes vary too little for one in the limit: --null 1000");
    }
    let limits: Vec<Measure> = measures.iter().copied().filter(|m| has_limit(*m)).collect();
    let options = NullOptions { replicates: 1000, seed: arguments.seed };
    let watch = Watch::silent();
    let nulls = Nulls::of_levels(levels, &limits, options, arguments.subset_budget, &watch);
    Significance::of(entries, Some(&nulls), &BigRational::default())
}

/// The null distributions, if they were asked for.
fn nulls(
    arguments: &Arguments,
    levels: &AnyLevels,
    measures: &[Measure],
    limits: &Limits,
    stopwatch: &mut Stopwatch,
) -> Option<Nulls> {
    let options = arguments.null()?;
    let count = Count::new("drawing outcomes", options.replicates);
    let tell = |news: Progress<'_>| count.tell(news);
    let watch = Watch::new(&|| true, &tell);
    let budget = limits.subset_budget;
    let work = || Nulls::of_levels(levels, measures, options, budget, &watch);
    Some(stopwatch.time("null", work))
}
