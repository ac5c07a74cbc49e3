//! Deferred proofs (L1909-2194).

mod altform;
mod sign_variant;
mod subsampling;
pub(super) mod thresholds;

pub(super) use subsampling::{error_vectors, tail_integral};

use super::Scope::{All, Cases, Instance};
use super::tools::finite;
use super::{Check, Claim, Kind, ROW, law, sections};
use crate::claims::tools::{slip, step};
use thresholds::pointwise;

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "beta=mu",
        kind: Kind::Inequality,
        lines: "1927",
        reading: "For all T >= 1, x and alpha, beta in [0,1], with mu = (1/T) sum_t x_t: sum_t \
            S_alpha(x_t, mu) <= sum_t S_alpha(x_t, beta).",
        see: &["eq:vcaleq", "prop:altform"],
        tight: "Equality for every beta on the same side of alpha as mu: S_alpha is proper, not \
            strictly.",
        checks: &[finite!(
            "every order of alpha, beta and mu",
            All,
            "all T, x, alpha and beta",
            altform::mean_is_best,
        )
        .proved_by(&["best_constant_is_mean"])],
        ..APPENDIX
    },
    Claim {
        id: "eq:f-average-of-two-limits",
        kind: Kind::Identity,
        lines: "1953-1958, 1966-1974",
        reading: "With f(alpha) = sum_t (x_t - alpha)(sgn(alpha - p_t) - sgn(alpha - mu)) for real \
            alpha: at every alpha_0 in {p_1, ..., p_T, mu}, 2 f(alpha_0) = f(alpha_0-) + \
            f(alpha_0+).",
        see: &["E32", "prop:altform"],
        checks: &[pointwise(
            "f and its two limits at every prediction and mu",
            altform::average_of_limits,
        )
        .proved_by(&["f_average"])],
        ..APPENDIX
    },
    Claim {
        id: "eq:f-alpha=0",
        kind: Kind::Inequality,
        lines: "1960-1964, 1976-1992",
        reading: "For all T, x, p: f, extended to all real alpha by its formula, has f(0-) <= \
            f(0+) and f(1-) >= f(1+).",
        see: &["E32", "prop:altform"],
        tight: "Equality whenever 0 (resp. 1) is neither a prediction nor the mean.",
        checks: &[pointwise("the limits of f at 0 and 1 from both sides", altform::ends_of_f)
            .proved_by(&["f_ends"])],
        ..APPENDIX
    },
    Claim {
        id: "E32",
        kind: Kind::Identity,
        lines: "1969, 1972, 1990",
        reading: "Where mu = 0, and so x_t = 0, -(x_t - alpha) sgn(alpha) tends to -x_t = x_t = 0 \
            as alpha falls to 0.",
        departs: "The paper writes x_t, which is the same number there; and in L1969 and L1972 \
            limits at alpha_0 in terms of the bound variable alpha.",
        see: &["eq:f-alpha=0", "eq:f-average-of-two-limits"],
        defect: slip("-x_t for x_t in L1990, and alpha_0 for alpha in the limits."),
        checks: &[finite!("the limit for both outcomes", All, "both outcomes", altform::e32)],
        ..APPENDIX
    },
    Claim {
        id: "delta-choice",
        kind: Kind::Construction,
        lines: "1994-1997",
        reading: "S = {p_1, ..., p_T, mu}, alpha_0 in S and 0 < alpha_0 < 1, delta the least of \
            alpha_0, 1 - alpha_0 and |alpha_0 - b|/2 over other b in S. Then delta > 0, and \
            [alpha_0 - delta, alpha_0 + delta] lies in [0,1] and contains no other point of S.",
        checks: &[pointwise("the interval around every inner point of S", altform::radius_is_free)],
        ..APPENDIX
    },
    Claim {
        id: "g-left-equality",
        kind: Kind::Identity,
        lines: "1998-2004",
        reading: "X_- - alpha N_- is the same at alpha_0 and at alpha_0 - delta.",
        parts: &["E07"],
        see: &["g-at-0-and-1", "prop:altform"],
        ..APPENDIX
    },
    Claim {
        id: "g-right-equality",
        kind: Kind::Identity,
        lines: "2004-2009",
        reading: "alpha N_+ - X_+ is the same at alpha_0 and at alpha_0 + delta.",
        parts: &["E07"],
        see: &["g-at-0-and-1", "prop:altform"],
        ..APPENDIX
    },
    Claim {
        id: "E07",
        kind: Kind::Identity,
        lines: "2001, 2007",
        reading: "With delta as in delta-choice: X_- - alpha N_- has the same value at alpha_0 and \
            at alpha_0 - delta, and alpha N_+ - X_+ at alpha_0 and at alpha_0 + delta.",
        see: &["g-at-0-and-1", "prop:altform", "g-left-equality", "g-right-equality"],
        defect: step(
            "Write <= for =: the term at alpha_0 is smaller by delta N. So g(alpha_0) is at most \
                the larger of g(alpha_0 - delta) and g(alpha_0 + delta), and the proposition \
                stands.",
        ),
        checks: &[
            pointwise("the term at alpha_0 and at alpha_0 - delta", altform::left_equality),
            pointwise("the term at alpha_0 and at alpha_0 + delta", altform::right_equality),
            finite!("the witness and its mirror image", Instance, "the instances", altform::e07),
        ],
        ..APPENDIX
    },
    Claim {
        id: "g-at-0-and-1",
        kind: Kind::Identity,
        lines: "2016-2022",
        reading: "g(0) = g(1) = 0 for all T, x, p. The supremum of g over [0,1] is its supremum \
            over [0,1] without S.",
        departs: "The second sentence is the paper's conclusion. It does not follow from the first \
            alone: see E34.",
        see: &["E34", "prop:altform"],
        checks: &[
            pointwise("g at 0 and 1", altform::g_at_ends).proved_by(&["g_ends"]),
            pointwise("sup g with and without S", altform::typical_supremum)
                .proved_by(&["sup_g_typical"]),
        ],
        ..APPENDIX
    },
    Claim {
        id: "E34",
        kind: Kind::Inequality,
        lines: "2022",
        reading: "What leaving out 0 and 1 needs once g(0) = g(1) = 0 is known: some alpha in \
            [0,1] outside S has g(alpha) >= 0.",
        departs: "The paper leaves this premise unsaid. A supremum that is at least 0, if only in \
            the limit, is enough.",
        see: &["g-at-0-and-1"],
        defect: step("Add that g(0+) = #{p_t = 0, x_t = 1} >= 0. The identity stands."),
        checks: &[pointwise("the sign of g outside S", altform::e34)],
        ..APPENDIX
    },
    Claim {
        id: "typical-f-2g",
        kind: Kind::Identity,
        lines: "2024-2056",
        reading: "For T >= 1 and alpha in [0,1] outside S: f(alpha) = 2 g(alpha). If alpha < mu, \
            then f = 2 (X_- - alpha N_-) and this term of g is strictly the larger; if alpha > mu, \
            the other.",
        see: &["prop:altform"],
        checks: &[pointwise(
            "f and g in every gap, at its ends and middle",
            altform::typical_identity,
        )
        .proved_by(&["typical_f_2g"])],
        ..APPENDIX
    },
    Claim {
        id: "eq:total-bias-bound",
        kind: Kind::Inequality,
        lines: "2063-2094",
        reading: "For all T, x, p: |bias| <= signCE with bias = sum_t (x_t - p_t). Already sum_t \
            (x_t - p_t) sgn(alpha - p_t) at alpha = 1 is at least |bias| if bias >= 0, and at \
            alpha = 0 if bias < 0.",
        see: &["fact:equivfactor"],
        tight: "x = (1), p = (1/2), and wherever the level biases have one sign and no prediction \
            is 0 or 1.",
        checks: &[
            Check::Law(law("abs(bias) <= signce").attained(&[
                ("1", "1/2"),
                ("0", "1/2"),
                ("1,1", "1/4,1/2"),
            ])),
            pointwise("the signed sum at 0 or 1", sign_variant::total_bias)
                .proved_by(&["bias_le_sign_at_ends"]),
        ],
        ..APPENDIX
    },
    Claim {
        id: "upper-part",
        kind: Kind::Inequality,
        lines: "2096-2110",
        reading: "For alpha < 1 and alpha' > alpha with no prediction in (alpha, alpha']: 2 |sum_t \
            (x_t - p_t) 1{p_t <= alpha}| <= |bias| + |sum_t (x_t - p_t) sgn(alpha' - p_t)| <= 2 \
            signCE. At alpha = 1 the sum is the bias.",
        see: &["eq:total-bias-bound", "fact:equivfactor"],
        tight: "Equality throughout at x = (1), p = (1/2), alpha = 1/2.",
        checks: &[pointwise("both inequalities at every alpha", sign_variant::upper_part)
            .proved_by(&["upper_part"])],
        ..APPENDIX
    },
    Claim {
        id: "lower-part",
        kind: Kind::Inequality,
        lines: "2112-2137",
        reading: "For every alpha: sgn(alpha - p) = 1{p <= alpha} - 1{p <= 1} + 1{p < alpha}, \
            hence |sum_t (x_t - p_t) sgn(alpha - p_t)| <= 3 stepCE, and <= 2 stepCE at alpha = 0.",
        see: &["fact:equivfactor"],
        tight: "3 at x = (1,0), p = (1/2,1), alpha in (1/2,1); 2 at x = (1,0,0), p = (0,1,1), \
            alpha = 0.",
        checks: &[pointwise("the identity and the bound at every alpha", sign_variant::lower_part)
            .proved_by(&["lower_part"])],
        ..APPENDIX
    },
    Claim {
        id: "lemma:stepCE-vs-stepCEsub",
        kind: Kind::Inequality,
        lines: "2141-2193",
        reading: "For all T, x, p: stepCE/2 <= stepCE^sub <= stepCE/2 + sqrt(T).",
        departs: "The paper has O(sqrt(T)); its proof gives the constant 1: the integral of \
            min(T/(4 tau^2), 1) is sqrt(T).",
        see: &[
            "representation",
            "footnote-T+1-values",
            "TIGHT-sub-step",
            "TIGHT-sub-excess",
            "TIGHT-c6",
        ],
        tight: "1/2 on the left at T = 1, and at x = 1^T, p = 0^T. The constant 1 of sqrt(T) is \
            not best: see TIGHT-sub-excess.",
        checks: &[
            Check::Law(law("stepce <= 2*stepce_sub").attained(&[("1", "1/2"), ("1,1,1", "0,0,0")])),
            Check::Law(
                law("stepce_sub <= stepce/2 + sqrt(T)")
                    .mistake("stepce_sub <= stepce/2 + 0.2886*sqrt(T)"),
            ),
            finite!("the integral of min(a^2/tau^2, 1)", All, "all a > 0", tail_integral),
        ],
        ..APPENDIX
    },
    Claim {
        id: "footnote-T+1-values",
        kind: Kind::Inequality,
        lines: "2151",
        reading: "alpha -> sum_t (x_t - p_t) 1{p_t <= alpha} has at most T + 1 values on [0,1], so \
            its largest absolute value is attained.",
        tight: "T + 1 when 0 < p_1 < ... < p_T and the sums are distinct and not 0.",
        checks: &[pointwise("the number of values", subsampling::number_of_values)
            .proved_by(&["prefix_values", "stepCE_attained"])],
        ..APPENDIX
    },
    Claim {
        id: "representation",
        kind: Kind::Identity,
        lines: "2165-2185",
        reading: "For p_1 <= ... <= p_T, S the last rounds of the levels, A_t = sum_{i <= t} (x_i \
            - p_i), y uniform on {0,1}^T and X_t = sum_{i <= t} (y_i - 1/2)(x_i - p_i): stepCE^sub \
            = E max_{t in S} |A_t/2 + X_t|. X is a martingale with increments of variance at most \
            1/4, and P(max_t |X_t| >= tau) <= T/(4 tau^2) for tau > 0.",
        tight: "The tail bound is an equality at T = 1, |x - p| = 1, tau = 1/2.",
        checks: &[
            finite!(
                "both sides by all choices of y",
                Cases,
                "T <= 4, D = 4",
                subsampling::representation,
            )
            .proved_by(&["representation_mean"]),
            finite!(
                "the tail of the maximum, for every tau",
                Cases,
                "T <= 4, |x - p| in multiples of 1/4",
                subsampling::kolmogorov,
            ),
        ],
        ..APPENDIX
    },
];

/// A row of this section to start from.
const APPENDIX: Claim = Claim { section: sections::APPENDIX, ..ROW };
