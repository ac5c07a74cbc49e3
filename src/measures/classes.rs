//! Classes of subsets: a restriction of a table is known by how many zeros and how many ones it
//! keeps of each level. The walk goes through the levels in order and shares between classes what
//! their lower levels have in common.

use num_bigint::BigInt;
use num_traits::One;

use crate::levels::{Level, Table};
use crate::number::Number;

/// What a walk knows of the levels kept so far.
pub(crate) trait SubsetWalk<N: Number>: Clone {
    /// The value of the measure is `value` / unit^`DEGREE`.
    const DEGREE: u32;

    fn new() -> Self;

    /// Adds the next higher level, restricted to the rounds kept.
    fn keep(&mut self, unit: &N, level: Level<N>);

    /// The measure of the levels kept.
    fn value(&self, unit: &N) -> N::Wide;
}

/// How many classes of subsets there are of the rounds of a level.
pub(super) fn classes_of<N>(level: &Level<N>) -> u128 {
    (u128::from(level.count - level.ones) + 1) * (u128::from(level.ones) + 1)
}

/// Calls `visit` with the kept levels and the weight of each class of subsets.
pub(super) fn for_each_class<N: Number, W: SubsetWalk<N>>(
    levels: Table<'_, N>,
    mut visit: impl FnMut(&W, &N),
) -> u128 {
    let choices: Vec<Vec<Choice<N>>> = levels.rows().iter().map(choices).collect();
    let mut states = vec![W::new(); choices.len() + 1];
    descend(levels.unit(), &choices, &mut states, &N::from_count(1), &mut visit)
}

fn descend<N: Number, W: SubsetWalk<N>>(
    unit: &N,
    choices: &[Vec<Choice<N>>],
    states: &mut [W],
    weight: &N,
    visit: &mut impl FnMut(&W, &N),
) -> u128 {
    let Some((here, higher)) = choices.split_first() else {
        visit(&states[0], weight);
        return 1;
    };
    let mut classes = 0;
    for (kept, ways) in here {
        let (before, after) = states.split_at_mut(1);
        after[0].clone_from(&before[0]);
        if let Some(level) = kept {
            after[0].keep(unit, level.clone());
        }
        classes += descend(unit, higher, after, &(weight.clone() * ways), visit);
    }
    classes
}

/// What is kept of a level (`None` if nothing), and how many subsets of its rounds keep just that.
pub(super) type Choice<N> = (Option<Level<N>>, N);

/// Every way to keep some zeros and some ones of a level.
pub(super) fn choices<N: Number>(level: &Level<N>) -> Vec<Choice<N>> {
    let (of_zeros, of_ones) = (binomials(level.count - level.ones), binomials(level.ones));
    let mut choices = Vec::with_capacity(of_zeros.len() * of_ones.len());
    for (zeros, zero_ways) in (0..).zip(&of_zeros) {
        for (ones, one_ways) in (0..).zip(&of_ones) {
            let kept = Level { value: level.value.clone(), count: zeros + ones, ones };
            let ways: BigInt = zero_ways * one_ways;
            let ways =
                N::from_bigint(&ways).expect("at most 2^T, for which there are bits to spare");
            choices.push(((kept.count > 0).then_some(kept), ways));
        }
    }
    choices
}

/// The binomial coefficients of n.
fn binomials(n: u64) -> Vec<BigInt> {
    let next = |ways: &BigInt, k: u64| ways * (n - k) / (k + 1);
    let mut row = vec![BigInt::one()];
    for k in 0..n {
        row.push(next(&row[k as usize], k));
    }
    row
}

/// stepCE: the prefix sum and the largest so far.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StepWalk<N> {
    pub prefix: N,
    pub largest: N,
}

impl<N: Number> StepWalk<N> {
    /// Adds the bias of the next higher level.
    pub fn step(&mut self, bias: &N) {
        self.prefix += bias;
        self.largest = self.largest.clone().max(self.prefix.magnitude());
    }
}

impl<N: Number> SubsetWalk<N> for StepWalk<N> {
    const DEGREE: u32 = 1;

    fn new() -> Self {
        StepWalk { prefix: N::zero(), largest: N::zero() }
    }

    fn keep(&mut self, unit: &N, level: Level<N>) {
        self.step(&level.bias(unit));
    }

    fn value(&self, _unit: &N) -> N::Wide {
        self.largest.widen()
    }
}
