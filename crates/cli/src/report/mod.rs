//! What commands say to people. What they say to programs is in [`json`](crate::json), made from
//! the same reports.

pub mod claims;
mod classical;
pub(crate) mod csv;
pub(crate) mod forecast;
pub(crate) mod gap;
mod gaps;
mod null;
pub(crate) mod opt;
mod plot;
pub(crate) mod properties;
pub(crate) mod recalibration;
pub(crate) mod refute;
mod rounding;
mod sentences;
mod several;
mod significance;
mod terminal;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use truecal::classical::Classical;
use truecal::sampled::{LEAST_SUBSETS, SampleOptions, Sampled};
use truecal::summary::Bounds;
use truecal::{AnyLevels, Evaluation, Measure, Watch};

pub(crate) use gaps::Gaps;
pub(crate) use null::{NO_VARIANCE, NullEntry, Nulls, UNDRAWN};
pub(crate) use rounding::per_round;
pub(crate) use several::{Comparison, Member, Several};
pub(crate) use significance::{How, LEVEL, Significance, Test, is_small};

/// The default for [`Limits::subset_budget`]: 24 rounds with distinct predictions of a few digits,
/// 22 with distinct doubles; for VCal^sub 40 and 36, for stepCE^sub 46 and 42.
pub const SUBSET_BUDGET: u128 = 1 << 24;

/// What the measures of a level table may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest [`cost`](AnyLevels::cost) at which a subsampled measure is computed exactly.
    pub subset_budget: u128,
    /// How it is sampled otherwise, if at all.
    pub sample: Option<SampleOptions>,
    /// Whether rounds have fractional weights, and subsets of them mean nothing.
    pub fractional: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            subset_budget: SUBSET_BUDGET,
            sample: Some(SampleOptions::default()),
            fractional: false,
        }
    }
}

impl Limits {
    /// Whether a subsampled measure at this cost is computed exactly.
    fn allow(&self, cost: Option<u128>) -> bool {
        cost.is_some_and(|cost| cost <= self.subset_budget)
    }

    /// How many subsets are drawn at most for a measure; `None` if it is not sampled.
    pub(crate) fn subsets(&self, levels: &AnyLevels, measure: Measure) -> Option<u64> {
        let sampled = !self.fractional && !self.allow(levels.cost(measure));
        let options = self.sample.filter(|_| sampled)?;
        let usual = || levels.subsets_to_draw(measure, options.precision);
        Some(options.subsets.unwrap_or_else(usual)).filter(|subsets| *subsets > 0)
    }
}

/// Measures of one file of forecasts, and how they are known.
#[derive(Debug)]
pub struct Report<'a> {
    pub(crate) source: Source<'a>,
    /// In the order in which they are shown, each measure once.
    pub(crate) entries: Vec<Entry>,
    /// What the measures would be if the forecaster were truthful.
    pub(crate) nulls: Option<Nulls>,
    /// Whether the values are more than noise.
    pub(crate) significance: Significance,
    /// What other packages print.
    pub(crate) classical: Option<Classical>,
    /// Why that is not known, if it was to be shown.
    pub(crate) unclassical: Option<&'static str>,
    /// Rows in which the probabilities of classes miss 1, if there are classes.
    pub(crate) gaps: Option<Gaps>,
    /// Rows that were left out, as something was missing.
    pub(crate) skipped: u64,
    /// How long each step took, if that is to be shown.
    pub(crate) seconds: Option<Vec<(String, f64)>>,
}

/// What the measures were computed from.
#[derive(Debug)]
pub(crate) enum Source<'a> {
    /// All levels at once.
    Levels {
        levels: &'a AnyLevels,
        /// Whether witnesses list every level, however many there are.
        full_witness: bool,
        /// A count of so many stands for a weight of 1.
        unit: BigInt,
    },
    /// Rounds that were gone over so often, and of which only a summary was kept.
    Passes {
        rounds: u64,
        ones: u64,
        passes: u32,
        /// Whether they were kept in a temporary file meanwhile.
        copied: bool,
    },
    /// Neighbouring predictions that are not told apart.
    Buckets {
        rounds: u64,
        ones: u64,
        buckets: usize,
        /// How many were joined with their neighbours, as they share an end.
        joined: usize,
    },
}

