//! Tables of buckets: what `GROUP BY` a range of predictions gives, and what is certain of it.
//!
//! A query such as
//!
//! ```sql
//! SELECT min(p), max(p), count(*), sum(y), sum(p) FROM forecasts GROUP BY floor(p * 1000)
//! ```
//!
//! says less than the level table, but it bounds every measure. A [`BucketTable`] takes its rows,
//! refuses those that no data could have, and gives bounds that hold for all data that agree with
//! the rest. (The mean prediction of a bucket in place of a level would give one number, which is
//! usually too small and says nothing of how wrong it is.)
//!
//! ```
//! use truecal::Measure;
//! use truecal::buckets::{Bucket, BucketTable, parse_sum};
//!
//! // 1/10 and 3/10 without the event; 6/10, and twice 8/10 with it once.
//! let rows = [("0.1", "0.3", 2, 0, "0.4"), ("0.6", "0.8", 3, 2, "2.2")];
//! let mut buckets = vec![];
//! for (min, max, count, ones, sum) in rows {
//!     buckets.push(Bucket::exact(min.parse()?, max.parse()?, count, ones, parse_sum(sum)?));
//! }
//! let table = BucketTable::new(buckets)?;
//!
//! // The prefix sums after the buckets are -2/5 and -3/5. Within the second, zeros can take away
//! // 4/5 at most.
//! let bounds = table.bounds(Measure::StepCe);
//! assert_eq!((bounds.lower, bounds.upper), ("3/5".parse()?, "6/5".parse()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sums that were rounded
//!
//! The sum of a floating-point column is rounded at every addition, so it is not the sum of the
//! predictions. [`Bucket::from_rounded_sum`] says what it can be, [`Bucket::exact`] is for decimal
//! columns (`NUMERIC`, `DECIMAL`) and fractions.
//!
//! # Predictions in two buckets
//!
//! Equal predictions are one level, which no threshold parts. `ntile(100) OVER (ORDER BY p)` can
//! put them into two buckets: one ends at the prediction with which the next begins. Such buckets
//! are [joined](BucketTable::joined) to one, of which everything is known that was known of both.
//! Buckets that overlap further are refused: they are of groups by something else.

mod bucket;
mod error;
mod sum;
#[cfg(test)]
mod tests;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;

use crate::any_levels::{MAX_TABLE_BITS, MAX_UNIT_BITS};
use crate::measure::Measure;
use crate::number::Number;
use crate::summary::{Bounds, Stretch, Stretches, at_width};

pub use bucket::Bucket;
pub use error::{BucketError, BucketFault};
pub use sum::{SumError, parse_sum};

use bucket::Checked;

/// Buckets of forecasts in the order of their predictions.
///
/// ```
/// use truecal::Measure;
/// use truecal::buckets::{Bucket, BucketTable};
/// let bucket = Bucket::exact("1/4".parse()?, "3/4".parse()?, 4, 2, "2".parse()?);
/// let table = BucketTable::new([bucket])?;
/// assert_eq!((table.rounds(), table.ones(), table.len()), (4, 2, 1));
/// let bounds = table.bounds(Measure::Ece);
/// // Zeros at 1/4 and ones at 3/4, or the other way round? 3/4 - 1/4 + 2 (3/4) is more than any.
/// assert_eq!((bounds.lower, bounds.upper), ("0".parse()?, "3".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketTable {
    unit: BigInt,
    /// Ascending, each below the next.
    cells: Vec<Stretch<BigInt>>,
    rounds: u64,
    ones: u64,
    joined: usize,
}

