//! stepCE^sub by meeting in the middle.
//!
//! Split the levels in two. What a subset keeps of the low half matters to stepCE by the sum s of
//! the biases kept and by M, the largest |prefix sum|; what it keeps of the high half by the rise h
//! and the fall l, how far the prefix sums from the start of that half go up and down (0 is among
//! them). The value is
//!
//! max(M, s + h, l - s) = M + max(0, h - a, l - b) with a = M - s >= 0 and b = M + s >= 0,
//!
//! and of the last two terms h - a is the larger one if h - l >= a - b = -2s. So pairs of halves
//! with weights w and w' add up to (Σ w M)(Σ w') + Σ w w' max(0, h - a) + Σ w w' max(0, l - b),
//! where the last two sums are over the pairs with h - l >= -2s and over the others. Each takes one
//! pass over both halves in the order of s and h - l, with a tree of the h that have entered. Forty
//! distinct predictions come to 2^21 classes instead of 2^40. The walk over every class stays, as
//! the second reading in tests.
//!
//! **No overflow** where 2^T times the bound 4TD of the table fits, so that products need no wider
//! type. Say that t of the T rounds are in the low half. Weights add up to 2^t there and to 2^(T-t)
//! in the high half; |s| and M are at most tD, h, l and |h - l| at most (T-t)D, a, b and 2|s| at
//! most 2TD. So a sum in a tree of weights, or of weights times h, is at most 2^T TD, and a times a
//! sum of weights at most 2^T 2TD. What is added to the total is never negative, and all of it, the
//! sum of 2^T values, at most 2^T TD.

use super::classes::{StepWalk, SubsetWalk, choices, classes_of};
use super::fenwick::Fenwick;
use crate::levels::{Level, Table};
use crate::number::Number;

/// The sum of stepCE over all subsets of the rounds, in units; 2^T times the bound of the table
/// must fit. Cost: O(c log c) for c classes of subsets in the larger half, and as much memory.
pub(super) fn sum_step_ce<N: Number>(levels: Table<'_, N>) -> N {
    meet(levels, Split::of(levels.rows()).at)
}

/// The same with this many levels in the low half: any number gives the sum, if not in the same
/// time.
fn meet<N: Number>(levels: Table<'_, N>, at: usize) -> N {
    let (low, high) = levels.rows().split_at(at);
    let unit = levels.unit();
    let mut lows = grow(unit, low.iter(), StepWalk::new(), StepWalk::step);
    let mut highs = grow(unit, high.iter().rev(), Ahead::new(), Ahead::step);

    let mut total = N::zero();
    for (low, weight) in &lows {
        total += &(weight.clone() * &low.largest);
    }
    let mut subsets = N::zero();
    for (_, weight) in &highs {
        subsets += weight;
    }
    total = total * &subsets;

    total += &excess(&lows, &highs, N::ge);
    // The other pairs are those with l - h > 2s: the same with all biases negated.
    for (low, _) in &mut lows {
        low.prefix = -low.prefix.clone();
    }
    for (high, _) in &mut highs {
        high.negate();
    }
    lows.reverse();
    highs.reverse();
    total + &excess(&lows, &highs, N::gt)
}

/// Where the levels are split, and the classes of subsets on both sides; counts end with 128 bits.
pub(super) struct Split {
    at: usize,
    pub low: u128,
    pub high: u128,
}

impl Split {
    /// The split whose larger half has the fewest classes.
    pub fn of<N>(rows: &[Level<N>]) -> Split {
        let mut above = vec![1];
        for level in rows.iter().rev() {
            above.push(classes_of(level).saturating_mul(above[above.len() - 1]));
        }
        let mut best = Split { at: 0, low: 1, high: above[rows.len()] };
        let mut low = 1_u128;
        for (index, level) in rows.iter().enumerate() {
            low = low.saturating_mul(classes_of(level));
            let next = Split { at: index + 1, low, high: above[rows.len() - index - 1] };
            if next.classes() < best.classes() {
                best = next;
            }
        }
        best
    }

    /// The classes of the larger half, then those of the smaller.
    fn classes(&self) -> (u128, u128) {
        (self.low.max(self.high), self.low.min(self.high))
    }
}

/// Classes of subsets of one half, and how many subsets are in each.
type Classes<S, N> = Vec<(S, N)>;

