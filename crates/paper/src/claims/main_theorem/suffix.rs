//! The suffix: the fullest bin of width eps*/2^m (L1430-1436, 1566-1612), and its use under a
//! condition.
//!
//! chernoff-lemma: a sum of T indicators, each of conditional probability at most mu/T <= 1,
//! reaches (1 + delta) mu with probability at most exp(-delta^2 mu/(2 + delta)).

use crate::claims::tools::{boundary, step};
use num_rational::BigRational;
use num_traits::{One, Pow, Zero};

use super::epochs::Run;
use super::tools::r;
use super::{
    Claim, Evidence, Kind, MAIN, at_most, equal, exhaustion, instance, int, proof, too_small,
    too_small_at,
};
use truecal_lab::enclosure::Enclosure;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "lemma:suffix_bound",
        kind: Kind::Expectation,
        lines: "1430-1437, 1563-1613",
        reading: "For T, m >= 1, eps* and c in (0,1] and every c-smoothed nature, let X be the \
            largest number of p*_1, …, p*_T in one bin (w, w + eps*/2^m], w in V_(eps*/2^m). Then \
            E X <= 2T eps*/(2^m c) + 3(ln(2^(m+1)/eps*) + 1).",
        departs: "The paper adds \"for any epoch k\", on which nothing depends.",
        uses: &["chernoff-step", "suffix-integrals", "chernoff-lemma"],
        see: &["eq:suffix-tail-bound", "E13", "suffix-conditioning", "E23"],
        checks: &[proof!(
            "the chain; uniform natures exactly",
            "all T, m, eps* and c; tried for T <= 8, m <= 3",
            suffix_bound,
        )],
        ..MAIN
    },
    Claim {
        id: "chernoff-step",
        kind: Kind::Inequality,
        lines: "1575-1578",
        reading: "delta^2/(2 + delta) >= delta/3 for all real delta >= 1.",
        tight: "Equality at delta = 1.",
        checks: &[proof!("polynomial in delta - 1", "all delta >= 1", chernoff_step)],
        ..MAIN
    },
    Claim {
        id: "eq:suffix-tail-bound",
        kind: Kind::Inequality,
        lines: "1580-1585",
        reading: "The tail of X has the factor ceil(2^m/eps*), the number of bins.",
        parts: &["E13"],
        see: &["lemma:suffix_bound"],
        ..MAIN
    },
    Claim {
        id: "E13",
        kind: Kind::Inequality,
        lines: "1584",
        reading: "V_(eps*/2^m) has at most ceil(2^m/eps*) members, for eps* = c^2 and m >= 1; so \
            the tail of X has that factor.",
        see: &["lemma:suffix_bound", "eq:suffix-tail-bound"],
        defect: boundary(
            "V_eps has floor(1/eps) + 1 members; but the bin at 1 lies outside of [0,1], so \
                ceil(1/eps) of them matter and the bound stands.",
        ),
        checks: &[
            exhaustion!("counting", "c = a/b with b <= 6, m <= 4", members),
            instance!("counting", "the instances", e13),
        ],
        ..MAIN
    },
    Claim {
        id: "suffix-integrals",
        kind: Kind::Identity,
        lines: "1586-1611",
        reading: "For n >= 1 and a > 0 the integral of min(n e^(-ax), 1) over x >= 0 is (ln n + \
            1)/a; and ceil(z) <= 2z for z >= 1.",
        checks: &[proof!("sums over cells of width h", "all n >= 1, a > 0, z >= 1", integrals)],
        ..MAIN
    },
    Claim {
        id: "suffix-conditioning",
        kind: Kind::Expectation,
        lines: "1434, 1453, 1681",
        reading: "A bound for E[X] is one for E[X given tau_(k-1) finite].",
        parts: &["E23"],
        see: &["lemma:suffix_bound", "lemma:staepcalibepoch"],
        ..MAIN
    },
    Claim {
        id: "E23",
        kind: Kind::Expectation,
        lines: "1434, 1681",
        reading: "E[X given tau_(k-1) finite] <= E[X], X being the largest number of p*_t, t <= T, \
            in one bin: \
                  so the proof passes from lemma:suffix_bound to the conditional expectation.",
        departs: "The paper does not say so; the step needs it.",
        see: &["lemma:suffix_bound", "lemma:staepcalibepoch", "suffix-conditioning"],
        defect: step(
            "Count the steps of I_k only, and the lemma stands; or use Pr[A] E[X | A] <= E[X] in \
                the sum over epochs, and the theorem does.",
        ),
        checks: &[
            instance!("a nature on two steps", "the instance", conditioning),
            instance!("a nature on 64 steps", "the instance", e23),
        ],
        ..MAIN
    },
];

