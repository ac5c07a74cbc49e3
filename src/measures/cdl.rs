//! The calibration decision loss: how much whoever decides by the forecasts could gain by swapping
//! decisions.
//!
//! With q_j = k_j / n_j the frequency at a level, a threshold α strictly between v_j and q_j parts
//! what was predicted from what happened, and costs the rounds of the level |k_j - α n_j|. The sum
//! over levels is h(α). The largest swap regret over all proper scoring rules depends on h as
//! UCal does on g (see [`u_cal`](super::u_cal)).

use std::cmp::Ordering;

use super::v_shaped::{Corner, Majorant, UCal};
use crate::levels::Table;
use crate::number::Number;
use crate::ties::Ties;

/// The result of [`cdl`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cdl<N: Number> {
    /// CDL is `numerator` / (`denominator` · unit).
    pub numerator: N::Wide,
    /// See `numerator`.
    pub denominator: N,
    /// The edge of the least concave majorant of h over 1/2: `left.alpha <= 1/2 <= right.alpha`.
    /// Its ends are the kinks of the worst scoring rule, its line is the proof that none is worse.
    pub left: Corner<N>,
    /// See `left`.
    pub right: Corner<N>,
}

/// The calibration decision loss of L. Hu and Y. Wu: the largest swap regret over all decision
/// tasks with payoffs in [0, 1]. It equals 2 ĥ(1/2), with ĥ the least concave majorant on [0, 1] of
/// the closure of h.
///
/// *Why.* Swaps are the finer the more actions there are, so the worst tasks have an action for
/// each prediction: proper scoring rules. Against such a rule the best swap of a level is to
/// q_j. A rule is, up to an affine part that cancels, a mixture μ of V-shaped rules with losses in
/// [0, 1], which costs ∫α dμ <= 1 and ∫(1-α) dμ <= 1; its swap regret is ∫h dμ, with the worse side
/// at ties. That is the programme of UCal with h in place of 2g, at half the scale. Between
/// neighbouring predictions h is convex, as each level adds (k_j - α n_j)⁺ above and (α n_j - k_j)⁺
/// below its prediction; so the corners of ĥ are at predictions.
///
/// Exact; the supremum is attained. Cost: O(m), and a sort of the levels at which the event
/// happened sometimes but not always.
///
/// ```
/// use truecal::{Level, Levels, measures};
/// // x = (0, 1), p = (3/4, 1/4): as bad as it gets at the threshold 1/2, and costs there nothing
/// // against the best constant action.
/// let rows = vec![Level { value: 1, count: 1, ones: 1 }, Level { value: 3, count: 1, ones: 0 }];
/// let levels = Levels::<i64>::new(4, rows)?;
/// let cdl = measures::cdl(levels.table());
/// assert_eq!(cdl.numerator, 2 * i128::from(cdl.denominator) * 4);
/// # Ok::<(), truecal::LevelsError>(())
/// ```
pub fn cdl<N: Number>(levels: Table<'_, N>) -> Cdl<N> {
    cdl_in(levels, &mut Vec::new())
}

/// [`cdl`] with room for the majorant to be reused between calls.
pub(crate) fn cdl_in<N: Number>(levels: Table<'_, N>, hull: &mut Vec<Corner<N>>) -> Cdl<N> {
    let mut majorant = Majorant::new(levels.unit(), hull);
    for_each_corner(levels, |corner| majorant.corner(corner));
    majorant.into_result().into()
}

impl<N: Number> From<UCal<N>> for Cdl<N> {
    /// Half of what the same edge is worth to UCal.
    fn from(UCal { numerator, denominator, left, right }: UCal<N>) -> Self {
        Cdl { numerator, denominator: denominator.clone() + &denominator, left, right }
    }
}

