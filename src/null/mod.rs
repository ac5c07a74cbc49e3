//! Is it more than noise? What a measure would be if the forecaster were truthful.
//!
//! A truthful forecaster predicts the probability of each outcome. Its measures are not 0 all the
//! same, because outcomes are random: drawn with the predictions as probabilities, they give each
//! measure a distribution, the *null distribution*, and only what stands out from that is evidence
//! against the forecasts. [`AnyLevels::null`] draws replicates of the outcomes, exactly
//! (`outcomes.rs`), evaluates every measure on each, exactly, and compares with the value observed.
//!
//! Replicates are drawn in groups of 64 (`group.rs`), a bit of a word for each. Some measures are
//! found from bounds on blocks of levels (`blocks.rs`, `values.rs`), the others by their formulas
//! (`columns.rs`).
//!
//! For stepCE and intervalCE there is a limit distribution ([`brownian`]), whose tails keep their
//! digits where doubles are 0 ([`PValue`], `tail.rs`); [`holm()`] adjusts several p-values at once.

mod blocks;
pub mod brownian;
mod columns;
mod curves;
mod edge;
mod extremes;
mod group;
mod holm;
mod lanes;
mod outcomes;
mod p_value;
mod replicates;
#[cfg(test)]
mod same_tests;
mod summary;
mod tail;
#[cfg(test)]
mod tests;
mod values;

use num_rational::BigRational;

use crate::any_levels::{AnyLevels, at_any_width};
use crate::levels::Level;
use crate::measure::Measure;
use crate::number::Number;
use crate::watch::Watch;

pub use holm::{Adjustable, holm};
pub use p_value::PValue;

pub(crate) use summary::{monte_carlo, share_error};

/// Whether the distribution of a measure has a known limit, so that there is an asymptotic p-value.
pub fn has_limit(measure: Measure) -> bool {
    measure.description().limit.is_some()
}

/// The p-value of a value in the limit of large variance, with its digits however small it is: see
/// [`Null::asymptotic`].
///
/// ```
/// use truecal::{Measure, null::asymptotic, rational::{int, ratio}};
/// // Fifty standard deviations: 4 Q(50).
/// let tiny = asymptotic(Measure::StepCe, &int(25), &ratio(1, 4)).expect("there is variance");
/// assert_eq!((tiny.to_string(), tiny.to_f64()), ("4.32e-545".to_owned(), 0.0));
/// assert_eq!(asymptotic(Measure::Ece, &int(25), &ratio(1, 4)), None);
/// ```
pub fn asymptotic(
    measure: Measure,
    observed: &BigRational,
    variance: &BigRational,
) -> Option<PValue> {
    summary::p_value_in_the_limit(measure, observed, variance)
}

/// The same as a double: see [`Null::asymptotic_p_value`].
pub fn asymptotic_p_value(
    measure: Measure,
    observed: &BigRational,
    variance: &BigRational,
) -> Option<f64> {
    asymptotic(measure, observed, variance).map(PValue::to_f64)
}

/// The most replicates: a p-value of 1e-7 is within reach, and the values of all measures fit in
/// the memory of a usual machine.
pub const MAX_REPLICATES: u64 = 10_000_000;

/// What to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NullOptions {
    /// The number N of replicates.
    pub replicates: u64,
    /// The seed. Replicates come in groups of 64, and group g has the random stream g of it, so
    /// that a larger N continues a smaller one.
    pub seed: u64,
}

impl Default for NullOptions {
    fn default() -> Self {
        NullOptions { replicates: 1000, seed: 1 }
    }
}

/// A measure beside its null distribution, from N replicates.
#[derive(Clone, Debug, PartialEq)]
pub struct Null {
    /// What was measured.
    pub measure: Measure,
    /// N.
    pub replicates: u64,
    /// The seed.
    pub seed: u64,
    /// The value on the outcomes that happened.
    pub observed: BigRational,
    /// The mean of the replicates. Added up exactly and rounded once (for UCal and the subsampled
    /// measures, whose fractions have no common denominator, added up with 64 bits more than their
    /// digits need).
    pub mean: f64,
    /// The standard error of the mean, s/√N with the sample variance s²; `None` if N = 1.
    pub mean_standard_error: Option<f64>,
    /// The 95th percentile: the ⌈0.95 N⌉-th smallest replicate, which is the least value that at
    /// least 95 % of them do not exceed. Exact.
    pub percentile_95: BigRational,
    /// How many replicates are at least as large as the value observed; equality is decided
    /// exactly.
    pub at_least: u64,
    /// For stepCE and intervalCE, the p-value in the limit of large variance: the probability that
    /// the maximum of |W|, or the range of W, of a [Brownian motion](brownian) on [0, 1] exceeds
    /// value/σ with σ² = Σ p(1-p). `None` for other measures, and if σ = 0. Its relative error is
    /// at most 10^-13, however small it is.
    pub asymptotic: Option<PValue>,
    /// The same as a double, which is 0 where no double is as small.
    pub asymptotic_p_value: Option<f64>,
}

