//! Why no forecaster does better, and the check of it. Trusted.
//!
//! The first outcome is 0 or 1, and after either the later predictions are in one of finitely many
//! [orders](super::order). That makes the cases. Once the order is known, a measure is a sum of
//! maxima of affine functions of the predictions, so that one piece from each maximum is a lower
//! bound: a selection. Selections for the outcomes of a case, with multipliers that add up to at
//! most their probabilities, minus multiples of what the order says (one prediction minus another
//! is >= 0), make an affine function that is at most what the case contributes to the expected
//! penalty. Later predictions that are left in it are put at 0 or 1, whichever is less. So each
//! bound is a line over the first prediction.
//!
//! A forecaster belongs to one case for the first outcome 0 and to one for the first outcome 1. The
//! certificate divides the value between the two: a share for each first prediction, piecewise
//! linear, so that every case is judged on its own. If in every case after 0, for every first
//! prediction, some line reaches the share, and in every case after 1 the rest, nobody has less.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use thiserror::Error;
use truecal::rational::ratio;

use super::MAX_EXACT_ROUNDS;
use super::order::{Order, all_orders, neighbours};
use super::pieces::Pieces;
use super::tree::{OutcomeTree, TreeForecaster};
use truecal::Measure;

/// A best forecaster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// OPT: its penalty.
    pub value: BigRational,
    /// One that attains it: the truth if it does, and in any case where the past is impossible.
    pub forecaster: TreeForecaster,
    /// Why there is no better one.
    pub certificate: Certificate,
}

/// Lower bounds in every case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What the first outcome 0 has to contribute, by the first prediction: lines, each from a
    /// place on; the first from 0.
    pub share: Vec<(BigRational, Line)>,
    /// For the first outcome 0, then for 1, in each every [order](super::all_orders).
    pub cases: Vec<OptimumCase>,
}

/// One case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptimumCase {
    /// The first outcome.
    pub first: bool,
    /// The order of the later predictions.
    pub order: Order,
    /// Bounds of what the case contributes.
    pub bounds: Vec<CaseBound>,
}

/// One bound. Without anything it says that no measure is negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseBound {
    /// Multiples of lower bounds of the measure.
    pub selections: Vec<Selection>,
    /// Multiples of what the order says.
    pub rows: Vec<OrderRow>,
}

/// A multiple of the measure at some outcomes, bounded by one piece of each maximum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The outcomes of all rounds.
    pub outcomes: Vec<bool>,
    /// Not negative.
    pub multiplier: BigRational,
    /// Which piece of each maximum.
    pub pieces: Vec<usize>,
}

/// A multiple of the difference between a prediction and its [neighbour](super::neighbours), the
/// larger one first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRow {
    /// The node of the prediction.
    pub node: usize,
    /// Whether the neighbour is the one above.
    pub above: bool,
    /// Not negative.
    pub multiplier: BigRational,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptimumRejection {
    /// It is for too many rounds.
    #[error("not for 1 to {MAX_EXACT_ROUNDS} rounds")]
    Rounds,
    /// The forecaster is for other rounds.
    #[error("a forecaster of other rounds")]
    Forecaster,
    /// The forecaster gets something else.
    #[error("the penalty of the forecaster is {0}")]
    Penalty(BigRational),
    /// A case is missing, is there twice, or is not in its place.
    #[error("not every case once, in order")]
    Cases,
    /// A multiplier is negative.
    #[error("a negative multiplier")]
    Negative,
    /// A selection is for outcomes of another case.
    #[error("a selection for outcomes of another case")]
    Outcomes,
    /// A selection does not have one piece from each maximum.
    #[error("not one piece from each maximum")]
    AffinePiece,
    /// Outcomes count more than they are probable.
    #[error("outcomes count more than they are probable")]
    Weight,
    /// The order of the case does not say this.
    #[error("something that the order does not say")]
    Row,
    /// The shares do not begin at 0, or do not ascend.
    #[error("shares that do not ascend from 0")]
    Share,
    /// The bounds of a case do not reach what it has to contribute.
    #[error("after the outcome {} the bounds of order {order:?} do not reach their \
        share", u8::from(*.first))]
    Bounds {
        /// The first outcome.
        first: bool,
        /// The order.
        order: Order,
    },
}

/// constant + slope · first prediction
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The height at 0.
    pub constant: BigRational,
    /// The slope.
    pub slope: BigRational,
}

impl Line {
    /// The height at a place.
    pub fn at(&self, place: &BigRational) -> BigRational {
        &self.constant + &self.slope * place
    }
}

