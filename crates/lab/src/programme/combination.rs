//! Nonnegative combinations of vectors, such as polynomials by their monomials.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::dictionary::{Dictionary, PivotRule, Step};
use super::word::Word;

/// The entries of a vector that are not 0, by their places.
pub type Sparse<K> = Vec<(K, i128)>;

/// What the search for multipliers came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Combined<K> {
    /// denominator · goal = Σ multiplier · column
    Combination {
        /// Positive.
        denominator: i128,
        /// (column, multiplier > 0)
        multipliers: Vec<(usize, i128)>,
    },
    /// There is none: a linear functional, by its value at each place, which is >= 0 on each column
    /// and < 0 on the goal.
    Separation(BTreeMap<K, BigRational>),
}

/// The cheapest nonnegative combination of the columns that is the goal, where a unit of each
/// column has a cost. None: a number exceeds 127 bits, in the answer or on the way to it. (Big
/// integers would go on, but a search had better try something else then.)
///
/// ```
/// use truecal_lab::programme::{Combined, combine};
/// // 2x + 3y from x + y at 1, x at 3 and y at 1.
/// let columns = [(vec![('x', 1), ('y', 1)], 1), (vec![('x', 1)], 3), (vec![('y', 1)], 1)];
/// let answer = combine(&columns, &vec![('x', 2), ('y', 3)]);
/// let multipliers = vec![(0, 2), (2, 1)];
/// assert_eq!(answer, Some(Combined::Combination { denominator: 1, multipliers }));
/// ```
pub fn combine<K: Ord + Copy>(
    columns: &[(Sparse<K>, u32)],
    goal: &Sparse<K>,
) -> Option<Combined<K>> {
    let mut places: Vec<K> =
        columns.iter().map(|column| &column.0).chain([goal]).flatten().map(|(k, _)| *k).collect();
    places.sort_unstable();
    places.dedup();
    let system = System { places, columns, goal };
    system.solve::<i64>().or_else(|| system.solve::<i128>())
}

/// Σ multiplier · column = goal, a row for each place.
struct System<'a, K> {
    places: Vec<K>,
    columns: &'a [(Sparse<K>, u32)],
    goal: &'a Sparse<K>,
}

impl<K: Ord + Copy> System<'_, K> {
    /// None: a number does not fit.
    ///
    /// The basic variables at the start are artificial: what is missing in each row. The first
    /// objective is that nothing is, the second that the multipliers are cheap.
    fn solve<N: Word>(&self) -> Option<Combined<K>> {
        let columns = self.columns.len();
        let (entries, flipped) = self.entries::<N>()?;
        let mut dictionary = Dictionary::new(columns + 1, entries, 2);
        let missing = dictionary.rows();
        while !dictionary.right(missing).is_zero() {
            match dictionary.step(missing, columns, PivotRule::Largest)? {
                Step::Taken => {}
                Step::Optimal => return Some(self.separation(&dictionary, &flipped)),
                Step::Unbounded => unreachable!("less than nothing is never missing"),
            }
        }
        dictionary.drive_out(columns)?;
        loop {
            match dictionary.step(missing + 1, columns, PivotRule::Largest)? {
                Step::Taken => {}
                Step::Optimal => return combination(&dictionary, columns),
                Step::Unbounded => unreachable!("no cost is negative"),
            }
        }
    }

    /// The dictionary at the start, and which rows were multiplied by -1 so that no right side is
    /// negative.
    fn entries<N: Word>(&self) -> Option<(Vec<N>, Vec<bool>)> {
        let (rows, width) = (self.places.len(), self.columns.len() + 1);
        let mut entries = vec![N::zero(); (rows + 2) * width];
        let vectors = self.columns.iter().map(|column| &column.0).chain([self.goal]);
        for (column, vector) in vectors.enumerate() {
            for (place, entry) in vector {
                let row = self.places.binary_search(place).expect("all places are known");
                entries[row * width + column] = N::of(entry)?;
            }
        }
        let (matrix, objectives) = entries.split_at_mut(rows * width);
        let (missing, costs) = objectives.split_at_mut(width);
        let mut flipped = vec![];
        for row in matrix.chunks_exact_mut(width) {
            let flip = row[width - 1].is_negative();
            for (entry, missing) in row.iter_mut().zip(&mut *missing) {
                if flip {
                    *entry = entry.negated()?;
                }
                *missing = missing.checked_sub(entry)?;
            }
            flipped.push(flip);
        }
        for (entry, (_, cost)) in costs.iter_mut().zip(self.columns) {
            *entry = N::of(cost)?;
        }
        Some((entries, flipped))
    }

    /// From the multipliers of the rows, which are the prices of the artificial variables.
    fn separation<N: Word>(&self, dictionary: &Dictionary<N>, flipped: &[bool]) -> Combined<K> {
        let denominator: BigInt = dictionary.denominator().clone().into();
        let mut duals = vec![denominator.clone(); self.places.len()];
        for (variable, price) in dictionary.prices(dictionary.rows()) {
            if let Some(row) = variable.checked_sub(self.columns.len()) {
                duals[row] -= price.clone().into();
            }
        }
        let value = |(dual, flipped): (BigInt, &bool)| {
            BigRational::new(if *flipped { dual } else { -dual }, denominator.clone())
        };
        let values = duals.into_iter().zip(flipped).map(value);
        Combined::Separation(self.places.iter().copied().zip(values).collect())
    }
}

/// None: a multiplier does not fit.
fn combination<N: Word, K>(dictionary: &Dictionary<N>, columns: usize) -> Option<Combined<K>> {
    let mut chosen: Vec<_> =
        dictionary.point().filter(|(column, n)| *column < columns && !n.is_zero()).collect();
    chosen.sort_unstable();
    let denominator = dictionary.denominator();
    let common = chosen.iter().fold(denominator.clone(), |common, (_, n)| common.gcd(n));
    let reduced = |number: &N| (number.clone() / &common).to_i128();
    let multipliers =
        chosen.iter().map(|(column, n)| Some((*column, reduced(n)?))).collect::<Option<_>>()?;
    Some(Combined::Combination { denominator: reduced(denominator)?, multipliers })
}
