//! What a forecaster pays on average: err(D, A), the expected measure of its forecasts (L368).

mod density;
mod exact;
mod growth;
mod sampled;
mod simplex;
mod sum;
mod table;
#[cfg(test)]
mod tests;

use num_rational::BigRational;
use thiserror::Error;
use truecal::Watch;

use super::forecaster::Forecaster;
use super::nature::Nature;
use crate::enclosure::Enclosure;
use truecal::Measure;
use truecal::TableTooLarge;
use truecal::nearest_f64;
use truecal::rational::int;

pub use exact::exact;
pub use sampled::{SampledPenalty, sample};

/// An expected penalty, and how it is known.
// Exhaustive on purpose: whoever shows a penalty must say how it is known.
#[derive(Clone, Debug)]
pub enum Penalty {
    /// Exactly.
    Exact(BigRational),
    /// Between rigorous bounds: the exact fraction would have too many digits.
    Enclosed(Enclosure),
    /// From random runs.
    Sampled(SampledPenalty),
}

impl Penalty {
    /// The nearest double of the value, or of the middle of what is known.
    pub fn to_f64(&self) -> f64 {
        match self {
            Penalty::Exact(value) => nearest_f64(value),
            Penalty::Enclosed(enclosure) => {
                nearest_f64(&((enclosure.low() + enclosure.high()) / int(2)))
            }
            Penalty::Sampled(sampled) => sampled.mean,
        }
    }

    /// The exact value, where it is known.
    pub fn exact(&self) -> Option<&BigRational> {
        match self {
            Penalty::Exact(value) => Some(value),
            _ => None,
        }
    }
}

/// How to compute a penalty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The most steps of an exact computation: a state that is followed by a round or a
    /// stretch of steady rounds counts as one, a class of subsets in an average over subsets as a
    /// sixteenth, and integrals by their size.
    pub steps: u64,
    /// The random runs to draw where it cannot be exact.
    pub runs: u64,
    /// The seed of these.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { steps: 1 << 20, runs: 2000, seed: 1 }
    }
}

/// Why a penalty is not computed exactly.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PenaltyError {
    /// Predictions that follow a p* with a density, where that is not integrated.
    #[error(
        "the predictions follow a p* that has a density, so that there are infinitely many tables; \
            draw random runs instead (integrals are for truthful forecasts and measures that are \
            piecewise affine)"
    )]
    Continuous,
    /// Beyond [`Effort::steps`].
    #[error("more than {steps} steps; allow more, or draw random runs instead")]
    Steps {
        /// How many were allowed.
        steps: u64,
    },
    /// Predictions without a common denominator of a reasonable size.
    #[error(transparent)]
    Denominator(#[from] TableTooLarge),
}

/// The expected measure, exactly where that takes at most [`Effort::steps`], and otherwise by
/// random runs. Fails if the predictions have no common denominator of a reasonable size.
///
/// ```
/// use truecal::Measure;
/// use truecal_lab::{Blocks, Constant, Effort, Truthful, penalty::penalty};
/// // One event of probability 1/4. Telling the truth costs more than predicting 0.
/// let nature = Blocks::product(["1/4".parse()?]);
/// let truthful = penalty(&nature, &Truthful, Measure::StepCe, &Effort::default())?;
/// let zero = penalty(&nature, &Constant("0".parse()?), Measure::StepCe, &Effort::default())?;
/// assert_eq!(truthful.exact(), Some(&"3/8".parse()?));
/// assert_eq!(zero.exact(), Some(&"1/4".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penalty(
    nature: &dyn Nature,
    forecaster: &dyn Forecaster,
    measure: Measure,
    effort: &Effort,
) -> Result<Penalty, TableTooLarge> {
    penalty_with(nature, forecaster, measure, effort, &Watch::silent())
}

/// The same with progress reports: the runs done.
pub fn penalty_with(
    nature: &dyn Nature,
    forecaster: &dyn Forecaster,
    measure: Measure,
    effort: &Effort,
    watch: &Watch<'_>,
) -> Result<Penalty, TableTooLarge> {
    match exact(nature, forecaster, measure, effort.steps) {
        Ok(penalty) => Ok(penalty),
        Err(PenaltyError::Denominator(error)) => Err(error),
        Err(_) => sample(nature, forecaster, measure, effort.runs, effort.seed, watch)
            .map(Penalty::Sampled),
    }
}
