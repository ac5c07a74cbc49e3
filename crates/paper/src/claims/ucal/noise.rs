//! Checks of the smoothed nature: p* uniform within c of 1/5, then of 4/5 (L879-956).

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::binomial::Binomial;
use crate::claims::tools::{int, r, uniform_moment};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// The parameters of the proof at T = r^3 with gamma = T^(-1/3) = 1/r, for even r: then sqrt(gamma
/// T) = r.
struct Cube {
    root: i64,
    c: BigRational,
}

impl Cube {
    fn gamma(&self) -> BigRational {
        r(1, self.root)
    }

    /// P(x = 1 | p* < alpha)
    fn chance(&self) -> BigRational {
        conditional_mean(&self.c, &self.gamma())
    }
}

/// alpha = 1/5 - (1 - 2 gamma) c
pub(super) fn threshold(c: &BigRational, gamma: &BigRational) -> BigRational {
    r(1, 5) - (int(1) - int(2) * gamma) * c
}

/// 1/5 - (1 - gamma) c
pub(super) fn conditional_mean(c: &BigRational, gamma: &BigRational) -> BigRational {
    r(1, 5) - (int(1) - gamma) * c
}

/// T = 8, 64, 216, 512.
const ROOTS: [i64; 4] = [2, 4, 6, 8];

/// The values of c that are tried.
fn amounts() -> [BigRational; 3] {
    [r(1, 20), r(1, 10), r(3, 20)]
}

/// c = 1/60, …, 11/60 and gamma = 0, 1/6, …, 1: more points in each variable than any degree below.
fn grid() -> impl Iterator<Item = (BigRational, BigRational)> {
    (1..12).flat_map(|i| (0..=6).map(move |j| (r(i, 60), r(j, 6))))
}

/// E p* = 1/5 and 4/5. Multiplied by 4c both sides are quadratic in c, and they agree at 11 values
/// of c.
pub(super) fn marginal(evidence: &mut Evidence) {
    for c in (1..12).map(|i| r(i, 60)) {
        for centre in [r(1, 5), r(4, 5)] {
            let [low, high] = [&centre - &c, &centre + &c];
            let mean = uniform_moment(&low, &high, 1);
            evidence.case(mean == centre, || format!("[{low}, {high}]: E p* = {mean}"));
            let wrong = uniform_moment(&centre, &high, 1);
            evidence.mistake("noise from [0, c]", wrong == centre, || {
                format!("[{centre}, {high}]: E p* = {wrong}")
            });
        }
    }
}

/// P(p* < alpha) = gamma, and the mean of p* below alpha is 1/5 - (1 - gamma) c: multiplied by 2c
/// and by the length of the interval, polynomials of degree at most 2 in each of c and gamma. And
/// no p* of the second half is below alpha.
pub(super) fn below_threshold(evidence: &mut Evidence) {
    for (c, gamma) in grid() {
        let (low, alpha) = (r(1, 5) - &c, threshold(&c, &gamma));
        let mass_below = |to: &BigRational| (to - &low) / (int(2) * &c);
        let (mass, mean) = (mass_below(&alpha), uniform_moment(&low, &alpha, 1));
        let order = alpha <= r(1, 5) + &c && r(1, 5) + &c < r(2, 5) && r(3, 5) < r(4, 5) - &c;
        let stated = mass == gamma && mean == conditional_mean(&c, &gamma);
        evidence.case(stated && order, || {
            format!("c = {c}, gamma = {gamma}\nP(p* < alpha) = {mass}, mean there {mean}")
        });
        let overview = r(1, 5) - (int(1) - &gamma) * &c;
        let mass = mass_below(&overview);
        evidence.mistake("alpha of the overview, 1/5 - (1 - gamma) c", mass == gamma, || {
            format!("c = {c}, gamma = {gamma}, alpha = {overview}\nP(p* < alpha) = {mass}")
        });
    }
}

