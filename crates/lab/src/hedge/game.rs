//! The algorithm against every adversary, exactly.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Pow, Signed, Zero};
use truecal::rational::int;

use super::reading::{moved, tree_law};
use super::tree::{Tree, scale};
use crate::enclosure::Enclosure;

/// A mixture of grid points: the bucket, from 0 on, and its probability.
pub type Forecast<N> = Vec<(usize, Ratio<N>)>;

/// C at the grid points 0, 1/(k-1), …, 1: the sum of w(+,i) - w(-,i) over buckets i from there on.
pub fn signs<N: Clone + Integer>(plus: &[Ratio<N>], minus: &[Ratio<N>]) -> Vec<Ratio<N>> {
    let mut sum = Ratio::zero();
    let mut signs: Vec<_> = plus
        .iter()
        .zip(minus)
        .rev()
        .map(|(plus, minus)| {
            sum = sum.clone() + plus.clone() - minus.clone();
            sum.clone()
        })
        .collect();
    signs.reverse();
    signs
}

/// Every forecast that the algorithm may make: it is free in the pair of neighbours with a change
/// of sign.
pub fn forecasts<N: Clone + Integer + Signed>(signs: &[Ratio<N>]) -> Vec<Forecast<N>> {
    if signs.iter().all(|c| !c.is_negative()) {
        return vec![vec![(signs.len() - 1, Ratio::one())]];
    }
    if signs.iter().all(|c| !c.is_positive()) {
        return vec![vec![(0, Ratio::one())]];
    }
    let pair = |j: usize| {
        let (first, second) = (signs[j].clone(), signs[j + 1].clone());
        let q = if first == second { Ratio::one() } else { second.clone() / (second - first) };
        vec![(j, q.clone()), (j + 1, Ratio::one() - q)]
    };
    let changes = |j: &usize| !(signs[*j].clone() * signs[j + 1].clone()).is_positive();
    (0..signs.len() - 1).filter(changes).map(pair).collect()
}

/// The forecasts that may be made from (k-1) L_1, …, (k-1) L_k.
type Forecasts = dyn Fn(&[i64]) -> Vec<Forecast<BigInt>>;

/// A game of so many rounds: the adversary knows the state, chooses x and, where there is a choice,
/// the forecast, and only then is p drawn from it.
pub struct Game {
    forecasts: Box<Forecasts>,
    /// The expected stepCE in units of 1/(k-1) from some biases with so many rounds to go.
    known: HashMap<(Vec<i64>, u32), BigRational>,
}

impl Game {
    /// The algorithm of the paper with k buckets over T rounds, whichever pair it takes.
    ///
    /// Hedge gives expert (σ, i) a weight proportional to exp(eta σ L_i / 2) with eta = sqrt(8
    /// ln(2k)/T). L_i is a multiple of 1/(k-1). So with a rational base in place of
    /// exp(eta/(2(k-1))), rounded to a 64th, all probabilities are rational; that is Hedge with a
    /// slightly different eta.
    pub fn of_every_choice(buckets: usize, rounds: u32) -> Self {
        let experts = Enclosure::from(2 * buckets as i64);
        let eta = (Enclosure::ratio(8, rounds.into()) * experts.ln()).sqrt();
        let exact = (eta / Enclosure::from(2 * (buckets as i64 - 1))).exp().low();
        let parts = int(64);
        let base = (exact * &parts).floor() / parts;
        let weights = move |biases: &[i64], sign: i64| -> Vec<BigRational> {
            let power = |bias: &i64| -> BigRational {
                let size = Pow::pow(&base, bias.unsigned_abs());
                if sign * bias < 0 { size.recip() } else { size }
            };
            biases.iter().map(power).collect()
        };
        Game::of(move |biases| forecasts(&signs(&weights(biases, 1), &weights(biases, -1))))
    }

    /// The forecaster as it runs, with its own choice and its own rounding.
    pub fn of_forecaster(buckets: usize, rounds: u32) -> Self {
        let scale = scale(rounds.into(), buckets);
        Game::of(move |biases| vec![tree_law(&Tree::new(biases, scale))])
    }

    fn of(forecasts: impl Fn(&[i64]) -> Vec<Forecast<BigInt>> + 'static) -> Self {
        Game { forecasts: Box::new(forecasts), known: HashMap::new() }
    }

    /// What the worst adversary can bring about, in units of 1/(k-1).
    pub fn value(&mut self, biases: &[i64], rounds: u32) -> BigRational {
        if rounds == 0 {
            let largest = biases.iter().map(|bias| bias.abs()).max().expect("a bucket");
            return int(largest);
        }
        let key = (biases.to_vec(), rounds);
        if let Some(value) = self.known.get(&key) {
            return value.clone();
        }
        let mut worst = BigRational::zero();
        for forecast in (self.forecasts)(biases) {
            for outcome in [false, true] {
                worst = worst.max(self.value_after(biases, &forecast, outcome, rounds));
            }
        }
        self.known.insert(key, worst.clone());
        worst
    }

    /// The same if this is the forecast, and this happens.
    pub fn value_after(
        &mut self,
        biases: &[i64],
        forecast: &[(usize, BigRational)],
        outcome: bool,
        rounds: u32,
    ) -> BigRational {
        let mut mean = BigRational::zero();
        for (bucket, chance) in forecast.iter().filter(|(_, chance)| chance.is_positive()) {
            mean += chance * self.value(&moved(biases, *bucket, outcome), rounds - 1);
        }
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecal::rational::ratio;

    /// One round: the forecaster predicts 1 for certain, and 0 happens.
    #[test]
    fn one_round_loses_everything() {
        for mut game in [Game::of_every_choice(3, 1), Game::of_forecaster(3, 1)] {
            assert_eq!(game.value(&[0, 0, 0], 1), int(2));
        }
    }

    /// The forecaster makes one of the choices, so that an adversary has no more against it, but
    /// for the rounded base.
    #[test]
    fn the_forecaster_makes_one_of_the_choices() {
        for (buckets, rounds) in [(2, 4), (3, 4), (4, 3)] {
            let start = vec![0; buckets];
            let every = Game::of_every_choice(buckets, rounds).value(&start, rounds);
            let this = Game::of_forecaster(buckets, rounds).value(&start, rounds);
            let slack = ratio(102, 100);
            assert!(this <= every * slack, "k = {buckets}, T = {rounds}");
        }
    }
}
