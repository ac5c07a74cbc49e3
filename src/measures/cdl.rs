//! The calibration decision loss: how much whoever decides by the forecasts could gain by swapping
//! decisions.
//!
//! With q_j = k_j / n_j the frequency at a level, a threshold α strictly between v_j and q_j parts
//! what was predicted from what happened, and costs the rounds of the level |k_j - α n_j|. The sum
//! over levels is h(α). The largest swap regret over all proper scoring rules depends on h as
//! UCal does on g (see [`u_cal`](super::u_cal)).

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::v_shaped::{Corner, Majorant, UCal};
use crate::levels::{Level, Table};
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
/// Exact; the supremum is attained. Cost: O(m log m).
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
    let unit = levels.unit();
    let mut majorant = Majorant::new(unit, hull);
    for (level, height) in levels.rows().iter().zip(heights(levels)) {
        let ties = if level.bias(unit) >= N::zero() { Ties::Below } else { Ties::Above };
        majorant.corner(Corner { alpha: level.value.clone(), height, ties });
    }
    majorant.into_result().into()
}

impl<N: Number> From<UCal<N>> for Cdl<N> {
    /// Half of what the same edge is worth to UCal.
    fn from(UCal { numerator, denominator, left, right }: UCal<N>) -> Self {
        Cdl { numerator, denominator: denominator.clone() + &denominator, left, right }
    }
}

/// The larger limit of h at each level, in units: what the levels below and above it add there, and
/// |b_j| of its own.
fn heights<N: Number>(levels: Table<'_, N>) -> Vec<N> {
    let (unit, rows) = (levels.unit(), levels.rows());
    let mut below = Excess::new();
    let mut heights: Vec<N> = Vec::with_capacity(rows.len());
    for level in rows {
        heights.push(below.at(&level.value, unit) + &level.bias(unit).magnitude());
        below.push(level.count, level.ones);
    }
    // Seen from the other event the levels above are those below.
    let mut above = Excess::new();
    for (level, height) in rows.iter().zip(&mut heights).rev() {
        *height += &above.at(&(unit.clone() - &level.value), unit);
        above.push(level.count, level.count - level.ones);
    }
    heights
}

/// Σ (k - α n)⁺ over some levels, for an α that never falls.
pub(crate) struct Excess {
    /// The levels with k > α n, least frequency first.
    levels: BinaryHeap<Reverse<Frequency>>,
    /// Their rounds and ones.
    count: u64,
    ones: u64,
}

impl Excess {
    pub fn new() -> Self {
        Excess { levels: BinaryHeap::new(), count: 0, ones: 0 }
    }

    /// Adds a level.
    pub fn push(&mut self, count: u64, ones: u64) {
        self.levels.push(Reverse(Frequency { count, ones }));
        self.count += count;
        self.ones += ones;
    }

    /// The sum at α, in units.
    pub fn at<N: Number>(&mut self, alpha: &N, unit: &N) -> N {
        let excess = |count: u64, ones: u64| {
            unit.clone() * &N::from_count(ones) - &(alpha.clone() * &N::from_count(count))
        };
        while let Some(Reverse(Frequency { count, ones })) = self.levels.peek()
            && excess(*count, *ones) <= N::zero()
        {
            self.count -= count;
            self.ones -= ones;
            self.levels.pop();
        }
        excess(self.count, self.ones)
    }
}

/// How often the event happened at a level, in the order of the fractions.
#[derive(Clone, Copy, Debug)]
struct Frequency {
    count: u64,
    ones: u64,
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

/// The same for levels that one does not have one by one: how h can be bounded from both sides.
#[derive(Clone, Debug)]
pub(crate) struct Rounds<N> {
    /// No prediction is lower, and none higher.
    pub low: N,
    pub high: N,
    pub count: u64,
    pub ones: u64,
    /// Whether there is one prediction only.
    pub level: bool,
}

/// Bounds of CDL from rounds in order, of which only some are told apart by their predictions.
///
/// Rounds that are put together can only cancel: (k - α n)⁺ at most is what levels have in all.
/// They have the most if each is a level of its own: k (1 - α), and below the threshold α (n - k).
/// At the ends of rounds that are not told apart both bounds of h are certain, and between the ends
/// the upper one is convex.
pub(crate) fn cdl_between<N: Number>(all: &[Rounds<N>], unit: &N) -> [Cdl<N>; 2] {
    let far = |alpha: &N, count: u64| (unit.clone() - alpha) * &N::from_count(count);
    let mut lower: Vec<[N; 2]> = Vec::with_capacity(all.len());
    let mut upper: Vec<[N; 2]> = Vec::with_capacity(all.len());
    // What is below each, and its own: from below at both ends, and the most at both ends.
    let (mut merged, mut told, mut alone) = (Excess::new(), Excess::new(), 0);
    for Rounds { low, high, count, ones, level } in all {
        let before = merged.at(low, unit);
        let most = [low, high].map(|alpha| {
            let own = if *level { N::zero() } else { far(alpha, *ones) };
            told.at(alpha, unit) + &far(alpha, alone) + &own
        });
        match level {
            true => told.push(*count, *ones),
            false => alone += ones,
        }
        merged.push(*count, *ones);
        lower.push([before, merged.at(high, unit)]);
        upper.push(most);
    }
    let (mut merged, mut told, mut alone) = (Excess::new(), Excess::new(), 0);
    for (place, Rounds { low, high, count, ones, level }) in all.iter().enumerate().rev() {
        let zeros = count - ones;
        let [low_turned, high_turned] = [low, high].map(|alpha| unit.clone() - alpha);
        lower[place][1] += &merged.at(&high_turned, unit);
        for (end, alpha) in [(1, &high_turned), (0, &low_turned)] {
            let own = if *level { N::zero() } else { far(alpha, zeros) };
            let more = told.at(alpha, unit) + &far(alpha, alone) + &own;
            upper[place][end] += &more;
        }
        match level {
            true => told.push(*count, zeros),
            false => alone += zeros,
        }
        merged.push(*count, zeros);
        lower[place][0] += &merged.at(&low_turned, unit);
    }
    let bound = |heights: Vec<[N; 2]>, certain: bool| {
        let mut hull = Vec::new();
        let mut majorant = Majorant::new(unit, &mut hull);
        for (Rounds { low, high, count, ones, level }, [at_low, at_high]) in all.iter().zip(heights)
        {
            let bias = Level { value: high.clone(), count: *count, ones: *ones }.bias(unit);
            let corner =
                |alpha: &N, height: N| Corner { alpha: alpha.clone(), height, ties: Ties::Below };
            match (level, certain) {
                // The level itself adds |b|; its merged part counts it on one side already.
                (true, false) => majorant.corner(corner(high, at_high + &bias.magnitude())),
                (true, true) => majorant.corner(corner(high, at_low.max(at_high))),
                (false, _) => {
                    majorant.corner(corner(low, at_low));
                    majorant.corner(corner(high, at_high));
                }
            }
        }
        majorant.into_result().into()
    };
    [bound(lower, true), bound(upper, false)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any_levels::AnyLevels;
    use crate::definitions;
    use crate::grid::grid_tables;
    use crate::measure::Measure;
    use num_rational::BigRational;

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
            for (level, height) in table.rows().iter().zip(heights(table)) {
                let value = table.rational(&level.value);
                let near = [&value - &tiny, &value + &tiny].map(|alpha| h(table, &alpha));
                let largest = near.into_iter().max().expect("two sides");
                let gap = Number::magnitude(&(table.rational(&height) - largest));
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
