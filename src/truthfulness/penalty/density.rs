//! Exact expectations where p* itself is predicted and has a density.
//!
//! Given what happened, the p* of different rounds are independent: with density proportional to p on its piece where the event happened, to 1 - p where it
//! did not. Within an order of the predictions a measure is a sum of maxima of affine functions of them. So space is cut into simplices on which one of these
//! functions is the largest, and there a product of affine functions is left to integrate. (UCal and smCE are not piecewise affine.)

use std::collections::HashMap;

use num_bigint::BigInt;
use num_integer::binomial;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::PenaltyError;
use super::exact::{Budget, Entry, Place, levels};
use super::simplex::{Simplex, factorial};
use crate::certificate::checker::Pattern;
use crate::measure::Measure;
use crate::truthfulness::optimum::pieces::{Maximum, Piece, at_pattern};

/// Whether a measure is a sum of maxima of affine functions within each order of the predictions, or an average of such sums.
pub(super) fn is_piecewise_affine(measure: Measure) -> bool {
    !matches!(measure, Measure::UCal | Measure::UCalSub | Measure::SmCe | Measure::Ssce)
}

/// The parts of a table that subsets of its rounds keep, with the number of subsets for each.
pub(super) fn subtables(table: &[Entry]) -> Vec<(Vec<Entry>, BigInt)> {
    let mut parts = vec![(vec![], BigInt::one())];
    for (place, rounds, ones) in table {
        let mut more = vec![];
        for (part, ways) in &parts {
            for (zeros, ones, chosen) in kept(rounds - ones, *ones) {
                let mut part: Vec<Entry> = part.clone();
                if zeros + ones > 0 {
                    part.push((place.clone(), zeros + ones, ones));
                }
                more.push((part, ways * chosen));
            }
        }
        parts = more;
    }
    parts
}

/// How many of some zeros and ones may be kept, and in how many ways.
fn kept(zeros: u64, ones: u64) -> impl Iterator<Item = (u64, u64, BigInt)> {
    let ways = |of: u64, kept: u64| binomial(BigInt::from(of), BigInt::from(kept));
    (0..=zeros).flat_map(move |z| (0..=ones).map(move |o| (z, o, ways(zeros, z) * ways(ones, o))))
}

/// Rounds in which p* was predicted, between the same ends and with the same outcome.
struct Kind {
    low: BigRational,
    high: BigRational,
    one: bool,
    rounds: usize,
}

impl Kind {
    /// p or 1 - p: what the density is proportional to.
    fn weight(&self, p: &BigRational) -> BigRational {
        if self.one { p.clone() } else { BigRational::one() - p }
    }

    /// ∫ weight(p)^power dp, from end to end.
    fn moment(&self, power: i32) -> BigRational {
        let antiderivative = |p: &BigRational| self.weight(p).pow(power + 1);
        let difference = antiderivative(&self.high) - antiderivative(&self.low);
        let signed = if self.one { difference } else { -difference };
        signed / BigRational::from_integer((power + 1).into())
    }

    /// The mean of |x - p|.
    fn deviation(&self) -> BigRational {
        BigRational::one() - self.moment(2) / self.moment(1)
    }
}

/// The rounds of a table at points, and those with a density.
fn divided(table: &[Entry]) -> (Vec<Entry>, Vec<Kind>) {
    let (mut points, mut kinds) = (vec![], vec![]);
    for (place, rounds, ones) in table {
        let Place::Within(low, high) = place else {
            points.push((place.clone(), *rounds, *ones));
            continue;
        };
        for (one, rounds) in [(false, rounds - ones), (true, *ones)] {
            let rounds = usize::try_from(rounds).expect("rounds fit the memory of a table");
            let [low, high] = [low, high].map(|end| end.to_rational());
            kinds.extend((rounds > 0).then_some(Kind { low, high, one, rounds }));
        }
    }
    (points, kinds)
}

/// The expected measure of a table, in which rounds with a density are independent. The measure is piecewise affine, and no average over subsets.
pub(super) fn mean(
    measure: Measure,
    table: &[Entry],
    budget: &Budget,
) -> Result<BigRational, PenaltyError> {
    let (points, kinds) = divided(table);
    if measure == Measure::Ece || kinds.is_empty() {
        // With probability 1 every prediction with a density is made once.
        let count = |kind: &Kind| BigRational::from_integer(kind.rounds.into());
        let spread: BigRational = kinds.iter().map(|kind| kind.deviation() * count(kind)).sum();
        budget.spend(16)?;
        return Ok(spread + levels(&points)?.evaluate(measure).value);
    }
    Integral::new(measure, points, &kinds, budget).total(&kinds)
}

