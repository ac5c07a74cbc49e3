//! A forecaster against an adversary.

use num_rational::BigRational;
use num_traits::Zero;
use truecal::Watch;

use super::adversary::{Adversary, View};
use super::{HedgeError, HedgeForecaster, PROBABILITY_BITS};
use truecal::Random;

/// Where a duel stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// How many rounds are over.
    pub round: u64,
    /// stepCE so far. Exact.
    pub step_ce: BigRational,
    /// What its expectation is at most. Rigorous.
    pub bound: BigRational,
}

/// The stream of the adversary; rounds have the numbers below.
const OF_ADVERSARY: u64 = u64::MAX;

/// How many rounds are played between two looks at the watch.
const WATCHED: u64 = 256;

/// Plays so many rounds. Predictions are drawn from the stream of the seed with the number of the
/// round. Returns where it stood after 1, 2, 4, … rounds and at the end. From time to time `go_on`
/// is told how many rounds are over; if it says no, that is the end.
///
/// ```
/// use truecal::Watch;
/// use truecal_lab::hedge::{HedgeForecaster, adversary, duel};
/// let mut forecaster = HedgeForecaster::new(1000, 33)?;
/// let mut greedy = adversary::named("greedy", 1000, 33)?;
/// let checkpoints = duel(&mut forecaster, &mut *greedy, 1000, 1, &Watch::silent())?;
/// assert!(checkpoints.iter().all(|at| at.step_ce < at.bound));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn duel(
    forecaster: &mut HedgeForecaster,
    adversary: &mut dyn Adversary,
    rounds: u64,
    seed: u64,
    watch: &Watch<'_>,
) -> Result<Vec<Checkpoint>, HedgeError> {
    let mut random = Random::new(seed, OF_ADVERSARY);
    let mut checkpoints = Vec::new();
    let mut last = None;
    for played in 1..=rounds {
        let round = forecaster.rounds();
        let mixture = forecaster.predict();
        // The adversary answers before the point is drawn.
        let outcome = adversary.next(&View { forecaster, mixture: &mixture, last }, &mut random);
        let bucket = mixture.draw(&mut Random::new(seed, round));
        forecaster.observe_at(bucket, outcome)?;
        last = Some((bucket, outcome));
        let mut stopped = false;
        if played % WATCHED == 0 {
            watch.done(WATCHED);
            stopped = !watch.go_on();
        }
        if played.is_power_of_two() || played == rounds || stopped {
            let round = forecaster.rounds();
            let (step_ce, bound) = (forecaster.step_ce(), forecaster.bound());
            checkpoints.push(Checkpoint { round, step_ce, bound });
        }
        if stopped {
            break;
        }
    }
    Ok(checkpoints)
}

/// The expectation of stepCE after so many more rounds, over all that may be drawn, against an
/// adversary that keeps no diary and tosses no coins. Exact. Cost: 2^rounds.
pub fn expectation(
    forecaster: &HedgeForecaster,
    adversary: &mut dyn Adversary,
    rounds: u32,
) -> BigRational {
    let Some(left) = rounds.checked_sub(1) else { return forecaster.step_ce() };
    let mixture = forecaster.predict();
    let view = View { forecaster, mixture: &mixture, last: None };
    let outcome = adversary.next(&view, &mut Random::new(0, OF_ADVERSARY));
    let mut mean = BigRational::zero();
    for (bucket, weight) in mixture.weights() {
        let mut next = forecaster.clone();
        next.observe_at(bucket, outcome).expect("a round of the game");
        let share = BigRational::new(weight.into(), (1_u64 << PROBABILITY_BITS).into());
        mean += share * expectation(&next, adversary, left);
    }
    mean
}
