//! The core's plumbing: level tables are built alike in any order, numbers and tables of a grid
//! correspond, and the bound of a table rules overflow out.

use std::cmp::Ordering;
use std::slice::from_ref;

use super::symbolic::{between, either};
use super::tables::levels;
use crate::grid::{Grid, Pair};
use crate::levels::{Level, Merger};
use crate::measures::{Ece, RangeScan, Sides, SignScan, StepScan};

harnesses! {
    /// One step of merging: whichever table is named first, the next level is the same, the lower
    /// of the two or both together, and the same is left of both tables: all but that level. Where
    /// one of them is empty, the other is left. By induction merging is commutative, for tables of
    /// any size, and it keeps all rounds and ones.
    merging_step / merging_step_with_another_outcome {
        claims: ["core:levels"],
        domain: "the first levels of two tables, every prediction and count in 16 bits",
        cases: "2^88",
        unwind: 2,
        seconds: 10,
        proof: next_level_is_the_same(0),
        fault: "one side has a one more" => next_level_is_the_same(1),
    }

    /// Merging is commutative: both orders give the same levels. The result ascends strictly and
    /// keeps all rounds and ones.
    merging_commutes / merging_changes_an_outcome {
        claims: ["core:levels"],
        domain: "two tables of 2 levels of 1 to 2 rounds, D = 4",
        cases: "62 500",
        slow: kani_slow,
        unwind: 6,
        seconds: 600,
        proof: merging_is_commutative(0),
        fault: "the second order has a one more" => merging_is_commutative(1),
    }

    /// One step of merging three tables: whichever two are merged first, the next level is the
    /// same, and the same is left of all three. By induction merging is associative, for tables of
    /// any size.
    merging_associates / merging_associates_with_another_third {
        claims: ["core:levels"],
        domain: "the first levels of three tables, every prediction and count in 16 bits",
        cases: "2^132",
        unwind: 2,
        seconds: 10,
        proof: next_level_of_three_is_the_same(0),
        fault: "one side has a round more" => next_level_of_three_is_the_same(1),
    }

    /// A table that is merged from three rounds, one after the other, does not depend on their
    /// order: first and second, second and third, or first and third exchanged. (The program
    /// tallies rounds in a map first; that is left to the registry, `core:levels`.)
    building_in_any_order / building_with_another_outcome {
        claims: ["core:levels", "representation"],
        domain: "3 rounds, D = 2",
        cases: "432",
        slow: kani_slow,
        unwind: 5,
        seconds: 600,
        proof: building_forgets_the_order(false),
        fault: "the outcome of one round is turned" => building_forgets_the_order(true),
    }

    /// 4 T D <= 2^7 - 1 rules overflow out in 8 bits: in the bias of a level of any count and
    /// prediction, after levels with any prefix sum that is at most their rounds times D, and in
    /// all that the scans and both sides of a threshold make of it. Each step keeps these bounds,
    /// so no number of levels overflows. (Here 3 T D would be enough; the fourth is for UCal and
    /// CDL.) The same code runs at every width, where only the number 127 is another. The hull of
    /// UCal and smCE, whose products go to a type of twice the width, are not looked at.
    width_bound / width_bound_without_its_four {
        claims: ["core:width"],
        domain: "every T, D, count, ones and prediction with 4 T D <= 127, every sum within the \
            bound, 8 bits",
        cases: "2^47",
        unwind: 2,
        seconds: 10,
        proof: scans_do_not_overflow(4),
        fault: "2 T D <= 127 instead" => scans_do_not_overflow(2),
    }

    /// The sequence after an ascending one is the next in the order of words: what is before the
    /// change stays, there one pair is raised by one, all after it could not grow, and follow as
    /// low as they may be.
    next_sequence / next_sequence_ascends_strictly {
        claims: ["core:grid"],
        domain: "every 4 ascending pairs, D = 250",
        cases: "2^31.3",
        unwind: 6,
        seconds: 10,
        proof: the_next_sequence_is_the_successor(false),
        fault: "the rest ascends strictly" => the_next_sequence_is_the_successor(true),
    }

    /// Every number below the size of a grid has a sequence of pairs, which ascends, is on the
    /// grid, and has that number.
    numbers_have_sequences / numbers_have_sequences_from_one {
        claims: ["core:grid"],
        domain: "3 rounds, D = 1: 20 numbers",
        cases: "20",
        unwind: 6,
        seconds: 10,
        proof: a_number_has_its_sequence(0),
        fault: "numbers start from 1" => a_number_has_its_sequence(1),
    }

    /// The first ascending sequence of pairs has the number 0, the next sequence the next number,
    /// and only the last has none, with the highest number. So numbers and sequences correspond
    /// one to one, and the harness before finds the one sequence with its number.
    sequences_have_numbers / sequences_have_numbers_in_steps_of_two {
        claims: ["core:grid"],
        domain: "3 rounds, D = 1: 20 sequences",
        cases: "20",
        unwind: 6,
        seconds: 10,
        proof: a_sequence_has_its_number(1),
        fault: "the next number is two higher" => a_sequence_has_its_number(2),
    }
}

