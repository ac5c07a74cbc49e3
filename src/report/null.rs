//! What the measures would be if the forecaster were truthful: a table of its own below the other, and a field in JSON.

use num_rational::BigRational;
use serde_json::{Value, json};

use super::nearest_f64;
use super::rounding::short_decimal;
use super::{Entry, Report, columns};
use crate::measure::Measure;
use crate::null::{Null, NullOptions};

/// The null distributions of the measures of a report, in their order.
#[derive(Debug)]
pub(super) struct Nulls {
    options: NullOptions,
    found: Vec<Found>,
}

#[derive(Debug)]
enum Found {
    Null(Null),
    TooCostly { measure: Measure, cost: Option<u128> },
}

impl Report<'_> {
    /// Adds the null distribution of every measure added so far (see [`AnyLevels::null`](crate::AnyLevels::null)), unless all replicates
    /// together would cost more than the limits allow.
    pub fn add_null(&mut self, options: &NullOptions, progress: &(dyn Fn(u64) + Sync)) {
        let measures: Vec<Measure> = self.entries.iter().map(Entry::measure).collect();
        let cost = |measure| self.levels.null_cost(measure, options.replicates);
        let affordable =
            |measure| cost(measure).is_some_and(|cost| cost <= self.limits.subset_budget);
        let some: Vec<Measure> =
            measures.iter().copied().filter(|&measure| affordable(measure)).collect();
        let mut nulls = self.levels.null(&some, options, progress).into_iter().peekable();
        let found = |&measure: &Measure| match nulls.next_if(|null| null.measure == measure) {
            Some(null) => Found::Null(null),
            None => Found::TooCostly { measure, cost: cost(measure) },
        };
        let found = measures.iter().map(found).collect();
        self.nulls = Some(Nulls { options: options.clone(), found });
    }

    /// The field of a measure in JSON.
    pub(super) fn null_to_json(&self, measure: Measure) -> Option<Value> {
        let nulls = self.nulls.as_ref()?;
        let NullOptions { replicates, seed } = nulls.options;
        nulls.found.iter().find(|found| found.measure() == measure).map(|found| match found {
            Found::Null(drawn) => {
                let mut json = json!({
                    "replicates": replicates,
                    "seed": seed,
                    "mean": drawn.mean,
                    "mean_standard_error": drawn.mean_standard_error,
                    "percentile_95": nearest_f64(&drawn.percentile_95),
                    "at_least": drawn.at_least,
                    "p_value": nearest_f64(&drawn.p_value()),
                    "p_value_standard_error": drawn.p_value_standard_error(),
                });
                if has_limit(measure) {
                    json["asymptotic_p_value"] = json!(drawn.asymptotic_p_value);
                    if drawn.asymptotic_p_value.is_none() {
                        json["reason"] = NO_VARIANCE.into();
                    }
                }
                json
            }
            Found::TooCostly { cost, .. } => {
                let (reason, option) = self.too_costly_null(replicates, *cost);
                json!({
                    "replicates": replicates,
                    "seed": seed,
                    "mean": null,
                    "mean_standard_error": null,
                    "percentile_95": null,
                    "at_least": null,
                    "p_value": null,
                    "p_value_standard_error": null,
                    "reason": reason,
                    "option": option,
                })
            }
        })
    }

    /// The table below the other; nothing if it was not asked for.
    pub(super) fn null_table(&self) -> String {
        let Some(Nulls { options: NullOptions { replicates, seed }, found }) = &self.nulls else {
            return String::new();
        };
        let head = ["measure", "total", "truthful would give", "p-value", "asymptotic"];
        let mut rows = vec![head.map(str::to_owned)];
        let mut notes: Vec<(Option<u128>, Vec<String>)> = vec![];
        for found in found {
            rows.push(match found {
                Found::Null(null) => row(null),
                Found::TooCostly { measure, cost } => {
                    match notes.last_mut() {
                        Some((same, measures)) if same == cost => {
                            measures.push(measure.to_string())
                        }
                        _ => notes.push((*cost, vec![measure.to_string()])),
                    }
                    let total = self.exact_value(*measure).map_or("-".to_owned(), short_decimal);
                    [measure.to_string(), total, "-".to_owned(), "-".to_owned(), String::new()]
                }
            });
        }
        let plural = if *replicates == 1 { "" } else { "s" };
        let mut text = format!(
            "\nif outcomes were drawn from the predictions ({replicates} replicate{plural}, seed {seed}):\n\n{}",
            columns(&rows, 1)
        );
        for (cost, measures) in notes {
            let (reason, option) = self.too_costly_null(*replicates, cost);
            let measures = measures.join(", ");
            text.push_str(&format!("{measures}: not computed: {reason}; option: {option}\n"));
        }
        if found.iter().any(Found::lacks_variance) {
            text.push_str(&format!("no asymptotic p-value: {NO_VARIANCE}\n"));
        }
        text
    }

    fn exact_value(&self, measure: Measure) -> Option<&BigRational> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Exact(evaluation) if evaluation.measure == measure => Some(&evaluation.value),
            _ => None,
        })
    }

    /// Why the replicates of a measure were not computed, and the option that would compute them.
    fn too_costly_null(&self, replicates: u64, cost: Option<u128>) -> (String, String) {
        let budget = self.limits.subset_budget;
        match cost {
            Some(cost) => (
                format!(
                    "{replicates} averages over subsets may cost {cost} (the budget is {budget})"
                ),
                format!("--subset-budget {cost}"),
            ),
            None => (
                format!(
                    "{replicates} averages over subsets may cost more than 2^128 (the budget is {budget})"
                ),
                "none: too many subsets to visit exactly".to_owned(),
            ),
        }
    }
}

