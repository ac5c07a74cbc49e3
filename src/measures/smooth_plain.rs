//! smCE as [`smooth`](super::smooth) describes it, level by level: all kinks in one heap, and a
//! number for every level in every pass. What runs is compared with it.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use num_bigint::BigInt;
use proptest::prelude::*;

use super::smooth::{SmCe, along, slope_of, sm_ce};
use crate::any_levels::{AnyLevels, at_any_width};
use crate::grid::grid_tables;
use crate::levels::{Level, Levels, Table};
use crate::number::Number;

fn plain<N: Number>(levels: Table<'_, N>) -> SmCe<N> {
    let walk = Walk::new(levels);
    let mut places = Vec::with_capacity(levels.rows().len());
    let value = walk.least(&mut Kinks::default(), |place| places.push(place));
    let (residuals, signs) = walk.staircase(&places);
    let function = walk.function(&signs, places);
    SmCe { value, function, residuals }
}

fn is_plain<N: Number>(levels: &Levels<N>) {
    assert_eq!(sm_ce(levels.table()), plain(levels.table()), "{levels:?}");
}

#[test]
fn every_small_table() {
    for levels in (0..=4).flat_map(|rounds| grid_tables(rounds, 5)) {
        is_plain(&levels);
    }
}

/// Rows of (prediction, count, ones); of those with one prediction the first counts.
fn table(unit: u64, rows: &[(u64, u64, u64)]) -> Levels<BigInt> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|row| row.0);
    rows.dedup_by_key(|row| row.0);
    let level = |&(value, count, ones): &(u64, u64, u64)| Level {
        value: value.into(),
        count,
        ones: ones % (count + 1),
    };
    Levels::new(unit.into(), rows.iter().map(level).collect()).expect("valid")
}

/// The same table in units that are finer by a factor, at the narrowest width, and as it is.
fn is_plain_anywhere(levels: &Levels<BigInt>, finer: u32) {
    is_plain(levels);
    let finer = |number: &BigInt| number << finer;
    let row = |level: &Level<BigInt>| Level { value: finer(&level.value), ..level.clone() };
    let rows = levels.table().rows().iter().map(row).collect();
    let levels = Levels::new(finer(levels.table().unit()), rows).expect("valid");
    let narrow = AnyLevels::from(levels).with_spare_bits(0);
    at_any_width!(&narrow.0, levels => is_plain(levels));
}

proptest! {
    /// Long walks, so that there are many tiers of kinks; with ties, one huge level, and levels of
    /// one round each.
    #[test]
    fn any_table(
        some in prop::collection::vec((0..=30_u64, 1..=4_u64, 0..=4_u64), 0..30),
        alone in prop::collection::vec((0..=4000_u64, 1..=1_u64, 0..=1_u64), 0..400),
        lean in 0..=3999_u64,
        huge in (0..=4000_u64, 1..=1_u64 << 40, any::<u64>()),
        finer in prop::sample::select(vec![0, 16, 60, 190, 1074]),
    ) {
        is_plain_anywhere(&table(30, &some), finer);
        is_plain_anywhere(&table(4000, &alone), finer);
        // Ones below, zeros above, or the other way round: the walk is far from 0 and from B.
        for turned in [0, 1] {
            let side = |(v, ..): &(u64, u64, u64)| (*v, 1, u64::from(*v < lean) ^ turned);
            is_plain_anywhere(&table(4000, &alone.iter().map(side).collect::<Vec<_>>()), finer);
        }
        let with_huge: Vec<_> = [huge].into_iter().chain(alone).collect();
        is_plain_anywhere(&table(4000, &with_huge), finer);
    }
}

/// Where the slope of C_j grows, and by how much.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kink<N> {
    place: N,
    weight: N,
}

/// The kinks of C_j. Those at 0 have weight without end.
#[derive(Clone, Debug)]
struct Kinks<N> {
    /// Strictly between 0 and B.
    inside: BinaryHeap<Kink<N>>,
    /// The weight at B.
    at_end: N,
}

impl<N: Number> Default for Kinks<N> {
    fn default() -> Self {
        Kinks { inside: BinaryHeap::new(), at_end: N::zero() }
    }
}

impl<N: Number> Kinks<N> {
    /// From C_{j-1} to C_j: adds gap · |y - walk| and levels what then rises. The least value grows
    /// by what is returned: levelling a weight lowers the slope between its place and `walk`.
    fn take(&mut self, end: &N, walk: &N, gap: N) -> N::Wide {
        if walk >= end {
            self.at_end += &gap;
            return gap.times(&(walk.clone() - end));
        }
        let mut growth = N::zero().widen();
        let mut needed = gap.clone();
        if self.at_end > N::zero() {
            let weight = self.at_end.clone().min(needed.clone());
            growth += &weight.times(&(end.clone() - walk));
            self.at_end -= &weight;
            needed -= &weight;
        }
        while needed > N::zero()
            && let Some(mut highest) = self.inside.peek_mut()
            && highest.place > *walk
        {
            let distance = highest.place.clone() - walk;
            if highest.weight > needed {
                growth += &needed.times(&distance);
                highest.weight -= &needed;
                needed = N::zero();
            } else {
                growth += &highest.weight.times(&distance);
                needed -= &highest.weight;
                PeekMut::pop(highest);
            }
        }
        if *walk > N::zero() {
            let weight = gap.clone() + &gap - &needed;
            self.inside.push(Kink { place: walk.clone(), weight });
        } else if needed > N::zero() {
            growth += &needed.times(&-walk.clone());
        }
        growth
    }

