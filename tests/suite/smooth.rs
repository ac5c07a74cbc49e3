//! The smooth calibration error: the staircase, the stacks and the linear programme agree, and
//! every function and flow shows the value.

use ethnum::I256;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use truecal::grid::grid_tables;
use truecal::measures::{self, Amount, Room, SmCe, SmoothScan};
use truecal::{AnyLevels, Level, Levels, Measure, Number, Witness, check, definitions};

/// A table from its unit and, for each level, prediction, rounds and ones.
fn table(unit: i64, rows: impl IntoIterator<Item = (i64, u64, u64)>) -> Levels<i64> {
    let row = |(value, count, ones)| Level { value, count, ones };
    Levels::new(unit, rows.into_iter().map(row).collect()).expect("valid")
}

/// The result, having compared its value with the stacks and its two sides with the value.
fn agreed<N: Number>(levels: &Levels<N>) -> SmCe<N> {
    let table = levels.table();
    let smooth = measures::sm_ce(table);
    let mut scan = SmoothScan::new();
    table.rows().iter().for_each(|level| scan.take(table.unit(), level));
    assert_eq!(smooth.value, scan.value());
    let alone = measures::value(Measure::SmCe, table, &mut Room::default());
    assert_eq!(alone, Some(Amount::Squares(smooth.value.clone())));

    let (heights, flow) = (smooth.heights(table), smooth.flow(table));
    let mut sum = N::zero().widen();
    heights.iter().zip(table.biases()).for_each(|(f, bias)| sum += &f.times(&bias));
    assert_eq!(sum, smooth.value);
    let mut cost = N::zero().widen();
    for (_, stays) in &smooth.residuals {
        assert_ne!(*stays, N::zero());
        cost += &stays.magnitude().times(table.unit());
    }
    for (flow, pair) in flow.iter().zip(table.rows().windows(2)) {
        cost += &flow.magnitude().times(&(pair[1].value.clone() - &pair[0].value));
    }
    assert_eq!(cost, smooth.value);
    smooth
}

/// The same at every width that is wide enough, with a witness that is accepted.
fn agreed_at_every_width(levels: &Levels<i64>) {
    fn at<N: Number>(levels: &Levels<i64>, reference: &SmCe<i64>) {
        let number = |n: i64| N::from_bigint(&n.into());
        let row = |level: &Level<i64>| {
            let value = number(level.value)?;
            Some(Level { value, count: level.count, ones: level.ones })
        };
        let rows: Option<Vec<_>> = levels.table().rows().iter().map(row).collect();
        let (Some(unit), Some(rows)) = (number(*levels.table().unit()), rows) else { return };
        let Ok(same) = Levels::new(unit, rows) else { return };
        let smooth = agreed(&same);
        assert_eq!(smooth.value.to_rational(), reference.value.to_rational());
        let same_list = |ours: &[(usize, N)], theirs: &[(usize, i64)]| {
            let rational = |(j, n): &(usize, N)| (*j, n.to_rational());
            let theirs: Vec<_> = theirs.iter().map(|(j, n)| (*j, n.to_rational())).collect();
            assert_eq!(ours.iter().map(rational).collect::<Vec<_>>(), theirs);
        };
        same_list(&smooth.function, &reference.function);
        same_list(&smooth.residuals, &reference.residuals);
    }
    let reference = agreed(levels);
    at::<i32>(levels, &reference);
    at::<i128>(levels, &reference);
    at::<I256>(levels, &reference);
    at::<BigInt>(levels, &reference);
    at::<BigRational>(levels, &reference);
    accepted(levels);
}

fn accepted(levels: &Levels<i64>) {
    let any = AnyLevels::from(levels.clone());
    assert_eq!(check(&any.to_rational(), &any.evaluate(Measure::SmCe)), Ok(()));
}

