//! Bounds for what stands on the smaller side: guesses of a few shapes, each as small as it can be.

use super::sparse;
use truecal_check::polynomial::{Poly, Ring};
use truecal_check::statement::{Bounded, Case};
use truecal_lab::programme::{Combined, combine};

/// Polynomials over a common denominator, in the order in which the case asks for them.
pub(super) struct Choice {
    pub denominator: i128,
    pub bounds: Vec<Poly>,
}

/// What a bound is a multiple of.
#[derive(Clone, Copy)]
enum Shape {
    /// Of 1.
    Constant,
    /// Of the one y of the larger side, or of the y that belongs to the same subset.
    Multiple,
    /// Of 1, besides an equal share of the larger side.
    Share,
}

/// The choices that are worth a try; none if the case asks for no bounds.
pub(super) fn choices(case: &Case) -> impl Iterator<Item = Choice> {
    let shapes = [Shape::Multiple, Shape::Constant, Shape::Share];
    let tries = shapes.into_iter().flat_map(|shape| [true, false].map(|steady| (shape, steady)));
    tries.filter_map(|(shape, steady)| choose(case, shape, steady))
}

/// `steady`: flows carry all that has gathered, and lines are level; otherwise nothing flows, and a
/// line goes from the largest regret at 0 to that at 1.
fn choose(case: &Case, shape: Shape, steady: bool) -> Option<Choice> {
    let mut chosen = Chosen { case, bounds: vec![] };
    let groups = case.bounded.len();
    for (group, (_, bounded)) in case.bounded.iter().enumerate() {
        let base = || Base::of(case, shape, group, groups);
        match bounded {
            Bounded::Maximum(pieces) => chosen.push(&base()?, pieces)?,
            Bounded::Line(levels) if steady => {
                let mut pieces = vec![Poly::default()];
                levels.iter().for_each(|(_, sides)| pieces.extend_from_slice(sides));
                chosen.push(&base()?, &pieces)?;
                chosen.bounds.push(chosen.bounds.last()?.clone());
            }
            Bounded::Line(levels) => {
                // these lines do not depend on it, and steady ones are shorter where there is one
                base()?;
                let sides = || levels.iter().flat_map(|(_, sides)| sides);
                let ends = [0, 1].map(|end| largest_at(sides(), end));
                chosen.bounds.extend(ends.map(|height| (1, Poly::constant(height))));
            }
            // If the larger side has a y for each level, that one.
            Bounded::Flow(_, biases) => chosen.push_flow(steady, biases, &|j| {
                base().or_else(|| Base::of(case, shape, j, biases.len()))
            })?,
        }
    }
    let common = chosen
        .bounds
        .iter()
        .try_fold(1_i128, |common, (d, _)| common.checked_mul(d / num_integer::gcd(common, *d)))?;
    let scaled = |(d, poly): &(i128, Poly)| Poly::default().plus(common / d, poly).ok();
    Some(Choice {
        denominator: common,
        bounds: chosen.bounds.iter().map(scaled).collect::<Option<_>>()?,
    })
}

/// A part that is given, over a denominator, and a part of which as little as possible is taken.
struct Base {
    denominator: i128,
    fixed: Poly,
    variable: Poly,
}

impl Base {
    fn of(case: &Case, shape: Shape, group: usize, groups: usize) -> Option<Base> {
        let whole = Base { denominator: 1, fixed: Poly::default(), variable: Poly::constant(1) };
        let predictions = case.names.iter().filter(|name| name.starts_with('v')).count();
        let ys = case.names.len() - predictions;
        match shape {
            Shape::Constant => Some(whole),
            Shape::Multiple => {
                let place = if ys == 1 { 0 } else { Some(group).filter(|_| ys == groups)? };
                let variable = Poly::variable(predictions + place + 1).ok()?;
                Some(Base { variable, ..whole })
            }
            Shape::Share => {
                let mut weights = case.bounded.iter().map(|(weight, _)| *weight);
                let weights = weights.try_fold(0_i128, i128::checked_add)?;
                let constant = case.larger.terms().find(|(monomial, _)| **monomial == [0; 4]);
                let constant = Poly::constant(constant.map_or(0, |(_, number)| *number));
                let fixed = case.larger.clone().plus(-1, &constant).ok()?;
                Some(Base { denominator: weights, fixed, ..whole }).filter(|_| ys > 0)
            }
        }
    }
}

/// The bounds so far, each over its denominator.
struct Chosen<'a> {
    case: &'a Case,
    bounds: Vec<(i128, Poly)>,
}

impl Chosen<'_> {
    /// The flows, what is left at each level, and what flows on costs.
    fn push_flow(
        &mut self,
        steady: bool,
        biases: &[Poly],
        base: &dyn Fn(usize) -> Option<Base>,
    ) -> Option<()> {
        let mut before = Poly::default();
        for (j, bias) in biases.iter().enumerate() {
            let (base, last) = (base(j)?, j + 1 == biases.len());
            let gathered = before.clone().plus(1, bias).ok()?;
            let flow = if steady && !last { gathered.clone() } else { Poly::default() };
            if !last {
                self.bounds.push((1, flow.clone()));
            }
            self.push(&base, &both_signs(&gathered.plus(-1, &flow).ok()?)?)?;
            if !last {
                self.push(&base, &both_signs(&flow)?)?;
            }
            before = flow;
        }
        Some(())
    }

    /// Adds the least fixed + θ · variable that is at least each piece.
    fn push(&mut self, base: &Base, pieces: &[Poly]) -> Option<()> {
        let Base { denominator, fixed, variable } = base;
        let minus = Poly::default().plus(-1, variable).ok()?;
        let facts = self.case.facts.iter().map(|fact| (sparse(fact), 0));
        let columns: Vec<_> = facts.chain([(sparse(&minus), 1)]).collect();
        let mut least = (0_i128, 1_i128);
        for piece in pieces {
            // denominator · (fixed / denominator - piece) = Σ λ fact - θ variable
            let goal = fixed.clone().plus(-denominator, piece).ok()?;
            let Combined::Combination { denominator: under, multipliers } =
                combine(&columns, &sparse(&goal))?
            else {
                return None;
            };
            let above = multipliers.last().filter(|(column, _)| *column + 1 == columns.len());
            let theta = (above.map_or(0, |(_, multiplier)| *multiplier), under);
            if theta.0.checked_mul(least.1)? > least.0.checked_mul(theta.1)? {
                least = theta;
            }
        }
        let under = denominator.checked_mul(least.1)?;
        let poly = Poly::default().plus(least.1, fixed).ok()?.plus(least.0, variable).ok()?;
        self.bounds.push((under, poly));
        Some(())
    }
}

fn both_signs(poly: &Poly) -> Option<[Poly; 2]> {
    Some([poly.clone(), Poly::default().plus(-1, poly).ok()?])
}

/// The largest of the sides, each a function of its own prediction alone, where that is 0 or 1; at
/// least 0.
fn largest_at<'a>(sides: impl Iterator<Item = &'a Poly>, at: i128) -> i128 {
    let value = |side: &Poly| -> i128 {
        side.terms().map(|(monomial, n)| if *monomial == [0; 4] { *n } else { n * at }).sum()
    };
    sides.map(value).fold(0, i128::max)
}
