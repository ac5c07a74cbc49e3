//! Who decides what happens, knowing everything but the prediction that is drawn.

#![expect(clippy::float_arithmetic, reason = "potentials are sums of exponentials")]

use std::fmt;

use thiserror::Error;

use super::tree::Tree;
use super::{Game, HedgeForecaster, Mixture, change};
use truecal::Random;
use truecal::{Prediction, PredictionError};

/// What an adversary sees before it chooses an outcome.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The forecaster with all that was said and has happened.
    pub forecaster: &'a HedgeForecaster,
    /// The law of the prediction of this round.
    pub mixture: &'a Mixture,
    /// The bucket and the outcome of the round before, for those who keep a diary.
    pub last: Option<(usize, bool)>,
}

/// Chooses outcomes.
pub trait Adversary {
    /// Its name, as on the command line.
    fn name(&self) -> String;

    /// The next outcome. What is random about it comes from the stream.
    fn next(&mut self, view: &View<'_>, random: &mut Random) -> bool;
}

impl fmt::Debug for dyn Adversary + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// The names, and what they do.
pub const NAMES: [(&str, &str); 6] = [
    ("greedy", "makes the expected stepCE after the round as large as it can, and so gets stuck"),
    ("potential", "makes the expected sum of the weights of Hedge as large as it can"),
    ("contrarian", "1 if the mean prediction is below 1/2, otherwise 0"),
    ("random", "fair coins"),
    ("biased:Q", "1 with probability Q, such as biased:0.3"),
    ("optimal", "the worst there is, by searching the whole game: for a few rounds only"),
];

/// The most rounds, and buckets, for `optimal`.
pub const OPTIMAL_ROUNDS: u64 = 8;
const OPTIMAL_BUCKETS: usize = 9;

/// Why there is no such adversary.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AdversaryError {
    /// No adversary has this name.
    #[error("there is no adversary {name:?}; {}the names are {}", near.map(|near| format!("did you \
        mean {near}? ")).unwrap_or_default(), NAMES.map(|(name, _)| name).join(", "))]
    Unknown {
        /// What was given.
        name: String,
        /// What is most like it.
        near: Option<&'static str>,
    },
    /// Not a probability after `biased:`.
    #[error("biased:{text}: {problem}")]
    Bias {
        /// What was given.
        text: String,
        /// What is wrong with it.
        problem: PredictionError,
    },
    /// A game that is too large to be searched.
    #[error(
        "optimal searches the whole game, which {rounds} rounds with {buckets} buckets make too \
            large; play at most {OPTIMAL_ROUNDS} rounds with {OPTIMAL_BUCKETS} buckets, or name \
            another adversary, such as potential"
    )]
    TooLarge {
        /// The rounds.
        rounds: u64,
        /// The buckets.
        buckets: usize,
    },
}

/// The adversary with this name, for a game of so many rounds with so many buckets.
///
/// ```
/// use truecal_lab::hedge::adversary::named;
/// assert_eq!(named("greedy", 100, 11)?.name(), "greedy");
/// let error = named("gredy", 100, 11).expect_err("a slip");
/// assert!(error.to_string().contains("did you mean greedy?"));
/// # Ok::<(), truecal_lab::hedge::adversary::AdversaryError>(())
/// ```
pub fn named(
    name: &str,
    rounds: u64,
    buckets: usize,
) -> Result<Box<dyn Adversary>, AdversaryError> {
    if let Some(text) = name.strip_prefix("biased:") {
        return Ok(Box::new(Biased::new(text)?));
    }
    Ok(match name {
        "greedy" => Box::new(Greedy),
        "potential" => Box::new(Potential),
        "contrarian" => Box::new(Contrarian),
        "random" => Box::new(Fair),
        "optimal" => Box::new(Optimal::new(rounds, buckets)?),
        _ => {
            let near = truecal::suggest::nearest(name, NAMES.iter().map(|(name, _)| *name));
            let name = name.chars().take(60).collect();
            return Err(AdversaryError::Unknown { name, near });
        }
    })
}

/// Where no outcome raises the maximum and one would lower it, it repeats the other for ever.
struct Greedy;