/// The classes of subsets of some levels, ascending, with those in one that come to the same.
fn grow<'a, N: Number + 'a, S: Clone + Ord>(
    unit: &N,
    levels: impl Iterator<Item = &'a Level<N>>,
    nothing: S,
    step: fn(&mut S, &N),
) -> Classes<S, N> {
    let mut classes = vec![(nothing, N::from_count(1))];
    for level in levels {
        let choices = choices(level);
        let mut grown = Vec::with_capacity(classes.len() * choices.len());
        for (kept, ways) in &choices {
            let bias = kept.as_ref().map_or_else(N::zero, |level| level.bias(unit));
            for (state, weight) in &classes {
                let mut state = state.clone();
                step(&mut state, &bias);
                grown.push((state, weight.clone() * ways));
            }
        }
        // A step keeps most of the order: few runs are to be merged, which this sort notices.
        grown.sort_by(|(one, _), (other, _)| one.cmp(other));
        grown.dedup_by(|(next, more), (state, weight)| {
            let same = next == state;
            if same {
                *weight += more;
            }
            same
        });
        classes = grown;
    }
    classes
}

/// What a class keeps of the high half, in the order in which classes enter the pass.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Ahead<N> {
    /// h - l
    lead: N,
    /// h
    rise: N,
}

impl<N: Number> Ahead<N> {
    fn new() -> Self {
        Ahead { lead: N::zero(), rise: N::zero() }
    }

    /// Adds a bias in front.
    fn step(&mut self, bias: &N) {
        let fall = self.rise.clone() - &self.lead;
        self.rise = (self.rise.clone() + bias).max(N::zero());
        self.lead = self.rise.clone() - &(fall - bias).max(N::zero());
    }

    /// Exchanges h and l.
    fn negate(&mut self) {
        self.rise -= &self.lead;
        self.lead = -self.lead.clone();
    }
}

/// Σ w w' max(0, h - a) over the pairs for which h - l `reaches` -2s. Both halves ascend in s and
/// h - l.
fn excess<N: Number>(
    lows: &Classes<StepWalk<N>, N>,
    highs: &Classes<Ahead<N>, N>,
    reaches: fn(&N, &N) -> bool,
) -> N {
    // The places in the trees, from the highest down: what is above a comes before its place.
    let mut rises: Vec<N> = highs.iter().map(|(high, _)| high.rise.clone()).collect();
    rises.sort_unstable_by(|one, other| other.cmp(one));
    rises.dedup();
    let place = |height: &N| rises.partition_point(|rise| rise > height);
    let [mut weights, mut moments] = [(); 2].map(|()| vec![N::zero(); rises.len()]);
    let [mut weights, mut moments] = [&mut weights, &mut moments].map(|nodes| Fenwick::new(nodes));

    let mut waiting = highs.iter().rev().peekable();
    let mut total = N::zero();
    for (low, weight) in lows {
        let least = -(low.prefix.clone() + &low.prefix);
        while let Some((high, ways)) = waiting.next_if(|(high, _)| reaches(&high.lead, &least)) {
            let here = place(&high.rise);
            weights.add(here, ways);
            moments.add(here, &(ways.clone() * &high.rise));
        }
        let a = low.largest.clone() - &low.prefix;
        let end = place(&a);
        let sum = moments.sum_before(end) - &(a * &weights.sum_before(end));
        total += &(sum * weight);
    }
    total
}

#[cfg(test)]
mod tests {
    use ethnum::I256;
    use num_bigint::BigInt;
    use num_rational::{BigRational, Ratio};
    use proptest::prelude::*;

    use super::*;
    use crate::grid::grid_tables;
    use crate::levels::{Levels, fits};
    use crate::measure::Measure;
    use crate::measures::step_ce_sub;
    use crate::measures::subsampled::sum;
    use crate::{AnyLevels, Forecasts};

    /// The same table in another number type.
    fn in_type<N: Number>(levels: &Levels<i64>) -> Levels<N> {
        let number = |n: i64| N::from_bigint(&n.into()).expect("small");
        let row = |level: &Level<i64>| Level {
            value: number(level.value),
            count: level.count,
            ones: level.ones,
        };
        let rows: Vec<_> = levels.table().rows().iter().map(row).collect();
        Levels::new(number(*levels.table().unit()), rows).expect("wide enough")
    }

    /// The sum by the meeting in one number type.
    fn meeting<N: Number>(levels: &Levels<i64>) -> BigRational {
        let levels = in_type::<N>(levels);
        levels.table().rational(&sum_step_ce(levels.table()))
    }

    /// The same by the walk over every class of subsets.
    fn walk(levels: &Levels<i64>) -> BigRational {
        sum::<_, StepWalk<_>>(levels.table()).total
    }

    fn meets_at_every_width(levels: &Levels<i64>) {
        let expected = walk(levels);
        assert_eq!(meeting::<i32>(levels), expected);
        assert_eq!(meeting::<i64>(levels), expected);
        assert_eq!(meeting::<i128>(levels), expected);
        assert_eq!(meeting::<I256>(levels), expected);
        assert_eq!(meeting::<BigInt>(levels), expected);
        assert_eq!(meeting::<BigRational>(levels), expected);
    }

