//! The subsampled measures: M^sub = 2^-T Σ over subsets S of the rounds of M restricted to S.
//!
//! A restriction is known by how many zeros and how many ones it keeps of each level, and all
//! subsets that keep the same have the same value: a *class*, with a product of binomial
//! coefficients as its weight ([`classes`](super::classes)). stepCE^sub and VCal^sub do with the
//! classes of half of the levels (see [`meet`](super::meet) and [`meet_v`](super::meet_v)).

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::classes::{SubsetWalk, classes_of, for_each_class};
use super::meet::{Split, sum_step_ce};
use super::meet_v::Meeting;
use super::smooth_scan::SmoothScan;
use super::v_shaped::{Corner, u_cal_in, v_cal};
use crate::any_levels::{AnyLevels, at_any_width};
use crate::levels::{Level, Table};
use crate::number::Number;

/// An exact average over all subsets of the rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubsetAverage {
    /// The average.
    pub value: BigRational,
    /// The classes of subsets that it is over; [`u128::MAX`] if there are as many or more.
    pub classes: u128,
}

/// What [`u_cal_sub`] and [`ssce`] cost, and a walk for [`v_cal_sub`], roughly: the number of
/// classes, Π (zeros_j + 1)(ones_j + 1), times the square of the machine words that the numbers
/// need; `None` beyond 128 bits.
///
/// ```
/// use truecal::{Forecasts, measures};
/// // Four rounds at 1/2, two of them ones: 3 x 3 classes instead of 16 subsets.
/// let mut forecasts = Forecasts::new();
/// forecasts.push_level("1/2".parse()?, 4, 2)?;
/// assert_eq!(measures::subset_cost(&forecasts.levels()?), Some(9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn subset_cost(levels: &AnyLevels) -> Option<u128> {
    let cost = cost_of_numbers(levels)?;
    at_any_width!(&levels.0, levels => {
        let rows = levels.table().rows();
        rows.iter().try_fold(cost, |product, level| product.checked_mul(classes_of(level)))
    })
}

/// What [`step_ce_sub`] costs, roughly: the classes of either half of the levels (the class of the
/// empty subset, which is in both, counts once), times the square of the machine words that the
/// numbers need; `None` beyond 128 bits. Never more than [`subset_cost`]. The memory it takes grows
/// with it.
///
/// ```
/// use num_rational::Ratio;
/// use truecal::{Forecasts, measures};
/// // Forty rounds with distinct predictions: 2^20 classes in each half instead of 2^40.
/// let rounds = (0..40).map(|t| (t % 3 == 0, Ratio::new(t, 41)));
/// let levels = Forecasts::from_pairs(rounds)?.levels()?;
/// assert_eq!(measures::meeting_cost(&levels), Some((1 << 21) - 1));
/// assert_eq!(measures::subset_cost(&levels), Some(1 << 40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn meeting_cost(levels: &AnyLevels) -> Option<u128> {
    if is_beyond_meeting(levels) {
        return None;
    }
    let Split { low, high, .. } =
        at_any_width!(&levels.0, levels => Split::of(levels.table().rows()));
    cost_of_numbers(levels)?.checked_mul(low.checked_add(high)? - 1)
}

/// What [`v_cal_sub`] costs, roughly: as [`subset_cost`], or what a meeting in the middle takes if
/// that is less. For c classes of subsets of the lower half of the levels, which keep g different
/// numbers of zeros and ones, and c' and g' of the upper half, that is 4096 + (c g' + c' g)/16, as
/// merging sixteen numbers takes about as long as a class of a walk.
///
/// ```
/// use num_rational::Ratio;
/// use truecal::{Forecasts, measures};
/// // Forty rounds with distinct predictions, half of them ones: 2^20 classes and 11 x 11 numbers
/// // of zeros and ones in each half.
/// let rounds = (0..40).map(|t| (t % 2 == 0, Ratio::new(t, 41)));
/// let levels = Forecasts::from_pairs(rounds)?.levels()?;
/// assert_eq!(measures::v_meeting_cost(&levels), Some(4096 + (2 * 121 << 16)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn v_meeting_cost(levels: &AnyLevels) -> Option<u128> {
    if is_beyond_meeting(levels) {
        return None;
    }
    let meeting = at_any_width!(&levels.0, levels => Meeting::of(levels.table().rows()).cost());
    let meeting = Some(meeting).filter(|&cost| cost < 1 << 120);
    let meeting = meeting.and_then(|cost| cost_of_numbers(levels)?.checked_mul(cost));
    match (subset_cost(levels), meeting) {
        (Some(walk), Some(meeting)) => Some(walk.min(meeting)),
        (walk, meeting) => walk.or(meeting),
    }
}