impl BucketTable {
    /// Checks the buckets, which may come in any order, and puts them in order. Each is checked by
    /// itself first: an error names the first that cannot be.
    ///
    /// Cost: a sort of the buckets, in numbers as long as their common denominator.
    pub fn new(buckets: impl IntoIterator<Item = Bucket>) -> Result<Self, BucketError> {
        let at = |bucket| move |fault| BucketError { bucket, fault };
        let (mut checked, mut rounds, mut ones) = (vec![], 0_u64, 0);
        for (index, bucket) in buckets.into_iter().enumerate() {
            let bucket = Checked::new(index, &bucket).map_err(at(index))?;
            let counted = rounds.checked_add(bucket.count).ok_or(BucketFault::Rounds);
            rounds = counted.map_err(at(index))?;
            ones += bucket.ones;
            checked.push(bucket);
        }
        let unit = common_unit(&checked)?;
        checked.sort_by(|a, b| (&a.min, &a.max).cmp(&(&b.min, &b.max)));
        let rows = checked.len();
        let mut apart: Vec<Checked> = Vec::with_capacity(rows);
        for bucket in checked {
            match apart.last_mut() {
                Some(below) if bucket.min < below.max => {
                    let fault = BucketFault::overlap(&bucket.min, below.index, &below.max);
                    return Err(at(bucket.index)(fault));
                }
                Some(below) if bucket.min == below.max => below.join(bucket),
                _ => apart.push(bucket),
            }
        }
        let joined = rows - apart.len();
        let cells = apart.iter().map(|bucket| bucket.in_units(&unit)).collect();
        Ok(BucketTable { unit, cells, rounds, ones, joined })
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of rounds in which the event happened.
    pub fn ones(&self) -> u64 {
        self.ones
    }

    /// The number of buckets, after some were joined.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no rounds.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many buckets were joined to the one below, because it ends with the prediction with
    /// which they begin. Bounds are tighter if no prediction is in two buckets.
    pub fn joined(&self) -> usize {
        self.joined
    }

    /// Whether each bucket has one prediction only: then the bounds of measures that are no
    /// averages over subsets are equal, and are their values.
    pub fn is_level_table(&self) -> bool {
        self.cells.iter().all(|cell| !cell.closed)
    }

    /// Certain bounds on a measure: its value for any data that agree with the table, and with what
    /// was assumed of rounded sums, lies between them.
    ///
    /// Not every number between them is the value of such data. The averages over subsets are
    /// bounded by what they are averages of: at least half of it, and not much more than the root
    /// of the number of rounds above that.
    ///
    /// Cost: linear in the number of buckets, and a sort for CDL.
    pub fn bounds(&self, measure: Measure) -> Bounds {
        let bounds = self.own_bounds(measure);
        if measure != Measure::SmCe {
            return bounds;
        }
        // smCE is at most ECE, though what moves predictions a little may count more.
        let Bounds { lower, upper } = bounds;
        Bounds { lower, upper: upper.min(self.own_bounds(Measure::Ece).upper) }
    }

    fn own_bounds(&self, measure: Measure) -> Bounds {
        at_width!(self.rounds, &self.unit, N => {
            let number = |integer: &BigInt| {
                <N as Number>::from_bigint(integer).expect("sums are at most rounds times the unit")
            };
            let cells: Vec<Stretch<N>> = self.cells.iter().map(|cell| cell.map(number)).collect();
            Stretches::of_cells(number(&self.unit), self.rounds, self.ones, cells).bounds(measure)
        })
    }
}

/// The least common denominator of all numbers in the buckets.
fn common_unit(buckets: &[Checked]) -> Result<BigInt, BucketError> {
    let mut unit = BigInt::from(1);
    for bucket in buckets {
        for number in [&bucket.min, &bucket.max, &bucket.sum[0], &bucket.sum[1]] {
            let number: &BigRational = number;
            if !unit.is_multiple_of(number.denom()) {
                unit = unit.lcm(number.denom());
            }
            let bits = unit.bits();
            let in_all = bits.saturating_mul(buckets.len() as u64);
            if bits > MAX_UNIT_BITS || bits > 256 && in_all > MAX_TABLE_BITS {
                return Err(BucketError { bucket: bucket.index, fault: BucketFault::Denominator });
            }
        }
    }
    Ok(unit)
}
