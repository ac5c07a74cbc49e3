//! Forecasts in memory, in the form in which they can be asked for most with the least work; or, if
//! they do not fit, in a temporary file or nowhere.

use std::path::Path;

use super::progress::Line;
use super::reading::{Format, is_stdin, open, parquet, reading, refused};
use super::spool::Spool;
use crate::input::{CsvOptions, InputError, Lot, NpyReader, Sink, SinkError, read_csv_into};
use truecal::summary::{Decimals, Doubles, Weighted};
use truecal::{AnyLevels, Decimal, Evaluation, Measure};
use truecal::{Forecasts, ForecastsError, Prediction, Rounds, TableTooLarge};

/// What was read from a file.
pub(super) enum Gathered {
    /// Nothing but short decimals, round by round.
    Decimals(Rounds<Decimals>),
    /// Doubles, round by round.
    Doubles(Rounds<Doubles>),
    /// Any predictions, by their distinct values.
    Any(Box<Forecasts>),
}

/// Where the rounds of a file are, once it has been read.
pub(super) enum Kept {
    /// In memory.
    Memory(Gathered),
    /// In temporary files: standard input, which cannot be read twice.
    Decimals(Spool<Decimals>),
    /// The same for doubles.
    Doubles(Spool<Doubles>),
    /// In the file alone, which must be read again.
    Nowhere,
}

impl Gathered {
    /// The number of rounds, and of those in which the event happened.
    pub fn counts(&self) -> (u64, u64) {
        match self {
            Gathered::Decimals(rounds) => (rounds.rounds(), rounds.ones()),
            Gathered::Doubles(rounds) => (rounds.rounds(), rounds.ones()),
            Gathered::Any(forecasts) => (forecasts.rounds(), forecasts.ones()),
        }
    }

    /// The memory that they take.
    fn bytes(&self) -> u64 {
        match self {
            Gathered::Decimals(rounds) => rounds.bytes(),
            Gathered::Doubles(rounds) => rounds.bytes(),
            Gathered::Any(forecasts) => forecasts.bytes(),
        }
    }

    /// Whether so many bytes are taken, and cannot be saved by going over to distinct predictions.
    fn is_full(&mut self, most: u64) -> bool {
        if self.bytes() < most {
            return false;
        }
        let saves = match self {
            Gathered::Decimals(rounds) => rounds.is_mostly_tied(),
            Gathered::Doubles(rounds) => rounds.is_mostly_tied(),
            Gathered::Any(_) => false,
        };
        if saves {
            self.any();
        }
        self.bytes() >= most
    }

    /// The same rounds where any prediction can be added.
    fn any(&mut self) -> &mut Forecasts {
        let forecasts = match self {
            Gathered::Decimals(rounds) => Some(std::mem::take(rounds).into_forecasts()),
            Gathered::Doubles(rounds) => Some(std::mem::take(rounds).into_forecasts()),
            Gathered::Any(_) => None,
        };
        if let Some(forecasts) = forecasts {
            *self = Gathered::Any(Box::new(forecasts));
        }
        match self {
            Gathered::Any(forecasts) => forecasts,
            _ => unreachable!("it was just made"),
        }
    }

    fn push_doubles(&mut self, more: Rounds<Doubles>) -> Result<(), ForecastsError> {
        match self {
            Gathered::Doubles(rounds) => {
                rounds.append(more);
                Ok(())
            }
            _ => more.add_to(self.any()),
        }
    }

    /// Whether there are so many rounds, one by one, that it pays not to sort them.
    pub fn is_long(&self) -> bool {
        const MANY: u64 = 1 << 17;
        self.counts().0 >= MANY && !matches!(self, Gathered::Any(_))
    }

    /// Those of the measures that are found without sorting the rounds, if they are there one by
    /// one.
    pub fn evaluate(&self, measures: &[Measure]) -> Vec<Evaluation> {
        match self {
            Gathered::Decimals(rounds) => rounds.evaluate(measures),
            Gathered::Doubles(rounds) => rounds.evaluate(measures),
            Gathered::Any(_) => vec![],
        }
    }

    /// The memory that the level table takes, and measures of it.
    pub fn table_bytes(&self) -> u64 {
        let table = match self {
            Gathered::Decimals(rounds) => rounds.table_bytes(),
            Gathered::Doubles(rounds) => rounds.table_bytes(),
            // 24 bytes for a distinct prediction, then 48 at most, but for long fractions.
            Gathered::Any(forecasts) => 3 * forecasts.bytes(),
        };
        table + table / 4
    }

    /// The level table.
    pub fn into_levels(self) -> Result<AnyLevels, TableTooLarge> {
        match self {
            Gathered::Decimals(rounds) => rounds.into_levels(),
            Gathered::Doubles(rounds) => rounds.into_levels(),
            Gathered::Any(forecasts) => forecasts.levels(),
        }
    }
}

