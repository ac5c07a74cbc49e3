//! Step calibration (L958-1071).

mod intervals;
mod proof;
mod rates;

pub(super) use intervals::{alternating_levels, two_k_attained};

use super::Scope::{All, Cases, Instance};
use super::appendix::thresholds::pointwise;
use super::tools::finite;
use super::{Check, Claim, Example, Kind, ROW, law, sections};
use crate::claims::tools::step;

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "def-stepCE",
        kind: Kind::Definition,
        lines: "963-966",
        reading: "stepCE(x,p) = sup over alpha in [0,1] of |sum_t (x_t - p_t) 1{p_t <= alpha}|. \
            The supremum is attained at a prediction: it is max_j |B_j| over the prefix sums of \
            the levels.",
        checks: &[
            pointwise("the supremum against the largest prefix sum", proof::step_ce_is_prefix)
                .proved_by(&["stepCE_formula", "stepCE_attained"]),
            Check::Example(Example {
                sequence: ("1,0", "1/2,1"),
                facts: &["stepce == 1/2", "ece == 3/2"],
            }),
        ],
        ..STEP
    },
    Claim {
        id: "claim-union-of-intervals",
        kind: Kind::Inequality,
        lines: "969",
        reading: "For all T, x, p and k >= 1: sup over unions U of at most k intervals of |sum_t \
            (x_t - p_t) 1{p_t in U}| is at least stepCE and at most 2k stepCE.",
        departs: "The paper names no constant: it speaks of constantly many intervals and of a \
            constant factor.",
        see: &["TIGHT-k-interval"],
        tight: "2k for every k: k = 1 at x = (1,0), p = (1/2,1); for the others see \
            TIGHT-k-interval.",
        checks: &[
            Check::Law(law("intervalce <= 2*stepce").attained(&[("1,0", "1/2,1")])),
            Check::Law(law("stepce <= intervalce").attained(&[("1", "1/2")])),
            finite!(
                "the best union of k intervals, literally and as k runs of levels",
                Cases,
                "T <= 4, D = 6, k <= 3; literally T <= 5, D = 5, k <= 2",
                intervals::unions,
            )
            .proved_by(&["union_le_stepCE", "stepCE_le_union"]),
        ],
        ..STEP
    },
    Claim {
        id: "claim-sgn-benchmark",
        kind: Kind::Identity,
        lines: "970-979",
        reading: "For p, alpha in [0,1] and x' ~ Bern(p): E S_alpha(x', p) = (p - alpha) sgn(alpha \
            - p) = -|p - alpha|. For all T, x, p and alpha, with sum_t -|p_t - alpha| as the \
            benchmark, the regret of S_alpha is sum_t (x_t - p_t) sgn(alpha - p_t).",
        see: &["fact:equivfactor"],
        checks: &[finite!(
            "one round, every order of p and alpha",
            All,
            "all T, x, p and alpha",
            proof::sgn_benchmark,
        )
        .proved_by(&["sgn_benchmark"])],
        ..STEP
    },
    Claim {
        id: "fact:equivfactor",
        kind: Kind::Inequality,
        lines: "985-993, 2059-2137",
        reading: "For all T, x, p: signCE/3 <= stepCE <= signCE.",
        see: &["eq:total-bias-bound", "upper-part", "lower-part"],
        tight: "1/3 at x = (1,0), p = (1/2,1), with signCE = 3/2 between the two levels; 1 at x = \
            (1), p = (1/2), and with two levels at x = (1,1), p = (1/4,1/2).",
        checks: &[
            Check::Law(law("signce <= 3*stepce").attained(&[("1,0", "1/2,1")])),
            Check::Law(law("stepce <= signce").attained(&[("1", "1/2"), ("1,1", "1/4,1/2")])),
        ],
        ..STEP
    },
    Claim {
        id: "prop:stepCE-complete-sound-decision-theoretic",
        kind: Kind::Inequality,
        lines: "998-1071",
        reading: "stepCE is decision-theoretic (stepCE >= UCal/8), complete and sound.",
        parts: &["stepCE-vs-UCal", "completeness", "soundness"],
        see: &["E01", "E02"],
        ..STEP
    },
    Claim {
        id: "stepCE-vs-UCal",
        kind: Kind::Inequality,
        lines: "998-1056",
        reading: "For all T, x, p: stepCE >= UCal/8, so that stepCE is decision-theoretic.",
        see: &[
            "UCAL-FORMULA",
            "A-chain",
            "case1",
            "case2-ineq",
            "case2-half",
            "VCal-bound",
            "E01",
            "E02",
        ],
        tight: "1/8, attained at T = 3: x = (0,1,0), p = (3/8,3/8,1/2); and not before \
            (TIGHT-ucal-step).",
        checks: &[Check::Law(
            law("ucal <= 8*stepce")
                .attained(&[("0,1,0", "3/8,3/8,1/2"), ("1,0,0,0", "1/4,1/2,1/2,1/2")]),
        )],
        ..STEP
    },
    Claim {
        id: "A-chain",
        kind: Kind::Inequality,
        lines: "1006-1017",
        reading: "For all T, x, p: A = sup over alpha in [0,1] of g(alpha), with g(alpha) = \
            max(X_- - alpha N_-, alpha N_+ - X_+), is VCal/2 and at least UCal/4.",
        see: &["prop:altform", "lemma:UCal-vs-VCal"],
        tight: "x = (1), p = (1/2): A = 1/2, UCal = 2.",
        checks: &[
            pointwise("sup g against the regret and VCal", proof::sup_g_is_half_vcal).proved_by(&[
                "A_chain",
                "sup_g_exists",
                "VCal_against_mean",
            ]),
            Check::Law(law("ucal/4 <= vcal/2").attained(&[("1", "1/2")])),
        ],
        ..STEP
    },
    Claim {
        id: "sup-attained",
        kind: Kind::Identity,
        lines: "1020-1023",
        reading: "The supremum A of g over [0,1] is attained.",
        parts: &["E01"],
        see: &["prop:stepCE-complete-sound-decision-theoretic", "case1", "case2-half"],
        ..STEP
    },
    Claim {
        id: "E01",
        kind: Kind::Identity,
        lines: "1020",
        reading: "For all T, x, p the supremum A of g is attained at some alpha* in [0,1] (because \
            g has O(T) values).",
        see: &[
            "prop:stepCE-complete-sound-decision-theoretic",
            "case1",
            "case2-half",
            "sup-attained",
        ],
        defect: step(
            "Take alpha_n with g(alpha_n) -> A: both cases hold at every alpha (case1, \
                case2-half), hence in the limit. The proposition stands.",
        ),
        checks: &[
            pointwise("whether sup g is attained", proof::sup_attained),
            finite!("g at the witness", Instance, "the instance", proof::e01),
        ],
        ..STEP
    },
    Claim {
        id: "case1",
        kind: Kind::Inequality,
        lines: "1026-1035",
        reading: "For all T, x, p and alpha in (0,1], with beta < alpha and no prediction in \
            (beta, alpha): stepCE >= sum_t (x_t - p_t) 1{p_t <= beta} = sum_t (x_t - p_t) 1{p_t < \
            alpha} >= X_- - alpha N_-. At alpha = 0 the last term is 0.",
        departs: "The paper needs it at alpha* only. It holds at every alpha and in every \
            one-sided limit, which repairs sup-attained.",
        see: &["sup-attained"],
        tight: "x = (1), p = (0), alpha -> 0 from above: both 1.",
        checks: &[pointwise("the chain at every alpha, and so in every limit", proof::case_1)
            .proved_by(&["case1", "case1_room"])],
        ..STEP
    },
    Claim {
        id: "case2-ineq",
        kind: Kind::Inequality,
        lines: "1037-1043",
        reading: "For all T, x, p and alpha in [0,1]: sum_t (p_t - x_t) 1{p_t > alpha} >= alpha \
            N_+ - X_+.",
        tight: "Equality where no prediction exceeds alpha, and as alpha rises to the only \
            prediction above it.",
        checks: &[pointwise("both sides at every alpha, and so in every limit", proof::case_2)
            .proved_by(&["case2_ineq"])],
        ..STEP
    },
    Claim {
        id: "case2-equality",
        kind: Kind::Identity,
        lines: "1044",
        reading: "Where alpha N_+ - X_+ reaches A, B_1 - B_alpha = A.",
        parts: &["E02"],
        see: &["prop:stepCE-complete-sound-decision-theoretic", "case2-ineq"],
        ..STEP
    },
    Claim {
        id: "E02",
        kind: Kind::Identity,
        lines: "1044",
        reading: "With B_a = sum_t (p_t - x_t) 1{p_t <= a}: if alpha N_+ - X_+ reaches A = sup g > \
            0, then B_1 - B_alpha = A there.",
        departs: "A > 0 is not attained (E01). Read for the one-sided limits in which alpha N_+ - \
            X_+ tends to A, and in the paper's favour: one of them with the equation is enough. At \
            x = (0,0), p = (1/2,1) it fails as alpha rises to 1/2 and holds as alpha rises to 1; \
            at the witness it holds in no limit.",
        see: &["prop:stepCE-complete-sound-decision-theoretic", "case2-ineq", "case2-equality"],
        defect: step(
            "B_1 - B_alpha >= alpha N_+ - X_+ at every alpha (case2-ineq), which is all that the \
                next line needs. The proposition stands.",
        ),
        checks: &[
            pointwise("B_1 - B_alpha in the limits that give A", proof::case_2_equality),
            finite!("the witness", Instance, "the instance", proof::e02),
        ],
        ..STEP
    },
    Claim {
        id: "case2-half",
        kind: Kind::Inequality,
        lines: "1050-1056",
        reading: "For all T, x, p and alpha in [0,1]: stepCE >= max(|B_1|, |B_alpha|) >= (alpha \
            N_+ - X_+)/2.",
        see: &["case2-ineq"],
        tight: "x = (1,0), p = (1/2,1), alpha -> 1 from below: 1/2 and 1.",
        checks: &[pointwise("the chain at every alpha, and so in every limit", proof::case_2_half)
            .proved_by(&["case2_half"])],
        ..STEP
    },
    Claim {
        id: "VCal-bound",
        kind: Kind::Inequality,
        lines: "1018-1056",
        reading: "For all T, x, p: stepCE >= VCal/4. If T = 1, then VCal = 2 stepCE.",
        departs: "Not stated in the paper by itself: what its two cases prove with A = VCal/2.",
        see: &["A-chain", "case1", "case2-half"],
        tight: "1/4 at x = (1,0), p = (1/2,1).",
        checks: &[
            Check::Law(law("vcal <= 4*stepce").attained(&[("1,0", "1/2,1")])),
            Check::Law(law("T == 1 => vcal == 2*stepce").mistake("T == 2 => vcal == 2*stepce")),
        ],
        ..STEP
    },
    Claim {
        id: "stepCE-vs-ECE",
        kind: Kind::Inequality,
        lines: "1058-1067",
        reading: "For all T, x, p: stepCE <= ECE.",
        see: &["TIGHT-ece-step"],
        tight: "1, where no two levels have biases of opposite signs, so at every sequence with T \
            = 1. In the other direction ECE <= (2m - 1) stepCE with m levels.",
        checks: &[Check::Law(law("stepce <= ece").attained(&[("1", "1/2"), ("1,1", "0,1/2")]))],
        ..STEP
    },
    Claim {
        id: "completeness",
        kind: Kind::Expectation,
        lines: "1068",
        reading: "stepCE(x,x) = 0; x_t ~ Bern(a) independently gives E stepCE(x, a 1_T) = E |X - \
            aT| <= sqrt(a(1-a)T) with X = sum_t x_t; if every level has bias 0, then stepCE = 0.",
        departs: "The paper cites the completeness of ECE; this is the explicit form.",
        see: &["stepCE-vs-ECE", "def:complete-and-sound"],
        tight: "T = 1, a = 1/2: both 1/2.",
        checks: &[
            Check::Law(
                law("squares == 0 => stepce == 0").mistake("squares <= 1/16 => stepce == 0"),
            ),
            Check::Law(law("ece == 0 => stepce == 0").mistake("bias == 0 => stepce == 0")),
            Check::Law(
                law("m == 1 => stepce == abs(bias)").mistake("m <= 2 => stepce == abs(bias)"),
            ),
            finite!(
                "the mean absolute deviation of a binomial",
                Cases,
                "T <= 24, a in multiples of 1/12",
                rates::binomial_deviation,
            ),
        ],
        ..STEP
    },
    Claim {
        id: "soundness",
        kind: Kind::Expectation,
        lines: "1070",
        reading: "With n_1 ones and n_0 zeros: stepCE(x, 1-x) = max(n_1, |n_1 - n_0|) >= T/3, and \
            UCal(x, 1-x)/8 = T/4. x_t ~ Bern(a) independently gives E stepCE(x, b 1_T) >= |a - b| \
            T.",
        departs: "The paper's route through UCal gives T/4; the exact minimum is T/3.",
        see: &["VCal-bound", "lemma:UCal-vs-VCal", "def:complete-and-sound"],
        tight: "T/3 when n_1 = T/3; |a - b| T when a or b is 0 or 1.",
        checks: &[
            finite!("all numbers of ones and zeros", Cases, "T <= 60", rates::all_wrong),
            finite!(
                "the expected distance from a wrong constant",
                Cases,
                "T <= 12, a and b in multiples of 1/6",
                rates::wrong_constant,
            ),
        ],
        ..STEP
    },
];

/// A row of this section to start from.
const STEP: Claim = Claim { section: sections::STEP_CALIBRATION, ..ROW };
