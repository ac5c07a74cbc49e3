//! Rows of "Non-truthfulness from discontinuity" (L503-663).

use super::{UCAL, constant, search};
use crate::claims::tools::finite;
use crate::claims::tools::slip;
use truecal_verify::registry::{Check, Claim, Example, Kind, Refutation, Scope};

/// The rows.
pub(in crate::claims) const CLAIMS: &[Claim] = &[
    Claim {
        id: "prop-disc",
        kind: Kind::Construction,
        lines: "508-520",
        reading: "For even T >= 2 and 0 < eps < 1/2 let x = 1 at p = 1/2 - eps in T/2 rounds and x \
                  = 0 at p = 1/2 + eps in the others. Then VCal(x,p) = (1/2 + eps) T and UCal(x,p) \
                  = (1 + 2 eps) T, while UCal(x, 1/2) = 0 for constant forecasts within eps of p.",
        departs: "Exact values in place of Omega(T); T >= 2 and not any even integer; p is what \
            the proof calls so, with the large UCal (E22).",
        uses: &["prop:altform", "UCAL-FORMULA"],
        see: &["E22", "ex1-discontinuity", "claim-no-continuous-CM"],
        tight: "An identity; as eps -> 0 the jump of UCal tends to T.",
        checks: &[finite!(
            "both forecasts for T <= 12, and g for every eps",
            Scope::All,
            "all even T, every eps",
            search::jump,
        )],
        ..UCAL
    },
    Claim {
        id: "E22",
        kind: Kind::Prose,
        lines: "509, 519",
        reading: "With p and p~ as the proof defines them (p = 1/2 -+ eps, p~ = 1/2), UCal(x,p) = \
                  0.",
        departs: "The proposition holds as an existence statement with the two names exchanged; \
                  only the last sentence of the proof says something false of its own p.",
        see: &["prop-disc"],
        defect: slip("Exchange the names p and p~, and let T >= 2 be even."),
        checks: &[
            Check::Refutation(Refutation {
                law: "ucal == 0",
                sequence: ("1,0", "1/4,3/4"),
                facts: &["ucal == 3", "vcal == 3/2"],
                correction: "ucal == 3/2*T", // (1 + 2 eps) T
            }),
            // What the proof calls p~.
            Check::Example(Example { sequence: ("1,0", "1/2,1/2"), facts: &["ucal == 0"] }),
        ],
        ..UCAL
    },
    Claim {
        id: "eq:subsampled",
        kind: Kind::Definition,
        lines: "524-527",
        reading: "UCal^sub(x,p) = 2^-T sum over S of UCal(x|_S, p|_S), over all subsets S of the T \
                  rounds; the empty set contributes 0.",
        parts: &["reading:ucal_sub"],
        see: &["eq:ssce"],
        checks: &[
            // The empty set 0, the round 2.
            Check::Example(Example {
                sequence: ("1", "1/2"),
                facts: &["ucal == 2", "ucal_sub == 1"],
            }),
            // 0, 2, 2 and 3 on the four subsets.
            Check::Example(Example {
                sequence: ("1,0", "1/4,3/4"),
                facts: &["ucal == 3", "ucal_sub == 7/4"],
            }),
            // UCal = 2|S|.
            Check::Example(Example {
                sequence: ("1,1,1", "0,0,0"),
                facts: &["ucal == 2*T", "ucal_sub == T"],
            }),
        ],
        ..UCAL
    },
    Claim {
        id: "prop:subsamptruth",
        kind: Kind::Expectation,
        lines: "528-621",
        reading: "For the binary-search nature (p*_1 = 1/2, p*_{t+1} = p*_t +- eps/2^t, up after a \
                  one) with eps <= 1/(8 sqrt(T)): always VCal(x,p*) >= (1/2 - 2 eps^2) T >= T/4 \
                  and VCal^sub(x,p*) >= T/8, while constant 1/2 has E VCal <= (5/4) sqrt(T), E \
                  UCal <= (5/2) sqrt(T), E VCal^sub <= sqrt(T) and E UCal^sub <= 2 sqrt(T).",
        departs: "Explicit constants in place of O(sqrt(T)) and Omega(T). At p* UCal and UCal^sub \
                  are no less than VCal and VCal^sub.",
        uses: &[
            "binsearch-N-bounds",
            "binsearch-subsample",
            "const-half-identity",
            "const-half-martingale",
            "const-half-sub",
            "lemma:UCal-vs-VCal",
        ],
        see: &["ex1-binary-search"],
        tight: "2 alpha*(1 - alpha*) T is the least that the argument at alpha* can give: N_- = \
                alpha* T.",
        checks: &[finite!(
            "all penalties of both forecasters",
            Scope::Cases,
            "T <= 8, all outcomes",
            constant::gap,
        )],
        ..UCAL
    },
    Claim {
        id: "binsearch-range",
        kind: Kind::Inequality,
        lines: "535-545",
        reading: "In the binary-search nature |p*_t - 1/2| <= eps (1 - 2^(1-t)) < eps for t = 1, \
                  ..., T+1.",
        tight: "Attained for every t by constant outcomes.",
        checks: &[finite!(
            "every p*_t for T <= 10, and the induction",
            Scope::All,
            "all T, all outcomes, every eps",
            search::range,
        )],
        ..UCAL
    },
    Claim {
        id: "binsearch-separation",
        kind: Kind::Construction,
        lines: "547",
        reading: "With alpha* = p*_{T+1} and any t <= T: |p*_t - alpha*| >= eps/2^T; x_t = 1 if \
                  p*_t < alpha*, and x_t = 0 if p*_t > alpha*.",
        see: &["ex1-binary-search"],
        tight: "eps/2^T at t = T, and wherever all later outcomes are opposite to x_t.",
        checks: &[finite!(
            "alpha* against p*_t for T <= 10, and the induction",
            Scope::All,
            "all T, all outcomes, every eps",
            search::separation,
        )],
        ..UCAL
    },
    Claim {
        id: "binsearch-N-bounds",
        kind: Kind::Inequality,
        lines: "549-567",
        reading: "At alpha = alpha*, for eps <= 1/4: X_- = N_- and X_+ = 0, hence X_- - alpha N_- \
                  = (1 - alpha) N_- >= N_-/4, alpha N_+ - X_+ = alpha N_+ >= N_+/4, and the larger \
                  is at least alpha (1 - alpha) T >= 3T/16 >= T/8.",
        departs: "The bounds alpha (1 - alpha) T and 3T/16 are ours.",
        uses: &["binsearch-range", "binsearch-separation"],
        tight: "3T/16 is the best for eps <= 1/4: it is approached at eps = 1/4 by 3n zeros, then \
            n ones. As eps -> 0 the bound alpha (1 - alpha) T tends to T/4.",
        checks: &[finite!(
            "both sides counted for T <= 8, and the bounds",
            Scope::All,
            "all T, all outcomes, eps <= 1/4",
            search::sides,
        )],
        ..UCAL
    },
    Claim {
        id: "binsearch-subsample",
        kind: Kind::Inequality,
        lines: "569-573",
        reading: "For eps <= 1/4, every run of the nature and every set S of rounds: VCal(x|_S, \
                  p*|_S) >= 3|S|/8 >= |S|/4. Hence VCal^sub(x,p*) >= 3T/16 >= T/8.",
        departs: "Explicit constants in place of Omega(|S|) and Omega(T).",
        uses: &["binsearch-range", "binsearch-separation", "binsearch-N-bounds", "prop:altform"],
        tight: "3|S|/8 is approached at eps = 1/4 (binsearch-N-bounds).",
        checks: &[finite!(
            "VCal on every subset of every run",
            Scope::Cases,
            "T <= 6, all outcomes and S",
            search::subsets,
        )],
        ..UCAL
    },
    Claim {
        id: "const-half-identity",
        kind: Kind::Identity,
        lines: "576-597",
        reading: "For constant forecasts 1/2 and X ones in T rounds: X_- - alpha N_- = 1{alpha > \
                  1/2}(X - alpha T) and alpha N_+ - X_+ = 1{alpha < 1/2}(alpha T - X), both at \
                  most |X - T/2|. In fact VCal = 2 |X - T/2| and UCal = 4 |X - T/2|.",
        departs: "The paper has VCal <= 2 |X - T/2|; both equations are ours.",
        uses: &["prop:altform", "UCAL-FORMULA"],
        see: &["UCAL-COROLLARIES-a"],
        tight: "An identity.",
        checks: &[finite!(
            "VCal, UCal and both sides for T <= 20, and the cone of (T, X)",
            Scope::All,
            "all T, all X",
            constant::half_identity,
        )],
        ..UCAL
    },
    Claim {
        id: "const-half-martingale",
        kind: Kind::Expectation,
        lines: "594-605",
        reading: "VCal(x, 1/2) <= 2 |sum (x_t - p*_t)| + 2 |sum (p*_t - 1/2)|. The second term is \
                  at most 2 eps (T - 2 + 2^(1-T)) <= 2 eps T on every run, the first at most \
                  sqrt(T) in expectation, as the variances p*(1 - p*) are at most 1/4.",
        departs: "Explicit constants in place of O(sqrt(T)).",
        uses: &["const-half-identity", "binsearch-range"],
        tight: "sqrt(T) at T = 1.",
        checks: &[finite!(
            "both sums on every run",
            Scope::Cases,
            "T <= 7, all outcomes",
            constant::half_martingale,
        )],
        ..UCAL
    },
    Claim {
        id: "const-half-sub",
        kind: Kind::Expectation,
        lines: "607-618",
        reading: "For every fixed set S of rounds: E VCal(x|_S, 1/2) <= sqrt(|S|) + 2 eps |S|, \
                  which is O(sqrt(|S|)) for eps = O(1/sqrt(T)).",
        departs: "Explicit constants in place of O(sqrt(|S|)).",
        uses: &["const-half-identity", "const-half-martingale"],
        checks: &[finite!(
            "the mean for every subset",
            Scope::Cases,
            "T <= 5, every S",
            constant::half_subsets,
        )],
        ..UCAL
    },
    Claim {
        id: "prop:completedecisionlowerbound",
        kind: Kind::Expectation,
        lines: "627-660",
        reading: "Let CM >= 0 be any measure with CM >= kappa UCal, and f(T) = E CM(x, 1/2) for \
                  fair bits x. The binary-search nature with 0 < eps <= 1/(4T), the same for every \
                  measure, has E CM(x,p*) >= (3/8) kappa T, indeed on every run; and constant 1/2 \
                  has E CM <= (1 + 2 eps)^T f(T) <= 2 f(T).",
        departs: "The paper compares the two laws by their total variation distance, with eps = \
                  O(f(T)/T^2), which needs f(T) > 0 and CM <= T; UCal and VCal exceed T (E03). \
                  The likelihood ratio needs neither.",
        uses: &["binsearch-range", "binsearch-N-bounds", "prop:altform", "lemma:UCal-vs-VCal"],
        see: &["E03", "TV-bound", "TV-transfer", "half-rate", "informal-impossibility"],
        tight: "As eps T -> 0 the factor (1 + 2 eps)^T tends to 1.",
        checks: &[finite!(
            "the likelihood ratio, and for T <= 8 every x and four measures",
            Scope::All,
            "all T, every measure",
            constant::any_measure,
        )],
        ..UCAL
    },
    Claim {
        id: "half-rate",
        kind: Kind::Expectation,
        lines: "645",
        reading: "For fair bits x and every T >= 1: E UCal(x, 1/2) = 4 E|X - T/2| >= sqrt(2T), so \
                  that f(T) = E CM(x, 1/2) >= kappa sqrt(2T) for every measure with CM >= kappa \
                  UCal.",
        departs: "Not in the paper, whose choice of eps needs f(T) > 0.",
        uses: &["const-half-identity"],
        see: &["prop:completedecisionlowerbound"],
        tight: "sqrt(2T) at T = 2.",
        checks: &[finite!(
            "E 4 |X - T/2| for T <= 60, and its growth",
            Scope::All,
            "all T",
            constant::least_rate,
        )],
        ..UCAL
    },
    Claim {
        id: "TV-bound",
        kind: Kind::Inequality,
        lines: "653-654",
        reading: "The total variation distance between the binary-search nature and T fair bits is \
                  at most eps (T - 2 + 2^(1-T)) <= eps T.",
        departs: "Explicit constants in place of O(eps T).",
        uses: &["binsearch-range"],
        tight: "eps (T - 2 + 2^(1-T)) is attained at T = 1 and T = 2.",
        checks: &[finite!("the exact distance", Scope::Cases, "T <= 8", constant::variation)],
        ..UCAL
    },
    Claim {
        id: "TV-transfer",
        kind: Kind::Expectation,
        lines: "654-659",
        reading: "If 0 <= CM <= B then E CM(x, 1/2) under the nature exceeds E CM(x, 1/2) under \
                  fair bits by at most B times their total variation distance, hence by at most B \
                  eps T; B = T for stepCE and ECE, B = 2T for UCal.",
        departs: "The paper has B = T for every measure, which is too small for UCal, here as \
                  elsewhere (E03). (VCal is at most T at constant 1/2.)",
        uses: &["TV-bound"],
        see: &["E03", "VCal-at-most-T"],
        tight: "Attained by the indicator of the outcomes that the nature prefers, times B.",
        checks: &[finite!(
            "all sets; three measures",
            Scope::Cases,
            "T <= 3; measures: T <= 8",
            constant::transfer,
        )],
        ..UCAL
    },
];
