//! Expected penalties against literal sums over all outcomes.

use num_rational::BigRational;
use num_traits::Zero;

use super::LAB;
use crate::claims::tools::{commas, finite, int, outcomes, r, unit_grid};
use truecal::Measure;
use truecal::Prediction;
use truecal::definitions::Round;
use truecal_lab::penalty::exact;
use truecal_lab::{Adaptive, Blocks, Chance, Constant, Forecaster, RoundedTruth, Spread, Truthful};
use truecal_verify::registry::Extent;
use truecal_verify::registry::{Claim, Evidence, Kind, Scope};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "lab:expectations",
        kind: Kind::Expectation,
        reading: "The expected penalties that the lab computes by following states are the sums of \
            probability times measure over all outcomes, with the measures by their definitions.",
        checks: &[finite!(
            "every nature, three forecasters",
            Scope::Cases,
            "T <= 2, P(x = 1) in 1/3 (quick: 1/2), all past; VCal, stepCE^sub",
            literal_sums,
        )],
        ..LAB
    },
    Claim {
        id: "lab:densities",
        kind: Kind::Expectation,
        reading: "With p* uniform on [a, b] in T rounds and predicted, the lab's integrals give E \
            ECE = 2T E p*(1 - p*); the same for stepCE, signCE and intervalCE of one round, and \
            twice as much for VCal. On [0, 1] two rounds have E stepCE = 43/80.",
        checks: &[finite!(
            "integrals and moments",
            Scope::Cases,
            "T <= 8, a and b in 1/4",
            densities,
        )],
        ..LAB
    },
];

/// P(x_t = 1) after no outcome, after 0 and after 1.
type Probabilities = [BigRational; 3];

fn after<'a>(probabilities: &'a Probabilities, past: &[bool]) -> &'a BigRational {
    match past {
        [] => &probabilities[0],
        [first, ..] => &probabilities[1 + usize::from(*first)],
    }
}

fn prediction(value: &BigRational) -> Prediction {
    value.try_into().expect("a probability")
}

/// Σ P(x) measure(x, p), from the definition.
fn literal(
    rounds: usize,
    nature: &Probabilities,
    said: &dyn Fn(&BigRational) -> BigRational,
    measure: Measure,
) -> BigRational {
    let mut total = BigRational::zero();
    for x in outcomes(rounds) {
        let truth = |t: usize| after(nature, &x[..t]);
        let chance = |t: usize| if x[t] { truth(t).clone() } else { int(1) - truth(t) };
        let probability: BigRational = (0..rounds).map(chance).product();
        let sequence: Vec<Round> = (0..rounds).map(|t| (x[t], said(truth(t)))).collect();
        total += probability * measure.define(&sequence);
    }
    total
}

/// The expected measure of the truth, where p* is uniform on [low, high].
fn integrated(
    rounds: u64,
    low: &BigRational,
    high: &BigRational,
    measure: Measure,
) -> Option<BigRational> {
    let spread = Spread::uniform(low.clone(), high.clone()).ok()?;
    let nature = Blocks::new([(rounds, Chance::Spread(spread))]);
    exact(&nature, &Truthful, measure, 1 << 16).ok()?.exact().cloned()
}

fn densities(evidence: &mut Evidence) {
    let ends: Vec<BigRational> = unit_grid(4).collect();
    let pairs = ends.iter().flat_map(|low| ends.iter().map(move |high| (low, high)));
    for (low, high) in pairs.filter(|(low, high)| low < high) {
        // E p* and E p*².
        let mean = (low + high) / int(2);
        let square = (low * low + low * high + high * high) / int(3);
        let deviation = int(2) * (&mean - square);
        let apart = int(2) * &mean * (int(1) - &mean);
        for rounds in 1..=8_u64 {
            let found = integrated(rounds, low, high, Measure::Ece);
            let text = || {
                format!(
                    "p* uniform on [{low}, {high}], T = {rounds}\nE ECE = {}",
                    &deviation * int(rounds)
                )
            };
            evidence.case(found.as_ref() == Some(&(&deviation * int(rounds))), text);
            let wrong = Some(&apart * int(rounds));
            evidence.mistake("outcomes that do not follow p*", found == wrong, text);
        }
        let one = |measure| integrated(1, low, high, measure);
        let text = || format!("p* uniform on [{low}, {high}], T = 1\nE stepCE = {deviation}");
        for measure in [Measure::StepCe, Measure::SignCe, Measure::IntervalCe] {
            evidence.case(one(measure).as_ref() == Some(&deviation), text);
        }
        evidence.case(one(Measure::VCal) == Some(&deviation * int(2)), text);
    }
    let two = integrated(2, &int(0), &int(1), Measure::StepCe);
    let text = || "p* uniform on [0, 1], T = 2\nE stepCE = 43/80".to_owned();
    evidence.case(two == Some(r(43, 80)), text);
    evidence.mistake("as much as ECE", two == Some(r(2, 3)), text);
}

fn literal_sums(evidence: &mut Evidence) {
    let fineness = if evidence.extent() == Extent::Quick { 2 } else { 3 };
    let grid: Vec<BigRational> = unit_grid(fineness).collect();
    let natures = grid.iter().flat_map(|a| {
        let pairs = grid.iter().flat_map(|b| grid.iter().map(move |c| (b.clone(), c.clone())));
        pairs.map(move |(b, c)| [a.clone(), b, c])
    });
    for nature in natures {
        for rounds in 1..=2 {
            for measure in [Measure::VCal, Measure::StepCeSub] {
                case(evidence, &nature, rounds, measure);
            }
        }
    }
}

fn case(evidence: &mut Evidence, nature: &Probabilities, rounds: usize, measure: Measure) {
    let law = {
        let nature = nature.clone();
        move |past: &[bool]| Chance::Point(prediction(after(&nature, past)))
    };
    let lab = Adaptive::new(rounds as u64, law);
    type Said<'a> = &'a dyn Fn(&BigRational) -> BigRational;
    let to_half = |p: &BigRational| (p * int(2) - r(1, 2)).ceil() / int(2);
    let contestants: [(&dyn Forecaster, Said<'_>); 3] = [
        (&Truthful, &|p| p.clone()),
        (&Constant(prediction(&r(1, 3))), &|_| r(1, 3)),
        (&RoundedTruth::to(2), &to_half),
    ];
    for (forecaster, said) in contestants {
        let walked = exact(&lab, forecaster, measure, 1 << 10).ok();
        let walked = walked.and_then(|penalty| penalty.exact().cloned());
        let summed = literal(rounds, nature, said, measure);
        let shown = || {
            format!(
                "T = {rounds}, P(x_t = 1) after each past (none, 0, 1) = {}\nE {measure} = \
                    {summed}",
                commas(nature)
            )
        };
        evidence.case(walked.as_ref() == Some(&summed), shown);
        let swapped = [nature[0].clone(), nature[2].clone(), nature[1].clone()];
        let other = literal(rounds, &swapped, said, measure);
        evidence.mistake("0 and 1 exchanged in the past", walked == Some(other), shown);
    }
}