/// A table of at most 4 levels with room for them.
struct Rows {
    rows: [Level<i16>; 4],
    length: usize,
}

/// Levels in order, from slices whose lengths are known.
fn merged(left: &[Level<i16>], right: &[Level<i16>]) -> Rows {
    let mut all = Rows { rows: [const { Level { value: 0, count: 0, ones: 0 } }; 4], length: 0 };
    for level in (Merger { left, right }) {
        all.rows[all.length] = level.expect("few rounds");
        all.length += 1;
    }
    all
}

impl Rows {
    fn same(&self, other: &Rows) -> bool {
        let mut same = self.length == other.length;
        let mut place = 0;
        while place < 4 {
            same &= self.rows[place] == other.rows[place]; // what is beyond the end is empty
            place += 1;
        }
        same
    }

    /// The rounds and the ones of all levels.
    fn sums(&self) -> (u64, u64) {
        let [a, b, c, d] = &self.rows;
        (a.count + b.count + c.count + d.count, a.ones + b.ones + c.ones + d.ones)
    }

    fn ascends(&self) -> bool {
        let mut ascends = true;
        let mut place = 1;
        while place < 4 {
            ascends &= place >= self.length || self.rows[place - 1].value < self.rows[place].value;
            place += 1;
        }
        ascends
    }

    /// One or two levels merged with one more. The length is tried out, so that each slice has a
    /// known one.
    fn with(&self, level: &Level<i16>) -> Rows {
        let right = from_ref(level);
        match self.length {
            1 => merged(&self.rows[..1], right),
            _ => merged(&self.rows[..2], right),
        }
    }
}

/// A level with any prediction and count in 16 bits.
fn any_level() -> Level<i16> {
    let count = between(1_i16, i16::MAX);
    let ones = between(0, count);
    Level { value: between(0_i16, i16::MAX), count: count as u64, ones: ones as u64 }
}

/// The second level of each table: it shows that no more is taken than the first.
const NEXT: Level<i16> = Level { value: i16::MAX, count: 5, ones: 3 };

/// Whether the first of two levels was taken, and the second is left as it was.
fn first_is_taken(rest: &[Level<i16>]) -> bool {
    let taken = rest.len() == 1;
    let last = if taken { &rest[0] } else { &rest[1] };
    assert!(rest.len() <= 2 && *last == NEXT);
    taken
}

/// The next level of two tables by their first ones, and of which tables it was taken.
fn next_level(left: &Level<i16>, right: &Level<i16>) -> (Level<i16>, (bool, bool)) {
    let (lefts, rights) = ([left.clone(), NEXT], [right.clone(), NEXT]);
    let mut merger = Merger { left: &lefts, right: &rights };
    let Some(Ok(level)) = merger.next() else { panic!("there is a level, of few rounds") };
    let taken = (first_is_taken(merger.left), first_is_taken(merger.right));
    result!("Merger::next", (level, taken))
}

/// Of an empty table nothing is taken: the other one is left, level by level.
fn the_rest_stays(level: &Level<i16>) {
    let rest = [level.clone(), NEXT];
    let mut from_left = Merger { left: &rest, right: &[] };
    let mut from_right = Merger { left: &[], right: &rest };
    let (Some(Ok(left)), Some(Ok(right))) = (from_left.next(), from_right.next()) else {
        panic!("there is a level")
    };
    assert!(left == *level && right == *level);
    assert!(first_is_taken(from_left.left) && from_left.right.is_empty());
    assert!(first_is_taken(from_right.right) && from_right.left.is_empty());
    assert!(Merger::<i16> { left: &[], right: &[] }.next().is_none());
}