    /// Rows of (prediction, zeros, ones) in any order; of those with one prediction the first
    /// counts.
    fn table(unit: i64, rows: &[(i64, u64, u64)]) -> Levels<i64> {
        let mut rows = rows.to_vec();
        rows.sort_by_key(|row| row.0);
        rows.dedup_by_key(|row| row.0);
        let level = |(value, zeros, ones)| Level { value, count: zeros + ones, ones };
        let rows = rows.into_iter().filter(|row| row.1 + row.2 > 0).map(level).collect();
        Levels::new(unit, rows).expect("a small table")
    }

    /// Rounds with predictions all over [0, 1], no two alike.
    fn distinct(rounds: u64) -> Levels<i64> {
        let row = |t: u64| {
            let one = u64::from(t.is_multiple_of(3));
            ((t * 617 % 1009) as i64, 1 - one, one)
        };
        table(1009, &(1..=rounds).map(row).collect::<Vec<_>>())
    }

    #[test]
    fn the_meeting_is_the_walk_on_every_small_table() {
        for levels in (0..=5).flat_map(|rounds| grid_tables(rounds, 4)) {
            assert_eq!(meeting::<i64>(&levels), walk(&levels), "{levels:?}");
        }
        for levels in (0..=3).flat_map(|rounds| grid_tables(rounds, 4)) {
            meets_at_every_width(&levels);
        }
    }

    #[test]
    fn the_meeting_is_the_walk_on_distinct_predictions() {
        for rounds in [13, 14] {
            assert_eq!(meeting::<i64>(&distinct(rounds)), walk(&distinct(rounds)));
        }
    }

    #[test]
    fn the_meeting_is_the_definition() {
        for rounds in 0..=7 {
            let levels = AnyLevels::from(distinct(rounds));
            let literal = Measure::StepCeSub.define(&levels.to_rational().to_rounds());
            let average = step_ce_sub(&levels);
            assert_eq!((average.value, average.classes), (literal, 1 << rounds));
        }
    }

    #[test]
    fn it_does_not_matter_where_they_meet() {
        let (few, many) = (distinct(11), distinct(30));
        let expected = walk(&few);
        for at in 0..=11 {
            assert_eq!(few.table().rational(&meet(few.table(), at)), expected);
        }
        let expected = sum_step_ce(many.table());
        for at in [13, 18] {
            assert_eq!(meet(many.table(), at), expected);
        }
    }

    /// Prefix sums that only rise: the value is the sum of the biases kept, on average half of all.
    #[test]
    fn forty_ones_have_half_their_bias() {
        let rounds = (0..40).map(|t| (true, Ratio::new(t, 40)));
        let levels = Forecasts::from_pairs(rounds).expect("valid").levels().expect("small");
        let average = step_ce_sub(&levels);
        let all = levels.evaluate(Measure::StepCe).value;
        assert_eq!((average.value * BigInt::from(2), average.classes), (all, 1 << 40));
    }

    /// 4 · 2^5 · 5 · 51 is just below 2^15: overflow checks are on in tests, and nothing overflows.
    #[test]
    fn a_full_narrow_type_is_enough() {
        assert!(fits::<i16>(5, &51.into(), 5) && !fits::<i16>(5, &52.into(), 5));
        for values in [[0, 1, 2, 3, 4], [47, 48, 49, 50, 51], [0, 1, 25, 50, 51]] {
            for outcomes in 0..1_u64 << 5 {
                let one = |t: usize| outcomes >> t & 1;
                let rows: Vec<_> = (0..5).map(|t| (values[t], 1 - one(t), one(t))).collect();
                let levels = table(51, &rows);
                for at in 0..=5 {
                    let narrow = in_type::<i16>(&levels);
                    let sum = meet(narrow.table(), at);
                    assert_eq!(narrow.table().rational(&sum), walk(&levels));
                }
            }
        }
    }

    #[test]
    fn the_larger_half_is_as_small_as_can_be() {
        let split = |rows: &[(i64, u64, u64)]| {
            let split = Split::of(table(9, rows).table().rows());
            (split.at, split.low, split.high)
        };
        assert_eq!(split(&[]), (0, 1, 1));
        assert_eq!(split(&[(1, 9, 9)]), (0, 1, 100));
        assert_eq!(split(&[(1, 1, 0), (2, 1, 0), (3, 1, 0), (4, 1, 0)]), (2, 4, 4));
        assert_eq!(split(&[(1, 1, 0), (2, 1, 0), (3, 1, 0), (4, 9, 9)]), (3, 8, 100));
        assert_eq!(split(&[(1, 9, 9), (2, 1, 0), (3, 1, 0), (4, 1, 0)]), (1, 100, 8));
    }

    proptest! {
        #[test]
        fn the_meeting_is_the_walk_with_ties(
            rows in prop::collection::vec((0..=6_i64, 0..=2_u64, 0..=2_u64), 0..6),
        ) {
            meets_at_every_width(&table(6, &rows));
        }
    }
}
