//! `truecal measure`.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use super::classical::ClassicalNumbers;
use super::significance::{Tested, Verdict};
use super::witness::Witness;
use crate::report::{Entry, NO_VARIANCE, NullEntry, Nulls, Report, Source, UNDRAWN};
use truecal::nearest_f64;
use truecal::null::{Null, NullOptions, PValue, has_limit};
use truecal::rational::int;
use truecal::sampled::Sampled;
use truecal::summary::Bounds;

/// What `truecal measure --json` prints: measures of one file of forecasts.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "measure")]
pub(crate) struct Measured {
    /// The version of this format.
    #[schemars(extend("const" = 2))]
    schema: u32,
    /// The number of rounds T; null with fractional weights.
    rounds: Option<u64>,
    /// The number of rounds in which the event happened; null with fractional weights.
    ones: Option<u64>,
    /// The number of distinct predictions; null if nothing that was asked for needs them told
    /// apart, or if they do not fit in memory.
    levels: Option<usize>,
    /// If `levels` is null: how often the file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    passes: Option<u32>,
    /// If `levels` is null: whether standard input was kept in a temporary file meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    copied: Option<bool>,
    /// With fractional weights: the weight of all rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Fraction")]
    weight: Option<Fraction>,
    /// With fractional weights: the weight of those in which the event happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Fraction")]
    weight_of_ones: Option<Fraction>,
    /// How many rows were left out, as something was missing in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    skipped_rows: Option<u64>,
    /// Whether the values are more than noise.
    verdict: Verdict,
    /// By the key of the measure, what is known of it.
    measures: IndexMap<&'static str, MeasureEntry>,
    /// What other packages print, per round.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ClassicalNumbers")]
    classical: Option<ClassicalNumbers>,
    /// With `--timing`: how long each step took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "IndexMap<String, f64>")]
    seconds: Option<IndexMap<String, f64>>,
}

/// What is known of a measure.
#[derive(Serialize, JsonSchema)]
struct MeasureEntry {
    /// The value; null if it is not known exactly.
    exact: Option<Fraction>,
    /// The double that is nearest to the value, or to the mean of the sample; null if neither is
    /// known.
    value: Option<f64>,
    /// The same of the value divided by the number of rounds.
    per_round: Option<f64>,
    /// How the value is known.
    method: Method,
    #[serde(flatten)]
    details: Details,
    /// The p-value, where there is one: of the replicates with `--null`, otherwise in the limit of
    /// many rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Tested")]
    test: Option<Tested>,
    /// With `--null`: what the measure would be if the forecaster were truthful.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NullDistribution")]
    null: Option<NullDistribution>,
}

/// How a value is known: exactly; as the mean over random subsets; only that it lies between
/// bounds; or not at all.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Method {
    Exact,
    Sampled,
    Bounds,
    None,
}

/// What there is beside the value, by the method.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Details {
    /// For `exact`.
    Exact {
        /// What shows the value.
        witness: Witness,
    },
    /// For `sampled`.
    Sampled {
        /// How the sample was drawn, and how far the mean can be trusted.
        sample: Sample,
    },
    /// For `bounds`.
    Bounds {
        /// The measure is at least this.
        lower: Fraction,
        /// The nearest double.
        lower_value: f64,
        /// The measure is at most this.
        upper: Fraction,
        /// The nearest double.
        upper_value: f64,
    },
    /// For `none`.
    None {
        /// Why the measure was not computed.
        reason: String,
        /// The options that would compute it.
        option: String,
    },
}

/// A sample of subsets.
#[derive(Serialize, JsonSchema)]
struct Sample {
    /// How many subsets were drawn.
    subsets: u64,
    /// The seed of the random bits.
    seed: u64,
    /// Whether subsets were drawn together with their complements.
    pairs: bool,
    /// The standard error of the mean; null if no double holds it.
    #[schemars(with = "Option<f64>")]
    standard_error: f64,
    /// The lower end of the 95 % interval.
    #[schemars(with = "Option<f64>")]
    low: f64,
    /// The upper end of the 95 % interval.
    #[schemars(with = "Option<f64>")]
    high: f64,
    /// Whether the interval is as short as `--precision` asks; null without `--precision`.
    precision_reached: Option<bool>,
}

/// The distribution of a measure over outcomes drawn with the predictions as probabilities.
#[derive(Default, Serialize, JsonSchema)]
struct NullDistribution {
    /// How many sets of outcomes were drawn.
    replicates: u64,
    /// The seed of the random bits.
    seed: u64,
    /// The mean of the measure; null, as the next fields, if it was not computed.
    mean: Option<f64>,
    /// The standard error of the mean; null for one replicate.
    mean_standard_error: Option<f64>,
    /// The least value that at least 95 % of the replicates do not exceed.
    percentile_95: Option<f64>,
    /// How many replicates are at least as large as the measure of the file.
    at_least: Option<u64>,
    /// (1 + `at_least`)/(1 + `replicates`).
    p_value: Option<f64>,
    /// The standard error of the p-value.
    p_value_standard_error: Option<f64>,
    /// For stepCE and intervalCE: the p-value in the limit of many rounds; null if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    asymptotic_p_value: Option<Option<f64>>,
    /// Why something is null that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    reason: Option<String>,
    /// The option that would compute it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    option: Option<String>,
}