/// P(gamma T/4 <= N <= gamma T) for N ~ Bin(T/2, chance).
fn within(rounds: i64, chance: &BigRational, gamma_t: &BigRational) -> BigRational {
    let law = Binomial::new(rounds.unsigned_abs() / 2, chance);
    let first = integer(&(gamma_t / int(4)).ceil());
    let last = integer(&gamma_t.floor());
    if first > last { BigRational::zero() } else { law.above(first - 1) - law.above(last) }
}

pub(super) fn integer(number: &BigRational) -> i64 {
    number.to_integer().try_into().expect("a small number")
}

/// For gamma >= 1/(2T) the probability should be positive; it is at least 3/10 for gamma >= 1/T.
pub(super) fn typical_count(evidence: &mut Evidence) {
    for rounds in (2..=40).step_by(2) {
        for quarters in 2..4 * rounds {
            let probability = typical_count_at(evidence, rounds, &r(quarters, 4));
            if quarters >= 4 {
                let statement = "probability at least 3/10 if gamma >= 1/T";
                evidence.corrected(statement, probability >= r(3, 10));
            }
        }
    }
}

/// The same at gamma = 1/(2T), corrected to 1/T.
pub(super) fn half_a_count(evidence: &mut Evidence) {
    for rounds in (2..=40).step_by(2) {
        typical_count_at(evidence, rounds, &r(1, 2));
        let probability = within(rounds, &r(1, rounds), &int(1));
        evidence.corrected("probability at least 3/10 at gamma = 1/T", probability >= r(3, 10));
    }
}

/// One case: whether the probability is positive.
fn typical_count_at(evidence: &mut Evidence, rounds: i64, gamma_t: &BigRational) -> BigRational {
    let gamma = gamma_t / int(rounds);
    let probability = within(rounds, &gamma, gamma_t);
    evidence.case(!probability.is_zero(), || {
        format!(
            "T = {rounds}, gamma = {gamma}\n[gamma T/4, gamma T] = [{}, {gamma_t}]\n\
             no integer in it, so the probability is 0",
            gamma_t / int(4)
        )
    });
    probability
}

/// q (1 - q) >= (1/5 - c) 4/5 for q = 1/5 - (1 - gamma) c: q exceeds 1/5 - c by gamma c, and 1 - q
/// exceeds 4/5 by (1 - gamma) c. These are identities of degree 1 in each variable, seen on a grid.
pub(super) fn variance(evidence: &mut Evidence) {
    for (c, gamma) in grid() {
        let q = conditional_mean(&c, &gamma);
        let variance = &q * (int(1) - &q);
        let least = (r(1, 5) - &c) * r(4, 5);
        let words = || {
            format!(
                "c = {c}, gamma = {gamma}\nq = {q}, q (1 - q) = {variance}\n(1/5 - c) 4/5 = {least}"
            )
        };
        let first = &q - (r(1, 5) - &c) == &gamma * &c;
        let second = int(1) - &q - r(4, 5) == (int(1) - &gamma) * &c;
        evidence.case(first && second && variance >= least, words);
        let spread = (r(1, 5) - &c) * (r(4, 5) + &c);
        evidence.mistake("(1/5 - c)(4/5 + c), strictly", variance > spread, words);
        evidence.mistake("1/5 for 1/5 - c", variance >= r(4, 25), words);
    }
}

