//! Forecasts in constant memory: a table of buckets, from which measures are bounded, and then
//! found exactly with a second look at the data.
//!
//! A [`Summary`] puts every prediction into one of tens of thousands of buckets, in their order,
//! and keeps of each bucket how many rounds it has, how many ones, the exact sum of
//! the predictions and the largest of them. It is a level table in which neighbouring levels are
//! put together: the prefix sums at the ends of buckets are exact, and within a bucket they cannot
//! stray further than its own rounds allow. So the summary bounds every measure
//! ([`Summary::bounds`]), and tells which buckets can hold what attains it. Those few are opened in
//! a second pass ([`Summary::refine`]), which gives the exact value and the same witness that the
//! whole level table gives. Nothing else is sorted.
//!
//! Summaries of parts of the data, made by threads or machines, are merged by adding them up.
//!
//! ```
//! use truecal::{Measure, float::Summary};
//! let (outcomes, predictions) = ([true, false, true, false], [0.25, 0.25, 0.75, 1.0]);
//! let mut summary = Summary::new();
//! summary.update(&outcomes[..2], &predictions[..2])?;
//! let mut rest = Summary::new();
//! rest.update(&outcomes[2..], &predictions[2..])?;
//! summary.merge(&rest)?;
//!
//! let bounds = summary.bounds(Measure::StepCe).expect("not a subsampled measure");
//! let mut refinement = summary.refine(&[Measure::StepCe, Measure::UCal]);
//! while !refinement.is_complete() {
//!     refinement.update(&outcomes, &predictions)?;
//!     refinement.end_pass()?;
//! }
//! let step = refinement.evaluate(Measure::StepCe).expect("asked for");
//! assert_eq!(step.value, "3/4".parse()?);
//! assert!(bounds.lower <= step.value && step.value <= bounds.upper);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod averages;
mod bounds;
mod buckets;
mod certain;
mod keys;
mod near;
mod outcome;
mod parts;
mod quick;
mod refine;
mod select;
mod stretches;
#[cfg(test)]
mod tests;
mod variance;
mod walk;

pub use buckets::{BUCKETS, bucket};
pub use certain::Bounds;
pub use keys::{Decimals, Doubles, Keys};
pub use outcome::Outcome;
pub use refine::{DataChanged, Refinement};
pub use variance::Variance;

pub(crate) use keys::{pack, unpack};
pub(crate) use parts::Slices;
pub(crate) use refine::evaluate_parts;
pub(crate) use stretches::{Stretch, Stretches};

use std::marker::PhantomData;

use crate::forecasts::ForecastsError;
use crate::tally::Entry;
use stretches::Cell;

/// The numbers of rounds, ones and predictions by bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary<K: Keys> {
    buckets: Vec<Bucket>,
    rounds: u64,
    ones: u64,
    keys: PhantomData<K>,
}

/// What is known of the rounds with predictions in some interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bucket {
    /// The sum of the keys, its low and its high half: as one number it would be aligned to 16
    /// bytes, and the table less dense.
    sum: [u64; 2],
    /// The largest key, or one that none exceeds. If the sum is as large as it would be if all keys
    /// were this one, they are: so data with few distinct predictions are never opened.
    largest: u64,
    count: u64,
    ones: u64,
}

impl Bucket {
    #[inline(always)]
    fn add(&mut self, key: u64, happened: bool) {
        let (low, carry) = self.sum[0].overflowing_add(key);
        self.sum = [low, self.sum[1] + u64::from(carry)];
        self.largest = self.largest.max(key);
        self.count += 1;
        self.ones += u64::from(happened);
    }

    /// Of one level.
    fn of_level(&Entry { key, count, ones }: &Entry) -> Self {
        let sum = halves(u128::from(key) * u128::from(count));
        Bucket { sum, largest: key, count, ones }
    }

    fn join(&mut self, other: &Self) {
        self.sum = halves(self.sum() + other.sum());
        self.largest = self.largest.max(other.largest);
        self.count += other.count;
        self.ones += other.ones;
    }

    /// The sum of the keys: at most 2^64 of them, below 2^63.
    fn sum(&self) -> u128 {
        u128::from(self.sum[1]) << 64 | u128::from(self.sum[0])
    }

    /// Whether all predictions are known to be the same: none is larger than the largest.
    fn is_level(&self) -> bool {
        self.sum() == u128::from(self.largest) * u128::from(self.count)
    }
}

fn halves(sum: u128) -> [u64; 2] {
    [sum as u64, (sum >> 64) as u64]
}

impl<K: Keys> Default for Summary<K> {
    fn default() -> Self {
        Summary::new()
    }
}

impl<K: Keys> Summary<K> {
    /// Of no rounds.
    pub fn new() -> Self {
        Summary {
            buckets: vec![Bucket::default(); K::BUCKETS],
            rounds: 0,
            ones: 0,
            keys: PhantomData,
        }
    }

    /// Adds rounds. After an error, those before the round that is named have been added.
    pub fn update<O: Outcome>(
        &mut self,
        outcomes: &[O],
        predictions: &[K::Input],
    ) -> Result<(), ForecastsError> {
        same_length(outcomes, predictions)?;
        if self.rounds.checked_add(outcomes.len() as u64).is_none() {
            return Err(ForecastsError::Rounds);
        }
        let mut ones = 0;
        let all_good = outcomes.iter().zip(predictions).all(|(&outcome, &prediction)| {
            let (Some(key), Some(happened)) = (K::key(prediction), outcome.happened()) else {
                return false;
            };
            self.buckets[K::bucket(key)].add(key, happened);
            ones += u64::from(happened);
            true
        });
        let (rounds, result) = match all_good {
            true => (outcomes.len(), Ok(())),
            false => {
                let (round, error) = first_bad::<K, O>(outcomes, predictions);
                (round, Err(error))
            }
        };
        self.rounds += rounds as u64;
        self.ones += ones;
        result
    }

