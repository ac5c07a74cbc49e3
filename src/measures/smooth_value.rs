//! The smooth calibration error of one table after the other, without what shows it.

use super::smooth::best_function;
use super::smooth_walk::SmoothWalk;
use super::subsampled::Walk;
use crate::levels::Table;
use crate::number::Number;

/// How many kinks the walk may pass on average at a level: about what the tree takes as long for. On outcomes that a truthful forecaster
/// would see it passes about √m/4.
const PATIENCE: usize = 500;

/// Room for the walk over two stacks, which is faster than the tree on most tables. On some it would take quadratic time; there
/// the tree takes over, so that the cost stays O(m log m).
pub(crate) struct SmoothValue<N: Number> {
    walk: SmoothWalk<N>,
    start: SmoothWalk<N>,
}

impl<N: Number> SmoothValue<N> {
    pub fn new() -> Self {
        SmoothValue { walk: SmoothWalk::new(), start: SmoothWalk::new() }
    }

    /// The value of [`sm_ce`](super::sm_ce): smCE in squared units.
    pub fn of(&mut self, levels: Table<'_, N>) -> N::Wide {
        self.within(levels, PATIENCE)
    }

    fn within(&mut self, levels: Table<'_, N>, patience: usize) -> N::Wide {
        self.by_walk(levels, patience).unwrap_or_else(|| best_function(levels).0)
    }

    /// The value by the walk, or nothing if it would pass more kinks than so many for each level.
    fn by_walk(&mut self, levels: Table<'_, N>, patience: usize) -> Option<N::Wide> {
        self.walk.clone_from(&self.start); // keeps the room
        let mut left = levels.rows().len().saturating_mul(patience);
        for level in levels.rows() {
            left = left.checked_sub(self.walk.add(levels.unit(), level))?;
        }
        Some(self.walk.value(levels.unit()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::{Level, Levels};
    use crate::measures::sm_ce;
    use crate::random::Random;

    /// Light levels of ones, then heavy ones that move the maximum to and fro past all of them.
    fn to_and_fro(light: i64, heavy: i64) -> Levels<i64> {
        let heavy_count = 10 * light.unsigned_abs();
        let unit = 100 * (light + heavy);
        let value = |j| unit / 2 - light - heavy + j; // below 1/2: ones weigh more than zeros
        let level = |j: i64| match j < light {
            true => Level { value: value(j), count: 1, ones: 1 },
            false => Level {
                value: value(j),
                count: heavy_count,
                ones: if j % 2 == 0 { 0 } else { heavy_count },
            },
        };
        Levels::new(unit, (0..light + heavy).map(level).collect()).expect("valid")
    }

    #[test]
    fn impatient_or_not_the_value_is_the_same() {
        let mut room = SmoothValue::new();
        let levels = to_and_fro(300, 100);
        assert_eq!(room.by_walk(levels.table(), 16), None, "this table would need the tree");
        assert_eq!(room.within(levels.table(), 16), sm_ce(levels.table()).value);
        assert_eq!(room.by_walk(levels.table(), usize::MAX), Some(sm_ce(levels.table()).value));
        let mut random = Random::new(1, 0);
        for _ in 0..200 {
            let mut levels = to_and_fro(10, 30);
            levels.set_ones(|_, level, _| random.next() % (level.count + 1));
            for patience in [1, 4, PATIENCE] {
                assert_eq!(room.within(levels.table(), patience), sm_ce(levels.table()).value);
            }
        }
    }
}