/// The larger limit of h at each level.
///
/// A level adds k - α n to h from its prediction on and takes it away from its frequency on, which
/// is the same as |k - α n| between the two, whichever is lower. So h is linear in the sums of
/// what α has passed: a prediction adds to them, a frequency subtracts, and at a prediction h jumps
/// by the bias of its level. At a frequency h does not jump. Frequencies of 0 are passed at once
/// and those of 1 never; only others need to be put in order.
///
/// Nothing overflows: both sums are between -T and T, so that each of the two products is at most
/// T·D, and so is h in the end.
fn for_each_corner<N: Number>(levels: Table<'_, N>, mut visit: impl FnMut(Corner<N>)) {
    let unit = levels.unit();
    let (mut ones, mut count) = (N::zero(), N::zero());
    let mut between = Vec::new();
    for level in levels.rows() {
        if level.ones == 0 {
            count += &N::from_count(level.count);
        } else if level.ones < level.count {
            between.push(Frequency { count: level.count, ones: level.ones });
        }
    }
    between.sort_unstable();
    let mut ahead = between.iter().peekable();
    for level in levels.rows() {
        let alpha = &level.value;
        while let Some(passed) = ahead.next_if(|frequency| frequency.is_up_to(alpha, unit)) {
            ones -= &(unit.clone() * &N::from_count(passed.ones));
            count += &N::from_count(passed.count);
        }
        let before = ones.clone() + &(count.clone() * alpha);
        ones += &(unit.clone() * &N::from_count(level.ones));
        count -= &N::from_count(level.count);
        let after = ones.clone() + &(count.clone() * alpha);
        let ties = if after >= before { Ties::Below } else { Ties::Above };
        visit(Corner { alpha: alpha.clone(), height: before.max(after), ties });
    }
}

/// How often the event happened at a level, in the order of the fractions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frequency {
    pub count: u64,
    pub ones: u64,
}

impl Frequency {
    /// Whether k <= α n.
    fn is_up_to<N: Number>(&self, alpha: &N, unit: &N) -> bool {
        unit.clone() * &N::from_count(self.ones) <= alpha.clone() * &N::from_count(self.count)
    }
}

impl Ord for Frequency {
    fn cmp(&self, other: &Self) -> Ordering {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(self.ones, other.count).cmp(&product(other.ones, self.count))
    }
}

impl PartialOrd for Frequency {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Frequency {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Frequency {}

#[cfg(test)]
mod tests {
    use super::super::cdl_between::Excess;
    use super::*;
    use crate::any_levels::AnyLevels;
    use crate::definitions;
    use crate::grid::grid_tables;
    use crate::levels::{Level, Levels};
    use crate::measure::Measure;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    fn corners<N: Number>(levels: Table<'_, N>) -> Vec<Corner<N>> {
        let mut corners = vec![];
        for_each_corner(levels, |corner| corners.push(corner));
        corners
    }

    /// The same level by level, with a heap for what is below and one for what is above.
    fn plain_corners<N: Number>(levels: Table<'_, N>) -> Vec<Corner<N>> {
        let unit = levels.unit();
        let mut below = Excess::new();
        let mut corners = vec![];
        for level in levels.rows() {
            let (alpha, bias) = (level.value.clone(), level.bias(unit));
            let ties = if bias >= N::zero() { Ties::Below } else { Ties::Above };
            let height = below.at(&alpha, unit) + &bias.magnitude();
            corners.push(Corner { alpha, height, ties });
            below.push(level.count, level.ones);
        }
        // Seen from the other event the levels above are those below.
        let mut above = Excess::new();
        for (level, corner) in levels.rows().iter().zip(&mut corners).rev() {
            corner.height += &above.at(&(unit.clone() - &level.value), unit);
            above.push(level.count, level.count - level.ones);
        }
        corners
    }

    /// The edge over 1/2 by every pair of corners: none is above it, and none beyond it on it.
    fn plain_edge<N: Number>(levels: Table<'_, N>) -> [Corner<N>; 2] {
        let (unit, mut all) = (levels.unit(), plain_corners(levels));
        let end = |alpha| Corner { alpha, height: N::zero(), ties: Ties::Below };
        if all.first().is_none_or(|first| first.alpha > N::zero()) {
            all.insert(0, end(N::zero()));
        }
        if all.last().is_some_and(|last| last.alpha < *unit) {
            all.push(end(unit.clone()));
        }
        let past_half = |corner: &&Corner<N>| corner.alpha.clone() + &corner.alpha >= *unit;
        for left in all.iter().filter(|corner| !past_half(corner)) {
            for right in all.iter().filter(past_half) {
                let fits = |corner: &Corner<N>| {
                    let line = (right.height.clone() - &left.height)
                        .times(&(corner.alpha.clone() - &left.alpha));
                    let own = (corner.height.clone() - &left.height)
                        .times(&(right.alpha.clone() - &left.alpha));
                    own < line
                        || own == line && left.alpha <= corner.alpha && corner.alpha <= right.alpha
                };
                if all.iter().all(fits) {
                    return [left.clone(), right.clone()];
                }
            }
        }
        unreachable!("the majorant has an edge there")
    }

