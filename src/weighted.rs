//! Rounds that count for more or less than one, as a level table of whole numbers.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use thiserror::Error;

use crate::any_levels::{AnyLevels, TableTooLarge};
use crate::forecasts::{Forecasts, ForecastsError};
use crate::prediction::Prediction;

/// The longest common denominator of weights, in bits, that is followed up: hostile ones would grow
/// with every round.
const MAX_UNIT_BITS: u64 = 1 << 13;

/// (outcome, prediction, weight) triples, gathered by distinct prediction. Weights are exact.
///
/// Every measure but the averages over subsets is homogeneous: a table in which all counts are
/// `unit` times as large has `unit` times the value. So fractional weights become whole counts over
/// their common denominator, and a weight of n is the same as n rounds.
///
/// ```
/// use truecal::{Measure, WeightedForecasts, rational::ratio};
/// let mut forecasts = WeightedForecasts::new();
/// forecasts.push(&"1/2".parse()?, 1, 1, &ratio(3, 2))?; // an event, predicted with 1/2
/// forecasts.push(&"1/2".parse()?, 1, 0, &ratio(1, 2))?; // none
/// let weighted = forecasts.levels()?;
/// assert_eq!((weighted.levels.rounds(), weighted.unit.clone()), (4, 2.into()));
/// let step = weighted.levels.evaluate(Measure::StepCe);
/// assert_eq!(step.value / weighted.unit, ratio(1, 2)); // 3/2 x 1/2 - 1/2 x 1/2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct WeightedForecasts {
    /// The weight of each prediction, and that of the ones.
    levels: HashMap<Prediction, (BigRational, BigRational)>,
    /// The sum of both is counted in steps of one over this.
    unit: BigInt,
}

/// A level table in which a count of `unit` stands for a weight of 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedLevels {
    /// The table; its rounds are the sum of the weights times the unit.
    pub levels: AnyLevels,
    /// The least common denominator of the weights: 1 if they are whole.
    pub unit: BigInt,
}

/// Why weighted rounds have no level table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WeightedError {
    /// A weight is negative.
    #[error("the weight {0} is negative")]
    Negative(BigRational),
    /// There are more ones than rounds.
    #[error(transparent)]
    Ones(ForecastsError),
    /// In their common unit the weights are too large together.
    #[error(
        "the weights have so many digits that 64 bits cannot count them in a common unit; round \
            them to {decimals} decimals or fewer"
    )]
    TooFine {
        /// With so many decimals they would fit.
        decimals: u32,
    },
    /// Their sum does not fit 64 bits, even as whole numbers.
    #[error("the weights add up to more than 64 bits can count; divide them all by one number")]
    TooLarge,
    /// The predictions have no common denominator of a reasonable size.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
}

impl WeightedForecasts {
    /// No rounds yet.
    pub fn new() -> Self {
        WeightedForecasts { levels: HashMap::new(), unit: BigInt::one() }
    }

    /// Adds `count` rounds with one prediction, `ones` of them with the event, each of which has
    /// this weight. A weight of 0 adds nothing.
    pub fn push(
        &mut self,
        prediction: &Prediction,
        count: u64,
        ones: u64,
        weight: &BigRational,
    ) -> Result<(), WeightedError> {
        if weight.is_negative() {
            return Err(WeightedError::Negative(weight.clone()));
        }
        if ones > count {
            return Err(WeightedError::Ones(ForecastsError::Ones { count, ones }));
        }
        if weight.is_zero() || count == 0 {
            return Ok(());
        }
        self.unit = self.unit.lcm(weight.denom());
        if self.unit.bits() > MAX_UNIT_BITS {
            return Err(too_large(&self.total(), &self.unit));
        }
        let times = |count: u64| weight * BigRational::from_integer(count.into());
        let level = self.levels.entry(prediction.clone()).or_default();
        level.0 += times(count);
        level.1 += times(ones);
        Ok(())
    }

    /// The number of distinct predictions.
    pub fn len(&self) -> usize {
        self.levels.len()
    }

    /// Whether there are no rounds.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    fn total(&self) -> BigRational {
        self.levels.values().map(|(weight, _)| weight).sum()
    }

    /// The level table, at the narrowest safe width.
    pub fn levels(&self) -> Result<WeightedLevels, WeightedError> {
        let total = self.total();
        let whole = |weight: &BigRational| (weight * &self.unit).to_integer().to_u64();
        if whole(&total).is_none() {
            return Err(too_large(&total, &self.unit));
        }
        let mut forecasts = Forecasts::new();
        for (prediction, (weight, ones)) in &self.levels {
            let count = whole(weight).expect("not more than the total");
            let ones = whole(ones).expect("not more than the total");
            let pushed = forecasts.push_level(prediction.clone(), count, ones);
            pushed.map_err(WeightedError::Ones)?;
        }
        Ok(WeightedLevels { levels: forecasts.levels()?, unit: self.unit.clone() })
    }
}

