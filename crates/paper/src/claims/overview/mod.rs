//! Technical overview (L395-490).

mod examples;
mod lower;
mod patch_up;
mod walks;

use super::tools::finite;
use super::{Check, Claim, Example, Kind, ROW, Scope, sections};
use crate::claims::tools::{boundary, step};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "E43",
        kind: Kind::Expectation,
        lines: "398",
        reading: "With T/2 rounds predicted at 1/2 before T/2 ones predicted at 1, T even: UCal = \
            4 max(b, 0) for the bias b at 1/2, so that E UCal = 2 E|b| on fair bits.",
        departs: "The paper says that a typical bias of the order sqrt(T) makes a UCal of that \
            order: true of positive ones, which are half of the typical ones, and so in \
            expectation. Nothing is wrong.",
        see: &["prop:HQYZ24-UCal"],
        checks: &[finite!(
            "UCal for every number of heads",
            Scope::Cases,
            "even T <= 24",
            examples::bias_at_half,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "E48",
        kind: Kind::Expectation,
        lines: "400",
        reading: "For some kappa > 0, all large even T and every forecaster of T/2 fair bits \
            followed by T/2 ones: its expected UCal^sub is at least kappa times that of the \
            truthful forecaster.",
        scope: Scope::Asymptotic,
        departs: "The paper says that the gap of this nature vanishes under subsampling, as the \
            strategist is better by a constant factor at best; that is so of the one who patches \
            up (patch-up-subsampled), not of every forecaster. It fails for every kappa: one is \
            shown.",
        uses: &["half-rate", "prop:altform", "lemma:UCal-vs-VCal"],
        see: &["patch-up-subsampled", "prop:HQYZ24-UCal", "prop:simplesubsamptruth"],
        defect: step(
            "Say it of the forecaster who patches up. 5/8 for the bits and 7/8 for the \
                ones has an exponentially small UCal^sub: this nature has an \
                e^(-Omega(T))-Omega(sqrt(T)) gap and is an example of hedging already. No result \
                rests on the sentence.",
        ),
        checks: &[finite!(
            "5/8 for the bits, 7/8 for the ones",
            Scope::All,
            "all even T; any kappa",
            patch_up::gap_remains,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "patch-up-subsampled",
        kind: Kind::Expectation,
        lines: "400",
        reading: "On T/2 fair bits followed by T/2 ones, T even: predicting 5/8 for the bits, and \
            for the ones until the bias is >= 0, then 1, has UCal^sub >= VCal^sub >= (3/16) \
            sqrt(T/6) whatever the bits are, and the truth has E UCal^sub <= sqrt(T). So patching \
            up is cheaper by a factor of at most 14.",
        departs: "The constants are ours.",
        uses: &["fourth-moment", "prop:altform", "lemma:UCal-vs-VCal"],
        see: &["E48", "prop:HQYZ24-UCal", "lab:patch-up"],
        checks: &[finite!(
            "symmetry and fourth moments, and exact values for T <= 24",
            Scope::All,
            "all even T, all bits",
            patch_up::patching_up,
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
        parts: &["prop-disc"],
        see: &["E22"],
        ..OVERVIEW
    },
    Claim {
        id: "claim-no-continuous-CM",
        kind: Kind::Construction,
        lines: "411, 511",
        reading: "Let CM be any measure with CM >= kappa UCal, kappa > 0, and x consist of T/2 \
            ones and T/2 zeros, T even. For every eps in (0,1/2) some p within eps of (1/2) 1 has \
            CM(x,p) >= kappa (1 + 2 eps) T. So if CM is continuous in p at (1/2) 1, then CM(x, \
            (1/2) 1) >= kappa T, and CM is not o(T) where all b_j = 0: not complete.",
        departs: "A complete measure jumps for all large T: completeness bounds CM(x, (1/2) 1) by \
            o(T) only.",
        uses: &["prop-disc"],
        see: &["ex1-discontinuity", "def:complete-and-sound"],
        checks: &[finite!(
            "the limit of every measure, and seven of them for T <= 24",
            Scope::All,
            "all even T, every measure",
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
        checks: &[finite!(
            "all outcomes; affine in eps",
            Scope::Cases,
            "T <= 8, all x, all eps",
            examples::binary_search,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "ex2-hedging-overview",
        kind: Kind::Expectation,
        lines: "421",
        reading: "For the hedged forecasts 2/5 and 3/5 the worst thresholds are those just above \
            2/5 and just below 3/5.",
        scope: Scope::Asymptotic,
        parts: &["E19"],
        see: &["prop:simplesubsamptruth"],
        ..OVERVIEW
    },
    Claim {
        id: "E19",
        kind: Kind::Expectation,
        lines: "421",
        reading: "x_t ~ Bern(1/5) predicted at 2/5 for t <= T/2, then x_t ~ Bern(4/5) predicted at \
            3/5: as T grows, no limit of g is positive with a probability that falls more slowly \
            than those at 2/5 from above and at 3/5 from below.",
        scope: Scope::Asymptotic,
        departs: "The paper calls these two the worst cases; read as the likeliest to be positive, \
            up to the rate at which the probabilities fall.",
        see: &["ex2-hedging-overview", "prop:simplesubsamptruth"],
        defect: step(
            "The limits at 2/5 from below and at 3/5 from above are the likeliest to be positive. \
                They have to be bounded as well, as the proof of the proposition does; both fall \
                exponentially, and the sketch stands.",
        ),
        checks: &[finite!(
            "the rates on both sides of 2/5",
            Scope::Asymptotic,
            "T = 160 m, every m; tried for even T <= 40",
            examples::worst_thresholds,
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
        checks: &[finite!(
            "both identities, and the orders at cubes T",
            Scope::All,
            "all gamma and c; T = k^3",
            examples::smoothed_hedging,
        )],
        ..OVERVIEW
    },
    Claim {
        id: "eq:HQYZ24-lower",
        kind: Kind::Expectation,
        lines: "427-431",
        reading: "For some kappa > 0, every T, every nature and every forecaster: E|sum_t y_t (x_t \
            - p_t)| >= kappa E gamma(Var_T), with gamma(v) = v for v <= 1 and sqrt(v) above. kappa \
            = 0.168 will do, and none above 0.258.",
        departs: "The source gives no kappa; both numbers are ours.",
        parts: &["lower-total-bias", "lower-best-constant"],
        see: &["E14"],
        tight: "Not known. A rare one, and then ones until a zero, leave nothing above 0.283; \
            sqrt(2/pi)/2 = 0.3989 (fair bits, T -> infinity) is not the least.",
        checks: &[finite!(
            "a rare one, then ones until a zero",
            Scope::Instance,
            "the natures",
            lower::rare_then_ones,
        )],
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
        checks: &[finite!(
            "all paths of each product distribution",
            Scope::Cases,
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
        defect: boundary(
            "Write <= for = and <= for <: with ties stepCE may be smaller than the largest partial \
                sum. The bound stands.",
        ),
        checks: &[
            finite!("both sides", Scope::Cases, "T <= 4, p* in 1/4, all x", walks::ties),
            Check::Example(Example { sequence: ("1,0", "1/2,1/2"), facts: &["stepce == 0"] }),
        ],
        ..OVERVIEW
    },
    Claim {
        id: "no-finite-cover",
        kind: Kind::Prose,
        lines: "449",
        reading: "For alpha < beta in [0,1] the step functions 1{p <= alpha} and 1{p <= beta} of p \
            in [0,1] are at a distance of 1 in the maximum norm. So no function is within less \
            than 1/2 of both: finitely many functions are within r < 1/2 of finitely many step \
            functions only.",
        departs: "The paper says that there is no finite cover; the radius is ours.",
        see: &["overview-net"],
        tight: "1/2: the constant function 1/2 is within 1/2 of all of them.",
        checks: &[finite!(
            "two step functions, and one function near both",
            Scope::All,
            "all alpha < beta, every function",
            walks::cover,
        )],
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
        checks: &[finite!(
            "the sum with a bound for all T, and independent points for T <= 4",
            Scope::All,
            "all T >= 1, adaptive p*",
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
        checks: &[finite!(
            "the net against all thresholds",
            Scope::Cases,
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
        defect: boundary("The net ends at floor(1/eps) eps, which is less than eps away from 1."),
        checks: &[finite!(
            "the last multiple up to 1",
            Scope::Cases,
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
        departs: "The paper has log 2^i (E20); the constants are ours.",
        see: &["E20", "TIGHT-sub-excess"],
        tight: "The sum over all levels is 6.90 sqrt(T); the truth is sqrt(pi/2) sqrt(T) in the \
            limit.",
        checks: &[
            finite!(
                "E max and every Y_i, exactly",
                Scope::Cases,
                "T = 1, 2, 4, ..., 32",
                walks::chaining,
            ),
            finite!("the series over levels", Scope::All, "the numbers", walks::chaining_series),
        ],
        ..OVERVIEW
    },
    Claim {
        id: "E20",
        kind: Kind::Expectation,
        lines: "470",
        reading: "For some C, all T = 2^k and all i <= k: Y_i <= C sqrt((T/2^i) max(1, log 2^i)), \
            with Y_i as in overview-random-walk-chaining, whose bound is at most twice that.",
        departs: "The paper has log 2^i, which is 0 at i = 0. With the usual convention that a \
            logarithm in O(...) is at least 1 nothing is wrong.",
        parts: &["overview-random-walk-chaining"],
        ..OVERVIEW
    },
    Claim {
        id: "overview-chaining-smoothed",
        kind: Kind::Numeric,
        lines: "472-476",
        reading: "For some C and all c in (0,1]: sum_{i>=1} sqrt(2^-i T log(2^i/c)) <= C sqrt(T \
            log(1/c)).",
        departs: "1/c is an integer in the paper.",
        parts: &["E15"],
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
        uses: &["hoeffding-lemma"],
        see: &["thm:alg"],
        tight: "1/sqrt(T) is approached, not attained, at p* = 1, T = k^2 - 1; 1/(2 sqrt(T)) fails \
            only beyond floor(sqrt(T))/sqrt(T). 227/100 is 2.2668... at T = 2.",
        checks: &[
            finite!(
                "how far rounding moves p*",
                Scope::Cases,
                "T <= 40 and T = 3599, p* in 1/30",
                walks::rounding,
            ),
            finite!("the bound in closed form", Scope::All, "all T >= 2", walks::minimax_bound),
        ],
        ..OVERVIEW
    },
];

/// A row of this section to start from.
const OVERVIEW: Claim = Claim { section: sections::OVERVIEW, ..ROW };
