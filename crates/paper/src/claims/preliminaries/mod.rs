//! Preliminaries (L296-393), after the formula for U-calibration that supports them.

mod altform;
mod rules;
mod setting;
mod truthful;
mod ucal;

use super::tools::finite;
use super::{Check, Claim, Example, Kind, ROW, Scope, law, sections};
use crate::claims::tools::consequence;

pub(super) use truthful::{fair_bits_then_ones, patched};
pub(super) use ucal::{CLAIMS as UCAL, opposite_predictions};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "def-forecaster",
        kind: Kind::Definition,
        lines: "300-304",
        reading: "A forecaster maps x_1..x_{t-1} to p_t in [0,1]. Against a fixed distribution of \
            x, whatever is measured, a forecaster that also tosses coins between finitely many \
            predictions and remembers its own has a mean of the expected penalties of such \
            functions, and so does not pay less than the least of them.",
        departs: "Only for the setting without smoothing; see E42.",
        see: &["E42"],
        checks: &[finite!(
            "the mixture for two rounds, and stepCE as an example",
            Scope::All,
            "all T, every measure and distribution, finitely many predictions",
            setting::deterministic_forecasters,
        )],
        ..PRELIMINARIES
    },
    Claim {
        id: "def-smoothed",
        kind: Kind::Definition,
        lines: "306-308",
        reading: "Delta_c is the set of distributions on [0,1] with a density <= 1/c, for c in \
            (0,1]: it is empty for c > 1, only the uniform distribution for c = 1, and shrinks as \
            c grows. The forecaster maps (x_1..x_{t-1}, p*_t) to p_t.",
        departs: "The range (0,1] of c is forced by the definition; the paper only says c > 0.",
        see: &["E42"],
        checks: &[finite!(
            "which densities belong to Delta_c",
            Scope::Cases,
            "four bins, masses in 1/8, six c",
            setting::smoothed_families,
        )],
        ..PRELIMINARIES
    },
    Claim {
        id: "E42",
        kind: Kind::Prose,
        lines: "304, 306",
        reading: "In the smoothed setting p_t is a function of x_1..x_{t-1} and p*_t, so a \
            forecaster cannot recall p*_1 .. p*_{t-1} nor what it predicted from them. Unlike \
            without smoothing, these are not functions of the outcomes; nothing in the paper \
            depends on it.",
        see: &["def-smoothed", "def-forecaster"],
        stated: "a remark on the model: forecasters with memory would be functions of \
            (x_1..x_{t-1}, p*_1..p*_t)",
        ..PRELIMINARIES
    },
    Claim {
        id: "def-CM-range",
        kind: Kind::Inequality,
        lines: "311",
        reading: "A calibration measure takes values in [0,T].",
        parts: &["E03"],
        see: &["def-CM-range-corrected"],
        ..PRELIMINARIES
    },
    Claim {
        id: "def-CM-range-corrected",
        kind: Kind::Inequality,
        lines: "311, 654, 745",
        reading: "For all T, x, p: UCal, VCal <= 2T; UCal^sub, VCal^sub, ECE, smCE, stepCE, \
            signCE, intervalCE <= T; stepCE^sub, SSCE <= T/2; none is negative.",
        departs: "The ranges that replace [0,T].",
        see: &["E03", "def-CM-range", "VCal-at-most-T"],
        tight: "Upper bounds at x = (1), p = (0), lower bounds at x = (1), p = (1).",
        checks: &[
            Check::Law(law("ucal <= 2*T").attained(FAR)),
            Check::Law(law("vcal <= 2*T").attained(FAR)),
            Check::Law(law("ucal_sub <= T").attained(FAR)),
            Check::Law(law("vcal_sub <= T").attained(FAR)),
            Check::Law(law("ece <= T").attained(FAR)),
            Check::Law(law("smce <= T").attained(FAR)),
            Check::Law(law("stepce <= T").attained(FAR)),
            Check::Law(law("signce <= T").attained(FAR)),
            Check::Law(law("intervalce <= T").attained(FAR)),
            Check::Law(law("stepce_sub <= T/2").attained(FAR)),
            Check::Law(law("ssce <= T/2").attained(FAR)),
            Check::Law(
                law("min(ece, smce, stepce, signce, intervalce, vcal, ucal) >= 0")
                    .attained(&[("1", "1")])
                    .mistake("min(ece, smce, stepce, signce, intervalce, vcal, ucal) > 0"),
            ),
            Check::Law(
                law("min(stepce_sub, vcal_sub, ucal_sub, ssce) >= 0")
                    .attained(&[("1", "1")])
                    .mistake("min(stepce_sub, vcal_sub, ucal_sub, ssce) > 0"),
            ),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "E03",
        kind: Kind::Inequality,
        lines: "311, 654, 745",
        reading: "Every calibration measure takes values in [0,T]; in particular UCal <= T and \
            VCal <= T.",
        see: &["def-CM-range-corrected", "def-CM-range", "VCal-at-most-T", "TV-transfer"],
        tight: "The best constant is 2, at x = (1), p = (0).",
        defect: consequence(
            "By this definition UCal and VCal are no calibration measures, and \
                prop:completedecisionlowerbound does not apply to them. Let the range be [0,CT]: \
                [0,2T] for UCal and VCal, [0,T] for UCal^sub, VCal^sub, ECE, smCE and stepCE, \
                [0,T/2] for stepCE^sub and SSCE (def-CM-range-corrected). At L745 the bound is \
                used where 4T/5 holds.",
        ),
        checks: &[
            Check::Law(law("ucal <= T").correction("ucal <= 2*T")),
            Check::Law(law("vcal <= T").correction("vcal <= 2*T")),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "def:complete-and-sound",
        kind: Kind::Definition,
        lines: "314-319",
        reading: "Complete: CM(x,x) = 0; E CM(x, alpha 1) = o(T) for x_t ~ Bern(alpha); CM = o(T) \
            if all b_j = 0. Sound: CM(x, 1-x) = Omega(T); E CM(x, beta 1) = Omega(T) for beta /= \
            alpha. For stepCE: stepCE(x, 1-x) >= T/3 and |alpha-beta| T <= E stepCE(x, beta 1) <= \
            |alpha-beta| T + sqrt(T)/2; if all b_j = 0, stepCE^sub <= sqrt(T)/2 and SSCE <= (3/4) \
            sqrt(T).",
        scope: Scope::Asymptotic,
        departs: "The constants are ours. The last two: for all b_j = 0 the sampled B_j are a \
            martingale, whose end has mean square <= T/16; Doob's inequality bounds max |B_j|, and \
            smCE <= |B_m| + max |B_j|.",
        uses: &["UCAL-COROLLARIES-b"],
        tight: "sqrt(T)/2 at T = 1, alpha = beta = 1/2.",
        checks: &[
            finite!(
                "every measure is 0 at p = x",
                Scope::Cases,
                "T <= 8, all x",
                setting::predicting_the_outcomes,
            ),
            finite!(
                "E stepCE of constant forecasts",
                Scope::Cases,
                "T <= 10, alpha and beta in 1/6",
                setting::constant_forecasts,
            ),
            Check::Law(
                law("ece == 0 => stepce_sub <= sqrt(T)/2")
                    .mistake("ece == 0 => stepce_sub <= 2/9*sqrt(T)"),
            ),
            Check::Law(
                law("ece == 0 => ssce <= 3/4*sqrt(T)")
                    .mistake("ece == 0 => ssce <= 21/110*sqrt(T)"),
            ),
            finite!("p = 1 - x", Scope::Cases, "T <= 30, all x", opposite_predictions),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "claim-perfectly-calibrated-no-regret",
        kind: Kind::Inequality,
        lines: "321, 327-328",
        reading: "If all b_j = 0 then no proper scoring rule has positive regret, so UCal = 0; \
            VCal, stepCE and smCE are 0 as well; SSCE is not, but SSCE <= (3/4) sqrt(T).",
        departs: "The constant is ours. The paper's agents, who choose among best actions, have no \
            regret if equal predictions are answered by equal actions: with x = (1,0), p = \
            (1/2,1/2), whoever bets on 0 and then on 1 loses twice.",
        see: &["def:complete-and-sound"],
        checks: &[
            Check::Law(law("ece == 0 => ucal == 0").mistake("ece <= 1/12 => ucal == 0")),
            Check::Law(law("ece == 0 => vcal == 0").mistake("ece <= 1/12 => vcal == 0")),
            Check::Law(law("ece == 0 => stepce == 0").mistake("ece <= 1/12 => stepce == 0")),
            Check::Law(law("ece == 0 => smce == 0").mistake("ece <= 1/12 => smce == 0")),
            Check::Law(law("ece == 0 => ssce <= 3/4*sqrt(T)").mistake("ece == 0 => ssce == 0")),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "proper-definition",
        kind: Kind::Definition,
        lines: "331",
        reading: "S: {0,1} x [0,1] -> [-1,1] is proper if for all a, p in [0,1] and x ~ Bern(a): E \
            S(x,a) <= E S(x,p). For instance (p-x)^2 is, with excess (p-a)^2.",
        checks: &[finite!(
            "the quadratic rule, and the absolute one",
            Scope::All,
            "the quadratic rule, all a and p",
            rules::quadratic_is_proper,
        )],
        ..PRELIMINARIES
    },
    Claim {
        id: "eq:U-calibration",
        kind: Kind::Definition,
        lines: "332-335",
        reading: "UCal(x,p) is the supremum over proper S into [-1,1] of sum_t S(x_t,p_t) - inf \
            over beta of sum_t S(x_t,beta). The infimum is attained at the mean of x, the supremum \
            by a sum of at most two V-shaped rules with weights >= 0, with a choice of their \
            values at the kinks.",
        see: &["proper-definition", "UCAL-FORMULA"],
        checks: &[
            finite!(
                "the worst rule and its best constant",
                Scope::Cases,
                "T <= 3, D = 6 (quick: 2)",
                rules::worst_rule,
            )
            .proved_by(&["best_constant", "UCal_attained"]),
            Check::Example(Example { sequence: ("1", "1/2"), facts: &["ucal == 2"] }),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "eq:vcaleq",
        kind: Kind::Identity,
        lines: "342-346",
        reading: "For every alpha in [0,1], S_alpha(x,p) = (alpha - x) sgn(p - alpha) with sgn(0) \
            = 0 lies in [-1,1] and is proper.",
        see: &["proper-definition"],
        checks: &[finite!(
            "every order of alpha, truth and prediction",
            Scope::All,
            "all alpha, a, p in [0,1]",
            rules::v_shaped_is_proper,
        )
        .proved_by(&["vshaped_proper_bounded"])],
        ..PRELIMINARIES
    },
    Claim {
        id: "eq:V-calibration",
        kind: Kind::Definition,
        lines: "347-351",
        reading: "VCal(x,p) is the supremum over alpha, beta in [0,1] of sum_t S_alpha(x_t,p_t) - \
            sum_t S_alpha(x_t,beta). beta = mean of x is optimal for every alpha; the supremum \
            over alpha is attained if and only if it is 0.",
        see: &["eq:vcaleq", "E01", "sup-attained"],
        checks: &[
            finite!(
                "beta = mean, and where the supremum lies",
                Scope::Cases,
                "T <= 3, D = 6 (quick: 2)",
                rules::v_calibration,
            )
            .proved_by(&["VCal_against_mean", "best_constant_is_mean", "VCal_reached"]),
            Check::Example(Example { sequence: ("1", "0"), facts: &["vcal == 2"] }),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "lemma:UCal-vs-VCal",
        kind: Kind::Inequality,
        lines: "353-355",
        reading: "For all T, x, p: UCal/2 <= VCal <= UCal.",
        see: &["UCAL-FORMULA", "prop:altform"],
        tight: "1/2 at x = (1), p = (1/2); 1 at x = (1), p = (0).",
        checks: &[
            Check::Law(law("ucal <= 2*vcal").attained(&[("1", "1/2")])),
            Check::Law(law("vcal <= ucal").attained(&[("1", "0")])),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "prop:altform",
        kind: Kind::Identity,
        lines: "357-364, 1916-2057",
        reading: "For all T, x, p: VCal = 2 sup over alpha in [0,1] of max(X_- - alpha N_-, alpha \
            N_+ - X_+), where N and X are the rounds and the ones with p_t < alpha (-) and p_t > \
            alpha (+).",
        see: &["eq:V-calibration", "beta=mu", "E07", "E34"],
        checks: &[
            finite!(
                "sup f = 2 sup g, in scaled integers",
                Scope::Cases,
                "T <= 6, D = 12 (quick: T <= 4)",
                altform::on_every_table,
            )
            .proved_by(&["altform", "sup_g_exists", "VCal_against_mean"]),
            finite!(
                "the regret of V-shaped rules against 2 sup g",
                Scope::Cases,
                "T <= 3, D = 6 (quick: 2)",
                rules::alternative_form,
            )
            .proved_by(&["altform", "sup_g_exists", "VCal_against_mean"]),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "def-truthful",
        kind: Kind::Definition,
        lines: "369-372, 377",
        reading: "The truthful forecaster of a distribution D of x predicts P(x_t = 1 | \
            x_1..x_{t-1}); its predictions along a path multiply to D. OPT is the infimum of the \
            expected penalty over all forecasters.",
        departs: "After a history of probability 0 any prediction will do. With smoothing it \
            predicts p*_t, of which there is nothing to be proved.",
        checks: &[finite!(
            "predictions multiply to the distribution",
            Scope::Cases,
            "T = 2, masses in 1/6",
            truthful::conditional_probabilities,
        )
        .proved_by(&["truthful_forecasts", "truthful_chain_rule"])],
        ..PRELIMINARIES
    },
    Claim {
        id: "eq:gap",
        kind: Kind::Definition,
        lines: "373-375, 377",
        reading: "CM is (alpha, beta)-truthful if for every D the truthful error is <= alpha OPT + \
            beta. It has an A-B gap if for some D, OPT <= A and the truthful error is >= B. With B \
            > alpha A + beta the two exclude each other: UCal has a (6/5)-(3/2) gap at T = 6.",
        see: &["E35"],
        checks: &[finite!(
            "three fair bits, then three ones",
            Scope::Instance,
            "the instance",
            truthful::one_gap,
        )],
        ..PRELIMINARIES
    },
    Claim {
        id: "prop:HQYZ24-UCal",
        kind: Kind::Expectation,
        lines: "380-382, 398",
        reading: "On T/2 fair bits followed by T/2 ones, T even: the truthful error in UCal is 2 \
            E|X - T/4| >= sqrt(T)/2 for X ~ Bin(T/2, 1/2). Predicting 5/8 through the first half \
            and on until the bias is >= 0, then 1, has an expected UCal <= 6/5. So UCal has an \
            O(1)-Omega(sqrt(T)) gap.",
        departs: "The constants are ours.",
        uses: &["UCAL-COROLLARIES-a"],
        see: &["E43"],
        tight: "sqrt(T)/2 at T = 4; 6/5 at T = 4, 6, 8.",
        checks: &[finite!(
            "both expectations, by binomial sums",
            Scope::Cases,
            "even T <= 60",
            truthful::gap_of_ucal,
        )],
        ..PRELIMINARIES
    },
    Claim {
        id: "eq:ssce",
        kind: Kind::Identity,
        lines: "385-392",
        reading: "For all T, x, p: SSCE, the average of smCE over the subsets of the rounds, is \
            the average over y in {0,1}^T of sup over f of sum_t y_t f(p_t)(x_t - p_t), f \
            1-Lipschitz from [0,1] to [-1,1]. The empty subset has smCE 0.",
        checks: &[finite!(
            "subsets, weights and formula",
            Scope::Cases,
            "T <= 3, D = 3",
            truthful::two_forms_of_ssce,
        )
        .proved_by(&["SSCE_counted", "SSCE_formula", "smCE_le_T", "measures_ge0"])],
        ..PRELIMINARIES
    },
    Claim {
        id: "claim-SSCE-not-decision-theoretic",
        kind: Kind::Construction,
        lines: "393",
        reading: "No kappa > 0 has SSCE >= kappa UCal for all T, x, p: with T/2 ones at 1/2 - eps \
            and T/2 zeros at 1/2 + eps, UCal = (1 + 2 eps) T and smCE = eps (1/2 + eps) T, while \
            SSCE / UCal <= 1/(4 sqrt(T)) + eps/4.",
        departs: "The paper infers it from prop:completedecisionlowerbound; this is a direct \
            witness.",
        uses: &["ex1-discontinuity"],
        see: &["prop:completedecisionlowerbound"],
        checks: &[finite!(
            "the two levels next to 1/2",
            Scope::Cases,
            "even T <= 24, three eps",
            truthful::not_decision_theoretic,
        )],
        ..PRELIMINARIES
    },
];

/// A row of this section to start from.
const PRELIMINARIES: Claim = Claim { section: sections::PRELIMINARIES, ..ROW };

/// As wrong as can be.
const FAR: &[truecal_verify::registry::Sequence] = &[("1", "0")];
