//! The sums of a table that aggregated claims speak of.

use std::cell::RefCell;
use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use truecal::AnyLevels;
use truecal::Measure;
use truecal::rational::int;

/// A table with its prefix sums, and where values of measures come from.
pub struct Sums<'a> {
    /// The table.
    pub levels: &'a AnyLevels,
    /// v_j, ascending.
    pub values: Vec<BigRational>,
    /// N_0 = 0, N_1, …: the rounds of the first j levels.
    pub rounds: Vec<BigRational>,
    /// K_0 = 0, K_1, …: their ones.
    pub ones: Vec<BigRational>,
    /// B_0 = 0, B_1, …: their biases.
    pub biases: Vec<BigRational>,
    measure: &'a dyn Fn(Measure) -> BigRational,
    /// The measures that were asked for.
    known: RefCell<BTreeMap<Measure, BigRational>>,
}

impl<'a> Sums<'a> {
    /// The sums of a table. `measure` gives its measures: by their definitions, or by the formulas.
    pub fn new(levels: &'a AnyLevels, measure: &'a dyn Fn(Measure) -> BigRational) -> Self {
        let zero = || vec![BigRational::zero()];
        let (mut values, mut rounds, mut ones, mut biases) = (vec![], zero(), zero(), zero());
        for level in levels.to_rational().table().rows() {
            rounds.push(&rounds[values.len()] + int(level.count));
            ones.push(&ones[values.len()] + int(level.ones));
            let bias = int(level.ones) - int(level.count) * &level.value;
            biases.push(&biases[values.len()] + bias);
            values.push(level.value.clone());
        }
        Sums { levels, values, rounds, ones, biases, measure, known: RefCell::default() }
    }

    /// m
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The value of a measure.
    pub fn measure(&self, measure: Measure) -> BigRational {
        let mut known = self.known.borrow_mut();
        known.entry(measure).or_insert_with(|| (self.measure)(measure)).clone()
    }

    /// The bias of all rounds.
    pub fn total(&self) -> BigRational {
        self.biases[self.len()].clone()
    }

    /// The largest absolute value of some numbers.
    pub fn largest(numbers: impl IntoIterator<Item = BigRational>) -> BigRational {
        numbers.into_iter().map(|number| number.abs()).fold(BigRational::zero(), BigRational::max)
    }
}