/// Whether there are so many levels that one half of any split has 128 of them or more. Each at
/// least doubles the classes, so 128 bits do not count them; and to find the best split of ten
/// million levels takes as long as to measure them.
fn is_beyond_meeting(levels: &AnyLevels) -> bool {
    levels.len() >= 2 * u128::BITS as usize
}

/// The square of the machine words in a number: values within the bound of the table, and T bits
/// for the weights.
fn cost_of_numbers(levels: &AnyLevels) -> Option<u128> {
    let rounds = levels.rounds();
    let unit_bits =
        at_any_width!(&levels.0, levels => levels.table().unit().to_rational().numer().bits());
    let round_bits = u64::BITS - rounds.leading_zeros();
    let bits = u128::from(unit_bits) + u128::from(2 + round_bits) + u128::from(rounds);
    bits.div_ceil(64).checked_pow(2)
}

/// stepCE^sub, exactly. Cost: O(c log c) for c classes of subsets of half of the levels, and as
/// much memory.
pub fn step_ce_sub(levels: &AnyLevels) -> SubsetAverage {
    average(levels, |levels| {
        at_any_width!(&levels.0, levels => {
            let table = levels.table();
            let classes = table.rows().iter().map(classes_of).fold(1, u128::saturating_mul);
            Sum { total: table.rational(&sum_step_ce(table)), classes }
        })
    })
}

/// VCal^sub, exactly: by a walk over every class of subsets, at a cost of O(m) for each, or by
/// meeting in the middle, whichever costs less.
pub fn v_cal_sub(levels: &AnyLevels) -> SubsetAverage {
    average(levels, |levels| {
        at_any_width!(&levels.0, levels => {
            let table = levels.table();
            let classes = table.rows().iter().map(classes_of).fold(1, u128::saturating_mul);
            let meeting = Meeting::of(table.rows());
            if classes <= meeting.cost() {
                sum::<_, Kept<_>>(table)
            } else {
                Sum { total: table.rational(&meeting.sum_v_cal(table)), classes }
            }
        })
    })
}

/// UCal^sub (eq:subsampled, L524), exactly. Cost: O(m) for each class of subsets.
pub fn u_cal_sub(levels: &AnyLevels) -> SubsetAverage {
    average(levels, |levels| at_any_width!(&levels.0, levels => sum_u_cal(levels.table())))
}

/// SSCE (eq:ssce, L388): the subsampled smooth calibration error, exactly.
/// Cost: O(m) for each class of subsets.
pub fn ssce(levels: &AnyLevels) -> SubsetAverage {
    average(
        levels,
        |levels| at_any_width!(&levels.0, levels => sum::<_, SmoothScan<_>>(levels.table())),
    )
}

/// A weighted sum over all classes, and how many there were.
pub(super) struct Sum {
    pub total: BigRational,
    classes: u128,
}

/// Divides a sum over all 2^T subsets. The sum is made where the bound of the level table leaves T
/// bits to spare: weights add up to 2^T, so a weighted sum of values within the bound fits.
fn average(levels: &AnyLevels, sum: impl Fn(&AnyLevels) -> Sum) -> SubsetAverage {
    let rounds = levels.rounds();
    let Sum { total, classes } = sum(&levels.with_spare_bits(rounds));
    SubsetAverage { value: total / BigRational::from(BigInt::one() << rounds), classes }
}

