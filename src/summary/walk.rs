//! Bounds on the measures that read the walk of prefix sums.
//!
//! The sum of a cell, and so the prefix sum after it, may be known only between two numbers. What
//! two prefix sums have in common cancels in their difference, so differences are bounded as sums
//! of what lies between them.

use super::select::Walk;
use super::stretches::{Cells, Stretch, Stretches};
use crate::number::Number;

/// A piece with the prefix sums before and after it, each between two numbers.
struct Step<N> {
    before: [N; 2],
    after: [N; 2],
    /// The walk within the piece, from where it begins: never lower, and never higher. Within a
    /// level it does not stop.
    lowest: N,
    highest: N,
    /// What is left of the piece from there on, at most and at least.
    rest: [N; 2],
    /// What comes before a place in the piece, less what comes after, either way.
    both: N,
}

impl<N: Number, C: Cells<N>> Stretches<N, C> {
    /// What is asked of the walk, from below and from above.
    pub(super) fn walk_bounds(&self, walk: Walk) -> (N, N) {
        match walk {
            Walk::Step => self.step_bounds(),
            Walk::Sign => self.sign_bounds(),
            Walk::Interval => self.interval_bounds(),
        }
    }

    fn steps(&self) -> impl Iterator<Item = Step<N>> {
        let mut prefix = [N::zero(), N::zero()];
        self.pieces().map(move |piece| {
            let before = prefix.clone();
            prefix = [prefix[0].clone() + &piece.bias, prefix[1].clone() + &piece.most()];
            Step::new(before, prefix.clone(), &piece, &self.unit)
        })
    }

    /// max |B_j|
    fn step_bounds(&self) -> (N, N) {
        let (mut lower, mut upper) = (N::zero(), N::zero());
        for Step { before, after, lowest, highest, .. } in self.steps() {
            let [least, most] = after;
            lower = lower.max(least).max(-most);
            let [least, most] = before;
            upper = upper.max(most + &highest).max(-least - &lowest);
        }
        (lower, upper)
    }

    /// The largest difference, either way, of what lies below a threshold and what lies above.
    fn sign_bounds(&self) -> (N, N) {
        let [mut least_in_all, mut most_in_all] = [N::zero(), N::zero()];
        for piece in self.pieces() {
            least_in_all += &piece.bias;
            most_in_all += &piece.most();
        }
        // With nothing below.
        let mut lower = (-most_in_all.clone()).max(least_in_all.clone());
        let mut upper = (-least_in_all.clone()).max(most_in_all.clone());
        for Step { before, after, both, .. } in self.steps() {
            let [least, most] = after;
            let least_above = least_in_all.clone() - &least;
            let most_above = most_in_all.clone() - &most;
            lower = lower.max(least - &most_above).max(least_above.clone() - &most);
            let [least, most] = before;
            upper = upper.max(most + &both - &least_above).max(most_above + &both - &least);
        }
        (lower, upper)
    }

    /// max |B_j - B_i|: the best rise and the best fall that end in each piece, from the best place
    /// to begin before it.
    fn interval_bounds(&self) -> (N, N) {
        let (mut lower, mut upper) = (N::zero(), N::zero());
        // Of prefix sums added up from what pieces have at least, and at most: where a rise and a
        // fall begin, at pieces and within them.
        let [mut certain_bottom, mut certain_top] = [N::zero(), N::zero()];
        let [mut bottom, mut top] = [N::zero(), N::zero()];
        for Step { before, after, lowest, highest, rest, .. } in self.steps() {
            let [least, most] = after;
            lower = lower.max(least.clone() - &certain_bottom);
            lower = lower.max(certain_top.clone() - &most);
            certain_bottom = certain_bottom.min(least.clone());
            certain_top = certain_top.max(most.clone());

            upper = upper.max(before[1].clone() + &highest - &bottom);
            upper = upper.max(top.clone() - &before[0] - &lowest);
            bottom = bottom.min(most - &rest[1]);
            top = top.max(least - &rest[0]);
        }
        (lower, upper)
    }
}

impl<N: Number> Step<N> {
    fn new(before: [N; 2], after: [N; 2], piece: &Stretch<N>, unit: &N) -> Self {
        match piece.closed {
            false => Step {
                before,
                after,
                lowest: piece.bias.clone(),
                highest: piece.bias.clone(),
                rest: [N::zero(), N::zero()],
                both: piece.bias.magnitude(),
            },
            true => {
                let (rise, fall) = (piece.rise(unit), -piece.fall(unit));
                let rest = [fall.clone(), rise.clone()];
                let both = piece.both(unit);
                Step { before, after, lowest: fall, highest: rise, rest, both }
            }
        }
    }
}