/// Checks that the forecaster has the value, by the literal definition, and that no forecaster has
/// less.
pub fn check(
    tree: &OutcomeTree,
    measure: Measure,
    optimum: &Optimum,
) -> Result<(), OptimumRejection> {
    let Optimum { value, forecaster, certificate } = optimum;
    if tree.rounds() > MAX_EXACT_ROUNDS {
        return Err(OptimumRejection::Rounds);
    }
    if forecaster.rounds() != tree.rounds() {
        return Err(OptimumRejection::Forecaster);
    }
    let penalty = tree.law().map(|(x, chance)| measure.define(&forecaster.against(&x)) * chance);
    let penalty: BigRational = penalty.sum();
    if penalty != *value {
        return Err(OptimumRejection::Penalty(penalty));
    }
    let pieces = Pieces::new(measure, tree.rounds()).map_err(|_| OptimumRejection::Rounds)?;
    let law: Vec<_> = tree.law().collect();
    let orders = all_orders((1 << (tree.rounds() - 1)) - 1);
    let expected =
        [false, true].into_iter().flat_map(|first| orders.iter().map(move |o| (first, o)));
    if !certificate.cases.iter().map(|case| (case.first, &case.order)).eq(expected) {
        return Err(OptimumRejection::Cases);
    }
    let stretches = certificate.stretches()?;
    for case in &certificate.cases {
        let bounds = case.bounds.iter().map(|bound| line(&law, &pieces, case, bound));
        let bounds = bounds.collect::<Result<Vec<_>, _>>()?;
        for (from, to, share) in &stretches {
            let rest = Line { constant: value - &share.constant, slope: -&share.slope };
            let due = if case.first { &rest } else { *share };
            if !reach(&bounds, due, from, to) {
                return Err(OptimumRejection::Bounds {
                    first: case.first,
                    order: case.order.clone(),
                });
            }
        }
    }
    Ok(())
}

impl Certificate {
    /// The shares, each with where it begins and ends.
    fn stretches(&self) -> Result<Vec<(&BigRational, BigRational, &Line)>, OptimumRejection> {
        let ends = self.share.iter().skip(1).map(|(place, _)| place.clone());
        let ends = ends.chain([BigRational::one()]);
        let stretches: Vec<_> =
            self.share.iter().zip(ends).map(|((from, line), to)| (from, to, line)).collect();
        let begins = stretches.first().is_some_and(|(from, ..)| from.is_zero());
        let ascends = stretches.iter().all(|(from, to, _)| *from < to);
        if begins && ascends { Ok(stretches) } else { Err(OptimumRejection::Share) }
    }
}

/// The line that a bound makes.
pub(super) fn line(
    law: &[(Vec<bool>, BigRational)],
    pieces: &Pieces,
    case: &OptimumCase,
    bound: &CaseBound,
) -> Result<Line, OptimumRejection> {
    let nodes = case.order.len();
    let mut constant = BigRational::zero();
    let mut slopes = vec![BigRational::zero(); nodes + 1];
    let mut left = law.to_vec();
    for Selection { outcomes, multiplier, pieces: chosen } in &bound.selections {
        let place = left.iter().position(|(x, _)| x == outcomes && x[0] == case.first);
        let (_, chance) = &mut left[place.ok_or(OptimumRejection::Outcomes)?];
        *chance -= nonnegative(multiplier)?;
        if chance.is_negative() {
            return Err(OptimumRejection::Weight);
        }
        let along = pieces.along(&case.order, outcomes);
        if along.maxima.len() != chosen.len() {
            return Err(OptimumRejection::AffinePiece);
        }
        for (maximum, place) in along.maxima.iter().zip(chosen) {
            let piece = maximum.pieces.get(*place).ok_or(OptimumRejection::AffinePiece)?;
            let times = multiplier * ratio(maximum.weight, pieces.scale);
            constant += &times * ratio(piece.constant, 1);
            for (prediction, slope) in along.predictions.iter().zip(&piece.slopes) {
                slopes[*prediction] += &times * ratio(*slope, 1);
            }
        }
    }
    for OrderRow { node, above, multiplier } in &bound.rows {
        let known = (*node < nodes).then(|| neighbours(&case.order, *node));
        let other =
            known.and_then(|known| known[usize::from(*above)]).ok_or(OptimumRejection::Row)?;
        let (more, less) = if *above { (other, node + 1) } else { (node + 1, other) };
        slopes[more] -= nonnegative(multiplier)?;
        slopes[less] += multiplier;
    }
    let slope = slopes.remove(0);
    constant += slopes.into_iter().filter(Signed::is_negative).sum::<BigRational>();
    Ok(Line { constant, slope })
}

fn nonnegative(multiplier: &BigRational) -> Result<&BigRational, OptimumRejection> {
    if multiplier.is_negative() { Err(OptimumRejection::Negative) } else { Ok(multiplier) }
}

/// Whether between two places some line is always at least what is due. A line is below that on one
/// side of a place, on both or on neither, so where all of them are below is an open interval.
pub(super) fn reach(lines: &[Line], due: &Line, from: &BigRational, to: &BigRational) -> bool {
    let (mut low, mut high): (Option<BigRational>, Option<BigRational>) = (None, None);
    for line in lines {
        let missing = &due.constant - &line.constant;
        let slope = &line.slope - &due.slope;
        if slope.is_zero() {
            if !missing.is_positive() {
                return true;
            }
            continue;
        }
        let place = missing / &slope;
        if slope.is_positive() {
            high = Some(high.map_or(place.clone(), |high| high.min(place)));
        } else {
            low = Some(low.map_or(place.clone(), |low| low.max(place)));
        }
    }
    let empty = low.as_ref().zip(high.as_ref()).is_some_and(|(low, high)| low >= high);
    empty || low.is_some_and(|low| low >= *to) || high.is_some_and(|high| high <= *from)
}
