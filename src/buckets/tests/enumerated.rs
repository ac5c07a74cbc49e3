//! All data on a small grid: those that agree with a table are what its bounds must hold for.

use std::collections::HashMap;

use super::*;
use crate::grid::grid_tables;

/// What is given of a bucket: the ends, the rounds, the ones, and the sum if it is given.
type Row = (BigRational, BigRational, u64, u64, BigRational);

/// The least and the largest value of each measure over the data that agree with each table; how
/// often bounds meet these, and how often there is one.
fn compare(rounds: u32, denominator: u32, borders: &[BigRational], sums: bool) -> [usize; 3] {
    let mut least_and_most = HashMap::<Vec<Row>, (BucketTable, Vec<[BigRational; 2]>)>::new();
    for levels in grid_tables(rounds, denominator) {
        let data = levels.to_rational().to_rounds();
        let groups = parted(&data, borders);
        let buckets: Vec<Bucket> = groups
            .iter()
            .map(|group| {
                let mut bucket = bucket_of(group);
                if !sums {
                    (bucket.sum_low, bucket.sum_high) = (int(0), int(bucket.count));
                }
                bucket
            })
            .collect();
        let row = |b: &Bucket| {
            (b.min.to_rational(), b.max.to_rational(), b.count, b.ones, b.sum_low.clone())
        };
        let key = buckets.iter().map(row).collect();
        let (_, ranges) = least_and_most.entry(key).or_insert_with(|| {
            (BucketTable::new(buckets).expect("of rounds"), Vec::with_capacity(12))
        });
        let any = AnyLevels::from(levels);
        for (place, measure) in Measure::ALL.into_iter().enumerate() {
            let value = any.evaluate(measure).value;
            match ranges.get_mut(place) {
                None => ranges.push([value.clone(), value]),
                Some([least, most]) => {
                    *least = least.clone().min(value.clone());
                    *most = most.clone().max(value);
                }
            }
        }
    }
    let mut met = [0, 0, 0];
    for (table, ranges) in least_and_most.values() {
        for (measure, [least, most]) in Measure::ALL.into_iter().zip(ranges) {
            assert_within(table, measure, least);
            assert_within(table, measure, most);
            if measure.subsampled_from().is_none() && !table.is_level_table() {
                let Bounds { lower, upper } = table.bounds(measure);
                met[0] += usize::from(lower == *least);
                met[1] += usize::from(upper == *most);
                met[2] += 1;
            }
        }
    }
    met
}

#[test]
fn bounds_hold_for_all_data_that_agree() {
    let mut all = [0, 0, 0];
    for (rounds, denominator) in [(1, 4), (2, 6), (3, 5), (4, 4)] {
        for borders in [vec![], vec![ratio(1, 2)], vec![ratio(1, 3), ratio(2, 3)]] {
            for sums in [true, false] {
                let met = compare(rounds, denominator, &borders, sums);
                all.iter_mut().zip(met).for_each(|(all, met)| *all += met);
            }
        }
    }
    let [below, above, of] = all;
    println!("{below} lower bounds and {above} upper bounds of {of} are attained");
    assert!(below * 2 > of && above * 2 > of, "{below} and {above} of {of}");
}
