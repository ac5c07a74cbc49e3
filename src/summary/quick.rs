//! The summary of rounds in memory, quickly: in a table of two words for a bucket.
//!
//! Most of the time that a summary takes goes into its table, which should stay in the cache. In a
//! narrow bucket keys differ by less than 2^43. Of up to 2^21 rounds in it the sum of keys is then
//! known by its last 64 bits, as their distances from the first key add up to less than that; and
//! both counts fit half a word. What is given up is the largest key: the end of the bucket stands
//! for it. So a bucket with one level only is not known to be one until it is opened, which costs
//! something if it must be; where all rounds are read once only, [`Summary::update`] keeps more.

use super::keys::NARROW_BITS;
use super::parts::{Part, in_groups};
use super::{Bucket, Keys, Summary, halves};
use crate::forecasts::ForecastsError;

/// Of a narrow bucket: the last 64 bits of the sum of its keys; its rounds and ones, half a word
/// each.
type Sums = [u64; 2];

/// The distances of so many keys add up to less than 2^64.
const ROUNDS: usize = 1 << (u64::BITS - NARROW_BITS);

impl<K: Keys> Summary<K> {
    /// Of all rounds of some parts, on all threads; `None` if one of them is not a forecast.
    pub(crate) fn of_parts<P: Part<K>>(parts: &[P]) -> Option<Result<Self, ForecastsError>> {
        let summaries = in_groups(parts, |group| {
            let mut summary = Summary::new();
            let mut quick = Quick { sums: vec![[0, 0]; K::BUCKETS], room: ROUNDS };
            let all_good = group.iter().all(|part| quick.add(part, &mut summary));
            quick.empty_into(&mut summary);
            all_good.then_some(summary)
        });
        let mut summaries = summaries.into_iter();
        let mut whole = summaries.next().unwrap_or_else(|| Some(Summary::new()))?;
        for summary in summaries {
            if let Err(error) = whole.merge(&summary?) {
                return Some(Err(error));
            }
        }
        Some(Ok(whole))
    }
}

struct Quick {
    sums: Vec<Sums>,
    /// As many rounds may still be added.
    room: usize,
}

impl Quick {
    /// Adds the rounds of a part; `false` if one is not a forecast.
    fn add<K: Keys>(&mut self, part: &impl Part<K>, summary: &mut Summary<K>) -> bool {
        let mut start = 0;
        while start < part.len() {
            if self.room == 0 {
                self.empty_into(summary);
            }
            let end = part.len().min(start + self.room);
            self.room -= end - start;
            if !self.add_some(part.rounds(start..end), summary) {
                return false;
            }
            start = end;
        }
        true
    }

    // Apart, so that the loop has all registers.
    #[inline(never)]
    fn add_some<K: Keys>(
        &mut self,
        rounds: impl Iterator<Item = (u64, Option<bool>)>,
        summary: &mut Summary<K>,
    ) -> bool {
        let sums = self.sums.as_mut_slice();
        for (bits, outcome) in rounds {
            let Some(happened) = outcome else { return false };
            match K::narrow(bits) {
                Some(bucket) => {
                    let [sum, counts] = &mut sums[bucket];
                    *sum = sum.wrapping_add(bits);
                    *counts = counts.wrapping_add(1 << 32 | u64::from(happened));
                }
                None if summary.add_wide(bits, happened) => {}
                None => return false,
            }
        }
        true
    }

    /// Hands all sums over.
    fn empty_into<K: Keys>(&mut self, summary: &mut Summary<K>) {
        self.room = ROUNDS;
        for (bucket, sums) in self.sums.iter_mut().enumerate() {
            let [sum, counts] = std::mem::take(sums);
            if counts == 0 {
                continue;
            }
            let (count, ones) = (counts >> 32, counts & u64::from(u32::MAX));
            let floor = K::floor(bucket);
            let beyond = sum.wrapping_sub(floor.wrapping_mul(count));
            let sum = u128::from(floor) * u128::from(count) + u128::from(beyond);
            let more = Bucket { sum: halves(sum), largest: K::ceiling(bucket), count, ones };
            summary.buckets[bucket].join(&more);
            summary.rounds += count;
            summary.ones += ones;
        }
    }
}

impl<K: Keys> Summary<K> {
    /// Adds a round to its bucket, which is not narrow; `false` if the bits are of no prediction.
    #[cold]
    #[inline(never)]
    fn add_wide(&mut self, bits: u64, happened: bool) -> bool {
        let Some(key) = K::valid(bits) else { return false };
        self.buckets[K::bucket(key)].add(key, happened);
        self.rounds += 1;
        self.ones += u64::from(happened);
        true
    }
}
