//! Validated forecasts, gathered round by round.
//!
//! Every value has one place: a prediction is a short decimal (one word that sorts as the value
//! does), else a double (its bits), else a fraction in a hash table. The first two are appended to
//! a buffer that is sorted and merged once it outgrows the distinct values, which is many times
//! faster than hashing fractions; `1/2`, `0.50` and the double 0.5 meet all the same.

use std::borrow::Cow;
use std::collections::HashMap;

use thiserror::Error;

use crate::any_levels::{AnyLevels, TableTooLarge, Tallied};
use crate::dyadic::Dyadic;
use crate::prediction::{Decimal, Prediction, PredictionError};
use crate::tally::{Entry, Tally, merged};

/// (outcome, prediction) pairs, every one of them valid.
///
/// No measure depends on the order of the rounds, so they are kept by distinct prediction: memory
/// grows with the number of distinct predictions, not with the number of rounds.
///
/// ```
/// use truecal::Forecasts;
/// let forecasts = Forecasts::from_pairs([(true, "0.3"), (false, "1/3"), (true, "0.9")])?;
/// let levels = forecasts.levels()?;
/// assert_eq!(levels.rounds(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecasts {
    /// Predictions that are short decimals, by [`Decimal::word`].
    decimals: Tally,
    /// Of the others, those that are doubles, by their bits.
    doubles: Tally,
    /// The rest, with counts and ones. So every value has one place, however it was written.
    others: HashMap<Prediction, (u64, u64)>,
    rounds: u64,
    ones: u64,
}

/// Why values are not forecasts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ForecastsError {
    /// One prediction is not a probability.
    #[error("round {round}: {error}")]
    Prediction {
        /// The round, from 0.
        round: usize,
        /// What is wrong with it.
        error: PredictionError,
    },
    /// One outcome is neither 0 nor 1.
    #[error("round {round}: the outcome {value} is neither 0 nor 1")]
    Outcome {
        /// The round, from 0.
        round: usize,
        /// What was given.
        value: String,
    },
    /// The two columns have different lengths.
    #[error(
        "{outcomes} outcomes but {predictions} predictions; there must be one of each per round"
    )]
    Lengths {
        /// The number of outcomes.
        outcomes: usize,
        /// The number of predictions.
        predictions: usize,
    },
    /// A round has predictions of too many forecasters, or of too few.
    #[error("{predictions} predictions but {forecasters} forecasters; there must be one of each")]
    Forecasters {
        /// The number of predictions.
        predictions: usize,
        /// The number of forecasters.
        forecasters: usize,
    },
    /// A level has more ones than rounds.
    #[error("{ones} ones among {count} rounds; ones are counted among the rounds")]
    Ones {
        /// The rounds.
        count: u64,
        /// The ones.
        ones: u64,
    },
    /// The rounds cannot be counted in 64 bits.
    #[error("more than {} rounds in all", u64::MAX)]
    Rounds,
}

impl ForecastsError {
    /// The same error in the whole of a sequence, of which only the rounds from `start` on were
    /// seen.
    pub(crate) fn in_whole(self, start: usize) -> Self {
        match self {
            ForecastsError::Prediction { round, error } => {
                ForecastsError::Prediction { round: start + round, error }
            }
            ForecastsError::Outcome { round, value } => {
                ForecastsError::Outcome { round: start + round, value }
            }
            other => other,
        }
    }
}

impl Forecasts {
    /// No rounds yet.
    pub fn new() -> Self {
        Forecasts::default()
    }

    /// Of distinct short decimals in ascending order, by their words.
    pub(crate) fn of_decimals(rounds: u64, ones: u64, entries: Vec<Entry>) -> Self {
        Forecasts { decimals: Tally::of_entries(entries), rounds, ones, ..Forecasts::default() }
    }

    /// Gathers (outcome, prediction) pairs. Predictions may be rationals
    /// ([`BigRational`](num_rational::BigRational), `Ratio<i64>`, …), doubles (read as the exact
    /// dyadics that they are), texts, or [`Prediction`]s.
    pub fn from_pairs<P>(pairs: impl IntoIterator<Item = (bool, P)>) -> Result<Self, ForecastsError>
    where
        P: TryInto<Prediction>,
        P::Error: Into<PredictionError>,
    {
        let mut forecasts = Forecasts::new();
        for (round, (outcome, prediction)) in pairs.into_iter().enumerate() {
            let prediction = prediction
                .try_into()
                .map_err(|error| ForecastsError::Prediction { round, error: error.into() })?;
            forecasts.push(outcome, prediction)?;
        }
        Ok(forecasts)
    }

