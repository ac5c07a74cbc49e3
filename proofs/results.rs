//! What the results of the code under proof consist of, so that each part can be made wrong.

use crate::dyadic::{Dyadic, NotAProbability};
use crate::levels::Level;
use crate::measures::{
    Ece, IntervalCe, RangeScan, Sides, SignAt, SignCe, SignScan, StepCe, StepScan, StepWalk, VCal,
    VScan,
};
use crate::ties::Ties;

wrong_fields! {
    Dyadic { odd: u64, shift: u32 }
    Ece<N> { value: N, under: N, over: N }
    IntervalCe<N> { value: N, levels: Option<(usize, usize)>, bias: N }
    Level<N> { value: N, count: u64, ones: u64 }
    RangeScan<N> { prefix: N, highest: (N, usize), lowest: (N, usize) }
    Sides<N> { below: u64, above: u64, ones_below: N, ones_above: N }
    SignCe<N> { value: N, place: SignAt, sum: N }
    SignScan<N> { total: N, prefix: N, best: SignCe<N> }
    StepCe<N> { value: N, level: Option<usize>, bias: N }
    StepScan<N> { prefix: N, best: StepCe<N> }
    StepWalk<N> { prefix: N, largest: N }
    VCal<N> { value: N, limit: Option<(usize, Ties)> }
    VScan<N> { sides: Sides<N>, sup: N, limit: Option<(usize, Ties)> }
}

wrong_variants! {
    NotAProbability { Nan, Infinite, Negative, AboveOne }
    Ties { Below, Above }
}

/// Another index, or the other kind of place.
impl super::symbolic::wrong::Wrong for SignAt {
    const WAYS: usize = 1 + <usize as super::symbolic::wrong::Wrong>::WAYS;

    fn example() -> Self {
        SignAt::Level(0)
    }

    fn other(&self, way: usize) -> Option<(String, Self)> {
        let turned = |index: usize| if way == 0 { index } else { index ^ 1 << (way - 1) };
        let other = match *self {
            SignAt::Level(index) if way == 0 => SignAt::Gap(index),
            SignAt::Gap(index) if way == 0 => SignAt::Level(index),
            SignAt::Level(index) => SignAt::Level(turned(index)),
            SignAt::Gap(index) => SignAt::Gap(turned(index)),
        };
        Some((String::new(), other))
    }
}
