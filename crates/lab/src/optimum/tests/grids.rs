//! The induction on grids.

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::{adaptive, product};
use crate::optimum::{GRID_BUDGET, OutcomeTree, TreeForecaster, grid_cost, on_grid, outcomes};
use truecal::Forecasts;
use truecal::Measure;
use truecal::rational::ratio;

/// Against all forecasters with predictions 0 and 1, one by one; and for one measure all with 0,
/// 1/2 and 1.
#[test]
fn the_induction_finds_the_best_of_all() {
    let natures = [product("1/4,1/2,1/3"), adaptive("1/3,1/4,3/4,1/2,0,1,2/5")];
    for nature in natures {
        let jobs =
            Measure::ALL.map(|measure| (measure, 1)).into_iter().chain([(Measure::StepCe, 2)]);
        for (measure, denominator) in jobs {
            let law: Vec<_> = nature.law().filter(|(_, chance)| !chance.is_zero()).collect();
            let base = u64::from(denominator) + 1;
            let mut best: Option<(BigRational, Vec<BigRational>)> = None;
            for code in 0..base.pow(7) {
                let digit = |place: u32| code / base.pow(6 - place) % base;
                let numbers: Vec<_> =
                    (0..7).map(|t| BigRational::new(digit(t).into(), denominator.into())).collect();
                let mut next = numbers.iter().cloned();
                let forecaster = TreeForecaster::new(3, |_| next.next().expect("seven pasts"))
                    .expect("in range");
                let value = |(x, chance): &(Vec<bool>, BigRational)| {
                    let levels = Forecasts::from_pairs(forecaster.against(x));
                    let levels = levels.expect("valid").levels().expect("small");
                    levels.evaluate(measure).value * chance
                };
                let penalty = law.iter().map(value).sum();
                if best.as_ref().is_none_or(|best| penalty < best.0) {
                    best = Some((penalty, numbers));
                }
            }
            let (value, numbers) = best.expect("forecasters");
            let grid = on_grid(&nature, measure, denominator, GRID_BUDGET).expect("cheap");
            assert_eq!(grid.value, value, "{measure}");
            // The first of the best is the one with the smallest predictions, the earliest rounds
            // first.
            for (past, number) in (0..3).flat_map(outcomes).zip(numbers) {
                let possible = !nature.chance(&past).is_zero();
                assert!(!possible || *grid.forecaster.prediction(&past) == number, "{measure}");
            }
        }
    }
}

#[test]
fn histories_with_one_future_are_one_state() {
    let states = |nature: &OutcomeTree| {
        on_grid(nature, Measure::StepCe, 2, GRID_BUDGET).expect("cheap").states
    };
    // 6 pairs of prediction and outcome: 1 + 6 + 21 + 56 tables.
    assert_eq!(states(&product("1/4,1/2,1/3")), 84);
    // The third round depends on the second outcome, so the 9 tables with one event in two rounds
    // count twice.
    let remembers = adaptive("1/4,1/2,1/2,1/3,1/5,1/3,1/5");
    assert_eq!(states(&remembers), 84 + 9);
    let cost = |nature: &OutcomeTree| grid_cost(nature, Measure::StepCe, 2);
    assert!(cost(&product("1/4,1/2,1/3")) < cost(&remembers));
}

/// The last outcome is 1 if the first was: after 01 and 10 the next round is alike, and the one
/// after it is not.
#[test]
fn what_comes_later_tells_pasts_apart() {
    let half = ratio(1, 2);
    let nature = OutcomeTree::new(4, |past| match past {
        [true, _, _] => BigRational::one(),
        _ => half.clone(),
    });
    let nature = nature.expect("probabilities");
    for measure in [Measure::Ece, Measure::StepCeSub, Measure::UCal] {
        let grid = on_grid(&nature, measure, 2, GRID_BUDGET).expect("cheap");
        assert_eq!(nature.penalty(&grid.forecaster, measure), grid.value, "{measure}");
    }
}
