//! The formula for U-calibration and what follows from it.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::PRELIMINARIES;
use crate::claims::tools::{finite, in_words, int, r, table_of, tables, unit_grid, value};
use truecal::AnyLevels;
use truecal::Measure;
use truecal::check;
use truecal::definitions::{self, Round};
use truecal_verify::registry::Extent;
use truecal_verify::registry::{Check, Claim, Evidence, Kind, Scope, law};

/// The rows.
pub(in crate::claims) const CLAIMS: &[Claim] = &[
    Claim {
        id: "UCAL-FORMULA",
        kind: Kind::Identity,
        lines: "332-356",
        reading: "For all T, x, p: UCal = 4 ghat(1/2), where ghat is the least concave majorant on \
            [0,1] of the upper closure of g(alpha) = max(X_- - alpha N_-, alpha N_+ - X_+). It is \
            the least 2(u + v) over lines u(1-alpha) + v alpha >= g, and k S_a + m S_b with k, m \
            >= 0 and a, b in [0,1], into [-1,1], with a choice of the values of S_a and S_b at \
            their kinks, attains it.",
        departs: "Not in the paper: the supremum over scoring rules by linear programming duality.",
        see: &["eq:vcaleq", "eq:U-calibration"],
        tight: "An identity.",
        checks: &[finite!(
            "linear programme = majorant = formula, certified",
            Scope::Cases,
            "T <= 3, D = 8 (quick: 3)",
            formula,
        )
        .proved_by(&[
            "UCal_formula",
            "UCal_is_4_majorant",
            "majorant_exists",
            "UCal_closed_majorant",
            "UCal_least_line",
            "UCal_attained",
        ])],
        ..PRELIMINARIES
    },
    Claim {
        id: "UCAL-COROLLARIES-a",
        kind: Kind::Identity,
        reading: "For all T, x and beta in [0,1], with X = sum_t x_t: UCal(x, beta 1) = 2|X - beta \
            T| / max(beta, 1 - beta) and VCal(x, beta 1) = 2|X - beta T|.",
        checks: &[
            finite!(
                "both sides at every beta",
                Scope::Cases,
                "T <= 6, D = 12, all x",
                constant_prediction,
            )
            .proved_by(&["UCal_one_level", "VCal_one_level"]),
            Check::Law(
                law("m == 1 => vcal == 2*abs(bias)").mistake("m <= 2 => vcal == 2*abs(bias)"),
            ),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "UCAL-COROLLARIES-b",
        kind: Kind::Identity,
        reading: "For all x with n_1 ones and n_0 zeros, at p = 1 - x: UCal = 2T, VCal = 2 \
            max(n_1, n_0) \
            and stepCE = max(n_1, |n_1 - n_0|) >= T/3, with equality if and only if n_1 = T/3.",
        uses: &["UCAL-FORMULA"],
        tight: "T/3 at x = (1,0,0), p = (0,1,1).",
        checks: &[finite!(
            "the three measures at p = 1 - x",
            Scope::Cases,
            "T <= 30, all x",
            opposite_predictions,
        )],
        ..PRELIMINARIES
    },
    Claim {
        id: "UCAL-COROLLARIES-c",
        kind: Kind::Inequality,
        reading: "For all x, p with VCal > 0 and every a in [0,1] that is the limit of some \
            alpha_n with g(alpha_n) -> sup g: VCal / max(a, 1 - a) <= UCal <= 2 VCal.",
        uses: &["UCAL-FORMULA"],
        tight: "Both at x = (1), p = (1/2), where a = 1/2.",
        checks: &[finite!(
            "every place where g approaches its supremum",
            Scope::Cases,
            "T <= 3, D = 8",
            by_the_place,
        )],
        ..PRELIMINARIES
    },
    Claim {
        id: "UCAL-COROLLARIES-d",
        kind: Kind::Inequality,
        reading: "For all T, x, p: 0 <= VCal <= UCal <= 2T.",
        see: &["UCAL-FORMULA", "lemma:UCal-vs-VCal"],
        tight: "VCal = UCal = 2T at x = (1), p = (0).",
        checks: &[
            Check::Law(law("vcal >= 0").attained(&[("1", "1")]).mistake("vcal > 0")),
            Check::Law(law("vcal <= ucal").attained(&[("1", "0")])),
            Check::Law(law("ucal <= 2*T").attained(&[("1", "0"), ("1,1", "0,0")])),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "UCAL-COROLLARIES-e",
        kind: Kind::Identity,
        reading: "For all x, p: UCal = 0 if and only if VCal = 0, that is, if and only if g <= 0 \
            on [0,1].",
        see: &["lemma:UCal-vs-VCal", "prop:altform"],
        checks: &[
            Check::Law(law("ucal == 0 => vcal == 0").mistake("ucal <= 2/11 => vcal == 0")),
            Check::Law(law("vcal == 0 => ucal == 0").mistake("vcal <= 1/6 => ucal == 0")),
            finite!(
                "the linear programme against g",
                Scope::Cases,
                "T <= 3, D = 6 (quick: 3)",
                zero_together,
            )
            .proved_by(&["UCal0_VCal0", "VCal0_g"]),
        ],
        ..PRELIMINARIES
    },
    Claim {
        id: "UCAL-COROLLARIES-f",
        kind: Kind::Construction,
        reading: "UCal is not piecewise affine in p: at x = (1), p in [1/2,1] it is 2(1-p)/p, \
            which is strictly convex. VCal is 2(1-p) there.",
        uses: &["UCAL-COROLLARIES-a"],
        checks: &[finite!(
            "UCal, its second differences and those of VCal",
            Scope::Cases,
            "x = (1), p in [1/2,1], D = 48",
            curvature,
        )],
        ..PRELIMINARIES
    },
];

/// The value of a function at a place: (α, height).
type Point = (BigRational, BigRational);

/// The linear programme over scoring rules, four times the least concave majorant at 1/2, found by
/// trying every two corners, and the formula: equal on every table, with certificates of both
/// sides.
pub(super) fn formula(evidence: &mut Evidence) {
    for table in tables(3, if evidence.extent() == Extent::Quick { 3 } else { 8 }) {
        let rational = table.to_rational();
        let rounds = rational.to_rounds();
        let programme = definitions::u_cal(&rounds);
        let graph = closure(&rounds);
        let majorant = int(4) * majorant_at_half(&graph);
        let mut evaluation = AnyLevels::from(table).evaluate(Measure::UCal);
        let shown = check(&rational, &evaluation);
        let computed = evaluation.value.clone();
        let agree = programme == majorant && programme == computed && shown.is_ok();
        let compare = |other: &BigRational| {
            format!("{}\nlinear programme: {programme}\nbut: {other}", in_words(&rounds))
        };
        evidence.case(agree, || format!("{}\ncertificates: {shown:?}", compare(&majorant)));

        let values = places(&rounds).into_iter().map(|alpha| {
            let height = g(&rounds, &alpha);
            (alpha, height)
        });
        let without_limits = int(4) * majorant_at_half(&values.collect::<Vec<_>>());
        evidence.mistake("g without its limits", programme == without_limits, || {
            compare(&without_limits)
        });
        let without_majorant = int(4) * g(&rounds, &r(1, 2));
        evidence.mistake("g itself at 1/2", programme == without_majorant, || {
            compare(&without_majorant)
        });
        evaluation.value += r(1, 1000);
        let accepted = check(&rational, &evaluation).is_ok();
        evidence.mistake("certificates of a value 1/1000 larger", accepted, || {
            compare(&evaluation.value)
        });
    }
}

/// g(α) = max(Σ_{p < α} (x - α), -Σ_{p > α} (x - α))
fn g(rounds: &[Round], alpha: &BigRational) -> BigRational {
    part(rounds, alpha, |p| p < alpha).max(-part(rounds, alpha, |p| p > alpha))
}

/// Σ (x_t - α) over the predictions in a set.
pub(super) fn part(
    rounds: &[Round],
    alpha: &BigRational,
    within: impl Fn(&BigRational) -> bool,
) -> BigRational {
    let chosen = rounds.iter().filter(|(_, p)| within(p));
    chosen.map(|(x, _)| int(u8::from(*x)) - alpha).sum()
}

/// 0, 1 and the predictions, ascending.
pub(super) fn places(rounds: &[Round]) -> Vec<BigRational> {
    let mut places: Vec<_> = rounds.iter().map(|(_, p)| p.clone()).collect();
    places.extend([BigRational::zero(), BigRational::one()]);
    places.sort();
    places.dedup();
    places
}

/// The upper closure of g where it can jump: the largest of its value and its limits.
pub(super) fn closure(rounds: &[Round]) -> Vec<Point> {
    let at = |alpha: BigRational| {
        let mut height = g(rounds, &alpha);
        if alpha < BigRational::one() {
            height = height.max(part(rounds, &alpha, |p| *p <= alpha));
        }
        if alpha > BigRational::zero() {
            height = height.max(-part(rounds, &alpha, |p| *p >= alpha));
        }
        (alpha, height)
    };
    places(rounds).into_iter().map(at).collect()
}

/// The least concave majorant at 1/2: the highest chord over it.
fn majorant_at_half(graph: &[Point]) -> BigRational {
    let half = r(1, 2);
    let mut best = BigRational::zero();
    for (a, low) in graph.iter().filter(|(a, _)| *a <= half) {
        for (b, high) in graph.iter().filter(|(b, _)| *b >= half) {
            let at_half =
                if a == b { low.clone() } else { low + (high - low) * (&half - a) / (b - a) };
            best = best.max(at_half);
        }
    }
    best
}

/// UCal(x, β1) = 2 |X - βT| / max(β, 1 - β) and VCal(x, β1) = 2 |X - βT|.
pub(super) fn constant_prediction(evidence: &mut Evidence) {
    for rounds in 1..=6_u64 {
        for beta in unit_grid(12) {
            for ones in 0..=rounds {
                let table = table_of([(beta.clone(), rounds, ones)]);
                let [u_cal, v_cal] = [Measure::UCal, Measure::VCal].map(|m| value(&table, m));
                let bias = (int(ones) - int(rounds) * &beta).abs();
                let larger = beta.clone().max(BigRational::one() - &beta);
                let show = || {
                    format!(
                        "T = {rounds}, beta = {beta}, X = {ones}\n\
                         |X - beta T| = {bias}\n\
                         UCal = {u_cal}\n\
                         VCal = {v_cal}"
                    )
                };
                let twice = int(2) * &bias;
                evidence.case(v_cal == twice && u_cal == &twice / &larger, show);
                let smaller = int(1) - &larger;
                evidence.mistake(
                    "the smaller of beta and 1 - beta",
                    u_cal * smaller == twice,
                    || format!("T = {rounds}, beta = {beta}, X = {ones}"),
                );
            }
        }
    }
}

/// At p = 1 - x: UCal = 2T, VCal = 2 max(n_1, n_0), stepCE = max(n_1, |n_1 - n_0|) >= T/3, equal
/// iff n_1 = T/3.
pub(in crate::claims) fn opposite_predictions(evidence: &mut Evidence) {
    for rounds in 1..=30_u64 {
        for ones in 0..=rounds {
            let zeros = rounds - ones;
            let table = table_of([(int(0), ones, ones), (int(1), zeros, 0)]);
            let [u_cal, v_cal, step] =
                [Measure::UCal, Measure::VCal, Measure::StepCe].map(|m| value(&table, m));
            let third = int(rounds) / int(3);
            let holds = u_cal == int(2 * rounds)
                && v_cal == int(2 * ones.max(zeros))
                && step == int(ones.max(ones.abs_diff(zeros)))
                && step >= third
                && (step == third) == (3 * ones == rounds);
            let show = || {
                format!(
                    "n_1 = {ones} ones, n_0 = {zeros} zeros, p = 1 - x\n\
                     UCal = {u_cal}, VCal = {v_cal}, stepCE = {step}"
                )
            };
            evidence.case(holds, show);
            evidence.mistake("stepCE > T/3", step > third, show);
            evidence.mistake("VCal = 2T", v_cal == int(2 * rounds), show);
        }
    }
}

/// VCal / max(α*, 1 - α*) <= UCal <= 2 VCal for each α* where sup g > 0 is approached.
pub(super) fn by_the_place(evidence: &mut Evidence) {
    for table in tables(3, 8) {
        let rounds = table.to_rational().to_rounds();
        let graph = closure(&rounds);
        let sup = graph.iter().map(|(_, height)| height).max().expect("0 and 1 are places");
        if !sup.is_positive() {
            evidence.inapplicable();
            continue;
        }
        let (u_cal, v_cal) = (value(&AnyLevels::from(table), Measure::UCal), int(2) * sup);
        for (alpha, _) in graph.iter().filter(|(_, height)| height == sup) {
            let other = BigRational::one() - alpha;
            let show = || {
                format!("{}\nVCal = {v_cal} at alpha = {alpha}\nUCal = {u_cal}", in_words(&rounds))
            };
            let lower = v_cal <= &u_cal * alpha.max(&other);
            evidence.case(lower && u_cal <= int(2) * &v_cal, show);
            let larger = v_cal <= &u_cal * alpha.max(&other) * r(99, 100);
            evidence.mistake("99/100 of the larger of alpha* and 1 - alpha*", larger, show);
            evidence.mistake("UCal <= 199/100 VCal", u_cal <= r(199, 100) * &v_cal, show);
        }
    }
}

/// The linear programme over scoring rules is 0 exactly where no value and no limit of g is
/// positive.
pub(super) fn zero_together(evidence: &mut Evidence) {
    for table in tables(3, if evidence.extent() == Extent::Quick { 3 } else { 6 }) {
        let rounds = table.to_rational().to_rounds();
        let programme = definitions::u_cal(&rounds);
        let sup = closure(&rounds).into_iter().map(|(_, height)| height).max();
        let sup = sup.expect("0 and 1 are places");
        let values = places(&rounds).into_iter().map(|alpha| g(&rounds, &alpha)).max();
        let values = values.expect("0 and 1 are places");
        let show = || {
            format!(
                "{}\nUCal = {programme}\nsup g = {sup}, at the places {values}",
                in_words(&rounds)
            )
        };
        evidence.case(programme.is_zero() != sup.is_positive(), show);
        evidence.mistake("g without its limits", programme.is_zero() != values.is_positive(), show);
    }
}

/// At x = (1), p from 1/2 to 1: UCal = 2(1-p)/p, whose second derivative 4/p³ is nowhere 0, so that
/// no finite number of affine pieces makes it; second differences of VCal = 2(1-p) are 0.
pub(super) fn curvature(evidence: &mut Evidence) {
    let at = |measure, numerator| value(&table_of([(r(numerator, 48), 1, 1)]), measure);
    for middle in 25..48 {
        let (p, rest) = (r(middle, 48), r(48 - middle, 48));
        let [u_cal, v_cal] = [Measure::UCal, Measure::VCal].map(|measure| at(measure, middle));
        let bend = |measure| {
            at(measure, middle - 1) + at(measure, middle + 1) - int(2) * at(measure, middle)
        };
        let [bend_u, bend_v] = [Measure::UCal, Measure::VCal].map(bend);
        let show = || {
            format!(
                "x = (1), p = {p} and its neighbours at 1/48\n\
                 UCal = {u_cal}, second difference {bend_u}\n\
                 VCal = {v_cal}, second difference {bend_v}"
            )
        };
        let values = u_cal == int(2) * &rest / &p && v_cal == int(2) * &rest;
        evidence.case(values && bend_u.is_positive() && bend_v.is_zero(), show);
        evidence.mistake("UCal is affine there", bend_u.is_zero(), show);
        evidence.mistake("VCal / max(p, 1 - p)^2", u_cal == &v_cal / (&p * &p), show);
    }
}
