//! VCal^sub by meeting in the middle.
//!
//! VCal/2 of a subset is the largest of 0, K_j - v_j N_j and v_j N_{>=j} - K_{>=j} over the levels
//! j, where N_j and K_j count the rounds and the ones that the subset keeps of the levels up to j,
//! and N_{>=j} and K_{>=j} of the levels from j up. (A level of which nothing is kept does no harm:
//! the nearest kept level below it has the same N and K and a smaller v, the nearest above it the
//! same N_{>=} and K_{>=} and a larger v; and where there is none, both are 0.) Split the levels in
//! two. In the low half, K_j - v_j N_j does not depend on what is kept of the high half, and v_j
//! N_{>=j} - K_{>=j} only on how many rounds n' and ones k' are kept there. So with
//!
//! A = max(0, K_j - v_j N_j) and F(n') = max(0, v_j (N_{>=j} in the low half + n') - K_{>=j} in the
//! low half),
//!
//! over the levels of the low half, the low half contributes a = max(A, F(n') - k'), the high half
//! a number b of the same kind, and VCal/2 = max(a, b). (The high half is the low half of the
//! mirrored table, in which 1 - v is predicted and zeros are ones.) Among the subsets that keep n
//! rounds and k ones below and n' rounds and k' ones above, a depends on what is kept below alone
//! and b on what is kept above alone: both lists of numbers are put in order, and one pass adds up
//! the maxima of all pairs. No list is sorted for every k': in the order of A and in the order of
//! F(n') they are known, and a merger of the two is in the order of a. Lists are made anew for each
//! number of rounds on the other side, so that memory stays at a few of them; for forty distinct
//! predictions they have 2^28 numbers in all, instead of 2^40 classes. UCal and smCE have no such
//! summary of a half.
//!
//! **No overflow** where 2^T times the bound 4TD of the table fits. The differences are at most TD;
//! of two weights in different halves the product is at most 2^T; and all that is added up are 2^T
//! numbers of at most TD.

use super::classes::{choices, classes_of};
use crate::levels::{Level, Table};
use crate::number::Number;
use crate::parallel;

/// About so many numbers of lists are merged in the time in which a walk visits a class of subsets.
const MERGED_PER_CLASS: u128 = 16;

/// The classes that a walk visits in the time that a meeting takes however short the lists are.
const START: u128 = 1 << 12;

/// Where the levels are split, and how many numbers all lists have together, which ends with 128
/// bits.
pub(super) struct Meeting {
    at: usize,
    merged: u128,
}

impl Meeting {
    /// The split that leaves the shortest lists.
    pub fn of<N>(rows: &[Level<N>]) -> Meeting {
        let mut above = vec![Size::NOTHING];
        for level in rows.iter().rev() {
            above.push(above[above.len() - 1].with(level));
        }
        let mut below = Size::NOTHING;
        let mut best = Meeting { at: 0, merged: below.merged_with(&above[rows.len()]) };
        for (index, level) in rows.iter().enumerate() {
            below = below.with(level);
            let merged = below.merged_with(&above[rows.len() - index - 1]);
            if merged < best.merged {
                best = Meeting { at: index + 1, merged };
            }
        }
        best
    }

    /// The cost in classes that a walk could visit instead.
    pub fn cost(&self) -> u128 {
        self.merged.div_ceil(MERGED_PER_CLASS).saturating_add(START)
    }

