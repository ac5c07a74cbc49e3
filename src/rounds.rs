//! Rounds in memory, a word each: what files are read into before anybody knows what will be asked
//! of them.

use std::marker::PhantomData;

use num_bigint::BigInt;

use crate::any_levels::{AnyLevels, TableTooLarge, level_bytes};
use crate::dyadic::Dyadic;
use crate::forecasts::{Forecasts, ForecastsError};
use crate::measure::Measure;
use crate::parallel::{map, threads};
use crate::prediction::{Decimal, Prediction};
use crate::scale::decimal_unit;
use crate::summary::{
    Decimals, Doubles, Keys, Outcome, Refinement, Summary, Variance, evaluate_parts, first_bad,
    pack, same_length, unpack,
};
use crate::tally::{Entry, entries_of, levels_of, mostly_tied};
use crate::witness::Evaluation;

/// Rounds with predictions of one kind, in the order in which they came.
///
/// Measures that do not need every level are found without sorting; the level table is there for
/// the others.
///
/// ```
/// use truecal::{Measure, Rounds, summary::Doubles};
/// let mut rounds = Rounds::<Doubles>::new();
/// rounds.push(&[true, false], &[0.5, 0.25])?;
/// rounds.push(&[true], &[0.5])?;
/// let step = &rounds.evaluate(&[Measure::StepCe])[0];
/// assert_eq!(step.value, "3/4".parse()?);
/// assert_eq!(rounds.into_levels()?.evaluate(Measure::StepCe), *step);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rounds<K> {
    /// Keys with outcomes. Several vectors, so that none has to grow.
    parts: Vec<Vec<u64>>,
    rounds: u64,
    ones: u64,
    keys: PhantomData<K>,
}

/// The words of a part, unless there was room for them.
const PART: usize = 1 << 16;

impl<K: Keys> Rounds<K> {
    /// None yet.
    pub fn new() -> Self {
        Rounds { parts: vec![], rounds: 0, ones: 0, keys: PhantomData }
    }

    /// None yet, with room for so many that come one by one.
    pub fn with_room(rounds: usize) -> Self {
        Rounds { parts: vec![Vec::with_capacity(rounds)], ..Rounds::new() }
    }

    /// Gives back the room that is left.
    pub fn shrink(&mut self) {
        self.parts.retain_mut(|part| {
            part.shrink_to_fit();
            !part.is_empty()
        });
    }

    /// Adds rounds. After an error, those before the round that is named have been added.
    pub fn push<O: Outcome>(
        &mut self,
        outcomes: &[O],
        predictions: &[K::Input],
    ) -> Result<(), ForecastsError> {
        same_length(outcomes, predictions)?;
        let mut done = 0;
        while done < outcomes.len() {
            let part = open_part(&mut self.parts);
            let begin = part.len();
            let end = outcomes.len().min(done + part.capacity() - begin);
            let all_good = extend::<K, O>(part, &outcomes[done..end], &predictions[done..end]);
            let bad = (!all_good).then(|| first_bad::<K, O>(outcomes, predictions));
            if let Some((round, _)) = &bad {
                part.truncate(begin + round - done);
            }
            self.ones += ones_of(&part[begin..]);
            self.rounds += (part.len() - begin) as u64;
            if let Some((_, error)) = bad {
                return Err(error);
            }
            done = end;
        }
        Ok(())
    }

    /// Adds the rounds to a summary.
    pub fn summarise(&self, summary: &mut Summary<K>) -> Result<(), ForecastsError> {
        self.parts.iter().try_for_each(|part| summary.update_words(part))
    }

    /// Shows the rounds to a pass after the summary.
    pub fn look_again(&self, refinement: &mut Refinement<'_, K>) {
        self.parts.iter().for_each(|part| refinement.update_words(part));
    }

    /// The variance of the outcomes if they are drawn with the predictions as probabilities, by all
    /// threads.
    pub fn variance(&self) -> Variance<K> {
        let share = self.parts.len().div_ceil(4 * threads()).max(1);
        let parts = map(self.parts.chunks(share).collect(), |parts: &[Vec<u64>]| {
            let mut variance = Variance::<K>::new();
            parts.iter().for_each(|part| variance.update_words(part));
            variance
        });
        let mut all = Variance::new();
        parts.iter().for_each(|part| all.merge(part));
        all
    }

