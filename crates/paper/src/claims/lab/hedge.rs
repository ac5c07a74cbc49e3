//! The Hedge forecaster as it runs.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::One;

use super::{Claim, LAB};
use crate::claims::tools::{commas, finite, int, r};
use truecal_lab::enclosure::Enclosure;
use truecal_lab::hedge::{
    Exact, Game, HedgeForecaster, PredictionLaw, adversary, bound, distance, expectation, moved,
    plain_law, reachable,
};
use truecal_verify::registry::Evidence;
use truecal_verify::registry::Kind;
use truecal_verify::registry::Scope::Cases;

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "lab:hedge-reading",
        kind: Kind::Algorithm,
        reading: "The forecaster, which keeps sums of weights in a tree of doubles, a plain \
            reading that adds up all weights anew, and the algorithm in rigorous enclosures \
            predict the same grid points, each with the same probability to within 2^-40.",
        uses: &["thm:alg"],
        checks: &[finite!(
            "three readings, round by round",
            Cases,
            "k <= 4, T <= 5: every sequence of points and outcomes",
            readings_agree,
        )],
        ..LAB
    },
    Claim {
        id: "lab:hedge-step",
        kind: Kind::Algorithm,
        reading: "A step of the forecaster as it runs, with its own rounding and its own choice of \
            neighbours, loses at most (3 - 2 sqrt(2))/(k-1), also where it predicts 1 although \
            some C_j < 0, or 0 although some C_j > 0.",
        uses: &["per-step-identity", "per-step-bound"],
        checks: &[finite!(
            "the loss of every step, enclosed",
            Cases,
            "k <= 4, T <= 6, and k = 2, T = 24: every state",
            step_loss,
        )],
        ..LAB
    },
    Claim {
        id: "lab:hedge-adversaries",
        kind: Kind::Expectation,
        reading: "Against the worst adversary there is, the forecaster as it runs, with its own \
            rounding, has E stepCE <= (3 - 2 sqrt(2)) T/(k-1) + sqrt(2T ln(2k)); and none of those \
            that have a name and toss no coins gets more than the worst.",
        see: &["total", "lab:hedge-step"],
        checks: &[finite!(
            "the game, and deterministic adversaries, over all draws",
            Cases,
            "k <= 4, T <= 5",
            worst_and_named,
        )],
        ..LAB
    },
];

/// Every sequence: the forecaster as it was led there against the other readings of where it is.
fn readings_agree(evidence: &mut Evidence) {
    for buckets in 2..=4 {
        for rounds in 1..=5 {
            let forecaster = HedgeForecaster::new(rounds, buckets).expect("two buckets");
            follow(evidence, &forecaster, &vec![0; buckets], &mut HashMap::new());
        }
    }
}

/// What the readings say at (k-1)L_1, …, (k-1)L_k.
struct Readings {
    plain: PredictionLaw,
    exact: Vec<(usize, Enclosure)>,
    doubled: Vec<(usize, Enclosure)>,
}

type Known = HashMap<Vec<i64>, Readings>;

fn follow(
    evidence: &mut Evidence,
    forecaster: &HedgeForecaster,
    biases: &[i64],
    known: &mut Known,
) {
    let rounds = forecaster.horizon().expect("a known horizon");
    let buckets = forecaster.buckets();
    let readings = known.entry(biases.to_vec()).or_insert_with(|| {
        let exact = |factor: i64| {
            let law = Exact::new(biases, rounds, &Enclosure::from(factor)).law();
            law.expect("128 bits tell the sign")
        };
        Readings { plain: plain_law(biases, rounds), exact: exact(1), doubled: exact(2) }
    });
    let law = forecaster.law();
    let shown = || {
        let text = commas(law.iter().map(|(bucket, q)| format!("{bucket} with {}", digits(q))));
        format!("k = {buckets}, T = {rounds}, (k-1)L = {biases:?}: bucket {text}")
    };
    let near = |law: &PredictionLaw, exact: &[(usize, Enclosure)]| {
        distance(law, exact) <= BigRational::new(1.into(), (1_u64 << 40).into())
    };
    evidence.case(near(&law, &readings.exact), shown);
    evidence.case(near(&readings.plain, &readings.exact), shown);
    evidence.mistake("eta twice as large", near(&law, &readings.doubled), shown);
    let swapped = law.iter().map(|(bucket, q)| (*bucket, BigRational::one() - q)).collect();
    let swapped = if law.len() == 2 { swapped } else { law.clone() };
    evidence.mistake("q and 1 - q exchanged", near(&swapped, &readings.exact), shown);
    let negated: Vec<i64> = biases.iter().map(|bias| -bias).collect();
    let flipped = plain_law(&negated, rounds);
    evidence.mistake("signs exchanged", near(&flipped, &readings.exact), shown);
    if forecaster.rounds() + 1 == rounds {
        return;
    }
    for (bucket, outcome) in (0..buckets).flat_map(|j| [(j, false), (j, true)]) {
        let mut next = forecaster.clone();
        next.observe_at(bucket, outcome).expect("a round of the game");
        let after = moved(biases, bucket, outcome);
        follow(evidence, &next, &after, known);
        // The wrong variant hands the outcome to the experts above the prediction only.
        let mut above = after.clone();
        above[bucket] = biases[bucket];
        let late = near(&plain_law(&above, rounds), &known[&after].exact);
        evidence.mistake("p < (i-1)/(k-1) in place of p <= (i-1)/(k-1)", late, || {
            format!(
                "k = {buckets}, T = {rounds}, (k-1)L = {biases:?}, then x = {outcome} at {bucket}"
            )
        });
    }
}

