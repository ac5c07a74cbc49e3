//! Proper scoring rules, and the suprema over them.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::ucal::{closure, part, places};
use crate::claims::tools::{in_words, int, r, tables, unit_grid};
use truecal::AnyLevels;
use truecal::Measure;
use truecal::Witness;
use truecal::definitions::{self, Round};
use truecal_verify::registry::Evidence;
use truecal_verify::registry::Extent;

/// E loss(x, p) for x ~ Bern(a).
fn expected(
    a: &BigRational,
    p: &BigRational,
    loss: impl Fn(bool, &BigRational) -> BigRational,
) -> BigRational {
    (int(1) - a) * loss(false, p) + a * loss(true, p)
}

/// (p - x)²: the loss beyond that of the truth a is (p - a)², an identity of degree 2 in p and in
/// a, which holds everywhere if it does at three values of each. The absolute loss is not proper.
pub(super) fn quadratic_is_proper(evidence: &mut Evidence) {
    let error = |x: bool, p: &BigRational| p - int(u8::from(x));
    for a in unit_grid(4) {
        for p in unit_grid(4) {
            let excess = |loss: &dyn Fn(bool, &BigRational) -> BigRational| {
                expected(&a, &p, loss) - expected(&a, &a, loss)
            };
            let quadratic = excess(&|x, p| error(x, p) * error(x, p));
            let absolute = excess(&|x, p| error(x, p).abs());
            let square = (&p - &a) * (&p - &a);
            evidence.case(quadratic == square, || {
                format!("truth {a}, prediction {p}\nexcess loss {quadratic}, (p - a)^2 = {square}")
            });
            evidence.mistake("|p - x| is proper as well", !absolute.is_negative(), || {
                format!("truth {a}, prediction {p}\nE|p - x| - E|a - x| = {absolute}")
            });
        }
    }
}

/// S_α(x, p) = (α - x) sgn(p - α)
fn v_shaped(alpha: &BigRational, x: bool, p: &BigRational) -> BigRational {
    (alpha - int(u8::from(x))) * (p - alpha).signum()
}

/// S_α stays in [-1, 1], which is affine in α for each sign, so that α = 0 and 1 decide; and under
/// the truth a no prediction p beats a. The sign of the excess loss (α - a)(sgn(p - α) - sgn(a -
/// α)) depends only on the order of a, p and α, and quarters take every order.
pub(super) fn v_shaped_is_proper(evidence: &mut Evidence) {
    for alpha in unit_grid(4) {
        for a in unit_grid(4) {
            for p in unit_grid(4) {
                let loss = |x: bool, p: &BigRational| v_shaped(&alpha, x, p);
                let excess = expected(&a, &p, loss) - expected(&a, &a, loss);
                let bounded = [false, true].iter().all(|x| loss(*x, &p).abs() <= int(1));
                let show =
                    || format!("alpha = {alpha}, truth {a}, prediction {p}\nexcess loss {excess}");
                evidence.case(bounded && !excess.is_negative(), show);
                evidence.mistake("the opposite sign", !excess.is_positive(), show);
                evidence.mistake("strictly proper", p == a || excess.is_positive(), show);
            }
        }
    }
}

/// The worst rule that the formula finds has the value of the linear programme as its regret, so
/// the supremum is attained; and no constant does better under it than the mean outcome: its kinks
/// are multiples of 1/6, and twelfths meet each of them and each gap between them.
pub(super) fn worst_rule(evidence: &mut Evidence) {
    for table in tables(3, if evidence.extent() == Extent::Quick { 2 } else { 6 }) {
        let rounds = table.to_rational().to_rounds();
        let evaluation = AnyLevels::from(table).evaluate(Measure::UCal);
        let Witness::Rule { rule, .. } = evaluation.witness else {
            unreachable!("the witness of UCal is a rule");
        };
        let constant = |beta: &BigRational| -> BigRational {
            rounds.iter().map(|(x, _)| rule.loss(*x, beta)).sum()
        };
        let best = constant(&mean(&rounds));
        let least = unit_grid(12).map(|beta| constant(&beta)).min().expect("a grid");
        let incurred: BigRational = rounds.iter().map(|(x, p)| rule.loss(*x, p)).sum();
        let programme = definitions::u_cal(&rounds);
        let regret = |benchmark: &BigRational| &incurred - benchmark;
        let show = || {
            format!(
                "{}\n\
                 loss {incurred}, of the mean {best}, of constants k/12 at least {least}\n\
                 linear programme {programme}",
                in_words(&rounds)
            )
        };
        evidence.case(regret(&best) == programme && best <= least, show);
        evidence.mistake(
            "1/2 as the best constant",
            regret(&constant(&r(1, 2))) == programme,
            show,
        );
    }
}