/// A bin has conditional probability at most mu/T with mu = T eps*/(2^m c). Of the bins (jh,
/// (j+1)h], h = eps*/2^m, those with jh < 1 meet (0, 1], which are n = ceil(2^m/eps*), and p* = 0
/// has probability 0. If mu > T then X <= T < mu. Otherwise Pr[X >= (1 + delta) mu] is at most
/// min(n e^(-delta mu/3), 1) for delta >= 1, by Chernoff and chernoff-step; so E X is at most 2 mu
/// plus mu times the integral of that, 2 mu + mu (ln n + 1)/(mu/3) = 2 mu + 3(ln n + 1), and n <=
/// 2^(m+1)/eps* as ceil(z) <= 2z. Natures with c = 1 and eps* = 1 throw T balls into 2^m equal
/// bins: exactly.
fn suffix_bound(evidence: &mut Evidence) {
    for mu in [r(1, 2), r(1, 1), r(7, 3)] {
        equal(evidence, &format!("mu = {mu}: mu/(mu/3)"), &(&mu / (&mu / r(3, 1))), &r(3, 1));
    }
    for (horizon, m) in (1..=8_i64).flat_map(|horizon| (1..=3_u32).map(move |m| (horizon, m))) {
        let bins = 1_i64 << m;
        let fullest = Enclosure::exact(&fullest_bin(horizon, bins));
        let logs = int(3) * (int(2 * bins).ln() + int(1));
        let bound = Enclosure::ratio(2 * horizon, bins) + logs;
        at_most(evidence, &format!("c = eps* = 1, T = {horizon}, m = {m}"), &fullest, &bound);
        let first = Enclosure::ratio(2 * horizon, bins);
        let case = format!("c = eps* = 1, T = {horizon}, m = {m}: E X against 2T/2^m\n");
        too_small_at(evidence, "2T eps*/(2^m c) alone", &case, &fullest, &first);
    }
}

/// The expected number of balls in the fullest bin, for independent balls in equally likely bins:
/// the sum over j >= 0 of Pr[some bin has more than j], by the exponential generating function of
/// bins with at most j.
fn fullest_bin(balls: i64, bins: i64) -> BigRational {
    let balls = usize::try_from(balls).expect("a few balls");
    let ways = |most: usize| {
        let mut series = vec![BigRational::zero(); balls + 1];
        series[0] = BigRational::one();
        for _ in 0..bins {
            series = (0..=balls)
                .map(|n| {
                    (0..=most.min(n)).map(|i| &series[n - i] / factorial(i)).sum::<BigRational>()
                })
                .collect();
        }
        &series[balls] * factorial(balls)
    };
    let all = r(bins, 1).pow(i32::try_from(balls).expect("a few balls"));
    (0..balls).map(|most| BigRational::one() - ways(most) / &all).sum()
}

fn factorial(n: usize) -> BigRational {
    (1..=n).map(|i| BigRational::from_integer(i.into())).product()
}

/// 3 delta^2 - delta(2 + delta) with delta = 1 + e is 2e + 2e^2: degree 2, on three points; no
/// coefficient is negative.
fn chernoff_step(evidence: &mut Evidence) {
    for e in 0..3_i64 {
        let delta = 1 + e;
        let difference = 3 * delta * delta - delta * (2 + delta);
        equal(evidence, &format!("delta = {delta}"), &difference, &(2 * e + 2 * e * e));
        let more = 300 * delta * delta - 101 * delta * (2 + delta);
        evidence.mistake("1.01 delta/3", more >= 0, || {
            format!("delta = {delta}\n300 delta^2 - 101 delta (2 + delta) = {more}")
        });
    }
}

/// One pair (c, m): the members of V, the claimed number, and the bins that meet [0, 1].
fn count_members(evidence: &mut Evidence, c: &BigRational, m: u32) {
    let eps = c * c;
    let width = &eps / r(1 << m, 1);
    let members = width.recip().floor() + r(1, 1);
    let claimed = width.recip().ceil();
    evidence.case(members <= claimed, || {
        format!(
            "c = {c}, m = {m}, width eps*/2^m = {width}\n\
             multiples of the width in [0, 1]: floor({0}) + 1 = {members}\n\
             ceil(2^m/eps*) = ceil({0}) = {claimed}",
            width.recip()
        )
    });
    // The bin (w, w + width] meets (0, 1] unless w = 1.
    let last_is_one = width.recip().is_integer();
    let meeting = &members - r(i64::from(last_is_one), 1);
    evidence.corrected("ceil(2^m/eps*) bins meet [0,1]", meeting == claimed);
}

fn members(evidence: &mut Evidence) {
    for b in 1..=6_i64 {
        for a in (1..=b).rev() {
            for m in 1..=4 {
                count_members(evidence, &r(a, b), m);
            }
        }
    }
}

fn e13(evidence: &mut Evidence) {
    count_members(evidence, &r(1, 1), 1);
    count_members(evidence, &r(1, 2), 1);
}

