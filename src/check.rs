//! Re-derives a value from its witness, with nothing but the definition.
//!
//! Part of the trusted base: rationals and loops, no formula of [`measures`](crate::measures). For
//! a maximum, the witness shows that the value is reached. For UCal and smCE it shows from both
//! sides that the value is right; the upper side of UCal rests on the argument at
//! [`u_cal`](crate::measures::u_cal) that a line above g bounds every scoring rule.

use std::collections::BTreeMap;

use crate::rational::int;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use thiserror::Error;

use crate::levels::{Level, Levels};
use crate::measure::Measure;
use crate::witness::{Approach, Evaluation, Lipschitz, ScoringRule, Witness};

/// The largest number of rounds for which an average over subsets is made again, subset by subset.
pub const MAX_SUBSAMPLED_ROUNDS: u64 = 8;

/// Why a witness does not show the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WitnessRejection {
    /// The witness is one for another measure.
    #[error("the witness is of the wrong kind for the measure")]
    Kind,
    /// The witness gives another value.
    #[error("the witness gives another value")]
    Value,
    /// A threshold, interval or kink is outside [0, 1], or is approached from there.
    #[error("a threshold lies outside [0, 1] or is approached from there")]
    Range,
    /// The table does not have unit 1, the points of a function or flow are not levels in ascending
    /// order (with both ends, for a function), or the unit of the witness is not positive.
    #[error("the witness does not fit the level table")]
    Shape,
    /// A scoring rule or function leaves [-1, 1].
    #[error("the function leaves [-1, 1]")]
    Bounds,
    /// The scoring rule is not proper.
    #[error("the scoring rule is not proper")]
    NotProper,
    /// The function is not 1-Lipschitz.
    #[error("the function is not 1-Lipschitz")]
    NotLipschitz,
    /// The line passes below g, or does not bound the value.
    #[error("the line does not bound every scoring rule by the value")]
    Line,
    /// The flow does not end at the last level, or does not bound the value.
    #[error("the flow does not bound every function by the value")]
    Flow,
    /// An average over more than 2^8 subsets is not made again.
    #[error("more than {MAX_SUBSAMPLED_ROUNDS} rounds: the subsets are not visited again")]
    TooManyRounds,
}

