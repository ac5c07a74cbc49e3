//! Rounds in memory, a word each: what files are read into before anybody knows what will be asked
//! of them.

use std::marker::PhantomData;

use crate::any_levels::{AnyLevels, TableTooLarge};
use crate::dyadic::Dyadic;
use crate::forecasts::{Forecasts, ForecastsError};
use crate::measure::Measure;
use crate::prediction::Prediction;
use crate::summary::{
    Decimals, Doubles, Keys, Outcome, evaluate_parts, first_bad, pack, same_length,
};
use crate::tally::{Entry, levels_of, mostly_tied};
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

/// The words of a part, but for those that came at once.
const PART: usize = 1 << 16;

impl<K: Keys> Rounds<K> {
    /// None yet.
    pub fn new() -> Self {
        Rounds { parts: vec![], rounds: 0, ones: 0, keys: PhantomData }
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
            let part = with_room(&mut self.parts);
            let begin = part.len();
            let end = outcomes.len().min(done + PART - begin);
            let all_good = extend::<K, O>(part, &outcomes[done..end], &predictions[done..end]);
            let bad = (!all_good).then(|| first_bad::<K, O>(outcomes, predictions));
            if let Some((round, _)) = &bad {
                part.truncate(begin + round - done);
            }
            self.ones += part[begin..].iter().map(|word| word & 1).sum::<u64>();
            self.rounds += (part.len() - begin) as u64;
            if let Some((_, error)) = bad {
                return Err(error);
            }
            done = end;
        }
        Ok(())
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
        let mut words = self.parts.concat();
        drop(self.parts);
        levels_of(&mut words)
    }
}

/// The last part, or one that is begun if that is full.
fn with_room(parts: &mut Vec<Vec<u64>>) -> &mut Vec<u64> {
    if parts.last().is_none_or(|part| part.len() >= PART) {
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
    /// The level table. Cost: a sort.
    pub fn into_levels(self) -> Result<AnyLevels, TableTooLarge> {
        let rounds = self.rounds;
        let entries = self.into_entries();
        let doubles = entries.iter().map(|entry| (entry.key, entry.count, entry.ones));
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
    /// The level table. Cost: a sort.
    pub fn into_levels(self) -> Result<AnyLevels, TableTooLarge> {
        let rounds = self.rounds;
        AnyLevels::from_tally(&self.into_entries(), &[], rounds)
    }

    /// The same rounds where others can be added with any prediction.
    pub fn into_forecasts(self) -> Forecasts {
        Forecasts::of_decimals(self.rounds, self.ones, self.into_entries())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prediction::Decimal;
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

    #[test]
    fn memory_is_eight_bytes_a_round() {
        let mut rounds = Rounds::<Doubles>::new();
        rounds.push(&vec![true; 3 * PART], &vec![0.5; 3 * PART]).expect("valid");
        assert_eq!(rounds.bytes(), 8 * 3 * PART as u64);
    }
}