    /// The sum of VCal over all subsets of the rounds, in units; 2^T times the bound of the table
    /// must fit.
    ///
    /// Cost: (c g' + c' g) for c and c' classes of subsets of the two halves that keep g and g'
    /// different numbers of zeros and ones. Memory: for each thread twice the classes of each half
    /// that keep one number of rounds.
    pub fn sum_v_cal<N: Number + Send + Sync>(&self, levels: Table<'_, N>) -> N {
        let (low, high) = levels.rows().split_at(self.at);
        let unit = levels.unit();
        let mirrored: Vec<_> = high.iter().map(|level| mirror(level, unit)).collect();
        let low = Half::new(unit, low.iter().rev());
        let high = Half::new(unit, mirrored.iter());
        let pairs: Vec<_> =
            (0..=low.rounds).flat_map(|n| (0..=high.rounds).map(move |more| (n, more))).collect();
        let sums = parallel::map(pairs, |(n, more)| sum_at(&low, &high, n, more));
        let half = sums.iter().fold(N::zero(), |one, other| one + other);
        half.clone() + &half
    }
}

/// What counts of half of the levels.
#[derive(Clone)]
struct Size {
    classes: u128,
    zeros: u128,
    ones: u128,
}

impl Size {
    const NOTHING: Size = Size { classes: 1, zeros: 0, ones: 0 };

    fn with<N>(&self, level: &Level<N>) -> Size {
        Size {
            classes: self.classes.saturating_mul(classes_of(level)),
            zeros: self.zeros + u128::from(level.count - level.ones),
            ones: self.ones + u128::from(level.ones),
        }
    }

    /// How many different numbers of zeros and ones there are to keep.
    fn groups(&self) -> u128 {
        (self.zeros + 1).saturating_mul(self.ones + 1)
    }

    fn merged_with(&self, other: &Size) -> u128 {
        let here = self.classes.saturating_mul(other.groups());
        here.saturating_add(other.classes.saturating_mul(self.groups()))
    }
}

/// The level in the table with 1 - v for v and zeros for ones.
fn mirror<N: Number>(level: &Level<N>, unit: &N) -> Level<N> {
    let value = unit.clone() - &level.value;
    Level { value, count: level.count, ones: level.count - level.ones }
}

/// VCal/2 over the subsets that keep n rounds of the low half and `more` of the high one.
fn sum_at<N: Number>(low: &Half<'_, N>, high: &Half<'_, N>, n: u64, more: u64) -> N {
    let lows = low.groups(n, more);
    let highs = high.groups(more, n);
    let (mut below, mut above) = (Vec::new(), Vec::new());
    let mut total = N::zero();
    for low_group in &lows {
        for high_group in &highs {
            // The mirrored half takes the zeros of the other for ones.
            low_group.ascending(&low.in_units(more - high_group.ones), &mut below);
            high_group.ascending(&high.in_units(n - low_group.ones), &mut above);
            total += &sum_of_maxima(&below, &above);
        }
    }
    total
}

/// Half of the levels.
struct Half<'a, N> {
    unit: &'a N,
    /// From the other half outwards.
    tiers: Vec<Tier<'a, N>>,
    rounds: u64,
    ones: u64,
}

/// A level, with the zeros and ones that can be kept of it and the ways to do so.
struct Tier<'a, N> {
    value: &'a N,
    choices: Vec<(u64, u64, N)>,
    /// The zeros and ones of the levels farther out.
    zeros_beyond: u64,
    ones_beyond: u64,
}

impl<'a, N: Number> Half<'a, N> {
    fn new(unit: &'a N, levels: impl DoubleEndedIterator<Item = &'a Level<N>>) -> Self {
        let mut half = Half { unit, tiers: Vec::new(), rounds: 0, ones: 0 };
        for level in levels.rev() {
            let kept = |(kept, ways): (Option<Level<N>>, N)| {
                let (count, ones) = kept.map_or((0, 0), |level| (level.count, level.ones));
                (count - ones, ones, ways)
            };
            half.tiers.push(Tier {
                value: &level.value,
                choices: choices(level).into_iter().map(kept).collect(),
                zeros_beyond: half.rounds - half.ones,
                ones_beyond: half.ones,
            });
            half.rounds += level.count;
            half.ones += level.ones;
        }
        half.tiers.reverse();
        half
    }

    fn in_units(&self, count: u64) -> N {
        self.unit.clone() * &N::from_count(count)
    }

