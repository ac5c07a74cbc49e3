//! Values with the evidence for them, in rationals.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use crate::any_levels::{AnyLevels, at_any_width};
use crate::definitions::Round;
use crate::levels::{Levels, Table};
use crate::measure::Measure;
use crate::measures::{
    self, Cdl, Corner, Ece, IntervalCe, SignAt, SignCe, SmCe, StepCe, SubsetAverage, Ties, UCal,
    VCal,
};
use crate::number::Number;

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
// Exhaustive on purpose: whoever shows or checks a witness must notice a new one.
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

/// A proper scoring rule into [-1, 1]: a mixture of V-shaped rules
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

/// The two sides of the smooth calibration error (see [`SmCe`]), in units: there can be millions of
/// numbers here, and reducing each fraction would cost more than finding them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lipschitz {
    /// The representation of 1.
    pub unit: BigInt,
    /// f at each level.
    pub function: Vec<BigInt>,
    /// The flow from each level to the next.
    pub flow: Vec<BigInt>,
}

impl Lipschitz {
    /// A number of the function or of the flow as the rational that it stands for.
    pub fn rational(&self, number: &BigInt) -> BigRational {
        BigRational::new(number.clone(), self.unit.clone())
    }
}

impl AnyLevels {
    /// The measure and its witness. The subsampled measures can take very long: ask
    /// [`cost`](Self::cost) first.
    ///
    /// ```
    /// use truecal::{Forecasts, Measure};
    /// let levels = Forecasts::from_pairs([(true, "1/2"), (false, "1")])?.levels()?;
    /// assert_eq!(levels.evaluate(Measure::StepCe).value, "1/2".parse()?);
    /// assert_eq!(levels.evaluate(Measure::SignCe).value, "3/2".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&self, measure: Measure) -> Evaluation {
        let (value, witness) =
            at_any_width!(&self.0, levels => on_table(self, levels.table(), measure));
        Evaluation { measure, value, witness }
    }

    /// What [`evaluate`](Self::evaluate) costs for a subsampled measure, as classes of subsets and
    /// the width of their numbers ([`meeting_cost`](measures::meeting_cost),
    /// [`v_meeting_cost`](measures::v_meeting_cost), [`subset_cost`](measures::subset_cost)); 0 for
    /// the others, `None` beyond 128 bits.
    pub fn cost(&self, measure: Measure) -> Option<u128> {
        match measure {
            Measure::StepCeSub => measures::meeting_cost(self),
            Measure::VCalSub => measures::v_meeting_cost(self),
            Measure::UCalSub | Measure::Ssce => measures::subset_cost(self),
            Measure::Ece
            | Measure::SmCe
            | Measure::StepCe
            | Measure::SignCe
            | Measure::IntervalCe
            | Measure::VCal
            | Measure::UCal
            | Measure::Cdl => Some(0),
        }
    }
}

/// Value and witness; `levels` is the table of `any`, which the averages over subsets widen.
fn on_table<N: Number>(
    any: &AnyLevels,
    levels: Table<'_, N>,
    measure: Measure,
) -> (BigRational, Witness) {
    let rows = levels.rows();
    let scale =
        Scale { unit: levels.unit(), levels: rows.len(), value: |index| &rows[index].value };
    match measure {
        Measure::Ece => scale.ece(&measures::ece(levels)),
        Measure::StepCe => scale.step_ce(&measures::step_ce(levels)),
        Measure::SignCe => scale.sign_ce(&measures::sign_ce(levels)),
        Measure::IntervalCe => scale.interval_ce(&measures::interval_ce(levels)),
        Measure::VCal => scale.v_cal(&measures::v_cal(levels)),
        Measure::UCal => scale.u_cal(&measures::u_cal(levels)),
        Measure::Cdl => scale.cdl(&measures::cdl(levels)),
        Measure::SmCe => scale.sm_ce(&measures::sm_ce(levels)),
        Measure::StepCeSub => averaged(measures::step_ce_sub(any)),
        Measure::VCalSub => averaged(measures::v_cal_sub(any)),
        Measure::UCalSub => averaged(measures::u_cal_sub(any)),
        Measure::Ssce => averaged(measures::ssce(any)),
    }
}

fn averaged(average: SubsetAverage) -> (BigRational, Witness) {
    (average.value, Witness::Subsets { classes: average.classes })
}

/// Turns results in units into rationals and witnesses: the unit, the number of levels, and their
/// predictions.
pub(crate) struct Scale<'a, N, F: Fn(usize) -> &'a N> {
    pub unit: &'a N,
    pub levels: usize,
    pub value: F,
}

