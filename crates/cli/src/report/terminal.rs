//! The report as a table for people.

use std::fmt;

use num_rational::BigRational;

use super::gaps::gaps_line;
use super::rounding::{short_decimal, two_digits};
use super::sentences::sentence;
use super::{Entry, How, Report, Source, Test};
use truecal::sampled::Sampled;
use truecal::summary::Bounds;
use truecal::{Description, Measure};

impl Report<'_> {
    /// The report as a table, with fractions instead of decimals if they are wanted.
    pub fn to_table(&self, fractions: bool) -> String {
        let number = |rational: &BigRational| match fractions {
            true => rational.to_string(),
            false => short_decimal(rational),
        };
        let mut text = format!("{}\n{}\n", self.verdict(&number), self.source);
        text.push_str(&skipped_line(self.skipped));
        text.push_str(&gaps_line(&self.gaps));
        text.push('\n');
        let head = ["measure", "per round", "total", "p-value", "where"].map(str::to_owned);
        let tested = !self.significance.tests.is_empty();
        let rows = self.entries.iter().map(|entry| self.row(entry, &number));
        let rows: Vec<[String; 5]> = [head].into_iter().chain(rows).collect();
        text.push_str(&aligned(&rows, tested));
        text.push_str(&self.notes());
        text.push_str(&self.null_table());
        text.push_str(&self.classical_table(fractions));
        if let Some(seconds) = &self.seconds {
            text.push_str(&seconds_line(seconds));
        }
        text
    }

    /// What the tests say together, by Holm's rule at [`LEVEL`](super::LEVEL).
    fn verdict(&self, number: &dyn Fn(&BigRational) -> String) -> String {
        let rounds = self.source.size();
        if let Some(words) = self.significance.impossible_in_words() {
            return format!("{rounds}: miscalibrated: {words}");
        }
        let Some(strongest) = self.significance.strongest() else {
            let why = self.significance.lacking.map_or(String::new(), |why| format!(": {why}"));
            return format!("{rounds}: no p-value{why}");
        };
        let adjusted = strongest.adjusted;
        let among = match self.significance.tests.len() {
            1 => format!("p-value {adjusted}"),
            tests => format!("smallest of {tests} adjusted p-values: {adjusted}"),
        };
        if !strongest.rejects() {
            return format!("{rounds}: no evidence of miscalibration ({among})");
        }
        let found = self.entries.iter().find_map(|entry| match entry {
            Entry::Exact(found) if found.measure == strongest.measure => Some(found),
            _ => None,
        });
        let place = found.map_or_else(String::new, |found| {
            format!(": {}", sentence(found, &self.source, number))
        });
        format!("{rounds}: miscalibrated ({among}, of {}){place}", strongest.measure)
    }

    /// How the p-values were found, if that was decided by the number of rounds.
    fn few_rounds(&self) -> Option<How> {
        let first = self.significance.tests.first().map(|test| test.how);
        first.filter(|how| *how != How::Limit && self.nulls.is_none())
    }

    /// What must be known to read the table.
    fn notes(&self) -> String {
        let mut notes = String::new();
        let limits = |test: &&Test| test.how == How::Limit;
        let limits: Vec<String> = self
            .significance
            .tests
            .iter()
            .filter(limits)
            .map(|test| test.measure.to_string())
            .collect();
        if let Some(How::Drawn { replicates, .. }) = self.few_rounds() {
            notes.push_str(&format!(
                "p-values by {replicates} draws, as there are few rounds; for all measures: \
                    --null 10000\n"
            ));
        }
        if !limits.is_empty() {
            notes.push_str(&format!(
                "p-values of {} in the limit of many rounds; by draws, for all measures: \
                    --null 10000\n",
                limits.join(" and ")
            ));
        }
        let shown = |measure| self.entries.iter().any(|entry| entry.measure() == measure);
        if shown(Measure::VCal) || shown(Measure::UCal) {
            notes.push_str(
                "VCal and UCal are regrets against the best constant action, from 0 to 2 per \
                    round: 0 is not calibrated\n",
            );
        }
        if notes.is_empty() { notes } else { format!("\n{notes}") }
    }

    fn row(&self, entry: &Entry, number: &dyn Fn(&BigRational) -> String) -> [String; 5] {
        let both = |amount: &BigRational, number: &dyn Fn(&BigRational) -> String| {
            [number(&self.source.per_round(amount)), number(&self.source.total(amount))]
        };
        let dashes = || ["-", "-"].map(str::to_owned);
        let ([mean, total], words) = match entry {
            Entry::Exact(found) => {
                (both(&found.value, number), sentence(found, &self.source, number))
            }
            Entry::Sampled(sampled) => {
                (both(&sampled.mean, &short_decimal), sample_in_words(sampled))
            }
            Entry::Bounds(_, Bounds { lower, upper }) if lower == upper => {
                (both(lower, number), "lower and upper bound are the same".to_owned())
            }
            Entry::Bounds(_, Bounds { lower, upper }) => {
                let [low, lower] = both(lower, number);
                let [high, upper] = both(upper, number);
                let words =
                    format!("per round from {low} to {high}, in total from {lower} to {upper}");
                (dashes(), format!("{words}; {}", self.why_bounds()))
            }
            Entry::TooCostly { reason, option, .. } => {
                let option = match option.as_str() {
                    "" => String::new(),
                    option => format!("; option: {option}"),
                };
                (dashes(), format!("not computed: {reason}{option}"))
            }
        };
        let measure = entry.measure();
        let p = self.significance.of_measure(measure).map_or(String::new(), |t| t.p_in_words());
        [long_name(measure), mean, total, p, words]
    }
}

