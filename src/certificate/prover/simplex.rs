//! Nonnegative combinations of vectors, such as polynomials by their monomials, by the simplex method in integers.
//!
//! Nothing here need be believed: a combination is checked by the checker, a functional by evaluating the law.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::certificate::checker::Poly;

/// A linear functional on polynomials, by its value at each monomial.
pub type Point = BTreeMap<[u16; 4], BigRational>;

/// The entries of a vector that are not 0; of a polynomial, the coefficient of each monomial.
pub(super) type Sparse<K> = Vec<(K, i128)>;

/// A polynomial by its monomials.
pub(super) fn sparse(poly: &Poly) -> Sparse<[u16; 4]> {
    poly.terms().map(|(monomial, coefficient)| (*monomial, *coefficient)).collect()
}

/// What the search for multipliers came to.
pub(super) enum Answer<K> {
    /// denominator · goal = Σ multiplier · column
    Combination {
        /// Positive.
        denominator: i128,
        /// (column, multiplier > 0)
        multipliers: Vec<(usize, i128)>,
    },
    /// There is none: a linear functional, >= 0 on each column and < 0 on the goal.
    Separation(BTreeMap<K, BigRational>),
}

/// The cheapest nonnegative combination of the columns that is the goal, where a unit of each column has a cost >= 0.
/// None: a number exceeds 127 bits.
pub(super) fn combine<K: Ord + Copy>(
    columns: &[(Sparse<K>, i128)],
    goal: &Sparse<K>,
) -> Option<Answer<K>> {
    let mut tableau = Tableau::new(columns, goal)?;
    while tableau.infeasibility() != 0 {
        let Some(column) = tableau.entering(tableau.rows) else {
            return Some(Answer::Separation(tableau.separation()));
        };
        tableau.step(column)?;
    }
    tableau.drive_out()?;
    while let Some(column) = tableau.entering(tableau.rows + 1) {
        tableau.step(column)?;
    }
    Some(tableau.combination())
}

/// Rows are places of the vectors, then the sum of the artificial variables and the objective. Every entry stands over `denominator`,
/// and pivoting keeps entries integral: they are minors of the matrix at the start.
struct Tableau<K> {
    places: Vec<K>,
    /// Which rows were multiplied by -1, so that the right side is >= 0.
    flipped: Vec<bool>,
    entries: Vec<Vec<i128>>,
    denominator: i128,
    basic: Vec<usize>,
    rows: usize,
    columns: usize,
    steps: usize,
}

impl<K: Ord + Copy> Tableau<K> {
    fn new(columns: &[(Sparse<K>, i128)], goal: &Sparse<K>) -> Option<Self> {
        let vectors = || columns.iter().map(|(vector, _)| vector);
        let mut places: Vec<K> =
            vectors().chain([goal]).flatten().map(|(place, _)| *place).collect();
        places.sort_unstable();
        places.dedup();
        let (rows, count) = (places.len(), columns.len());
        let width = count + rows + 1;
        let mut entries = vec![vec![0; width]; rows + 2];
        for (column, vector) in vectors().enumerate().chain([(width - 1, goal)]) {
            for (place, entry) in vector {
                let row = places.binary_search(place).expect("gathered above");
                entries[row][column] = *entry;
            }
        }
        let mut flipped = vec![false; rows];
        for (row, flipped) in flipped.iter_mut().enumerate() {
            *flipped = entries[row][width - 1] < 0;
            for place in (0..count).chain([width - 1]) {
                let entry = &mut entries[row][place];
                *entry = if *flipped { entry.checked_neg()? } else { *entry };
                let entry = *entry;
                entries[rows][place] = entries[rows][place].checked_add(entry)?;
            }
            entries[row][count + row] = 1;
        }
        for (entry, (_, cost)) in entries[rows + 1].iter_mut().zip(columns) {
            *entry = -cost;
        }
        let basic = (count..count + rows).collect();
        let (denominator, columns, steps) = (1, count, 0);
        Some(Tableau { places, flipped, entries, denominator, basic, rows, columns, steps })
    }

