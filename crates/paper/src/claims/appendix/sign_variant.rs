//! The proof of fact:equivfactor, step by step.

use super::thresholds::{Rounds, sweep};
use truecal_verify::registry::Evidence;

/// |bias| <= sign(1) if the bias is not negative, otherwise |bias| <= sign(0).
pub(super) fn total_bias(evidence: &mut Evidence) {
    for rounds in sweep() {
        let bias = rounds.bias();
        let (end, other) = if bias >= 0 { (rounds.unit, 0) } else { (0, rounds.unit) };
        let arithmetic = |alpha: i64| {
            let [bias, sign] = [bias, rounds.sign(alpha)].map(|number| rounds.ratio(number));
            format!("{}\nbias = {bias}\nsum (x - p) sgn(alpha - p) = {sign}", rounds.at(alpha))
        };
        evidence.case(bias.abs() <= rounds.sign(end), || arithmetic(end));
        evidence.mistake("the other end", bias.abs() <= rounds.sign(other), || arithmetic(other));
        evidence
            .mistake("99/100 of it", 100 * bias.abs() <= 99 * rounds.sign(end), || arithmetic(end));
    }
}

/// 2 |step(α)| <= |bias| + |sign(α')| <= 2 signCE with α' next above α. No place is 1 unit below a
/// prediction, so that α + 1 unit is such an α'. At α = 1 it is the bias.
pub(super) fn upper_part(evidence: &mut Evidence) {
    for rounds in sweep() {
        let (bias, sign_ce) = (rounds.bias().abs(), rounds.sign_ce());
        for alpha in rounds.places() {
            let step = rounds.step(alpha).abs();
            let middle = |beside: i64| bias + rounds.sign(beside).abs();
            let holds = |beside: i64| 2 * step <= middle(beside) && middle(beside) <= 2 * sign_ce;
            let arithmetic = |beside: i64| {
                let [step, bias, sign, sign_ce] = [step, bias, rounds.sign(beside).abs(), sign_ce]
                    .map(|number| rounds.ratio(number));
                let name = rounds.at(alpha);
                let beside = rounds.ratio(beside);
                format!(
                    "{name}, alpha' = {beside}\n|step| = {step}\n|bias| = {bias}\n|sign at alpha'| \
                        = {sign}\nsignCE = {sign_ce}"
                )
            };
            if alpha == rounds.unit {
                evidence.case(step == bias && bias <= sign_ce, || arithmetic(alpha));
                continue;
            }
            let beside = alpha + 1;
            evidence.case(holds(beside), || arithmetic(beside));
            evidence.mistake("alpha' = alpha", holds(alpha), || arithmetic(alpha));
            let closer = 100 * middle(beside) <= 99 * 2 * sign_ce;
            evidence.mistake("99/100 of 2 signCE", closer, || arithmetic(beside));
            let closer = 100 * 2 * step <= 99 * middle(beside);
            evidence.mistake("99/100 of the middle", closer, || arithmetic(beside));
        }
    }
}

/// sign(α) = step(α) - step(1) + step(α''), with α'' next below α and 0 for the last term at α = 0.
/// So |sign(α)| is at most 3 stepCE, and 2 stepCE at 0.
pub(super) fn lower_part(evidence: &mut Evidence) {
    for rounds in sweep() {
        let step_ce = rounds.step_ce();
        for alpha in rounds.places() {
            let sign = rounds.sign(alpha);
            let below = if alpha > 0 { rounds.step(alpha - 1) } else { 0 };
            let terms = [rounds.step(alpha), -rounds.step(rounds.unit), below];
            let factor = if alpha > 0 { 3 } else { 2 };
            let holds = sign == terms.iter().sum::<i64>() && sign.abs() <= factor * step_ce;
            let arithmetic = || lines(&rounds, alpha, &terms);
            evidence.case(holds, arithmetic);
            let twice = 2 * rounds.step(alpha) - rounds.bias();
            evidence.mistake("1{p <= alpha} for 1{p < alpha}", sign == twice, arithmetic);
            let less = 100 * sign.abs() <= 99 * factor * step_ce;
            let constant = if alpha > 0 { "99/100 of 3" } else { "99/100 of 2 at alpha = 0" };
            evidence.mistake(constant, less, arithmetic);
        }
    }
}

fn lines(rounds: &Rounds, alpha: i64, terms: &[i64; 3]) -> String {
    let [a, b, c] = terms.map(|term| rounds.ratio(term));
    format!(
        "{}\nsum (x - p) sgn(alpha - p) = {}\nthe three sums: {a}, {b}, {c}\nstepCE = {}",
        rounds.at(alpha),
        rounds.ratio(rounds.sign(alpha)),
        rounds.ratio(rounds.step_ce())
    )
}
