//! Checks of the smoothed nature: p* uniform within c of 1/5, then of 4/5 (L879-956).

use num_rational::BigRational;
use num_traits::Zero;

use super::binomial::Binomial;
use super::halves::failure_bound;
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

    fn half(&self) -> u64 {
        self.root.pow(3).unsigned_abs() / 2
    }

    /// P(x = 1 | p* < alpha)
    fn chance(&self) -> BigRational {
        conditional_mean(&self.c, &self.gamma())
    }

    fn alpha(&self) -> BigRational {
        threshold(&self.c, &self.gamma())
    }

    /// 2 E max{X_- - alpha N_-, 0} / T^(1/3), where each of T/2 rounds counts with this
    /// probability; from below, as the part N_- > 2 gamma T, which is not negative, is left out.
    fn scaled_excess(&self, counts: &BigRational) -> Enclosure {
        let excess = |(n, weight): (u64, Enclosure)| {
            let law = Binomial::new(n, &self.chance());
            law.mean_excess(&(self.alpha() * int(n))) * weight
        };
        let most = 2 * self.root.pow(2).unsigned_abs();
        let law = Binomial::new(self.half(), counts);
        let mean: Enclosure = law.enclosures().take_while(|(n, _)| *n <= most).map(excess).sum();
        mean * Enclosure::ratio(2, self.root)
    }
}

/// alpha = 1/5 - (1 - 2 gamma) c
fn threshold(c: &BigRational, gamma: &BigRational) -> BigRational {
    r(1, 5) - (int(1) - int(2) * gamma) * c
}

/// 1/5 - (1 - gamma) c
fn conditional_mean(c: &BigRational, gamma: &BigRational) -> BigRational {
    r(1, 5) - (int(1) - gamma) * c
}

/// T = 8, 64, 216, 512.
const ROOTS: [i64; 4] = [2, 4, 6, 8];

/// (c, kappa, kappa for a random subset).
fn constants() -> [(BigRational, BigRational, BigRational); 3] {
    [
        (r(1, 20), r(17, 100), r(11, 100)),
        (r(1, 10), r(12, 100), r(9, 100)),
        (r(3, 20), r(6, 100), r(5, 100)),
    ]
}

fn at_least(number: &Enclosure, bound: &BigRational) -> bool {
    Enclosure::exact(bound).at_most(number) == Some(true)
}

/// The truthful penalty is at least kappa T^(1/3); at T = 512 the hedged one is at most a tenth of
/// that.
pub(super) fn gap(evidence: &mut Evidence) {
    for root in ROOTS {
        for (c, kappa, kappa_sub) in constants() {
            let cube = Cube { root, c };
            let [all, sub] = [cube.gamma(), cube.gamma() / int(2)].map(|p| cube.scaled_excess(&p));
            let words = || {
                let (t, c) = (root.pow(3), &cube.c);
                format!("T = {t}, c = {c}\n2 E max / T^(1/3) = {all:.6}, on a subset {sub:.6}")
            };
            evidence.case(at_least(&all, &kappa) && at_least(&sub, &kappa_sub), words);
            if cube.c == r(1, 20) {
                let [more, more_sub] = [r(183, 1000), r(12, 100)];
                evidence.mistake("kappa = 0.183 at c = 1/20", at_least(&all, &more), words);
                evidence.mistake("kappa' = 0.12 at c = 1/20", at_least(&sub, &more_sub), words);
            }
        }
    }
    // UCal <= 7T/5 where the three inequalities fail, 0 elsewhere.
    let hedged = Enclosure::ratio(7 * 512, 5) * failure_bound(512);
    let truthful = Enclosure::exact(&(constants()[1].1.clone() * int(8)));
    let tenth = truthful * Enclosure::ratio(1, 10);
    evidence.case(hedged.at_most(&tenth) == Some(true), || {
        format!("T = 512, c = 1/10\nhedged at most {hedged:.6}, truthful at least {tenth:.6} x 10")
    });
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

fn integer(number: &BigRational) -> i64 {
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

/// Whether X_- >= q N_- + 2 sqrt(gamma T) is possible with N_- in [gamma T/4, gamma T], at T = 2,
/// 4, 6 and the cubes.
///
/// As sqrt(gamma T) = T^(1/3) and X_- <= N_- <= T^(2/3), that needs an integer between 2 T^(1/3)
/// and T^(2/3), the lower end excluded.
pub(super) fn deviation(evidence: &mut Evidence) {
    for t in [2_i64, 4, 6] {
        let most = (1..).take_while(|n: &i64| n.pow(3) <= t * t).last().expect("1 is one");
        evidence.case(most.pow(3) > 8 * t, || {
            format!(
                "T = {t}, gamma = T^(-1/3), any c\n\
                 N_- <= gamma T = T^(2/3), so N_- <= {most}: {}^3 > T^2 = {}\n\
                 X_- >= q N_- + 2 sqrt(gamma T) > 2 T^(1/3) > {most}: 8 T = {} > {most}^3",
                most + 1,
                t * t,
                8 * t
            )
        });
    }
    ROOTS.into_iter().for_each(|root| deviation_at_cube(evidence, root));
}

/// The same at T = 8.
pub(super) fn deviation_at_eight(evidence: &mut Evidence) {
    deviation_at_cube(evidence, 2);
}

/// Whether some N in the interval makes it possible; and the probability with sqrt(gamma T)/10, for
/// every such N.
fn deviation_at_cube(evidence: &mut Evidence, root: i64) {
    for (c, ..) in constants() {
        let cube = Cube { root, c };
        let q = cube.chance();
        let beyond = |n: i64, shift: BigRational| {
            let bound = integer(&(&q * int(n) + shift).ceil()) - 1;
            Binomial::new(n.unsigned_abs(), &q).above(bound)
        };
        let counts = || (root * root + 3) / 4..=root * root;
        let best = counts().map(|n| beyond(n, int(2 * root))).max().expect("some N");
        evidence.case(!best.is_zero(), || {
            let (t, most, c) = (root.pow(3), root * root, &cube.c);
            format!(
                "T = {t}, gamma = 1/{root}, c = {c}\nN_- <= gamma T = {most}, q = {q}\n\
                 X_- >= q N_- + 2 sqrt(gamma T) = q N_- + {} needs more than {most} ones",
                2 * root
            )
        });
        let least = counts().map(|n| beyond(n, r(root, 10))).min().expect("some N");
        let statement = "P(X_- >= q N_- + sqrt(gamma T)/10) >= 1/10 for all these N_-, at cubes T";
        evidence.corrected(statement, least >= r(1, 10));
    }
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
