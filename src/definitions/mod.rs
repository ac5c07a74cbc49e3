//! The measures as they are defined: literally, slowly, on sequences of rounds.
//!
//! Nothing here uses a formula of [`measures`](crate::measures) or a level table. A supremum over
//! thresholds is taken over every place where it can lie, one-sided limits included; one over
//! functions or scoring rules is an exact linear programme; an average over subsets visits them
//! all. The two readings must agree on everything that can be enumerated.

mod programme;

use crate::rational::int;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

pub use programme::{LinearOptimum, LinearProgramme};

/// One round: the outcome x_t and the prediction p_t.
pub type Round = (bool, BigRational);

/// ECE: over each value that was predicted, the absolute sum of x_t - p_t.
///
/// ```
/// use truecal::definitions::{Round, ece};
/// let rounds: Vec<Round> =
///     vec![(true, "1/2".parse()?), (false, "1/2".parse()?), (true, "1".parse()?)];
/// assert_eq!(ece(&rounds), "0".parse()?);
/// # Ok::<(), num_rational::ParseRatioError>(())
/// ```
pub fn ece(rounds: &[Round]) -> BigRational {
    let at = |q: &BigRational| sum(rounds, |p| indicator(p == q)).abs();
    distinct(rounds).iter().map(at).sum()
}

/// stepCE (L963): sup over α in [0, 1] of |Σ (x_t - p_t) 1{p_t <= α}|.
pub fn step_ce(rounds: &[Round]) -> BigRational {
    supremum_of_absolute(values_and_limits(rounds, |alpha| sum(rounds, |p| indicator(p <= alpha))))
}

/// The sign variant (L985): sup over α in [0, 1] of |Σ (x_t - p_t) sgn(α - p_t)|.
pub fn sign_ce(rounds: &[Round]) -> BigRational {
    supremum_of_absolute(values_and_limits(rounds, |alpha| sum(rounds, |p| (alpha - p).signum())))
}

/// The interval error: sup over intervals of |Σ (x_t - p_t) 1{p_t in the interval}|. Shrinking an
/// interval to the lowest and the highest prediction in it changes nothing, so closed ones between
/// predictions suffice.
pub fn interval_ce(rounds: &[Round]) -> BigRational {
    let ends = distinct(rounds);
    let mut best = BigRational::zero();
    for low in &ends {
        for high in &ends {
            best = best.max(sum(rounds, |p| indicator(low <= p && p <= high)).abs());
        }
    }
    best
}

/// VCal (eq:V-calibration, L348): sup over α, β in [0, 1] of Σ S_α(x_t, p_t) - Σ S_α(x_t, β), with
/// the V-shaped rule S_α(x, p) = (α - x) sgn(p - α). As β enters only through sgn(β - α), the three
/// values 0, α and 1 take every sign that is possible.
pub fn v_cal(rounds: &[Round]) -> BigRational {
    let constant = [BigRational::zero(), BigRational::one()]
        .map(|beta| values_and_limits(rounds, |alpha| v_shaped_regret(rounds, alpha, &beta)));
    let at_alpha = values_and_limits(rounds, |alpha| v_shaped_regret(rounds, alpha, alpha));
    constant.into_iter().flatten().chain(at_alpha).max().expect("0 and 1 are places")
}

/// Σ S_α(x_t, p_t) - Σ S_α(x_t, β)
fn v_shaped_regret(rounds: &[Round], alpha: &BigRational, beta: &BigRational) -> BigRational {
    let loss = |x: bool, p: &BigRational| (alpha - indicator(x)) * (p - alpha).signum();
    rounds.iter().map(|(x, p)| loss(*x, p) - loss(*x, beta)).sum()
}

/// UCal (eq:U-calibration, L332): the largest regret against the mean outcome over proper scoring
/// rules into [-1, 1], as a linear programme over the values of the rule at the predictions and the
/// mean.
///
/// A table of values that is proper among these points extends to a proper rule on [0, 1]: at any
/// other α use the point of the table that is best under α. And against a proper rule, the best
/// constant prediction is the mean.
pub fn u_cal(rounds: &[Round]) -> BigRational {
    if rounds.is_empty() {
        return BigRational::zero();
    }
    let ones = rounds.iter().filter(|(x, _)| *x).count();
    let mean = BigRational::new(ones.into(), rounds.len().into());
    let mut points = distinct(rounds);
    points.push(mean.clone());
    let Rules { mut programme, points } = Rules::new(points, 2);
    for (x, p) in rounds {
        programme.gain(variable(&points, *x, p), &BigRational::one());
        programme.gain(variable(&points, *x, &mean), &-BigRational::one());
    }
    programme.maximise().value
}

/// CDL (L. Hu and Y. Wu): the largest swap regret over decision tasks with payoffs in [0, 1], where
/// each prediction is answered by a best action, and after the fact every action may be exchanged
/// for another, the same whenever it was taken.
///
/// A task is worst if different predictions are answered by different actions: that of a proper
/// scoring rule, which loses between 0 and 1. What is best in the rounds with one prediction is
/// then the answer to the frequency among them. So this is a linear programme over the values of
/// the rule at the predictions and their frequencies, which extends to [0, 1] as in [`u_cal`].
///
/// ```
/// use truecal::definitions::{Round, cdl};
/// // Whoever bets at even odds bets wrongly.
/// let rounds: Vec<Round> = vec![(true, "1/2".parse()?)];
/// assert_eq!(cdl(&rounds), "1".parse()?);
/// # Ok::<(), num_rational::ParseRatioError>(())
/// ```
pub fn cdl(rounds: &[Round]) -> BigRational {
    let frequency = |q: &BigRational| -> BigRational {
        let here = || rounds.iter().filter(|(_, p)| p == q);
        BigRational::new(here().filter(|(x, _)| *x).count().into(), here().count().into())
    };
    let mut points = distinct(rounds);
    points.extend(points.clone().iter().map(frequency));
    let Rules { mut programme, points } = Rules::new(points, 1);
    for (x, p) in rounds {
        programme.gain(variable(&points, *x, p), &BigRational::one());
        programme.gain(variable(&points, *x, &frequency(p)), &-BigRational::one());
    }
    programme.maximise().value
}

