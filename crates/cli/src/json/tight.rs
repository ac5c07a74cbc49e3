//! `truecal tight`.

use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use super::refute::{Searched, Sequence};
use crate::report::refute::Constants;
use truecal_verify::refute::{Family, Supremum, TightRow};

/// What `truecal tight --json` prints: the best constants of an inequality.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "tight")]
pub(crate) struct Tight {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// The side below the line.
    less: String,
    /// The side above the line.
    more: String,
    /// The hypothesis; null if there is none.
    given: Option<String>,
    /// The best constant for each number of rounds.
    constants: Vec<Constant>,
    /// How far the search went.
    searched: Searched,
}

/// The best constant for a number of rounds.
#[derive(Serialize, JsonSchema)]
struct Constant {
    /// The number of rounds.
    rounds: u32,
    /// The largest ratio that was found; null if there is none, or no bound.
    supremum: Option<Fraction>,
    /// How the ratio is reached.
    how: How,
    /// Where; null if no table has a ratio.
    at: Option<Place>,
    /// What proves that no table has more; null if that is not known.
    proved: Option<String>,
}

/// How a ratio is reached: by no table; at a table; along a family of tables; it is infinite at a
/// table; or it grows without bound along a family.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum How {
    Nothing,
    Attained,
    Approached,
    Infinite,
    Unbounded,
}

/// A table, or a family of tables.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Place {
    /// A table.
    Table(Sequence),
    /// Tables that depend on a small number e.
    Family {
        /// What happened: 0 or 1.
        outcomes: Vec<u8>,
        /// What was predicted, such as `2/3 - e`.
        predictions: Vec<String>,
        /// The ratio for some small e.
        ratios: Vec<Ratio>,
    },
}

/// The ratio at a table of a family.
#[derive(Serialize, JsonSchema)]
struct Ratio {
    /// The number e.
    e: Fraction,
    /// The ratio.
    ratio: Fraction,
}

impl From<&Constants<'_>> for Tight {
    fn from(constants: &Constants<'_>) -> Self {
        let rows = &constants.tight.rows;
        let stages = rows.iter().map(|row| &row.stage);
        Tight {
            schema: 1,
            less: constants.less.to_string(),
            more: constants.more.to_string(),
            given: constants.given.map(ToString::to_string),
            constants: rows.iter().map(|row| Constant::new(constants, row)).collect(),
            searched: Searched::new(constants.budget, stages, constants.stopped),
        }
    }
}

impl Constant {
    fn new(constants: &Constants<'_>, TightRow { stage, supremum }: &TightRow) -> Self {
        let family = |family: &Family| Some(Place::family(constants, family));
        let (how, at) = match supremum {
            Supremum::Nothing => (How::Nothing, None),
            Supremum::Attained(_, at) => (How::Attained, Some(Place::Table(at.into()))),
            Supremum::Approached(_, along) => (How::Approached, family(along)),
            Supremum::Infinite(at) => (How::Infinite, Some(Place::Table(at.into()))),
            Supremum::Unbounded(along) => (How::Unbounded, family(along)),
        };
        Constant {
            rounds: stage.rounds,
            supremum: supremum.value().map(Fraction::from),
            how,
            at,
            proved: stage.proved.clone(),
        }
    }
}

impl Place {
    fn family(constants: &Constants<'_>, family: &Family) -> Self {
        let (outcomes, predictions) = family.columns();
        let samples = constants.samples(family);
        let ratios = samples.iter().map(|(e, ratio)| Ratio { e: e.into(), ratio: ratio.into() });
        Place::Family {
            outcomes: outcomes.into_iter().map(u8::from).collect(),
            predictions,
            ratios: ratios.collect(),
        }
    }
}
