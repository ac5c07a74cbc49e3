//! Several models, classes or groups, weights, and buckets.

use super::whole::{affordable, of_levels, some_left, some_positive};
use super::{Arguments, Stopwatch, printed, printed_several};
use crate::commands::collecting::{Collected, Part};
use crate::commands::progress::Count;
use crate::commands::reading::Job;
use crate::input::{At, InputError, TOP_LABEL};
use crate::report::{Comparison, Entry, How, Member, Report, Several, Significance, Source, Test};
use truecal::buckets::{BucketFault, BucketTable};
use truecal::paired::{PairedError, PairedForecasts, PairedOptions};
use truecal::{Measure, Progress, Watch};

/// The replicates of a comparison, if `--null` does not say how many: so many at most and at least,
/// and in between as many as fit this work, about two minutes of it.
const REPLICATES: u64 = 1000;
const LEAST_REPLICATES: u64 = 99;
const WORK: u64 = 1 << 33;

/// The report of each part.
pub(super) fn measured(arguments: &Arguments, job: &Job) -> Result<String, InputError> {
    let mut stopwatch = Stopwatch::new();
    let series = series(arguments, job);
    let compared = arguments.compare.then_some(series.len());
    let mut collected = Collected::new(arguments.max_memory / 2, compared);
    let totals = stopwatch.time("read", || job.read(&mut collected, "reading"))?;
    let name = job.name();
    some_left(job, totals.rows - totals.skipped, totals)?;
    if arguments.buckets {
        let report = of_buckets(arguments, collected, &name)?;
        let report = Report { skipped: totals.skipped, ..report };
        return Ok(printed(arguments, report, stopwatch));
    }
    let (paired, gaps) = (collected.paired.take(), collected.gaps.clone());
    let refused = |problem: String| InputError::of_file(&name, problem);
    let parts = stopwatch.time("levels", || collected.parts());
    let mut parts = parts.map_err(|error| refused(error.to_string()))?;
    if let Some(positive) = &arguments.positive.as_ref().filter(|_| !arguments.classes.is_empty()) {
        parts.retain(|part| series.get(part.series) == Some(positive));
    }
    // What has no weight is not there.
    parts.retain(|part| !part.levels.is_empty());
    if parts.is_empty() {
        return Err(refused("all weights are 0; there is nothing to measure".to_owned()));
    }
    some_positive(job, parts.iter().map(|part| part.levels.ones()).max().unwrap_or(0))?;
    let groups = parts.len();
    parts.retain(|part| !part.levels.is_empty());
    let weightless = groups - parts.len();
    let single = parts.len() == 1 && arguments.by.is_empty();
    if let (true, [part]) = (single, parts.as_slice()) {
        affordable(arguments, job, part.levels.rounds())?;
        let report = of_levels(arguments, &part.levels, &part.unit, &mut stopwatch);
        let gaps = (!arguments.classes.is_empty()).then_some(gaps);
        let report = Report { skipped: totals.skipped, gaps, ..report };
        return Ok(printed(arguments, report, stopwatch));
    }
    for part in &parts {
        affordable(arguments, job, part.levels.rounds())?;
    }
    let members = parts.iter().map(|part| member(arguments, part, &mut stopwatch)).collect();
    let mut several = Several {
        series,
        by: arguments.groups(),
        members,
        comparisons: vec![],
        gaps: (!arguments.classes.is_empty()).then_some(gaps),
        skipped: totals.skipped,
        weightless,
    };
    several.adjust();
    if !several.by.is_empty() {
        several.worst_first();
    }
    if let Some(paired) = paired {
        let models = several.series.len();
        let compared = stopwatch.time("compare", || comparisons(arguments, &paired, models));
        several.comparisons = compared.map_err(|error| refused(error.to_string()))?;
    }
    Ok(printed_several(arguments, several, stopwatch))
}

/// The names of the models or classes, if there are several.
fn series(arguments: &Arguments, job: &Job) -> Vec<String> {
    let names = job.options.columns.rows.series();
    match arguments.positive.is_some() && !arguments.classes.is_empty() {
        false if names.len() < 2 => vec![],
        _ => {
            debug_assert!(arguments.classes.is_empty() || names[0] == TOP_LABEL);
            names
        }
    }
}

fn member<'a>(arguments: &Arguments, part: &'a Part, stopwatch: &mut Stopwatch) -> Member<'a> {
    let mut own = Stopwatch::new();
    let report = of_levels(arguments, &part.levels, &part.unit, &mut own);
    stopwatch.add(own);
    // Few rounds are drawn without being asked for.
    let drawn = |test: &Test| test.how != How::Limit;
    let small = arguments.null.is_none() && report.significance.tests.iter().any(drawn);
    Member { series: part.series, group: part.group.clone(), report, small }
}

/// Every two models, by every measure that can be compared.
fn comparisons(
    arguments: &Arguments,
    paired: &PairedForecasts,
    models: usize,
) -> Result<Vec<Comparison>, PairedError> {
    let measures: Vec<Measure> = arguments
        .measures()
        .into_iter()
        .filter(|measure| measure.subsampled_from().is_none())
        .collect();
    let pairs = (0..models).flat_map(|one| (one + 1..models).map(move |other| [one, other]));
    let mut comparisons = vec![];
    for models in pairs {
        let pair = paired.pair(models[0], models[1])?;
        let usual = || (WORK / pair.work(&measures, 1).max(1)).clamp(LEAST_REPLICATES, REPLICATES);
        let replicates = arguments.null.unwrap_or_else(usual);
        let count = Count::new("swapping forecasts", replicates);
        let tell = |news: Progress<'_>| count.tell(news);
        let watch = Watch::new(&|| true, &tell);
        let options = PairedOptions { replicates, seed: arguments.seed };
        let results = pair.compare(&measures, &options, &watch)?;
        comparisons.push(Comparison { models, results });
    }
    Ok(comparisons)
}

/// Bounds from buckets.
fn of_buckets(
    arguments: &Arguments,
    collected: Collected,
    name: &str,
) -> Result<Report<'static>, InputError> {
    let (rows, table) = collected.bucket_table();
    let table: BucketTable = table.map_err(|error| {
        let at = rows[error.bucket];
        InputError::of_row(name, (at.row, at.line), None, fault_in_words(&error.fault, &rows))
    })?;
    let entry = |measure: Measure| Entry::Bounds(measure, table.bounds(measure));
    let source = Source::Buckets {
        rounds: table.rounds(),
        ones: table.ones(),
        buckets: rows.len(),
        joined: table.joined(),
    };
    let entries = arguments.measures().into_iter().map(entry).collect();
    let significance = Significance::lacking("buckets give bounds only");
    Ok(Report { entries, significance, ..Report::new(source) })
}

/// What is wrong with a bucket, with another one called by its row.
fn fault_in_words(fault: &BucketFault, rows: &[At]) -> String {
    match fault {
        BucketFault::Overlap { min, other, max } => format!(
            "its smallest prediction, {min}, lies within the bucket of row {}, which goes on to \
                {max}; group by ranges of the prediction that do not overlap, such as \
                FLOOR(1000 * p), and by nothing else",
            rows[*other].row
        ),
        other => other.to_string(),
    }
}
