//! Linear programmes in exact arithmetic.
//!
//! Whatever the pivoting does, a [`LinearOptimum`] is returned only after its own proof was
//! checked: a feasible point and feasible multipliers with the same value (weak duality). So the
//! pivoting is untrusted.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Maximise c·x subject to A x <= b and x >= 0, with b >= 0 so that x = 0 is a feasible start.
#[derive(Clone, Debug)]
pub struct LinearProgramme {
    gains: Vec<BigRational>,
    rows: Vec<(Vec<BigRational>, BigRational)>,
}

/// The solution of a [`LinearProgramme`] and its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearOptimum {
    /// The largest value.
    pub value: BigRational,
    /// A feasible point that attains it.
    pub point: Vec<BigRational>,
    /// One multiplier >= 0 for each row, in the order they were added: the combination of rows
    /// bounds c·x by `value` for every feasible x.
    pub multipliers: Vec<BigRational>,
}

impl LinearProgramme {
    /// A programme in this many variables, with nothing to gain and no rows.
    pub fn new(variables: usize) -> Self {
        LinearProgramme { gains: vec![BigRational::zero(); variables], rows: Vec::new() }
    }

    /// Adds to the coefficient of a variable in c.
    pub fn gain(&mut self, variable: usize, amount: &BigRational) {
        self.gains[variable] += amount;
    }

    /// Adds the row Σ coefficient · variable <= bound. Panics if the bound is negative.
    pub fn at_most(&mut self, terms: &[(usize, BigRational)], bound: BigRational) {
        assert!(!bound.is_negative(), "the origin must be feasible");
        let mut row = vec![BigRational::zero(); self.gains.len()];
        for (variable, coefficient) in terms {
            row[*variable] += coefficient;
        }
        self.rows.push((row, bound));
    }

    /// The optimum. Panics if the programme is unbounded.
    ///
    /// ```
    /// use num_rational::BigRational;
    /// use truecal::definitions::LinearProgramme;
    /// let r = |text: &str| text.parse::<BigRational>().expect("a rational");
    /// // Maximise 3x + 2y with x + y <= 4 and 2x + y <= 5.
    /// let mut programme = LinearProgramme::new(2);
    /// programme.gain(0, &r("3"));
    /// programme.gain(1, &r("2"));
    /// programme.at_most(&[(0, r("1")), (1, r("1"))], r("4"));
    /// programme.at_most(&[(0, r("2")), (1, r("1"))], r("5"));
    /// let optimum = programme.maximise();
    /// assert_eq!(optimum.value, r("9"));
    /// assert_eq!(optimum.point, [r("1"), r("3")]);
    /// assert_eq!(optimum.multipliers, [r("1"), r("1")]);
    /// ```
    pub fn maximise(&self) -> LinearOptimum {
        let mut dictionary = Dictionary::new(self);
        while let Some((row, column)) = dictionary.entering_and_leaving() {
            dictionary.pivot(row, column);
        }
        let optimum = dictionary.solution(self);
        assert!(self.proves(&optimum), "the simplex method returned a wrong optimum");
        optimum
    }

    /// Whether point and multipliers are feasible and have the stated value.
    pub fn proves(&self, optimum: &LinearOptimum) -> bool {
        let dot = |a: &[BigRational], b: &[BigRational]| -> BigRational {
            a.iter().zip(b).filter(|(a, b)| !a.is_zero() && !b.is_zero()).map(|(a, b)| a * b).sum()
        };
        let no_negative = |numbers: &[BigRational]| !numbers.iter().any(|n| n.is_negative());
        let LinearOptimum { value, point, multipliers } = optimum;
        let bounds: Vec<_> = self.rows.iter().map(|(_, bound)| bound.clone()).collect();
        let column =
            |j: usize| -> Vec<_> { self.rows.iter().map(|(row, _)| row[j].clone()).collect() };
        point.len() == self.gains.len()
            && multipliers.len() == self.rows.len()
            && no_negative(point)
            && no_negative(multipliers)
            && self.rows.iter().all(|(row, bound)| dot(row, point) <= *bound)
            && (0..point.len()).all(|j| dot(&column(j), multipliers) >= self.gains[j])
            && dot(&self.gains, point) == *value
            && dot(&bounds, multipliers) == *value
    }
}

