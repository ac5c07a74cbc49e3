//! Validated forecasts, gathered round by round.

use std::collections::HashMap;

use thiserror::Error;

use crate::any_levels::{AnyLevels, TableTooLarge};
use crate::prediction::{Prediction, PredictionError};

/// (outcome, prediction) pairs, every one of them valid.
///
/// No measure depends on the order of the rounds, so they are kept by distinct prediction: memory
/// grows with the number of distinct predictions, not with the number of rounds.
///
/// ```
/// use truecal::Forecasts;
/// let forecasts = Forecasts::from_pairs([(true, "0.3"), (false, "1/3"), (true, "0.9")])?;
/// let levels = forecasts.levels()?;
/// assert_eq!(levels.rounds(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecasts {
    tally: HashMap<Prediction, Tally>,
    rounds: u64,
    ones: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    count: u64,
    ones: u64,
}

/// Why values are not forecasts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ForecastsError {
    /// One prediction is not a probability.
    #[error("round {round}: {error}")]
    Prediction {
        /// The round, from 0.
        round: usize,
        /// What is wrong with it.
        error: PredictionError,
    },
    /// One outcome is neither 0 nor 1.
    #[error("round {round}: the outcome {value} is neither 0 nor 1")]
    Outcome {
        /// The round, from 0.
        round: usize,
        /// What was given.
        value: String,
    },
    /// The two columns have different lengths.
    #[error(
        "{outcomes} outcomes but {predictions} predictions; there must be one of each per round"
    )]
    Lengths {
        /// The number of outcomes.
        outcomes: usize,
        /// The number of predictions.
        predictions: usize,
    },
    /// A level has more ones than rounds.
    #[error("{ones} ones among {count} rounds; ones are counted among the rounds")]
    Ones {
        /// The rounds.
        count: u64,
        /// The ones.
        ones: u64,
    },
    /// The rounds cannot be counted in 64 bits.
    #[error("more than {} rounds in all", u64::MAX)]
    Rounds,
}

impl ForecastsError {
    /// The same error in the whole of a sequence, of which only the rounds from `start` on were seen.
    pub(crate) fn in_whole(self, start: usize) -> Self {
        match self {
            ForecastsError::Prediction { round, error } => {
                ForecastsError::Prediction { round: start + round, error }
            }
            ForecastsError::Outcome { round, value } => {
                ForecastsError::Outcome { round: start + round, value }
            }
            other => other,
        }
    }
}

impl Forecasts {
    /// No rounds yet.
    pub fn new() -> Self {
        Forecasts::default()
    }

    /// Gathers (outcome, prediction) pairs. Predictions may be rationals ([`BigRational`](num_rational::BigRational),
    /// `Ratio<i64>`, …), doubles (read as the exact dyadics that they are), texts, or
    /// [`Prediction`]s.
    pub fn from_pairs<P>(pairs: impl IntoIterator<Item = (bool, P)>) -> Result<Self, ForecastsError>
    where
        P: TryInto<Prediction>,
        P::Error: Into<PredictionError>,
    {
        let mut forecasts = Forecasts::new();
        for (round, (outcome, prediction)) in pairs.into_iter().enumerate() {
            let prediction = prediction
                .try_into()
                .map_err(|error| ForecastsError::Prediction { round, error: error.into() })?;
            forecasts.push(outcome, prediction)?;
        }
        Ok(forecasts)
    }

    /// Gathers a column of outcomes and a column of predictions of the same length.
    pub fn from_columns<P>(
        outcomes: impl IntoIterator<Item = bool>,
        predictions: impl IntoIterator<Item = P>,
    ) -> Result<Self, ForecastsError>
    where
        P: TryInto<Prediction>,
        P::Error: Into<PredictionError>,
    {
        let outcomes: Vec<bool> = outcomes.into_iter().collect();
        let predictions: Vec<P> = predictions.into_iter().collect();
        if outcomes.len() != predictions.len() {
            let (outcomes, predictions) = (outcomes.len(), predictions.len());
            return Err(ForecastsError::Lengths { outcomes, predictions });
        }
        Forecasts::from_pairs(outcomes.into_iter().zip(predictions))
    }

    /// Adds one round.
    pub fn push(&mut self, outcome: bool, prediction: Prediction) -> Result<(), ForecastsError> {
        self.push_level(prediction, 1, outcome.into())
    }

    /// Adds `count` rounds with the same prediction, `ones` of them with the event. An integer
    /// weight is a count: it equals so many repeated rounds. A count of 0 adds nothing.
    pub fn push_level(
        &mut self,
        prediction: Prediction,
        count: u64,
        ones: u64,
    ) -> Result<(), ForecastsError> {
        if ones > count {
            return Err(ForecastsError::Ones { count, ones });
        }
        self.rounds = self.rounds.checked_add(count).ok_or(ForecastsError::Rounds)?;
        self.ones += ones;
        if count > 0 {
            let tally = self.tally.entry(prediction).or_default();
            tally.count += count;
            tally.ones += ones;
        }
        Ok(())
    }

    /// Adds all rounds of `other`.
    pub fn merge(&mut self, other: &Forecasts) -> Result<(), ForecastsError> {
        for (prediction, tally) in &other.tally {
            self.push_level(prediction.clone(), tally.count, tally.ones)?;
        }
        Ok(())
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of rounds in which the event happened.
    pub fn ones(&self) -> u64 {
        self.ones
    }

    /// The level table, at the narrowest safe width. Cost: O(m log m) for m distinct predictions.
    pub fn levels(&self) -> Result<AnyLevels, TableTooLarge> {
        let tally: Vec<_> =
            self.tally.iter().map(|(p, tally)| (p.clone(), tally.count, tally.ones)).collect();
        AnyLevels::from_tally(&tally, self.rounds)
    }
}

impl From<std::convert::Infallible> for PredictionError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}
