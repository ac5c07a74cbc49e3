//! The best forecaster of a nature.

use num_rational::BigRational;
use num_traits::Zero;
use rayon::prelude::*;

use super::super::Scope::{All, Cases};
use super::super::tools::{commas, finite, int, outcomes, r, unit_grid};
use super::super::warmup::best_total_bias;
use super::super::{Claim, Evidence, Kind};
use super::LAB;
use truecal::Measure;
use truecal::Watch;
use truecal_lab::enclosure::{Enclosure, Subdivision, on_box};
use truecal_lab::optimum::{
    GRID_BUDGET, Optimum, OutcomeTree, TreeForecaster, bound_from, check, exact, has_exact_optimum,
    kappa, on_grid, variance_bound,
};
use truecal_verify::registry::Extent;

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "lab:opt-reading",
        kind: Kind::Expectation,
        reading: "OPT of a nature that is not smoothed, the least expected measure over all \
            forecasters, is what the search over orders of predictions finds: the checker accepts \
            its certificate, no forecaster on a grid does better, and one does as well if the best \
            predictions are on the grid. The best forecaster on a grid is the best of all, tried \
            one by one.",
        see: &["lab:product-ratio"],
        checks: &[
            finite!(
                "certificates, and grids that are finer and finer",
                Cases,
                "7 measures; T <= 2: product natures in 1/4, other natures in 1/2",
                certified,
            ),
            finite!(
                "every forecaster on a small grid",
                Cases,
                "all measures; T = 2, 6 natures in 1/2, predictions in 1/2",
                one_by_one,
            ),
        ],
        ..LAB
    },
    Claim {
        id: "lab:product-ratio",
        kind: Kind::Expectation,
        reading: "For product natures with p* in multiples of 1/D and T <= 3: the truthful \
            forecaster has E stepCE^sub \
                  <= 2(1 - 1/D) OPT. So the truth costs less than twice the optimum.",
        see: &["prop:stepCEsub-truthful-product", "lab:explicit-constant"],
        tight: "Equality if one round is random, with p* = 1/D: for p* = (1/12) the truth costs \
            11/144 and OPT = 1/24. The \
                truth is a best forecaster for p* = (1/2,1/2,1/2) and for (1/3,1/3,1/3).",
        checks: &[finite!(
            "truth against OPT",
            Cases,
            "T <= 2 in 1/12, T = 3 in 1/3 (full run: 1/6, quick: none)",
            product_ratio,
        )],
        ..LAB
    },
    Claim {
        id: "lab:step-not-truthful",
        kind: Kind::Expectation,
        reading: "stepCE: for product natures with T = 2 on the grid the truth costs at most 4 \
            times OPT. With T = 3 \
                  there is no such constant: for p* = (1/2,0,1) the truth costs 1/2 and OPT = 0.",
        see: &["lab:product-ratio"],
        tight: "p* = (p,1): the truth costs 2p(1-p), OPT = p/2 and the ratio tends to 4 for p -> \
            0. For (1/2,0,1), say 1/2, and then 1/2 again in the round that balances it.",
        checks: &[finite!("truth against OPT", Cases, "T = 2 in 1/12; (1/2,0,1)", step_ratio)],
        ..LAB
    },
    Claim {
        id: "lab:variance-bound",
        kind: Kind::Expectation,
        reading: "For a product nature with sum_t p*_t(1 - p*_t) = V and every forecaster: E \
            stepCE^sub >= (sqrt(1/4 + kappa V) - 1/2)/(2 sqrt(2)) with kappa = (sqrt(5) - 1)/2.",
        departs: "lemma:lower with better constants, for product natures. The argument stands at \
            `variance_bound`; it uses Khintchine's inequality with Szarek's constant.",
        uses: &["eq:total-bias-bound", "khintchine-best"],
        see: &["lemma:lower", "lab:explicit-constant"],
        checks: &[
            finite!(
                "one round: E sqrt(A + (x-p)^2) >= sqrt(A + kappa p*(1-p*))",
                Cases,
                "A = 1/4, 1/2, 1, 4; p in 1/8; p* in 1/8 and 1/1000",
                one_round,
            ),
            finite!("OPT", Cases, "T <= 2 in 1/6, (1/2,1/2,1/2)", above_the_bound),
        ],
        ..LAB
    },
    Claim {
        id: "lab:explicit-constant",
        kind: Kind::Numeric,
        reading: "For all V > 0: min(V, sqrt(2V)) <= 7.87 (sqrt(1/4 + kappa V) - 1/2)/(2 sqrt(2)). \
            So on product natures, for \
                  every T, the truthful forecaster has E stepCE^sub <= 7.87 OPT.",
        departs: "The paper names no constant.",
        uses: &[
            "prop:stepCEsub-truthful-product",
            "case1-product",
            "lab:variance-bound",
            "khintchine-best",
        ],
        see: &["lab:product-ratio"],
        tight: "The ratio is largest at V = 2: sqrt(2) phi (1 + sqrt(4 sqrt(5) - 3)) = 7.8672..., \
            phi the golden ratio. The best constant is not known; for T <= 3 it seems to be 2.",
        checks: &[finite!(
            "V = 2, where the ratio is largest, and V from 1/64 to 64 in pieces",
            All,
            "all V > 0",
            explicit_constant,
        )],
        ..LAB
    },
];

