//! The level table: distinct predictions ascending, each with its count and its ones.
//!
//! Every measure is invariant under permuting the rounds and depends on the data only through this
//! table. Ties are therefore right by construction, and `GROUP BY` on any database yields one.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use thiserror::Error;

use crate::definitions::Round;
use crate::number::Number;

/// All rounds that share one prediction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Level<N> {
    /// The prediction v, in units.
    pub value: N,
    /// The rounds n in which it was made, at least 1.
    pub count: u64,
    /// The rounds k among them in which the event happened, at most `count`.
    pub ones: u64,
}

impl<N: Number> Level<N> {
    /// The bias b = k - n v of the level, in units: positive when the event was under-forecast.
    pub fn bias(&self, unit: &N) -> N {
        unit.clone() * &N::from_count(self.ones)
            - &(self.value.clone() * &N::from_count(self.count))
    }
}

/// A borrowed level table, which is all that the formulas read.
#[derive(Debug)]
pub struct Table<'a, N> {
    unit: &'a N,
    rows: &'a [Level<N>],
}

// Derived, these would ask that `N` be `Copy`; the view is one whatever it looks at.
impl<N> Clone for Table<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for Table<'_, N> {}

impl<'a, N: Number> Table<'a, N> {
    /// A view of rows that are known to satisfy the invariants of [`Levels`]. On other rows the
    /// formulas may panic, overflow or return nonsense.
    pub(crate) fn assume_valid(unit: &'a N, rows: &'a [Level<N>]) -> Self {
        Table { unit, rows }
    }

    /// The representation of probability 1.
    pub fn unit(self) -> &'a N {
        self.unit
    }

    /// The levels, ascending in `value`.
    pub fn rows(self) -> &'a [Level<N>] {
        self.rows
    }

    /// The number of rounds T.
    pub fn rounds(self) -> u64 {
        self.rows.iter().map(|level| level.count).sum()
    }

    /// The number of rounds in which the event happened.
    pub fn ones(self) -> u64 {
        self.rows.iter().map(|level| level.ones).sum()
    }

    /// The biases b_1, …, b_m, in units.
    pub fn biases(self) -> impl DoubleEndedIterator<Item = N> + 'a {
        self.rows.iter().map(|level| level.bias(self.unit))
    }

    /// A number in units as the rational that it stands for.
    pub fn rational(self, number: &N) -> BigRational {
        number.to_rational() / self.unit.to_rational()
    }
}

/// A level table whose size rules out overflow in every formula.
///
/// **The bound.** With T rounds and unit D, every intermediate value of a formula in
/// [`measures`](crate::measures) is at most 4·T·D in absolute value: a bias, a prefix sum, X - αN
/// and αN - X are at most T·D; the sign variant adds three of them, VCal doubles one, and UCal and
/// CDL (whose h is at most T·D, too) double one before it is multiplied. A product of such a value
/// with another that is at most D goes to [`Number::Wide`], which holds the sum of two products of
/// values at most 4·T·D. So a table is accepted for a number type when 4·max(T, 1)·D does not
/// exceed its largest value.
///
/// ```
/// use truecal::{Level, Levels, measures};
/// // Two rounds at 1/2 (one of them a one), one round at 3/4 that was a zero; unit 4.
/// let rows = vec![
///     Level { value: 2, count: 2, ones: 1 },
///     Level { value: 3, count: 1, ones: 0 },
/// ];
/// let levels = Levels::<i32>::new(4, rows)?;
/// assert_eq!(measures::step_ce(levels.table()).value, 3); // 3/4
/// # Ok::<(), truecal::LevelsError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Levels<N> {
    unit: N,
    rows: Vec<Level<N>>,
    /// Those of all rows, so that nobody has to go through millions to ask.
    rounds: u64,
    ones: u64,
}

// Without what follows from the rows.
impl<N: fmt::Debug> fmt::Debug for Levels<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Levels").field("unit", &self.unit).field("rows", &self.rows).finish()
    }
}

/// Why rows are not a level table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LevelsError {
    /// The unit is not positive.
    #[error("the unit must be positive")]
    Unit,
    /// A value is below 0 or above the unit.
    #[error("level {index}: the prediction is outside [0, 1]")]
    Range {
        /// Its position, from 0.
        index: usize,
    },
    /// A value is not above its predecessor.
    #[error("level {index}: predictions must be strictly ascending")]
    Order {
        /// Its position, from 0.
        index: usize,
    },
    /// A count is 0.
    #[error("level {index}: the count must be at least 1")]
    Count {
        /// Its position, from 0.
        index: usize,
    },
    /// There are more ones than rounds.
    #[error("level {index}: more ones than rounds")]
    Ones {
        /// Its position, from 0.
        index: usize,
    },
    /// The rounds cannot be counted in 64 bits.
    #[error("more than {} rounds", u64::MAX)]
    Rounds,
    /// The table could overflow this number type; a wider one is needed.
    #[error("4 x rounds x unit exceeds the number type; use a wider one")]
    Width,
    /// Two tables with different units were to be merged.
    #[error("the tables have different units")]
    UnitsDiffer,
}

