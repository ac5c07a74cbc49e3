//! Level tables of doubles, by sorting their bits.
//!
//! Doubles in [0, 1] are in the order of their bits, and each is an integer over a power of two:
//! with 2^s the largest denominator in lowest terms, every prediction is an integer below 2^s,
//! shifted into place.

use crate::any_levels::AnyLevels;
use crate::forecasts::ForecastsError;
use crate::summary::{Doubles, Keys, Outcome, first_bad, pack, same_length};

impl AnyLevels {
    /// The level table of outcomes and predictions of the same length, each double the exact dyadic
    /// that it is.
    ///
    /// The same table as that of [`Forecasts::from_columns`](crate::Forecasts::from_columns), at
    /// the same width, but with no limit to the size: a double needs at most 1074 bits. Cost: one
    /// sort of n 64-bit integers.
    ///
    /// ```
    /// use truecal::{AnyLevels, Forecasts};
    /// let (outcomes, predictions) = ([true, false, true], [0.1, 0.75, 0.1]);
    /// let levels = AnyLevels::from_doubles(&outcomes, &predictions)?;
    /// assert_eq!((levels.rounds(), levels.len()), (3, 2));
    /// assert_eq!(levels, Forecasts::from_columns(outcomes, predictions)?.levels()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_doubles<O: Outcome>(
        outcomes: &[O],
        predictions: &[f64],
    ) -> Result<Self, ForecastsError> {
        same_length(outcomes, predictions)?;
        let mut keys = Vec::with_capacity(predictions.len());
        let all_good = outcomes.iter().zip(predictions).all(|(&outcome, &prediction)| {
            let (Some(key), Some(happened)) = (Doubles::key(prediction), outcome.happened()) else {
                return false;
            };
            keys.push(pack(key, happened));
            true
        });
        if !all_good {
            return Err(first_bad::<Doubles, O>(outcomes, predictions).1);
        }
        keys.sort_unstable();
        let groups = keys.chunk_by(|a, b| a >> 1 == b >> 1).map(|group| {
            let ones = group.len() - group.partition_point(|key| key & 1 == 0);
            (group[0] >> 1, group.len() as u64, ones as u64)
        });
        Ok(AnyLevels::from_bits(groups, predictions.len() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forecasts::Forecasts;
    use crate::prediction::PredictionError;
    use proptest::prelude::*;

    fn by_forecasts(outcomes: &[bool], predictions: &[f64]) -> AnyLevels {
        let forecasts = Forecasts::from_columns(
            outcomes.iter().copied(),
            predictions
                .iter()
                .map(|&double| num_rational::BigRational::from_float(double).expect("finite")),
        );
        forecasts.expect("valid").levels().expect("few of them")
    }

    /// Doubles of every kind: some that come again, of any exponent, next to the ends, subnormal.
    fn doubles() -> impl Strategy<Value = f64> {
        let some = vec![0.0, -0.0, 5e-324, 1.0, 1.0_f64.next_down(), 0.5, 0.5_f64.next_up(), 0.1];
        prop_oneof![
            prop::sample::select(some),
            (0..=1.0_f64.to_bits()).prop_map(f64::from_bits),
            (0.5_f64.to_bits()..=1.0_f64.to_bits()).prop_map(f64::from_bits),
            (0..1_u64 << 52).prop_map(f64::from_bits),
        ]
    }

    proptest! {
        /// The same table at the same width as by exact rationals, whatever the exponents.
        #[test]
        fn agrees_with_rationals(
            rounds in prop::collection::vec((any::<bool>(), doubles()), 0..40),
            tiny: bool,
        ) {
            // Without the smallest, tables of every width come up.
            let rounds = rounds.into_iter().filter(|(_, p)| tiny || *p == 0.0 || *p > 1e-40);
            let (outcomes, predictions): (Vec<bool>, Vec<f64>) = rounds.unzip();
            let levels = AnyLevels::from_doubles(&outcomes, &predictions);
            prop_assert_eq!(levels, Ok(by_forecasts(&outcomes, &predictions)));
        }
    }

    /// 4 T 2^s meets the largest value of a width exactly, and is one beyond it.
    #[test]
    fn every_width_is_used_to_its_end() {
        let at = |shift: u64, rounds: usize| {
            let finest = f64::from_bits((1023 - shift) << 52);
            let predictions = vec![finest; rounds];
            AnyLevels::from_doubles(&vec![false; rounds], &predictions).expect("valid").width()
        };
        assert_eq!((at(28, 1), at(29, 1), at(27, 4)), ("i32", "i64", "i64"));
        assert_eq!((at(60, 1), at(61, 1), at(59, 4)), ("i64", "i128", "i128"));
        assert_eq!((at(124, 1), at(125, 1), at(123, 4)), ("i128", "i256", "i256"));
        assert_eq!((at(252, 1), at(253, 1), at(251, 4)), ("i256", "bigint", "bigint"));
    }

    #[test]
    fn what_is_no_forecast_is_refused() {
        let at = |predictions: &[f64]| AnyLevels::from_doubles(&[true, false], predictions);
        assert_eq!(at(&[0.5]), Err(ForecastsError::Lengths { outcomes: 2, predictions: 1 }));
        for (bad, error) in [
            (f64::NAN, PredictionError::Nan),
            (f64::INFINITY, PredictionError::Infinite),
            (f64::NEG_INFINITY, PredictionError::Infinite),
            (-5e-324, PredictionError::Negative),
            (1.0_f64.next_up(), PredictionError::AboveOne),
        ] {
            let expected = ForecastsError::Prediction { round: 1, error };
            assert_eq!(at(&[0.5, bad]), Err(expected), "{bad}");
        }
    }
}
