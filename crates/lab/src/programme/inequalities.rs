//! The largest value of a linear function where some others are bounded.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use truecal::rational::common_denominator;

use super::dictionary::{Dictionary, PivotRule, Step};
use super::word::{Coefficient, Word};

/// Maximise gains·x subject to rows·x <= bounds and x >= 0, where no bound is negative.
#[derive(Clone, Debug)]
pub struct Programme<E> {
    /// One for each variable.
    pub gains: Vec<BigRational>,
    /// An entry for each variable, and the bound.
    pub rows: Vec<(Vec<E>, BigRational)>,
}

/// A maximum and its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The largest value.
    pub value: BigRational,
    /// Where it is attained.
    pub point: Vec<BigRational>,
    /// One >= 0 for each row: the combination of rows shows that nothing is larger.
    pub multipliers: Vec<BigRational>,
}

/// Value, point and multipliers over a common denominator.
pub(super) struct Found {
    value: BigInt,
    point: Vec<BigInt>,
    multipliers: Vec<BigInt>,
    denominator: BigInt,
}

impl<E: Coefficient> Programme<E> {
    /// The maximum. None: there is none, as the values have no bound. Panics if a bound is
    /// negative.
    ///
    /// ```
    /// use truecal::rational::int;
    /// use truecal_lab::programme::{Programme, PivotRule};
    /// // Maximise 3x + 2y with x + y <= 4 and 2x + y <= 5.
    /// let rows = vec![(vec![1, 1], int(4)), (vec![2, 1], int(5))];
    /// let programme = Programme { gains: vec![int(3), int(2)], rows };
    /// let solution = programme.maximise(PivotRule::Largest).expect("a maximum");
    /// assert_eq!(solution.value, int(9));
    /// assert_eq!(solution.point, [int(1), int(3)]);
    /// assert_eq!(solution.multipliers, [int(1), int(1)]);
    /// ```
    pub fn maximise(&self, rule: PivotRule) -> Option<Solution> {
        let feasible = self.rows.iter().all(|(_, bound)| !bound.is_negative());
        assert!(feasible, "the origin must be feasible");
        // In these units everything is integral, and the matrix stays as it is.
        let gain_unit = common_denominator(&self.gains);
        let bound_unit = common_denominator(self.rows.iter().map(|(_, bound)| bound));
        let integral = |n: &BigRational, unit: &BigInt| n.numer() * (unit / n.denom());
        let gains: Vec<_> = self.gains.iter().map(|gain| integral(gain, &gain_unit)).collect();
        let bounds: Vec<_> = self.rows.iter().map(|row| integral(&row.1, &bound_unit)).collect();
        let found = self
            .solve::<i64>(&gains, &bounds, rule)
            .or_else(|| self.solve::<i128>(&gains, &bounds, rule))
            .or_else(|| self.solve::<BigInt>(&gains, &bounds, rule))
            .expect("big integers fit")?;
        Some(found.over(&gain_unit, &bound_unit))
    }

    /// None: a number does not fit. Some(None): there is no maximum.
    fn solve<N: Word>(
        &self,
        gains: &[BigInt],
        bounds: &[BigInt],
        rule: PivotRule,
    ) -> Option<Option<Found>> {
        let width = gains.len() + 1;
        let mut entries = Vec::with_capacity((self.rows.len() + 1) * width);
        for ((row, _), bound) in self.rows.iter().zip(bounds) {
            assert_eq!(row.len(), gains.len(), "an entry for each variable");
            for entry in row {
                entries.push(N::of(entry)?);
            }
            entries.push(N::of(bound)?);
        }
        for gain in gains {
            entries.push(N::of(gain)?.negated()?);
        }
        entries.push(N::zero());
        let mut dictionary = Dictionary::new(width, entries, 1);
        let (objective, all) = (dictionary.rows(), gains.len() + self.rows.len());
        loop {
            match dictionary.step(objective, all, rule)? {
                Step::Taken => {}
                Step::Optimal => return Some(Some(Found::at(&dictionary, gains.len()))),
                Step::Unbounded => return Some(None),
            }
        }
    }
}

impl Found {
    pub fn at<N: Word>(dictionary: &Dictionary<N>, variables: usize) -> Found {
        let mut point = vec![BigInt::zero(); variables];
        for (variable, value) in dictionary.point().filter(|(variable, _)| *variable < variables) {
            point[variable] = value.clone().into();
        }
        let objective = dictionary.rows();
        let mut multipliers = vec![BigInt::zero(); objective];
        for (variable, price) in dictionary.prices(objective) {
            if let Some(row) = variable.checked_sub(variables) {
                multipliers[row] = price.clone().into();
            }
        }
        let value = dictionary.right(objective).clone().into();
        Found { value, point, multipliers, denominator: dictionary.denominator().clone().into() }
    }
    /// In the units that gains and bounds were given in.
    pub fn over(self, gain_unit: &BigInt, bound_unit: &BigInt) -> Solution {
        let over = |unit: &BigInt| {
            let denominator = &self.denominator * unit;
            move |number: BigInt| BigRational::new(number, denominator.clone())
        };
        Solution {
            value: over(&(bound_unit * gain_unit))(self.value),
            point: self.point.into_iter().map(over(bound_unit)).collect(),
            multipliers: self.multipliers.into_iter().map(over(gain_unit)).collect(),
        }
    }
}
