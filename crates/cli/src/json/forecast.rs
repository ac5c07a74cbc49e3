//! `truecal forecast`.

use num_rational::BigRational;
use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use crate::report::forecast::{Duelled, Said, over_rate};
use crate::report::per_round;
use crate::report::recalibration::{self, Recalibrated};
use truecal::nearest_f64;
use truecal::{Measure, Prediction, Witness};
use truecal_lab::hedge;

/// What `truecal forecast --json` prints: with `--against` a duel, on standard output; otherwise
/// the report at the end of a run, or with `--from` of a recalibration, on standard error.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "forecast")]
pub(crate) enum Forecast {
    /// Without `--against` and `--from`.
    Run(Run),
    /// With `--against`.
    Duel(Duel),
    /// With `--from`.
    Recalibration(Recalibration),
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

/// A model's predictions, recalibrated.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Recalibration {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// How many rounds have an outcome. All that is measured is of these.
    rounds: u64,
    /// In how many of them the event happened.
    ones: u64,
    /// How many rows have a forecast but no outcome yet.
    waiting: u64,
    /// The column that was added.
    column: String,
    /// The seed of the forecasts.
    seed: u64,
    /// stepCE.
    stepce: Change,
    /// The sum over the groups of the absolute bias of their rounds.
    ece_over_groups: Change,
    /// The sum of the squares of outcome minus prediction; its `per_round` is the Brier score.
    squared_error: Change,
    /// What the expectations of stepCE and of the ECE over the groups are at most afterwards,
    /// whatever happens: the sum of the bounds of the groups.
    bound: f64,
    /// The groups by the model's prediction in which there are rows, in order.
    groups: Vec<Group>,
}

/// A measure of the model's predictions, and of the forecasts in their place.
#[derive(Serialize, JsonSchema)]
struct Change {
    /// Of the model's predictions.
    before: Value,
    /// Of the forecasts.
    after: Value,
}

/// A measure, summed over rounds.
#[derive(Serialize, JsonSchema)]
struct Value {
    /// The value.
    exact: Fraction,
    /// The nearest double.
    value: f64,
    /// The nearest double of the value divided by the number of rounds.
    per_round: f64,
}

/// Rounds in which the model's predictions were close to each other.
#[derive(Serialize, JsonSchema)]
struct Group {
    /// Where its predictions start.
    start: Fraction,
    /// Where they end; that belongs to the next group, or is 1. Null if all are equal.
    end: Option<Fraction>,
    /// How many rounds it has whose outcomes are known.
    rounds: u64,
    /// stepCE of the forecasts of these rounds.
    stepce: Value,
    /// What its expectation is at most, whatever happens.
    bound: f64,
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

impl From<&Recalibrated<'_>> for Forecast {
    fn from(recalibrated: &Recalibrated<'_>) -> Self {
        let Recalibrated { recalibrator, before, .. } = recalibrated;
        let rounds = recalibrated.rounds();
        let change = |change: recalibration::Change| Change {
            before: Value::of(&change.before, rounds),
            after: Value::of(&change.after, rounds),
        };
        let group = |(start, group): (&Prediction, &hedge::HedgeForecaster)| Group {
            start: (&start.to_rational()).into(),
            end: recalibrated.end(start).as_ref().map(Fraction::from),
            rounds: group.rounds(),
            stepce: Value::of(&group.step_ce(), group.rounds()),
            bound: nearest_f64(&group.bound()),
        };
        Forecast::Recalibration(Recalibration {
            schema: 1,
            rounds,
            ones: before.ones(),
            waiting: recalibrated.waiting,
            column: recalibrated.column.to_owned(),
            seed: recalibrated.seed,
            stepce: change(recalibrated.step_ce()),
            ece_over_groups: change(recalibrated.ece_over_groups()),
            squared_error: change(recalibrated.squared_error()),
            bound: nearest_f64(&recalibrator.bound()),
            groups: recalibrator.groups().map(group).collect(),
        })
    }
}

impl Value {
    fn of(value: &BigRational, rounds: u64) -> Self {
        Value {
            exact: value.into(),
            value: nearest_f64(value),
            per_round: nearest_f64(&per_round(value, rounds)),
        }
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