    /// Gathers a column of outcomes and a column of predictions of the same length.
    pub fn from_columns<P>(
        outcomes: impl IntoIterator<Item = bool>,
        predictions: impl IntoIterator<Item = P>,
    ) -> Result<Self, ForecastsError>
    where
        P: TryInto<Prediction>,
        P::Error: Into<PredictionError>,
    {
        let outcomes: Vec<bool> = outcomes.into_iter().collect();
        let predictions: Vec<P> = predictions.into_iter().collect();
        if outcomes.len() != predictions.len() {
            let (outcomes, predictions) = (outcomes.len(), predictions.len());
            return Err(ForecastsError::Lengths { outcomes, predictions });
        }
        Forecasts::from_pairs(outcomes.into_iter().zip(predictions))
    }

    /// Adds one round.
    pub fn push(&mut self, outcome: bool, prediction: Prediction) -> Result<(), ForecastsError> {
        match prediction.decimal() {
            Some(decimal) => self.push_decimal(outcome, decimal),
            None => self.push_level(prediction, 1, outcome.into()),
        }
    }

    /// Adds one round whose prediction is a short decimal.
    pub fn push_decimal(&mut self, outcome: bool, decimal: Decimal) -> Result<(), ForecastsError> {
        self.count(1, outcome.into())?;
        self.decimals.push(outcome, decimal.word());
        Ok(())
    }

    /// Adds one round whose prediction is the exact dyadic that a double is. An error does not know
    /// the round: it is 0.
    pub fn push_f64(&mut self, outcome: bool, prediction: f64) -> Result<(), ForecastsError> {
        let bits = prediction.to_bits();
        let dyadic = Dyadic::from_bits(bits)
            .map_err(|error| ForecastsError::Prediction { round: 0, error: error.into() })?;
        self.push_dyadic(outcome, dyadic)
    }

    fn push_dyadic(&mut self, outcome: bool, dyadic: Dyadic) -> Result<(), ForecastsError> {
        let Dyadic { odd, shift } = dyadic;
        // 5^25 has 18 digits.
        let decimal = match shift {
            ..25 => odd.checked_mul(5_u64.pow(shift)).and_then(|n| Decimal::new(n, shift as i32)),
            _ => None,
        };
        match decimal {
            Some(decimal) => self.push_decimal(outcome, decimal),
            None => {
                self.count(1, outcome.into())?;
                self.doubles.push(outcome, dyadic.to_bits());
                Ok(())
            }
        }
    }

    fn count(&mut self, count: u64, ones: u64) -> Result<(), ForecastsError> {
        self.rounds = self.rounds.checked_add(count).ok_or(ForecastsError::Rounds)?;
        self.ones += ones; // at most the rounds
        Ok(())
    }

    /// Adds `count` rounds with the same prediction, `ones` of them with the event. An integer
    /// weight is a count: it equals so many repeated rounds. A count of 0 adds nothing.
    pub fn push_level(
        &mut self,
        prediction: Prediction,
        count: u64,
        ones: u64,
    ) -> Result<(), ForecastsError> {
        if ones > count {
            return Err(ForecastsError::Ones { count, ones });
        }
        self.count(count, ones)?;
        if count == 0 {
            return Ok(());
        }
        if let Some(decimal) = prediction.decimal() {
            self.decimals.push_level(decimal.word(), count, ones);
        } else if let Some(bits) = prediction.double_bits() {
            self.doubles.push_level(bits, count, ones);
        } else {
            let tally = self.others.entry(prediction).or_default();
            *tally = (tally.0 + count, tally.1 + ones);
        }
        Ok(())
    }

    /// Puts what was pushed in order, once, so that it need not be done for every level table.
    pub fn settle(&mut self) {
        self.decimals.settle();
        self.doubles.settle();
    }

