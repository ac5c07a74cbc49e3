//! What bounds of blocks lead to is what the formulas give on the same outcomes, exactly.

use ethnum::I256;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::blocks::{Blocks, FINER};
use super::columns::Column;
use super::curves::Curve;
use super::group::Group;
use super::outcomes::{Bits, LANES, Outcomes};
use super::replicates::Asked;
use super::values::{Values, is_found, wanted};
use super::*;
use crate::forecasts::Forecasts;
use crate::levels::Levels;
use crate::measures::{self, Room};
use crate::parallel;
use crate::random::Random;

const MEASURES: [Measure; 4] = [Measure::StepCe, Measure::IntervalCe, Measure::VCal, Measure::UCal];

/// Random bits that are not fair, for outcomes that are far from the predictions.
enum Coins {
    Fair(Random),
    /// Mostly heads: most rounds are decided by their first digit.
    Heads(Random),
    /// Mostly tails: long ties with the digits.
    Tails(Random),
    /// Heads in every other lane, then in the others: lanes go up and down together.
    Alternating(u64),
}

impl Bits for Coins {
    fn next(&mut self) -> u64 {
        match self {
            Coins::Fair(random) => random.next(),
            Coins::Heads(random) => random.next() | random.next() | random.next(),
            Coins::Tails(random) => random.next() & random.next(),
            Coins::Alternating(word) => {
                *word = !*word;
                *word
            }
        }
    }
}

fn all_coins(seed: u64) -> [Coins; 4] {
    let random = |number| Random::new(seed, number);
    [
        Coins::Fair(random(0)),
        Coins::Heads(random(1)),
        Coins::Tails(random(2)),
        Coins::Alternating(0x5555_5555_5555_5555),
    ]
}

/// Every lane of a group, by bounds and by formulas. How many different outcomes there were.
fn agree<N: Number>(levels: &Levels<N>, bits: &mut impl Bits) -> usize {
    let table = levels.table();
    let outcomes = Outcomes::new(table);
    let blocks = Blocks::new(table, &outcomes, wanted(&MEASURES, table.rounds()));
    let mut group = Group::default();
    group.draw(&blocks, bits);
    let values = Values::new(&blocks, &group, 0..LANES, &MEASURES);
    let (mut plain, mut room) = (levels.clone(), Room::default());
    let mut seen = std::collections::BTreeSet::new();
    for lane in 0..LANES {
        let mut ones = vec![];
        for number in 0..blocks.blocks.len() {
            group.look(&blocks, number, lane, |place| ones.push(place.ones.1 - place.ones.0));
        }
        plain.set_ones(|index, _, _| ones[index]);
        assert_eq!(plain.table().ones(), group.ones(lane));
        for measure in MEASURES {
            let found = values.amount(measure, lane).expect("one of these");
            let expected = measures::value(measure, plain.table(), &mut room).expect("plain");
            let [found, expected] = [found, expected].map(|value| value.to_rational(table.unit()));
            assert_eq!(found, expected, "{measure} of {:?}", plain.table());
        }
        bounds_hold(&blocks, &group, lane);
        seen.insert(ones);
    }
    seen.len()
}

/// No level is above the bound of its block, for all that an estimate says.
fn bounds_hold<N: Number>(blocks: &Blocks<'_, N>, group: &Group, lane: usize) {
    for number in 0..blocks.blocks.len() {
        for curve in [Curve::Rise, Curve::Fall, Curve::Height] {
            let Some(bound) = group.bound(blocks, curve, number, lane) else { continue };
            let fine = group.fine_bound(blocks, curve, number, lane).expect("as the other");
            group.look(blocks, number, lane, |place| {
                let least = blocks.estimate(curve, place, group.ones(lane)) - blocks.doubt();
                assert!(i128::from(bound) << FINER >= least, "{curve:?} at {place:?}");
                assert!(fine >= least, "{curve:?} at {place:?}");
            });
        }
    }
}

fn agree_at_any_width(levels: &AnyLevels, seed: u64) {
    for mut coins in all_coins(seed) {
        at_any_width!(&levels.0, levels => agree(levels, &mut coins));
    }
}

