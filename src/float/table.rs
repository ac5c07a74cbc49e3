//! Level tables of doubles, by sorting their bits.
//!
//! Doubles in [0, 1] are in the order of their bits, and each is an integer over a power of two: with 2^s the largest denominator
//! in lowest terms, every prediction is an integer below 2^s, shifted into place.

use ethnum::I256;
use num_bigint::BigInt;

use super::Dyadic;
use crate::any_levels::{AnyLevels, assemble, narrowest};
use crate::forecasts::ForecastsError;
use crate::levels::{Level, fits};
use crate::number::Number;
use crate::summary::{Doubles, Keys, Outcome, first_bad, same_length};

impl AnyLevels {
    /// The level table of outcomes and predictions of the same length, each double the exact dyadic that it is.
    ///
    /// The same table as that of [`Forecasts::from_columns`](crate::Forecasts::from_columns), at the same width, but with no limit to the size: a
    /// double needs at most 1074 bits. Cost: one sort of n 64-bit integers.
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
            keys.push(Doubles::pack(key, happened));
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

    /// The table of doubles in [0, 1] by their bits, strictly ascending, with counts whose sum is `rounds`, and ones.
    pub(crate) fn from_bits(
        doubles: impl Iterator<Item = (u64, u64, u64)> + Clone,
        rounds: u64,
    ) -> Self {
        let dyadic = |bits| Dyadic::from_bits(bits).expect("the bits of a probability");
        let (mut levels, mut shift) = (0, 0);
        for (bits, ..) in doubles.clone() {
            levels += 1;
            shift = shift.max(dyadic(bits).shift);
        }
        let unit = BigInt::from(1) << shift;
        narrowest!(rounds, &unit, 0, N => {
            let mut rows = Vec::<Level<N>>::with_capacity(levels);
            rows.extend(doubles.map(|(bits, count, ones)| {
                let Dyadic { odd, shift: own } = dyadic(bits);
                Level { value: N::shifted(odd.into(), shift - own), count, ones }
            }));
            rows
        })
    }
}
