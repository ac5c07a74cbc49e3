//! Rounds in memory that are gone over again, part by part and on all threads.

use super::{Keys, Outcome, unpack};
use crate::parallel;

/// Consecutive rounds: a prediction and an outcome each.
pub(crate) trait Part<K: Keys>: Sync {
    type Prediction: Copy;
    type Outcome: Copy;

    /// Of each round the prediction, and of each the outcome: as many.
    fn columns(&self) -> (&[Self::Prediction], &[Self::Outcome]);

    /// What stands for the key ([`Keys::bits`]).
    fn bits(prediction: Self::Prediction) -> u64;

    /// The outcome, if it is one.
    fn happened(outcome: Self::Outcome) -> Option<bool>;

    /// The number of rounds.
    fn len(&self) -> usize {
        self.columns().0.len()
    }
}

/// As many rounds are looked at together.
pub(crate) const BLOCK: usize = 16;

/// Slices of outcomes and predictions of the same length.
pub(crate) struct Slices<'a, O, P> {
    pub outcomes: &'a [O],
    pub predictions: &'a [P],
}

impl<K: Keys, O: Outcome> Part<K> for Slices<'_, O, K::Input> {
    type Prediction = K::Input;
    type Outcome = O;

    #[inline(always)]
    fn columns(&self) -> (&[K::Input], &[O]) {
        (self.predictions, self.outcomes)
    }

    #[inline(always)]
    fn bits(prediction: K::Input) -> u64 {
        K::bits(prediction)
    }

    #[inline(always)]
    fn happened(outcome: O) -> Option<bool> {
        outcome.happened()
    }
}

/// Keys with outcomes, as [`pack`](super::pack) makes them.
impl<K: Keys> Part<K> for Vec<u64> {
    type Prediction = u64;
    type Outcome = u64;

    #[inline(always)]
    fn columns(&self) -> (&[u64], &[u64]) {
        (self, self)
    }

    #[inline(always)]
    fn bits(word: u64) -> u64 {
        unpack(word).0
    }

    #[inline(always)]
    fn happened(word: u64) -> Option<bool> {
        Some(unpack(word).1)
    }
}

/// Does the work on consecutive groups of parts, one for each thread, with about as many rounds
/// each. The results come in order.
pub(crate) fn in_groups<K: Keys, P: Part<K>, T: Send>(
    parts: &[P],
    work: impl Fn(&[P]) -> T + Sync,
) -> Vec<T> {
    let rounds: usize = parts.iter().map(Part::len).sum();
    let share = rounds.div_ceil(parallel::threads()).max(1);
    let (mut groups, mut start, mut gathered) = (vec![], 0, 0);
    for (index, part) in parts.iter().enumerate() {
        gathered += part.len();
        if gathered >= share || index + 1 == parts.len() {
            groups.push(&parts[start..=index]);
            (start, gathered) = (index + 1, 0);
        }
    }
    parallel::map(groups, work)
}