/// A probability with six digits.
fn digits(probability: &BigRational) -> String {
    format!("{:.6}", Enclosure::exact(probability))
}

/// 3 - 2 sqrt(2)
fn best() -> Enclosure {
    Enclosure::from(3) - Enclosure::from(8).sqrt()
}

/// The loss of a step by its definition, max(E C_p, 0) - E p C_p over the sum of all weights.
fn step_loss(evidence: &mut Evidence) {
    // The constant is approached by two buckets whose biases are opposite, and large in units of
    // 1/eta.
    for (buckets, most) in [(2, 24), (3, 6), (4, 6)] {
        for rounds in (1..=most).filter(|rounds: &u32| *rounds <= 6 || *rounds == most) {
            for biases in (0..rounds).flat_map(|done| reachable(buckets, done)) {
                let exact = Exact::new(&biases, rounds.into(), &Enclosure::from(1));
                let law = HedgeForecaster::law_at(&biases, rounds.into());
                let loss = exact.scaled_loss(&law);
                let shown = || {
                    format!(
                        "k = {buckets}, T = {rounds}, (k-1)L = {biases:?}: loss {loss:.6}/(k-1)"
                    )
                };
                let at_most = |loss: &Enclosure, most: &Enclosure| loss.at_most(most) == Some(true);
                evidence.case(at_most(&loss, &best()), shown);
                evidence.mistake("0.16/(k-1)", at_most(&loss, &Enclosure::ratio(16, 100)), shown);
                let likelier = law.iter().max_by(|one, other| one.1.cmp(&other.1));
                let certain = [(likelier.expect("a point").0, BigRational::one())];
                let alone = exact.scaled_loss(&certain);
                evidence.mistake("the likelier point alone", at_most(&alone, &best()), shown);
            }
        }
    }
}

/// Exact expectations: of the worst adversary, and of those that toss no coins.
fn worst_and_named(evidence: &mut Evidence) {
    for buckets in 2..=4 {
        for rounds in 1..=5 {
            let game = Game::of_forecaster(buckets, rounds).value(&vec![0; buckets], rounds);
            let worst = game / int(buckets as i64 - 1);
            let forecaster = HedgeForecaster::new(rounds.into(), buckets).expect("two buckets");
            let most = bound(rounds.into(), buckets);
            let shown = |who: &str, value: &BigRational| {
                format!("k = {buckets}, T = {rounds}, {who}: E stepCE = {}", digits(value))
            };
            evidence.case(worst <= most, || shown("the worst adversary", &worst));
            evidence.mistake("0.4 of the bound", worst <= &most * r(2, 5), || {
                shown("the worst adversary", &worst)
            });
            for name in ["greedy", "potential", "contrarian", "optimal"] {
                let mut adversary = adversary::named(name, rounds.into(), buckets)
                    .expect("a name for a few rounds");
                let value = expectation(&forecaster, &mut *adversary, rounds);
                evidence.case(value <= worst, || shown(name, &value));
                match name {
                    "optimal" => evidence.case(value == worst, || shown(name, &value)),
                    // In games as short as these nothing is worse than to contradict.
                    "contrarian" => {}
                    _ => {
                        let mistake = format!("{name} is the worst");
                        evidence.mistake(&mistake, value == worst, || shown(name, &value));
                    }
                }
            }
        }
    }
}
