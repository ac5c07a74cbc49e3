//! Which grids of tables can be gone through.

use thiserror::Error;

use truecal::grid::Grid;

/// The largest number of rounds of a walk.
pub const MAX_ROUNDS: u32 = 32;

/// The largest denominator of a walk.
pub const MAX_DENOMINATOR: u32 = 60;

/// A table by its size and its number. Smaller means fewer rounds, then a smaller common
/// denominator of the predictions, then earlier on the grid: for tables with the same denominator
/// that is the lexicographic order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableNumber {
    /// T.
    pub rounds: u32,
    /// The smallest common denominator of the predictions.
    pub denominator: u32,
    /// The number on the grid.
    pub index: u64,
}

/// Why the tables of so many rounds with such predictions cannot be gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DomainError {
    /// No rounds or no predictions, or too many.
    #[error(
        "rounds go from 1 to {MAX_ROUNDS} and denominators from 1 to {MAX_DENOMINATOR}; not \
         {rounds} and {denominator}"
    )]
    Range {
        /// The rounds.
        rounds: u32,
        /// The denominator of the predictions.
        denominator: u32,
    },
    /// They cannot be numbered.
    #[error(
        "more than 2^64 tables have {rounds} rounds and predictions in 1/{denominator}; choose \
         fewer rounds or a coarser grid"
    )]
    Uncountable {
        /// The rounds.
        rounds: u32,
        /// The denominator of the predictions.
        denominator: u32,
    },
}

/// How many tables there are.
pub(crate) fn tables(rounds: u32, denominator: u32) -> Result<u64, DomainError> {
    if !(1..=MAX_ROUNDS).contains(&rounds) || !(1..=MAX_DENOMINATOR).contains(&denominator) {
        return Err(DomainError::Range { rounds, denominator });
    }
    let size = Grid { rounds, denominator }.size();
    size.ok_or(DomainError::Uncountable { rounds, denominator })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_can_be_numbered_or_not() {
        assert_eq!(tables(1, 1), Ok(4));
        for (rounds, denominator) in [(0, 12), (33, 12), (4, 0), (4, 61)] {
            let error = tables(rounds, denominator).expect_err("out of range");
            assert_eq!(error, DomainError::Range { rounds, denominator });
            let end = format!("denominators from 1 to 60; not {rounds} and {denominator}");
            assert!(error.to_string().ends_with(&end), "{error}");
        }
        let error = tables(32, 60).expect_err("very many");
        assert_eq!(error, DomainError::Uncountable { rounds: 32, denominator: 60 });
        assert_eq!(
            error.to_string(),
            "more than 2^64 tables have 32 rounds and predictions in 1/60; choose fewer rounds or \
             a coarser grid"
        );
    }
}