    /// Adds the rounds to a variance.
    pub fn vary(&self, variance: &mut Variance<K>) {
        self.parts.iter().for_each(|part| variance.update_words(part));
    }

    /// The rounds as words, twice the key of the prediction plus the outcome: to be put somewhere
    /// else until [`from_words`](Self::from_words).
    pub fn words(&self) -> impl Iterator<Item = u64> {
        self.parts.iter().flatten().copied()
    }

    /// The rounds with these words; `None` if one of them is not a word.
    pub fn from_words(words: Vec<u64>) -> Option<Self> {
        let mut ones = 0;
        for word in &words {
            let (key, happened) = unpack(*word);
            ones += u64::from(happened);
            (K::is_key(key)).then_some(())?;
        }
        Some(Rounds { rounds: words.len() as u64, ones, parts: vec![words], keys: PhantomData })
    }

    /// Adds all rounds of others.
    pub fn append(&mut self, others: Self) {
        self.parts.extend(others.parts);
        self.rounds += others.rounds;
        self.ones += others.ones;
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of rounds in which the event happened.
    pub fn ones(&self) -> u64 {
        self.ones
    }

    /// The memory that they take, in bytes.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| 8 * part.capacity() as u64).sum()
    }

    /// A bound of the memory that a table with this unit takes, while it is made as well: the words
    /// twice, as they are put together before the parts are gone and then sorted in place, and a
    /// level for each of them.
    fn bytes_with_unit(&self, unit: &BigInt) -> u64 {
        let levels = self.rounds.saturating_mul(level_bytes(self.rounds, unit));
        levels.saturating_add(2 * self.bytes())
    }

    /// Whether most rounds share their prediction with another, by a sample: then they take less
    /// memory by their distinct predictions (`into_forecasts`).
    pub fn is_mostly_tied(&self) -> bool {
        // Every part has rounds from everywhere, as far as is known.
        self.parts.first().is_some_and(|part| mostly_tied(part, |word| word >> 1))
    }

    /// Those of the measures that can be found without sorting (see
    /// [`Summary::refined`](crate::summary::Summary::refined)), with the same witnesses as by the
    /// level table.
    pub fn evaluate(&self, measures: &[Measure]) -> Vec<Evaluation> {
        let evaluations = evaluate_parts::<K, _>(&self.parts, measures);
        evaluations.expect("all rounds are forecasts").expect("rounds that fit in memory")
    }

    /// The rounds by distinct prediction, ascending.
    fn into_entries(self) -> Vec<Entry> {
        levels_of(&mut self.into_words())
    }

    /// The words of all parts, each of which goes when it has been copied.
    fn into_words(self) -> Vec<u64> {
        let mut words = Vec::with_capacity(self.parts.iter().map(Vec::len).sum());
        self.parts.into_iter().for_each(|part| words.extend_from_slice(&part));
        words
    }

    /// The same in order.
    fn into_sorted(self) -> Vec<u64> {
        let mut words = self.into_words();
        words.sort_unstable();
        words
    }
}

/// The ones among words. There are fewer than 2^64 of them: nothing is asked after each.
fn ones_of(words: &[u64]) -> u64 {
    words.iter().fold(0, |ones: u64, word| ones.wrapping_add(word & 1))
}

/// The last part, or one that is begun if that is full.
#[inline]
fn open_part(parts: &mut Vec<Vec<u64>>) -> &mut Vec<u64> {
    if parts.last().is_none_or(|part| part.len() >= part.capacity()) {
        parts.push(Vec::with_capacity(PART));
    }
    parts.last_mut().expect("there is one now")
}

/// Adds a word for each round; `false` if one is not a forecast. Nothing is asked of a round
/// alone: the part has room for all.
fn extend<K: Keys, O: Outcome>(
    part: &mut Vec<u64>,
    outcomes: &[O],
    predictions: &[K::Input],
) -> bool {
    let mut all_good = true;
    part.extend(outcomes.iter().zip(predictions).map(|(outcome, prediction)| {
        let (key, happened) = (K::key(*prediction), outcome.happened());
        all_good &= key.is_some() & happened.is_some();
        pack(key.unwrap_or(0), happened == Some(true))
    }));
    all_good
}

