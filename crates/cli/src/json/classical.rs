//! The numbers that other packages print.

use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use truecal::classical::{Bin, BinnedEce, Brier, Classical};
use truecal::nearest_f64;

/// What other packages print, per round.
#[derive(Serialize, JsonSchema)]
pub(super) struct ClassicalNumbers {
    /// The expected calibration error with bins of equal width, which end at their upper edges.
    ece_equal_width: Binned,
    /// The same with bins of about as many rounds each; ties stay together.
    ece_equal_mass: Binned,
    /// The smooth ECE, by a reflected Gaussian kernel as wide as the error that it finds.
    smece: Approximate,
    /// The Brier score and its parts.
    brier: BrierParts,
    /// Minus the mean natural logarithm of the probability given to what happened.
    log_score: Logarithmic,
}

/// A binned error.
#[derive(Serialize, JsonSchema)]
struct Binned {
    /// The value.
    exact: Fraction,
    /// The nearest double.
    value: f64,
    /// The bins that are not empty.
    bins: Vec<BinOf>,
}

/// A bin that is not empty.
#[derive(Serialize, JsonSchema)]
struct BinOf {
    /// Its number, from 0.
    index: usize,
    /// The smallest prediction in it.
    first: f64,
    /// The largest prediction in it.
    last: f64,
    /// Its rounds.
    rounds: u64,
    /// Those among them in which the event happened.
    ones: u64,
    /// The mean of its predictions.
    mean_prediction: f64,
    /// The share of its rounds in which the event happened.
    frequency: f64,
}

/// A number with an error.
#[derive(Serialize, JsonSchema)]
struct Approximate {
    /// The number.
    value: f64,
    /// It is wrong by at most this.
    error: f64,
}

/// The Brier score = miscalibration - discrimination + uncertainty, by isotonic regression.
#[derive(Serialize, JsonSchema)]
struct BrierParts {
    /// The score.
    exact: Fraction,
    /// The nearest double, as of the parts.
    value: f64,
    /// What the best increasing correction of the predictions would gain.
    miscalibration: f64,
    /// What the corrected predictions gain over the mean outcome.
    discrimination: f64,
    /// The score of the mean outcome.
    uncertainty: f64,
}

/// The logarithmic score.
#[derive(Serialize, JsonSchema)]
struct Logarithmic {
    /// The score; null if it is infinite.
    value: Option<f64>,
    /// It is at least this.
    low: Option<f64>,
    /// It is at most this.
    high: Option<f64>,
    /// In how many rounds what was called certain did not happen.
    impossible_rounds: u64,
}

impl From<&Classical> for ClassicalNumbers {
    fn from(classical: &Classical) -> Self {
        let Classical { equal_width, equal_mass, brier, log_score, sm_ece } = classical;
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        ClassicalNumbers {
            ece_equal_width: equal_width.into(),
            ece_equal_mass: equal_mass.into(),
            smece: Approximate { value: sm_ece.value, error: sm_ece.error },
            brier: brier.into(),
            log_score: Logarithmic {
                value: finite(log_score.value),
                low: finite(log_score.low),
                high: finite(log_score.high),
                impossible_rounds: log_score.impossible,
            },
        }
    }
}

impl From<&BinnedEce> for Binned {
    fn from(ece: &BinnedEce) -> Self {
        Binned {
            exact: (&ece.value).into(),
            value: nearest_f64(&ece.value),
            bins: ece.bins.iter().map(BinOf::from).collect(),
        }
    }
}

impl From<&Bin> for BinOf {
    fn from(bin: &Bin) -> Self {
        BinOf {
            index: bin.index,
            first: nearest_f64(&bin.first),
            last: nearest_f64(&bin.last),
            rounds: bin.count,
            ones: bin.ones,
            mean_prediction: nearest_f64(&bin.mean()),
            frequency: nearest_f64(&bin.frequency()),
        }
    }
}

impl From<&Brier> for BrierParts {
    fn from(brier: &Brier) -> Self {
        BrierParts {
            exact: (&brier.score).into(),
            value: nearest_f64(&brier.score),
            miscalibration: nearest_f64(&brier.miscalibration),
            discrimination: nearest_f64(&brier.discrimination),
            uncertainty: nearest_f64(&brier.uncertainty),
        }
    }
}