/// P(X_- >= q N_- + 2 sqrt(gamma T)) stays away from 0 as T grows, for every N_- in [gamma T/4,
/// gamma T].
///
/// The variance q (1-q) N_- of X_- is at least (4/5)(1/5 - c) gamma T/4 (smooth-variance). So 4
/// gamma T, the square of the deviation, is at most z^2 times it for z^2 = 16/((4/5)(1/5 - c)),
/// whatever T is; and N_- grows with T. By the central limit theorem the probability is in the end
/// at least half the normal tail at z. The last line is tried at some cubes, where every N_- leaves
/// room for the deviation.
pub(super) fn deviation(evidence: &mut Evidence) {
    for (c, gamma) in grid() {
        let q = conditional_mean(&c, &gamma);
        let variance = &q * (int(1) - &q);
        let show = || format!("c = {c}, gamma = {gamma}, q (1-q) = {variance}");
        let within = |square: i64| {
            let square = int(square) / (r(4, 5) * (r(1, 5) - &c));
            // 4 gamma T <= z^2 q (1-q) gamma T/4
            int(16) <= square * &variance
        };
        evidence.case(within(16), show);
        evidence.mistake("two standard deviations", within(4), show);
    }
    for c in amounts() {
        for root in [10, 12, 16] {
            let cube = Cube { root, c: c.clone() };
            let show = || format!("T = {root}^3, gamma = 1/{root}, c = {c}, q = {}", cube.chance());
            evidence.case(least_tail(&cube, &int(2 * root)).is_positive(), show);
            evidence.case(least_tail(&cube, &r(root, 10)) >= r(1, 10), show);
            let tenth = least_tail(&cube, &int(2 * root)) >= r(1, 10);
            evidence.mistake("with 2 the probability is at least 1/10", tenth, show);
        }
    }
}

/// The least P(X_- >= q N + shift) over N in [gamma T/4, gamma T].
fn least_tail(cube: &Cube, shift: &BigRational) -> BigRational {
    let (root, q) = (cube.root, cube.chance());
    let beyond = |n: i64| {
        let bound = integer(&(&q * int(n) + shift).ceil()) - 1;
        Binomial::new(n.unsigned_abs(), &q).above(bound)
    };
    ((root * root + 3) / 4..=root * root).map(beyond).min().expect("some N")
}

/// With T = r^3 and gamma = 1/r: q - alpha = -gamma c, and 2 sqrt(gamma T) - gamma c gamma T = (2 -
/// c) r >= r for c <= 1. The first is of degree 1 in c and gamma; in the last gamma^2 T = r, so
/// that it is linear in r and c, and checked at c = 0 and c = 1.
pub(super) fn last_lines(evidence: &mut Evidence) {
    for (c, gamma) in grid() {
        let shift = conditional_mean(&c, &gamma) - threshold(&c, &gamma);
        evidence.case(shift == -(&gamma * &c), || format!("c = {c}, gamma = {gamma}: {shift}"));
    }
    for root in 1..=8 {
        let (gamma, t) = (r(1, root), int(root.pow(3)));
        let value = |c: &BigRational| int(2 * root) - &gamma * c * &gamma * &t;
        let words = |c: &BigRational| {
            format!("T = {t}, c = {c}: 2 sqrt(gamma T) - gamma c gamma T = {}", value(c))
        };
        for c in [int(0), int(1)] {
            let stated = value(&c) == (int(2) - &c) * int(root) && value(&c) >= int(root);
            evidence.case(stated, || words(&c));
        }
        let wider = r(101, 100);
        evidence.mistake("c <= 1.01 suffices", value(&wider) >= int(root), || words(&wider));
    }
}

/// A round is in S and below alpha with probability gamma/2: thinning Bin(n, gamma) gives Bin(n,
/// gamma/2). Then N_- is in [gamma T/8, gamma T/2] with probability at least 1/2 at T = 8, 64, 216,
/// 512.
pub(super) fn sampled(evidence: &mut Evidence) {
    for n in 1..=8 {
        for gamma in (1..8).map(|j| r(j, 8)) {
            let all = Binomial::new(n, &gamma);
            for (k, stated) in Binomial::new(n, &(&gamma / int(2))).probabilities() {
                let thinned =
                    all.expectation(|count| Binomial::new(count, &r(1, 2)).probability(k));
                let words = || format!("T = {}, gamma = {gamma}, N = {k}: {thinned}", 2 * n);
                evidence.case(thinned == stated, words);
                evidence.mistake("Bin(T/2, gamma) as before", all.probability(k) == stated, words);
            }
        }
    }
    for root in ROOTS {
        let probability = within(root.pow(3), &r(1, 2 * root), &r(root * root, 2));
        let words = || format!("T = {}: {:.6}", root.pow(3), Enclosure::exact(&probability));
        evidence.case(probability >= r(1, 2), words);
        evidence.mistake("64/100 for 1/2", probability >= r(64, 100), words);
    }
}