impl Rounds<Doubles> {
    /// Adds the rounds to others, of any kind.
    pub fn add_to(&self, forecasts: &mut Forecasts) -> Result<(), ForecastsError> {
        self.words().try_for_each(|word| {
            let (key, happened) = unpack(word);
            forecasts.push_f64(happened, f64::from_bits(key))
        })
    }

    /// The memory in bytes that `into_levels` takes at most, rounds and table included: 16 for each
    /// round (the words, and once more in order), and for each distinct prediction, of which there
    /// may be as many, 24 where 4·T·D is below 2^63 for the common denominator D, 32 below 2^127,
    /// 48 below 2^255, and else 72 with the bits of D in words. Cost: a look at each round.
    ///
    /// ```
    /// use truecal::{Rounds, summary::Doubles};
    /// let mut rounds = Rounds::<Doubles>::new();
    /// rounds.push(&[true; 1 << 16], &[0.1; 1 << 16])?; // 0.1 is over 2^55: 128 bits
    /// assert_eq!(rounds.table_bytes(), (16 + 32) << 16);
    /// # Ok::<(), truecal::ForecastsError>(())
    /// ```
    pub fn table_bytes(&self) -> u64 {
        let shift = |word: u64| Dyadic::from_bits(word >> 1).map_or(0, |dyadic| dyadic.shift);
        let finest = self.words().map(shift).max().unwrap_or(0);
        self.bytes_with_unit(&(BigInt::from(1) << finest))
    }

    /// The level table. Cost: a sort.
    pub fn into_levels(self) -> Result<AnyLevels, TableTooLarge> {
        let rounds = self.rounds;
        let words = self.into_sorted();
        let doubles = entries_of(&words).map(|entry| (entry.key, entry.count, entry.ones));
        Ok(AnyLevels::from_bits(doubles, rounds))
    }

    /// The same rounds where others can be added with any prediction.
    pub fn into_forecasts(self) -> Forecasts {
        let mut forecasts = Forecasts::new();
        for Entry { key, count, ones } in self.into_entries() {
            let dyadic = Dyadic::from_bits(key).expect("the bits of a probability");
            let pushed = forecasts.push_level(Prediction::from_dyadic(dyadic), count, ones);
            pushed.expect("as many rounds as there were");
        }
        forecasts
    }
}

impl Rounds<Decimals> {
    /// Adds a round.
    pub fn push_decimal(&mut self, outcome: bool, prediction: Decimal) {
        self.push_decimals([(outcome, prediction)]);
    }

    /// Adds outcomes with predictions, one by one.
    #[inline(always)]
    pub fn push_decimals(&mut self, rounds: impl IntoIterator<Item = (bool, Decimal)>) {
        let mut rounds = rounds.into_iter();
        let mut more = true;
        while more {
            let part = open_part(&mut self.parts);
            let begin = part.len();
            while part.len() < part.capacity() {
                let Some((happened, decimal)) = rounds.next() else {
                    more = false;
                    break;
                };
                part.push(pack(decimal.word(), happened));
            }
            self.rounds += (part.len() - begin) as u64;
            self.ones += ones_of(&part[begin..]);
        }
    }

    /// Adds the rounds to others, of any kind.
    pub fn add_to(&self, forecasts: &mut Forecasts) -> Result<(), ForecastsError> {
        self.words().try_for_each(|word| {
            let (key, happened) = unpack(word);
            forecasts.push_decimal(happened, Decimal::from_word(key))
        })
    }

    /// The memory in bytes that `into_levels` takes at most, rounds and table included: 16 for each
    /// round (the words, and once more in order), and for each distinct prediction, of which there
    /// may be as many, 24 where 4·T·D is below 2^63 for the common denominator D, 32 below 2^127,
    /// 48 below 2^255, and else 72 with the bits of D in words. Cost: a look at each round.
    ///
    /// ```
    /// use truecal::{Rounds, summary::Decimals};
    /// let mut rounds = Rounds::<Decimals>::new();
    /// let tenth = truecal::Decimal::new(1, 1).expect("short");
    /// rounds.push(&[true; 1 << 16], &[tenth; 1 << 16])?;
    /// assert_eq!(rounds.table_bytes(), (16 + 24) << 16);
    /// # Ok::<(), truecal::ForecastsError>(())
    /// ```
    pub fn table_bytes(&self) -> u64 {
        self.bytes_with_unit(&decimal_unit(self.words().map(|word| word >> 1)))
    }

