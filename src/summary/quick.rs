//! The summary of rounds in memory, quickly: in a table of two words for a bucket.
//!
//! Most of the time that a summary takes goes into its table, which should stay in the cache. In a
//! narrow bucket with 2^w keys, w at most 52, the sum of up to 2^(64 - w) of them is known by its
//! last 64 bits, as their distances from the first key add up to less than that; and both counts
//! fit half a word. So the widest buckets, which are few, are emptied every 2^12 rounds, and those
//! half as wide half as often. What is given up is the largest key: the end of the bucket stands
//! for it. So a bucket with one level only is not known to be one until it is opened, which costs
//! something if it must be. Where most rounds are tied, all buckets that matter are in the cache
//! anyway, and rounds go into the summary itself, which keeps more.
//!
//! Rounds come in blocks. If all rounds of one belong in narrow buckets, as most do, there is
//! nothing to decide for any of them, and the buckets of several are found at once. The rounds of
//! other blocks go into the summary itself.

use super::parts::{BLOCK, Part, in_groups};
use super::{Bucket, Keys, Summary, halves};
use crate::forecasts::ForecastsError;
use crate::tally::mostly_tied;

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
        // Every part has rounds from everywhere, as far as is known.
        let bits = |prediction: &P::Prediction| P::bits(*prediction);
        let tied = parts.first().is_some_and(|part| mostly_tied(part.columns().0, bits));
        let summaries = in_groups(parts, |group| {
            let mut summary = Summary::new();
            let all_good = if tied {
                group.iter().all(|part| {
                    let (predictions, outcomes) = part.columns();
                    summary.add_rounds::<P>(predictions, outcomes)
                })
            } else {
                let mut quick = Quick::new();
                let all_good = group.iter().all(|part| quick.add(part, &mut summary));
                quick.empty(K::NARROW.len(), &mut summary);
                all_good
            };
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
    fn add<K: Keys, P: Part<K>>(&mut self, part: &P, summary: &mut Summary<K>) -> bool {
        let (mut predictions, mut outcomes) = part.columns();
        while !predictions.is_empty() {
            let room = (1 << WIDEST) - self.rounds % (1 << WIDEST);
            let count = predictions.len().min(room as usize);
            let (some, more) = (predictions.split_at(count), outcomes.split_at(count));
            if !self.add_some::<K, P>(some.0, more.0, summary) {
                return false;
            }
            (predictions, outcomes) = (some.1, more.1);
            self.rounds += count as u64;
            // 2^(64 - w) divides the rounds: the sums of buckets with 2^w keys may be full.
            let zeros = self.rounds.trailing_zeros();
            if zeros >= WIDEST {
                self.empty(K::as_wide_as(u64::BITS - zeros), summary);
            }
        }
        true
    }

    // Apart, so that the loop has all registers.
    #[inline(never)]
    fn add_some<K: Keys, P: Part<K>>(
        &mut self,
        predictions: &[P::Prediction],
        outcomes: &[P::Outcome],
        summary: &mut Summary<K>,
    ) -> bool {
        let (predictions, last_predictions) = predictions.as_chunks();
        let (outcomes, last_outcomes) = outcomes.as_chunks();
        for (predictions, outcomes) in predictions.iter().zip(outcomes) {
            if !add_block::<K, P>(&mut self.sums, predictions, outcomes)
                && !summary.add_rounds::<P>(predictions, outcomes)
            {
                return false;
            }
        }
        summary.add_rounds::<P>(last_predictions, last_outcomes)
    }

    /// Hands over the sums of so many narrow buckets, from the first on.
    fn empty<K: Keys>(&mut self, buckets: usize, summary: &mut Summary<K>) {
        for (bucket, sums) in K::NARROW.zip(&mut self.sums[1..=buckets]) {
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

/// Adds the rounds of a block, if all are forecasts and belong in narrow buckets.
#[inline(always)]
fn add_block<K: Keys, P: Part<K>>(
    sums: &mut Table,
    predictions: &[P::Prediction; BLOCK],
    outcomes: &[P::Outcome; BLOCK],
) -> bool {
    let narrow: [u64; BLOCK] = std::array::from_fn(|t| K::narrow(P::bits(predictions[t])));
    let any_other = narrow.iter().fold(false, |any, narrow| any | !is_narrow::<K>(*narrow));
    let any_bad = outcomes.iter().fold(false, |any, x| any | P::happened(*x).is_none());
    if any_other || any_bad {
        return false;
    }
    for t in 0..BLOCK {
        let happened = P::happened(outcomes[t]) == Some(true);
        add_to(sums, narrow[t], P::bits(predictions[t]), happened);
    }
    true
}

#[inline(always)]
fn is_narrow<K: Keys>(narrow: u64) -> bool {
    (narrow as u32).wrapping_sub(1) < K::NARROW.len() as u32
}

#[inline(always)]
fn add_to(sums: &mut Table, narrow: u64, bits: u64, happened: bool) {
    let [sum, counts] = &mut sums[usize::from(narrow as u16)];
    *sum = sum.wrapping_add(bits);
    *counts = counts.wrapping_add(1 << 32 | u64::from(happened));
}

impl<K: Keys> Summary<K> {
    /// Adds rounds one by one; `false` if one is not a forecast.
    // Apart, so that the loops have all registers.
    #[inline(never)]
    fn add_rounds<P: Part<K>>(
        &mut self,
        predictions: &[P::Prediction],
        outcomes: &[P::Outcome],
    ) -> bool {
        let mut ones = 0;
        for (prediction, outcome) in predictions.iter().zip(outcomes) {
            let (key, happened) = (K::valid(P::bits(*prediction)), P::happened(*outcome));
            let (Some(key), Some(happened)) = (key, happened) else { return false };
            self.buckets[K::bucket_of_any(key)].add(key, happened);
            ones += u64::from(happened);
        }
        self.rounds += predictions.len() as u64;
        self.ones += ones;
        true
    }
}