/// How many decimals weights may have that add up to this.
fn too_large(total: &BigRational, unit: &BigInt) -> WeightedError {
    let most = BigRational::from_integer(u64::MAX.into());
    // Rounding adds at most half a step to each weight, so a step less is left.
    let fits = |decimals: u32| total * BigInt::from(10).pow(decimals + 1) <= most;
    match (0..=18).rev().find(|&decimals| fits(decimals)) {
        Some(decimals) if !unit.is_one() => WeightedError::TooFine { decimals },
        _ => WeightedError::TooLarge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Measure;
    use crate::rational::{int, ratio};
    use proptest::prelude::*;

    fn prediction(text: &str) -> Prediction {
        text.parse().expect("a prediction")
    }

    /// stepCE by its definition with weights: the largest sum of weight x (outcome - prediction)
    /// up to a threshold.
    fn step_ce(rounds: &[(Prediction, bool, BigRational)]) -> BigRational {
        let bias = |threshold: &Prediction| {
            let below = rounds.iter().filter(|(p, ..)| p <= threshold);
            let one = |(p, x, w): &(Prediction, bool, BigRational)| {
                w * (int(u8::from(*x)) - p.to_rational())
            };
            below.map(one).sum::<BigRational>().abs()
        };
        rounds.iter().map(|(p, ..)| bias(p)).max().unwrap_or_default()
    }

    proptest! {
        #[test]
        fn a_weight_of_n_is_n_rounds(
            rounds in prop::collection::vec((0..=6_u64, any::<bool>(), 0..5_u64), 0..12),
        ) {
            let (mut weighted, mut repeated) = (WeightedForecasts::new(), Forecasts::new());
            for &(sixths, outcome, weight) in &rounds {
                let prediction = Prediction::from_parts(sixths, 6).expect("in [0, 1]");
                let one = u64::from(outcome);
                weighted.push(&prediction, 1, one, &int(weight)).expect("not negative");
                for _ in 0..weight {
                    repeated.push(outcome, prediction.clone()).expect("few");
                }
            }
            let levels = repeated.levels().expect("small");
            let unit = BigInt::one();
            prop_assert_eq!(weighted.levels(), Ok(WeightedLevels { levels, unit }));
        }

        #[test]
        fn fractional_weights_are_exact(
            rounds in prop::collection::vec((0..=6_u64, any::<bool>(), 0..9_i64, 1..8_i64), 0..12),
        ) {
            let mut weighted = WeightedForecasts::new();
            let mut all = vec![];
            for &(sixths, outcome, above, below) in &rounds {
                let prediction = Prediction::from_parts(sixths, 6).expect("in [0, 1]");
                let weight = ratio(above, below);
                weighted.push(&prediction, 1, outcome.into(), &weight).expect("not negative");
                all.push((prediction, outcome, weight));
            }
            let WeightedLevels { levels, unit } = weighted.levels().expect("small");
            let value = levels.evaluate(Measure::StepCe).value / &unit;
            prop_assert_eq!(value, step_ce(&all));
            // Twice the weights, twice the value.
            let mut twice = WeightedForecasts::new();
            for (prediction, outcome, weight) in &all {
                twice.push(prediction, 1, (*outcome).into(), &(weight * int(2))).expect("fine");
            }
            let doubled = twice.levels().expect("small");
            for measure in Measure::ALL.into_iter().filter(|m| m.subsampled_from().is_none()) {
                let value = |w: &WeightedLevels| w.levels.evaluate(measure).value / &w.unit;
                let single = WeightedLevels { levels: levels.clone(), unit: unit.clone() };
                prop_assert_eq!(value(&doubled), value(&single) * int(2), "{}", measure);
            }
        }
    }

    #[test]
    fn weights_that_do_not_fit_say_what_would() {
        let mut fine = WeightedForecasts::new();
        let seventeen = |digits: i64| BigRational::new(digits.into(), 10_i64.pow(17).into());
        fine.push(&prediction("0.5"), 1, 1, &seventeen(123_456_789_012_345_678)).expect("fine");
        assert!(fine.levels().is_ok());
        fine.push(&prediction("0.5"), 1000, 0, &seventeen(100_000_000_000_000_001)).expect("fine");
        let error = fine.levels().expect_err("too fine");
        assert!(matches!(error, WeightedError::TooFine { decimals: 15, .. }), "{error}");
        assert!(error.to_string().ends_with("round them to 15 decimals or fewer"), "{error}");
        let mut large = WeightedForecasts::new();
        large.push(&prediction("0"), 2, 1, &int(u64::MAX)).expect("fine");
        assert_eq!(large.levels(), Err(WeightedError::TooLarge));
        let mut bad = WeightedForecasts::new();
        assert_eq!(
            bad.push(&prediction("0"), 1, 0, &ratio(-1, 2)),
            Err(WeightedError::Negative(ratio(-1, 2)))
        );
        assert!(bad.push(&prediction("0"), 1, 2, &int(1)).is_err());
        assert!(bad.is_empty() && fine.len() == 1);
    }
}
