//! The values of a group of replicates, for the measures that bounds of blocks lead to.

use std::ops::Range;

use super::blocks::{Blocks, MOST_ROUNDS, Wanted};
use super::curves::Curve;
use super::edge::u_cal;
use super::extremes::largest;
use super::group::Group;
use crate::measure::Measure;
use crate::measures::Amount;
use crate::number::Number;

/// The bounds that a measure is found by, if it is.
fn bounds_of(measure: Measure) -> Option<Wanted> {
    match measure {
        Measure::StepCe | Measure::IntervalCe => Some(Wanted { walk: true, sides: false }),
        Measure::VCal | Measure::UCal => Some(Wanted { walk: false, sides: true }),
        Measure::Ece
        | Measure::SmCe
        | Measure::SignCe
        | Measure::Cdl
        | Measure::StepCeSub
        | Measure::VCalSub
        | Measure::UCalSub
        | Measure::Ssce => None,
    }
}

/// The bounds that some measures of a table with so many rounds are found by.
pub(super) fn wanted(measures: &[Measure], rounds: u64) -> Wanted {
    let known = measures.iter().filter_map(|&measure| bounds_of(measure));
    known.filter(|_| rounds <= MOST_ROUNDS).fold(
        Wanted { walk: false, sides: false },
        |all, one| Wanted { walk: all.walk || one.walk, sides: all.sides || one.sides },
    )
}

/// Whether a measure is found by these bounds.
pub(super) fn is_found(measure: Measure, by: Wanted) -> bool {
    bounds_of(measure)
        .is_some_and(|needed| (by.walk || !needed.walk) && (by.sides || !needed.sides))
}

/// What some measures are made of, in some of the lanes.
pub(super) struct Values<N: Number> {
    /// The largest prefix sum, and the largest of their opposites; at least 0.
    rise: Vec<N>,
    fall: Vec<N>,
    /// The supremum of g.
    height: Vec<N>,
    /// UCal.
    u_cal: Vec<(N::Wide, N)>,
}

impl<N: Number> Values<N> {
    /// Those that the measures need.
    pub fn new(
        blocks: &Blocks<'_, N>,
        group: &Group,
        lanes: Range<usize>,
        measures: &[Measure],
    ) -> Self {
        let has = |measure| is_found(measure, blocks.wanted) && measures.contains(&measure);
        let of = |curve, needed| match needed {
            true => largest(blocks, group, lanes.clone(), curve),
            false => Vec::new(),
        };
        let edges = lanes.clone().filter(|_| has(Measure::UCal));
        Values {
            rise: of(Curve::Rise, blocks.wanted.walk),
            fall: of(Curve::Fall, blocks.wanted.walk),
            height: of(Curve::Height, has(Measure::VCal)),
            u_cal: edges.map(|lane| u_cal(blocks, group, lane)).collect(),
        }
    }

    /// The value of a measure in one of the lanes, counted from the first; `None` if it is not
    /// found in this way.
    pub fn amount(&self, measure: Measure, lane: usize) -> Option<Amount<N>> {
        match measure {
            Measure::StepCe => {
                let (rise, fall) = (self.rise.get(lane)?, self.fall.get(lane)?);
                Some(Amount::Units(rise.max(fall).clone()))
            }
            Measure::IntervalCe => {
                Some(Amount::Units(self.rise.get(lane)?.clone() + self.fall.get(lane)?))
            }
            Measure::VCal => {
                let height = self.height.get(lane)?;
                Some(Amount::Units(height.clone() + height))
            }
            Measure::UCal => {
                let (numerator, denominator) = self.u_cal.get(lane)?;
                Some(Amount::Ratio(numerator.clone(), denominator.clone()))
            }
            Measure::Ece
            | Measure::SmCe
            | Measure::SignCe
            | Measure::Cdl
            | Measure::StepCeSub
            | Measure::VCalSub
            | Measure::UCalSub
            | Measure::Ssce => None,
        }
    }
}
