//! Technical overview (L395-490).

mod examples;
mod lower;
mod walks;

use super::tools::finite;
use super::{Check, Claim, Example, Kind, ROW, Strength, sections};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "E43",
        kind: Kind::Inequality,
        lines: "398",
        reading: "For some kappa > 0, every even T and all outcomes of T/2 rounds predicted at \
            1/2, before T/2 ones predicted at 1: UCal >= kappa |b| for the bias b at 1/2.",
        departs: "The paper says it of a typical bias; half of the typical ones are negative.",
        see: &["prop:HQYZ24-UCal"],
        checks: &[finite(
            "UCal for every number of heads",
            Strength::Exhausted,
            "even T <= 24, any kappa",
            examples::bias_at_half,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "ex1-discontinuity",
        kind: Kind::Construction,
        lines: "402-409",
        reading: "For even T >= 2 and eps in (0,1/2), with (x_t,p_t) = (1, 1/2 - eps) for t <= T/2 \
            and (0, 1/2 + eps) after: VCal = (1/2 + eps) T and UCal = (1 + 2 eps) T, but UCal = 0 \
            at p = 1/2 everywhere, which is eps away.",
        uses: &["prop:altform", "lemma:UCal-vs-VCal"],
        see: &["prop-disc", "E22"],
        checks: &[
            finite(
                "UCal and VCal next to 1/2, and at 1/2",
                Strength::Exhausted,
                "even T <= 20, eps in 1/24",
                examples::discontinuity,
            ),
            Check::Example(Example {
                sequence: ("1,0", "1/4,3/4"),
                facts: &["vcal == 3/2", "ucal == 3"],
            }),
        ],
        ..OVERVIEW
    },
    Claim {
        id: "claim-no-continuous-CM",
        kind: Kind::Construction,
        lines: "411, 511",
        reading: "A measure with CM >= kappa UCal that is continuous in p has CM(x, (1/2) 1) >= \
            kappa T for T/2 ones and T/2 zeros, so it is not complete. Our decision-theoretic \
            measures have CM(x, (1/2) 1) <= sqrt(T)/4 and jump for T > 1/(4 kappa)^2.",
        departs: "For all large T: completeness bounds CM(x, (1/2) 1) by o(T) only.",
        uses: &["ex1-discontinuity", "def:complete-and-sound"],
        checks: &[finite(
            "every measure next to 1/2 and at 1/2",
            Strength::Exhausted,
            "even T <= 24, three eps, 7 measures",
            examples::every_such_measure_jumps,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "ex1-binary-search",
        kind: Kind::Construction,
        lines: "415",
        reading: "Let p*_t be the middle of an interval that starts as [1/2 - eps, 1/2 + eps], 0 < \
            eps <= 1/2, and keeps its upper half after x_t = 1, its lower half after 0. Then \
            p*_{t+1} = p*_t +- eps 2^-t, and for alpha = p*_{T+1}, every x and t: p*_t < alpha if \
            x_t = 1 and p*_t > alpha if x_t = 0.",
        see: &["prop:subsamptruth", "binsearch-separation"],
        checks: &[finite(
            "all outcomes; affine in eps",
            Strength::Exhausted,
            "T <= 8, all x, all eps",
            examples::binary_search,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "ex2-hedging-overview",
        kind: Kind::Expectation,
        lines: "421",
        reading: "x_t ~ Bern(1/5) predicted at 2/5 for t <= T/2, then x_t ~ Bern(4/5) predicted at \
            3/5, T even: among all alpha and all one-sided limits of g, those at 2/5 from above \
            and at 3/5 from below are the likeliest to be positive.",
        departs: "The paper calls them the worst cases, without saying for what.",
        see: &["E19", "prop:simplesubsamptruth"],
        checks: &[finite(
            "the limits of g on both sides of 2/5",
            Strength::Exhausted,
            "even T <= 40",
            examples::worst_thresholds,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "E19",
        kind: Kind::Expectation,
        lines: "421",
        reading: "At T = 10, with X_1 ~ Bin(5,1/5) and X_2 ~ Bin(5,4/5): X_1 > T/5, for which X_- \
            - alpha N_- > 0 as alpha -> 2/5 from above, is at least as likely as X_1 + X_2 < 2T/5, \
            for which alpha N_+ - X_+ > 0 from below.",
        departs: "One of the two terms of g from above; with the other, ex2-hedging-overview.",
        see: &["ex2-hedging-overview"],
        checks: &[finite(
            "both probabilities",
            Strength::Proved,
            "T = 10",
            examples::worst_thresholds_at_ten,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "ex2-smoothed-overview",
        kind: Kind::Identity,
        lines: "423",
        reading: "For c in (0,1/5], gamma in (0,1], p* uniform on [1/5 - c, 1/5 + c] and alpha = \
            1/5 - (1 - gamma) c: P(p* < alpha) = gamma/2, the mean of p* below alpha is alpha - \
            gamma c/2, and with gamma = T^(-1/3) the bias (gamma T/4)(gamma c/2) = (c/8) T^(1/3) \
            is of the order of the deviation sqrt(gamma T) = T^(1/3).",
        see: &["prop:subsampsmooth", "smooth-alpha-prob"],
        checks: &[finite(
            "both identities, and the orders at cubes T",
            Strength::Proved,
            "all gamma and c; T = k^3",
            examples::smoothed_hedging,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "eq:HQYZ24-lower",
        kind: Kind::Cited,
        lines: "427-431",
        reading: "For some kappa > 0, every nature and every forecaster: E|sum_t y_t (x_t - p_t)| \
            >= kappa E gamma(Var_T), with gamma(v) = v for v <= 1 and sqrt(v) above. kappa = 2/5 \
            holds for T <= 2 on a grid of natures; no kappa above 0.283 holds for all T.",
        departs: "The source gives no kappa; both numbers are ours.",
        see: &["lemma:lower", "E14"],
        tight: "Not known. 1/2 is approached at T = 1 (p* -> 0) and 2/5 at T = 2: P(x_1 = 1) -> 0, \
            then 0 or \
            a fair bit. sqrt(2/pi)/2 = 0.3989 (fair bits, T -> infinity) is not the least.",
        checks: &[
            finite(
                "the least error, by linear programming",
                Strength::Exhausted,
                "T <= 2, p* in 1/4 and p*_1 = 1/100",
                lower::every_forecaster,
            ),
            finite(
                "a rare one, then ones until a zero",
                Strength::Proved,
                "the natures",
                lower::rare_then_ones,
            ),
        ],
        ..OVERVIEW
    },
    Claim {
        id: "overview-product-walk",
        kind: Kind::Expectation,
        lines: "435-445",
        reading: "For p*_1 <= ... <= p*_T and independent x_t ~ Bern(p*_t), with X_t = sum_{i<=t} \
            (x_i - p*_i): stepCE(x,p*) <= max_t |X_t|, P(max_t |X_t| >= tau) <= T/(4 tau^2) and E \
            max_t |X_t| <= sqrt(T).",
        departs: "The paper has p*_1 < ... < p*_T without loss of generality and an equality \
            (E16).",
        see: &["E16", "prop:stepCEsub-truthful-product"],
        tight: "The tail bound at T = 1, p* = 1/2, tau = 1/2.",
        checks: &[finite(
            "all paths of each product distribution",
            Strength::Exhausted,
            "T <= 5, p* in 1/4, all x",
            walks::product_walk,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "E16",
        kind: Kind::Identity,
        lines: "435, 438",
        reading: "For p*_1 <= ... <= p*_T and every x: stepCE(x,p*) = max_t |sum_{i<=t} (x_i - \
            p*_i)|.",
        departs: "The paper assumes strict inequalities as no loss of generality; ties are the \
            loss.",
        see: &["overview-product-walk"],
        checks: &[
            finite("both sides", Strength::Exhausted, "T <= 4, p* in 1/4, all x", walks::ties),
            Check::Example(Example { sequence: ("1,0", "1/2,1/2"), facts: &["stepce == 0"] }),
        ],
        ..OVERVIEW
    },
    Claim {
        id: "overview-net",
        kind: Kind::Expectation,
        lines: "460-462, 1154",
        reading: "If each p*_t, given the earlier ones, is in any given bin with probability <= \
            1/T^2, then the expected number of p*_t in the fullest bin is <= 1 + sum_{m>=1} \
            C(T,m+1) T^(-2m) <= 3/2 for every T >= 1.",
        departs: "The constant is ours; the paper says that it is negligible. At T = c = 1 its \
            O(sqrt(T log(T/c))) is 0.",
        see: &["eq:overview-naive-net", "net-bin", "lemma:upper", "E15", "E38"],
        tight: "3/2 in the limit T -> infinity.",
        checks: &[finite(
            "the sum, and a bound for all T",
            Strength::Proved,
            "all T >= 1",
            walks::bin_counts,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "eq:overview-naive-net",
        kind: Kind::Inequality,
        lines: "450-460",
        reading: "For all x, p and eps in (0,1]: the maximum of |sum (x_t - p_t) 1{p_t <= alpha}| \
            over multiples alpha of eps is at most stepCE, and lower by no more than the number of \
            predictions in the fullest (i eps, (i+1) eps].",
        departs: "The net ends at floor(1/eps) eps (E38).",
        see: &["overview-net", "E38"],
        checks: &[finite(
            "the net against all thresholds",
            Strength::Exhausted,
            "T <= 3, D = 12, four eps",
            walks::net,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "E38",
        kind: Kind::Numeric,
        lines: "450, 472",
        reading: "For every eps in (0,1], the multiples 0, eps, 2 eps, ... end with 1.",
        see: &["overview-net", "eq:overview-naive-net", "V-size"],
        checks: &[finite(
            "the last multiple up to 1",
            Strength::Exhausted,
            "eps with denominators <= 12",
            walks::end_of_the_net,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "overview-random-walk-chaining",
        kind: Kind::Expectation,
        lines: "468-470",
        reading: "For the walk S_t of fair steps +-1, T = 2^k and Y_i the expected largest \
            distance from the start at the end of 2^i independent walks of T/2^i steps: E max_t \
            |S_t| <= sum_{i<=k} Y_i and Y_i <= sqrt(2 (T/2^i) ln 2^(i+1)), so that E max_t |S_t| \
            <= 7 sqrt(T).",
        departs: "The paper has log 2^i, which is 0 at i = 0 (E20); the constants are ours.",
        see: &["E20", "TIGHT-sub-excess"],
        tight: "The sum over all levels is 6.90 sqrt(T); the truth is sqrt(pi/2) sqrt(T) in the \
            limit.",
        checks: &[
            finite(
                "E max and every Y_i, exactly",
                Strength::Exhausted,
                "T = 1, 2, 4, ..., 32",
                walks::chaining,
            ),
            finite(
                "the series over levels",
                Strength::Proved,
                "the numbers",
                walks::chaining_series,
            ),
        ],
        ..OVERVIEW
    },
    Claim {
        id: "E20",
        kind: Kind::Expectation,
        lines: "470",
        reading: "For some C, all T = 2^k and all i <= k: Y_i <= C sqrt((T/2^i) log 2^i), with Y_i \
            as in overview-random-walk-chaining.",
        see: &["overview-random-walk-chaining"],
        checks: &[finite(
            "every level; C does not matter at i = 0",
            Strength::Exhausted,
            "T <= 8, C = 100",
            walks::zeroth_level,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "overview-chaining-smoothed",
        kind: Kind::Numeric,
        lines: "472-476",
        reading: "For some C and all c in (0,1]: sum_{i>=1} sqrt(2^-i T log(2^i/c)) <= C sqrt(T \
            log(1/c)).",
        departs: "1/c is an integer in the paper.",
        see: &["E15"],
        checks: &[finite(
            "the sum at c = 1 and near it",
            Strength::Proved,
            "three c, C = 100",
            walks::chaining_at_one,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "overview-minimax",
        kind: Kind::Algorithm,
        lines: "479-489",
        reading: "Rounding p*_t to the nearest multiple of 1/sqrt(T) in [0,1] moves it by <= \
            1/sqrt(T) and leaves <= sqrt(T) + 1 thresholds. So E stepCE <= sqrt(T) + sqrt((T/2) \
            ln(2(sqrt(T) + 1))) <= (227/100) sqrt(T ln T) for T >= 2.",
        departs: "T >= 2: at T = 1 the logarithm is 0 and the value of the game is 1/2. The \
            constants are ours.",
        see: &["thm:alg"],
        tight: "1/sqrt(T) is approached, not attained, at p* = 1, T = k^2 - 1; 1/(2 sqrt(T)) fails \
            only beyond floor(sqrt(T))/sqrt(T). 227/100 is 2.2668... at T = 2.",
        checks: &[
            finite(
                "how far rounding moves p*",
                Strength::Exhausted,
                "T <= 40 and T = 3599, p* in 1/30",
                walks::rounding,
            ),
            finite(
                "the bound in closed form",
                Strength::Proved,
                "all T >= 2, given Hoeffding's lemma",
                walks::minimax_bound,
            ),
        ],
        ..OVERVIEW
    },
];

/// A row of this section to start from.
const OVERVIEW: Claim = Claim { section: sections::OVERVIEW, ..ROW };
