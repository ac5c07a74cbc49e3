//! Which rounds can be at which level of which forecaster.
//!
//! A swap by a fair coin makes both ways round equally likely, whichever it was. So of the rounds
//! in which one of the two predicted a and the other b, with one outcome, a replicate gives the
//! first forecaster a in a binomially distributed number, with probability 1/2, and b in the
//! others.

use std::collections::HashMap;
use std::ops::Range;

use super::gather::PairedForecasts;
use crate::any_levels::{AnyLevels, TableTooLarge};
use crate::prediction::Prediction;

/// Rounds with one outcome in which one of two forecasters predicted the lower and the other the
/// higher of two levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Swapped {
    low: usize,
    high: usize,
    one: bool,
    /// The rounds.
    count: u64,
    /// Those in which the first forecaster predicted the lower one.
    first_low: u64,
}

/// Where it says how many rounds of a group of them the first forecaster has at the lower level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A coin, for a group of one round.
    Coin(usize),
    /// A number, for a group of more.
    Number(usize),
}

/// A group of rounds at one of its two levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub source: Source,
    /// Whether the level is the higher one.
    pub high: bool,
    /// The outcome.
    pub one: bool,
}

/// What can be at a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// One round and no more, which the first forecaster has if the coin differs from `high`.
    Alone { coin: usize, high: bool },
    /// Anything else: the index in [`Plan::shared`].
    Shared(usize),
}

/// A level at which both may have been, or one of them several times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    /// The rounds in which both predicted it, and the ones among them.
    pub fixed: (u64, u64),
    /// The others, in [`Plan::slots`].
    pub slots: Range<usize>,
}

/// How many rounds of each group the first forecaster has at the lower level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Draw {
    /// A bit for each group of one round.
    pub coins: Vec<u64>,
    /// A number for each of the others.
    pub numbers: Vec<u64>,
}

/// The levels of two forecasters, and what can be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// All levels of both, at a width that holds the tables of either. A level that has one round
    /// stands there as it is in the table of the one who has it; others stand there for their
    /// value alone.
    pub levels: AnyLevels,
    /// For each level.
    pub seats: Vec<Seat>,
    pub shared: Vec<Shared>,
    pub slots: Vec<Slot>,
    /// The rounds of each group of more than one.
    pub counts: Vec<u64>,
    /// What happened.
    pub observed: Draw,
}

impl Plan {
    /// Of two of the forecasters. Cost: O(n log n) for n distinct pairs of predictions.
    pub fn new(all: &PairedForecasts, first: usize, second: usize) -> Result<Self, TableTooLarge> {
        let mut predictions: Vec<&Prediction> =
            all.gathered().flat_map(|(round, ..)| [&round[first], &round[second]]).collect();
        predictions.sort_unstable();
        predictions.dedup();
        let places: HashMap<&Prediction, usize> = predictions
            .iter()
            .enumerate()
            .map(|(place, prediction)| (*prediction, place))
            .collect();

        let mut fixed = vec![(0, 0); predictions.len()];
        let mut groups = Vec::new();
        for (round, count, ones) in all.gathered() {
            let (own, other) = (places[&round[first]], places[&round[second]]);
            if own == other {
                fixed[own] = (fixed[own].0 + count, fixed[own].1 + ones);
                continue;
            }
            let (low, high) = (own.min(other), own.max(other));
            for (one, count) in [(false, count - ones), (true, ones)] {
                let first_low = if own == low { count } else { 0 };
                groups.push(Swapped { low, high, one, count, first_low });
            }
        }
        let mut seating = Seating::new(predictions.len());
        for group in gathered(groups) {
            seating.take(group);
        }
        seating.finish(&predictions, &fixed, all.rounds())
    }

    /// Rows of both tables together, at most.
    pub fn rows(&self) -> usize {
        self.seats.len() + self.shared.len()
    }
}

/// Groups of rounds in order, those that differ in their numbers only put together, without empty
/// ones.
fn gathered(mut groups: Vec<Swapped>) -> Vec<Swapped> {
    groups.retain(|group| group.count > 0);
    groups.sort_unstable();
    groups.dedup_by(|group, kept| {
        let same = (group.low, group.high, group.one) == (kept.low, kept.high, kept.one);
        if same {
            kept.count += group.count;
            kept.first_low += group.first_low;
        }
        same
    });
    groups
}

/// Groups of rounds that find their places.
struct Seating {
    /// The levels that were taken, each with what is there.
    slots: Vec<Vec<Slot>>,
    counts: Vec<u64>,
    coins: usize,
    observed: Draw,
}

impl Seating {
    fn new(levels: usize) -> Self {
        let slots = vec![Vec::new(); levels];
        Seating { slots, counts: Vec::new(), coins: 0, observed: Draw::default() }
    }

    fn take(&mut self, group: Swapped) {
        let source = if group.count == 1 {
            if self.coins.is_multiple_of(64) {
                self.observed.coins.push(0);
            }
            let word = self.observed.coins.last_mut().expect("there is one now");
            *word |= group.first_low << (self.coins % 64);
            self.coins += 1;
            Source::Coin(self.coins - 1)
        } else {
            self.counts.push(group.count);
            self.observed.numbers.push(group.first_low);
            Source::Number(self.counts.len() - 1)
        };
        for (level, high) in [(group.low, false), (group.high, true)] {
            self.slots[level].push(Slot { source, high, one: group.one });
        }
    }

    fn finish(
        self,
        predictions: &[&Prediction],
        fixed: &[(u64, u64)],
        rounds: u64,
    ) -> Result<Plan, TableTooLarge> {
        let Seating { slots: by_level, counts, observed, .. } = self;
        let (mut seats, mut rows) = (Vec::new(), Vec::new());
        let (mut shared, mut slots) = (Vec::new(), Vec::new());
        for ((here, &fixed), &prediction) in by_level.iter().zip(fixed).zip(predictions) {
            let (seat, one) = match (here.as_slice(), fixed) {
                (&[Slot { source: Source::Coin(coin), high, one }], (0, 0)) => {
                    (Seat::Alone { coin, high }, one)
                }
                _ => {
                    let start = slots.len();
                    slots.extend_from_slice(here);
                    shared.push(Shared { fixed, slots: start..slots.len() });
                    (Seat::Shared(shared.len() - 1), false)
                }
            };
            seats.push(seat);
            rows.push((prediction.clone(), 1, one.into()));
        }
        // The table of either has all rounds, and this one a round for each level.
        let most = rounds.max(rows.len() as u64);
        let levels = AnyLevels::from_tally([].into_iter(), &rows, most)?;
        Ok(Plan { levels, seats, shared, slots, counts, observed })
    }
}
