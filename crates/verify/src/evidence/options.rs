//! What to run, and how far.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

use crate::enumeration::{DomainError, tables};
use crate::registry::Extent;

/// What to run, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// How much.
    pub effort: Extent,
    /// The largest number of rounds for laws, instead of what the effort says.
    pub max_rounds: Option<u32>,
    /// The denominator of the predictions for laws, instead of 12.
    pub denominator: Option<u32>,
    /// The seed of the samples.
    pub seed: u64,
    /// One of several equal shares of the work.
    pub shard: Shard,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            effort: Extent::default(),
            max_rounds: None,
            denominator: None,
            seed: 1,
            shard: Shard::WHOLE,
        }
    }
}

impl Options {
    /// Whether the domains are those of the committed expectation.
    pub fn is_usual(&self) -> bool {
        let Options { effort, max_rounds, denominator, .. } = self;
        *effort == Extent::Usual && max_rounds.is_none() && denominator.is_none()
    }

    /// The most tables that a run, or a shard of one, may have: about a day's work.
    pub const MOST_TABLES: u64 = 1 << 36;

    /// Whether the work can be done in reasonable time; otherwise what to change.
    pub fn check(&self) -> Result<(), OptionsError> {
        let (rounds, denominator) = (self.max_rounds.unwrap_or(10), self.denominator.unwrap_or(12));
        let tables = tables(rounds, denominator)?;
        if tables.div_ceil(self.shard.of) <= Options::MOST_TABLES {
            return Ok(());
        }
        let shards = tables.div_ceil(Options::MOST_TABLES);
        Err(OptionsError::Days { tables, rounds, denominator, shards })
    }
}

/// Why a run cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// Its tables cannot be numbered.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// It would take too long.
    #[error(
        "{tables} tables have {rounds} rounds and predictions in 1/{denominator}, which would take \
         days; choose fewer rounds or a coarser grid, or use at least {shards} shards"
    )]
    Days {
        /// How many tables there are.
        tables: u64,
        /// The most rounds.
        rounds: u32,
        /// The denominator of the predictions.
        denominator: u32,
        /// The fewest shards that would do.
        shards: u64,
    },
}

/// The share `number` of `of` shares, from 1; as text, `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    pub number: u64,
    /// At least 1.
    pub of: u64,
}

impl Shard {
    /// The largest number of shares.
    pub const MOST: u64 = 1 << 20;

    /// Everything.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether the task with this number belongs to the share.
    pub(super) fn has(self, task: usize) -> bool {
        task as u64 % self.of == self.number - 1
    }

    /// The share of the numbers below `size`: a range, so that the shares follow one another.
    pub(super) fn range(self, size: u64) -> Range<u64> {
        let part =
            |number: u64| (u128::from(size) * u128::from(number) / u128::from(self.of)) as u64;
        part(self.number - 1)..part(self.number)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A text is not a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a shard is written 3/16: a number from 1 to how many there are, at most {}", Shard::MOST)]
#[non_exhaustive]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        parts
            .filter(|shard| (1..=shard.of).contains(&shard.number) && shard.of <= Shard::MOST)
            .ok_or(ShardError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What would take too long is not begun, unless enough shards share it.
    #[test]
    fn runs_end_within_days() {
        let options = |rounds, of| Options {
            max_rounds: Some(rounds),
            shard: Shard { number: 1, of },
            ..Options::default()
        };
        assert_eq!(options(10, 1).check(), Ok(()));
        let Err(error @ OptionsError::Days { tables, rounds: 20, denominator: 12, shards }) =
            options(20, 1).check()
        else {
            panic!("20 rounds take days")
        };
        let words = error.to_string();
        assert!(words.starts_with(&format!("{tables} tables have 20 rounds")), "{words}");
        assert!(words.ends_with(&format!("or use at least {shards} shards")), "{words}");
        assert!(options(20, shards - 1).check().is_err());
        assert_eq!(options(20, shards).check(), Ok(()));
        let domain = options(0, 1).check().expect_err("no rounds");
        let range = DomainError::Range { rounds: 0, denominator: 12 };
        assert_eq!(domain, OptionsError::Domain(range));
    }

    #[test]
    fn shards_are_a_partition() {
        for (size, of) in [(0, 3), (10, 1), (10, 3), (2, 5), (u64::MAX, 7)] {
            let ranges = (1..=of).map(|number| Shard { number, of }.range(size));
            let end = ranges.fold(0, |end, range| {
                assert_eq!(range.start, end);
                range.end
            });
            assert_eq!(end, size);
        }
        for bad in ["", "1", "0/3", "4/3", "a/3", "1/0", "-1/2", "1/99999999", "1/2/3"] {
            assert_eq!(bad.parse::<Shard>(), Err(ShardError), "{bad}");
        }
        assert!(ShardError.to_string().starts_with("a shard is written 3/16: a number from 1 to"));
    }
}