/// Proper scoring rules on some points as a linear programme.
struct Rules {
    programme: LinearProgramme,
    points: Vec<BigRational>,
}

impl Rules {
    /// The losses on these points, which lie in an interval of this width.
    fn new(mut points: Vec<BigRational>, width: i64) -> Self {
        points.sort();
        points.dedup();
        let mut programme = LinearProgramme::new(2 * points.len());
        for variable in 0..2 * points.len() {
            programme.at_most(&[(variable, BigRational::one())], int(width));
        }
        for q in &points {
            for other in points.iter().filter(|other| *other != q) {
                // E S(x, q) <= E S(x, other) for x that is 1 with probability q
                let row = [
                    (variable(&points, false, q), BigRational::one() - q),
                    (variable(&points, true, q), q.clone()),
                    (variable(&points, false, other), q - BigRational::one()),
                    (variable(&points, true, other), -q),
                ];
                programme.at_most(&row, BigRational::zero());
            }
        }
        Rules { programme, points }
    }
}

/// The variable for S(x, q), which is counted from the lower end of the interval.
fn variable(points: &[BigRational], x: bool, q: &BigRational) -> usize {
    2 * points.binary_search(q).expect("a point of the table") + usize::from(x)
}

/// smCE (L385): the largest Σ f(p_t)(x_t - p_t) over 1-Lipschitz f from [0, 1] to [-1, 1], as a
/// linear programme over the values at the predictions, every two of them as far apart as they may
/// be. (Such values extend to [0, 1], as Lipschitz functions do.)
pub fn sm_ce(rounds: &[Round]) -> BigRational {
    let points = distinct(rounds);
    // Variable i is f(q_i) + 1, which is at least 0.
    let mut programme = LinearProgramme::new(points.len());
    let mut shift = BigRational::zero();
    for (i, q) in points.iter().enumerate() {
        programme.at_most(&[(i, BigRational::one())], int(2));
        for (j, other) in points.iter().enumerate().filter(|(j, _)| *j != i) {
            let row = [(i, BigRational::one()), (j, -BigRational::one())];
            programme.at_most(&row, (q - other).abs());
        }
        let bias = sum(rounds, |p| indicator(p == q));
        shift += &bias;
        programme.gain(i, &bias);
    }
    programme.maximise().value - shift
}

/// The subsampled version of a measure: its average over all 2^T subsets of the rounds
/// (eq:ssce, L388; eq:subsampled, L524). Panics beyond 63 rounds, which would never end.
pub fn subsampled(
    rounds: &[Round],
    mut measure: impl FnMut(&[Round]) -> BigRational,
) -> BigRational {
    assert!(rounds.len() < 64, "2^{} subsets", rounds.len());
    let subsets = 1_u64 << rounds.len();
    let mut total = BigRational::zero();
    for subset in 0..subsets {
        let chosen = (0..).zip(rounds).filter(|(t, _)| subset >> t & 1 == 1);
        let restricted: Vec<Round> = chosen.map(|(_, round)| round.clone()).collect();
        total += measure(&restricted);
    }
    total / BigRational::from(BigInt::from(subsets))
}

/// Every value at which the supremum over α in [0, 1] can lie of a function that is affine between
/// neighbours among 0, 1 and the predictions.
///
/// It may jump at those places, so its values there count, and so do its limits from both sides,
/// which are those of the line through two points of the gap.
fn values_and_limits(
    rounds: &[Round],
    function: impl Fn(&BigRational) -> BigRational,
) -> Vec<BigRational> {
    let mut places = distinct(rounds);
    places.extend([BigRational::zero(), BigRational::one()]);
    places.sort();
    places.dedup();
    let mut values: Vec<BigRational> = places.iter().map(&function).collect();
    for gap in places.windows(2) {
        let third = (&gap[1] - &gap[0]) / int(3);
        let (low, high) = (function(&(&gap[0] + &third)), function(&(&gap[1] - &third)));
        values.push(int(2) * &low - &high);
        values.push(int(2) * &high - &low);
    }
    values
}

/// The largest absolute value among them.
fn supremum_of_absolute(values: Vec<BigRational>) -> BigRational {
    values.into_iter().map(|value| value.abs()).max().expect("0 and 1 are places")
}

/// Σ (x_t - p_t) f(p_t)
fn sum(rounds: &[Round], f: impl Fn(&BigRational) -> BigRational) -> BigRational {
    rounds.iter().map(|(x, p)| (indicator(*x) - p) * f(p)).sum()
}

fn distinct(rounds: &[Round]) -> Vec<BigRational> {
    let mut predictions: Vec<_> = rounds.iter().map(|(_, p)| p.clone()).collect();
    predictions.sort();
    predictions.dedup();
    predictions
}

fn indicator(condition: bool) -> BigRational {
    int(u8::from(condition))
}