/// Σ weight · value over all classes.
pub(super) fn sum<N: Number, W: SubsetWalk<N>>(levels: Table<'_, N>) -> Sum {
    let unit = levels.unit();
    let mut total = N::zero().widen();
    let classes = for_each_class(levels, |kept: &W, weight| {
        total += &(weight.widen() * &kept.value(unit));
    });
    let scale = unit.to_rational().pow(W::DEGREE.cast_signed());
    Sum { total: total.to_rational() / scale, classes }
}

/// The same for UCal, whose values have different denominators: one total for each.
fn sum_u_cal<N: Number>(levels: Table<'_, N>) -> Sum {
    let unit = levels.unit();
    let mut totals: BTreeMap<N, N::Wide> = BTreeMap::new();
    let mut hull: Vec<Corner<N>> = Vec::new();
    let classes = for_each_class(levels, |kept: &Kept<N>, weight| {
        let u_cal = u_cal_in(Table::assume_valid(unit, &kept.0), &mut hull);
        let total = totals.entry(u_cal.denominator).or_insert_with(|| N::zero().widen());
        *total += &(weight.widen() * &u_cal.numerator);
    });
    let ratios = totals.iter().map(|(below, above)| above.to_rational() / below.to_rational());
    Sum { total: ratios.sum::<BigRational>() / unit.to_rational(), classes }
}

/// The kept levels themselves, for measures that look at both sides of a threshold.
pub(super) struct Kept<N>(Vec<Level<N>>);

impl<N: Clone> Clone for Kept<N> {
    fn clone(&self) -> Self {
        Kept(self.0.clone())
    }

    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0); // reuses the room
    }
}

impl<N: Number> SubsetWalk<N> for Kept<N> {
    const DEGREE: u32 = 1;

    fn new() -> Self {
        Kept(Vec::new())
    }

    fn keep(&mut self, _unit: &N, level: Level<N>) {
        self.0.push(level);
    }

    fn value(&self, unit: &N) -> N::Wide {
        v_cal(Table::assume_valid(unit, &self.0)).value.widen()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Levels;
    use crate::measure::Measure;

    /// `zeros` and `ones` at each of so many predictions.
    fn table(levels: u32, zeros: u64, ones: u64) -> AnyLevels {
        let level = |value| Level { value: i64::from(value), count: zeros + ones, ones };
        Levels::new(1 << 20, (0..levels).map(level).collect()).expect("a small table").into()
    }

    /// The cost of a meeting by the best split, however many levels there are.
    fn by_split(levels: &AnyLevels) -> Option<u128> {
        let Split { low, high, .. } =
            at_any_width!(&levels.0, levels => Split::of(levels.table().rows()));
        cost_of_numbers(levels)?.checked_mul(low.checked_add(high)? - 1)
    }

    /// The same for VCal^sub.
    fn by_v_split(levels: &AnyLevels) -> Option<u128> {
        let cost = at_any_width!(&levels.0, levels => Meeting::of(levels.table().rows()).cost());
        let cost = Some(cost).filter(|&cost| cost < 1 << 120);
        let meeting = cost.and_then(|cost| cost_of_numbers(levels)?.checked_mul(cost));
        [subset_cost(levels), meeting].into_iter().flatten().min()
    }

    /// Around the numbers of levels from which on nothing is counted.
    #[test]
    fn what_is_not_counted_is_beyond_128_bits() {
        for (zeros, ones) in [(1, 0), (0, 1), (1, 1), (3, 0), (u64::MAX >> 40, 0)] {
            for levels in [0, 1, 40, 127, 128, 200, 230, 240, 254, 255, 256, 257, 300] {
                let levels = table(levels, zeros, ones);
                assert_eq!(levels.cost(Measure::StepCeSub), by_split(&levels), "{levels:?}");
                assert_eq!(levels.cost(Measure::VCalSub), by_v_split(&levels), "{levels:?}");
            }
        }
        assert!(table(230, 1, 0).cost(Measure::StepCeSub).is_some());
    }
}
