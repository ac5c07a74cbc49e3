//! The usual mistakes in cumulative calibration measures, by name, for tables of where they go
//! wrong.

use super::{levels, sorted};

/// stepCE with the sums read at every row, not at the ends of groups of equal predictions: depends
/// on the order of the rows.
///
/// ```
/// use truecal_benches::naive::{self, mistakes};
/// let half = [0.5; 4]; // right half of the time: 0
/// assert_eq!(naive::step_ce(&[true, true, false, false], &half), 0.0);
/// assert_eq!(mistakes::ties_ignored(&[true, true, false, false], &half), 1.0);
/// assert_eq!(mistakes::ties_ignored(&[true, false, true, false], &half), 0.5);
/// ```
pub fn ties_ignored(outcomes: &[bool], predictions: &[f64]) -> f64 {
    let mut prefix = 0.0;
    sorted(outcomes, predictions).into_iter().fold(0.0, |best, (outcome, prediction)| {
        prefix += f64::from(u8::from(outcome)) - prediction;
        prefix.abs().max(best)
    })
}

/// stepCE with sums in single precision.
pub fn single_precision(outcomes: &[bool], predictions: &[f64]) -> f64 {
    let mut prefix = 0.0_f32;
    at_ends(outcomes, predictions, |outcome, prediction| {
        prefix += f32::from(u8::from(outcome)) - prediction as f32;
        f64::from(prefix)
    })
}

/// stepCE as the difference of two cumulative sums, of outcomes and of predictions: the latter is
/// rounded at the size of the sum, not of the difference.
pub fn two_sums(outcomes: &[bool], predictions: &[f64]) -> f64 {
    let (mut ones, mut expected) = (0.0, 0.0);
    at_ends(outcomes, predictions, |outcome, prediction| {
        ones += f64::from(u8::from(outcome));
        expected += prediction;
        ones - expected
    })
}

/// intervalCE without the 0 that the cumulative sums start from.
///
/// ```
/// use truecal_benches::naive::{self, mistakes};
/// assert_eq!(naive::interval_ce(&[true], &[0.5]), 0.5);
/// assert_eq!(mistakes::start_omitted(&[true], &[0.5]), 0.0);
/// ```
pub fn start_omitted(outcomes: &[bool], predictions: &[f64]) -> f64 {
    let levels = levels(outcomes, predictions);
    let highest = levels.iter().map(|level| level.prefix).reduce(f64::max);
    let lowest = levels.iter().map(|level| level.prefix).reduce(f64::min);
    highest.zip(lowest).map_or(0.0, |(highest, lowest)| highest - lowest)
}

/// The largest magnitude of a running number, read at the ends of groups of equal predictions.
fn at_ends(outcomes: &[bool], predictions: &[f64], mut next: impl FnMut(bool, f64) -> f64) -> f64 {
    let rounds = sorted(outcomes, predictions);
    let mut best = 0.0_f64;
    for (row, &(outcome, prediction)) in rounds.iter().enumerate() {
        let sum = next(outcome, prediction);
        if rounds.get(row + 1).is_none_or(|&(_, following)| following != prediction) {
            best = best.max(sum.abs());
        }
    }
    best
}