impl Adversary for Greedy {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn next(&mut self, view: &View<'_>, _: &mut Random) -> bool {
        let record = &view.forecaster.whole;
        // Below 2^53·2^61.
        let mean = |outcome| -> i128 {
            let part = |(bucket, weight)| {
                i128::from(record.largest_after(bucket, outcome)) * i128::from(weight)
            };
            view.mixture.weights().map(part).sum()
        };
        let (zero, one) = (mean(false), mean(true));
        if zero == one { view.mixture.mean_to_half().is_le() } else { one > zero }
    }
}

struct Potential;

impl Potential {
    /// The expected increase of the sum of all weights, relative to the same reference for both
    /// outcomes: weights of the buckets from the prediction on are multiplied by exp(±h(x -
    /// p)(k-1)).
    fn increase(tree: &Tree, mixture: &Mixture, buckets: usize, outcome: bool) -> f64 {
        let sums: Vec<_> = mixture
            .weights()
            .map(|(bucket, weight)| (bucket, weight, tree.sums_from(bucket)))
            .collect();
        let most = sums.iter().map(|(_, _, sums)| sums.up.max(sums.down)).fold(f64::MIN, f64::max);
        let part = |(bucket, weight, sums): &(usize, u64, super::tree::LogSums)| {
            let shift = tree.scale() * change(buckets, *bucket, outcome) as f64;
            let up = libm::exp(sums.up - most) * libm::expm1(shift);
            *weight as f64 * (up + libm::exp(sums.down - most) * libm::expm1(-shift))
        };
        sums.iter().map(part).sum()
    }
}

impl Adversary for Potential {
    fn name(&self) -> String {
        "potential".to_owned()
    }

    fn next(&mut self, view: &View<'_>, _: &mut Random) -> bool {
        let increase = |outcome| {
            let tree = &view.forecaster.restart.tree;
            Potential::increase(tree, view.mixture, view.forecaster.buckets(), outcome)
        };
        let (zero, one) = (increase(false), increase(true));
        if zero == one { view.mixture.mean_to_half().is_le() } else { one > zero }
    }
}

struct Contrarian;

impl Adversary for Contrarian {
    fn name(&self) -> String {
        "contrarian".to_owned()
    }

    fn next(&mut self, view: &View<'_>, _: &mut Random) -> bool {
        view.mixture.mean_to_half().is_lt()
    }
}

struct Fair;

impl Adversary for Fair {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn next(&mut self, _: &View<'_>, random: &mut Random) -> bool {
        random.next() >> 63 == 1
    }
}

struct Biased {
    text: String,
    /// The probability in multiples of 2^-63, rounded.
    share: u64,
}

impl Biased {
    fn new(text: &str) -> Result<Self, AdversaryError> {
        let probability: Prediction = text.parse().map_err(|problem| AdversaryError::Bias {
            text: text.chars().take(60).collect(),
            problem,
        })?;
        let share = probability.to_rational() * num_bigint::BigInt::from(1_u64 << 63);
        let share = share.round().to_integer();
        let share = share.try_into().expect("a probability is at most 1");
        Ok(Biased { text: text.to_owned(), share })
    }
}

impl Adversary for Biased {
    fn name(&self) -> String {
        format!("biased:{}", self.text)
    }

    fn next(&mut self, _: &View<'_>, random: &mut Random) -> bool {
        random.next() >> 1 < self.share
    }
}

/// Knows the value of every state to come.
struct Optimal {
    rounds: u64,
    game: Game,
}

impl Optimal {
    fn new(rounds: u64, buckets: usize) -> Result<Self, AdversaryError> {
        if rounds > OPTIMAL_ROUNDS || !(2..=OPTIMAL_BUCKETS).contains(&buckets) {
            return Err(AdversaryError::TooLarge { rounds, buckets });
        }
        Ok(Optimal { rounds, game: Game::of_forecaster(buckets, rounds as u32) })
    }
}

impl Adversary for Optimal {
    fn name(&self) -> String {
        "optimal".to_owned()
    }

    fn next(&mut self, view: &View<'_>, _: &mut Random) -> bool {
        let biases = view.forecaster.biases();
        let left = self.rounds.saturating_sub(view.forecaster.rounds()).max(1) as u32;
        let law = view.forecaster.law();
        let mut value = |outcome| self.game.value_after(&biases, &law, outcome, left);
        value(true) > value(false)
    }
}
