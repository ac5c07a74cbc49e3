//! Completeness and soundness with explicit rates.

use num_rational::BigRational;
use num_traits::Signed;

use crate::claims::tools::{binomial_law, int, r, table_of, unit_grid, value};
use truecal::Measure;
use truecal_verify::registry::Evidence;

/// E |X - bT| for X ~ Bin(T, a).
fn distance(rounds: u32, a: &BigRational, b: &BigRational) -> BigRational {
    let centre = b * int(rounds);
    let terms = (0_u32..).zip(binomial_law(rounds, a));
    terms.map(|(ones, chance)| chance * (int(ones) - &centre).abs()).sum()
}

/// (E |X - aT|)² <= a(1-a)T.
pub(super) fn binomial_deviation(evidence: &mut Evidence) {
    for rounds in 1..=24 {
        for a in unit_grid(12) {
            let deviation = distance(rounds, &a, &a);
            let square = &deviation * &deviation;
            let bound = &a * (int(1) - &a) * int(rounds);
            let arithmetic = || {
                format!(
                    "T = {rounds}, a = {a}\nE |X - aT| = {deviation}\nits square: \
                        {square}\na(1-a)T = {bound}"
                )
            };
            evidence.case(square <= bound, arithmetic);
            let closer = square <= &bound * r(99 * 99, 100 * 100);
            evidence.mistake("99/100 of the square root", closer, arithmetic);
        }
    }
}

/// E |X - bT| >= |a - b| T.
pub(super) fn wrong_constant(evidence: &mut Evidence) {
    for rounds in 1..=12 {
        for a in unit_grid(6) {
            for b in unit_grid(6) {
                let expected = distance(rounds, &a, &b);
                let bound = (&a - &b).abs() * int(rounds);
                let arithmetic = || {
                    format!(
                        "T = {rounds}, a = {a}, b = {b}\nE |X - bT| = {expected}\n|a - b| T = \
                            {bound}"
                    )
                };
                evidence.case(expected >= bound, arithmetic);
                let more = expected >= &bound * r(101, 100);
                evidence.mistake("101/100 of the bound", more, arithmetic);
            }
        }
    }
}

/// stepCE(x, 1-x) = max(n_1, |n_1 - n_0|) >= T/3 and UCal(x, 1-x) = 2T, for all n_1 and n_0.
pub(super) fn all_wrong(evidence: &mut Evidence) {
    for rounds in 1..=60_i64 {
        for ones in 0..=rounds {
            let zeros = rounds - ones;
            let [n1, n0] = [ones, zeros].map(i64::unsigned_abs);
            let levels = table_of([(int(0), n1, n1), (int(1), n0, 0)]);
            let [step, u_cal] =
                [Measure::StepCe, Measure::UCal].map(|measure| value(&levels, measure));
            let arithmetic =
                || format!("n_1 = {ones}, n_0 = {zeros}\nstepCE(x, 1-x) = {step}\nUCal = {u_cal}");
            let formula = step == int(ones.max((ones - zeros).abs()));
            let holds = formula && step >= r(rounds, 3) && u_cal == int(2 * rounds);
            evidence.case(holds, arithmetic);
            let more = step >= r(rounds, 3) * r(101, 100);
            evidence.mistake("101/100 of T/3", more, arithmetic);
            evidence.mistake("max(n_1, n_0)", step == int(ones.max(zeros)), arithmetic);
        }
    }
}