#[test]
fn the_linear_programme_has_the_same_value_on_grids() {
    for levels in (0..=4).flat_map(|rounds| grid_tables(rounds, 4)) {
        agreed(&levels);
        accepted(&levels);
        let any = AnyLevels::from(levels);
        let defined = definitions::sm_ce(&any.to_rational().to_rounds());
        assert_eq!(any.evaluate(Measure::SmCe).value, defined);
    }
}

#[test]
fn few_levels_are_ordinary() {
    let nothing = agreed(&table(4, []));
    assert_eq!((nothing.value, nothing.function, nothing.residuals), (0, vec![], vec![]));
    let over = agreed(&table(4, [(3, 2, 1)]));
    assert_eq!((over.value, over.function, over.residuals), (8, vec![(0, -4)], vec![(0, -2)]));
    let calibrated = agreed(&table(4, [(2, 2, 1)]));
    assert_eq!(calibrated.value, 0);
    assert_eq!((calibrated.function, calibrated.residuals), (vec![(0, 0)], vec![]));
    // Biases 3 and -3 at a distance of 2: f falls from 0.
    let pair = agreed(&table(4, [(1, 1, 1), (3, 1, 0)]));
    assert_eq!((pair.value, pair.residuals), (6, vec![]));
    assert_eq!(pair.function, [(0, 0), (1, -2)]);
}

/// Straight stretches are two points, and forecasts without a bias at any level one line at 0.
#[test]
fn functions_are_short_where_nothing_turns() {
    let calibrated = agreed(&table(1000, (0..500).map(|j| (2 * j, 1000, (2 * j) as u64))));
    assert_eq!(calibrated.function, [(0, 0), (499, 0)]);
    let under = agreed(&table(1000, (0..500).map(|j| (j, 1, 1))));
    assert_eq!(under.function, [(0, 1000), (499, 1000)]);
    assert_eq!(under.residuals.len(), 500); // everything stays where it is
    let crossing = agreed(&table(1000, (1..1000).map(|j| (j, 1, u64::from(j <= 500)))));
    assert_eq!(crossing.function.len(), 2);
}

/// Rows in which something is at an end: signs, predictions, counts, gaps.
#[test]
fn awkward_tables_agree() {
    let big = 1_i64 << 30;
    let wide = |rows: &[(i64, u64, u64)]| table(big, rows.iter().copied());
    let tables = [
        table(1, [(0, 7, 3), (1, 5, 1)]),
        table(1, [(0, 1, 1)]),
        table(1, [(1, 9, 0)]),
        // one sign throughout
        table(100, (0..100).map(|j| (j, 1, 1))),
        table(100, (1..=100).map(|j| (j, 3, 0))),
        // a total bias of 0: in the end, and at every other level
        table(100, (0..=100).map(|j| (j, 1, u64::from(j < 50)))),
        table(100, (0..=100).map(|j| (j, 100, if j % 2 == 0 { 100 - j as u64 } else { j as u64 }))),
        table(100, (0..100).map(|j| (j, 100, j as u64))),
        // one level outweighs the others, at an end or in the middle
        table(1 << 12, (0..64).map(|j| (64 * j, if j == 0 { 1 << 20 } else { 1 }, j as u64 % 2))),
        table(1 << 12, (0..64).map(|j| (64 * j, if j == 31 { 1 << 20 } else { 1 }, j as u64 % 2))),
        table(1 << 12, (0..64).map(|j| (64 * j, if j == 63 { 1 << 20 } else { 1 }, j as u64 % 2))),
        // tiny gaps, and one wide gap between them
        table(big, (0..200).map(|j| (big / 2 + j, 1 + j as u64 % 3, j as u64 % 2))),
        table(
            big,
            (0..200)
                .map(|j| (if j < 100 { j } else { big - 200 + j }, 2, [2, 0, 1][j as usize % 3])),
        ),
        // neighbours whose biases cancel, so that the walk comes back to 0 and to B
        wide(&[(big / 4, 2, 2), (big / 4 + 1, 4, 1), (big / 2, 2, 1), (big / 2 + 1, 2, 1)]),
        wide(&[(0, 1, 0), (big / 3, 6, 2), (big - 1, 1, 1), (big, 1, 1)]),
    ];
    tables.iter().for_each(agreed_at_every_width);
    for levels in &tables {
        agreed_at_every_width(&mirrored(levels));
    }
}