/// Checks that the witness shows the value, and for UCal and smCE that no larger one is possible.
///
/// ```
/// use truecal::{Forecasts, Measure, WitnessRejection, check};
/// let levels = Forecasts::from_pairs([(true, "0.2"), (false, "0.7")])?.levels()?;
/// let mut evaluation = levels.evaluate(Measure::UCal);
/// assert_eq!(check(&levels.to_rational(), &evaluation), Ok(()));
/// evaluation.value += num_rational::BigRational::new(1.into(), 1000.into());
/// assert_eq!(check(&levels.to_rational(), &evaluation), Err(WitnessRejection::Value));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(
    levels: &Levels<BigRational>,
    evaluation: &Evaluation,
) -> Result<(), WitnessRejection> {
    require(levels.table().unit().is_one(), WitnessRejection::Shape)?;
    let table = Rational { levels: levels.table().rows() };
    let value = &evaluation.value;
    let kind = WitnessRejection::Kind;
    match evaluation.measure {
        Measure::Ece => {
            let Witness::Signs { under, over } = &evaluation.witness else { return Err(kind) };
            let positive_part = |bias: BigRational| bias.max(BigRational::zero());
            let in_all = |sign: fn(BigRational) -> BigRational| -> BigRational {
                table.levels.iter().map(|level| positive_part(sign(bias(level)))).sum()
            };
            require(
                in_all(|bias| bias) == *under && in_all(|bias| -bias) == *over,
                WitnessRejection::Value,
            )?;
            require(under + over == *value, WitnessRejection::Value)
        }
        Measure::StepCe => {
            let Witness::Threshold { alpha, bias } = &evaluation.witness else { return Err(kind) };
            require_within(alpha)?;
            let sum = table.sum(|v| indicator(v <= alpha));
            require(sum == *bias && bias.abs() == *value, WitnessRejection::Value)
        }
        Measure::SignCe => {
            let Witness::Sign { alpha, sum } = &evaluation.witness else { return Err(kind) };
            require_within(alpha)?;
            let again = table.sum(|v| (alpha - v).signum());
            require(again == *sum && sum.abs() == *value, WitnessRejection::Value)
        }
        Measure::IntervalCe => {
            let Witness::Interval { low, high, bias } = &evaluation.witness else {
                return Err(kind);
            };
            require_within(low)?;
            require_within(high)?;
            let sum = table.sum(|v| indicator(low <= v && v <= high));
            require(sum == *bias && bias.abs() == *value, WitnessRejection::Value)
        }
        Measure::VCal => {
            let Witness::Limit { alpha, approach } = &evaluation.witness else { return Err(kind) };
            let limit = table.v_shaped_limit(alpha, *approach)?;
            require(limit == *value, WitnessRejection::Value)
        }
        Measure::UCal => {
            let Witness::Rule { rule, line } = &evaluation.witness else { return Err(kind) };
            require(table.regret(rule)? == *value, WitnessRejection::Value)?;
            let above_g = table.line_is_above_g(line);
            require(above_g && &line.0 + &line.1 == value / two(), WitnessRejection::Line)
        }
        Measure::Cdl => {
            let Witness::Rule { rule, line } = &evaluation.witness else { return Err(kind) };
            require(table.swap_regret(rule)? == value * two(), WitnessRejection::Value)?;
            let above_h = table.line_is_above_h(line);
            require(above_h && &line.0 + &line.1 == *value, WitnessRejection::Line)
        }
        Measure::SmCe => {
            let Witness::Lipschitz(witness) = &evaluation.witness else { return Err(kind) };
            table.smooth(witness, value)
        }
        Measure::StepCeSub | Measure::VCalSub | Measure::UCalSub | Measure::Ssce => {
            let Witness::Subsets { classes } = &evaluation.witness else { return Err(kind) };
            require(
                levels.table().rounds() <= MAX_SUBSAMPLED_ROUNDS,
                WitnessRejection::TooManyRounds,
            )?;
            let kept = |level: &Level<_>| (level.count - level.ones + 1) * (level.ones + 1);
            let all = table.levels.iter().map(|level| u128::from(kept(level))).product::<u128>();
            require(all == *classes, WitnessRejection::Shape)?;
            let defined = evaluation.measure.define(&levels.to_rounds());
            require(defined == *value, WitnessRejection::Value)
        }
    }
}

/// A level table in rationals, ascending.
struct Rational<'a> {
    levels: &'a [Level<BigRational>],
}

