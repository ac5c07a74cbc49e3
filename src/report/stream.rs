//! The report of a file that was streamed.

use num_rational::BigRational;
use serde_json::{Map, Value, json};

use super::json::{Data, seconds_to_json};
use super::nearest_f64;
use super::rounding::{per_round, short_decimal};
use super::terminal::{aligned, in_words, seconds_line};
use crate::measure::Measure;
use crate::summary::Bounds;
use crate::witness::Evaluation;

/// What passes over a file give: values where buckets are enough, bounds where all levels would be needed.
#[derive(Clone, Debug)]
pub struct Streamed {
    /// The number of rounds T.
    pub rounds: u64,
    /// The number of rounds in which the event happened.
    pub ones: u64,
    /// How often the file was read.
    pub passes: u32,
    /// What is known exactly.
    pub exact: Vec<Evaluation>,
    /// What is known to lie between bounds.
    pub bounded: Vec<(Measure, Bounds)>,
    /// How long each step took, if that is to be shown.
    pub seconds: Option<Vec<(String, f64)>>,
}

impl Streamed {
    /// The measures in the order of reports, each exactly or by bounds.
    fn entries(&self) -> impl Iterator<Item = (Measure, Result<&Evaluation, &Bounds>)> {
        Measure::ALL.into_iter().filter_map(|measure| {
            let exact = self.exact.iter().find(|evaluation| evaluation.measure == measure);
            let bounded = self.bounded.iter().find(|(bounded, _)| *bounded == measure);
            match (exact, bounded) {
                (Some(evaluation), _) => Some((measure, Ok(evaluation))),
                (None, Some((_, bounds))) => Some((measure, Err(bounds))),
                (None, None) => None,
            }
        })
    }

    /// A table, with fractions instead of decimals if they are wanted.
    pub fn to_table(&self, fractions: bool) -> String {
        let number = |rational: &BigRational| match fractions {
            true => rational.to_string(),
            false => short_decimal(rational),
        };
        let mut rows = vec![["measure", "total", "per round", "witness"].map(str::to_owned)];
        for (measure, entry) in self.entries() {
            rows.push(match entry {
                Ok(Evaluation { value, witness, .. }) => [
                    measure.to_string(),
                    number(value),
                    number(&per_round(value, self.rounds)),
                    in_words(self.rounds, witness, &number),
                ],
                Err(Bounds { lower, upper }) if lower == upper => [
                    measure.to_string(),
                    number(lower),
                    number(&per_round(lower, self.rounds)),
                    "lower and upper bound are the same".to_owned(),
                ],
                Err(Bounds { lower, upper }) => [
                    measure.to_string(),
                    "-".to_owned(),
                    "-".to_owned(),
                    format!(
                        "between {} and {}: exact only without --stream, as every level counts",
                        number(lower),
                        number(upper)
                    ),
                ],
            });
        }
        let Streamed { rounds, ones, passes, .. } = self;
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let seconds = self.seconds.as_deref().map(seconds_line).unwrap_or_default();
        format!(
            "{rounds} round{}, {ones} one{}, read in {passes} pass{}\n\n{}{seconds}",
            plural(*rounds),
            plural(*ones),
            if *passes == 1 { "" } else { "es" },
            aligned(&rows)
        )
    }

    /// JSON with the same fields as that of a [`Report`](super::Report).
    pub fn to_json(&self) -> Value {
        let data = Data { rounds: self.rounds, ones: self.ones, levels: None };
        let entry = |entry: Result<&Evaluation, &Bounds>| match entry {
            Ok(Evaluation { value, witness, .. }) => json!({
                "exact": value.to_string(),
                "value": nearest_f64(value),
                "per_round": nearest_f64(&per_round(value, self.rounds)),
                "method": "exact",
                "witness": data.witness_to_json(witness),
            }),
            Err(Bounds { lower, upper }) => json!({
                "exact": null,
                "value": null,
                "per_round": null,
                "method": "bounds",
                "lower": lower.to_string(),
                "upper": upper.to_string(),
            }),
        };
        let measures =
            self.entries().map(|(measure, found)| (measure.key().to_owned(), entry(found)));
        let mut report = json!({
            "schema": 1,
            "rounds": self.rounds,
            "ones": self.ones,
            "levels": null,
            "passes": self.passes,
            "measures": measures.collect::<Map<_, _>>(),
        });
        if let Some(seconds) = &self.seconds {
            report["seconds"] = seconds_to_json(seconds);
        }
        report
    }
}
