//! The proof of lemma:stepCE-vs-stepCEsub, step by step.

use num_rational::BigRational;

use super::thresholds::{Rounds, sweep};
use crate::claims::tools::{int, r, tables};
use truecal::AnyLevels;
use truecal::measures::step_ce_sub;
use truecal_verify::registry::Evidence;

/// How many values Σ (x_t - p_t) 1{p_t <= α} has over α in [0, 1].
pub(super) fn number_of_values(evidence: &mut Evidence) {
    for rounds in sweep() {
        let mut values: Vec<i64> =
            rounds.places().into_iter().map(|alpha| rounds.step(alpha)).collect();
        values.sort_unstable();
        values.dedup();
        let count = rounds.rounds.len();
        let arithmetic = || {
            let texts: Vec<_> = values.iter().map(|&v| rounds.ratio(v).to_string()).collect();
            format!("{rounds}\nthe values: {}", texts.join(", "))
        };
        evidence.case(values.len() <= count + 1, arithmetic);
        evidence.mistake("at most T", values.len() <= count, arithmetic);
    }
}

/// Every choice y of rounds, as a bit mask.
fn choices(rounds: usize) -> impl Iterator<Item = u32> {
    0..1 << rounds
}

/// A_t + 2 X_t for t = 1, …, T, where X_t = Σ_{i <= t} (y_i - 1/2)(x_i - p_i).
fn walk(errors: &[i64], chosen: u32) -> Vec<i64> {
    let sign = |i: usize| if chosen >> i & 1 == 1 { 1 } else { -1 };
    let (mut drift, mut noise) = (0, 0);
    let at = |(i, error): (usize, &i64)| {
        drift += error;
        noise += sign(i) * error;
        drift + noise
    };
    errors.iter().enumerate().map(at).collect()
}

/// stepCE^sub = E max_{t in S} |A_t/2 + X_t|, where S has the last round of each level, against the
/// formula.
pub(super) fn representation(evidence: &mut Evidence) {
    for levels in tables(4, 4) {
        let rounds = Rounds::of(&levels);
        let errors: Vec<i64> = rounds.rounds.iter().map(|(x, p)| x - p).collect();
        let count = errors.len();
        let last = |t: usize| t + 1 == count || rounds.rounds[t].1 < rounds.rounds[t + 1].1;
        let expected = |counted: &dyn Fn(usize) -> bool| -> BigRational {
            let largest = |chosen: u32| -> i64 {
                let walk = walk(&errors, chosen);
                let counted = (0..count).filter(|&t| counted(t));
                counted.map(|t| walk[t].abs()).max().expect("the last round counts")
            };
            let total: i64 = choices(count).map(largest).sum();
            r(total, (2 * rounds.unit) << count)
        };
        let value = step_ce_sub(&AnyLevels::from(levels.clone())).value;
        let arithmetic = |found: &BigRational| {
            format!("{rounds}\nstepCE^sub = {value}\nE max |A_t/2 + X_t| = {found}")
        };
        let literal = expected(&last);
        evidence.case(literal == value, || arithmetic(&literal));
        let all = expected(&|_| true);
        evidence.mistake("the maximum over all t", all == value, || arithmetic(&all));
    }
}

/// Var(X_t - X_{t-1}) <= 1/4 and P(max_t |X_t| >= τ) <= T/(4 τ²) for all τ > 0. The bound falls
/// with τ, and the probability only just above a value of the maximum: it is enough to look at
/// these values.
pub(super) fn kolmogorov(evidence: &mut Evidence) {
    for errors in error_vectors(4) {
        let (rounds, unit) = (errors.len(), UNIT);
        let drift = |t: usize| errors[..=t].iter().sum::<i64>();
        // |2 X_t|, in units
        let largest = |chosen: u32| -> i64 {
            let walk = walk(&errors, chosen);
            (0..rounds).map(|t| (walk[t] - drift(t)).abs()).max().expect("at least one round")
        };
        let maxima: Vec<i64> = choices(rounds).map(largest).collect();
        // Twice an increment is + or - the error, with equal chances: the increment has variance
        // error²/4.
        let variances = errors.iter().all(|error| error * error <= unit * unit);
        for &twice_tau in maxima.iter().filter(|&&maximum| maximum > 0) {
            let beyond = maxima.iter().filter(|&&maximum| maximum >= twice_tau).count();
            let [beyond, all, rounds] =
                [beyond, maxima.len(), rounds].map(|n| i64::try_from(n).expect("small"));
            // beyond/all <= T/(4 τ²), with 4 τ² = (twice_tau/unit)²
            let [left, right] = [beyond * twice_tau * twice_tau, all * rounds * unit * unit];
            let arithmetic = || {
                format!(
                    "errors {errors:?}/{unit}, tau = {}\nP(max |X_t| >= tau) = \
                        {beyond}/{all}\nT/(4 tau^2) = {}",
                    r(twice_tau, 2 * unit),
                    r(rounds * unit * unit, twice_tau * twice_tau)
                )
            };
            evidence.case(variances && left <= right, arithmetic);
            evidence.mistake("99/100 of the bound", 100 * left <= 99 * right, arithmetic);
        }
    }
}

/// The errors |x_t - p_t| are in units of 1/4.
const UNIT: i64 = 4;

/// Every vector of at most `rounds` errors in 0, 1/4, …, 1. (Signs do not matter to a symmetric
/// walk.)
pub(in crate::claims) fn error_vectors(rounds: u32) -> impl Iterator<Item = Vec<i64>> {
    (1..=rounds).flat_map(|rounds| {
        let digit = |code: i64, t: u32| code / (UNIT + 1).pow(t) % (UNIT + 1);
        (0..(UNIT + 1).pow(rounds)).map(move |code| (0..rounds).map(|t| digit(code, t)).collect())
    })
}

/// The integral of min(a²/τ², 1) over τ > 0 is 2a, for a > 0: 1 up to the cut τ = a, where the two
/// are equal, and beyond it a²/τ² with the antiderivative -a²/τ. Both sides scale with a, so that
/// one a proves it. It is √T for a = √T/2, and √(2V) for a = √(V/2).
pub(in crate::claims) fn tail_integral(evidence: &mut Evidence) {
    for a in [r(1, 2), int(1), int(2)] {
        let square = &a * &a;
        let beyond = |cut: &BigRational| &square / cut;
        let integral = |cut: &BigRational| cut + beyond(cut);
        let arithmetic = |cut: &BigRational| {
            format!("a = {a}, cut at {cut}\nup to it {cut}, beyond it {}", beyond(cut))
        };
        evidence.case(integral(&a) == int(2) * &a, || arithmetic(&a));
        let later = &a * r(11, 10);
        evidence.mistake("cut at 11a/10", integral(&later) == int(2) * &a, || arithmetic(&later));
        evidence.mistake("a alone", integral(&a) == a, || arithmetic(&a));
    }
}
