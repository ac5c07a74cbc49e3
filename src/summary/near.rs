//! Whether keys are near what a pass looks for: most rounds are done with that.

use super::parts::BLOCK;
use super::stretches::Cell;

/// The keys that are wanted, in two coarse ways: a few intervals of the first halves of their bits,
/// which many rounds are compared with at once; and the interval from the first key that is wanted
/// to the last, in even slots, of which it is known whether something in them is wanted.
#[derive(Debug)]
pub(super) struct Near {
    spans: [Span; SPANS],
    first: u64,
    /// A slot has 2^shift keys.
    shift: u32,
    /// Whether something is wanted in a slot; the last is what lies beyond, on either side.
    slots: Box<[bool; SLOTS + 1]>,
}

/// Slots that the cache holds beside all else.
const SLOTS: usize = 1 << 12;

/// Where a walk is far out is mostly around one place or two.
const SPANS: usize = 4;

/// An interval of first halves of keys.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// Its first, turned by half of all numbers: what is less beyond it, as signed numbers are
    /// compared, is less beyond the first.
    first: u32,
    /// How many there are, turned alike.
    count: i32,
}

impl Span {
    const NOTHING: Span = Span { first: 0, count: i32::MIN };

    /// From the first half of a key to that of another.
    fn new(first: u64, last: u64) -> Self {
        let [first, last] = [first, last].map(first_half);
        let count = (last - first + 1) ^ TURN;
        Span { first: first.wrapping_add(TURN), count: count as i32 }
    }

    #[inline(always)]
    fn contains(&self, half: u32) -> bool {
        (half.wrapping_sub(self.first) as i32) < self.count
    }
}

const TURN: u32 = 1 << 31;

#[inline(always)]
fn first_half(key: u64) -> u32 {
    (key >> u32::BITS) as u32
}

impl Near {
    /// Near nothing.
    pub fn nothing() -> Self {
        let slots = Box::new([false; SLOTS + 1]);
        Near { spans: [Span::NOTHING; SPANS], first: 0, shift: 0, slots }
    }

    /// Near the keys of those cells of all that are missing; both ascend.
    pub fn to(cells: &[Cell], missing: &[usize]) -> Self {
        let mut near = Near::nothing();
        let (Some(first), Some(last)) = (missing.first(), missing.last()) else {
            return near;
        };
        near.spans = spans(cells, missing);
        near.first = cells[*first].floor;
        let span = cells[*last].bucket.largest - near.first;
        near.shift = (u64::BITS - span.leading_zeros()).saturating_sub(SLOTS.ilog2());
        for cell in missing.iter().map(|cell| &cells[*cell]) {
            let [from, to] = [cell.floor, cell.bucket.largest].map(|key| near.slot(key));
            near.slots[from..=to].fill(true);
        }
        near
    }

    /// A key below the first wraps around, and is far beyond.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        (key.wrapping_sub(self.first) >> self.shift).min(SLOTS as u64) as usize
    }

    /// Whether something may be wanted of the rounds with a key.
    #[inline(always)]
    pub fn is_near(&self, key: u64) -> bool {
        self.slots[self.slot(key)]
    }

    /// Whether it may of a block of them, by index.
    #[inline(always)]
    pub fn any(&self, keys: impl Fn(usize) -> u64) -> bool {
        let in_spans = |half| self.spans.iter().fold(false, |any, span| any | span.contains(half));
        (0..BLOCK).fold(false, |any, index| any | in_spans(first_half(keys(index))))
    }
}

/// Spans that contain what is missing, and as few other rounds as is possible with so many.
fn spans(cells: &[Cell], missing: &[usize]) -> [Span; SPANS] {
    // The rounds between neighbours, most first; and the positions of the second of them.
    let mut gaps: Vec<(u64, usize)> = missing
        .windows(2)
        .zip(1..)
        .map(|(pair, second)| {
            let between = &cells[pair[0] + 1..pair[1]];
            (between.iter().map(|cell| cell.bucket.count).sum(), second)
        })
        .collect();
    gaps.sort_unstable_by(|left, right| right.cmp(left));
    gaps.truncate(SPANS - 1);
    let mut starts: Vec<usize> = gaps.into_iter().map(|(_, second)| second).collect();
    starts.push(0);
    starts.sort_unstable();
    let mut spans = [Span::NOTHING; SPANS];
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(missing.len(), |next| *next);
        let [first, last] = [missing[start], missing[end - 1]].map(|cell| cells[cell]);
        spans[index] = Span::new(first.floor, last.bucket.largest);
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::super::Bucket;
    use super::*;
    use proptest::prelude::*;

    fn cell(floor: u64, largest: u64) -> Cell {
        Cell { floor, bucket: Bucket { largest, count: 1, ..Bucket::default() } }
    }

    proptest! {
        /// What is wanted is near in both ways, alone in a block or not; what is far is not.
        #[test]
        fn what_is_wanted_is_near(
            start in 0..1_u64 << 62,
            widths in prop::collection::vec(1..1_u64 << 40, 1..40),
            chosen in prop::collection::vec(any::<bool>(), 40),
            place in 0..BLOCK,
        ) {
            let ends = widths.iter().scan(start, |end, width| {
                *end += width;
                Some(*end)
            });
            let cells: Vec<Cell> =
                ends.zip(&widths).map(|(end, width)| cell(end - width, end - 1)).collect();
            let missing: Vec<usize> = (0..cells.len()).filter(|index| chosen[*index]).collect();
            let near = Near::to(&cells, &missing);
            let beyond = 1 << 63;
            for Cell { floor, bucket } in missing.iter().map(|index| cells[*index]) {
                for key in [floor, floor + (bucket.largest - floor) / 3, bucket.largest] {
                    prop_assert!(near.is_near(key));
                    let alone = |index| [beyond, key][usize::from(index == place)];
                    prop_assert!(near.any(alone));
                }
            }
            prop_assert!(!near.any(|_| beyond) && !near.is_near(beyond));
            prop_assert!(!Near::nothing().any(|_| start));
            // No span is wider than from the first to the last.
            if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
                let [first, last] = [cells[*first].floor, cells[*last].bucket.largest];
                prop_assert!(!first.checked_sub(1 << 32).is_some_and(|key| near.any(|_| key)));
                prop_assert!(!near.any(|_| last + (1 << 32)));
            }
        }
    }

    /// Three gaps at most are left out, and those with most rounds.
    #[test]
    fn spans_leave_out_what_has_most_rounds() {
        let mut cells: Vec<Cell> =
            (1..12_u64).map(|t| cell(t << 32, (t << 32) + (1 << 31))).collect();
        let missing = [0, 2, 4, 6, 8, 10];
        for (gap, count) in [(1, 5), (3, 9), (5, 2), (7, 8), (9, 1)] {
            cells[gap].bucket.count = count;
        }
        let near = Near::to(&cells, &missing);
        let left_out = |gap: &usize| !near.any(|_| cells[*gap].floor);
        assert_eq!((0..11).filter(left_out).collect::<Vec<_>>(), [1, 3, 7]);
    }
}
