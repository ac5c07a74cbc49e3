//! Instances that are about subsets of the rounds and their complements.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::instances::{Values, int};
use super::table::Sums;
use truecal::Measure;
use truecal::measures;
use truecal::{Level, Levels};

type Kept = Levels<BigRational>;

/// Tables of kept rounds, with how many subsets give them, and of those that are left.
fn subsets(sums: &Sums<'_>) -> Vec<(BigRational, Kept, Kept)> {
    let table = sums.levels.to_rational();
    let mut found = vec![(BigRational::one(), vec![], vec![])];
    for level in table.table().rows() {
        let mut extended = vec![];
        for (ways, kept, left) in found {
            for ones in 0..=level.ones {
                for zeros in 0..=level.count - level.ones {
                    let here = choices(level.ones, ones) * choices(level.count - level.ones, zeros);
                    let ways: BigRational = &ways * int(here);
                    let with = |rows: &Vec<Level<BigRational>>, count: u64, ones: u64| {
                        let value = level.value.clone();
                        let row = (count > 0).then_some(Level { value, count, ones });
                        rows.iter().cloned().chain(row).collect::<Vec<_>>()
                    };
                    extended.push((
                        ways,
                        with(&kept, ones + zeros, ones),
                        with(&left, level.count - ones - zeros, level.ones - ones),
                    ));
                }
            }
        }
        found = extended;
    }
    let levels = |rows| Levels::new(BigRational::one(), rows).expect("rows of a table");
    found.into_iter().map(|(ways, kept, left)| (ways, levels(kept), levels(left))).collect()
}

/// The number of ways to choose k of n, which 64 bits do not hold from n = 63 on.
fn choices(n: u64, k: u64) -> BigInt {
    num_integer::binomial(BigInt::from(n), BigInt::from(k))
}

fn step_ce(levels: &Kept) -> BigRational {
    measures::step_ce(levels.table()).value
}

/// The bias of the predictions up to a threshold.
fn prefix(levels: &Kept, threshold: &BigRational) -> BigRational {
    let rows = levels.table().rows().iter().filter(|row| row.value <= *threshold);
    rows.map(|row| row.bias(&BigRational::one())).sum()
}

/// More classes of subsets than this are not gone through.
const MOST_SUBSETS: u128 = 1 << 10;

pub(super) fn few_subsets(sums: &Sums<'_>) -> bool {
    let table = sums.levels.to_rational();
    let classes =
        table.table().rows().iter().map(|row| {
            u128::from(row.ones + 1).saturating_mul(u128::from(row.count - row.ones + 1))
        });
    classes.fold(1, u128::saturating_mul) <= MOST_SUBSETS
}

pub(super) fn complements(sums: &Sums<'_>) -> Values {
    if !few_subsets(sums) {
        return vec![];
    }
    let mut values = vec![];
    for (_, kept, left) in subsets(sums) {
        let (y, z) = (step_ce(&kept), step_ce(&left));
        for value in &sums.values {
            values.push(vec![prefix(&kept, value), prefix(&left, value), y.clone(), z.clone()]);
        }
    }
    values
}

/// y and z average to stepCE^sub, and a + c is a prefix sum of all rounds.
pub(super) fn complements_are_the_average(sums: &Sums<'_>) -> bool {
    if !few_subsets(sums) {
        return true;
    }
    let (mut kept_sum, mut left_sum, mut all) = (int(0), int(0), int(0));
    for (ways, kept, left) in subsets(sums) {
        kept_sum += &ways * step_ce(&kept);
        left_sum += &ways * step_ce(&left);
        all += ways;
        for (value, bias) in sums.values.iter().zip(&sums.biases[1..]) {
            if prefix(&kept, value) + prefix(&left, value) != *bias {
                return false;
            }
        }
    }
    let average = sums.measure(Measure::StepCeSub);
    kept_sum / &all == average && left_sum / &all == average
}

pub(super) fn chain(sums: &Sums<'_>) -> Values {
    if !few_subsets(sums) {
        return vec![];
    }
    vec![[Measure::UCal, Measure::StepCe, Measure::StepCeSub].map(|m| sums.measure(m)).to_vec()]
}

/// Both ends of the chain are the claim.
pub(super) fn the_chain_holds(sums: &Sums<'_>) -> bool {
    chain(sums).iter().all(|at| at[0] <= int(16) * &at[2])
}