impl From<&Report<'_>> for Measured {
    fn from(report: &Report<'_>) -> Self {
        let (levels, passes, copied) = match report.source {
            Source::Levels { levels, .. } => (Some(levels.len()), None, None),
            Source::Passes { passes, copied, .. } => (None, Some(passes), Some(copied)),
            Source::Buckets { .. } => (None, None, None),
        };
        let mut measures: IndexMap<_, _> = report
            .entries
            .iter()
            .map(|entry| (entry.measure().key(), MeasureEntry::new(entry, &report.source)))
            .collect();
        if let Some(nulls) = &report.nulls {
            for (measure, entry) in measures.values_mut().zip(&nulls.entries) {
                measure.null = Some(NullDistribution::new(nulls, entry));
            }
        }
        for (measure, entry) in measures.values_mut().zip(&report.entries) {
            let test = report.significance.of_measure(entry.measure());
            measure.test = test.map(Tested::from);
        }
        let weighted = report.source.is_weighted();
        let (rounds, ones) = (report.source.rounds(), report.source.ones());
        let total = |count: u64| Some((&report.source.total(&int(count))).into());
        Measured {
            schema: 2,
            rounds: Some(rounds).filter(|_| !weighted),
            ones: Some(ones).filter(|_| !weighted),
            levels,
            passes,
            copied,
            weight: total(rounds).filter(|_| weighted),
            weight_of_ones: total(ones).filter(|_| weighted),
            skipped_rows: Some(report.skipped).filter(|rows| *rows > 0),
            verdict: Verdict::from(&report.significance),
            measures,
            classical: report.classical.as_ref().map(ClassicalNumbers::from),
            seconds: report.seconds.as_ref().map(|steps| steps.iter().cloned().collect()),
        }
    }
}

impl MeasureEntry {
    fn new(entry: &Entry, source: &Source<'_>) -> Self {
        let (exact, number, method, details) = match entry {
            Entry::Exact(found) => {
                let value = source.total(&found.value);
                let witness = Witness::new(found, source);
                (Some((&value).into()), Some(value), Method::Exact, Details::Exact { witness })
            }
            Entry::Sampled(sampled) => {
                let sample = Sample::from(&**sampled);
                let mean = sampled.mean.clone();
                (None, Some(mean), Method::Sampled, Details::Sampled { sample })
            }
            Entry::Bounds(_, Bounds { lower, upper }) => {
                // Bounds that meet are the value.
                let met = Some(lower).filter(|lower| *lower == upper).cloned();
                let details = Details::Bounds {
                    lower: lower.into(),
                    lower_value: nearest_f64(lower),
                    upper: upper.into(),
                    upper_value: nearest_f64(upper),
                };
                (met.as_ref().map(Fraction::from), met, Method::Bounds, details)
            }
            Entry::TooCostly { reason, option, .. } => {
                let (reason, option) = (reason.clone(), option.clone());
                (None, None, Method::None, Details::None { reason, option })
            }
        };
        MeasureEntry {
            exact,
            value: number.as_ref().map(nearest_f64),
            per_round: number.as_ref().map(|number| nearest_f64(&(number / source.weight()))),
            method,
            details,
            test: None,
            null: None,
        }
    }
}

impl From<&Sampled> for Sample {
    fn from(sampled: &Sampled) -> Self {
        let &Sampled { subsets, seed, pairs, standard_error, low, high, .. } = sampled;
        let precision_reached = sampled.precision_reached;
        Sample { subsets, seed, pairs, standard_error, low, high, precision_reached }
    }
}

impl NullDistribution {
    fn new(nulls: &Nulls, entry: &NullEntry) -> Self {
        let NullOptions { replicates, seed } = nulls.options;
        let empty = NullDistribution { replicates, seed, ..NullDistribution::default() };
        match entry {
            NullEntry::Drawn(null) => {
                let Null { mean, mean_standard_error, at_least, asymptotic_p_value, .. } = *null;
                let lacks_variance = entry.lacks_variance();
                NullDistribution {
                    mean: Some(mean),
                    mean_standard_error,
                    percentile_95: Some(nearest_f64(&null.percentile_95)),
                    at_least: Some(at_least),
                    p_value: Some(nearest_f64(&null.p_value())),
                    p_value_standard_error: Some(null.p_value_standard_error()),
                    asymptotic_p_value: (asymptotic_p_value.is_some() || lacks_variance)
                        .then_some(asymptotic_p_value),
                    reason: lacks_variance.then(|| NO_VARIANCE.to_owned()),
                    ..empty
                }
            }
            NullEntry::Limit { measure, asymptotic } => {
                let reason = match entry.lacks_variance() {
                    true => format!("{UNDRAWN}; {NO_VARIANCE}"),
                    false => UNDRAWN.to_owned(),
                };
                NullDistribution {
                    asymptotic_p_value: has_limit(*measure)
                        .then_some(asymptotic.map(PValue::to_f64)),
                    reason: Some(reason),
                    option: Some("--max-memory".to_owned()),
                    ..empty
                }
            }
            NullEntry::TooCostly { cost, .. } => {
                let (reason, option) = nulls.too_costly(*cost);
                NullDistribution { reason: Some(reason), option, ..empty }
            }
        }
    }
}
