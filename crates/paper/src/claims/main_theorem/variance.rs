//! The realised variance: how large it is at least, and the sum over the epochs that are reached
//! (L1317-1353).

use crate::claims::surd::Surd;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::epochs::runs;
use super::tools::r;
use super::{Claim, Evidence, Kind, MAIN};
use super::{at_most, different, equal, int, proof, root, too_small, too_small_at};
use truecal_lab::enclosure::Enclosure;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "smooth-interior",
        kind: Kind::Inequality,
        lines: "1317",
        reading: "If p* has a density of at most 1/c on [0,1] then p* is in [c/8, 1 - c/8] with \
            probability at least 3/4, and there p*(1 - p*) >= (c/8)(1 - c/8) >= 7c/64.",
        tight: "3/4 for density 1/c on [0,c/2] and on [1-c/2,1]; 7c/64 at c = 1.",
        checks: &[proof!("polynomials in c", "all c in (0,1], all densities", smooth_interior)],
        ..MAIN
    },
    Claim {
        id: "sqrtVar-lower",
        kind: Kind::Expectation,
        lines: "1317-1320",
        reading: "In every c-smoothed setting, with probability at least 1/2 at least T/2 steps \
            have p*_t(1 - p*_t) >= 7c/64, so that E sqrt(Var_T) >= sqrt(7cT)/(16 sqrt 2).",
        departs: "The second inequality sign of the display is an equality.",
        uses: &["smooth-interior"],
        tight: "Not tight: sqrt 7/(16 sqrt 2) is 0.117. For T = 1 the best factor of sqrt(c) is \
            pi/8 = 0.393 at c = 1 and about sqrt 2/3 = 0.471 for small c.",
        checks: &[proof!(
            "Markov's inequality; T = 1 by sums",
            "all T and c; the constant tried at T = 1",
            root_variance,
        )],
        ..MAIN
    },
    Claim {
        id: "eq:gg2",
        kind: Kind::Inequality,
        lines: "1322-1346",
        reading: "The sum of sqrt(2^k) Pr[tau_(k-1) finite] over 2 <= k <= ceil(log2 T) + 2 is at \
            most (4 + 2 sqrt 2) E sqrt(Var_T + cT), hence at most 20(2 + sqrt 2) E sqrt(Var_T). \
            With j the integer for which Var_T + cT is in [2^j, 2^(j+1)), the sum of sqrt(2^k) \
            over 2 <= k <= j+2 is at most (4 + 2 sqrt 2) 2^(j/2).",
        uses: &["epoch-complete", "sqrtVar-lower", "ten"],
        tight: "The sum is (4 + 2 sqrt 2) 2^(j/2) - 2(1 + sqrt 2) for j >= 0.",
        checks: &[proof!(
            "the sum in Q(sqrt 2), and along runs",
            "all T and c; tried for T <= 6 on grids, constant p* T <= 64",
            reached_epochs,
        )],
        ..MAIN
    },
    Claim {
        id: "ten",
        kind: Kind::Numeric,
        lines: "1347-1353",
        reading: "1 + 16 sqrt 2/sqrt 7 <= 10; hence E sqrt(Var_T + cT) <= 10 E sqrt(Var_T).",
        uses: &["sqrtVar-lower"],
        tight: "1 + 16 sqrt 2/sqrt 7 = 9.5523…",
        checks: &[proof!("the number", "all T and c", ten)],
        ..MAIN
    },
];

/// Outside lies a set of length c/4, of mass at most (1/c)(c/4): a polynomial identity of degree 1
/// after multiplying by c. Inside, p(1-p) is least at the ends; (c/8)(1-c/8) - 7c/64 = c(1-c)/64,
/// of degree 2, on three points; it is not negative on [0, 1].
fn smooth_interior(evidence: &mut Evidence) {
    for c in [r(1, 4), r(1, 2), r(1, 1)] {
        let outside = &c / r(4, 1) / &c;
        equal(evidence, &format!("c = {c}: the mass inside"), &(r(1, 1) - outside), &r(3, 4));
        let least = &c / r(8, 1) * (r(1, 1) - &c / r(8, 1));
        let surplus = &c * (r(1, 1) - &c) / r(64, 1);
        equal(evidence, &format!("c = {c}"), &(&least - &c * r(7, 64)), &surplus);
        let more = &c * r(707, 6400);
        evidence.mistake("7c/64 with 1 % more", least >= more, || {
            format!("c = {c}\n(c/8)(1 - c/8) = {least}\n1.01 * 7c/64 = {more}")
        });
    }
}

