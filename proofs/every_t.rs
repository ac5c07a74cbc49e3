//! Claims for every number of rounds: about single steps of the scans. (`sums.rs` has those about a
//! few sums.)
//!
//! A scan over levels keeps an invariant if it holds at the start and each step keeps it:
//! `invariant(state)` implies `invariant(step(state, item))`. The steps proved here are those of
//! the formulas themselves.

use super::symbolic::{between, either};
use crate::levels::Level;
use crate::measures::{
    Ece, RangeScan, Sides, SignAt, SignCe, SignScan, StepCe, StepScan, StepWalk, SubsetWalk, VScan,
};
use crate::ties::Ties;

/// Sums up to this many units, in 32 bits: three of them, doubled, fit.
const LARGE: i32 = 1 << 26;
/// The same in 64 bits.
const VAST: i64 = 1 << 60;

harnesses! {
    /// A step of the scan for stepCE keeps the best at least |prefix sum|, and equal to |bias| at
    /// the named level; it changes only to the new prefix sum, and only if that is larger. By
    /// induction the scan returns max |B_j| for every T.
    step_scan / step_scan_strictly_above {
        claims: ["reading:stepce", "def-stepCE", "representation"],
        domain: "every state and bias with |B| <= 2^60, 64 bits",
        cases: "2^182.5",
        unwind: 2,
        seconds: 10,
        proof: step_scan_keeps_the_best(0),
        fault: "the best is beyond |prefix sum|" => step_scan_keeps_the_best(1),
    }

    /// A step of the scan for the interval error keeps lowest <= 0 <= highest and the prefix sum
    /// between them, and moves an extreme only to the prefix sum: by induction they are the
    /// extremes of B_0, …, B_m, and stepCE <= highest - lowest <= 2 stepCE.
    range_scan / range_scan_with_factor_one {
        claims: ["reading:intervalce", "claim-union-of-intervals", "TIGHT-range"],
        domain: "every state and bias with |B| <= 2^26, 32 bits",
        cases: "2^105",
        unwind: 2,
        seconds: 10,
        proof: range_scan_keeps_the_extremes(2),
        fault: "the factor 2 is 1" => range_scan_keeps_the_extremes(1),
    }

    /// If |B_j| <= S at every level, then a step of the scan for the sign variant keeps its best at
    /// most 3 S. By induction: sign variant <= 3 stepCE for every T.
    sign_scan_above / sign_scan_above_with_factor_two {
        claims: ["fact:equivfactor", "lower-part", "reading:signce"],
        domain: "every state, bias and S up to 2^26, 32 bits",
        cases: "2^134.3",
        unwind: 2,
        seconds: 10,
        proof: sign_scan_stays_below(3),
        fault: "the factor 3 is 2" => sign_scan_stays_below(2),
    }

    /// After a step the best of the sign variant is at least |2 B_j - B_m| if there is a gap above
    /// the level, and always at least |B_(j-1) + B_j - B_m|. With |B_m| <= best, which every scan
    /// ends with (`total_bias_of_ends`): |B_j| <= best, so stepCE <= sign variant for every T.
    sign_scan_below / sign_scan_below_with_a_gap_left_out {
        claims: ["fact:equivfactor", "upper-part", "reading:signce"],
        domain: "every state and bias up to 2^26, 32 bits",
        cases: "2^109",
        unwind: 2,
        seconds: 10,
        proof: sign_scan_takes_all_in(false),
        fault: "every level has a gap above it" => sign_scan_takes_all_in(true),
    }

    /// |B_m| <= sign variant for every T. A gap below or above all predictions shows it. Without
    /// one, predictions begin at 0, with a bias of at least 0, and end at 1, with one of at most 0:
    /// then the first level or the last shows it, whatever lies between.
    total_bias_of_ends / total_bias_of_ends_doubled {
        claims: ["eq:total-bias-bound", "fact:equivfactor"],
        domain: "every total and every bias at the ends up to 2^26, 32 bits",
        cases: "2^111",
        unwind: 2,
        seconds: 10,
        proof: ends_show_the_total(1),
        fault: "twice the total" => ends_show_the_total(2),
    }

    /// A step keeps |prefix sum| <= ECE, so stepCE <= ECE for every T; ECE is the sum of its two
    /// parts, and their difference the sum of all biases.
    ece_step / ece_step_with_one_part {
        claims: ["stepCE-vs-ECE", "reading:ece"],
        domain: "every state and bias up to 2^26, 32 bits",
        cases: "2^106",
        unwind: 2,
        seconds: 10,
        proof: ece_stays_above(true),
        fault: "over-forecasts are left out" => ece_stays_above(false),
    }

    /// Passing a level that is not above the threshold adds the same to X - αN below and to αN - X
    /// above: at most its bias, and just that if it is at the threshold. So X - αN of all levels
    /// passed is at most their prefix sum, which links `regret_of_sums` to the scan. (The upper
    /// side mirrors it.)
    sides_step / sides_step_doubled {
        claims: ["case1", "case2-ineq"],
        domain: "a level of 1 to 3 rounds, D = 16, every threshold above it, up to 3 rounds before \
            and after",
        cases: "137 700",
        unwind: 2,
        seconds: 10,
        proof: passing_adds_at_most_the_bias(1),
        fault: "twice the gain" => passing_adds_at_most_the_bias(2),
    }

    /// Moving past a level keeps the number of rounds on both sides together, and the ones; no side
    /// becomes negative.
    sides_pass / sides_pass_loses_a_round {
        claims: ["reading:vcal", "reading:ucal"],
        domain: "every count and ones up to 2^12 with unit 256, 64 bits",
        cases: "2^69",
        unwind: 2,
        seconds: 10,
        proof: passing_moves_rounds(0),
        fault: "one round is lost" => passing_moves_rounds(1),
    }

    /// A step of the scan for VCal takes the larger of g from below a level and g from above it, if
    /// it is larger than all before, and says where: by induction it ends with sup g, for every T.
    v_scan / v_scan_from_above_only {
        claims: ["reading:vcal", "VCal-bound"],
        domain: "a level of 1 to 3 rounds, D = 16, up to 3 rounds before and after, every best so \
            far",
        cases: "2^20.9",
        unwind: 2,
        seconds: 10,
        proof: v_scan_keeps_the_supremum(true),
        fault: "limits from below are left out" => v_scan_keeps_the_supremum(false),
    }

    /// A step of the walk through the levels of a subset adds the bias to its sum, and keeps the
    /// largest sum so far: stepCE of the subset, for every T.
    subset_walk / subset_walk_strictly_above {
        claims: ["reading:stepce_sub", "eq:subsampled"],
        domain: "every state and bias up to 2^26, 32 bits",
        cases: "2^80",
        unwind: 2,
        seconds: 10,
        proof: subset_walk_keeps_the_largest(0),
        fault: "the largest is beyond |sum|" => subset_walk_keeps_the_largest(1),
    }
}