    /// The level table. Cost: a sort.
    pub fn into_levels(self) -> Result<AnyLevels, TableTooLarge> {
        let rounds = self.rounds;
        AnyLevels::from_tally(entries_of(&self.into_sorted()), &[], rounds)
    }

    /// The same rounds where others can be added with any prediction.
    pub fn into_forecasts(self) -> Forecasts {
        Forecasts::of_decimals(self.rounds, self.ones, self.into_entries())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any_levels::{Width, at_any_width};
    use crate::levels::Level;
    use crate::number::Number;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the kind: the same table as elsewhere, and measures as by the table.
        #[test]
        fn rounds_are_forecasts(
            rounds in prop::collection::vec((any::<bool>(), 0..=1000_u64), 0..80),
            more in prop::collection::vec((any::<bool>(), 0..=1000_u64), 0..80),
        ) {
            let all: Vec<_> = rounds.iter().chain(&more).copied().collect();
            let decimal = |thousandths: u64| Decimal::new(thousandths, 3).expect("short");
            let pairs = all.iter().map(|&(x, p)| (x, crate::Prediction::from(decimal(p))));
            let forecasts = Forecasts::from_pairs(pairs).expect("valid");
            let gathered = |rounds: &[(bool, u64)]| {
                let (outcomes, predictions): (Vec<bool>, Vec<Decimal>) =
                    rounds.iter().map(|&(x, p)| (x, decimal(p))).unzip();
                let mut kept = Rounds::<Decimals>::new();
                kept.push(&outcomes, &predictions).expect("valid");
                kept
            };
            let mut kept = gathered(&rounds);
            kept.append(gathered(&more));
            prop_assert_eq!((kept.rounds(), kept.ones()), (forecasts.rounds(), forecasts.ones()));
            prop_assert_eq!(&kept.clone().into_forecasts(), &forecasts);
            let levels = forecasts.levels().expect("short");
            prop_assert_eq!(&kept.clone().into_levels(), &Ok(levels.clone()));
            for evaluation in kept.evaluate(&Measure::ALL) {
                prop_assert_eq!(&levels.evaluate(evaluation.measure), &evaluation);
            }
            let double = |p: u64| f64::from_bits(0.5_f64.to_bits() + (p << 40));
            let (outcomes, predictions): (Vec<bool>, Vec<f64>) =
                all.iter().map(|&(x, p)| (x, double(p))).unzip();
            let mut kept = Rounds::<Doubles>::new();
            kept.push(&outcomes, &predictions).expect("valid");
            let levels = AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
            prop_assert_eq!(&kept.clone().into_forecasts().levels(), &Ok(levels.clone()));
            prop_assert_eq!(&kept.clone().into_levels(), &Ok(levels.clone()));
            for evaluation in kept.evaluate(&Measure::ALL) {
                prop_assert_eq!(&levels.evaluate(evaluation.measure), &evaluation);
            }
        }
    }

    #[test]
    fn what_is_no_forecast_is_named() {
        let mut rounds = Rounds::<Doubles>::new();
        let error = rounds.push(&[1_u8, 0], &[0.5, 1.5]).expect_err("above 1");
        assert!(error.to_string().starts_with("round 1: "), "{error}");
        assert_eq!((rounds.rounds(), rounds.ones()), (1, 1));
        assert!(rounds.push(&[true], &[]).is_err());
        // In another part; what came before it stays, and others may follow.
        let mut predictions = vec![0.25; 2 * PART];
        predictions[PART + 7] = f64::NAN;
        let error = rounds.push(&vec![true; 2 * PART], &predictions).expect_err("not a number");
        assert!(error.to_string().starts_with(&format!("round {}: ", PART + 7)), "{error}");
        assert_eq!(rounds.rounds(), PART as u64 + 8);
        rounds.push(&[false], &[0.25]).expect("valid");
        let step = &rounds.evaluate(&[Measure::StepCe])[0];
        // p = 1/2 once and then 1/4, with an event each time but the last.
        let expected = num_rational::BigRational::new((3 * (PART as u64 + 7) + 1).into(), 4.into());
        assert_eq!((step.value.clone(), rounds.ones()), (expected, PART as u64 + 8));
    }

