mod grids;
mod tampering;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::certificate::{line, reach};
use super::order::{path, values};
use super::pieces::Pieces;
use super::*;
use truecal::Random;
use truecal::Watch;
use truecal::definitions::Round;
use truecal::rational::int;

pub(super) fn r(text: &str) -> BigRational {
    text.parse().expect("a rational")
}

/// Independent rounds.
pub(super) fn product(text: &str) -> OutcomeTree {
    let p: Vec<_> = text.split(',').map(r).collect();
    OutcomeTree::product(&p).expect("probabilities")
}

/// A nature that remembers: probabilities in order of pasts.
pub(super) fn adaptive(text: &str) -> OutcomeTree {
    let numbers: Vec<_> = text.split(',').map(r).collect();
    let rounds = (numbers.len() + 1).ilog2() as usize;
    let mut numbers = numbers.into_iter();
    OutcomeTree::new(rounds, |_| numbers.next().expect("one for each past")).expect("probabilities")
}

pub(super) fn found(tree: &OutcomeTree, measure: Measure) -> Optimum {
    exact(tree, measure, &Watch::silent()).expect("few rounds")
}

fn exact_measures() -> impl Iterator<Item = Measure> {
    Measure::ALL.into_iter().filter(|measure| has_exact_optimum(*measure))
}

fn predictions(forecaster: &TreeForecaster) -> Vec<String> {
    let pasts = (0..forecaster.rounds()).flat_map(outcomes);
    pasts.map(|past| forecaster.prediction(&past).to_string()).collect()
}

/// The order that a forecaster's later predictions have after a first outcome.
fn order_of(numbers: &[BigRational]) -> Order {
    let mut order = vec![];
    for node in 0..numbers.len() - 1 {
        let way = order::way_to(node);
        let mut earlier: Vec<_> =
            [0].into_iter().chain(way.iter().map(|n| n + 1)).map(|n| &numbers[n]).collect();
        earlier.sort();
        earlier.dedup();
        let own = &numbers[node + 1];
        let below = earlier.iter().filter(|other| **other < own).count();
        order.push(2 * below + usize::from(earlier.contains(&own)));
    }
    order
}

#[test]
fn one_round_has_a_closed_form() {
    for numerator in 0..=12 {
        let p = BigRational::new(numerator.into(), 12.into());
        let nature = OutcomeTree::product(std::slice::from_ref(&p)).expect("a probability");
        let not_p = BigRational::one() - &p;
        let optimum = found(&nature, Measure::StepCeSub);
        assert_eq!(optimum.value, p.clone().min(not_p.clone()) / r("2"));
        assert_eq!(check(&nature, Measure::StepCeSub, &optimum), Ok(()));
        let truth = nature.penalty(&TreeForecaster::truthful(&nature), Measure::StepCeSub);
        assert_eq!(truth, p * not_p);
        assert_eq!(nature.variance(), truth);
    }
}

