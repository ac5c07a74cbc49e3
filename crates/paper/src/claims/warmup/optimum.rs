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

/// The rounds with y_t = 1 are a sequence of their own, whose stepCE is at least its total bias, by
/// the law of this row for all T; stepCE^sub and the right side are the means over y. So the second
/// inequality follows from the first for all T, x and p. Both sides are computed for every small
/// level table, each from its definition.
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
pub(super) fn mean_absolute_sum(terms: &[BigRational]) -> BigRational {
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
/// that OPT = E min(p*, 1 - p*)/2, the mean of p/2 over [0, 1/2].
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

/// The whole of the lower bound, with K = 5/(21√3) or 5/(21√2), as in the caller.
///
/// Φ = (18/5) r - V/r starts at (18/5)(5/12) = 3/2 and does not fall in expectation
/// (`lower-submartingale`, given p*_t and what came before it, so that p*_t may be drawn by
/// nature). Hence E V/r <= (18/5) E r - 3/2, and (5/12) E V/r <= (3/2) E(r - 5/12). With
/// `lower-pointwise`, E γ(Var_T) <= (21/10) E √A. By Khintchine's inequality for subsets √A <= 2κ
/// E_y|Σ y_t (x_t - p_t)|, with κ = √3 or √2, and so at most 2κ stepCE^sub in `lemma:lower`, which
/// uses `OPT-constant-c`.
/// So the factor is 1/(2κ (21/10)) = 5/(21κ). Forecasters that use chance are mixtures.
///
/// Besides, the best forecasters of natures of so many rounds at most, each by a linear programme;
/// there Var_T <= 3/4, so that γ(Var_T) = Var_T.
fn lower_bound(evidence: &mut Evidence, kappa_squared: i64, longest: u32) {
    let start = r(18, 5) * r(5, 12);
    let weighted = r(5, 12) * &start == r(3, 2) * r(5, 12);
    evidence.case(start == r(3, 2) && weighted, || format!("Phi starts at {start}"));
    // K², with which squares are compared
    let constant = r(25, 21 * 21 * kappa_squared);
    let factor = (int(4) * int(kappa_squared) * r(21 * 21, 100)).recip();
    evidence
        .case(constant == factor, || format!("K^2 = {constant}, 1/(2 kappa 21/10)^2 = {factor}"));
    for (nature, rounds) in small_natures().into_iter().filter(|(_, rounds)| *rounds <= longest) {
        lower_bound_case(evidence, &nature, rounds, &constant);
    }
}

/// K = 5/(21√3), by fourth moments.
pub(super) fn lower_by_fourth_moments(evidence: &mut Evidence) {
    lower_bound(evidence, 3, 2);
}

/// K = 5/(21√2), by the best constant in Khintchine's inequality.
pub(super) fn lower_by_best_constant(evidence: &mut Evidence) {
    lower_bound(evidence, 2, 3);
}

/// T <= 2 with probabilities in 1/4 and with P(x_1 = 1) = 1/100; T = 3 in 1/2, with a first round
/// that is not certain (otherwise it may be left out). Of two that differ by the names of the
/// outcomes, one; what follows an outcome that is impossible is 0.
fn small_natures() -> Vec<(Vec<BigRational>, u32)> {
    let grid: Vec<BigRational> = unit_grid(4).collect();
    let mut natures: Vec<_> = grid.iter().map(|p| (vec![p.clone()], 1)).collect();
    let firsts = grid[..=2].iter().cloned().chain([r(1, 100)]);
    for first in firsts {
        let pairs = grid.iter().flat_map(|zero| grid.iter().map(move |one| [zero, one]));
        let with =
            |[zero, one]: [&BigRational; 2]| (vec![first.clone(), zero.clone(), one.clone()], 2);
        natures.extend(pairs.map(with));
    }
    let halves = two_rounds_in_halves();
    for (i, zero) in halves.iter().enumerate() {
        for one in &halves[..=i] {
            let second = [zero, one].map(|nature| nature[0].clone());
            let third = [zero, one].into_iter().flat_map(|nature| nature[1..].to_vec());
            natures.push(([r(1, 2)].into_iter().chain(second).chain(third).collect(), 3));
        }
    }
    natures
}

/// The 15 natures of two rounds with probabilities 0, 1/2 and 1.
fn two_rounds_in_halves() -> Vec<Vec<BigRational>> {
    let halves: Vec<BigRational> = unit_grid(2).collect();
    let triples = halves.iter().flat_map(|first| {
        let seconds = halves.iter().flat_map(|zero| halves.iter().map(move |one| [zero, one]));
        seconds.map(move |[zero, one]| vec![first.clone(), zero.clone(), one.clone()])
    });
    let tidy = |nature: &Vec<BigRational>| {
        (nature[0] != int(1) || nature[1] == int(0)) && (nature[0] != int(0) || nature[2] == int(0))
    };
    triples.filter(tidy).collect()
}

fn lower_bound_case(
    evidence: &mut Evidence,
    nature: &Nature,
    rounds: u32,
    constant_squared: &BigRational,
) {
    let optimum = best_total_bias(nature, rounds);
    let variance = |x: &[bool]| -> BigRational {
        (0..x.len()).map(|t| &nature[place(&x[..t])]).map(|p| p * (int(1) - p)).sum()
    };
    let gamma: BigRational =
        outcome_law(nature, rounds).iter().map(|(x, probability)| probability * variance(x)).sum();
    let shown = || {
        format!(
            "T = {rounds}, P(x_t = 1) after each past (none, 0, 1, ...) = {}\n\
             best E |sum y_t (x_t - p_t)| = {optimum}\n\
             E gamma(Var) = {gamma}",
            commas(nature)
        )
    };
    evidence.case(&optimum * &optimum >= constant_squared * &gamma * &gamma, shown);
    evidence.mistake("K = 1 (E14)", optimum >= gamma, shown);
    evidence.mistake("K = 81/200", optimum >= &gamma * r(81, 200), shown);
}
