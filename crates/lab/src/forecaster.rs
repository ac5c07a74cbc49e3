//! Forecasters: what is predicted.

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::One;

use super::nature::{Memory, Outcomes};
use truecal::Prediction;
use truecal::rational::int;

/// What is predicted in a round, as it depends on p*, which is revealed before.
#[derive(Clone)]
#[non_exhaustive]
pub enum Rule {
    /// p* itself.
    Truth,
    /// The same for every p*.
    Constant(Prediction),
    /// One of these, at random: points with probabilities that add up to 1.
    Mixture(Vec<(Prediction, BigRational)>),
    /// The prediction of the first step whose upper end is at least p*. The ends ascend, and the
    /// last one is 1.
    Steps(Arc<[(Prediction, Prediction)]>),
    /// Any function. If p* is spread, its expected penalty can only be sampled.
    Function(Arc<dyn Fn(&Prediction) -> Prediction + Send + Sync>),
}

impl Rule {
    /// The predictions for this p*, with probabilities.
    pub(super) fn at(&self, truth: &Prediction) -> Vec<(Prediction, BigRational)> {
        let certain = |p: Prediction| vec![(p, BigRational::one())];
        match self {
            Rule::Truth => certain(truth.clone()),
            Rule::Constant(p) => certain(p.clone()),
            Rule::Mixture(points) => points.clone(),
            Rule::Steps(steps) => {
                let step = steps.partition_point(|(end, _)| end < truth);
                certain(steps[step].1.clone())
            }
            Rule::Function(function) => certain(function(truth)),
        }
    }
}

/// A strategy: what to predict by what was predicted and what happened (L300-308). Implement it for
/// a forecaster of one's own.
pub trait Forecaster: Send + Sync {
    /// What it remembers before the first round.
    fn start(&self) -> Memory {
        vec![]
    }

    /// What it predicts in the next round, after `round` rounds.
    fn rule(&self, round: u64, memory: &[i64]) -> Rule;

    /// For how many rounds from the next one on the rule stays the same whatever happens; at
    /// least 1. Among these it may count ones only.
    fn steady(&self, _round: u64, _memory: &[i64]) -> u64 {
        1
    }

    /// Whether what it remembers depends on what it predicted, and not only on what happened. If
    /// not, a p* that has a density and is predicted can be followed by pieces of that density,
    /// which gives exact penalties; what `remember` is told of the prediction is then one end of
    /// the piece.
    fn remembers_predictions(&self) -> bool {
        true
    }

    /// What it remembers after steady rounds with this prediction and these outcomes.
    fn remember(
        &self,
        _round: u64,
        memory: Memory,
        _said: &Prediction,
        _outcomes: Outcomes,
    ) -> Memory {
        memory
    }
}

/// As good as for ever.
const ALWAYS: u64 = u64::MAX;

/// Predicts p*.
#[derive(Clone, Copy, Debug)]
pub struct Truthful;

impl Forecaster for Truthful {
    fn rule(&self, _round: u64, _memory: &[i64]) -> Rule {
        Rule::Truth
    }

    fn steady(&self, _round: u64, _memory: &[i64]) -> u64 {
        ALWAYS
    }

    fn remembers_predictions(&self) -> bool {
        false
    }
}

/// Predicts the same in every round.
#[derive(Clone, Debug)]
pub struct Constant(pub Prediction);

impl Forecaster for Constant {
    fn rule(&self, _round: u64, _memory: &[i64]) -> Rule {
        Rule::Constant(self.0.clone())
    }

    fn steady(&self, _round: u64, _memory: &[i64]) -> u64 {
        ALWAYS
    }
}

/// Predicts by the calendar: so many rounds this, so many that. The last prediction stays.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// (the round after the last one with this prediction, the prediction)
    ends: Vec<(u64, Prediction)>,
}

