//! Is one forecaster better calibrated than another on the same rounds? A permutation test.
//!
//! Under the null hypothesis the two predictions of a round are *exchangeable*: swapping them, in
//! any of the rounds, leaves the joint distribution of everything as it is. Then the difference of
//! a measure between the two is as likely as after swaps by fair coins, and only what stands out
//! from such replicates is evidence against the hypothesis. [`Pair::compare`] draws them, exactly,
//! and compares |M_1 - M_2| with the value observed, exactly.
//!
//! *What it does not say.* Equal calibration is a consequence of exchangeability, not the same. Two
//! forecasters who are calibrated equally well but predict different things, one boldly and one
//! cautiously, are not exchangeable: swaps mix them, and the mixture has a calibration of its own.
//! The p-value keeps its level for exchangeable predictions; beyond that, it says how unusual a
//! difference is among those that swaps make.

mod gap;
mod gather;
mod plan;
mod replicates;
mod tables;
#[cfg(test)]
mod tests;

use num_rational::BigRational;
use thiserror::Error;

use crate::any_levels::{TableTooLarge, at_any_width};
use crate::measure::Measure;
use crate::null::{monte_carlo, share_error};
use crate::watch::Watch;

pub use gather::PairedForecasts;

/// What to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedOptions {
    /// The number N of replicates.
    pub replicates: u64,
    /// The seed. Each replicate has a random stream of its own, so that a larger N continues a
    /// smaller one.
    pub seed: u64,
}

impl Default for PairedOptions {
    fn default() -> Self {
        PairedOptions { replicates: 1000, seed: 1 }
    }
}

/// A measure of two forecasters, and how unusual the difference is if they are exchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paired {
    /// What was measured.
    pub measure: Measure,
    /// Its value for the first forecaster.
    pub first: BigRational,
    /// Its value for the second.
    pub second: BigRational,
    /// `first` less `second`: negative if the first is better calibrated.
    pub difference: BigRational,
    /// N.
    pub replicates: u64,
    /// The seed.
    pub seed: u64,
    /// How many replicates have an absolute difference at least as large as the one observed;
    /// equality is decided exactly.
    pub at_least: u64,
}

impl Paired {
    /// The Monte Carlo p-value (1 + at_least)/(N + 1), exactly, of the absolute difference: it is
    /// two-sided.
    ///
    /// The 1 is the difference observed. If the forecasters are exchangeable, it is one of N + 1
    /// that are: the p-value is valid for every N, and it is never 0.
    pub fn p_value(&self) -> BigRational {
        monte_carlo(self.at_least, self.replicates)
    }

    /// The standard error √(p(1-p)/N) of the p-value p.
    pub fn p_value_standard_error(&self) -> f64 {
        share_error(&self.p_value(), self.replicates)
    }
}

/// Why two forecasters cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PairedError {
    /// There is no such forecaster.
    #[error("there is no forecaster {forecaster} among {forecasters}; they are counted from 0")]
    Forecaster {
        /// The one asked for, from 0.
        forecaster: usize,
        /// How many there are.
        forecasters: usize,
    },
    /// The measure is an average over all subsets of the rounds.
    #[error("{measure} is an average over subsets, which takes too long for every replicate")]
    Average {
        /// What was to be compared.
        measure: Measure,
    },
    /// The predictions of both have no common denominator of a reasonable size.
    #[error(transparent)]
    Denominator(#[from] TableTooLarge),
}

/// Two forecasters of the same rounds, ready to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    plan: plan::Plan,
}

impl PairedForecasts {
    /// Two of the forecasters, from 0. Cost: O(n log n) for n distinct pairs of predictions.
    pub fn pair(&self, first: usize, second: usize) -> Result<Pair, PairedError> {
        let forecasters = self.forecasters();
        if let Some(&forecaster) = [first, second].iter().find(|own| **own >= forecasters) {
            return Err(PairedError::Forecaster { forecaster, forecasters });
        }
        Ok(Pair { plan: plan::Plan::new(self, first, second)? })
    }
}

impl Pair {
    /// Plain measures of both, and the permutation test of each difference. All measures are
    /// evaluated on the same replicates, and the watch is told of them. Panics if the number of
    /// replicates is 0.
    ///
    /// The same for any number of threads, and with the two in the other order but for the sign.
    /// Cost: see [`work`](Self::work).
    ///
    /// ```
    /// use truecal::{Measure, Watch, paired::{PairedForecasts, PairedOptions}};
    /// // Twenty rounds, half of them with the event; one says 0.5 and the other 0.1.
    /// let mut rounds = PairedForecasts::new(2);
    /// rounds.push_rounds(&["0.5".parse()?, "0.1".parse()?], 20, 10)?;
    /// let options = PairedOptions { replicates: 999, seed: 1 };
    /// let pair = rounds.pair(0, 1)?;
    /// let step = &pair.compare(&[Measure::StepCe], &options, &Watch::silent())?[0];
    /// assert_eq!((&step.first, &step.second), (&"0".parse()?, &"8".parse()?));
    /// assert_eq!(step.difference, "-8".parse()?);
    /// // Of all 2^20 ways to swap only two are as far apart.
    /// assert_eq!(step.p_value(), "1/1000".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(
        &self,
        measures: &[Measure],
        options: &PairedOptions,
        watch: &Watch<'_>,
    ) -> Result<Vec<Paired>, PairedError> {
        let average = |measure: &&Measure| measure.subsampled_from().is_some();
        if let Some(&measure) = measures.iter().find(average) {
            return Err(PairedError::Average { measure });
        }
        Ok(at_any_width!(&self.plan.levels.0, levels => {
            replicates::run(&self.plan, levels.table(), measures, options, watch)
        }))
    }

    /// The work of so many replicates, in levels that stepCE looks at: 64 coins count as a level,
    /// so does every place where rounds of the two may be, and a level as eight for smCE.
    pub fn work(&self, measures: &[Measure], replicates: u64) -> u64 {
        let looks: u64 = measures.iter().map(|of| of.description().sampling.looks).sum();
        let plan = &self.plan;
        let coins = plan.counts.iter().map(|count| count / 64 + 1).sum::<u64>()
            + plan.observed.coins.len() as u64;
        let places = plan.seats.len() + plan.slots.len();
        let each = looks.saturating_mul(plan.rows() as u64).saturating_add(places as u64);
        each.saturating_add(coins).saturating_mul(replicates)
    }
}