fn table(rows: impl IntoIterator<Item = (String, u64)>) -> AnyLevels {
    let mut forecasts = Forecasts::new();
    for (prediction, count) in rows {
        let prediction = prediction.parse().expect("a prediction");
        forecasts.push_level(prediction, count, 0).expect("valid");
    }
    forecasts.levels().expect("small")
}

/// Values over a unit, with their counts.
fn integers<N: Number>(unit: &BigInt, rows: impl IntoIterator<Item = (BigInt, u64)>) -> Levels<N> {
    let number = |integer: &BigInt| N::from_bigint(integer).expect("it fits");
    let level = |(value, count)| Level { value: number(&value), count, ones: 0 };
    let rows = rows.into_iter().map(level).collect();
    Levels::new(number(unit), rows).expect("valid")
}

/// One to 300 levels, so that runs and blocks end everywhere, with ties in the walk: sums of
/// multiples of 1/m return to the same value again and again.
#[test]
fn few_levels_of_one_round() {
    for count in (1..=70).chain(240..=300) {
        let unit = BigInt::from(count);
        let rows = (0..count).map(|k| (BigInt::from(k), 1));
        let from_zero = integers::<i64>(&unit, rows);
        let rows = (1..=count).map(|k| (BigInt::from(k), 1));
        let to_one = integers::<i64>(&unit, rows);
        for coins in all_coins(count) {
            let mut coins = coins;
            agree(&from_zero, &mut coins);
            agree(&to_one, &mut coins);
        }
    }
}

/// Random predictions of every kind, with some rounds each.
#[test]
fn random_tables() {
    let mut random = Random::new(31, 0);
    for seed in 0..60 {
        let levels = [3, 40, 300, 700, 1500][(random.next() % 5) as usize];
        let most = [1, 2, 7, 90][(random.next() % 4) as usize];
        let kind = random.next() % 4;
        let row = |_: u64| {
            let (digits, count) = (random.next(), 1 + random.next() % most);
            let prediction = match kind {
                0 => format!("0.{:017}", digits % 100_000_000_000_000_000),
                1 => format!("0.{:03}", digits % 1000),
                // Near 1/2, where all of g is above 0.
                2 => format!(
                    "0.{}{:06}",
                    if digits & 1 == 0 { 499 } else { 500 },
                    digits % 1_000_000
                ),
                // Near the ends.
                _ => format!("0.{}{:04}", if digits & 1 == 0 { 9999 } else { 0 }, digits % 10_000),
            };
            (prediction, count)
        };
        agree_at_any_width(&table((0..levels).map(row).collect::<Vec<_>>()), seed);
    }
}

/// Levels that bounds treat in a way of their own, alone and among many of one round.
#[test]
fn awkward_tables() {
    let spread = |first: u64, count: u64| {
        (first..first + count).map(|k| (format!("0.{k:06}"), 1)).collect::<Vec<_>>()
    };
    let one = |prediction: &str, count: u64| vec![(prediction.to_owned(), count)];
    for rows in [
        vec![],
        vec![one("0", 1)],
        vec![one("1", 1)],
        vec![one("0", 300), one("1", 300)],
        vec![one("1/2", 1)],
        vec![one("1/2", 63)],
        vec![one("1/2", 64)],
        vec![one("1/2", 65)],
        vec![one("1/2", 5000)],
        vec![one("0", 64), one("1/3", 64), one("1/2", 64), one("2/3", 64), one("1", 64)],
        vec![spread(500_000, 300), one("0.6", 3000), spread(700_000, 300)],
        vec![one("0.1", 2000), spread(500_000, 20), one("0.9", 65), spread(950_000, 20)],
        // Nothing below, then everything at once: constants rise by more than fits.
        vec![spread(1, 3000), spread(999_000, 999)],
        vec![spread(1, 100), spread(500_000, 3000), spread(999_900, 99)],
        vec![one("0", 20_000), spread(1, 100), spread(500_000, 100), spread(999_900, 99)],
        vec![spread(1, 100), spread(499_900, 99), spread(999_900, 99), one("1", 20_000)],
    ] {
        agree_at_any_width(&table(rows.concat()), 5);
    }
}