fn step_scan_keeps_the_best(beyond: i64) {
    let prefix = between(-VAST, VAST);
    let best = between(prefix.abs(), VAST);
    let bias = if either() { best } else { -best };
    let mut scan = StepScan { prefix, best: StepCe { value: best, level: Some(3), bias } };
    let item = between(-VAST, VAST);
    if either() {
        // The first level: it is named whatever its bias.
        let mut first = StepScan::new();
        first.take(0, &item);
        let first = result!("StepScan::take", first);
        assert!(
            first.prefix == item
                && first.best == StepCe { value: item.abs(), level: Some(0), bias: item }
        );
    }
    scan.take(7, &item);
    let StepScan { prefix: after, best: StepCe { value, level, bias: named } } =
        result!("StepScan::take", scan);
    assert!(after == prefix + item);
    assert!(value >= after.abs() + beyond && value >= best);
    assert!(value == named.abs());
    let kept = value == best && level == Some(3) && named == bias;
    let moved = value == after.abs() && value > best && level == Some(7) && named == after;
    assert!(kept || moved);
    cover!(moved && after < 0);
    cover!(kept && value == after.abs() && best > 0);
}

fn range_scan_keeps_the_extremes(factor: i32) {
    let (low, high) = (between(-LARGE, 0), between(0, LARGE));
    let prefix = between(low, high);
    let mut scan = RangeScan { prefix, highest: (high, 2), lowest: (low, 1) };
    let item = between(-LARGE, LARGE);
    if either() {
        let mut first = RangeScan::new();
        first.take(0, &item);
        let first = result!("RangeScan::take", first);
        let place = |reached: bool| usize::from(reached);
        assert!(first.prefix == item);
        assert!(first.highest == (item.max(0), place(item > 0)));
        assert!(first.lowest == (item.min(0), place(item < 0)));
    }
    scan.take(5, &item);
    let scan = result!("RangeScan::take", scan);
    let (highest, lowest) = (scan.highest, scan.lowest);
    assert!(scan.prefix == prefix + item);
    assert!(lowest.0 <= scan.prefix && scan.prefix <= highest.0);
    assert!(highest == (high, 2) || highest == (scan.prefix, 6) && scan.prefix > high);
    assert!(lowest == (low, 1) || lowest == (scan.prefix, 6) && scan.prefix < low);
    let step = highest.0.max(-lowest.0);
    let interval = result!("RangeScan::into_result", scan.into_result());
    assert!(step <= interval.value && interval.value <= factor * step);
    assert!(interval.value == highest.0 - lowest.0 && interval.value == interval.bias.abs());
    assert!(interval.levels.is_some() || interval.value == 0);
    if let Some((first, last)) = interval.levels {
        // The levels between the two prefix sums, and the sign by which of them comes first.
        let rises = lowest.1 < highest.1;
        let (start, end) = if rises { (lowest, highest) } else { (highest, lowest) };
        assert!(first == start.1 && last + 1 == end.1 && interval.bias == end.0 - start.0);
    }
    cover!(step > 0 && interval.value == factor * step);
}