fn next_level_is_the_same(more: u64) {
    let (a, b) = (any_level(), any_level());
    let (first, taken) = next_level(&a, &b);
    let other = Level { ones: b.ones + more, ..b.clone() };
    let (second, (from_b, from_a)) = next_level(&other, &a);
    assert!(first == second && taken == (from_a, from_b));
    assert!(first.value == a.value.min(b.value));
    let of = |taken: bool, number: u64| if taken { number } else { 0 };
    assert!(first.count == of(taken.0, a.count) + of(taken.1, b.count));
    assert!(first.ones == of(taken.0, a.ones) + of(taken.1, b.ones));
    assert!(taken == (a.value <= b.value, b.value <= a.value));
    the_rest_stays(&a);
    cover!(taken == (true, true));
    cover!(taken == (false, true));
}

fn next_level_of_three_is_the_same(more: u64) {
    let (a, b, c) = (any_level(), any_level(), any_level());
    let (of_a_and_b, first_two) = next_level(&a, &b);
    let (left, (from_two, from_c)) = next_level(&of_a_and_b, &c);
    let other = Level { count: b.count + more, ..b };
    let (of_b_and_c, last_two) = next_level(&other, &c);
    let (right, (from_a, from_others)) = next_level(&a, &of_b_and_c);
    assert!(left == right);
    assert!(from_a == (from_two && first_two.0) && from_c == (from_others && last_two.1));
    assert!((from_two && first_two.1) == (from_others && last_two.0));
    cover!(from_a && from_c && first_two.1);
    cover!(!from_a && from_c && !last_two.0);
}

fn merging_is_commutative(more: u64) {
    let (left, right) = (levels::<2>(4, 2), levels::<2>(4, 2));
    let one = merged(&left, &right);
    let [first, second] = &left;
    let changed = Level { ones: first.ones + more, ..first.clone() };
    let other = merged(&right, &[changed, second.clone()]);
    assert!(one.same(&other));
    assert!(one.ascends());
    let rounds = left[0].count + left[1].count + right[0].count + right[1].count;
    let ones = left[0].ones + left[1].ones + right[0].ones + right[1].ones;
    assert!(one.sums() == (rounds, ones));
    cover!(one.length == 4);
    cover!(one.length == 2);
}

fn building_forgets_the_order(turned: bool) {
    let round = || Level { value: between(0, 2), count: 1, ones: u64::from(either()) };
    let [a, b, c] = [round(), round(), round()];
    let build = |first: &Level<i16>, second: &Level<i16>, third: &Level<i16>| {
        merged(from_ref(first), from_ref(second)).with(third)
    };
    let table = build(&a, &b, &c);
    assert!(table.same(&build(&b, &a, &c)));
    let last = Level { ones: if turned { 1 - c.ones } else { c.ones }, ..c.clone() };
    let swapped = if either() { build(&a, &last, &b) } else { build(&last, &b, &a) };
    assert!(table.same(&swapped));
    cover!(table.length == 1 && table.rows[0].ones == 2);
    cover!(table.length == 3);
}

