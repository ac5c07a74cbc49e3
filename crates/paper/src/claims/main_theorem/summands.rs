//! The prefix and the segments (L1405-1428, 1474-1564): what is built on Freedman's inequality.
//!
//! freedman-lemma: a martingale with increments of at most 1 and total conditional variance at most
//! b on every path reaches a with probability at most exp(-a^2/(2(b + a/3))), and so at most
//! exp(-a^2/(2(a + b))).

use crate::claims::tools::step;
use num_rational::BigRational;
use num_traits::Pow;

use super::tools::r;
use super::{
    Claim, Evidence, Kind, MAIN, at_most, different, equal, instance, int, proof, too_small,
};
use truecal_lab::enclosure::Enclosure;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "lemma:prefix_bound",
        kind: Kind::Expectation,
        lines: "1408-1417, 1472-1498",
        reading: "For every epoch k and eps* in (0,1]: E[max over w in V_eps* of |M_T(w,y,k)| \
            given tau_(k-1) finite] is at most sqrt(2^(k+1) ln(4/eps*)) + sqrt(2^(k-1) pi) + 2 \
            ln(4/eps*) + 2.",
        departs: "Freedman's inequality is used for the filtration that reveals p*_s before x_s.",
        uses: &["martingale", "epoch-variance", "V-size", "freedman-lemma"],
        see: &["epoch-measurable"],
        checks: &[
            proof!("the algebra of the tail", "all k and eps*", tail_algebra),
            proof!("the two integrals", "both integrals", layer_cake),
        ],
        ..MAIN
    },
    Claim {
        id: "lemma:segment_bound",
        kind: Kind::Expectation,
        lines: "1419-1428, 1500-1561",
        reading: "For every epoch k, i >= 1, eps* and c in (0,1]: E[max over w in V_(eps*/2^i) of \
            |M_T((w, w + eps*/2^i],y,k)| given tau_(k-1) finite] is at most sqrt(2b \
            ln(2^(i+2)/eps*)) + sqrt(pi b/2) + 2 ln(2^(i+2)/eps*) + 2 with b = eps* 2^(k-i)/c^2.",
        departs: "The filtration is that of x and p* up to s-1: by then it is known whether s is \
            in I_k (E12).",
        uses: &[
            "martingale",
            "fact-segment-variance",
            "V-size",
            "lemma:prefix_bound",
            "freedman-lemma",
        ],
        see: &["epoch-measurable"],
        checks: &[proof!("substitution of b", "all k, i, eps* and c", segment_algebra)],
        ..MAIN
    },
    Claim {
        id: "fact-segment-variance",
        kind: Kind::Expectation,
        lines: "1505-1540",
        reading: "The increments v_s of M((w, w + eps*/2^i],y,k) satisfy sum_s E[v_s^2 given the \
            past] <= eps* 2^(k-i)/c^2 on every path.",
        departs: "The past is x and p* up to s-1. Pathwise: at most ceil(2^(k-1)/c) steps, each \
            with conditional probability at most eps*/(2^i c). The paper's third line is E17.",
        uses: &["epoch-def", "epoch-length"],
        see: &["E12", "E17"],
        checks: &[proof!(
            "ceil(z) <= 2z for z = 2^(k-1)/c >= 1",
            "all k, i, eps* and c",
            segment_variance,
        )],
        ..MAIN
    },
    Claim {
        id: "E17",
        kind: Kind::Expectation,
        lines: "1528, 1531",
        reading: "On every path, sum_s Pr[p*_s in I, s in I_k given x_1..x_(s-1)] is at most sum_s \
            E[1{t' = s} sum over tau < ceil(2^(k-1)/c) of Pr[p*_(s+tau) in I given x_1..x_(s-1)]], \
            t' being the first step of epoch k.",
        see: &["fact-segment-variance"],
        defect: step(
            "Argue on each path of x and p*: at most ceil(2^(k-1)/c) steps, each with conditional \
                probability at most eps*/(2^i c). The bound on the variance stands.",
        ),
        checks: &[instance!("a nature on two steps", "the instance", averaged_line)],
        ..MAIN
    },
];

