//! Rows of "Non-truthfulness from hedging" (L665-874).

use super::{UCAL, conditions, deviation, halves, hedge};
use crate::claims::tools::finite;
use crate::claims::tools::{boundary, slip, step};
use truecal_verify::registry::{Check, Claim, Example, Kind, Scope};

/// The rows.
pub(in crate::claims) const CLAIMS: &[Claim] = &[
    Claim {
        id: "prop-hedging-bias",
        kind: Kind::Construction,
        lines: "673-693",
        reading: "x = (0,1), p = (0,3/4), repeated T/2 times for even T, has UCal = 0 and sum (x_t \
                  - p_t) = T/8.",
        departs: "T is even (E39), and the bias is explicit.",
        uses: &[
            "hedging-case-alpha0",
            "hedging-case-below-3-4",
            "hedging-case-at-3-4",
            "hedging-case-above-3-4",
            "prop:altform",
            "lemma:UCal-vs-VCal",
        ],
        see: &["E39", "TIGHT-hedging-bias"],
        tight: "T/8 is not the best: T/4 with 1/2 for 3/4, and nearly T/e at best \
                (TIGHT-hedging-bias).",
        checks: &[
            finite!("the example repeated", Scope::Cases, "even T <= 60", hedge::repeated),
            Check::Example(Example {
                sequence: ("0,1", "0,3/4"),
                facts: &["ucal == 0", "bias == 1/8*T"],
            }),
        ],
        ..UCAL
    },
    Claim {
        id: "E39",
        kind: Kind::Prose,
        lines: "677",
        reading: "For every T >= 2 some number of copies of the two rounds x = (0,1), p = (0,3/4) \
                  has T rounds.",
        see: &["prop-hedging-bias"],
        defect: boundary(
            "Say even T, or add a round x = p = 1: UCal stays 0, and the bias is (T-1)/8.",
        ),
        checks: &[finite!(
            "the number of rounds, and a repair",
            Scope::Cases,
            "2 <= T <= 31",
            hedge::odd_lengths,
        )],
        ..UCAL
    },
    Claim {
        id: "hedging-case-alpha0",
        kind: Kind::Identity,
        lines: "684",
        reading: "For x = (0,1), p = (0,3/4) at alpha = 0: X_- - alpha N_- = 0 and alpha N_+ - X_+ \
                  = -1.",
        see: &["prop-hedging-bias"],
        checks: &[finite!("both sides", Scope::All, "alpha = 0", hedge::at_zero)],
        ..UCAL
    },
    Claim {
        id: "hedging-case-below-3-4",
        kind: Kind::Identity,
        lines: "685",
        reading: "For x = (0,1), p = (0,3/4) and 0 < alpha < 3/4: X_- - alpha N_- = -alpha < 0 and \
                  alpha N_+ - X_+ = alpha - 1 < 0.",
        see: &["prop-hedging-bias"],
        checks: &[finite!(
            "both sides",
            Scope::All,
            "0 < alpha < 3/4",
            hedge::below_three_quarters
        )],
        ..UCAL
    },
    Claim {
        id: "hedging-case-at-3-4",
        kind: Kind::Identity,
        lines: "686",
        reading: "For x = (0,1), p = (0,3/4) at alpha = 3/4: X_- - alpha N_- = -3/4 and alpha N_+ \
                  - X_+ = 0.",
        see: &["prop-hedging-bias"],
        checks: &[finite!("both sides", Scope::All, "alpha = 3/4", hedge::at_three_quarters)],
        ..UCAL
    },
    Claim {
        id: "hedging-case-above-3-4",
        kind: Kind::Identity,
        lines: "687",
        reading: "For x = (0,1), p = (0,3/4) and 3/4 < alpha <= 1: X_- - alpha N_- = 1 - 2 alpha < \
                  0 and alpha N_+ - X_+ = 0.",
        see: &["prop-hedging-bias"],
        checks: &[finite!(
            "both sides",
            Scope::All,
            "3/4 < alpha <= 1",
            hedge::above_three_quarters,
        )],
        ..UCAL
    },
    Claim {
        id: "prop:simplesubsamptruth",
        kind: Kind::Expectation,
        lines: "701-874",
        reading: "Let T be even and x independent, P(x_t = 1) = 1/5 in the first T/2 rounds and \
                  4/5 in the others. Truthful forecasts have E VCal >= k sqrt(T) and E VCal^sub >= \
                  (k/2) sqrt(T) with k = 2048/(3125 sqrt(10)) = 0.2072. Hedged ones (2/5, then \
                  3/5) have E VCal <= (4T/5)(2 e^(-T/25) + 2 e^(-T/50)) and E VCal^sub <= \
                  (8T/5)(0.951^(T/2) + 0.977^(T/2)).",
        departs: "Explicit constants; UCal and UCal^sub follow up to a factor 2. The rate for \
                  VCal^sub is ours (exponential moments), as the paper's proof of that half fails \
                  (E08).",
        uses: &[
            "simple-truthful-lower",
            "simple-truthful-sub",
            "eq:UCal-hedging-three-ineq",
            "three-ineq-iff-VCal-0",
            "lemma:UCal-vs-VCal",
        ],
        see: &["sub-hedging-symmetry", "E08", "ex2-hedging-overview"],
        checks: &[
            finite!("E VCal of both forecasts", Scope::Cases, "even T <= 40", halves::gap),
            finite!(
                "E VCal^sub of both forecasts",
                Scope::Cases,
                "even T <= 14",
                halves::sampled_gap,
            ),
            finite!(
                "exact tails of a random subset",
                Scope::Cases,
                "even T <= 200",
                halves::sampled_tails,
            ),
        ],
        ..UCAL
    },
    Claim {
        id: "simple-truthful-lower",
        kind: Kind::Expectation,
        lines: "711-727",
        reading: "With p* = 1/5, then 4/5, and X_1 ones in the first half: VCal(x,p*) >= 2 (X_1 - \
                  T/10). Hence E VCal >= E |X_1 - T/10| >= 2048/3125 sqrt(T/10) = 0.2072 sqrt(T) \
                  for X_1 ~ Bin(T/2, 1/5).",
        departs: "The limit eps -> 0 is taken at once, the factor 2 is kept, and the constant is \
                  explicit.",
        uses: &["prop:altform"],
        tight: "The mean deviation of Bin(n, 1/5) over sqrt(n) is least at n = 5 (T = 10): \
                0.29309.",
        checks: &[
            finite!("VCal at all outcomes", Scope::Cases, "even T <= 40", deviation::pathwise),
            finite!(
                "mean deviations for T <= 400, and their growth",
                Scope::All,
                "all even T",
                deviation::every_n,
            ),
        ],
        ..UCAL
    },
    Claim {
        id: "simple-truthful-sub",
        kind: Kind::Expectation,
        lines: "729-738",
        reading: "For a fixed S with n rounds in the first half, E VCal(x|_S, p*|_S) is at least \
                  the mean deviation of Bin(n, 1/5). For random S, n ~ Bin(T/2, 1/2), E sqrt(n) >= \
                  sqrt(T/2)/2, and E VCal^sub >= (1024/3125) sqrt(T/10) = 0.1036 sqrt(T).",
        departs: "Explicit constants in place of Omega.",
        uses: &["simple-truthful-lower"],
        see: &["E30"],
        checks: &[finite!(
            "E sqrt(n) and the average over S",
            Scope::Cases,
            "even T <= 60",
            deviation::sampled,
        )],
        ..UCAL
    },
    Claim {
        id: "E30",
        kind: Kind::Prose,
        lines: "736",
        reading: "The expectation is over x ~ D and S uniform on the subsets of [T].",
        departs: "The paper writes that S is a subset of the power set of [T].",
        see: &["simple-truthful-sub"],
        defect: slip("S uniform on the subsets of [T]."),
        stated: "a slip of the pen: nothing to compute",
        ..UCAL
    },
    Claim {
        id: "eq:UCal-hedging-three-ineq",
        kind: Kind::Expectation,
        lines: "740-743",
        reading: "For X_1 ~ Bin(T/2, 1/5) and independent X_2 ~ Bin(T/2, 4/5), T even: P(X_1 > \
                  T/5) and P(X_2 < 3T/10) are at most e^(-T/25) each, and P(X_1 + X_2 outside \
                  [2T/5, 3T/5]) <= 2 e^(-T/50).",
        departs: "Explicit exponents (Hoeffding) in place of e^(-Omega(T)).",
        see: &["ex2-hedging-overview"],
        checks: &[finite!("exact tails", Scope::Cases, "even T <= 200", halves::three_tails)],
        ..UCAL
    },
    Claim {
        id: "three-ineq-iff-VCal-0",
        kind: Kind::Identity,
        lines: "745-783",
        reading: "For forecasts 2/5 in T/2 rounds with X_1 ones and 3/5 in T/2 rounds with X_2 \
            ones: VCal = 0 if and only if X_1 <= T/5, X_2 >= 3T/10 and 2T/5 <= X_1 + X_2 <= 3T/5.",
        departs: "The paper shows the implication; the equivalence is ours.",
        uses: &["prop:altform"],
        checks: &[finite!(
            "VCal and its limits at all outcomes",
            Scope::Cases,
            "even T <= 40",
            halves::equivalence,
        )],
        ..UCAL
    },
    Claim {
        id: "VCal-at-most-T",
        kind: Kind::Inequality,
        lines: "654, 745",
        reading: "VCal, and any calibration measure, is at most T.",
        departs: "Where it is used at L745 (forecasts 2/5 and 3/5, T/2 rounds each) it holds: \
            there the largest VCal is 4T/5, which is checked here. The largest UCal there is 7T/5.",
        parts: &["E03"],
        see: &["def-CM-range", "prop:simplesubsamptruth", "TV-transfer"],
        checks: &[finite!(
            "the largest values at 2/5 and 3/5",
            Scope::All,
            "all even T; tried for T <= 30",
            halves::largest,
        )],
        ..UCAL
    },
    Claim {
        id: "sub-hedging-moments",
        kind: Kind::Expectation,
        lines: "798-800",
        reading: "For a uniform random subset of the T rounds (T even): E N_1 = E N_2 = T/4, E X_1 \
                  = T/20 and E X_2 = T/5.",
        checks: &[finite!(
            "exact means, from one round on",
            Scope::All,
            "all even T",
            halves::moments,
        )],
        ..UCAL
    },
    Claim {
        id: "sub-hedging-conditions",
        kind: Kind::Expectation,
        lines: "800-805",
        reading: "With eps = 1/40, P(|N_i - T/4| > eps T) <= 2 e^(-T/400) for i = 1, 2, P(X_1 > \
                  T/20 + eps T) and P(X_2 < T/5 - eps T) are at most e^(-T/400), and P(|X_1 + X_2 \
                  - T/4| > eps T) <= 2 e^(-T/800). So all conditions hold but for a probability of \
                  6 e^(-T/400) + 2 e^(-T/800).",
        departs: "Explicit exponents (Hoeffding: 4 eps^2 and 2 eps^2) in place of e^(-Omega(T)).",
        uses: &["sub-hedging-moments"],
        checks: &[finite!(
            "exact tails",
            Scope::Cases,
            "even T <= 400, T = 800, 1600",
            conditions::tails,
        )],
        ..UCAL
    },
    Claim {
        id: "sub-hedging-case-below-2-5",
        kind: Kind::Inequality,
        lines: "813-828",
        reading: "If the conditions hold with eps = 1/40, then for alpha < 2/5: alpha (N_1 + N_2) \
                  - (X_1 + X_2) <= -T/20 + (9/5) eps T = -T/200 < 0.",
        see: &["sub-hedging-conditions"],
        tight: "The bound is negative for eps < 1/36 only.",
        checks: &[finite!(
            "the substitution, and all samples T <= 80",
            Scope::All,
            "all even T, eps = 1/40",
            conditions::below_two_fifths,
        )],
        ..UCAL
    },
    Claim {
        id: "sub-hedging-case-at-2-5",
        kind: Kind::Inequality,
        lines: "829-844",
        reading: "If the conditions hold with eps = 1/40, then (2/5) N_2 - X_2 <= -T/10 + (7/5) \
                  eps T = -13T/200 < 0.",
        see: &["sub-hedging-conditions"],
        tight: "The bound is negative for eps < 1/14 only.",
        checks: &[finite!(
            "the substitution, and all samples T <= 80",
            Scope::All,
            "all even T, eps = 1/40",
            conditions::at_two_fifths,
        )],
        ..UCAL
    },
    Claim {
        id: "sub-hedging-case-middle",
        kind: Kind::Inequality,
        lines: "845-864",
        reading: "If the conditions hold with eps = 1/40, then for 2/5 < alpha < 3/5: X_1 - alpha \
                  N_1 <= -T/20 + (7/5) eps T = -3T/200 < 0 and alpha N_2 - X_2 <= -T/20 + (8/5) \
                  eps T = -T/100 < 0.",
        see: &["sub-hedging-conditions"],
        tight: "The bounds are negative for eps < 1/28 and eps < 1/32 only.",
        checks: &[finite!(
            "both substitutions, and all samples T <= 80",
            Scope::All,
            "all even T, eps = 1/40",
            conditions::between,
        )],
        ..UCAL
    },
    Claim {
        id: "sub-hedging-symmetry",
        kind: Kind::Inequality,
        lines: "807-811, 865",
        reading: "By symmetry the conditions with eps = 1/40 also cover alpha >= 3/5, so that \
            VCal(x|_S, p|_S) = 0.",
        parts: &["E08"],
        see: &["prop:simplesubsamptruth", "prop:subsampsmooth"],
        ..UCAL
    },
    Claim {
        id: "E08",
        kind: Kind::Inequality,
        lines: "800, 865",
        reading: "If the conditions hold with eps = 1/40, then X_- - alpha N_- <= 0 and alpha N_+ \
                  - X_+ <= 0 for alpha >= 3/5 as well, so that VCal(x|_S, p|_S) = 0.",
        departs: "The conditions bound the ones and not the zeros of the sample, so they are not \
            symmetric.",
        see: &["prop:simplesubsamptruth", "prop:subsampsmooth", "sub-hedging-symmetry"],
        tight: "The conditions give X_1 + X_2 - (3/5)(N_1 + N_2) <= -T/20 + (11/5) eps T, which is \
                T/200 at 1/40 and 0 at eps = 1/44.",
        defect: step(
            "Take eps = 1/44 or less, or ask besides that the sampled zeros are within T/40 of \
                T/4. The proposition stands, with another constant in the exponent.",
        ),
        checks: &[
            finite!(
                "VCal of every sample that meets them",
                Scope::Cases,
                "even T <= 100",
                conditions::symmetry,
            ),
            finite!(
                "VCal of every sample that meets them",
                Scope::Instance,
                "even T <= 100",
                conditions::with_zeros,
            ),
            // The smallest counterexample, T = 40: 9 sampled rounds of each half, 2 and 9 ones.
            Check::Example(Example {
                sequence: (
                    "1,1,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1",
                    "2/5,2/5,2/5,2/5,2/5,2/5,2/5,2/5,2/5,3/5,3/5,3/5,3/5,3/5,3/5,3/5,3/5,3/5",
                ),
                facts: &["vcal == 2/5", "ucal == 2/3"],
            }),
        ],
        ..UCAL
    },
];
