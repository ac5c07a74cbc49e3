//! `truecal measure` of several models, classes or groups.

use indexmap::IndexMap;
use num_rational::BigRational;
use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use super::measure::Measured;
use crate::report::{Gaps, Member, Several};
use truecal::nearest_f64;
use truecal::paired::Paired;

/// What `truecal measure --json` prints of several models, classes or groups.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "measure-several")]
pub(crate) struct SideBySide {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// What the p-values of all parts say together, in words; they are adjusted for each other.
    verdict: String,
    /// How many rows were left out, as something was missing in them.
    skipped_rows: u64,
    /// With `--classes`: rows whose probabilities do not add up to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Missed")]
    sums: Option<Missed>,
    /// Each model or class, in each group; with `--by` the worst first.
    parts: Vec<PartOf>,
    /// With `--compare`: the differences of every two models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comparisons: Vec<Difference>,
    /// With `--timing`: how long each step took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "IndexMap<String, f64>")]
    seconds: Option<IndexMap<String, f64>>,
}

/// Rows whose probabilities do not add up to 1.
#[derive(Serialize, JsonSchema)]
struct Missed {
    /// How many.
    rows: u64,
    /// By how much at most.
    largest: Fraction,
    /// The nearest double.
    largest_value: f64,
}

/// A model or class, in a group.
#[derive(Serialize, JsonSchema)]
struct PartOf {
    /// The model or class; null if there is only one.
    model: Option<String>,
    /// The values of the columns of `--by`.
    group: IndexMap<String, String>,
    /// Whether there are too few rounds for a p-value in the limit.
    small: bool,
    /// The share of rounds in which the event happened.
    event_rate: f64,
    /// The mean prediction.
    mean_prediction: f64,
    /// What `truecal measure` would print of it, but for the adjusted p-values.
    report: Measured,
}

/// Two models on the same rounds.
#[derive(Serialize, JsonSchema)]
struct Difference {
    /// The first model.
    first: String,
    /// The second one.
    second: String,
    /// The measure, by its key.
    measure: &'static str,
    /// The measure of the first model less that of the second.
    exact: Fraction,
    /// The nearest double.
    value: f64,
    /// The nearest double of it over the number of rounds.
    per_round: f64,
    /// How often the forecasts of rounds were swapped by fair coins.
    replicates: u64,
    /// The seed of the random bits.
    seed: u64,
    /// In how many of them the models differ at least as much.
    at_least: u64,
    /// (1 + `at_least`)/(1 + `replicates`).
    p_value: f64,
    /// The same, adjusted by Holm's method for all differences.
    adjusted_p_value: f64,
}

impl SideBySide {
    pub(crate) fn new(several: &Several<'_>, seconds: Option<&[(String, f64)]>) -> Self {
        let rounds = several.members.first().map_or(1, |member| member.report.source.rounds());
        SideBySide {
            schema: 1,
            verdict: several.verdict().trim_end().to_owned(),
            skipped_rows: several.skipped,
            sums: several.gaps.as_ref().map(Missed::from),
            parts: several.members.iter().map(|member| PartOf::new(several, member)).collect(),
            comparisons: differences(several, rounds),
            seconds: seconds.map(|steps| steps.iter().cloned().collect()),
        }
    }
}

impl From<&Gaps> for Missed {
    fn from(Gaps { rows, largest }: &Gaps) -> Self {
        Missed { rows: *rows, largest: largest.into(), largest_value: nearest_f64(largest) }
    }
}

impl PartOf {
    fn new(several: &Several<'_>, member: &Member<'_>) -> Self {
        PartOf {
            model: several.series.get(member.series).cloned(),
            group: several.by.iter().cloned().zip(member.group.iter().cloned()).collect(),
            small: member.small,
            event_rate: nearest_f64(&member.rate()),
            mean_prediction: nearest_f64(&member.forecast()),
            report: Measured::from(&member.report),
        }
    }
}

fn differences(several: &Several<'_>, rounds: u64) -> Vec<Difference> {
    let one = |([one, other], paired, adjusted): ([usize; 2], &Paired, BigRational)| Difference {
        first: several.series[one].clone(),
        second: several.series[other].clone(),
        measure: paired.measure.key(),
        exact: (&paired.difference).into(),
        value: nearest_f64(&paired.difference),
        per_round: nearest_f64(&crate::report::per_round(&paired.difference, rounds)),
        replicates: paired.replicates,
        seed: paired.seed,
        at_least: paired.at_least,
        p_value: nearest_f64(&paired.p_value()),
        adjusted_p_value: nearest_f64(&adjusted),
    };
    several.differences().into_iter().map(one).collect()
}
