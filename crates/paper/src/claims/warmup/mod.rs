//! Truthfulness of step calibration, first bounds (L1073-1164).

mod bounds;
mod optimum;

pub(super) use optimum::best_total_bias;

use super::Strength::{Exhausted, Proved};
use super::tools::finite;
use super::{Check, Claim, Kind, ROW, law, sections};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "density-typo",
        kind: Kind::Definition,
        lines: "1076",
        reading: "For every c in (0,1] there is a prior on [0,1] whose density is at most c, and \
            these are the priors from which the smoothed nature draws p*_t.",
        see: &["E21", "def-smoothed"],
        checks: &[finite(
            "the mass that a bounded density can have",
            Proved,
            "c in (0,1]",
            bounds::density_at_most_c,
        )],
        ..WARM_UP
    },
    Claim {
        id: "E21",
        kind: Kind::Definition,
        lines: "1076",
        reading: "At c = 1/2 some prior on [0,1] has a density that is at most c everywhere.",
        see: &["density-typo"],
        checks: &[finite(
            "the largest mass at c = 1/2",
            Proved,
            "c = 1/2",
            bounds::density_at_most_half,
        )],
        ..WARM_UP
    },
    Claim {
        id: "OPT-constant-c",
        kind: Kind::Inequality,
        lines: "1079-1092",
        reading: "For all T, x, p: stepCE >= |sum_t (x_t - p_t)|; hence stepCE^sub >= E_y |sum_t \
            y_t (x_t - p_t)| for y uniform on {0,1}^T.",
        departs: "The bound OPT >= K sqrt(T) for fixed c, which is drawn from it, rests on \
            lemma:lower and has no explicit constant.",
        see: &["E14", "lemma:lower"],
        tight: "Both are equations for T = 1, and whenever all predictions are equal.",
        checks: &[
            Check::Law(law("stepce >= abs(bias)").attained(&[("1", "1/4"), ("1,1", "0,1/2")])),
            finite(
                "both sides of the subsampled bound",
                Exhausted,
                "level tables, T <= 5, D = 4",
                optimum::subsampled_total_bias,
            ),
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
        checks: &[
            finite(
                "one round of Bern(q) forecast at p",
                Exhausted,
                "T = 1, q and p in multiples of 1/4",
                optimum::factor_one_at_one_round,
            ),
            finite(
                "one round with p* uniform on [0,1]",
                Proved,
                "T = 1, c = 1",
                optimum::factor_one_smoothed,
            ),
        ],
        ..WARM_UP
    },
    Claim {
        id: "regime-claim",
        kind: Kind::Expectation,
        lines: "1101-1108",
        reading: "For some K, all T >= 1, c in (0,1] and c-smoothed natures: the truthful \
            forecaster has an expected stepCE^sub of at most K sqrt(T log(T/c)).",
        departs: "The text announces O(sqrt(T)) for fixed c and then displays this bound; the \
            display is what we read.",
        see: &["E37", "E15", "lemma:upper"],
        checks: &[finite(
            "one round, p* uniform around 1/2",
            Exhausted,
            "T = 1, c = 1, 1/2, ..., 1/256",
            bounds::covering_bound_at_one_round,
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
            finite("the integral over [0,c]", Proved, "all c in (0,1]", bounds::variance_near_zero),
            finite(
                "the extreme densities, and all on eighths",
                Proved,
                "c in (0,1], every density <= 1/c",
                bounds::least_variance,
            ),
        ],
        ..WARM_UP
    },
    Claim {
        id: "lemma:lower",
        kind: Kind::Cited,
        lines: "1119-1140",
        reading: "For some K > 0 and every nature, smoothed or not: OPT of stepCE^sub >= K E \
            gamma(Var_T), with gamma(v) = min(v, sqrt(v)). Here with K = 1/3, for natures that are \
            not smoothed.",
        departs: "The source gives no constant. The check bounds OPT by the least E_y |sum_t y_t \
            (x_t - p_t)|, \
                  for which no K above sqrt(2/pi)/2 = 0.3989 would do as T grows (p* = 1/2).",
        uses: &["OPT-constant-c"],
        see: &["E14", "eq:HQYZ24-lower"],
        tight: "At T = 1 the best K is 1/2, approached as p* goes to 0 or 1; of the natures that \
            are tried it is \
                1/2, attained by P(x_1 = 1) = 1/4, P(x_2 = 1) = 0 after 0 and 1/2 after 1.",
        checks: &[finite(
            "the best forecaster of each nature",
            Exhausted,
            "T <= 2, probabilities j/4",
            optimum::lower_bound,
        )],
        ..WARM_UP
    },
    Claim {
        id: "lemma:upper",
        kind: Kind::Expectation,
        lines: "1143-1163",
        reading: "For some K, all T >= 1, c in (0,1] and c-smoothed natures: the truthful \
            forecaster has an \
                  expected stepCE^sub of at most K (E gamma(Var_T) sqrt(log(T/c)) + log(T/c)^2).",
        uses: &["net-bin", "sqrt-vs-gamma"],
        see: &["E15", "regime-claim"],
        checks: &[finite(
            "one round, p* uniform around 1/2",
            Exhausted,
            "T = 1, c = 1, 1/2, ..., 1/256",
            bounds::doubling_bound_at_one_round,
        )],
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
        checks: &[finite(
            "balls in T^2 equal bins",
            Exhausted,
            "T <= 4, uniform",
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
        checks: &[finite(
            "sqrt(v) - gamma(v) as a square",
            Proved,
            "all v >= 0",
            bounds::root_and_gamma,
        )],
        ..WARM_UP
    },
];

/// A row of this section to start from.
const WARM_UP: Claim = Claim { section: sections::WARM_UP, ..ROW };
