//! The smoothed constructions, where the truth is sampled.

use num_rational::BigRational;

use super::LAB;
use crate::claims::tools::{finite, r};
use truecal::Measure;
use truecal_lab::Effort;
use truecal_lab::constructions::{Bound, Construction, Duel, Side, exponent, strong_upper_bound};
use truecal_lab::enclosure::Enclosure;
use truecal_lab::natures::Epochs;
use truecal_verify::registry::{Claim, Evidence, Kind, Strength};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "lab:smoothed-hedging",
        kind: Kind::Expectation,
        reading: "With p* uniform within 1/20 of 1/5 and 4/5, the hedging forecaster pays exactly \
            as without noise, and the truth \
                  at least 0.17 T^(1/3), with a fitted exponent between 0.3 and 0.48 for VCal.",
        uses: &["lab:expectations", "smooth-marginal"],
        see: &["prop:subsampsmooth", "E46", "E47"],
        checks: &[finite(
            "random runs",
            Strength::Sampled,
            "T = 8, 64, 216, 300 runs",
            smoothed_hedging,
        )],
        ..LAB
    },
    Claim {
        id: "lab:epochs-truthful",
        kind: Kind::Expectation,
        reading: "On the epochs of the lower bound the expected stepCE of the truth is at least \
            0.157 sqrt(Tk/5), and grows like sqrt(T); the strategist pays less than that bound.",
        uses: &["lab:epochs"],
        see: &["prop:soundlowerbound"],
        checks: &[finite("random runs", Strength::Sampled, "T = 20, 60, 180, 200 runs", epochs)],
        ..LAB
    },
    Claim {
        id: "lab:main-bound",
        kind: Kind::Expectation,
        reading: "The explicit bound of the main theorem holds for uniform p* (c = 1), p* within \
            1/20 of 1/5 and 4/5 (c = 1/10), p* near 0 and 1 (c = 1/16) and the epochs of the lower \
            bound (c = 1/128), and is more than a thousand times as large as the expected \
            stepCE^sub of the truth.",
        see: &["thm:strongupperbound", "small-c-variance"],
        checks: &[finite("random runs", Strength::Sampled, "T = 20, 100, 300 runs", main_bound)],
        ..LAB
    },
];

fn named(name: &str) -> &'static Construction {
    Construction::named(name).expect("one of the list")
}

/// Comparisons by so many random runs, but for what is exact in a few steps.
fn duels(name: &str, measure: Measure, rounds: &[u64], runs: u64) -> Vec<Duel> {
    let effort = Effort { steps: 1 << 15, runs, ..Effort::default() };
    let compare =
        |rounds: &u64| named(name).compare(*rounds, measure, &effort, &truecal::Watch::silent());
    rounds.iter().map(compare).collect()
}

/// The exponent of the truthful penalties, in words.
fn fitted(duels: &[Duel]) -> (BigRational, String) {
    let exponent = exponent(duels, 0).unwrap_or_default();
    let text = format!("fitted exponent {:.3}", Enclosure::exact(&exponent));
    (exponent, text)
}

/// A bound with another number.
fn times(bound: &Bound, numerator: i64, denominator: i64) -> Bound {
    let value = &bound.value * Enclosure::ratio(numerator, denominator);
    Bound { value, ..bound.clone() }
}

fn smoothed_hedging(evidence: &mut Evidence) {
    let rounds = [8, 64, 216];
    let smoothed = duels("smoothed-hedging", Measure::VCal, &rounds, 300);
    let plain = duels("hedging", Measure::VCal, &rounds, 300);
    for (duel, without) in smoothed.iter().zip(&plain) {
        let text = || format!("T = {}", duel.rounds);
        let hedged = duel.penalties[1].exact();
        evidence
            .case(duel.holds() && hedged.is_some() && hedged == without.penalties[1].exact(), text);
        let bound = duel.bounds[0].as_ref().expect("a bound of VCal");
        evidence.mistake("T^(1/3) itself", times(bound, 6, 1).admits(&duel.penalties[0]), text);
    }
    let (exponent, text) = fitted(&smoothed);
    evidence.case(r(3, 10) <= exponent && exponent <= r(48, 100), || text.clone());
    evidence.mistake("sqrt(T), as without noise", exponent >= r(1, 2), || text.clone());
}

fn epochs(evidence: &mut Evidence) {
    let duels = duels("epochs", Measure::StepCe, &[20, 60, 180], 200);
    for duel in &duels {
        let text = || format!("T = {}", duel.rounds);
        let bound = duel.bounds[0].as_ref().expect("a bound of stepCE");
        evidence.case(duel.holds(), text);
        let more = times(bound, 5, 2).admits(&duel.penalties[0]);
        evidence.mistake("0.39 sqrt(Tk/5)", more, text);
        // The strategist pays less than the truth costs at least.
        let below = Bound { side: Side::AtMost, ..bound.clone() };
        evidence.case(below.admits(&duel.penalties[1]), text);
    }
    let (exponent, text) = fitted(&duels);
    evidence.case(r(4, 10) <= exponent && exponent <= r(6, 10), || text.clone());
    evidence.mistake("T^(1/3)", exponent <= r(1, 3), || text.clone());
}

fn main_bound(evidence: &mut Evidence) {
    for name in ["uniform", "smoothed-hedging", "edges", "epochs"] {
        for duel in duels(name, Measure::StepCeSub, &[20, 100], 300) {
            let bound = match name {
                "epochs" => of_epochs(duel.rounds),
                _ => duel.bounds[0].clone().expect("the bound of the theorem"),
            };
            let text = || format!("{name}, T = {}: the bound is {:.3}", duel.rounds, bound.value);
            let truthful = &duel.penalties[0];
            evidence.case(bound.admits(truthful) && times(&bound, 1, 1000).admits(truthful), text);
            let tight = times(&bound, 1, 100_000).admits(truthful);
            evidence.mistake("a hundred thousand times as large", tight, text);
        }
    }
}

/// The variance is random here, and at most T/4.
fn of_epochs(rounds: u64) -> Bound {
    let c = Epochs::usual(rounds).expect("a multiple of 20").c();
    let deviation = Enclosure::ratio(rounds.cast_signed(), 4).sqrt();
    let value = strong_upper_bound(rounds, &c, &deviation);
    Bound { side: Side::AtMost, value, formula: "the main theorem" }
}