    fn is_plain<N: Number>(unit: &N, rows: Vec<Level<N>>) {
        let levels = Levels::new(unit.clone(), rows).expect("within the bound");
        let table = levels.table();
        assert_eq!(corners(table), plain_corners(table), "{table:?}");
        let found = cdl(table);
        assert_eq!([found.left, found.right], plain_edge(table), "{table:?}");
    }

    /// Rows of (prediction, count, ones); of those with one prediction the first counts.
    fn rows<N: Number>(rows: &[(u64, u64, u64)]) -> Vec<Level<N>> {
        let mut rows = rows.to_vec();
        rows.sort_by_key(|row| row.0);
        rows.dedup_by_key(|row| row.0);
        let level = |&(value, count, ones): &(u64, u64, u64)| Level {
            value: N::from_count(value),
            count,
            ones: ones % (count + 1),
        };
        rows.iter().map(level).collect()
    }

    proptest! {
        /// With ties, with frequencies of 0 and 1 only, and with a level that outweighs all others.
        #[test]
        fn one_pass_finds_what_two_heaps_find(
            some in prop::collection::vec((0..=24_u64, 1..=6_u64, 0..=6_u64), 0..16),
            alone in prop::collection::vec((0..=100_u64, 1..=1_u64, 0..=1_u64), 0..40),
            huge in (0..=24_u64, 1..=1_u64 << 40, any::<u64>()),
        ) {
            is_plain::<i32>(&24, rows(&some));
            is_plain::<i32>(&100, rows(&alone));
            let with_huge: Vec<_> = some.iter().copied().chain([huge]).rev().collect();
            is_plain::<i64>(&24, rows(&with_huge));
            let wide = BigInt::from(24) << 1074;
            let scaled = rows::<BigInt>(&with_huge).into_iter().map(|level| {
                Level { value: (level.value << 1074_u32) - level.count % 2, ..level }
            });
            let scaled = scaled.map(|level| Level { value: level.value.max(0.into()), ..level });
            is_plain::<BigInt>(&wide, scaled.collect());
        }
    }

    /// h from its definition: levels that a threshold parts from their frequency.
    fn h(levels: Table<'_, i64>, alpha: &BigRational) -> BigRational {
        let part = |level: &Level<i64>| {
            let value = levels.rational(&level.value);
            let [n, k] = [level.count, level.ones].map(BigRational::from_count);
            let frequency = &k / &n;
            let between =
                (&value < alpha && *alpha < frequency) || (frequency < *alpha && *alpha < value);
            if between { Number::magnitude(&(k - n * alpha)) } else { BigRational::from_count(0) }
        };
        levels.rows().iter().map(part).sum()
    }

    /// The heights are those of h next to each prediction, on one side or the other.
    #[test]
    fn heights_are_limits_of_h() {
        let tiny = BigRational::new(1.into(), 1_000_000.into());
        for table in (1..=4).flat_map(|rounds| grid_tables(rounds, 5)) {
            let table = table.table();
            for (level, corner) in table.rows().iter().zip(corners(table)) {
                let value = table.rational(&level.value);
                let near = [&value - &tiny, &value + &tiny].map(|alpha| h(table, &alpha));
                let largest = near.into_iter().max().expect("two sides");
                let gap = Number::magnitude(&(table.rational(&corner.height) - largest));
                assert!(gap <= &tiny * BigRational::from_count(8), "{table:?}");
            }
        }
    }

    #[test]
    fn the_formula_is_the_definition() {
        for table in (0..=3).flat_map(|rounds| grid_tables(rounds, 4)) {
            let any = AnyLevels::from(table.clone());
            let rounds = table.to_rational().to_rounds();
            assert_eq!(any.evaluate(Measure::Cdl).value, definitions::cdl(&rounds), "{table:?}");
        }
    }
}
