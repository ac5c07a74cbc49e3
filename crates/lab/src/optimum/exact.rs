//! The best forecaster over all real predictions, for a few rounds.

use num_rational::BigRational;
use num_traits::Zero;

use super::certificate::{Certificate, Line, Optimum};
use super::contribution::Contribution;
use super::envelope::{Tournament, least_sum};
use super::order::{all_orders, path};
use super::pieces::{Pieces, is_piecewise_affine};
use super::tree::{OutcomeTree, TreeForecaster};
use super::{MAX_EXACT_ROUNDS, OptimumError};
use truecal::Measure;
use truecal::Watch;

/// OPT over all real predictions, for the measures that are sums of maxima of affine functions of
/// ordered predictions.
///
/// The subtrees after the first outcome share only the first prediction q. In each, for each order
/// of the later predictions, the least contribution is a convex function of q, of which linear
/// programmes give values and tangents. So the least of all sums of tangents is a lower bound, and
/// once it lies where both contributions are known it is the optimum. For three rounds that takes
/// some 130 to 170 linear programmes, where all pairs of orders would take 59² = 3481. An order in
/// which predictions are equal is a case of its own: there measures can drop, and nowhere do they
/// jump up, so the least value is attained.
///
/// ```
/// use truecal::Measure;
/// use truecal::Watch;
/// use truecal_lab::optimum::{OutcomeTree, check, exact};
/// let nature = OutcomeTree::product(&["1/4".parse()?])?;
/// let optimum = exact(&nature, Measure::StepCeSub, &Watch::silent())?;
/// assert_eq!(optimum.value, "1/8".parse()?); // the truth costs 3/16
/// assert_eq!(*optimum.forecaster.prediction(&[]), "0".parse()?);
/// check(&nature, Measure::StepCeSub, &optimum)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exact(
    tree: &OutcomeTree,
    measure: Measure,
    watch: &Watch<'_>,
) -> Result<Optimum, OptimumError> {
    let rounds = tree.rounds();
    if rounds > MAX_EXACT_ROUNDS {
        return Err(OptimumError::Rounds { rounds });
    }
    if !has_exact_optimum(measure) {
        return Err(OptimumError::NotPiecewiseAffine { measure });
    }
    let pieces = Pieces::new(measure, rounds).expect("few rounds, with small numbers");
    let law: Vec<_> = tree.law().collect();
    let orders = all_orders((1 << (rounds - 1)) - 1);
    let cases = [false, true].map(|first| {
        let case = |order: &Vec<usize>| Contribution::new(&law, &pieces, first, order.clone());
        orders.iter().map(case).collect::<Vec<_>>()
    });
    let mut search = Search::new(cases, tree.probability(&[]), watch)?;
    while watch.go_on() {
        let lowest = search.lowest();
        if search.solve(&lowest) {
            return Ok(search.conclude(tree, measure, lowest));
        }
    }
    Err(OptimumError::Stopped)
}

/// Whether [`exact`] is for this measure.
pub fn has_exact_optimum(measure: Measure) -> bool {
    is_piecewise_affine(measure)
}

/// All cases, by the first outcome, and the least that their bounds allow.
struct Search<'a> {
    cases: [Vec<Contribution<'a>>; 2],
    bounds: [Tournament; 2],
}

/// Where the bounds of two cases add up to the least.
struct Lowest {
    value: BigRational,
    first: BigRational,
    cases: [usize; 2],
}

impl<'a> Search<'a> {
    /// Every case is solved where the first prediction is the truth: the optimum is there or not
    /// far away, and most cases are never looked at again.
    fn new(
        mut cases: [Vec<Contribution<'a>>; 2],
        truth: &BigRational,
        watch: &Watch<'_>,
    ) -> Result<Self, OptimumError> {
        let count = cases.iter().map(Vec::len).sum::<usize>() as u64;
        watch.begin("orders of predictions", count);
        for case in cases.iter_mut().flatten() {
            if !watch.go_on() {
                return Err(OptimumError::Stopped);
            }
            case.solve(truth);
            watch.done(1);
        }
        let bounds = cases
            .each_ref()
            .map(|cases| Tournament::new(cases.iter().map(Contribution::bound).collect()));
        Ok(Search { cases, bounds })
    }

    /// Of equal ones the first: by the first prediction, and then by case.
    fn lowest(&self) -> Lowest {
        let [zero, one] = self.bounds.each_ref().map(Tournament::least);
        let (value, first) = least_sum(zero, one);
        let least = |cases: &Vec<Contribution<'_>>| {
            let at = |case: &usize| cases[*case].bound_at(&first);
            (0..cases.len()).min_by_key(at).expect("there are cases")
        };
        let cases = self.cases.each_ref().map(least);
        Lowest { value, first, cases }
    }

    /// Finds what is not known there; whether all was known.
    fn solve(&mut self, lowest: &Lowest) -> bool {
        let mut known = true;
        for (side, number) in lowest.cases.into_iter().enumerate() {
            let case = &mut self.cases[side][number];
            if !case.is_solved_at(&lowest.first) {
                case.solve(&lowest.first);
                self.bounds[side].change(number, case.bound());
                known = false;
            }
        }
        known
    }

    fn conclude(self, tree: &OutcomeTree, measure: Measure, lowest: Lowest) -> Optimum {
        let truth = TreeForecaster::truthful(tree);
        let forecaster = match tree.penalty(&truth, measure) == lowest.value {
            true => truth,
            false => self.forecaster(tree, &lowest),
        };
        let share = self.bounds[0].least().iter().map(|corner| {
            let constant = &corner.height - &corner.slope * &corner.place;
            (corner.place.clone(), Line { constant, slope: corner.slope.clone() })
        });
        let share = share.collect();
        let cases = self.cases.into_iter().flatten().map(Contribution::into_case).collect();
        Optimum { value: lowest.value, forecaster, certificate: Certificate { share, cases } }
    }

    /// The forecaster that the two cases are best for.
    fn forecaster(
        &self,
        tree: &OutcomeTree,
        Lowest { first, cases, .. }: &Lowest,
    ) -> TreeForecaster {
        let later = |outcome: bool| {
            let case = &self.cases[usize::from(outcome)][cases[usize::from(outcome)]];
            let solved = case.solved.iter().find(|(place, _)| place == first);
            solved.expect("the lowest place is where both are solved").1.clone()
        };
        let later = [later(false), later(true)];
        let forecaster = TreeForecaster::new(tree.rounds(), |past| match past {
            past if tree.chance(past).is_zero() => tree.probability(past).clone(),
            [] => first.clone(),
            [outcome, rest @ ..] => {
                let nodes = path(&[rest, &[false]].concat());
                later[usize::from(*outcome)][nodes[rest.len()]].clone()
            }
        });
        forecaster.expect("short fractions between 0 and 1")
    }
}