/// With u = sqrt(ln(2/p)) and v = sqrt(2b), a = sqrt(2b ln(2/p)) + 2 ln(2/p) is uv + 2u^2, and
/// a^2 - 2u^2(a + v^2/2) = 2u^3 v >= 0: an identity of degree 4 in u and 2 in v, on a grid of 5 by
/// 3. So the tail at a is at most exp(-u^2) = p/2 on each side. For the union over at most 2/eps*
/// points (V-size), each gets p' with (2/eps*) p' = p: 2/p' = (4/eps*)/p. As sqrt(s + t) <= sqrt
/// s + sqrt t, with b = 2^k (epoch-variance) the maximum exceeds sqrt(2^(k+1) ln(4/eps*)) +
/// sqrt(2^(k+1) ln(1/p)) + 2 ln(4/eps*) + 2 ln(1/p) with probability at most p, and the integral of
/// this over p in (0,1) bounds its mean: see [`layer_cake`].
fn tail_algebra(evidence: &mut Evidence) {
    for (u, v) in (0..5).flat_map(|u| (0..3).map(move |v| (r(u, 1), r(v, 1)))) {
        let surplus = |a: &BigRational| a * a - r(2, 1) * &u * &u * (a + &v * &v * r(1, 2));
        let claimed = r(2, 1) * &u * &u * &u * &v;
        let a = &u * &v + r(2, 1) * &u * &u;
        equal(evidence, &format!("u = {u}, v = {v}"), &surplus(&a), &claimed);
        let less = &u * &v + &u * &u;
        evidence.mistake("ln(2/p) in place of 2 ln(2/p)", surplus(&less) >= r(0, 1), || {
            format!("u = {u}, v = {v}, a = {less}\na^2 - 2u^2(a + b) = {}", surplus(&less))
        });
    }
    for (eps, p) in [(r(1, 1), r(1, 2)), (r(1, 4), r(1, 3)), (r(4, 9), r(1, 1))] {
        let each = &p * &eps / r(2, 1);
        equal(evidence, "2/p' for the union", &(r(2, 1) / each), &(r(4, 1) / &eps / &p));
    }
}

/// p + p ln(1/p) has the derivative ln(1/p), is 1 at p = 1 and tends to 0 with p: the first
/// integral is 1. With p = e^(-s^2) the second is that of 2s^2 e^(-s^2) over s >= 0, by parts that
/// of e^(-s^2), say G. The volume under e^(-x^2-y^2) over the plane is (2G)^2; at height p it is
/// cut in a disc with the square of the radius ln(1/p), so the volume is pi times the first
/// integral, pi: G = sqrt(pi)/2. And sqrt(2^(k+1)) sqrt(pi)/2 = sqrt(2^(k-1) pi).
///
/// The values are compared with sums. f = ln(1/p) and f = sqrt(ln(1/p)) fall on (0,1]. On [1/n, 1]
/// the integral is between the sums of f over n cells at their right and left ends; on [0, 1/n] it
/// is at least f(1/n)/n and at most (1 + ln n)/n, the integral of ln(1/p) there, or (by Cauchy and
/// Schwarz) sqrt(1 + ln n)/n.
fn layer_cake(evidence: &mut Evidence) {
    const CELLS: i64 = 1000;
    let log = |i: i64| if i == CELLS { int(0) } else { Enclosure::ratio(CELLS, i).ln() };
    let logs: Vec<_> = (1..=CELLS).map(log).collect();
    let end = int(1) + &logs[0];
    let roots: Vec<_> = logs.iter().map(Enclosure::sqrt).collect();
    let half_root_pi = Enclosure::pi().sqrt() / int(2);
    for (name, values, rest, claimed) in [
        ("integral of ln(1/p)", &logs, end.clone(), int(1)),
        ("integral of sqrt(ln(1/p))", &roots, end.sqrt(), half_root_pi),
    ] {
        let sum: Enclosure = values.iter().cloned().sum();
        let (lower, upper) = (&sum / int(CELLS), (&sum + rest) / int(CELLS));
        at_most(evidence, &format!("{name}: lower sum"), &lower, &claimed);
        at_most(evidence, &format!("{name}: upper sum"), &claimed, &upper);
        let close = &upper - &lower;
        at_most(evidence, &format!("{name}: between"), &close, &Enclosure::ratio(1, 100));
        let less = &claimed * Enclosure::ratio(127, 128);
        too_small(evidence, "127/128 of the integrals", &lower, &less);
    }
}

