//! The kinks of a convex function, of which the highest are asked for: a priority queue that stays
//! in the cache.
//!
//! Most kinks of a long walk lie far below the highest and are never looked at again, but in one
//! heap each that is taken out moves others through all of it. So only the highest few hundred are
//! in a heap; the others are in tiers, each below the next, in no order until their turn comes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use crate::number::Number;

/// The kinks that are in the heap at most: some kilobytes.
#[cfg(not(test))]
const MOST: usize = 1 << 9;
/// Few enough for tests on small tables.
#[cfg(test)]
const MOST: usize = 8;

/// Where the slope of C_j grows, and by how much. Kinks are ordered by their places alone: of those
/// at one place it does not matter which is levelled first.
#[derive(Clone, Debug)]
struct Kink<N> {
    place: N,
    weight: N,
}

impl<N: Ord> Ord for Kink<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place.cmp(&other.place)
    }
}

impl<N: Ord> PartialOrd for Kink<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    // What the heap asks: one comparison of numbers instead of two.
    fn le(&self, other: &Self) -> bool {
        self.place <= other.place
    }

    fn lt(&self, other: &Self) -> bool {
        self.place < other.place
    }
}

impl<N: Ord> PartialEq for Kink<N> {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl<N: Ord> Eq for Kink<N> {}

/// Kinks that are no lower than a floor and no higher than the floor of the next tier.
#[derive(Clone, Debug)]
struct Tier<N> {
    floor: N,
    kinks: Vec<Kink<N>>,
}

/// The kinks of C_j. Those at 0 have weight without end.
#[derive(Clone, Debug)]
pub(crate) struct Kinks<N> {
    /// The highest of those strictly between 0 and B. There is one if there are any.
    top: BinaryHeap<Kink<N>>,
    /// No higher ones are in the tiers, no lower ones in the heap.
    floor: N,
    /// The others, ascending, if there are any: the lowest floor is 0.
    tiers: Vec<Tier<N>>,
    /// The weight at B.
    at_end: N,
}

impl<N: Number> Default for Kinks<N> {
    fn default() -> Self {
        Kinks { top: BinaryHeap::new(), floor: N::zero(), tiers: vec![], at_end: N::zero() }
    }
}

impl<N: Number> Kinks<N> {
    /// None, with the room of those that were there.
    pub fn clear(&mut self) {
        self.top.clear();
        self.tiers.clear();
        self.floor = N::zero();
        self.at_end = N::zero();
    }

    /// From C_{j-1} to C_j: adds gap · |y - walk| and levels what then rises. The least value grows
    /// by what is returned: levelling a weight lowers the slope between its place and `walk`.
    pub fn take(&mut self, end: &N, walk: &N, gap: N) -> N::Wide {
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
        while self.refill()
            && needed > N::zero()
            && let Some(mut highest) = self.top.peek_mut()
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
            self.push(Kink { place: walk.clone(), weight });
        } else if needed > N::zero() {
            growth += &needed.times(&-walk.clone());
        }
        growth
    }

    /// The least minimiser of C_j.
    pub fn highest(&self, end: &N) -> N {
        if self.at_end > N::zero() {
            return end.clone();
        }
        self.top.peek().map_or_else(N::zero, |kink| kink.place.clone())
    }

    fn push(&mut self, kink: Kink<N>) {
        if kink.place >= self.floor {
            self.top.push(kink);
            self.split();
        } else {
            let above = self.tiers.partition_point(|tier| tier.floor <= kink.place);
            self.tiers[above - 1].kinks.push(kink);
        }
    }

    /// Makes a tier of the lower half of the heap as long as it is too large.
    fn split(&mut self) {
        while self.top.len() > MOST {
            let mut kinks = std::mem::take(&mut self.top).into_vec();
            let middle = kinks.len() / 2;
            kinks.select_nth_unstable(middle);
            let floor = std::mem::replace(&mut self.floor, kinks[middle].place.clone());
            self.tiers.push(Tier { floor, kinks: kinks.drain(..middle).collect() });
            self.top = kinks.into();
        }
    }

    /// Makes a heap of the highest tier if there is none left; whether there are kinks.
    fn refill(&mut self) -> bool {
        while self.top.is_empty()
            && let Some(Tier { floor, kinks }) = self.tiers.pop()
        {
            self.floor = floor;
            self.top = kinks.into();
            self.split();
        }
        !self.top.is_empty()
    }
}
