//! The tables of one order pattern, with what the quantities tend to where neighbouring predictions
//! meet.
//!
//! Between those limits most quantities are sums of maxima of affine functions of the predictions.
//! UCal is 4 times the height at 1/2 of the least concave majorant of points that move with the
//! predictions, smCE a linear programme whose bounds do; both have slopes. Everything here serves
//! the search and is untrusted: what it finds is judged as a table.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::instance::Instance;
use truecal::Forecasts;
use truecal::Measure;
use truecal::Witness;
use truecal::rational::{int, ratio};
use truecal_check::Pattern;
use truecal_check::law::Quantity;
use truecal_check::polynomial::Poly;
use truecal_check::statement::{Atom, PatternTable};

/// constant + Σ slope · prediction
#[derive(Clone, Debug)]
pub(super) struct Affine {
    constant: BigRational,
    pub slopes: Vec<BigRational>,
}

impl Affine {
    /// None if the polynomial is not of degree 1.
    fn of(poly: &Poly, levels: usize) -> Option<Affine> {
        let mut affine =
            Affine { constant: BigRational::zero(), slopes: vec![BigRational::zero(); levels] };
        for (monomial, coefficient) in poly.terms() {
            let number = int(*coefficient);
            match monomial {
                [0, 0, 0, 0] => affine.constant = number,
                [0, 0, 0, j] => affine.slopes[usize::from(*j) - 1] = number,
                _ => return None,
            }
        }
        Some(affine)
    }

    pub fn value(&self, at: &[BigRational]) -> BigRational {
        let terms = self.slopes.iter().zip(at).filter(|(slope, _)| !slope.is_zero());
        terms.fold(self.constant.clone(), |sum, (slope, value)| sum + slope * value)
    }
}

/// A sum of maxima: the weight of each, and what it is the largest of.
pub(super) type Maxima = Vec<(BigRational, Vec<Affine>)>;

/// How a quantity depends on the predictions.
enum Shape {
    Constant(BigRational),
    Maxima(Maxima),
    Quadratic(Poly),
    /// For each weighted table the corners at its levels, whose heights are sums of maxima.
    Majorant(Vec<(BigRational, Vec<Vec<Vec<Affine>>>)>),
    /// The (ones, rounds) of the levels of each weighted table.
    Smooth(Vec<(BigRational, Vec<(u32, u32)>)>),
}

/// An order pattern.
pub(super) struct Cell {
    pub pattern: Pattern,
    shapes: Vec<Option<Shape>>,
}

impl Cell {
    /// For these quantities. None: the pattern is too large for the numbers.
    pub fn new(pattern: &Pattern, quantities: &[Quantity]) -> Option<Cell> {
        let mut shapes: Vec<Option<Shape>> = Quantity::ALL.iter().map(|_| None).collect();
        for quantity in quantities {
            shapes[quantity.index()] = Some(Shape::of(*quantity, pattern)?);
        }
        Some(Cell { pattern: pattern.clone(), shapes })
    }

    fn shape(&self, quantity: Quantity) -> &Shape {
        self.shapes[quantity.index()].as_ref().expect("one of the quantities of the cell")
    }

    /// The quantity as a sum of maxima, if it is one.
    pub fn maxima(&self, quantity: Quantity) -> Option<&Maxima> {
        match self.shape(quantity) {
            Shape::Maxima(maxima) => Some(maxima),
            _ => None,
        }
    }

    /// Whether it does not depend on the predictions.
    pub fn is_constant(&self, quantity: Quantity) -> bool {
        matches!(self.shape(quantity), Shape::Constant(_))
    }

    /// The value at predictions that do not descend; where some are equal, the limit.
    pub fn value(&self, quantity: Quantity, at: &[BigRational]) -> BigRational {
        self.value_and_slopes(quantity, at).0
    }

    /// The value, and how it changes with each prediction. Of several maxima, the first counts.
    pub fn value_and_slopes(
        &self,
        quantity: Quantity,
        at: &[BigRational],
    ) -> (BigRational, Vec<BigRational>) {
        let mut total = (BigRational::zero(), vec![BigRational::zero(); at.len()]);
        let mut add = |weight: &BigRational, value: BigRational, slopes: &[BigRational]| {
            total.0 += weight * value;
            for (sum, slope) in total.1.iter_mut().zip(slopes) {
                *sum += weight * slope;
            }
        };
        match self.shape(quantity) {
            Shape::Constant(number) => add(&BigRational::one(), number.clone(), &[]),
            Shape::Maxima(maxima) => {
                for (weight, pieces) in maxima {
                    let (value, piece) = largest(pieces, at);
                    add(weight, value, &pieces[piece].slopes);
                }
            }
            Shape::Quadratic(poly) => {
                let (value, slopes) = quadratic(poly, at);
                add(&BigRational::one(), value, &slopes);
            }
            Shape::Majorant(tables) => {
                for (weight, corners) in tables {
                    let (value, slopes) = majorant(corners, at);
                    add(weight, value, &slopes);
                }
            }
            Shape::Smooth(tables) => {
                for (weight, levels) in tables {
                    let (value, slopes) = smooth(levels, at);
                    add(weight, value, &slopes);
                }
            }
        }
        total
    }

