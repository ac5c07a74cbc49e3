//! Against the solver of the literal definitions, which checks its own results.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;
use truecal::definitions::{LinearOptimum, LinearProgramme};
use truecal::rational::{int, ratio};

use super::dictionary::{Dictionary, Step};
use super::inequalities::Found;
use super::*;

/// The same programme for the other solver.
fn literal<E: Coefficient>(programme: &Programme<E>) -> LinearProgramme {
    let mut literal = LinearProgramme::new(programme.gains.len());
    for (variable, gain) in programme.gains.iter().enumerate() {
        literal.gain(variable, gain);
    }
    for (row, bound) in &programme.rows {
        let terms: Vec<_> = row.iter().cloned().map(int).enumerate().collect();
        literal.at_most(&terms, bound.clone());
    }
    literal
}

/// Whether the other solver accepts value, point and multipliers.
fn is_proved<E: Coefficient>(programme: &Programme<E>, solution: &Solution) -> bool {
    let Solution { value, point, multipliers } = solution.clone();
    literal(programme).proves(&LinearOptimum { value, point, multipliers })
}

/// Whether there is a direction in which the programme goes on for ever and gains.
fn has_a_gaining_ray(programme: &Programme<i64>) -> bool {
    let mut directions = programme.clone();
    directions.rows.iter_mut().for_each(|(_, bound)| *bound = BigRational::zero());
    directions.rows.push((vec![1; programme.gains.len()], int(1)));
    literal(&directions).maximise().value.is_positive()
}

/// The least cost of a combination by the other solver, with what is missing at a price that no
/// combination of such small numbers reaches; None if there is none.
fn least_cost(columns: &[(Sparse<u8>, u32)], goal: &Sparse<u8>) -> Option<BigRational> {
    let price = int(1_000_000_000);
    let mut programme = LinearProgramme::new(columns.len());
    for (column, (_, cost)) in columns.iter().enumerate() {
        programme.gain(column, &-int(*cost));
    }
    let mut whole = BigRational::zero();
    let entry = |vector: &Sparse<u8>, place: u8| -> i128 {
        vector.iter().filter(|(other, _)| *other == place).map(|(_, n)| n).sum()
    };
    for place in 0..=u8::MAX {
        let bound = entry(goal, place);
        let sign = if bound < 0 { -1 } else { 1 };
        let terms: Vec<_> = columns
            .iter()
            .map(|(vector, _)| int(sign * entry(vector, place)))
            .enumerate()
            .filter(|(_, n)| !n.is_zero())
            .collect();
        if terms.is_empty() && bound == 0 {
            continue;
        }
        terms.iter().for_each(|(column, n)| programme.gain(*column, &(n * &price)));
        programme.at_most(&terms, int(bound.abs()));
        whole += int(bound.abs()) * &price;
    }
    let left = whole - programme.maximise().value;
    (left < price / int(1000)).then_some(left)
}

/// Whether an answer is what it says, and the cost of a combination.
fn verified(
    columns: &[(Sparse<u8>, u32)],
    goal: &Sparse<u8>,
    answer: &Combined<u8>,
) -> Option<BigRational> {
    match answer {
        Combined::Combination { denominator, multipliers } => {
            assert!(*denominator > 0 && multipliers.iter().all(|(_, n)| *n > 0));
            assert!(multipliers.is_sorted_by(|a, b| a.0 < b.0));
            let mut sum = vec![0_i128; 256];
            goal.iter().for_each(|(place, n)| sum[usize::from(*place)] -= denominator * n);
            for (column, multiplier) in multipliers {
                let vector = &columns[*column].0;
                vector.iter().for_each(|(place, n)| sum[usize::from(*place)] += multiplier * n);
            }
            assert!(sum.iter().all(|n| *n == 0), "{answer:?}");
            let cost = |(column, n): &(usize, i128)| int(*n) * int(columns[*column].1);
            Some(multipliers.iter().map(cost).sum::<BigRational>() / int(*denominator))
        }
        Combined::Separation(functional) => {
            let value = |vector: &Sparse<u8>| -> BigRational {
                vector.iter().map(|(place, n)| &functional[place] * int(*n)).sum()
            };
            assert!(columns.iter().all(|(column, _)| !value(column).is_negative()));
            assert!(value(goal).is_negative());
            None
        }
    }
}

fn programmes() -> impl Strategy<Value = Programme<i64>> {
    (1..6_usize).prop_flat_map(|variables| {
        let gains = prop::collection::vec((-3..6_i64, 1..5_i64), variables);
        let row = (prop::collection::vec(-3..5_i64, variables), 0..4_i64, 1..4_i64);
        (gains, prop::collection::vec(row, 1..8)).prop_map(|(gains, rows)| Programme {
            gains: gains.into_iter().map(|(n, d)| ratio(n, d)).collect(),
            rows: rows.into_iter().map(|(row, n, d)| (row, ratio(n, d))).collect(),
        })
    })
}

