//! ECE of many doubles: every level counts, so all must be told apart, but not put in order.
//!
//! The rounds are dealt into groups that fit the cache, by prediction, and each group by a hash of the prediction: what is equal then lies
//! together with little else.

use std::ops::Range;

use num_rational::BigRational;
use rayon::prelude::*;

use crate::measures::Ece;
use crate::number::Number;
use crate::summary::{Doubles, Keys, Outcome, at_width, pack};
use crate::witness::{Scale, Witness};

/// The group of a key: 32 buckets of a summary.
#[inline(always)]
fn group(key: u64) -> usize {
    Doubles::bucket(key) >> 5
}

const GROUPS: usize = (Doubles::BUCKETS >> 5) + 1;

/// The rounds of each group.
pub(super) struct Counts(Vec<u64>);

impl Counts {
    pub fn new() -> Self {
        Counts(vec![0; GROUPS])
    }

    /// Adds rounds; `false` at one that is bad.
    pub fn update<O: Outcome>(&mut self, outcomes: &[O], predictions: &[f64]) -> bool {
        outcomes.iter().zip(predictions).all(|(outcome, &prediction)| {
            let (Some(key), Some(_)) = (Doubles::key(prediction), outcome.happened()) else {
                return false;
            };
            self.0[group(key)] += 1;
            true
        })
    }

    pub fn merge(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(count, other)| *count += other);
    }

    /// Ranges of groups with about as many rounds for each thread.
    fn shares(&self) -> Vec<Range<usize>> {
        let rounds: u64 = self.0.iter().sum();
        let share = rounds.div_ceil(rayon::current_num_threads() as u64);
        let mut shares = Vec::new();
        let (mut start, mut rounds) = (0, 0);
        for (number, count) in self.0.iter().enumerate() {
            rounds += count;
            if rounds >= share || number + 1 == GROUPS {
                shares.push(start..number + 1);
                (start, rounds) = (number + 1, 0);
            }
        }
        shares
    }
}

/// Value and witness; the slices are those that were counted.
pub(super) fn by_groups<O: Outcome>(
    counts: &Counts,
    outcomes: &[O],
    predictions: &[f64],
) -> (BigRational, Witness) {
    let shares: Vec<Sums> = counts
        .shares()
        .into_par_iter()
        .map(|groups| sums(counts, groups, outcomes, predictions))
        .collect();
    let parts = || shares.iter().flat_map(|sums| sums.0.iter().enumerate());
    // The bits of a double with this exponent, as a key for its scale.
    let key = |exponent: usize| (exponent as u64) << 52;
    let finest = parts().filter(|(_, part)| !part.is_zero()).map(|(exponent, _)| exponent).min();
    let scale = finest.map_or(0, |exponent| Doubles::scale(key(exponent)));
    let unit = Doubles::unit(scale);
    at_width!(outcomes.len() as u64, &unit, N => {
        let unit = N::from_bigint(&unit).expect("the unit meets the bound");
        let mut ece = Ece { value: N::zero(), under: N::zero(), over: N::zero() };
        for (exponent, part) in parts() {
            ece.take(&part.under.bias(key(exponent), scale, &unit));
            ece.take(&part.over.bias(key(exponent), scale, &unit));
        }
        Scale { unit: &unit, levels: 0, value: |_| &unit }.ece(&ece)
    })
}

/// Levels by their exponent field and by the sign of their bias: ECE does not ask for more.
struct Sums(Vec<Part>);

#[derive(Clone, Copy, Default)]
struct Part {
    under: Half,
    over: Half,
}

/// Ones, and the sum of the significands, over some rounds.
#[derive(Clone, Copy, Default)]
struct Half {
    ones: u64,
    significands: u128,
}

impl Part {
    /// Whether all its predictions are 0, which is on every scale.
    fn is_zero(&self) -> bool {
        self.under.significands == 0 && self.over.significands == 0
    }
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

impl Sums {
    /// Adds a level.
    #[inline(always)]
    fn add(&mut self, key: u64, count: u64, ones: u64) {
        let significands = u128::from(Doubles::significand(key)) * u128::from(count);
        // k > n v, where v is a significand over 2^scale.
        let under = u128::from(ones) > significands.checked_shr(Doubles::scale(key)).unwrap_or(0);
        let part = &mut self.0[(key >> 52) as usize];
        let half = if under { &mut part.under } else { &mut part.over };
        half.ones += ones;
        half.significands += significands;
    }

    /// Adds the levels of a few rounds, which it sorts.
    #[inline(always)]
    fn add_rounds(&mut self, rounds: &mut [u64]) {
        if rounds.len() > 1 {
            rounds.sort_unstable();
        }
        let mut rest = &*rounds;
        while let [first, ..] = rest {
            let key = first >> 1;
            // Zeros come before ones; most levels are one round.
            let count = 1 + rest[1..].iter().take_while(|next| **next >> 1 == key).count();
            let (level, others) = rest.split_at(count);
            let ones = level.iter().map(|packed| packed & 1).sum();
            self.add(key, count as u64, ones);
            rest = others;
        }
    }
}

/// The sums of some groups.
fn sums<O: Outcome>(
    counts: &Counts,
    groups: Range<usize>,
    outcomes: &[O],
    predictions: &[f64],
) -> Sums {
    let mut next = vec![0; GROUPS];
    let mut room = 0;
    for number in groups.clone() {
        next[number] = room;
        room += counts.0[number] as usize;
    }
    let mut dealt = vec![0; room];
    let (first, last) = (groups.start, groups.end - 1);
    for (&outcome, &prediction) in outcomes.iter().zip(predictions) {
        let (Some(key), Some(happened)) = (Doubles::key(prediction), outcome.happened()) else {
            unreachable!("rounds were counted, and are good");
        };
        let group = group(key);
        if first <= group && group <= last {
            dealt[next[group]] = pack(key, happened);
            next[group] += 1;
        }
    }

    let mut sums = Sums(vec![Part::default(); 1024]);
    let mut hashed = Hashed::default();
    let mut rest = dealt.as_slice();
    for number in groups {
        let (group, others) = rest.split_at(counts.0[number] as usize);
        rest = others;
        hashed.deal(group, |rounds| sums.add_rounds(rounds));
    }
    sums
}

/// Room for dealing the rounds of a group by a hash of their keys.
#[derive(Default)]
struct Hashed {
    rounds: Vec<u64>,
    /// Where each hash ends, once all are dealt.
    ends: Vec<usize>,
}

impl Hashed {
    /// Calls `visit` with the rounds of each hash; there are about as many hashes as rounds.
    fn deal(&mut self, group: &[u64], mut visit: impl FnMut(&mut [u64])) {
        let bits = group.len().next_power_of_two().ilog2().clamp(1, 14);
        // The product spreads the low bits, in which the keys differ, over the high ones.
        let hash = |packed: u64| {
            ((packed >> 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize
        };
        let ends = &mut self.ends;
        ends.clear();
        ends.resize(1 << bits, 0);
        group.iter().for_each(|packed| ends[hash(*packed)] += 1);
        let mut start = 0;
        for end in ends.iter_mut() {
            start += std::mem::replace(end, start);
        }
        self.rounds.resize(group.len(), 0);
        for &packed in group {
            let place = &mut ends[hash(packed)];
            self.rounds[*place] = packed;
            *place += 1;
        }
        let mut rest = self.rounds.as_mut_slice();
        let mut start = 0;
        for end in ends {
            let (rounds, others) = rest.split_at_mut(*end - start);
            (rest, start) = (others, *end);
            visit(rounds);
        }
    }
}