/// Replacing x by x/a gives the factor 1/a. On [0, ln n] the function is 1, and beyond it is e^(-s)
/// with s = x - ln n, so that the integral is ln n plus that of e^(-s): between h q/(1-q) and
/// h/(1-q) with q = e^(-h), by geometric series over cells of width h. These are h apart, and 1 is
/// between them for each h > 0, since e^h >= 1 + h and e^(-h) >= 1 - h: so the integral is 1.
/// ceil(z) < z + 1 <= 2z for z >= 1.
fn integrals(evidence: &mut Evidence) {
    for power in [0, 2, 5, 10, 20] {
        let width = Enclosure::ratio(1, 1 << power);
        let ratio = (-&width).exp();
        let upper = &width / (int(1) - &ratio);
        let lower = &upper * ratio;
        let what = format!("integral of e^(-s), cells of 2^-{power}");
        at_most(evidence, &what, &lower, &int(1));
        at_most(evidence, &what, &int(1), &upper);
        too_small(evidence, "ln n + 127/128", &lower, &Enclosure::ratio(127, 128));
    }
    for n in 2..=64_i64 {
        evidence.case(2 * (n - 1) >= n, || format!("z -> {} from above, ceil(z) = {n}", n - 1));
    }
}

/// T = 2, c = 2/7, so that m = 1 and bins have width c^2/2 = 2/49, and epoch 1 ends when the
/// variances and 2t/7 reach 1. P is uniform on [16/49, 30/49], which is bins 9 to 15, at first and
/// after x_1 = 1; after x_1 = 0 it has density 7/2 on [0, 1/7] and on [6/7, 1]. p(1-p) is at least
/// 16/49 * 33/49 in the first interval and at most 6/49 in the others. So tau_1 is finite iff x_1 =
/// 1, which has probability E p*_1. Then p*_2 is in the bin of p*_1, whichever it is, with
/// probability 1/7; otherwise it is not.
fn conditioning(evidence: &mut Evidence) {
    let end = r(1, 1) - r(2, 1) * r(2, 7);
    let after_one = r(2, 1) * r(16, 49) * r(33, 49);
    let after_zero = r(1, 4) + r(1, 7) * r(6, 7);
    let decided = after_one >= end && after_zero < end;
    let chance = (r(16, 49) + r(30, 49)) / r(2, 1);
    let (given, otherwise) = (fullest_bin(2, 7), r(1, 1));
    let expected = &chance * &given + (r(1, 1) - &chance) * otherwise;
    evidence.case(given <= expected, || {
        format!(
            "T = 2, c = 2/7, m = 1, bins of width c^2/2 = 2/49, k = 2\n\
             P = U[16/49,30/49] at first and after x_1 = 1; U([0,1/7] and [6/7,1]) after x_1 = 0\n\
             tau_1 is finite iff Var_2 >= 1 - 2c = {end}\n\
             Var_2 >= 2 * 16/49 * 33/49 = {after_one} after x_1 = 1\n\
             Var_2 <= 1/4 + 1/7 * 6/7 = {after_zero} after x_1 = 0\n\
             so tau_1 is finite iff x_1 = 1, which has probability E p*_1 = {chance}\n\
             E[X | x_1 = 1] = 1 + 1/7 = {given}: two p* in 7 bins\n\
             E[X | x_1 = 0] = 1: never in the same bin\n\
             E[X] = 1 + {chance} * 1/7 = {expected}"
        )
    });
    let holds = decided && &given * chance <= expected;
    evidence.corrected("Pr[A] E[X | A] <= E[X], which is enough for the sum over epochs", holds);
}

/// T = 64, c = 1/64, so that m = 6. Each p*_t has mass 1/4096 on one bin (1/2, 1/2 + 2^-18], at
/// density 64, and the rest on [0, 1/64]. tau_4 is finite with positive probability: when all are
/// in the bin. It needs Var_T + cT >= 1 + 2 + 4 + 8, while N steps in the bin give at most N/4 +
/// (64 - N)/64 + 1.
fn e23(evidence: &mut Evidence) {
    // p* = 1/2 + 2^-18 at most: the variance is 1/4 - 2^-36 at least.
    let all_in_bin = Run { unit: 1 << 36, smoothness: 1 << 30, variances: vec![(1 << 34) - 1; 64] };
    let possible = all_in_bin.ends().len() >= 4;
    let most = |inside: i64| r(inside, 4) + r(64 - inside, 64) + r(1, 1);
    let needed = (0..=64).find(|&inside| most(inside) >= r(15, 1)).unwrap_or(64);
    let bound = Enclosure::ratio(2, 64) + int(3) * (int(19) * Enclosure::ln2() + int(1));
    let holds = int(needed).at_most(&bound) != Some(false);
    evidence.case(!possible || holds, || {
        format!(
            "T = 64, c = 1/64, m = 6, eps*/2^m = 2^-18, k = 5\n\
             p*_t in (1/2, 1/2 + 2^-18] with probability 1/4096, else uniform on [0, 1/64]\n\
             tau_4 finite needs Var_T + cT >= 15 and has positive probability\n\
             with N in the bin Var_T + cT <= N/4 + (64-N)/64 + 1, so N >= {needed}\n\
             E[X | tau_4 finite] >= {needed}\n\
             2T eps*/(2^m c) + 3(ln(2^(m+1)/eps*) + 1) = 1/32 + 3(19 ln 2 + 1) = {bound:.6}"
        )
    });
    // Those N steps come before the end of epoch 4.
    let left = int(64 - needed);
    let inside_epoch = left.at_most(&bound) == Some(true);
    evidence.corrected("it holds for the steps in I_k alone", inside_epoch);
}
