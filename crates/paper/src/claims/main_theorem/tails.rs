//! The tail bounds on which the summands rest, with their proofs: one exponential moment each.

use num_rational::BigRational;

use super::tools::r;
use super::{Claim, Evidence, Kind, MAIN, at_most, equal, int, proof};
use truecal_lab::enclosure::Enclosure;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "freedman-lemma",
        kind: Kind::Expectation,
        reading: "A martingale from 0 over finitely many steps whose increments are at most 1 and \
            whose conditional variances add up to at most b on every path is at least x >= 0 at \
            some time with probability at most exp(-x^2/(2(b + x/3))), if b + x > 0.",
        departs: "Not in the paper, which cites it.",
        checks: &[proof!(
            "the exponential moment and its exponent",
            "all martingales, b and x; inequalities tried at points",
            freedman,
        )],
        ..MAIN
    },
    Claim {
        id: "chernoff-lemma",
        kind: Kind::Expectation,
        reading: "If each of T events has a conditional probability of at most q given those \
            before it, then at least (1 + delta) q T of them occur with probability at most \
            exp(-delta^2 q T/(2 + delta)), for every delta > 0.",
        departs: "Not in the paper, which cites it.",
        checks: &[proof!(
            "the exponential moment and its exponent",
            "all T, q and delta; inequalities tried at points",
            chernoff,
        )],
        ..MAIN
    },
];

/// Let f(s) = e^s - 1 - s. As (e^z - 1 - z)/z² is the integral of (1-u) e^(uz) over u in [0, 1], it
/// increases with z; so for X <= 1 and s >= 0, at z = sX <= s, e^(sX) <= 1 + sX + f(s) X². If X has
/// mean 0 and variance v given the past, then E e^(sX) <= 1 + f(s) v <= e^(f(s) v). So exp(s S_t -
/// f(s) V_t), where V_t is the sum of the variances so far, starts at 1 and its mean never
/// increases, also if it is stopped when S_t reaches x. There it is at least e^(sx - f(s) b), so
/// that x is reached with probability at most e^(-sx + f(s) b).
///
/// (n+2)! >= 2 * 3^n, since it is so at n = 0 and n + 3 >= 3; so f(s) = Σ s^(n+2)/(n+2)! is at most
/// (s²/2)/(1 - s/3) for 0 <= s < 3. If b > 0, s = x/(b + x/3) is below 3, and -sx + b (s²/2)/(1 -
/// s/3) is -x²/(2(b + x/3)): of degree 2 in x and 1 in b after multiplying by the denominators, on
/// 4 times 4 points. If b = 0 the martingale stays at 0, and does not reach x > 0.
fn freedman(evidence: &mut Evidence) {
    for (x, b) in (0..4).flat_map(|x| (1..=4).map(move |b| (r(x, 1), r(b, 1)))) {
        let s = &x / (&b + &x / r(3, 1));
        let exponent = &b * &s * &s / (r(2, 1) * (r(1, 1) - &s / r(3, 1))) - &s * &x;
        let claimed = -(&x * &x) / (r(2, 1) * (&b + &x / r(3, 1)));
        equal(evidence, &format!("x = {x}, b = {b}: exponent"), &exponent, &claimed);
    }
    let (mut factorial, mut threes, mut fours) = (2_i64, 2_i64, 2_i64); // (n+2)!, 2*3^n, 2*4^n
    for n in 0..=12 {
        let text = || format!("n = {n}: (n+2)! = {factorial}");
        evidence.case(factorial >= threes, text);
        evidence.mistake("x/4 for x/3: 2*4^n", factorial >= fours, text);
        (factorial, threes, fours) = (factorial * (n + 3), threes * 3, fours * 4);
    }
    let moment = |s: &BigRational| Enclosure::exact(s).exp() - int(1) - Enclosure::exact(s);
    for s in [r(1, 4), r(1, 1), r(2, 1), r(11, 4)] {
        let bound = &s * &s / (r(2, 1) * (r(1, 1) - &s / r(3, 1)));
        at_most(evidence, &format!("f({s})"), &moment(&s), &Enclosure::exact(&bound));
        let sides = |x: &BigRational| {
            let (linear, square) = (Enclosure::exact(&(&s * x)), Enclosure::exact(&(x * x)));
            (linear.exp(), int(1) + &linear + moment(&s) * square)
        };
        for x in [r(-5, 1), r(-1, 1), r(-1, 3), r(1, 3), r(9, 10)] {
            let (left, right) = sides(&x);
            at_most(evidence, &format!("s = {s}, X = {x}: e^(sX)"), &left, &right);
        }
        let (left, right) = sides(&r(2, 1));
        evidence.mistake("increments up to 2", left.at_most(&right) != Some(false), || {
            format!("s = {s}, X = 2: {left:.6} > {right:.6}")
        });
    }
}

/// With s = ln(1 + δ), an event of conditional probability at most q has E e^(s 1) <= 1 + q(e^s -
/// 1), which is at most e^(qδ). So the number N of events has E e^(sN) <= e^(qTδ), and N >= (1+δ)
/// qT has a probability of at most exp(qT(δ - (1+δ) ln(1+δ))).
///
/// ln(1+δ) >= 2δ/(2+δ): equal at 0, and the difference has the derivative 1/(1+δ) - 4/(2+δ)² =
/// δ²/((1+δ)(2+δ)²) >= 0, as (2+δ)² - 4(1+δ) = δ². So the exponent over qT is at most δ -
/// 2δ(1+δ)/(2+δ) = -δ²/(2+δ), as 2(1+δ) - (2+δ) = δ: identities of degree at most 2, on three
/// points.
fn chernoff(evidence: &mut Evidence) {
    for delta in [1_i64, 2, 3] {
        let square = (2 + delta).pow(2) - 4 * (1 + delta);
        equal(evidence, &format!("delta = {delta}"), &square, &(delta * delta));
        equal(evidence, &format!("delta = {delta}"), &(2 * (1 + delta) - (2 + delta)), &delta);
    }
    for delta in [r(1, 4), r(1, 1), r(4, 1), r(40, 1)] {
        let more = &delta + r(1, 1);
        let exponent =
            Enclosure::exact(&delta) - Enclosure::exact(&more) * Enclosure::exact(&more).ln();
        let square = &delta * &delta;
        let bound = Enclosure::exact(&-(&square / (&delta + r(2, 1))));
        at_most(evidence, &format!("delta = {delta}: exponent"), &exponent, &bound);
        let wrong = Enclosure::exact(&-(&square / r(2, 1)));
        evidence.mistake("2 for 2 + delta", exponent.at_most(&wrong) != Some(false), || {
            format!("delta = {delta}: {exponent:.6} > {wrong:.6}")
        });
    }
}
