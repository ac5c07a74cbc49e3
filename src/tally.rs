//! Rounds gathered by a 63-bit key: sorted runs instead of a hash table.
//!
//! Keys come in an append-only buffer with the outcome in the lowest bit. Whenever it outgrows the
//! distinct keys so far (and a million), it is sorted and merged with them: time O(n log n), memory
//! in proportion to the distinct keys.

use std::borrow::Cow;

/// The rounds that share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub key: u64,
    pub count: u64,
    pub ones: u64,
}

/// The counts and ones of keys below 2^63.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Twice the key, plus the outcome.
    fresh: Vec<u64>,
    /// Rounds that came by the number.
    weighted: Vec<Entry>,
    /// Strictly ascending.
    run: Vec<Entry>,
}

/// The buffer that is always granted.
const ROOM: usize = 1 << 20;

impl Tally {
    /// Adds a round.
    #[inline]
    pub fn push(&mut self, outcome: bool, key: u64) {
        self.fresh.push(key << 1 | u64::from(outcome));
        if self.fresh.len() >= ROOM {
            self.make_room();
        }
    }

    /// Adds `count` rounds of which `ones` are ones; the caller sees to it that all counts together
    /// fit.
    pub fn push_level(&mut self, key: u64, count: u64, ones: u64) {
        self.weighted.push(Entry { key, count, ones });
        if self.weighted.len() >= ROOM {
            self.make_room();
        }
    }

    /// Of distinct keys in ascending order.
    pub fn of_entries(run: Vec<Entry>) -> Self {
        Tally { run, ..Tally::default() }
    }

    /// Adds all rounds of another.
    pub fn append(&mut self, mut other: Tally) {
        self.settle();
        other.settle();
        let levels = other.run.len();
        self.run = match self.run.is_empty() {
            true => other.run,
            false => merged(&self.run, other.run.into_iter(), levels),
        };
    }

    /// The memory that it takes beyond the buffer that is always granted, in bytes.
    pub fn bytes(&self) -> u64 {
        let buffered = self.fresh.len().saturating_sub(ROOM) * size_of::<u64>();
        let entries = self.run.capacity() + self.weighted.len();
        (buffered + entries * size_of::<Entry>()) as u64
    }

    /// The distinct keys in ascending order.
    pub fn entries(&self) -> Cow<'_, [Entry]> {
        if self.fresh.is_empty() && self.weighted.is_empty() {
            return Cow::Borrowed(&self.run);
        }
        let mut settled = self.clone();
        settled.settle();
        Cow::Owned(settled.run)
    }

    /// Merges the buffers into the run, so that `entries` need not.
    pub fn settle(&mut self) {
        if !self.fresh.is_empty() {
            let fresh = levels_of(&mut self.fresh);
            self.run = match self.run.is_empty() {
                true => fresh,
                false => merged(&self.run, fresh.iter().copied(), fresh.len()),
            };
            self.fresh = Vec::new();
        }
        if !self.weighted.is_empty() {
            self.weighted.sort_unstable_by_key(|entry| entry.key);
            let levels = self.weighted.len();
            self.run = merged(&self.run, self.weighted.drain(..), levels);
        }
    }

    fn make_room(&mut self) {
        if self.fresh.len() + self.weighted.len() >= ROOM.max(self.run.len()) {
            self.settle();
        }
    }
}

/// Whether of the keys of some items, evenly spaced among all, less than half are distinct. (Of a
/// slice, as other iterators go through what they step over.)
pub(crate) fn mostly_tied<T>(items: &[T], key: impl Fn(&T) -> u64) -> bool {
    const SAMPLE: usize = 1 << 10;
    let step = items.len().div_ceil(SAMPLE).max(1);
    let mut sample: Vec<u64> = items.iter().step_by(step).map(key).collect();
    let all = sample.len();
    sample.sort_unstable();
    sample.dedup();
    2 * sample.len() < all
}

/// The distinct keys of words, each twice a key plus an outcome, in ascending order. The words are
/// sorted.
pub(crate) fn levels_of(words: &mut [u64]) -> Vec<Entry> {
    words.sort_unstable();
    let mut levels = Vec::with_capacity(entries_of(words).count());
    levels.extend(entries_of(words));
    levels
}

/// The same of words that are in order, one after the other.
pub(crate) fn entries_of(words: &[u64]) -> impl Iterator<Item = Entry> + Clone {
    words.chunk_by(|a, b| a >> 1 == b >> 1).map(|group| {
        let ones = group.len() - group.partition_point(|key| key & 1 == 0);
        Entry { key: group[0] >> 1, count: group.len() as u64, ones: ones as u64 }
    })
}

/// A strictly ascending run and an ascending iterator of at most `more` entries as one run.
pub(crate) fn merged(run: &[Entry], new: impl Iterator<Item = Entry>, more: usize) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::with_capacity(run.len() + more);
    let mut rest = run;
    for entry in new {
        while let [first, others @ ..] = rest
            && first.key <= entry.key
        {
            all.push(*first);
            rest = others;
        }
        match all.last_mut().filter(|last| last.key == entry.key) {
            Some(last) => {
                last.count += entry.count;
                last.ones += entry.ones;
            }
            None => all.push(entry),
        }
    }
    all.extend_from_slice(rest);
    all
}

impl PartialEq for Tally {
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries()
    }
}

impl Eq for Tally {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn reference(rounds: &[(u64, u64, u64)]) -> Vec<Entry> {
        let mut map = BTreeMap::<u64, (u64, u64)>::new();
        for &(key, count, ones) in rounds {
            let tally = map.entry(key).or_default();
            *tally = (tally.0 + count, tally.1 + ones);
        }
        map.into_iter().map(|(key, (count, ones))| Entry { key, count, ones }).collect()
    }

    proptest! {
        /// Whenever the buffers are merged, the counts are those of a map.
        #[test]
        fn agrees_with_a_map(
            rounds in prop::collection::vec((0..12_u64, 0..3_u64, any::<bool>(), 0..8_u8), 0..60),
        ) {
            let mut tally = Tally::default();
            let mut plain = vec![];
            for (key, weight, outcome, settle) in rounds {
                let key = key << 59; // up to the last bit
                match weight {
                    0 => {
                        tally.push(outcome, key);
                        plain.push((key, 1, outcome.into()));
                    }
                    count => {
                        tally.push_level(key, count, count / 2);
                        plain.push((key, count, count / 2));
                    }
                }
                if settle == 0 {
                    tally.settle();
                }
            }
            prop_assert_eq!(&*tally.entries(), reference(&plain));
            let mut twice = tally.clone();
            twice.append(tally.clone());
            prop_assert_eq!(&*twice.entries(), reference(&[plain.as_slice(), &plain].concat()));
            let mut settled = tally.clone();
            settled.settle();
            prop_assert!(settled.fresh.is_empty() && settled.weighted.is_empty());
            prop_assert_eq!(settled, tally);
        }
    }

    /// Many rounds of few keys never take more than the buffer; many keys are merged ever more
    /// rarely.
    #[test]
    fn memory_follows_the_distinct_keys() {
        let mut tally = Tally::default();
        for round in 0..3 * ROOM as u64 {
            tally.push(round % 3 == 0, round % 10);
            assert!(tally.fresh.len() < ROOM);
        }
        let entries = tally.entries();
        assert_eq!(entries.len(), 10);
        assert_eq!(entries.iter().map(|entry| entry.count).sum::<u64>(), 3 * ROOM as u64);
        assert_eq!(entries.iter().map(|entry| entry.ones).sum::<u64>(), ROOM as u64);
    }
}