/// Vectors in a few places, with zeros left out.
fn vectors(places: u8) -> impl Strategy<Value = Sparse<u8>> {
    prop::collection::vec(-3..4_i128, usize::from(places)).prop_map(|entries| {
        (0..).zip(entries).filter(|(_, entry)| *entry != 0).collect::<Sparse<u8>>()
    })
}

fn systems() -> impl Strategy<Value = (Vec<(Sparse<u8>, u32)>, Sparse<u8>)> {
    (1..5_u8).prop_flat_map(|places| {
        let column = (vectors(places), 0..4_u32);
        (prop::collection::vec(column, 0..8), vectors(places))
    })
}

proptest! {
    #[test]
    fn maxima_are_those_of_the_other_solver(programme in programmes()) {
        for rule in [PivotRule::Largest, PivotRule::Lowest] {
            let solution = programme.maximise(rule);
            prop_assert_eq!(solution.is_none(), has_a_gaining_ray(&programme));
            if let Some(solution) = solution {
                prop_assert!(is_proved(&programme, &solution), "{:?}", solution);
                prop_assert_eq!(solution.value, literal(&programme).maximise().value);
            }
        }
    }

    #[test]
    fn combinations_are_the_cheapest((columns, goal) in systems()) {
        let answer = combine(&columns, &goal).expect("small numbers");
        prop_assert_eq!(verified(&columns, &goal, &answer), least_cost(&columns, &goal));
    }

    /// The steps are the same in words of every length: where a row with a long bound is added, it
    /// stops nothing that was stopped before.
    #[test]
    fn long_numbers_do_not_change_what_is_found(programme in programmes(), bits in 60..200_u32) {
        let mut long = programme.clone();
        long.rows.push((vec![1; long.gains.len()], int(BigInt::from(1) << bits)));
        for rule in [PivotRule::Largest, PivotRule::Lowest] {
            let bounded = programme.maximise(rule);
            let solution = long.maximise(rule).expect("bounded by the last row");
            prop_assert!(is_proved(&long, &solution));
            if let Some(bounded) = bounded {
                prop_assert_eq!(&bounded.point, &solution.point);
                let (own, before) = solution.multipliers.split_last().expect("rows");
                prop_assert_eq!((own, before), (&int(0), &bounded.multipliers[..]));
            }
        }
    }
}

/// Beale's and Chvátal's examples, which stay at the origin for some steps, with rows of integers.
#[test]
fn degenerate_programmes_come_to_an_end() {
    let beale = ([75, -15000, 2, -600], [[25, -6000, -4, 900], [25, -4500, -1, 150], [0, 0, 1, 0]]);
    let chvatal = ([10, -57, -9, -24], [[1, -11, -5, 18], [1, -3, -1, 2], [1, 0, 0, 0]]);
    for ((gains, rows), value) in [(beale, 5), (chvatal, 1)] {
        let rows = rows.iter().zip([0, 0, 1]).map(|(row, bound)| (row.to_vec(), int(bound)));
        let programme = Programme { gains: gains.map(int).to_vec(), rows: rows.collect() };
        for rule in [PivotRule::Largest, PivotRule::Lowest] {
            let solution = programme.maximise(rule).expect("bounded");
            assert!(is_proved(&programme, &solution));
            assert_eq!(solution.value, int(value));
        }
    }
}

/// Klee and Minty's cube, which takes the largest gain through all 2^n corners: more steps than it
/// is given, and numbers that do not fit 64 bits.
#[test]
fn long_ways_come_to_an_end() {
    for n in [3, 6, 9] {
        let power = |base: i64, exponent: usize| base.pow(exponent as u32);
        let row = |i: usize| -> Vec<i64> {
            let entry = |j: usize| if j < i { 2 * power(10, i - j) } else { i64::from(i == j) };
            (0..n).map(entry).collect()
        };
        let programme = Programme {
            gains: (0..n).map(|j| int(power(10, n - 1 - j))).collect(),
            rows: (0..n).map(|i| (row(i), int(power(100, i)))).collect(),
        };
        let solution = programme.maximise(PivotRule::Largest).expect("bounded");
        assert!(is_proved(&programme, &solution));
        assert_eq!(solution.value, int(power(100, n - 1)));
    }
}