/// Product natures with so many rounds in multiples of 1/D; of two that differ by the names of the
/// outcomes, one.
fn product_natures(rounds: usize, denominator: i64) -> Vec<Vec<BigRational>> {
    let mut natures = vec![vec![]];
    for _ in 0..rounds {
        let longer = |p: Vec<BigRational>| {
            unit_grid(denominator).map(move |next| [&p[..], &[next]].concat())
        };
        natures = natures.into_iter().flat_map(longer).collect();
    }
    let mirrored = |p: &[BigRational]| p.iter().map(|p| int(1) - p).collect::<Vec<_>>();
    natures.retain(|p| *p <= mirrored(p));
    natures
}

fn tree(probabilities: &[BigRational]) -> OutcomeTree {
    OutcomeTree::product(probabilities).expect("probabilities")
}

/// Natures with T = 2 in multiples of 1/2, with independent rounds or not.
fn halves() -> impl Iterator<Item = OutcomeTree> {
    let natures = unit_grid(2).flat_map(|a| {
        unit_grid(2).flat_map(move |b| {
            let a = a.clone();
            unit_grid(2).map(move |c| [a.clone(), b.clone(), c])
        })
    });
    natures.map(|p| tree_of(&p))
}

/// The nature with these probabilities: after no outcome, after 0, after 1.
fn tree_of(numbers: &[BigRational; 3]) -> OutcomeTree {
    OutcomeTree::new(2, |past| at(numbers, past)).expect("probabilities")
}

fn at(numbers: &[BigRational; 3], past: &[bool]) -> BigRational {
    numbers[past.first().map_or(0, |x| 1 + usize::from(*x))].clone()
}

/// What nature does after each past: `p* = (1/2; 0, 1)`.
fn in_words(tree: &OutcomeTree) -> String {
    let round = |t: usize| commas(outcomes(t).map(|past| tree.probability(&past).to_string()));
    match tree.independent() {
        Some(p) => format!("p* = ({})", commas(p)),
        None => {
            let rounds: Vec<_> = (0..tree.rounds()).map(round).collect();
            format!("p* after each past = ({})", rounds.join("; "))
        }
    }
}

fn optimum(tree: &OutcomeTree, measure: Measure) -> Optimum {
    exact(tree, measure, &Watch::silent()).expect("few rounds and a measure of maxima")
}

fn truth(tree: &OutcomeTree, measure: Measure) -> BigRational {
    tree.penalty(&TreeForecaster::truthful(tree), measure)
}

/// The certificate is accepted, and the value lies below those of grids.
fn certified(evidence: &mut Evidence) {
    let products = (1..=2).flat_map(|rounds| product_natures(rounds, 4)).map(|p| tree(&p));
    for tree in products.chain(halves()) {
        for measure in Measure::ALL.into_iter().filter(|measure| has_exact_optimum(*measure)) {
            let mut found = optimum(&tree, measure);
            let pasts: Vec<_> = (0..tree.rounds()).flat_map(outcomes).collect();
            let predictions = || pasts.iter().map(|past| found.forecaster.prediction(past));
            let on = |denominator: u32| {
                let grid = on_grid(&tree, measure, denominator, GRID_BUDGET);
                grid.expect("few rounds").value
            };
            let fits = |d: u32| predictions().all(|p| (p * int(d)).is_integer());
            let grids = [1, 2, 3, 4, 6].map(|d| (d, on(d)));
            let holds = grids
                .iter()
                .all(|(d, value)| found.value <= *value && (!fits(*d) || found.value == *value));
            let accepted = check(&tree, measure, &found);
            let shown = || {
                let grids: Vec<_> =
                    grids.iter().map(|(d, value)| format!("{value} in 1/{d}")).collect();
                format!(
                    "{}, {measure}\nOPT = {} with the predictions {}\non grids: {}\ncertificate: \
                        {accepted:?}",
                    in_words(&tree),
                    found.value,
                    commas(predictions()),
                    grids.join(", ")
                )
            };
            evidence.case(holds && accepted.is_ok(), shown);
            evidence.mistake("predictions 0 and 1 are enough", found.value == grids[0].1, shown);
            evidence.mistake("the truth is best", found.value == truth(&tree, measure), shown);
            found.value -= r(1, 1000);
            let lower = check(&tree, measure, &found);
            evidence.mistake("1/1000 less is accepted", lower.is_ok(), || {
                let reason = lower.clone().err().map_or_else(String::new, |e| e.to_string());
                format!("{}, {measure}, claimed {}: {reason}", in_words(&tree), found.value)
            });
        }
    }
}

