//! Product distributions (L1712-1774).

mod checks;

use super::Scope::{All, Cases};
use super::appendix::tail_integral;
use super::tools::finite;
use super::{Claim, Kind, ROW, sections};
use crate::claims::tools::slip;

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "prop:stepCEsub-truthful-product",
        kind: Kind::Expectation,
        lines: "1715-1775",
        reading: "For x_t ~ Bern(p*_t) independent and Var = sum_t p*_t(1 - p*_t): the truthful \
            forecaster has E stepCE^sub <= Var if Var <= 1 and <= sqrt(2 Var) if Var > 1. With \
            lemma:lower, E stepCE^sub <= K OPT for a K that is the same for all T and p*.",
        departs: "Explicit constants; the paper has 2 gamma(Var) in the first case and \
            O(gamma(Var)) in the second. \
                  It names no K; K = 2 is tried for T <= 2, against a lower bound for OPT.",
        uses: &[
            "lemma:lower",
            "case1-product",
            "case2-sup-max",
            "case2-Kolmogorov",
            "case2-integral",
        ],
        see: &["E29"],
        tight: "Equality with Var at T = 1. There OPT = min(p*, 1 - p*)/2, so K is at least 2: p* \
            -> 0.",
        checks: &[
            finite!(
                "truthful penalties",
                Cases,
                "T <= 5 in 1/6; T = 5 in 4/12 to 8/12",
                checks::truthful_penalties,
            ),
            finite!(
                "against the best forecaster, K = 2",
                Cases,
                "T <= 2, p* in multiples of 1/12",
                checks::against_optimum,
            ),
        ],
        ..PRODUCT
    },
    Claim {
        id: "case1-product",
        kind: Kind::Expectation,
        lines: "1739-1750",
        reading: "For all x, p: stepCE^sub <= (1/2) sum_t |x_t - p_t|; and E|x - p| = 2p(1-p) for \
            x ~ Bern(p). \
                  Hence the truthful forecaster has E stepCE^sub <= Var on a product distribution.",
        departs: "The paper does without the factor 1/2, which subsampling gives, and arrives at 2 \
            Var. (case1 is a step of another proof.)",
        see: &["prop:stepCEsub-truthful-product"],
        tight: "Equality at T = 1, and pathwise where no two x_t - p_t have opposite signs.",
        checks: &[
            finite!(
                "both sides of the pathwise bound",
                Cases,
                "level tables, T <= 4, D = 6",
                checks::half_the_distances,
            ),
            finite!("the mean distance", All, "all p in [0,1]", checks::mean_distance),
        ],
        ..PRODUCT
    },
    Claim {
        id: "case2-sup-max",
        kind: Kind::Inequality,
        lines: "1752-1756",
        reading: "For p_1 <= ... <= p_T and all x, y in {0,1}^T: sup_alpha |sum_t y_t (x_t - p_t) \
            1{p_t <= alpha}| <= max_t |sum_(i <= t) y_i (x_i - p_i)|.",
        see: &["E16"],
        tight: "Equality if the p_t are distinct; strict for x = (1,0), p = (1/2,1/2), y = (1,1).",
        checks: &[finite!(
            "both sides, ties in every order",
            Cases,
            "T <= 4, p in multiples of 1/4, all x, y",
            checks::largest_prefix,
        )],
        ..PRODUCT
    },
    Claim {
        id: "case2-variance",
        kind: Kind::Expectation,
        lines: "1762",
        reading: "For y ~ Bern(1/2) and x ~ Bern(p) independent: y(x - p) has mean 0 and variance \
            p(1-p)/2.",
        checks: &[finite!("the two moments", All, "all p in [0,1]", checks::step_variance)],
        ..PRODUCT
    },
    Claim {
        id: "case2-Kolmogorov",
        kind: Kind::Cited,
        lines: "1762-1767",
        reading: "For X_t = sum_(i <= t) y_i (x_i - p*_i) and all tau > 0: P(max_t |X_t| >= tau) \
            <= Var/(2 tau^2).",
        uses: &["case2-variance"],
        tight: "Equality at T = 1, p* = 1/2, tau = 1/2.",
        checks: &[finite!(
            "every tau that is a value of max |X_t|",
            Cases,
            "T <= 4, p* in multiples of 1/6",
            checks::kolmogorov,
        )],
        ..PRODUCT
    },
    Claim {
        id: "case2-integral",
        kind: Kind::Identity,
        lines: "1768-1774",
        reading: "For all V > 0: the integral over tau > 0 of min(V/(2 tau^2), 1) is sqrt(2V).",
        departs: "The paper has O(sqrt(V)).",
        checks: &[finite!("a = sqrt(V/2) in min(a^2/tau^2, 1)", All, "all V > 0", tail_integral)],
        ..PRODUCT
    },
    Claim {
        id: "typos",
        kind: Kind::Prose,
        lines: "1713, 1759",
        reading: "Two slips: the gap of the subsampled U-calibration recalled with O for Omega, \
            and p*_t for the vector p*.",
        parts: &["E29", "E31"],
        see: &["E29", "E31"],
        ..PRODUCT
    },
    Claim {
        id: "E29",
        kind: Kind::Prose,
        lines: "1713",
        reading: "The gap recalled from prop:simplesubsamptruth is exp(-Omega(T)) against \
            Omega(sqrt(T)); an \
                  upper bound O(sqrt(T)) on the truthful penalty would not make a gap.",
        see: &["typos", "prop:simplesubsamptruth"],
        defect: slip("Omega(sqrt(T)) for O(sqrt(T))."),
        stated: "a slip of the pen: nothing to compute",
        ..PRODUCT
    },
    Claim {
        id: "E31",
        kind: Kind::Prose,
        lines: "1759",
        reading: "The second argument of stepCE^sub is the vector p*, not its entry p*_t.",
        see: &["typos", "case2-sup-max"],
        defect: slip("p* for p*_t."),
        stated: "a slip of the pen: nothing to compute",
        ..PRODUCT
    },
];

/// A row of this section to start from.
const PRODUCT: Claim = Claim { section: sections::PRODUCT, ..ROW };
