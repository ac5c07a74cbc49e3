//! Instances about the walk of the rounds that are kept, in the order of their predictions.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::instances::{Values, int};
use super::subsets::few_subsets;
use super::table::Sums;
use truecal::Measure;

/// x_i - p_i in the order of the predictions, ones first, and whether it is the last of its level.
fn differences(sums: &Sums<'_>) -> Vec<(BigRational, bool)> {
    let mut found = vec![];
    for row in sums.levels.to_rational().table().rows() {
        let of = |round: u64| int(u8::from(round < row.ones)) - &row.value;
        found.extend((0..row.count).map(|round| (of(round), round + 1 == row.count)));
    }
    found
}

/// One choice of the rounds that are kept, step by step.
struct Walk {
    /// A/2 + X at the ends of levels, each with A and X.
    prefixes: Vec<[BigRational; 2]>,
    /// X before and after each step.
    steps: Vec<[BigRational; 2]>,
    largest: BigRational,
}

/// Several choices: all rounds, none, every other, and those that go up.
fn walks(sums: &Sums<'_>) -> Vec<Walk> {
    let differences = differences(sums);
    let keeps: [fn(usize, &BigRational) -> bool; 4] =
        [|_, _| true, |_, _| false, |i, _| i % 2 == 0, |_, a| a.is_positive()];
    let walk = |keep: fn(usize, &BigRational) -> bool| {
        let (mut all, mut x, mut largest) = (int(0), int(0), int(0));
        let (mut prefixes, mut steps) = (vec![], vec![]);
        for (i, (a, last)) in differences.iter().enumerate() {
            let half = a / int(2);
            let next = if keep(i, a) { &x + half } else { &x - half };
            steps.push([x, next.clone()]);
            (all, x) = (all + a, next);
            largest = BigRational::max(largest, x.abs());
            if *last {
                prefixes.push([all.clone(), x.clone()]);
            }
        }
        Walk { prefixes, steps, largest }
    };
    keeps.into_iter().map(walk).collect()
}

/// A, X, S, M
pub(super) fn prefixes(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let of = |walk: Walk| -> Values {
        let at = |[a, x]: [BigRational; 2]| vec![a, x, step.clone(), walk.largest.clone()];
        walk.prefixes.into_iter().map(at).collect()
    };
    walks(sums).into_iter().flat_map(of).collect()
}

/// G, M, s, t before each step, and G, M, s at the end.
fn gains(walk: &Walk) -> (Values, Vec<BigRational>) {
    let (mut gain, mut largest) = (int(0), int(0));
    let mut found = vec![];
    for [before, after] in &walk.steps {
        let (s, t) = (before.abs(), after.abs());
        found.push(vec![gain.clone(), largest.clone(), s.clone(), t.clone()]);
        gain += &largest * (&t - s);
        largest = BigRational::max(largest, t);
    }
    let end = walk.steps.last().map_or_else(BigRational::zero, |[_, after]| after.abs());
    (found, vec![gain, largest, end])
}

/// The steps to a new maximum.
pub(super) fn maxima(sums: &Sums<'_>) -> Values {
    let steps = walks(sums).into_iter().flat_map(|walk| gains(&walk).0);
    steps.filter(|at| at[3] >= at[1]).collect()
}

fn ends(sums: &Sums<'_>) -> impl Iterator<Item = Vec<BigRational>> {
    walks(sums).into_iter().map(|walk| gains(&walk).1)
}

pub(super) fn ends_near(sums: &Sums<'_>) -> Values {
    ends(sums).filter(|at| at[1] <= int(2) * &at[2]).collect()
}

pub(super) fn ends_far(sums: &Sums<'_>) -> Values {
    ends(sums).filter(|at| at[1] >= int(2) * &at[2]).collect()
}

/// X, h, u, v
pub(super) fn steps(sums: &Sums<'_>) -> Values {
    let of = |[x, next]: [BigRational; 2]| {
        let h = next - &x;
        let (up, down) = ((&x + &h).abs(), (&x - &h).abs());
        vec![x, h, up, down]
    };
    walks(sums).into_iter().flat_map(|walk| walk.steps).map(of).collect()
}

/// Q, N, a, with the mean of X^2 added up.
pub(super) fn squares(sums: &Sums<'_>) -> Values {
    let (mut mean, mut rounds) = (int(0), int(0));
    let mut found = vec![];
    for (a, _) in differences(sums) {
        found.push(vec![mean.clone(), rounds.clone(), a.clone()]);
        mean += &a * &a / int(4);
        rounds += int(1);
    }
    found
}

/// The law itself, squared: its larger side is a root.
pub(super) fn the_mean_is_below(sums: &Sums<'_>) -> bool {
    if !few_subsets(sums) {
        return true;
    }
    let excess = sums.measure(Measure::StepCeSub) - sums.measure(Measure::StepCe) / int(2);
    !excess.is_positive() || &excess * &excess <= sums.rounds[sums.len()]
}
