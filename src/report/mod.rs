//! What `truecal measure` says: as a table for people, as JSON for programs.

pub mod claims;
pub mod forecast;
pub mod gap;
mod json;
mod null;
pub mod opt;
pub mod plot;
pub mod properties;
pub mod refute;
mod rounding;
mod stream;
mod terminal;

use crate::any_levels::AnyLevels;
use crate::measure::Measure;
use crate::sampled::{MIN_SUBSETS, SampleOptions, Sampled};
use crate::witness::Evaluation;

pub use crate::float::nearest_f64;
pub use stream::Streamed;

/// The default for [`Limits::subset_budget`]: 24 rounds with distinct predictions of a few digits, 22 with
/// distinct doubles; for VCal^sub 40 and 36, for stepCE^sub 46 and 42.
pub const SUBSET_BUDGET: u128 = 1 << 24;

/// How many levels a witness may list before it is summarised.
pub const LISTED_LEVELS: usize = 1000;

/// What a report may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest [`cost`](AnyLevels::cost) at which a subsampled measure is computed exactly.
    pub subset_budget: u128,
    /// How it is sampled otherwise, if at all.
    pub sample: Option<SampleOptions>,
    /// Whether witnesses list every level even if there are more than [`LISTED_LEVELS`].
    pub full_witness: bool,
}

impl Default for Limits {
    fn default() -> Self {
        let sample = Some(SampleOptions::default());
        Limits { subset_budget: SUBSET_BUDGET, sample, full_witness: false }
    }
}

/// Measures of one level table.
#[derive(Debug)]
pub struct Report<'a> {
    levels: &'a AnyLevels,
    limits: Limits,
    entries: Vec<Entry>,
    seconds: Option<Vec<(String, f64)>>,
    nulls: Option<null::Nulls>,
}

/// A measure that was computed, or why it was not.
#[derive(Debug)]
enum Entry {
    Exact(Box<Evaluation>),
    Sampled(Box<Sampled>),
    TooCostly { measure: Measure, cost: Option<u128> },
}

impl Entry {
    fn measure(&self) -> Measure {
        match self {
            Entry::Exact(evaluation) => evaluation.measure,
            Entry::Sampled(sampled) => sampled.measure,
            Entry::TooCostly { measure, .. } => *measure,
        }
    }
}

impl<'a> Report<'a> {
    /// A report without measures yet.
    ///
    /// ```
    /// use truecal::{Forecasts, Measure, report::{Limits, Report}};
    /// let levels = Forecasts::from_pairs([(true, "1/2")])?.levels()?;
    /// let mut report = Report::new(&levels, Limits::default());
    /// report.add(Measure::StepCe);
    /// assert_eq!(report.to_json()["measures"]["stepce"]["exact"], "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(levels: &'a AnyLevels, limits: Limits) -> Self {
        Report { levels, limits, entries: Vec::new(), seconds: None, nulls: None }
    }

    /// Computes a measure, or samples it if it would cost more than the limits allow.
    pub fn add(&mut self, measure: Measure) {
        self.add_with(measure, &|_| ());
    }

    /// The same with reports of how many subsets have been drawn, from any thread.
    pub fn add_with(&mut self, measure: Measure, watch: &(dyn Fn(u64) + Sync)) {
        let cost = self.levels.cost(measure);
        self.entries.push(match cost {
            Some(cost) if cost <= self.limits.subset_budget => {
                Entry::Exact(Box::new(self.levels.evaluate(measure)))
            }
            _ => match self.sampled(measure, watch) {
                Some(sampled) => Entry::Sampled(Box::new(sampled)),
                None => Entry::TooCostly { measure, cost },
            },
        });
    }

    fn sampled(&self, measure: Measure, watch: &(dyn Fn(u64) + Sync)) -> Option<Sampled> {
        let options = self.limits.sample.as_ref()?;
        let subsets = options
            .subsets
            .unwrap_or_else(|| self.levels.subsets_to_draw(measure, options.precision));
        if subsets == 0 {
            return None;
        }
        self.levels.sample_with(measure, options, watch)
    }

    /// Adds how long each step took.
    pub fn set_seconds(&mut self, seconds: Vec<(String, f64)>) {
        self.seconds = Some(seconds);
    }
}

/// Columns as wide as their widest cell: so many of them to the left, the others, which are numbers, to the right.
fn columns<R: AsRef<[String]>>(rows: &[R], left: usize) -> String {
    let cells = |row: usize| rows[row].as_ref();
    let count = rows.first().map_or(0, |row| row.as_ref().len());
    let width = |column: usize| (0..rows.len()).map(|row| cells(row)[column].chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &R| {
        let cells = row.as_ref().iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            let gap = if column == 0 { "" } else { "  " };
            match column < left {
                true => format!("{gap}{cell:<width$}"),
                false => format!("{gap}{cell:>width$}"),
            }
        });
        format!("{}\n", cells.collect::<String>().trim_end())
    };
    rows.iter().map(line).collect()
}

/// A number of classes of subsets, which is not counted beyond 128 bits.
fn class_count(classes: u128) -> String {
    match classes {
        u128::MAX => "at least 2^128 - 1".to_owned(),
        classes => classes.to_string(),
    }
}

/// Why a measure was not computed, and the options that would compute it.
fn too_costly(
    levels: &AnyLevels,
    measure: Measure,
    cost: Option<u128>,
    budget: u128,
) -> (String, String) {
    let rounds = levels.rounds();
    let (at, exactly) = match cost {
        Some(cost) => (cost.to_string(), format!("--subset-budget {cost} or ")),
        None => ("beyond 2^128".to_owned(), String::new()),
    };
    (
        format!("averages over 2^{rounds} subsets, at a cost of {at} (the budget is {budget})"),
        format!("{exactly}--subsamples {}", levels.subsets_to_draw(measure, None).max(MIN_SUBSETS)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_counted_up_to_128_bits() {
        assert_eq!(class_count(u128::MAX - 1), "340282366920938463463374607431768211454");
        assert_eq!(class_count(u128::MAX), "at least 2^128 - 1");
    }
}