    /// The classes that keep `rounds` rounds, by the ones among them, if `others` rounds are kept
    /// of the other half.
    fn groups(&self, rounds: u64, others: u64) -> Vec<Group<N>> {
        let zeros = self.rounds - self.ones;
        let range = rounds.saturating_sub(zeros)..=rounds.min(self.ones);
        let group = |ones| {
            let mut classes = Vec::new();
            let start = Class { own: N::zero(), across: N::zero(), ways: N::from_count(1) };
            let left = Left { zeros: rounds - ones, ones };
            self.descend(&self.tiers, left, &Near { count: others, ones: 0 }, start, &mut classes);
            Group::new(ones, classes)
        };
        range.map(group).collect()
    }

    /// Adds to `classes` all that keep, of these tiers, what is left to keep.
    fn descend(
        &self,
        tiers: &[Tier<'_, N>],
        left: Left,
        near: &Near,
        class: Class<N>,
        classes: &mut Vec<Class<N>>,
    ) {
        let Some((tier, beyond)) = tiers.split_first() else {
            classes.push(class);
            return;
        };
        // K_j - v_j N_j: what is left to keep is what is kept from here outwards.
        let own = self.in_units(left.ones)
            - &(tier.value.clone() * &N::from_count(left.zeros + left.ones));
        let own = class.own.max(own);
        for (zeros, ones, ways) in &tier.choices {
            let (Some(zeros_left), Some(ones_left)) =
                (left.zeros.checked_sub(*zeros), left.ones.checked_sub(*ones))
            else {
                continue;
            };
            if zeros_left > tier.zeros_beyond || ones_left > tier.ones_beyond {
                continue;
            }
            let near = Near { count: near.count + zeros + ones, ones: near.ones + ones };
            let across =
                tier.value.clone() * &N::from_count(near.count) - &self.in_units(near.ones);
            let class = Class {
                own: own.clone(),
                across: class.across.clone().max(across),
                ways: class.ways.clone() * ways,
            };
            let left = Left { zeros: zeros_left, ones: ones_left };
            self.descend(beyond, left, &near, class, classes);
        }
    }
}

/// What is still to be kept.
#[derive(Clone, Copy)]
struct Left {
    zeros: u64,
    ones: u64,
}

/// What has been kept, with the rounds of the other half.
struct Near {
    count: u64,
    ones: u64,
}

/// Subsets of the rounds of half of the levels.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Class<N> {
    /// A
    own: N,
    /// F(n') for the n' rounds that are kept of the other half.
    across: N,
    /// How many there are.
    ways: N,
}

/// All classes that keep as many rounds and as many ones.
struct Group<N> {
    ones: u64,
    by_own: Vec<Class<N>>,
    by_across: Vec<Class<N>>,
}

impl<N: Number> Group<N> {
    fn new(ones: u64, mut classes: Vec<Class<N>>) -> Self {
        classes.sort_unstable();
        classes.dedup_by(|next, class| {
            let same = next.own == class.own && next.across == class.across;
            if same {
                class.ways += &next.ways;
            }
            same
        });
        let mut by_across = classes.clone();
        by_across.sort_unstable_by(|one, other| one.across.cmp(&other.across));
        Group { ones, by_own: classes, by_across }
    }

    /// max(A, F(n') - k') of all classes in ascending order, with their ways; `shift` is k'.
    fn ascending(&self, shift: &N, list: &mut Vec<(N, N)>) {
        list.clear();
        let reach = |class: &Class<N>| class.across.clone() - shift;
        let mut owns = self.by_own.iter().filter(|class| class.own >= reach(class)).peekable();
        for class in self.by_across.iter().filter(|class| class.own < reach(class)) {
            let across = reach(class);
            while let Some(class) = owns.next_if(|class| class.own <= across) {
                list.push((class.own.clone(), class.ways.clone()));
            }
            list.push((across, class.ways.clone()));
        }
        list.extend(owns.map(|class| (class.own.clone(), class.ways.clone())));
    }
}

