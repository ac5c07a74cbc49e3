//! What the proof that stepCE is decision-theoretic says about single thresholds.

use num_rational::BigRational;
use num_traits::Signed;

use crate::claims::appendix::thresholds::{Limit, Rounds, sweep};
use crate::claims::tools::{int, tables, unit_grid};
use truecal::measures;
use truecal_verify::registry::Evidence;

/// sup |step(α)| = max_j |B_j|, and it is attained at the level that the formula names.
pub(super) fn step_ce_is_prefix(evidence: &mut Evidence) {
    for levels in tables(4, 6) {
        let rounds = Rounds::of(&levels);
        let scale = rounds.unit / levels.table().unit();
        let formula = measures::step_ce(levels.table());
        let level = formula.level.expect("a table with rounds has a level");
        let alpha = scale * levels.table().rows()[level].value;
        let (sup, value) = (rounds.step_ce(), scale * formula.value);
        let arithmetic = |found: i64| {
            let [sup, found] = [sup, found].map(|number| rounds.ratio(number));
            format!("{}\nsup = {sup}\nfound {found}", rounds.at(alpha))
        };
        let holds = sup == value && rounds.step(alpha).abs() == sup;
        evidence.case(holds, || arithmetic(value));
        let strict = |alpha: i64| rounds.sum(|x, p| if p < alpha { x - p } else { 0 }).abs();
        let mistaken = rounds.atoms().into_iter().map(strict).max().unwrap_or_default();
        evidence.mistake("p < alpha at the predictions", mistaken == sup, || arithmetic(mistaken));
    }
}

/// E S_α(x', p) = -|p - α| by both outcomes x', and the regret (x - α) sgn(α - p) - E S_α(x', p) =
/// (x - p) sgn(α - p) of one round, for both x. Regrets add up, so one round is enough. While p <
/// α, or p > α, both sides are polynomials of degree 1 in α and at most 2 in p; there the grid has
/// two α for each of three p, so they agree for all p and α.
pub(super) fn sgn_benchmark(evidence: &mut Evidence) {
    for (p, alpha) in unit_grid(12).flat_map(|p| unit_grid(12).map(move |alpha| (p.clone(), alpha)))
    {
        let sign = (&alpha - &p).signum();
        let loss = |x: i64| (int(x) - &alpha) * &sign;
        let expected = &p * loss(1) + (int(1) - &p) * loss(0);
        let distance = (&p - &alpha).abs();
        let mean = || format!("p = {p}, alpha = {alpha}\nE S_alpha(x', p) = {expected}");
        evidence.case(expected == -&distance, mean);
        evidence.mistake("|p - alpha| without the minus", expected == distance, mean);
        for x in [0, 1] {
            let sum = (int(x) - &p) * &sign;
            let own = -(int(x) - &alpha).abs();
            let regret = |benchmark: &BigRational| loss(x) - benchmark;
            let arithmetic = |benchmark: &BigRational| {
                let loss = loss(x);
                format!(
                    "x = {x}, p = {p}, alpha = {alpha}\nloss {loss}, benchmark {benchmark}\n(x - \
                        p) sgn(alpha - p) = {sum}"
                )
            };
            evidence.case(regret(&expected) == sum, || arithmetic(&expected));
            evidence.mistake("-|x - alpha| as in VCal", regret(&own) == sum, || arithmetic(&own));
        }
    }
}

/// 2 sup g = sup f, where f is the regret of S_α against the mean outcome; and VCal by its formula
/// is the same.
pub(super) fn sup_g_is_half_vcal(evidence: &mut Evidence) {
    for levels in tables(4, 6) {
        let rounds = Rounds::of(&levels);
        let v_cal = rounds.unit / levels.table().unit() * measures::v_cal(levels.table()).value;
        let sup = rounds.sup(|alpha| rounds.g(alpha));
        let regret = rounds.sup(|alpha| rounds.f(alpha));
        let values = rounds.places().into_iter().map(|alpha| rounds.g(alpha)).max();
        let arithmetic = |found: i64| {
            let [found, regret, v_cal] = [found, regret, v_cal].map(|number| rounds.ratio(number));
            format!("{rounds}\nsup g = {found}\nthe largest regret: {regret}\nVCal = {v_cal}")
        };
        evidence.case(2 * sup == regret && regret == v_cal, || arithmetic(sup));
        let largest = values.expect("0 is a place");
        evidence.mistake("values without limits", 2 * largest == v_cal, || arithmetic(largest));
    }
}

