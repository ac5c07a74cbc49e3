//! `truecal forecast`.

use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use crate::report::forecast::{Duelled, Said, over_rate};
use crate::report::per_round;
use truecal::nearest_f64;
use truecal::{Measure, Witness};
use truecal_lab::hedge;

/// What `truecal forecast --json` prints: with `--against` a duel, on standard output; otherwise
/// the report at the end of a run, on standard error.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "forecast")]
pub(crate) enum Forecast {
    /// Without `--against`.
    Run(Run),
    /// With `--against`.
    Duel(Duel),
}

/// A run of the forecaster.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Run {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// How many rounds are over.
    rounds: u64,
    /// In how many of them the event happened.
    ones: u64,
    /// How many rounds were planned; null if any number, by restarts.
    planned: Option<u64>,
    /// How many grid points predictions are drawn from.
    buckets: usize,
    /// The seed of the predictions.
    seed: u64,
    /// The calibration of what was said.
    stepce: StepCe,
    /// What the expectation of stepCE is at most, whatever happens.
    bound: f64,
}

/// stepCE of a run.
#[derive(Serialize, JsonSchema)]
struct StepCe {
    /// The value.
    exact: Fraction,
    /// The nearest double.
    value: f64,
    /// The nearest double of the value divided by the number of rounds.
    per_round: f64,
    /// What shows the value.
    witness: Option<Threshold>,
}

/// The threshold with the largest bias.
#[derive(Serialize, JsonSchema)]
struct Threshold {
    /// Predictions up to this one count.
    alpha: Fraction,
    /// The sum of outcome minus prediction over these.
    bias: Fraction,
}

/// The forecaster against an adversary.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Duel {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// Who chose the outcomes.
    adversary: String,
    /// How many rounds were planned.
    rounds: u64,
    /// How many grid points predictions are drawn from.
    buckets: usize,
    /// The seed of all that was drawn.
    seed: u64,
    /// Where it stood, after ever more rounds.
    checkpoints: Vec<Checkpoint>,
}

/// Where a duel stood.
#[derive(Serialize, JsonSchema)]
struct Checkpoint {
    /// How many rounds were over.
    round: u64,
    /// stepCE so far.
    exact: Fraction,
    /// The nearest double of stepCE.
    stepce: f64,
    /// What the expectation of stepCE is at most.
    bound: f64,
    /// stepCE over √(t ln t) after t rounds; null after the first.
    over_rate: Option<f64>,
}

impl From<&Said<'_>> for Forecast {
    fn from(Said { forecaster, seed }: &Said<'_>) -> Self {
        let levels = forecaster.levels();
        let step = levels.evaluate(Measure::StepCe);
        let witness = match &step.witness {
            Witness::Threshold { alpha, bias } => {
                Some(Threshold { alpha: alpha.into(), bias: bias.into() })
            }
            _ => None,
        };
        Forecast::Run(Run {
            schema: 1,
            rounds: forecaster.rounds(),
            ones: levels.ones(),
            planned: forecaster.horizon(),
            buckets: forecaster.buckets(),
            seed: *seed,
            stepce: StepCe {
                exact: (&step.value).into(),
                value: nearest_f64(&step.value),
                per_round: nearest_f64(&per_round(&step.value, forecaster.rounds())),
                witness,
            },
            bound: nearest_f64(&forecaster.bound()),
        })
    }
}

impl From<&Duelled<'_>> for Forecast {
    fn from(duelled: &Duelled<'_>) -> Self {
        Forecast::Duel(Duel {
            schema: 1,
            adversary: duelled.adversary.to_owned(),
            rounds: duelled.rounds,
            buckets: duelled.buckets,
            seed: duelled.seed,
            checkpoints: duelled.checkpoints.iter().map(Checkpoint::from).collect(),
        })
    }
}

impl From<&hedge::Checkpoint> for Checkpoint {
    fn from(at: &hedge::Checkpoint) -> Self {
        Checkpoint {
            round: at.round,
            exact: (&at.step_ce).into(),
            stepce: nearest_f64(&at.step_ce),
            bound: nearest_f64(&at.bound),
            over_rate: over_rate(&at.step_ce, at.round),
        }
    }
}
