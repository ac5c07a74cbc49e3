//! Natures: where outcomes come from.

use num_rational::BigRational;

use super::chance::Chance;
use truecal::Prediction;
use truecal::rational::int;

/// What a nature or a forecaster remembers of the rounds so far: all that its next steps depend on.
/// The less, the better, since runs with equal memories and equal level tables are one state.
pub type Memory = Vec<i64>;

/// Outcomes of some rounds whose order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// How many rounds.
    pub rounds: u64,
    /// How many ones among them.
    pub ones: u64,
}

/// The distribution of outcomes, step by step (L300-308): it chooses the law of p*_t by the
/// outcomes before round t, p*_t is drawn, and the event happens with that probability. Implement
/// it for a nature of one's own; [`Blocks`] and [`Adaptive`] cover most.
pub trait Nature: Send + Sync {
    /// T
    fn rounds(&self) -> u64;

    /// What it remembers before the first round.
    fn start(&self) -> Memory {
        vec![]
    }

    /// The law of p* in the next round, after `round` rounds.
    fn chance(&self, round: u64, memory: &[i64]) -> Chance;

    /// For how many rounds from the next one on the law stays the same whatever happens; at
    /// least 1. Among these it may count ones only.
    fn steady(&self, _round: u64, _memory: &[i64]) -> u64 {
        1
    }

    /// What it remembers after the outcomes of steady rounds.
    fn remember(&self, _round: u64, memory: Memory, _outcomes: Outcomes) -> Memory {
        memory
    }

    /// The blocks of independent rounds that it consists of, if it does.
    fn independent(&self) -> Option<&Blocks> {
        None
    }
}

/// Independent rounds in blocks of the same law: a product distribution, if the laws are points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// (the round after the last one of the block, its law)
    ends: Vec<(u64, Chance)>,
}

impl Blocks {
    /// Blocks of so many rounds each. Empty ones are left out.
    pub fn new(blocks: impl IntoIterator<Item = (u64, Chance)>) -> Self {
        let mut end = 0;
        let placed =
            blocks.into_iter().filter(|(rounds, _)| *rounds > 0).map(|(rounds, chance)| {
                end += rounds;
                (end, chance)
            });
        Blocks { ends: placed.collect() }
    }

    /// One round for each probability.
    pub fn product(probabilities: impl IntoIterator<Item = Prediction>) -> Self {
        Blocks::new(probabilities.into_iter().map(|p| (1, Chance::Point(p))))
    }

    /// The block of a round, from 0.
    fn block(&self, round: u64) -> &(u64, Chance) {
        let index = self.ends.partition_point(|(end, _)| *end <= round);
        &self.ends[index]
    }

    /// The blocks: their rounds and laws.
    pub fn blocks(&self) -> impl Iterator<Item = (u64, &Chance)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        starts.zip(&self.ends).map(|(start, (end, chance))| (end - start, chance))
    }

    /// The mean probability of an event.
    pub fn mean(&self) -> BigRational {
        let events: BigRational =
            self.blocks().map(|(count, chance)| chance.mean() * int(count)).sum();
        events / int(self.rounds().max(1))
    }

    /// Whether every p* is known.
    pub fn has_no_density(&self) -> bool {
        self.ends.iter().all(|(_, chance)| matches!(chance, Chance::Point(_)))
    }

    /// E Σ p*(1 - p*): the variance of the number of events given p*.
    pub fn variance(&self) -> BigRational {
        let of = |(rounds, chance): (u64, &Chance)| chance.variance() * int(rounds);
        self.blocks().map(of).sum()
    }
}

impl Nature for Blocks {
    fn rounds(&self) -> u64 {
        self.ends.last().map_or(0, |(end, _)| *end)
    }

    fn chance(&self, round: u64, _memory: &[i64]) -> Chance {
        self.block(round).1.clone()
    }

    fn steady(&self, round: u64, _memory: &[i64]) -> u64 {
        self.block(round).0 - round
    }

    fn independent(&self) -> Option<&Blocks> {
        Some(self)
    }
}

/// A law for each round by a function of all outcomes before it.
pub struct Adaptive<F> {
    rounds: u64,
    chance: F,
}

impl<F: Fn(&[bool]) -> Chance + Send + Sync> Adaptive<F> {
    /// T rounds; the function is asked with 0, 1, …, T - 1 outcomes.
    pub fn new(rounds: u64, chance: F) -> Self {
        Adaptive { rounds, chance }
    }
}

impl<F: Fn(&[bool]) -> Chance + Send + Sync> Nature for Adaptive<F> {
    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn chance(&self, _round: u64, memory: &[i64]) -> Chance {
        (self.chance)(&memory.iter().map(|x| *x == 1).collect::<Vec<_>>())
    }

    fn remember(&self, _round: u64, memory: Memory, outcomes: Outcomes) -> Memory {
        with_outcome(memory, outcomes)
    }
}

/// A memory of all outcomes, one at a time.
pub(super) fn with_outcome(mut memory: Memory, outcomes: Outcomes) -> Memory {
    memory.push(i64::from(outcomes.ones == 1));
    memory
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natures;

    #[test]
    fn a_density_anywhere_counts() {
        let point = natures::fair(1).chance(0, &[]);
        let density = natures::uniform(1).chance(0, &[]);
        for laws in [[point.clone(), density.clone()], [density, point.clone()]] {
            assert!(!Blocks::new(laws.map(|law| (1, law))).has_no_density());
        }
        assert!(Blocks::new([(1, point)]).has_no_density());
    }
}
