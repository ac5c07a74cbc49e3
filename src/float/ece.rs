//! ECE of many doubles: every level counts, so all must be told apart, but not put in order.
//!
//! Hash partitioning: the rounds go by a hash into groups that fit the cache. In a group, a bit for
//! each value of the hash's further digits tells which rounds might be tied; only those are sorted.
//! The others are levels of their own. If many are tied, sorting is faster and is done instead.

use std::ops::Range;

use num_rational::BigRational;

use crate::evaluation::Scale;
use crate::measures::Ece;
use crate::number::Number;
use crate::parallel;
use crate::summary::{Doubles, Keys, Outcome, at_width, pack, unpack};
use crate::witness::Witness;

const GROUP_BITS: u32 = 9;
const GROUPS: usize = 1 << GROUP_BITS;

/// A hash of a key: the product spreads the low bits, in which keys differ, over the high ones.
#[inline(always)]
fn hash(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The group of a key, whatever predictions are like.
#[inline(always)]
fn group(key: u64) -> usize {
    (hash(key) >> (u64::BITS - GROUP_BITS)) as usize
}

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
        let share = rounds.div_ceil(parallel::threads() as u64);
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
    let shares =
        parallel::map(counts.shares(), |groups| sums(counts, groups, outcomes, predictions));
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
        Scale { unit: &unit, levels: 0, value: |_| N::zero() }.ece(&ece)
    })
}

/// Levels by their exponent field and by the sign of their bias: ECE does not ask for more.
struct GroupSums(Vec<Part>);

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

impl GroupSums {
    fn part(&mut self, key: u64) -> &mut Part {
        &mut self.0[(key >> 52) as usize]
    }

    /// Adds a round as a level of its own: an event cannot be over-forecast by it, nor what did not
    /// happen under-forecast.
    #[inline(always)]
    fn add_alone(&mut self, key: u64, happened: bool) {
        let part = self.part(key);
        let half = if happened { &mut part.under } else { &mut part.over };
        half.ones += u64::from(happened);
        half.significands += u128::from(Doubles::significand(key));
    }

    /// Puts together rounds of one key that were added alone.
    fn unite(&mut self, key: u64, count: u64, ones: u64) {
        let significand = u128::from(Doubles::significand(key));
        let significands = significand * u128::from(count);
        let part = self.part(key);
        part.under.ones -= ones;
        part.under.significands -= significand * u128::from(ones);
        part.over.significands -= significand * u128::from(count - ones);
        // k > n v, where v is a significand over 2^scale.
        let under = u128::from(ones) > significands.checked_shr(Doubles::scale(key)).unwrap_or(0);
        let half = if under { &mut part.under } else { &mut part.over };
        half.ones += ones;
        half.significands += significands;
    }
}

/// The sums of some groups.
fn sums<O: Outcome>(
    counts: &Counts,
    groups: Range<usize>,
    outcomes: &[O],
    predictions: &[f64],
) -> GroupSums {
    let mut next = vec![0; GROUPS];
    let mut room = 0;
    for number in groups.clone() {
        next[number] = room;
        room += counts.0[number] as usize;
    }
    let mut partitioned = vec![0; room];
    let (first, last) = (groups.start, groups.end - 1);
    for (&outcome, &prediction) in outcomes.iter().zip(predictions) {
        let (Some(key), Some(happened)) = (Doubles::key(prediction), outcome.happened()) else {
            unreachable!("rounds were counted, and are good");
        };
        let group = group(key);
        if first <= group && group <= last {
            partitioned[next[group]] = pack(key, happened);
            next[group] += 1;
        }
    }

    let mut sums = GroupSums(vec![Part::default(); 1024]);
    let mut filter = Filter::default();
    let mut rest = partitioned.as_slice();
    for number in groups {
        let (group, others) = rest.split_at(counts.0[number] as usize);
        rest = others;
        filter.add(group, &mut sums);
    }
    sums
}

/// Finds rounds that may be tied.
#[derive(Default)]
struct Filter {
    /// A bit for each hash.
    seen: Vec<u64>,
    /// Hashes that were seen again.
    repeated: Vec<usize>,
    /// The rounds with these.
    doubtful: Vec<u64>,
}

impl Filter {
    /// Sixteen bits for each round, which is in doubt about one time in sixteen; up to what fits
    /// the cache.
    const MOST_BITS: usize = 1 << 22;

    /// Adds the rounds of a group.
    fn add(&mut self, group: &[u64], sums: &mut GroupSums) {
        let bits = (16 * group.len()).next_power_of_two().clamp(64, Self::MOST_BITS);
        let shift = u64::BITS - bits.ilog2();
        // in a group the first bits are the same
        let hash = |key: u64| (hash(key) << GROUP_BITS >> shift) as usize;
        let Filter { seen, repeated, doubtful } = self;
        seen.clear();
        seen.resize(bits / 64, 0);
        repeated.clear();
        for &packed in group {
            let (key, happened) = unpack(packed);
            sums.add_alone(key, happened);
            let hash = hash(key);
            let (word, bit) = (&mut seen[hash / 64], 1 << (hash % 64));
            if *word & bit != 0 {
                repeated.push(hash);
            }
            *word |= bit;
        }
        if repeated.is_empty() {
            return;
        }
        seen.fill(0);
        repeated.iter().for_each(|hash| seen[hash / 64] |= 1 << (hash % 64));
        doubtful.clear();
        doubtful.extend(group.iter().filter(|packed| {
            let hash = hash(**packed >> 1);
            seen[hash / 64] >> (hash % 64) & 1 == 1
        }));
        doubtful.sort_unstable();
        for level in doubtful.chunk_by(|a, b| a >> 1 == b >> 1).filter(|level| level.len() > 1) {
            let ones = level.iter().map(|packed| packed & 1).sum();
            sums.unite(level[0] >> 1, level.len() as u64, ones);
        }
    }
}
