//! UCal of one replicate: the edge over 1/2 of the least concave majorant of g, without the rest of
//! it.
//!
//! Any two points of g on both sides of 1/2 have a line. The point that is farthest above that line
//! takes the place of the one on its side, which raises the line at 1/2 (or turns it, if the other
//! point is at 1/2), and when no point is above it, it is the edge.
//!
//! The farthest point is found by raising the line without turning it, as far as points are above
//! it, in the direction in which it rises. So what has turned out below the line, be it a level or
//! the bound of a block, rules out everything later that is not higher, and few comparisons in
//! exact numbers remain.

use super::blocks::{Blocks, FINER, Place};
use super::curves::{Curve, WHOLE};
use super::group::Group;
use super::lanes::ONE;
use crate::measures::{Corner, four_at_half};
use crate::number::Number;
use crate::ties::Ties;

/// UCal in a lane: a numerator, and a denominator that is to be multiplied by the unit, as in
/// [`UCal`](crate::measures::UCal).
pub(super) fn u_cal<N: Number>(blocks: &Blocks<'_, N>, group: &Group, lane: usize) -> (N::Wide, N) {
    let unit = blocks.table.unit();
    let (mut left, mut right) = (end(N::zero(), 0), end(unit.clone(), u64::MAX));
    while let Some(point) = Line::new(blocks, group, lane, &left, &right).farthest() {
        let twice = point.corner.alpha.clone() + &point.corner.alpha;
        *(if twice < *unit { &mut left } else { &mut right }) = point;
    }
    let (left, right) = (left.corner, right.corner);
    (four_at_half(&left, &right, unit), right.alpha - &left.alpha)
}

/// A point of g.
#[derive(Clone)]
struct Point<N> {
    corner: Corner<N>,
    /// The first digits of its threshold.
    digits: u64,
    /// An estimate of its height.
    estimate: i128,
}

/// g is at least 0 at both ends.
fn end<N: Number>(alpha: N, digits: u64) -> Point<N> {
    let corner = Corner { alpha, height: N::zero(), ties: Ties::Below };
    Point { corner, digits, estimate: 0 }
}

/// A line that is raised without being turned.
struct Line<'a, N> {
    blocks: &'a Blocks<'a, N>,
    group: &'a Group,
    lane: usize,
    /// All ones of the lane.
    ones: u64,
    /// The points that had the line at first.
    left: &'a Point<N>,
    right: &'a Point<N>,
    /// How far it goes from one to the other, and how far up.
    run: N,
    rise: N,
    /// The point that it was raised to, if it was.
    raised: Option<Point<N>>,
}

impl<'a, N: Number> Line<'a, N> {
    fn new(
        blocks: &'a Blocks<'a, N>,
        group: &'a Group,
        lane: usize,
        left: &'a Point<N>,
        right: &'a Point<N>,
    ) -> Self {
        let run = right.corner.alpha.clone() - &left.corner.alpha;
        let rise = right.corner.height.clone() - &left.corner.height;
        let ones = group.ones(lane);
        Line { blocks, group, lane, ones, left, right, run, rise, raised: None }
    }

    /// The point farthest above the line, if one is above it.
    fn farthest(mut self) -> Option<Point<N>> {
        self.raise(end(N::zero(), 0));
        self.raise(end(self.blocks.table.unit().clone(), u64::MAX));
        // From here on the line is not below 0, so that only what is above 0 can be above it.
        if let Some(number) = self.most_promising() {
            self.look(number, 0);
        }
        let (rises, count) = (self.rises(), self.blocks.blocks.len());
        let mut under = 0;
        for step in 0..count {
            under = self.pass(if rises { step } else { count - 1 - step }, under);
        }
        self.raised
    }

    /// Whether the line rises, and is swept from left to right.
    fn rises(&self) -> bool {
        self.rise >= N::zero()
    }

    /// The block whose bound is highest above the line, nearly. With the line raised to what is
    /// there, few others need to be looked at.
    fn most_promising(&self) -> Option<usize> {
        let short = |digits: u64| i128::from(digits >> 32);
        let run = (short(self.right.digits) - short(self.left.digits)).max(1);
        let rise = (self.right.estimate - self.left.estimate) >> FINER;
        let mut best = None;
        for number in 0..self.blocks.blocks.len() {
            match self.group.bound(self.blocks, Curve::Height, number, self.lane) {
                Some(bound) if bound > 0 => {
                    let index = self.entrance(number);
                    let alpha = short(self.blocks.outcomes.digits(index));
                    best = best.max(Some((i128::from(bound) * run - rise * alpha, number)));
                }
                _ => {}
            }
        }
        best.map(|(_, number)| number)
    }

    /// The level of a block where the line is lowest.
    fn entrance(&self, number: usize) -> usize {
        let levels = &self.blocks.blocks[number].levels;
        if self.rises() { levels.start } else { levels.end - 1 }
    }

    /// Looks at a block, unless its bound is below the line. What is not above `under`, in 2^-64,
    /// is under the line from this block on, and what is returned from the next.
    fn pass(&mut self, number: usize, under: i128) -> i128 {
        if let Some(bound) = self.group.bound(self.blocks, Curve::Height, number, self.lane) {
            if i128::from(bound) << FINER <= under {
                return under;
            }
            let fine = self.group.fine_bound(self.blocks, Curve::Height, number, self.lane);
            if fine.is_some_and(|bound| bound <= under) {
                return under;
            }
            // It is positive, as `under` is not negative, and no height is above T.
            let whole =
                (bound.cast_unsigned() / ONE.unsigned_abs() as u64 + 1).min(self.blocks.rounds);
            let height = self.blocks.table.unit().clone() * &N::from_count(whole);
            let alpha = &self.blocks.table.rows()[self.entrance(number)].value;
            if !self.is_below(alpha, &height) {
                return under.max(i128::from(whole) << WHOLE);
            }
        }
        self.look(number, under)
    }

    /// Looks at the levels of a block, as [`pass`](Self::pass) does.
    fn look(&mut self, number: usize, mut under: i128) -> i128 {
        let blocks = self.blocks;
        let mut places: Vec<(Place, i128)> = Vec::new();
        self.group.look(blocks, number, self.lane, |place| {
            let estimate = blocks.estimate(Curve::Height, place, self.ones);
            if estimate > under {
                places.push((*place, estimate));
            }
        });
        if !self.rises() {
            places.reverse();
        }
        for (place, estimate) in places {
            if estimate > under {
                let alpha = blocks.table.rows()[place.index].value.clone();
                let height = blocks.exact(Curve::Height, &place, self.ones);
                let corner = Corner { alpha, height, ties: Ties::Below };
                let digits = blocks.outcomes.digits(place.index);
                self.raise(Point { corner, digits, estimate });
                // Now it is not above the line.
                under = under.max(estimate - blocks.doubt());
            }
        }
        under
    }

    /// Raises the line to a point, if that is above it.
    fn raise(&mut self, point: Point<N>) {
        if self.is_below(&point.corner.alpha, &point.corner.height) {
            self.raised = Some(point);
        }
    }

    /// Whether the line is below a point.
    fn is_below(&self, alpha: &N, height: &N) -> bool {
        let on = &self.raised.as_ref().unwrap_or(self.left).corner;
        let above = (height.clone() - &on.height).times(&self.run);
        above > self.rise.times(&(alpha.clone() - &on.alpha))
    }
}
