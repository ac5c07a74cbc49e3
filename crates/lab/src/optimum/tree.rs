//! Natures and forecasters as trees: a number after each past.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use thiserror::Error;

use truecal::Forecasts;
use truecal::Measure;
use truecal::definitions::Round;

/// The most rounds of a tree.
pub const MAX_TREE_ROUNDS: usize = 12;

/// The longest denominator of a probability of nature, in bits.
pub const MAX_NATURE_BITS: u64 = 256;

/// The longest denominator of a prediction, in bits: enough for what is best against such a nature,
/// and a common denominator of [`MAX_TREE_ROUNDS`] of them is below
/// [`MAX_UNIT_BITS`](truecal::MAX_UNIT_BITS).
pub const MAX_FORECAST_BITS: u64 = 4096;

/// A nature that is not smoothed: the probability of an event in the next round, after each past.
///
/// Pasts stand in order of length and then as binary numbers: none, 0, 1, 00, 01, 10, 11, …
///
/// ```
/// use truecal::Measure;
/// use truecal_lab::optimum::{OutcomeTree, TreeForecaster};
/// let nature = OutcomeTree::product(&["1/4".parse()?])?;
/// let truth = TreeForecaster::truthful(&nature);
/// assert_eq!(nature.penalty(&truth, Measure::StepCeSub), "3/16".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeTree(Tree);

/// A forecaster: the prediction after each past, in the same order. (A randomised one is a mixture
/// of such, and does no better than the best of them.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeForecaster(Tree);

/// A number after each past of fewer than so many rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tree {
    rounds: usize,
    numbers: Vec<BigRational>,
}

/// Why numbers make no tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TreeError {
    /// No rounds, or too many.
    #[error("{rounds} rounds; a tree has 1 to {MAX_TREE_ROUNDS}")]
    Rounds {
        /// How many.
        rounds: usize,
    },
    /// A number is not a probability.
    #[error("{number} {} is not a probability; give a number in [0, 1]", after(.past))]
    Range {
        /// The outcomes before.
        past: Vec<bool>,
        /// What stands there.
        number: BigRational,
    },
    /// A denominator is too long.
    #[error("the number {} has a denominator of more than {bits} bits; shorten it", after(.past))]
    TooLong {
        /// The outcomes before.
        past: Vec<bool>,
        /// How many it may have.
        bits: u64,
    },
}

/// `in round 1` or `after 01`.
fn after(past: &[bool]) -> String {
    match past {
        [] => "in round 1".to_owned(),
        past => format!("after {}", digits(past)),
    }
}

/// `011`
pub fn digits(outcomes: &[bool]) -> String {
    outcomes.iter().map(|x| if *x { '1' } else { '0' }).collect()
}

/// Every vector of so many outcomes, as binary numbers ascend.
pub fn outcomes(rounds: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1_u64 << rounds).map(move |bits| (0..rounds).rev().map(|t| bits >> t & 1 == 1).collect())
}

/// The place of a past among all: its binary number after a leading 1, less 1.
fn place(past: &[bool]) -> usize {
    past.iter().fold(1, |code, x| 2 * code + usize::from(*x)) - 1
}

impl Tree {
    fn new(
        rounds: usize,
        bits: u64,
        mut number: impl FnMut(&[bool]) -> BigRational,
    ) -> Result<Self, TreeError> {
        if !(1..=MAX_TREE_ROUNDS).contains(&rounds) {
            return Err(TreeError::Rounds { rounds });
        }
        let mut numbers = Vec::with_capacity((1 << rounds) - 1);
        for past in (0..rounds).flat_map(outcomes) {
            let number = number(&past);
            if number.is_negative() || number > BigRational::one() {
                return Err(TreeError::Range { past, number });
            }
            if number.denom().bits() > bits {
                return Err(TreeError::TooLong { past, bits });
            }
            numbers.push(number);
        }
        Ok(Tree { rounds, numbers })
    }

