//! What the best forecaster can reach.

use num_rational::BigRational;
use num_traits::Signed;

use crate::claims::tools::{
    commas, differences, int, outcomes, r, tables, uniform_moment, unit_grid,
};
use truecal::AnyLevels;
use truecal::definitions::LinearProgramme;
use truecal::measures;
use truecal_verify::registry::Evidence;

/// stepCE^sub and E_y |Σ y_t (x_t - p_t)| of every level table.
pub(super) fn subsampled_total_bias(evidence: &mut Evidence) {
    for levels in tables(5, 4) {
        let terms = differences(levels.table());
        let average = mean_absolute_sum(&terms);
        let step = measures::step_ce_sub(&AnyLevels::from(levels)).value;
        let shown = || {
            format!(
                "x_t - p_t by ascending p_t: {}\nstepCE^sub = {step}\nE_y |sum y_t (x_t - p_t)| = \
                    {average}",
                commas(&terms)
            )
        };
        evidence.case(step >= average, shown);
        evidence.mistake("101/100 of the right side", step >= &average * r(101, 100), shown);
    }
}

/// E |Σ y_t a_t| over all y in {0,1}^T.
fn mean_absolute_sum(terms: &[BigRational]) -> BigRational {
    let rounds = u32::try_from(terms.len()).expect("few rounds");
    let sum = |chosen: Vec<bool>| -> BigRational {
        chosen.iter().zip(terms).filter(|(kept, _)| **kept).map(|(_, term)| term).sum()
    };
    outcomes(rounds as usize).map(|chosen| sum(chosen).abs()).sum::<BigRational>()
        / int(1 << rounds)
}

/// One round of Bern(q) with the forecast p: q(1-p)/2 + (1-q)p/2 against q(1-q). The factor 1/2 is
/// the correction.
pub(super) fn factor_one_at_one_round(evidence: &mut Evidence) {
    for q in unit_grid(4) {
        for p in unit_grid(4) {
            let (not_q, not_p) = (int(1) - &q, int(1) - &p);
            let bias = (&q * &not_p + &not_q * &p) / int(2);
            let gamma = &q * &not_q;
            evidence.case(bias >= gamma, || {
                format!(
                    "T = 1, x ~ Bern({q}), p = {p}\nE |y (x - p)| = {bias}\ngamma(Var) = \
                    {q}*{not_q} = {gamma}"
                )
            });
            evidence.corrected("factor 1/2 at T = 1", bias >= &gamma / int(2));
        }
    }
}

/// One round with p* uniform on [0, 1]: the best forecast given p* is 0 below 1/2 and 1 above, so
/// that OPT = E min(p*, 1 - p*)/2, the mean of p/2 over [0,1/2].
pub(super) fn factor_one_smoothed(evidence: &mut Evidence) {
    let optimum = uniform_moment(&int(0), &r(1, 2), 1) / int(2);
    let gamma = uniform_moment(&int(0), &int(1), 1) - uniform_moment(&int(0), &int(1), 2);
    evidence.case(optimum >= gamma, || {
        format!(
            "T = 1, c = 1, p* uniform on [0,1]\nOPT = E min(p*,1-p*)/2 = {optimum}\nE \
            gamma(Var) = {gamma}"
        )
    });
    evidence.corrected("factor 1/2", optimum >= gamma / int(2));
}

/// A nature that is not smoothed: P(x_t = 1) after each of the shorter outcome vectors, in order of
/// length and then as a binary number: first for no outcome, then for 0 and 1, then for 00, 01, 10,
/// 11, …
type Nature = [BigRational];

/// The place in a [`Nature`] of what follows these outcomes.
fn place(past: &[bool]) -> usize {
    past.iter().fold(1, |code, &one| 2 * code + usize::from(one)) - 1
}

/// P(x) for every x in {0,1}^T.
fn outcome_law(nature: &Nature, rounds: u32) -> Vec<(Vec<bool>, BigRational)> {
    let probability = |x: &[bool]| -> BigRational {
        let step = |t: usize| {
            let p = &nature[place(&x[..t])];
            if x[t] { p.clone() } else { int(1) - p }
        };
        (0..x.len()).map(step).product()
    };
    outcomes(rounds as usize).map(|x| (x.clone(), probability(&x))).collect()
}

/// The least E |Σ y_t (x_t - p_t)| over all forecasters, by a linear programme: the forecasts after
/// each past in [0, 1], and for each x and y the slack v = T - |Σ y_t (x_t - p_t)|, which is at
/// least 0. OPT of stepCE^sub is no less (`OPT-constant-c`), and randomised forecasters do no
/// better, being mixtures.
pub(in crate::claims) fn best_total_bias(nature: &Nature, rounds: u32) -> BigRational {
    let law = outcome_law(nature, rounds);
    let forecasts = (1 << rounds) - 1;
    let subsets = 1_usize << rounds;
    let mut programme = LinearProgramme::new(forecasts + law.len() * subsets);
    for forecast in 0..forecasts {
        programme.at_most(&[(forecast, int(1))], int(1));
    }
    for (i, (x, probability)) in law.iter().enumerate() {
        for (j, y) in outcomes(rounds as usize).enumerate() {
            let slack = forecasts + i * subsets + j;
            let kept = || (0..x.len()).filter(|&t| y[t]);
            let ones = int(kept().filter(|&t| x[t]).count());
            for sign in [-1, 1] {
                // v + |ones - Σ p| <= T, one row for each sign of the absolute value
                let mut row: Vec<_> = kept().map(|t| (place(&x[..t]), int(sign))).collect();
                row.push((slack, int(1)));
                programme.at_most(&row, int(rounds) + int(sign) * &ones);
            }
            programme.gain(slack, &(probability / int(1 << rounds)));
        }
    }
    int(rounds) - programme.maximise().value
}

/// The best forecaster of every nature with T <= 2 against E gamma(Var_T) = E Var_T, as Var_T <=
/// 1/2.
pub(super) fn lower_bound(evidence: &mut Evidence) {
    let grid: Vec<BigRational> = unit_grid(4).collect();
    for p in &grid {
        lower_bound_case(evidence, std::slice::from_ref(p), 1);
    }
    let shown_once = grid.iter().filter(|p| **p <= r(1, 2)); // 0 and 1 may be exchanged everywhere
    for first in shown_once {
        for after_zero in &grid {
            for after_one in &grid {
                lower_bound_case(
                    evidence,
                    &[first.clone(), after_zero.clone(), after_one.clone()],
                    2,
                );
            }
        }
    }
}

fn lower_bound_case(evidence: &mut Evidence, nature: &Nature, rounds: u32) {
    let optimum = best_total_bias(nature, rounds);
    let variance = |x: &[bool]| -> BigRational {
        (0..x.len()).map(|t| &nature[place(&x[..t])]).map(|p| p * (int(1) - p)).sum()
    };
    let gamma: BigRational =
        outcome_law(nature, rounds).iter().map(|(x, probability)| probability * variance(x)).sum();
    let shown = || {
        format!(
            "T = {rounds}, P(x_t = 1) after each past (none, 0, 1) = {}\n\
             best E |sum y_t (x_t - p_t)| = {optimum}\n\
             E gamma(Var) = {gamma}",
            commas(nature)
        )
    };
    evidence.case(&optimum * int(3) >= gamma, shown);
    evidence.mistake("K = 1 (E14)", optimum >= gamma, shown);
    evidence.mistake("K = 101/200", optimum >= &gamma * r(101, 200), shown);
}
