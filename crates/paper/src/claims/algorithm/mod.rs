//! The forecasting algorithm (L1776-1897).

mod game;
mod hedge;
mod weights;

use super::Strength::{Exhausted, Proved};
use super::tools::finite;
use super::{Claim, Kind, ROW, sections};

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
        uses: &["hedge-regret", "per-step-bound", "total"],
        see: &["E24"],
        checks: &[
            finite(
                "the game against every adversary, k = T",
                Exhausted,
                "T = 2, ..., 6, eta rounded",
                game::horizon_buckets,
            ),
            finite("the bound itself", Proved, "all T >= 2", hedge::explicit_bound),
        ],
        ..ALGORITHM
    },
    Claim {
        id: "E24",
        kind: Kind::Algorithm,
        lines: "1777, 1896",
        reading: "For some K and all T >= 1, T = 1 included, the algorithm with k = T has E stepCE \
            <= K sqrt(T log T).",
        departs: "The heading has O(sqrt(T)), without the logarithm.",
        see: &["thm:alg"],
        checks: &[finite("one round, any forecast", Proved, "T = 1", hedge::single_round)],
        ..ALGORITHM
    },
    Claim {
        id: "two-point-randomisation",
        kind: Kind::Algorithm,
        lines: "1780",
        reading: "Whatever the weights, each forecast is a mixture of at most two neighbouring \
            grid points.",
        checks: &[finite("every possible choice", Exhausted, WEIGHTS, weights::two_points)],
        ..ALGORITHM
    },
    Claim {
        id: "loss-range",
        kind: Kind::Identity,
        lines: "1819-1823",
        reading: "ell_(sigma,i)(x,p) = sigma 1{p <= (i-1)/(k-1)} (x - p) is in [-1,1]; and stepCE \
            = max over \
                  sigma, i of sum_t ell_(sigma,i)(x_t,p_t) if all p_t are multiples of 1/(k-1).",
        tight: "-1 and 1 are both attained.",
        checks: &[
            finite("all losses", Exhausted, "k <= 6, p on the grid", weights::loss_range),
            finite(
                "stepCE and the largest sum of losses",
                Exhausted,
                "level tables, T <= 4, k <= 4",
                weights::step_as_largest_loss,
            ),
        ],
        ..ALGORITHM
    },
    Claim {
        id: "cost-range",
        kind: Kind::Inequality,
        lines: "1824",
        reading: "The cost 1 - ell_(sigma,i)(x,p)/2 is in [0,1] for all sigma, i, x, p.",
        uses: &["loss-range"],
        see: &["E04", "hedge-regret"],
        checks: &[finite("all costs", Exhausted, "k <= 6, p on the grid", weights::cost_range)],
        ..ALGORITHM
    },
    Claim {
        id: "E04",
        kind: Kind::Inequality,
        lines: "1824",
        reading: "At k = 2, x = 1, p = 0, sigma = -1, i = 1 the cost 1 - ell/2 is at most 1.",
        see: &["cost-range"],
        checks: &[finite("one cost", Proved, "k = 2", weights::cost_witness)],
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
        departs: "The paper has O(sqrt(T log k)).",
        see: &["cost-range"],
        checks: &[
            finite(
                "exp(-eta) = 1/4, 1/2, 3/4",
                Exhausted,
                "costs 0, 1; (N,T) <= (2,5), (3,3), (4,2)",
                hedge::regret,
            ),
            finite(
                "losses and costs",
                Exhausted,
                "k = 2, weights in multiples of 1/6",
                weights::loss_and_cost,
            ),
        ],
        ..ALGORITHM
    },
    Claim {
        id: "per-step-identity",
        kind: Kind::Identity,
        lines: "1845-1850",
        reading: "With C_p = E_w sigma 1{p <= (i-1)/(k-1)} and any law of p: max_x E_p E_w \
            ell(x,p) = max(E C_p, 0) - E p C_p.",
        checks: &[finite(
            "both sides",
            Exhausted,
            "k <= 3, weights and laws on a grid",
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
        checks: &[finite(
            "both outcomes",
            Exhausted,
            "k <= 4, weights on a grid",
            weights::all_nonnegative,
        )],
        ..ALGORITHM
    },
    Claim {
        id: "all-nonpos",
        kind: Kind::Algorithm,
        lines: "1859",
        reading: "If C_p <= 0 at every grid point, predicting 0 has max_x E_w ell(x,0) = 0.",
        uses: &["per-step-identity"],
        checks: &[finite(
            "both outcomes",
            Exhausted,
            "k <= 4, weights on a grid",
            weights::all_nonpositive,
        )],
        ..ALGORITHM
    },
    Claim {
        id: "sign-change-exists",
        kind: Kind::Algorithm,
        lines: "1866",
        reading: "If C takes both signs, there are neighbouring grid points p1 < p2 with C_p1 C_p2 \
            <= 0, and for each such pair a q in [0,1] with q C_p1 + (1-q) C_p2 = 0.",
        checks: &[finite(
            "every pair of neighbours",
            Exhausted,
            "k <= 4, weights on a grid",
            weights::sign_change,
        )],
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
        checks: &[finite(
            "the best constant; every choice on grids",
            Proved,
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
        checks: &[finite(
            "the game against every adversary",
            Exhausted,
            "k = 2, 3, 4, T <= 6, eta rounded",
            game::fixed_buckets,
        )],
        ..ALGORITHM
    },
];

/// What the checks of one step try.
const WEIGHTS: &str = "k = 2, 3, 4, weights in Z/24, /10, /6";

/// A row of this section to start from.
const ALGORITHM: Claim = Claim { section: sections::ALGORITHM, ..ROW };