impl<'a> Source<'a> {
    /// Levels whose counts are rounds.
    pub(crate) fn of_levels(levels: &'a AnyLevels) -> Self {
        Source::Levels { levels, full_witness: false, unit: BigInt::one() }
    }

    /// The number of rounds T; with fractional weights, of parts of rounds.
    pub(crate) fn rounds(&self) -> u64 {
        match self {
            Source::Levels { levels, .. } => levels.rounds(),
            Source::Passes { rounds, .. } | Source::Buckets { rounds, .. } => *rounds,
        }
    }

    /// The number of rounds in which the event happened.
    pub(crate) fn ones(&self) -> u64 {
        match self {
            Source::Levels { levels, .. } => levels.ones(),
            Source::Passes { ones, .. } | Source::Buckets { ones, .. } => *ones,
        }
    }

    /// Whether rounds have fractional weights, and are counted in parts.
    pub(crate) fn is_weighted(&self) -> bool {
        matches!(self, Source::Levels { unit, .. } if !unit.is_one())
    }

    /// An amount that was computed from counts, in weights.
    pub(crate) fn total(&self, amount: &BigRational) -> BigRational {
        match self {
            Source::Levels { unit, .. } if !unit.is_one() => amount / unit,
            _ => amount.clone(),
        }
    }

    /// The weight of all rounds: how many there are, if they have none; 1 if there is nothing.
    pub(crate) fn weight(&self) -> BigRational {
        self.total(&BigRational::from_integer(self.rounds().max(1).into()))
    }

    /// Such an amount for each round, or for each unit of weight.
    pub(crate) fn per_round(&self, amount: &BigRational) -> BigRational {
        per_round(amount, self.rounds())
    }

    /// The rounds with predictions from the first to the second, if they are known.
    fn between(&self, low: &BigRational, high: &BigRational) -> Option<u64> {
        match self {
            Source::Levels { levels, .. } => Some(levels.between(low, high).0),
            Source::Passes { .. } | Source::Buckets { .. } => None,
        }
    }

    /// The sum of the predictions, if levels are known; of none otherwise.
    fn forecast(&self) -> BigRational {
        match self {
            Source::Levels { levels, .. } => levels.forecast(),
            Source::Passes { .. } | Source::Buckets { .. } => BigRational::default(),
        }
    }
}

/// What is known of a measure.
#[derive(Debug)]
pub(crate) enum Entry {
    /// Its value.
    Exact(Box<Evaluation>),
    /// The mean over random subsets.
    Sampled(Box<Sampled>),
    /// That it lies between bounds: its value would take all levels.
    Bounds(Measure, Bounds),
    /// Nothing, and the options that would compute it.
    TooCostly { measure: Measure, reason: String, option: String },
}

impl Entry {
    /// A measure of a level table, sampled if it would cost more than the limits allow. The watch
    /// hears how many subsets have been drawn, from any thread.
    pub(crate) fn of_levels(
        levels: &AnyLevels,
        measure: Measure,
        limits: &Limits,
        watch: &Watch<'_>,
    ) -> Entry {
        if limits.fractional && measure.subsampled_from().is_some() {
            return Entry::TooCostly {
                measure,
                reason: "subsets of rounds with fractional weights mean nothing".to_owned(),
                option: String::new(),
            };
        }
        if limits.allow(levels.cost(measure)) {
            return Entry::Exact(Box::new(levels.evaluate(measure)));
        }
        let options = limits.sample.filter(|_| limits.subsets(levels, measure).is_some());
        match options.and_then(|options| levels.sample_with(measure, &options, watch)) {
            Some(sampled) => Entry::Sampled(Box::new(sampled)),
            None => too_costly(levels, measure, levels.cost(measure), limits.subset_budget),
        }
    }

    /// A measure that needs every level, of forecasts whose levels are not told apart.
    pub(crate) fn without_levels(measure: Measure, bounds: Option<Bounds>) -> Entry {
        match bounds {
            Some(bounds) => Entry::Bounds(measure, bounds),
            None => Entry::TooCostly {
                measure,
                reason: "averages over subsets need all forecasts in memory".to_owned(),
                option: "--max-memory".to_owned(),
            },
        }
    }

