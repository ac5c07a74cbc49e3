//! The report as JSON. The schema is documented in the README and is stable.

use num_rational::BigRational;
use serde_json::{Map, Value, json};

use super::rounding::per_round;
use super::{Entry, LISTED_LEVELS, Report, class_count, nearest_f64, too_costly};
use crate::any_levels::{AnyLevels, at_any_width};
use crate::measures::Ties;
use crate::witness::{Approach, Lipschitz, ScoringRule, Witness};

impl Report<'_> {
    /// The report as JSON.
    pub fn to_json(&self) -> Value {
        let measures = self
            .entries
            .iter()
            .map(|entry| (entry.measure().key().to_owned(), self.measure_to_json(entry)));
        let mut report = json!({
            "schema": 1,
            "rounds": self.levels.rounds(),
            "ones": self.levels.ones(),
            "levels": self.levels.len(),
            "measures": measures.collect::<Map<_, _>>(),
        });
        if let Some(seconds) = &self.seconds {
            report["seconds"] = seconds_to_json(seconds);
        }
        report
    }

    fn measure_to_json(&self, entry: &Entry) -> Value {
        let mut json = self.entry_to_json(entry);
        if let Some(null) = self.null_to_json(entry.measure()) {
            json["null"] = null;
        }
        json
    }

    fn entry_to_json(&self, entry: &Entry) -> Value {
        match entry {
            Entry::Exact(evaluation) => json!({
                "exact": evaluation.value.to_string(),
                "value": nearest_f64(&evaluation.value),
                "per_round": nearest_f64(&per_round(&evaluation.value, self.levels.rounds())),
                "method": "exact",
                "witness": self.data().witness_to_json(&evaluation.witness),
            }),
            Entry::Sampled(sampled) => json!({
                "exact": null,
                "value": nearest_f64(&sampled.mean),
                "per_round": nearest_f64(&per_round(&sampled.mean, self.levels.rounds())),
                "method": "sampled",
                "sample": {
                    "subsets": sampled.subsets,
                    "seed": sampled.seed,
                    "pairs": sampled.pairs,
                    "standard_error": sampled.standard_error,
                    "low": sampled.low,
                    "high": sampled.high,
                    "precision_reached": sampled.precision_reached,
                },
            }),
            Entry::TooCostly { measure, cost } => {
                let (reason, option) =
                    too_costly(self.levels, *measure, *cost, self.limits.subset_budget);
                json!({
                    "exact": null,
                    "value": null,
                    "per_round": null,
                    "method": "none",
                    "reason": reason,
                    "option": option,
                })
            }
        }
    }

    fn data(&self) -> Data<'_> {
        Data {
            rounds: self.levels.rounds(),
            ones: self.levels.ones(),
            levels: Some((self.levels, self.limits.full_witness)),
        }
    }
}

/// How long each step took.
pub(super) fn seconds_to_json(seconds: &[(String, f64)]) -> Value {
    let steps = seconds.iter().map(|(step, time)| (step.clone(), json!(time)));
    steps.collect::<Map<_, _>>().into()
}

/// What witnesses are shown against: the level table if there is one, and whether it may be listed at any length.
pub(super) struct Data<'a> {
    pub rounds: u64,
    pub ones: u64,
    pub levels: Option<(&'a AnyLevels, bool)>,
}

impl Data<'_> {
    pub fn witness_to_json(&self, witness: &Witness) -> Value {
        let text = BigRational::to_string;
        match witness {
            Witness::Signs { under, over } => json!({"under": text(under), "over": text(over)}),
            Witness::Threshold { alpha, bias } => {
                json!({"threshold": text(alpha), "side": side(bias), "bias": text(bias)})
            }
            Witness::Sign { alpha, sum } => json!({"threshold": text(alpha), "sum": text(sum)}),
            Witness::Interval { low, high, bias } => json!({
                "low": text(low), "high": text(high), "side": side(bias), "bias": text(bias),
            }),
            Witness::Limit { alpha, approach } => {
                let approach = match approach {
                    Approach::At => "at",
                    Approach::FromAbove => "from above",
                    Approach::FromBelow => "from below",
                };
                json!({"threshold": text(alpha), "approach": approach})
            }
            Witness::Rule { rule, line } => json!({
                "rule": rule.parts.iter().map(|part| json!({
                    "kink": text(&part.alpha),
                    "weight": text(&part.weight),
                    "ties": match part.ties { Ties::Below => "below", Ties::Above => "above" },
                })).collect::<Vec<_>>(),
                "table": self.listed(|levels| {
                    predictions(levels).iter().map(|p| losses(rule, p)).collect()
                }),
                "mean": losses(rule, &per_round(&count(self.ones), self.rounds)),
                "line": {"at_zero": text(&line.0), "at_one": text(&line.1)},
            }),
            Witness::Lipschitz(lipschitz) => json!({
                "function": self.listed(|levels| function_table(levels, lipschitz)),
                "flow": self.listed(|_| {
                    let flow = lipschitz.flow.iter();
                    flow.map(|flow| json!(lipschitz.rational(flow).to_string())).collect()
                }),
            }),
            Witness::Subsets { classes } => json!({
                "subsets": format!("2^{}", self.rounds), "classes": class_count(*classes),
            }),
        }
    }

    /// A list with an entry per level, or a note that it was left out.
    fn listed(&self, list: impl Fn(&AnyLevels) -> Vec<Value>) -> Value {
        match self.levels {
            None => json!({"omitted": null, "option": "no --stream"}),
            Some((levels, false)) if levels.len() > LISTED_LEVELS => {
                json!({"omitted": levels.len(), "option": "--full-witness"})
            }
            Some((levels, _)) => list(levels).into(),
        }
    }
}

/// Whether the event happened more or less often than forecast.
fn side(bias: &BigRational) -> &'static str {
    match bias.cmp(&BigRational::default()) {
        std::cmp::Ordering::Greater => "under-forecast",
        std::cmp::Ordering::Less => "over-forecast",
        std::cmp::Ordering::Equal => "neither",
    }
}

/// The losses of a rule at a prediction.
fn losses(rule: &ScoringRule, prediction: &BigRational) -> Value {
    json!({
        "prediction": prediction.to_string(),
        "loss_if_zero": rule.loss(false, prediction).to_string(),
        "loss_if_one": rule.loss(true, prediction).to_string(),
    })
}

fn function_table(levels: &AnyLevels, lipschitz: &Lipschitz) -> Vec<Value> {
    let row = |(prediction, value): (&BigRational, _)| json!({"prediction": prediction.to_string(), "value": lipschitz.rational(value).to_string()});
    predictions(levels).iter().zip(&lipschitz.function).map(row).collect()
}

fn predictions(levels: &AnyLevels) -> Vec<BigRational> {
    at_any_width!(levels, levels => {
        let table = levels.table();
        table.rows().iter().map(|level| table.rational(&level.value)).collect()
    })
}

fn count(count: u64) -> BigRational {
    BigRational::from_integer(count.into())
}
