//! The classical numbers beside the measures: calibration error with bins, Brier score with its
//! decomposition, logarithmic score, smooth ECE.
//!
//! They are what practitioners expect and other packages print, so they are all *per round*: means,
//! where a [`Measure`](crate::Measure) is a sum. All are 0 without rounds. Those that are rational
//! are exact; the others are doubles with a bound of their error that holds.
//!
//! None of them changes if all counts and ones are multiplied by the same number. So a table may
//! hold fractional weights times a common denominator.
//!
//! ```
//! use truecal::Forecasts;
//! let rounds = [(false, "0.25"), (true, "0.25"), (true, "0.75"), (true, "0.75")];
//! let classical = Forecasts::from_pairs(rounds)?.levels()?.classical(10)?;
//! // Two bins with two rounds each; their biases are 1/2 and 1/2.
//! assert_eq!(classical.equal_width.value, "1/4".parse()?);
//! // (1/16 + 9/16 + 1/16 + 1/16)/4, and the isotonic fit says 1/2 and 1.
//! assert_eq!(classical.brier.score, "3/16".parse()?);
//! assert_eq!(classical.brier.miscalibration, "1/16".parse()?);
//! assert_eq!(classical.brier.discrimination, "1/16".parse()?);
//! assert_eq!(classical.brier.uncertainty, "3/16".parse()?);
//! // -(3 ln 3/4 + ln 1/4)/4
//! assert!((classical.log_score.value - 0.562_335).abs() < 1e-6);
//! // Smoothing takes away nothing where every bias has the same sign.
//! assert!((classical.sm_ece.value - 0.25).abs() <= classical.sm_ece.error);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binned;
mod brier;
mod fourier;
mod isotonic;
mod log_score;
mod real;
mod sm_ece;
#[cfg(test)]
mod tests;

pub use binned::{Bin, BinnedEce, Binning, BinsError, MAX_BINS};
pub use brier::Brier;
pub use isotonic::FitBlock;
pub use log_score::LogScore;
pub use sm_ece::SmEce;

use crate::any_levels::{AnyLevels, at_any_width};

/// All classical numbers of a table, per round.
#[derive(Clone, Debug, PartialEq)]
pub struct Classical {
    /// The calibration error with bins of equal width.
    pub equal_width: BinnedEce,
    /// The calibration error with bins of about as many rounds.
    pub equal_mass: BinnedEce,
    /// The Brier score, decomposed.
    pub brier: Brier,
    /// The logarithmic score.
    pub log_score: LogScore,
    /// The smooth ECE.
    pub sm_ece: SmEce,
}

impl AnyLevels {
    /// All classical numbers, with so many bins.
    ///
    /// Cost: O(m), and what [`sm_ece`](Self::sm_ece) says.
    pub fn classical(&self, bins: usize) -> Result<Classical, BinsError> {
        Ok(Classical {
            equal_width: self.binned_ece(Binning::EqualWidth, bins)?,
            equal_mass: self.binned_ece(Binning::EqualMass, bins)?,
            brier: self.brier(),
            log_score: self.log_score(),
            sm_ece: self.sm_ece(),
        })
    }

    /// The expected calibration error with so many bins, 1 to [`MAX_BINS`], per round.
    ///
    /// Exact. Cost: O(m), and a division for each bin that is not empty.
    ///
    /// ```
    /// use truecal::{Forecasts, classical::Binning};
    /// let rounds = [(true, "0.3"), (false, "0.31"), (true, "1")];
    /// let levels = Forecasts::from_pairs(rounds)?.levels()?;
    /// let ece = levels.binned_ece(Binning::EqualWidth, 10)?;
    /// // 0.3 closes the third bin and 1 the last one.
    /// let places: Vec<_> = ece.bins.iter().map(|bin| bin.index).collect();
    /// assert_eq!(places, [2, 3, 9]);
    /// assert_eq!(ece.value, "101/300".parse()?); // (0.7 + 0.31 + 0)/3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn binned_ece(&self, binning: Binning, bins: usize) -> Result<BinnedEce, BinsError> {
        binned::check_bins(bins)?;
        Ok(at_any_width!(&self.0, levels => binned::binned(levels.table(), binning, bins)))
    }

    /// The Brier score and its decomposition, per round.
    ///
    /// Exact. Cost: O(m), and what it takes to add the fractions of blocks with different counts.
    ///
    /// ```
    /// use truecal::Forecasts;
    /// let levels = Forecasts::from_pairs([(true, "0.1"), (false, "0.9")])?.levels()?;
    /// let brier = levels.brier();
    /// assert_eq!(brier.score, "81/100".parse()?);
    /// // The isotonic fit can do no better than 1/2 for both.
    /// assert_eq!(brier.miscalibration, "14/25".parse()?);
    /// assert_eq!(brier.discrimination, "0".parse()?);
    /// assert_eq!(brier.uncertainty, "1/4".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn brier(&self) -> Brier {
        at_any_width!(&self.0, levels => brier::brier(levels.table()))
    }

    /// The isotonic fit, the recalibration that never lowers a frequency as predictions rise and
    /// has the least Brier score: its blocks, with strictly increasing frequencies.
    ///
    /// Exact. Cost: O(m), by pooling adjacent violators.
    ///
    /// ```
    /// use truecal::Forecasts;
    /// let rounds = [(true, "0.1"), (false, "0.2"), (true, "0.9")];
    /// let fit = Forecasts::from_pairs(rounds)?.levels()?.isotonic_fit();
    /// let ends: Vec<_> = fit.iter().map(|block| block.last.to_string()).collect();
    /// assert_eq!(ends, ["1/5", "9/10"]);
    /// assert_eq!(fit[0].probability(), "1/2".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn isotonic_fit(&self) -> Vec<FitBlock> {
        at_any_width!(&self.0, levels => isotonic::fit(levels.table()))
    }

    /// The mean logarithmic score, between bounds.
    ///
    /// Cost: O(m), one or two logarithms for each level.
    ///
    /// ```
    /// use truecal::Forecasts;
    /// let score = Forecasts::from_pairs([(true, "1/2"), (false, "0")])?.levels()?.log_score();
    /// assert!((score.value - 2_f64.ln() / 2.0).abs() < 1e-15);
    /// let wrong = Forecasts::from_pairs([(true, "1/2"), (true, "0")])?.levels()?.log_score();
    /// assert_eq!((wrong.value, wrong.impossible), (f64::INFINITY, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_score(&self) -> LogScore {
        at_any_width!(&self.0, levels => log_score::log_score(levels.table()))
    }

    /// The smooth ECE, within a stated error.
    ///
    /// Cost: O(m), and some ten Fourier transforms of length O(1/σ) for the value σ.
    ///
    /// ```
    /// use truecal::Forecasts;
    /// // Opposite biases of 0.4 per round each, far apart compared with the result.
    /// let levels = Forecasts::from_pairs([(true, "0.2"), (false, "0.8")])?.levels()?;
    /// let smooth = levels.sm_ece();
    /// assert!(smooth.value > 0.3 && smooth.value < 0.8 && smooth.error < 1e-8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sm_ece(&self) -> SmEce {
        at_any_width!(&self.0, levels => sm_ece::sm_ece(levels.table()))
    }
}
