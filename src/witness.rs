//! What shows a value: types only, so that the check of a witness reaches no formula.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::measure::Measure;
use crate::ties::Ties;

/// The exact value of a measure and what shows it. [`check`](crate::check()) re-derives one from
/// the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// What was measured.
    pub measure: Measure,
    /// Its value: a sum over rounds, not a mean.
    pub value: BigRational,
    /// What shows it.
    pub witness: Witness,
}

/// What shows a value.
#[derive(Clone, Debug, PartialEq, Eq)]
// See `Measure`.
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Witness {
    /// For ECE: the value is the sum of the biases of the under-forecast levels, and of the
    /// over-forecast ones with the opposite sign.
    Signs {
        /// From levels where the event happened more often than forecast.
        under: BigRational,
        /// From levels where it happened less often.
        over: BigRational,
    },
    /// For stepCE: predictions up to α have the bias Σ (x_t - p_t) 1{p_t <= α}.
    Threshold {
        /// The threshold.
        alpha: BigRational,
        /// Positive if the event was under-forecast there.
        bias: BigRational,
    },
    /// For the sign variant: Σ (x_t - p_t) sgn(α - p_t).
    Sign {
        /// The threshold.
        alpha: BigRational,
        /// The signed sum.
        sum: BigRational,
    },
    /// For the interval error: the bias of the predictions in [low, high].
    Interval {
        /// The lower end.
        low: BigRational,
        /// The upper end.
        high: BigRational,
        /// Positive if the event was under-forecast there.
        bias: BigRational,
    },
    /// For VCal: the regret of the V-shaped rule with kink α has this limit.
    Limit {
        /// The kink.
        alpha: BigRational,
        /// How it is approached.
        approach: Approach,
    },
    /// For UCal: a scoring rule with this regret, and a line that no rule beats. For CDL: a rule
    /// with twice this swap regret (its losses are in [-1, 1], not in [0, 1]), and a line.
    Rule {
        /// The rule.
        rule: ScoringRule,
        /// (u, v) with u(1-α) + vα >= g(α) for all α, which bounds UCal by 2(u+v); for CDL with h
        /// in place of g, which bounds it by u+v.
        line: (BigRational, BigRational),
    },
    /// For smCE: a function with this sum, and a flow that no function beats.
    Lipschitz(Lipschitz),
    /// For the subsampled measures: an average over all subsets of the rounds.
    Subsets {
        /// The classes of subsets that differ in the zeros or ones they keep of some level;
        /// [`u128::MAX`] if there are as many or more.
        classes: u128,
    },
}

/// How a threshold is approached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// The value is attained.
    At,
    /// It is the limit from above.
    FromAbove,
    /// It is the limit from below.
    FromBelow,
}

/// A proper scoring rule into [-1, 1]: a sum of V-shaped rules
/// S_α(x, p) = (α - x) sgn(p - α), with sgn(0) replaced by the side on which ties are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoringRule {
    /// One or two parts.
    pub parts: Vec<VShape>,
}

/// A weighted V-shaped rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VShape {
    /// The kink α.
    pub alpha: BigRational,
    /// The weight.
    pub weight: BigRational,
    /// How a prediction of exactly α is treated.
    pub ties: Ties,
}

impl ScoringRule {
    /// The loss S(x, p).
    pub fn loss(&self, x: bool, p: &BigRational) -> BigRational {
        let x = if x { BigRational::one() } else { BigRational::zero() };
        let loss = |part: &VShape| {
            let above = match p.cmp(&part.alpha) {
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Less => false,
                std::cmp::Ordering::Equal => part.ties == Ties::Above,
            };
            let loss = &part.weight * (&part.alpha - &x);
            if above { loss } else { -loss }
        };
        self.parts.iter().map(loss).sum()
    }
}

/// The two sides of the smooth calibration error (see [`SmCe`](crate::measures::SmCe)), in units:
/// there can be many numbers here, and reducing each fraction would cost more than finding them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lipschitz {
    /// The representation of 1.
    pub unit: BigInt,
    /// The breakpoints of f: predictions, ascending from the lowest to the highest level, and the
    /// values of f there. In between f is linear.
    pub function: Vec<(BigInt, BigInt)>,
    /// The levels, ascending, at which something of the flow stays, and how much. All else flows
    /// on: what leaves a level is what came, and its bias, less what stays.
    pub residuals: Vec<(BigInt, BigInt)>,
}

impl Lipschitz {
    /// A number in units as the rational that it stands for.
    pub fn rational(&self, number: &BigInt) -> BigRational {
        BigRational::new(number.clone(), self.unit.clone())
    }

    /// f at any prediction; below the first and above the last breakpoint it is constant.
    pub fn at(&self, prediction: &BigRational) -> BigRational {
        let next = self.function.partition_point(|(place, _)| self.rational(place) < *prediction);
        let point = |index: usize| {
            self.function.get(index).map(|(p, f)| (self.rational(p), self.rational(f)))
        };
        match (next.checked_sub(1).and_then(point), point(next)) {
            (None, None) => BigRational::zero(),
            (Some((_, end)), None) | (None, Some((_, end))) => end,
            (Some((low, from)), Some((high, to))) => {
                &from + (to - &from) * (prediction - &low) / (high - &low)
            }
        }
    }
}
