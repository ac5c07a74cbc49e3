//! `truecal opt`.

use indexmap::IndexMap;
use num_rational::BigRational;
use num_traits::Zero;
use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use super::gap::Penalties;
use crate::report::opt::{self, Beyond, Named, Optima, bounds, least};
use truecal::nearest_f64;
use truecal_lab::enclosure::Enclosure;
use truecal_lab::optimum::{OutcomeTree, TreeForecaster, digits, outcomes};

/// What `truecal opt --json` prints: the best forecasters of a nature, or only bounds if it is too
/// long for a search or has densities.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "opt")]
pub(crate) enum Opt {
    /// The best forecasters.
    Best(Best),
    /// Bounds.
    Bounds(OnlyBounds),
}

/// The best forecasters of a nature.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Best {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// The number of rounds T.
    rounds: usize,
    /// Whether no round depends on the past.
    independent: bool,
    /// The expected sum of p(1-p).
    variance: Fraction,
    /// The nature.
    nature: Vec<Branch>,
    /// By the key of the measure, the best forecaster.
    measures: IndexMap<&'static str, Optimum>,
}

/// What a nature does after a past.
#[derive(Serialize, JsonSchema)]
struct Branch {
    /// The outcomes so far, such as `01`; empty before the first round.
    past: String,
    /// How probable the event is in the next round.
    probability: Fraction,
}

/// The best forecaster for a measure.
#[derive(Serialize, JsonSchema)]
struct Optimum {
    /// The expected measure of the truthful forecaster.
    truth: Fraction,
    #[serde(flatten)]
    answer: Answer,
}

/// What is known of OPT, the least expected measure.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "method", rename_all = "lowercase")]
enum Answer {
    /// Its value, over all real predictions.
    Exact {
        /// OPT.
        optimum: Fraction,
        /// The truth over OPT; null if OPT is 0.
        ratio: Option<Fraction>,
        /// A forecaster that attains OPT.
        forecaster: Vec<Prediction>,
        /// What shows that no forecaster does better.
        certificate: Certificate,
    },
    /// An upper bound: the best forecaster on a grid.
    Grid {
        /// Predictions are multiples of one over this.
        grid: u32,
        /// OPT is at most this.
        upper: Fraction,
        /// OPT is at least this, to nine digits; null if nothing is known.
        lower: Option<String>,
        /// The truth over the upper bound; null if that is 0.
        ratio_at_least: Option<Fraction>,
        /// A forecaster that attains the upper bound.
        forecaster: Vec<Prediction>,
        /// How many states the search told apart.
        states: usize,
    },
    /// Bounds without a search.
    Bounds {
        /// The expected measures of some forecasters, by their names.
        forecasters: IndexMap<&'static str, Fraction>,
        /// OPT is at most this: the least of these and of the truth.
        upper: Fraction,
        /// OPT is at least this, to nine digits; null if nothing is known.
        lower: Option<String>,
    },
}

/// What a forecaster says after a past.
#[derive(Serialize, JsonSchema)]
struct Prediction {
    /// The outcomes so far, such as `01`; empty before the first round.
    past: String,
    /// The prediction for the next round.
    prediction: Fraction,
}

/// The size of a certificate.
#[derive(Serialize, JsonSchema)]
struct Certificate {
    /// How many cases it has.
    cases: usize,
    /// How many bounds these have.
    bounds: usize,
    /// That it was checked.
    checked: bool,
}

/// Bounds of OPT by the penalties of some forecasters.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OnlyBounds {
    #[serde(flatten)]
    contest: Penalties,
    /// By the key of the measure, what OPT is at least; null if nothing is known.
    opt_at_least: IndexMap<&'static str, Option<f64>>,
}

impl From<&Optima<'_>> for Opt {
    fn from(Optima { nature, entries }: &Optima<'_>) -> Self {
        let branch = |past: Vec<bool>| Branch {
            past: digits(&past),
            probability: nature.probability(&past).into(),
        };
        let optimum = |entry: &opt::Entry| {
            let truth = (&entry.truth).into();
            (entry.measure.key(), Optimum { truth, answer: Answer::new(nature, entry) })
        };
        Opt::Best(Best {
            schema: 1,
            rounds: nature.rounds(),
            independent: nature.independent().is_some(),
            variance: (&nature.variance()).into(),
            nature: pasts(nature).map(branch).collect(),
            measures: entries.iter().map(optimum).collect(),
        })
    }
}

impl Answer {
    fn new(nature: &OutcomeTree, opt::Entry { truth, answer, .. }: &opt::Entry) -> Self {
        let ratio = |optimum: &BigRational| match optimum.is_zero() {
            true => None,
            false => Some((&(truth / optimum)).into()),
        };
        match answer {
            opt::Answer::Exact(optimum) => Answer::Exact {
                optimum: (&optimum.value).into(),
                ratio: ratio(&optimum.value),
                forecaster: predictions(nature, &optimum.forecaster),
                certificate: Certificate {
                    cases: optimum.certificate.cases.len(),
                    bounds: bounds(optimum),
                    checked: true,
                },
            },
            opt::Answer::Grid { denominator, optimum, lower } => Answer::Grid {
                grid: *denominator,
                upper: (&optimum.value).into(),
                lower: nine_digits(lower),
                ratio_at_least: ratio(&optimum.value),
                forecaster: predictions(nature, &optimum.forecaster),
                states: optimum.states,
            },
            opt::Answer::Bounds { lower, upper } => {
                let named = |Named { name, penalty }: &Named| (*name, penalty.into());
                Answer::Bounds {
                    forecasters: upper.iter().map(named).collect(),
                    upper: least(truth, upper).into(),
                    lower: nine_digits(lower),
                }
            }
        }
    }
}

fn nine_digits(lower: &Option<Enclosure>) -> Option<String> {
    lower.as_ref().map(|lower| format!("{lower:.9}"))
}

fn predictions(nature: &OutcomeTree, forecaster: &TreeForecaster) -> Vec<Prediction> {
    let prediction = |past: Vec<bool>| Prediction {
        past: digits(&past),
        prediction: forecaster.prediction(&past).into(),
    };
    pasts(nature).map(prediction).collect()
}

fn pasts(nature: &OutcomeTree) -> impl Iterator<Item = Vec<bool>> {
    (0..nature.rounds()).flat_map(outcomes)
}

impl From<&Beyond<'_>> for Opt {
    fn from(Beyond { contest, lower }: &Beyond<'_>) -> Self {
        let measures = contest.penalties.iter().map(|(measure, _)| measure.key());
        let low = |lower: &Option<Enclosure>| lower.as_ref().map(|low| nearest_f64(&low.low()));
        let opt_at_least = measures.zip(lower.iter().map(low)).collect();
        Opt::Bounds(OnlyBounds { contest: contest.into(), opt_at_least })
    }
}