impl Rational<'_> {
    /// Σ (x_t - p_t) f(p_t)
    fn sum(&self, f: impl Fn(&BigRational) -> BigRational) -> BigRational {
        self.levels.iter().map(|level| bias(level) * f(&level.value)).sum()
    }

    /// Σ loss(x_t, p_t) - loss(x_t, q)
    fn regret_against(
        &self,
        q: &BigRational,
        loss: impl Fn(bool, &BigRational) -> BigRational,
    ) -> BigRational {
        let (at_zero, at_one) = (loss(false, q), loss(true, q));
        let regret = |level: &Level<BigRational>| {
            int(level.ones) * (loss(true, &level.value) - &at_one)
                + int(level.count - level.ones) * (loss(false, &level.value) - &at_zero)
        };
        self.levels.iter().map(regret).sum()
    }

    /// The limit of the best regret of the V-shaped rule as its kink approaches α. Against each of
    /// the benchmarks 0, α and 1 the regret is affine between levels, so two points of the gap tell
    /// its limit.
    fn v_shaped_limit(
        &self,
        alpha: &BigRational,
        approach: Approach,
    ) -> Result<BigRational, WitnessRejection> {
        require_within(alpha)?;
        let regrets = |kink: &BigRational| {
            let loss = |x: bool, p: &BigRational| (kink - indicator(x)) * (p - kink).signum();
            [&BigRational::zero(), kink, &BigRational::one()]
                .map(|benchmark| self.regret_against(benchmark, loss))
        };
        let values = self.levels.iter().map(|level| &level.value);
        let end = match approach {
            Approach::At => alpha.clone(),
            Approach::FromAbove => {
                values.filter(|v| *v > alpha).min().cloned().unwrap_or_else(BigRational::one)
            }
            Approach::FromBelow => {
                values.filter(|v| *v < alpha).max().cloned().unwrap_or_else(BigRational::zero)
            }
        };
        require(approach == Approach::At || end != *alpha, WitnessRejection::Range)?;
        let third = (end - alpha) / int(3);
        let (near, far) = (regrets(&(alpha + &third)), regrets(&(alpha + &third * two())));
        let limits = near.iter().zip(&far).map(|(near, far)| near * two() - far);
        Ok(limits.max().expect("three benchmarks"))
    }

    /// The regret of a scoring rule against the mean outcome, if the rule is proper and bounded.
    fn regret(&self, rule: &ScoringRule) -> Result<BigRational, WitnessRejection> {
        let rounds: u64 = self.levels.iter().map(|level| level.count).sum();
        let ones: u64 = self.levels.iter().map(|level| level.ones).sum();
        let mean = if rounds == 0 { BigRational::zero() } else { int(ones) / int(rounds) };
        self.require_proper(rule, [mean.clone()])?;
        Ok(self.regret_against(&mean, |x, p| rule.loss(x, p)))
    }

    /// The regret of a scoring rule for not having predicted the frequency at each level, if the
    /// rule is proper and bounded.
    fn swap_regret(&self, rule: &ScoringRule) -> Result<BigRational, WitnessRejection> {
        self.require_proper(rule, self.levels.iter().map(frequency))?;
        let of_level = |level: &Level<BigRational>| {
            let alone = Rational { levels: std::slice::from_ref(level) };
            alone.regret_against(&frequency(level), |x, p| rule.loss(x, p))
        };
        Ok(self.levels.iter().map(of_level).sum())
    }

    /// That a rule is proper among the predictions and some more points, and in [-1, 1] there.
    fn require_proper(
        &self,
        rule: &ScoringRule,
        more: impl IntoIterator<Item = BigRational>,
    ) -> Result<(), WitnessRejection> {
        for part in &rule.parts {
            require_within(&part.alpha)?;
        }
        // What is proper and bounded among some points extends to [0, 1]: elsewhere use the point
        // that is best there. The ends are among the points, so that a mixture of V-shaped rules is
        // itself bounded.
        let mut points = vec![BigRational::zero(), BigRational::one()];
        points.extend(self.levels.iter().map(|level| level.value.clone()).chain(more));
        points.sort();
        points.dedup();
        let losses: Vec<(BigRational, BigRational)> =
            points.iter().map(|p| (rule.loss(false, p), rule.loss(true, p))).collect();
        let bounded = |loss: &BigRational| loss.abs() <= BigRational::one();
        require(losses.iter().all(|(a, b)| bounded(a) && bounded(b)), WitnessRejection::Bounds)?;
        // Neighbours are enough: if q prefers itself to the next point q' and q' itself to q, then
        // what a move from q to q' costs under r, which is affine in r, is >= 0 for r <= q and <= 0
        // for r >= q'. So under r every further move away from r costs.
        for (q, loss) in points.windows(2).zip(losses.windows(2)) {
            let move_costs = |r: &BigRational| {
                (BigRational::one() - r) * (&loss[1].0 - &loss[0].0) + r * (&loss[1].1 - &loss[0].1)
            };
            let proper = !move_costs(&q[0]).is_negative() && !move_costs(&q[1]).is_positive();
            require(proper, WitnessRejection::NotProper)?;
        }
        Ok(())
    }

    /// Whether u(1-α) + vα >= g(α) for all α in [0, 1]. Within a gap between levels both sides of g
    /// are affine with the counts of the gap; at a level g is no larger than one of its limits.
    fn line_is_above_g(&self, (u, v): &(BigRational, BigRational)) -> bool {
        let total = (
            self.levels.iter().map(|level| level.count).sum::<u64>(),
            self.levels.iter().map(|level| level.ones).sum::<u64>(),
        );
        let mut below = (0, 0);
        let mut low = BigRational::zero();
        let end = Level { value: BigRational::one(), count: 0, ones: 0 };
        for level in self.levels.iter().chain([&end]) {
            let [n_below, x_below] = [below.0, below.1].map(int);
            let [n_above, x_above] = [total.0 - below.0, total.1 - below.1].map(int);
            for alpha in [&low, &level.value] {
                let line = u * (BigRational::one() - alpha) + v * alpha;
                if line < &x_below - alpha * &n_below || line < alpha * &n_above - &x_above {
                    return false;
                }
            }
            below = (below.0 + level.count, below.1 + level.ones);
            low = level.value.clone();
        }
        true
    }

    /// Whether u(1-α) + vα >= h(α) for all α in [0, 1], where h adds up |k - α n| over the levels
    /// whose prediction and frequency lie on different sides of α. Within a gap between levels h
    /// is convex, so its limits at both ends are enough; at a level it is at most the larger of
    /// its two limits, whichever way a prediction of exactly α is taken.
    fn line_is_above_h(&self, (u, v): &(BigRational, BigRational)) -> bool {
        let below = Self::excesses(self.levels.iter().map(|level| {
            (level.value.clone(), frequency(level), int(level.count), int(level.ones))
        }));
        let above = Self::excesses(self.levels.iter().rev().map(|level| {
            let (one, zeros) = (BigRational::one(), int(level.count - level.ones));
            (&one - &level.value, &one - frequency(level), int(level.count), zeros)
        }));
        let gaps = self.levels.len() + 1;
        let ends = |gap: usize| {
            let at = |index: usize| self.levels.get(index).map(|level| level.value.clone());
            let low = gap.checked_sub(1).and_then(at).unwrap_or_else(BigRational::zero);
            [low, at(gap).unwrap_or_else(BigRational::one)]
        };
        (0..gaps).all(|gap| {
            let [[low, high], turned] = [&below[gap], &above[gaps - 1 - gap]];
            let heights = [low + &turned[1], high + &turned[0]];
            ends(gap)
                .iter()
                .zip(heights)
                .all(|(alpha, height)| u * (BigRational::one() - alpha) + v * alpha >= height)
        })
    }

    /// For each gap, the first below all levels, Σ (k - α n)⁺ over the levels below it, at its
    /// lower and at its upper end. Levels are given by prediction, frequency, n and k.
    fn excesses(
        levels: impl Iterator<Item = (BigRational, BigRational, BigRational, BigRational)>,
    ) -> Vec<[BigRational; 2]> {
        // The levels below with k > α n, by frequency: as α grows, the first fall out.
        let mut active: BTreeMap<BigRational, (BigRational, BigRational)> = BTreeMap::new();
        let mut total = (BigRational::zero(), BigRational::zero());
        let mut gaps = vec![];
        let mut low = BigRational::zero();
        let mut next = None;
        let end =
            (BigRational::one(), BigRational::zero(), BigRational::zero(), BigRational::zero());
        for (value, frequency, n, k) in levels.chain([end]) {
            if let Some((frequency, n, k)) = next.replace((frequency, n, k)) {
                total = (total.0 + &n, total.1 + &k);
                let same = active.entry(frequency).or_default();
                *same = (&same.0 + n, &same.1 + k);
            }
            let mut at = |alpha: &BigRational| {
                while let Some(first) = active.first_entry()
                    && first.key() <= alpha
                {
                    let (n, k) = first.remove();
                    total = (&total.0 - n, &total.1 - k);
                }
                &total.1 - alpha * &total.0
            };
            gaps.push([at(&low), at(&value)]);
            low = value;
        }
        gaps
    }

    /// The function is admissible and has the value; the flow shows that no function has more.
    fn smooth(&self, witness: &Lipschitz, value: &BigRational) -> Result<(), WitnessRejection> {
        require(witness.unit.is_positive(), WitnessRejection::Shape)?;
        let points = |numbers: &[(BigInt, BigInt)]| -> Vec<(BigRational, BigRational)> {
            let rational = |number| witness.rational(number);
            numbers.iter().map(|(at, number)| (rational(at), rational(number))).collect()
        };
        let sum = self.sum_along(&points(&witness.function))?;
        require(sum == *value, WitnessRejection::Value)?;
        let cost = self.cost_of_flow(&points(&witness.residuals))?;
        require(cost == *value, WitnessRejection::Flow)
    }

    /// Σ f(v_j) b_j for the function that is linear between these points, if it is admissible and
    /// they are levels, ascending, the first and the last among them.
    fn sum_along(
        &self,
        breakpoints: &[(BigRational, BigRational)],
    ) -> Result<BigRational, WitnessRejection> {
        let bounded = |(_, f): &(_, BigRational)| f.abs() <= BigRational::one();
        require(breakpoints.iter().all(bounded), WitnessRejection::Bounds)?;
        let [first, last] = [breakpoints.first(), breakpoints.last()].map(|point| Some(&point?.0));
        let [lowest, highest] =
            [self.levels.first(), self.levels.last()].map(|level| Some(&level?.value));
        require(first == lowest && last == highest, WitnessRejection::Shape)?;

        let Some((start, _)) = self.levels.split_first() else {
            return Ok(BigRational::zero());
        };
        let mut sum = &breakpoints[0].1 * bias(start);
        let mut levels = self.levels[1..].iter();
        for ends in breakpoints.windows(2) {
            let ((low, from), (high, to)) = (&ends[0], &ends[1]);
            require(low < high, WitnessRejection::Shape)?;
            let slope = (to - from) / (high - low);
            require(slope.abs() <= BigRational::one(), WitnessRejection::NotLipschitz)?;
            // Σ f b = f(low) Σ b + slope Σ (v - low) b over the levels up to the next breakpoint
            let (mut biases, mut moments) = (BigRational::zero(), BigRational::zero());
            loop {
                let level = levels.next().ok_or(WitnessRejection::Shape)?;
                require(level.value <= *high, WitnessRejection::Shape)?;
                biases += bias(level);
                moments += (&level.value - low) * bias(level);
                if level.value == *high {
                    break;
                }
            }
            sum += from * biases + slope * moments;
        }
        Ok(sum)
    }

    /// Σ |r_j| + Σ (v_{j+1} - v_j) |φ_j| for the flow of which these amounts stay at these levels,
    /// ascending; nothing may flow out of the last level.
    fn cost_of_flow(
        &self,
        residuals: &[(BigRational, BigRational)],
    ) -> Result<BigRational, WitnessRejection> {
        let mut left = residuals;
        let (mut flow, mut cost) = (BigRational::zero(), BigRational::zero());
        for (j, level) in self.levels.iter().enumerate() {
            flow += bias(level);
            if let [(at, stays), rest @ ..] = left
                && *at == level.value
            {
                flow -= stays;
                cost += stays.abs();
                left = rest;
            }
            if let Some(next) = self.levels.get(j + 1) {
                cost += flow.abs() * (&next.value - &level.value);
            }
        }
        // What is not at a level, or not in order, was not passed.
        require(left.is_empty(), WitnessRejection::Shape)?;
        require(flow.is_zero(), WitnessRejection::Flow)?;
        Ok(cost)
    }
}

/// k - n v
fn bias(level: &Level<BigRational>) -> BigRational {
    int(level.ones) - int(level.count) * &level.value
}

fn require(condition: bool, otherwise: WitnessRejection) -> Result<(), WitnessRejection> {
    if condition { Ok(()) } else { Err(otherwise) }
}

fn require_within(alpha: &BigRational) -> Result<(), WitnessRejection> {
    require(!alpha.is_negative() && *alpha <= BigRational::one(), WitnessRejection::Range)
}

/// k / n
fn frequency(level: &Level<BigRational>) -> BigRational {
    int(level.ones) / int(level.count)
}

fn two() -> BigRational {
    int(2)
}

fn indicator(condition: bool) -> BigRational {
    int(u8::from(condition))
}