fn scans_do_not_overflow(four: i32) {
    let unit = between(1_i8, 31);
    let rounds = between(1_i8, 31);
    assume!(four * i32::from(unit) * i32::from(rounds) <= i32::from(i8::MAX));
    let count = between(1, rounds);
    let before = between(0, rounds - count);
    let ones = between(0, count);
    let counted = |number: i8| number.unsigned_abs().into();
    let level = Level { value: between(0, unit), count: counted(count), ones: counted(ones) };

    // T D, and the same of the rounds before the level.
    let (all, lower) = (unit * rounds, unit * before);
    let bias = level.bias(&unit);
    let (prefix, total) = (between(-lower, lower), between(-all, all));
    let mut step = StepScan { prefix, ..StepScan::new() };
    step.take(1, &bias);
    // What is claimed is compared in 32 bits: only the code may overflow.
    let times = |factor: i32| factor * i32::from(all);
    assert!(i32::from(step.prefix.abs()) <= times(1));
    let (under, over) = (between(0, lower), between(0, lower));
    let mut ece = Ece { value: under + over, under, over };
    ece.take(&bias);
    assert!(i32::from(ece.value) <= times(3));
    let mut sign = SignScan { prefix, ..SignScan::new(total, true) };
    sign.take(1, &bias, true);
    assert!(i32::from(sign.best.value) <= times(3));
    let (low, high) = (between(-lower, prefix.min(0)), between(prefix.max(0), lower));
    let mut range = RangeScan { prefix, highest: (high, 1), lowest: (low, 0) };
    range.take(1, &bias);
    assert!(i32::from(range.into_result().value) <= times(2));

    // Both parts of g on either side of the level, and twice their larger, which is what VCal and
    // UCal need.
    let ones_below = unit * between(0, before);
    let ones_above = unit * (ones + between(0, rounds - before - count));
    let (below, above) = (counted(before), counted(rounds - before));
    let mut sides = Sides { below, above, ones_below, ones_above };
    let g = sides.height(&level.value);
    assert!(i32::from(g + g) <= times(2));
    sides.pass(&level, &unit);
    let g = sides.height(&level.value);
    assert!(i32::from(g + g) <= times(2));
    cover!(i32::from(sign.best.value) == times(3) && all == 31);
}

fn the_next_sequence_is_the_successor(strictly: bool) {
    let last = 501; // pairs of D = 250
    let a = between(0, last);
    let b = between(a, last);
    let c = between(b, last);
    let before: [Pair; 4] = [a, b, c, between(c, last)];
    let mut after = before;
    let changed = (Grid { rounds: 4, denominator: 250 }).advance(&mut after);
    let (changed, after) = result!("Grid::advance", (changed, after));
    match changed {
        // Element by element: a comparison of arrays goes through their bytes.
        None => {
            let [w, x, y, z] = after;
            assert!(a == last && w == last && x == last && y == last && z == last);
        }
        Some(changed) => {
            let mut place = 0;
            while place < 4 {
                // The first part stays; then one grows by one, could not have been a later one, and
                // the rest are as low as they may be.
                match place.cmp(&changed) {
                    Ordering::Less => assert!(after[place] == before[place]),
                    Ordering::Equal => {
                        assert!(after[place] == before[place] + 1 && after[place] <= last)
                    }
                    Ordering::Greater => {
                        assert!(before[place] == last && after[place] == after[changed]);
                        assert!(!strictly || after[place] > after[changed]);
                    }
                }
                place += 1;
            }
            cover!(changed == 0);
            cover!(changed == 3);
        }
    }
}

const GRID: Grid = Grid { rounds: 3, denominator: 1 };

fn a_number_has_its_sequence(from: u64) {
    let number = between(0, 19);
    let mut sequence: [Pair; 3] = [0; 3];
    let found = GRID.find_sequence(number, &mut sequence).is_some();
    let (found, sequence) = result!("Grid::find_sequence", (found, sequence));
    let [a, b, c] = sequence;
    assert!(found);
    assert!(a <= b && b <= c && u64::from(c) < GRID.pairs());
    let index = result!("Grid::index_of_sequence", GRID.index_of_sequence(&sequence));
    assert!(index == Some(number + from));
    assert!(GRID.find_sequence(20, &mut [0; 3]).is_none());
    cover!(number == 19 && a == 3);
}

fn a_sequence_has_its_number(next: u64) {
    let a = between(0, 3);
    let b = between(a, 3);
    let mut sequence: [Pair; 3] = [a, b, between(b, 3)];
    let number = result!("Grid::index_of_sequence", GRID.index_of_sequence(&sequence));
    assert!((number == Some(0)) == (sequence[2] == 0));
    match GRID.advance(&mut sequence) {
        Some(_) => {
            let after = result!("Grid::index_of_sequence", GRID.index_of_sequence(&sequence));
            assert!(after == number.map(|number| number + next));
        }
        None => assert!(number == Some(19)),
    }
    cover!(number == Some(19));
    cover!(number == Some(0));
}
