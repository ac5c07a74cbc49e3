//! Rows of the smoothed hedging nature (L876-956).

use super::{UCAL, noise};
use crate::claims::tools::finite;
use truecal_verify::registry::{Claim, Kind, Strength};

/// The rows.
pub(in crate::claims) const CLAIMS: &[Claim] = &[
    Claim {
        id: "prop:subsampsmooth",
        kind: Kind::Expectation,
        lines: "879-956",
        reading: "Let 0 < c < 1/5, T even, p* independent, uniform on [1/5 - c, 1/5 + c] in T/2 \
                  rounds and on [4/5 - c, 4/5 + c] in the others. For gamma = T^(-1/3), alpha = \
                  1/5 - (1 - 2 gamma) c and T >= 8, truthful forecasts have E UCal >= 2 E max{X_- \
                  - alpha N_-, 0} >= kappa T^(1/3), and E UCal^sub likewise with kappa': (kappa, \
                  kappa') = (0.17, 0.11), (0.12, 0.09), (0.06, 0.05) at c = 1/20, 1/10, 3/20. \
                  Hedged ones (2/5, then 3/5) have E UCal <= (7T/5)(2 e^(-T/25) + 2 e^(-T/50)), \
                  and E UCal^sub is at most twice the bound of prop:simplesubsamptruth.",
        departs: "Explicit constants for three values of c; the paper has Omega(T^(1/3)) and \
                  e^(-Omega(T)). The density is 1/(2c): the nature is even 2c-smoothed.",
        uses: &[
            "smooth-marginal",
            "smooth-alpha-prob",
            "smooth-final",
            "smooth-sub",
            "prop:simplesubsamptruth",
            "lemma:UCal-vs-VCal",
            "prop:altform",
        ],
        see: &["eq:CLT-condition", "smooth-N-range", "E08", "ex2-smoothed-overview"],
        tight: "By the central limit theorem the ratios to T^(1/3) tend to 0.177, 0.124, 0.062, \
            and on subsets to 0.130, 0.096, 0.055.",
        checks: &[finite(
            "double binomial sums",
            Strength::Exhausted,
            "T = 8, 64, 216, 512; c = .05, .1, .15",
            noise::gap,
        )],
        ..UCAL
    },
    Claim {
        id: "smooth-marginal",
        kind: Kind::Identity,
        lines: "897-905",
        reading: "The mean of p* is 1/5 in the first half and 4/5 in the second, so that x has the \
                  product law of prop:simplesubsamptruth and a forecaster who ignores p* fares as \
                  there.",
        uses: &["prop:simplesubsamptruth"],
        checks: &[finite("the means", Strength::Proved, "0 < c < 1/5", noise::marginal)],
        ..UCAL
    },
    Claim {
        id: "smooth-alpha-prob",
        kind: Kind::Identity,
        lines: "908-919",
        reading: "For alpha = 1/5 - (1 - 2 gamma) c, 0 <= gamma <= 1: in the first half P(p* < \
                  alpha) = gamma and P(x = 1 | p* < alpha) = 1/5 - (1 - gamma) c; in the second \
                  half p* > alpha. So N_- ~ Bin(T/2, gamma) and, given N_-, X_- ~ Bin(N_-, 1/5 - \
                  (1 - gamma) c).",
        see: &["ex2-smoothed-overview"],
        checks: &[finite(
            "mass and ones below alpha",
            Strength::Proved,
            "0 < c < 1/5, 0 <= gamma <= 1",
            noise::below_threshold,
        )],
        ..UCAL
    },
    Claim {
        id: "smooth-N-range",
        kind: Kind::Expectation,
        lines: "921",
        reading: "For every k > 0 there is d > 0 such that for all even T and gamma with k/T <= \
                  gamma <= 1: P(gamma T/4 <= N_- <= gamma T) >= d for N_- ~ Bin(T/2, gamma).",
        uses: &["smooth-alpha-prob"],
        see: &["E47", "prop:subsampsmooth"],
        tight: "For gamma >= 1/T the probability exceeds 3/10; at gamma = 1/T it tends to \
                e^(-1/2)/2 = 0.3033.",
        checks: &[finite(
            "exact probabilities",
            Strength::Exhausted,
            "even T <= 40, gamma = j/(4T), 2 <= j < 4T",
            noise::typical_count,
        )],
        ..UCAL
    },
    Claim {
        id: "E47",
        kind: Kind::Expectation,
        lines: "921",
        reading: "At gamma = 1/(2T) = Omega(1/T) the interval [gamma T/4, gamma T] has positive \
                  probability under Bin(T/2, gamma).",
        departs: "The interval is [1/8, 1/2], without an integer. The proof uses gamma = T^(-1/3) \
                  >= 1/T only.",
        see: &["smooth-N-range"],
        checks: &[finite(
            "exact probabilities",
            Strength::Exhausted,
            "even T <= 40",
            noise::half_a_count,
        )],
        ..UCAL
    },
    Claim {
        id: "smooth-variance",
        kind: Kind::Inequality,
        lines: "921-927",
        reading: "For q = 1/5 - (1 - gamma) c with 0 <= gamma <= 1, 0 < c < 1/5: q (1 - q) >= \
                  (4/5)(1/5 - c). So for N_- >= gamma T/4 the conditional variance of X_- is at \
                  least (gamma T/4)(1/5 - c)(4/5).",
        uses: &["smooth-alpha-prob"],
        checks: &[finite(
            "both factors",
            Strength::Proved,
            "0 < c < 1/5, 0 <= gamma <= 1",
            noise::variance,
        )],
        ..UCAL
    },
    Claim {
        id: "eq:CLT-condition",
        kind: Kind::Expectation,
        lines: "927-931",
        reading: "For 0 < c < 1/5 there is d > 0 such that for every even T, with gamma = T^(-1/3) \
            and given N_- in [gamma T/4, gamma T]: X_- >= q N_- + 2 sqrt(gamma T) has probability \
            at least d, where X_- ~ Bin(N_-, q), q = 1/5 - (1 - gamma) c.",
        departs: "Read for every even T; it fails for T <= 8. As T grows it holds by the central \
                  limit theorem, but 2 sqrt(gamma T) is at least five standard deviations.",
        uses: &["smooth-variance"],
        see: &["E46", "prop:subsampsmooth"],
        checks: &[finite(
            "exact tails for every N_- in the interval",
            Strength::Exhausted,
            "T = 2, 4, 6, 8, 64, 216, 512; three c",
            noise::deviation,
        )],
        ..UCAL
    },
    Claim {
        id: "E46",
        kind: Kind::Expectation,
        lines: "928-930",
        reading: "At T = 8, gamma = 1/2, some N_- <= gamma T = 4 allows X_- >= q N_- + 2 \
                  sqrt(gamma T).",
        departs: "2 sqrt(gamma T) = 4 is more than X_- <= N_- <= 4 leaves. A smaller multiple of \
                  sqrt(gamma T) serves, with gamma a small multiple of T^(-1/3); or 2 E max{X_- - \
                  alpha N_-, 0} directly (prop:subsampsmooth).",
        see: &["eq:CLT-condition", "prop:subsampsmooth"],
        checks: &[finite(
            "exact tails for every N_- in the interval",
            Strength::Exhausted,
            "T = 8; c = .05, .1, .15",
            noise::deviation_at_eight,
        )],
        ..UCAL
    },
    Claim {
        id: "smooth-final",
        kind: Kind::Numeric,
        lines: "932-947",
        reading: "With gamma = T^(-1/3), N_- <= gamma T and X_- >= q N_- + 2 sqrt(gamma T): X_- - \
                  alpha N_- >= 2 sqrt(gamma T) - gamma c N_- >= (2 - c) T^(1/3) >= T^(1/3) for 0 \
                  <= c <= 1.",
        uses: &["smooth-alpha-prob", "prop:altform", "lemma:UCal-vs-VCal"],
        see: &["eq:CLT-condition"],
        tight: "The last step is an equality at c = 1.",
        checks: &[finite(
            "the chain of (in)equalities",
            Strength::Proved,
            "all T >= 1, 0 <= c <= 1",
            noise::last_lines,
        )],
        ..UCAL
    },
    Claim {
        id: "smooth-sub",
        kind: Kind::Expectation,
        lines: "949-955",
        reading: "On a uniform random subset, N_- ~ Bin(T/2, gamma/2), and X_- given N_- has the \
                  same law as before. At gamma = T^(-1/3) and even T >= 8, P(gamma T/8 <= N_- <= \
                  gamma T/2) >= 1/2.",
        departs: "The paper only calls these values typical, without T >= 8; at T = 2 there is no \
                  integer in [gamma T/8, gamma T/2].",
        uses: &["smooth-alpha-prob"],
        see: &["prop:subsampsmooth", "smooth-N-range"],
        checks: &[finite(
            "the law by thinning, and exact probabilities",
            Strength::Exhausted,
            "thinning T <= 16; T = 8, 64, 216, 512",
            noise::sampled,
        )],
        ..UCAL
    },
];
