//! Exact expectations: a dynamic programme over states.
//!
//! A run matters to what follows by the memories of the nature and of the forecaster, and to the
//! measure by its level table. Runs that agree in these three are one state, whose probability is
//! the sum of theirs. So one engine serves product distributions, adaptive natures and everything
//! between: a truthful or a hedging forecaster of independent rounds has as many states as there
//! are level tables, (T/2)² for two blocks; where everything is remembered, the states are the
//! outcome tree. Rounds in which neither the law nor the rule changes are one step, with binomial
//! probabilities. Probabilities are integers over a common denominator. A layer of many states is
//! split into chunks, on all processors: memory stays bounded, and only states that would have met
//! later are followed twice.
//!
//! If p* has a density and is predicted itself, the table says only between which ends the
//! prediction is: the rest is integrated at the end (`density.rs`).

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Zero};
use rayon::prelude::*;

use super::density;
use super::growth::Growth;
use super::sum::Sum;
use super::table::{Budget, Entry, Slot, levels};
use super::{Penalty, PenaltyError};
use crate::chance::{Chance, Piece};
use crate::forecaster::{Forecaster, Rule};
use crate::nature::{Memory, Nature, Outcomes};
use crate::optimum::pieces::is_piecewise_affine;
use truecal::Measure;
use truecal::Prediction;

/// A layer of more states than this is split into chunks, which bounds the memory.
const MOST_STATES: usize = 1 << 14;

/// The expected measure, exactly, in at most so many steps.
pub fn exact(
    nature: &dyn Nature,
    forecaster: &dyn Forecaster,
    measure: Measure,
    steps: u64,
) -> Result<Penalty, PenaltyError> {
    let budget = Budget::new(steps);
    let walk = StateWalk { nature, forecaster, measure, budget };
    let start = State { nature: nature.start(), forecaster: forecaster.start(), table: vec![] };
    let layer =
        Layer { denominator: BigInt::one(), states: HashMap::from([(start, BigInt::one())]) };
    Ok(walk.follow(0, layer)?.total())
}

/// What a run comes to so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    nature: Memory,
    forecaster: Memory,
    /// By places, ascending.
    table: Vec<Entry>,
}

/// The states after some rounds, with probabilities over the denominator.
#[derive(Debug)]
struct Layer {
    denominator: BigInt,
    states: HashMap<State, BigInt>,
}

impl Layer {
    /// Adds numerator/denominator to the probability of a state.
    fn add(&mut self, state: State, numerator: BigInt, denominator: &BigInt) {
        let mut numerator = numerator;
        if *denominator != self.denominator {
            let common = self.denominator.lcm(denominator);
            let factor = &common / &self.denominator;
            if !factor.is_one() {
                self.states.values_mut().for_each(|weight| *weight *= &factor);
            }
            numerator *= &common / denominator;
            self.denominator = common;
        }
        *self.states.entry(state).or_default() += numerator;
    }
}

/// A prediction with the probabilities that it is made and the event happens, or does not.
struct Branch {
    place: Slot,
    one: BigRational,
    zero: BigRational,
}

struct StateWalk<'a> {
    nature: &'a dyn Nature,
    forecaster: &'a dyn Forecaster,
    measure: Measure,
    budget: Budget,
}

