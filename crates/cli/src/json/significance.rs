//! P-values and what they say together.

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::{How, LEVEL, Significance, Test};
use truecal::Measure;

/// Whether the values are more than noise.
#[derive(Serialize, JsonSchema)]
pub(super) struct Verdict {
    /// Whether the smallest adjusted p-value is below `level`, or there are impossible rounds; null
    /// if there are neither.
    miscalibrated: Option<bool>,
    /// The measure with this p-value, by its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    measure: Option<&'static str>,
    /// The smallest p-value, adjusted by Holm's method for all that are reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    smallest_adjusted_p_value: Option<f64>,
    /// Adjusted p-values below this say that forecasts are miscalibrated.
    level: f64,
    /// How many p-values were adjusted for each other.
    tests: usize,
    /// Rounds whose outcome was given the probability 0.
    impossible_rounds: u64,
    /// Why there are no p-values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    reason: Option<&'static str>,
}

/// A measure as a test of whether outcomes were drawn with the predictions as probabilities.
#[derive(Serialize, JsonSchema)]
pub(super) struct Tested {
    /// How the p-value was found: by `replicates`, or in the `limit` of many rounds.
    method: &'static str,
    /// The p-value.
    p_value: f64,
    /// The p-value adjusted by Holm's method for all that are reported.
    adjusted_p_value: f64,
    /// The p-value to three digits, which a double has not below 1e-308.
    p_value_text: String,
}

impl From<&Significance> for Verdict {
    fn from(significance: &Significance) -> Self {
        let strongest = significance.strongest();
        Verdict {
            miscalibrated: significance.verdict(),
            measure: strongest.map(|test| Measure::key(test.measure)),
            smallest_adjusted_p_value: strongest.map(|test| test.adjusted.to_f64()),
            level: LEVEL,
            tests: significance.tests.len(),
            impossible_rounds: significance.impossible,
            reason: significance.lacking,
        }
    }
}

impl From<&Test> for Tested {
    fn from(test: &Test) -> Self {
        Tested {
            method: match test.how {
                How::Limit => "limit",
                How::Drawn { .. } => "replicates",
            },
            p_value: test.p.to_f64(),
            adjusted_p_value: test.adjusted.to_f64(),
            p_value_text: test.p.to_string(),
        }
    }
}