/// The number B of other steps has mean at most T/4, so that Pr[B > T/2] is at most
/// (T/4)/(floor(T/2) + 1), which is below 1/2 as floor(T/2) + 1 > T/2: checked for even and odd T,
/// where it is linear in T/2. Then E sqrt(Var_T) >= (1/2) sqrt((7c/64)(T/2)), whose square is
/// (7cT)/512, linear in cT. For T = 1 the law with density 1/c on [0, c/2] and [1-c/2,1] gives the
/// least E sqrt(Var_T), (2/c) times the integral of sqrt(p(1-p)) over [0, c/2]: upper and lower
/// sums, since it increases. At c = 1 that is half the area of the disc of diameter 1.
fn root_variance(evidence: &mut Evidence) {
    for horizon in 1..=64_i64 {
        let bad = r(horizon, 4) / r(horizon / 2 + 1, 1);
        evidence.case(bad <= r(1, 2), || format!("T = {horizon}\nPr[B > T/2] <= {bad}"));
        let third = r(horizon, 3) / r(horizon / 2 + 1, 1);
        evidence.mistake("probability 2/3 inside instead of 3/4", third <= r(1, 2), || {
            format!("T = {horizon}\nPr[B > T/2] <= (T/3)/(floor(T/2) + 1) = {third}")
        });
    }
    equal(
        evidence,
        "square of the bound, over cT",
        &(r(1, 4) * r(7, 64) * r(1, 2)),
        &(r(7, 1) / r(256 * 2, 1)),
    );
    for c in [r(1, 1), r(1, 8), r(1, 64)] {
        let (lower, upper) = one_step_root_variance(&c);
        let root_c = Enclosure::exact(&c).sqrt();
        let claimed = root(7) / (int(16) * root(2)) * &root_c;
        at_most(evidence, &format!("T = 1, c = {c}"), &claimed, &lower);
        let more = Enclosure::ratio(101, 800) * Enclosure::pi() * root_c;
        let case = format!("T = 1, c = {c}: 1.01 pi/8 sqrt(c) against E sqrt(Var_T), from above\n");
        too_small_at(evidence, "1.01 pi/8 sqrt(cT)", &case, &more, &upper);
    }
}

/// (2/c) times the integral of sqrt(p(1-p)) over [0, c/2], between sums over 128 cells: the mean
/// over the cells.
fn one_step_root_variance(c: &BigRational) -> (Enclosure, Enclosure) {
    let at = |i: i64| {
        let p = c * r(i, 256);
        Enclosure::exact(&(&p * (r(1, 1) - &p))).sqrt()
    };
    let sum = |cells: std::ops::RangeInclusive<i64>| cells.map(at).sum::<Enclosure>() / int(128);
    (sum(0..=127), sum(1..=128))
}

/// sqrt(2^k).
fn half_power(k: u32) -> Surd<i128> {
    let power = 1 << (k / 2);
    if k.is_multiple_of(2) { Surd(power, 0) } else { Surd(0, power) }
}

/// F(j) = sum + 2(1 + sqrt 2) doubles from j to j+2, since the sum up to j+4 is 2 + 2 sqrt 2 plus
/// twice the sum up to j+2; so does (4 + 2 sqrt 2) 2^(j/2). So j = 0 and j = 1 suffice; larger j
/// are tried as well. For j < 0 the sum is empty.
fn geometric_sum(evidence: &mut Evidence) {
    let mut sum = Surd(0, 0);
    for j in 0..=100 {
        sum = sum.plus(&half_power(j + 2));
        let bound = Surd(4, 2).times(&half_power(j));
        let text = Surd::<i128>::to_string;
        let closed = text(&bound.minus(&Surd(2, 2)));
        equal(evidence, &format!("j = {j}"), &text(&sum), &closed);
        different(evidence, "the sum with the end at infinity", &text(&sum), &text(&bound));
    }
    let factors = [r(10 * 4, 1), r(10 * 2, 1)];
    evidence.case(factors == [r(20 * 2, 1), r(20, 1)], || "10(4 + 2 sqrt 2)".to_owned());
}

/// On every path tau_(k-1) is finite only if 2^(k-2) <= Var_T + cT (epoch-complete), that is k <=
/// j + 2; so the sum of sqrt(2^k) over the k with finite tau_(k-1) is at most (4 + 2 sqrt 2)
/// 2^(j/2), and 2^(j/2) is at most sqrt(Var_T + cT). Take expectations; ten gives the last line.
/// After the sum, these lines before expectations along runs on grids: with n complete epochs the
/// terms are k = 2, …, n+1; the square of their sum over the constant is compared with Var_T + cT.
fn reached_epochs(evidence: &mut Evidence) {
    geometric_sum(evidence);
    let needed = |complete: usize, constant: &Enclosure| {
        let sum: Enclosure = (2..complete + 2).map(|k| int(1 << k).sqrt()).sum();
        (sum / constant).square()
    };
    let constant = int(4) + int(2) * root(2);
    // The least Var_T + cT in the units of the runs, 1/320, that is certainly or possibly enough.
    let units = |least: BigRational| {
        (least * r(320, 1)).ceil().to_integer().to_i64().expect("a few thousands")
    };
    let table: Vec<_> = (0..8).map(|n| units(needed(n, &constant).high())).collect();
    let less = Enclosure::ratio(17, 4);
    let wrong: Vec<_> = (0..8).map(|n| units(needed(n, &less).low())).collect();
    for run in runs() {
        let complete = run.ends().len();
        let total = run.total();
        let text = || {
            let total = r(run.total(), run.unit);
            format!("{}\n{complete} complete epochs, sum {total}", run.describe())
        };
        evidence.case(table[complete] <= total, text);
        evidence.mistake("17/4 for 4 + 2 sqrt 2", wrong[complete] <= total, text);
    }
}

/// sqrt(Var_T + cT) <= sqrt(Var_T) + sqrt(cT), and sqrt(cT) <= (16 sqrt 2/sqrt 7) E sqrt(Var_T) by
/// sqrtVar-lower: for all T and c. 16 sqrt 2/sqrt 7 <= 9 since 512/7 <= 81.
fn ten(evidence: &mut Evidence) {
    let number = int(1) + int(16) * root(2) / root(7);
    at_most(evidence, "1 + 16 sqrt 2/sqrt 7", &number, &int(10));
    evidence.case(r(512, 7) <= r(81, 1), || "512/7 against 81".to_owned());
    too_small(evidence, "9.5 in place of 10", &number, &Enclosure::ratio(19, 2));
}
