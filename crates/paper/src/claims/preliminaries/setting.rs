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

impl Strategy {
    /// The chance of a prediction in round 1 and one in round 2 (1 for 3/4) after this x_1, in
    /// quarters.
    fn chance(&self, x_1: usize, [first, second]: [usize; 2]) -> i64 {
        halves(self.first, first) * halves(self.second[x_1][first], second)
    }

    /// The same as that of drawing a plan at the start: what to predict at each of the five places
    /// where a prediction can be made, independently with the chances there.
    fn chance_of_plans(&self, x_1: usize, [first, second]: [usize; 2]) -> i64 {
        let plan = |code: usize| {
            let digit = |place: usize| code >> place & 1;
            let at = |x_1: usize, said: usize| digit(1 + 2 * x_1 + said);
            let places = [(0, 0), (0, 1), (1, 0), (1, 1)];
            let second_chances =
                places.map(|(x_1, said)| halves(self.second[x_1][said], at(x_1, said)));
            let weight = halves(self.first, digit(0)) * second_chances.iter().product::<i64>();
            // The plan with its own predictions put in is a function of the outcomes.
            if [digit(0), at(x_1, digit(0))] == [first, second] { weight } else { 0 }
        };
        (0..32).map(plan).sum::<i64>() / 8 // 2^5 over 2^2
    }
}

/// A chance in halves, of 3/4 or of 1/4.
fn halves(of_high: i64, high: usize) -> i64 {
    if high == 1 { of_high } else { 2 - of_high }
}

/// Tossing coins on the way is the same as drawing a plan at the start, and with a plan the
/// predictions are a function of the outcomes. So the expected penalty is a mean of those of such
/// functions, and no less than the least.
///
/// For every T and any finite number of predictions: given x, the chance of predicting p is the
/// product of the chances at the places (x_1..x_(t-1), p_1..p_(t-1)) on the way. The chance that
/// the plan that was drawn predicts p on x is a sum over plans of products over all places. No
/// place is met twice, so both are affine in the chances at each place. Where all chances are 0 or
/// 1 they agree, there being one plan, and so they do everywhere. A plan tells p_1, then p_2 from
/// x_1 and p_1, and so on: by induction p_t is a function of x_1..x_(t-1). The expected penalty
/// is linear in these chances, whatever is measured and however x is distributed, so that it is
/// enough to compare the chance of each p given each x, as is done here for two rounds with two
/// predictions and chances 0, 1/2 and 1.
pub(super) fn deterministic_forecasters(evidence: &mut Evidence) {
    for strategy in strategies() {
        for x_1 in [0, 1] {
            for said in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                let (tossed, drawn) =
                    (strategy.chance(x_1, said), strategy.chance_of_plans(x_1, said));
                let show = || {
                    let Strategy { first, second } = &strategy;
                    format!(
                        "chances of 3/4: {first}/2, then {second:?}/2 by x_1 and p_1\n\
                         x_1 = {x_1}, predictions {said:?} (1 for 3/4)\n\
                         on the way {tossed}/4, by plans {drawn}/4"
                    )
                };
                evidence.case(tossed == drawn, show);
                let alone = |round: usize| -> i64 {
                    let all = [[0, 0], [0, 1], [1, 0], [1, 1]].into_iter();
                    let same = all.filter(|other| other[round] == said[round]);
                    same.map(|other| strategy.chance(x_1, other)).sum()
                };
                let independent = 4 * tossed == alone(0) * alone(1);
                evidence.mistake("coins in each round that do not remember", independent, show);
            }
        }
    }
    best_of_two_rounds(evidence);
}

/// Two rounds, stepCE: among forecasters that toss fair coins and remember what they predicted,
/// none is better than the best deterministic function of the outcomes.
fn best_of_two_rounds(evidence: &mut Evidence) {
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
    let mut total = 0;
    for (index, (mass, penalty)) in nature.iter().zip(penalties).enumerate() {
        for first in [0, 1] {
            for second in [0, 1] {
                // The outcome of round 1 is index / 2.
                let both = strategy.chance(index / 2, [first, second]);
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