/// The name of a measure, with those under which it is known elsewhere.
pub(super) fn long_name(measure: Measure) -> String {
    let Description { name, elsewhere, .. } = measure.description();
    match elsewhere {
        [] => (*name).to_owned(),
        others => format!("{name} ({})", others.join(", ")),
    }
}

/// That rows were left out, if some were.
pub(super) fn skipped_line(skipped: u64) -> String {
    match skipped {
        0 => String::new(),
        1 => "1 row was left out, as something is missing in it\n".to_owned(),
        rows => format!("{rows} rows were left out, as something is missing in them\n"),
    }
}

/// How long each step took.
pub(super) fn seconds_line(seconds: &[(String, f64)]) -> String {
    let steps = seconds.iter().map(|(step, time)| format!(" {step} {time:.6}"));
    format!("\nseconds:{}\n", steps.collect::<String>())
}

fn sample_in_words(sampled: &Sampled) -> String {
    let Sampled { subsets, seed, .. } = sampled;
    let reach = match BigRational::from_float(sampled.half_width) {
        Some(reach) => two_digits(&reach),
        None => "more than a double holds".to_owned(),
    };
    let pairs = if sampled.pairs { ", in pairs" } else { "" };
    let missed = match sampled.precision_reached {
        Some(false) => "; the precision was not reached: draw more with --subsamples",
        _ => "",
    };
    format!("sampled: {subsets} subsets{pairs}, total ± {reach} (95 %), seed {seed}{missed}")
}

impl Source<'_> {
    /// `12 rounds`
    fn size(&self) -> String {
        match (self.is_weighted(), self.rounds()) {
            (true, rounds) => format!("a weight of {}", self.weight_of(rounds)),
            (false, 1) => "1 round".to_owned(),
            (false, rounds) => format!("{rounds} rounds"),
        }
    }

    fn weight_of(&self, count: u64) -> String {
        short_decimal(&self.total(&BigRational::from_integer(count.into())))
    }
}

/// `1 one, 2 distinct predictions`
impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let ones = self.ones();
        match self.is_weighted() {
            false => write!(f, "{ones} one{}, ", plural(ones))?,
            true => write!(f, "{} of it ones, ", self.weight_of(ones))?,
        }
        match self {
            Source::Levels { levels, .. } => {
                let levels = levels.len() as u64;
                write!(f, "{levels} distinct prediction{}", plural(levels))
            }
            Source::Passes { passes, copied, .. } => {
                write!(f, "read in {passes} pass{}", if *passes == 1 { "" } else { "es" })?;
                let from = ", by a temporary copy on disk";
                write!(f, "{}", if *copied { from } else { "" })
            }
            Source::Buckets { buckets, joined, .. } => {
                let buckets = *buckets as u64;
                write!(f, "in {buckets} bucket{}", plural(buckets))?;
                match joined {
                    0 => Ok(()),
                    joined => {
                        write!(f, ", {joined} of them joined with neighbours that they touch")
                    }
                }
            }
        }
    }
}

/// Columns as wide as their widest cell; numbers to the right. P-values only if there are any.
fn aligned(rows: &[[String; 5]], tested: bool) -> String {
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    let line = |[measure, mean, total, p, words]: &[String; 5]| {
        let [first, second, third, fourth] = widths;
        let p = if tested { format!("  {p:>fourth$}") } else { String::new() };
        format!("{measure:<first$}  {mean:>second$}  {total:>third$}{p}  {words}\n")
    };
    rows.iter().map(line).collect()
}