/// The integral of a measure over the predictions with a density.
struct Integral<'a> {
    measure: Measure,
    points: Vec<(BigRational, u64, u64)>,
    /// For each coordinate, its kind.
    coordinates: Vec<&'a Kind>,
    maxima: HashMap<Vec<(u32, u32)>, Vec<Maximum>>,
    budget: &'a Budget,
}

/// Where the value of a level comes from.
#[derive(Clone, Copy)]
enum Source {
    Coordinate(usize),
    Point(usize),
}

impl<'a> Integral<'a> {
    fn new(measure: Measure, points: Vec<Entry>, kinds: &'a [Kind], budget: &'a Budget) -> Self {
        let value = |place: Place| match place {
            Place::At(p) => p.to_rational(),
            Place::Within(..) => unreachable!("points were set apart"),
        };
        Integral {
            measure,
            points: points.into_iter().map(|(place, n, k)| (value(place), n, k)).collect(),
            coordinates: kinds.iter().flat_map(|kind| vec![kind; kind.rounds]).collect(),
            maxima: HashMap::new(),
            budget,
        }
    }

    fn total(&mut self, kinds: &[Kind]) -> Result<BigRational, PenaltyError> {
        let sides: Vec<_> =
            self.coordinates.iter().map(|kind| (kind.low.clone(), kind.high.clone())).collect();
        let numbers: Vec<usize> =
            (0..).zip(kinds).flat_map(|(number, kind)| vec![number; kind.rounds]).collect();
        let exchanges: BigInt = kinds.iter().map(|kind| factorial(kind.rounds)).product();
        // What is too much is not begun. About 2^((d-1)²/2) parts of each simplex were counted for stepCE, d up to 5.
        let parts = 1_u64.checked_shl(((sides.len() as u32 - 1).saturating_pow(2)).div_ceil(2));
        let simplices = u64::try_from(factorial(sides.len()) / &exchanges).unwrap_or(u64::MAX);
        let expected = simplices.saturating_mul(parts.unwrap_or(u64::MAX));
        self.budget.admit(expected.saturating_mul(self.cost()))?;

        let mut total = BigRational::zero();
        for simplex in Simplex::of_box(&sides, &numbers) {
            for part in simplex.cut_by(&self.comparisons()) {
                total += self.over(&part)?;
            }
        }
        let masses: BigRational = self.coordinates.iter().map(|kind| kind.moment(1)).product();
        Ok(total * BigRational::from_integer(exchanges) / masses)
    }

    /// Of one integral, in sixteenths of a step.
    fn cost(&self) -> u64 {
        let dimension = u32::try_from(self.coordinates.len()).unwrap_or(u32::MAX);
        3_u64.saturating_pow(dimension.saturating_add(1)).saturating_mul(u64::from(dimension) + 1)
            / 2
    }

