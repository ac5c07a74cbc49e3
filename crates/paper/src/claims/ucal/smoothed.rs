//! Rows of the smoothed hedging nature (L876-956).

use super::{UCAL, moments, noise};
use crate::claims::tools::boundary;
use crate::claims::tools::finite;
use truecal_verify::registry::{Claim, Kind, Scope};

/// The rows.
pub(in crate::claims) const CLAIMS: &[Claim] = &[
    Claim {
        id: "prop:subsampsmooth",
        kind: Kind::Expectation,
        lines: "879-956",
        reading: "Let 0 < c < 1/5, v = (4/5)(1/5 - c), T even with v^2 T >= 8, p* independent, \
                  uniform on [1/5 - c, 1/5 + c] in T/2 rounds and on [4/5 - c, 4/5 + c] in the \
                  others. Truthful forecasts have E VCal >= (3/20) (v^2 T)^(1/3) and E VCal^sub \
                  likewise, and UCal and UCal^sub are no less. Hedged ones (2/5, then 3/5) have E \
                  UCal and E UCal^sub of at most twice the bounds of prop:simplesubsamptruth.",
        departs: "Explicit constants, by fourth moments; the paper has Omega(T^(1/3)) and \
                  e^(-Omega(T)), and a step that needs more (eq:CLT-condition). The density is \
                  1/(2c): the nature is even 2c-smoothed.",
        uses: &[
            "smooth-marginal",
            "smooth-alpha-prob",
            "smooth-variance",
            "fourth-moment",
            "prop:simplesubsamptruth",
            "lemma:UCal-vs-VCal",
            "prop:altform",
        ],
        see: &[
            "smooth-constants",
            "eq:CLT-condition",
            "smooth-N-range",
            "smooth-final",
            "smooth-sub",
            "E08",
            "ex2-smoothed-overview",
        ],
        checks: &[finite!(
            "moments, and binomial sums at T = 512, 800, 1250",
            Scope::All,
            "0 < c < 1/5, all even T >= 8/v^2",
            moments::every_t,
        )],
        ..UCAL
    },
    Claim {
        id: "smooth-constants",
        kind: Kind::Expectation,
        lines: "879-956",
        reading: "With p* as in prop:subsampsmooth, gamma = 1/floor(T^(1/3)), alpha = 1/5 - (1 - 2 \
                  gamma) c and even T >= 8: 2 E max{X_- - alpha N_-, 0} >= kappa T^(1/3), and on a \
                  random subset >= kappa' T^(1/3), with (kappa, kappa') = (0.21, 0.13), (0.17, \
                  0.11), (0.12, 0.09), (0.06, 0.05), (0.03, 0.03) at c = 1/100, 1/20, 1/10, 3/20, \
                  19/100. E VCal and E VCal^sub of the truth are no less.",
        departs: "For T that are no cubes the paper's gamma = T^(-1/3) is not rational.",
        uses: &["smooth-alpha-prob", "prop:altform"],
        see: &["prop:subsampsmooth", "lab:smoothed-hedging"],
        tight: "By the central limit theorem the ratios to T^(1/3) tend to 0.177, 0.124, 0.062 at \
            c = 1/20, 1/10, 3/20, and on subsets to 0.130, 0.096, 0.055.",
        checks: &[finite!(
            "double binomial sums",
            Scope::Cases,
            "even T from 8 to 512, five c",
            moments::constants,
        )],
        ..UCAL
    },
    Claim {
        id: "fourth-moment",
        kind: Kind::Inequality,
        reading: "If E S^2 = V > 0 and E S^4 <= k V^2 then E|S| >= sqrt(V/k). For a sum S of \
                  independent y_t of mean 0: E S^4 = sum E y_t^4 + 3 V^2 - 3 sum (E y_t^2)^2. If \
                  y_t = +-a_t with fair signs, k = 3 will do.",
        departs: "Not in the paper.",
        see: &["khintchine-fourth", "khintchine-best"],
        tight: "k = 1 for |S| = sqrt(V).",
        checks: &[finite!(
            "the inequality at every |S|, and sums of four",
            Scope::All,
            "all random variables with four moments",
            moments::fourth,
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
        see: &["prop:simplesubsamptruth"],
        checks: &[finite!("the means", Scope::All, "0 < c < 1/5", noise::marginal)],
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
        checks: &[finite!(
            "mass and ones below alpha",
            Scope::All,
            "0 < c < 1/5, 0 <= gamma <= 1",
            noise::below_threshold,
        )],
        ..UCAL
    },
    Claim {
        id: "smooth-N-range",
        kind: Kind::Expectation,
        lines: "921",
        reading: "N_- is in [gamma T/4, gamma T] with a probability bounded from below, for gamma \
            of the order 1/T at least.",
        parts: &["E47"],
        see: &["prop:subsampsmooth"],
        ..UCAL
    },
    Claim {
        id: "E47",
        kind: Kind::Expectation,
        lines: "921",
        reading: "For every k > 0 there is d > 0 such that for all even T and gamma with k/T <= \
                  gamma <= 1: P(gamma T/4 <= N_- <= gamma T) >= d for N_- ~ Bin(T/2, gamma).",
        departs: "For gamma = 1/(2T) the interval is [1/8, 1/2] at every T, without an integer. \
            The proof uses gamma = T^(-1/3) >= 1/T only.",
        see: &["prop:subsampsmooth", "smooth-N-range"],
        tight: "For gamma >= 1/T the probability exceeds 3/10; at gamma = 1/T it tends to \
                e^(-1/2)/2 = 0.3033.",
        defect: boundary(
            "Ask for gamma >= 1/T, so that the interval contains an integer; gamma = T^(-1/3) \
                does.",
        ),
        checks: &[
            finite!(
                "exact probabilities",
                Scope::Cases,
                "even T <= 40, gamma = j/(4T), 2 <= j < 4T",
                noise::typical_count,
            ),
            finite!("exact probabilities", Scope::Instance, "even T <= 40", noise::half_a_count),
        ],
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
        checks: &[finite!(
            "both factors",
            Scope::All,
            "0 < c < 1/5, 0 <= gamma <= 1",
            noise::variance,
        )],
        ..UCAL
    },
    Claim {
        id: "eq:CLT-condition",
        kind: Kind::Expectation,
        lines: "927-931",
        reading: "For 0 < c < 1/5 there is d > 0 such that for all large T, with gamma = T^(-1/3) \
            and given N_- in [gamma T/4, gamma T]: X_- >= q N_- + 2 sqrt(gamma T) has probability \
            at least d, where X_- ~ Bin(N_-, q), q = 1/5 - (1 - gamma) c.",
        scope: Scope::Asymptotic,
        departs: "2 sqrt(gamma T) is at most 4/sqrt((4/5)(1/5 - c)) standard deviations of X_-, a \
            number without T; but that is 11 of them at c = 1/20, so d is very small, and for T <= \
            8 there is no room for so many ones. With 1/10 in place of 2 the probability is at \
            least 1/10 at every cube that was tried.",
        uses: &["smooth-variance", "cited:CLT"],
        see: &["prop:subsampsmooth"],
        checks: &[finite!(
            "standard deviations; the tails at T = 10^3, 12^3, 16^3",
            Scope::Asymptotic,
            "all large T",
            noise::deviation,
        )],
        ..UCAL
    },
    Claim {
        id: "E46",
        kind: Kind::Expectation,
        lines: "928-930",
        reading: "The probability in eq:CLT-condition is bounded from below as T grows.",
        scope: Scope::Asymptotic,
        departs: "At T = 8 it is 0, as X_- <= N_- <= 4 leaves no room for 2 sqrt(gamma T) = 4; an \
            Omega(1) says nothing of that.",
        parts: &["eq:CLT-condition"],
        see: &["prop:subsampsmooth"],
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
        checks: &[finite!(
            "the chain of (in)equalities",
            Scope::All,
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
        checks: &[finite!(
            "the law by thinning, and exact probabilities",
            Scope::Cases,
            "thinning T <= 16; T = 8, 64, 216, 512",
            noise::sampled,
        )],
        ..UCAL
    },
];
