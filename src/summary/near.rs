//! Whether keys are near what a pass looks for: most rounds are done with that.

use super::stretches::Cell;

/// The interval from the first key that is wanted to the last, in even slots, of which it is known
/// whether something in them is wanted.
#[derive(Debug)]
pub(super) struct Near {
    first: u64,
    /// A slot has 2^shift keys.
    shift: u32,
    /// 1 for the slots with something wanted; the last is what lies beyond, on either side.
    slots: Box<[u8; SLOTS + 1]>,
}

/// Slots that the cache holds beside all else.
const SLOTS: usize = 1 << 12;

impl Near {
    /// Near nothing.
    pub fn nothing() -> Self {
        Near { first: 0, shift: 0, slots: Box::new([0; SLOTS + 1]) }
    }

    /// Near the keys of ascending cells.
    pub fn to<'a>(cells: impl Iterator<Item = &'a Cell> + Clone) -> Self {
        let mut near = Near::nothing();
        let (Some(first), Some(last)) = (cells.clone().next(), cells.clone().last()) else {
            return near;
        };
        near.first = first.floor;
        let span = last.bucket.largest - near.first;
        near.shift = (u64::BITS - span.leading_zeros()).saturating_sub(SLOTS.ilog2());
        for cell in cells {
            let [from, to] = [cell.floor, cell.bucket.largest].map(|key| near.slot(key));
            near.slots[from..=to].fill(1);
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
        self.slots[self.slot(key)] != 0
    }

    /// Whether it may of some of them, without a branch for each.
    #[inline(always)]
    pub fn any(&self, keys: impl Iterator<Item = u64>) -> bool {
        keys.fold(0, |any, key| any | self.slots[self.slot(key)]) != 0
    }
}
