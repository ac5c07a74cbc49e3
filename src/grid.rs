//! Every level table on a grid, numbered.
//!
//! Enumeration is by pairs, not by levels: that gives every table a number by binomial
//! coefficients, makes the next table a change of the last pairs, and leaves the sums of the
//! unchanged prefix as they are.

use crate::levels::{Level, Levels};

/// The level tables with T rounds and predictions among 0, 1/D, …, 1.
///
/// A table is a multiset of T pairs (prediction, outcome). With the pairs numbered upwards it is a
/// nondecreasing sequence of T numbers; the tables are ordered as these sequences are, and numbered
/// from 0.
///
/// ```
/// use truecal::grid::Grid;
/// let grid = Grid { rounds: 2, denominator: 2 };
/// assert_eq!(grid.size(), Some(21)); // two outcomes at 0, 1/2 and 1: 6 pairs, 6·7/2 multisets
/// let table = grid.nth(13).expect("below 21");
/// assert_eq!(grid.index_of(&table), Some(13));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// The number of rounds T.
    pub rounds: u32,
    /// The denominator D of the predictions; at least 1.
    pub denominator: u32,
}

/// The pair of a prediction and an outcome, as a number: 2 D p + x.
pub type Pair = u32;

impl Grid {
    /// The number of pairs.
    pub fn pairs(self) -> u64 {
        2 * (u64::from(self.denominator) + 1)
    }

    /// How many tables there are; `None` if 64 bits cannot count them T times.
    pub fn size(self) -> Option<u64> {
        self.completions(0, self.rounds)
    }

    /// How many nondecreasing sequences of this length there are among the pairs from `lowest` on.
    fn completions(self, lowest: Pair, length: u32) -> Option<u64> {
        let choices = self.pairs() - u64::from(lowest);
        let mut count = 1_u64;
        for t in 0..u64::from(length) {
            // A product of t + 1 consecutive numbers, divided as it grows: each quotient is a
            // binomial coefficient.
            count = count.checked_mul(choices + t)? / (t + 1);
        }
        Some(count)
    }

    /// The table with this number; `None` beyond the last.
    pub fn nth(self, index: u64) -> Option<Levels<i64>> {
        self.nth_sequence(index).map(|sequence| self.table(&sequence))
    }

    /// The number of a table; `None` if it is not on the grid.
    pub fn index_of(self, levels: &Levels<i64>) -> Option<u64> {
        if *levels.table().unit() != i64::from(self.denominator)
            || levels.table().rounds() != u64::from(self.rounds)
        {
            return None;
        }
        let mut sequence = vec![];
        for level in levels.table().rows() {
            let zero = 2 * Pair::try_from(level.value).ok()?;
            let pair = |round| zero + Pair::from(round >= level.count - level.ones);
            sequence.extend((0..level.count).map(pair));
        }
        self.index_of_sequence(&sequence)
    }

    /// The number of a nondecreasing sequence of pairs.
    pub fn index_of_sequence(self, sequence: &[Pair]) -> Option<u64> {
        let (mut index, mut lowest, mut left) = (0, 0, self.rounds);
        for &pair in sequence {
            // Those that go on with a lower pair come first.
            index += self.completions(lowest, left)? - self.completions(pair, left)?;
            (lowest, left) = (pair, left - 1);
        }
        Some(index)
    }

    /// The sequence of pairs with this number; `None` beyond the last.
    pub fn nth_sequence(self, index: u64) -> Option<Vec<Pair>> {
        let mut sequence = vec![0; self.rounds as usize];
        self.find_sequence(index, &mut sequence)?;
        Some(sequence)
    }

    /// Writes the sequence with this number; `None` beyond the last.
    pub fn find_sequence(self, mut index: u64, sequence: &mut [Pair]) -> Option<()> {
        if index >= self.size()? {
            return None;
        }
        let (mut pair, mut left) = (0, self.rounds);
        for place in sequence {
            left -= 1;
            loop {
                let with_this = self.completions(pair, left)?;
                if index < with_this {
                    break;
                }
                index -= with_this;
                pair += 1;
            }
            *place = pair;
        }
        Some(())
    }

    /// The next sequence after this one: the last pair that can grow does, and the rest follow it.
    /// Returns the first position that changed; `None` after the last sequence.
    pub fn advance(self, sequence: &mut [Pair]) -> Option<usize> {
        let grows = |pair: &Pair| u64::from(*pair) + 1 < self.pairs();
        let position = sequence.iter().rposition(grows)?;
        let raised = sequence[position] + 1;
        sequence[position..].fill(raised);
        Some(position)
    }

    /// The table of a nondecreasing sequence of pairs. Panics if they are not on the grid.
    pub fn table(self, sequence: &[Pair]) -> Levels<i64> {
        let mut rows: Vec<Level<i64>> = Vec::new();
        for pair in sequence {
            let (value, one) = (i64::from(pair / 2), u64::from(pair % 2));
            match rows.last_mut() {
                Some(level) if level.value == value => {
                    level.count += 1;
                    level.ones += one;
                }
                _ => rows.push(Level { value, count: 1, ones: one }),
            }
        }
        Levels::new(self.denominator.into(), rows).expect("a small table in 64 bits")
    }
}

/// The tables of a grid in order.
///
/// ```
/// use truecal::grid::grid_tables;
/// assert_eq!(grid_tables(1, 2).count(), 6); // two outcomes at 0, 1/2, 1
/// ```
pub fn grid_tables(rounds: u32, denominator: u32) -> impl Iterator<Item = Levels<i64>> {
    let grid = Grid { rounds, denominator };
    let mut next = grid.nth_sequence(0);
    std::iter::from_fn(move || {
        let mut sequence = next.take()?;
        let table = grid.table(&sequence);
        next = grid.advance(&mut sequence).map(|_| sequence);
        Some(table)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_tables_correspond() {
        for grid in [(0, 3), (1, 1), (3, 4), (5, 2)]
            .map(|(rounds, denominator)| Grid { rounds, denominator })
        {
            let tables: Vec<_> = grid_tables(grid.rounds, grid.denominator).collect();
            assert_eq!(Some(tables.len() as u64), grid.size());
            for (index, table) in (0..).zip(&tables) {
                assert_eq!(grid.index_of(table), Some(index));
                assert_eq!(grid.nth(index).as_ref(), Some(table));
            }
            assert_eq!(grid.nth(tables.len() as u64), None);
        }
    }

    #[test]
    fn large_grids_have_numbers_too() {
        let grid = Grid { rounds: 10, denominator: 12 };
        let size = grid.size().expect("fits");
        assert_eq!(size, 183_579_396);
        for index in [0, 1, size / 3, size - 1] {
            assert_eq!(grid.index_of(&grid.nth(index).expect("below")), Some(index));
        }
        assert_eq!(Grid { rounds: 200, denominator: 1000 }.size(), None);
    }

    #[test]
    fn a_table_of_another_grid_has_no_number() {
        let table = Grid { rounds: 2, denominator: 4 }.nth(3).expect("below");
        assert_eq!(Grid { rounds: 2, denominator: 2 }.index_of(&table), None);
        assert_eq!(Grid { rounds: 3, denominator: 4 }.index_of(&table), None);
    }
}