/// The simplex dictionary in integers: every entry over the common `denominator`. Pivoting keeps
/// entries integral (they are minors of the scaled matrix), so no fraction is ever reduced.
///
/// Row i says: basic variable = (last entry - Σ entry · nonbasic variable) / denominator; the last
/// row is the objective. Variables 0.. are the programme's own, the rest the slacks of its rows.
struct Dictionary {
    entries: Vec<Vec<BigInt>>,
    denominator: BigInt,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    /// What each row was multiplied by to make it integral, the objective last.
    scales: Vec<BigInt>,
}

impl Dictionary {
    fn new(programme: &LinearProgramme) -> Self {
        let variables = programme.gains.len();
        let objective: Vec<_> = programme.gains.iter().map(|gain| -gain).collect();
        let rows =
            programme.rows.iter().map(|(row, bound)| [row, std::slice::from_ref(bound)].concat());
        let rows: Vec<Vec<BigRational>> =
            rows.chain([[&objective[..], &[BigRational::zero()]].concat()]).collect();
        let scales: Vec<BigInt> = rows
            .iter()
            .map(|row| row.iter().fold(BigInt::one(), |scale, entry| scale.lcm(entry.denom())))
            .collect();
        let integral = |(row, scale): (&Vec<BigRational>, &BigInt)| -> Vec<BigInt> {
            row.iter().map(|entry| entry.numer() * (scale / entry.denom())).collect()
        };
        Dictionary {
            entries: rows.iter().zip(&scales).map(integral).collect(),
            denominator: BigInt::one(),
            basic: (variables..variables + programme.rows.len()).collect(),
            nonbasic: (0..variables).collect(),
            scales,
        }
    }

    /// The next pivot by Bland's rule, which cannot cycle: the lowest variable that would gain, and
    /// of the rows that stop it first the one with the lowest variable. `None` at the optimum.
    fn entering_and_leaving(&self) -> Option<(usize, usize)> {
        let (objective, rows) = self.entries.split_last().expect("the objective is the last row");
        let gaining = (0..self.nonbasic.len()).filter(|&column| objective[column].is_negative());
        let column = gaining.min_by_key(|&column| self.nonbasic[column])?;
        let last = self.nonbasic.len();
        let stops = (0..rows.len()).filter(|&row| rows[row][column].is_positive());
        let row = stops
            .min_by(|&a, &b| {
                let (left, right) =
                    (&rows[a][last] * &rows[b][column], &rows[b][last] * &rows[a][column]);
                left.cmp(&right).then(self.basic[a].cmp(&self.basic[b]))
            })
            .expect("every programme here is bounded");
        Some((row, column))
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot = self.entries[row][column].clone();
        let pivot_row = self.entries[row].clone();
        for (i, other) in self.entries.iter_mut().enumerate().filter(|(i, _)| *i != row) {
            let factor = other[column].clone();
            for (j, entry) in other.iter_mut().enumerate() {
                *entry = if j == column {
                    -&factor
                } else if factor.is_zero() || pivot_row[j].is_zero() {
                    if entry.is_zero() {
                        continue;
                    }
                    &*entry * &pivot / &self.denominator
                } else {
                    (&*entry * &pivot - &factor * &pivot_row[j]) / &self.denominator
                };
            }
            debug_assert!(i == self.basic.len() || !other[self.nonbasic.len()].is_negative());
        }
        self.entries[row][column] = std::mem::replace(&mut self.denominator, pivot);
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }

    fn solution(&self, programme: &LinearProgramme) -> LinearOptimum {
        let variables = programme.gains.len();
        let (objective, rows) = self.entries.split_last().expect("the objective is the last row");
        let last = self.nonbasic.len();
        // A slack counts in units of its scaled row, and the objective in its own.
        let unit = |variable: usize| match variable.checked_sub(variables) {
            None => BigInt::one(),
            Some(row) => self.scales[row].clone(),
        };
        let objective_scale = self.scales.last().expect("the objective is the last row");
        let mut point = vec![BigRational::zero(); variables];
        for (entries, &variable) in rows.iter().zip(&self.basic) {
            if variable < variables {
                point[variable] = BigRational::new(entries[last].clone(), self.denominator.clone());
            }
        }
        let mut multipliers = vec![BigRational::zero(); programme.rows.len()];
        for (entry, &variable) in objective.iter().zip(&self.nonbasic) {
            if variable >= variables {
                multipliers[variable - variables] =
                    BigRational::new(entry * unit(variable), &self.denominator * objective_scale);
            }
        }
        let value = BigRational::new(objective[last].clone(), &self.denominator * objective_scale);
        LinearOptimum { value, point, multipliers }
    }
}
