//! The summary of rounds in memory, quickly: in a table of two words for a bucket.
//!
//! Most of the time that a summary takes goes into its table, which should stay in the cache. In a
//! narrow bucket with 2^w keys, w at most 52, the sum of up to 2^(64 - w) of them is known by its
//! last 64 bits, as their distances from the first key add up to less than that; and both counts
//! fit half a word. So the widest buckets, which are few, are emptied every 2^12 rounds, and those
//! half as wide half as often. What is given up is the largest key: the end of the bucket stands
//! for it. So a bucket with one level only is not known to be one until it is opened, which costs
//! something if it must be; where all rounds are read once only, [`Summary::update`] keeps more.
//!
//! Rounds come in blocks. If all rounds of one belong in narrow buckets, as most do, there is
//! nothing to decide for any of them, and the buckets of several are found at once.

use super::parts::{BLOCK, Block, Part, in_groups};
use super::{Bucket, Keys, Summary, halves};
use crate::forecasts::ForecastsError;

/// Of a narrow bucket: the last 64 bits of the sum of its keys; its rounds and ones, half a word
/// each.
type Sums = [u64; 2];

/// The narrow buckets, and more, so that every number of 16 bits has a place: only what is used is
/// in the cache.
type Table = [Sums; 1 << u16::BITS];

/// The widest buckets are emptied after 2^12 rounds.
const WIDEST: u32 = 12;

impl<K: Keys> Summary<K> {
    /// Of all rounds of some parts, on all threads; `None` if one of them is not a forecast.
    pub(crate) fn of_parts<P: Part<K>>(parts: &[P]) -> Option<Result<Self, ForecastsError>> {
        let summaries = in_groups(parts, |group| {
            let mut summary = Summary::new();
            let mut quick = Quick::new();
            let all_good = group.iter().all(|part| quick.add(part, &mut summary));
            quick.empty(K::NARROW.len(), &mut summary);
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
    sums: Box<Table>,
    rounds: u64,
}

impl Quick {
    fn new() -> Self {
        let sums = vec![[0, 0]; 1 << u16::BITS].into_boxed_slice();
        Quick { sums: sums.try_into().expect("as long as a table"), rounds: 0 }
    }

    /// Adds the rounds of a part; `false` if one is not a forecast.
    fn add<K: Keys>(&mut self, part: &impl Part<K>, summary: &mut Summary<K>) -> bool {
        let mut start = 0;
        while start < part.len() {
            let room = (1 << WIDEST) - self.rounds % (1 << WIDEST);
            let end = part.len().min(start + room as usize);
            if !self.add_some(part, start, end, summary) {
                return false;
            }
            self.rounds += (end - start) as u64;
            // 2^(64 - w) divides the rounds: the sums of buckets with 2^w keys may be full.
            let zeros = self.rounds.trailing_zeros();
            if zeros >= WIDEST {
                self.empty(K::as_wide_as(u64::BITS - zeros), summary);
            }
            start = end;
        }
        true
    }

    // Apart, so that the loop has all registers.
    #[inline(never)]
    fn add_some<K: Keys>(
        &mut self,
        part: &impl Part<K>,
        mut start: usize,
        end: usize,
        summary: &mut Summary<K>,
    ) -> bool {
        while start + BLOCK <= end {
            if !self.add_block::<K>(&part.block(start)) {
                if !self.add_rounds(part.rounds(start..start + BLOCK), summary) {
                    return false;
                }
            }
            start += BLOCK;
        }
        self.add_rounds(part.rounds(start..end), summary)
    }

    /// Adds the rounds of a block, if all are forecasts and belong in narrow buckets.
    #[inline(always)]
    fn add_block<K: Keys>(&mut self, block: &Block) -> bool {
        let narrow = block.bits.map(K::narrow);
        let all_narrow = narrow.iter().fold(true, |all, n| all & (*n < K::NARROW.len() as u32));
        let all_good = block.happened.iter().fold(true, |all, x| all & x.is_some());
        if !all_narrow || !all_good {
            return false;
        }
        for round in 0..BLOCK {
            let happened = block.happened[round] == Some(true);
            add_to(&mut self.sums[usize::from(narrow[round] as u16)], block.bits[round], happened);
        }
        true
    }

    /// Adds rounds one by one; `false` if one is not a forecast.
    #[inline(never)]
    fn add_rounds<K: Keys>(
        &mut self,
        rounds: impl Iterator<Item = (u64, Option<bool>)>,
        summary: &mut Summary<K>,
    ) -> bool {
        for (bits, outcome) in rounds {
            let Some(happened) = outcome else { return false };
            match K::narrow(bits) {
                narrow if narrow < K::NARROW.len() as u32 => {
                    add_to(&mut self.sums[usize::from(narrow as u16)], bits, happened);
                }
                _ if summary.add_wide(bits, happened) => {}
                _ => return false,
            }
        }
        true
    }

    /// Hands over the sums of so many narrow buckets, from the first on.
    fn empty<K: Keys>(&mut self, buckets: usize, summary: &mut Summary<K>) {
        for (bucket, sums) in K::NARROW.zip(&mut self.sums[..buckets]) {
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

#[inline(always)]
fn add_to([sum, counts]: &mut Sums, bits: u64, happened: bool) {
    *sum = sum.wrapping_add(bits);
    *counts = counts.wrapping_add(1 << 32 | u64::from(happened));
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
