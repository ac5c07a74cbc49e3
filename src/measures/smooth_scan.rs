//! The smooth calibration error of growing tables, for walks over subsets.
//!
//! Let F_j(y) be the best sum over levels 1..j with f(v_j) = y: concave and piecewise linear on
//! [-1, 1]. Going to the next level moves the rising part left and the falling part right by the
//! gap between the levels; the level itself adds a linear function, which moves the maximum. The
//! kinks of F_j are kept in two stacks. Unlike the staircase of [`smooth`](super::smooth) this does
//! not need the total bias in advance, and so levels can be added one by one. On some tables it
//! takes quadratic time (many levels of ones, then alternating heavy levels), but the tables of a
//! walk are short.

use super::classes::SubsetWalk;
use crate::levels::Level;
use crate::number::Number;

/// A fall of the slope.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kink<N> {
    /// Where.
    place: N,
    /// By how much; positive.
    fall: N,
}

/// F_j and its maximum: the smooth calibration error of the levels so far, which come in ascending
/// order.
///
/// ```
/// use truecal::{Level, measures::SmoothScan};
/// let mut scan = SmoothScan::<i64>::new();
/// scan.take(&2, &Level { value: 1, count: 1, ones: 1 }); // unit 2: an event predicted with 1/2
/// assert_eq!(scan.value(), 2); // 1/2, in units of 1/4
/// ```
#[derive(Debug)]
pub struct SmoothScan<N: Number> {
    /// Kinks below the maximum, nearest last; the place is where the kink was when `shift` was 0.
    rising: Vec<Kink<N>>,
    /// Kinks above it, nearest last.
    falling: Vec<Kink<N>>,
    /// How far the rising kinks have moved down, and the falling ones up.
    shift: N,
    /// The highest level so far.
    last: Option<N>,
    maximum: N::Wide,
}

impl<N: Number> Clone for SmoothScan<N> {
    fn clone(&self) -> Self {
        SmoothScan {
            rising: self.rising.clone(),
            falling: self.falling.clone(),
            shift: self.shift.clone(),
            last: self.last.clone(),
            maximum: self.maximum.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.rising.clone_from(&other.rising);
        self.falling.clone_from(&other.falling);
        self.shift.clone_from(&other.shift);
        self.last.clone_from(&other.last);
        self.maximum.clone_from(&other.maximum);
    }
}

impl<N: Number> SubsetWalk<N> for SmoothScan<N> {
    const DEGREE: u32 = 2;

    fn new() -> Self {
        SmoothScan::default()
    }

    fn keep(&mut self, unit: &N, level: Level<N>) {
        self.take(unit, &level);
    }

    fn value(&self, _unit: &N) -> N::Wide {
        self.maximum.clone()
    }
}

impl<N: Number> Default for SmoothScan<N> {
    fn default() -> Self {
        SmoothScan {
            rising: Vec::new(),
            falling: Vec::new(),
            shift: N::zero(),
            last: None,
            maximum: N::zero().widen(),
        }
    }
}

impl<N: Number> SmoothScan<N> {
    /// No level yet.
    pub fn new() -> Self {
        SmoothScan::default()
    }

    /// Takes in the next higher level. The unit is that of the whole table, whose bound is the
    /// caller's to keep (see [`Levels`](crate::Levels)).
    pub fn take(&mut self, unit: &N, level: &Level<N>) {
        let bias = level.bias(unit);
        if let Some(last) = &self.last {
            self.shift += &(level.value.clone() - last);
        }
        self.last = Some(level.value.clone());

        // Adding a slope b > 0 moves the maximum up past kinks whose falls add up to b. The maximum
        // gains fall · place at each, and the end of the domain has falls without end. For b < 0
        // the same happens downwards, with places counted downwards.
        let (ahead, behind) = if bias > N::zero() {
            (&mut self.falling, &mut self.rising)
        } else {
            (&mut self.rising, &mut self.falling)
        };
        let mut needed = bias.magnitude();
        while needed > N::zero() {
            // Places are kept from the centre outwards in the direction of their stack, so that one
            // rule serves both: outward place now = kept place + shift.
            let place = match ahead.last() {
                Some(kink) => (kink.place.clone() + &self.shift).min(unit.clone()),
                None => unit.clone(),
            };
            let fall = match ahead.last_mut() {
                Some(kink) if place < *unit && kink.fall > needed => {
                    kink.fall -= &needed;
                    needed.clone()
                }
                Some(_) if place < *unit => ahead.pop().expect("it has a last").fall,
                _ => needed.clone(), // the end, and whatever has moved beyond it
            };
            self.maximum += &fall.times(&place);
            needed -= &fall;
            behind.push(Kink { place: -place - &self.shift, fall });
        }
    }

    /// smCE of the levels so far, in squared units.
    pub fn value(&self) -> N::Wide {
        self.maximum.clone()
    }
}