/// The backward induction against all 27 forecasters with predictions 0, 1/2 and 1, by the literal
/// definitions.
fn one_by_one(evidence: &mut Evidence) {
    for nature in halves().step_by(5) {
        let law: Vec<_> = nature.law().filter(|(_, chance)| !chance.is_zero()).collect();
        for measure in Measure::ALL {
            let induction = on_grid(&nature, measure, 2, GRID_BUDGET).expect("few rounds").value;
            let mut penalties: Vec<BigRational> = vec![];
            for code in 0..27 {
                let numbers = [9, 3, 1].map(|place| r(code / place % 3, 2));
                let forecaster = TreeForecaster::new(2, |past| at(&numbers, past));
                let forecaster = forecaster.expect("probabilities");
                let value = |(x, chance): &(Vec<bool>, BigRational)| {
                    measure.define(&forecaster.against(x)) * chance
                };
                penalties.push(law.iter().map(value).sum());
            }
            let least = penalties.iter().min().expect("27 forecasters");
            let shown = || format!("{}, {measure}\n{induction} and {least}", in_words(&nature));
            evidence.case(induction == *least, shown);
            evidence.mistake("always 0", induction == penalties[0], shown);
        }
    }
}

/// E stepCE^sub of the truth against OPT.
fn product_ratio(evidence: &mut Evidence) {
    let grids: &[(usize, i64)] = match evidence.extent() {
        Extent::Quick => &[(1, 12), (2, 12)],
        Extent::Usual => &[(1, 12), (2, 12), (3, 3)],
        Extent::Full => &[(1, 12), (2, 12), (3, 6)],
    };
    let on_grid = |(t, d): (usize, i64)| product_natures(t, d).into_iter().map(move |p| (p, d));
    let natures: Vec<_> = grids.iter().copied().flat_map(on_grid).collect();
    let both = |(p, _): &(Vec<BigRational>, i64)| {
        let tree = tree(p);
        (truth(&tree, Measure::StepCeSub), optimum(&tree, Measure::StepCeSub).value)
    };
    let values: Vec<_> = natures.par_iter().map(both).collect();
    for ((p, d), (truth, optimum)) in natures.iter().zip(values) {
        let shown = || {
            let ratio = if optimum.is_zero() { int(1) } else { &truth / &optimum };
            format!("p* = ({})\ntruth {truth}, OPT = {optimum}, ratio {ratio}", commas(p))
        };
        let most = &optimum * r(2 * (d - 1), *d);
        evidence.case(truth <= most, shown);
        evidence.mistake("99/100 of the factor", truth <= most * r(99, 100), shown);
        evidence.mistake("K = 9/5", truth <= &optimum * r(9, 5), shown);
        evidence.mistake("the truth is best", truth == optimum, shown);
    }
}

/// E stepCE of the truth against OPT.
fn step_ratio(evidence: &mut Evidence) {
    for p in product_natures(2, 12) {
        let tree = tree(&p);
        let (truth, optimum) =
            (truth(&tree, Measure::StepCe), optimum(&tree, Measure::StepCe).value);
        let shown = || format!("p* = ({})\ntruth {truth}, OPT = {optimum}", commas(&p));
        evidence.case(truth <= &optimum * int(4), shown);
        evidence.mistake("K = 7/2", truth <= &optimum * r(7, 2), shown);
    }
    let p = [r(1, 2), int(0), int(1)];
    let nature = tree(&p);
    let (truth, found) = (truth(&nature, Measure::StepCe), optimum(&nature, Measure::StepCe));
    let accepted = check(&nature, Measure::StepCe, &found);
    let shown = || format!("p* = (1/2,0,1)\ntruth {truth}, OPT = {}, {accepted:?}", found.value);
    evidence.case(truth == r(1, 2) && found.value.is_zero() && accepted.is_ok(), shown);
    evidence.mistake("K = 1000 with T = 3", truth <= found.value * int(1000), || {
        format!("p* = (1/2,0,1)\ntruth {truth}, OPT = 0")
    });
}