/// All predictions have the same first 64 digits: estimates cannot tell them apart, and exact
/// numbers decide.
#[test]
fn predictions_that_differ_beyond_64_digits() {
    let unit = BigInt::from(1) << 130;
    for (half, step) in [(&unit / 2_u8, 1_i64), (&unit / 2_u8, -1), (&unit / 3_u8, 1)] {
        for levels in [2_i64, 33, 300, 600] {
            let first = if step > 0 { 0 } else { -levels };
            let row = |k: i64| (&half + BigInt::from(first + k) * (1_i64 << 40), 1);
            let table = integers::<I256>(&unit, (0..levels).map(row));
            for mut coins in all_coins(9) {
                agree(&table, &mut coins);
            }
        }
    }
}

/// Doubles down to the smallest, which take big integers.
#[test]
fn subnormal_doubles() {
    let mut forecasts = Forecasts::new();
    for k in 0..150 {
        for p in [f64::from_bits(k), f64::from_bits(k << 40), 1.0 - f64::from_bits(0x3ca0 << 48)] {
            forecasts.push_f64(false, p).expect("a probability");
        }
        forecasts.push_f64(true, f64::from_bits((0x3fe0 << 48) + k)).expect("a probability");
    }
    let levels = forecasts.levels().expect("doubles");
    assert_eq!(levels.width(), "bigint");
    agree_at_any_width(&levels, 3);
}

/// A group has 64 different replicates.
#[test]
fn lanes_differ() {
    let rows = (1..300).map(|k| (BigInt::from(k), 1));
    let levels = integers::<i64>(&BigInt::from(300), rows);
    assert_eq!(agree(&levels, &mut Coins::Fair(Random::new(1, 0))), LANES);
}

/// More rounds than bounds are made for: the formulas take over. (Only certain outcomes can be so
/// many.)
#[test]
fn more_rounds_than_bounds_can_have() {
    let rows = [("0", 1 << 60), ("0.2", 3), ("0.5", 1), ("1", u64::MAX - (1 << 60) - 4)];
    let levels = table(rows.map(|(prediction, count)| (prediction.to_owned(), count)));
    assert!(MEASURES.iter().all(|&m| !is_found(m, wanted(&MEASURES, levels.rounds()))));
    // So many that no words are drawn for them either.
    let rows = [("0", 100), ("0.2", 3), ("0.5", 1), ("1", 100)];
    let few = table(rows.map(|(prediction, count)| (prediction.to_owned(), count)));
    let options = NullOptions { replicates: 100, seed: 1 };
    let [many, few] =
        [levels, few].map(|levels| levels.null(&MEASURES, &options, &Watch::silent()));
    // What is certain has no bias, so that the walk is the same.
    assert_eq!((many[0].mean, many[1].mean), (few[0].mean, few[1].mean));
}

/// The values of all replicates, as rationals.
fn replicates(levels: &AnyLevels, measures: &[Measure], count: u64) -> Vec<Vec<BigRational>> {
    let options = NullOptions { replicates: count, seed: 3 };
    at_any_width!(&levels.0, table => {
        let asked = Asked { any: levels, levels: table, measures };
        let columns = asked.replicates(&options, &Watch::silent());
        columns.into_iter().map(|column| match column {
            Column::Units(values) => values.iter().map(Number::to_rational).collect(),
            Column::Squares(values) => values.iter().map(Number::to_rational).collect(),
            Column::Ratios(values) | Column::Averages(values) => values,
        }).collect()
    })
}

/// A larger N continues a smaller one, on any number of threads, whatever else is measured.
#[test]
fn more_replicates_continue_fewer() {
    let rows = (0..400).map(|k| (format!("0.{k:03}7"), 1 + k % 3 + 100 * u64::from(k % 97 == 5)));
    let levels = table(rows.collect::<Vec<_>>());
    let all = replicates(&levels, &MEASURES, 200);
    for (count, threads) in [(1, 1), (63, 3), (64, 2), (65, 1), (200, 5)] {
        let fewer = parallel::on(threads, || replicates(&levels, &MEASURES, count));
        for (fewer, all) in fewer.iter().zip(&all) {
            assert_eq!(fewer[..], all[..count as usize]);
        }
        // Beside a measure that takes the formulas, several threads share a group.
        let beside = [Measure::Ece, Measure::VCal, Measure::StepCe];
        let beside = parallel::on(threads, || replicates(&levels, &beside, count));
        assert_eq!(beside[1], all[2][..count as usize]);
        assert_eq!(beside[2], all[0][..count as usize]);
    }
}
