//! The best forecaster over all real predictions, for a few rounds.

use num_rational::BigRational;
use num_traits::Zero;

use super::certificate::Certificate;
use super::contribution::Contribution;
use super::order::{all_orders, path};
use super::pieces::Pieces;
use super::tree::{OutcomeTree, TreeForecaster};
use super::{MAX_EXACT_ROUNDS, OptimumError};
use crate::evidence::Progress;
use crate::measure::Measure;
use crate::refute::Watch;

/// A best forecaster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// OPT: its penalty.
    pub value: BigRational,
    /// One that attains it; where the past is impossible, the truth.
    pub forecaster: TreeForecaster,
    /// Why there is no better one.
    pub certificate: Certificate,
}

/// OPT over all real predictions, for the measures that are sums of maxima of affine functions of ordered predictions.
///
/// The subtrees after the first outcome share only the first prediction q. In each, for each order of the later predictions, the least
/// contribution is a convex function of q, of which linear programmes give values and tangents. So the least of all sums of
/// tangents is a lower bound, and once it lies where both contributions are known it is the optimum. The order of
/// predictions that are equal is one of its own: there measures can drop, and nowhere do they jump up, so the least value is attained.
///
/// ```
/// use truecal::Measure;
/// use truecal::refute::Watch;
/// use truecal::truthfulness::optimum::{OutcomeTree, check, exact};
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
    let orders = all_orders((1 << (rounds - 1)) - 1);
    let cases = [false, true].map(|first| {
        let case = |order: &Vec<usize>| Contribution::new(tree, &pieces, first, order.clone());
        orders.iter().map(case).collect::<Vec<_>>()
    });
    (watch.progress)(Progress::Begin("best forecaster", 0));
    let mut search = Search { cases };
    loop {
        if !(watch.go_on)() {
            return Err(OptimumError::Stopped);
        }
        let lowest = search.lowest();
        if search.solve(&lowest) {
            return Ok(search.conclude(tree, lowest));
        }
        (watch.progress)(Progress::Done(1));
    }
}

/// Whether [`exact`] is for this measure.
pub fn has_exact_optimum(measure: Measure) -> bool {
    !matches!(measure, Measure::UCal | Measure::UCalSub | Measure::SmCe | Measure::Ssce)
}

/// All cases, by the first outcome.
struct Search<'a> {
    cases: [Vec<Contribution<'a>>; 2],
}

/// Where the bounds of two cases add up to the least.
struct Lowest {
    value: BigRational,
    first: BigRational,
    cases: [usize; 2],
}

impl Search<'_> {
    /// Of equal ones the first: cases with the least bounds first, and then by the first prediction.
    fn lowest(&self) -> Lowest {
        let [zeros, ones] = self.cases.each_ref().map(|cases| {
            let mut cases: Vec<_> = cases.iter().enumerate().collect();
            cases.sort_by(|a, b| a.1.least().cmp(b.1.least()));
            cases
        });
        let mut best: Option<Lowest> = None;
        for (zero, case) in &zeros {
            for (one, other) in &ones {
                let hopeless = |best: &Lowest| case.least() + other.least() >= best.value;
                if best.as_ref().is_some_and(hopeless) {
                    break;
                }
                // The sum is convex, so it is least at a corner of either.
                let sums = [(case, other), (other, case)].map(|(own, other)| {
                    let corners = own.corners.iter();
                    corners.map(|(place, height)| (height + other.bound_at(place), place))
                });
                let (value, first) = sums.into_iter().flatten().min().expect("0 and 1");
                if best.as_ref().is_none_or(|best| value < best.value) {
                    best = Some(Lowest { value, first: first.clone(), cases: [*zero, *one] });
                }
            }
        }
        best.expect("there are cases")
    }

    /// Finds what is not known there; whether all was known.
    fn solve(&mut self, lowest: &Lowest) -> bool {
        let mut known = true;
        for (cases, case) in self.cases.iter_mut().zip(lowest.cases) {
            let case = &mut cases[case];
            if !case.is_solved_at(&lowest.first) {
                case.solve(&lowest.first);
                known = false;
            }
        }
        known
    }

    fn conclude(self, tree: &OutcomeTree, Lowest { value, first, cases }: Lowest) -> Optimum {
        let later = |outcome: bool| {
            let case = &self.cases[usize::from(outcome)][cases[usize::from(outcome)]];
            let solved = case.solved.iter().find(|(place, _)| *place == first);
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
        let cases = self.cases.into_iter().flatten().map(|case| case.case).collect();
        let forecaster = forecaster.expect("short fractions between 0 and 1");
        Optimum { value, forecaster, certificate: Certificate { cases } }
    }
}
