//! Forecasts that do not fit in memory, in two passes or a few more.

use std::path::Path;

use super::gathering::{Gathered, Kept, short_levels};
use super::progress::Line;
use super::reading::{Format, open, reading};
use super::spool::Spool;
use crate::input::{CsvOptions, InputError, Lot, NpyReader, Sink, SinkError, read_csv_into};
use crate::report::{Entry, Nulls, Report, Source};
use truecal::null::NullOptions;
use truecal::summary::{Decimals, Doubles, Keys, Summary, Variance, Weighted};
use truecal::{ForecastsError, Measure, Rounds};

/// What is asked of the forecasts.
pub(super) struct Asked<'a> {
    pub measures: &'a [Measure],
    /// Whether what a truthful forecaster would get is of interest.
    pub null: Option<NullOptions>,
}

/// Measures a file by passes over it, or over the temporary copy of it that was kept.
pub(super) fn stream(
    path: &Path,
    format: Option<Format>,
    options: &CsvOptions,
    kept: Kept,
    asked: &Asked<'_>,
) -> Result<Report<'static>, InputError> {
    let name = &options.name;
    match kept {
        Kept::Memory(gathered) => in_memory(gathered, name, asked),
        Kept::Decimals(mut spool) => in_passes(name, asked, Origin::Copy, |words, take| {
            from_spool(&mut spool, name, words, take)
        }),
        Kept::Doubles(mut spool) => in_passes(name, asked, Origin::Copy, |words, take| {
            from_spool(&mut spool, name, words, take)
        }),
        Kept::Nowhere => match format.unwrap_or_else(|| Format::of(path)) {
            Format::Csv => in_passes::<Decimals>(name, asked, Origin::File, |words, take| {
                let (source, size) = open(path, name)?;
                let mut progress = Line::new();
                read_csv_into(&mut Passing(take), source, options, |rows, bytes| {
                    reading(&mut progress, words, (rows, bytes), size);
                })?;
                Ok(())
            }),
            Format::Npy => in_passes::<Doubles>(name, asked, Origin::File, |words, take| {
                let (source, size) = open(path, name)?;
                let mut progress = Line::new();
                let mut reader = NpyReader::open(source, name)?;
                let mut room = (vec![], vec![]);
                while let Some(rounds) = reader.read_rounds(&mut room)? {
                    take(&rounds, &[])
                        .map_err(|error| InputError::of_file(name, error.to_string()))?;
                    reading(&mut progress, words, (reader.rows(), reader.bytes()), size);
                }
                Ok(())
            }),
            Format::Parquet => unreachable!("Parquet is read into memory"),
        },
    }
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
    let mut variance = asked.null.as_ref().map(|_| Variance::<K>::new());
    pass("first pass", &mut |rounds, levels| {
        if let Some(variance) = &mut variance {
            rounds.vary(variance);
            variance.update_levels(levels)?;
        }
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
    let nulls = asked.null.clone().zip(variance);
    let nulls =
        nulls.map(|(options, variance)| Nulls::in_the_limit(&entries, options, &variance.value()));
    let (rounds, ones) = (summary.rounds(), summary.ones());
    let (passes, copied) = match origin {
        Origin::File => (refinement.passes(), false),
        Origin::Copy => (refinement.passes(), true),
        Origin::Memory => (1, false),
    };
    let source = Source::Passes { rounds, ones, passes, copied };
    Ok(Report { entries, nulls, ..Report::new(source) })
}

/// Hands over what is read from CSV.
struct Passing<'a>(Take<'a, Decimals>);

impl Sink for Passing<'_> {
    fn take(&mut self, lot: Lot) -> Result<(), SinkError> {
        let levels = short_levels(&lot.others)?;
        Ok((self.0)(&lot.decimals, &levels)?)
    }
}
