//! Exact expectations where p* itself is predicted and has a density.
//!
//! Given what happened, the p* of different rounds are independent: with density proportional to p
//! on its piece where the event happened, to 1 - p where it did not. Within an order of the
//! predictions a measure is a sum of maxima of affine functions of them. So space is cut into
//! simplices on which one of these functions is the largest, and there a product of affine
//! functions is left to integrate. (UCal and smCE are not piecewise affine.) Averages over subsets
//! are sums over parts of tables. A forecaster that remembers its predictions cannot be followed
//! so ([`Forecaster::remembers_predictions`](crate::Forecaster::remembers_predictions)).
//!
//! A simplex is cut along two functions until they do not cross in any part, before the next two:
//! otherwise parts could be cut for ever.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_integer::binomial;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::PenaltyError;
use super::simplex::{Simplex, factorial};
use super::table::{Budget, Entry, Slot, levels};
use crate::optimum::pieces::{AffinePiece, Maximum, at_pattern};
use truecal::Measure;
use truecal::rational::int;
use truecal_check::Pattern;

/// About how much it takes to integrate over so many predictions in one order, in sixteenths of a
/// step: 3^(d+1) (d+1) for each part of a simplex (see [`Simplex::integral`]), of which there were
/// about 2^((d-1)²/2) for d up to 5, of VCal 2^(3(d-1)²/4). ECE takes no integral.
pub(super) fn cost(measure: Measure, dimension: u64) -> u64 {
    let quarters = match measure.subsampled_from().unwrap_or(measure) {
        Measure::Ece => return 0,
        Measure::VCal => 3,
        Measure::StepCe
        | Measure::SignCe
        | Measure::IntervalCe
        // Not piecewise affine: never integrated.
        | Measure::SmCe
        | Measure::UCal
        | Measure::Cdl
        // Averages over subsets are told by what they average.
        | Measure::StepCeSub
        | Measure::VCalSub
        | Measure::UCalSub
        | Measure::Ssce => 2,
    };
    let Some(others) = dimension.checked_sub(1) else { return 0 };
    let parts = u32::try_from(others.saturating_mul(others).saturating_mul(quarters) / 4);
    let parts = parts.ok().and_then(|power| 1_u64.checked_shl(power)).unwrap_or(u64::MAX);
    parts.saturating_mul(cost_of_part(dimension))
}

fn cost_of_part(dimension: u64) -> u64 {
    let factors = u32::try_from(dimension + 1).unwrap_or(u32::MAX);
    3_u64.saturating_pow(factors).saturating_mul(dimension + 1)
}

/// About how much [`mean`] takes.
pub(super) fn cost_of_mean(measure: Measure, table: &[Entry]) -> u64 {
    let (_, kinds) = divided(table);
    let dimension: u64 = kinds.iter().map(|kind| kind.rounds as u64).sum();
    match cost(measure, dimension) {
        0 => 16,
        in_one_order => in_one_order.saturating_mul(orders(&kinds)),
    }
}

/// In how many orders the predictions can be, where those of a kind are alike.
fn orders(kinds: &[Kind]) -> u64 {
    let mut placed = 0;
    let mut orders = BigInt::one();
    for kind in kinds {
        placed += kind.rounds;
        orders *= binomial(BigInt::from(placed), BigInt::from(kind.rounds));
    }
    u64::try_from(orders).unwrap_or(u64::MAX)
}