#[test]
fn orders_are_counted_and_every_forecaster_has_one() {
    let counts = [0, 1, 3].map(|nodes| all_orders(nodes).len());
    assert_eq!(counts, [1, 3, 59]);
    let orders = all_orders(3);
    let mut seen = vec![0; orders.len()];
    for code in 0..256 {
        let number = |place: i32| BigRational::new((code / place % 4).into(), 3.into());
        let numbers = [64, 16, 4, 1].map(number);
        let order = order_of(&numbers);
        let number = orders.iter().position(|other| *other == order).expect("one of them");
        seen[number] += 1;
        for node in 0..3 {
            let [below, above] = neighbours(&order, node);
            assert!(below.is_none_or(|below| numbers[below] < numbers[node + 1]));
            assert!(above.is_none_or(|above| numbers[above] > numbers[node + 1]));
            assert_eq!(order[node] % 2 == 1, below.is_none() && above.is_none());
        }
        for later in outcomes(2) {
            let way: Vec<_> = path(&later).iter().map(|node| node + 1).collect();
            for level in values(&order, &path(&later)) {
                let at = |round: usize| if round == 0 { 0 } else { way[round - 1] };
                assert!(level.iter().all(|t| numbers[at(*t)] == numbers[at(level[0])]));
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "four values show every order");
}

/// The link between what the checker is told and the literal definitions.
#[test]
fn a_measure_along_a_path_is_the_sum_of_its_maxima() {
    for measure in exact_measures() {
        let pieces = Pieces::new(measure, 3).expect("small numbers");
        for code in 0..125 {
            let number = |place: i32| BigRational::new((code / place % 5).into(), 4.into());
            let [q, p, s] = [25, 5, 1].map(number);
            for x in outcomes(3) {
                // The other prediction of the third round is not on the path.
                let numbers = [q.clone(), p.clone(), s.clone(), s.clone()];
                let along = pieces.along(&order_of(&numbers), &x).clone();
                let total: BigRational = along
                    .maxima
                    .iter()
                    .map(|maximum| {
                        let height = |piece: &super::pieces::AffinePiece| {
                            let slopes = along.predictions.iter().zip(&piece.slopes);
                            slopes.fold(int(piece.constant), |sum, (p, slope)| {
                                sum + &numbers[*p] * int(*slope)
                            })
                        };
                        let largest = maximum.pieces.iter().map(height).max().expect("pieces");
                        largest * int(maximum.weight)
                    })
                    .sum();
                let rounds: Vec<Round> =
                    x.iter().copied().zip([q.clone(), p.clone(), s.clone()]).collect();
                let scale = int(pieces.scale);
                assert_eq!(total / scale, measure.define(&rounds), "{measure} at {rounds:?}");
            }
        }
    }
}

/// Exact optima with three rounds: certified, never above a grid, and equal where the grid has the
/// predictions.
#[test]
fn three_rounds_against_grids() {
    let mut equal = 0;
    for (nature, measures) in [
        (product("1/4,1/2,1/3"), &[Measure::StepCeSub, Measure::VCal, Measure::Ece][..]),
        (adaptive("1/3,1/4,3/4,1/2,0,1,2/5"), &[Measure::StepCeSub, Measure::SignCe]),
        (product("0,1/2,1"), &[Measure::VCalSub, Measure::IntervalCe]),
    ] {
        for &measure in measures {
            let optimum = found(&nature, measure);
            assert_eq!(check(&nature, measure, &optimum), Ok(()), "{measure}");
            for denominator in [3, 8, 12] {
                let grid = on_grid(&nature, measure, denominator, GRID_BUDGET).expect("cheap");
                assert!(optimum.value <= grid.value, "{measure} in 1/{denominator}");
                assert_eq!(nature.penalty(&grid.forecaster, measure), grid.value);
                equal += u32::from(optimum.value == grid.value);
            }
        }
    }
    assert!(equal >= 5, "{equal}");
    let optimum = found(&product("1/2,0,1"), Measure::StepCe);
    assert!(optimum.value.is_zero());
    let known = found(&product("1/4,1/2,1/3"), Measure::StepCeSub);
    assert_eq!(known.value, r("175/384"));
}

/// Off every grid that is searched by default: VCal has its optimum in ninths.
#[test]
fn optima_lie_off_coarse_grids() {
    let nature = product("1/4,1/2,1/3");
    let optimum = found(&nature, Measure::VCal);
    assert_eq!(optimum.value, r("97/108"));
    let on = |d| on_grid(&nature, Measure::VCal, d, GRID_BUDGET).expect("cheap").value;
    assert!(on(12) > optimum.value);
    assert_eq!(on(18), optimum.value);
}

#[test]
fn moves_away_from_the_optimum_do_not_help() {
    let mut random = Random::new(1, 0);
    for nature in
        [product("1/4,1/2,1/3"), adaptive("1/2,1/3,1/4"), adaptive("1/3,1/4,3/4,1/2,0,1,2/5")]
    {
        for measure in [Measure::StepCeSub, Measure::VCal, Measure::Ece] {
            let optimum = found(&nature, measure);
            for step in [2, 17, 1000] {
                for _ in 0..20 {
                    let moved = TreeForecaster::new(nature.rounds(), |past| {
                        let by = (random.next() % 3) as i64 - 1;
                        let moved = optimum.forecaster.prediction(past)
                            + BigRational::new(by.into(), step.into());
                        moved.clamp(BigRational::zero(), BigRational::one())
                    });
                    let penalty = nature.penalty(&moved.expect("probabilities"), measure);
                    assert!(penalty >= optimum.value, "{measure}");
                }
            }
        }
    }
}

/// Ties and predictions that never matter.
#[test]
fn impossible_pasts_get_the_truth() {
    let optimum = found(&product("0,1/3"), Measure::StepCeSub);
    assert_eq!(predictions(&optimum.forecaster), ["0", "0", "1/3"]);
    // The truth is as good as never to say anything but 0.
    let optimum = found(&product("1/2,0,1"), Measure::StepCeSub);
    assert_eq!(predictions(&optimum.forecaster), ["1/2", "0", "0", "1", "1", "1", "1"]);
    let grid = on_grid(&product("1,1/3"), Measure::StepCeSub, 2, GRID_BUDGET).expect("cheap");
    assert_eq!(predictions(&grid.forecaster)[1], "1/3");
}

/// Numbers that do not fit machine words.
#[test]
fn long_denominators_take_the_long_way() {
    let long = "1234567890123456789012345678901234567/9999999999999999999999999999999999999999";
    let nature = product(&format!("{long},1/3"));
    for measure in [Measure::StepCeSub, Measure::Ece] {
        assert_eq!(check(&nature, measure, &found(&nature, measure)), Ok(()));
    }
}

#[test]
fn what_is_not_computed_says_so() {
    let silent = Watch::silent();
    let four = product("1/2,1/2,1/2,1/2");
    assert_eq!(exact(&four, Measure::Ece, &silent), Err(OptimumError::Rounds { rounds: 4 }));
    for measure in [Measure::UCal, Measure::SmCe, Measure::UCalSub, Measure::Ssce] {
        let error = exact(&product("1/2"), measure, &silent);
        assert_eq!(error, Err(OptimumError::NotPiecewiseAffine { measure }));
    }
    let stop = Watch::new(&|| false, &|_| ());
    assert_eq!(exact(&product("1/2"), Measure::Ece, &stop), Err(OptimumError::Stopped));
    let cost = grid_cost(&four, Measure::Ssce, 12);
    let grid = |budget| on_grid(&four, Measure::Ssce, 2, budget);
    assert!(grid(grid_cost(&four, Measure::Ssce, 2)).is_ok());
    let budget = grid_cost(&four, Measure::Ssce, 2) - 1;
    assert_eq!(
        grid(budget),
        Err(OptimumError::TooCostly { denominator: 2, cost: budget + 1, budget })
    );
    assert!(cost > 1_000_000);
}

#[test]
fn trees_hold_probabilities() {
    let none = OutcomeTree::product(&[]);
    assert_eq!(none, Err(TreeError::Rounds { rounds: 0 }));
    let many = OutcomeTree::product(&vec![r("1/2"); 13]);
    assert_eq!(many, Err(TreeError::Rounds { rounds: 13 }));
    for off in ["-1/9", "10/9"] {
        let tree = OutcomeTree::product(&[r("1/2"), r(off)]);
        let error = tree.expect_err("out of range");
        assert_eq!(error, TreeError::Range { past: vec![false], number: r(off) });
        assert!(error.to_string().contains("after 0 is not a probability"), "{error}");
    }
    let long = BigRational::new(1.into(), num_bigint::BigInt::one() << 256);
    assert_eq!(OutcomeTree::product(&[long]), Err(TreeError::TooLong { past: vec![], bits: 256 }));
    let nature = adaptive("1/3,1/4,3/4");
    assert_eq!(nature.independent(), None);
    assert_eq!(product("1/3,1/4").independent(), Some(vec![r("1/3"), r("1/4")]));
    assert_eq!(nature.law().map(|(_, chance)| chance).sum::<BigRational>(), r("1"));
    assert_eq!(nature.chance(&[true, false]), r("1/12"));
    assert_eq!(nature.variance(), r("2/9") + r("3/16"));
    assert_eq!(nature.probability(&[true]), &r("3/4"));
}

#[test]
fn lines_reach_what_is_due_everywhere_or_not() {
    let line = |constant: &str, slope: &str| Line { constant: r(constant), slope: r(slope) };
    let (up, down, flat) = (line("0", "1"), line("1", "-1"), line("1/2", "0"));
    for (lines, due, from, to, expected) in [
        // Two lines that cross at the height that is due, and below it.
        (vec![&up, &down], "1/2", "0", "1", true),
        (vec![&up, &down], "3/5", "0", "1", false),
        (vec![&up, &down], "3/5", "3/5", "1", true),
        (vec![&up, &down], "3/5", "0", "2/5", true),
        (vec![&up, &down], "3/5", "1/2", "1", false),
        (vec![&up, &down], "3/5", "0", "1/2", false),
        (vec![&up], "1/4", "1/4", "1", true),
        (vec![&up], "1/4", "1/5", "1", false),
        (vec![&up], "1/4", "0", "1/4", false),
        (vec![&down], "1/4", "0", "3/4", true),
        (vec![&down], "1/4", "0", "4/5", false),
        (vec![&down], "1/4", "3/4", "1", false),
        (vec![&flat], "1/2", "0", "1", true),
        (vec![&flat], "3/5", "0", "1", false),
        (vec![&flat, &up, &down], "1/2", "0", "1", true),
        (vec![], "0", "0", "1", false),
    ] {
        let lines: Vec<_> = lines.into_iter().cloned().collect();
        let reached = reach(&lines, &line(due, "0"), &r(from), &r(to));
        assert_eq!(reached, expected, "{lines:?} and {due} from {from} to {to}");
    }
    // What is due may have a slope, too.
    assert!(reach(std::slice::from_ref(&up), &up, &r("0"), &r("1")));
    assert!(!reach(&[flat], &up, &r("0"), &r("1")));
}

/// A bound without anything says that measures are not negative.
#[test]
fn an_empty_bound_is_the_line_0() {
    let nature = product("1/4,1/2");
    let pieces = Pieces::new(Measure::Ece, 2).expect("small numbers");
    let law: Vec<_> = nature.law().collect();
    let case = OptimumCase { first: false, order: vec![0], bounds: vec![] };
    let nothing = Line { constant: r("0"), slope: r("0") };
    assert_eq!(line(&law, &pieces, &case, &CaseBound::default()), Ok(nothing));
}

#[test]
fn the_bound_by_the_variance_is_below_the_optimum() {
    for text in ["1/100", "1/2", "1/3,1/2", "1/2,1/2,1/2"] {
        let nature = product(text);
        let bound = variance_bound(&nature.variance());
        let value = found(&nature, Measure::StepCeSub).value;
        assert!(bound.high() < value && bound.high() * r("6") > value, "{text}: {bound} {value}");
    }
    assert!(variance_bound(&r("0")).contains(&r("0")));
}