    #[test]
    fn ties_are_noticed() {
        let of = |levels: u64| {
            let near = |t: u64| f64::from_bits(0.5_f64.to_bits() + t % levels);
            let mut rounds = Rounds::<Doubles>::new();
            rounds.push(&[true; 5000], &Vec::from_iter((0..5000).map(near))).expect("valid");
            rounds.is_mostly_tied()
        };
        assert_eq!(
            (of(11), of(5000), Rounds::<Doubles>::new().is_mostly_tied()),
            (true, false, false)
        );
    }

    /// What a table holds: levels, and for long numbers their digits.
    fn held(levels: &AnyLevels) -> u64 {
        fn rows<N>(rows: &[Level<N>], digits: impl Fn(&N) -> u64) -> u64 {
            let elsewhere = rows.iter().map(|level| digits(&level.value)).sum::<u64>();
            size_of_val(rows) as u64 + elsewhere
        }
        match &levels.0 {
            Width::I32(levels) => rows(levels.table().rows(), |_| 0),
            Width::I64(levels) => rows(levels.table().rows(), |_| 0),
            Width::I128(levels) => rows(levels.table().rows(), |_| 0),
            Width::I256(levels) => rows(levels.table().rows(), |_| 0),
            Width::Big(levels) => {
                rows(levels.table().rows(), |value| 8 * value.iter_u64_digits().len() as u64)
            }
        }
    }

    /// At every width the table is within what was said, and if all predictions are distinct and
    /// nearly as long as the longest, not by much.
    #[test]
    fn tables_are_as_large_as_was_said() {
        let mut widths = vec![];
        for exponent in [1_u64, 25, 60, 200, 300, 1022] {
            // One that is as fine as that, and others in the upper half.
            let near = |t: u64| match t {
                0 => f64::from_bits((1023 - exponent) << 52),
                _ => f64::from_bits(1022 << 52 | t << 40),
            };
            let mut rounds = Rounds::<Doubles>::new();
            rounds.push(&[true; 4096], &Vec::from_iter((0..4096).map(near))).expect("valid");
            let (said, words) = (rounds.table_bytes(), 2 * rounds.bytes());
            let levels = rounds.into_levels().expect("no limit");
            assert_eq!(levels.len(), 4096);
            let held = held(&levels);
            assert!(words + held <= said && said - words <= 2 * held, "{held} {said}");
            widths.push(levels.width());
        }
        assert_eq!(widths, ["i32", "i64", "i128", "i256", "bigint", "bigint"]);
        let mut rounds = Rounds::<Decimals>::new();
        for (digits, places) in [(5, 1), (123, 3), (99_999_999_999_999_999, 17), (7, 60)] {
            let decimal = Decimal::new(digits, places).expect("short");
            rounds.push(&[true], &[decimal]).expect("valid");
            let (said, words) = (rounds.table_bytes(), 2 * rounds.bytes());
            let levels = rounds.clone().into_levels().expect("short");
            assert_eq!(said - words, levels.len() as u64 * level_bytes_of(&levels));
            assert!(words + held(&levels) <= said);
        }
        assert_eq!(Rounds::<Decimals>::new().table_bytes(), 0);
    }

    fn level_bytes_of(levels: &AnyLevels) -> u64 {
        let unit =
            at_any_width!(&levels.0, levels => levels.table().unit().to_rational().to_integer());
        level_bytes(levels.rounds(), &unit)
    }

    #[test]
    fn memory_is_eight_bytes_a_round() {
        let mut rounds = Rounds::<Doubles>::new();
        rounds.push(&vec![true; 3 * PART], &vec![0.5; 3 * PART]).expect("valid");
        assert_eq!(rounds.bytes(), 8 * 3 * PART as u64);
    }
}
