//! What the measures would be if the forecaster were truthful: a table of its own below the other.

use num_rational::BigRational;

use super::rounding::{digits, short_decimal, with_error};
use super::{Entry, Report, columns};
use truecal::nearest_f64;
use truecal::null::{Null, NullOptions, PValue, asymptotic, has_limit};
use truecal::{AnyLevels, Measure, Watch};

/// The null distributions of some measures, in their order.
#[derive(Debug)]
pub(crate) struct Nulls {
    pub(crate) options: NullOptions,
    pub(crate) entries: Vec<NullEntry>,
}

/// What is known of the null distribution of a measure.
#[derive(Debug)]
pub(crate) enum NullEntry {
    /// Its replicates.
    Drawn(Null),
    /// Only the p-value in the limit, if it has one: the forecasts are not in memory.
    Limit { measure: Measure, asymptotic: Option<PValue> },
    /// Nothing, as all replicates together would cost too much.
    TooCostly { measure: Measure, cost: Option<u128> },
}

impl Nulls {
    /// The null distributions of measures (see [`AnyLevels::null`]), each unless all replicates
    /// together would cost more than the budget.
    pub(crate) fn of_levels(
        levels: &AnyLevels,
        measures: &[Measure],
        options: NullOptions,
        budget: u128,
        watch: &Watch<'_>,
    ) -> Nulls {
        let cost = |measure| levels.null_cost(measure, options.replicates);
        let affordable = |measure: &Measure| cost(*measure).is_some_and(|cost| cost <= budget);
        let some: Vec<Measure> = measures.iter().copied().filter(affordable).collect();
        let mut nulls = levels.null(&some, &options, watch).into_iter().peekable();
        let entry = |&measure: &Measure| match nulls.next_if(|null| null.measure == measure) {
            Some(null) => NullEntry::Drawn(null),
            None => NullEntry::TooCostly { measure, cost: cost(measure) },
        };
        let entries = measures.iter().map(entry).collect();
        Nulls { options, entries }
    }

    /// What is known without replicates: of measures whose value is known, and of outcomes with
    /// this variance.
    pub(crate) fn in_the_limit(
        entries: &[Entry],
        options: NullOptions,
        variance: &BigRational,
    ) -> Nulls {
        let entry = |entry: &Entry| {
            let p_value = match entry {
                Entry::Exact(found) => asymptotic(found.measure, &found.value, variance),
                _ => None,
            };
            NullEntry::Limit { measure: entry.measure(), asymptotic: p_value }
        };
        Nulls { options, entries: entries.iter().map(entry).collect() }
    }

    /// Why the replicates of a measure were not computed, and the option that would compute them,
    /// if that is not beyond all patience.
    pub(crate) fn too_costly(&self, cost: Option<u128>) -> (String, Option<String>) {
        /// Some days, by two processors of our time.
        const PATIENCE: u128 = 1 << 40;
        let replicates = self.options.replicates;
        let reason = format!(
            "each of the {replicates} draws would be averaged over all subsets of the rounds, \
                which are too many"
        );
        let cost = cost.filter(|cost| *cost <= PATIENCE);
        (reason, cost.map(|cost| format!("--subset-budget {cost}")))
    }
}

impl Report<'_> {
    /// The table below the other; nothing if it was not asked for.
    pub(super) fn null_table(&self) -> String {
        let Some(nulls) = &self.nulls else { return String::new() };
        let NullOptions { replicates, seed } = &nulls.options;
        let head = ["measure", "total", "truthful would give", "p-value", "asymptotic"];
        let mut rows = vec![head.map(str::to_owned)];
        let mut notes: Vec<(Option<u128>, Vec<String>)> = vec![];
        for entry in &nulls.entries {
            rows.push(match entry {
                NullEntry::Drawn(null) => row(null),
                NullEntry::Limit { measure, asymptotic } => {
                    let limit = asymptotic.map_or_else(String::new, |p| p.to_string());
                    self.undrawn_row(*measure, limit)
                }
                NullEntry::TooCostly { measure, cost } => {
                    match notes.last_mut() {
                        Some((same, measures)) if same == cost => {
                            measures.push(measure.to_string())
                        }
                        _ => notes.push((*cost, vec![measure.to_string()])),
                    }
                    if self.exact_value(*measure).is_none() {
                        continue; // there is nothing to show but the note
                    }
                    self.undrawn_row(*measure, String::new())
                }
            });
        }
        let plural = if *replicates == 1 { "" } else { "s" };
        let limits = |entry: &NullEntry| matches!(entry, NullEntry::Limit { .. });
        let undrawn = nulls.entries.iter().any(limits);
        let how = match undrawn {
            true => "in the limit of many rounds".to_owned(),
            false => format!("{replicates} replicate{plural}, seed {seed}"),
        };
        let table = columns(&rows, 1);
        let mut text = format!("\nif outcomes were drawn from the predictions ({how}):\n\n{table}");
        if undrawn {
            text.push_str(&format!("no replicates: {UNDRAWN}; option: --max-memory\n"));
        }
        for (cost, measures) in notes {
            let (reason, option) = nulls.too_costly(cost);
            let measures = measures.join(", ");
            let option = option.map_or_else(String::new, |option| format!("; option: {option}"));
            text.push_str(&format!("{measures}: not computed: {reason}{option}\n"));
        }
        if nulls.entries.iter().any(NullEntry::lacks_variance) {
            text.push_str(&format!("no asymptotic p-value: {NO_VARIANCE}\n"));
        }
        text
    }

    fn undrawn_row(&self, measure: Measure, limit: String) -> [String; 5] {
        let total = self.exact_value(measure).map_or("-".to_owned(), short_decimal);
        [measure.to_string(), total, "-".to_owned(), "-".to_owned(), limit]
    }

    fn exact_value(&self, measure: Measure) -> Option<&BigRational> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Exact(evaluation) if evaluation.measure == measure => Some(&evaluation.value),
            _ => None,
        })
    }
}

/// Why there are no replicates.
pub(crate) const UNDRAWN: &str = "they need all forecasts in memory";

/// Why there is no asymptotic p-value.
pub(crate) const NO_VARIANCE: &str =
    "all predictions are 0 or 1, so that outcomes have no variance";

impl NullEntry {
    /// Whether there would be an asymptotic p-value if outcomes had any variance.
    pub(crate) fn lacks_variance(&self) -> bool {
        match self {
            NullEntry::Drawn(null) => has_limit(null.measure) && null.asymptotic.is_none(),
            NullEntry::Limit { measure, asymptotic } => has_limit(*measure) && asymptotic.is_none(),
            NullEntry::TooCostly { .. } => false,
        }
    }
}

fn row(null: &Null) -> [String; 5] {
    let percentile = three_digits(nearest_f64(&null.percentile_95));
    [
        null.measure.to_string(),
        short_decimal(&null.observed),
        format!("{} (95 %: {percentile})", three_digits(null.mean)),
        with_error(nearest_f64(&null.p_value()), null.p_value_standard_error()),
        null.asymptotic.map_or_else(String::new, |p| p.to_string()),
    ]
}

/// A number to three significant digits.
fn three_digits(number: f64) -> String {
    digits(number, 3)
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