    /// Adds all rounds of `other`.
    pub fn merge(&mut self, other: &Forecasts) -> Result<(), ForecastsError> {
        self.count(other.rounds, other.ones)?;
        for Entry { key, count, ones } in &*other.decimals.entries() {
            self.decimals.push_level(*key, *count, *ones);
        }
        for Entry { key, count, ones } in &*other.doubles.entries() {
            self.doubles.push_level(*key, *count, *ones);
        }
        for (prediction, (count, ones)) in &other.others {
            let tally = self.others.entry(prediction.clone()).or_default();
            *tally = (tally.0 + count, tally.1 + ones);
        }
        Ok(())
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of rounds in which the event happened.
    pub fn ones(&self) -> u64 {
        self.ones
    }

    /// About the memory that they take, in bytes, beside buffers of 8 MiB.
    pub fn bytes(&self) -> u64 {
        // A prediction of any size has a place in a tree, and mostly small numbers.
        let others = self.others.len() as u64 * 128;
        self.decimals.bytes() + self.doubles.bytes() + others
    }

    /// The distinct predictions with their rounds and ones, if all are short decimals.
    pub fn short_levels(&self) -> Option<Vec<(Decimal, u64, u64)>> {
        if !self.doubles.entries().is_empty() || !self.others.is_empty() {
            return None;
        }
        let entries = self.decimals.entries();
        let level = |entry: &Entry| (Decimal::from_word(entry.key), entry.count, entry.ones);
        Some(entries.iter().map(level).collect())
    }

    /// The level table, at the narrowest safe width. Cost: O(m log m) for m distinct predictions.
    pub fn levels(&self) -> Result<AnyLevels, TableTooLarge> {
        let (decimals, doubles) = (self.decimals.entries(), self.doubles.entries());
        if !doubles.is_empty()
            && self.others.is_empty()
            && let Some(short) = in_bits(&decimals)
        {
            let all: Cow<'_, [Entry]> = if short.is_empty() {
                doubles
            } else {
                merged(&doubles, short.iter().copied(), short.len()).into()
            };
            let doubles = all.iter().map(|entry| (entry.key, entry.count, entry.ones));
            return Ok(AnyLevels::from_bits(doubles, self.rounds));
        }
        let others = self.others.iter().map(|(p, (count, ones))| (p.clone(), *count, *ones));
        let long = doubles.iter().map(|entry| {
            let dyadic = Dyadic::from_bits(entry.key).expect("the bits of a probability");
            (Prediction::from_dyadic(dyadic), entry.count, entry.ones)
        });
        let others: Vec<Tallied> = others.chain(long).collect();
        AnyLevels::from_tally(decimals.iter().copied(), &others, self.rounds)
    }
}

/// Why two tables have no merger.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// Together they have too many rounds.
    #[error(transparent)]
    Rounds(#[from] ForecastsError),
    /// Their predictions have no common denominator of a reasonable size.
    #[error(transparent)]
    Denominator(#[from] TableTooLarge),
}

impl AnyLevels {
    /// The table of all rounds of both, whatever their units and widths, at the width that it
    /// needs.
    ///
    /// ```
    /// use truecal::Forecasts;
    /// let monday = Forecasts::from_pairs([(true, "0.3")])?.levels()?;
    /// let tuesday = Forecasts::from_pairs([(false, "1/3"), (true, "0.3")])?.levels()?;
    /// let both = monday.merge(&tuesday)?;
    /// assert_eq!((both.rounds(), both.len()), (3, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&self, other: &Self) -> Result<Self, MergeError> {
        let mut all = Forecasts::new();
        for levels in [self, other] {
            for level in levels.to_rational().table().rows() {
                let prediction =
                    Prediction::try_from(&level.value).expect("in [0, 1] in any table");
                all.push_level(prediction, level.count, level.ones)?;
            }
        }
        Ok(all.levels()?)
    }
}

/// Decimals as doubles, if all are, in order.
fn in_bits(decimals: &[Entry]) -> Option<Vec<Entry>> {
    let double = |entry: &Entry| {
        let (odd, shift) = Decimal::from_word(entry.key).dyadic()?;
        Some(Entry { key: Dyadic { odd, shift }.to_bits(), ..*entry })
    };
    decimals.iter().map(double).collect()
}

