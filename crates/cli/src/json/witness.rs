//! What shows the value of a measure.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::Zero;
use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use crate::report::{Source, class_count, per_round};
use truecal::rational::int;
use truecal::{Evaluation, Measure, ScoringRule, VShape, nearest_f64};

/// How long a list in a witness may be before it is left out.
const LISTED: usize = 1000;

/// What shows the value of a measure.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Witness {
    /// For ECE.
    Signs {
        /// The biases of the levels where the event happened more often than forecast, together.
        under: Fraction,
        /// The nearest double.
        under_value: f64,
        /// The same where it happened less often, with the opposite sign.
        over: Fraction,
        /// The nearest double.
        over_value: f64,
    },
    /// For stepCE.
    Threshold {
        /// The predictions up to this one have the largest bias.
        threshold: Fraction,
        /// The nearest double.
        threshold_value: f64,
        /// The sign of the bias in words.
        side: Side,
        /// The sum of outcome minus prediction over these rounds.
        bias: Fraction,
        /// The nearest double.
        bias_value: f64,
    },
    /// For signCE.
    Sign {
        /// The threshold.
        threshold: Fraction,
        /// The nearest double.
        threshold_value: f64,
        /// The bias of the predictions below it minus that of the predictions above.
        sum: Fraction,
        /// The nearest double.
        sum_value: f64,
    },
    /// For intervalCE.
    Interval {
        /// The lower end of the interval, which belongs to it.
        low: Fraction,
        /// The nearest double.
        low_value: f64,
        /// The upper end, which belongs to it.
        high: Fraction,
        /// The nearest double.
        high_value: f64,
        /// The sign of the bias in words.
        side: Side,
        /// The sum of outcome minus prediction over the predictions in the interval.
        bias: Fraction,
        /// The nearest double.
        bias_value: f64,
    },
    /// For VCal.
    Limit {
        /// The kink of a V-shaped scoring rule.
        threshold: Fraction,
        /// The nearest double.
        threshold_value: f64,
        /// How kinks approach it for the regret to approach the value.
        approach: Approach,
    },
    /// For UCal.
    Rule {
        /// The scoring rule with the largest regret, as a sum of V-shaped rules.
        rule: Vec<Part>,
        /// What the rule charges at each prediction, ascending.
        table: Listed<Losses>,
        /// What it charges at the mean outcome.
        mean: Losses,
        /// No rule has a larger regret than twice the sum of these two.
        line: Line,
    },
    /// For CDL.
    SwapRule {
        /// The scoring rule into [-1, 1] with the largest swap regret, as a sum of V-shaped
        /// rules. Payoffs in [0, 1] have half of its losses, and CDL is half of that regret.
        rule: Vec<Part>,
        /// What the rule charges at each prediction, ascending.
        table: Listed<Losses>,
        /// No decision task has a larger swap regret than the sum of these two.
        line: Line,
    },
    /// For smCE.
    Lipschitz {
        /// The 1-Lipschitz function with the largest sum, by its breakpoints, ascending from the
        /// lowest to the highest prediction; it is linear in between.
        function: Listed<FunctionValue>,
        /// Where something stays of a flow that shows that no function does better: from each
        /// prediction to the next flows what came, and the bias, less what stays.
        residuals: Listed<Residual>,
    },
    /// For averages over subsets.
    Subsets {
        /// The number of subsets, as a power: `2^60`.
        subsets: String,
        /// The number of classes of subsets that were visited, each once.
        classes: String,
    },
}

/// Whether the event happened more often than forecast, or less often.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Side {
    UnderForecast,
    OverForecast,
    Neither,
}

/// Whether a limit is attained, or from where it is approached.
#[derive(Serialize, JsonSchema)]
pub(super) enum Approach {
    #[serde(rename = "at")]
    At,
    #[serde(rename = "from above")]
    FromAbove,
    #[serde(rename = "from below")]
    FromBelow,
}

/// A V-shaped part of a scoring rule.
#[derive(Serialize, JsonSchema)]
pub(super) struct Part {
    /// Where its kink is.
    kink: Fraction,
    /// The nearest double.
    kink_value: f64,
    /// The factor of this rule in the sum.
    weight: Fraction,
    /// The nearest double.
    weight_value: f64,
    /// On which side of the kink a prediction counts that equals it.
    ties: Ties,
}