/// As for lemma:prefix_bound, with b = eps* 2^(k-i)/c^2 (fact-segment-variance) for 2^k and
/// eps*/2^i for eps*. Products of powers of 2, eps* and c: equal for all if equal where each takes
/// two values. 2b = eps* 2^(k-i+1)/c^2; (2b)/4 = b/2 = eps* 2^(k-i-1)/c^2 is what pi multiplies
/// under the root; and 4 (2^i/eps*) = 2^(i+2)/eps*.
fn segment_algebra(evidence: &mut Evidence) {
    for (k, i) in (1..=3_i32).flat_map(|k| (1..=3_i32).map(move |i| (k, i))) {
        for (eps, c) in [(r(1, 4), r(1, 2)), (r(1, 3), r(1, 2)), (r(1, 4), r(2, 3))] {
            let two = |power: i32| r(2, 1).pow(power);
            let b = &eps * two(k - i) / (&c * &c);
            let what = format!("k = {k}, i = {i}, eps* = {eps}, c = {c}");
            let first = &eps * two(k - i + 1) / (&c * &c);
            equal(evidence, &what, &(r(2, 1) * &b), &first);
            equal(evidence, &what, &(&first / r(4, 1)), &(&eps * two(k - i - 1) / (&c * &c)));
            equal(evidence, &what, &(r(4, 1) * two(i) / &eps), &(two(i + 2) / &eps));
            different(evidence, "c in place of c^2", &(r(2, 1) * b), &(first * &c));
        }
    }
}

/// v_s^2 <= 1{p*_s in the interval} 1{s in I_k}. Whether s is in I_k is known from the past
/// (epoch-def: tau_(k-1) < s <= tau_k depends on p*_1, …, p*_(s-1)), and given it p*_s is in an
/// interval of length eps*/2^i with probability at most eps*/(2^i c). I_k has n <= ceil(z) steps, z
/// = 2^(k-1)/c (epoch-length). On (n-1, n] the least of 2z - ceil(z) = 2z - n is approached at n-1:
/// n - 2 >= 0 for n >= 2; and 2 - 1 at z = 1, as z >= 1. So the sum, at most n eps*/(2^i c), is at
/// most 2z eps*/(2^i c) = eps* 2^(k-i)/c^2.
fn segment_variance(evidence: &mut Evidence) {
    evidence.case(r(2, 1) >= r(1, 1), || "z = 1".to_owned());
    for n in 2..=64_i64 {
        evidence.case(2 * (n - 1) >= n, || format!("z -> {}, ceil(z) = {n}", n - 1));
        evidence.mistake("1.99 z in place of 2z", 199 * (n - 1) >= 100 * n, || {
            let less = r(199 * (n - 1), 100);
            format!("z -> {} from above\nceil(z) = {n}\n1.99 z -> {less}", n - 1)
        });
    }
    for (k, i) in (1..=4_i32).flat_map(|k| (1..=3_i32).map(move |i| (k, i))) {
        for c in [r(1, 1), r(2, 3), r(1, 2), r(2, 7)] {
            let eps = &c * &c;
            let steps = (r(2, 1).pow(k - 1) / &c).ceil();
            let sum = steps * r(2, 1).pow(-i) * &eps / &c;
            let bound = &eps * r(2, 1).pow(k - i) / (&c * &c);
            evidence.case(sum <= bound, || format!("k = {k}, i = {i}, c = {c}\n{sum} <= {bound}"));
        }
    }
}

/// T = 2, c = 1/2, k = 1, i = 1, eps* = 1/4, I = (1/2, 5/8]. P is uniform on [0, 1/2] at first and
/// after x_1 = 0, and on [1/2, 1] after x_1 = 1. Epoch 1 holds both steps, since p*_1(1 - p*_1) +
/// 1/2 < 1; so t' = 1.
fn averaged_line(evidence: &mut Evidence) {
    let density = r(2, 1);
    let length = r(5, 8) - r(1, 2);
    let after_one = &density * length;
    let line_2 = r(0, 1) + &after_one;
    let outcome_one = r(1, 4);
    let line_3 = r(0, 1) + &outcome_one * &after_one;
    evidence.case(line_2 <= line_3, || {
        format!(
            "T = 2, c = 1/2, k = 1, i = 1, I = (1/2, 5/8], x_1 = 1\n\
             P = U[0,1/2] at first and after 0, P = U[1/2,1] after 1; I_1 = {{1, 2}}\n\
             line 2: 0 + 2 * 1/8 = {line_2}\n\
             line 3: 0 + Pr[x_1 = 1] * 2 * 1/8 = {outcome_one} * {after_one} = {line_3}"
        )
    });
    let pathwise = r(2, 1) * r(1, 2) * r(1, 4) / r(1, 2);
    evidence.corrected(
        "on every path at most ceil(2^(k-1)/c) eps*/(2^i c)",
        line_2 <= pathwise && pathwise <= r(1, 4) / r(1, 4),
    );
}