/// Three lengths of numbers, and what takes longer ones.
#[test]
fn long_combinations_are_found_and_longer_ones_are_not() {
    let columns = |n: i128| [(vec![('x', n), ('y', 1)], 1), (vec![('x', 1), ('y', n)], 1)];
    // Here the multipliers are over n² - 1.
    let answer = |n: i128| combine(&columns(n), &vec![('x', 2), ('y', 3)]);
    for n in [4, 1 << 20, 1 << 34, 1 << 40] {
        let multipliers = vec![(0, 2 * n - 3), (1, 3 * n - 2)];
        let found = answer(n).expect("127 bits");
        let Combined::Combination { denominator, multipliers: reduced } = found else {
            panic!("a combination");
        };
        let common = (n * n - 1) / denominator;
        assert_eq!(denominator * common, n * n - 1);
        let scaled: Vec<_> = reduced.into_iter().map(|(place, m)| (place, m * common)).collect();
        assert_eq!(scaled, multipliers);
        // x is below both columns.
        let separation = combine(&columns(n), &vec![('x', 1)]);
        assert!(matches!(separation, Some(Combined::Separation(_))));
    }
    assert_eq!(answer(1 << 70), None);
    assert_eq!(combine(&[(vec![(0, 1)], 1)], &vec![(0, i128::MIN)]), None);
}

/// Numbers of every length, in the matrix, the bounds and the gains.
#[test]
fn maxima_of_numbers_of_any_length_are_found() {
    for bits in [2, 31, 40, 63, 64, 100, 127, 128, 500] {
        let long: BigInt = (BigInt::from(1) << bits) - 1;
        let programme = Programme {
            gains: vec![int(2), BigRational::new(3.into(), long.clone())],
            rows: vec![
                (vec![long.clone(), 1.into()], int(4)),
                (vec![1.into(), long.clone()], BigRational::new(5.into(), &long + 1)),
                (vec![1.into(), -long.clone()], int(long.clone())),
            ],
        };
        for rule in [PivotRule::Largest, PivotRule::Lowest] {
            let solution = programme.maximise(rule).expect("bounded");
            assert!(is_proved(&programme, &solution), "{bits}");
            assert_eq!(solution.value, literal(&programme).maximise().value);
        }
    }
}

#[test]
fn nothing_and_what_has_no_maximum() {
    let nothing = Combined::Combination { denominator: 1, multipliers: vec![] };
    assert_eq!(combine::<u8>(&[], &vec![]), Some(nothing));
    let Some(Combined::Separation(functional)) = combine(&[], &vec![('x', -2)]) else {
        panic!("a functional");
    };
    assert_eq!(functional[&'x'], int(1));
    let free = Programme::<i64> { gains: vec![int(1)], rows: vec![] };
    assert_eq!(free.maximise(PivotRule::Largest), None);
    let down = Programme::<i64> { gains: vec![int(-1)], rows: vec![] };
    assert_eq!(down.maximise(PivotRule::Lowest).expect("0").value, int(0));
}

#[test]
#[should_panic(expected = "the origin must be feasible")]
fn a_negative_bound_is_refused() {
    Programme { gains: vec![int(1)], rows: vec![(vec![1], int(-1))] }.maximise(PivotRule::Largest);
}

/// What the comparisons above would notice: another objective, a row that does not stop a variable
/// first, a step that is missing, and a combination that is not the cheapest.
#[test]
fn wrong_results_are_noticed() {
    let rows = vec![(vec![1, 1], int(4)), (vec![2, 1], int(5))];
    let programme = Programme { gains: vec![int(3), int(2)], rows };
    let right = programme.maximise(PivotRule::Largest).expect("bounded");
    assert!(is_proved(&programme, &right));
    let other = Programme { gains: vec![int(3), int(4)], ..programme.clone() };
    let wrong = other.maximise(PivotRule::Largest).expect("bounded");
    assert!(is_proved(&other, &wrong) && !is_proved(&programme, &wrong));
    let start = || Dictionary::new(3, vec![1_i64, 1, 4, 2, 1, 5, -3, -2, 0], 1);
    for (row, value) in [(0, int(12)), (1, ratio(15, 2))] {
        let mut dictionary = start();
        assert_eq!(dictionary.pivot(row, 0), Some(()));
        let found = Found::at(&dictionary, 2);
        let wrong = found.over(&BigInt::from(1), &BigInt::from(1));
        assert_eq!(wrong.value, value);
        assert!(!is_proved(&programme, &wrong), "{wrong:?}");
    }
    let mut dictionary = start();
    while dictionary.step(2, 4, PivotRule::Largest) == Some(Step::Taken) {}
    let found = Found::at(&dictionary, 2);
    assert_eq!(found.over(&BigInt::from(1), &BigInt::from(1)), right);
    let columns = [(vec![(0, 1)], 2), (vec![(0, 2)], 3)];
    let dear = Combined::Combination { denominator: 1, multipliers: vec![(0, 2)] };
    let goal = vec![(0, 2)];
    assert_eq!(verified(&columns, &goal, &dear), Some(int(4)));
    assert_eq!(least_cost(&columns, &goal), Some(int(3)));
}