    /// Adds levels: a prediction, its rounds, and the ones among them. After an error, those before
    /// the level that is named have been added.
    pub fn update_levels(&mut self, levels: &[Weighted<K>]) -> Result<(), ForecastsError> {
        for (round, level) in levels.iter().enumerate() {
            let entry = entry_of::<K>(round, level)?;
            let rounds = self.rounds.checked_add(entry.count).ok_or(ForecastsError::Rounds)?;
            if entry.count > 0 {
                self.buckets[K::bucket(entry.key)].join(&Bucket::of_level(&entry));
                (self.rounds, self.ones) = (rounds, self.ones + entry.ones);
            }
        }
        Ok(())
    }

    /// Adds rounds by their words.
    pub(crate) fn update_words(&mut self, words: &[u64]) -> Result<(), ForecastsError> {
        let rounds = self.rounds.checked_add(words.len() as u64).ok_or(ForecastsError::Rounds)?;
        for word in words {
            let (key, happened) = unpack(*word);
            self.buckets[K::bucket(key)].add(key, happened);
            self.ones += u64::from(happened);
        }
        self.rounds = rounds;
        Ok(())
    }

    /// Adds all rounds of another summary.
    pub fn merge(&mut self, other: &Self) -> Result<(), ForecastsError> {
        self.rounds = self.rounds.checked_add(other.rounds).ok_or(ForecastsError::Rounds)?;
        self.ones += other.ones;
        for (bucket, other) in self.buckets.iter_mut().zip(&other.buckets) {
            bucket.join(other);
        }
        Ok(())
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of rounds in which the event happened.
    pub fn ones(&self) -> u64 {
        self.ones
    }

    /// The buckets that are not empty.
    fn cells(&self) -> Vec<Cell> {
        let filled = self.buckets.iter().enumerate().filter(|(_, bucket)| bucket.count > 0);
        let mut cells = Vec::with_capacity(K::BUCKETS);
        cells.extend(filled.map(|(number, &bucket)| Cell { floor: K::floor(number), bucket }));
        cells
    }

    /// The scale on which every prediction is an integer.
    pub(crate) fn scale(&self) -> u32 {
        // All keys of a bucket have one scale, and 0 is on every scale.
        let nonzero = self.buckets.iter().find(|bucket| bucket.largest > 0);
        nonzero.map_or(0, |bucket| K::scale(bucket.largest))
    }
}

/// A prediction, how many rounds have it, and the ones among them.
pub type Weighted<K> = (<K as Keys>::Input, u64, u64);

/// A level by its key; `round` is its place among others.
pub(crate) fn entry_of<K: Keys>(
    round: usize,
    &(prediction, count, ones): &Weighted<K>,
) -> Result<Entry, ForecastsError> {
    let refusal = || ForecastsError::Prediction { round, error: K::refusal(prediction) };
    let key = K::key(prediction).ok_or_else(refusal)?;
    match ones <= count {
        true => Ok(Entry { key, count, ones }),
        false => Err(ForecastsError::Ones { count, ones }),
    }
}

pub(crate) fn same_length<O, P>(outcomes: &[O], predictions: &[P]) -> Result<(), ForecastsError> {
    match (outcomes.len(), predictions.len()) {
        (outcomes, predictions) if outcomes != predictions => {
            Err(ForecastsError::Lengths { outcomes, predictions })
        }
        _ => Ok(()),
    }
}

/// The first round of which the outcome or the prediction is bad, and what is wrong with it. Loops
/// look for it only once they have met it: counting the rounds on the way would cost more than the
/// rest.
#[cold]
pub(crate) fn first_bad<K: Keys, O: Outcome>(
    outcomes: &[O],
    predictions: &[K::Input],
) -> (usize, ForecastsError) {
    let mut rounds = outcomes.iter().zip(predictions).enumerate();
    let bad = rounds.find_map(|(round, (outcome, &prediction))| {
        if K::key(prediction).is_none() {
            let error = K::refusal(prediction);
            return Some((round, ForecastsError::Prediction { round, error }));
        }
        let value = outcome.text();
        outcome.happened().is_none().then_some((round, ForecastsError::Outcome { round, value }))
    });
    bad.expect("one of the rounds is bad")
}

/// Evaluates an expression generic in the number type at the narrowest of 128, 256 and any number
/// of bits that the bound of [`Levels`](crate::Levels) allows.
macro_rules! at_width {
    ($rounds:expr, $unit:expr, $number:ident => $body:expr) => {{
        let (rounds, unit): (u64, &num_bigint::BigInt) = ($rounds, $unit);
        if $crate::levels::fits::<i128>(rounds, unit, 0) {
            type $number = i128;
            $body
        } else if $crate::levels::fits::<ethnum::I256>(rounds, unit, 0) {
            type $number = ethnum::I256;
            $body
        } else {
            type $number = num_bigint::BigInt;
            $body
        }
    }};
}
pub(crate) use at_width;
