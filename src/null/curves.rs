//! The numbers whose extremes are the measures, at each level of a replicate: exactly, and nearly.
//!
//! Nearly is in 2^-64, from the first 64 digits of each prediction, of which T rounds lose less
//! than T: an estimate is at least the number and exceeds it by at most T·2^-64. So where one
//! estimate exceeds another by T, the numbers are in the same order; exact numbers of whatever
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
            Curve::Fall => expected + self.doubt() - whole(place.ones.1),
            Curve::Height => {
                let digits = u128::from(self.outcomes.digits(place.index));
                let times = |rounds: u64| (digits * u128::from(rounds)).cast_signed();
                let height = |rounds: u64, before: u64| {
                    let above = self.rounds - rounds;
                    let below = whole(before) - times(rounds);
                    below.max(times(above) + i128::from(above) - whole(ones - before))
                };
                height(place.rounds.0, place.ones.0).max(height(place.rounds.1, place.ones.1))
            }
        }
    }

    /// How much too large an estimate can be.
    pub fn doubt(&self) -> i128 {
        self.rounds.into()
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
}