/// A side of a kink.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Ties {
    Below,
    Above,
}

/// What a scoring rule charges for a prediction.
#[derive(Serialize, JsonSchema)]
pub(super) struct Losses {
    /// The prediction.
    prediction: Fraction,
    /// The nearest double.
    prediction_value: f64,
    /// The loss if the event does not happen.
    loss_if_zero: Fraction,
    /// The nearest double.
    loss_if_zero_value: f64,
    /// The loss if it happens.
    loss_if_one: Fraction,
    /// The nearest double.
    loss_if_one_value: f64,
}

/// The two ends of a line.
#[derive(Serialize, JsonSchema)]
pub(super) struct Line {
    /// Its value at 0.
    at_zero: Fraction,
    /// The nearest double.
    at_zero_value: f64,
    /// Its value at 1.
    at_one: Fraction,
    /// The nearest double.
    at_one_value: f64,
}

/// The value of a function at a prediction.
#[derive(Serialize, JsonSchema)]
pub(super) struct FunctionValue {
    /// The prediction.
    prediction: Fraction,
    /// The nearest double.
    prediction_value: f64,
    /// The value.
    value: Fraction,
    /// The nearest double.
    as_double: f64,
}

/// What stays of a flow at a prediction.
#[derive(Serialize, JsonSchema)]
pub(super) struct Residual {
    /// The prediction.
    prediction: Fraction,
    /// The nearest double.
    prediction_value: f64,
    /// The amount that stays.
    amount: Fraction,
    /// The nearest double.
    amount_value: f64,
}

/// A list, or a note that it was left out.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "ListOf{T}")]
pub(super) enum Listed<T> {
    /// The list.
    All(Vec<T>),
    /// The note.
    Omitted {
        /// How long the list is; null if that is not known.
        omitted: Option<usize>,
        /// The option that prints it.
        option: &'static str,
    },
}

impl Witness {
    pub(super) fn new(evaluation: &Evaluation, source: &Source<'_>) -> Self {
        // Amounts count rounds, or their weights.
        let amount = |amount: &BigRational| both(&source.total(amount));
        match &evaluation.witness {
            truecal::Witness::Signs { under, over } => {
                let ((under, under_value), (over, over_value)) = (amount(under), amount(over));
                Witness::Signs { under, under_value, over, over_value }
            }
            truecal::Witness::Threshold { alpha, bias: sum } => {
                let (threshold, threshold_value) = both(alpha);
                let (bias, bias_value) = amount(sum);
                let side = Side::of(sum);
                Witness::Threshold { threshold, threshold_value, side, bias, bias_value }
            }
            truecal::Witness::Sign { alpha, sum } => {
                let (threshold, threshold_value) = both(alpha);
                let (sum, sum_value) = amount(sum);
                Witness::Sign { threshold, threshold_value, sum, sum_value }
            }
            truecal::Witness::Interval { low, high, bias: sum } => {
                let ((low, low_value), (high, high_value)) = (both(low), both(high));
                let (bias, bias_value) = amount(sum);
                let side = Side::of(sum);
                Witness::Interval { low, low_value, high, high_value, side, bias, bias_value }
            }
            truecal::Witness::Limit { alpha, approach } => {
                let (threshold, threshold_value) = both(alpha);
                Witness::Limit { threshold, threshold_value, approach: approach.into() }
            }
            truecal::Witness::Rule { rule, line } => {
                let losses = |prediction: &BigRational| Losses::of(rule, prediction);
                let table = Listed::of_levels(source, losses);
                let (at_zero, at_zero_value) = amount(&line.0);
                let (at_one, at_one_value) = amount(&line.1);
                let line = Line { at_zero, at_zero_value, at_one, at_one_value };
                let parts = rule.parts.iter().map(Part::from).collect();
                match evaluation.measure {
                    Measure::UCal => {
                        let mean = losses(&per_round(&int(source.ones()), source.rounds()));
                        Witness::Rule { rule: parts, table, mean, line }
                    }
                    Measure::Cdl => Witness::SwapRule { rule: parts, table, line },
                    Measure::Ece
                    | Measure::SmCe
                    | Measure::StepCe
                    | Measure::SignCe
                    | Measure::IntervalCe
                    | Measure::VCal
                    | Measure::StepCeSub
                    | Measure::VCalSub
                    | Measure::UCalSub
                    | Measure::Ssce => unreachable!("a scoring rule shows UCal or CDL"),
                }
            }
            truecal::Witness::Lipschitz(lipschitz) => {
                let value = |(prediction, value): &(_, _)| {
                    let (prediction, prediction_value) = both(&lipschitz.rational(prediction));
                    let (value, as_double) = both(&lipschitz.rational(value));
                    FunctionValue { prediction, prediction_value, value, as_double }
                };
                let residual = |(prediction, rest): &(_, _)| {
                    let (prediction, prediction_value) = both(&lipschitz.rational(prediction));
                    let (amount, amount_value) = amount(&lipschitz.rational(rest));
                    Residual { prediction, prediction_value, amount, amount_value }
                };
                let whole = matches!(source, Source::Levels { full_witness: true, .. });
                Witness::Lipschitz {
                    function: Listed::from_pairs(whole, &lipschitz.function, value),
                    residuals: Listed::from_pairs(whole, &lipschitz.residuals, residual),
                }
            }
            truecal::Witness::Subsets { classes } => Witness::Subsets {
                subsets: format!("2^{}", source.rounds()),
                classes: class_count(*classes),
            },
        }
    }
}

