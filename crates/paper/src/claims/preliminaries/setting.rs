//! Forecasters, smoothed natures, completeness and soundness.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::claims::tools::{
    binomial_law, compositions, int, levels_of, outcomes, r, table_of, unit_grid, value,
};
use truecal::Measure;
use truecal::definitions::Round;
use truecal_verify::registry::Evidence;

/// What a forecaster of two rounds does, as the chances in halves of predicting 3/4 rather than
/// 1/4: in round 1, and in round 2 after each outcome and its own prediction in round 1.
struct Strategy {
    first: i64,
    second: [[i64; 2]; 2],
}

/// Two rounds, stepCE: among forecasters that toss fair coins and remember what they predicted,
/// none is better than the best deterministic function of the outcomes.
pub(super) fn deterministic_forecasters(evidence: &mut Evidence) {
    let penalties: Vec<_> = outcomes(2).map(|x| stepce_of_predictions(&x)).collect();
    let any = strategies();
    let tosses = |s: &Strategy| s.first == 1 || s.second.as_flattened().contains(&1);
    let remembers = |s: &Strategy| s.second.iter().any(|[low, high]| low != high);
    let pure: Vec<_> = any.iter().filter(|s| !tosses(s) && !remembers(s)).collect();
    let blind: Vec<_> = pure.iter().copied().filter(|s| s.second[0] == s.second[1]).collect();
    for nature in compositions(6, 4) {
        let error = |strategy: &Strategy| expected(&nature, &penalties, strategy);
        let best = any.iter().map(error).min().expect("some strategy");
        let best_of =
            |some: &[&Strategy]| some.iter().map(|s| error(s)).min().expect("some strategy");
        let (best_pure, best_blind) = (best_of(&pure), best_of(&blind));
        // Masses are in sixths, two chances in halves and penalties in quarters.
        let show = |other: i64| {
            let [best, other] = [best, other].map(|error| r(error, 96));
            format!(
                "masses {nature:?}/6 of 00, 01, 10, 11\nbest of all: {best}\nbest of the others: \
                    {other}"
            )
        };
        evidence.case(best == best_pure, || show(best_pure));
        evidence.mistake("outcomes do not matter either", best == best_blind, || show(best_blind));
    }
}

/// stepCE in quarters for each pair of predictions in {1/4, 3/4}.
fn stepce_of_predictions(x: &[bool]) -> [[i64; 2]; 2] {
    let at = |first: i64, second: i64| {
        let rounds: [Round; 2] = [(x[0], r(first, 4)), (x[1], r(second, 4))];
        let quarters = value(&levels_of(&rounds), Measure::StepCe) * int(4);
        i64::try_from(quarters.to_integer()).expect("at most 8")
    };
    [[at(1, 1), at(1, 3)], [at(3, 1), at(3, 3)]]
}

/// All strategies with chances 0, 1/2 and 1.
fn strategies() -> Vec<Strategy> {
    let digit = |code: i64, place: u32| code / 3_i64.pow(place) % 3;
    let strategy = |code| Strategy {
        first: digit(code, 0),
        second: [[digit(code, 1), digit(code, 2)], [digit(code, 3), digit(code, 4)]],
    };
    (0..3_i64.pow(5)).map(strategy).collect()
}

fn expected(nature: &[i64], penalties: &[[[i64; 2]; 2]], strategy: &Strategy) -> i64 {
    let chance = |halves: i64, high: usize| if high == 1 { halves } else { 2 - halves };
    let mut total = 0;
    for (index, (mass, penalty)) in nature.iter().zip(penalties).enumerate() {
        let after = &strategy.second[index / 2]; // the outcome of round 1
        for first in [0, 1] {
            for second in [0, 1] {
                let both = chance(strategy.first, first) * chance(after[first], second);
                total += mass * both * penalty[first][second];
            }
        }
    }
    total
}

/// Densities that are constant on four bins: none is at most 1/c for c > 1, only the uniform one
/// for c = 1, and a bound for c is one for every smaller c.
pub(super) fn smoothed_families(evidence: &mut Evidence) {
    let levels_of_noise = [r(1, 4), r(1, 2), r(3, 4), r(1, 1), r(9, 8), r(3, 2)];
    for masses in compositions(8, 4) {
        // mass/8 on a bin of length 1/4
        let highest = r(*masses.iter().max().expect("four bins"), 2);
        let belongs = |c: &BigRational| &highest * c <= int(1);
        for (index, c) in levels_of_noise.iter().enumerate() {
            let uniform = masses == [2, 2, 2, 2];
            let holds = match c.cmp(&int(1)) {
                std::cmp::Ordering::Greater => !belongs(c),
                std::cmp::Ordering::Equal => belongs(c) == uniform,
                std::cmp::Ordering::Less => true,
            };
            let nested = levels_of_noise[..index].iter().all(|less| !belongs(c) || belongs(less));
            let show =
                || format!("masses {masses:?}/8 on four bins, c = {c}\ndensity <= {highest}");
            evidence.case(holds && nested, show);
            let reversed = levels_of_noise[index..].iter().all(|more| !belongs(c) || belongs(more));
            evidence.mistake("larger c allows more", reversed, show);
        }
    }
}

/// Every measure is 0 at p = x.
pub(super) fn predicting_the_outcomes(evidence: &mut Evidence) {
    for rounds in 1..=8_u64 {
        for ones in 0..=rounds {
            let truth = table_of([(int(0), rounds - ones, 0), (int(1), ones, ones)]);
            let opposite = table_of([(int(0), ones, ones), (int(1), rounds - ones, 0)]);
            for measure in Measure::ALL {
                let at = |table| {
                    let value = value(table, measure);
                    let zero = value.is_zero();
                    (zero, move || format!("{ones} ones in {rounds} rounds\n{measure} = {value}"))
                };
                let ((holds, show), (wrong, show_wrong)) = (at(&truth), at(&opposite));
                evidence.case(holds, show);
                evidence.mistake("p = 1 - x as well", wrong, show_wrong);
            }
        }
    }
}

/// x_t ~ Bern(α) i.i.d., p = β1: E stepCE lies between |α - β| T and |α - β| T + √T/2, and E
/// stepCE² <= α(1-α)T for α = β.
pub(super) fn constant_forecasts(evidence: &mut Evidence) {
    for rounds in 1..=10_u64 {
        for beta in unit_grid(6) {
            let table = |ones| table_of([(beta.clone(), rounds, ones)]);
            let values: Vec<_> =
                (0..=rounds).map(|ones| value(&table(ones), Measure::StepCe)).collect();
            for alpha in unit_grid(6) {
                let law = binomial_law(rounds, &alpha);
                let expected: BigRational = law.iter().zip(&values).map(|(p, v)| p * v).sum();
                let excess = &expected - (&alpha - &beta).abs() * int(rounds);
                let square = &excess * &excess;
                let variance = &alpha * (int(1) - &alpha) * int(rounds);
                let show = || {
                    format!(
                        "T = {rounds}, alpha = {alpha}, beta = {beta}\n\
                         E stepCE = {expected}\n\
                         E stepCE - |alpha - beta| T = {excess}"
                    )
                };
                let quarter = int(rounds) / int(4);
                let holds = !excess.is_negative() && square <= quarter;
                evidence.case(holds && (alpha != beta || square <= variance), show);
                evidence.mistake("99/100 of sqrt(T)/2", square <= &quarter * r(9801, 10_000), show);
                evidence.mistake("no more than |alpha - beta| T", !excess.is_positive(), show);
            }
        }
    }
}
