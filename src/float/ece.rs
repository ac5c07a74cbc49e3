//! ECE of many doubles: every level counts, so all must be told apart, but not put in order.
//!
//! The rounds are dealt into the buckets of the summary, which are then sorted one by one, in the cache. Buckets of one level, as all are when
//! predictions have a few decimals, are left alone.

use std::ops::Range;

use num_rational::BigRational;
use rayon::prelude::*;

use super::Summary;
use crate::measures::Ece;
use crate::number::Number;
use crate::summary::{Doubles, Keys, Outcome, at_width};
use crate::witness::{Scale, Witness};

/// Value and witness; the slices are those that the summary was made of.
pub(super) fn by_buckets<O: Outcome>(
    summary: &Summary,
    outcomes: &[O],
    predictions: &[f64],
) -> (BigRational, Witness) {
    let parts: Vec<Vec<Part>> = shares(summary)
        .into_par_iter()
        .map(|buckets| sorted_parts(summary, buckets, outcomes, predictions))
        .collect();
    let scale = summary.scale();
    let unit = Doubles::unit(scale);
    at_width!(summary.rounds(), &unit, N => {
        let unit = N::from_bigint(&unit).expect("the unit meets the bound");
        let mut ece = Ece { value: N::zero(), under: N::zero(), over: N::zero() };
        for part in parts.iter().flatten() {
            let [under, over] = [&part.under, &part.over].map(|half| half.bias::<N>(part.key, scale, &unit));
            ece.take(&under);
            ece.take(&over);
        }
        Scale { unit: &unit, levels: 0, value: |_| &unit }.ece(&ece)
    })
}

/// The levels of a bucket, by the sign of their bias: ECE does not ask for more.
struct Part {
    /// Any key of the bucket.
    key: u64,
    under: Half,
    over: Half,
}

/// Ones, and the sum of the significands, over some rounds of a bucket.
#[derive(Default)]
struct Half {
    ones: u64,
    significands: u128,
}

impl Half {
    fn bias<N: Number>(&self, key: u64, scale: u32, unit: &N) -> N {
        let ones = unit.clone() * &N::from_count(self.ones);
        match self.significands {
            0 => ones,
            sum => ones - &N::shifted(sum, scale - Doubles::scale(key)),
        }
    }
}

impl Part {
    fn new(key: u64) -> Self {
        Part { key, under: Half::default(), over: Half::default() }
    }

    /// Adds a level of the bucket.
    #[inline(always)]
    fn add(&mut self, key: u64, count: u64, ones: u64) {
        let significands = u128::from(Doubles::significand(key)) * u128::from(count);
        // k > n v, where v is a significand over 2^scale.
        let under = u128::from(ones) > significands.checked_shr(Doubles::scale(key)).unwrap_or(0);
        let half = if under { &mut self.under } else { &mut self.over };
        half.ones += ones;
        half.significands += significands;
    }
}

/// Ranges of buckets with about as many rounds for each thread.
fn shares(summary: &Summary) -> Vec<Range<usize>> {
    let threads = rayon::current_num_threads() as u64;
    let share = summary.rounds().div_ceil(threads);
    let mut shares = Vec::new();
    let (mut start, mut rounds) = (0, 0);
    for (number, count) in summary.counts().enumerate() {
        rounds += count;
        if rounds >= share || number + 1 == Doubles::BUCKETS {
            shares.push(start..number + 1);
            (start, rounds) = (number + 1, 0);
        }
    }
    shares
}

fn sorted_parts<O: Outcome>(
    summary: &Summary,
    buckets: Range<usize>,
    outcomes: &[O],
    predictions: &[f64],
) -> Vec<Part> {
    let counts: Vec<u64> = summary.counts().collect();
    let mut parts = Vec::new();
    // Where the next round of each bucket goes; buckets that are left alone go nowhere.
    const NOWHERE: usize = usize::MAX;
    let mut next = vec![NOWHERE; Doubles::BUCKETS];
    let mut ends = Vec::new();
    let mut room = 0;
    for number in buckets {
        match summary.level(number) {
            Some(level) if level.count > 0 => {
                let mut part = Part::new(level.value);
                part.add(level.value, level.count, level.ones);
                parts.push(part);
            }
            Some(_) => {}
            None => {
                next[number] = room;
                room += counts[number] as usize;
                ends.push(room);
            }
        }
    }

    let mut dealt = vec![0; room];
    if room > 0 {
        for (&outcome, &prediction) in outcomes.iter().zip(predictions) {
            let (Ok(key), Some(happened)) = (Doubles::key(prediction), outcome.happened()) else {
                continue; // not in a summary
            };
            let place = &mut next[Doubles::bucket(key)];
            if *place != NOWHERE {
                dealt[*place] = Doubles::pack(key, happened);
                *place += 1;
            }
        }
    }

    let mut start = 0;
    for end in ends {
        let rounds = &mut dealt[start..end];
        start = end;
        rounds.sort_unstable();
        let mut part = Part::new(rounds[0] >> 1);
        for level in rounds.chunk_by(|a, b| a >> 1 == b >> 1) {
            // Zeros come before ones.
            let (key, count) = (level[0] >> 1, level.len());
            let zeros = level.partition_point(|packed| packed & 1 == 0);
            part.add(key, count as u64, (count - zeros) as u64);
        }
        parts.push(part);
    }
    parts
}