impl<N: Number> Levels<N> {
    /// Checks the rows and the bound.
    pub fn new(unit: N, rows: Vec<Level<N>>) -> Result<Self, LevelsError> {
        let (rounds, ones) = checked(&unit, &rows)?;
        if !fits::<N>(rounds, &unit.to_rational().to_integer(), 0) {
            return Err(LevelsError::Width);
        }
        Ok(Levels { unit, rows, rounds, ones })
    }

    /// The view that the formulas read.
    pub fn table(&self) -> Table<'_, N> {
        Table { unit: &self.unit, rows: &self.rows }
    }

    /// The number of rounds T, which is known.
    pub(crate) fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of rounds in which the event happened, which is known.
    pub(crate) fn ones(&self) -> u64 {
        self.ones
    }

    /// Puts other ones in place, given for each level by its number, the level and the unit; at
    /// most its count.
    pub(crate) fn set_ones(&mut self, mut ones: impl FnMut(usize, &Level<N>, &N) -> u64) {
        self.ones = 0;
        for (index, level) in self.rows.iter_mut().enumerate() {
            level.ones = ones(index, level, &self.unit);
            debug_assert!(level.ones <= level.count);
            self.ones += level.ones;
        }
    }

    /// The table of all rounds of both. Linear in the number of levels.
    pub fn merge(&self, other: &Self) -> Result<Self, LevelsError> {
        if self.unit != other.unit {
            return Err(LevelsError::UnitsDiffer);
        }
        let merger = Merger { left: &self.rows, right: &other.rows };
        Levels::new(self.unit.clone(), merger.collect::<Result<_, _>>()?)
    }

    /// The same table in rationals, with unit 1.
    pub fn to_rational(&self) -> Levels<BigRational> {
        let rows = self.rows.iter().map(|level| Level {
            value: self.table().rational(&level.value),
            count: level.count,
            ones: level.ones,
        });
        Levels {
            unit: BigRational::from_count(1),
            rows: rows.collect(),
            rounds: self.rounds,
            ones: self.ones,
        }
    }
}

/// The number of rounds, and of ones, of rows that satisfy the invariants, but for the bound.
fn checked<N: Number>(unit: &N, rows: &[Level<N>]) -> Result<(u64, u64), LevelsError> {
    if *unit <= N::zero() {
        return Err(LevelsError::Unit);
    }
    let (mut rounds, mut all_ones) = (0_u64, 0);
    for (index, level) in rows.iter().enumerate() {
        if level.value < N::zero() || level.value > *unit {
            return Err(LevelsError::Range { index });
        }
        if index > 0 && level.value <= rows[index - 1].value {
            return Err(LevelsError::Order { index });
        }
        if level.count == 0 {
            return Err(LevelsError::Count { index });
        }
        if level.ones > level.count {
            return Err(LevelsError::Ones { index });
        }
        rounds = rounds.checked_add(level.count).ok_or(LevelsError::Rounds)?;
        all_ones += level.ones;
    }
    Ok((rounds, all_ones))
}

/// Room for one table after the other, for engines that look at millions: the bound of [`Levels`]
/// is checked once, for as many rounds as there may be.
///
/// ```
/// use truecal::{Level, Slate, measures};
/// let mut slate = Slate::<i32>::new(4, 10)?;
/// for value in 0..=4 {
///     let table = slate.fill([Level { value, count: 1, ones: 0 }])?;
///     assert_eq!(measures::step_ce(table).value, value);
/// }
/// assert!(slate.fill([Level { value: 1, count: 11, ones: 0 }]).is_err());
/// # Ok::<(), truecal::LevelsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Slate<N> {
    unit: N,
    most: u64,
    rows: Vec<Level<N>>,
}

impl<N: Number> Slate<N> {
    /// For tables with this unit and at most so many rounds.
    pub fn new(unit: N, most: u64) -> Result<Self, LevelsError> {
        checked(&unit, &[])?;
        if !fits::<N>(most, &unit.to_rational().to_integer(), 0) {
            return Err(LevelsError::Width);
        }
        Ok(Slate { unit, most, rows: Vec::new() })
    }

    /// The table of these levels, in place of what was there.
    pub fn fill(
        &mut self,
        rows: impl IntoIterator<Item = Level<N>>,
    ) -> Result<Table<'_, N>, LevelsError> {
        self.rows.clear();
        self.rows.extend(rows);
        if checked(&self.unit, &self.rows)?.0 > self.most {
            return Err(LevelsError::Width);
        }
        Ok(Table { unit: &self.unit, rows: &self.rows })
    }
}

/// The levels of two tables in order, those of one prediction put together.
pub(crate) struct Merger<'a, N> {
    pub left: &'a [Level<N>],
    pub right: &'a [Level<N>],
}