impl StateWalk<'_> {
    /// The sum of probability times measure over all runs from these states on.
    fn follow(&self, round: u64, layer: Layer) -> Result<Sum, PenaltyError> {
        let mut ahead = BTreeMap::from([(round, layer)]);
        let mut sum = Sum::default();
        let mut growth = Growth::default();
        while let Some((round, layer)) = ahead.pop_first() {
            let left = self.nature.rounds() - round;
            if growth.is_hopeless(layer.states.len(), left, self.budget.steps) {
                return Err(PenaltyError::Steps { steps: self.budget.steps });
            }
            if round == self.nature.rounds() {
                let denominator = layer.denominator.clone();
                sum.append(self.measured(layer)?, &denominator);
            } else if layer.states.len() > MOST_STATES {
                for chunk in self.in_chunks(round, layer)? {
                    sum.append(chunk, &BigInt::one());
                }
            } else {
                for (state, weight) in layer.states {
                    self.step(round, &state, &weight, &layer.denominator, &mut ahead)?;
                }
            }
        }
        Ok(sum)
    }

    /// Follows chunks of a layer at the same time. In order, so that every run splits alike, and
    /// what may meet later stays together.
    fn in_chunks(&self, round: u64, layer: Layer) -> Result<Vec<Sum>, PenaltyError> {
        let Layer { denominator, states } = layer;
        let mut states: Vec<_> = states.into_iter().collect();
        states.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let parts = states.par_chunks(states.len().div_ceil(16));
        let follow = |part: &[(State, BigInt)]| {
            let states = part.iter().cloned().collect();
            self.follow(round, Layer { denominator: denominator.clone(), states })
        };
        parts.map(follow).collect()
    }

    /// All that can happen next.
    fn step(
        &self,
        round: u64,
        state: &State,
        weight: &BigInt,
        denominator: &BigInt,
        ahead: &mut BTreeMap<u64, Layer>,
    ) -> Result<(), PenaltyError> {
        let chance = self.nature.chance(round, &state.nature);
        let rule = self.forecaster.rule(round, &state.forecaster);
        let branches = branches(&chance, &rule, self.integrates())?;
        let stretch = match &branches[..] {
            [_] => {
                let steady = self.nature.steady(round, &state.nature);
                steady.min(self.forecaster.steady(round, &state.forecaster))
            }
            _ => 1,
        };
        let stretch = stretch.clamp(1, self.nature.rounds() - round);
        for Branch { place, one, zero } in &branches {
            let (Slot::At(said) | Slot::Within(said, _)) = place;
            if matches!(place, Slot::Within(..)) {
                let before: u64 = spread(&state.table).map(|(_, rounds, _)| rounds).sum();
                self.budget.admit(density::cost(self.measure, before + stretch))?;
            }
            let common = one.denom().lcm(zero.denom());
            let [one, zero] = [one, zero].map(|p| p.numer() * (&common / p.denom()));
            // Long weights cost more than one step each.
            let outcomes = if one.is_zero() || zero.is_zero() { 1 } else { stretch + 1 };
            let length = 1 + stretch.saturating_mul(common.bits() - 1) / 4096;
            self.budget.spend(outcomes.saturating_mul(length).saturating_mul(16))?;
            let below = Pow::pow(&common, stretch) * denominator;
            for (ones, probability) in binomial(stretch, &one, &zero) {
                let outcomes = Outcomes { rounds: stretch, ones };
                let next = State {
                    nature: self.nature.remember(round, state.nature.clone(), outcomes),
                    forecaster: self.forecaster.remember(
                        round,
                        state.forecaster.clone(),
                        said,
                        outcomes,
                    ),
                    table: with_rounds(&state.table, place, outcomes),
                };
                let layer = ahead.entry(round + stretch).or_insert_with(|| Layer {
                    denominator: below.clone(),
                    states: HashMap::new(),
                });
                layer.add(next, probability * weight, &below);
            }
        }
        Ok(())
    }

    /// The sum of weight times measure. States with the same table count once.
    fn measured(&self, layer: Layer) -> Result<Sum, PenaltyError> {
        let mut tables = HashMap::<_, BigInt>::new();
        for (state, weight) in layer.states {
            *tables.entry(state.table).or_default() += weight;
        }
        let (with_density, tables): (Vec<_>, Vec<_>) =
            tables.into_iter().partition(|(table, _)| spread(table).next().is_some());
        let mut total = self.integrated(with_density)?;
        let built = tables.into_par_iter().map(|(table, weight)| Ok((levels(&table)?, weight)));
        let tables = built.collect::<Result<Vec<_>, PenaltyError>>()?;
        // What is too much is known before any of it is done.
        for (levels, _) in &tables {
            let classes = levels.cost(self.measure).and_then(|cost| u64::try_from(cost).ok());
            self.budget.spend(classes.unwrap_or(u64::MAX).saturating_add(16))?;
        }
        let parts = tables.par_chunks(64).map(|part| {
            let mut sum = Sum::default();
            for (levels, weight) in part {
                let value = levels.evaluate(self.measure).value;
                sum.add(value.numer() * weight, value.denom());
            }
            sum
        });
        for part in parts.collect::<Vec<_>>() {
            total.append(part, &BigInt::one());
        }
        Ok(total)
    }

    /// Whether a p* that is predicted can be known by its piece only.
    fn integrates(&self) -> bool {
        !self.forecaster.remembers_predictions() && is_piecewise_affine(self.measure)
    }

    /// The sum of weight times expected measure of tables with densities. An average over subsets
    /// is one over their parts.
    fn integrated(&self, tables: Vec<(Vec<Entry>, BigInt)>) -> Result<Sum, PenaltyError> {
        let Some(base) = self.measure.subsampled_from() else {
            return self.means(self.measure, tables, &BigInt::one());
        };
        let mut parts = BTreeMap::<_, BigInt>::new();
        for (table, weight) in tables {
            self.budget.spend(density::number_of_subtables(&table).saturating_mul(16))?;
            for (part, ways) in density::subtables(&table) {
                *parts.entry(part).or_default() += ways * &weight;
            }
        }
        self.means(base, parts.into_iter().collect(), &(BigInt::one() << self.nature.rounds()))
    }

    fn means(
        &self,
        measure: Measure,
        tables: Vec<(Vec<Entry>, BigInt)>,
        divisor: &BigInt,
    ) -> Result<Sum, PenaltyError> {
        // What is too much is not begun.
        let costs = tables.iter().map(|(table, _)| density::cost_of_mean(measure, table));
        self.budget.admit(costs.fold(0, u64::saturating_add))?;
        let mean = |(table, weight): (Vec<Entry>, BigInt)| {
            Ok((density::mean(measure, &table, &self.budget)?, weight))
        };
        let means = tables.into_par_iter().map(mean).collect::<Result<Vec<_>, PenaltyError>>()?;
        let mut sum = Sum::default();
        for (mean, weight) in means {
            sum.add(mean.numer() * weight, &(mean.denom() * divisor));
        }
        Ok(sum)
    }
}

