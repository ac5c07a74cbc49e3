//! `truecal gap`.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use crate::report::gap::{Contest, Gap as Report, middle};
use truecal::Measure;
use truecal_lab::constructions::{self, Bound};
use truecal_lab::penalty::{self, SampledPenalty};

/// What `truecal gap --json` prints: for a construction, its two forecasters by numbers of rounds;
/// with `--nature`, forecasters on one nature.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "gap")]
pub(crate) enum Gap {
    /// For a construction.
    Construction(Construction),
    /// With `--nature`.
    Contest(Penalties),
}

/// The two forecasters of a construction.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Construction {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// The name of the construction.
    construction: &'static str,
    /// What it is, in a line.
    title: &'static str,
    /// The ids of the claims that it belongs to.
    claims: &'static [&'static str],
    /// How many random runs are drawn where the expectation is not computed exactly.
    runs: u64,
    /// The seed of these.
    seed: u64,
    /// The comparisons, by measure and then by ascending rounds.
    duels: Vec<Duel>,
    /// By the key of the measure, a curve for each forecaster; null if none fits.
    fits: IndexMap<&'static str, [Option<Fit>; 2]>,
    /// Whether everything is as the theory says.
    holds: bool,
    /// Whether there should have been more.
    interrupted: bool,
}

/// A comparison of the two forecasters.
#[derive(Serialize, JsonSchema)]
struct Duel {
    /// The key of the measure.
    measure: &'static str,
    /// The number of rounds T.
    rounds: u64,
    /// The expected measure of each forecaster.
    penalties: [Contestant; 2],
    /// Whether both are as the theory says.
    holds: bool,
}

/// A forecaster of a construction.
#[derive(Serialize, JsonSchema)]
struct Contestant {
    #[serde(flatten)]
    penalty: Penalty,
    /// Who it is.
    forecaster: &'static str,
    /// What is known of the penalty; null if nothing is.
    theory: Option<Theory>,
}

/// An expected measure, by how it is known.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "method", rename_all = "lowercase")]
enum Penalty {
    /// Exactly.
    Exact {
        /// The nearest double.
        value: f64,
        /// The value.
        exact: Fraction,
    },
    /// Between rigorous bounds, as the exact fraction would have too many digits.
    Enclosed {
        /// The double that is nearest to the middle between them.
        value: f64,
    },
    /// From random runs.
    Sampled {
        /// The mean.
        value: f64,
        /// Its standard error.
        standard_error: f64,
        /// How many random runs were drawn.
        runs: u64,
        /// The seed of the random bits.
        seed: u64,
    },
}

/// What the theory says of a penalty.
#[derive(Serialize, JsonSchema)]
struct Theory {
    /// How the penalty compares with the value: `>=`, `<=` or `=`.
    side: &'static str,
    /// The value.
    value: f64,
    /// The formula of the value.
    formula: &'static str,
}

/// A curve of T.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Fit {
    /// factor · T^exponent
    Power {
        /// The factor.
        factor: f64,
        /// The exponent.
        exponent: f64,
    },
    /// factor · e^(-rate T)
    Decay {
        /// The factor.
        factor: f64,
        /// The rate.
        rate: f64,
    },
}

/// Forecasters on one nature.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Penalties {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// The nature, as it was asked for.
    nature: String,
    /// The number of rounds T.
    rounds: u64,
    /// By the key of the measure and the name of the forecaster, the expected measure.
    penalties: IndexMap<&'static str, IndexMap<String, Penalty>>,
    /// Whether some measures are missing.
    interrupted: bool,
}

impl From<&Report<'_>> for Gap {
    fn from(gap: &Report<'_>) -> Self {
        let constructions::Construction { name, title, contestants, claims, .. } = gap.construction;
        let fits = |measure: Measure| {
            let fit = |i| constructions::fit(&gap.points(measure, i)).map(Fit::from);
            (measure.key(), [0, 1].map(fit))
        };
        let duel = |duel: &constructions::Duel| Duel {
            measure: duel.measure.key(),
            rounds: duel.rounds,
            penalties: [0, 1].map(|i| Contestant {
                penalty: (&duel.penalties[i]).into(),
                forecaster: contestants[i],
                theory: duel.bounds[i].as_ref().map(Theory::from),
            }),
            holds: duel.holds(),
        };
        Gap::Construction(Construction {
            schema: 1,
            construction: name,
            title,
            claims,
            runs: gap.effort.runs,
            seed: gap.effort.seed,
            duels: gap.duels.iter().map(duel).collect(),
            fits: gap.measures().into_iter().map(fits).collect(),
            holds: gap.holds(),
            interrupted: gap.interrupted,
        })
    }
}

impl From<&Contest<'_>> for Penalties {
    fn from(contest: &Contest<'_>) -> Self {
        let of_measure = |(measure, penalties): &(Measure, Vec<penalty::Penalty>)| {
            let each = contest.forecasters.iter().zip(penalties);
            let each = each.map(|(name, penalty)| (name.clone(), penalty.into()));
            (measure.key(), each.collect())
        };
        Penalties {
            schema: 1,
            nature: contest.nature.to_owned(),
            rounds: contest.rounds,
            penalties: contest.penalties.iter().map(of_measure).collect(),
            interrupted: contest.interrupted,
        }
    }
}

impl From<&Contest<'_>> for Gap {
    fn from(contest: &Contest<'_>) -> Self {
        Gap::Contest(contest.into())
    }
}

impl From<&penalty::Penalty> for Penalty {
    fn from(penalty: &penalty::Penalty) -> Self {
        let value = penalty.to_f64();
        match penalty {
            penalty::Penalty::Exact(exact) => Penalty::Exact { value, exact: exact.into() },
            penalty::Penalty::Enclosed(_) => Penalty::Enclosed { value },
            &penalty::Penalty::Sampled(SampledPenalty { mean, standard_error, runs, seed }) => {
                Penalty::Sampled { value: mean, standard_error, runs, seed }
            }
        }
    }
}

impl From<&Bound> for Theory {
    fn from(Bound { side, value, formula }: &Bound) -> Self {
        Theory { side: side.symbol(), value: middle(value), formula }
    }
}

impl From<constructions::Fit> for Fit {
    fn from(fit: constructions::Fit) -> Self {
        match fit {
            constructions::Fit::Power { factor, exponent } => Fit::Power { factor, exponent },
            constructions::Fit::Decay { factor, rate } => Fit::Decay { factor, rate },
        }
    }
}