    /// Differences of predictions whose order is not known. (Coordinates with the same ends are in order in each simplex of a box.)
    fn comparisons(&self) -> Vec<impl Fn(&[BigRational]) -> BigRational + use<'a>> {
        let mut pairs = vec![];
        for (i, kind) in self.coordinates.iter().enumerate() {
            let inside = |value: &BigRational| kind.low < *value && *value < kind.high;
            for (value, ..) in self.points.iter().filter(|(value, ..)| inside(value)) {
                pairs.push((i, None, value.clone()));
            }
            for (j, other) in self.coordinates.iter().enumerate().skip(i + 1) {
                let same = kind.low == other.low && kind.high == other.high;
                if !same && kind.low < other.high && other.low < kind.high {
                    pairs.push((i, Some(j), BigRational::zero()));
                }
            }
        }
        let difference = |(i, j, value): (usize, Option<usize>, BigRational)| {
            move |p: &[BigRational]| &p[i] - j.map_or(&value, |j| &p[j])
        };
        pairs.into_iter().map(difference).collect()
    }

    /// Over a simplex in which the order of the predictions does not change.
    fn over(&mut self, simplex: &Simplex) -> Result<BigRational, PenaltyError> {
        let inside = simplex.barycentre();
        let coordinates = inside.into_iter().enumerate().map(|(i, p)| (p, Source::Coordinate(i)));
        let points =
            self.points.iter().enumerate().map(|(k, point)| (point.0.clone(), Source::Point(k)));
        let mut sources: Vec<_> = coordinates.chain(points).collect();
        sources.sort_by(|(one, _), (other, _)| one.cmp(other));
        let sources: Vec<Source> = sources.into_iter().map(|(_, source)| source).collect();
        let maxima = self.maxima_at(&sources)?;

        let mut total = BigRational::zero();
        for Maximum { weight, pieces } in &maxima {
            let mut open = vec![simplex.clone()];
            while let Some(part) = open.pop() {
                let height = |piece: &Piece| {
                    let at = |corner: &Vec<BigRational>| self.height(piece, &sources, corner);
                    part.corners.iter().map(at).collect()
                };
                let heights: Vec<Vec<BigRational>> = pieces.iter().map(height).collect();
                match parting(&heights) {
                    Ok(largest) => {
                        self.budget.spend(self.cost())?;
                        let weights = (0..self.coordinates.len()).map(|i| {
                            let weight =
                                |corner: &Vec<BigRational>| self.coordinates[i].weight(&corner[i]);
                            part.corners.iter().map(weight).collect()
                        });
                        let factors: Vec<_> = weights.chain([heights[largest].clone()]).collect();
                        total +=
                            part.integral(&factors) * BigRational::from_integer((*weight).into());
                    }
                    Err([leader, rival]) => {
                        let [leader, rival] = [&pieces[leader], &pieces[rival]];
                        let difference = |corner: &[BigRational]| {
                            self.height(leader, &sources, corner)
                                - self.height(rival, &sources, corner)
                        };
                        open.extend(part.cut_by(&[difference]));
                    }
                }
            }
        }
        Ok(total)
    }

    /// The measure where the levels come from these in ascending order.
    fn maxima_at(&mut self, sources: &[Source]) -> Result<Vec<Maximum>, PenaltyError> {
        let small = |count: u64| u32::try_from(count).map_err(|_| PenaltyError::Continuous);
        let level = |source: &Source| match source {
            Source::Coordinate(i) => Ok((u32::from(self.coordinates[*i].one), 1)),
            Source::Point(k) => Ok((small(self.points[*k].2)?, small(self.points[*k].1)?)),
        };
        let levels = sources.iter().map(level).collect::<Result<Vec<_>, PenaltyError>>()?;
        if !self.maxima.contains_key(&levels) {
            let pattern = Pattern { levels: levels.clone() };
            let maxima =
                at_pattern(self.measure, &pattern).map_err(|_| PenaltyError::Continuous)?;
            self.maxima.insert(levels.clone(), maxima);
        }
        Ok(self.maxima[&levels].clone())
    }

    /// A piece at a point.
    fn height(&self, piece: &Piece, sources: &[Source], at: &[BigRational]) -> BigRational {
        let number = |n: i64| BigRational::from_integer(n.into());
        let slopes = piece.slopes.iter().zip(sources).filter(|(slope, _)| **slope != 0);
        let part = |(slope, source): (&i64, &Source)| {
            number(*slope)
                * match source {
                    Source::Coordinate(i) => &at[*i],
                    Source::Point(k) => &self.points[*k].0,
                }
        };
        number(piece.constant) + slopes.map(part).sum::<BigRational>()
    }
}

/// The piece that is the largest at every corner; if there is none, two pieces, either of which is larger than the other somewhere. (They have to be told apart
/// in the whole simplex before the next two: then there is an end to it, since two pieces that do not cross in a simplex do not cross in its parts.)
fn parting(heights: &[Vec<BigRational>]) -> Result<usize, [usize; 2]> {
    let corners = 0..heights[0].len();
    let largest = |i: usize| heights.iter().map(|piece| &piece[i]).max().expect("a piece");
    let best: Vec<_> = corners.clone().map(largest).collect();
    let is_best = |piece: usize, corner: usize| heights[piece][corner] == *best[corner];
    let reached = |piece: &usize| corners.clone().filter(|corner| is_best(*piece, *corner)).count();
    let leader = (0..heights.len()).max_by_key(reached).expect("a piece");
    let Some(lost) = corners.clone().find(|corner| !is_best(leader, *corner)) else {
        return Ok(leader);
    };
    // One that is the largest where the leader is not. It is smaller elsewhere: otherwise it would be the largest at more corners.
    let rival = (0..heights.len()).find(|piece| is_best(*piece, lost)).expect("it is attained");
    Err([leader, rival])
}