    pub(crate) fn measure(&self) -> Measure {
        match self {
            Entry::Exact(evaluation) => evaluation.measure,
            Entry::Sampled(sampled) => sampled.measure,
            Entry::Bounds(measure, _) | Entry::TooCostly { measure, .. } => *measure,
        }
    }
}

impl<'a> Report<'a> {
    /// Why there are bounds instead of values.
    fn why_bounds(&self) -> &'static str {
        match self.source {
            Source::Buckets { .. } => "certain, as buckets do not tell predictions apart",
            Source::Levels { .. } | Source::Passes { .. } => {
                "exact with more memory (--max-memory), as every level counts"
            }
        }
    }

    /// A report without measures yet.
    pub(crate) fn new(source: Source<'a>) -> Self {
        Report {
            source,
            entries: vec![],
            nulls: None,
            significance: Significance::none(),
            classical: None,
            unclassical: None,
            gaps: None,
            skipped: 0,
            seconds: None,
        }
    }

    /// Measures of a level table, within limits.
    ///
    /// ```
    /// use truecal::{Forecasts, Measure};
    /// use truecal_cli::report::{Limits, Report};
    /// let levels = Forecasts::from_pairs([(true, "1/2")])?.levels()?;
    /// let report = Report::of_levels(&levels, [Measure::StepCe], &Limits::default());
    /// assert!(report.to_table(true).contains("forecasts up to 1/2 were too low"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_levels(
        levels: &'a AnyLevels,
        measures: impl IntoIterator<Item = Measure>,
        limits: &Limits,
    ) -> Self {
        let entry = |measure| Entry::of_levels(levels, measure, limits, &Watch::silent());
        let entries = measures.into_iter().map(entry).collect();
        Report { entries, ..Report::new(Source::of_levels(levels)) }
    }
}

/// Why a measure was not computed, and the options that would compute it.
fn too_costly(levels: &AnyLevels, measure: Measure, cost: Option<u128>, budget: u128) -> Entry {
    let rounds = levels.rounds();
    let (at, exactly) = match cost {
        Some(cost) => (cost.to_string(), format!("--subset-budget {cost} or ")),
        None => ("beyond 2^128".to_owned(), String::new()),
    };
    let (subsets, fewer) = match levels.subsets_to_draw(measure, None) {
        0 => {
            let seconds = about_seconds(seconds_of(levels.sample_work(measure, LEAST_SUBSETS)));
            let few = format!(
                "; fewer than {LEAST_SUBSETS} random ones fit the budget of work, and so many take \
                    {seconds}"
            );
            (LEAST_SUBSETS, few)
        }
        subsets => (subsets, String::new()),
    };
    Entry::TooCostly {
        measure,
        reason: format!(
            "averages over 2^{rounds} subsets, at a cost of {at} (the budget is {budget}){fewer}"
        ),
        option: format!("{exactly}--subsamples {subsets}"),
    }
}

/// How long so much work of [`AnyLevels::sample_work`] takes, roughly: two processors of our time
/// look at some 2^26 levels in a second.
fn seconds_of(work: u64) -> u64 {
    work >> 26
}

/// So many seconds in words.
pub(crate) fn about_seconds(seconds: u64) -> String {
    match seconds {
        0 => "less than a second".to_owned(),
        seconds @ ..120 => format!("about {seconds} s"),
        seconds @ ..7200 => format!("about {} min", seconds / 60),
        seconds => format!("about {} h", seconds / 3600),
    }
}

/// Columns as wide as their widest cell: so many of them to the left, the others, which are
/// numbers, to the right.
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
pub(crate) fn class_count(classes: u128) -> String {
    match classes {
        u128::MAX => "at least 2^128 - 1".to_owned(),
        classes => classes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_work_is_told_roughly() {
        let told = |seconds: u64| about_seconds(seconds_of(seconds << 26));
        assert_eq!(told(0), "less than a second");
        assert_eq!([told(119), told(120), told(7200)], ["about 119 s", "about 2 min", "about 2 h"]);
    }

    #[test]
    fn classes_are_counted_up_to_128_bits() {
        assert_eq!(class_count(u128::MAX - 1), "340282366920938463463374607431768211454");
        assert_eq!(class_count(u128::MAX), "at least 2^128 - 1");
    }
}