impl<'a, N: Number, F: Fn(usize) -> &'a N> Scale<'a, N, F> {
    fn rational(&self, number: &N) -> BigRational {
        number.to_rational() / self.unit.to_rational()
    }

    fn at(&self, index: usize) -> BigRational {
        self.rational((self.value)(index))
    }

    pub fn ece(&self, ece: &Ece<N>) -> (BigRational, Witness) {
        let (under, over) = (self.rational(&ece.under), self.rational(&ece.over));
        (self.rational(&ece.value), Witness::Signs { under, over })
    }

    pub fn step_ce(&self, step: &StepCe<N>) -> (BigRational, Witness) {
        let alpha = step.level.map_or_else(BigRational::zero, |index| self.at(index));
        let bias = self.rational(&step.bias);
        (self.rational(&step.value), Witness::Threshold { alpha, bias })
    }

    pub fn sign_ce(&self, sign: &SignCe<N>) -> (BigRational, Witness) {
        let alpha = match sign.place {
            SignAt::Level(index) => self.at(index),
            SignAt::Gap(0) => BigRational::zero(),
            SignAt::Gap(index) if index == self.levels => BigRational::one(),
            SignAt::Gap(index) => {
                (self.at(index - 1) + self.at(index)) / BigRational::from_count(2)
            }
        };
        (self.rational(&sign.value), Witness::Sign { alpha, sum: self.rational(&sign.sum) })
    }

    pub fn interval_ce(&self, interval: &IntervalCe<N>) -> (BigRational, Witness) {
        // Without bias in any interval, [0, 1] shows it as well as another.
        let whole = (BigRational::zero(), BigRational::one());
        let ends = |(first, last)| (self.at(first), self.at(last));
        let (low, high) = interval.levels.map_or(whole, ends);
        let bias = self.rational(&interval.bias);
        (self.rational(&interval.value), Witness::Interval { low, high, bias })
    }

    pub fn v_cal(&self, v_cal: &VCal<N>) -> (BigRational, Witness) {
        let (alpha, approach) = match v_cal.limit {
            None => (BigRational::zero(), Approach::At),
            Some((index, Ties::Below)) => (self.at(index), Approach::FromAbove),
            Some((index, Ties::Above)) => (self.at(index), Approach::FromBelow),
        };
        (self.rational(&v_cal.value), Witness::Limit { alpha, approach })
    }

    pub fn u_cal(&self, u_cal: &UCal<N>) -> (BigRational, Witness) {
        let scale = u_cal.denominator.to_rational() * self.unit.to_rational();
        let value = u_cal.numerator.to_rational() / scale;
        let (rule, line) = self.rule_and_line(&u_cal.left, &u_cal.right);
        (value, Witness::Rule { rule, line })
    }

    pub fn cdl(&self, cdl: &Cdl<N>) -> (BigRational, Witness) {
        let scale = cdl.denominator.to_rational() * self.unit.to_rational();
        let (rule, line) = self.rule_and_line(&cdl.left, &cdl.right);
        (cdl.numerator.to_rational() / scale, Witness::Rule { rule, line })
    }

    pub fn sm_ce(&self, smooth: &SmCe<N>) -> (BigRational, Witness) {
        let value = smooth.value.to_rational() / self.unit.to_rational().pow(2);
        let integer = |number: &N| number.to_rational().to_integer();
        let witness = Lipschitz {
            unit: integer(self.unit),
            function: smooth.function.iter().map(integer).collect(),
            flow: smooth.flow.iter().map(integer).collect(),
        };
        (value, Witness::Lipschitz(witness))
    }

    /// The mixture on the two ends of the edge over 1/2, with mass 2 and mean 1/2, and the edge's
    /// line.
    fn rule_and_line(
        &self,
        left: &Corner<N>,
        right: &Corner<N>,
    ) -> (ScoringRule, (BigRational, BigRational)) {
        let [a, b] = [left, right].map(|corner| self.rational(&corner.alpha));
        let [height_a, height_b] = [left, right].map(|corner| self.rational(&corner.height));
        let (one, two) = (BigRational::one(), BigRational::from_count(2));
        let width = &b - &a;
        let part = |alpha: &BigRational, weight: BigRational, ties| VShape {
            alpha: alpha.clone(),
            weight,
            ties,
        };
        let mut parts = vec![
            part(&a, (&two * &b - &one) / &width, left.ties),
            part(&b, (&one - &two * &a) / &width, right.ties),
        ];
        parts.retain(|part| part.weight != BigRational::zero());
        let slope = (&height_b - &height_a) / &width;
        let at_zero = &height_a - &slope * &a;
        let at_one = &at_zero + &slope;
        (ScoringRule { parts }, (at_zero, at_one))
    }
}

impl Levels<BigRational> {
    /// The rounds one by one, in the order of their predictions: for the literal definitions.
    pub fn to_rounds(&self) -> Vec<Round> {
        let mut rounds = Vec::new();
        for level in self.table().rows() {
            for t in 0..level.count {
                rounds.push((t < level.ones, self.table().rational(&level.value)));
            }
        }
        rounds
    }
}
