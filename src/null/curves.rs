//! The numbers whose extremes are the measures, at each level of a replicate: exactly, and nearly.
//!
//! Nearly is in 2^-64, from the first 64 digits of each prediction, of which T rounds lose at most
//! T: an estimate is at least the number and exceeds it by at most 2T·2^-64. So where one estimate
//! exceeds another by 2T, the numbers are in the same order; exact numbers of whatever
//! width are needed only for those that come closer to the largest.

use super::blocks::{Blocks, Place};
use crate::measures::Sides;
use crate::number::Number;

/// From whole rounds to 2^-64.
pub(super) const WHOLE: u32 = 64;

/// A number at each level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Curve {
    /// The prefix sum B_j.
    Rise,
    /// -B_j
    Fall,
    /// The larger limit of g at the level: see [`measures::u_cal`](crate::measures::u_cal).
    Height,
}

impl<N: Number> Blocks<'_, N> {
    /// The curve at a place of a replicate with so many ones in all: at least that, and at most
    /// [`doubt`](Self::doubt) more.
    #[inline]
    pub fn estimate(&self, curve: Curve, place: &Place, ones: u64) -> i128 {
        let whole = |count: u64| i128::from(count) << WHOLE;
        let expected = place.expected.cast_signed();
        match curve {
            Curve::Rise => whole(place.ones.1) - expected,
            Curve::Fall => expected + i128::from(self.rounds) - whole(place.ones.1),
            Curve::Height => {
                let digits = u128::from(self.outcomes.digits(place.index));
                let times = |rounds: u64| (digits * u128::from(rounds)).cast_signed();
                let above = self.rounds - place.rounds.0;
                let height = (whole(place.ones.0) - times(place.rounds.0))
                    .max(times(above) + i128::from(above) - whole(ones - place.ones.0));
                // Both sides grow by the bias of the level when it moves from one to the other.
                let bias =
                    whole(place.ones.1 - place.ones.0) - times(place.rounds.1 - place.rounds.0);
                height + bias.max(0)
            }
        }
    }

    /// How much too large an estimate can be: T for what the sides lose, and T for the level.
    pub fn doubt(&self) -> i128 {
        2 * i128::from(self.rounds)
    }

    /// The curve at a place of a replicate with so many ones in all, in units.
    pub fn exact(&self, curve: Curve, place: &Place, ones: u64) -> N {
        let unit = self.table.unit();
        let walk = || unit.clone() * &N::from_count(place.ones.1) - &self.expected[place.index];
        match curve {
            Curve::Rise => walk(),
            Curve::Fall => -walk(),
            Curve::Height => {
                let alpha = &self.table.rows()[place.index].value;
                let height = |rounds, before| {
                    let mut sides = Sides::over(self.rounds, ones, unit);
                    sides.pass_rounds(rounds, before, unit);
                    sides.height(alpha)
                };
                height(place.rounds.0, place.ones.0).max(height(place.rounds.1, place.ones.1))
            }
        }
    }

    /// An upper bound of the curve in a block, in 2^-64, from the ones below it and up to its end.
    /// Where next to nothing happens, be it that no round is a one or that all are, this is as good
    /// as the levels themselves.
    pub fn fine_bound(&self, curve: Curve, number: usize, between: (u64, u64), ones: u64) -> i128 {
        let whole = |count: u64| i128::from(count) << WHOLE;
        let block = &self.blocks[number];
        let next = self.blocks.get(number + 1);
        let (start, end) = (block.rounds, next.map_or(self.rounds, |next| next.rounds));
        let digits = |index: usize| u128::from(self.outcomes.digits(index));
        let (first, last) = (digits(block.levels.start), digits(block.levels.end - 1));
        // No level has more than all ones from the start, nor fewer than all zeros to the end.
        let zeros = (start - between.0, end - between.1);
        match curve {
            Curve::Rise => {
                let first = first * u128::from(self.table.rows()[block.levels.start].count);
                let low = whole(between.1) - (block.expected + first).cast_signed();
                low.min(whole(end) - self.expected_at(number).cast_signed() - whole(zeros.0))
            }
            Curve::Fall => {
                let lost = i128::from(self.rounds);
                let low = self.expected_at(number).cast_signed() + lost - whole(between.0);
                low.min(block.expected.cast_signed() + lost - whole(start) + whole(zeros.1))
            }
            Curve::Height => {
                let times = |digits: u128, rounds: u64| (digits * u128::from(rounds)).cast_signed();
                let below = whole(between.1) - times(first, start);
                let (above, last) = (self.rounds - start, last + 1);
                let low = times(last, above) - whole(ones - between.1);
                let left = self.rounds - end;
                let high = whole(above - (ones - between.0)) - whole(left) + times(last, left);
                below.max(low.min(high))
            }
        }
    }

    /// The sum of the predictions up to the end of a block, from the first 64 digits of each.
    fn expected_at(&self, number: usize) -> u128 {
        self.blocks.get(number + 1).map_or(self.expected_in_all, |next| next.expected)
    }
}
