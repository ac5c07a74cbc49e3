//! The proof of prop:altform, step by step: the functions f and g at thresholds that are
//! predictions, next to them, and away from them.

use num_rational::{BigRational, Ratio};
use num_traits::Signed;

use super::thresholds::{Limit, Rounds, sweep};
use crate::claims::tools::{int, r, unit_grid};
use truecal_verify::registry::Evidence;

/// Σ S_α(x_t, μ) <= Σ S_α(x_t, β). The sum over the rounds, which is taken as it stands here, is T
/// (α - μ) sgn(β - α): of the sums for two β, the order is that of their sgn(β - α), or the
/// reverse, as α > μ or α < μ. So the order of α, β and μ is all that matters, and every order
/// occurs.
pub(super) fn mean_is_best(evidence: &mut Evidence) {
    let pairs =
        || unit_grid(6).flat_map(|alpha| unit_grid(6).map(move |beta| (alpha.clone(), beta)));
    for (rounds, ones) in (1..=6).flat_map(|rounds| (0..=rounds).map(move |ones| (rounds, ones))) {
        let mean = r(ones, rounds);
        for (alpha, beta) in pairs() {
            let loss = |at: &BigRational| {
                let of = |x: i64| (&alpha - int(x)) * (at - &alpha).signum();
                int(ones) * of(1) + int(rounds - ones) * of(0)
            };
            let arithmetic = |at: &BigRational| {
                let [own, other] = [at, &beta].map(loss);
                format!(
                    "T = {rounds}, ones = {ones}, alpha = {alpha}, beta = {beta}\nloss of {at}: \
                        {own}\nloss of beta: {other}"
                )
            };
            evidence.case(loss(&mean) <= loss(&beta), || arithmetic(&mean));
            let strictly = beta == mean || alpha == mean || loss(&mean) < loss(&beta);
            evidence.mistake("< unless beta = mu", strictly, || arithmetic(&mean));
            let smoothed = r(ones + 1, rounds + 2);
            let as_good = loss(&smoothed) <= loss(&beta);
            evidence.mistake("(ones + 1)/(T + 2) for mu", as_good, || arithmetic(&smoothed));
        }
    }
}

/// 2 f(α_0) = f(α_0-) + f(α_0+) at every prediction and at the mean, 0 and 1 among them.
pub(super) fn average_of_limits(evidence: &mut Evidence) {
    for rounds in sweep() {
        for at in rounds.atoms() {
            let f = |alpha| rounds.f(alpha);
            let [left, right] = [-1, 1].map(|side| Limit { at, side }.of(f));
            let arithmetic = |value: i64| {
                let [value, left, right] = [value, left, right].map(|number| rounds.ratio(number));
                format!("{}\nf = {value}\nf(alpha-) = {left}, f(alpha+) = {right}", rounds.at(at))
            };
            let holds = |value: i64| 2 * value == left + right;
            evidence.case(holds(f(at)), || arithmetic(f(at)));
            let one_at_zero = |z: i64| if z >= 0 { 1 } else { -1 };
            let mistaken = rounds.f_with(one_at_zero, at);
            evidence.mistake("sgn(0) = 1", holds(mistaken), || arithmetic(mistaken));
            evidence.mistake("f is left-continuous", f(at) == left, || arithmetic(f(at)));
        }
    }
}

/// f(0-) <= f(0+) and f(1-) >= f(1+), with f extended by its formula.
pub(super) fn ends_of_f(evidence: &mut Evidence) {
    for rounds in sweep() {
        for at in [0, rounds.unit] {
            let [below, above] = [-1, 1].map(|side| Limit { at, side }.of(|alpha| rounds.f(alpha)));
            let (outside, inside) = if at == 0 { (below, above) } else { (above, below) };
            let arithmetic = || {
                let [below, above] = [below, above].map(|number| rounds.ratio(number));
                format!("{}\nf(alpha-) = {below}\nf(alpha+) = {above}", rounds.at(at))
            };
            evidence.case(outside <= inside, arithmetic);
            let strict = !rounds.atoms().contains(&at) || outside < inside;
            evidence.mistake("< where 0 or 1 is in S", strict, arithmetic);
            evidence.mistake("f continuous from inside", rounds.f(at) == inside, arithmetic);
        }
    }
}

/// The paper's δ, for α_0 in S and inside (0, 1), with `share` of the distance to another point of
/// S in place of 1/2.
fn radius(rounds: &Rounds, at: i64, share: Ratio<i64>) -> i64 {
    let others = rounds.atoms().into_iter().filter(|&atom| atom != at);
    let parts = others.map(|atom| (share * (at - atom).abs()).to_integer());
    parts.chain([at, rounds.unit - at]).min().expect("two ends")
}

