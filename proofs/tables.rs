//! Symbolic level tables.

use super::symbolic::between;
use crate::levels::Level;

/// M levels at strictly ascending predictions among 0, 1/unit, …, 1, each with 1 to `most` rounds.
/// Counts are drawn in 8 bits, so that the solver knows the others.
pub fn levels<const M: usize>(unit: i16, most: u8) -> [Level<i16>; M] {
    let mut rows = [const { Level { value: 0, count: 1, ones: 0 } }; M];
    let mut lowest = 0;
    let mut higher = M as i16;
    for row in &mut rows {
        higher -= 1;
        row.value = between(lowest, unit - higher); // room for those above
        lowest = row.value + 1;
        let count = if most > 1 { between(1, most) } else { 1 };
        row.count = count.into();
        row.ones = between(0, count).into();
    }
    rows
}