/// p* √(A + (1-p)²) + (1-p*) √(A + p²) >= √(A + κ p*(1-p*)) for A >= 1/4.
fn one_round(evidence: &mut Evidence) {
    let truths: Vec<_> = unit_grid(8).chain([r(1, 1000)]).collect();
    for a in [r(1, 4), r(1, 2), int(1), int(4)] {
        for truth in &truths {
            let against = int(1) - truth;
            let variance = Enclosure::exact(&(truth * &against));
            if variance == Enclosure::from(0) {
                evidence.inapplicable(); // equality, if the forecast is right
                continue;
            }
            for p in unit_grid(8) {
                let root = |x: i64| Enclosure::exact(&(&a + (int(x) - &p) * (int(x) - &p))).sqrt();
                let mean = Enclosure::exact(truth) * root(1) + Enclosure::exact(&against) * root(0);
                let below = |factor: Enclosure| {
                    (Enclosure::exact(&a) + factor * &variance).sqrt().at_most(&mean) == Some(true)
                };
                let shown = || format!("A = {a}, p* = {truth}, p = {p}: mean {mean:.9}");
                evidence.case(below(kappa()), shown);
                evidence.mistake(
                    "101/100 of kappa",
                    below(kappa() * Enclosure::ratio(101, 100)),
                    shown,
                );
            }
        }
    }
}

/// OPT of stepCE^sub, and the least total bias that is below it, against the bound by the variance.
fn above_the_bound(evidence: &mut Evidence) {
    let halves = vec![r(1, 2); 3];
    for p in (1..=2).flat_map(|rounds| product_natures(rounds, 6)).chain([halves]) {
        let nature = tree(&p);
        let value = optimum(&nature, Measure::StepCeSub).value;
        let pasts = (0..p.len()).flat_map(outcomes);
        let numbers: Vec<_> = pasts.map(|past| nature.probability(&past).clone()).collect();
        let bias =
            if p.len() < 3 { best_total_bias(&numbers, p.len() as u32) } else { value.clone() };
        let variance = nature.variance();
        let bound = variance_bound(&variance);
        let shown =
            || format!("p* = ({}), Var = {variance}\nOPT = {value}, bound {bound:.9}", commas(&p));
        if variance.is_zero() {
            evidence.case(value.is_zero(), shown);
            continue;
        }
        let above = |factor: i64| {
            let bound = &bound * Enclosure::ratio(factor, 4);
            bound.at_most(&Enclosure::exact(&bias)) == Some(true)
        };
        evidence.case(above(4) && bias <= value, shown);
        evidence.mistake("3 times the bound", above(12), shown);
    }
}

/// Up to constant factors, V over the bound is √(1/4 + κV) + 1/2, which increases, and √(2V) over
/// the bound is that divided by √V, √(1/(4V) + κ) + 1/(2√V), which decreases. The lesser of V and
/// √(2V) is the first up to V = 2 and then the second, so V = 2 decides; the pieces between 1/64
/// and 64 are a second look.
fn explicit_constant(evidence: &mut Evidence) {
    let smaller = |variance: &Enclosure, constant: &Enclosure| {
        let root = (Enclosure::from(2) * variance).sqrt();
        variance.min(&root).at_most(&(constant * bound_from(variance)))
    };
    let at_two = |constant: &Enclosure| smaller(&Enclosure::from(2), constant) == Some(true);
    let shown = || {
        let ratio = Enclosure::from(2) / bound_from(&Enclosure::from(2));
        format!("V = 2: min(V, sqrt(2V)) = 2, which is {ratio:.9} times the bound")
    };
    let (enough, less) = (Enclosure::ratio(787, 100), Enclosure::ratio(786, 100));
    evidence.case(at_two(&enough), shown);
    evidence.mistake("K = 7.86", at_two(&less), shown);
    let range = [(r(1, 64), int(64))];
    let fails = |constant: &Enclosure| match on_box(&range, 24, &|at| smaller(&at[0], constant)) {
        Subdivision::Holds { .. } => None,
        Subdivision::Fails { at } => Some(format!("fails at V = {}", at[0])),
        Subdivision::Undecided { at } => Some(format!("not decided at V = {}", at[0].0)),
    };
    let (found, failing) = (fails(&enough), fails(&less));
    evidence.case(found.is_none(), || found.clone().unwrap_or_default());
    let noticed = || failing.clone().unwrap_or_default();
    evidence.mistake("K = 7.86 in pieces", failing.is_none(), noticed);
}