/// Every α_0 of S inside (0, 1).
fn inner_atoms(rounds: &Rounds) -> impl Iterator<Item = i64> {
    let unit = rounds.unit;
    rounds.atoms().into_iter().filter(move |&atom| 0 < atom && atom < unit)
}

/// α_0 - δ and α_0 + δ lie in [0, 1] and outside S, and no other point of S lies between them.
pub(super) fn radius_is_free(evidence: &mut Evidence) {
    for rounds in sweep() {
        let atoms = rounds.atoms();
        for at in inner_atoms(&rounds) {
            let free = |delta: i64| {
                let within = (at - delta)..=(at + delta);
                let alone = atoms.iter().all(|&atom| atom == at || !within.contains(&atom));
                delta > 0 && at >= delta && at + delta <= rounds.unit && alone
            };
            let arithmetic = |delta: i64| {
                let delta = rounds.ratio(delta);
                format!("{}, mean = {}\ndelta = {delta}", rounds.at(at), rounds.ratio(rounds.mean))
            };
            let half = radius(&rounds, at, Ratio::new(1, 2));
            evidence.case(free(half), || arithmetic(half));
            let whole = radius(&rounds, at, Ratio::new(1, 1));
            evidence.mistake("delta without the factor 1/2", free(whole), || arithmetic(whole));
        }
    }
}

/// One side of the paper's step for g at α_0.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// "The term at α_0 equals the term at α_0 ∓ δ": false; it is smaller by δ N, which is as good.
fn term_beside(evidence: &mut Evidence, rounds: &Rounds, at: i64, side: Side) {
    let delta = radius(rounds, at, Ratio::new(1, 2));
    let (sign, beside) = match side {
        Side::Left => ('-', at - delta),
        Side::Right => ('+', at + delta),
    };
    let term = |alpha: i64| match side {
        Side::Left => rounds.under(alpha),
        Side::Right => rounds.over(alpha),
    };
    let counted = |p: i64| match side {
        Side::Left => p < at,
        Side::Right => p > at,
    };
    let count = rounds.sum(|_, p| i64::from(counted(p)));
    let difference = delta * count;
    evidence.case(term(at) == term(beside), || {
        let ones = rounds.sum(|x, p| i64::from(counted(p) && x > 0));
        let terms = [at, beside].map(|alpha| {
            let [alpha, term] = [alpha, term(alpha)].map(|number| rounds.ratio(number));
            let sides = [ones.to_string(), format!("{alpha} · {count}")];
            let [first, second] = match side {
                Side::Left => sides,
                Side::Right => [sides[1].clone(), sides[0].clone()],
            };
            format!("at {alpha}: {first} - {second} = {term}")
        });
        let name = format!("{}, delta = {}", rounds.at(at), rounds.ratio(delta));
        format!(
            "{name}\nN_{sign} = {count}, X_{sign} = {ones} on both sides of the equation\n{}",
            terms.join("\n")
        )
    });
    let largest = rounds.g(at - delta).max(rounds.g(at + delta));
    evidence.corrected(
        "smaller by delta N, so g(alpha_0) <= max(g(alpha_0 - delta), g(alpha_0 + delta))",
        term(at) == term(beside) - difference && difference >= 0 && rounds.g(at) <= largest,
    );
}

pub(super) fn left_equality(evidence: &mut Evidence) {
    for rounds in sweep() {
        inner_atoms(&rounds).for_each(|at| term_beside(evidence, &rounds, at, Side::Left));
    }
}

pub(super) fn right_equality(evidence: &mut Evidence) {
    for rounds in sweep() {
        inner_atoms(&rounds).for_each(|at| term_beside(evidence, &rounds, at, Side::Right));
    }
}

/// x = (0,0), p = (0,1/2), α_0 = 1/2, and its mirror image x = (1,1), p = (1/2,1).
pub(super) fn e07(evidence: &mut Evidence) {
    let left = Rounds::new(2, &[(false, 0), (false, 1)]);
    term_beside(evidence, &left, left.unit / 2, Side::Left);
    let right = Rounds::new(2, &[(true, 1), (true, 2)]);
    term_beside(evidence, &right, right.unit / 2, Side::Right);
}

/// g(0) = g(1) = 0.
pub(super) fn g_at_ends(evidence: &mut Evidence) {
    for rounds in sweep() {
        for at in [0, rounds.unit] {
            let weak = rounds.sum(|x, p| if p <= at { x - at } else { 0 });
            let weak = weak.max(rounds.sum(|x, p| if p >= at { at - x } else { 0 }));
            let arithmetic = |value: i64| format!("{}\ng = {}", rounds.at(at), rounds.ratio(value));
            evidence.case(rounds.g(at) == 0, || arithmetic(rounds.g(at)));
            evidence.mistake("p <= alpha and p >= alpha", weak == 0, || arithmetic(weak));
        }
    }
}