impl<N: Number> Iterator for Merger<'_, N> {
    type Item = Result<Level<N>, LevelsError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match (self.left, self.right) {
            ([], []) => return None,
            ([a, ..], [b, ..]) if a.value == b.value => {
                let rounds = a.count.checked_add(b.count);
                (self.left, self.right) = (&self.left[1..], &self.right[1..]);
                rounds.ok_or(LevelsError::Rounds).map(|count| Level {
                    value: a.value.clone(),
                    count,
                    ones: a.ones + b.ones,
                })
            }
            ([a, ..], [b, ..]) if a.value > b.value => {
                self.right = &self.right[1..];
                Ok(b.clone())
            }
            ([a, rest @ ..], _) => {
                self.left = rest;
                Ok(a.clone())
            }
            ([], [b, rest @ ..]) => {
                self.right = rest;
                Ok(b.clone())
            }
        };
        Some(next)
    }
}

/// Whether the bound of [`Levels`], times 2^spare, rules overflow out for `N`.
pub(crate) fn fits<N: Number>(rounds: u64, unit: &BigInt, spare: u64) -> bool {
    N::largest().is_none_or(|largest| {
        // A number of more bits than any machine integer need not be built to be refused.
        spare < largest.bits() && (unit * rounds.max(1) * 4_u8) << spare <= largest
    })
}

impl Levels<BigRational> {
    /// The rounds one by one, in the order of their predictions: for the literal definitions.
    pub fn to_rounds(&self) -> Vec<Round> {
        let mut rounds = Vec::new();
        for level in self.table().rows() {
            for t in 0..level.count {
                rounds.push((t < level.ones, self.table().rational(&level.value)));
            }
        }
        rounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(value: i32, count: u64, ones: u64) -> Level<i32> {
        Level { value, count, ones }
    }

    fn error(unit: i32, rows: &[Level<i32>]) -> Option<LevelsError> {
        Levels::new(unit, rows.to_vec()).err()
    }

    #[test]
    fn broken_invariants_are_named() {
        assert_eq!(error(0, &[]), Some(LevelsError::Unit));
        assert_eq!(error(4, &[level(-1, 1, 0)]), Some(LevelsError::Range { index: 0 }));
        assert_eq!(
            error(4, &[level(0, 1, 0), level(5, 1, 0)]),
            Some(LevelsError::Range { index: 1 })
        );
        assert_eq!(
            error(4, &[level(2, 1, 0), level(2, 1, 0)]),
            Some(LevelsError::Order { index: 1 })
        );
        assert_eq!(error(4, &[level(2, 0, 0)]), Some(LevelsError::Count { index: 0 }));
        assert_eq!(error(4, &[level(2, 1, 2)]), Some(LevelsError::Ones { index: 0 }));
        assert_eq!(error(4, &[level(1, u64::MAX, 0), level(2, 1, 0)]), Some(LevelsError::Rounds));
        assert_eq!(error(4, &[level(0, 2, 1), level(4, 1, 1)]), None);
    }

    #[test]
    fn the_bound_is_sharp() {
        // 4 * T * 1 <= 2^31 - 1 exactly for T <= 2^29 - 1.
        let last = (1 << 29) - 1;
        assert_eq!(error(1, &[level(0, last, last)]), None);
        assert_eq!(error(1, &[level(0, last + 1, 0)]), Some(LevelsError::Width));
        assert!(fits::<i64>(1, &1.into(), 60) && !fits::<i64>(1, &1.into(), 61));
        assert!(fits::<BigInt>(u64::MAX, &1.into(), u64::MAX));
    }

    /// What a table knows of its rows stays true when its ones change.
    #[test]
    fn rounds_and_ones_are_those_of_the_rows() {
        let mut levels = Levels::new(4, vec![level(0, 3, 1), level(2, 2, 1)]).expect("valid");
        assert_eq!((levels.rounds(), levels.ones()), (5, 2));
        levels.set_ones(|index, level, _| level.count - index as u64);
        assert_eq!((levels.rounds(), levels.ones()), (5, 4));
        assert_eq!((levels.table().rounds(), levels.table().ones()), (5, 4));
        assert_eq!((levels.to_rational().rounds(), levels.to_rational().ones()), (5, 4));
    }

    #[test]
    fn merging_adds_rounds() {
        let a = Levels::new(4, vec![level(0, 1, 0), level(2, 2, 1)]).expect("valid");
        let b = Levels::new(4, vec![level(2, 3, 3), level(3, 1, 0)]).expect("valid");
        let both = Levels::new(4, vec![level(0, 1, 0), level(2, 5, 4), level(3, 1, 0)]);
        assert_eq!(a.merge(&b), both);
        assert_eq!(b.merge(&a), both);
        let other_unit = Levels::new(8, vec![]).expect("valid");
        assert_eq!(a.merge(&other_unit), Err(LevelsError::UnitsDiffer));
    }
}
