//! What `truecal opt` says.

use num_rational::BigRational;
use num_traits::Zero;

use super::claims::{counted, wrapped};
use super::gap::{Contest, number};
use super::rounding::short_decimal;
use truecal::Measure;
use truecal_lab::enclosure::Enclosure;
use truecal_lab::optimum::{GridOptimum, Optimum, OutcomeTree, TreeForecaster, digits, outcomes};
use truecal_lab::penalty::Penalty;

/// The best forecasters of a nature.
pub struct Optima<'a> {
    /// The nature.
    pub nature: &'a OutcomeTree,
    /// One for each measure.
    pub entries: Vec<Entry>,
}

/// The best forecaster for a measure.
pub struct Entry {
    /// The measure.
    pub measure: Measure,
    /// The penalty of the truthful forecaster.
    pub truth: BigRational,
    /// What is known of OPT.
    pub answer: Answer,
}

/// What is known of OPT.
pub enum Answer {
    /// Its value, over all real predictions, by a certificate that was checked.
    Exact(Optimum),
    /// An upper bound: the best forecaster on a grid.
    Grid {
        /// Predictions are multiples of 1/D.
        denominator: u32,
        /// The best of these.
        optimum: GridOptimum,
        /// A lower bound, by the variance of the nature.
        lower: Option<Enclosure>,
    },
    /// Bounds without a search.
    Bounds {
        /// By the variance of the nature.
        lower: Option<Enclosure>,
        /// Forecasters to compare with.
        upper: Vec<Named>,
    },
}

/// Bounds of OPT for natures that are too long for trees, or have densities.
pub struct Beyond<'a> {
    /// The penalties of some forecasters.
    pub contest: Contest<'a>,
    /// A lower bound for each measure of the contest, where one is known.
    pub lower: Vec<Option<Enclosure>>,
}

impl Beyond<'_> {
    /// For people.
    pub fn to_text(&self) -> String {
        let mut text = self.contest.to_text();
        text.push('\n');
        for ((measure, penalties), lower) in self.contest.penalties.iter().zip(&self.lower) {
            let (name, least) = self.least(penalties);
            let below = lower.as_ref().map_or_else(String::new, |lower| format!("{lower:.6} <= "));
            text += &format!("{measure}: {below}OPT <= {} ({name})\n", number(least));
        }
        if self.lower.iter().any(Option::is_some) {
            text += "from below by the variance of the nature\n";
        }
        text
    }

    fn least<'a>(&self, penalties: &'a [Penalty]) -> (&str, &'a Penalty) {
        let each = self.contest.forecasters.iter().zip(penalties);
        let least = each.min_by(|(_, one), (_, other)| one.to_f64().total_cmp(&other.to_f64()));
        let (name, penalty) = least.expect("the truthful forecaster at least");
        (name, penalty)
    }
}

/// A forecaster that has a name.
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// Its penalty.
    pub penalty: BigRational,
}

