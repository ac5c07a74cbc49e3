//! The report as a table for people.

use std::fmt;

use num_rational::BigRational;
use num_traits::Signed;

use super::rounding::{per_round, short_decimal, two_digits};
use super::{Entry, Report, Source, class_count};
use truecal::sampled::Sampled;
use truecal::summary::Bounds;
use truecal::{Approach, Lipschitz, ScoringRule, Witness};

impl Report<'_> {
    /// The report as a table, with fractions instead of decimals if they are wanted.
    pub fn to_table(&self, fractions: bool) -> String {
        let mut rows = vec![["measure", "total", "per round", "witness"].map(str::to_owned)];
        rows.extend(self.entries.iter().map(|entry| self.row(entry, fractions)));
        let mut text = format!("{}\n\n{}", self.source, aligned(&rows));
        text.push_str(&self.null_table());
        if let Some(seconds) = &self.seconds {
            text.push_str(&seconds_line(seconds));
        }
        text
    }

    fn row(&self, entry: &Entry, fractions: bool) -> [String; 4] {
        let rounds = self.source.rounds();
        let number = |rational: &BigRational| match fractions {
            true => rational.to_string(),
            false => short_decimal(rational),
        };
        let (total, mean, words) = match entry {
            Entry::Exact(evaluation) => (
                number(&evaluation.value),
                number(&per_round(&evaluation.value, rounds)),
                in_words(rounds, &evaluation.witness, &number),
            ),
            Entry::Sampled(sampled) => (
                short_decimal(&sampled.mean),
                short_decimal(&per_round(&sampled.mean, rounds)),
                sample_in_words(sampled),
            ),
            Entry::Bounds(_, Bounds { lower, upper }) if lower == upper => (
                number(lower),
                number(&per_round(lower, rounds)),
                "lower and upper bound are the same".to_owned(),
            ),
            Entry::Bounds(_, Bounds { lower, upper }) => {
                let (lower, upper) = (number(lower), number(upper));
                let why = "exact with more memory (--max-memory), as every level counts";
                not_known(format!("between {lower} and {upper}: {why}"))
            }
            Entry::TooCostly { reason, option, .. } => {
                not_known(format!("not computed: {reason}; option: {option}"))
            }
        };
        [entry.measure().to_string(), total, mean, words]
    }
}

/// Dashes for total and mean, and why.
fn not_known(words: String) -> (String, String, String) {
    ("-".to_owned(), "-".to_owned(), words)
}

/// How long each step took.
fn seconds_line(seconds: &[(String, f64)]) -> String {
    let steps = seconds.iter().map(|(step, time)| format!(" {step} {time:.6}"));
    format!("\nseconds:{}\n", steps.collect::<String>())
}

/// What a witness says.
pub(super) fn in_words(
    rounds: u64,
    witness: &Witness,
    number: &impl Fn(&BigRational) -> String,
) -> String {
    let bias = |bias: &BigRational| match bias {
        bias if bias.is_positive() => format!("under-forecast by {}", number(bias)),
        bias if bias.is_negative() => format!("over-forecast by {}", number(&-bias)),
        _ => "no bias".to_owned(),
    };
    match witness {
        Witness::Signs { under, over } => {
            format!(
                "levels under-forecast by {}, others over-forecast by {}",
                number(under),
                number(over)
            )
        }
        Witness::Threshold { alpha, bias: sum } => {
            format!("predictions up to {}: {}", number(alpha), bias(sum))
        }
        Witness::Sign { alpha, sum } => {
            format!("threshold {}: bias below minus bias above is {}", number(alpha), number(sum))
        }
        Witness::Interval { low, high, bias: sum } => {
            format!("predictions in [{}, {}]: {}", number(low), number(high), bias(sum))
        }
        Witness::Limit { alpha, approach } => match approach {
            Approach::At => "no threshold has a regret".to_owned(),
            Approach::FromAbove => {
                format!("regret of a threshold just above {}", number(alpha))
            }
            Approach::FromBelow => {
                format!("regret of a threshold just below {}", number(alpha))
            }
        },
        Witness::Rule { rule, line } => format!(
            "scoring rule {}; no rule beats the line from {} to {}",
            rule_in_words(rule, number),
            number(&line.0),
            number(&line.1)
        ),
        Witness::Lipschitz(lipschitz) => {
            format!("{}; a flow shows that none does better", function_in_words(lipschitz, number))
        }
        Witness::Subsets { classes } => {
            let classes = class_count(*classes);
            format!("average over 2^{rounds} subsets in {classes} classes")
        }
    }
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
    format!("sampled: {subsets} subsets{pairs}, ± {reach} (95 %), seed {seed}{missed}")
}

fn rule_in_words(rule: &ScoringRule, number: &impl Fn(&BigRational) -> String) -> String {
    let part =
        |part: &truecal::VShape| format!("{} x V at {}", number(&part.weight), number(&part.alpha));
    rule.parts.iter().map(part).collect::<Vec<_>>().join(" + ")
}

fn function_in_words(lipschitz: &Lipschitz, number: &impl Fn(&BigRational) -> String) -> String {
    let at = |(_, value): &(_, _)| number(&lipschitz.rational(value));
    match lipschitz.function.as_slice() {
        [] => "any function".to_owned(),
        [only] => format!("function with value {}", at(only)),
        [first, .., last] => format!("function from {} to {}", at(first), at(last)),
    }
}

/// `3 rounds, 1 one, 2 distinct predictions`
impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let (rounds, ones) = (self.rounds(), self.ones());
        write!(f, "{rounds} round{}, {ones} one{}, ", plural(rounds), plural(ones))?;
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
        }
    }
}

/// Columns as wide as their widest cell; numbers to the right.
fn aligned(rows: &[[String; 4]]) -> String {
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second, third) = (width(0), width(1), width(2));
    let line = |[measure, total, mean, witness]: &[String; 4]| {
        format!("{measure:<first$}  {total:>second$}  {mean:>third$}  {witness}\n")
    };
    rows.iter().map(line).collect()
}