    /// The table with these predictions, if they ascend.
    pub fn instance(&self, at: &[BigRational]) -> Option<Instance> {
        Instance::of_pattern(&self.pattern, at)
    }
}

/// The largest piece: its value and its place.
fn largest(pieces: &[Affine], at: &[BigRational]) -> (BigRational, usize) {
    let mut best = (pieces[0].value(at), 0);
    for (place, piece) in pieces.iter().enumerate().skip(1) {
        let value = piece.value(at);
        if value > best.0 {
            best = (value, place);
        }
    }
    best
}

impl Shape {
    fn of(quantity: Quantity, pattern: &Pattern) -> Option<Shape> {
        let m = pattern.levels.len();
        let values = (1..=m).map(Poly::variable).collect::<Result<Vec<_>, _>>().ok()?;
        let table = PatternTable { levels: pattern.levels.clone(), values: &values };
        let measure = match quantity {
            Quantity::Measure(measure) => measure,
            Quantity::Rounds => return Some(Shape::Constant(int(pattern.rounds()))),
            Quantity::Ones => return Some(Shape::Constant(int(pattern.ones()))),
            Quantity::Levels => return Some(Shape::Constant(int(m))),
            Quantity::Variance => {
                return table.polynomial(Atom::Variance).ok()?.map(Shape::Quadratic);
            }
            Quantity::Squares => {
                return table.polynomial(Atom::Squares).ok()?.map(Shape::Quadratic);
            }
            Quantity::Bias => {
                let piece = Affine::of(&table.polynomial(Atom::Bias).ok()??, m)?;
                return Some(Shape::Maxima(vec![(BigRational::one(), vec![piece])]));
            }
        };
        let subsets = match measure.subsampled_from() {
            None => vec![(1, table)],
            Some(_) => table.subsets(),
        };
        let all: i128 = subsets.iter().map(|(ways, _)| ways).sum();
        let weight = |ways: i128| BigRational::new(ways.into(), all.into());
        Some(match measure {
            Measure::UCal | Measure::UCalSub => {
                let corner = |table: &PatternTable<'_>, at: usize| {
                    let sides = table.sides(at).ok()?;
                    let sides = sides.iter().map(|side| Affine::of(side, m));
                    Some(vec![sides.collect::<Option<Vec<_>>>()?])
                };
                let tables = subsets.iter().map(|(ways, table)| {
                    let corners = (0..m).map(|at| corner(table, at)).collect::<Option<Vec<_>>>()?;
                    Some((weight(*ways), corners))
                });
                Shape::Majorant(tables.collect::<Option<_>>()?)
            }
            Measure::SmCe | Measure::Ssce => {
                let tables = subsets.into_iter().map(|(ways, table)| (weight(ways), table.levels));
                Shape::Smooth(tables.collect())
            }
            // Half of what UCal makes of g.
            Measure::Cdl => {
                let corners = (0..m).map(|at| swap_corner(&pattern.levels, at)).collect();
                Shape::Majorant(vec![(ratio(1, 2), corners)])
            }
            Measure::Ece
            | Measure::StepCe
            | Measure::SignCe
            | Measure::IntervalCe
            | Measure::VCal
            | Measure::StepCeSub
            | Measure::VCalSub => {
                let mut maxima = vec![];
                for (ways, table) in &subsets {
                    for pieces in table.maxima(Atom::Measure(measure)).ok()? {
                        let pieces = pieces.iter().map(|piece| Affine::of(piece, m));
                        maxima.push((weight(*ways), pieces.collect::<Option<_>>()?));
                    }
                }
                Shape::Maxima(maxima)
            }
        })
    }
}

/// A polynomial of degree 2.
fn quadratic(poly: &Poly, at: &[BigRational]) -> (BigRational, Vec<BigRational>) {
    let (mut value, mut slopes) = (BigRational::zero(), vec![BigRational::zero(); at.len()]);
    for (monomial, coefficient) in poly.terms() {
        let number = int(*coefficient);
        let variables: Vec<usize> =
            monomial.iter().filter(|j| **j > 0).map(|j| usize::from(*j) - 1).collect();
        value += variables.iter().fold(number.clone(), |product, j| product * &at[*j]);
        for (place, j) in variables.iter().enumerate() {
            let others = variables.iter().enumerate().filter(|(other, _)| *other != place);
            slopes[*j] += others.fold(number.clone(), |product, (_, other)| product * &at[*other]);
        }
    }
    (value, slopes)
}

