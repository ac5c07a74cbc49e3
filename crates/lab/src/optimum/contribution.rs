//! What one case contributes to the best expected penalty, as a function of the first prediction:
//! convex and piecewise linear, known at some places and by cutting planes (lines below it).
//! Untrusted: the lines come with their bounds.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use truecal::rational::{common_denominator, int};

use super::certificate::{CaseBound, Line, OptimumCase, OrderRow, Selection, line};
use super::envelope::{Corners, upper};
use super::order::{Order, neighbours, values, way_to};
use super::pieces::{Along, Pieces};
use crate::programme::{PivotRule, Programme, Solution};

/// A case, and what is known of it.
pub(super) struct Contribution<'a> {
    law: &'a [(Vec<bool>, BigRational)],
    pieces: &'a Pieces,
    pub case: OptimumCase,
    lines: Vec<Line>,
    /// Where the value is known: the first prediction, and the best later ones.
    pub solved: Vec<(BigRational, Vec<BigRational>)>,
    places: Vec<Later>,
    leaves: Vec<Leaf<'a>>,
    cuts: Vec<Cut>,
}

/// Possible outcomes of the case.
struct Leaf<'a> {
    outcomes: &'a [bool],
    chance: &'a BigRational,
    along: Along<'a>,
}

/// A later prediction, where the first is q.
#[derive(Clone, Copy)]
enum Later {
    /// The same as an earlier one.
    Same(usize),
    /// In [0, q].
    Below,
    /// In [q, 1].
    Above,
}

/// A lower bound of the measure at some outcomes: constant + Σ slope · prediction, times the scale.
struct Cut {
    leaf: usize,
    pieces: Vec<usize>,
    constant: i64,
    slopes: Vec<i64>,
}

impl<'a> Contribution<'a> {
    pub fn new(
        law: &'a [(Vec<bool>, BigRational)],
        pieces: &'a Pieces,
        first: bool,
        order: Order,
    ) -> Self {
        let possible = law.iter().filter(|(x, chance)| x[0] == first && !chance.is_zero());
        let leaf = |(outcomes, chance): &'a (Vec<bool>, BigRational)| Leaf {
            outcomes,
            chance,
            along: pieces.along(&order, outcomes),
        };
        let leaves = possible.map(leaf).collect();
        let places = (0..order.len()).map(|node| place(&order, node)).collect();
        // No measure is negative.
        let (bounds, none) = (vec![CaseBound::default()], BigRational::zero());
        let lines = vec![Line { constant: none.clone(), slope: none }];
        let case = OptimumCase { first, order, bounds };
        Contribution { law, pieces, case, lines, solved: vec![], places, leaves, cuts: vec![] }
    }

    /// The largest of the lines.
    pub fn bound(&self) -> Corners {
        upper(&self.lines)
    }

    /// The largest line at a place.
    pub fn bound_at(&self, first: &BigRational) -> BigRational {
        self.lines.iter().map(|line| line.at(first)).max().expect("the line 0")
    }

    /// Whether the value at this place is known.
    pub fn is_solved_at(&self, first: &BigRational) -> bool {
        self.solved.iter().any(|(place, _)| place == first)
    }

    /// The case, without bounds that are nowhere the largest.
    pub fn into_case(self) -> OptimumCase {
        let Contribution { lines, mut case, .. } = self;
        let steepest: Vec<_> = upper(&lines).into_iter().map(|corner| corner.slope).collect();
        let mut kept: Vec<BigRational> = vec![];
        let mut bounds = vec![];
        for (line, bound) in lines.iter().zip(case.bounds).rev() {
            // Of two with one slope, the later is as high: it was added because it is larger
            // somewhere.
            if steepest.contains(&line.slope) && !kept.contains(&line.slope) {
                kept.push(line.slope.clone());
                bounds.push(bound);
            }
        }
        case.bounds = bounds;
        case
    }

    /// Finds the value at a place, and a line that touches it there: a linear programme with ever
    /// more cuts.
    pub fn solve(&mut self, first: &BigRational) {
        let later = self.places.len();
        if self.cuts.is_empty() {
            self.cut(&self.predictions(first, &vec![BigRational::zero(); later]), &[]);
        }
        loop {
            let solution = self.programme(first).maximise(PivotRule::Largest);
            let solution = solution.expect("no measure takes more than all room");
            let predictions = self.predictions(first, &solution.point[..later]);
            if self.cut(&predictions, &solution.point[later..]) {
                continue;
            }
            self.add_line(&solution);
            self.solved.push((first.clone(), predictions[1..].to_vec()));
            return;
        }
    }

    /// More than the measure can be, times the scale.
    fn room(&self) -> i64 {
        self.pieces.scale * (2 * self.law[0].0.len() as i64 + 1)
    }

    /// The predictions, where each that has a place of its own is so far from the end of its range.
    fn predictions(&self, first: &BigRational, distances: &[BigRational]) -> Vec<BigRational> {
        let mut predictions = vec![first.clone()];
        for (place, distance) in self.places.iter().zip(distances) {
            predictions.push(match place {
                Later::Same(other) => predictions[*other].clone(),
                Later::Below => distance.clone(),
                Later::Above => BigRational::one() - distance,
            });
        }
        predictions
    }

    /// Variables: for each later prediction the distance from 0 if it is below the first and from 1
    /// if it is above, then for each leaf the room that the measure leaves. All 0 is feasible, as
    /// the order never puts a prediction below the first over one above it.
    fn programme(&self, first: &BigRational) -> Programme<i64> {
        let later = self.places.len();
        let none = vec![BigRational::zero(); later];
        let chances = self.leaves.iter().map(|leaf| leaf.chance.clone());
        let gains: Vec<_> = none.into_iter().chain(chances).collect();
        let mut rows = vec![];
        for cut in &self.cuts {
            let mut row = vec![0; gains.len()];
            row[later + cut.leaf] = 1;
            let mut constant = cut.constant;
            for (node, slope) in cut.slopes[1..].iter().enumerate() {
                let above = matches!(self.places[node], Later::Above);
                constant += if above { *slope } else { 0 };
                row[node] = if above { -slope } else { *slope };
            }
            rows.push((row, int(self.room() - constant) - int(cut.slopes[0]) * first));
        }
        for (.., more, less) in self.order_rows() {
            let mut row = vec![0; gains.len()];
            let bound = match (more.checked_sub(1), less.checked_sub(1)) {
                (Some(more), Some(less)) => {
                    let sign = if matches!(self.places[more], Later::Above) { -1 } else { 1 };
                    (row[less], row[more]) = (sign, -sign);
                    BigRational::zero()
                }
                (Some(more), None) => {
                    row[more] = 1;
                    BigRational::one() - first
                }
                (None, less) => {
                    row[less.expect("a prediction has other neighbours")] = 1;
                    first.clone()
                }
            };
            rows.push((row, bound));
        }
        Programme { gains, rows }
    }

    /// What the order says: node, whether the neighbour is above, and which prediction is at least
    /// which.
    fn order_rows(&self) -> impl Iterator<Item = (usize, bool, usize, usize)> {
        (0..self.places.len()).flat_map(|node| {
            let [below, above] = neighbours(&self.case.order, node);
            let below = below.map(|below| (node, false, node + 1, below));
            below.into_iter().chain(above.map(|above| (node, true, above, node + 1)))
        })
    }

    /// Adds a cut for each leaf where the measure takes more room than is left; whether there is
    /// one.
    fn cut(&mut self, predictions: &[BigRational], room: &[BigRational]) -> bool {
        let before = self.cuts.len();
        let unit = common_denominator(predictions);
        let numerators: Vec<BigInt> =
            predictions.iter().map(|p| p.numer() * (&unit / p.denom())).collect();
        for (place, leaf) in self.leaves.iter().enumerate() {
            let (cut, value) = largest(place, leaf, &numerators, &unit);
            let left = room.get(place).map(|room| (int(self.room()) - room) * &unit);
            if left.is_none_or(|left| left < value.into()) {
                self.cuts.push(cut);
            }
        }
        self.cuts.len() > before
    }

    fn add_line(&mut self, solution: &Solution) {
        let (cuts, rows) = solution.multipliers.split_at(self.cuts.len());
        let scale = int(self.pieces.scale);
        let mut bound = CaseBound::default();
        for (cut, multiplier) in self.cuts.iter().zip(cuts).filter(|(_, m)| !m.is_zero()) {
            bound.selections.push(Selection {
                outcomes: self.leaves[cut.leaf].outcomes.to_vec(),
                multiplier: multiplier.clone(),
                pieces: cut.pieces.clone(),
            });
        }
        for ((node, above, ..), multiplier) in self.order_rows().zip(rows) {
            if !multiplier.is_zero() {
                bound.rows.push(OrderRow { node, above, multiplier: multiplier / &scale });
            }
        }
        let line = line(self.law, self.pieces, &self.case, &bound).expect("a bound of this case");
        self.lines.push(line);
        self.case.bounds.push(bound);
    }
}

