//! Rounds in memory that are gone over again, part by part and on all threads.

use std::ops::Range;

use super::{Keys, Outcome, unpack};
use crate::parallel;

/// Consecutive rounds: a key and an outcome each.
pub(crate) trait Part<K: Keys>: Sync {
    /// The number of rounds.
    fn len(&self) -> usize;

    /// The rounds of a range: what stands for the key ([`Keys::bits`]), and the outcome, if it is
    /// one.
    fn rounds(&self, range: Range<usize>) -> impl Iterator<Item = (u64, Option<bool>)>;

    /// The block of rounds from one on.
    #[inline(always)]
    fn block(&self, start: usize) -> Block {
        let mut block = Block { bits: [0; BLOCK], happened: [None; BLOCK] };
        for (index, (bits, happened)) in self.rounds(start..start + BLOCK).enumerate() {
            block.bits[index] = bits;
            block.happened[index] = happened;
        }
        block
    }
}

/// As many rounds are looked at together.
pub(crate) const BLOCK: usize = 16;

/// The keys and outcomes of consecutive rounds.
pub(crate) struct Block {
    pub bits: [u64; BLOCK],
    pub happened: [Option<bool>; BLOCK],
}

/// Slices of outcomes and predictions of the same length.
pub(crate) struct Slices<'a, O, P> {
    pub outcomes: &'a [O],
    pub predictions: &'a [P],
}

impl<K: Keys, O: Outcome> Part<K> for Slices<'_, O, K::Input> {
    fn len(&self) -> usize {
        self.outcomes.len()
    }

    #[inline]
    fn rounds(&self, range: Range<usize>) -> impl Iterator<Item = (u64, Option<bool>)> {
        let pairs = self.outcomes[range.clone()].iter().zip(&self.predictions[range]);
        pairs.map(|(outcome, prediction)| (K::bits(*prediction), outcome.happened()))
    }
}

/// Keys with outcomes, as [`pack`](super::pack) makes them.
impl<K: Keys> Part<K> for Vec<u64> {
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn rounds(&self, range: Range<usize>) -> impl Iterator<Item = (u64, Option<bool>)> {
        self[range].iter().map(|word| unpack(*word)).map(|(key, happened)| (key, Some(happened)))
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
