//! Linear programmes with a matrix of small integers, in machine words. Nothing here need be believed: the multipliers are checked
//! as part of a certificate. Where numbers grow beyond the words, [`LinearProgramme`] takes over.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{CheckedMul, CheckedSub, Signed, ToPrimitive, Zero};

use crate::definitions::LinearProgramme;

/// Maximise gains·x subject to rows·x <= bounds and x >= 0, where no bound is negative.
pub(super) struct Programme {
    pub gains: Vec<BigRational>,
    pub rows: Vec<(Vec<i64>, BigRational)>,
}

/// Where the maximum is, and the multiplier of each row.
pub(super) struct Solution {
    pub point: Vec<BigRational>,
    pub multipliers: Vec<BigRational>,
}

impl Programme {
    /// Panics if the programme is unbounded.
    pub fn maximise(&self) -> Solution {
        // In these units everything is integral, and the matrix stays as it is.
        let gain_unit = self.gains.iter().fold(BigInt::from(1), |unit, g| unit.lcm(g.denom()));
        let bound_unit = self.rows.iter().fold(BigInt::from(1), |unit, r| unit.lcm(r.1.denom()));
        let integral = |n: &BigRational, unit: &BigInt| n.numer() * (unit / n.denom());
        let gains: Vec<_> = self.gains.iter().map(|gain| integral(gain, &gain_unit)).collect();
        let bounds: Vec<_> = self.rows.iter().map(|row| integral(&row.1, &bound_unit)).collect();
        let found = self
            .in_words(&gains, &bounds, BigInt::to_i64)
            .or_else(|| self.in_words(&gains, &bounds, BigInt::to_i128));
        let Some((point, multipliers, denominator)) = found else { return self.in_rationals() };
        let over = |numbers: Vec<BigInt>, unit: &BigInt| {
            let denominator = &denominator * unit;
            numbers.into_iter().map(|n| BigRational::new(n, denominator.clone())).collect()
        };
        Solution { point: over(point, &bound_unit), multipliers: over(multipliers, &gain_unit) }
    }

    /// The same, slower, for numbers of any size.
    pub fn in_rationals(&self) -> Solution {
        let mut programme = LinearProgramme::new(self.gains.len());
        for (variable, gain) in self.gains.iter().enumerate() {
            programme.gain(variable, gain);
        }
        for (row, bound) in &self.rows {
            let terms = row.iter().enumerate().filter(|(_, entry)| **entry != 0);
            let terms: Vec<_> =
                terms.map(|(j, entry)| (j, BigRational::from_integer((*entry).into()))).collect();
            programme.at_most(&terms, bound.clone());
        }
        let optimum = programme.maximise();
        Solution { point: optimum.point, multipliers: optimum.multipliers }
    }

    /// Point and multipliers over a common denominator; None if a number does not fit.
    fn in_words<N: Word>(
        &self,
        gains: &[BigInt],
        bounds: &[BigInt],
        word: impl Fn(&BigInt) -> Option<N>,
    ) -> Option<(Vec<BigInt>, Vec<BigInt>, BigInt)> {
        let width = gains.len() + 1;
        let mut entries = Vec::with_capacity((self.rows.len() + 1) * width);
        for ((row, _), bound) in self.rows.iter().zip(bounds) {
            entries.extend(row.iter().map(|entry| N::from(*entry)));
            entries.push(word(bound)?);
        }
        for gain in gains {
            entries.push(-word(gain)?);
        }
        entries.push(N::zero());
        let basic = (gains.len()..gains.len() + self.rows.len()).collect();
        let nonbasic = (0..gains.len()).collect();
        let mut dictionary = Dictionary { width, entries, denominator: N::one(), basic, nonbasic };
        let mut steps = 0;
        while let Some(column) = dictionary.entering(steps) {
            dictionary.pivot(dictionary.leaving(column)?, column)?;
            steps += 1;
        }
        Some(dictionary.solution())
    }
}

/// A machine word.
trait Word: Copy + Ord + Integer + Signed + CheckedMul + CheckedSub + From<i64> + Into<BigInt> {}

impl Word for i64 {}
impl Word for i128 {}

/// As in [`definitions`](crate::definitions): every entry over a common denominator, the objective last; pivoting keeps entries
/// integral. Rows lie one after the other, the right side at the end of each.
struct Dictionary<N> {
    width: usize,
    entries: Vec<N>,
    denominator: N,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
}

impl<N: Word> Dictionary<N> {
    fn row(&self, row: usize) -> &[N] {
        &self.entries[row * self.width..(row + 1) * self.width]
    }

    /// The column that gains most; after many steps the first variable that gains, which cannot cycle.
    fn entering(&self, steps: usize) -> Option<usize> {
        let (_, gains) = self.row(self.basic.len()).split_last().expect("the right side");
        let gaining = (0..gains.len()).filter(|column| gains[*column].is_negative());
        match steps < 10 * self.width {
            true => gaining.min_by_key(|column| gains[*column]),
            false => gaining.min_by_key(|column| self.nonbasic[*column]),
        }
    }

    /// The row that stops the column first. None: a product does not fit.
    fn leaving(&self, column: usize) -> Option<usize> {
        let right = self.width - 1;
        let mut leaving: Option<usize> = None;
        for row in 0..self.basic.len() {
            let entries = self.row(row);
            if !entries[column].is_positive() {
                continue;
            }
            let sooner = match leaving {
                None => true,
                Some(best) => {
                    let others = self.row(best);
                    let left = entries[right].checked_mul(&others[column])?;
                    let other = others[right].checked_mul(&entries[column])?;
                    left < other || (left == other && self.basic[row] < self.basic[best])
                }
            };
            if sooner {
                leaving = Some(row);
            }
        }
        Some(leaving.expect("every programme here is bounded"))
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let pivot_row = self.row(row).to_vec();
        let (pivot, old) = (pivot_row[column], self.denominator);
        for (i, entries) in self.entries.chunks_exact_mut(self.width).enumerate() {
            if i == row {
                continue;
            }
            let factor = entries[column];
            if factor.is_zero() && pivot == old {
                continue;
            }
            for (entry, pivoted) in entries.iter_mut().zip(&pivot_row) {
                if entry.is_zero() && (pivoted.is_zero() || factor.is_zero()) {
                    continue;
                }
                let product = entry.checked_mul(&pivot)?;
                let product = product.checked_sub(&factor.checked_mul(pivoted)?)?;
                *entry = if old.is_one() { product } else { product / old };
            }
            entries[column] = -factor;
        }
        self.entries[row * self.width + column] = old;
        self.denominator = pivot;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
        Some(())
    }

    fn solution(&self) -> (Vec<BigInt>, Vec<BigInt>, BigInt) {
        let variables = self.nonbasic.len();
        let mut point = vec![BigInt::zero(); variables];
        let mut multipliers = vec![BigInt::zero(); self.basic.len()];
        for (row, variable) in self.basic.iter().enumerate().filter(|(_, v)| **v < variables) {
            point[*variable] = self.row(row)[variables].into();
        }
        let objective = self.row(self.basic.len());
        for (entry, variable) in objective.iter().zip(&self.nonbasic) {
            if let Some(row) = usize::checked_sub(*variable, variables) {
                multipliers[row] = (*entry).into();
            }
        }
        (point, multipliers, self.denominator.into())
    }
}
