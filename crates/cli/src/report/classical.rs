//! The numbers that other packages print, below the measures.

use num_rational::BigRational;

use super::rounding::{measured, short_decimal};
use super::{Report, columns};
use truecal::classical::{BinnedEce, Classical, LogScore};

impl Report<'_> {
    /// The table of classical numbers; nothing if there are none.
    pub(super) fn classical_table(&self, fractions: bool) -> String {
        let Some(classical) = &self.classical else {
            let why = |why: &str| format!("\nno classical numbers: {why}\n");
            return self.unclassical.map_or_else(String::new, why);
        };
        let number = |rational: &BigRational| match fractions {
            true => rational.to_string(),
            false => short_decimal(rational),
        };
        let Classical { equal_width, equal_mass, brier, log_score, sm_ece } = classical;
        let row = |name: String, value: String, words: String| [name, value, words];
        let bins = equal_width.number;
        let plural = if bins == 1 { "" } else { "s" };
        let parts = [&brier.miscalibration, &brier.discrimination, &brier.uncertainty].map(number);
        let rows = [
            row(
                format!("ECE, {bins} bin{plural} of equal width"),
                number(&equal_width.value),
                format!("edges at multiples of 1/{bins}, which belong to the bin below"),
            ),
            row(
                format!("ECE, {bins} bin{plural} of equal mass"),
                number(&equal_mass.value),
                largest_bin(equal_mass, &number),
            ),
            row(
                "smECE".to_owned(),
                measured(sm_ece.value, sm_ece.error),
                "by a Gaussian kernel as wide as the error that it finds".to_owned(),
            ),
            row(
                "Brier score".to_owned(),
                number(&brier.score),
                format!(
                    "miscalibration {} - discrimination {} + uncertainty {}",
                    parts[0], parts[1], parts[2]
                ),
            ),
            log_row(log_score),
        ];
        let note = "The ECE above groups by distinct predictions and needs no bins; with bins it \
            depends on where their edges are.";
        format!("\nclassical numbers, per round:\n\n{}{note}\n", columns_of_two(&rows))
    }
}

/// Where a binned error is largest.
fn largest_bin(ece: &BinnedEce, number: &impl Fn(&BigRational) -> String) -> String {
    let gap = |bin: &truecal::classical::Bin| {
        let gap = BigRational::from_integer(bin.ones.into()) - &bin.sum;
        if gap < BigRational::default() { -gap } else { gap }
    };
    let Some(bin) = ece.bins.iter().max_by_key(|bin| gap(bin)) else { return String::new() };
    format!(
        "most from {} to {}: forecast {} on average, happened {} of the time",
        number(&bin.first),
        number(&bin.last),
        number(&bin.mean()),
        number(&bin.frequency())
    )
}

fn log_row(log_score: &LogScore) -> [String; 3] {
    let words = match log_score.impossible {
        0 => "minus the mean natural logarithm of what was given to the outcome".to_owned(),
        1 => "what was called certain did not happen in 1 round".to_owned(),
        more => format!("what was called certain did not happen in {more} rounds"),
    };
    ["log score".to_owned(), log_in_words(log_score), words]
}

/// The log score, which may be infinite.
pub(super) fn log_in_words(log_score: &LogScore) -> String {
    let LogScore { value, low, high, impossible, .. } = *log_score;
    if impossible == 0 { measured(value, half(high, low)) } else { "infinite".to_owned() }
}

#[expect(clippy::float_arithmetic, reason = "the error of a number that is shown")]
fn half(high: f64, low: f64) -> f64 {
    (high - low) / 2.0
}

/// Names to the left, numbers to the right, words behind them.
fn columns_of_two(rows: &[[String; 3]]) -> String {
    let numbers: Vec<[String; 2]> =
        rows.iter().map(|[name, value, _]| [name.clone(), value.clone()]).collect();
    let lines = columns(&numbers, 1);
    let lines = lines.lines().zip(rows).map(|(line, [_, _, words])| format!("{line}  {words}\n"));
    lines.collect()
}
