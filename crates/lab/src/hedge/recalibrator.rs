//! Probabilities of a model, recalibrated online: a forecaster for each group of them.
//!
//! A round belongs to a group by what the model predicts in it. Its forecast is drawn by the
//! forecaster of the group, which has seen the earlier rounds of that group and nothing else. With
//! n_g rounds in group g, x_t the outcomes and p_t the forecasts drawn:
//!
//! 1. E stepCE of the rounds of g is at most [`HedgeForecaster::bound`] after n_g rounds. For this
//!    group all else, the other groups and their draws included, is part of the adversary.
//! 2. stepCE of all rounds is at most the sum over the groups of stepCE of their rounds: for every
//!    sign and threshold the sum of σ(x_t - p_t) over all rounds is the sum of those over the
//!    groups, each at most the stepCE of its group.
//! 3. So is the ECE over the groups, the sum over g of |Σ (x_t - p_t) over the rounds of g|: each
//!    term is the bias at the threshold 1 of its group.
//!
//! So the expectations of both are at most the sum of the bounds of the groups. The bound of a
//! group is for a number of rounds that does not depend on what was drawn: outcomes may react to
//! forecasts, what the model predicts may not. Where nobody knows beforehand how many rounds a
//! group gets at most, its forecaster is one that restarts for 1, 2, 4, … rounds.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use num_rational::BigRational;
use truecal::Prediction;
use truecal::Random;

use super::{HedgeError, HedgeForecaster};

/// Which predictions of a model are in a group together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Those in the same of so many intervals of the same width: [0, 1/G), [1/G, 2/G), …, of which
    /// the last contains 1.
    EqualWidth(NonZeroU32),
    /// Those that are equal.
    Distinct,
}

impl Grouping {
    /// Where the group of a prediction starts: the least prediction that can be in it.
    ///
    /// ```
    /// use std::num::NonZeroU32;
    /// use truecal_lab::hedge::Grouping;
    /// let ten = Grouping::EqualWidth(NonZeroU32::new(10).expect("not 0"));
    /// assert_eq!(ten.start(&"0.37".parse()?), "0.3".parse()?);
    /// assert_eq!(ten.start(&"1".parse()?), "0.9".parse()?);
    /// assert_eq!(Grouping::Distinct.start(&"0.37".parse()?), "0.37".parse()?);
    /// # Ok::<(), truecal::PredictionError>(())
    /// ```
    pub fn start(self, prediction: &Prediction) -> Prediction {
        let Grouping::EqualWidth(groups) = self else { return prediction.clone() };
        let groups = u64::from(groups.get());
        let index = match prediction.small() {
            // Below 2^96.
            Some((numerator, denominator)) => {
                let index = u128::from(numerator) * u128::from(groups) / u128::from(denominator);
                u64::try_from(index).expect("a prediction is at most 1")
            }
            None => {
                let scaled = prediction.to_rational() * BigRational::from_integer(groups.into());
                u64::try_from(scaled.to_integer()).expect("a prediction is at most 1")
            }
        };
        let index = index.min(groups - 1);
        Prediction::from_parts(index, groups).expect("one of the groups")
    }
}

/// A forecaster of thm:alg for each group of a model's predictions.
///
/// ```
/// use truecal::{Prediction, Random};
/// use truecal_lab::hedge::{Grouping, HedgeForecaster, Recalibrator};
/// // This model says 0.9 and 0.1, but the event happens 3 times in 5 and 2 times in 5.
/// let plan = HedgeForecaster::new(2000, 46)?;
/// let mut recalibrator = Recalibrator::new(Grouping::Distinct, plan);
/// let mut mean = [0.0, 0.0];
/// for round in 0..4000 {
///     let high = round % 2 == 0;
///     let model: Prediction = if high { "0.9" } else { "0.1" }.parse()?;
///     let forecast = recalibrator.sample(&model, &mut Random::new(1, round));
///     mean[usize::from(high)] += truecal::nearest_f64(&forecast.to_rational()) / 2000.0;
///     recalibrator.observe(&model, (round / 2 % 5 < 3) == high)?;
/// }
/// assert!((mean[0] - 0.4_f64).abs() < 0.02 && (mean[1] - 0.6_f64).abs() < 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Recalibrator {
    grouping: Grouping,
    /// A forecaster before its first round.
    fresh: HedgeForecaster,
    groups: BTreeMap<Prediction, HedgeForecaster>,
}

impl Recalibrator {
    /// Each group begins with a copy of this forecaster. Panics if it has played already.
    pub fn new(grouping: Grouping, fresh: HedgeForecaster) -> Self {
        assert!(fresh.rounds() == 0 && fresh.drawn().is_none(), "it has played already");
        Recalibrator { grouping, fresh, groups: BTreeMap::new() }
    }

    /// Draws the forecast of a round in which the model predicts this. Drawn again in the same
    /// group before the outcome is observed, it stays the same. Cost: that of
    /// [`HedgeForecaster::sample`], and O(log g) for g groups. For a group whose rounds are all
    /// over it means nothing, as its outcome is refused.
    pub fn sample(&mut self, model: &Prediction, random: &mut Random) -> Prediction {
        let group = self.groups.entry(self.grouping.start(model));
        group.or_insert_with(|| self.fresh.clone()).sample(random)
    }

    /// The outcome of the forecast that was drawn in the group of what the model predicted.
    pub fn observe(&mut self, model: &Prediction, outcome: bool) -> Result<(), HedgeError> {
        let group = self.groups.get_mut(&self.grouping.start(model));
        group.ok_or(HedgeError::NothingDrawn)?.observe(outcome)
    }

    /// Which predictions are in a group together.
    pub fn grouping(&self) -> Grouping {
        self.grouping
    }

    /// Where each group starts, and its forecaster, in order; only those that have drawn anything.
    pub fn groups(&self) -> impl Iterator<Item = (&Prediction, &HedgeForecaster)> {
        self.groups.iter()
    }

    /// What E stepCE of all rounds, and of the ECE over the groups, is at most: the sum of the
    /// [bounds](HedgeForecaster::bound) of the groups. Rigorous, rounded up.
    pub fn bound(&self) -> BigRational {
        // It depends on the number of rounds alone, which many small groups share.
        let mut sizes = BTreeMap::<u64, (u64, &HedgeForecaster)>::new();
        for group in self.groups.values() {
            sizes.entry(group.rounds()).or_insert((0, group)).0 += 1;
        }
        let bounds = sizes.into_values();
        bounds.map(|(many, group)| group.bound() * BigRational::from_integer(many.into())).sum()
    }
}