/// The supremum over α outside S is that over [0, 1]. On an open gap, where g is affine, it is the
/// larger limit.
pub(super) fn typical_supremum(evidence: &mut Evidence) {
    for rounds in sweep() {
        let g = |alpha| rounds.g(alpha);
        let all = rounds.sup(g);
        let limits = rounds.limits().into_iter().map(|limit| limit.of(g)).max();
        let values = rounds.typical().into_iter().map(g).max();
        let arithmetic = |found: Option<i64>| {
            let found = rounds.ratio(found.expect("a sequence has a gap"));
            format!("{rounds}\nsup g = {}\noutside S: {found}", rounds.ratio(all))
        };
        evidence.case(limits.max(values) == Some(all), || arithmetic(limits.max(values)));
        evidence.mistake("values without limits", values == Some(all), || arithmetic(values));
    }
}

/// What the paper's argument at 0 and 1 needs, a typical α with g(α) >= 0, does not always exist.
fn nonnegative_somewhere(evidence: &mut Evidence, rounds: &Rounds) {
    // On an open gap g is affine, so it is negative on all of it if it is so at three of its points
    // and in the limit at most 0.
    let values: Vec<i64> = rounds.typical().into_iter().map(|alpha| rounds.g(alpha)).collect();
    let limits = rounds.limits().into_iter().map(|limit| limit.of(|alpha| rounds.g(alpha)));
    let somewhere = values.iter().any(|&value| value >= 0) || limits.max() > Some(0);
    evidence.case(somewhere, || {
        let lines = rounds.typical().into_iter().zip(&values);
        let lines: Vec<_> = lines
            .map(|(alpha, &g)| format!("g({}) = {}", rounds.ratio(alpha), rounds.ratio(g)))
            .collect();
        format!("{rounds}: g < 0 at all other alpha\n{}", lines.join("\n"))
    });
    let (zero, one) = (0, rounds.unit);
    let at_zero = rounds.sum(|x, p| i64::from(p == zero && x == one) * one);
    let at_one = rounds.sum(|x, p| i64::from(p == one && x == zero) * one);
    let g = |alpha| rounds.g(alpha);
    let ends =
        Limit { at: zero, side: 1 }.of(g) == at_zero && Limit { at: one, side: -1 }.of(g) == at_one;
    evidence.corrected("g(0+) = #{p = 0, x = 1} >= 0, g(1-) = #{p = 1, x = 0} >= 0", ends);
}

pub(super) fn e34(evidence: &mut Evidence) {
    sweep().for_each(|rounds| nonnegative_somewhere(evidence, &rounds));
}

/// f = 2 g at every α outside S, by the side of μ on which it lies.
pub(super) fn typical_identity(evidence: &mut Evidence) {
    for rounds in sweep() {
        let arithmetic = |alpha: i64| {
            let [f, under, over] = [rounds.f(alpha), rounds.under(alpha), rounds.over(alpha)]
                .map(|number| rounds.ratio(number));
            format!(
                "{}, mu = {}\nf = {f}\nX_- - alpha N_- = {under}\nalpha N_+ - X_+ = {over}",
                rounds.at(alpha),
                rounds.ratio(rounds.mean)
            )
        };
        for alpha in rounds.typical() {
            let (f, under, over) = (rounds.f(alpha), rounds.under(alpha), rounds.over(alpha));
            let larger = if alpha < rounds.mean { under > over } else { over > under };
            let holds = f == 2 * under.max(over) && larger;
            evidence.case(holds, || arithmetic(alpha));
            evidence.mistake("the first term only", f == 2 * under, || arithmetic(alpha));
        }
        for alpha in rounds.atoms() {
            let holds = rounds.f(alpha) == 2 * rounds.g(alpha);
            evidence.mistake("alpha in S as well", holds, || arithmetic(alpha));
        }
    }
}

/// lim -(x - α) sgn(α) as α falls to 0, as a function of the outcome x: -x, which is x only for x =
/// 0.
pub(super) fn e32(evidence: &mut Evidence) {
    for x in [0, 1] {
        // In units of 1/6: the line through the values at 2 and at 4.
        let term = |alpha: i64| -(6 * x - alpha) * alpha.signum();
        let limit = Limit { at: 0, side: 1 }.of(term);
        let show =
            || format!("x = {x}\n-({x} - alpha) · 1 tends to {} as alpha falls to 0", limit / 6);
        evidence.case(limit == -6 * x, show);
        evidence.mistake("x_t for either outcome", limit == 6 * x, show);
    }
}