/// How many parts [`subtables`] finds.
pub(super) fn number_of_subtables(table: &[Entry]) -> u64 {
    let parts = |(_, rounds, ones): &Entry| (rounds - ones + 1).saturating_mul(ones + 1);
    table.iter().map(parts).fold(1, u64::saturating_mul)
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
        signed / int(power + 1)
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
        let Slot::Within(low, high) = place else {
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

/// The expected measure of a table, in which rounds with a density are independent. The measure is
/// piecewise affine, and no average over subsets.
pub(super) fn mean(
    measure: Measure,
    table: &[Entry],
    budget: &Budget,
) -> Result<BigRational, PenaltyError> {
    let (points, kinds) = divided(table);
    if measure == Measure::Ece || kinds.is_empty() {
        // With probability 1 every prediction with a density is made once.
        let count = |kind: &Kind| int(kind.rounds);
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
        let value = |place: Slot| match place {
            Slot::At(p) => p.to_rational(),
            Slot::Within(..) => unreachable!("points were set apart"),
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
        let mut total = BigRational::zero();
        for simplex in Simplex::of_box(&sides, &numbers) {
            for part in simplex.cut_by(&self.comparisons()) {
                total += self.over(&part)?;
            }
        }
        let masses: BigRational = self.coordinates.iter().map(|kind| kind.moment(1)).product();
        Ok(total * int(exchanges) / masses)
    }

    /// Differences of predictions whose order is not known. (Coordinates with the same ends are in
    /// order in each simplex of a box.)
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
            let mut covered = BigRational::zero();
            for largest in 0..pieces.len() {
                let (part, volume) = self.where_largest(pieces, largest, &sources, simplex)?;
                total += part * int(*weight);
                covered += volume;
            }
            debug_assert_eq!(
                covered, simplex.volume,
                "every point has its largest piece, and one only"
            );
        }
        Ok(total)
    }

    /// The integral of one of some pieces, over the part of a simplex in which it is the largest
    /// (of equal ones the first); and the volume of that part.
    fn where_largest(
        &self,
        pieces: &[AffinePiece],
        largest: usize,
        sources: &[Source],
        simplex: &Simplex,
    ) -> Result<(BigRational, BigRational), PenaltyError> {
        let (mut total, mut volume) = (BigRational::zero(), BigRational::zero());
        let mut open = vec![simplex.clone()];
        while let Some(part) = open.pop() {
            self.budget.spend((pieces.len() * part.corners.len()) as u64)?;
            let height = |piece: &AffinePiece| {
                let at = |corner: &Vec<BigRational>| self.height(piece, sources, corner);
                part.corners.iter().map(at).collect()
            };
            let heights: Vec<Vec<BigRational>> = pieces.iter().map(height).collect();
            match standing(&heights, largest) {
                Standing::Smaller => {}
                Standing::Largest => {
                    self.budget.spend(cost_of_part(self.coordinates.len() as u64))?;
                    let weights = self.coordinates.iter().enumerate().map(|(i, kind)| {
                        part.corners.iter().map(|corner| kind.weight(&corner[i])).collect()
                    });
                    let factors: Vec<_> = weights.chain([heights[largest].clone()]).collect();
                    total += part.integral(&factors);
                    volume += &part.volume;
                }
                Standing::Beaten(rival) => {
                    let [one, other] = [&pieces[largest], &pieces[rival]];
                    let lead = |corner: &[BigRational]| {
                        self.height(one, sources, corner) - self.height(other, sources, corner)
                    };
                    open.extend(part.cut_by(&[lead]));
                }
            }
        }
        Ok((total, volume))
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
    fn height(&self, piece: &AffinePiece, sources: &[Source], at: &[BigRational]) -> BigRational {
        let slopes = piece.slopes.iter().zip(sources).filter(|(slope, _)| **slope != 0);
        let part = |(slope, source): (&i64, &Source)| {
            int(*slope)
                * match source {
                    Source::Coordinate(i) => &at[*i],
                    Source::Point(k) => &self.points[*k].0,
                }
        };
        int(piece.constant) + slopes.map(part).sum::<BigRational>()
    }
}

/// How a piece compares with others in a simplex.
enum Standing {
    /// It is the largest throughout.
    Largest,
    /// Another is larger but where they meet, or comes first and is the same.
    Smaller,
    /// This one is larger at some corners and smaller at others. It is to be cut off altogether
    /// before the next one is: two pieces that do not cross in a simplex do not cross in its parts,
    /// so there is an end to it.
    Beaten(usize),
}

fn standing(heights: &[Vec<BigRational>], piece: usize) -> Standing {
    let mut worst = (0, piece);
    for (rival, theirs) in heights.iter().enumerate() {
        let corners = || heights[piece].iter().zip(theirs);
        let lost = corners().filter(|(own, theirs)| own < theirs).count();
        if (lost > 0 || rival < piece) && corners().all(|(own, theirs)| own <= theirs) {
            return Standing::Smaller;
        }
        worst = worst.max((lost, rival));
    }
    match worst {
        (0, _) => Standing::Largest,
        (_, rival) => Standing::Beaten(rival),
    }
}
