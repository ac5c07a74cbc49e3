//! Which cells can still matter.
//!
//! For each measure: a bound on what the levels of a cell can contribute, from its counts and ends
//! alone, against what is certain already. A cell that could reach it must be opened; the others
//! cannot change the value, nor the first place where it is attained, since reaching includes
//! equality. Within a cell the prefix sums cannot rise by more than its ones or fall by more than
//! its zeros allow; g is below two lines that count all ones of the cell as below the threshold and
//! all its zeros as above. For UCal, what is found in a cell can tilt the line that the others are
//! compared with, so they are asked again until no closed cell reaches it.

use super::Keys;
use super::stretches::{Cells, Keyed, Stretch, Stretches};
use crate::measure::{Measure, Refined};
use crate::measures::{Corner, UCal, UScan};
use crate::number::Number;
use crate::ties::Ties;

/// Bounds on g within a piece, each affine in the threshold: X_< - αN_< as if all ones of the piece
/// and none of its zeros were below, and αN_> - X_> as if all its zeros and none of its ones were
/// above.
pub(super) struct Ceiling<N> {
    /// At the low end: the bound on the side below, and on the side above.
    pub low: [N; 2],
    /// At the high end.
    pub high: [N; 2],
}

impl<N: Number> Ceiling<N> {
    /// The largest, over the whole piece.
    pub fn largest(&self) -> &N {
        (&self.low[0]).max(&self.high[1])
    }
}

/// What is asked of the walk of prefix sums: its largest absolute value, the largest of 2 B_j -
/// B_m, or its range.
#[derive(Clone, Copy)]
pub(super) enum Walk {
    Step,
    Sign,
    Interval,
}

impl<K: Keys, N: Number> Stretches<N, Keyed<'_, K>> {
    /// The indices of the cells that must be opened before [`evaluate`](Stretches::evaluate) is
    /// right.
    pub fn missing(&self, measure: Measure) -> Vec<usize> {
        let needed: Vec<bool> = match measure.description().refined {
            Some(Refined::Step) => self.on_the_walk(Walk::Step),
            Some(Refined::Sign) => self.on_the_walk(Walk::Sign),
            Some(Refined::Interval) => self.on_the_walk(Walk::Interval),
            Some(Refined::V) => self.at_a_kink(),
            Some(Refined::U) => self.above_the_line(),
            None => vec![],
        };
        let cells = self.closed().zip(needed).enumerate();
        cells.filter(|(_, (closed, needed))| *closed && *needed).map(|(cell, _)| cell).collect()
    }

    /// Stretches where the walk could be as far out as it is somewhere. A cell right above such a
    /// place is one of them, since the walk starts there: so an interval or a gap that begins at
    /// the place is found, too.
    fn on_the_walk(&self, walk: Walk) -> Vec<bool> {
        let (mut bottom, mut top, mut whole) = (N::zero(), N::zero(), N::zero());
        let mut ends = Vec::with_capacity(self.len());
        for bias in self.biases() {
            whole += &bias;
            bottom = bottom.min(whole.clone());
            top = top.max(whole.clone());
            ends.push(whole.clone());
        }
        let twice_from_total = |sum: &N| sum.clone() + sum - &whole;
        // What is attained for certain.
        let best = match walk {
            Walk::Step => top.magnitude().max(bottom.magnitude()),
            Walk::Sign => twice_from_total(&top).max(-twice_from_total(&bottom)),
            Walk::Interval => N::zero(), // each side is compared with its own
        };
        let relevant = |lowest: &N, highest: &N| match walk {
            Walk::Step => *highest >= best || -lowest.clone() >= best,
            Walk::Sign => twice_from_total(highest) >= best || -twice_from_total(lowest) >= best,
            Walk::Interval => *highest >= top || *lowest <= bottom,
        };
        // Most cells are far off even if each of their ones counted as a whole.
        let mut before = N::zero();
        let mut needed = |(index, end): (usize, &N)| {
            let within = |rise: N| relevant(&(end.clone() - &rise), &(before.clone() + &rise));
            let far = !within(self.ones_of(index));
            let needed = !far && within(self.piece(index).rise(&self.unit));
            before = end.clone();
            needed
        };
        ends.iter().enumerate().map(&mut needed).collect()
    }

    /// Stretches where g could be as large as it is somewhere.
    fn at_a_kink(&self) -> Vec<bool> {
        let mut best = N::zero();
        self.certain_corners(|corner| best = best.clone().max(corner.height));
        let needed = |(_, ceiling): (_, Ceiling<N>)| {
            let largest = ceiling.largest();
            *largest >= best && *largest > N::zero()
        };
        self.ceilings().map(needed).collect()
    }

    /// Stretches where g could reach the line of the majorant over 1/2. What is found there can
    /// only tilt the line, so this is asked again until no closed cell reaches it.
    fn above_the_line(&self) -> Vec<bool> {
        let UCal { left, right, .. } = self.majorant();
        let width = right.alpha.clone() - &left.alpha;
        let slope = right.height.clone() - &left.height;
        let reaches_line = |alpha: &N, height: &N| {
            *height > N::zero()
                && (height.clone() - &left.height).times(&width)
                    >= slope.times(&(alpha.clone() - &left.alpha))
        };
        let needed = |(piece, ceiling): (Stretch<N>, Ceiling<N>)| {
            let at = |alpha, heights: &[N; 2]| heights.iter().any(|h| reaches_line(alpha, h));
            at(&piece.low, &ceiling.low) || at(&piece.high, &ceiling.high)
        };
        self.ceilings().map(needed).collect()
    }
}