impl Optima<'_> {
    /// For people.
    pub fn to_text(&self) -> String {
        let rounds = self.nature.rounds();
        let mut text = match self.nature.independent() {
            Some(p) => {
                let p: Vec<_> = p.iter().map(ToString::to_string).collect();
                let words = format!("nature: T = {rounds}, independent, p* = ({})", p.join(", "));
                format!("{}\n", wrapped(&words, 2))
            }
            None => format!("nature: T = {rounds}, each round depends on the past\n"),
        };
        for entry in &self.entries {
            text += &self.entry(entry);
        }
        text
    }

    fn entry(&self, Entry { measure, truth, answer }: &Entry) -> String {
        let mut rows = vec![("truth".to_owned(), both(truth))];
        let (forecaster, known) = match answer {
            Answer::Exact(optimum) => {
                rows.push(("OPT".to_owned(), both(&optimum.value)));
                rows.push(("ratio".to_owned(), ratio(truth, &optimum.value)));
                (Some(&optimum.forecaster), certified(optimum))
            }
            Answer::Grid { denominator, optimum, lower } => {
                rows.push(("OPT <=".to_owned(), both(&optimum.value)));
                rows.extend(at_least(lower));
                rows.push(("ratio >=".to_owned(), ratio(truth, &optimum.value)));
                let words = format!(
                    "an upper bound of OPT: the best of all forecasters that predict multiples of \
                        1/{denominator}, by backward induction over {}{}",
                    counted(optimum.states as u64, "state"),
                    from_below(lower)
                );
                (Some(&optimum.forecaster), words)
            }
            Answer::Bounds { lower, upper } => {
                rows.extend(
                    upper.iter().map(|Named { name, penalty }| ((*name).to_owned(), both(penalty))),
                );
                rows.push(("OPT <=".to_owned(), both(least(truth, upper))));
                rows.extend(at_least(lower));
                (None, format!("from above by the forecasters here{}", from_below(lower)))
            }
        };
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let mut text = format!("\n{measure}\n");
        for (name, value) in rows {
            text += &format!("  {name:<width$}  {value}\n");
        }
        if let Some(forecaster) = forecaster {
            text += &format!("\n{}", self.predictions(forecaster));
        }
        text + &format!("\n  {}\n", wrapped(&known, 2))
    }

    /// The truth and the best prediction after each past.
    fn predictions(&self, forecaster: &TreeForecaster) -> String {
        let mut rows = vec![["past", "truth", "best"].map(str::to_owned)];
        for past in (0..self.nature.rounds()).flat_map(outcomes) {
            let (truth, best) = (self.nature.probability(&past), forecaster.prediction(&past));
            let best = match self.nature.chance(&past).is_zero() {
                true => "(never)".to_owned(),
                false => best.to_string(),
            };
            let past = if past.is_empty() { "-".to_owned() } else { digits(&past) };
            rows.push([past, truth.to_string(), best]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let (first, second) = (width(0), width(1));
        let line = |[past, truth, best]: &[String; 3]| {
            format!("  {past:<first$}  {truth:<second$}  {best}\n")
        };
        rows.iter().map(line).collect()
    }
}

/// The least penalty of these forecasters and of the truthful one.
pub(crate) fn least<'a>(truth: &'a BigRational, others: &'a [Named]) -> &'a BigRational {
    others.iter().map(|named| &named.penalty).fold(truth, Ord::min)
}

/// The row of a lower bound.
fn at_least(lower: &Option<Enclosure>) -> Option<(String, String)> {
    lower.as_ref().map(|low| ("OPT >=".to_owned(), format!("{low:.6}")))
}

/// Where it comes from.
fn from_below(lower: &Option<Enclosure>) -> &'static str {
    if lower.is_some() { "; from below by the variance of the nature" } else { "" }
}

/// `11/32 = 0.34375`, or an integer alone.
fn both(number: &BigRational) -> String {
    let (fraction, decimal) = (number.to_string(), short_decimal(number));
    if fraction == decimal { fraction } else { format!("{fraction} = {decimal}") }
}

fn ratio(truth: &BigRational, optimum: &BigRational) -> String {
    match (truth.is_zero(), optimum.is_zero()) {
        (true, true) => "both are 0".to_owned(),
        (false, true) => "infinite".to_owned(),
        _ => both(&(truth / optimum)),
    }
}

/// How many bounds the certificate has.
pub(crate) fn bounds(optimum: &Optimum) -> usize {
    optimum.certificate.cases.iter().map(|case| case.bounds.len()).sum()
}

fn certified(optimum: &Optimum) -> String {
    let orders = match optimum.certificate.cases.len() / 2 {
        1 => String::new(),
        orders => format!("{orders} orders of the later predictions after each first outcome, "),
    };
    let bounds = counted(bounds(optimum) as u64, "bound");
    format!("over all real predictions: {orders}{bounds}; the certificate was checked")
}