/// Puts the case that g(α) = A somewhere. On an open gap g is affine, so it attains its supremum
/// over [0, 1] in it only if it is constant there; then the middle shows it.
fn attained(evidence: &mut Evidence, rounds: &Rounds) -> bool {
    let g = |alpha| rounds.g(alpha);
    let sup = rounds.sup(g);
    let found = rounds.places().into_iter().any(|alpha| g(alpha) == sup);
    evidence.case(found, || {
        let tending = rounds.limits().into_iter().find(|limit| limit.of(g) == sup);
        let name = tending.expect("a supremum that is not a value is a limit").name(rounds);
        let ratio = |number| rounds.ratio(number);
        let breakpoints = rounds.breakpoints();
        let values = breakpoints.iter().map(|&at| format!("g({}) = {}", ratio(at), ratio(g(at))));
        let gaps = breakpoints.windows(2).map(|gap| {
            let [from, to] = [(gap[0], 1), (gap[1], -1)].map(|(at, side)| Limit { at, side }.of(g));
            let [low, high, from, to] = [gap[0], gap[1], from, to].map(ratio);
            format!("for {low} < alpha < {high}: along a line from {from} to {to}, ends left out")
        });
        let lines: Vec<_> = values.chain(gaps).collect();
        format!("{name}\ng tends to {}\n{}", ratio(sup), lines.join("\n"))
    });
    found
}

/// "A is attained": only if A = 0; but sup g <= 2 stepCE all the same.
pub(super) fn sup_attained(evidence: &mut Evidence) {
    for rounds in sweep() {
        let found = attained(evidence, &rounds);
        let sup = rounds.sup(|alpha| rounds.g(alpha));
        evidence.corrected(
            "attained if and only if A = 0; g(alpha) <= 2 stepCE at every alpha",
            found == (sup == 0) && sup <= 2 * rounds.step_ce(),
        );
    }
}

pub(super) fn e01(evidence: &mut Evidence) {
    let rounds = Rounds::new(1, &[(true, 0)]);
    attained(evidence, &rounds);
    // g is affine on (0, 1), so two points of it and the limits determine it.
    let falling = (1..=rounds.unit).all(|alpha| rounds.g(alpha) == rounds.unit - alpha);
    evidence.corrected(
        "g(0) = 0 and g(alpha) = 1 - alpha for alpha > 0: infinitely many values, supremum 1",
        falling && rounds.g(0) == 0,
    );
}

/// stepCE >= step(β) = Σ (x_t - p_t) 1{p_t < α} >= X_- - α N_-. With β one unit below α: step is
/// the same for all β that are allowed, from the prediction next below α on.
pub(super) fn case_1(evidence: &mut Evidence) {
    for rounds in sweep() {
        let step_ce = rounds.step_ce();
        for spot in rounds.spots() {
            let below = spot.of(|alpha| rounds.sum(|x, p| if p < alpha { x - p } else { 0 }));
            let beside = spot.of(|alpha| if alpha > 0 { rounds.step(alpha - 1) } else { 0 });
            let under = spot.of(|alpha| rounds.under(alpha));
            let arithmetic = |beside: i64, last: (&str, i64)| {
                let [step_ce, below, beside, term] =
                    [step_ce, below, beside, last.1].map(|number| rounds.ratio(number));
                let sums = format!("below alpha: {below}\nup to beta: {beside}");
                let name = spot.name(&rounds);
                format!("{name}\nstepCE = {step_ce}\n{sums}\n{} = {term}", last.0)
            };
            let term = ("X_- - alpha N_-", under);
            let shown = || arithmetic(beside, term);
            evidence.case(step_ce >= beside && beside == below && below >= under, shown);
            let closer = 99 * step_ce >= 100 * under;
            evidence.mistake("99/100 of stepCE", closer, shown);
            let at = spot.of(|alpha| rounds.step(alpha));
            evidence.mistake("beta = alpha", at == below, || arithmetic(at, term));
            let other = ("alpha N_+ - X_+", spot.of(|alpha| rounds.over(alpha)));
            let larger = step_ce >= other.1;
            evidence.mistake("the other term of g", larger, || arithmetic(beside, other));
        }
    }
}