impl<N: Number, C: Cells<N>> Stretches<N, C> {
    /// Bounds on g, piece by piece.
    pub(super) fn ceilings(&self) -> impl Iterator<Item = (Stretch<N>, Ceiling<N>)> {
        let mut sides = self.sides();
        self.pieces().map(move |piece| {
            let at = |sides: &crate::measures::Sides<N>, alpha: &N, below: bool| match below {
                true => {
                    let ones = N::from_count(piece.ones);
                    sides.below(alpha) + &((self.unit.clone() - alpha) * &ones)
                }
                false => {
                    let zeros = N::from_count(piece.count - piece.ones);
                    sides.above(alpha) + &(alpha.clone() * &zeros)
                }
            };
            let below = [&piece.low, &piece.high].map(|alpha| at(&sides, alpha, true));
            sides.pass_rounds(piece.count, piece.ones, &self.unit);
            let above = [&piece.low, &piece.high].map(|alpha| at(&sides, alpha, false));
            let ([below_low, below_high], [above_low, above_high]) = (below, above);
            (piece, Ceiling { low: [below_low, above_low], high: [below_high, above_high] })
        })
    }

    /// Some corners of the graph of g: those of the levels, and two of each closed cell. At its low
    /// end all its rounds are above, at its largest prediction, from above, all are below.
    pub(super) fn certain_corners(&self, mut visit: impl FnMut(Corner<N>)) {
        let mut sides = self.sides();
        for Stretch { low, high, count, ones, .. } in self.pieces() {
            let above =
                Corner { alpha: low.clone(), height: sides.height(&low), ties: Ties::Above };
            sides.pass_rounds(count, ones, &self.unit);
            let below =
                Corner { alpha: high.clone(), height: sides.height(&high), ties: Ties::Below };
            if low < high {
                visit(above);
                visit(below);
            } else {
                visit(if above.height > below.height { above } else { below });
            }
        }
    }

    /// The majorant of the corners that are certain.
    pub(super) fn majorant(&self) -> UCal<N> {
        let mut hull = Vec::new();
        let mut scan = UScan::new(self.sides(), &self.unit, &mut hull);
        self.certain_corners(|corner| scan.corner(corner));
        scan.into_result()
    }
}
