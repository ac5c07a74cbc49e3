//! What is known of a table while predictions may have a density, and the budget of exact work.

use std::sync::atomic::{AtomicU64, Ordering};

use truecal::{AnyLevels, Forecasts, Prediction, TableTooLarge};

use super::PenaltyError;

/// What is known of a prediction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Slot {
    /// All.
    At(Prediction),
    /// It is p*, uniform between these ends before the outcome is known.
    Within(Prediction, Prediction),
}

/// Rounds with predictions at the same place, and the ones among them.
pub(super) type Entry = (Slot, u64, u64);

/// The level table of predictions that are known.
pub(super) fn levels(table: &[Entry]) -> Result<AnyLevels, TableTooLarge> {
    let mut forecasts = Forecasts::new();
    for (place, count, ones) in table {
        let Slot::At(prediction) = place else { unreachable!("what has a density is integrated") };
        forecasts.push_level(prediction.clone(), *count, *ones).expect("ones are among the rounds");
    }
    forecasts.levels()
}

/// The steps that may be taken, and those that were.
pub(super) struct Budget {
    pub steps: u64,
    /// In sixteenths.
    taken: AtomicU64,
}

impl Budget {
    pub fn new(steps: u64) -> Budget {
        Budget { steps, taken: AtomicU64::new(0) }
    }

    /// Counts sixteenths of a step; fails when they are too many.
    pub fn spend(&self, sixteenths: u64) -> Result<(), PenaltyError> {
        let before = self.taken.fetch_add(sixteenths, Ordering::Relaxed);
        self.admit(before.saturating_add(sixteenths))
    }

    /// Fails if so many sixteenths would be too many.
    pub fn admit(&self, sixteenths: u64) -> Result<(), PenaltyError> {
        match sixteenths / 16 > self.steps {
            true => Err(PenaltyError::Steps { steps: self.steps }),
            false => Ok(()),
        }
    }
}