/// Many levels of ones, then alternating heavy levels: the stacks move all kinks at each of those.
#[test]
fn alternating_heavy_levels_agree() {
    let row = |j: i64| match j {
        ..1000 => ((1 << 29) + j, 1, 1),
        _ => ((1 << 29) + j, 2000, if j % 2 == 0 { 0 } else { 2000 }),
    };
    agreed_at_every_width(&table(1 << 30, (0..1500).map(row)));
}

/// Predictions p become 1 - p and outcomes x become 1 - x.
fn mirrored(levels: &Levels<i64>) -> Levels<i64> {
    let unit = *levels.table().unit();
    let turned = |level: &Level<i64>| (unit - level.value, level.count, level.count - level.ones);
    table(unit, levels.table().rows().iter().rev().map(turned))
}

fn tables() -> impl Strategy<Value = Levels<i64>> {
    let unit = prop_oneof![Just(8_i64), Just(100), Just(1 << 20), Just(1 << 40)];
    (unit, 0_u64..=10, 1_usize..120).prop_flat_map(|(unit, lean, most)| {
        let count = prop_oneof![3 => 1_u64..4, 1 => 1_u64..200];
        let row = (0..=unit, count, 0_u64..=10);
        prop::collection::vec(row, 0..most).prop_map(move |mut rows| {
            rows.sort_unstable();
            rows.dedup_by_key(|row| row.0);
            // From few ones to many, whatever the prediction.
            table(
                unit,
                rows.into_iter().map(|(value, count, luck)| {
                    (value, count, (count * (luck + lean) / 20).min(count))
                }),
            )
        })
    })
}

/// Tables whose walk is a random one: one round each, a one with the probability of its prediction.
fn calibrated() -> impl Strategy<Value = Levels<i64>> {
    let row = (0..=1_i64 << 20, 0..1_i64 << 20);
    prop::collection::vec(row, 0..300).prop_map(|mut rows| {
        rows.sort_unstable();
        rows.dedup_by_key(|row| row.0);
        table(1 << 20, rows.into_iter().map(|(value, luck)| (value, 1, u64::from(luck < value))))
    })
}

proptest! {
    #[test]
    fn random_tables_agree(levels in tables()) {
        agreed_at_every_width(&levels);
        agreed_at_every_width(&mirrored(&levels));
    }

    #[test]
    fn calibrated_tables_agree(levels in calibrated()) {
        agreed_at_every_width(&levels);
    }

    /// A function or a flow with another number in it does not pass.
    #[test]
    fn mutated_witnesses_are_rejected(
        levels in tables(),
        which: prop::sample::Index,
        amount in prop_oneof![-3_i64..=-1, 1_i64..=3],
    ) {
        let any = AnyLevels::from(levels);
        let mut evaluation = any.evaluate(Measure::SmCe);
        let Witness::Lipschitz(witness) = &mut evaluation.witness else { unreachable!("smCE") };
        let (turns, stays) = (witness.function.len(), witness.residuals.len());
        prop_assume!(stays > 0);
        let index = which.index(turns + stays);
        if index < turns {
            let (prediction, height) = &mut witness.function[index];
            // At a level without a bias the height may be free to move.
            let rows = any.to_rational();
            let place = BigRational::new(prediction.clone(), witness.unit.clone());
            let mut here = rows.table().rows().iter().filter(|level| level.value == place);
            let bias = here.next().map(|level| level.bias(rows.table().unit()));
            prop_assume!(bias != Some(BigRational::zero()));
            *height += amount;
            prop_assume!(turns == rows.table().rows().len()); // else its neighbours move with it
        } else {
            witness.residuals[index - turns].1 += amount;
        }
        prop_assert!(check(&any.to_rational(), &evaluation).is_err());
    }
}