/// A state of the scan for the sign variant within `bound`.
fn sign_state(bound: i32, best: i32) -> SignScan<i32> {
    let (total, prefix) = (between(-bound, bound), between(-bound, bound));
    let sum = between(-best, best);
    SignScan { total, prefix, best: SignCe { value: sum.abs(), place: SignAt::Level(0), sum } }
}

fn sign_scan_stays_below(factor: i32) {
    let bound = between(0, LARGE);
    let mut scan = sign_state(bound, factor * bound);
    let after = between(-bound, bound);
    let item = after - scan.prefix;
    scan.take(1, &item, either());
    let scan = result!("SignScan::take", scan);
    assert!(scan.best.value <= factor * bound);
    assert!(scan.best.value == scan.best.sum.abs());
    cover!(bound > 0 && scan.best.value == factor * bound && scan.best.place == SignAt::Gap(2));
}

fn sign_scan_takes_all_in(always: bool) {
    let gap = either();
    let mut scan = sign_state(LARGE, LARGE);
    let (total, before) = (scan.total, scan.prefix);
    let (best, sum) = (scan.best.value, scan.best.sum);
    let item = between(-LARGE, LARGE);
    scan.take(1, &item, gap);
    let scan = result!("SignScan::take", scan);
    let (after, value) = (before + item, scan.best.value);
    assert!(scan.prefix == after && scan.total == total);
    let (at_level, in_gap) = (before + after - total, 2 * after - total);
    match scan.best.place {
        SignAt::Level(0) => assert!(scan.best.sum == sum && value == best),
        SignAt::Level(1) => assert!(scan.best.sum == at_level && value > best),
        SignAt::Gap(2) => assert!(gap && scan.best.sum == in_gap && value > at_level.abs()),
        _ => panic!("a place that was not asked for"),
    }
    assert!(value == scan.best.sum.abs());
    assert!(value >= best && value >= at_level.abs());
    assert!(!gap && !always || value >= in_gap.abs());
    if gap && total.abs() <= value {
        assert!(after.abs() <= value);
        cover!(after != 0 && after.abs() == value);
    }
}

fn subset_walk_keeps_the_largest(beyond: i32) {
    let (prefix, largest) = (between(-LARGE, LARGE), between(0, LARGE));
    let mut walk = StepWalk { prefix, largest };
    let item = between(-LARGE, LARGE);
    walk.step(&item);
    let walk = result!("StepWalk::step", walk);
    let value = result!("StepWalk::value", walk.value(&1));
    let after = prefix + item;
    assert!(walk.prefix == after && walk.largest >= after.abs() + beyond);
    assert!(walk.largest >= largest && (walk.largest == largest || walk.largest == after.abs()));
    assert!(value == i64::from(walk.largest));
    cover!(walk.largest > largest && after < 0);
    cover!(walk.largest == largest && after.abs() == largest && largest > 0);
}

fn passing_moves_rounds(lost: u64) {
    const UNIT: i64 = 256;
    let most = 1_u64 << 12;
    let count = between(1, most);
    let ones = between(0, count);
    let (below, more) = (between(0, most), between(0, most));
    let (ones_below, more_ones) = (between(0, below), between(0, more));
    let units = |ones: u64| UNIT * ones as i64;
    let mut sides = Sides {
        below,
        above: count + more,
        ones_below: units(ones_below),
        ones_above: units(ones + more_ones),
    };
    sides.pass(&Level { value: 0, count, ones }, &UNIT);
    let sides = result!("Sides::pass", sides);
    assert!(sides.above == more && sides.below == below + count - lost);
    assert!(sides.ones_above == units(more_ones));
    assert!(sides.ones_below == units(ones_below) + units(ones));
    cover!(ones > 0 && ones < count && more_ones > 0);
}

