//! Forecasts that do not fit in memory, in two passes or a few more.

use std::cell::Cell;

use super::gathering::{Gathered, Kept, Numbers, only_doubles, short_levels};
use super::progress::Line;
use super::reading::Job;
use super::spool::Spool;
use crate::input::{InputError, Lot, Sink, SinkError, Totals};
use crate::report::{Entry, Nulls, Report, Significance, Source};
use truecal::null::NullOptions;
use truecal::summary::{Decimals, Doubles, Keys, Summary, Variance, Weighted};
use truecal::{ForecastsError, Measure, Rounds};

/// What is asked of the forecasts.
pub(super) struct Asked<'a> {
    pub measures: &'a [Measure],
    /// Whether what a truthful forecaster would get is of interest.
    pub null: Option<NullOptions>,
}

/// Measures forecasts by passes over them, or over the temporary copy that was kept.
pub(super) fn stream(
    job: &Job,
    kept: Kept,
    totals: Totals,
    asked: &Asked<'_>,
) -> Result<Report<'static>, InputError> {
    let name = &job.name();
    let skipped = Cell::new(totals.skipped);
    let file = |words: &str, sink: &mut dyn Sink| {
        skipped.set(job.read(sink, words)?.skipped);
        Ok(())
    };
    let report = match kept {
        Kept::Memory(gathered) => in_memory(gathered, name, asked),
        Kept::Decimals(mut spool) => in_passes(name, asked, Origin::Copy, |words, take| {
            from_spool(&mut spool, name, words, take)
        }),
        Kept::Doubles(mut spool) => in_passes(name, asked, Origin::Copy, |words, take| {
            from_spool(&mut spool, name, words, take)
        }),
        Kept::Nowhere(Numbers::Decimals) => {
            in_passes::<Decimals>(name, asked, Origin::File, |words, take| {
                file(words, &mut Passing(take))
            })
        }
        Kept::Nowhere(Numbers::Doubles) => {
            in_passes::<Doubles>(name, asked, Origin::File, |words, take| {
                file(words, &mut Passing(take))
            })
        }
    }?;
    Ok(Report { skipped: skipped.get(), ..report })
}

/// Goes over rounds in memory, where there is no room for a table of them.
fn in_memory(
    gathered: Gathered,
    name: &str,
    asked: &Asked<'_>,
) -> Result<Report<'static>, InputError> {
    let refused = |error: ForecastsError| InputError::of_file(name, error.to_string());
    match gathered {
        Gathered::Decimals(rounds) => {
            in_passes(name, asked, Origin::Memory, |_, take| take(&rounds, &[]).map_err(refused))
        }
        Gathered::Doubles(rounds) => {
            in_passes(name, asked, Origin::Memory, |_, take| take(&rounds, &[]).map_err(refused))
        }
        Gathered::Any(forecasts) => {
            let full = || InputError::of_file(name, SinkError::Full.to_string());
            let levels = forecasts.short_levels().ok_or_else(full)?;
            drop(forecasts);
            in_passes::<Decimals>(name, asked, Origin::Memory, |_, take| {
                take(&Rounds::new(), &levels).map_err(refused)
            })
        }
    }
}

/// What is gone over.
enum Origin {
    File,
    /// A temporary copy.
    Copy,
    /// What a file was read into.
    Memory,
}

/// Takes some rounds, and some levels.
type Take<'a, K> = &'a mut dyn FnMut(&Rounds<K>, &[Weighted<K>]) -> Result<(), ForecastsError>;

fn from_spool<K: Keys>(
    spool: &mut Spool<K>,
    name: &str,
    words: &str,
    take: Take<'_, K>,
) -> Result<(), InputError> {
    let mut progress = Line::new();
    let (mut rows, all) = (0, spool.rows());
    let read = spool.read(|rounds, levels| {
        take(rounds, levels)?;
        rows += rounds.rounds() + levels.len() as u64;
        progress.show_share(rows, all, || format!("{words} over the copy: {rows} rows"));
        Ok::<_, SinkError>(())
    });
    read.map_err(|error| InputError::of_file(name, error.to_string()))
}

/// The summary, and passes until everything that can be exact is. `pass` hands everything over,
/// block by block.
fn in_passes<K: Keys>(
    name: &str,
    asked: &Asked<'_>,
    origin: Origin,
    mut pass: impl FnMut(&str, Take<'_, K>) -> Result<(), InputError>,
) -> Result<Report<'static>, InputError> {
    let mut summary = Summary::<K>::new();
    let mut variance = Variance::<K>::new();
    pass("first pass", &mut |rounds, levels| {
        rounds.vary(&mut variance);
        variance.update_levels(levels)?;
        rounds.summarise(&mut summary)?;
        summary.update_levels(levels)
    })?;
    let mut refinement = summary.refine(asked.measures);
    while !refinement.is_complete() {
        let words = format!("pass {}", refinement.passes() + 1);
        pass(&words, &mut |rounds, levels| {
            rounds.look_again(&mut refinement);
            refinement.update_levels(levels)
        })?;
        refinement.end_pass().map_err(|error| {
            InputError::of_file(name, format!("{error}; measure a file that nobody writes to"))
        })?;
    }
    let entry = |&measure: &Measure| match refinement.evaluate(measure) {
        Some(evaluation) => Entry::Exact(Box::new(evaluation)),
        None => Entry::without_levels(measure, summary.bounds(measure)),
    };
    let entries: Vec<Entry> = asked.measures.iter().map(entry).collect();
    let impossible = variance.impossible();
    let variance = variance.value();
    let nulls = asked.null.clone();
    let nulls = nulls.map(|options| Nulls::in_the_limit(&entries, options, &variance));
    let significance =
        Significance { impossible, ..Significance::in_the_limit(&entries, &variance) };
    let (rounds, ones) = (summary.rounds(), summary.ones());
    let (passes, copied) = match origin {
        Origin::File => (refinement.passes(), false),
        Origin::Copy => (refinement.passes(), true),
        Origin::Memory => (1, false),
    };
    let source = Source::Passes { rounds, ones, passes, copied };
    Ok(Report { entries, nulls, significance, ..Report::new(source) })
}

/// Hands over what is read, as numbers of one kind.
struct Passing<'a, K: Keys>(Take<'a, K>);

impl Sink for Passing<'_, Decimals> {
    fn take(&mut self, lot: Lot) -> Result<(), SinkError> {
        let levels = short_levels(&lot)?;
        Ok((self.0)(&lot.decimals, &levels)?)
    }
}

impl Sink for Passing<'_, Doubles> {
    fn take(&mut self, lot: Lot) -> Result<(), SinkError> {
        Ok((self.0)(only_doubles(&lot)?, &[])?)
    }
}