impl Scheduled {
    /// Predictions for so many rounds each; at least one.
    pub fn new(parts: impl IntoIterator<Item = (u64, Prediction)>) -> Self {
        let mut end = 0;
        let placed = parts.into_iter().map(|(rounds, prediction)| {
            end += rounds;
            (end, prediction)
        });
        let ends: Vec<_> = placed.collect();
        assert!(!ends.is_empty(), "a schedule has a prediction");
        Scheduled { ends }
    }

    fn part(&self, round: u64) -> Option<&(u64, Prediction)> {
        self.ends.iter().find(|(end, _)| round < *end)
    }
}

impl Forecaster for Scheduled {
    fn rule(&self, round: u64, _memory: &[i64]) -> Rule {
        let last = self.ends.last().expect("a schedule has a prediction");
        Rule::Constant(self.part(round).unwrap_or(last).1.clone())
    }

    fn steady(&self, round: u64, _memory: &[i64]) -> u64 {
        self.part(round).map_or(ALWAYS, |(end, _)| end - round)
    }
}

/// Rounds p* to the nearest multiple of 1/D, halves down: as good as truthful where few thresholds
/// are wanted (L484).
#[derive(Clone, Debug)]
pub struct RoundedTruth {
    steps: Arc<[(Prediction, Prediction)]>,
}

impl RoundedTruth {
    /// To multiples of 1/D; D is at least 1.
    pub fn to(denominator: u32) -> Self {
        let whole = u64::from(denominator.max(1));
        let step = |i: u64| {
            let end = if i == whole { (1, 1) } else { (2 * i + 1, 2 * whole) };
            [end, (i, whole)].map(|(a, b)| Prediction::from_parts(a, b).expect("at most 1"))
        };
        RoundedTruth { steps: (0..=whole).map(|i| step(i).into()).collect() }
    }
}

impl Forecaster for RoundedTruth {
    fn rule(&self, _round: u64, _memory: &[i64]) -> Rule {
        Rule::Steps(Arc::clone(&self.steps))
    }

    fn steady(&self, _round: u64, _memory: &[i64]) -> u64 {
        ALWAYS
    }
}

/// Predicts one value for so many rounds, and on until its bias there is no longer negative; then
/// another (prop:HQYZ24-UCal, L398).
///
/// If the first rounds had too few ones for their prediction, later ones patch that up.
#[derive(Clone, Debug)]
pub struct PatchUp {
    /// The rounds that are predicted by the first value whatever happens.
    pub first_rounds: u64,
    /// What is predicted while it has to be.
    pub first: Prediction,
    /// What is predicted afterwards.
    pub then: Prediction,
}

impl PatchUp {
    /// The memory is empty once it is over, and otherwise the ones at the first value.
    fn over(&self, round: u64, memory: &[i64]) -> bool {
        let Some(ones) = memory.first() else { return true };
        // In exact numbers: ones - rounds · first is negative while it has to go on.
        let balance = int(*ones) - self.first.to_rational() * int(round);
        round >= self.first_rounds && balance >= int(0)
    }
}

impl Forecaster for PatchUp {
    fn start(&self) -> Memory {
        vec![0]
    }

    fn rule(&self, round: u64, memory: &[i64]) -> Rule {
        Rule::Constant(if self.over(round, memory) { &self.then } else { &self.first }.clone())
    }

    fn steady(&self, round: u64, memory: &[i64]) -> u64 {
        if self.over(round, memory) {
            ALWAYS
        } else {
            self.first_rounds.saturating_sub(round).max(1)
        }
    }

    fn remember(
        &self,
        round: u64,
        memory: Memory,
        _said: &Prediction,
        outcomes: Outcomes,
    ) -> Memory {
        if self.over(round, &memory) {
            return vec![];
        }
        vec![memory[0] + outcomes.ones.cast_signed()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_schedule_stays() {
        let p = |text: &str| text.parse::<Prediction>().expect("a probability");
        let schedule = Scheduled::new([(1, p("1/4")), (2, p("3/4"))]);
        let said = |round| schedule.rule(round, &[]).at(&p("0"))[0].0.clone();
        assert_eq!([0, 1, 2, 3, 100].map(said), ["1/4", "3/4", "3/4", "3/4", "3/4"].map(p));
    }
}