fn ends_show_the_total(factor: i32) {
    let total = between(-LARGE, LARGE);
    let below = either();
    let mut scan = result!("SignScan::new", SignScan::new(total, below));
    assert!(scan.total == total && scan.prefix == 0);
    assert!(scan.best.sum == if below { -total } else { 0 });
    assert!(scan.best.value == scan.best.sum.abs());
    assert!(scan.best.place == if below { SignAt::Gap(0) } else { SignAt::Level(0) });
    // The first level, then any others, which only raise the best, then the last.
    let first = if below { between(-LARGE, LARGE) } else { between(0, LARGE) };
    scan.take(0, &first, true);
    let above = either();
    let last = if above { between(-LARGE, LARGE) } else { between(-LARGE, 0) };
    let more = between(scan.best.value, 8 * LARGE);
    scan = SignScan { total, prefix: total - last, best: SignCe { value: more, ..scan.best } };
    scan.take(5, &last, above);
    let scan = result!("SignScan::take", scan);
    assert!(scan.prefix == total);
    assert!(scan.best.value >= factor * total.abs());
    cover!(!below && !above && total > 0 && scan.best.value == factor * total);
    cover!(!below && !above && total < 0 && scan.best.value == -factor * total);
}

fn ece_stays_above(both: bool) {
    let (under, over) = (between(0, LARGE), between(0, LARGE));
    let prefix = between(-under - over, under + over);
    let mut ece = Ece { value: under + over, under, over };
    let item = between(-LARGE, LARGE);
    ece.take(&item);
    let ece = result!("Ece::take", ece);
    let after = prefix + item;
    assert!(ece.value == ece.under + ece.over);
    assert!(ece.under == under + item.max(0) && ece.over == over + (-item).max(0));
    assert!(ece.under - ece.over == under - over + item);
    assert!(after.abs() <= if both { ece.value } else { ece.under });
    cover!(after > 0 && after == ece.value);
    cover!(item < 0 && ece.over > over);
}

fn v_scan_keeps_the_supremum(both: bool) {
    let (level, sides) = level_among_others();
    let (value, unit) = (level.value, 16);
    let (sup, limit) = (between(0_i16, 63), Some((0, Ties::Above)));
    // α N_> - X_> with the level above, and X_< - α N_< with it below.
    let above = value * sides.above as i16 - sides.ones_above;
    let rounds = (sides.below + level.count) as i16;
    let below = sides.ones_below + unit * level.ones as i16 - value * rounds;
    let (rest, ones_above) = (sides.above - level.count, sides.ones_above);
    let mut scan = VScan { sides, sup, limit };
    scan.take(1, &level, &unit);
    let scan = result!("VScan::take", scan);
    let passed = scan.sides;
    assert!(passed.below == rounds as u64 && passed.below(&value) == below);
    assert!(passed.above == rest && passed.ones_above == ones_above - unit * level.ones as i16);
    assert!(scan.sup == sup.max(above).max(if both { below } else { sup }));
    let found = if below > sup.max(above) { Ties::Below } else { Ties::Above };
    assert!(scan.limit == if scan.sup == sup { limit } else { Some((1, found)) });
    cover!(scan.limit == Some((1, Ties::Below)));
    cover!(scan.limit == Some((1, Ties::Above)));
}

/// A level of 1 to 3 rounds, D = 16, and the sides of a threshold below it, with up to 3 rounds
/// before and after.
fn level_among_others() -> (Level<i16>, Sides<i16>) {
    let count = between(1_u8, 3);
    let level =
        Level { value: between(0_i16, 16), count: count.into(), ones: between(0, count).into() };
    let (before, after) = (between(0_u8, 3), between(0_u8, 3));
    let (ones_below, ones_after) = (between(0, before), between(0, after));
    let sides = Sides {
        below: before.into(),
        above: u64::from(count) + u64::from(after),
        ones_below: 16 * i16::from(ones_below),
        ones_above: 16 * i16::from(ones_after) + 16 * level.ones as i16,
    };
    (level, sides)
}

fn passing_adds_at_most_the_bias(factor: i16) {
    let (level, mut sides) = level_among_others();
    let alpha = between(level.value, 16);
    let (below, above) = (sides.below(&alpha), sides.above(&alpha));
    sides.pass(&level, &16);
    let sides = result!("Sides::pass", sides);
    let gained = result!("Sides::below", sides.below(&alpha)) - below;
    assert!(factor * gained <= level.bias(&16));
    assert!(result!("Sides::above", sides.above(&alpha)) - above == gained);
    assert!(alpha != level.value || gained == level.bias(&16));
    cover!(alpha == level.value && gained > 0);
    cover!(alpha > level.value && gained < 0);
}

/// The result type names the extremes that the scan found.
#[cfg(test)]
#[test]
fn a_range_is_an_interval() {
    let interval = RangeScan { prefix: 1, highest: (3_i32, 2), lowest: (-1, 5) }.into_result();
    assert_eq!((interval.value, interval.levels, interval.bias), (4, Some((2, 4)), -4));
}
