//! Rounds with the predictions of several forecasters, gathered by what was predicted.

use std::collections::HashMap;

use crate::forecasts::{Forecasts, ForecastsError};
use crate::prediction::Prediction;

/// Outcomes, each with the predictions of k forecasters; rounds in which the same was predicted are
/// kept together.
///
/// ```
/// use truecal::paired::PairedForecasts;
/// let mut rounds = PairedForecasts::new(2);
/// rounds.push(true, &["0.3".parse()?, "1/3".parse()?])?;
/// rounds.push_rounds(&["0.3".parse()?, "0.9".parse()?], 10, 7)?;
/// assert_eq!((rounds.rounds(), rounds.forecasters()), (11, 2));
/// // The first forecaster said 0.3 in all of them.
/// assert_eq!(rounds.forecasts(0).expect("one of two").levels()?.len(), 1);
/// assert!(rounds.push(true, &["0.3".parse()?]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedForecasts {
    forecasters: usize,
    /// The rounds, and the ones among them, by the predictions.
    gathered: HashMap<Box<[Prediction]>, (u64, u64)>,
    rounds: u64,
}

impl PairedForecasts {
    /// No rounds yet, of so many forecasters.
    pub fn new(forecasters: usize) -> Self {
        PairedForecasts { forecasters, gathered: HashMap::new(), rounds: 0 }
    }

    /// Adds one round: its outcome, and what each forecaster predicted.
    pub fn push(
        &mut self,
        outcome: bool,
        predictions: &[Prediction],
    ) -> Result<(), ForecastsError> {
        self.push_rounds(predictions, 1, outcome.into())
    }

    /// Adds `count` rounds with the same predictions, `ones` of them with the event. A count of 0
    /// adds nothing.
    pub fn push_rounds(
        &mut self,
        predictions: &[Prediction],
        count: u64,
        ones: u64,
    ) -> Result<(), ForecastsError> {
        if predictions.len() != self.forecasters {
            let (predictions, forecasters) = (predictions.len(), self.forecasters);
            return Err(ForecastsError::Forecasters { predictions, forecasters });
        }
        if ones > count {
            return Err(ForecastsError::Ones { count, ones });
        }
        self.rounds = self.rounds.checked_add(count).ok_or(ForecastsError::Rounds)?;
        if count == 0 {
            return Ok(());
        }
        match self.gathered.get_mut(predictions) {
            Some(tally) => *tally = (tally.0 + count, tally.1 + ones), // at most all rounds
            None => {
                self.gathered.insert(predictions.into(), (count, ones));
            }
        }
        Ok(())
    }

    /// The number k of forecasters.
    pub fn forecasters(&self) -> usize {
        self.forecasters
    }

    /// About the memory that they take, in bytes.
    pub fn bytes(&self) -> u64 {
        // Predictions of usual size, what a table of them keeps free, and the counts.
        let each = self.forecasters * size_of::<Prediction>() + 64;
        self.gathered.len() as u64 * each as u64
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// What one of them predicted, from 0; `None` if there are not so many.
    pub fn forecasts(&self, forecaster: usize) -> Option<Forecasts> {
        let mut forecasts = Forecasts::new();
        for (predictions, count, ones) in self.gathered() {
            let prediction = predictions.get(forecaster)?.clone();
            forecasts.push_level(prediction, count, ones).expect("they were counted before");
        }
        (forecaster < self.forecasters).then_some(forecasts)
    }

    /// The distinct predictions with their rounds and ones, in no order.
    pub(super) fn gathered(&self) -> impl Iterator<Item = (&[Prediction], u64, u64)> {
        self.gathered.iter().map(|(predictions, (count, ones))| (&**predictions, *count, *ones))
    }
}
