//! From a functional that separates a goal from the facts to a table where the law fails.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::Point;
use crate::laws::{Verdict, judge_at};
use truecal::Forecasts;
use truecal::rational::int;
use truecal_check::Pattern;
use truecal_check::law::Law;

/// A table where a law fails: exact predictions, found by the prover, judged by the law itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefutingTable {
    /// The outcomes.
    pub outcomes: Vec<bool>,
    /// The predictions, ascending.
    pub predictions: Vec<BigRational>,
}

impl RefutingTable {
    /// Looks for one: at the vertex that the simplex method stopped at, if it did at one; at the
    /// vertices of the pattern; and on two grids.
    pub(super) fn search(
        law: &Law,
        pattern: &Pattern,
        point: Option<&Point>,
    ) -> Option<RefutingTable> {
        let m = pattern.levels.len();
        let corner = |ones: usize| (0..m).map(|j| int(usize::from(j + ones >= m))).collect();
        let mut vertices: Vec<Vec<BigRational>> = vec![];
        vertices.extend(point.and_then(|point| vertex(pattern, point)));
        vertices.extend((0..=m).map(corner));
        let middle = spread(m);
        let mut candidates = vertices.iter().flat_map(|vertex| inwards(vertex, &middle));
        let try_at = |values: Vec<BigRational>| {
            let fits = values.is_sorted_by(|a, b| a < b);
            let found = fits.then(|| RefutingTable::of(pattern, &values));
            found.filter(|found| found.refutes(law))
        };
        let near = candidates.find_map(try_at);
        near.or_else(|| [8, 12].into_iter().flat_map(|d| on_grid(m, d)).find_map(try_at))
    }

    fn of(pattern: &Pattern, values: &[BigRational]) -> RefutingTable {
        let mut rounds = vec![];
        for ((ones, count), value) in pattern.levels.iter().zip(values) {
            rounds.extend((0..*count).map(|round| (round + ones >= *count, value.clone())));
        }
        let (outcomes, predictions) = rounds.into_iter().unzip();
        RefutingTable { outcomes, predictions }
    }

    /// Whether the law fails there.
    pub fn refutes(&self, law: &Law) -> bool {
        let predictions = self.predictions.iter().cloned();
        let forecasts = Forecasts::from_columns(self.outcomes.iter().copied(), predictions);
        let Some(levels) = forecasts.ok().and_then(|forecasts| forecasts.levels().ok()) else {
            return false;
        };
        judge_at(law, &levels) == Verdict::Fails
    }
}

/// `x=(1,0) p=(1/2,1)`
impl fmt::Display for RefutingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcomes: Vec<_> = self.outcomes.iter().map(|x| u8::from(*x).to_string()).collect();
        let predictions: Vec<_> = self.predictions.iter().map(ToString::to_string).collect();
        write!(f, "x=({}) p=({})", outcomes.join(","), predictions.join(","))
    }
}

/// The predictions at which a functional takes its values, if it is one that belongs to a point.
fn vertex(pattern: &Pattern, point: &Point) -> Option<Vec<BigRational>> {
    let one = point.get(&[0; 4]).filter(|one| one.is_positive())?;
    let value = |j| point.get(&[0, 0, 0, j]).map_or_else(BigRational::zero, |value| value / one);
    Some((1..).take(pattern.levels.len()).map(value).collect())
}

/// From a point where neighbouring predictions may be equal towards one inside the pattern, where
/// they are not: the point itself, then 1/2 of the way, 1/4, ….
pub(crate) fn inwards<'a>(
    point: &'a [BigRational],
    inside: &'a [BigRational],
) -> impl Iterator<Item = Vec<BigRational>> + 'a {
    (0..20).map(move |step| {
        let weight = match step {
            0 => BigRational::zero(),
            _ => BigRational::new(BigInt::one(), BigInt::one() << step),
        };
        point.iter().zip(inside).map(|(p, i)| p + (i - p) * &weight).collect()
    })
}

/// Predictions at equal distances: the middle of an order pattern with m levels.
pub(crate) fn spread(m: usize) -> Vec<BigRational> {
    (1..=m).map(|j| BigRational::new(j.into(), (m + 1).into())).collect()
}

/// Every ascending choice of m multiples of 1/d in [0, 1], if they are not too many.
fn on_grid(m: usize, d: usize) -> Vec<Vec<BigRational>> {
    let mut found: Vec<Vec<usize>> = vec![vec![]];
    for _ in 0..m {
        let longer = |chosen: &Vec<usize>| {
            let next = chosen.last().map_or(0, |last| last + 1);
            (next..=d).map(|v| [&chosen[..], &[v]].concat()).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
        if found.len() > 2000 {
            return vec![];
        }
    }
    let fractions = |chosen: Vec<usize>| {
        chosen.into_iter().map(|v| BigRational::new(v.into(), d.into())).collect()
    };
    found.into_iter().map(fractions).collect()
}
