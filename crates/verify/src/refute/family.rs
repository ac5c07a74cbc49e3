//! Tables that come as close to a limit as one likes: predictions that are affine in a small number
//! e.

use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use truecal::rational::{common_denominator, int};

use super::ascent::{Aim, simplest_within, small};
use super::cell::Cell;
use super::instance::Instance;
use truecal_check::Pattern;

/// The tables with predictions limit + e · direction, for small e > 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    pattern: Pattern,
    limit: Vec<BigRational>,
    direction: Vec<BigRational>,
}

impl Family {
    /// The table for one e; None if that is too large.
    pub fn at(&self, e: &BigRational) -> Option<Instance> {
        Instance::of_pattern(&self.pattern, &along(&self.limit, &self.direction, e))
    }

    /// The outcomes, and the predictions as texts like `2/3 - e`.
    pub fn columns(&self) -> (Vec<bool>, Vec<String>) {
        let (mut outcomes, mut predictions) = (vec![], vec![]);
        let levels = self.pattern.levels.iter().zip(self.limit.iter().zip(&self.direction));
        for ((ones, rounds), (value, slope)) in levels {
            outcomes.extend((0..*rounds).map(|round| round < *ones));
            predictions.extend((0..*rounds).map(|_| term(value, slope)));
        }
        (outcomes, predictions)
    }

    /// From a point where predictions touch, or not, straight towards a table.
    pub(super) fn between(
        cell: &Cell,
        limit: &[BigRational],
        table: &[BigRational],
    ) -> Option<Family> {
        let direction: Vec<_> = limit.iter().zip(table).map(|(l, t)| t - l).collect();
        let direction = whole(&direction);
        let family = Family { pattern: cell.pattern.clone(), limit: limit.to_vec(), direction };
        family.at(&small(20)).map(|_| family)
    }

    /// From a point where predictions touch: those that do are spread by e. The hypothesis must
    /// hold near the point; if it does not, straight towards a table where it does.
    pub(super) fn touching(
        cell: &Cell,
        aim: &Aim<'_>,
        limit: &[BigRational],
        table: &[BigRational],
    ) -> Option<Family> {
        let spread = |from: fn(usize, &BigRational) -> i64| -> Vec<BigRational> {
            let offset = |j: usize| {
                let tied = limit.iter().filter(|value| **value == limit[j]).count();
                let rank = limit[..j].iter().filter(|value| **value == limit[j]).count() as i64;
                int(rank + from(tied, &limit[j]))
            };
            (0..limit.len()).map(offset).collect()
        };
        let up = spread(|tied, value| if value.is_one() { 1 - tied as i64 } else { 0 });
        let down = spread(|tied, value| if value.is_zero() { 0 } else { 1 - tied as i64 });
        let fits = |direction: &Vec<BigRational>| {
            let near = along(limit, direction, &small(20));
            cell.instance(&near).is_some() && aim.at(cell, &near).is_some()
        };
        match [down, up].into_iter().find(fits) {
            Some(direction) => {
                let (pattern, limit) = (cell.pattern.clone(), limit.to_vec());
                Some(Family { pattern, limit, direction })
            }
            None => Family::between(cell, limit, table),
        }
    }

    /// Near predictions there may be simple ones where gain and cost both vanish: the limit of
    /// their ratio, or None if it grows without bound.
    pub(super) fn vanishing(
        cell: &Cell,
        aim: &Aim<'_>,
        near: &[BigRational],
    ) -> Option<(Option<BigRational>, Family)> {
        let limit: Vec<_> = near.iter().map(|value| simplest_within(value, &small(5))).collect();
        let offsets: Vec<_> = near.iter().zip(&limit).map(|(value, l)| value - l).collect();
        let largest = offsets.iter().map(Signed::abs).max().filter(Signed::is_positive)?;
        let round = |offset: &BigRational| simplest_within(&(offset / &largest), &small(3));
        let direction: Vec<_> = offsets.iter().map(round).collect();
        let direction = whole(&direction);
        let at_limit = aim.at(cell, &limit)?;
        if !at_limit.gain.is_zero() || !at_limit.cost.is_zero() {
            return None;
        }
        // Near the limit, gain and cost are c e + d e²: two points give c, and the third shows
        // whether they are.
        let slopes = |step: u32| {
            let e = small(step);
            let at = aim.at(cell, &along(&limit, &direction, &e))?;
            cell.instance(&at.at)?;
            Some((at.gain / &e, at.cost / &e))
        };
        let (first, second, third) = (slopes(18)?, slopes(19)?, slopes(20)?);
        let two = int(2);
        let start = |a: &BigRational, b: &BigRational| b * &two - a;
        let gain = start(&first.0, &second.0);
        let cost = start(&first.1, &second.1);
        let again = (start(&second.0, &third.0), start(&second.1, &third.1));
        if again != (gain.clone(), cost.clone()) || cost.is_negative() {
            return None;
        }
        let family = Family { pattern: cell.pattern.clone(), limit, direction };
        match (cost.is_zero(), gain.is_positive()) {
            (false, _) => Some((Some(gain / cost), family)),
            (true, true) => Some((None, family)),
            (true, false) => None,
        }
    }
}

/// The shortest vector of integers in the same direction.
fn whole(direction: &[BigRational]) -> Vec<BigRational> {
    let below = common_denominator(direction);
    let above = direction.iter().fold(BigInt::zero(), |gcd, d| gcd.gcd(&(d * &below).to_integer()));
    let factor = BigRational::new(below, above.max(BigInt::one()));
    direction.iter().map(|d| d * &factor).collect()
}

/// limit + e · direction
fn along(limit: &[BigRational], direction: &[BigRational], e: &BigRational) -> Vec<BigRational> {
    limit.iter().zip(direction).map(|(value, slope)| value + slope * e).collect()
}

/// `2/3 - 2*e`
fn term(value: &BigRational, slope: &BigRational) -> String {
    let size = match slope.abs() {
        size if size.is_one() => "e".to_owned(),
        size => format!("{size}*e"),
    };
    match (slope.cmp(&BigRational::zero()), value.is_zero()) {
        (std::cmp::Ordering::Equal, _) => value.to_string(),
        (std::cmp::Ordering::Greater, true) => size,
        (std::cmp::Ordering::Greater, false) => format!("{value} + {size}"),
        (std::cmp::Ordering::Less, true) => format!("-{size}"),
        (std::cmp::Ordering::Less, false) => format!("{value} - {size}"),
    }
}

/// `x=(1,0) p=(2/3 - e, 2/3)`
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (outcomes, predictions) = self.columns();
        let outcomes: Vec<_> = outcomes.iter().map(|x| u8::from(*x).to_string()).collect();
        write!(f, "x=({}) p=({})", outcomes.join(","), predictions.join(", "))
    }
}