/// The largest pieces at some predictions, and the value that they add up to, both over a unit.
fn largest(leaf: usize, at: &Leaf<'_>, numerators: &[BigInt], unit: &BigInt) -> (Cut, BigInt) {
    let mut cut = Cut { leaf, pieces: vec![], constant: 0, slopes: vec![0; numerators.len()] };
    let mut total = BigInt::zero();
    for maximum in at.along.maxima {
        let value = |place: usize| {
            let piece = &maximum.pieces[place];
            let terms = at.along.predictions.iter().zip(&piece.slopes).filter(|(_, s)| **s != 0);
            terms.fold(unit * piece.constant, |sum, (p, slope)| sum + &numerators[*p] * slope)
        };
        let mut best = (0, value(0));
        for place in 1..maximum.pieces.len() {
            let value = value(place);
            if value > best.1 {
                best = (place, value);
            }
        }
        let piece = &maximum.pieces[best.0];
        cut.pieces.push(best.0);
        cut.constant += maximum.weight * piece.constant;
        for (prediction, slope) in at.along.predictions.iter().zip(&piece.slopes) {
            cut.slopes[*prediction] += maximum.weight * slope;
        }
        total += best.1 * maximum.weight;
    }
    (cut, total)
}

fn place(order: &Order, node: usize) -> Later {
    let mut way = way_to(node);
    let earlier = values(order, &way);
    if order[node] % 2 == 1 {
        let round = earlier[order[node] / 2][0];
        return Later::Same(round.checked_sub(1).map_or(0, |later| way[later] + 1));
    }
    way.push(node);
    let round = way.len();
    let values = values(order, &way);
    let number = |round: usize| values.iter().position(|rounds| rounds.contains(&round));
    if number(round) < number(0) { Later::Below } else { Later::Above }
}
