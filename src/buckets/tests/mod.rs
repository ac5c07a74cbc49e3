//! Bounds of buckets against the values of the data that they were made of.

mod enumerated;
mod refused;
mod rounded;

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

use super::*;
use crate::definitions::Round;
use crate::prediction::Prediction;
use crate::rational::{int, ratio};
use crate::{AnyLevels, Forecasts};

fn prediction(number: &BigRational) -> Prediction {
    Prediction::try_from(number).expect("a probability")
}

/// One bucket of some rounds.
fn bucket_of(rounds: &[Round]) -> Bucket {
    let predictions = || rounds.iter().map(|(_, p)| p);
    let end = |end: Option<&BigRational>| prediction(end.expect("not empty"));
    Bucket::exact(
        end(predictions().min()),
        end(predictions().max()),
        rounds.len() as u64,
        rounds.iter().filter(|(x, _)| *x).count() as u64,
        predictions().sum(),
    )
}

/// The rounds parted at some predictions: each group begins with one of these, or is the first.
fn parted(rounds: &[Round], borders: &[BigRational]) -> Vec<Vec<Round>> {
    let mut groups = vec![vec![]; borders.len() + 1];
    for round in rounds {
        groups[borders.iter().filter(|border| **border <= round.1).count()].push(round.clone());
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn table(rounds: &[Round], borders: &[BigRational]) -> BucketTable {
    let groups = parted(rounds, borders);
    BucketTable::new(groups.iter().map(|group| bucket_of(group))).expect("of rounds")
}

fn levels_of(rounds: &[Round]) -> AnyLevels {
    let forecasts = Forecasts::from_pairs(rounds.iter().cloned()).expect("valid");
    forecasts.levels().expect("one denominator")
}

fn plain() -> impl Iterator<Item = Measure> {
    Measure::ALL.into_iter().filter(|measure| measure.subsampled_from().is_none())
}

fn assert_within(table: &BucketTable, measure: Measure, value: &BigRational) {
    let Bounds { lower, upper } = table.bounds(measure);
    assert!(lower <= *value && *value <= upper, "{measure}: {lower} <= {value} <= {upper}");
}

/// Few or many distinct predictions, with 0 and 1, and denominators of all kinds.
fn rounds(most: usize) -> impl Strategy<Value = Vec<Round>> {
    let denominator = prop_oneof![Just(2_u64), Just(7), Just(1000), Just(1 << 40)];
    let rounds = (denominator, prop::collection::vec((any::<bool>(), any::<u64>()), 0..most));
    rounds.prop_map(|(d, rounds)| {
        let at = |p: u64| BigRational::new((p % (d + 1)).into(), d.into());
        rounds.into_iter().map(|(x, p)| (x, at(p))).collect()
    })
}

fn borders() -> impl Strategy<Value = Vec<BigRational>> {
    prop::collection::vec(0..=1000_i64, 0..6)
        .prop_map(|places| places.into_iter().map(|place| ratio(place, 1000)).collect())
}

/// The same table of which sums are known less well, by this much to either side.
fn loosened(rounds: &[Round], borders: &[BigRational], slack: &BigRational) -> BucketTable {
    let groups = parted(rounds, borders);
    let buckets = groups.iter().map(|group| {
        let mut bucket = bucket_of(group);
        bucket.sum_low -= slack;
        bucket.sum_high += slack;
        bucket
    });
    BucketTable::new(buckets).expect("of rounds")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn bounds_hold(rounds in rounds(60), borders in borders(), slack in 0..300_i64) {
        let levels = levels_of(&rounds);
        let exact = table(&rounds, &borders);
        let loose = loosened(&rounds, &borders, &ratio(slack, 100));
        prop_assert_eq!((exact.rounds(), exact.ones()), (levels.rounds(), levels.ones()));
        for measure in plain() {
            let value = levels.evaluate(measure).value;
            assert_within(&exact, measure, &value);
            assert_within(&loose, measure, &value);
            let (tight, wide) = (exact.bounds(measure), loose.bounds(measure));
            prop_assert!(wide.lower <= tight.lower || measure == Measure::SmCe);
            prop_assert!(tight.upper <= wide.upper || measure == Measure::SmCe);
        }
    }

    /// By the definitions, which use no level table.
    #[test]
    fn averages_are_bounded(rounds in rounds(7), borders in borders(), slack in 0..100_i64) {
        let exact = table(&rounds, &borders);
        let loose = loosened(&rounds, &borders, &ratio(slack, 100));
        for measure in Measure::ALL {
            let value = match measure {
                Measure::UCalSub | Measure::Ssce | Measure::UCal | Measure::Cdl => {
                    levels_of(&rounds).evaluate(measure).value // programmes would take long
                }
                _ => measure.define(&rounds),
            };
            assert_within(&exact, measure, &value);
            assert_within(&loose, measure, &value);
        }
    }

    /// Averages over larger sets, where the roots are what bounds them.
    #[test]
    fn larger_averages_are_bounded(rounds in rounds(24), borders in borders()) {
        let levels = levels_of(&rounds);
        for measure in [Measure::StepCeSub, Measure::VCalSub] {
            assert_within(&table(&rounds, &borders), measure, &levels.evaluate(measure).value);
        }
    }

    /// With one level in each bucket, given twice or in any order, everything is known.
    #[test]
    fn levels_are_known(rounds in rounds(30), twice: bool) {
        let levels = levels_of(&rounds);
        let mut borders: Vec<BigRational> = rounds.iter().map(|(_, p)| p.clone()).collect();
        borders.sort();
        borders.dedup();
        let mut buckets: Vec<Bucket> =
            parted(&rounds, &borders).iter().map(|group| bucket_of(group)).collect();
        if twice {
            buckets = rounds.iter().map(|round| bucket_of(std::slice::from_ref(round))).collect();
        }
        buckets.reverse();
        let given = buckets.len();
        let table = BucketTable::new(buckets).expect("of rounds");
        prop_assert!(table.is_level_table());
        prop_assert_eq!((table.len(), table.joined()), (levels.len(), given - levels.len()));
        for measure in plain() {
            let (Bounds { lower, upper }, value) =
                (table.bounds(measure), levels.evaluate(measure).value);
            prop_assert_eq!((&lower, &upper), (&value, &value), "{}", measure);
        }
    }

    /// As `ntile` makes them: as many rounds in each, with ties on both sides of a border.
    #[test]
    fn ties_across_borders_are_joined(rounds in rounds(40), size in 1..8_usize) {
        let mut rounds = rounds;
        rounds.sort_by(|a, b| a.1.cmp(&b.1));
        let table = BucketTable::new(rounds.chunks(size).map(bucket_of)).expect("of rounds");
        let levels = levels_of(&rounds);
        prop_assert_eq!(table.rounds(), levels.rounds());
        for measure in plain() {
            assert_within(&table, measure, &levels.evaluate(measure).value);
        }
    }
}

/// Sums as long as predictions and counts allow, at every width of numbers.
#[test]
fn extreme_numbers() {
    let tiny = Prediction::try_from(f64::from_bits(1)).expect("5e-324");
    let long: Prediction = "0.12345678901234567".parse().expect("17 digits");
    let many = u64::MAX / 2;
    for (min, max) in [
        (Prediction::ZERO, Prediction::ONE),
        (Prediction::ZERO, tiny.clone()),
        (tiny.clone(), long.clone()),
        (long, Prediction::ONE),
    ] {
        let (least, most) = (min.to_rational(), max.to_rational());
        for sum in [&most + &least * int(many - 1), &least + &most * int(many - 1)] {
            for ones in [0, 1, many] {
                let bucket = Bucket::exact(min.clone(), max.clone(), many, ones, sum.clone());
                let table = BucketTable::new([bucket]).expect("allowed");
                let gap = (int(ones) - &sum).max(&sum - int(ones));
                for measure in Measure::ALL {
                    let Bounds { lower, upper } = table.bounds(measure);
                    assert!(int(0) <= lower && lower <= upper, "{measure}");
                }
                assert_eq!(table.bounds(Measure::Ece).lower, gap);
                assert_eq!(table.bounds(Measure::SignCe).lower, gap);
            }
        }
    }
}

#[test]
fn no_buckets_have_no_error() {
    let table = BucketTable::new([]).expect("nothing wrong");
    assert!(table.is_empty() && table.is_level_table());
    for measure in Measure::ALL {
        let zero = BigRational::from(BigInt::from(0));
        assert_eq!(table.bounds(measure), Bounds { lower: zero.clone(), upper: zero });
    }
}

/// What happens if the mean predictions of buckets are given as levels: here the event happens at
/// the lower half of each bucket, and the means see nothing of it.
#[test]
fn means_as_levels_understate() {
    let rounds: Vec<Round> = (0..1000).map(|t| (t % 10 < 5, ratio(t, 1000))).collect();
    let borders: Vec<BigRational> = (1..100).map(|place| ratio(place, 100)).collect();
    let groups = parted(&rounds, &borders);
    let means = groups.iter().flat_map(|group| {
        let mean = group.iter().map(|(_, p)| p).sum::<BigRational>() / int(group.len() as u64);
        group.iter().map(move |(x, _)| (*x, mean.clone())).collect::<Vec<_>>()
    });
    let (truth, of_means) = (levels_of(&rounds), levels_of(&means.collect::<Vec<_>>()));
    let table = table(&rounds, &borders);
    for measure in [Measure::StepCe, Measure::SignCe, Measure::IntervalCe, Measure::Ece] {
        let (truth, of_means) = (truth.evaluate(measure).value, of_means.evaluate(measure).value);
        assert!(of_means < truth, "{measure}: {of_means} < {truth}");
        assert_within(&table, measure, &truth);
        assert!(table.bounds(measure).lower >= of_means, "{measure}");
    }
}