    fn at(&self, past: &[bool]) -> &BigRational {
        assert!(past.len() < self.rounds, "a past is shorter than the game");
        &self.numbers[place(past)]
    }
}

impl OutcomeTree {
    /// The nature with these probabilities of an event after each past.
    pub fn new(
        rounds: usize,
        probability: impl FnMut(&[bool]) -> BigRational,
    ) -> Result<Self, TreeError> {
        Tree::new(rounds, MAX_NATURE_BITS, probability).map(OutcomeTree)
    }

    /// Independent rounds with these probabilities.
    pub fn product(probabilities: &[BigRational]) -> Result<Self, TreeError> {
        OutcomeTree::new(probabilities.len(), |past| probabilities[past.len()].clone())
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> usize {
        self.0.rounds
    }

    /// The probability of an event after these outcomes. Panics if they are T or more.
    pub fn probability(&self, past: &[bool]) -> &BigRational {
        self.0.at(past)
    }

    /// The probability of each round, if they are independent.
    pub fn independent(&self) -> Option<Vec<BigRational>> {
        let first: Vec<_> = (0..self.rounds()).map(|t| self.0.at(&vec![false; t])).collect();
        let same = |t: usize| outcomes(t).all(|past| self.0.at(&past).eq(first[t]));
        (0..self.rounds()).all(same).then(|| first.into_iter().cloned().collect())
    }

    /// The probability that outcomes begin with these.
    pub fn chance(&self, outcomes: &[bool]) -> BigRational {
        let step = |t: usize| {
            let p = self.0.at(&outcomes[..t]);
            if outcomes[t] { p.clone() } else { BigRational::one() - p }
        };
        (0..outcomes.len()).map(step).product()
    }

    /// Every vector of outcomes with its probability.
    pub fn law(&self) -> impl Iterator<Item = (Vec<bool>, BigRational)> {
        outcomes(self.rounds()).map(|x| {
            let chance = self.chance(&x);
            (x, chance)
        })
    }

    /// E Σ p*_t (1 - p*_t), which for independent rounds is the sum itself.
    pub fn variance(&self) -> BigRational {
        let part = |past: Vec<bool>| {
            let p = self.0.at(&past);
            self.chance(&past) * p * (BigRational::one() - p)
        };
        (0..self.rounds()).flat_map(outcomes).map(part).sum()
    }

    /// err: the expected value of a measure, by its formula. Panics if the forecaster is for other
    /// rounds.
    pub fn penalty(&self, forecaster: &TreeForecaster, measure: Measure) -> BigRational {
        assert_eq!(self.rounds(), forecaster.rounds(), "a forecaster of other rounds");
        let possible = self.law().filter(|(_, chance)| !chance.is_zero());
        let value = |(x, chance): (Vec<bool>, BigRational)| {
            let forecasts = Forecasts::from_pairs(forecaster.against(&x)).expect("probabilities");
            forecasts.levels().expect("short denominators").evaluate(measure).value * chance
        };
        possible.map(value).sum()
    }
}

impl TreeForecaster {
    /// The forecaster with these predictions after each past.
    pub fn new(
        rounds: usize,
        prediction: impl FnMut(&[bool]) -> BigRational,
    ) -> Result<Self, TreeError> {
        Tree::new(rounds, MAX_FORECAST_BITS, prediction).map(TreeForecaster)
    }

    /// The forecaster that says what nature does.
    pub fn truthful(nature: &OutcomeTree) -> Self {
        TreeForecaster(nature.0.clone())
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> usize {
        self.0.rounds
    }

    /// The prediction after these outcomes. Panics if they are T or more.
    pub fn prediction(&self, past: &[bool]) -> &BigRational {
        self.0.at(past)
    }

    /// The rounds if outcomes are these.
    pub fn against(&self, outcomes: &[bool]) -> Vec<Round> {
        let round = |t: usize| (outcomes[t], self.0.at(&outcomes[..t]).clone());
        (0..outcomes.len()).map(round).collect()
    }
}