/// The rounds whose predictions have a density.
fn spread(table: &[Entry]) -> impl Iterator<Item = &Entry> {
    table.iter().filter(|(place, ..)| matches!(place, Slot::Within(..)))
}

/// The weights C(n, k) one^k zero^(n-k) of k successes, those that are not 0.
fn binomial(n: u64, one: &BigInt, zero: &BigInt) -> Vec<(u64, BigInt)> {
    if zero.is_zero() {
        return vec![(n, Pow::pow(one, n))];
    }
    let mut law: Vec<(u64, BigInt)> = vec![(0, Pow::pow(zero, n))];
    for k in 0..if one.is_zero() { 0 } else { n } {
        // The division leaves no remainder.
        let next = &law[law.len() - 1].1 * one * (n - k) / (zero * (k + 1));
        law.push((k + 1, next));
    }
    law
}

/// The table with more rounds at a place.
fn with_rounds(table: &[Entry], place: &Slot, Outcomes { rounds, ones }: Outcomes) -> Vec<Entry> {
    let mut table = table.to_vec();
    match table.binary_search_by(|(other, ..)| other.cmp(place)) {
        Ok(index) => {
            table[index].1 += rounds;
            table[index].2 += ones;
        }
        Err(index) => table.insert(index, (place.clone(), rounds, ones)),
    }
    table
}

/// What may be predicted, and happen, in one round. A p* that is predicted and has a density can be
/// followed by pieces if that is enough to know.
fn branches(chance: &Chance, rule: &Rule, by_pieces: bool) -> Result<Vec<Branch>, PenaltyError> {
    let at = |prediction: &Prediction, mass: &BigRational, one: BigRational| Branch {
        place: Slot::At(prediction.clone()),
        zero: mass - &one,
        one,
    };
    let mut branches: Vec<Branch> = match (chance, rule) {
        (Chance::Point(p), _) => {
            let one = p.to_rational();
            let points = rule.at(p).into_iter();
            points.map(|(prediction, mass)| at(&prediction, &mass, &mass * &one)).collect()
        }
        (Chance::Spread(spread), Rule::Truth) if by_pieces => {
            let within = |Piece { low, high, mass }: &Piece| {
                let end = |p: &BigRational| Prediction::try_from(p).expect("within [0, 1]");
                let one = mass * (low + high) / BigInt::from(2);
                Branch { place: Slot::Within(end(low), end(high)), zero: mass - &one, one }
            };
            spread.pieces().iter().map(within).collect()
        }
        (Chance::Spread(_), Rule::Truth | Rule::Function(_)) => {
            return Err(PenaltyError::Continuous);
        }
        (Chance::Spread(_), Rule::Constant(p)) => vec![at(p, &BigRational::one(), chance.mean())],
        (Chance::Spread(_), Rule::Mixture(points)) => {
            let mean = chance.mean();
            points.iter().map(|(p, mass)| at(p, mass, mass * &mean)).collect()
        }
        (Chance::Spread(spread), Rule::Steps(steps)) => {
            let mut from = BigRational::zero();
            let mut parts = vec![];
            for (end, prediction) in steps.iter() {
                let end = end.to_rational();
                let (mass, one) = spread.part(&from, &end);
                parts.push(at(prediction, &mass, one));
                from = end;
            }
            parts
        }
    };
    branches.retain(|branch| !(branch.one.is_zero() && branch.zero.is_zero()));
    Ok(branches)
}
