//! Truthfulness of step calibration, first bounds (L1073-1164).

mod bounds;
mod constant;
mod lower;
mod optimum;
mod upper;

pub(super) use optimum::best_total_bias;

use super::Scope::{All, Cases, Instance};
use super::tools::finite;
use super::{Check, Claim, Kind, ROW, law, sections};
use crate::claims::tools::slip;

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "density-typo",
        kind: Kind::Definition,
        lines: "1076",
        reading: "The densities of the smoothed setting are at most c.",
        parts: &["E21"],
        see: &["def-smoothed"],
        ..WARM_UP
    },
    Claim {
        id: "E21",
        kind: Kind::Definition,
        lines: "1076",
        reading: "For every c in (0,1] there is a prior on [0,1] whose density is at most c, and \
            these are the priors from which the smoothed nature draws p*_t.",
        see: &["def-smoothed", "density-typo"],
        defect: slip("The density is at most 1/c."),
        checks: &[
            finite!(
                "the mass that a bounded density can have",
                All,
                "c in (0,1]",
                bounds::density_at_most_c,
            ),
            finite!(
                "the largest mass at c = 1/2",
                Instance,
                "c = 1/2",
                bounds::density_at_most_half,
            ),
        ],
        ..WARM_UP
    },
    Claim {
        id: "OPT-constant-c",
        kind: Kind::Inequality,
        lines: "1079-1092",
        reading: "For all T, x, p: stepCE >= |sum_t (x_t - p_t)|; hence stepCE^sub >= E_y |sum_t \
            y_t (x_t - p_t)| for y uniform on {0,1}^T.",
        departs: "The bound OPT >= K sqrt(T) for fixed c, which is drawn from it, is var-linear.",
        see: &["E14", "lemma:lower", "var-linear"],
        tight: "Both are equations for T = 1, and whenever all predictions are equal.",
        checks: &[
            Check::Law(law("stepce >= abs(bias)").attained(&[("1", "1/4"), ("1,1", "0,1/2")])),
            finite!(
                "both sides of the subsampled bound",
                All,
                "all T, x, p; tried for T <= 5, D = 4",
                optimum::subsampled_total_bias,
            )
            .proved_by(&["bias_le_stepCE_sub"]),
        ],
        ..WARM_UP
    },
    Claim {
        id: "E14",
        kind: Kind::Expectation,
        lines: "1094",
        reading: "For every nature and forecaster: E_y |sum_t y_t (x_t - p_t)| is in expectation \
            at least E gamma(Var_T), with factor 1, where gamma(v) = min(v, sqrt(v)).",
        see: &["OPT-constant-c", "lemma:lower"],
        tight: "No factor above 1/2 will do at T = 1: the best forecast has half of min(p*, 1 - \
            p*), against p*(1 - p*).",
        defect: slip(
            "Omega is missing: the sum is at least a constant times E gamma(Var_T) (lemma:lower).",
        ),
        checks: &[
            finite!(
                "one round of Bern(q) forecast at p",
                Cases,
                "T = 1, q and p in multiples of 1/4",
                optimum::factor_one_at_one_round,
            ),
            finite!(
                "one round with p* uniform on [0,1]",
                Instance,
                "T = 1, c = 1",
                optimum::factor_one_smoothed,
            ),
        ],
        ..WARM_UP
    },
    Claim {
        id: "var-linear",
        kind: Kind::Expectation,
        lines: "1095-1100",
        reading: "In every c-smoothed setting, P(Var_T < 7cT/128) <= (3/4)^(T/2) for all T; hence \
            E gamma(Var_T) >= (1 - (3/4)^(T/2)) gamma(7cT/128), and OPT of stepCE^sub >= \
            sqrt(cT)/29 if 7cT >= 128.",
        departs: "The paper has Var_T >= Omega(T) with high probability for fixed c and OPT >= \
            Omega(sqrt(T)), without constants.",
        uses: &["smooth-interior", "lower-total-bias", "OPT-constant-c"],
        see: &["sqrtVar-lower", "small-c-variance"],
        checks: &[finite!(
            "an exponential moment with base 3; binomial tails",
            All,
            "all T, c; tried for T <= 64",
            upper::linear_variance,
        )],
        ..WARM_UP
    },
    Claim {
        id: "regime-claim",
        kind: Kind::Expectation,
        lines: "1101-1108",
        reading: "For all T >= 1, c in (0,1] and c-smoothed natures: the truthful forecaster has \
            an expected stepCE^sub of at most 5 sqrt(T log2(2T/c)); for T >= 2, of at most 7.1 \
            sqrt(T log2(T/c)).",
        departs: "The text announces O(sqrt(T)) for fixed c and then displays this bound; the \
            display is what we read. It has log(T/c), which is 0 at T = c = 1, where the error is \
            1/6.",
        uses: &["upper-root"],
        see: &["E37", "E15", "lemma:upper"],
        checks: &[finite!(
            "the factor; small natures exactly",
            All,
            "all T, c, natures; tried for T <= 3",
            upper::by_rounds,
        )],
        ..WARM_UP
    },
    Claim {
        id: "E37",
        kind: Kind::Prose,
        lines: "1101, 1106",
        reading: "The paragraph sets out to show a truthful penalty of O(sqrt(T)) for fixed c and \
            ends with O(sqrt(T log(T/c))). (The main theorem does give O(sqrt(T)).)",
        see: &["regime-claim", "thm:strongupperbound"],
        defect: slip(
            "Announce O(sqrt(T log(T/c))), or refer to the main theorem, which does give \
                O(sqrt(T)).",
        ),
        stated: "an announcement that differs from what is shown: nothing to compute",
        ..WARM_UP
    },
    Claim {
        id: "small-c-variance",
        kind: Kind::Expectation,
        lines: "1110",
        reading: "For p* uniform on [0,c]: E p*(1 - p*) = c/2 - c^2/3, so that E Var_T is between \
            cT/6 and cT/2. \
                  For every prior with density at most 1/c: E p*(1 - p*) >= c/4 - c^2/12.",
        departs: "The paper says that Var_T can be as low as Theta(cT); the second sentence, ours, \
            is the exact minimum.",
        tight: "c/4 - c^2/12 for mass 1/2 on each of [0,c/2] and [1 - c/2,1].",
        checks: &[
            finite!("the integral over [0,c]", All, "all c in (0,1]", bounds::variance_near_zero),
            finite!(
                "the extreme densities, and all on eighths",
                All,
                "c in (0,1], every density <= 1/c",
                bounds::least_variance,
            ),
        ],
        ..WARM_UP
    },
    Claim {
        id: "lower-submartingale",
        kind: Kind::Inequality,
        reading: "Let A be the sum of (x_s - p_s)^2 and V that of p*_s(1 - p*_s) up to some round, \
            and r = sqrt(25/144 + A). For all forecasts, (18/5) r - V/r does not fall in \
            expectation: its mean after one more round with x ~ Bern(p*) is at least its value.",
        departs: "A step of our proof of lemma:lower, for which the paper cites another one.",
        see: &["lemma:lower", "lower-pointwise"],
        tight: "No factor below 18/5 will do: A = V = 0, p = 0 and p* -> 0.",
        checks: &[finite!(
            "identities, and rounds one by one",
            All,
            "all A, V >= 0, p and p* in [0,1]",
            lower::submartingale,
        )],
        ..WARM_UP
    },
    Claim {
        id: "lower-pointwise",
        kind: Kind::Numeric,
        reading: "For all A, V >= 0 and r = sqrt(25/144 + A): gamma(V) <= (5/12) V/r + (21/10) \
            sqrt(A) - (3/2)(r - 5/12), with gamma(v) = min(v, sqrt(v)).",
        departs: "A step of our proof of lemma:lower.",
        see: &["lemma:lower", "lower-submartingale"],
        tight: "Equality at A = 0, V <= 1; 21/10 is approached for V = (12r/5)^2/4 and large A.",
        checks: &[finite!(
            "polynomials in 12r/5 and sqrt(V), and points",
            All,
            "all A, V >= 0",
            lower::pointwise,
        )],
        ..WARM_UP
    },
    Claim {
        id: "khintchine-fourth",
        kind: Kind::Expectation,
        reading: "For real a_1, ..., a_T and independent fair signs s_t: E(sum_t s_t a_t)^4 <= 3 \
            (sum_t a_t^2)^2 and E|sum_t s_t a_t| >= sqrt(sum_t a_t^2 / 3). For y uniform on \
            {0,1}^T, E|sum_t y_t a_t| >= E|sum_t s_t a_t|/2 >= sqrt(sum_t a_t^2 / 12).",
        departs: "Khintchine's inequality, by fourth moments.",
        uses: &["fourth-moment"],
        see: &["khintchine-best", "lemma:lower"],
        tight: "3 for equal a_t and large T; 1/2 for T = 1, or a sum of 0. sqrt(1/3) is not the \
            best factor.",
        checks: &[finite!(
            "reflections of the sum, and vectors",
            All,
            "all T, real a; tried for T <= 4",
            lower::khintchine_fourth
        )],
        ..WARM_UP
    },
    Claim {
        id: "khintchine-best",
        kind: Kind::Expectation,
        reading: "For real a_1, ..., a_T and independent fair signs s_t: E|sum_t s_t a_t| >= \
            sqrt(sum_t a_t^2 / 2).",
        departs: "Szarek's inequality (Khintchine's with the best constant), by the proof of \
            Latała and Oleszkiewicz.",
        see: &["khintchine-fourth", "lower-total-bias"],
        tight: "a = (1,1).",
        checks: &[finite!(
            "the operator of reversals on products and on |sum|",
            All,
            "all T, real a; tried for T <= 4",
            lower::khintchine_best,
        )],
        ..WARM_UP
    },
    Claim {
        id: "lemma:lower",
        kind: Kind::Expectation,
        lines: "1119-1140",
        reading: "For every T, every nature, smoothed or not, and every forecaster: E stepCE^sub \
            >= K E gamma(Var_T), with gamma(v) = min(v, sqrt(v)) and K = 5/(21 sqrt(2)) = \
            0.168...; so OPT >= K E gamma(Var_T). K = 5/(21 sqrt(3)) = 0.137... follows from \
            fourth moments alone.",
        departs: "The paper cites it and has no constant. The proof is ours, by a submartingale.",
        uses: &["lower-total-bias", "khintchine-fourth", "OPT-constant-c"],
        see: &["lower-best-constant", "E14", "eq:HQYZ24-lower"],
        tight: "Not known: nothing above 0.377 will do (lower-best-constant).",
        checks: &[finite!(
            "the elementary constant; the best forecasters of small natures",
            All,
            "all T, natures; tried for T <= 2 by linear programmes",
            optimum::lower_by_fourth_moments
        )],
        ..WARM_UP
    },
    Claim {
        id: "lower-total-bias",
        kind: Kind::Expectation,
        reading: "For every T, every nature, smoothed or not, and every forecaster: E gamma(Var_T) \
            <= (21/10) E sqrt(sum_t (x_t - p_t)^2), with gamma(v) = min(v, sqrt(v)), and E \
            E_y|sum_t y_t (x_t - p_t)| >= K E gamma(Var_T) with K = 5/(21 sqrt(2)) = 0.168..., for \
            y uniform on {0,1}^T.",
        departs: "The core of our proof of lemma:lower, by a submartingale; 1 in place of 25/144 \
            under the root gives 5/2 + sqrt(2) in place of 21/10.",
        uses: &["lower-submartingale", "lower-pointwise", "khintchine-fourth", "khintchine-best"],
        see: &["lemma:lower", "eq:HQYZ24-lower", "lower-best-constant"],
        checks: &[finite!(
            "the chain; the best forecasters of small natures",
            All,
            "all T, natures; tried for T <= 3 by linear programmes",
            optimum::lower_by_best_constant
        )],
        ..WARM_UP
    },
    Claim {
        id: "lower-best-constant",
        kind: Kind::Construction,
        reading: "The forecaster predicts 0 or 1, and nature surprises it with a one or a zero in \
            turn: in the first round with probability 1/10000, and if it does, after that with \
            1/100 in each of at most 1200 rounds, 16 times in all at most, until it stops; then, \
            and without a surprise in the first round, all is certain. If it stops after an even \
            number n of surprises once Var >= max(1, 2n/5), E E_y|sum_t y_t (x_t - p_t)| <= 0.258 \
            E gamma(Var_T); if it stops once Var >= 1, E stepCE^sub <= 0.377 E gamma(Var_T). So \
            lemma:lower holds with no K above 0.377, and lower-total-bias with none above 0.258.",
        scope: Instance,
        departs: "Not in the paper.",
        see: &["lemma:lower", "eq:HQYZ24-lower"],
        tight: "In the limit of rare surprises, with the best times to stop, 0.2566... and \
            0.3745..., by doubles.",
        checks: &[finite!(
            "both natures, with enclosures",
            Instance,
            "the two natures",
            constant::surprises,
        )],
        ..WARM_UP
    },
    Claim {
        id: "upper-moment",
        kind: Kind::Expectation,
        reading: "For lambda and p in [0,1], x ~ Bern(p), a fair bit y that is independent of x, \
            and b = -1, 0 or 1: E e^(lambda b y (x - p)) <= 1 + (13/36) lambda^2 p(1-p).",
        departs: "Takes the place of Freedman's inequality in the proof of lemma:upper.",
        see: &["upper-root"],
        tight: "(e - 2)/2 = 0.359... for 13/36 = 0.361..., at lambda = 1 and p -> 0.",
        checks: &[finite!(
            "the exponential series, and moments",
            All,
            "all lambda, p in [0,1]",
            upper::moment,
        )],
        ..WARM_UP
    },
    Claim {
        id: "upper-ladder",
        kind: Kind::Numeric,
        reading: "For T >= 1, V in (0,T/4], l >= ln 2 and a = 13/36, one of the numbers lambda = \
            1, 1/2, ..., 2^-m with m = floor(log2(T)/2) has a lambda V + l/lambda <= (3/sqrt(2)) \
            sqrt(a V l) + l. There are at most sqrt(T) of them, and none is below 1/sqrt(T).",
        departs: "Takes the place of the blocks of doubling variance in the proof of lemma:upper.",
        see: &["upper-root"],
        checks: &[finite!(
            "u + 1/u between two powers of 2, and points",
            All,
            "all T, V, l",
            upper::ladder,
        )],
        ..WARM_UP
    },
    Claim {
        id: "upper-root",
        kind: Kind::Expectation,
        lines: "1154-1160",
        reading: "For all T >= 1, c in (0,1] and c-smoothed natures, with l = ln(2T^3/c): the \
            truthful forecaster has an expected stepCE^sub of at most sqrt(13 l/8) E sqrt(Var_T) + \
            l + 19/10.",
        departs: "The sketch has O(sqrt(log(T/c))) E sqrt(Var_T) + O(log T log(T/c)): one mixture \
            of exponentials in place of its blocks saves the factor log T. Freedman's inequality \
            is not needed.",
        uses: &["upper-moment", "upper-ladder", "net-bin"],
        see: &["lemma:upper", "regime-claim", "eq:overview-naive-net", "thm:strongupperbound"],
        checks: &[finite!(
            "the numbers; small natures exactly",
            All,
            "all T, c, natures; tried for T <= 3",
            upper::root_bound,
        )],
        ..WARM_UP
    },
    Claim {
        id: "lemma:upper",
        kind: Kind::Expectation,
        lines: "1143-1163",
        reading: "For all T >= 1, c in (0,1] and c-smoothed natures: the truthful forecaster has \
            an expected stepCE^sub of at most 2 E gamma(Var_T) sqrt(log2(2T/c)) + (9/2) \
            log2(2T/c); for T >= 2, of at most 9 (E gamma(Var_T) sqrt(log2(T/c)) + log2(T/c)^2).",
        departs: "Explicit constants, and log in place of log^2. The paper does not say T >= 2: at \
            T = c = 1 log(T/c) is 0, and the error is 1/6.",
        uses: &["upper-root", "sqrt-vs-gamma"],
        see: &["E15", "regime-claim", "upper-truthful"],
        checks: &[finite!(
            "the factors; small natures exactly",
            All,
            "all T, c, natures; tried for T <= 3",
            upper::with_gamma,
        )],
        ..WARM_UP
    },
    Claim {
        id: "upper-truthful",
        kind: Kind::Expectation,
        lines: "1152",
        reading: "For all T >= 1, c in (0,1] and c-smoothed natures: the truthful forecaster has \
            an expected stepCE^sub of at most 12 sqrt(log2(2T/c)) OPT + (9/2) log2(2T/c).",
        departs: "The paper has O(sqrt(log(T/c))) and O(log^2(T/c)).",
        uses: &["lemma:upper", "lower-total-bias", "OPT-constant-c"],
        see: &["thm:strongupperbound"],
        checks: &[finite!("the product of the factors", All, "all T, c, natures", upper::truthful)],
        ..WARM_UP
    },
    Claim {
        id: "net-bin",
        kind: Kind::Expectation,
        lines: "1155",
        reading: "For p*_1, ..., p*_T from priors with density at most 1/c and bins of width \
            c/T^2: the expected \
                  number in the fullest bin is at most 1 + sum_(m>=1) C(T,m+1) T^(-2m) <= 3/2.",
        departs: "The paper says O(1).",
        uses: &["overview-net"],
        see: &["lemma:upper"],
        tight: "The sum tends to 3/2; it is the expectation itself for T <= 2 and uniform priors.",
        checks: &[finite!(
            "the mass of a bin; balls in T^2 equal bins",
            All,
            "all T, c; tried for T <= 4",
            bounds::fullest_bin,
        )],
        ..WARM_UP
    },
    Claim {
        id: "sqrt-vs-gamma",
        kind: Kind::Numeric,
        lines: "1162, 1286",
        reading: "For all v >= 0: sqrt(v) <= gamma(v) + 1; indeed sqrt(v) <= gamma(v) + 1/4.",
        departs: "The paper has 1; 1/4 is the best constant.",
        tight: "1/4 at v = 1/4.",
        checks: &[finite!(
            "sqrt(v) - gamma(v) as a square",
            All,
            "all v >= 0",
            bounds::root_and_gamma,
        )],
        ..WARM_UP
    },
];

/// A row of this section to start from.
const WARM_UP: Claim = Claim { section: sections::WARM_UP, ..ROW };
