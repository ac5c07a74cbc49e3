//! `truecal properties`.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use crate::report;
use truecal::Measure;
use truecal_paper::properties::{self, Property};

/// What `truecal properties --json` prints.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "properties")]
pub(crate) struct Properties {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// By the key of the measure and the name of the property, the answer.
    measures: IndexMap<&'static str, IndexMap<String, Option<Answer>>>,
}

/// Whether a measure has a property.
#[derive(Serialize, JsonSchema)]
struct Answer {
    /// Whether it has, as far as the number shows.
    holds: bool,
    /// The number.
    number: Fraction,
    /// What the number is.
    what: &'static str,
}

impl From<&report::properties::Properties> for Properties {
    fn from(properties: &report::properties::Properties) -> Self {
        let row = |(measure, answers): &(Measure, Vec<Option<properties::PropertyAnswer>>)| {
            let answers = Property::ALL.into_iter().zip(answers).map(|(property, answer)| {
                let name = property.title().replace([' ', '-'], "_");
                (name, answer.as_ref().map(Answer::from))
            });
            (measure.key(), answers.collect())
        };
        Properties { schema: 1, measures: properties.rows.iter().map(row).collect() }
    }
}

impl From<&properties::PropertyAnswer> for Answer {
    fn from(properties::PropertyAnswer { yes, number, what }: &properties::PropertyAnswer) -> Self {
        Answer { holds: *yes, number: number.into(), what }
    }
}
