//! The measures as people usually write them: sort, cumulative sums of doubles, the ends of groups
//! of equal predictions.
//!
//! They are here to be compared with. Each is right up to rounding, has no special treatment of
//! anything, and carries a bound of its error that is proved for every input ([`error_bound`]).
//! [`mistakes`] has the usual wrong versions.
//!
//! All take one outcome and one prediction for each round, in any order, and panic if there are
//! more of one than of the other. Predictions must be in [0, 1]; nothing is promised of the result
//! for others, NaN among them.
//!
//! ```
//! use truecal::Measure;
//! use truecal_benches::naive;
//! // x = (1, 1, 0), p = (0.1, 0.1, 0.7): B = 0, 1.8, 1.1
//! let value = naive::step_ce(&[true, false, true], &[0.1, 0.7, 0.1]);
//! let bound = naive::error_bound(Measure::StepCe, 3).expect("it has a naive version");
//! assert!((value - 1.8).abs() <= 2.0 * bound && bound < 1e-15);
//! ```

#![expect(clippy::float_arithmetic, reason = "what people usually write, to compare with")]

mod bound;
mod majorant;
pub mod mistakes;
mod smooth;
#[cfg(test)]
mod tests;

pub use bound::{MAX_ROUNDS, error_bound};

/// A distinct prediction in the order of predictions.
struct Level {
    value: f64,
    count: f64,
    ones: f64,
    /// The sum of x - p over its rounds.
    bias: f64,
    /// The sum of x - p over all rounds up to its last one.
    prefix: f64,
}

/// The rounds in the order of their predictions; equal predictions stay in the order of the rows.
fn sorted(outcomes: &[bool], predictions: &[f64]) -> Vec<(bool, f64)> {
    assert_eq!(outcomes.len(), predictions.len(), "one outcome and one prediction for each round");
    let mut rounds: Vec<_> = outcomes.iter().copied().zip(predictions.iter().copied()).collect();
    rounds.sort_by(|a, b| a.1.total_cmp(&b.1));
    rounds
}

/// One plain sum over all rounds, read at the ends of groups; and one for each group.
fn levels(outcomes: &[bool], predictions: &[f64]) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let mut prefix = 0.0;
    for (outcome, value) in sorted(outcomes, predictions) {
        let outcome = f64::from(u8::from(outcome));
        let difference = outcome - value;
        prefix += difference;
        match levels.last_mut() {
            Some(level) if level.value == value => {
                level.count += 1.0;
                level.ones += outcome;
                level.bias += difference;
                level.prefix = prefix;
            }
            _ => levels.push(Level { value, count: 1.0, ones: outcome, bias: difference, prefix }),
        }
    }
    levels
}

/// The step calibration error: the largest |cumulative sum|.
pub fn step_ce(outcomes: &[bool], predictions: &[f64]) -> f64 {
    levels(outcomes, predictions).iter().fold(0.0, |best, level| level.prefix.abs().max(best))
}

/// Its sign variant: the largest |bias below a threshold minus bias above it|.
pub fn sign_ce(outcomes: &[bool], predictions: &[f64]) -> f64 {
    let levels = levels(outcomes, predictions);
    let Some(last) = levels.last() else { return 0.0 };
    // A threshold in [0, 1] lies below all predictions only if none is 0, above all only if none is
    // 1.
    let mut best = if levels[0].value > 0.0 { last.prefix.abs() } else { 0.0 };
    let mut before = 0.0;
    for (index, level) in levels.iter().enumerate() {
        best = (before + level.prefix - last.prefix).abs().max(best);
        if index + 1 < levels.len() || level.value < 1.0 {
            best = (2.0 * level.prefix - last.prefix).abs().max(best);
        }
        before = level.prefix;
    }
    best
}

/// The interval calibration error: the range of the cumulative sums, with the 0 that they start
/// from.
pub fn interval_ce(outcomes: &[bool], predictions: &[f64]) -> f64 {
    let (mut lowest, mut highest) = (0.0_f64, 0.0_f64);
    for level in levels(outcomes, predictions) {
        lowest = lowest.min(level.prefix);
        highest = highest.max(level.prefix);
    }
    highest - lowest
}

/// The expected calibration error of the distinct predictions: the sum of |bias|.
pub fn ece(outcomes: &[bool], predictions: &[f64]) -> f64 {
    levels(outcomes, predictions).iter().fold(0.0, |sum, level| sum + level.bias.abs())
}

/// The V-calibration error: twice the largest regret on one side of a threshold, from counts.
pub fn v_cal(outcomes: &[bool], predictions: &[f64]) -> f64 {
    let levels = levels(outcomes, predictions);
    2.0 * corners(&levels).fold(0.0, |best, (_, height)| height.max(best))
}

/// The U-calibration error: four times the least concave majorant of the regrets, over 1/2.
pub fn u_cal(outcomes: &[bool], predictions: &[f64]) -> f64 {
    let levels = levels(outcomes, predictions);
    4.0 * majorant::over_half(corners(&levels))
}

/// The smooth calibration error, by the slopes of the best sum as a function of f at the last
/// level.
///
/// Cost: O(m²) for some inputs of m distinct predictions, O(m log m) for usual ones.
pub fn sm_ce(outcomes: &[bool], predictions: &[f64]) -> f64 {
    smooth::largest_sum(&levels(outcomes, predictions))
}

/// For each prediction the largest limit of max(X_< - α N_<, α N_> - X_>) there.
fn corners(levels: &[Level]) -> impl Iterator<Item = (f64, f64)> {
    let (mut below, mut ones_below) = (0.0, 0.0);
    let (mut above, mut ones_above) = (0.0, 0.0);
    for level in levels {
        above += level.count;
        ones_above += level.ones;
    }
    levels.iter().map(move |level| {
        let alpha = level.value;
        let tied_above = f64::max(ones_below - alpha * below, alpha * above - ones_above);
        below += level.count;
        ones_below += level.ones;
        above -= level.count;
        ones_above -= level.ones;
        let tied_below = f64::max(ones_below - alpha * below, alpha * above - ones_above);
        (alpha, tied_above.max(tied_below))
    })
}