impl From<std::convert::Infallible> for PredictionError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Levels;
    use crate::rational::int;
    use num_rational::BigRational;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The table by rationals alone.
    fn reference(rounds: &[(bool, Prediction)]) -> Levels<BigRational> {
        let mut tally = BTreeMap::<BigRational, (u64, u64)>::new();
        for (outcome, prediction) in rounds {
            let (count, ones) = tally.entry(prediction.to_rational()).or_default();
            (*count, *ones) = (*count + 1, *ones + u64::from(*outcome));
        }
        let row = |(value, (count, ones))| crate::Level { value, count, ones };
        Levels::new(int(1), tally.into_iter().map(row).collect()).expect("a table")
    }

    /// The least common denominator and the first width that holds 4 T times it.
    fn width(table: &Levels<BigRational>) -> &'static str {
        let rows = table.table().rows().iter();
        let unit = crate::rational::common_denominator(rows.map(|row| &row.value));
        let rounds = table.table().rounds();
        let fits = |bits: u32| (&unit * rounds.max(1) * 4_u8).bits() < bits.into();
        let widths = [(32, "i32"), (64, "i64"), (128, "i128"), (256, "i256")];
        widths.into_iter().find(|(bits, _)| fits(*bits)).map_or("bigint", |(_, name)| name)
    }

    /// Predictions of all three kinds, and values of one kind written like another.
    fn predictions() -> impl Strategy<Value = Prediction> {
        let some =
            ["0", "1", "1/2", "0.5", "0.50", "5e-1", "1/3", "2/6", "1/33554432", "1e-30", "0.1"];
        let parse = |text: String| text.parse::<Prediction>().expect("valid");
        prop_oneof![
            prop::sample::select(some.to_vec()).prop_map(move |text| parse(text.into())),
            "0[.][0-9]{1,3}".prop_map(parse),
            "0[.]0{0,5}[0-9]{15,20}".prop_map(parse),
            "[1-9][.][0-9]{1,18}e-[1-9][0-9]?".prop_map(parse),
            (0..=1_u64 << 30).prop_map(move |n| parse(format!("{n}/{}", 1_u64 << 30))),
            (0..=7_u32).prop_map(move |n| parse(format!("{n}/7"))),
        ]
    }

    proptest! {
        /// Whatever mixture of kinds, however pushed, in whatever order: the same table and width
        /// as by rationals.
        #[test]
        fn tables_are_those_of_rationals(
            all in prop::collection::vec((any::<bool>(), predictions(), 0..6_u8), 0..30),
            kinds in 1..4_u8,
        ) {
            // Often of one or two kinds only.
            let kind = |p: &Prediction| match (p.decimal(), p.double_bits()) {
                (Some(_), _) => 1,
                (None, Some(_)) => 2,
                _ => 3,
            };
            let all: Vec<_> = all.into_iter().filter(|(_, p, _)| kind(p) <= kinds).collect();
            let mut forecasts = Forecasts::new();
            let mut halves = [Forecasts::new(), Forecasts::new()];
            for (outcome, prediction, how) in &all {
                match (how, prediction.double_bits()) {
                    (0, _) => forecasts.push_level(prediction.clone(), 1, (*outcome).into()),
                    (1, Some(bits)) => forecasts.push_f64(*outcome, f64::from_bits(bits)),
                    _ => forecasts.push(*outcome, prediction.clone()),
                }.expect("few rounds");
                if *how == 5 {
                    forecasts.settle();
                }
                let half = &mut halves[usize::from(how % 2)];
                half.push(*outcome, prediction.clone()).expect("few rounds");
            }
            let rounds: Vec<_> = all.iter().map(|(x, p, _)| (*x, p.clone())).collect();
            let expected = reference(&rounds);
            let levels = forecasts.levels().expect("short numbers");
            prop_assert_eq!(levels.width(), width(&expected));
            prop_assert_eq!(&levels.to_rational(), &expected);
            let [mut merger, half] = halves;
            merger.merge(&half).expect("few rounds");
            prop_assert_eq!(&merger, &forecasts);
            prop_assert_eq!((merger.rounds(), merger.ones()), (levels.rounds(), levels.ones()));
            merger.push(true, Prediction::ONE).expect("few rounds");
            prop_assert!(merger != forecasts);
        }
    }
}