impl Null {
    /// The Monte Carlo p-value (1 + at_least)/(N + 1), exactly.
    ///
    /// The 1 is the value observed itself. If the forecaster is truthful, it is one of N + 1
    /// exchangeable values, and the probability that at most a share α of them are as large or
    /// larger is at most α: the p-value is valid for every N, and it is never 0.
    pub fn p_value(&self) -> BigRational {
        monte_carlo(self.at_least, self.replicates)
    }

    /// The standard error √(p(1-p)/N) of the p-value p.
    pub fn p_value_standard_error(&self) -> f64 {
        share_error(&self.p_value(), self.replicates)
    }
}

impl AnyLevels {
    /// The variance of the number of events, if outcomes are drawn with the predictions as
    /// probabilities: Σ p(1 - p), exactly.
    ///
    /// ```
    /// use truecal::{Forecasts, rational::ratio};
    /// let levels = Forecasts::from_pairs([(true, "0.5"), (false, "0.1")])?.levels()?;
    /// assert_eq!(levels.variance(), ratio(25 + 9, 100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn variance(&self) -> BigRational {
        at_any_width!(&self.0, levels => summary::variance(levels.table()))
    }

    /// The rounds whose outcome was given the probability 0: an event that was ruled out, or the
    /// lack of one that was called certain. No truthful forecaster has any.
    ///
    /// ```
    /// use truecal::Forecasts;
    /// let levels = Forecasts::from_pairs([(true, "0"), (true, "1"), (true, "0.1")])?.levels()?;
    /// assert_eq!(levels.impossible(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn impossible(&self) -> u64 {
        let at = |value: u64| BigRational::from_count(value);
        let (certain, happened) = self.between(&at(1), &at(1));
        self.between(&at(0), &at(0)).1 + (certain - happened)
    }

    /// The null distribution of measures: what they would be for these predictions if the
    /// forecaster were truthful. All measures are evaluated on the same replicates, and the watch
    /// is told of them. Panics if the number of replicates is 0.
    ///
    /// The same for any number of threads. Cost: 8.5 random words for each round and 64 replicates
    /// (of a level of many rounds, 2 random bits for each round and replicate), and the measures;
    /// for stepCE, intervalCE, VCal and UCal that is about as much again, since bounds for 64
    /// replicates at once tell which levels matter. Each thread has a word for each round. The
    /// subsampled measures can take very long: ask [`null_cost`](Self::null_cost) first.
    ///
    /// ```
    /// use truecal::{Forecasts, Measure, Watch, null::NullOptions};
    /// // Seven tenths of a thousand events, predicted with 6/10: |700 - 600| in all.
    /// let mut forecasts = Forecasts::new();
    /// forecasts.push_level("0.6".parse()?, 1000, 700)?;
    /// let options = NullOptions { replicates: 999, seed: 1 };
    /// let nulls = forecasts.levels()?.null(&[Measure::StepCe], &options, &Watch::silent());
    /// // A truthful forecaster would be off by √(1000 · 0.24 · 2/π) = 12.4 on average, and never
    /// // by 100 in 999 tries.
    /// assert!((nulls[0].mean - 12.4).abs() < 1.0);
    /// assert_eq!(nulls[0].p_value(), "1/1000".parse()?);
    /// assert!(nulls[0].asymptotic_p_value.expect("there is variance") < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn null(
        &self,
        measures: &[Measure],
        options: &NullOptions,
        watch: &Watch<'_>,
    ) -> Vec<Null> {
        at_any_width!(&self.0, levels => replicates::run(self, levels, measures, options, watch))
    }

    /// What [`null`](Self::null) costs for a subsampled measure: the replicates times the
    /// [`cost`](Self::cost) of the table of these predictions that has most classes of subsets; 0
    /// for the others, `None` beyond 128 bits.
    pub fn null_cost(&self, measure: Measure, replicates: u64) -> Option<u128> {
        self.evenly().cost(measure)?.checked_mul(u128::from(replicates))
    }

    /// The table of these predictions with as many zeros as ones on each level where that is
    /// possible.
    fn evenly(&self) -> AnyLevels {
        let mut even = self.clone();
        at_any_width!(&mut even.0, levels => {
            levels.set_ones(|_, level, unit| most_even(level, unit));
        });
        even
    }
}

/// Half of the rounds of a level, or what is certain.
fn most_even<N: Number>(level: &Level<N>, unit: &N) -> u64 {
    if level.value == *unit {
        level.count
    } else if level.value == N::zero() {
        0
    } else {
        level.count / 2
    }
}