/// Σ w w' max(a, b) over all pairs of two ascending lists.
fn sum_of_maxima<N: Number>(ones: &[(N, N)], others: &[(N, N)]) -> N {
    let mut others = others.iter().peekable();
    let (mut passed, mut others_passed) = (N::zero(), N::zero());
    let mut total = N::zero();
    for (a, ways) in ones {
        while let Some((b, more)) = others.next_if(|(b, _)| b < a) {
            total += &(more.clone() * &passed * b);
            others_passed += more;
        }
        total += &(ways.clone() * &others_passed * a);
        passed += ways;
    }
    for (b, more) in others {
        total += &(more.clone() * &passed * b);
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
    use crate::measures::subsampled::{Kept, sum};
    use crate::measures::{subset_cost, v_cal_sub, v_meeting_cost};
    use crate::{AnyLevels, Forecasts};

    /// Rows of (prediction, zeros, ones) in any order and any type; of those with one prediction
    /// the first counts.
    fn table<N: Number>(unit: i64, rows: &[(i64, u64, u64)]) -> Levels<N> {
        let number = |n: i64| N::from_bigint(&n.into()).expect("small");
        let mut rows = rows.to_vec();
        rows.sort_by_key(|row| row.0);
        rows.dedup_by_key(|row| row.0);
        rows.retain(|row| row.1 + row.2 > 0);
        let level = |&(v, zeros, ones)| Level { value: number(v), count: zeros + ones, ones };
        Levels::new(number(unit), rows.iter().map(level).collect()).expect("a small table")
    }

    fn rows_of(levels: &Levels<i64>) -> (i64, Vec<(i64, u64, u64)>) {
        let rows = levels.table().rows().iter();
        (
            *levels.table().unit(),
            rows.map(|level| (level.value, level.count - level.ones, level.ones)).collect(),
        )
    }

    /// The sum with this many levels in the low half: any number gives the sum, if not in the same
    /// time.
    fn meeting<N: Number + Send + Sync>(levels: &Levels<N>, at: usize) -> BigRational {
        levels.table().rational(&Meeting { at, merged: 0 }.sum_v_cal(levels.table()))
    }

    /// The same by the walk over every class of subsets.
    fn walk(levels: &Levels<i64>) -> BigRational {
        sum::<_, Kept<_>>(levels.table()).total
    }

    fn meets_everywhere(levels: &Levels<i64>) {
        let expected = walk(levels);
        for at in 0..=levels.table().rows().len() {
            assert_eq!(meeting(levels, at), expected, "{levels:?} at {at}");
        }
    }

    fn meets_at_every_width(unit: i64, rows: &[(i64, u64, u64)]) {
        let levels = table::<i64>(unit, rows);
        let (expected, at) = (walk(&levels), Meeting::of(levels.table().rows()).at);
        assert_eq!(meeting(&levels, at), expected);
        assert_eq!(meeting(&table::<i32>(unit, rows), at), expected);
        assert_eq!(meeting(&table::<i128>(unit, rows), at), expected);
        assert_eq!(meeting(&table::<I256>(unit, rows), at), expected);
        assert_eq!(meeting(&table::<BigInt>(unit, rows), at), expected);
        assert_eq!(meeting(&table::<BigRational>(unit, rows), at), expected);
    }

    /// Rounds with predictions all over [0, 1], no two alike.
    fn distinct(rounds: u64) -> Vec<(i64, u64, u64)> {
        let row = |t: u64| {
            let one = u64::from(t.is_multiple_of(3));
            ((t * 617 % 1009) as i64, 1 - one, one)
        };
        (1..=rounds).map(row).collect()
    }

    #[test]
    fn the_meeting_is_the_walk_on_every_small_table() {
        for levels in (0..=4).flat_map(|rounds| grid_tables(rounds, 4)) {
            meets_everywhere(&levels);
        }
        for levels in (0..=2).flat_map(|rounds| grid_tables(rounds, 4)) {
            let (unit, rows) = rows_of(&levels);
            meets_at_every_width(unit, &rows);
        }
    }

    #[test]
    fn the_meeting_is_the_walk_on_distinct_predictions() {
        meets_everywhere(&table(1009, &distinct(11)));
        let levels = table(1009, &distinct(14));
        assert_eq!(meeting(&levels, 7), walk(&levels));
    }

    /// From 13 distinct predictions on the meeting is what runs.
    #[test]
    fn the_meeting_is_the_definition_of_the_command() {
        let levels = table::<i64>(1009, &distinct(15));
        let any = AnyLevels::from(levels.clone());
        assert!(v_meeting_cost(&any) < subset_cost(&any));
        let average = v_cal_sub(&any);
        assert_eq!(average.value * BigInt::from(1 << 15), walk(&levels));
        assert_eq!(average.classes, 1 << 15);
    }

    /// Zeros only: the supremum is v_j N_{>=j} at some j; ones only: the mirror image, with the
    /// same average.
    #[test]
    fn the_mirror_image_has_the_same_average() {
        let average = |one: bool| {
            let rounds = (0..24)
                .map(|t| (one, Ratio::new(if one { 24 - t * t / 24 } else { t * t / 24 }, 24)));
            let levels = Forecasts::from_pairs(rounds).expect("valid").levels().expect("small");
            assert!(levels.cost(Measure::VCalSub) < subset_cost(&levels));
            v_cal_sub(&levels)
        };
        assert_eq!(average(true), average(false));
    }

    /// 4 · 2^5 · 5 · 51 is just below 2^15: overflow checks are on in tests, and nothing overflows.
    #[test]
    fn a_full_narrow_type_is_enough() {
        assert!(fits::<i16>(5, &51.into(), 5) && !fits::<i16>(5, &52.into(), 5));
        for values in [[0, 1, 2, 3, 4], [47, 48, 49, 50, 51], [0, 1, 25, 50, 51]] {
            for outcomes in 0..1_u64 << 5 {
                let one = |t: usize| outcomes >> t & 1;
                let rows: Vec<_> = (0..5).map(|t| (values[t], 1 - one(t), one(t))).collect();
                let (narrow, expected) = (table::<i16>(51, &rows), walk(&table(51, &rows)));
                for at in 0..=5 {
                    assert_eq!(meeting(&narrow, at), expected);
                }
            }
        }
    }

    #[test]
    fn the_lists_are_as_short_as_can_be() {
        let split = |rows: &[(i64, u64, u64)]| {
            let meeting = Meeting::of(table::<i64>(9, rows).table().rows());
            (meeting.at, meeting.merged)
        };
        assert_eq!(split(&[]), (0, 2));
        assert_eq!(split(&[(1, 9, 9)]), (0, 100 + 100));
        // 16 classes that keep 0 to 4 zeros on either side.
        let with_ones = |ones: i64| -> Vec<_> {
            (1..=8).map(|v| (v, u64::from(v > ones), u64::from(v <= ones))).collect()
        };
        assert_eq!(split(&with_ones(0)), (4, 16 * 5 + 16 * 5));
        assert_eq!(split(&with_ones(4)), (4, 16 * 5 + 16 * 5));
        assert_eq!(split(&with_ones(6)), (6, 64 * 3 + 4 * 7));
        // One half is empty: every class once, and 12 x 11 numbers of zeros and ones.
        assert_eq!(split(&[(1, 1, 0), (2, 0, 1), (3, 1, 0), (4, 9, 9)]), (0, 800 + 132));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_meeting_is_the_walk_with_ties(
            rows in prop::collection::vec((0..=6_i64, 0..=2_u64, 0..=2_u64), 0..6),
        ) {
            meets_everywhere(&table(6, &rows));
            meets_at_every_width(6, &rows);
        }
    }
}