/// The height of h at a level (see [`truecal::measures::cdl`]): what the levels below and above add
/// there, and its own bias.
fn swap_corner(levels: &[(u32, u32)], at: usize) -> Vec<Vec<Affine>> {
    let excess = |j: usize, sign: i64| {
        let (ones, rounds) = levels[j];
        let mut slopes = vec![BigRational::zero(); levels.len()];
        slopes[at] = int(-sign * i64::from(rounds));
        Affine { constant: int(sign * i64::from(ones)), slopes }
    };
    let nothing = || Affine {
        constant: BigRational::zero(),
        slopes: vec![BigRational::zero(); levels.len()],
    };
    let part = |j: usize| match j.cmp(&at) {
        Ordering::Less => vec![excess(j, 1), nothing()],
        Ordering::Equal => vec![excess(j, 1), excess(j, -1)],
        Ordering::Greater => vec![excess(j, -1), nothing()],
    };
    (0..levels.len()).map(part).collect()
}

/// UCal from the corners of g at the levels. The points (0, 0) and (1, 0) are there as well.
fn majorant(corners: &[Vec<Vec<Affine>>], at: &[BigRational]) -> (BigRational, Vec<BigRational>) {
    let half = ratio(1, 2);
    let four = int(4);
    // (place, height, the level and how the height changes with its prediction)
    let mut points = vec![
        (BigRational::zero(), BigRational::zero(), None),
        (BigRational::one(), BigRational::zero(), None),
    ];
    for (level, maxima) in corners.iter().enumerate() {
        let (mut height, mut slope) = (BigRational::zero(), BigRational::zero());
        for pieces in maxima {
            let (value, piece) = largest(pieces, at);
            height += value;
            slope += &pieces[piece].slopes[level];
        }
        points.push((at[level].clone(), height, Some((level, slope))));
    }
    let mut best = (BigRational::zero(), vec![BigRational::zero(); at.len()]);
    for low in points.iter().filter(|(place, ..)| *place <= half) {
        for high in points.iter().filter(|(place, ..)| *place >= half) {
            let width = &high.0 - &low.0;
            let share = match width.is_zero() {
                true => BigRational::one(),
                false => (&high.0 - &half) / &width,
            };
            let height = &low.1 * &share + &high.1 * (BigRational::one() - &share);
            // Of equal ones the last, which is at levels if there is one: they have slopes.
            if &height * &four >= best.0 {
                let slope = match width.is_zero() {
                    true => BigRational::zero(),
                    false => (&high.1 - &low.1) / &width,
                };
                let mut slopes = vec![BigRational::zero(); at.len()];
                for (point, share) in [(low, &share), (high, &(BigRational::one() - &share))] {
                    if let Some((level, own)) = &point.2 {
                        slopes[*level] += &four * share * (own - &slope);
                    }
                }
                best = (height * &four, slopes);
            }
        }
    }
    best
}

/// smCE from the function and the flow that attain it: with b_j = k_j - n_j v_j, the sum Σ f_j b_j
/// changes with v_j by -n_j f_j, and the room that f has between neighbours by the flow through it.
fn smooth(levels: &[(u32, u32)], at: &[BigRational]) -> (BigRational, Vec<BigRational>) {
    let mut forecasts = Forecasts::new();
    for ((ones, rounds), value) in levels.iter().zip(at) {
        for round in 0..*rounds {
            let prediction = value.clone().try_into().expect("from 0 to 1");
            forecasts.push(round < *ones, prediction).expect("few rounds");
        }
    }
    let table = forecasts.levels().expect("few predictions with short denominators");
    let evaluation = table.evaluate(Measure::SmCe);
    let mut slopes = vec![BigRational::zero(); at.len()];
    if let Witness::Lipschitz(lipschitz) = &evaluation.witness {
        let flow = lipschitz.flow(&table.to_rational());
        let (mut group, mut last, mut before) = (0, None, BigRational::zero());
        for (j, (ones, rounds)) in levels.iter().enumerate().filter(|(_, level)| level.1 > 0) {
            if last.is_some_and(|last: usize| at[last] != at[j]) {
                group += 1;
                before = flow[group - 1].clone();
            }
            last = Some(j);
            let count = int(*rounds);
            let bias = int(*ones) - &count * &at[j];
            // Between equal predictions everything flows on; the last of a group sends what the
            // flow says.
            let next =
                levels[j + 1..].iter().position(|level| level.1 > 0).map(|next| j + 1 + next);
            let after = match next {
                None => BigRational::zero(),
                Some(next) if at[next] == at[j] => &before + bias,
                Some(_) => flow[group].clone(),
            };
            slopes[j] = before.abs() - after.abs() - count * lipschitz.at(&at[j]);
            before = after;
        }
    }
    (evaluation.value, slopes)
}