    fn infeasibility(&self) -> i128 {
        *self.entries[self.rows].last().expect("the right side")
    }

    /// The column that gains most; after many steps the first that gains, which cannot cycle.
    fn entering(&self, objective: usize) -> Option<usize> {
        let gains = &self.entries[objective][..self.columns];
        let mut gaining = (0..self.columns).filter(|column| gains[*column] > 0);
        match self.steps < 20 * (self.rows + 10) {
            true => gaining.max_by_key(|column| (gains[*column], usize::MAX - column)),
            false => gaining.next(),
        }
    }

    fn step(&mut self, column: usize) -> Option<()> {
        self.steps += 1;
        let right = |row: usize| *self.entries[row].last().expect("the right side");
        let mut leaving: Option<usize> = None;
        for row in (0..self.rows).filter(|row| self.entries[*row][column] > 0) {
            let better = match leaving {
                None => true,
                Some(best) => {
                    let left = right(row).checked_mul(self.entries[best][column])?;
                    let other = right(best).checked_mul(self.entries[row][column])?;
                    left < other || (left == other && self.basic[row] < self.basic[best])
                }
            };
            if better {
                leaving = Some(row);
            }
        }
        // Multipliers of bounded sums are bounded; what could grow for ever is not worth having.
        self.pivot(leaving?, column)
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let pivot = self.entries[row][column];
        let pivot_row = self.entries[row].clone();
        let old = self.denominator;
        for (_, entries) in self.entries.iter_mut().enumerate().filter(|(i, _)| *i != row) {
            let factor = entries[column];
            if factor == 0 && pivot == old {
                continue;
            }
            for (entry, pivoted) in entries.iter_mut().zip(&pivot_row) {
                if *entry == 0 && (*pivoted == 0 || factor == 0) {
                    continue;
                }
                let product = entry.checked_mul(pivot)?;
                let product = product.checked_sub(factor.checked_mul(*pivoted)?)?;
                *entry = if old == 1 { product } else { product / old };
            }
        }
        self.denominator = pivot;
        self.basic[row] = column;
        Some(())
    }

    /// Replaces artificial variables that are basic at 0 where that is possible; elsewhere the row says nothing.
    fn drive_out(&mut self) -> Option<()> {
        for row in 0..self.rows {
            if self.basic[row] >= self.columns {
                let found = (0..self.columns).find(|column| self.entries[row][*column] != 0);
                let Some(column) = found else { continue };
                if self.entries[row][column] < 0 {
                    for entry in &mut self.entries[row] {
                        *entry = entry.checked_neg()?;
                    }
                }
                self.pivot(row, column)?;
            }
        }
        Some(())
    }

    fn combination(&self) -> Answer<K> {
        let value = |row: usize| *self.entries[row].last().expect("the right side");
        let chosen =
            (0..self.rows).filter(|row| self.basic[*row] < self.columns && value(*row) != 0);
        let mut multipliers: Vec<_> = chosen.map(|row| (self.basic[row], value(row))).collect();
        multipliers.sort_unstable();
        let common = multipliers.iter().fold(self.denominator, |common, (_, multiplier)| {
            num_integer::gcd(common, *multiplier)
        });
        multipliers.iter_mut().for_each(|(_, multiplier)| *multiplier /= common);
        Answer::Combination { denominator: self.denominator / common, multipliers }
    }

    /// From the multipliers of the rows, which the columns of the artificial variables hold.
    fn separation(&self) -> BTreeMap<K, BigRational> {
        let value = |row: usize| {
            let entry = BigInt::from(self.entries[self.rows][self.columns + row]);
            let dual = BigRational::new(entry + self.denominator, self.denominator.into());
            if self.flipped[row] { dual } else { -dual }
        };
        self.places.iter().enumerate().map(|(row, place)| (*place, value(row))).collect()
    }
}
