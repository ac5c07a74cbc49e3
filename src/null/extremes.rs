//! The largest number of a curve in each of 64 replicates.

use std::ops::Range;

use super::blocks::{Blocks, FINER};
use super::curves::Curve;
use super::group::Group;
use crate::number::Number;

/// The largest number so far in one lane, at least 0.
#[derive(Clone)]
struct Largest<N> {
    /// Exactly, in units.
    value: N,
    /// The largest estimate, less what it may be too large: the value is at least that.
    least: i128,
}

/// The largest number of a curve in each of these lanes, in units, or 0 if none is positive.
pub(super) fn largest<N: Number>(
    blocks: &Blocks<'_, N>,
    group: &Group,
    lanes: Range<usize>,
    curve: Curve,
) -> Vec<N> {
    let first = most_promising(blocks, group, lanes.clone(), curve);
    let mut largest = vec![Largest { value: N::zero(), least: 0 }; lanes.len()];
    for ((lane, largest), first) in lanes.clone().zip(&mut largest).zip(&first) {
        if let Some(number) = *first {
            largest.look(blocks, group, curve, number, lane);
        }
    }
    for number in 0..blocks.blocks.len() {
        for ((lane, largest), first) in lanes.clone().zip(&mut largest).zip(&first) {
            let bound = group.bound(blocks, curve, number, lane);
            if bound.is_none_or(|bound| bound >= largest.coarse()) && *first != Some(number) {
                largest.look(blocks, group, curve, number, lane);
            }
        }
    }
    largest.into_iter().map(|largest| largest.value).collect()
}

/// The block with the largest bound in each lane. With the largest number there, few others need to
/// be looked at.
fn most_promising<N: Number>(
    blocks: &Blocks<'_, N>,
    group: &Group,
    lanes: Range<usize>,
    curve: Curve,
) -> Vec<Option<usize>> {
    let mut best = vec![(i64::MIN, None); lanes.len()];
    for number in 0..blocks.blocks.len() {
        for (lane, best) in lanes.clone().zip(&mut best) {
            match group.bound(blocks, curve, number, lane) {
                Some(bound) if bound > best.0 => *best = (bound, Some(number)),
                _ => {}
            }
        }
    }
    best.into_iter().map(|(_, number)| number).collect()
}

impl<N: Number> Largest<N> {
    /// A bound below this, in sixty-fourths, cannot reach the value.
    fn coarse(&self) -> i64 {
        (self.least >> FINER) as i64
    }

    /// Takes in the levels of a block, unless they cannot reach the value.
    fn look(
        &mut self,
        blocks: &Blocks<'_, N>,
        group: &Group,
        curve: Curve,
        number: usize,
        lane: usize,
    ) {
        if group.fine_bound(blocks, curve, number, lane).is_some_and(|bound| bound <= self.least) {
            return;
        }
        let ones = group.ones(lane);
        group.look(blocks, number, lane, |place| {
            let estimate = blocks.estimate(curve, place, ones);
            if estimate > self.least {
                self.least = self.least.max(estimate - blocks.doubt());
                let value = blocks.exact(curve, place, ones);
                if value > self.value {
                    self.value = value;
                }
            }
        });
    }
}