const NO_VARIANCE: &str = "all predictions are 0 or 1, so that outcomes have no variance";

impl Found {
    fn measure(&self) -> Measure {
        match self {
            Found::Null(null) => null.measure,
            Found::TooCostly { measure, .. } => *measure,
        }
    }

    fn lacks_variance(&self) -> bool {
        matches!(self, Found::Null(null) if has_limit(null.measure) && null.asymptotic_p_value.is_none())
    }
}

/// Whether the measure has a limit in terms of Brownian motion.
fn has_limit(measure: Measure) -> bool {
    matches!(measure, Measure::StepCe | Measure::IntervalCe)
}

fn row(null: &Null) -> [String; 5] {
    let percentile = three_digits(nearest_f64(&null.percentile_95));
    [
        null.measure.to_string(),
        short_decimal(&null.observed),
        format!("{} (95 %: {percentile})", three_digits(null.mean)),
        with_error(nearest_f64(&null.p_value()), null.p_value_standard_error()),
        null.asymptotic_p_value.map_or_else(String::new, three_digits),
    ]
}

/// A number to three significant digits.
fn three_digits(number: f64) -> String {
    match place(number, 3) {
        _ if number == 0.0 => "0".to_owned(),
        place @ -4..=2 => format!("{number:.*}", (2 - place).unsigned_abs() as usize),
        3..15 => format!("{number:.0}"),
        _ => format!("{number:.2e}"),
    }
}

/// A number with as many decimals as make two digits of its standard error.
fn with_error(number: f64, error: f64) -> String {
    let decimals =
        if error > 0.0 { (1 - place(error, 2)).clamp(0, 12).unsigned_abs() as usize } else { 0 };
    format!("{number:.decimals$} ± {error:.decimals$}")
}

/// The place of the first digit once a number is rounded to so many: 0 for units, -1 for tenths.
fn place(number: f64, digits: usize) -> i32 {
    let text = format!("{number:.*e}", digits - 1);
    text.split_once('e').and_then(|(_, place)| place.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_get_three_digits() {
        for (number, text) in [
            (0.0, "0"),
            (0.85249, "0.852"),
            (0.9996, "1.00"),
            (12.34, "12.3"),
            (123.4, "123"),
            (12_345.6, "12346"),
            (0.000_123_4, "0.000123"),
            (0.000_012_34, "1.23e-5"),
            (1.0e-101, "1.00e-101"),
            (2.5e20, "2.50e20"),
        ] {
            assert_eq!(three_digits(number), text);
        }
        for (number, error, text) in [
            (0.412_34, 0.015_56, "0.412 ± 0.016"),
            (0.000_999, 0.000_999, "0.0010 ± 0.0010"),
            (1.0, 0.0, "1 ± 0"),
            (0.5, 0.5, "0.50 ± 0.50"),
        ] {
            assert_eq!(with_error(number, error), text);
        }
    }
}