fn mean(rounds: &[Round]) -> BigRational {
    let ones = rounds.iter().filter(|(x, _)| *x).count();
    r(ones.try_into().expect("few rounds"), rounds.len().try_into().expect("few rounds"))
}

/// With β = μ the supremum over α is the one over α and β. If it is positive it is not attained: no
/// value at a place equals it, and in no gap, where the regret is affine, do both limits. If it is
/// 0 then it is attained.
pub(super) fn v_calibration(evidence: &mut Evidence) {
    for table in tables(3, if evidence.extent() == Extent::Quick { 2 } else { 6 }) {
        let rounds = table.to_rational().to_rounds();
        let mean = mean(&rounds);
        let regret = |alpha: &BigRational| -> BigRational {
            let rule = |x: bool, p: &BigRational| v_shaped(alpha, x, p);
            rounds.iter().map(|(x, p)| rule(*x, p) - rule(*x, &mean)).sum()
        };
        let mut places = places(&rounds);
        places.push(mean.clone());
        places.sort();
        places.dedup();
        let at_places: Vec<_> = places.iter().map(regret).collect();
        let in_gaps: Vec<_> = places.windows(2).map(|gap| ends(regret, &gap[0], &gap[1])).collect();
        let limits = in_gaps.iter().flat_map(|(low, high)| [low, high]);
        let sup = at_places.iter().chain(limits).max().expect("0 and 1 are places");
        let attained =
            at_places.contains(sup) || in_gaps.iter().any(|(low, high)| low == sup && high == sup);
        let v_cal = definitions::v_cal(&rounds);
        let show = || {
            format!(
                "{}\nVCal = {v_cal}\nsup with beta = mu: {sup}, attained: {attained}",
                in_words(&rounds)
            )
        };
        evidence.case(*sup == v_cal && attained == sup.is_zero(), show);
        evidence.mistake("the supremum is attained", attained, show);
    }
}

/// The limits of an affine function at the two ends of a gap, from two points inside.
fn ends(
    function: impl Fn(&BigRational) -> BigRational,
    low: &BigRational,
    high: &BigRational,
) -> (BigRational, BigRational) {
    let third = (high - low) / int(3);
    let (near, far) = (function(&(low + &third)), function(&(high - &third)));
    (int(2) * &near - &far, int(2) * far - near)
}

/// The definition by scoring rules is 2 sup g, with the limits of g.
pub(super) fn alternative_form(evidence: &mut Evidence) {
    for table in tables(3, if evidence.extent() == Extent::Quick { 2 } else { 6 }) {
        let rounds = table.to_rational().to_rounds();
        let v_cal = definitions::v_cal(&rounds);
        let graph = closure(&rounds);
        let twice = |height: BigRational| int(2) * height.max(BigRational::zero());
        let sup = twice(graph.iter().map(|(_, height)| height.clone()).max().expect("places"));
        let compare =
            |other: &BigRational| format!("{}\nVCal = {v_cal}\nbut: {other}", in_words(&rounds));
        evidence.case(v_cal == sup, || compare(&sup));
        let places = places(&rounds);
        let below = places.iter().map(|a| part(&rounds, a, |p| p < a)).max().expect("places");
        let above = places.iter().map(|a| -part(&rounds, a, |p| p > a)).max().expect("places");
        let closed = places.iter().map(|a| part(&rounds, a, |p| p <= a)).max().expect("places");
        let values = twice(below.max(above));
        evidence.mistake("values without limits", v_cal == values, || compare(&values));
        let one_side = twice(closed);
        evidence.mistake("only the predictions below", v_cal == one_side, || compare(&one_side));
        evidence.mistake("without the factor 2", v_cal == &sup / int(2), || compare(&sup));
    }
}
