//! The forecasting algorithm (L1776-1897).

mod game;
mod hedge;
mod weights;

use super::Scope::{All, Cases, Instance};
use super::tools::finite;
use super::{Claim, Kind, ROW, sections};
use crate::claims::tools::{slip, step};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm:alg",
        kind: Kind::Algorithm,
        lines: "1778-1780, 1896",
        reading: "For T >= 2 the algorithm with k = T, whichever pair it takes at a change of \
            sign, has E stepCE <= T/(T-1) + sqrt(2T ln(2T)) <= 3.7 sqrt(T ln T) against every \
            adversary that sees the weights and all earlier rounds.",
        departs: "Explicit constants: Hedge has 2k experts with costs in an interval of length 1, \
            hence regret sqrt(T ln(2k)/2) at eta = sqrt(8 ln(2k)/T), which is doubled by ell = 1 - \
            2 cost. T = 1 is excluded.",
        uses: &["eq:alg", "total"],
        see: &["E24", "alg-sub"],
        checks: &[finite!(
            "total at k = T, and the worst T",
            All,
            "all T >= 2; the game tried for T <= 6",
            hedge::theorem,
        )],
        ..ALGORITHM
    },
    Claim {
        id: "alg-sub",
        kind: Kind::Algorithm,
        lines: "1783",
        reading: "For T >= 2 the same algorithm has E stepCE^sub <= (T/(T-1) + sqrt(2T ln(2T)))/2 \
            + sqrt(T) <= 3.06 sqrt(T ln T) against the same adversaries.",
        departs: "Explicit constants.",
        uses: &["thm:alg", "lemma:stepCE-vs-stepCEsub"],
        checks: &[finite!("the worst T", All, "all T >= 2", hedge::subsampled)],
        ..ALGORITHM
    },
    Claim {
        id: "eq:alg",
        kind: Kind::Algorithm,
        lines: "1785-1818",
        reading: "For all k >= 2 and weights the algorithm names a forecast: of its three branches \
            exactly one applies, or both of the first two, and then all C_j are 0 and every \
            forecast loses nothing; in the third there are a j < k with C_j C_(j+1) <= 0 and a q \
            in [0,1] with q C_j + (1-q) C_(j+1) = 0. The next weights are proportional to \
            exp(-eta sum cost), the same for the costs 1 - ell/2 and 1/2 - ell/2.",
        departs: "The lab's games play exactly these branches, with every j. Its forecaster, as it \
            runs, predicts 1 whenever C_k >= 0 and 0 whenever C_1 <= 0, also if other C_j have the \
            other sign; that loses nothing either: lab:hedge-step.",
        uses: &["per-step-identity", "sign-change-exists"],
        see: &["all-nonneg", "all-nonpos", "lab:hedge-reading", "lab:hedge-step"],
        checks: &[finite!(
            "the branches, and what the lab takes for them",
            All,
            "all k and weights; tried for k = 2, 3, 4 on grids",
            weights::branches,
        )],
        ..ALGORITHM
    },
    Claim {
        id: "E24",
        kind: Kind::Prose,
        lines: "1777",
        reading: "The heading announces an error of O(sqrt(T)), the theorem below it O(sqrt(T log \
            T)).",
        see: &["thm:alg"],
        defect: slip("O(sqrt(T log T)) in the heading."),
        stated: "a slip of the pen: nothing to compute",
        ..ALGORITHM
    },
    Claim {
        id: "two-point-randomisation",
        kind: Kind::Algorithm,
        lines: "1780",
        reading: "Whatever the weights, each forecast is a mixture of at most two neighbouring \
            grid points.",
        uses: &["eq:alg"],
        checks: &[finite!(
            "every possible choice",
            Cases,
            "k = 2, 3, 4, weights in Z/24, /10, /6",
            weights::two_points
        )],
        ..ALGORITHM
    },
    Claim {
        id: "loss-range",
        kind: Kind::Identity,
        lines: "1819-1823",
        reading: "ell_(sigma,i)(x,p) = sigma 1{p <= (i-1)/(k-1)} (x - p) is in [-1,1] for p in \
            [0,1]; and stepCE \
            = max over \
                  sigma, i of sum_t ell_(sigma,i)(x_t,p_t) if all p_t are multiples of 1/(k-1).",
        tight: "-1 and 1 are both attained.",
        checks: &[finite!(
            "all losses; stepCE and the largest sum of losses",
            All,
            "all T, k, x, p; tried for k <= 6, and T <= 4, k <= 4",
            weights::loss_range,
        )],
        ..ALGORITHM
    },
    Claim {
        id: "cost-range",
        kind: Kind::Inequality,
        lines: "1824",
        reading: "The cost 1 - ell/2 is in [0,1].",
        parts: &["E04"],
        see: &["hedge-regret"],
        ..ALGORITHM
    },
    Claim {
        id: "E04",
        kind: Kind::Inequality,
        lines: "1824",
        reading: "The cost 1 - ell_(sigma,i)(x,p)/2 is in [0,1] for all sigma, i, x, p.",
        see: &["hedge-regret", "cost-range"],
        defect: step(
            "The range is [1/2, 3/2]; with 1/2 - ell/2 it is [0,1]. Only the length of the \
                interval matters to Hedge, so the bound stands.",
        ),
        checks: &[
            finite!("all costs", Cases, "k <= 6, p on the grid", weights::cost_range),
            finite!("one cost", Instance, "k = 2", weights::cost_witness),
        ],
        ..ALGORITHM
    },
    Claim {
        id: "hedge-regret",
        kind: Kind::Cited,
        lines: "1829-1841",
        reading: "Hedge with N experts, costs in [0,1] and learning rate eta has regret at most \
            ln(N)/eta + T eta/8, which is sqrt(T ln(N)/2) at the best eta, against costs that may \
            depend on its weights. With cost = 1/2 - ell/2 (or 1 - ell/2), regret in ell is twice \
            the regret in cost.",
        departs: "The paper has O(sqrt(T log k)), and cites it.",
        uses: &["hoeffding-lemma"],
        see: &["cost-range"],
        checks: &[finite!(
            "the potential, the best eta; losses and costs",
            All,
            "all N, T, eta and costs; tried for (N,T) <= (2,5), (3,3), (4,2)",
            hedge::regret,
        )],
        ..ALGORITHM
    },
    Claim {
        id: "hoeffding-lemma",
        kind: Kind::Expectation,
        reading: "A random variable with mean 0 in an interval of length 1 has E e^(sX) <= \
            e^(s^2/8) for every real s. Hence sums of T such variables that are independent, or a \
            martingale's increments, are at least x >= 0 with probability at most exp(-2 x^2/T).",
        departs: "Not in the paper: what the regret of Hedge rests on, with its proof.",
        tight: "1/8: at mean 1/2 of [0,1] and s near 0.",
        checks: &[finite!(
            "the second derivative of the logarithm",
            All,
            "all s, x, T and laws; the bound tried at points",
            hedge::exponential_moment,
        )],
        ..ALGORITHM
    },
    Claim {
        id: "per-step-identity",
        kind: Kind::Identity,
        lines: "1845-1850",
        reading: "With C_p = E_w sigma 1{p <= (i-1)/(k-1)} and any law of p: max_x E_p E_w \
            ell(x,p) = max(E C_p, 0) - E p C_p.",
        checks: &[finite!(
            "one expert and one point; both sides",
            All,
            "all k, weights and laws; tried for k <= 3 on grids",
            weights::identity,
        )],
        ..ALGORITHM
    },
    Claim {
        id: "all-nonneg",
        kind: Kind::Algorithm,
        lines: "1853",
        reading: "If C_p >= 0 at every grid point, predicting 1 has max_x E_w ell(x,1) = 0.",
        uses: &["per-step-identity"],
        checks: &[finite!("both outcomes", All, WEIGHTS, weights::all_nonnegative)],
        ..ALGORITHM
    },
    Claim {
        id: "all-nonpos",
        kind: Kind::Algorithm,
        lines: "1859",
        reading: "If C_p <= 0 at every grid point, predicting 0 has max_x E_w ell(x,0) = 0.",
        uses: &["per-step-identity"],
        checks: &[finite!("both outcomes", All, WEIGHTS, weights::all_nonpositive)],
        ..ALGORITHM
    },
    Claim {
        id: "sign-change-exists",
        kind: Kind::Algorithm,
        lines: "1866",
        reading: "If C takes both signs, there are neighbouring grid points p1 < p2 with C_p1 C_p2 \
            <= 0, and for each such pair a q in [0,1] with q C_p1 + (1-q) C_p2 = 0.",
        checks: &[finite!("every pair of neighbours", All, WEIGHTS, weights::sign_change)],
        ..ALGORITHM
    },
    Claim {
        id: "per-step-bound",
        kind: Kind::Algorithm,
        lines: "1871-1880",
        reading: "For all k >= 2 and all weights, whichever pair of neighbours is chosen: max_x \
            E_p E_w ell(x,p) <= (3 - 2 sqrt(2))/(k-1) <= 1/(k-1).",
        departs: "The paper has 1/(k-1); 3 - 2 sqrt(2) = 0.1716 is the best constant.",
        uses: &["per-step-identity", "all-nonneg", "all-nonpos", "sign-change-exists"],
        see: &["TIGHT-hedge-step"],
        tight: "3 - 2 sqrt(2): weight 1/sqrt(2) on (+,j) and 1 - 1/sqrt(2) on (-,j+1).",
        checks: &[finite!(
            "the best constant; every choice on grids",
            All,
            "all k and weights",
            weights::step_bound,
        )],
        ..ALGORITHM
    },
    Claim {
        id: "total",
        kind: Kind::Algorithm,
        lines: "1882-1897",
        reading: "For all k >= 2, T: E stepCE <= (3 - 2 sqrt(2)) T/(k-1) + sqrt(2T ln(2k)), \
            against an adversary \
                  who sees the weights and all earlier rounds but not the drawn p_t before x_t.",
        departs: "Explicit constants; with T/(k-1) in the paper.",
        uses: &["per-step-bound", "hedge-regret", "loss-range"],
        see: &["thm:alg"],
        checks: &[finite!(
            "T steps and the regret",
            All,
            "all k, T and adversaries; the game tried for k <= 4, T <= 6",
            game::fixed_buckets,
        )],
        ..ALGORITHM
    },
];

/// What the checks of one step try.
const WEIGHTS: &str = "all k and weights; tried for k = 2, 3, 4 on grids";

/// A row of this section to start from.
const ALGORITHM: Claim = Claim { section: sections::ALGORITHM, ..ROW };
