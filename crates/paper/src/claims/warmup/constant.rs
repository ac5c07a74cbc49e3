//! Natures that limit the constant of the lower bound.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::claims::tools::{binomials, int, r, table_of, value};
use truecal::Measure;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// A nature and its forecaster.
///
/// The first round has a surprise with probability p. Without one, all that follows is certain.
/// Then every round has one with probability h, until it is time to stop; from there on all is
/// certain. The forecaster always predicts the likely outcome, 0 or 1, as if it were certain, and
/// nature makes the n-th surprise a one if n is odd, a zero if it is even (or the other way round).
/// So x_t - p_t is 0 except for the surprises, where it is 1, -1, 1, …
struct Surprises {
    p: BigRational,
    h: BigRational,
    /// Rounds after the first, at most.
    rounds: i64,
    /// Whether to stop after n surprises at the variance V.
    stops: fn(usize, &BigRational) -> bool,
}

/// Surprises after which it stops in any case.
const MOST: usize = 16;

impl Surprises {
    /// The expected cost, which depends on the number of surprises, and E γ(Var_T).
    fn expected(&self, cost: &[BigRational]) -> (Enclosure, Enclosure) {
        let (start, step) = (spread(&self.p), Enclosure::exact(&self.h));
        let stay = Enclosure::exact(&(int(1) - &self.h));
        let mut error = Enclosure::from(0);
        let mut gamma = Enclosure::exact(&((int(1) - &self.p) * &start));
        let mut chances = vec![Enclosure::from(0); MOST + 1];
        chances[1] = Enclosure::exact(&self.p);
        for round in 0..=self.rounds {
            let variance = &start + spread(&self.h) * int(round);
            let root = Enclosure::exact(&variance).sqrt();
            let here = root.min(&Enclosure::exact(&variance));
            for n in (1..=MOST).rev() {
                let chance = std::mem::replace(&mut chances[n], Enclosure::from(0));
                if n == MOST || round == self.rounds || (self.stops)(n, &variance) {
                    error = error + &chance * Enclosure::exact(&cost[n]);
                    gamma = gamma + chance * &here;
                } else {
                    // n + 1 has been dealt with in this round
                    chances[n + 1] = &chances[n + 1] + &chance * &step;
                    chances[n] = chance * &stay;
                }
            }
        }
        (error, gamma)
    }
}

fn spread(p: &BigRational) -> BigRational {
    p * (int(1) - p)
}

/// The mean of f(k) for k ~ Bin(n, 1/2).
fn over_subsets(n: usize, f: impl Fn(i64) -> BigRational) -> BigRational {
    let weights = binomials(n as u64).into_iter().map(BigRational::from_integer);
    let total: BigRational = (0..).zip(weights).map(|(k, weight)| weight * f(k)).sum();
    total / BigRational::from_integer(BigInt::from(1) << n)
}

/// E_y |Σ y_t (x_t - p_t)| after n surprises: |k - floor(n/2)| with k ~ Bin(n, 1/2), as a zero that
/// is left out counts like a one that is kept.
fn total_bias(n: usize) -> BigRational {
    let middle = (n / 2) as i64;
    over_subsets(n, |k| int((k - middle).abs()))
}

/// stepCE^sub if the first surprise is a zero, predicted as 1: with i of the ones (predicted as 0)
/// and j of the zeros kept it is the larger of i and |i - j|.
fn step(n: usize) -> BigRational {
    over_subsets(n / 2, |ones| over_subsets(n - n / 2, |zeros| int(ones.max((ones - zeros).abs()))))
}

/// The costs by their formulas and, for stepCE^sub, by the measure; then the two natures.
pub(super) fn surprises(evidence: &mut Evidence) {
    for n in 1..=8 {
        let (ones, zeros) = (n as u64 / 2, n as u64 - n as u64 / 2);
        let table = table_of([(int(0), ones, ones), (int(1), zeros, 0)]);
        let (found, formula) = (value(&table, Measure::StepCeSub), step(n));
        evidence.case(found == formula, || format!("{n} surprises: {found}, formula {formula}"));
    }
    bounded(evidence, "E_y |sum y_t (x_t - p_t)|", total_bias, stop_for_bias, 258);
    bounded(evidence, "stepCE^sub", step, |_, variance| *variance >= int(1), 377);
}

/// After an odd number of surprises one more costs nothing.
fn stop_for_bias(n: usize, variance: &BigRational) -> bool {
    n.is_multiple_of(2) && *variance >= r(2 * n as i64, 5).max(int(1))
}

/// The expected cost is at most so many thousandths of E γ(Var_T).
fn bounded(
    evidence: &mut Evidence,
    name: &str,
    cost: fn(usize) -> BigRational,
    stops: fn(usize, &BigRational) -> bool,
    thousandths: i64,
) {
    let nature = Surprises { p: r(1, 10_000), h: r(1, 100), rounds: 1200, stops };
    let costs: Vec<_> = (0..=MOST).map(cost).collect();
    let (error, gamma) = nature.expected(&costs);
    let within = |k: i64| error.at_most(&(Enclosure::ratio(k, 1000) * &gamma)) == Some(true);
    let shown = || format!("{name}: {error:.9}\nE gamma(Var) = {gamma:.9}");
    evidence.case(within(thousandths), shown);
    evidence.mistake("1/500 less", within(thousandths - 2), shown);
}
