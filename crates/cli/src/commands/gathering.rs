//! Forecasts in memory, in the form in which they can be asked for most with the least work; or, if
//! they do not fit, in a temporary file or nowhere.

use num_rational::BigRational;

use super::reading::Job;
use super::spool::Spool;
use crate::input::{InputError, Lot, Sink, SinkError, Totals};
use truecal::summary::{Decimals, Doubles, Keys, Variance, Weighted};
use truecal::{AnyLevels, Decimal, Evaluation, Measure};
use truecal::{Forecasts, Prediction, Rounds, TableTooLarge};

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
    /// In the file alone, which must be read again: all of it as numbers of one kind.
    Nowhere(Numbers),
}

/// The kinds of numbers that files are read by, where they do not fit in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    Decimals,
    Doubles,
}

/// How the outcomes of a truthful forecaster vary.
#[derive(Default)]
pub(super) struct Variation {
    /// Their variance.
    pub value: BigRational,
    /// How many of those that came about were ruled out.
    pub impossible: u64,
}

impl<K: Keys> From<&Variance<K>> for Variation {
    fn from(variance: &Variance<K>) -> Self {
        Variation { value: variance.value(), impossible: variance.impossible() }
    }
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

    fn take(&mut self, lot: Lot) -> Result<(), SinkError> {
        let decimals = lot.doubles.rounds() == 0 && lot.others.is_empty();
        let doubles = lot.decimals.rounds() == 0 && lot.others.is_empty();
        match self {
            Gathered::Decimals(rounds) if decimals => rounds.append(lot.decimals),
            Gathered::Doubles(rounds) if doubles => rounds.append(lot.doubles),
            _ => self.any().take(lot)?,
        }
        Ok(())
    }

    /// The same without a round, for numbers of the kind of those to come.
    fn begin(&mut self, first: &Lot) {
        let doubles = first.decimals.rounds() == 0 && first.others.is_empty();
        if self.counts().0 == 0 && doubles {
            *self = Gathered::Doubles(Rounds::new());
        }
    }

    /// The numbers that most of them are.
    fn numbers(&self) -> Numbers {
        match self {
            Gathered::Doubles(_) => Numbers::Doubles,
            Gathered::Decimals(_) | Gathered::Any(_) => Numbers::Decimals,
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

    /// How the outcomes of a truthful forecaster vary, if rounds are there one by one.
    pub fn variance(&self) -> Variation {
        match self {
            Gathered::Decimals(rounds) => Variation::from(&rounds.variance()),
            Gathered::Doubles(rounds) => Variation::from(&rounds.variance()),
            Gathered::Any(_) => Variation::default(),
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

/// Reads forecasts and keeps at most so many bytes of them in memory.
pub(super) fn gather(job: &Job, most: u64) -> Result<(Kept, Totals), InputError> {
    let gathered = Gathered::Decimals(Rounds::new());
    let mut keeper = Keeper { kept: Kept::Memory(gathered), most, once: job.is_once() };
    match (job.read(&mut keeper, "reading"), keeper.kept) {
        // That the rest was refused is why they are nowhere.
        (_, nowhere @ Kept::Nowhere(_)) => Ok((nowhere, Totals::default())),
        (read, kept) => Ok((kept, read?)),
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
    fn make_room(&mut self, next: &Lot) -> Result<(), SinkError> {
        let Kept::Memory(gathered) = &mut self.kept else { return Ok(()) };
        gathered.begin(next);
        if !gathered.is_full(self.most) {
            return Ok(());
        }
        if !self.once {
            self.kept = Kept::Nowhere(gathered.numbers());
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
}

impl Sink for Keeper {
    fn take(&mut self, lot: Lot) -> Result<(), SinkError> {
        self.make_room(&lot)?;
        match &mut self.kept {
            Kept::Memory(gathered) => gathered.take(lot)?,
            Kept::Decimals(spool) => {
                let levels = short_levels(&lot)?;
                spool.write(&lot.decimals)?;
                spool.write_levels(&levels)?;
            }
            Kept::Doubles(spool) => spool.write(only_doubles(&lot)?)?,
            Kept::Nowhere(_) => return Err(SinkError::Full),
        }
        Ok(())
    }
}

/// What is not among the short decimals, if it is levels with such predictions.
pub(super) fn short_levels(lot: &Lot) -> Result<Vec<Weighted<Decimals>>, SinkError> {
    if lot.doubles.rounds() > 0 {
        return Err(SinkError::LongPrediction);
    }
    let short = |(prediction, count, ones): &(Prediction, u64, u64)| {
        let decimal: Decimal = prediction.decimal().ok_or(SinkError::LongPrediction)?;
        Ok((decimal, *count, *ones))
    };
    lot.others.iter().map(short).collect()
}

/// The doubles, if there is nothing else.
pub(super) fn only_doubles(lot: &Lot) -> Result<&Rounds<Doubles>, SinkError> {
    match lot.decimals.rounds() == 0 && lot.others.is_empty() {
        true => Ok(&lot.doubles),
        false => Err(SinkError::Mixed),
    }
}
