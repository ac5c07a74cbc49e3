//! The classical numbers against literal readings of their definitions.

mod exact;
mod scores;
mod smooth;

use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use proptest::prelude::*;

use crate::any_levels::AnyLevels;
use crate::forecasts::Forecasts;
use crate::levels::{Level, Levels};
use crate::prediction::Prediction;

/// A table with a unit that fits 128 bits: predictions in units, counts and ones.
fn table(unit: i128, rows: &[(i128, u64, u64)]) -> AnyLevels {
    let level = |&(value, count, ones): &(i128, u64, u64)| Level { value, count, ones };
    Levels::new(unit, rows.iter().map(level).collect()).expect("a table").into()
}

fn levels_of(rounds: &[(bool, Prediction)]) -> AnyLevels {
    Forecasts::from_pairs(rounds.iter().cloned()).expect("valid").levels().expect("small")
}

/// The rounds one by one, in rationals.
fn rounds_of(levels: &AnyLevels) -> Vec<(bool, BigRational)> {
    levels.to_rational().to_rounds()
}

/// Predictions of every kind, many of them tied.
fn prediction() -> impl Strategy<Value = Prediction> {
    let text = |text: &str| text.parse::<Prediction>().expect("a prediction");
    let awkward = [
        text("0"),
        text("1"),
        text("0.3"),
        text("0.7"),
        text("1/3"),
        text("0.12345678901234567"),
        text("0.99999999999999999"),
    ];
    let doubles =
        [5e-324, f64::MIN_POSITIVE, 0.1, 0.3, 0.300_000_000_000_000_04, 1.0_f64.next_down()];
    let doubles = doubles.map(|double| Prediction::try_from(double).expect("in [0, 1]"));
    prop_oneof![
        4 => (0..=12_u64).prop_map(|k| Prediction::try_from(Ratio::new(k, 12)).expect("in [0, 1]")),
        2 => prop::sample::select(awkward.to_vec()),
        1 => prop::sample::select(doubles.to_vec()),
        1 => Just(text("1e-200")),
    ]
}

fn some_rounds(most: usize) -> impl Strategy<Value = Vec<(bool, Prediction)>> {
    prop::collection::vec((any::<bool>(), prediction()), 0..=most)
}

/// All tables of a unit with the given counts at most, for enumeration.
fn small_tables(unit: i128, most: u64) -> Vec<AnyLevels> {
    let mut tables = vec![vec![]];
    for value in 0..=unit {
        let mut more = vec![];
        for rows in &tables {
            for count in 1..=most {
                for ones in 0..=count {
                    more.push([rows.as_slice(), &[(value, count, ones)]].concat());
                }
            }
        }
        tables.extend(more);
    }
    tables.iter().map(|rows| table(unit, rows)).collect()
}

/// The table in every width that it fits.
fn at_every_width(levels: &AnyLevels) -> Vec<AnyLevels> {
    fn at<N: crate::Number>(levels: &AnyLevels) -> Option<AnyLevels>
    where
        AnyLevels: From<Levels<N>>,
    {
        let rational = levels.to_rational();
        let rows = rational.table().rows();
        let unit = crate::rational::common_denominator(rows.iter().map(|row| &row.value));
        let row = |row: &Level<BigRational>| {
            let value = &row.value * BigRational::from(unit.clone());
            let value = N::from_bigint(&value.to_integer())?;
            Some(Level { value, count: row.count, ones: row.ones })
        };
        let rows = rows.iter().map(row).collect::<Option<Vec<_>>>()?;
        Some(Levels::new(N::from_bigint(&unit)?, rows).ok()?.into())
    }
    let all = [at::<i32>, at::<i64>, at::<i128>, at::<ethnum::I256>, at::<BigInt>];
    all.iter().filter_map(|at| at(levels)).collect()
}

/// The table with all counts multiplied.
fn scaled(levels: &AnyLevels, factor: u64) -> AnyLevels {
    let rational = levels.to_rational();
    let rows = rational.table().rows();
    let unit = crate::rational::common_denominator(rows.iter().map(|row| &row.value));
    let row = |row: &Level<BigRational>| Level {
        value: (&row.value * BigRational::from(unit.clone())).to_integer(),
        count: row.count * factor,
        ones: row.ones * factor,
    };
    Levels::new(unit.clone(), rows.iter().map(row).collect()).expect("a table").into()
}
