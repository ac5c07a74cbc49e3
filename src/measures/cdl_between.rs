//! Bounds of CDL where levels are not told apart.
//!
//! What levels below a threshold add to h only falls with it, and those whose frequency it passes
//! leave: a heap for each direction knows which.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cdl::{Cdl, Frequency};
use super::v_shaped::{Corner, Majorant};
use crate::levels::Level;
use crate::number::Number;
use crate::ties::Ties;

/// Σ (k - α n)⁺ over some levels, for an α that never falls.
pub(crate) struct Excess {
    /// The levels with k > α n, least frequency first.
    levels: BinaryHeap<Reverse<Frequency>>,
    /// Their rounds and ones.
    count: u64,
    ones: u64,
}

impl Excess {
    pub fn new() -> Self {
        Excess { levels: BinaryHeap::new(), count: 0, ones: 0 }
    }

    /// Adds a level.
    pub fn push(&mut self, count: u64, ones: u64) {
        self.levels.push(Reverse(Frequency { count, ones }));
        self.count += count;
        self.ones += ones;
    }

    /// The sum at α, in units.
    pub fn at<N: Number>(&mut self, alpha: &N, unit: &N) -> N {
        let excess = |count: u64, ones: u64| {
            unit.clone() * &N::from_count(ones) - &(alpha.clone() * &N::from_count(count))
        };
        while let Some(Reverse(Frequency { count, ones })) = self.levels.peek()
            && excess(*count, *ones) <= N::zero()
        {
            self.count -= count;
            self.ones -= ones;
            self.levels.pop();
        }
        excess(self.count, self.ones)
    }
}

/// The same for levels that one does not have one by one: how h can be bounded from both sides.
#[derive(Clone, Debug)]
pub(crate) struct Rounds<N> {
    /// No prediction is lower, and none higher.
    pub low: N,
    pub high: N,
    pub count: u64,
    pub ones: u64,
    /// Whether there is one prediction only.
    pub level: bool,
}

/// Bounds of CDL from rounds in order, of which only some are told apart by their predictions.
///
/// Rounds that are put together can only cancel: (k - α n)⁺ at most is what levels have in all.
/// They have the most if each is a level of its own: k (1 - α), and below the threshold α (n - k).
/// At the ends of rounds that are not told apart both bounds of h are certain, and between the ends
/// the upper one is convex.
pub(crate) fn cdl_between<N: Number>(all: &[Rounds<N>], unit: &N) -> [Cdl<N>; 2] {
    let far = |alpha: &N, count: u64| (unit.clone() - alpha) * &N::from_count(count);
    let mut lower: Vec<[N; 2]> = Vec::with_capacity(all.len());
    let mut upper: Vec<[N; 2]> = Vec::with_capacity(all.len());
    // What is below each, and its own: from below at both ends, and the most at both ends.
    let (mut merged, mut told, mut alone) = (Excess::new(), Excess::new(), 0);
    for Rounds { low, high, count, ones, level } in all {
        let before = merged.at(low, unit);
        let most = [low, high].map(|alpha| {
            let own = if *level { N::zero() } else { far(alpha, *ones) };
            told.at(alpha, unit) + &far(alpha, alone) + &own
        });
        match level {
            true => told.push(*count, *ones),
            false => alone += ones,
        }
        merged.push(*count, *ones);
        lower.push([before, merged.at(high, unit)]);
        upper.push(most);
    }
    let (mut merged, mut told, mut alone) = (Excess::new(), Excess::new(), 0);
    for (place, Rounds { low, high, count, ones, level }) in all.iter().enumerate().rev() {
        let zeros = count - ones;
        let [low_turned, high_turned] = [low, high].map(|alpha| unit.clone() - alpha);
        lower[place][1] += &merged.at(&high_turned, unit);
        for (end, alpha) in [(1, &high_turned), (0, &low_turned)] {
            let own = if *level { N::zero() } else { far(alpha, zeros) };
            let more = told.at(alpha, unit) + &far(alpha, alone) + &own;
            upper[place][end] += &more;
        }
        match level {
            true => told.push(*count, zeros),
            false => alone += zeros,
        }
        merged.push(*count, zeros);
        lower[place][0] += &merged.at(&low_turned, unit);
    }
    let bound = |heights: Vec<[N; 2]>, certain: bool| {
        let mut hull = Vec::new();
        let mut majorant = Majorant::new(unit, &mut hull);
        for (Rounds { low, high, count, ones, level }, [at_low, at_high]) in all.iter().zip(heights)
        {
            let bias = Level { value: high.clone(), count: *count, ones: *ones }.bias(unit);
            let corner =
                |alpha: &N, height: N| Corner { alpha: alpha.clone(), height, ties: Ties::Below };
            match (level, certain) {
                // The level itself adds |b|; its merged part counts it on one side already.
                (true, false) => majorant.corner(corner(high, at_high + &bias.magnitude())),
                (true, true) => majorant.corner(corner(high, at_low.max(at_high))),
                (false, _) => {
                    majorant.corner(corner(low, at_low));
                    majorant.corner(corner(high, at_high));
                }
            }
        }
        majorant.into_result().into()
    };
    [bound(lower, true), bound(upper, false)]
}
