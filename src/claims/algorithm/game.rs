//! The algorithm against every adversary, exactly.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{Pow, Signed, Zero};

use super::weights::{forecasts, signs};
use crate::claims::Survey;
use crate::claims::tools::int;
use crate::evidence::Enclosure;

/// The algorithm with k buckets over T rounds.
///
/// It is free in the pair of neighbours with a change of sign; that choice is left to the adversary. Hedge gives
/// expert (σ, i) a weight proportional to exp(eta σ L_i / 2) with L_i = Σ 1{p <= (i-1)/(k-1)} (x - p), and eta =
/// sqrt(8 ln(2k)/T). L_i is a multiple of 1/(k-1). So with a rational base in place of exp(eta/(2(k-1))), rounded
/// to a 64th, all probabilities are rational; that is Hedge with a slightly different eta.
struct Game {
    buckets: usize,
    base: BigRational,
    /// The expected stepCE in units of 1/(k-1) from (k-1) L_1, …, (k-1) L_k with so many rounds to go.
    known: HashMap<(Vec<i64>, u32), BigRational>,
}

impl Game {
    fn new(buckets: usize, rounds: u32) -> Self {
        let experts = Enclosure::from(2 * buckets as i64);
        let eta = (Enclosure::ratio(8, rounds.into()) * experts.ln()).sqrt();
        let exact = (eta / Enclosure::from(2 * (buckets as i64 - 1))).exp().low();
        let base = (exact * int(64)).floor() / int(64);
        Game { buckets, base, known: HashMap::new() }
    }

    /// What the worst adversary can bring about: it knows the weights, chooses x and the pair, and only then is p
    /// drawn.
    fn value(&mut self, losses: &[i64], rounds: u32) -> BigRational {
        if rounds == 0 {
            let largest = losses.iter().map(|loss| loss.abs()).max().expect("a bucket");
            return int(largest);
        }
        let key = (losses.to_vec(), rounds);
        if let Some(value) = self.known.get(&key) {
            return value.clone();
        }
        let power = |exponent: i64| -> BigRational {
            let size = Pow::pow(&self.base, exponent.unsigned_abs());
            if exponent < 0 { size.recip() } else { size }
        };
        let plus: Vec<_> = losses.iter().map(|&loss| power(loss)).collect();
        let minus: Vec<_> = losses.iter().map(|&loss| power(-loss)).collect();
        let forecasts = forecasts(&signs(&plus, &minus));
        let mut worst = BigRational::zero();
        for (forecast, x) in forecasts.iter().flat_map(|forecast| [(forecast, 0), (forecast, 1)]) {
            let mut mean = BigRational::zero();
            for (bucket, chance) in forecast.iter().filter(|(_, chance)| chance.is_positive()) {
                let step = x * (self.buckets as i64 - 1) - *bucket as i64;
                let mut next = losses.to_vec();
                next[*bucket..].iter_mut().for_each(|loss| *loss += step);
                mean += chance * self.value(&next, rounds - 1);
            }
            worst = worst.max(mean);
        }
        self.known.insert(key, worst.clone());
        worst
    }
}

/// The value of the game for k buckets and T rounds against a constant times T/(k-1) plus sqrt(2T ln(2k)), of
/// which the mistake has so many hundredths only.
fn play(
    survey: &mut Survey,
    buckets: usize,
    rounds: u32,
    constant: &Enclosure,
    (mistake, hundredths): (&str, i64),
) {
    let scale = int(buckets as i64 - 1);
    let value = Game::new(buckets, rounds).value(&vec![0; buckets], rounds) / &scale;
    let t = Enclosure::from(i64::from(rounds));
    let drift = constant * &t / Enclosure::exact(&scale);
    let hedge = (Enclosure::from(2) * &t * Enclosure::from(2 * buckets as i64).ln()).sqrt();
    let exact = Enclosure::exact(&value);
    let shown = || {
        format!(
            "k = {buckets}, T = {rounds}: E stepCE = {exact:.6}\n\
             T/(k-1) term = {drift:.6}, sqrt(2T ln 2k) = {hedge:.6}"
        )
    };
    survey.case(exact.at_most(&(&drift + &hedge)) == Some(true), shown);
    let less = &drift + &hedge * Enclosure::ratio(hundredths, 100);
    survey.mistake(mistake, exact.at_most(&less) == Some(true), shown);
}

/// 3 - 2 sqrt(2)
fn best() -> Enclosure {
    Enclosure::from(3) - Enclosure::from(8).sqrt()
}

/// k = T, with T/(k-1).
pub(super) fn horizon_buckets(survey: &mut Survey) {
    for rounds in 2..=6 {
        let mistake = ("0.15 of the regret of Hedge", 15);
        play(survey, rounds as usize, rounds, &Enclosure::from(1), mistake);
    }
}

/// Fixed k, with (3 - 2 sqrt(2)) T/(k-1).
pub(super) fn fixed_buckets(survey: &mut Survey) {
    for buckets in 2..=4 {
        for rounds in 1..=6 {
            let mistake = ("0.49 of the regret of Hedge", 49);
            play(survey, buckets, rounds, &best(), mistake);
        }
    }
}