/// Σ (p_t - x_t) 1{p_t > α} >= α N_+ - X_+.
pub(super) fn case_2(evidence: &mut Evidence) {
    for rounds in sweep() {
        let above =
            |alpha: i64, top: i64| rounds.sum(|x, p| if p > alpha && p <= top { p - x } else { 0 });
        let weak = |alpha: i64| rounds.sum(|x, p| if p >= alpha { alpha - x } else { 0 });
        for spot in rounds.spots() {
            let left = spot.of(|alpha| above(alpha, rounds.unit));
            let right = spot.of(|alpha| rounds.over(alpha));
            let arithmetic = |left: i64, right: i64| {
                let [left, right] = [left, right].map(|number| rounds.ratio(number));
                let name = spot.name(&rounds);
                format!("{name}\nsum (p - x) above alpha = {left}\nalpha N_+ - X_+ = {right}")
            };
            evidence.case(left >= right, || arithmetic(left, right));
            let open = spot.of(|alpha| above(alpha, rounds.unit - 1));
            evidence.mistake("p = 1 forgotten", open >= right, || arithmetic(open, right));
            let weak = spot.of(weak);
            evidence.mistake("p >= alpha in N_+", left >= weak, || arithmetic(left, weak));
            let closer = 99 * left >= 100 * right;
            evidence.mistake("99/100 of the left side", closer, || arithmetic(left, right));
        }
    }
}

const AT_LEAST: &str = "B_1 - B_alpha >= A in every limit that gives A";

/// Puts the case that B_1 - B_α = A in one of these limits, in each of which α N_+ - X_+ tends to
/// A: only >= holds.
fn equality_in_limits(evidence: &mut Evidence, rounds: &Rounds, limits: &[Limit], sup: i64) {
    // B_a = -step(a)
    let difference =
        |limit: &Limit| limit.of(|alpha| rounds.step(alpha) - rounds.step(rounds.unit));
    let equal = limits.iter().any(|limit| difference(limit) == sup);
    evidence.case(equal, || {
        let lines = limits.iter().flat_map(|limit| {
            let count = |least: i64| {
                limit.of(|alpha| rounds.sum(|x, p| i64::from(p > alpha && x >= least)))
            };
            let (above, ones) = (count(0), count(rounds.unit));
            let difference = rounds.ratio(difference(limit));
            [
                limit.name(rounds),
                format!(
                    "N_+ = {above}, X_+ = {ones}: alpha N_+ - X_+ tends to A = {}",
                    rounds.ratio(sup)
                ),
                format!("B_1 - B_alpha = {difference}"),
            ]
        });
        lines.collect::<Vec<_>>().join("\n")
    });
    evidence.corrected(AT_LEAST, limits.iter().all(|limit| difference(limit) >= sup));
}

pub(super) fn case_2_equality(evidence: &mut Evidence) {
    for rounds in sweep() {
        let sup = rounds.sup(|alpha| rounds.g(alpha));
        let gives = |limit: &Limit| limit.of(|alpha| rounds.over(alpha)) == sup;
        let limits: Vec<_> = rounds.limits().into_iter().filter(gives).collect();
        if sup == 0 || limits.is_empty() {
            evidence.inapplicable();
        } else {
            equality_in_limits(evidence, &rounds, &limits, sup);
        }
    }
}

pub(super) fn e02(evidence: &mut Evidence) {
    let rounds = Rounds::new(2, &[(false, 1), (false, 2)]);
    let sup = rounds.sup(|alpha| rounds.g(alpha));
    let limit = Limit { at: rounds.unit / 2, side: -1 };
    equality_in_limits(evidence, &rounds, &[limit], sup);
    let approached = limit.of(|alpha| rounds.over(alpha)) == sup && sup == rounds.unit;
    evidence.corrected(AT_LEAST, approached);
}

/// stepCE >= max(|B_1|, |B_α|) >= (α N_+ - X_+)/2.
pub(super) fn case_2_half(evidence: &mut Evidence) {
    for rounds in sweep() {
        let (step_ce, bias) = (rounds.step_ce(), rounds.bias().abs());
        for spot in rounds.spots() {
            let part = spot.of(|alpha| rounds.step(alpha)).abs();
            let larger = bias.max(part);
            let over = spot.of(|alpha| rounds.over(alpha));
            let arithmetic = || {
                let [step_ce, bias, part, over] =
                    [step_ce, bias, part, over].map(|number| rounds.ratio(number));
                let bounds = format!("stepCE = {step_ce}\n|B_1| = {bias}, |B_alpha| = {part}");
                format!("{}\n{bounds}\nalpha N_+ - X_+ = {over}", spot.name(&rounds))
            };
            evidence.case(step_ce >= larger && 2 * larger >= over, arithmetic);
            evidence.mistake("99/100 of the larger", 198 * larger >= 100 * over, arithmetic);
            evidence.mistake("|B_1| alone", 2 * bias >= over, arithmetic);
        }
    }
}