    /// The least minimiser of C_j.
    fn highest(&self, end: &N) -> N {
        if self.at_end > N::zero() {
            return end.clone();
        }
        self.inside.peek().map_or_else(N::zero, |kink| kink.place.clone())
    }
}

/// The walk of the biases, turned so that it ends at B >= 0.
struct Walk<'a, N> {
    levels: Table<'a, N>,
    turned: bool,
    /// B
    total: N,
}

impl<'a, N: Number> Walk<'a, N> {
    fn new(levels: Table<'a, N>) -> Self {
        let mut total = N::zero();
        levels.biases().for_each(|bias| total += &bias);
        Walk { levels, turned: total < N::zero(), total: total.magnitude() }
    }

    fn turn(&self, number: N) -> N {
        if self.turned { -number } else { number }
    }

    fn bias(&self, j: usize) -> N {
        self.turn(self.levels.rows()[j].bias(self.levels.unit()))
    }

    /// From level j to the next.
    fn gap(&self, j: usize) -> N {
        let rows = self.levels.rows();
        rows[j + 1].value.clone() - &rows[j].value
    }

    /// How many gaps there are.
    fn gaps(&self) -> usize {
        self.levels.rows().len().saturating_sub(1)
    }

    /// |B| + the least Σ g_j |W_j - R_j|; `place` is told the least minimiser of each C_j.
    fn least(&self, kinks: &mut Kinks<N>, mut place: impl FnMut(N)) -> N::Wide {
        kinks.inside.clear();
        kinks.at_end = N::zero();
        let mut least = self.total.times(self.levels.unit());
        let mut walk = N::zero();
        for j in 0..self.gaps() {
            walk += &self.bias(j);
            least += &kinks.take(&self.total, &walk, self.gap(j));
            place(kinks.highest(&self.total));
        }
        least
    }

    /// The steps of the lowest of the best staircases, and the sign of each φ_j = W_j - R_j.
    fn staircase(&self, places: &[N]) -> (Vec<(usize, N)>, Vec<Ordering>) {
        let mut steps = Vec::new();
        let mut signs = vec![Ordering::Equal; places.len()];
        let (mut walk, mut height) = (self.total.clone(), &self.total);
        for (j, place) in places.iter().enumerate().rev() {
            if place < height {
                steps.push((j + 1, self.turn(height.clone() - place)));
                height = place;
            }
            walk -= &self.bias(j + 1);
            signs[j] = walk.cmp(height);
        }
        if *height > N::zero() {
            steps.push((0, self.turn(height.clone())));
        }
        steps.reverse();
        (steps, signs)
    }

    /// The breakpoints of the best function for a flow with these signs.
    fn function(&self, signs: &[Ordering], room: Vec<N>) -> Vec<(usize, N)> {
        let ceilings = (self.total > N::zero()).then(|| self.ceilings(signs, room));
        let mut height = match &ceilings {
            Some(ceilings) => ceilings.first().cloned().unwrap_or_else(N::zero),
            None => N::zero(),
        };
        let mut slope = None;
        let mut breakpoints = Vec::new();
        for (j, sign) in signs.iter().enumerate() {
            let gap = self.gap(j);
            let next = match &ceilings {
                Some(_) if sign.is_gt() => height.clone() - &gap,
                Some(ceilings) => ceilings[j + 1].clone().min(height.clone() + &gap),
                None => along(&height, sign.reverse(), &gap),
            };
            let before = std::mem::replace(&mut slope, slope_of(&next, &height, &gap));
            if slope.is_none() || slope != before {
                breakpoints.push((j, self.turn(height)));
            }
            height = next;
        }
        if !self.levels.rows().is_empty() {
            breakpoints.push((signs.len(), self.turn(height)));
        }
        breakpoints
    }

    /// What f can be at most if it is at most 1, falls no faster than by 1, and rises so where the
    /// flow is negative: an upper bound from the levels above.
    fn ceilings(&self, signs: &[Ordering], mut room: Vec<N>) -> Vec<N> {
        let unit = self.levels.unit();
        let mut ceiling = unit.clone();
        room.push(ceiling.clone());
        for (j, sign) in signs.iter().enumerate().rev() {
            let gap = self.gap(j);
            ceiling =
                if sign.is_lt() { ceiling - &gap } else { (ceiling + &gap).min(unit.clone()) };
            room[j] = ceiling.clone();
        }
        room
    }
}