/// Reads a file, or standard input, and keeps at most so many bytes in memory.
pub(super) fn gather(
    path: &Path,
    format: Option<Format>,
    options: &CsvOptions,
    most: u64,
) -> Result<Kept, InputError> {
    let name = &options.name;
    let format = format.unwrap_or_else(|| Format::of(path));
    refused(format, options)?;
    let mut progress = Line::new();
    match format {
        Format::Csv => {
            let (source, size) = open(path, name)?;
            let gathered = Gathered::Decimals(Rounds::new());
            let mut keeper = Keeper { kept: Kept::Memory(gathered), most, once: is_stdin(path) };
            let read = read_csv_into(&mut keeper, source, options, |rows, bytes| {
                reading(&mut progress, "reading", (rows, bytes), size);
            });
            match (read, &keeper.kept) {
                (_, Kept::Nowhere) => Ok(Kept::Nowhere),
                (read, _) => read.map(|_| keeper.kept),
            }
        }
        Format::Npy => {
            let (source, size) = open(path, name)?;
            let mut reader = NpyReader::open(source, name)?;
            let gathered = Gathered::Doubles(Rounds::new());
            let mut keeper = Keeper { kept: Kept::Memory(gathered), most, once: is_stdin(path) };
            let mut room = (vec![], vec![]);
            while let Some(rounds) = reader.read_rounds(&mut room)? {
                let taken = keeper.take_doubles(rounds);
                if matches!(keeper.kept, Kept::Nowhere) {
                    break;
                }
                taken.map_err(|error| InputError::of_file(name, error.to_string()))?;
                reading(&mut progress, "reading", (reader.rows(), reader.bytes()), size);
            }
            Ok(keeper.kept)
        }
        Format::Parquet => {
            let forecasts = parquet(path, options, |rows, all| {
                progress.show_share(rows, all, || format!("reading: {rows} rows"));
            })?;
            Ok(Kept::Memory(Gathered::Any(Box::new(forecasts))))
        }
    }
}

/// Keeps rounds as they are read.
struct Keeper {
    kept: Kept,
    most: u64,
    /// Whether they cannot be read again.
    once: bool,
}

impl Keeper {
    /// Makes room: goes over to a temporary file if memory is full, or to nothing if the file can
    /// be read again.
    fn make_room(&mut self) -> Result<(), SinkError> {
        let Kept::Memory(gathered) = &mut self.kept else { return Ok(()) };
        if !gathered.is_full(self.most) {
            return Ok(());
        }
        if !self.once {
            self.kept = Kept::Nowhere;
            return Err(SinkError::Full);
        }
        self.kept = match gathered {
            Gathered::Decimals(rounds) => {
                let mut spool = Spool::new()?;
                spool.write(rounds)?;
                Kept::Decimals(spool)
            }
            Gathered::Doubles(rounds) => {
                let mut spool = Spool::new()?;
                spool.write(rounds)?;
                Kept::Doubles(spool)
            }
            Gathered::Any(forecasts) => {
                let levels = forecasts.short_levels().ok_or(SinkError::Full)?;
                let mut spool = Spool::new()?;
                spool.write_levels(&levels)?;
                Kept::Decimals(spool)
            }
        };
        Ok(())
    }

    fn take_doubles(&mut self, rounds: Rounds<Doubles>) -> Result<(), SinkError> {
        self.make_room()?;
        match &mut self.kept {
            Kept::Memory(gathered) => gathered.push_doubles(rounds)?,
            Kept::Doubles(spool) => spool.write(&rounds)?,
            Kept::Decimals(_) | Kept::Nowhere => return Err(SinkError::Full),
        }
        Ok(())
    }
}

impl Sink for Keeper {
    fn take(&mut self, lot: Lot) -> Result<(), SinkError> {
        self.make_room()?;
        match &mut self.kept {
            Kept::Memory(Gathered::Decimals(rounds)) if lot.others.is_empty() => {
                rounds.append(lot.decimals);
            }
            Kept::Memory(gathered) => gathered.any().take(lot)?,
            Kept::Decimals(spool) => {
                let levels = short_levels(&lot.others)?;
                spool.write(&lot.decimals)?;
                spool.write_levels(&levels)?;
            }
            Kept::Doubles(_) | Kept::Nowhere => return Err(SinkError::Full),
        }
        Ok(())
    }
}

/// Levels by short decimals, if that is what they are.
pub(super) fn short_levels(
    levels: &[(Prediction, u64, u64)],
) -> Result<Vec<Weighted<Decimals>>, SinkError> {
    let short = |(prediction, count, ones): &(Prediction, u64, u64)| {
        let decimal: Decimal = prediction.decimal().ok_or(SinkError::LongPrediction)?;
        Ok((decimal, *count, *ones))
    };
    levels.iter().map(short).collect()
}
