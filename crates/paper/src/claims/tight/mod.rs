//! Best constants, which go beyond the paper.

mod constants;
mod hedging;
mod walks;

use super::Scope::{All, Cases, Instance, Rounds};
use super::step::two_k_attained;
use super::tools::finite;
use super::{Check, Claim, Example, Kind, ROW, law, sections};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "TIGHT-ucal-vcal",
        reading: "The largest c with c UCal <= VCal for all T, x, p is 1/2.",
        see: &["lemma:UCal-vs-VCal", "UCAL-FORMULA"],
        tight: "x = (1), p = (1/2): UCal = 2, VCal = 1.",
        checks: &[Check::Law(law("ucal <= 2*vcal").attained(&[("1", "1/2")]))],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-vcal-ucal",
        reading: "The least c with VCal <= c UCal for all T, x, p is 1.",
        see: &["lemma:UCal-vs-VCal", "UCAL-FORMULA"],
        tight: "x = (1), p = (0): both 2.",
        checks: &[Check::Law(law("vcal <= ucal").attained(&[("1", "0")]))],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-sign-step",
        reading: "The largest c with c signCE <= stepCE for all T, x, p is 1/3. With T = 1 the two \
            are equal.",
        see: &["fact:equivfactor"],
        tight: "x = (1,0), p = (1/2,1): signCE = 3/2, stepCE = 1/2. T = 2 is the smallest.",
        checks: &[
            Check::Law(law("signce <= 3*stepce").attained(&[("1,0", "1/2,1")])),
            Check::Law(law("T == 1 => signce == stepce").mistake("T == 2 => signce == stepce")),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-step-sign",
        reading: "The least c with stepCE <= c signCE for all T, x, p is 1.",
        see: &["fact:equivfactor"],
        tight: "x = (1), p = (1/2): both 1/2.",
        checks: &[Check::Law(law("stepce <= signce").attained(&[("1", "1/2")]))],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-ucal-step",
        reading: "The largest c with stepCE >= c UCal is 1/8 for T >= 3, where it is attained; 1/4 \
            for T = 1, attained; 1/6 for T = 2, approached and not attained. Equality with 1/8 and \
            M = stepCE > 0 forces the top level to be 1/2 with bias -2M, and a sum M below it.",
        see: &["prop:stepCE-complete-sound-decision-theoretic"],
        tight: "T = 3: x = (0,1,0), p = (3/8,3/8,1/2); rounds with x = p = 0 can be added. T = 2: \
            x = (1,0), p = (2/3 - d, 2/3), d -> 0.",
        checks: &[
            Check::Law(law("ucal <= 8*stepce").attained(&[
                ("0,1,0", "3/8,3/8,1/2"),
                ("0,0,1,0", "0,3/8,3/8,1/2"),
                ("0,0,0,1,0", "0,0,3/8,3/8,1/2"),
                ("1,0,0,0", "1/4,1/2,1/2,1/2"),
            ])),
            Check::Law(law("T == 1 => ucal <= 4*stepce").attained(&[("1", "1/2")])),
            finite!(
                "two rounds: below 6, and 6 is approached",
                Cases,
                "T = 2, D = 24, and the family",
                constants::u_cal_at_two,
            ),
            finite!("what equality forces", Cases, "T <= 5, D = 8", constants::u_cal_equality),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-vcal-step",
        reading: "The largest c with stepCE >= c VCal for all T, x, p is 1/4. With T = 1 the ratio \
            is always 1/2.",
        see: &["VCal-bound"],
        tight: "x = (1,0), p = (1/2,1): stepCE = 1/2, VCal = 2.",
        checks: &[
            Check::Law(law("vcal <= 4*stepce").attained(&[("1,0", "1/2,1")])),
            Check::Law(law("T == 1 => vcal == 2*stepce").mistake("T == 2 => vcal == 2*stepce")),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-sub-step",
        reading: "The largest c with stepCE^sub >= c stepCE for all T, x, p is 1/2.",
        see: &["lemma:stepCE-vs-stepCEsub"],
        tight: "Every sequence with T = 1; x = 1^T, p = 0^T for every T.",
        checks: &[Check::Law(
            law("stepce <= 2*stepce_sub").attained(&[("1", "1/2"), ("1,1,1", "0,0,0")]),
        )],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-sub-excess",
        reading: "For all T, x, p: stepCE^sub <= stepCE/2 + R_T/2, with R_T = E max_{t <= T} |S_t| \
            for the simple +-1 walk. Hence the least c with stepCE^sub <= stepCE/2 + c sqrt(T) for \
            T rounds is at most sqrt(2/pi) sqrt(1 + 1/T), and below sqrt(pi/8) = 0.62665... for T \
            <= 120; the paper's proof has 1.",
        departs: "For all T the first bound on c rests on Levy's inequality R_T <= 2 E|S_T|, which \
            is cited and tried for T <= 120.",
        uses: &["representation", "cited:Levy"],
        see: &["lemma:stepCE-vs-stepCEsub", "TIGHT-c6"],
        tight: "Not known. A constant for all T is at least 0.3015: see TIGHT-c6.",
        checks: &[
            finite!(
                "stepCE^sub - stepCE/2 against R_T/2",
                Cases,
                "T <= 4, D = 6",
                walks::excess_at_most_half,
            ),
            finite!(
                "errors of size 1 are worst",
                Cases,
                "T <= 4, |x - p| in multiples of 1/4",
                walks::largest_at_full_errors,
            ),
            finite!(
                "R_T: the stated values, counts and all walks",
                Cases,
                "T <= 12",
                walks::first_maxima,
            ),
            finite!("R_T, E|S_T| and their bounds, exact", Cases, "T <= 120", walks::maxima_bounds),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-smce-step",
        reading: "The least c with smCE <= c stepCE for all T, x, p is 2. It is attained from T = \
            3 on; with T = 2 it is approached and not attained; with T = 1 the two are equal.",
        uses: &["TIGHT-c7"],
        tight: "x = (1,0,0), p = (0,1,1): smCE = 2, stepCE = 1; rounds with x = p = 0 can be \
            added. T = 2: x = (0,1), p = (d, 1 - 2d) has ratio 2 - 3d.",
        checks: &[
            Check::Law(
                law("smce <= 2*stepce").attained(&[("1,0,0", "0,1,1"), ("0,1,0,0", "0,0,1,1")]),
            ),
            Check::Law(law("T == 1 => smce == stepce").mistake("T == 2 => smce == stepce")),
            finite!(
                "two rounds: below 2, and 2 is approached",
                Cases,
                "T = 2, D = 24, and the family",
                constants::sm_ce_at_two,
            ),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-step-ece",
        reading: "The least c with stepCE <= c ECE for all T, x, p is 1.",
        see: &["stepCE-vs-ECE"],
        tight: "Every sequence in which no two levels have biases of opposite signs.",
        checks: &[Check::Law(law("stepce <= ece").attained(&[("1", "1/2"), ("1,1", "0,1/2")]))],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-ece-step",
        reading: "With m >= 1 levels ECE <= (2m - 1) stepCE, and 2m - 1 is best for every m. So no \
            absolute constant bounds ECE by stepCE.",
        see: &["stepCE-vs-ECE"],
        tight: "m = 2: x = (1,0), p = (1/2,1). m = 4: T = 8. Every m: levels whose prefix sums \
            alternate between -M and M.",
        checks: &[
            Check::Law(
                law("ece <= (2*m - 1)*stepce")
                    .attained(&[("1,0", "1/2,1"), ("0,1", "1/24,11/12")])
                    .mistake("m >= 2 => ece <= 99/100*(2*m - 1)*stepce"),
            ),
            Check::Example(Example {
                sequence: ("0,1,0,1,0,1,1,0", "1/20,9/20,9/20,11/20,11/20,19/30,19/30,19/30"),
                facts: &["stepce == 1/20", "ece == 7/20", "m == 4"],
            }),
            finite!("alternating levels", Cases, "m <= 16", constants::ece_attained)
                .proved_by(&["ECE_stepCE_best"]),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-k-interval",
        reading: "For every k >= 1, the least c such that the error over unions of at most k \
            intervals is at most c stepCE for all T, x, p is 2k, and it is attained.",
        see: &["claim-union-of-intervals", "TIGHT-ece-step"],
        tight: "k = 1: x = (1,0), p = (1/2,1). k = 2: T = 8, x = (0,1,0,1,0,1,1,0), p = (1/20, \
            9/20 twice, 11/20 twice, 19/30 thrice). Every k: 2k levels whose prefix sums alternate \
            between -M and M.",
        checks: &[
            finite!("the witnesses and the family", Cases, "k <= 8", two_k_attained).proved_by(&[
                "union_le_stepCE",
                "union_stepCE_attained",
                "union_stepCE_best",
            ]),
            Check::Example(Example {
                sequence: ("0,1,0,1,0,1,1,0", "1/20,9/20,9/20,11/20,11/20,19/30,19/30,19/30"),
                facts: &["stepce == 1/20", "intervalce == 1/10"],
            }),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-range",
        reading: "For all T, x, p: VCal <= UCal <= 2T, and 2 is the least constant for either.",
        see: &["UCAL-COROLLARIES-d", "E03", "VCal-at-most-T"],
        tight: "x = (1), p = (0): both 2.",
        checks: &[
            Check::Law(law("ucal <= 2*T").attained(&[("1", "0"), ("0,1", "1,0")])),
            Check::Law(law("vcal <= ucal").attained(&[("1", "0")])),
            Check::Law(law("vcal <= 2*T").attained(&[("1", "0")])),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-ucal-cdl",
        reading: "The least c with UCal <= c CDL for all T, x, p is 2: whoever may swap each \
            prediction for another regrets no less than who may choose one for all, and scores \
            in [-1,1] count twice those in [0,1].",
        see: &["reading:cdl"],
        tight: "x = (1), p = (1/2): UCal = 2, CDL = 1.",
        checks: &[Check::Law(law("ucal <= 2*cdl").attained(&[("1", "1/2")]))],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-cdl-ece",
        reading: "The least c with CDL <= c ECE for all T, x, p is 2, and CDL <= T.",
        see: &["reading:cdl"],
        tight: "x = (1), p = (1/2): CDL = 1, ECE = 1/2.",
        checks: &[
            Check::Law(law("cdl <= 2*ece").attained(&[("1", "1/2")])),
            Check::Law(law("cdl <= T").attained(&[("1", "1/2"), ("0,1", "1,0")])),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-sqrt-gamma",
        kind: Kind::Numeric,
        reading: "With gamma(x) = x for x <= 1 and sqrt(x) beyond: the least c with sqrt(x) <= \
            gamma(x) + c for all x >= 0 is 1/4.",
        see: &["sqrt-vs-gamma"],
        tight: "x = 1/4.",
        checks: &[finite!("the slack is a square", All, "all x >= 0", constants::sqrt_gamma)],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-hedge-step",
        kind: Kind::Algorithm,
        reading: "In a step of the algorithm with C = a > 0 and C = -b < 0 at neighbouring \
            predictions, a + 2b <= 1 and the two-point forecast has worst expected loss ab/((a + \
            b)(k - 1)). The least c with loss <= c/(k - 1) for all weights is 3 - 2 sqrt(2) = \
            0.17157...; the paper has 1.",
        see: &["per-step-bound", "per-step-identity"],
        tight: "w(+,j) = 1/sqrt(2), w(-,j+1) = 1 - 1/sqrt(2).",
        checks: &[
            finite!(
                "c (a+b)(a+2b) - ab is c (a - b sqrt(2))^2",
                All,
                "all a, b >= 0 with a + 2b <= 1",
                constants::surd_identity,
            ),
            finite!(
                "the loss of the forecast, by definition",
                Cases,
                "k = 2 in 1/17, k = 3 and 4 in 1/8",
                constants::two_point_loss,
            ),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-hedging-bias",
        kind: Kind::Construction,
        reading: "The largest |sum_t (x_t - p_t)| over sequences of T rounds with UCal = 0 is \
            max_n n (H_T - H_n), attained by n zeros predicted 0 and T - n ones predicted j/(n + \
            j), j = 1, ..., T - n. It lies between T/e - 2/5 and T/e (the paper's example: T/8).",
        departs: "The family, its value and the limit are checked as stated; that no other \
            sequence does better, for all real p up to T = 9.",
        see: &["prop-hedging-bias"],
        tight: "T = 2: x = (0,1), p = (0,1/2), bias 1/2. T = 4: x = (0,0,1,1), p = (0,0,1/3,1/2), \
            bias 7/6.",
        checks: &[
            Check::Example(Example {
                sequence: ("0,0,0,1,1,1,1", "0,0,0,1/4,2/5,1/2,4/7"),
                facts: &["ucal == 0", "bias == 319/140"],
            }),
            finite!("UCal and bias of the family", Cases, "T <= 40, all n", hedging::family),
            finite!(
                "no table with UCal = 0 has a larger bias",
                Cases,
                "T <= 4, D = 12",
                hedging::no_more,
            ),
            finite!(
                "no real predictions do better",
                Rounds(9),
                "T <= 9, all p in [0,1]^T",
                hedging::no_more_for_real_predictions,
            ),
            finite!("the largest bias against T/e", Cases, "T <= 200", hedging::approaches),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-c7",
        reading: "With levels q_1 < ... < q_n: sum_j f(q_j) b_j = f(q_n) B_n - sum_{j<n} \
            (f(q_{j+1}) - f(q_j)) B_j for every f. Hence smCE <= (1 + q_n - q_1) stepCE <= 2 \
            stepCE, and SSCE <= 2 stepCE^sub.",
        see: &["TIGHT-smce-step"],
        tight: "smCE = 2 stepCE at x = (1,0,0), p = (0,1,1). With each of these rounds N times, \
            SSCE >= N and stepCE^sub <= N/2 + sqrt(3N/2): so 2 is best for the averages too.",
        checks: &[
            finite!(
                "summation by parts, on unit vectors",
                Cases,
                "n <= 12, all f and b",
                constants::abel,
            )
            .proved_by(&["summation_by_parts"]),
            finite!(
                "smCE against the range of the levels",
                Cases,
                "T <= 4, D = 6",
                constants::smooth_range,
            )
            .proved_by(&["smCE_le_range"]),
            Check::Law(law("smce <= 2*stepce").attained(&[("1,0,0", "0,1,1")])),
            Check::Law(law("ssce <= 2*stepce_sub").mistake("ssce <= 1.12*stepce_sub")),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-c6",
        reading: "Let e_T be the supremum of stepCE^sub - stepCE/2 over sequences of T rounds. e_1 \
            = 0, e_2 = 1/4, e_3 = e_4 = 1/2; e_5 >= 2499/4000, e_6 >= 11/16, e_7 >= 359/500, e_8 \
            >= 101473/128000. Over sqrt(T) these are 0, 0.1767, 0.2886, 0.25, 0.2793, 0.2806, \
            0.2713, 0.2802. Two families tend to constants: M ones at 0 and 2M zeros at 1 to 1/(2 \
            sqrt(pi)) = 0.28209..., alternating outcomes near 1/2 to sqrt(pi/32) = 0.31332....",
        departs: "e_1 to e_4 are largest on the grid; from T = 5 on the values are lower bounds \
            only. With predictions still nearer to 1/2 they tend to 5/8, 23/32 and 203/256 for T = \
            5, 7, 8. The two limits are not computed: the families are below them as far as they \
            are followed, and the second reaches 0.3015 at T = 1000.",
        see: &["TIGHT-sub-excess", "lemma:stepCE-vs-stepCEsub"],
        tight: "T = 3: x = (1,0,0), p = (0,1,1).",
        checks: &[
            Check::Law(
                law("T == 1 => stepce_sub == stepce/2").mistake("T == 2 => stepce_sub == stepce/2"),
            ),
            Check::Law(law("T <= 2 => stepce_sub <= stepce/2 + 1/4").attained(&[("1,0", "1/2,1")])),
            Check::Law(
                law("T <= 4 => stepce_sub <= stepce/2 + 1/2")
                    .attained(&[("1,0,0", "0,1,1"), ("1,0,0,0", "0,1/2,1/2,1")]),
            ),
            Check::Example(Example {
                sequence: ("1,0,1,0,0", "0,499/1000,501/1000,1,1"),
                facts: &[
                    "stepce == 1",
                    "stepce_sub == 4499/4000",
                    "stepce_sub > stepce/2 + 0.2793*sqrt(T)",
                ],
            }),
            Check::Example(Example {
                sequence: ("1,1,0,0,0,0", "0,0,1,1,1,1"),
                facts: &[
                    "stepce == 2",
                    "stepce_sub == 27/16",
                    "stepce_sub > stepce/2 + 0.2806*sqrt(T)",
                ],
            }),
            Check::Example(Example {
                sequence: ("1,0,1,0,1,0,0", "0,499/1000,1/2,501/1000,251/500,1,1"),
                facts: &[
                    "stepce == 501/500",
                    "stepce_sub == 1219/1000",
                    "stepce_sub > stepce/2 + 0.2713*sqrt(T)",
                ],
            }),
            Check::Example(Example {
                sequence: ("1,1,0,1,0,0,0,0", "0,0,499/1000,501/1000,1,1,1,1"),
                facts: &[
                    "stepce == 2",
                    "stepce_sub == 229473/128000",
                    "stepce_sub > stepce/2 + 0.2802*sqrt(T)",
                ],
            }),
            finite!(
                "the three limits at 1/2",
                Cases,
                "the three sequences",
                walks::limits_near_half,
            ),
            finite!("M ones at 0, 2M zeros at 1", Cases, "M <= 40", walks::blocks),
            finite!(
                "alternating outcomes near 1/2, exact",
                Cases,
                "T <= 120",
                walks::alternating_family,
            ),
            finite!(
                "alternating outcomes near 1/2, at least 0.3015",
                Instance,
                "T = 1000",
                walks::long_alternation,
            ),
        ],
        ..TIGHT
    },
    Claim {
        id: "TIGHT-c6-variance",
        reading: "For all T, x, p: sum_t (x_t - p_t)^2 <= sum_t p_t (1 - p_t) + 3 stepCE <= T/4 + \
            3 stepCE, hence stepCE^sub <= stepCE/2 + sqrt(sum_t (x_t - p_t)^2) <= stepCE/2 + \
            sqrt(T/4 + 3 stepCE).",
        see: &["representation", "TIGHT-c7", "TIGHT-c6", "lemma:stepCE-vs-stepCEsub"],
        tight: "The 3 is attained at x = (1,0,0), p = (0,1,1), where sum p(1-p) = 0.",
        checks: &[
            Check::Law(law("squares <= var + 3*stepce").attained(&[("1,0,0", "0,1,1")])),
            Check::Law(law("var <= T/4").attained(&[("1", "1/2")])),
            Check::Law(
                law("stepce_sub <= stepce/2 + sqrt(squares)")
                    .mistake("stepce_sub <= stepce/2 + 0.43*sqrt(squares)"),
            ),
            Check::Law(
                law("stepce_sub <= stepce/2 + sqrt(T/4 + 3*stepce)")
                    .mistake("stepce_sub <= stepce/2 + 0.38*sqrt(T/4 + 3*stepce)"),
            ),
        ],
        ..TIGHT
    },
];

/// A row of this section to start from.
const TIGHT: Claim = Claim { section: sections::TIGHT, kind: Kind::Inequality, ..ROW };
