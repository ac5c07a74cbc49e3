//! Every level table on a grid.

use crate::levels::{Level, Levels};

/// Every level table with `rounds` rounds and predictions among 0, 1/D, …, 1, as scaled integers with
/// unit D = `grid`: each multiset of (outcome, prediction) pairs once, in lexicographic order.
///
/// ```
/// use truecal::evidence::{grid_size, grid_tables};
/// assert_eq!(grid_tables(1, 2).count(), 6); // two outcomes at 0, 1/2, 1
/// assert_eq!(grid_tables(5, 6).count() as u64, grid_size(5, 6));
/// ```
pub fn grid_tables(rounds: u64, grid: u32) -> impl Iterator<Item = Levels<i64>> {
    // (prediction, outcome) pairs are numbered 0.. in order; a table is a nondecreasing sequence of them.
    let pairs = 2 * (u64::from(grid) + 1);
    let mut next = Some(vec![0_u64; usize::try_from(rounds).expect("a small table")]);
    std::iter::from_fn(move || {
        let current = next.take()?;
        next = successor(&current, pairs);
        Some(table(&current, grid))
    })
}

/// How many there are: the multisets of `rounds` among 2(D + 1) pairs.
pub fn grid_size(rounds: u64, grid: u32) -> u64 {
    let pairs = 2 * (u64::from(grid) + 1);
    (0..rounds).fold(1, |size, t| size * (pairs + t) / (t + 1))
}

/// The next nondecreasing sequence below `pairs`, if there is one.
fn successor(sequence: &[u64], pairs: u64) -> Option<Vec<u64>> {
    let last = sequence.iter().rposition(|&pair| pair + 1 < pairs)?;
    let mut next = sequence.to_vec();
    let raised = next[last] + 1;
    next[last..].fill(raised);
    Some(next)
}

fn table(sequence: &[u64], grid: u32) -> Levels<i64> {
    let mut rows: Vec<Level<i64>> = Vec::new();
    for pair in sequence {
        let (value, one) = ((pair / 2).cast_signed(), pair % 2);
        match rows.last_mut() {
            Some(level) if level.value == value => {
                level.count += 1;
                level.ones += one;
            }
            _ => rows.push(Level { value, count: 1, ones: one }),
        }
    }
    Levels::new(grid.into(), rows).expect("a small table in 64 bits")
}
