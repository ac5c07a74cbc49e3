//! The simplex method on a dictionary of integers.

use super::word::Word;

/// Which variable enters where several gain. It decides which optimum is found if there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PivotRule {
    /// The one that gains most, of equal ones the lowest; after many steps the lowest that gains.
    Largest,
    /// The lowest that gains: more steps as a rule, but it cannot cycle (Bland).
    Lowest,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The dictionary has changed.
    Taken,
    /// Nothing gains.
    Optimal,
    /// Something gains, and nothing stops it.
    Unbounded,
}

/// Every entry over a common denominator > 0; pivoting keeps entries integral, as they are minors
/// of the matrix at the start.
///
/// A row says: basic variable = (last entry - Σ entry · nonbasic variable) / denominator. After
/// these rows come objectives, in the same form. Variables are numbered: first those that are not
/// basic at the start, then the others. Rows lie one after the other.
pub(super) struct Dictionary<N> {
    width: usize,
    entries: Vec<N>,
    denominator: N,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    steps: usize,
}

impl<N: Word> Dictionary<N> {
    /// From rows of this width, their right sides included, of which the last are objectives. No
    /// right side is negative.
    pub fn new(width: usize, entries: Vec<N>, objectives: usize) -> Self {
        let variables = width - 1;
        let rows = entries.len() / width - objectives;
        let (basic, nonbasic) = ((variables..variables + rows).collect(), (0..variables).collect());
        Dictionary { width, entries, denominator: N::one(), basic, nonbasic, steps: 0 }
    }

    /// How many rows there are, which is the place of the first objective.
    pub fn rows(&self) -> usize {
        self.basic.len()
    }

    pub fn denominator(&self) -> &N {
        &self.denominator
    }

    fn row(&self, row: usize) -> &[N] {
        &self.entries[row * self.width..(row + 1) * self.width]
    }

    /// The last entry of a row.
    pub fn right(&self, row: usize) -> &N {
        &self.entries[(row + 1) * self.width - 1]
    }

    /// The basic variables and their values.
    pub fn point(&self) -> impl Iterator<Item = (usize, &N)> {
        self.basic.iter().enumerate().map(|(row, variable)| (*variable, self.right(row)))
    }

    /// The other variables and their entries in an objective.
    pub fn prices(&self, objective: usize) -> impl Iterator<Item = (usize, &N)> {
        self.nonbasic.iter().copied().zip(self.row(objective))
    }

    /// One step towards the largest value of an objective, where only variables below `free` may
    /// enter. None: a number does not fit.
    pub fn step(&mut self, objective: usize, free: usize, rule: PivotRule) -> Option<Step> {
        let Some(column) = self.entering(objective, free, rule) else {
            return Some(Step::Optimal);
        };
        let Some(row) = self.leaving(column)? else { return Some(Step::Unbounded) };
        self.steps += 1;
        self.pivot(row, column)?;
        Some(Step::Taken)
    }

    fn entering(&self, objective: usize, free: usize, rule: PivotRule) -> Option<usize> {
        let gains = self.row(objective);
        let gaining = (0..self.nonbasic.len())
            .filter(|column| gains[*column].is_negative() && self.nonbasic[*column] < free);
        match rule == PivotRule::Largest && self.steps < 20 * (self.rows() + 10) {
            true => gaining.min_by_key(|column| (&gains[*column], self.nonbasic[*column])),
            false => gaining.min_by_key(|column| self.nonbasic[*column]),
        }
    }

    /// The row that stops the column first, of equal ones that of the lowest variable.
    fn leaving(&self, column: usize) -> Option<Option<usize>> {
        let mut leaving: Option<usize> = None;
        for row in 0..self.rows() {
            let entry = &self.row(row)[column];
            if !entry.is_positive() {
                continue;
            }
            let sooner = match leaving {
                None => true,
                Some(best) => {
                    let left = self.right(row).checked_mul(&self.row(best)[column])?;
                    let other = self.right(best).checked_mul(entry)?;
                    left < other || (left == other && self.basic[row] < self.basic[best])
                }
            };
            if sooner {
                leaving = Some(row);
            }
        }
        Some(leaving)
    }

    /// Exchanges two variables at an entry > 0. None: a number does not fit.
    pub fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        // The column of the entering variable becomes that of the leaving one.
        let mut pivot_row = self.row(row).to_vec();
        let old = std::mem::replace(&mut self.denominator, pivot_row[column].clone());
        let pivot = std::mem::replace(&mut pivot_row[column], old.clone());
        let same = pivot == old;
        for (i, entries) in self.entries.chunks_exact_mut(self.width).enumerate() {
            if i == row {
                entries[column] = old.clone();
                continue;
            }
            let factor = std::mem::replace(&mut entries[column], N::zero());
            if factor.is_zero() && same {
                continue;
            }
            for (entry, pivoted) in entries.iter_mut().zip(&pivot_row) {
                let only_scaled = pivoted.is_zero() || factor.is_zero();
                if only_scaled && (same || entry.is_zero()) {
                    continue;
                }
                let product = entry.checked_mul(&pivot)?;
                let product = product.checked_sub(&factor.checked_mul(pivoted)?)?;
                *entry = if old.is_one() { product } else { product / &old };
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
        Some(())
    }

    /// Replaces basic variables from `free` on, which are all 0, by lower ones where that is
    /// possible; elsewhere the row says nothing of the lower ones. None: a number does not fit.
    pub fn drive_out(&mut self, free: usize) -> Option<()> {
        for row in 0..self.rows() {
            if self.basic[row] < free {
                continue;
            }
            let entries = self.row(row);
            let other = |column: &usize| self.nonbasic[*column] < free;
            let other = (0..self.nonbasic.len())
                .filter(|column| other(column) && !entries[*column].is_zero())
                .min_by_key(|column| self.nonbasic[*column]);
            let Some(column) = other else { continue };
            if self.row(row)[column].is_negative() {
                // The variable is 0, and so is its opposite.
                for entry in &mut self.entries[row * self.width..(row + 1) * self.width] {
                    *entry = entry.negated()?;
                }
            }
            self.pivot(row, column)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chvátal's example, in halves as he has it: the largest gain alone comes back to the start
    /// after six steps, for ever. The lowest variable that gains gets away.
    #[test]
    fn circles_are_left() {
        let entries = [
            [1, -11, -5, 18, 0],
            [1, -3, -1, 2, 0],
            [2, 0, 0, 0, 2],
            [-20, 114, 18, 48, 0], // the objective
        ];
        let mut dictionary = Dictionary::<i64>::new(5, entries.concat(), 1);
        dictionary.denominator = 2;
        let patience = 20 * (3 + 10);
        for step in 0..patience {
            assert_eq!(step % 6 == 0, dictionary.basic.iter().all(|variable| *variable >= 4));
            assert_eq!(dictionary.step(3, 7, PivotRule::Largest), Some(Step::Taken));
            assert_eq!(*dictionary.right(3), 0);
        }
        let more =
            (0..10).find(|_| dictionary.step(3, 7, PivotRule::Largest) == Some(Step::Optimal));
        assert!(more.is_some());
        assert_eq!(dictionary.right(3), dictionary.denominator());
    }
}