/// A number as a fraction and as a double.
fn both(number: &BigRational) -> (Fraction, f64) {
    (number.into(), nearest_f64(number))
}

impl Side {
    fn of(bias: &BigRational) -> Self {
        match bias.cmp(&BigRational::zero()) {
            Ordering::Greater => Side::UnderForecast,
            Ordering::Less => Side::OverForecast,
            Ordering::Equal => Side::Neither,
        }
    }
}

impl From<&truecal::Approach> for Approach {
    fn from(approach: &truecal::Approach) -> Self {
        match approach {
            truecal::Approach::At => Approach::At,
            truecal::Approach::FromAbove => Approach::FromAbove,
            truecal::Approach::FromBelow => Approach::FromBelow,
        }
    }
}

impl From<&VShape> for Part {
    fn from(part: &VShape) -> Self {
        let ties = match part.ties {
            truecal::Ties::Below => Ties::Below,
            truecal::Ties::Above => Ties::Above,
        };
        let ((kink, kink_value), (weight, weight_value)) = (both(&part.alpha), both(&part.weight));
        Part { kink, kink_value, weight, weight_value, ties }
    }
}

impl Losses {
    fn of(rule: &ScoringRule, prediction: &BigRational) -> Self {
        let (loss_if_zero, loss_if_zero_value) = both(&rule.loss(false, prediction));
        let (loss_if_one, loss_if_one_value) = both(&rule.loss(true, prediction));
        let (prediction, prediction_value) = both(prediction);
        Losses {
            prediction,
            prediction_value,
            loss_if_zero,
            loss_if_zero_value,
            loss_if_one,
            loss_if_one_value,
        }
    }
}

impl<T> Listed<T> {
    /// An entry for each prediction, ascending.
    fn of_levels(source: &Source<'_>, entry: impl Fn(&BigRational) -> T) -> Self {
        match source {
            Source::Passes { .. } | Source::Buckets { .. } => {
                Listed::Omitted { omitted: None, option: "--full-witness" }
            }
            Source::Levels { levels, full_witness, .. } => {
                Listed::up_to_limit(*full_witness, levels.len(), || {
                    let rows = levels.to_rational();
                    rows.table().rows().iter().map(|level| entry(&level.value)).collect()
                })
            }
        }
    }

    fn from_pairs<P>(whole: bool, pairs: &[P], entry: impl Fn(&P) -> T) -> Self {
        Listed::up_to_limit(whole, pairs.len(), || pairs.iter().map(&entry).collect())
    }

    fn up_to_limit(whole: bool, length: usize, list: impl Fn() -> Vec<T>) -> Self {
        if !whole && length > LISTED {
            return Listed::Omitted { omitted: Some(length), option: "--full-witness" };
        }
        Listed::All(list())
    }
}
